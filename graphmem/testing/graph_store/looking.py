"""What a store says of itself."""

from __future__ import annotations

from graphmem.model.about import ONLINE
from graphmem.model.changes import ChangeSet
from graphmem.model.episode import Reading
from graphmem.ports.graph_store import GraphStore
from graphmem.testing.builders import ANA, BOB, an_episode, told
from graphmem.testing.graph_store.base import StoreTests, begin


class LookingTests(StoreTests):
    """What looking after a store relies on."""

    async def test_about(self, store: GraphStore) -> None:
        """It names what it is, and has the schema and every index that it should have."""
        about = await store.about()
        assert about.kind
        assert about.place
        assert about.version
        assert about.schema == about.known_schema
        assert about.missing == ()
        assert {part.state for part in about.parts} <= {ONLINE}

    async def test_unread(self, store: GraphStore) -> None:
        """Turns that are not yet read are counted over all living scopes."""
        assert await store.unread() == 0
        waiting = an_episode("e1", reading=Reading.PENDING)
        await begin(store, ChangeSet(episodes=(waiting, an_episode("e2"))))
        await begin(store, ChangeSet(episodes=(waiting,)), scope=BOB)
        assert await store.unread() == 2
        await store.erase_scope(BOB)
        assert await store.unread() == 1

    async def test_number(self, store: GraphStore) -> None:
        """A scope's number is that of its last change; one that holds nothing has none."""
        assert await store.number(ANA) == 0
        changed = await begin(store, told("1"))
        assert await store.number(ANA) == changed[-1].number > 1
        assert await store.number(BOB) == 0
        await store.erase_scope(ANA)
        assert await store.number(ANA) == 0

    async def test_metas(self, store: GraphStore) -> None:
        """Values are found by the beginning of their keys, whatever is in it."""
        for key in ("a%", "a%:1", "a_:2", "b"):
            await store.set_meta(key, key.upper())
        assert await store.metas("a%") == {"a%": "A%", "a%:1": "A%:1"}
        assert await store.metas("c") == {}
