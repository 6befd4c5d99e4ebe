"""A chat server whose answers are written beforehand, over real HTTP on the loopback.

It speaks as much of the OpenAI-compatible protocol as clients need, and can misbehave on purpose:
status codes, delays, broken bodies, cut connections.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self, cast

JsonObject = Mapping[str, Any]  # Any: what a client sends is as deep as it likes.


@dataclass(frozen=True, slots=True)
class Request:
    """What a client sent. ``body`` is empty if it was not a JSON object."""

    path: str
    headers: Mapping[str, str]
    body: JsonObject

    @property
    def prompt(self) -> str:
        """The text of all chat messages."""
        messages: list[JsonObject] = self.body.get("messages") or []
        return "\n".join(str(message.get("content", "")) for message in messages)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What the server answers.

    Attributes:
        content: of the message: a text, None, or a list of parts.
        finish_reason: why the model stopped ("stop", "length", "content_filter").
        message: further fields of the message ("reasoning_content").
        usage: prompt and completion tokens; None leaves them out.
        status, headers: of the response.
        delay: seconds to wait first; closing the server ends the wait.
        body: the whole body instead, as it is: text or bytes, or a JSON value.
        cut: close the connection without an answer.
    """

    content: str | Sequence[JsonObject] | None = ""
    finish_reason: str = "stop"
    message: JsonObject = field(default_factory=dict[str, Any])
    usage: tuple[int, int] | None = (10, 5)
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    delay: float = 0.0
    body: str | bytes | JsonObject | Sequence[object] | None = None
    cut: bool = False

    def payload(self, model: str) -> bytes:
        """Return the bytes of the body."""
        if isinstance(self.body, bytes):
            return self.body
        if isinstance(self.body, str):
            return self.body.encode()
        if self.body is not None:
            return json.dumps(self.body).encode()
        if self.status >= 400:
            return json.dumps({"error": {"message": f"scripted {self.status}"}}).encode()
        completion: dict[str, Any] = {
            "id": "chatcmpl-scripted",
            "object": "chat.completion",
            "created": 0,
            "model": model,
            "choices": [
                {
                    "index": 0,
                    "finish_reason": self.finish_reason,
                    "message": {"role": "assistant", "content": self.content, **self.message},
                }
            ],
        }
        if self.usage is not None:
            prompt, answer = self.usage
            completion["usage"] = {"prompt_tokens": prompt, "completion_tokens": answer}
        return json.dumps(completion).encode()


Script = Iterable[Reply | str] | Callable[[Request], Reply | str]

_USED_UP = Reply(status=400, body={"error": {"message": "the script is used up"}})


class ScriptedServer:
    """Answers requests from a script; use it as a context manager.

    ``script`` is a list, used up in order (then 400), or a function of the request that may be
    called from several threads. A text is a reply with that content. ``requests`` holds what
    arrived, in order; ``url`` is the base URL for a client.
    """

    def __init__(self, script: Script) -> None:
        self.requests: list[Request] = []
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._script = script if callable(script) else None
        self._left = iter(()) if callable(script) else iter(list(script))
        self._server = _Server(self)
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )

    @property
    def url(self) -> str:
        """The base URL, such as ``http://127.0.0.1:40123/v1``."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def answer(self, request: Request) -> Reply:
        """Note a request and return what the script says to it, after its delay."""
        with self._lock:
            self.requests.append(request)
            reply = next(self._left, _USED_UP) if self._script is None else None
        if reply is None and self._script is not None:
            reply = self._script(request)
        if isinstance(reply, str):
            reply = Reply(content=reply)
        if reply is None:
            return _USED_UP
        if reply.delay:
            self._closing.wait(reply.delay)
        return reply

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = False  # so that closing waits for answers under way
    request_queue_size = 64

    def __init__(self, owner: ScriptedServer) -> None:
        self.owner = owner
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: a client that gave up is part of the script."""


class _Handler(BaseHTTPRequestHandler):
    timeout = 30

    def do_GET(self) -> None:
        """Answer a GET like any other request."""
        self.do_POST()

    def do_POST(self) -> None:
        """Note the request and answer from the script."""
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        body = _object(raw)
        reply = cast("_Server", self.server).owner.answer(Request(self.path, headers, body))
        if reply.cut:
            return
        payload = reply.payload(str(body.get("model", "")))
        self.send_response(reply.status)
        for name, value in {"content-type": "application/json", **reply.headers}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


def _object(raw: bytes) -> JsonObject:
    try:
        value = json.loads(raw or b"{}")
    except ValueError:
        return {}
    return cast("JsonObject", value) if isinstance(value, dict) else {}
