"""Nothing is lost on the way in, and nothing comes in twice."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from graphmem.adapters.models.openai import OpenAIModel
from graphmem.errors import EmbedderError
from graphmem.extraction.patterns import PatternExtractor
from graphmem.model.draft import Batch, Extraction
from graphmem.model.receipt import TurnState
from graphmem.ports.embedder import Vector
from graphmem.testing.embedders import HashEmbedder
from graphmem.testing.model_server import Reply, Request, ScriptedServer
from tests.engine.kit import a_memory, triples, values

DAY = "2025-05-10"


class Lame:
    """Reads turns by patterns, but fails for those with a word in them while it is lame."""

    def __init__(self, word: str) -> None:
        self.word: str | None = word
        self._patterns = PatternExtractor()

    @property
    def identity(self) -> str:
        """What read the turns."""
        return "lame/1"

    async def extract(self, batch: Batch) -> Extraction:
        """Read what can be read; say of each other turn that it failed."""
        if self.word is None:
            return await self._patterns.extract(batch)
        failed = {e.id: "rate limit" for e in batch.turns if self.word in e.content}
        done = await self._patterns.extract(batch)
        return Extraction(
            drafts=tuple(draft for draft in done.drafts if draft.turn not in failed),
            failed=failed,
        )


def test_a_batch_that_fails_in_the_middle_says_which_turns(tmp_path: Path) -> None:
    """Each turn has its own state; doing it again finishes the rest and doubles nothing."""
    turns = [
        {"role": "user", "content": f"I like book {n}.", "occurred_at": f"2025-05-{n % 28 + 1:02}"}
        for n in range(50)
    ]
    reader = Lame("7")
    with a_memory(tmp_path / "memory", extractor=reader, embedder="none") as memory:
        first = memory.add(turns, user="ana", session="s")
        waiting = {turn.index for turn in first.turns if turn.state is TurnState.PENDING}
        assert waiting == {7, 17, 27, 37, 47}
        assert all("rate limit" in (turn.reason or "") for turn in first.pending)
        assert memory.facts(user="ana").total == 45
        reader.word = None
        again = memory.add(turns, user="ana", session="s")
        assert Counter(turn.state for turn in again.turns) == {TurnState.DUPLICATE: 50}
        memory.retry_pending(user="ana")
        assert memory.facts(user="ana").total == 50
        assert all(len(f.claims) == 1 for f in memory.facts(user="ana").items)


def test_a_rate_limit_in_the_middle_of_an_ingest_is_waited_out(tmp_path: Path) -> None:
    """The endpoint's own waiting time is kept to, and every turn is read once."""
    seen: list[Request] = []

    def script(request: Request) -> Reply:
        seen.append(request)
        if len(seen) == 3:
            return Reply(status=429, headers={"retry-after": "0.1"})
        return Reply(content='{"claims": []}')

    with ScriptedServer(script) as server:
        model = OpenAIModel("tiny", base_url=server.url)
        with a_memory(tmp_path / "memory", model=model, embedder="none") as memory:
            receipts = [
                memory.add(f"I like book {n}.", user="ana", occurred_at=DAY) for n in range(5)
            ]
    assert [r.turns[0].state for r in receipts] == [TurnState.STORED] * 5
    assert len(seen) == 6


@pytest.mark.parametrize("text", ["I live in Riga and I like chess.", "我住在杭州，喜欢下棋。"])
def test_a_call_that_was_repeated_after_a_timeout_is_one(tmp_path: Path, text: str) -> None:
    """The same id, also while the first call is still under way, is the same turn."""
    turn = {"id": "m-1", "role": "user", "content": text}
    states: list[TurnState] = []
    with a_memory(tmp_path / "memory", embedder="none") as memory:
        start = threading.Barrier(6)

        def send() -> None:
            start.wait()
            states.append(memory.add([turn], user="ana").turns[0].state)

        threads = [threading.Thread(target=send) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert Counter(states) == {TurnState.STORED: 1, TurnState.DUPLICATE: 5}
        assert all(len(f.claims) == 1 for f in memory.facts(user="ana").items)
        assert memory.facts(user="ana").total == 2


def test_a_relation_to_what_is_already_there_is_stored(tmp_path: Path) -> None:
    """A thing that exists is linked to, not passed over."""
    with a_memory(tmp_path / "memory", embedder="none") as memory:
        memory.add_fact("Mo", "lives_in", "Cork", user="ana")
        receipt = memory.add_fact("Jonas", "knows", "Mo", user="ana")
        assert len(receipt.added) == 1
        assert triples(memory.facts(user="ana", object="Mo")) == {("Jonas", "knows", "Mo", "+")}
        memory.add("My friend Sanna lives in Cork.", user="ana")
        assert len(values(memory.facts(user="ana", object="Cork"))) == 1
        assert memory.facts(user="ana", object="Cork").total == 2


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ola manages the Oslo shop.", "Ola manages the Oslo shop"),
        ("我妹妹小桐住在大连。", "我妹妹小桐住在大连"),
    ],
)
def test_a_batch_gives_what_one_by_one_gives(tmp_path: Path, one: str, other: str) -> None:
    """Two turns that say the same are one fact with two sources, however they came."""
    facts: list[set[tuple[str, str, str | None, str]]] = []
    sources: list[set[int]] = []
    turns = [
        {"role": "user", "content": one, "occurred_at": "2025-05-10"},
        {"role": "user", "content": other, "occurred_at": "2025-05-11"},
    ]
    for name, calls in (("batch", [turns]), ("single", [[turn] for turn in turns])):
        with a_memory(tmp_path / name, embedder="none") as memory:
            for call in calls:
                memory.add(call, user="ana")
            page = memory.facts(user="ana").items
            facts.append(triples(page))
            sources.append({len(fact.claims) for fact in page})
            for fact in page:
                said_in = {e.claim.quote for e in memory.explain(fact.id, user="ana").claims}
                assert said_in <= {one.rstrip(".。"), one, other}
    assert facts[0] == facts[1] != set()
    assert sources == [{2}, {2}]


class Moody(HashEmbedder):
    """An embedder that is down for a while."""

    down = False

    async def documents(self, texts: Sequence[str]) -> list[Vector]:
        """Embed, unless it is down."""
        if self.down:
            raise EmbedderError("the endpoint is away; try again later")
        return await super().documents(texts)


def test_what_could_not_be_embedded_is_found_by_word_and_counted(tmp_path: Path) -> None:
    """A fact without a vector is found at once, is counted, and is embedded by repair."""
    embedder = Moody()
    with a_memory(tmp_path / "memory", embedder=embedder) as memory:
        memory.add("I live in Riga.", user="ana")
        embedder.down = True
        receipt = memory.add("I'm allergic to lupins. 我对虾过敏。", user="ana")
        assert receipt.notes
        for question, word in (("lupins", "lupins"), ("虾", "虾")):
            assert any(word in hit.text for hit in memory.search(question, user="ana").hits)
        embedder.down = False
        memory.repair()
        report = memory.verify()
        assert report.clean
        memory.retract(memory.facts(user="ana").items[0].id, user="ana")
        assert memory.verify().clean
