"""Every error of the driver, and what servers answer, becomes one of ours."""

from __future__ import annotations

import inspect

import pytest
from neo4j import exceptions
from neo4j.exceptions import DriverError, Neo4jError

from graphmem.adapters.neo4j.errors import TRANSLATED, clashed, passing, translate
from graphmem.errors import (
    GraphmemError,
    InputError,
    SettingsError,
    StoreCorruptError,
    StoreError,
    StoreUnavailableError,
)

PLACE = "neo4j://graph.example:7687"


CLASSES: list[type[Exception]] = [
    found
    for _, found in inspect.getmembers(exceptions, inspect.isclass)
    if issubclass(found, DriverError | Neo4jError)
]


def raised(kind: type[Exception]) -> Exception:
    """Return an error of a class as the driver makes it."""
    needs = inspect.signature(kind.__init__).parameters
    owner = ("session_", "transaction_", "result_")
    return kind(None, "a reason") if any(name in needs for name in owner) else kind("a reason")


def answered(code: str) -> Neo4jError:
    """Return the error that the driver makes of a server's answer."""
    return Neo4jError._hydrate_neo4j(code=code, message="a reason")  # pyright: ignore[reportPrivateUsage] - no other way makes them


OF_CLASS: dict[str, tuple[type[GraphmemError], bool]] = {
    "AuthConfigurationError": (SettingsError, False),
    "AuthError": (SettingsError, False),
    "BrokenRecordError": (StoreError, False),
    "CertificateConfigurationError": (SettingsError, False),
    "ClientError": (StoreError, False),
    "ConfigurationError": (SettingsError, False),
    "ConnectionAcquisitionTimeoutError": (StoreUnavailableError, False),
    "ConnectionPoolError": (StoreUnavailableError, False),
    "ConstraintError": (StoreError, False),
    "CypherSyntaxError": (StoreError, False),
    "CypherTypeError": (StoreError, False),
    "DatabaseError": (StoreError, False),
    "DatabaseUnavailable": (StoreUnavailableError, True),
    "DriverError": (StoreError, False),
    "Forbidden": (StoreError, False),
    "ForbiddenOnReadOnlyDatabase": (StoreUnavailableError, True),
    "IncompleteCommit": (StoreUnavailableError, True),
    "Neo4jError": (StoreError, False),
    "NotALeader": (StoreUnavailableError, True),
    "ReadServiceUnavailable": (StoreUnavailableError, True),
    "ResultConsumedError": (StoreError, False),
    "ResultError": (StoreError, False),
    "ResultFailedError": (StoreError, False),
    "ResultNotSingleError": (StoreError, False),
    "RoutingServiceUnavailable": (StoreUnavailableError, True),
    "ServiceUnavailable": (StoreUnavailableError, True),
    "SessionError": (StoreError, False),
    "SessionExpired": (StoreUnavailableError, True),
    "TokenExpired": (SettingsError, False),
    "TransactionError": (StoreError, False),
    "TransactionNestingError": (StoreError, False),
    "TransientError": (StoreUnavailableError, True),
    "UnsupportedServerProduct": (SettingsError, False),
    "WriteServiceUnavailable": (StoreUnavailableError, True),
}

OF_CODE: dict[str, tuple[type[GraphmemError], bool]] = {
    "Neo.ClientError.Cluster.NotALeader": (StoreUnavailableError, True),
    "Neo.ClientError.Database.DatabaseNotFound": (SettingsError, False),
    "Neo.ClientError.General.ForbiddenOnReadOnlyDatabase": (StoreUnavailableError, True),
    "Neo.ClientError.Schema.ConstraintValidationFailed": (StoreError, False),
    "Neo.ClientError.Security.AuthenticationRateLimit": (StoreUnavailableError, False),
    "Neo.ClientError.Security.AuthorizationExpired": (StoreUnavailableError, True),
    "Neo.ClientError.Security.CredentialsExpired": (SettingsError, False),
    "Neo.ClientError.Security.Forbidden": (StoreError, False),
    "Neo.ClientError.Security.TokenExpired": (SettingsError, False),
    "Neo.ClientError.Security.Unauthorized": (SettingsError, False),
    "Neo.ClientError.Statement.SyntaxError": (StoreError, False),
    "Neo.ClientError.Statement.TypeError": (StoreError, False),
    "Neo.ClientError.Transaction.LockClientStopped": (StoreUnavailableError, False),
    "Neo.ClientError.Transaction.Terminated": (StoreUnavailableError, False),
    "Neo.ClientError.Transaction.TransactionTimedOut": (StoreUnavailableError, False),
    "Neo.DatabaseError.Database.UnableToStartDatabase": (StoreUnavailableError, False),
    "Neo.DatabaseError.General.IndexCorruptionDetected": (StoreCorruptError, False),
    "Neo.DatabaseError.General.OutOfDiskSpace": (StoreUnavailableError, False),
    "Neo.DatabaseError.General.StorageDamageDetected": (StoreCorruptError, False),
    "Neo.DatabaseError.General.UnknownError": (StoreError, False),
    "Neo.TransientError.General.DatabaseUnavailable": (StoreUnavailableError, True),
    "Neo.TransientError.General.MemoryPoolOutOfMemoryError": (StoreUnavailableError, True),
    "Neo.TransientError.General.OutOfMemoryError": (StoreUnavailableError, True),
    "Neo.TransientError.Transaction.BookmarkTimeout": (StoreUnavailableError, True),
    "Neo.TransientError.Transaction.DeadlockDetected": (StoreUnavailableError, True),
    "Neo.TransientError.Transaction.LeaderSwitch": (StoreUnavailableError, True),
    "Neo.TransientError.Transaction.LockAcquisitionTimeout": (StoreUnavailableError, True),
    "Neo.TransientError.Transaction.Terminated": (StoreUnavailableError, False),
}


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_every_class_has_a_place(kind: type[Exception]) -> None:
    """A class that the driver adds has none, and fails here."""
    ours, again = OF_CLASS[kind.__name__]
    error = raised(kind)
    assert isinstance(error, TRANSLATED)
    assert type(translate(error, PLACE)) is ours
    assert passing(error) is again


@pytest.mark.parametrize("code", OF_CODE)
def test_every_code_has_a_place(code: str) -> None:
    """What a server answers says by its code what can be done."""
    ours, again = OF_CODE[code]
    error = answered(code)
    assert type(translate(error, PLACE)) is ours
    assert passing(error) is again


@pytest.mark.parametrize(
    ("error", "ours", "again"),
    [
        (OSError("no route"), StoreUnavailableError, True),
        (TimeoutError(), StoreUnavailableError, False),
        (OverflowError("too large"), InputError, False),
        (UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogate"), InputError, False),
    ],
    ids=lambda value: type(value).__name__,
)
def test_errors_from_below_the_driver(
    error: Exception, ours: type[GraphmemError], again: bool
) -> None:
    """The system's and Python's own errors, too."""
    assert type(translate(error, PLACE)) is ours
    assert passing(error) is again


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_messages_name_the_place(kind: type[Exception]) -> None:
    """A message is one line of bounded length, and says where."""
    error = raised(kind)
    error.args = ("a long\nreason " * 200,)
    message = str(translate(error, PLACE))
    assert PLACE in message
    assert "\n" not in message
    assert len(message) < 600


def test_a_clash_is_what_another_did_first() -> None:
    """Whoever drew a value may draw another; an index that was made is found."""
    assert clashed(answered("Neo.ClientError.Schema.ConstraintValidationFailed"))
    assert clashed(answered("Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists"))
    assert not clashed(answered("Neo.ClientError.Schema.ConstraintCreationFailed"))
    assert not clashed(exceptions.ServiceUnavailable("away"))
