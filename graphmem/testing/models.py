"""A chat model whose answers are written beforehand, in process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from graphmem.errors import ModelError, ModelOutputError
from graphmem.model.draft import Usage
from graphmem.ports.language_model import Completion, Json, Message

Scripted = str | Completion | ModelError
"""What a scripted model answers: a text, a whole completion, or an error it raises."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One call a scripted model got."""

    messages: tuple[Message, ...]
    step: str
    schema: Json | None
    max_tokens: int | None


class ScriptedModel:
    """Implements ``graphmem.ports.language_model.LanguageModel`` with answers given beforehand.

    ``answers`` is a list, used up in order, or a function of what was asked. A text counts as one
    call with a token for every four characters. ``asked`` holds every call.

    Raises:
        ModelOutputError: by ``complete``, once a list is used up.
    """

    def __init__(
        self, answers: Iterable[Scripted] | Callable[[Asked], Scripted], name: str = "scripted"
    ) -> None:
        self._name = name
        self._answer = answers if callable(answers) else self._next
        self._left = iter(()) if callable(answers) else iter(list(answers))
        self.asked: list[Asked] = []

    def _next(self, asked: Asked) -> Scripted:
        return next(
            self._left, ModelOutputError("the script is used up", step=asked.step, model=self._name)
        )

    @property
    def name(self) -> str:
        """The model's name."""
        return self._name

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        step: str,
        schema: Json | None = None,
        max_tokens: int | None = None,
    ) -> Completion:
        """Give the next answer."""
        asked = Asked(tuple(messages), step, schema, max_tokens)
        self.asked.append(asked)
        answer = self._answer(asked)
        if isinstance(answer, ModelError):
            raise answer
        if isinstance(answer, str):
            answer = Completion(answer)
        if answer.usage == Usage():
            asked_for = sum(len(message.content) for message in messages)
            usage = Usage(1, asked_for // 4, len(answer.text) // 4)
            answer = replace(answer, usage=usage)
        return answer
