"""The story of the demo, told to a memory on Neo4j, beside others who must not be seen with it."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Generator

from graphmem import Memory
from graphmem.entrypoints.browser import queries
from graphmem.entrypoints.cli.demo import RIGHT, SESSION, STORY, USER, ZONE
from graphmem.model.scope import Scope
from tests.services.neo4j_server import Address
from tests.services.stores import settings_of

ANA = Scope("default", USER)
OTHER_USER, OTHER_TENANT = "ben", "elsewhere"
ODD = 'o\'Neil "the `Rook`" \\ ; // }) RETURN 1 {x} $at 猫'
"""A name of all that could end a quotation or a command."""
IN_STEP = "MATCH (n:Outbox|Meta) WHERE n:Outbox OR n.key = $owed DETACH DELETE n"
"""Leaves the database as it is beside an index that has everything."""


@contextlib.contextmanager
def opened(address: Address) -> Generator[Memory]:
    """Yield a memory in the database at ``address``, which works on keywords and graph alone."""
    with Memory.from_settings(settings_of(address, embedder="none", timezone=ZONE)) as memory:
        yield memory


def tell(memory: Memory) -> None:
    """Tell the story and its correction, and what the demo has none of: two names of one thing, a
    value that is no thing, a dislike, and the word of a weaker source."""
    for turn in STORY:
        message = {"role": "user", "content": turn.text}
        memory.add([message], user=USER, session=SESSION, occurred_at=turn.at)
    more = "I'm 35 years old and I don't like coffee."
    memory.add(more, user=USER, session=SESSION, occurred_at="2025-06-02T08:40:00+08:00")
    wrong = memory.facts(user=USER, predicate="lives_in").items[0]
    memory.correct(wrong.id, user=USER, object=RIGHT, statement=f"I've moved to {RIGHT}.")
    memory.merge("芒果", into="mango", user=USER)
    memory.add_fact(
        "me", "lives_in", "Madrid", user=USER, source="assistant", statement="Ana lives in Madrid."
    )
    memory.add("I live in Porto and I'm allergic to mango.", user=OTHER_USER)
    memory.add("I live in Riga.", user=USER, tenant=OTHER_TENANT)


def saved(scope: Scope = ANA) -> dict[str, str]:
    """Return the saved queries of ``scope`` by name, without the one that sets the parameters."""
    return {
        name.removesuffix(".cypher")[2:]: text
        for name, text in queries(scope).items()
        if not name.startswith("0_")
    }


def parameters(scope: Scope = ANA) -> dict[str, str]:
    """Return what the first of the saved queries sets."""
    return json.loads(queries(scope)["0_parameters.cypher"].partition(":params ")[2])
