"""Any OpenAI-compatible chat endpoint, through the ``openai`` package."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import anyio
import openai

from graphmem.adapters.models.address import read_address
from graphmem.adapters.models.client import client_of
from graphmem.adapters.models.openai_answers import (
    Read,
    is_filter,
    model_error,
    read_completion,
)
from graphmem.adapters.models.openai_requests import (
    LADDER,
    ResponseFormat,
    bound,
    limit_too_large,
    refuses,
    too_long,
    wants_no_thinking,
)
from graphmem.errors import ModelError, ModelOutputError, ModelUnavailableError, SettingsError
from graphmem.model.draft import Usage
from graphmem.ports.language_model import Completion, Json, Message, Rung, allowance

__all__ = ["OpenAIModel"]

_log = logging.getLogger(__name__)

_PROBE: Json = {
    "type": "object",
    "properties": {"ok": {"type": "boolean"}},
    "required": ["ok"],
    "additionalProperties": False,
}
_PROBE_TOKENS = 200
"""Room for a model that thinks a little before it says so short a thing."""
_SHORTEST_SECRET = 6
"""Shorter values of headers and queries are words such as "true"; hiding them garbles messages."""


class OpenAIModel:
    """Implements ``LanguageModel`` and ``Endpoint`` of ``graphmem.ports.language_model``.

    An answer in a JSON schema is asked for in the best way the endpoint can: ``json_schema``, else
    ``json_object``, else a forced tool call, else plain text. That is found out at the first call
    and remembered; ``response_format`` tells. 408, 409, 429, 5xx, timeouts and lost connections are
    tried again with growing, jittered pauses, or after what ``retry-after`` says.

    No event loop is remembered: one object may be used from several loops and threads. Redirects
    are not followed, and endpoints on this machine are reached without a proxy.

    Args:
        model: the model's name.
        base_url: where; there is no default, also not for OpenAI itself.
        api_key: sent as a bearer token; None sends none. It is never shown.
        timeout: seconds to wait for one answer.
        max_retries: how often to try again.
        deadline: seconds for everything, retries included; None means three times ``timeout``.
        temperature: None leaves it to the endpoint.
        extra_body: further fields of each request, such as what turns thinking off.
        headers, query: sent with each request, such as Azure's ``api-key`` and ``api-version``;
            they are never shown.

    Raises:
        SettingsError: something is missing or cannot be used.
    """

    def __init__(
        self,
        model: str,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        timeout: float = 60.0,
        max_retries: int = 3,
        deadline: float | None = None,
        temperature: float | None = None,
        extra_body: Json | None = None,
        headers: Mapping[str, str] | None = None,
        query: Mapping[str, str] | None = None,
    ) -> None:
        if not model.strip():
            raise SettingsError("a chat model needs a name: set model")
        if not base_url:
            raise SettingsError(
                f"no address for model {model!r}: set base_url (model_base_url), for instance "
                "http://127.0.0.1:11434/v1; nothing hosted is used by default"
            )
        self._address = read_address(base_url)
        if timeout <= 0 or max_retries < 0 or (deadline is not None and deadline <= 0):
            raise SettingsError(
                f"timeout {timeout!r} and deadline {deadline!r} must be positive seconds, "
                f"max_retries {max_retries!r} not negative"
            )
        for what, value in {"api_key": api_key or "", **(headers or {})}.items():
            if not all(text.isascii() and text.isprintable() for text in (what, value)):
                raise SettingsError(f"{what} holds characters that no HTTP header can carry")
        self._name = model
        self._base_url = base_url
        self._api_key = api_key
        self._timeout = timeout
        self._max_retries = max_retries
        self._deadline = 3 * timeout if deadline is None else deadline
        self._extra_body = dict(extra_body or {})
        self._headers = dict(headers or {})
        self._query = dict(query or {})
        self._temperature = temperature
        self._limit_field = "max_tokens"
        self._format: ResponseFormat | None = None

    def __repr__(self) -> str:
        return f"OpenAIModel({self._name!r}, base_url={self._address.shown!r})"

    @property
    def name(self) -> str:
        """The model's name."""
        return self._name

    @property
    def place(self) -> str:
        """The address, without what is secret."""
        return self._address.shown

    @property
    def response_format(self) -> ResponseFormat | None:
        """How JSON is asked for; None before the first answer."""
        return self._format

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        step: str,
        schema: Json | None = None,
        max_tokens: int | None = None,
    ) -> Completion:
        """Answer ``messages``; see the port.

        An answer that was cut off, or a prompt the model has no room for, gives a truncated
        completion.
        """
        self._require_encodable(messages, step)
        request = _messages(messages)
        try:
            with anyio.fail_after(self._deadline):
                async with self._client() as client:
                    return await self._climb(client, request, step, schema, max_tokens)
        except TimeoutError:
            raise ModelUnavailableError(
                f"no answer from {self._address.shown} within {self._deadline:g} s, retries "
                "included; check the endpoint or raise timeout",
                step=step,
                model=self._name,
            ) from None
        except openai.OpenAIError as error:
            raise self._mapped(error, step) from None

    async def probe(self) -> list[Rung]:
        """Try every way, with one small request each; the best that works is used from then on."""
        request = _messages([Message("user", 'Answer with the JSON object {"ok": true}.')])
        found: list[Rung] = []
        async with self._client(max_retries=0) as client:
            for rung in LADDER:
                began = time.perf_counter()
                try:
                    with anyio.fail_after(self._deadline):
                        read = await self._ask(
                            client, request, rung, "probe", _PROBE, _PROBE_TOKENS
                        )
                except TimeoutError:
                    found.append(Rung(rung, works=False, told="no answer in time"))
                except openai.OpenAIError as error:
                    found.append(Rung(rung, works=False, told=self._mapped(error, "probe").reason))
                except ModelError as error:
                    found.append(Rung(rung, works=False, told=error.reason))
                else:
                    works = "{" in read.completion.text and (rung != "tool" or read.by_tool)
                    took = f"{time.perf_counter() - began:.1f} s"
                    told = took if works else read.problem or "it answers otherwise"
                    found.append(Rung(rung, works, told))
        for rung, each in zip(reversed(LADDER), reversed(found), strict=True):
            if each.works:
                self._format = rung
        return found

    def _require_encodable(self, messages: Sequence[Message], step: str) -> None:
        for place, message in enumerate(messages, 1):
            try:
                message.content.encode()
            except UnicodeEncodeError as error:
                raise ModelError(
                    f"message {place} of {len(messages)} holds the lone surrogate "
                    f"{message.content[error.start]!r} at position {error.start}, which cannot be "
                    "sent; decode the text as UTF-8 (or UTF-16) first",
                    step=step,
                    model=self._name,
                ) from None

    def _client(self, *, max_retries: int | None = None) -> openai.AsyncOpenAI:
        return client_of(
            self._base_url,
            self._api_key,
            timeout=self._timeout,
            max_retries=self._max_retries if max_retries is None else max_retries,
            headers=self._headers,
            query=self._query,
        )

    async def _climb(
        self,
        client: openai.AsyncOpenAI,
        request: Json,
        step: str,
        schema: Json | None,
        max_tokens: int | None,
    ) -> Completion:
        usage, problem, thought = Usage(), "", ""
        refused: openai.APIStatusError | None = None
        allowed = allowance.get()
        for rung in self._rungs(schema):
            if allowed is not None and not allowed.take():
                problem = problem or "no request is left for another try"
                break
            try:
                read = await self._ask(client, request, rung, step, schema, max_tokens)
            except openai.APIStatusError as error:
                if too_long(error):
                    return Completion("", truncated=True, usage=usage + Usage(1))
                if is_filter(error) or not refuses(error, rung):
                    raise
                usage += Usage(1)
                refused = refused or error
                continue
            answer, problem = read.completion, read.problem
            usage, thought = usage + answer.usage, read.thought
            if answer.text or answer.truncated:
                if schema is not None and self._format is None and answer.text:
                    self._format = "text" if rung == "tool" and not read.by_tool else rung
                    _log.debug("model %s answers with response format %s", self._name, self._format)
                return replace(answer, usage=usage)
        if "{" in thought:
            # The answer may have been taken for a thought; the reader knows how to treat one.
            return Completion(f"<think>{thought}", usage=usage)
        if refused is not None and not problem:
            self._format = None  # what it took once, it takes no more: look anew
            raise refused
        raise ModelOutputError(f"{problem} from {self._address.shown}", step=step, model=self._name)

    def _rungs(self, schema: Json | None) -> tuple[ResponseFormat, ...]:
        if schema is None:
            return ("text",)
        if self._format is None:
            return LADDER
        # Some servers answer nothing at all where a format binds them: once more without.
        return (self._format, "text") if self._format != "text" else ("text",)

    async def _ask(
        self,
        client: openai.AsyncOpenAI,
        request: Json,
        rung: ResponseFormat,
        step: str,
        schema: Json | None,
        max_tokens: int | None,
    ) -> Read:
        body: dict[str, Any] = {**request, **bound(rung, step, schema)}  # Any: a JSON request body.
        if max_tokens is not None:
            body[self._limit_field] = max_tokens
        if self._temperature is not None:
            body["temperature"] = self._temperature
        body.update(self._extra_body)
        try:
            raw = await client.chat.completions.with_raw_response.create(
                model=self._name,
                messages=[],
                extra_body=body,
                extra_headers={} if self._api_key else {"Authorization": openai.omit},
            )
        except openai.BadRequestError as error:
            unlimited = max_tokens is not None and limit_too_large(str(error))
            if not unlimited and not self._adapt(error, body):
                raise
            allowed = allowance.get()
            if allowed is not None and not allowed.take():
                raise
            limit = None if unlimited else max_tokens
            return await self._ask(client, request, rung, step, schema, limit)
        return read_completion(_json(raw.content), step, self._name)

    def _adapt(self, error: openai.BadRequestError, body: Mapping[str, object]) -> bool:
        """Do without a field that this model refuses by name; say whether that can help."""
        message = str(error)
        if "max_completion_tokens" in message and "max_tokens" in body:
            self._limit_field = "max_completion_tokens"
            return True
        if wants_no_thinking(message) and body.get("enable_thinking") is not False:
            _log.info("model %s is told not to think", self._name)
            self._extra_body["enable_thinking"] = False
            return True
        if "temperature" in message and self._temperature is not None:
            _log.warning("model %s takes no temperature; it is left out", self._name)
            self._temperature = None
            return True
        return False

    def _mapped(self, error: openai.OpenAIError, step: str) -> ModelError:
        given = (self._api_key or "", *self._headers.values(), *self._query.values())
        secrets = [value for value in given if len(value) >= _SHORTEST_SECRET]
        return model_error(
            error, step=step, model=self._name, at=self._address.shown, secrets=secrets
        )


def _messages(messages: Sequence[Message]) -> Json:
    return {"messages": [{"role": m.role, "content": m.content} for m in messages]}


def _json(content: bytes) -> object:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None
