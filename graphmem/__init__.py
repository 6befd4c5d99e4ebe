"""A fact memory for LLM agents: a knowledge graph that knows time."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from graphmem.client.aio import AsyncMemory
    from graphmem.client.sync import Memory

_HOME = {"AsyncMemory": "graphmem.client.aio", "Memory": "graphmem.client.sync"}

__all__ = ["AsyncMemory", "Memory"]


def __getattr__(name: str) -> object:
    # Loaded when asked for, so that the command line's help need not wait for the engine.
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
