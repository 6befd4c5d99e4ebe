"""What calls cost by step, and the caps that keep them within bounds."""

from __future__ import annotations

import asyncio
import json
import threading
from concurrent.futures import ThreadPoolExecutor

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphmem.errors import BudgetSpentError, ModelError, ModelOutputError, ModelUnavailableError
from graphmem.extraction.metered import LEAST_ANSWER, Metered, metered, metering, prompt_tokens
from graphmem.extraction.model import ModelExtractor
from graphmem.model.draft import Cap, Extraction, Usage
from graphmem.model.ontology import default_ontology
from graphmem.model.spent import spent
from graphmem.model.tokens import estimate
from graphmem.ports.language_model import Completion, Message
from graphmem.testing.endpoints import OPENAI, TOOLS, in_turn
from graphmem.testing.model_server import Reply, ScriptedServer
from graphmem.testing.models import Asked, Scripted, ScriptedModel
from tests.model_extraction.kit import a_batch, a_claim, an_answer
from tests.models.kit import BATCH, FACTS, TALK, a_model, answer, facts, read

HELLO = (Message("user", "x" * 400),)
TOLD = Completion("fine", usage=Usage(1, 100, 10))
TEA = a_claim("I drink tea", "drinks", "tea")


def ask(model: Metered, step: str = "extract", *, limit: int | None = None) -> Completion:
    async def run() -> Completion:
        return await model.complete(HELLO, step=step, max_tokens=limit)

    return anyio.run(run)


def within(model: ScriptedModel, cap: Cap) -> Extraction:
    async def run() -> Extraction:
        with metering(cap):
            return await ModelExtractor(model, default_ontology()).extract(BATCH)

    return anyio.run(run)


def test_each_step_is_counted_on_its_own() -> None:
    """And all of them together are the whole."""
    with metering() as meter:
        model = metered(ScriptedModel(lambda _: TOLD))
        for step in ("extract", "repair", "extract"):
            ask(model, step)
    assert meter.steps == {"extract": Usage(2, 200, 20), "repair": Usage(1, 100, 10)}
    assert meter.usage == Usage(3, 300, 30)


def test_the_time_of_answers_is_counted() -> None:
    """In seconds, by step."""
    with ScriptedServer([Reply(content="ok", delay=0.1)]) as played, metering() as meter:
        ask(Metered(a_model(played)))
    assert meter.steps["extract"].seconds >= 0.1


def test_a_meter_inside_another_counts_for_both() -> None:
    """What one part cost is told apart from the whole."""
    model = metered(ScriptedModel(lambda _: TOLD))
    with metering() as whole:
        ask(model)
        with metering() as part:
            ask(model)
    assert (part.usage.calls, whole.usage.calls) == (1, 2)


def test_a_model_is_metered_once() -> None:
    """However often it is asked for."""
    model = metered(ScriptedModel(lambda _: TOLD))
    assert metered(model) is model


def test_tokens_that_are_not_told_are_estimated_and_marked() -> None:
    """Of the prompt, of the answer, or both."""
    for usage, wanted in (
        (Usage(1), Usage(1, prompt_tokens(HELLO), estimate("fine"), estimated=1)),
        (Usage(1, 70), Usage(1, 70, estimate("fine"), estimated=1)),
        (Usage(1, 70, 9), Usage(1, 70, 9)),
    ):
        model = metered(_Untold(usage))
        assert ask(model).usage == wanted


class _Untold:
    """A model that tells what it is given to tell."""

    name = "untold"

    def __init__(self, usage: Usage) -> None:
        self._usage = usage

    async def complete(self, *_: object, **__: object) -> Completion:
        return Completion("fine", usage=self._usage)


@pytest.mark.parametrize(
    ("error", "wanted"),
    [
        (ModelUnavailableError("away", step="s", model="m"), Usage(1)),
        (ModelError("refused", step="s", model="m"), Usage(1)),
        (
            ModelOutputError("garbled", step="s", model="m"),
            Usage(1, prompt_tokens(HELLO), estimated=1),
        ),
    ],
)
def test_a_failed_call_is_counted(error: ModelError, wanted: Usage) -> None:
    """One that was answered, with what it was asked."""
    with metering() as meter, pytest.raises(type(error)):
        ask(metered(ScriptedModel([error])))
    assert meter.usage == wanted


def test_a_call_that_was_cut_off_is_counted() -> None:
    """It may have been read, and will be paid for."""

    async def run() -> Usage:
        with ScriptedServer([Reply(content="ok", delay=5)]) as played, metering() as meter:
            with anyio.move_on_after(0.2):
                await Metered(a_model(played)).complete(HELLO, step="extract")
        return meter.usage

    assert anyio.run(run) == Usage(1, prompt_tokens(HELLO), estimated=1)


@pytest.mark.parametrize("cap", [0, 1, 2, 3])
def test_no_more_calls_are_made_than_allowed(cap: int) -> None:
    """The next one is refused before it is made, and says what to do."""
    scripted = ScriptedModel(lambda _: TOLD)
    model = metered(scripted)
    with metering(Cap(calls=cap)), pytest.raises(BudgetSpentError, match="retry_pending"):
        [ask(model) for _ in range(4)]
    assert len(scripted.asked) == cap


def test_the_narrower_of_two_caps_holds() -> None:
    """Whichever is around the other."""
    for outer, inner in ((1, 5), (5, 1)):
        scripted = ScriptedModel(lambda _: TOLD)
        with metering(Cap(calls=outer)), metering(Cap(calls=inner)):
            ask(metered(scripted))
            with pytest.raises(BudgetSpentError):
                ask(metered(scripted))
        assert len(scripted.asked) == 1


@given(
    cap=st.integers(0, 4_000),
    limits=st.lists(st.none() | st.integers(1, 2_000), min_size=1, max_size=6),
)
@settings(max_examples=60, deadline=None)
def test_tokens_stay_within_the_cap(cap: int, limits: list[int | None]) -> None:
    """Whatever answers come to, as long as the endpoint keeps to the limit it is given."""

    def longest(asked: Asked) -> Scripted:
        room = 700 if asked.max_tokens is None else asked.max_tokens
        return Completion("x", usage=Usage(1, prompt_tokens(asked.messages), room))

    model = metered(ScriptedModel(longest))
    with metering(Cap(tokens=cap)) as meter:
        for limit in limits:
            try:
                ask(model, limit=limit)
            except BudgetSpentError:
                continue
    assert meter.usage.tokens <= cap


def test_a_call_has_what_is_left_for_its_answer() -> None:
    """Less than it would be given otherwise, and never less than is worth asking for."""
    scripted = ScriptedModel(lambda _: TOLD)
    left = prompt_tokens(HELLO) + LEAST_ANSWER
    with metering(Cap(tokens=left)):
        ask(metered(scripted), limit=4_000)
    assert scripted.asked[0].max_tokens == LEAST_ANSWER
    with metering(Cap(tokens=left - 1)), pytest.raises(BudgetSpentError, match="max_model_tokens"):
        ask(metered(scripted), limit=4_000)


def test_an_endpoint_that_counts_more_is_believed() -> None:
    """Later calls are held back by its count of the first."""
    dear = Completion("x", usage=Usage(1, 2 * prompt_tokens(HELLO), 1))
    model = metered(ScriptedModel(lambda _: dear))
    with metering(Cap(tokens=3 * prompt_tokens(HELLO) + LEAST_ANSWER)):
        ask(model)
        with pytest.raises(BudgetSpentError):
            ask(model)


def test_ways_of_asking_count_as_calls() -> None:
    """A server that must be asked three times before it answers is not asked more than allowed."""
    for cap, wanted in ((1, 1), (2, 2), (3, 3), (9, 3)):
        call = TOOLS.reply(
            None, tool_calls=[{"function": {"name": "extract", "arguments": an_answer()}}]
        )
        script = TOOLS.taking(in_turn(lambda _, call=call: call))
        with ScriptedServer(script) as played, metering(Cap(calls=cap)) as meter:
            result = read(a_model(played, TOOLS))
        assert len(played.requests) == wanted == meter.usage.calls
        assert bool(result.failed) is (cap < 3)


def test_a_repair_counts() -> None:
    """Without a call for it, the turns stay pending, whatever the first answer held."""
    half = an_answer(TEA)[:-1] + ', {"turn" "T2"}'
    for cap in (1, 2):
        model = ScriptedModel([half, an_answer(TEA)])
        result = within(model, Cap(calls=cap))
        assert len(model.asked) == cap
        assert bool(result.failed) is (cap == 1)
        assert not any(draft.turn in result.failed for draft in result.drafts)


def test_parts_of_a_split_count() -> None:
    """What was read before the cap stays read, the rest waits with the reason."""

    def script(asked: Asked) -> Scripted:
        if "I drink" in asked.messages[1].content and "苏州" in asked.messages[1].content:
            return Completion("", truncated=True)
        return an_answer(TEA)

    model = ScriptedModel(script)
    result = within(model, Cap(calls=2))
    assert len(model.asked) == 2
    assert [draft.turn for draft in result.drafts] == ["ep_1"]
    assert set(result.failed) == {"ep_2"}
    assert "max_model_calls" in result.failed["ep_2"]


class Slow:
    """A model that takes its time, and knows how many ask at once."""

    name = "slow"

    def __init__(self) -> None:
        self.busy = self.most = 0
        self._lock = threading.Lock()

    async def complete(self, *_: object, **__: object) -> Completion:
        with self._lock:
            self.busy += 1
            self.most = max(self.most, self.busy)
        await asyncio.sleep(0.01)
        with self._lock:
            self.busy -= 1
        return TOLD


def test_what_is_asked_at_once_is_bounded_over_all_loops() -> None:
    """Jobs ask in a loop of their own, beside the caller's; together they keep to the bound."""
    slow = Slow()
    model = Metered(slow, at_once=3)

    async def many() -> int:
        calls = (model.complete(HELLO, step="extract") for _ in range(9))
        return len(await asyncio.gather(*calls))

    def a_loop(_: int) -> int:
        return asyncio.run(many())

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(a_loop, range(8))) == 72
    assert slow.most == 3
    assert model.steps["extract"].calls == 72


def test_a_call_that_is_given_up_while_it_waits_takes_no_place() -> None:
    """However it comes: while others are in, or just as it is let in."""
    slow = Slow()
    model = Metered(slow, at_once=1)

    async def some() -> int:
        tasks = [asyncio.create_task(model.complete(HELLO, step="x")) for _ in range(12)]
        for wait, task in enumerate(tasks[::2]):
            await asyncio.sleep(0.003 * wait)
            task.cancel()
        done = await asyncio.gather(*tasks, return_exceptions=True)
        return sum(isinstance(each, Completion) for each in done)

    for _ in range(3):
        assert asyncio.run(asyncio.wait_for(some(), 5)) >= 6


def test_calls_made_together_do_not_exceed_a_cap() -> None:
    """Each holds what it may cost before the other is let through."""
    scripted = ScriptedModel(lambda _: TOLD)
    model = Metered(scripted, at_once=9)

    async def many() -> list[object]:
        with metering(Cap(calls=2)):
            calls = (model.complete(HELLO, step="extract") for _ in range(6))
            return list(await asyncio.gather(*calls, return_exceptions=True))

    answers = asyncio.run(many())
    assert len(scripted.asked) == 2
    assert sum(isinstance(each, BudgetSpentError) for each in answers) == 4


def test_the_receipt_of_an_extraction_has_its_steps() -> None:
    """A good answer is one call, with what the endpoint told."""
    with ScriptedServer(lambda request: OPENAI.reply(answer(request))) as played:
        result = read(a_model(played))
    assert facts(result) == FACTS
    assert result.steps == {"extract": Usage(1, 900, 90, cached_tokens=640)}
    assert result.usage == result.steps["extract"]


@given(st.text(max_size=300))
@settings(max_examples=50, deadline=None)
def test_the_estimate_grows_with_the_text(text: str) -> None:
    """It is nothing for nothing, and at least a quarter of a token for a character."""
    assert estimate(text) >= len(text) / 4
    assert estimate(text + "a") >= estimate(text)


def test_a_turn_is_estimated_as_it_is_asked() -> None:
    """The prompt that is foreseen is the prompt that is sent."""
    model = ScriptedModel(lambda _: json.dumps({"claims": []}))
    extractor = ModelExtractor(model, default_ontology())
    batch = a_batch(*TALK)
    foreseen = extractor.estimate(batch)
    assert not model.asked
    anyio.run(extractor.extract, batch)
    (asked,) = model.asked
    assert foreseen.prompt_tokens == prompt_tokens(asked.messages)
    assert foreseen.static_tokens == prompt_tokens(asked.messages[:1])
    assert foreseen.said_tokens == sum(map(estimate, TALK))
    assert (foreseen.calls, foreseen.read) == (1, 2)


def test_what_was_spent_is_told_by_step() -> None:
    """In all and each, with what is cached, and with what is only estimated."""
    extract, repair = Usage(2, 4_000, 90, 640, seconds=3), Usage(1, 900, 10, estimated=1, seconds=1)
    assert spent({}) == ""
    assert spent({"repair": repair}) == "1 call, about 910 tokens, 1.0 s (repair)"
    assert spent({"extract": extract, "repair": repair}) == (
        "3 calls, about 5,000 tokens, 640 of them cached, 4.0 s: "
        "extract 2 calls, 4,090 tokens, 640 of them cached, 3.0 s; "
        "repair 1 call, about 910 tokens, 1.0 s"
    )
