"""Every language model passes the public contract."""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext

import anyio

from graphmem.adapters.models.openai import OpenAIModel
from graphmem.errors import ModelError, ModelOutputError, ModelUnavailableError
from graphmem.ports.language_model import Completion, LanguageModel
from graphmem.testing.language_model import HELLO, LanguageModelContract, Trouble
from graphmem.testing.model_server import Reply, Request, ScriptedServer
from graphmem.testing.models import Asked, Scripted, ScriptedModel

KINDS: dict[Trouble, type[ModelError]] = {
    Trouble.AWAY: ModelUnavailableError,
    Trouble.GARBLED: ModelOutputError,
    Trouble.REFUSED: ModelError,
}
RETRIES = 1


def as_reply(answer: Completion | Trouble) -> list[Reply]:
    match answer:
        case Trouble.AWAY:
            return [Reply(status=503, headers={"retry-after-ms": "1"})] * (1 + RETRIES)
        case Trouble.GARBLED:
            return [Reply(body="<html>busy</html>")]
        case Trouble.REFUSED:
            return [Reply(status=401)]
        case Completion():
            usage = (answer.usage.prompt_tokens, answer.usage.completion_tokens)
            finish = "length" if answer.truncated else "stop"
            return [Reply(content=answer.text, finish_reason=finish, usage=usage)]


@contextmanager
def an_endpoint(*answers: Completion | Trouble) -> Generator[LanguageModel]:
    replies = [reply for answer in answers for reply in as_reply(answer)]
    with ScriptedServer(replies) as server:
        yield OpenAIModel("tiny", server.url, max_retries=RETRIES, timeout=5)


@contextmanager
def a_plain_endpoint(*answers: Completion | Trouble) -> Generator[LanguageModel]:
    """An endpoint that knows no response format."""
    left = iter([reply for answer in answers for reply in as_reply(answer)])
    lock = threading.Lock()

    def answer(request: Request) -> Reply:
        if "response_format" in request.body:
            return Reply(status=400, body={"error": {"message": "unknown field"}})
        with lock:
            return next(left)

    with ScriptedServer(answer) as server:
        yield OpenAIModel("plain", server.url, "key-1", max_retries=RETRIES, timeout=5)


class TestScriptedModel(LanguageModelContract):
    """The one for tests."""

    def answering(self, *answers: Completion | Trouble) -> AbstractContextManager[LanguageModel]:
        left = iter(answers)

        def answer(asked: Asked) -> Scripted:
            given = next(left)
            if isinstance(given, Completion):
                return given
            return KINDS[given](given.value, step=asked.step, model="scripted")

        return nullcontext(ScriptedModel(answer))


class TestOpenAIModel(LanguageModelContract):
    """An endpoint, over HTTP."""

    def answering(self, *answers: Completion | Trouble) -> AbstractContextManager[LanguageModel]:
        return an_endpoint(*answers)


class TestPlainEndpoint(LanguageModelContract):
    """An endpoint that refuses to be bound to a schema."""

    def answering(self, *answers: Completion | Trouble) -> AbstractContextManager[LanguageModel]:
        return a_plain_endpoint(*answers)


def test_half_a_character_in_an_answer_can_be_written_down() -> None:
    """An endpoint that cuts inside a surrogate pair gives a text that UTF-8 can hold."""
    body = r'{"choices": [{"message": {"content": "tea \ud83c"}}]}'
    with ScriptedServer([Reply(body=body)]) as server:
        model = OpenAIModel("tiny", server.url, max_retries=0)
        answer = anyio.run(lambda: model.complete(HELLO, step="extract"))
    assert answer.text.encode() == "tea \N{REPLACEMENT CHARACTER}".encode()
