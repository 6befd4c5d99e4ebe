"""Reads what an OpenAI-compatible endpoint answers, and names what it raises."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import cast

import openai

from graphmem.errors import ModelError, ModelOutputError, ModelUnavailableError
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
        if status in _BUSY_STATUS or status >= 500:
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


def _message_of(body: object) -> str:
    # Only the message itself: whole bodies often repeat the prompt.
    message = cast("dict[str, object]", body).get("message") if isinstance(body, dict) else None
    if not isinstance(message, str):
        return ""
    line = " ".join(message.split())
    return line if len(line) <= _REASON_LIMIT else line[:_REASON_LIMIT] + "…"


def read_completion(body: object, step: str, model: str) -> tuple[Completion, str]:
    """Return a response body as a completion, and if its text is empty, why.

    Raises:
        ModelUnavailableError: the endpoint reports in a 200 that it cannot answer now.
        ModelOutputError: the body is no completion, or the answer was withheld.
    """
    whole = _dict(body)
    error = whole.get("error")
    if error:
        fields = _dict(error)
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
    text = _text(message.get("content")).strip() or _arguments(message).strip()
    text = _LONE.sub("\N{REPLACEMENT CHARACTER}", text)
    if not text and (finish == "content_filter" or message.get("refusal")):
        raise ModelOutputError("the answer was withheld (refusal)", step=step, model=model)
    usage = _dict(whole.get("usage"))
    completion = Completion(
        text,
        truncated=finish == "length",
        usage=Usage(1, _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))),
    )
    problem = ""
    if not text:
        thought = any(message.get(name) for name in ("reasoning_content", "reasoning", "thinking"))
        problem = "empty content"
        if thought:
            problem += " beside reasoning; turn thinking off (extra_body)"
    return completion, problem


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
    """Return the arguments of a tool call, where a model answers with one unasked."""
    calls = message.get("tool_calls")
    call = _dict(cast("list[object]", calls)[0]) if isinstance(calls, list) and calls else {}
    return _text(_dict(call.get("function")).get("arguments"))


def _count(value: object) -> int:
    return value if isinstance(value, int) and value > 0 else 0
