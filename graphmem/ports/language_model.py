"""A chat model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

from graphmem.model.draft import Usage

Json = Mapping[str, Any]  # Any: a JSON schema is as deep as its author likes.


@dataclass(frozen=True, slots=True)
class Message:
    """One chat message."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Completion:
    """A model's answer.

    Attributes:
        text: the answer's text; may be empty, which is never "no facts".
        truncated: the model stopped at its output limit, or had no room for the messages.
        usage: the requests sent, and their tokens (0 where the endpoint does not say).
    """

    text: str
    truncated: bool = False
    usage: Usage = field(default_factory=Usage)


class Allowance(Protocol):
    """What a call of ``complete`` may spend.

    An adapter that sends several requests, to find out what an endpoint can, asks before each.
    """

    def take(self) -> bool:
        """Count a request that is to be sent; False if it may not be."""
        ...


allowance: ContextVar[Allowance | None] = ContextVar("requests that may be sent", default=None)
"""Set by whoever caps a model's calls, for the length of one."""


@dataclass(frozen=True, slots=True)
class Rung:
    """A way to ask for JSON, and what came of it.

    Attributes:
        name: the way ("json_schema", "json_object", "tool", "text").
        works: an answer in JSON came.
        told: what came instead, or how long it took.
    """

    name: str
    works: bool
    told: str = ""


@runtime_checkable
class Endpoint(Protocol):
    """A language model somewhere else, of which it must be found out how it takes a schema."""

    @property
    def place(self) -> str:
        """Its address, without what is secret."""
        ...

    @property
    def response_format(self) -> str | None:
        """How it is asked for JSON; None before the first answer."""
        ...

    async def probe(self) -> list[Rung]:
        """Try every way, best first, with one small request each."""
        ...


class LanguageModel(Protocol):
    """Answers chat messages, if it can in a given JSON schema.

    It may be called from several tasks at once, and from several event loops, also at once: jobs
    are read in a thread with a loop of its own.

    Raises:
        ModelUnavailableError: no usable answer arrived after the adapter's own retries.
        ModelOutputError: the endpoint answered something that is not a completion.
        ModelError: the endpoint refused the request (key, model name); the same one would be
            refused again.
    """

    @property
    def name(self) -> str:
        """The model's name, for messages and receipts."""
        ...

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        step: str,
        schema: Json | None = None,
        max_tokens: int | None = None,
    ) -> Completion:
        """Answer ``messages``; ``step`` names the purpose for errors ("extract")."""
        ...
