"""The chat adapter, over real HTTP against a scripted server."""

import asyncio
import logging
import socket
import threading
import time
from collections.abc import Sequence
from typing import Any

import openai
import pytest

from graphmem.adapters.models.openai import OpenAIModel
from graphmem.adapters.models.openai_answers import ERRORS
from graphmem.errors import ModelError, ModelOutputError, ModelUnavailableError, SettingsError
from graphmem.model.draft import Usage
from graphmem.ports.language_model import Completion, Message
from graphmem.testing.model_server import Reply, Request, ScriptedServer

KEY = "sk-test-0123456789abcdefghij"
SCHEMA = {"type": "object", "properties": {"claims": {"type": "array"}}}
HELLO = (Message("system", "Answer in JSON."), Message("user", "你好"))


def a_model(server: ScriptedServer, **options: Any) -> OpenAIModel:
    # Any: whatever options the test is about.
    given: dict[str, Any] = {"timeout": 5.0, "max_retries": 0, **options}
    return OpenAIModel("tiny", server.url, KEY, **given)


def ask(model: OpenAIModel, schema: dict[str, Any] | None = None) -> Completion:
    return asyncio.run(model.complete(HELLO, step="extract", schema=schema, max_tokens=99))


def test_an_answer_is_read_with_its_usage() -> None:
    """Text, tokens and one call; the request holds model, messages, limit and key."""
    with ScriptedServer([Reply(content="fine", usage=(7, 3))]) as server:
        assert ask(a_model(server)) == Completion("fine", usage=Usage(1, 7, 3))
    (request,) = server.requests
    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.body["model"] == "tiny"
    assert request.body["messages"][1] == {"role": "user", "content": "你好"}
    assert request.body["max_tokens"] == 99
    assert "temperature" not in request.body


def test_options_reach_the_endpoint() -> None:
    """Temperature and further fields are sent as given."""
    with ScriptedServer(["ok"]) as server:
        ask(a_model(server, temperature=0.0, extra_body={"think": False}))
    assert server.requests[0].body["temperature"] == 0.0
    assert server.requests[0].body["think"] is False


def test_nothing_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a key none is sent, whatever variables other programs use."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-environment")
    monkeypatch.setenv("OPENAI_ORG_ID", "org")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "project")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "x-extra: 1\nauthorization: Bearer other")
    with ScriptedServer(["ok"]) as server:
        asyncio.run(OpenAIModel("tiny", server.url).complete(HELLO, step="extract"))
    sent = server.requests[0].headers
    assert not {"authorization", "openai-organization", "openai-project", "x-extra"} & set(sent)


def test_a_local_endpoint_is_reached_without_the_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy for the world is not asked for this machine."""
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    with ScriptedServer(["ok"]) as server:
        assert ask(a_model(server)).text == "ok"


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"base_url": None}, "base_url"),
        ({"base_url": "localhost:80"}, "localhost:80"),
        ({"model": " "}, "model"),
        ({"timeout": 0.0}, "timeout"),
        ({"api_key": "clé"}, "api_key"),
    ],
)
def test_bad_settings_are_refused(options: dict[str, Any], named: str) -> None:
    """There is no hosted default, and the message names the setting."""
    good: dict[str, Any] = {"model": "tiny", "base_url": "http://127.0.0.1:1/v1"}
    with pytest.raises(SettingsError, match=named):
        OpenAIModel(**{**good, **options})


def test_a_rate_limit_is_waited_out() -> None:
    """429 with retry-after is tried again after that time."""
    with ScriptedServer([Reply(status=429, headers={"retry-after": "0.3"}), "ok"]) as server:
        start = time.monotonic()
        assert ask(a_model(server, max_retries=2)).text == "ok"
    assert time.monotonic() - start >= 0.3


def test_retries_end_at_the_deadline() -> None:
    """A long retry-after does not hold the caller beyond the deadline."""
    with ScriptedServer([Reply(status=429, headers={"retry-after": "60"}), "ok"]) as server:
        start = time.monotonic()
        with pytest.raises(ModelUnavailableError, match=r"0\.5 s"):
            ask(a_model(server, max_retries=2, deadline=0.5))
    assert time.monotonic() - start < 5


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503])
def test_a_busy_endpoint_is_unavailable(status: int) -> None:
    """After its retries the error says that trying again may help, and names step and model."""
    with (
        ScriptedServer([Reply(status=status)] * 2) as server,
        pytest.raises(ModelUnavailableError, match=f"extract.*tiny.*{status}") as caught,
    ):
        ask(a_model(server, max_retries=1))
    assert caught.value.retryable
    assert len(server.requests) == 2


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422, 302])
def test_a_refused_request_is_not_tried_again(status: int) -> None:
    """A wrong key, model or address is an error at once."""
    with (
        ScriptedServer([Reply(status=status, headers={"location": "/x"})] * 2) as server,
        pytest.raises(ModelError, match=str(status)) as caught,
    ):
        ask(a_model(server, max_retries=1))
    assert not caught.value.retryable
    assert len(server.requests) == 1


def test_a_slow_answer_times_out() -> None:
    """No answer in time is unavailable."""
    with (
        ScriptedServer([Reply(delay=5)]) as server,
        pytest.raises(ModelUnavailableError, match="in time"),
    ):
        ask(a_model(server, timeout=0.2))


def test_a_cut_connection_is_tried_again() -> None:
    """A connection lost before the answer is retried."""
    with ScriptedServer([Reply(cut=True), "ok"]) as server:
        assert ask(a_model(server, max_retries=1)).text == "ok"


def test_nobody_listening_is_unavailable() -> None:
    """A refused connection names the address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    model = OpenAIModel("tiny", f"http://me:pw@127.0.0.1:{port}/v1", KEY, max_retries=0)
    with pytest.raises(ModelUnavailableError, match=f"127.0.0.1:{port}") as caught:
        ask(model)
    assert "pw" not in str(caught.value) + repr(model)


@pytest.mark.parametrize(
    "body",
    [
        '{"choices": [',
        "<html>hello</html>",
        "",
        "[]",
        "{}",
        {"choices": []},
        {"choices": [None]},
        {"choices": [{"message": None}]},
        {"choices": "x"},
        "[" * 100_000,
        {"error": {"message": "no such thing"}},
    ],
    ids=range(11),
)
def test_a_body_that_is_no_completion_is_an_output_error(body: Any) -> None:
    """Nothing but typed errors, whatever arrives."""
    with ScriptedServer([Reply(body=body)]) as server, pytest.raises(ModelOutputError):
        ask(a_model(server))


def test_an_error_inside_a_200_may_be_retryable() -> None:
    """Gateways report an upstream rate limit in the body."""
    with (
        ScriptedServer([Reply(body={"error": {"code": 429, "message": "busy"}})]) as server,
        pytest.raises(ModelUnavailableError, match="busy"),
    ):
        ask(a_model(server))


def test_parts_of_a_content_are_joined() -> None:
    """A list of parts is one text."""
    parts = [{"type": "text", "text": '{"a":'}, {"type": "text", "text": "1}"}]
    with ScriptedServer([Reply(content=parts)]) as server:
        assert ask(a_model(server)).text == '{"a":1}'


def test_empty_content_beside_reasoning_is_an_error_that_says_so() -> None:
    """Reasoning in another field is not an answer."""
    with (
        ScriptedServer([Reply(content=None, message={"reasoning_content": "hm"})]) as server,
        pytest.raises(ModelOutputError, match="thinking"),
    ):
        ask(a_model(server))


def test_a_cut_answer_is_marked() -> None:
    """finish_reason length makes a truncated completion, also an empty one."""
    with ScriptedServer([Reply(content='{"cl', finish_reason="length")]) as server:
        assert ask(a_model(server)).truncated
    with ScriptedServer([Reply(content=None, finish_reason="length")]) as server:
        assert ask(a_model(server)) == Completion("", truncated=True, usage=Usage(1, 10, 5))


def test_a_prompt_that_does_not_fit_is_a_truncated_answer() -> None:
    """The caller splits what it sent, as after a cut answer."""
    body = {"error": {"message": "This model's maximum context length is 4096 tokens"}}
    with ScriptedServer([Reply(status=400, body=body)]) as server:
        assert ask(a_model(server), SCHEMA).truncated
    assert len(server.requests) == 1


def formats(server: ScriptedServer) -> list[str]:
    return [(r.body.get("response_format") or {"type": "text"})["type"] for r in server.requests]


def understands(*kinds: str) -> Any:
    def script(request: Request) -> Reply:
        kind = (request.body.get("response_format") or {"type": "text"})["type"]
        return Reply(content="{}") if kind in kinds else Reply(status=404)

    return script


@pytest.mark.parametrize(
    ("kinds", "tried"),
    [
        (("json_schema",), ["json_schema"]),
        (("json_object", "text"), ["json_schema", "json_object"]),
        (("text",), ["json_schema", "json_object", "text"]),
    ],
)
def test_the_best_format_is_found_once(kinds: tuple[str, ...], tried: list[str]) -> None:
    """The ladder is climbed down at the first call and remembered."""
    with ScriptedServer(understands(*kinds)) as server:
        model = a_model(server)
        assert model.response_format is None
        assert ask(model, SCHEMA).usage.calls == len(tried)
        assert ask(model, SCHEMA).usage.calls == 1
        assert model.response_format == tried[-1]
    assert formats(server) == [*tried, tried[-1]]


def test_the_schema_is_sent() -> None:
    """The first rung carries the schema itself."""
    with ScriptedServer(["{}"]) as server:
        ask(a_model(server), SCHEMA)
    assert server.requests[0].body["response_format"]["json_schema"]["schema"] == SCHEMA


def test_a_refusal_of_every_format_is_the_first_error() -> None:
    """A wrong model name is not mistaken for a missing format."""
    with ScriptedServer(understands()) as server:
        model = a_model(server)
        with pytest.raises(ModelError, match="404"):
            ask(model, SCHEMA)
        assert model.response_format is None


def test_an_empty_answer_is_asked_for_again_without_the_format() -> None:
    """Some servers answer nothing where a format binds them."""
    with ScriptedServer(["{}", "", "{}"]) as server:
        model = a_model(server)
        ask(model, SCHEMA)
        assert ask(model, SCHEMA).text == "{}"
        assert model.response_format == "json_schema"
    assert formats(server) == ["json_schema", "json_schema", "text"]


@pytest.mark.parametrize("schema", [None, SCHEMA])
def test_empty_to_the_end_is_an_error(schema: dict[str, Any] | None) -> None:
    """Empty content is never an answer."""
    with ScriptedServer([""] * 3) as server, pytest.raises(ModelOutputError, match="empty content"):
        ask(a_model(server), schema)


def test_a_model_that_names_its_limit_otherwise_is_obeyed() -> None:
    """The newer name of the output limit is found out and remembered."""
    no = {"error": {"message": "Unsupported parameter: use 'max_completion_tokens' instead."}}
    with ScriptedServer([Reply(status=400, body=no), "a", "b"]) as server:
        model = a_model(server)
        assert [ask(model).text, ask(model).text] == ["a", "b"]
    assert [("max_completion_tokens" in r.body) for r in server.requests] == [False, True, True]


def test_a_model_without_temperature_is_obeyed() -> None:
    """A refused temperature is left out from then on."""
    no = {"error": {"message": "Unsupported value: 'temperature' does not support 0"}}
    with ScriptedServer([Reply(status=400, body=no), "a"]) as server:
        assert ask(a_model(server, temperature=0.0)).text == "a"
    assert "temperature" not in server.requests[1].body


def test_the_key_is_never_shown(caplog: pytest.LogCaptureFixture) -> None:
    """Not in repr, not in errors that repeat it, not in logs."""
    caplog.set_level(logging.DEBUG, logger="graphmem")
    body = {"error": {"message": f"Incorrect key {KEY} for 你好"}}
    with ScriptedServer([Reply(status=401, body=body)]) as server:
        model = a_model(server)
        with pytest.raises(ModelError) as caught:
            ask(model)
    assert KEY not in str(caught.value) + repr(caught.value) + repr(model) + caplog.text


def test_a_body_that_repeats_the_prompt_is_not_repeated() -> None:
    """Only the message of an error is kept, not its details."""
    body = {"detail": [{"msg": "bad", "input": "你好"}]}
    with (
        ScriptedServer([Reply(status=422, body=body)]) as server,
        pytest.raises(ModelError) as caught,
    ):
        ask(a_model(server))
    assert "你好" not in str(caught.value)


def test_one_object_serves_many_loops_and_threads() -> None:
    """asyncio.run again and again, from several threads at once."""
    with ScriptedServer(lambda _: "ok") as server:
        model = a_model(server)
        texts: list[str] = []
        threads = [
            threading.Thread(target=lambda: texts.extend(ask(model, SCHEMA).text for _ in range(3)))
            for _ in range(3)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        async def together() -> Sequence[Completion]:
            return await asyncio.gather(*(model.complete(HELLO, step="x") for _ in range(5)))

        texts.extend(answer.text for answer in asyncio.run(together()))
    assert texts == ["ok"] * 14


def test_every_exception_of_the_driver_is_mapped() -> None:
    """The list is walked, so that a new class is noticed."""
    errors = {
        item
        for name, item in dict(vars(openai)).items()
        if isinstance(item, type) and issubclass(item, openai.OpenAIError) and name[0] != "_"
    }
    assert errors
    assert errors == set(ERRORS)
