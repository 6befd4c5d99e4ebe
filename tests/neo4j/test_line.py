"""A client on an event loop of its own."""

from __future__ import annotations

import asyncio
import os
import socket

import pytest

from graphmem.adapters.system.line import Line


class Client:
    """Counts what is asked of it, and where."""

    def __init__(self) -> None:
        self.process = os.getpid()
        self.ended = False
        self.loops: set[asyncio.AbstractEventLoop] = set()

    async def ask(self) -> int:
        self.loops.add(asyncio.get_running_loop())
        return self.process

    async def end(self) -> None:
        self.ended = True


class ClosedError(Exception):
    """The line was closed."""


def a_line(made: list[Client]) -> Line[Client]:
    def make() -> Client:
        made.append(Client())
        return made[-1]

    return Line(make, Client.end, lambda: ClosedError("closed"), name="trial")


def test_one_client_for_all_loops() -> None:
    """Callers come and go with their loops; the client stays on its own and is ended there."""
    made: list[Client] = []
    line = a_line(made)
    assert made == []
    for _ in range(3):
        assert asyncio.run(line.run(Client.ask)) == os.getpid()
    asyncio.run(line.close())
    asyncio.run(line.close())
    assert len(made) == 1
    assert len(made[0].loops) == 1
    assert made[0].ended


def test_a_closed_line_says_so() -> None:
    """Before the first call, too."""
    line = a_line([])
    asyncio.run(line.close())
    with pytest.raises(ClosedError):
        asyncio.run(line.run(Client.ask))


def test_requests_are_sent_at_once() -> None:
    """Sockets that a client connects itself do not wait for acknowledgements."""

    async def option(client: Client) -> int:
        with socket.create_server(("127.0.0.1", 0)) as server, socket.socket() as sock:
            sock.setblocking(False)
            await asyncio.get_running_loop().sock_connect(sock, server.getsockname())
            return sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)

    async def ask() -> int:
        line = a_line([])
        try:
            return await line.run(option)
        finally:
            await line.close()

    assert asyncio.run(ask())


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")  # that is the case here
def test_a_forked_child_has_its_own() -> None:
    """It neither uses nor ends its parent's client."""
    made: list[Client] = []
    line = a_line(made)
    asyncio.run(line.run(Client.ask))
    child = os.fork()
    if child == 0:
        try:
            ours = asyncio.run(asyncio.wait_for(line.run(Client.ask), 10)) == os.getpid()
            asyncio.run(line.close())
            os._exit(0 if ours and len(made) == 2 and not made[0].ended else 1)
        finally:
            os._exit(2)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert asyncio.run(line.run(Client.ask)) == os.getpid()
    asyncio.run(line.close())
    assert made[0].ended
