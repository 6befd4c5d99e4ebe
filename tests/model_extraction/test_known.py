"""What a model is shown of a memory, and what becomes of it: over HTTP, from turns to facts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest

from graphmem import Memory
from graphmem.adapters.models.openai import OpenAIModel
from graphmem.adapters.sqlite.store import SqliteStore
from graphmem.extraction.patterns import PatternExtractor
from graphmem.model.fact import Fact, Status
from graphmem.model.ontology import default_ontology
from graphmem.model.scope import Scope
from graphmem.ports.extractor import wants_facts
from graphmem.testing.clock import FrozenClock
from graphmem.testing.model_server import Request, ScriptedServer
from graphmem.usecases.recollect import FACTS, recollect

from .kit import NOON, a_turn

_LINE = re.compile(r'^"(F\d+) \((.*?)\): ', re.MULTILINE)
Claims = Callable[[dict[str, str]], list[dict[str, Any]]]
# Any: items as a model writes them.


@contextmanager
def reading(place: Path, claims: Claims, *entities: dict[str, Any]) -> Generator[Memory]:
    """A memory whose model answers by the labels it is shown: "me; likes; tea" to "F1"."""

    def answer(request: Request) -> str:
        shown = request.body["messages"][-1]["content"]
        labels = {parts: label for label, parts in _LINE.findall(shown)}
        return json.dumps({"claims": claims(labels), "entities": list(entities)})

    with ScriptedServer(answer) as server:
        model = OpenAIModel("tiny", server.url, max_retries=0)
        with Memory(place, model=model, embedder="none", clock=FrozenClock(2 * NOON)) as memory:
            yield memory


def tell(memory: Memory, text: str) -> None:
    memory.add(text, user="ana", session="s", occurred_at="2024-06-12T12:00")


def known(memory: Memory, predicate: str, *values: str, **more: Any) -> None:
    for value in values:
        memory.add_fact("me", predicate, value, user="ana", occurred_at="2024-01-01", **more)


def values(memory: Memory, predicate: str, **more: Any) -> dict[str, Fact]:
    page = memory.facts(user="ana", predicate=predicate, **more)
    return {fact.object.text: fact for fact in page.items if fact.object is not None}


def test_i_quit_ends_the_one_job_among_many_facts(tmp_path: Path) -> None:
    """The job is an old fact of three hundred, and the turn does not name it."""

    def quits(labels: dict[str, str]) -> list[dict[str, Any]]:
        job = labels["me; works_at; Orrin Mills"]
        return [{"turn": "T1", "quote": "I quit last week", "ends": job, "at": "last week"}]

    with reading(tmp_path, quits) as memory:
        known(memory, "works_at", "Orrin Mills")
        known(memory, "likes", *(f"song {n}" for n in range(60)))
        tell(memory, "I quit last week.")
        assert values(memory, "works_at") == {}
        ended = values(memory, "works_at", include_ended=True)["Orrin Mills"]
        assert ended.interval.end is not None
        assert ended.status is Status.HELD
        assert len(values(memory, "likes", limit=100)) == 60


def test_a_correction_by_label_takes_the_fact_back(tmp_path: Path) -> None:
    """What was wrong never was; what is right holds."""

    def corrects(labels: dict[str, str]) -> list[dict[str, Any]]:
        wrong = labels["me; assigned_to; Heron"]
        claim = {"subject": "me", "predicate": "assigned_to", "object": "Kite", "corrects": wrong}
        return [{"turn": "T1", "quote": "it's Kite I'm on", **claim}]

    with reading(tmp_path, corrects) as memory:
        known(memory, "assigned_to", "Heron")
        tell(memory, "Sorry, I told you wrong: it's Kite I'm on.")
        assert [*values(memory, "assigned_to")] == ["Kite"]
        was = values(memory, "assigned_to", include_retracted=True)["Heron"]
        assert was.status is Status.RETRACTED


@pytest.mark.parametrize("text", ["I had soup.", "我今天喝了汤。", "Is work fine? I had soup."])
def test_a_model_that_ends_everything_ends_nothing(tmp_path: Path, text: str) -> None:
    """Every label it is shown, for a turn that says nothing of them."""

    def ends(labels: dict[str, str]) -> list[dict[str, Any]]:
        return [{"turn": "T1", "quote": text, "ends": label} for label in labels.values()]

    with reading(tmp_path, ends) as memory:
        known(memory, "works_at", "Orrin Mills")
        known(memory, "likes", "tea", "rowing")
        receipt = memory.add(text, user="ana")
        assert receipt.ended == ()
        refused = {r.kind: r.count for r in receipt.refused}
        assert refused == {"unwitnessed": 3}


def test_another_name_is_an_alias(tmp_path: Path) -> None:
    """Later turns mean the same thing by it, and its kind is kept."""
    text = "Robert Ng likes tea, everybody calls him Bo."
    claim = {"subject": "Robert Ng", "predicate": "likes", "object": "tea"}
    entity = {"name": "Robert Ng", "type": "person", "aliases": ["Bo"]}
    with reading(tmp_path, lambda _: [{"turn": "T1", "quote": text, **claim}], entity) as memory:
        tell(memory, text)
        (found,) = (v for v in memory.entities(user="ana").items if v.entity.name == "Robert Ng")
        assert found.entity.types == ("person",)
        assert "Bo" in found.entity.aliases
        memory.add_fact("Bo", "likes", "milk", user="ana")
        assert memory.facts(user="ana", subject="Robert Ng", predicate="likes").total == 2


def test_an_unknown_label_is_told_in_the_receipt(tmp_path: Path) -> None:
    """The claim is kept without it."""
    claim = {"subject": "me", "predicate": "likes", "object": "tea", "replaces": "F41"}
    with reading(tmp_path, lambda _: [{"turn": "T1", "quote": "I like tea", **claim}]) as memory:
        receipt = memory.add("I like tea.", user="ana")
        assert [fact.predicate for fact in receipt.facts] == ["likes"]
        assert [(r.kind, r.count) for r in receipt.refused] == [("unknown_label", 1)]
        assert any("was not shown" in note for note in receipt.notes)


# --- What is looked for


class Trips:
    """A store that counts how often it is read."""

    def __init__(self, store: SqliteStore) -> None:
        self._store = store
        self.count = 0

    def __getattr__(self, name: str) -> Any:  # Any: whatever the store has
        self.count += 1
        return getattr(self._store, name)


def recalled(place: Path, *texts: str) -> tuple[list[str], int]:
    """Return what turns bring to mind, and how often the store was read for that."""
    scope = Scope("default", "ana")

    async def look() -> tuple[list[str], int]:
        store = SqliteStore.open(place / "graph.sqlite3", FrozenClock(2 * NOON))
        trips: Any = Trips(store)  # Any: it stands for a store
        turns = [a_turn(text, n) for n, text in enumerate(texts, 1)]
        own = await store.self_entity(scope)
        found = await recollect(trips, scope, turns, own=own, ontology=default_ontology())
        await store.close()
        return [fact.statement for fact in found.facts], trips.count

    return anyio.run(look)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A memory of one job, one friend, one project and hundreds of likes said later."""
    place = tmp_path_factory.mktemp("large")
    with Memory(place, embedder="none", clock=FrozenClock(2 * NOON)) as memory:
        known(memory, "works_at", "Orrin Mills")
        known(memory, "practises", "falconry")
        memory.add_fact("Juno", "lives_in", "Ghent", user="ana", occurred_at="2024-01-01")
        memory.add_fact("芷若", "lives_in", "泉州", user="ana", occurred_at="2024-01-01")
        text = " ".join(f"I like tune{n}." for n in range(150))
        memory.add(text, user="ana", occurred_at="2024-05-01")
    return place


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("I quit!", "works at Orrin Mills"),
        ("我辞职了。", "works at Orrin Mills"),
        ("Juno came by.", "Juno lives in Ghent"),
        ("芷若来了。", "芷若"),
        ("No more falcons, I'm done with falconry.", "falconry"),
        ("What a day in Ghent.", "Juno lives in Ghent"),
    ],
)
def test_facts_are_found_by_name_topic_and_words(large: Path, text: str, statement: str) -> None:
    """Not only the newest are shown."""
    found, _ = recalled(large, text)
    assert any(statement in each for each in found)
    assert len(found) <= FACTS


def test_looking_takes_the_same_number_of_readings(large: Path, tmp_path: Path) -> None:
    """Whatever the memory holds, and however much is said."""
    with Memory(tmp_path, embedder="none") as memory:
        known(memory, "likes", "tea")
    text = "Juno quit. I like tune3 and falconry, and I work at Orrin Mills. "
    counts = {recalled(place, *([text] * n))[1] for place in (large, tmp_path) for n in (1, 40)}
    assert max(counts) <= 6
    assert max(counts) - min(counts) <= 1  # an unknown name is not looked up


def test_patterns_are_shown_what_was_said_last(tmp_path: Path) -> None:
    """They want no more, and take no more readings for it."""
    assert not wants_facts(PatternExtractor())
    with Memory(tmp_path, embedder="none") as memory:
        memory.add("I live in Riga.", user="ana")
        receipt = memory.add("I moved from Riga to Cork.", user="ana")
        assert [fact.object.text for fact in receipt.facts if fact.object] == ["Cork"]
