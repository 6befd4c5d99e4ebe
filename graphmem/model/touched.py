"""What a change touches, for the outbox."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from graphmem.model.search import PointKind


class Touched:
    """The things one change touched, with the points that must leave the index."""

    def __init__(self) -> None:
        self._things: dict[tuple[PointKind, str], set[str]] = {}

    def add(self, kind: PointKind, id: str, *, gone: Iterable[str] = ()) -> None:
        """Note that a thing was touched; ``gone`` are ids of points it has no more."""
        self._things.setdefault((kind, id), set()).update(gone)

    def keep(self, kind: PointKind, id: str, point: str) -> None:
        """Note that a thing has ``point`` after all."""
        self._things.setdefault((kind, id), set()).discard(point)

    def __len__(self) -> int:
        """Return how many things there are."""
        return len(self._things)

    def __iter__(self) -> Iterator[tuple[PointKind, str, list[str]]]:
        """Yield kind and id of each thing, and the points it has no more, sorted."""
        for (kind, name), gone in self._things.items():
            yield kind, name, sorted(gone)
