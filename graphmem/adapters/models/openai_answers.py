"""Reads what an OpenAI-compatible endpoint answers, and names what it raises."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import openai

from graphmem.errors import ModelError, ModelOutputError, ModelUnavailableError, WithheldError
from graphmem.model.draft import Usage
from graphmem.ports.language_model import Completion

_REASON_LIMIT = 200

ERRORS: dict[type[openai.OpenAIError], type[ModelError]] = {
    openai.OpenAIError: ModelError,
    openai.APIError: ModelError,
    # No answer, or none now.
    openai.APIConnectionError: ModelUnavailableError,
    openai.APITimeoutError: ModelUnavailableError,
    openai.RateLimitError: ModelUnavailableError,
    openai.InternalServerError: ModelUnavailableError,
    openai.ConflictError: ModelUnavailableError,
    # The request is refused, and would be again.
    openai.APIStatusError: ModelError,
    openai.BadRequestError: ModelError,
    openai.AuthenticationError: ModelError,
    openai.OAuthError: ModelError,
    openai.PermissionDeniedError: ModelError,
    openai.NotFoundError: ModelError,
    openai.UnprocessableEntityError: ModelError,
    # The answer is no completion.
    openai.APIResponseValidationError: ModelOutputError,
    openai.LengthFinishReasonError: ModelOutputError,
    openai.ContentFilterFinishReasonError: ModelOutputError,
    # Of interfaces that are not used here.
    openai.WebSocketConnectionClosedError: ModelError,
    openai.WebSocketQueueFullError: ModelError,
}
"""What each exception of the openai package is here; the nearest class counts."""

# Half a character, of an answer cut inside one; no file and no request could hold it.
_LONE = re.compile("[\ud800-\udfff]")
_THOUGHTS = ("reasoning_content", "reasoning", "thinking")
"""Fields in which endpoints put what the model thought."""
_BROKEN_OFF = frozenset({"insufficient_system_resource", "abort", "error"})
"""Reasons to finish that have nothing to do with the answer."""
_TOO_LONG = re.compile(
    r"context.{0,12}(?:length|window|size)|maximum context|too many (?:input )?tokens"
    r"|(?:prompt|input|request) (?:is )?too (?:long|large)|max_tokens must be at least 1, got -",
    re.IGNORECASE,
)
_BUSY_STATUS = frozenset({408, 409, 425, 429})
_HINTS = {
    301: "the address redirects; set base_url to where it leads",
    302: "the address redirects; set base_url to where it leads",
    307: "the address redirects; set base_url to where it leads",
    308: "the address redirects; set base_url to where it leads",
    401: "the key is missing or wrong; check api_key",
    403: "the key may not use this model",
    404: "the model or the address is unknown there; check model and base_url",
    429: "too many requests, or the quota is used up",
}


def model_error(
    error: openai.OpenAIError, *, step: str, model: str, at: str, secrets: Sequence[str] = ()
) -> ModelError:
    """Return our error for one of the openai package, without ``secrets`` and the prompt."""
    kind = next(ERRORS[cls] for cls in type(error).__mro__ if cls in ERRORS)
    said = ""
    if isinstance(error, openai.APIStatusError):
        status = error.status_code
        if is_filter(error):
            kind = WithheldError
        elif status in _BUSY_STATUS or status >= 500:
            kind = ModelUnavailableError
        hint = _HINTS.get(status)
        reason = f"status {status} from {at}" + (f" ({hint})" if hint else "")
        said = _message_of(error.body)
    elif isinstance(error, openai.APITimeoutError):
        reason = f"no answer from {at} in time; raise timeout or check the endpoint"
    elif isinstance(error, openai.APIConnectionError):
        reason = f"no connection to {at}; is the endpoint running?"
    else:
        reason = f"{type(error).__name__} from {at}"
    if said:
        reason += f": {said}"
    for secret in secrets:
        reason = reason.replace(secret, "***")
    return kind(reason, step=step, model=model)


def is_too_long(message: str) -> bool:
    """Say whether an endpoint complains that the messages do not fit."""
    return bool(_TOO_LONG.search(message))


def is_filter(error: openai.APIStatusError) -> bool:
    """Say whether a request was refused for what it says."""
    return error.code == "content_filter"


def _message_of(body: object) -> str:
    # Only the message itself: whole bodies often repeat the prompt.
    message = cast("dict[str, object]", body).get("message") if isinstance(body, dict) else None
    if not isinstance(message, str):
        return ""
    line = " ".join(message.split())
    return line if len(line) <= _REASON_LIMIT else line[:_REASON_LIMIT] + "…"


@dataclass(frozen=True, slots=True)
class Read:
    """A response body as a completion.

    Attributes:
        completion: what it says.
        problem: why its text is empty, if it is.
        thought: what the model thought instead, where that may hold an answer.
        by_tool: it is the arguments of a tool call.
    """

    completion: Completion
    problem: str = ""
    thought: str = ""
    by_tool: bool = False


def read_completion(body: object, step: str, model: str) -> Read:
    """Read a response body.

    Raises:
        ModelUnavailableError: the endpoint reports in a 200 that it cannot answer now.
        ModelOutputError: the body is no completion, or the answer was withheld.
    """
    whole = _dict(body)
    error = whole.get("error")
    if error:
        fields = _dict(error)
        if is_too_long(_message_of(fields)):
            return Read(Completion("", truncated=True, usage=Usage(1)))
        busy = fields.get("code") in (*_BUSY_STATUS, *map(str, _BUSY_STATUS), 500, 502, 503)
        kind = ModelUnavailableError if busy else ModelOutputError
        reason = f"the endpoint answered with an error: {_message_of(fields) or 'no reason'}"
        raise kind(reason, step=step, model=model)
    choices = whole.get("choices")
    first = _dict(cast("list[object]", choices)[0]) if isinstance(choices, list) and choices else {}
    message = _dict(first.get("message"))
    if not message:
        raise ModelOutputError("the body is no chat completion", step=step, model=model)
    finish = first.get("finish_reason")
    if finish in _BROKEN_OFF:
        reason = f"the endpoint broke its answer off ({finish})"
        raise ModelUnavailableError(reason, step=step, model=model)
    text, arguments = _text(message.get("content")).strip(), _arguments(message)
    by_tool = bool(arguments) and "{" not in text
    text = _LONE.sub("\N{REPLACEMENT CHARACTER}", arguments if by_tool else text)
    if not text and (finish == "content_filter" or message.get("refusal")):
        raise WithheldError("the answer was withheld (refusal)", step=step, model=model)
    completion = Completion(
        text,
        truncated=finish in ("length", "content_filter"),
        usage=_usage(_dict(whole.get("usage"))),
    )
    if text:
        return Read(completion, by_tool=by_tool)
    thought = next((t for name in _THOUGHTS if (t := _text(message.get(name)).strip())), "")
    problem = "empty content"
    if thought:
        problem += " beside reasoning; turn thinking off (model_extra_body)"
    return Read(completion, problem, _LONE.sub("\N{REPLACEMENT CHARACTER}", thought))


def _usage(table: dict[str, object]) -> Usage:
    details = _dict(table.get("prompt_tokens_details"))
    cached = details.get("cached_tokens") or table.get("prompt_cache_hit_tokens")
    return Usage(
        1,
        _count(table.get("prompt_tokens")),
        _count(table.get("completion_tokens")),
        cached_tokens=_count(cached),
    )


def _dict(value: object) -> dict[str, object]:
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def _text(content: object) -> str:
    """Return the text of a content, or of its parts."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    items = cast("list[object]", content)
    parts = [item if isinstance(item, str) else _dict(item).get("text") for item in items]
    return "".join(part for part in parts if isinstance(part, str))


def _arguments(message: dict[str, object]) -> str:
    """Return the arguments of the tool calls, one after the other."""
    calls = message.get("tool_calls")
    items = [_dict(item) for item in cast("list[object]", calls)] if isinstance(calls, list) else []
    asked = [item.get("function") for item in items] or [message.get("function_call")]
    found: list[str] = []
    for function in asked:
        arguments = _dict(function).get("arguments")
        # Text by the protocol; some servers give the object itself.
        found.append(json.dumps(arguments) if isinstance(arguments, dict) else _text(arguments))
    return "\n".join(found).strip()


def _count(value: object) -> int:
    return value if isinstance(value, int) and value > 0 else 0
