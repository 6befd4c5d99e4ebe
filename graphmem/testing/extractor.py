"""The contract every extractor must pass.

Subclass ``ExtractorContract``, say how the extractor is made, and let pytest collect it::

    class TestMyExtractor(ExtractorContract):
        def made(self):
            return MyExtractor()

One that can fail, because it asks a model, subclasses ``FallibleExtractorContract`` and says also
how one is made that cannot read. Where a model is scripted, ``CLAIMS`` says what it should claim of
each text, rightly or not: it must be gullible, so that the suite shows who checks it.

The tests are coroutines run by the pytest plugin that comes with anyio. Each checks one promise of
``graphmem.ports.extractor.Extractor``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import ClassVar

import anyio
import pytest

from graphmem.model.draft import Batch, Extraction
from graphmem.model.episode import Episode, Reading, Role
from graphmem.model.time import SECOND
from graphmem.ports.extractor import Extractor
from graphmem.testing.builders import T0, an_episode

STATEMENTS = (
    "I drink green tea.",
    "I'm allergic to mango.",
    "I live in Hangzhou. I drink oolong.",
    "我住在杭州。",
    "我对芒果过敏。",
)
"""What everybody would take something from."""
QUESTIONS = (
    "Do I drink green tea?",
    "Am I allergic to mango?",
    "我住在杭州吗？",
    "我是不是对芒果过敏？",
    "我住在哪里？",
)
"""What asks, and tells nothing."""
SILENT = ("Hello!", "Thanks, bye.", "你好！", "嗯，好的。", "🦊🦊🦊", "…")
"""What says nothing that could be remembered."""
ODD = (
    "",
    " \n\t",
    "?",
    "\0",
    "I drink " * 2_000,
    "我喝" * 2_000,
    '{"claims": []}',
    "a\u0301" * 500,
)
"""What nobody says, and somebody sends."""
MUTE = (Role.ASSISTANT, Role.SYSTEM, Role.TOOL)
"""Who tells nothing about the user."""

CLAIMS: Mapping[str, Sequence[tuple[str, str]]] = {
    "I drink green tea.": (("drinks", "green tea"),),
    "I'm allergic to mango.": (("allergic_to", "mango"),),
    "I live in Hangzhou. I drink oolong.": (("lives_in", "Hangzhou"), ("drinks", "oolong")),
    "我住在杭州。": (("lives_in", "杭州"),),
    "我对芒果过敏。": (("allergic_to", "芒果"),),
    "Do I drink green tea?": (("drinks", "green tea"),),
    "Am I allergic to mango?": (("allergic_to", "mango"),),
    "我住在杭州吗？": (("lives_in", "杭州"),),
    "我是不是对芒果过敏？": (("allergic_to", "芒果"),),
    "我住在哪里？": (("lives_in", "哪里"),),
}
"""What a gullible reader takes from each text, about the user: predicates and objects."""


def some_turns(*contents: str, role: Role = Role.USER, first: int = 1) -> tuple[Episode, ...]:
    """Return turns of one session, a minute apart, with the ids ``eN`` from ``first`` on."""
    return tuple(
        an_episode(
            f"e{number}",
            content,
            place=number,
            role=role,
            occurred_at=T0 + number * 60 * SECOND,
            reading=Reading.PENDING,
        )
        for number, content in enumerate(contents, first)
    )


class ExtractorContract(ABC):
    """Every promise of an extractor, one test each.

    Attributes:
        statements: what it must take something from; fewer, if it reads fewer languages.
    """

    pytestmark = pytest.mark.anyio
    statements: ClassVar[Sequence[str]] = STATEMENTS

    @abstractmethod
    def made(self) -> Extractor:
        """Return an extractor that can read."""

    @pytest.fixture
    def anyio_backend(self) -> str:
        """Run the suite's coroutines on asyncio."""
        return "asyncio"

    @pytest.fixture
    def extractor(self) -> Extractor:
        """Make the extractor."""
        return self.made()

    def test_identity_stays(self) -> None:
        """Two that are made alike have one name."""
        assert self.made().identity.strip()
        assert self.made().identity == self.made().identity

    async def test_statements_are_read(self, extractor: Extractor) -> None:
        """From each turn that tells something, something is taken."""
        turns = some_turns(*self.statements)
        read = await extractor.extract(Batch(turns=turns))
        assert {draft.turn for draft in read.drafts} == {turn.id for turn in turns}
        assert not read.failed

    async def test_quotes_are_words_of_their_turns(self, extractor: Extractor) -> None:
        """Each draft rests on words that stand in the turn it names."""
        turns = some_turns(*self.statements, *QUESTIONS, *SILENT)
        said = {turn.id: turn.content for turn in turns}
        for draft in (await extractor.extract(Batch(turns=turns))).drafts:
            assert draft.quote.strip()
            assert draft.quote in said[draft.turn]

    async def test_drafts_are_in_said_order(self, extractor: Extractor) -> None:
        """Turn after turn, as they were said."""
        turns = some_turns(*self.statements)
        order = [turn.id for turn in turns]
        drafts = (await extractor.extract(Batch(turns=turns))).drafts
        places = [order.index(draft.turn) for draft in drafts]
        assert places == sorted(places)

    async def test_drafts_are_complete(self, extractor: Extractor) -> None:
        """Each has a subject and a predicate, and weights within their bounds."""
        read = await extractor.extract(Batch(turns=some_turns(*self.statements)))
        for draft in read.drafts:
            assert draft.subject.is_self or draft.subject.text.strip()
            assert draft.predicate.strip()
            assert 0 <= draft.confidence <= 1
            assert 1 <= draft.importance <= 10

    async def test_the_same_turns_give_the_same_drafts(self, extractor: Extractor) -> None:
        """Reading again, given the same answers, changes nothing."""
        batch = Batch(turns=some_turns(*self.statements, *QUESTIONS))
        first, second = await extractor.extract(batch), await extractor.extract(batch)
        assert first == second

    async def test_turns_are_read_alike_alone_and_together(self, extractor: Extractor) -> None:
        """What a plain turn says does not depend on how turns were put in batches."""
        turns = some_turns(*self.statements)
        together = (await extractor.extract(Batch(turns=turns))).drafts
        alone = [(await extractor.extract(Batch(turns=(turn,)))).drafts for turn in turns]
        assert list(together) == [draft for drafts in alone for draft in drafts]

    async def test_an_empty_batch_is_read(self, extractor: Extractor) -> None:
        """Nothing to read gives nothing, and asks nobody."""
        assert await extractor.extract(Batch(turns=())) == Extraction()

    async def test_nothing_is_drafted_from_earlier_turns(self, extractor: Extractor) -> None:
        """What was said before the batch only helps to understand."""
        earlier = some_turns(*self.statements)
        turns = some_turns("Thanks, bye.", "你好！", first=len(earlier) + 1)
        read = await extractor.extract(Batch(turns=turns, earlier=earlier))
        assert (read.drafts, read.failed) == ((), {})

    @pytest.mark.parametrize("role", MUTE)
    async def test_only_people_and_documents_tell(self, extractor: Extractor, role: Role) -> None:
        """The words of assistants, instructions and tools are no facts about the user."""
        turns = some_turns(*self.statements, role=role)
        read = await extractor.extract(Batch(turns=turns))
        assert (read.drafts, read.failed) == ((), {})

    @pytest.mark.parametrize("role", MUTE)
    async def test_turns_beside_do_not_tell(self, extractor: Extractor, role: Role) -> None:
        """Also beside a turn of the user that is read, theirs are not."""
        mute = some_turns(*self.statements[1:], role=role)
        turn = some_turns(self.statements[0], first=len(mute) + 1)
        read = await extractor.extract(Batch(turns=(*mute, *turn)))
        assert {draft.turn for draft in read.drafts} == {turn[0].id}

    @pytest.mark.parametrize("question", QUESTIONS)
    async def test_questions_tell_nothing(self, extractor: Extractor, question: str) -> None:
        """What is asked is not asserted."""
        read = await extractor.extract(Batch(turns=some_turns(question)))
        assert (read.drafts, read.failed) == ((), {})

    @pytest.mark.parametrize("text", SILENT)
    async def test_saying_nothing_is_no_failure(self, extractor: Extractor, text: str) -> None:
        """A turn without facts is read, and empty."""
        read = await extractor.extract(Batch(turns=some_turns(text)))
        assert (read.drafts, read.failed) == ((), {})

    @pytest.mark.parametrize("text", ODD, ids=range(len(ODD)))
    async def test_odd_turns_do_not_raise(self, extractor: Extractor, text: str) -> None:
        """Whatever is sent, the other turns of the batch are read."""
        (odd,) = some_turns(text)
        turns = (odd, *some_turns(*self.statements, first=2))
        read = await extractor.extract(Batch(turns=turns))
        assert {turn.id for turn in turns[1:]} <= {draft.turn for draft in read.drafts}

    def test_several_event_loops_at_once(self) -> None:
        """Jobs are read in a thread with a loop of its own, beside the caller's."""
        extractor, batch = self.made(), Batch(turns=some_turns(*self.statements))
        with ThreadPoolExecutor(2) as pool:
            runs = [pool.submit(anyio.run, extractor.extract, batch) for _ in range(4)]
            (first, *others) = [run.result().drafts for run in runs]
        assert first
        assert others == [first] * 3

    async def test_counts_are_of_the_batch(self, extractor: Extractor) -> None:
        """What is told per turn is told of the batch's turns, with counts above zero."""
        earlier = some_turns("Purple, mostly, when it rains over there.")
        turns = some_turns("Purple, mostly, when it rains over there.", *QUESTIONS, first=2)
        read = await extractor.extract(Batch(turns=turns, earlier=earlier))
        ids = {turn.id for turn in turns}
        assert {*read.unmatched, *read.failed} <= ids
        assert all(count > 0 for count in [*read.unmatched.values(), *read.refused.values()])


class FallibleExtractorContract(ExtractorContract):
    """What is promised besides by an extractor that can fail, one test each."""

    @abstractmethod
    def failing(self) -> Extractor:
        """Return an extractor that cannot read now, such as one whose model is away."""

    async def test_a_failure_does_not_raise(self) -> None:
        """Each turn that could not be read is named, with the reason."""
        turns = some_turns(*self.statements)
        read = await self.failing().extract(Batch(turns=turns))
        assert set(read.failed) == {turn.id for turn in turns}
        assert all(reason.strip() for reason in read.failed.values())

    async def test_a_failed_turn_gives_no_drafts(self) -> None:
        """A turn is either read or failed, never half of each."""
        read = await self.failing().extract(Batch(turns=some_turns(*self.statements)))
        assert read.drafts == ()

    async def test_earlier_turns_do_not_fail(self) -> None:
        """Only what was to be read can be missing."""
        earlier, turns = some_turns(self.statements[0]), some_turns(*self.statements[1:], first=2)
        read = await self.failing().extract(Batch(turns=turns, earlier=earlier))
        assert set(read.failed) == {turn.id for turn in turns}

    async def test_nothing_to_read_cannot_fail(self) -> None:
        """An empty batch needs nobody."""
        assert await self.failing().extract(Batch(turns=())) == Extraction()
