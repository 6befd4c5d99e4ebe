"""Everything graphmem raises on purpose.

::

    GraphmemError
    ├── InputError               a value the caller gave cannot be used (also a ValueError)
    │   └── SettingsError        a setting is unknown or has a value that cannot be used
    ├── NotFoundError            no such id in this scope (also a LookupError)
    ├── RefusedError             the request is understood and would break a rule
    ├── StoreError               the graph store
    │   ├── StoreUnavailableError    away or busy beyond the deadline; trying again may help
    │   ├── StoreCorruptError        its file is damaged or is not ours
    │   └── SchemaVersionError       it was written by a newer graphmem
    ├── IndexUnavailableError    the vector index cannot be used; reads go on without it
    │   └── IndexRefusedError        it can, and refuses what it was asked to write
    ├── EmbedderError            text could not be turned into vectors
    ├── ModelError               a language model call failed (step, model and reason)
    │   ├── ModelUnavailableError    no usable answer arrived; trying again may help
    │   │   └── BudgetSpentError     the cap on calls or tokens lets no further call be made
    │   └── ModelOutputError         an answer arrived and could not be read
    │       └── WithheldError        a content filter, or the model itself, would not answer
    └── TransferError            an export file cannot be imported here

Each message names the value and the way out. ``retryable`` says whether the same call may succeed
later without a change by the caller.
"""

from __future__ import annotations


class GraphmemError(Exception):
    """The root of the tree."""

    retryable: bool = False


class InputError(GraphmemError, ValueError):
    """A value the caller gave cannot be used."""


class SettingsError(InputError):
    """A setting is unknown or has a value that cannot be used."""


class NotFoundError(GraphmemError, LookupError):
    """No such id in this scope."""


class RefusedError(GraphmemError):
    """The request is understood and would break a rule."""


class StoreError(GraphmemError):
    """The graph store failed."""


class StoreUnavailableError(StoreError):
    """The graph store is away, or busy beyond the deadline."""

    retryable = True


class StoreCorruptError(StoreError):
    """The store's file is damaged, or is not a graphmem store."""


class SchemaVersionError(StoreError):
    """The store was written by a newer graphmem than this one."""


class IndexUnavailableError(GraphmemError):
    """The vector index cannot be used now; reads go on by keyword and graph."""

    retryable = True


class IndexRefusedError(IndexUnavailableError):
    """The vector index is there and refuses what it was asked; asking again does not help."""

    retryable = False


class EmbedderError(GraphmemError):
    """Text could not be turned into vectors."""

    retryable = True


class ModelError(GraphmemError):
    """A language model call failed.

    ``step`` is what was being done ("extract", "repair"), ``model`` the model's name.
    """

    def __init__(self, reason: str, *, step: str, model: str) -> None:
        super().__init__(f"{step} with model {model!r}: {reason}")
        self.reason = reason
        self.step = step
        self.model = model


class ModelUnavailableError(ModelError):
    """No usable answer arrived: refused connection, timeout, rate limit, server error."""

    retryable = True


class BudgetSpentError(ModelUnavailableError):
    """The cap on a model's calls or tokens lets no further call be made in this one of ours."""


class ModelOutputError(ModelError):
    """An answer arrived and could not be read."""


class WithheldError(ModelOutputError):
    """A content filter, or the model itself, would not answer; to a part of it, it may."""


class TransferError(GraphmemError):
    """An export file cannot be imported here."""
