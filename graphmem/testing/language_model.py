"""The contract every language model must pass.

Subclass ``LanguageModelContract``, say how a model is made that gives certain answers, and let
pytest collect it. An adapter for an OpenAI-compatible endpoint answers from
``graphmem.testing.model_server``; ``docs/testing.md`` shows how.

The tests are coroutines run by the pytest plugin that comes with anyio. Each checks one promise of
``graphmem.ports.language_model.LanguageModel``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from enum import Enum

import anyio
import pytest

from graphmem.errors import ModelError, ModelOutputError, ModelUnavailableError
from graphmem.model.draft import Usage
from graphmem.ports.language_model import Completion, LanguageModel, Message

HELLO = (Message("system", "Answer in JSON."), Message("user", '我喝茶 🍵 \n and \\ "coffee".'))
"""What is asked, where it does not matter."""
TALK = (*HELLO, Message("assistant", '{"claims": ['), Message("user", "Once more, please."))
SCHEMA = {
    "type": "object",
    "properties": {"claims": {"type": "array", "items": {"type": "string"}}},
    "required": ["claims"],
    "additionalProperties": False,
}
ANSWER = Completion('{"claims": ["我喝茶", "🍵"]}', usage=Usage(1, 7, 3))
CUT = Completion('{"claims": ["我', truncated=True, usage=Usage(1, 7, 3))


class Trouble(Enum):
    """What can happen instead of an answer."""

    AWAY = "no usable answer arrives, however often it is tried"
    GARBLED = "what arrives is no completion"
    REFUSED = "the request is refused, and would be refused again"


class LanguageModelContract(ABC):
    """Every promise of a language model, one test each."""

    pytestmark = pytest.mark.anyio

    @abstractmethod
    def answering(self, *answers: Completion | Trouble) -> AbstractContextManager[LanguageModel]:
        """Give a model that answers its calls with ``answers``, in order.

        AWAY lasts for the whole of a call, the adapter's own retries included.
        """

    @pytest.fixture
    def anyio_backend(self) -> str:
        """Run the suite's coroutines on asyncio."""
        return "asyncio"

    async def test_text_passes_through(self) -> None:
        """The answer's text is what the model said, in any script."""
        with self.answering(ANSWER) as model:
            assert (await model.complete(HELLO, step="extract")).text == ANSWER.text

    async def test_answers_belong_to_their_calls(self) -> None:
        """Each call has the answer that was given to it."""
        with self.answering(Completion("one"), Completion("two")) as model:
            texts = [(await model.complete(HELLO, step="extract")).text for _ in range(2)]
        assert texts == ["one", "two"]

    async def test_a_conversation_is_taken(self) -> None:
        """Messages of all roles may be sent."""
        with self.answering(ANSWER) as model:
            assert (await model.complete(TALK, step="repair")).text == ANSWER.text

    async def test_usage_counts_one_call(self) -> None:
        """One answer is one call, with its tokens where the endpoint tells them."""
        with self.answering(ANSWER) as model:
            usage = (await model.complete(HELLO, step="extract")).usage
        assert usage in (ANSWER.usage, Usage(1))

    async def test_a_whole_answer_is_not_truncated(self) -> None:
        """An answer that came to its end says so."""
        with self.answering(ANSWER) as model:
            assert not (await model.complete(HELLO, step="extract")).truncated

    async def test_an_answer_that_was_cut_off_is_truncated(self) -> None:
        """What there is of it is kept."""
        with self.answering(CUT) as model:
            answer = await model.complete(HELLO, step="extract", max_tokens=8)
        assert (answer.text, answer.truncated) == (CUT.text, True)

    async def test_nothing_said_before_the_limit_is_truncated(self) -> None:
        """A model that spent its room without a word did not find nothing."""
        with self.answering(Completion("", truncated=True, usage=Usage(1, 7, 3))) as model:
            answer = await model.complete(HELLO, step="extract", schema=SCHEMA, max_tokens=8)
        assert (answer.text, answer.truncated) == ("", True)

    async def test_a_schema_is_accepted(self) -> None:
        """With and without a schema, the answer is what the model said."""
        with self.answering(ANSWER, ANSWER, ANSWER) as model:
            first = await model.complete(HELLO, step="extract", schema=SCHEMA, max_tokens=500)
            second = await model.complete(HELLO, step="extract", schema=SCHEMA)
            third = await model.complete(HELLO, step="extract")
        assert [each.text for each in (first, second, third)] == [ANSWER.text] * 3

    async def test_away_is_unavailable(self) -> None:
        """Where no answer arrives, the error says that trying again may help."""
        error = await self._error(Trouble.AWAY)
        assert isinstance(error, ModelUnavailableError)
        assert error.retryable

    async def test_what_is_no_completion_is_an_output_error(self) -> None:
        """An answer that cannot be read is not taken for one that says nothing."""
        assert isinstance(await self._error(Trouble.GARBLED), ModelOutputError)

    async def test_a_refused_request_is_not_worth_repeating(self) -> None:
        """A wrong key or model name is told apart from a bad moment."""
        assert not (await self._error(Trouble.REFUSED)).retryable

    @pytest.mark.parametrize("trouble", list(Trouble))
    async def test_errors_name_step_and_model(self, trouble: Trouble) -> None:
        """Each error says what was being done, with which model, and why it failed."""
        error = await self._error(trouble)
        with self.answering() as model:
            assert (error.step, error.model) == ("summarise", model.name)
        assert error.model in str(error)
        assert "summarise" in str(error)
        assert error.reason.strip()

    async def test_a_lone_surrogate_is_an_error_of_ours(self) -> None:
        """A text that cannot be sent is no crash of a codec."""
        with self.answering(ANSWER) as model:
            try:
                answer = await model.complete([Message("user", "tea \ud800")], step="extract")
            except ModelError as error:
                assert not error.retryable  # noqa: PT017 - both ways are right
            else:
                assert answer.text == ANSWER.text

    @pytest.mark.parametrize("trouble", list(Trouble))
    async def test_it_answers_after_an_error(self, trouble: Trouble) -> None:
        """A failed call does no harm to the next one."""
        with self.answering(trouble, ANSWER) as model:
            with pytest.raises(ModelError):
                await model.complete(HELLO, step="extract")
            assert (await model.complete(HELLO, step="extract")).text == ANSWER.text

    async def test_several_tasks_at_once(self) -> None:
        """Calls may be under way together; no answer is lost or given twice."""
        expected = sorted(f"answer {number}" for number in range(6))
        found: list[str] = []
        with self.answering(*map(Completion, expected)) as model:

            async def ask() -> None:
                found.append((await model.complete(HELLO, step="extract")).text)

            async with anyio.create_task_group() as group:
                for _ in expected:
                    group.start_soon(ask)
        assert sorted(found) == expected

    def test_several_event_loops_in_turn(self) -> None:
        """Nothing is bound to the loop of the first call."""
        with self.answering(ANSWER, ANSWER) as model:

            async def ask() -> str:
                return (await model.complete(HELLO, step="extract")).text

            assert [anyio.run(ask), anyio.run(ask)] == [ANSWER.text] * 2

    def test_several_event_loops_at_once(self) -> None:
        """Jobs are read in a thread with a loop of its own, beside the caller's."""
        with self.answering(*[ANSWER] * 4) as model, ThreadPoolExecutor(2) as pool:

            async def ask() -> str:
                return (await model.complete(HELLO, step="extract")).text

            runs = [pool.submit(anyio.run, ask) for _ in range(4)]
            assert [run.result() for run in runs] == [ANSWER.text] * 4

    async def _error(self, trouble: Trouble) -> ModelError:
        with self.answering(trouble) as model, pytest.raises(ModelError) as caught:
            await model.complete(HELLO, step="summarise")
        return caught.value
