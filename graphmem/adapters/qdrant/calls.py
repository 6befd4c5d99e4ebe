"""Calls to a Qdrant server: a deadline, retries, and errors of ours."""

from __future__ import annotations

import asyncio
import json
import logging
import math
import random
import time
from collections.abc import Callable
from typing import TypeVar
from urllib.parse import urlsplit

import httpx
from qdrant_client import AsyncQdrantClient
from qdrant_client.common.client_exceptions import QdrantException, ResourceExhaustedResponse
from qdrant_client.http.exceptions import (
    ApiException,
    ResponseHandlingException,
    UnexpectedResponse,
)

from graphmem.adapters.qdrant.connection import Connection, Work
from graphmem.adapters.system.network import certificates, is_local
from graphmem.errors import IndexRefusedError, IndexUnavailableError, SettingsError

A = TypeVar("A")
T = TypeVar("T")

log = logging.getLogger(__name__)

TRIES = 4
PAUSE = 0.1
"""Seconds before the second try, by chance half to one and a half of it; each pause is twice the
one before."""
REST = 1.0
"""Seconds for which a server that was away is not asked, so that reads go on without it at once."""
LONGEST_REST = 30.0
"""The same, at most, for one that keeps its callers waiting."""
LIMITS = httpx.Limits(max_connections=32, max_keepalive_connections=16, keepalive_expiry=30)
_SHOWN = 300
_BAD = (400, 413, 422)
_FAILURES = (ApiException, QdrantException, TimeoutError, ValueError, AssertionError)
"""What a call ends with that failed; the client asserts that an answer has a result."""


class RequestRefusedError(IndexUnavailableError):
    """The server understood a request and refuses it; ``status`` is that of HTTP."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


class BadRequestError(RequestRefusedError, IndexRefusedError):
    """It refuses what the request holds: too large, or not what it can store."""


class Calls:
    """A server's address, key and deadline, and the way to it; ``retries`` counts second tries.

    Args:
        url: where it is, without a login.
        api_key: sent with each request and shown nowhere.
        timeout: seconds a call may take, its retries included.
    """

    def __init__(self, url: str, api_key: str | None, *, timeout: float) -> None:
        self.place = _place(url)
        self.retries = 0
        self._timeout = timeout
        self._away: tuple[str, float] | None = None
        here, is_secure = is_local(urlsplit(url).hostname or ""), url.startswith("https:")
        if api_key is not None and not (is_secure or here):
            log.warning("the key for %s is sent unencrypted; use https", self.place)

        def client() -> AsyncQdrantClient:
            return AsyncQdrantClient(
                url=url,
                # Not as api_key=…, which warns of http on standard error.
                headers=None if api_key is None else {"api-key": api_key},
                timeout=math.ceil(timeout),
                check_compatibility=False,
                limits=LIMITS,
                trust_env=not here,  # this machine is reached without a proxy
                verify=certificates() if is_secure else False,
            )

        self._connection = Connection(client, self.place)

    async def do(self, work: Work[T]) -> T:
        """Run ``work`` with the client; what fails in passing is tried again until the deadline.

        So ``work`` must be one that may be done twice. A server that was away a moment ago is not
        asked, and then asked once.

        Raises:
            RequestRefusedError: the server refuses it.
            IndexUnavailableError: the server is away, slow or closed, or its answer unreadable.
        """
        return await self._connection.run(lambda client: self._tried(client, work))

    async def _tried(self, client: AsyncQdrantClient, work: Work[T]) -> T:
        began = time.monotonic()
        if self._away is not None and began < self._away[1]:
            raise IndexUnavailableError(self._away[0])
        failed, most = 0, TRIES if self._away is None else 1
        while True:
            left = began + self._timeout - time.monotonic()
            try:
                async with asyncio.timeout(left):
                    result = await work(client)
            except _FAILURES as error:
                failed += 1
                pause = self._pause(error, failed)
                if failed == most or began + self._timeout < time.monotonic() + pause:
                    took = time.monotonic() - began
                    rest = min(LONGEST_REST, max(REST, took))
                    message = f"the Qdrant server at {self.place} is away: {self._reason(error)}"
                    self._away = message, time.monotonic() + rest
                    raise IndexUnavailableError(message) from error
                self.retries += 1
                await asyncio.sleep(pause)
            else:
                self._away = None
                return result

    def _pause(self, error: Exception, failed: int) -> float:
        """Return the seconds to wait before the next try.

        Raises:
            IndexUnavailableError: trying again would not help.
        """
        pause = PAUSE * 2 ** (failed - 1) * random.uniform(0.5, 1.5)  # noqa: S311 - only jitter
        if isinstance(error, ResourceExhaustedResponse):
            return max(pause, error.retry_after_s)
        if isinstance(error, UnexpectedResponse):
            status = error.status_code or 0
            if status not in (408, 429) and status < 500:
                self._away = None
                raise self._refused(status, error) from error
            return pause
        away = isinstance(error, ResponseHandlingException) and isinstance(
            error.source, httpx.TransportError
        )
        if away or isinstance(error, TimeoutError):
            return pause
        raise IndexUnavailableError(
            f"the answer of {self.place} cannot be read ({self._reason(error)}); is it a Qdrant "
            "server?"
        ) from error

    def _refused(self, status: int, error: UnexpectedResponse) -> RequestRefusedError:
        if status in (401, 403):
            return RequestRefusedError(
                f"the Qdrant server at {self.place} refused the key ({status}); set qdrant_api_key",
                status,
            )
        kind = BadRequestError if status in _BAD else RequestRefusedError
        return kind(
            f"the Qdrant server at {self.place} refused a request: {self._reason(error)}", status
        )

    def _reason(self, error: Exception) -> str:
        if isinstance(error, UnexpectedResponse):
            return f"{error.status_code} {_said(error.content)}"[:_SHOWN].strip()
        if isinstance(error, TimeoutError) or (
            isinstance(error, ResponseHandlingException)
            and isinstance(error.source, httpx.TimeoutException)
        ):
            return f"no answer within {self._timeout:g} s"
        source = error.source if isinstance(error, ResponseHandlingException) else error
        text = " ".join(str(source).split())[:_SHOWN]
        return f"{type(source).__name__}{text and ': '}{text}"

    async def close(self) -> None:
        """Let go of the connections; safe to call twice."""
        await self._connection.close()


def reading(ask: Work[A], read: Callable[[A], T]) -> Work[T]:
    """Return work that asks, and reads an answer that may lack what it should have."""

    async def work(client: AsyncQdrantClient) -> T:
        answer = await ask(client)
        try:
            return read(answer)
        except (LookupError, TypeError, AttributeError) as error:
            raise ValueError(f"something is missing: {type(error).__name__} {error}") from error

    return work


def _said(content: bytes) -> str:
    """Return the reason in the body of a refusal."""
    try:
        return str(json.loads(content)["status"]["error"])
    except (ValueError, KeyError, TypeError):
        return " ".join(content.decode("utf-8", "replace").split())


def _place(url: str) -> str:
    """Return the address for messages.

    Raises:
        SettingsError: no request could be sent there.
    """
    shown = url.rpartition("@")[2]
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:  # its message may repeat a login
        raise SettingsError(f"qdrant {shown!r} has a host or port that cannot be read") from None
    if parts.scheme not in ("http", "https") or not host:
        raise SettingsError(
            f"qdrant {shown!r} is no http or https address, such as http://127.0.0.1:6333"
        )
    if "@" in parts.netloc:
        raise SettingsError(f"qdrant {shown!r} holds a login; set qdrant_api_key instead")
    name = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{name}{'' if port is None else f':{port}'}{parts.path}"
