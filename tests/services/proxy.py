"""A proxy on the way to a server, which can be cut, silenced and taken away."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Literal, Self
from urllib.parse import urlsplit

COMMIT = b"\x00\x02\xb0\x12\x00\x00"
"""The message of Bolt that commits a transaction."""

Fate = Literal["pass", "before", "after"]
"""What happens to bytes of a client: they are passed on; the connection is cut before; or it is cut
when the server has answered them and the client has not heard."""


def nothing() -> None:
    """Do nothing."""


def passed(data: bytes) -> Fate:
    """Pass all bytes on."""
    return "pass"


class Proxy:
    """Passes bytes between clients and the server at ``url``; ``port`` is its own.

    ``choose`` says what happens to bytes of a client. ``cutting`` is called just before a cut;
    ``cuts`` counts them. ``silent`` holds back every answer.
    """

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        assert parts.hostname is not None
        assert parts.port is not None
        self._server = parts.hostname, parts.port
        self.silent = False
        self.choose: Callable[[bytes], Fate] = passed
        self.cutting: Callable[[], None] = nothing
        self.cuts = 0
        self._guard = threading.Lock()
        self._sockets: set[socket.socket] = set()
        self._listener: socket.socket | None = None
        self.port = 0
        self.up()

    @property
    def url(self) -> str:
        """Return the address for clients."""
        return f"bolt://127.0.0.1:{self.port}"

    def up(self) -> None:
        """Take connections."""
        listener = socket.create_server(("127.0.0.1", self.port), reuse_port=False)
        self.port = listener.getsockname()[1]
        self._listener = listener
        threading.Thread(target=self._accept, args=(listener,), daemon=True).start()

    def down(self) -> None:
        """Cut all connections and take no more."""
        if self._listener is not None:
            with suppress(OSError):
                self._listener.shutdown(socket.SHUT_RDWR)
            self._listener.close()
            self._listener = None
        with self._guard:
            for one in self._sockets:
                _shut(one)

    def cut(self, at: bytes, *, late: bool = False) -> None:
        """Cut the next connection that sends ``at``, before it is passed on or when answered."""

        def choose(data: bytes) -> Fate:
            if at not in data:
                return "pass"
            self.choose = passed
            return "after" if late else "before"

        self.choose = choose

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.down()

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=self._pass, args=(client,), daemon=True).start()

    def _pass(self, client: socket.socket) -> None:
        try:
            server = socket.create_connection(self._server, timeout=30)
        except OSError:
            client.close()
            return
        server.settimeout(None)
        with self._guard:
            self._sockets |= {client, server}
        lost = threading.Event()

        def out(data: bytes) -> bool:
            fate = self._fate(data)
            if fate == "before":
                self.cutting()
                return False
            if fate == "after":
                lost.set()  # its answer ends the connection
            server.sendall(data)
            return True

        def back(data: bytes) -> bool:
            if lost.is_set():
                self.cutting()
                return False
            if not self.silent:
                client.sendall(data)
            return True

        def outward() -> None:
            _pump(client, out)
            _shut(server)  # or what the server keeps for this client would stay

        other = threading.Thread(target=outward, daemon=True)
        other.start()
        _pump(server, back)
        _shut(client)
        _shut(server)
        other.join()
        with self._guard:
            self._sockets -= {client, server}
        client.close()
        server.close()

    def _fate(self, data: bytes) -> Fate:
        with self._guard:
            fate = self.choose(data)
            self.cuts += fate != "pass"
            return fate


def _pump(source: socket.socket, put: Callable[[bytes], bool]) -> None:
    with suppress(OSError):
        while (data := source.recv(65536)) and put(data):
            pass
    _shut(source)


def _shut(one: socket.socket) -> None:
    with suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
