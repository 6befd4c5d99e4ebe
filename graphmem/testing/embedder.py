"""The contract every embedder must pass.

Subclass ``EmbedderContract``, say how the embedder is made, and let pytest collect it::

    class TestMyEmbedder(EmbedderContract):
        def made(self):
            return contextlib.nullcontext(MyEmbedder())

The tests are coroutines run by the pytest plugin that comes with anyio. Each checks one promise of
``graphmem.ports.embedder.Embedder``.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager

import anyio
import pytest

from graphmem.errors import EmbedderError
from graphmem.ports.embedder import Embedder, Vector

TEXTS = (
    "The user drinks green tea.",
    "我住在杭州，对芒果过敏。",
    "Rosa plays the cello in Porto.",
    "🥭🚫 👩‍👩‍👧",
)
"""Texts that have nothing to do with each other."""
MANY = tuple(f"Box {number} holds {number * 37} shells." for number in range(70))
"""More than an embedder is likely to send at once."""
ODD_TEXTS = (
    "x",
    "?!…",
    "  tea\n\n with\tspaces  ",
    "tea\0and football",
    "Zo\u0308e \u202eabc\u202c \u200b\ufeff",
    "مرحبا שלום नमस्ते",
    "𝒯𝓮𝓪 ﷽",
)
LONG_TEXTS = ("tea " * 5_000, "茶" * 10_000, "a" * 10_000, "🥭" * 3_000)
SAME = 0.999
"""The cosine above which two vectors are of one text, whatever it was embedded along with."""


def cosine(first: Vector, second: Vector) -> float:
    """Return the cosine of two unit vectors."""
    return sum(one * other for one, other in zip(first, second, strict=True))


def nearest(vector: Vector, among: Sequence[Vector]) -> int:
    """Return the place of the vector with the highest cosine."""
    return max(range(len(among)), key=lambda place: cosine(vector, among[place]))


class EmbedderContract(ABC):
    """Every promise of an embedder, one test each."""

    pytestmark = pytest.mark.anyio

    @abstractmethod
    def made(self) -> AbstractContextManager[Embedder]:
        """Give an embedder that works, and clean up after it."""

    @pytest.fixture
    def anyio_backend(self) -> str:
        """Run the suite's coroutines on asyncio."""
        return "asyncio"

    @pytest.fixture
    def embedder(self) -> Iterator[Embedder]:
        """Make the embedder, outside of any event loop."""
        with self.made() as embedder:
            yield embedder

    async def test_identity_stays(self, embedder: Embedder) -> None:
        """It has a name, which is the same before and after the first call."""
        before = embedder.identity
        await embedder.documents(TEXTS)
        assert before.strip()
        assert embedder.identity == before

    async def test_size_is_that_of_every_vector(self, embedder: Embedder) -> None:
        """Questions and documents have vectors of the size that is told."""
        size = await embedder.size()
        vectors = [*await embedder.queries(TEXTS), *await embedder.documents(TEXTS)]
        assert size > 0
        assert {len(vector) for vector in vectors} == {size}

    async def test_size_does_not_depend_on_when_it_is_asked(self, embedder: Embedder) -> None:
        """Asked after the first call it is the same."""
        (vector,) = await embedder.documents(TEXTS[:1])
        assert await embedder.size() == len(vector)

    async def test_one_vector_a_text(self, embedder: Embedder) -> None:
        """As many vectors come back as texts went in, also of equal texts."""
        texts = [*TEXTS, *TEXTS[:2]]
        assert len(await embedder.queries(texts)) == len(texts)
        assert len(await embedder.documents(texts)) == len(texts)

    async def test_no_texts_give_no_vectors(self, embedder: Embedder) -> None:
        """Nothing in, nothing out."""
        assert len(await embedder.queries([])) == 0
        assert len(await embedder.documents([])) == 0

    async def test_order_is_that_of_the_texts(self, embedder: Embedder) -> None:
        """The n-th vector is that of the n-th text."""
        together = await embedder.documents(TEXTS)
        for place, text in enumerate(TEXTS):
            (alone,) = await embedder.documents([text])
            assert nearest(alone, together) == place

    async def test_order_holds_over_many_texts(self, embedder: Embedder) -> None:
        """However a call is cut into batches, vectors stay with their texts."""
        together = await embedder.documents(MANY)
        backwards = await embedder.documents(MANY[::-1])
        assert len(together) == len(MANY)
        for one, other in zip(together, reversed(backwards), strict=True):
            assert cosine(one, other) > SAME

    async def test_a_text_has_one_vector(self, embedder: Embedder) -> None:
        """Said again, alone or among others, a text has the same direction."""
        for embed in (embedder.queries, embedder.documents):
            together = await embed(TEXTS)
            (again,) = await embed(TEXTS[1:2])
            assert cosine(together[1], again) > SAME

    async def test_vectors_are_of_unit_length(self, embedder: Embedder) -> None:
        """So that a dot product is a cosine."""
        for vector in [*await embedder.queries(TEXTS), *await embedder.documents(TEXTS)]:
            assert math.sqrt(cosine(vector, vector)) == pytest.approx(1, abs=1e-5)

    async def test_different_texts_have_different_vectors(self, embedder: Embedder) -> None:
        """No text is read as another one."""
        first, second, third, fourth = await embedder.documents(TEXTS)
        assert max(cosine(first, other) for other in (second, third, fourth)) < SAME

    async def test_questions_meet_documents(self, embedder: Embedder) -> None:
        """Both lie in one space: a document's own words, asked for, find it."""
        documents = await embedder.documents(TEXTS[:3])
        questions = await embedder.queries(TEXTS[:3])
        assert [nearest(question, documents) for question in questions] == [0, 1, 2]

    @pytest.mark.parametrize("text", ODD_TEXTS)
    async def test_odd_texts_are_embedded(self, embedder: Embedder, text: str) -> None:
        """Signs, other scripts, spaces and control characters give a usable vector."""
        await _is_usable(embedder, text)

    @pytest.mark.parametrize("text", LONG_TEXTS, ids=["words", "chinese", "word", "emoji"])
    async def test_long_texts_are_embedded(self, embedder: Embedder, text: str) -> None:
        """A text beyond the model's limit is cut, not refused."""
        await _is_usable(embedder, text)

    @pytest.mark.parametrize("text", ["\ud800", "tea \udfff and more"])
    async def test_a_lone_surrogate_is_refused(self, embedder: Embedder, text: str) -> None:
        """What is no text is an error of ours, not of a codec."""
        for embed in (embedder.queries, embedder.documents):
            with pytest.raises(EmbedderError):
                await embed(["fine", text])

    async def test_it_works_after_an_error(self, embedder: Embedder) -> None:
        """One bad text does no harm to the next call."""
        with pytest.raises(EmbedderError):
            await embedder.documents(["\ud800"])
        await _is_usable(embedder, "tea")

    async def test_several_tasks_at_once(self, embedder: Embedder) -> None:
        """Each of many calls under way gets its own vectors."""
        expected = await embedder.documents(TEXTS)
        found: dict[int, Vector] = {}

        async def embed(number: int) -> None:
            (found[number],) = await embedder.documents([TEXTS[number % len(TEXTS)]])

        async with anyio.create_task_group() as group:
            for number in range(12):
                group.start_soon(embed, number)
        assert len(found) == 12
        for number, vector in found.items():
            assert cosine(vector, expected[number % len(TEXTS)]) > SAME

    def test_several_event_loops_in_turn(self, embedder: Embedder) -> None:
        """Nothing is bound to the loop of the first call."""
        first, second = (anyio.run(embedder.documents, TEXTS[:1])[0] for _ in range(2))
        assert cosine(first, second) > SAME

    def test_several_event_loops_at_once(self, embedder: Embedder) -> None:
        """Jobs are read in a thread with a loop of its own, beside the caller's."""
        with ThreadPoolExecutor(2) as pool:
            runs = [pool.submit(anyio.run, embedder.documents, TEXTS[:1]) for _ in range(4)]
            (first, *others) = [run.result()[0] for run in runs]
        assert all(cosine(first, other) > SAME for other in others)


async def _is_usable(embedder: Embedder, text: str) -> None:
    size = await embedder.size()
    for embed in (embedder.queries, embedder.documents):
        (vector,) = await embed([text])
        assert len(vector) == size
        assert all(math.isfinite(number) for number in vector)
        assert math.sqrt(cosine(vector, vector)) == pytest.approx(1, abs=1e-5)
