"""How an endpoint is asked: the ways to have JSON, what is sent, what is remembered."""

from __future__ import annotations

import logging

import anyio
import pytest

from graphmem.adapters.models.openai import OpenAIModel
from graphmem.errors import ModelError, WithheldError
from graphmem.model.draft import Batch, Usage
from graphmem.ports.language_model import Completion, Message, Rung
from graphmem.testing.endpoints import (
    AZURE,
    DEEPSEEK,
    LLAMA,
    OPENAI,
    QWEN,
    SERVERS,
    TOOLS,
    Server,
    error,
    in_turn,
    way_of,
)
from graphmem.testing.model_server import Reply, Request, ScriptedServer
from tests.model_extraction.kit import a_turn
from tests.models.kit import a_model, answer, read

HELLO = (Message("user", "Say it in JSON."),)
SCHEMA = {"type": "object", "properties": {"ok": {"type": "boolean"}}}


def ask(model: OpenAIModel, limit: int | None = 50) -> Completion:
    async def run() -> Completion:
        return await model.complete(HELLO, step="extract", schema=SCHEMA, max_tokens=limit)

    return anyio.run(run)


def probe(model: OpenAIModel) -> list[Rung]:
    return anyio.run(model.probe)


def ok(server: Server) -> Reply:
    """What a server answers that can be asked in that way."""
    call = {"function": {"name": "extract", "arguments": '{"ok": true}'}}
    return server.reply(None, tool_calls=[call]) if server is TOOLS else server.reply('{"ok": 1}')


@pytest.mark.parametrize("server", SERVERS, ids=lambda server: server.name)
def test_the_best_way_is_found_once(server: Server) -> None:
    """The first call goes down the ladder, the second begins where that ended."""
    with ScriptedServer(server.taking(lambda _: ok(server))) as played:
        model = a_model(played, server)
        ask(model)
        first = len(played.requests)
        ask(model)
    ladder = ["json_schema", "json_object", "tool", "text"]
    best = next(way for way in ladder if way in server.formats)
    assert [way_of(r) for r in played.requests] == [*ladder[: ladder.index(best) + 1], best]
    assert first == ladder.index(best) + 1
    assert model.response_format == best


def test_a_tool_is_forced_with_the_schema() -> None:
    """One function, which must be called, has the schema for its parameters."""
    with ScriptedServer(TOOLS.taking(lambda _: ok(TOOLS))) as played:
        answered = ask(a_model(played, TOOLS))
    body = played.requests[-1].body
    (tool,) = body["tools"]
    assert tool["function"]["parameters"] == SCHEMA
    assert body["tool_choice"] == {"type": "function", "function": {"name": "extract"}}
    assert "response_format" not in body
    assert answered.text == '{"ok": true}'


def test_a_way_that_is_taken_no_more_is_looked_for_anew() -> None:
    """After a change of the server, the next call goes down the ladder again."""
    plain = Server(name="plain", formats=frozenset({"tool"}))
    script = in_turn(lambda _: ok(OPENAI), plain.taking(lambda _: ok(TOOLS)))
    with ScriptedServer(script) as played:
        model = a_model(played)
        ask(model)
        with pytest.raises(ModelError):
            ask(model)
        assert ask(model).text == '{"ok": true}'


def test_probing_tries_every_way_once() -> None:
    """One request each, and the best that works is used from then on."""
    with ScriptedServer(DEEPSEEK.taking(lambda _: DEEPSEEK.reply('{"ok": true}'))) as played:
        model = a_model(played, DEEPSEEK)
        found = probe(model)
        assert [way_of(r) for r in played.requests] == [rung.name for rung in found]
        assert {rung.name: rung.works for rung in found} == {
            "json_schema": False,
            "json_object": True,
            "tool": False,  # it answers, and not by a call
            "text": True,
        }
        assert "unavailable now" in found[0].told
        assert model.response_format == "json_object"


def test_probing_an_endpoint_that_is_away_tells_so() -> None:
    """No way works, and each says why."""
    with ScriptedServer([]) as gone:
        model = a_model(gone, max_retries=0)
    found = probe(model)
    assert not any(rung.works for rung in found)
    assert all("no connection" in rung.told for rung in found)


def test_cached_tokens_are_told() -> None:
    """By the names that OpenAI and DeepSeek have for them."""
    for server in (OPENAI, DEEPSEEK):
        with ScriptedServer(server.taking(lambda _, s=server: ok(s))) as played:
            model = a_model(played, server)
            ask(model)
            assert ask(model).usage == Usage(1, 900, 90, cached_tokens=640)


def test_a_deployment_is_called_as_azure_wants_it() -> None:
    """Path, version and key; the version may stand in the address as well."""
    with ScriptedServer(AZURE.taking(lambda _: ok(AZURE))) as played:
        base = played.url.removesuffix("/v1") + AZURE.path
        model = OpenAIModel(
            "small", f"{base}?api-version=2024-06-01", headers={"api-key": "k-azure"}
        )
        ask(model)
    request = played.requests[-1]
    assert request.path == "/openai/deployments/small/chat/completions?api-version=2024-06-01"
    assert request.headers["api-key"] == "k-azure"
    assert "authorization" not in request.headers


def test_headers_and_query_are_never_shown(caplog: pytest.LogCaptureFixture) -> None:
    """Not in representations, in errors that repeat them, or in logs."""
    caplog.set_level(logging.DEBUG, logger="graphmem")

    def repeat(request: Request) -> Reply:
        return error(403, f"no {request.headers['api-key']} at {request.path}")

    with ScriptedServer(repeat) as played:
        model = a_model(played, AZURE)
        with pytest.raises(ModelError) as caught:
            ask(model)
    shown = repr(model) + str(caught.value) + caplog.text + str(probe(model))
    assert "azure-secret-key" not in shown
    assert "2024-06-01" not in shown


def test_a_filter_costs_only_the_turn_it_is_about() -> None:
    """Turns are read in ever smaller groups, until the one is alone that is withheld."""
    said = ["I drink tea.", "我住在苏州。", "A forbidden word.", "We had soup."]
    batch = Batch(turns=tuple(a_turn(text, n) for n, text in enumerate(said, 1)))

    def filtered(request: Request) -> Reply:
        asked = [line for line in request.prompt.splitlines() if line.startswith('{"label": "T')]
        if any("forbidden" in line for line in asked):
            return error(400, "The response was filtered", code="content_filter")
        return AZURE.reply(answer(request))

    with ScriptedServer(filtered) as played:
        result = read(a_model(played), batch)
    assert {draft.turn for draft in result.drafts} == {"ep_1", "ep_2"}
    assert set(result.failed) == {"ep_3"}
    assert "filtered" in result.failed["ep_3"]


def test_a_refusal_is_told_apart_from_a_bad_answer() -> None:
    """It is not repaired: the same would be refused again."""
    refused = OPENAI.reply(None, refusal="No.")
    with ScriptedServer([refused]) as played, pytest.raises(WithheldError):
        ask(a_model(played))
    assert len(played.requests) == 1


def test_a_limit_that_does_not_fit_is_left_out_of_that_request() -> None:
    """And tried again with the next one, which may be shorter."""
    too_large = error(400, "'max_tokens' is too large: 4000. The maximum context length is 4096.")
    with ScriptedServer([too_large, ok(OPENAI), ok(OPENAI)]) as played:
        model = a_model(played)
        ask(model)
        ask(model)
    assert ["max_tokens" in r.body for r in played.requests] == [True, False, True]


def test_a_model_that_must_not_think_is_told_so_from_then_on() -> None:
    """Hosted Qwen models refuse to think in one piece."""
    refused = error(400, "parameter.enable_thinking must be set to false for non-streaming calls")
    with ScriptedServer([refused, ok(QWEN), ok(QWEN)]) as played:
        model = a_model(played)
        ask(model)
        ask(model)
    assert [r.body.get("enable_thinking") for r in played.requests] == [None, False, False]


def test_a_fault_that_has_nothing_to_do_with_the_schema_ends_the_search() -> None:
    """A server that breaks is not asked in every other way as well."""
    broken = error(500, "out of memory")
    with ScriptedServer(lambda _: broken) as played, pytest.raises(ModelError):
        ask(a_model(played, LLAMA, max_retries=0))
    assert len(played.requests) == 1


def test_a_slow_answer_is_given_up_and_asked_for_again() -> None:
    """After the seconds that are set; the next one may be faster."""
    slow = Reply(body=ok(OPENAI).body, delay=2)
    with ScriptedServer(in_turn(lambda _: slow, lambda _: ok(OPENAI))) as played:
        assert ask(a_model(played, timeout=0.4)).text == '{"ok": 1}'
        assert len(played.requests) == 2
