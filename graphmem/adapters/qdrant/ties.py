"""Equal scores: which of them come when a limit would part them, alike on Edge and a server.

The engine parts equals anywhere, so one more than the limit is asked for, to see whether it does.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Protocol, TypeVar

from graphmem.model.search import Scored

TIES_LIMIT = 1024
"""How far equal scores at the top of a list are followed, to break their ties by id."""


class HasScore(Protocol):
    """Something found."""

    @property
    def score(self) -> float:
        """Return how near it is."""
        ...


Hit = TypeVar("Hit", bound=HasScore)


def settled(found: Sequence[Hit], limit: int) -> Sequence[Hit] | None:
    """Return what to keep of the first ``limit + 1`` hits; None if equals must be followed further.

    What is kept may still be one more than ``limit``; ``ordered`` cuts it.
    """
    if len(found) <= limit or found[limit - 1].score != found[limit].score:
        return found
    better = [hit for hit in found if hit.score > found[limit].score]
    return better if 10 * len(better) >= limit else None


def ordered(hits: Sequence[Scored], limit: int) -> list[Scored]:
    """Return the first ``limit``, best first, equals by id."""
    if all(hit.score > following.score for hit, following in pairwise(hits)):
        return [*hits[:limit]]  # as most are
    return sorted(hits, key=lambda hit: (-hit.score, hit.ref.id))[:limit]
