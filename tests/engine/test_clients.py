"""The two clients: alike, documented, and safe to use from loops, threads and processes."""

from __future__ import annotations

import asyncio
import inspect
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from graphmem import AsyncMemory, Memory
from graphmem.errors import InputError
from tests.engine.conftest import Make
from tests.engine.kit import a_memory, values
from tests.services.deployments import opening


def _public(kind: type) -> dict[str, inspect.Signature]:
    return {
        name: inspect.signature(member)
        for name, member in inspect.getmembers(kind, callable)
        if not name.startswith("_") or name == "__init__"
    }


@pytest.mark.storeless
def test_the_two_clients_have_the_same_methods() -> None:
    """Names, parameters, defaults and results are equal; jobs are awaited or waited for."""
    plain, awaited = _public(Memory), _public(AsyncMemory)
    assert plain.keys() == awaited.keys()
    for name, signature in plain.items():
        other = awaited[name]
        result = str(other.return_annotation).replace("AsyncJob", "Job")
        assert signature == other.replace(return_annotation=result), name


@pytest.mark.parametrize("kind", [Memory, AsyncMemory])
@pytest.mark.storeless
def test_every_public_method_is_documented(kind: type) -> None:
    """No method is without a sentence."""
    assert kind.__doc__
    bare = [
        name for name in _public(kind) if name != "__init__" and not getattr(kind, name).__doc__
    ]
    assert not bare


def test_an_async_memory_lives_through_several_loops(tmp_path: Path) -> None:
    """Nothing of it belongs to one event loop."""
    memory = AsyncMemory(**opening(tmp_path / "memory"))

    async def tell(place: str) -> int:
        await memory.add_fact("me", "visited", place, user="ana")
        await asyncio.gather(*(memory.search("where?", user="ana") for _ in range(3)))
        return (await memory.facts(user="ana")).total

    assert [asyncio.run(tell(place)) for place in ("Cork", "Riga", "Oslo")] == [1, 2, 3]
    asyncio.run(memory.close())


def test_an_async_memory_is_a_context_manager(tmp_path: Path) -> None:
    """It closes at the end of the block, and is then closed for good."""

    async def use() -> None:
        async with AsyncMemory(**opening(tmp_path / "memory")) as memory:
            await memory.add("I live in Riga.", user="ana")
        await memory.close()
        with pytest.raises(InputError, match="closed"):
            await memory.facts(user="ana")

    asyncio.run(use())


def test_a_plain_memory_works_inside_a_running_loop(mem: Memory) -> None:
    """A notebook's loop does not matter to it."""

    async def use() -> int:
        mem.add("I live in Riga.", user="ana")
        return mem.facts(user="ana").total

    assert asyncio.run(use()) == 1


def test_a_plain_memory_works_from_eight_threads(mem: Memory) -> None:
    """Writers and readers of several users at once lose nothing."""

    def tell(n: int) -> int:
        user = f"u{n % 2}"
        mem.add_fact("me", "visited", f"Town {n}", user=user)
        mem.search("town", user=user)
        return mem.facts(user=user).total

    with ThreadPoolExecutor(8) as pool:
        assert min(pool.map(tell, range(16))) >= 1
    assert [mem.facts(user=f"u{n}").total for n in range(2)] == [8, 8]
    assert mem.verify().clean


def test_two_new_values_at_once_leave_one(mem: Memory) -> None:
    """However writers race, what has one value has one."""
    with ThreadPoolExecutor(4) as pool:
        cities = ["Cork", "Riga", "Oslo", "Bonn"]
        for city in cities:
            pool.submit(mem.add, f"I live in {city}.", user="ana")
            pool.submit(mem.add, "I have a dog called Biscuit.", user="ana")
    assert mem.facts(user="ana", predicate="lives_in").total == 1
    assert mem.facts(user="ana", object="Biscuit").total <= 1


def test_closing_twice_is_fine_and_use_after_it_is_refused(make: Make) -> None:
    """A closed memory says so, at once, in every thread."""
    memory = make()
    memory.add("I live in Riga.", user="ana")
    memory.close()
    memory.close()
    with pytest.raises(InputError, match="closed"):
        memory.facts(user="ana")
    with pytest.raises(InputError, match="closed"):
        memory.add("I live in Cork.", user="ana")


def test_closing_waits_for_what_is_running(make: Make) -> None:
    """A call that has begun ends as it would have."""
    memory = make()
    with ThreadPoolExecutor(4) as pool:
        running = [
            pool.submit(memory.add_fact, "me", "visited", f"Town {n}", user="ana") for n in range(8)
        ]
        running[0].result()
        memory.close()
        done = sum(1 for f in running if not isinstance(f.exception(), InputError))
    assert make().facts(user="ana").total == done


def test_a_plain_memory_is_a_context_manager(tmp_path: Path) -> None:
    """It closes at the end of the block, also after an error."""
    with pytest.raises(ZeroDivisionError), a_memory(tmp_path / "memory") as memory:
        _ = 1 // 0
    with pytest.raises(InputError, match="closed"):
        memory.facts(user="ana")


def test_a_forked_child_is_told_to_open_its_own(mem: Memory) -> None:
    """The parent's thread is not in the child: it must not wait for it for ever."""
    mem.add("I live in Riga.", user="ana")
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            mem.facts(user="ana")
        except InputError as error:
            os.write(write, str(error).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        said = pipe.read().decode()
    os.waitpid(child, 0)
    assert "fork" in said
    assert mem.facts(user="ana").total == 1


_SCRIPT = """
import sys
from graphmem import Memory
from graphmem.testing.embedders import HashEmbedder
with Memory(sys.argv[1], embedder=HashEmbedder()) as memory:
    print("open", flush=True)
    for n in range(int(sys.argv[2])):
        receipt = memory.add({"content": f"I visited Town{n}.", "id": f"m{n}"}, user="ana")
        assert receipt.added or receipt.turns[0].state.value == "duplicate", receipt
        print(n, flush=True)
        if n % 4 == 0:
            assert memory.search("Which towns have I visited?", user="ana").hits
            assert memory.facts(user="ana").total
"""


def _process(folder: Path, turns: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", _SCRIPT, str(folder), str(turns)],
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.mark.embedded("another process opens its folder")
def test_a_second_process_adds_searches_and_lists_beside_it(make: Make, tmp_path: Path) -> None:
    """A notebook and a shell side by side lose nothing and see each other."""
    memory = make(clock=None)
    memory.add("I live in Riga.", user="ana")
    with _process(tmp_path / "memory", 8) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        for n in range(6):
            memory.add_fact("me", "visited", f"Village {n}", user="ana")
            assert memory.search("Riga", user="ana").hits
        assert other.stdout.read().split() == [str(n) for n in range(8)]
    assert other.returncode == 0
    assert memory.facts(user="ana", predicate="visited").total == 14
    assert [h for h in memory.search("Town7", user="ana").hits if "Town7" in h.text]
    memory.repair()
    assert memory.verify().clean


@pytest.mark.embedded("another process opens its folder")
def test_a_killed_process_loses_nothing_it_acknowledged(make: Make, tmp_path: Path) -> None:
    """After a kill the store opens, holds what was said to be stored, and can be gone on with."""
    with _process(tmp_path / "memory", 500) as other:
        assert other.stdout is not None
        acknowledged = -1
        for line in other.stdout:
            if line.strip().isdigit():
                acknowledged = int(line)
            if acknowledged >= 5:
                other.send_signal(signal.SIGKILL)
                break
        left = [int(line) for line in other.stdout.read().split() if line.isdigit()]
        acknowledged = max([acknowledged, *left])
    memory = make(clock=None)
    memory.retry_pending()
    wanted = {f"Town{n}" for n in range(acknowledged + 1)}
    assert wanted <= values(memory.facts(user="ana", predicate="visited", limit=600))
    turns = [{"content": f"I visited Town{n}.", "id": f"m{n}"} for n in range(acknowledged + 1)]
    again = memory.add(turns, user="ana")
    assert {t.state.value for t in again.turns} == {"duplicate"}
    assert memory.search("Town3", user="ana").hits
    memory.repair()
    assert memory.verify().clean
