"""Finding facts by id, following ids that gave way."""

from __future__ import annotations

from graphmem.errors import NotFoundError
from graphmem.model.fact import Fact
from graphmem.model.scope import Scope
from graphmem.model.text import normal_key
from graphmem.model.time import FOREVER
from graphmem.ports.graph_store import GraphStore

_ME = frozenset({"me", "i", "user", "the user", "我", "用户"})
_MAINE = "ME"
"""In capitals a code: the state, the country's mark, a company's sign."""

_LONGEST_CHAIN = 100


def means_self(words: str, user: str) -> bool:
    """Whether words of a direct call mean the scope's own user: "me", 我, the user's id."""
    return words == user or (normal_key(words) in _ME and words.strip() != _MAINE)


async def latest_record(store: GraphStore, scope: Scope, fact_id: str) -> Fact:
    """Return the live record of a fact, of the fact it gave way to, or its last record.

    Raises:
        NotFoundError: no such id in this scope.
    """
    wanted = fact_id
    last: Fact | None = None
    for _ in range(_LONGEST_CHAIN):
        records = await store.history(scope, wanted)
        if not records:
            break
        last = records[-1]
        if last.expired_at == FOREVER or last.successor is None:
            return last
        wanted = last.successor
    if last is None:
        raise NotFoundError(
            f"no fact {fact_id!r} for user {scope.user!r}; search() and facts() show ids"
        )
    return last
