"""A language model that is counted by step, kept within a cap, and not asked too much at once.

Whoever wants to know opens ``metering``: every call made inside it is counted there and in every
meter around it, and is refused before it is made if one of them cannot afford it. So what asks a
model need not count, and a cap holds over whatever asks: reading, repairs, splits, decisions.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace

from graphmem.errors import BudgetSpentError, ModelError, ModelOutputError
from graphmem.extraction.turnstile import Turnstile
from graphmem.model.draft import Cap, Usage
from graphmem.model.tokens import estimate
from graphmem.ports.language_model import (
    Completion,
    Json,
    LanguageModel,
    Message,
    allowance,
)

LEAST_ANSWER = 256
"""Tokens that an answer must have room for; below it is not worth asking."""
AT_ONCE = 4
_MESSAGE = 4
"""Tokens that surround a message."""
_WORST = 3.0
"""How far an endpoint's count may be above the estimate to be learnt from."""


def prompt_tokens(messages: Iterable[Message]) -> int:
    """Estimate the tokens of messages."""
    return sum(estimate(message.content) + _MESSAGE for message in messages)


class Meter:
    """Counts calls by step, and says whether another can be afforded."""

    def __init__(self, cap: Cap, around: Meter | None) -> None:
        self.steps: dict[str, Usage] = {}
        self._cap = cap
        self._around = around
        self._made: list[Call] = []

    @property
    def usage(self) -> Usage:
        """What all steps cost together."""
        return sum(self.steps.values(), Usage())

    def _all(self) -> Iterator[Meter]:
        meter: Meter | None = self
        while meter is not None:
            yield meter
            meter = meter._around

    @property
    def calls_left(self) -> int | None:
        """How many more calls the cap allows, and those around it; None is no limit."""
        lefts = [
            meter._cap.calls - meter.usage.calls - sum(call.requests for call in meter._made)
            for meter in self._all()
            if meter._cap.calls is not None
        ]
        return min(lefts, default=None)

    @property
    def tokens_left(self) -> int | None:
        """How many more tokens they allow; None is no limit."""
        lefts = [
            meter._cap.tokens - meter.usage.tokens - sum(call.tokens for call in meter._made)
            for meter in self._all()
            if meter._cap.tokens is not None
        ]
        return min(lefts, default=None)

    @contextmanager
    def making(self, tokens: int) -> Generator[Call]:
        """Keep others from spending what a call may cost, while it is made."""
        call = Call(self, tokens)
        for meter in self._all():
            meter._made.append(call)
        marker = allowance.set(call)
        try:
            yield call
        finally:
            allowance.reset(marker)
            for meter in self._all():
                meter._made.remove(call)

    def count(self, step: str, usage: Usage) -> None:
        """Add what a call cost."""
        for meter in self._all():
            meter.steps[step] = meter.steps.get(step, Usage()) + usage


class Call:
    """A call that is being made, and what it may cost; implements ``Allowance``."""

    def __init__(self, meter: Meter, tokens: int) -> None:
        self.tokens = tokens
        self.requests = 1
        self._meter = meter
        self._sent = 0

    def take(self) -> bool:
        """Count a request that is to be sent; the first one is granted already."""
        left = self._meter.calls_left
        if self._sent and left is not None and left < 1:
            return False
        self._sent += 1
        self.requests = self._sent
        return True


_current: ContextVar[Meter | None] = ContextVar("meter", default=None)


@contextmanager
def metering(cap: Cap = Cap()) -> Generator[Meter]:  # noqa: B008 - it is frozen
    """Count what is asked of metered models inside, and keep it within ``cap``.

    A cap of a meter around this one holds as well.
    """
    meter = Meter(cap, _current.get())
    token = _current.set(meter)
    try:
        yield meter
    finally:
        _current.reset(token)


def metered(model: LanguageModel) -> Metered:
    """Return ``model`` as one that is metered; once is enough."""
    return model if isinstance(model, Metered) else Metered(model)


class Metered:
    """Implements ``graphmem.ports.language_model.LanguageModel`` by another one.

    Args:
        model: the other one.
        at_once: so many calls are made at a time, from whatever loop or thread; others wait.

    Raises:
        BudgetSpentError: by ``complete``, with no call made.
    """

    def __init__(self, model: LanguageModel, *, at_once: int = AT_ONCE) -> None:
        self.model = model
        self.steps: dict[str, Usage] = {}
        self._turnstile = Turnstile(at_once)
        self._counting = threading.Lock()
        self._rate = 1.0

    @property
    def name(self) -> str:
        """The other model's name."""
        return self.model.name

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        step: str,
        schema: Json | None = None,
        max_tokens: int | None = None,
    ) -> Completion:
        """Answer ``messages``, if that can be afforded; see the port."""
        meter = _current.get() or Meter(Cap(), None)
        asked = prompt_tokens(messages)
        async with self._turnstile.place():
            room = self._room(meter, step, math.ceil(asked * self._rate), max_tokens)
            with meter.making(math.ceil(asked * self._rate) + (room or 0)) as call:
                # One that is cut off may have been read, and answered, and will be paid for.
                usage, began = Usage(1, asked, estimated=1), time.perf_counter()
                try:
                    completion = await self.model.complete(
                        messages, step=step, schema=schema, max_tokens=room
                    )
                    usage = self._learnt(completion, asked)
                except ModelOutputError:
                    raise  # it was answered
                except ModelError:
                    usage = Usage(1)
                    raise
                finally:
                    usage = replace(
                        usage,
                        calls=max(usage.calls, call.requests),
                        seconds=time.perf_counter() - began,
                    )
                    meter.count(step, usage)
                    with self._counting:  # calls come from several threads
                        self.steps[step] = self.steps.get(step, Usage()) + usage
        return replace(completion, usage=usage)

    def _room(self, meter: Meter, step: str, asked: int, wanted: int | None) -> int | None:
        """Return the output limit of a call that can be afforded.

        Raises:
            BudgetSpentError: it cannot.
        """
        calls, tokens = meter.calls_left, meter.tokens_left
        if calls is not None and calls < 1:
            reason = "the cap on calls (max_model_calls) is reached"
        elif tokens is not None and tokens - asked < min(wanted or LEAST_ANSWER, LEAST_ANSWER):
            reason = (
                f"of the cap on tokens (max_model_tokens) {max(0, tokens)} are left, and the next "
                f"call needs about {asked + LEAST_ANSWER}"
            )
        elif tokens is None:
            return wanted
        else:
            return min(wanted or tokens, tokens - asked)
        raise BudgetSpentError(f"{reason}; retry_pending() goes on", step=step, model=self.name)

    def _learnt(self, completion: Completion, asked: int) -> Usage:
        """Return a call's usage, with what the endpoint does not tell estimated."""
        usage = completion.usage
        told = usage.prompt_tokens
        if asked and told > asked * self._rate:
            self._rate = min(_WORST, told / asked)
        if told and (usage.completion_tokens or not completion.text):
            return usage
        return replace(
            usage,
            prompt_tokens=told or asked,
            completion_tokens=usage.completion_tokens or estimate(completion.text),
            estimated=max(1, usage.estimated),
        )
