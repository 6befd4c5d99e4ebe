"""A Qdrant server to test with: the client's own local mode behind real HTTP on the loopback.

It answers the REST calls that an index makes, so that the real client is used over a real wire, and
it can be away, slow, refuse, or cut a connection before or after it did what was asked. What it
says of points is what local mode says; what only a server has (graphs, quantisation) it takes and
leaves, and of payload indexes it only remembers that they were made.
"""

from __future__ import annotations

import json
import re
import socket
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Literal, Self, cast

from pydantic import TypeAdapter
from pydantic_core import to_json
from qdrant_client import QdrantClient, models

Json = dict[str, Any]  # Any: a JSON object


@dataclass(frozen=True, slots=True)
class Request:
    """What a client sent; ``path`` without the query, which is in ``query``."""

    method: str
    path: str
    query: str
    headers: dict[str, str]
    body: Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """What happens to one request.

    Attributes:
        on: only to one whose path ends so.
        status: answered instead.
        delay: seconds before the answer.
        cut: the connection ends without an answer, before or after the request was done.
        body: answered as it is, with 200 if no status is given.
        headers: added to the answer.
    """

    on: str = ""
    status: int = 0
    delay: float = 0.0
    cut: Literal["", "before", "after"] = ""
    body: bytes | None = None
    headers: dict[str, str] = field(default_factory=dict[str, str])


class QdrantServer:
    """A context manager; ``url`` is where it listens, ``requests`` what arrived, in order.

    Args:
        api_key: refuse requests without it.
        keeps_metadata: what servers before 1.16 did not.

    ``status`` is that of every collection; ``indexed`` are the payload fields with an index.
    """

    def __init__(self, *, api_key: str | None = None, keeps_metadata: bool = True) -> None:
        self.local = QdrantClient(":memory:")
        self.requests: list[Request] = []
        self.troubles: deque[Trouble] = deque()
        self.keeps_metadata = keeps_metadata
        self.status = models.CollectionStatus.GREEN
        self.indexed: dict[str, dict[str, models.PayloadIndexInfo]] = {}
        self._api_key = api_key
        self._lock = threading.Lock()
        self._port = 0
        self._http: _Http | None = None

    @property
    def url(self) -> str:
        """Where it listens, also while it is stopped."""
        return f"http://127.0.0.1:{self._port}"

    def start(self) -> None:
        """Listen, on the same port as before; what was stored is still there."""
        self._http = _Http(self, self._port)
        self._port = self._http.server_address[1]
        threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True).start()

    def stop(self) -> None:
        """Be away: connections are cut, and new ones refused."""
        http, self._http = self._http, None
        if http is not None:
            http.shutdown()
            http.cut()
            http.server_close()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()
        self.local.close()

    def sent(self, end: str) -> list[Request]:
        """Return the requests whose path ends so."""
        return [request for request in self.requests if request.path.endswith(end)]

    def trouble(self, request: Request) -> Trouble | None:
        """Note a request, and return what is to happen to it."""
        with self._lock:
            self.requests.append(request)
            for trouble in self.troubles:
                if request.path.endswith(trouble.on):
                    self.troubles.remove(trouble)
                    return trouble
        return None

    def answer(self, request: Request) -> tuple[int, bytes]:
        """Do what was asked."""
        if self._api_key not in (None, request.headers.get("api-key")):
            return 401, b"Must provide an API key or an Authorization bearer token"
        if request.path == "/":
            return 200, to_json(self.local.info())
        for (method, pattern), route in _ROUTES.items():
            match = re.fullmatch(pattern, request.path)
            if match and method == request.method:
                return self._done(route, request.body, match.groups())
        return 404, b""

    def _done(self, route: Route, body: Json, names: tuple[str, ...]) -> tuple[int, bytes]:
        with self._lock, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # local mode warns of what it leaves
            try:
                result = route(self, body, *names)
            except ValueError as error:
                text = str(error)
                if re.search(r"Collection .* not found", text):
                    status = 404
                else:
                    status = 409 if "already exists" in text else 400
                return status, to_json({"status": {"error": text}, "time": 0.0})
        return 200, to_json({"result": result, "status": "ok", "time": 0.0})


Route = Callable[..., Any]  # Any: what local mode returns; called with server, body and names
_ROUTES: dict[tuple[str, str], Route] = {}


def _route(method: str, path: str) -> Callable[[Route], Route]:
    pattern = re.sub(r"\{\w+\}", "([^/]+)", path)

    def add(route: Route) -> Route:
        _ROUTES[method, pattern] = route
        return route

    return add


@_route("GET", "/collections")
def _collections(server: QdrantServer, body: Json) -> object:
    return server.local.get_collections()


@_route("GET", "/aliases")
def _aliases(server: QdrantServer, body: Json) -> object:
    return server.local.get_aliases()


@_route("POST", "/collections/aliases")
def _change_aliases(server: QdrantServer, body: Json) -> object:
    change = models.ChangeAliasesOperation.model_validate(body)
    return server.local.update_collection_aliases(change.actions)


@_route("GET", "/collections/{name}")
def _collection(server: QdrantServer, body: Json, name: str) -> object:
    found = server.local.get_collection(name)
    aliases = {one.alias_name: one.collection_name for one in server.local.get_aliases().aliases}
    indexed = server.indexed.get(aliases.get(name, name), {})
    return found.model_copy(update={"payload_schema": indexed, "status": server.status})


@_route("PUT", "/collections/{name}")
def _create(server: QdrantServer, body: Json, name: str) -> object:
    wanted = models.CreateCollection.model_validate(body)
    return server.local.create_collection(
        name,
        vectors_config=cast("Any", wanted.vectors),  # Any: the client's unions differ in letters
        sparse_vectors_config=wanted.sparse_vectors,
        metadata=wanted.metadata if server.keeps_metadata else None,
    )


@_route("DELETE", "/collections/{name}")
def _drop(server: QdrantServer, body: Json, name: str) -> object:
    server.indexed.pop(name, None)
    return server.local.delete_collection(name)


@_route("PUT", "/collections/{name}/index")
def _index(server: QdrantServer, body: Json, name: str) -> object:
    index = models.CreateFieldIndex.model_validate(body)
    made = models.PayloadIndexInfo(data_type=models.PayloadSchemaType.KEYWORD, points=0)
    server.indexed.setdefault(name, {})[index.field_name] = made
    return server.local.create_payload_index(name, index.field_name, index.field_schema)


@_route("POST", "/collections/{name}/points/batch")
def _write(server: QdrantServer, body: Json, name: str) -> object:
    change = models.UpdateOperations.model_validate(body)
    return server.local.batch_update_points(name, change.operations)


@_route("POST", "/collections/{name}/points/delete")
def _remove(server: QdrantServer, body: Json, name: str) -> object:
    return server.local.delete(name, TypeAdapter(models.PointsSelector).validate_python(body))


@_route("POST", "/collections/{name}/points")
def _retrieve(server: QdrantServer, body: Json, name: str) -> object:
    asked = models.PointRequest.model_validate(body)
    return server.local.retrieve(
        name,
        asked.ids,
        with_payload=asked.with_payload or False,
        with_vectors=asked.with_vector or False,
    )


@_route("POST", "/collections/{name}/points/query/batch")
def _query(server: QdrantServer, body: Json, name: str) -> object:
    asked = models.QueryRequestBatch.model_validate(body)
    return server.local.query_batch_points(name, asked.searches)


@_route("POST", "/collections/{name}/points/scroll")
def _scroll(server: QdrantServer, body: Json, name: str) -> object:
    asked = models.ScrollRequest.model_validate(body)
    points, following = server.local.scroll(
        name,
        scroll_filter=asked.filter,
        limit=asked.limit or 10,
        offset=asked.offset,
        with_payload=asked.with_payload or False,
        with_vectors=asked.with_vector or False,
    )
    return models.ScrollResult(points=points, next_page_offset=cast("str | None", following))


@_route("POST", "/collections/{name}/points/count")
def _count(server: QdrantServer, body: Json, name: str) -> object:
    asked = models.CountRequest.model_validate(body)
    return server.local.count(name, count_filter=asked.filter, exact=True)


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, owner: QdrantServer, port: int) -> None:
        self.owner = owner
        self._open: set[socket.socket] = set()
        super().__init__(("127.0.0.1", port), _Handler)

    def process_request(self, request: Any, client_address: Any) -> None:  # Any: as inherited
        self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:  # Any: as inherited
        self._open.discard(request)
        super().shutdown_request(request)

    def cut(self) -> None:
        """End the connections that clients keep."""
        for one in [*self._open]:
            self.shutdown_request(one)

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: a client that gave up is part of the test."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # connections are kept, as by a server
    disable_nagle_algorithm = True  # else each answer waits for an acknowledgement

    def __getattr__(self, name: str) -> Callable[[], None]:
        if name.startswith("do_"):
            return self._answer
        raise AttributeError(name)

    def _answer(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        path, _, query = self.path.partition("?")
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Request(self.command, path, query, headers, json.loads(raw or b"{}"))
        owner = cast("_Http", self.server).owner
        trouble = owner.trouble(request) or Trouble()
        time.sleep(trouble.delay)
        if trouble.cut == "before":
            self.close_connection = True
            return
        if trouble.status or trouble.body is not None:
            status = trouble.status or 200
            payload = trouble.body or b'{"status": {"error": "made trouble"}}'
        else:
            status, payload = owner.answer(request)
        if trouble.cut == "after":
            self.close_connection = True
            return
        self.send_response(status)
        for name, value in {"content-type": "application/json", **trouble.headers}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""
