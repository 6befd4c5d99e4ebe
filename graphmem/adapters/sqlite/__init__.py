"""The graph store in one SQLite file."""

from graphmem.adapters.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
