"""A fact memory for LLM agents: a knowledge graph that knows time."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from graphmem.client.aio import AsyncMemory
    from graphmem.client.jobs import AsyncJob, Job
    from graphmem.client.sync import Memory
    from graphmem.errors import (
        EmbedderError,
        GraphmemError,
        IndexUnavailableError,
        InputError,
        ModelError,
        ModelOutputError,
        ModelUnavailableError,
        NotFoundError,
        RefusedError,
        SchemaVersionError,
        SettingsError,
        StoreCorruptError,
        StoreError,
        StoreUnavailableError,
        TransferError,
    )
    from graphmem.model.predicate import Predicate
    from graphmem.settings import Settings

__all__ = [
    "AsyncJob",
    "AsyncMemory",
    "EmbedderError",
    "GraphmemError",
    "IndexUnavailableError",
    "InputError",
    "Job",
    "Memory",
    "ModelError",
    "ModelOutputError",
    "ModelUnavailableError",
    "NotFoundError",
    "Predicate",
    "RefusedError",
    "SchemaVersionError",
    "Settings",
    "SettingsError",
    "StoreCorruptError",
    "StoreError",
    "StoreUnavailableError",
    "TransferError",
]

_HOMES = {
    "AsyncJob": "graphmem.client.jobs",
    "AsyncMemory": "graphmem.client.aio",
    "Job": "graphmem.client.jobs",
    "Memory": "graphmem.client.sync",
    "Predicate": "graphmem.model.predicate",
    "Settings": "graphmem.settings",
}


def __getattr__(name: str) -> object:
    # Loaded when asked for, so that the command line's help need not wait for the engine.
    if name in __all__:
        return getattr(import_module(_HOMES.get(name, "graphmem.errors")), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
