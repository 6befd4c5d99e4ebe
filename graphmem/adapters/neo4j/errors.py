"""The one place where errors of the Neo4j driver and server become ours.

What may pass by itself is tried again (``passing``) before it becomes an error of ours.
"""

from __future__ import annotations

from neo4j.exceptions import (
    AuthConfigurationError,
    AuthError,
    CertificateConfigurationError,
    ConfigurationError,
    ConnectionPoolError,
    ConstraintError,
    DriverError,
    Forbidden,
    Neo4jError,
    ServiceUnavailable,
    SessionExpired,
    TransientError,
    UnsupportedServerProduct,
)

from graphmem.errors import (
    GraphmemError,
    InputError,
    SettingsError,
    StoreCorruptError,
    StoreError,
    StoreUnavailableError,
)

DriverFault = DriverError | Neo4jError
TRANSLATED = (DriverError, Neo4jError, TimeoutError, OSError, OverflowError, UnicodeEncodeError)
"""What ``translate`` is asked about."""

_SHOWN = 300
_SIGN_IN = "set neo4j_user and neo4j_password"

# Codes that say more than their class does.
_UNAVAILABLE = {
    "Neo.ClientError.Security.AuthenticationRateLimit": "too many sign-ins failed; wait a little",
    "Neo.ClientError.Transaction.TransactionTimedOut": "it took longer than it may; try again",
    "Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration": (
        "it took longer than it may; try again"
    ),
    "Neo.ClientError.Transaction.LockClientStopped": "it was ended by the server; try again",
    "Neo.ClientError.Transaction.Terminated": "it was ended by the server; try again",
    "Neo.DatabaseError.Database.UnableToStartDatabase": "see the server's log",
    "Neo.DatabaseError.General.OutOfDiskSpace": "free some space on the server's disk",
}
_SETTINGS = {
    "Neo.ClientError.Database.DatabaseNotFound": "set neo4j_database to one that is there",
    "Neo.ClientError.Security.CredentialsExpired": (
        "its password must be changed first (ALTER CURRENT USER SET PASSWORD)"
    ),
}
_CORRUPT = frozenset(
    {
        "Neo.DatabaseError.General.StorageDamageDetected",
        "Neo.DatabaseError.General.IndexCorruptionDetected",
        "Neo.DatabaseError.Schema.SchemaRuleAccessFailed",
    }
)
_MADE_MEANWHILE = frozenset(
    f"Neo.ClientError.Schema.{what}AlreadyExists"
    for what in (
        "EquivalentSchemaRule",
        "Index",
        "IndexWithName",
        "Constraint",
        "ConstraintWithName",
    )
)


def passing(error: Exception) -> bool:
    """Return whether the same work may succeed by itself a moment later."""
    if isinstance(error, Neo4jError):
        return error.is_retryable()
    # A commit whose acknowledgement was lost (IncompleteCommit, which the driver does not repeat)
    # is a ServiceUnavailable: what we do may be done twice.
    return isinstance(error, ServiceUnavailable | SessionExpired | OSError) and not isinstance(
        error, TimeoutError
    )


def clashed(error: Exception) -> bool:
    """Return whether another writer was first: a unique value was taken, and a new one may be
    free; or an index was made, and the same statement finds it now."""
    return isinstance(error, ConstraintError) or (
        isinstance(error, Neo4jError) and error.code in _MADE_MEANWHILE
    )


def translate(error: Exception, place: str) -> GraphmemError:
    """Return our error for one raised while working on the store at ``place``."""
    reason = _reason(error)
    if isinstance(error, OverflowError):
        return InputError(f"an integer is beyond what the store {place} can hold: {reason}")
    if isinstance(error, UnicodeEncodeError):
        return InputError(f"a text cannot be written as UTF-8 to the store {place}: {reason}")
    if isinstance(error, Neo4jError):
        return _from_server(error, place, reason)
    if isinstance(error, AuthConfigurationError):
        return SettingsError(f"the store {place} cannot be signed in to ({reason}); {_SIGN_IN}")
    if isinstance(error, CertificateConfigurationError):
        return SettingsError(f"the certificates for {place} cannot be used: {reason}")
    if isinstance(error, UnsupportedServerProduct):
        return SettingsError(f"{place} is no Neo4j server of version 5 or later: {reason}")
    if isinstance(error, ConfigurationError):
        return SettingsError(f"the store {place} cannot be reached as set: {reason}")
    if isinstance(error, ConnectionPoolError):
        return StoreUnavailableError(
            f"the store {place} has no connection free ({reason}); try again, with fewer at once"
        )
    if isinstance(error, TimeoutError):
        return StoreUnavailableError(f"the store {place} did not answer in time; try again")
    if isinstance(error, ServiceUnavailable | SessionExpired | OSError):
        return StoreUnavailableError(
            f"the store {place} is away ({reason}); is a Neo4j server running there?"
        )
    return StoreError(f"the store {place} failed: {reason}")


def _from_server(error: Neo4jError, place: str, reason: str) -> GraphmemError:
    code = error.code or ""
    if code in _UNAVAILABLE:
        return StoreUnavailableError(
            f"the store {place} is not available ({reason}): {_UNAVAILABLE[code]}"
        )
    if code in _SETTINGS:
        return SettingsError(f"the store {place} refused ({reason}): {_SETTINGS[code]}")
    if code in _CORRUPT:
        return StoreCorruptError(
            f"the store {place} is damaged ({reason}); restore it from an export or a backup"
        )
    if isinstance(error, AuthError):
        return SettingsError(f"the store {place} refused the user or the password; {_SIGN_IN}")
    if isinstance(error, Forbidden):
        return StoreError(
            f"the store {place} forbids it ({reason}); grant the user of neo4j_user the rights to "
            "read, write and make indexes"
        )
    if isinstance(error, TransientError) or error.is_retryable():
        return StoreUnavailableError(f"the store {place} is busy ({reason}); try again")
    return StoreError(f"the store {place} failed: {reason}")


def closed(place: str) -> StoreUnavailableError:
    """Return the error of a store that was closed."""
    return StoreUnavailableError(f"the store {place} is closed; open it again")


def _reason(error: Exception) -> str:
    if isinstance(error, Neo4jError):
        text = f"{error.code}: {error.message}"
    else:
        text = f"{type(error).__name__}: {error}"
    return " ".join(text.split())[:_SHOWN]
