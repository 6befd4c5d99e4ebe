"""How the servers that people use answer, and misbehave: one table, played by ``ScriptedServer``.

``CASES`` holds for each server the good answer, what every server may do wrong, and what is its
own. A case is played for an ``Answer``: the JSON that a good model would give to a request.

The shapes are those of the servers' documentation and of reports of their users; the lines of the
table name what is told apart, not versions.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

from graphmem.testing.model_server import Reply, Request

Json = dict[str, Any]  # Any: a JSON object.
Answer = Callable[[Request], str]
Play = Callable[[Request], Reply]


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """What is a server's own in every answer.

    Attributes:
        name: whose answers these are. formats: the ways to ask for JSON that it takes.
        refusal: what it answers to the others.
        message, choice, usage, body: fields it adds at each level.
        path, headers, query: where and how a client calls it.
    """

    name: str
    formats: frozenset[str] = frozenset({"json_schema", "json_object", "tool", "text"})
    refusal: Reply = field(default_factory=lambda: error(400, "unknown field"))
    message: Json = field(default_factory=dict[str, Any])
    choice: Json = field(default_factory=dict[str, Any])
    usage: Json = field(default_factory=dict[str, Any])
    body: Json = field(default_factory=dict[str, Any])
    path: str = "/v1"
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    query: Mapping[str, str] = field(default_factory=dict[str, str])

    def reply(self, content: object, finish: str = "stop", **message: object) -> Reply:
        """Return a completion; ``message`` are further fields of its message."""
        said = {"role": "assistant", "content": content, **self.message, **message}
        choice = {"index": 0, "message": said, "finish_reason": finish, **self.choice}
        usage = {"prompt_tokens": 900, "completion_tokens": 90, "total_tokens": 990, **self.usage}
        return Reply(
            body={
                "id": "chatcmpl-0",
                "object": "chat.completion",
                "created": 1,
                "model": "m",
                "choices": [choice],
                "usage": usage,
                **self.body,
            }
        )

    def taking(self, play: Play) -> Play:
        """Return ``play``, for requests made in a way that this server takes."""
        return lambda request: play(request) if way_of(request) in self.formats else self.refusal


def way_of(request: Request) -> str:
    """Return how a request asks for JSON."""
    if "tools" in request.body:
        return "tool"
    wanted: Json = request.body.get("response_format") or {"type": "text"}
    return str(wanted["type"])


def error(status: int, message: str, **fields: object) -> Reply:
    """Return an error in the shape of OpenAI's, with further fields of it."""
    whole = {"message": message, "type": "invalid_request_error", "param": None, "code": None}
    return Reply(status=status, body={"error": {**whole, **fields}})


OPENAI = Server(
    name="openai",
    message={"refusal": None, "annotations": []},
    choice={"logprobs": None},
    usage={"prompt_tokens_details": {"cached_tokens": 640, "audio_tokens": 0}},
    body={"system_fingerprint": "fp_0", "service_tier": "default"},
)
_SAFE = {"hate": {"filtered": False, "severity": "safe"}}
AZURE = Server(
    name="azure",
    formats=frozenset({"json_object", "tool", "text"}),
    refusal=error(
        400,
        "response_format value as json_schema is enabled only for api versions "
        "2024-08-01-preview and later",
        code="BadRequest",
    ),
    choice={"content_filter_results": _SAFE, "logprobs": None},
    body={"prompt_filter_results": [{"prompt_index": 0, "content_filter_results": _SAFE}]},
    path="/openai/deployments/small",
    headers={"api-key": "azure-secret-key"},
    query={"api-version": "2024-06-01"},
)
VLLM = Server(
    name="vllm",
    message={"reasoning_content": None, "tool_calls": []},
    choice={"logprobs": None, "stop_reason": None},
    body={"prompt_logprobs": None},
)
OLLAMA = Server(name="ollama", body={"system_fingerprint": "fp_ollama"})
LLAMA = Server(
    name="llama.cpp",
    body={"timings": {"cache_n": 600, "prompt_n": 300, "predicted_n": 90}},
)
DEEPSEEK = Server(
    name="deepseek",
    formats=frozenset({"json_object", "tool", "text"}),
    refusal=error(400, "This response_format type is unavailable now"),
    choice={"logprobs": None},
    usage={"prompt_cache_hit_tokens": 640, "prompt_cache_miss_tokens": 260},
)
QWEN = Server(
    name="qwen",
    formats=frozenset({"json_object", "text"}),
    message={"reasoning_content": ""},
    choice={"logprobs": None},
)
TOOLS = Server(name="tools only", formats=frozenset({"tool"}))
SERVERS = (OPENAI, AZURE, VLLM, OLLAMA, LLAMA, DEEPSEEK, QWEN, TOOLS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A way in which a server answers.

    Attributes:
        server, name: whose way, and which.
        play: makes the script from what a good model would say.
        reads: the turns are read in the end; else they stay pending.
    """

    server: Server
    name: str
    play: Callable[[Answer], Play]
    reads: bool = True

    def __str__(self) -> str:
        return f"{self.server.name}: {self.name}"


def in_turn(*plays: Play) -> Play:
    """Return a script that answers by one after the other, and by the last from then on."""
    left, lock = iter(plays[:-1]), threading.Lock()

    def play(request: Request) -> Reply:
        with lock:
            now = next(left, plays[-1])
        return now(request)

    return play


def _said(server: Server, text: str, finish: str = "stop") -> Reply:
    """Return what a server's model said, by a tool call where it knows nothing else."""
    if server is TOOLS:
        return _called(server, text, finish=finish)
    return server.reply(text, finish)


def _called(server: Server, *arguments: object, finish: str = "tool_calls") -> Reply:
    calls = [
        {"id": f"call_{n}", "type": "function", "function": {"name": "extract", "arguments": one}}
        for n, one in enumerate(arguments)
    ]
    return server.reply(None, finish, tool_calls=calls)


def _written(change: Callable[[str], object]) -> Callable[[Server, Answer], Play]:
    """Return how a server answers with a changed text."""
    return lambda server, answer: lambda request: server.reply(change(answer(request)))


def _before(first: Callable[[], Reply]) -> Callable[[Server, Answer], Play]:
    """Return how a server answers well after it answered otherwise once."""
    return lambda server, answer: in_turn(
        lambda _: first(), lambda request: _said(server, answer(request))
    )


def _never(reply: Reply) -> Callable[[Server, Answer], Play]:
    """Return how a server never answers well."""

    def play(server: Server, answer: Answer) -> Play:
        return lambda _: reply

    return play


def _renamed(text: str) -> str:
    keys = {"claims": "facts", "subject": "head", "predicate": "relation", "object": "tail"}
    for name, other in keys.items():
        text = text.replace(f'"{name}":', f'"{other}":')
    return text


def _parts(text: str) -> list[Json]:
    middle = len(text) // 2
    return [{"type": "text", "text": text[:middle]}, {"type": "text", "text": text[middle:]}]


def _cut(server: Server, answer: Answer) -> Play:
    return in_turn(
        lambda request: _said(server, answer(request)[:-40], "length"),
        lambda request: _said(server, answer(request)),
    )


def _loop(server: Server, answer: Answer) -> Play:
    """Return one claim after the other, the same again and again, until the limit."""

    def looping(request: Request) -> Reply:
        claims = [json.dumps(c, ensure_ascii=False) for c in json.loads(answer(request))["claims"]]
        endless = ", ".join([*claims, *(claims[-1:] * 40)])
        return _said(server, '{"claims": [' + endless + ', {"turn": "T', "length")

    return looping


def _soon() -> str:
    # A date has no fractions: this one is half a second to a second and a half ahead.
    now = datetime.now(UTC)  # noqa: TID251 - a client compares it with the real time
    return format_datetime(now + timedelta(seconds=1.5), usegmt=True)


ANY: Sequence[tuple[str, Callable[[Server, Answer], Play], bool]] = (
    ("the answer", lambda server, answer: lambda request: _said(server, answer(request)), True),
    ("fenced", _written(lambda text: f"```json\n{text}\n```"), True),
    ("among prose", _written(lambda text: f"Certainly {{see below}}:\n{text}\nDone?"), True),
    ("renamed keys", _written(_renamed), True),
    ("a bare list", _written(lambda text: json.dumps(json.loads(text)["claims"])), True),
    ("wrapped twice", _written(lambda text: f'{{"result": {{"data": {text}}}}}'), True),
    ("encoded twice", _written(json.dumps), True),
    ("content parts", _written(_parts), True),
    ("thought before", _written(lambda text: f"<think>{{hm}} [1</think>\n{text}"), True),
    ("only the end of a thought", _written(lambda text: f"hm, {{so}}\n</think>{text}"), True),
    ("a thought without end", _written(lambda text: f"<think>I should say {text}"), True),
    ("null once", _before(lambda: OPENAI.reply(None)), True),
    ("null for ever", _written(lambda _: None), False),
    ("empty for ever", _written(lambda _: " \n"), False),
    ("prose for ever", _written(lambda _: "I found nothing of interest."), False),
    ("a call instead", lambda server, answer: lambda r: _called(server, answer(r)), True),
    ("cut off", _cut, True),
    ("a loop to the limit", _loop, True),
    ("429, seconds", _before(lambda: Reply(status=429, headers={"retry-after": "0.05"})), True),
    ("503", _before(lambda: Reply(status=503, headers={"retry-after-ms": "20"})), True),
    ("503 for ever", _never(Reply(status=503, headers={"retry-after-ms": "5"})), False),
    ("dropped", _before(lambda: Reply(cut=True)), True),
    ("no JSON body", _never(Reply(body="<html>busy</html>")), False),
)  # fmt: skip
"""What any server may do: its name, how it is played, and whether the turns are read."""


def _own(server: Server, name: str, play: Callable[[Answer], Play], *, reads: bool = True) -> Case:
    return Case(server=server, name=name, play=play, reads=reads)


def _once(server: Server, first: Reply) -> Callable[[Answer], Play]:
    return lambda answer: _before(lambda: first)(server, answer)


def _always(reply: Reply) -> Callable[[Answer], Play]:
    return lambda _: lambda _: reply


def _reasoned(server: Server, name: str) -> Callable[[Answer], Play]:
    """Return how all of an answer is put where thoughts belong."""
    return lambda answer: lambda r: server.reply("", **{name: f"So I answer {answer(r)}"})


def _filtered(server: Server, word: str) -> Callable[[Answer], Play]:
    """Return a filter that lets nothing through in which a word stands."""
    refused = error(
        400,
        "The response was filtered due to the prompt triggering the content management policy.",
        param="prompt",
        code="content_filter",
        innererror={"code": "ResponsibleAIPolicyViolation", "content_filter_result": _SAFE},
    )
    return lambda answer: lambda r: refused if word in r.prompt else server.reply(answer(r))


def _unless(
    server: Server, refused: Reply, taken: Callable[[Request], bool]
) -> Callable[[Answer], Play]:
    return lambda answer: lambda r: server.reply(answer(r)) if taken(r) else refused


def _without_formats(server: Server, refusal: Reply) -> Callable[[Answer], Play]:
    return _unless(server, refusal, lambda request: way_of(request) == "text")


_TOO_LONG = "the request exceeds the available context size. try increasing the context size"
_NO_ROOM = (
    "'max_tokens' or 'max_completion_tokens' is too large: 4096. This model's maximum context "
    "length is 4096 tokens and your request has 1000 input tokens."
)
_GRAMMAR = "Failed to initialize samplers: failed to parse grammar"
_THINKS = "parameter.enable_thinking must be set to false for non-streaming calls"

OWN: Sequence[Case] = (
    _own(OPENAI, "429, a date", lambda answer: in_turn(
        lambda _: Reply(status=429, headers={"retry-after": _soon()}),
        lambda r: OPENAI.reply(answer(r)))),
    _own(OPENAI, "a refusal", _always(OPENAI.reply(None, refusal="I cannot help.")), reads=False),
    _own(OPENAI, "another name of the limit", _unless(
        OPENAI, error(400, "Use 'max_completion_tokens' instead.", code="unsupported_parameter"),
        lambda r: "max_tokens" not in r.body)),
    _own(OPENAI, "a schema it does not like", _unless(
        OPENAI, error(400, "Invalid schema for response_format 'extract'"),
        lambda r: way_of(r) != "json_schema")),
    _own(OPENAI, "no such model", _always(
        error(404, "The model does not exist", code="model_not_found")), reads=False),
    _own(OPENAI, "a wrong key", _always(error(401, "Incorrect API key")), reads=False),
    _own(AZURE, "a filtered answer", _always(AZURE.reply("", "content_filter")), reads=False),
    _own(AZURE, "a filtered prompt", _filtered(AZURE, "Turns:"), reads=False),
    _own(VLLM, "thought apart", lambda answer: lambda r: VLLM.reply(
        answer(r), reasoning_content="The user says {much}.")),
    _own(VLLM, "taken for a thought", _reasoned(VLLM, "reasoning_content")),
    _own(VLLM, "a thought to the limit", _always(
        VLLM.reply(None, "length", reasoning="Let me see")), reads=False),
    _own(VLLM, "no room for the limit", _unless(
        VLLM, Reply(status=400, body={"object": "error", "message": _NO_ROOM, "code": 400}),
        lambda r: "max_tokens" not in r.body)),
    _own(VLLM, "aborted", _always(VLLM.reply("{", "abort")), reads=False),
    _own(VLLM, "a call in the text", lambda answer: lambda r: VLLM.reply(
        f'{{"name": "extract", "arguments": {answer(r)}}}')),
    _own(OLLAMA, "taken for a thought", _reasoned(OLLAMA, "reasoning")),
    _own(OLLAMA, "only a thought", _always(OLLAMA.reply("", reasoning="Hm.")), reads=False),
    _own(OLLAMA, "a call with an object", lambda answer: lambda r: _called(
        OLLAMA, json.loads(answer(r)))),
    _own(OLLAMA, "no such route", _without_formats(OLLAMA, Reply(status=404, body="404"))),
    _own(OLLAMA, "no such model", _always(
        error(404, "model 'small' not found", type="not_found_error")), reads=False),
    _own(LLAMA, "a grammar that fails", _without_formats(LLAMA, error(400, _GRAMMAR, code=400))),
    _own(LLAMA, "a grammar that fails, as its fault", _without_formats(LLAMA, error(
        500, "JSON schema conversion failed", code=500))),
    _own(LLAMA, "too long", _always(error(
        400, _TOO_LONG, code=400, type="exceed_context_size_error")), reads=False),
    _own(LLAMA, "too long, in a 200", lambda answer: in_turn(
        lambda _: Reply(body={"error": {"code": 400, "message": _TOO_LONG}}),
        lambda r: LLAMA.reply(answer(r)))),
    _own(LLAMA, "loading", _once(LLAMA, Reply(
        status=503, headers={"retry-after-ms": "20"},
        body={"error": {"message": "Loading model", "code": 503}}))),
    _own(DEEPSEEK, "empty in JSON mode", lambda answer: lambda r: DEEPSEEK.reply(
        answer(r) if way_of(r) == "text" else "")),
    _own(DEEPSEEK, "blank lines first", lambda answer: lambda r: Reply(
        body=b"\n\n\n" + DEEPSEEK.reply(answer(r)).payload("m"))),
    _own(DEEPSEEK, "thought apart", lambda answer: lambda r: DEEPSEEK.reply(
        answer(r), reasoning_content="{thinking}")),
    _own(DEEPSEEK, "422 for the schema", lambda answer: lambda r: DEEPSEEK.reply(
        answer(r)) if way_of(r) != "json_schema" else error(422, "Failed to deserialize")),
    _own(DEEPSEEK, "out of resources", _always(
        DEEPSEEK.reply("{", "insufficient_system_resource")), reads=False),
    _own(QWEN, "must not think", _unless(
        QWEN, error(400, _THINKS, code="invalid_parameter_error"),
        lambda r: r.body.get("enable_thinking") is False)),
    _own(QWEN, "an empty thought", lambda answer: lambda r: QWEN.reply(
        f"<think>\n\n</think>\n\n{answer(r)}")),
    _own(TOOLS, "a call for each claim", lambda answer: lambda r: _called(
        TOOLS, *(json.dumps(claim) for claim in json.loads(answer(r))["claims"]))),
)  # fmt: skip


def _cases() -> Iterator[Case]:
    for server in SERVERS:
        for name, how, reads in ANY:
            yield Case(
                server=server,
                name=name,
                play=lambda answer, server=server, how=how: server.taking(how(server, answer)),
                reads=reads,
            )
    for case in OWN:
        yield Case(
            server=case.server,
            name=case.name,
            play=lambda answer, case=case: case.server.taking(case.play(answer)),
            reads=case.reads,
        )


CASES = tuple(_cases())
