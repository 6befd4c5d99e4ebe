"""An interrupt or exit that a callback of the caller's raises comes out where it was called."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence

import pytest

from graphmem import Memory
from graphmem.adapters.system.line import Line
from graphmem.ports.embedder import Vector
from graphmem.testing.embedders import HashEmbedder
from tests.engine.conftest import Make

LIMIT = 30.0
BOTH = pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit])


def raised(call: Callable[[], object]) -> BaseException | None:
    """Return what a call raises; fail if it hangs."""
    seen: list[BaseException | None] = []

    def run() -> None:
        try:
            call()
        except BaseException as error:  # noqa: BLE001 - whatever it is
            seen.append(error)
        else:
            seen.append(None)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(LIMIT)
    assert seen, "it hangs"
    return seen[0]


@BOTH
def test_progress_that_interrupts(kind: type[BaseException], mem: Memory) -> None:
    """The call ends with it, and the memory goes on."""
    mem.add("I live in Riga.", user="ana")

    def stop(done: int, total: int) -> None:
        raise kind("enough")

    error = raised(lambda: mem.reindex(progress=stop))
    assert isinstance(error, kind)
    assert str(error) == "enough"
    mem.reindex()
    assert mem.verify().clean
    assert mem.search("Riga", user="ana").hits


class Interrupting(HashEmbedder):
    """Raises once, when another call waits for it too."""

    def __init__(self, kind: type[BaseException]) -> None:
        super().__init__()
        self.kind: type[BaseException] | None = kind
        self.others = threading.Event()

    async def queries(self, texts: Sequence[str]) -> list[Vector]:
        if self.kind is not None:
            kind, self.kind = self.kind, None
            await asyncio.to_thread(self.others.wait, LIMIT)
            raise kind
        self.others.set()
        await asyncio.sleep(0.1)
        return await super().queries(texts)


@BOTH
def test_a_part_of_the_callers_that_interrupts(kind: type[BaseException], make: Make) -> None:
    """Only the call it was asked for ends; another thread's does not."""
    embedder = Interrupting(kind)
    memory = make(embedder=embedder)
    memory.add("I live in Riga.", user="ana")
    found: list[int] = []
    errors: list[BaseException | None] = []

    def search() -> None:
        errors.append(raised(lambda: found.append(len(memory.search("Riga", user="ana").hits))))

    threads = [threading.Thread(target=search, daemon=True) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LIMIT)
    assert [type(error) for error in errors if error is not None] == [kind]
    assert found == [1, 1]


@BOTH
@pytest.mark.storeless
def test_work_on_a_line_that_interrupts(kind: type[BaseException]) -> None:
    """The loop of a server's client goes on too."""

    async def end(client: str) -> None:
        await asyncio.sleep(0)

    line = Line(lambda: "client", end, lambda: RuntimeError("closed"), name="line")

    async def interrupt(client: str) -> None:
        raise kind

    async def answer(client: str) -> str:
        return client

    assert isinstance(raised(lambda: asyncio.run(line.run(interrupt))), kind)
    assert asyncio.run(line.run(answer)) == "client"
    asyncio.run(line.close())
