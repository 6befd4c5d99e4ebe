"""Erased words are in no file once a sweep says so."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from graphmem.adapters.sqlite import SqliteStore
from graphmem.adapters.sqlite.sweep import READERS
from graphmem.model.changes import Blanked, ChangeSet, Erased
from graphmem.model.scope import Scope
from graphmem.ports.graph_store import GraphStore
from graphmem.testing.builders import ANA, BOB, an_entity, told
from graphmem.testing.clock import FrozenClock
from graphmem.testing.graph_store.base import begin, write
from graphmem.testing.graph_store.outbox import settle_all

ENGLISH, CHINESE = "Zanzibarquux", "紫薇巷的秘密"

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "graph.db"


def files_holding(path: Path, *words: str) -> list[str]:
    """Return which of the store's files hold one of the words, in any letter case."""
    needles = [form.encode() for word in words for form in (word, word.casefold())]
    return [
        file.name
        for file in sorted(path.parent.iterdir())
        if any(needle in file.read_bytes() for needle in needles)
    ]


def secret(number: int, words: int = 1) -> ChangeSet:
    return told(str(number), statement=f"{ENGLISH} {CHINESE} " * words)


@contextmanager
def another_process_reading(path: Path) -> Generator[None]:
    """Hold a read transaction on the file in a process of its own."""
    script = (
        "import sqlite3, sys\n"
        "connection = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "connection.execute('BEGIN')\n"
        "connection.execute('SELECT count(*) FROM episodes').fetchone()\n"
        "print('reading', flush=True)\n"
        "sys.stdin.readline()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "reading\n"
        try:
            yield
        finally:
            process.communicate("done\n", timeout=30)


async def test_scope(path: Path) -> None:
    """After an erased scope was swept, neither its words nor its name is in a file."""
    gone = Scope("default", ENGLISH)
    store = SqliteStore.open(path, FrozenClock())
    await begin(store, *(secret(number) for number in range(30)), scope=gone)
    await begin(store, told("1"), scope=BOB)
    assert files_holding(path, ENGLISH, CHINESE) != []
    await store.erase_scope(gone)
    await settle_all(store)
    assert (await store.sweep()).waiting == ()
    assert files_holding(path, ENGLISH, CHINESE) == []
    await store.close()


async def test_fact_and_blanked_words(path: Path) -> None:
    """After a fact was erased and its words blanked, they are in no file."""
    store = SqliteStore.open(path, FrozenClock())
    people = ChangeSet(entities=(an_entity("rosa", f"{ENGLISH} {CHINESE}"),))
    await begin(store, people, secret(1), told("2"))
    blanked = (Blanked("e1", "▇"),)
    erased = Erased(facts=("f1",), claims=("c1",), entities=("rosa",), blanked=blanked)
    await write(store, ChangeSet(erased=erased))
    await store.sweep()
    assert files_holding(path, ENGLISH, CHINESE) == []
    await store.close()


async def test_words_between_others(path: Path) -> None:
    """Rows of all sizes among another scope's leave no copy where pages were split and merged."""
    chance = random.Random(1)  # noqa: S311 sizes, not secrets
    store = SqliteStore.open(path, FrozenClock(), synchronous="NORMAL")
    await begin(store)
    await begin(store, scope=BOB)
    for number in range(200):
        for scope, word in ((ANA, ENGLISH), (BOB, "ordinary")):
            words = (
                f"{word}{chance.getrandbits(20):x}" for _ in range(chance.choice([3, 40, 300]))
            )
            name = f"{number}-{chance.getrandbits(64):x}"
            await write(store, told(name, statement=" ".join(words)), scope)
    await store.erase_scope(ANA)
    await settle_all(store)
    await store.sweep()
    assert files_holding(path, ENGLISH) == []
    await store.close()


async def test_another_process_reads(path: Path) -> None:
    """While another process reads the old state the sweep says so; afterwards it is clean."""
    store = SqliteStore.open(path, FrozenClock())
    await begin(store, secret(1))
    await settle_all(store)
    with another_process_reading(path):
        await store.erase_scope(ANA)
        await settle_all(store)
        assert (await store.sweep()).waiting == (READERS,)
        assert files_holding(path, ENGLISH, CHINESE) != []
    assert (await store.sweep()).waiting == ()
    assert files_holding(path, ENGLISH, CHINESE) == []
    await store.close()


async def erase_and_leave(path: Path) -> GraphStore:
    """Erase a scope while another process reads, so that the files are not clean yet."""
    store = SqliteStore.open(path, FrozenClock())
    await begin(store, secret(1))
    await settle_all(store)
    with another_process_reading(path):
        await store.erase_scope(ANA)
        await settle_all(store)
        assert (await store.sweep()).waiting == (READERS,)
    return store


async def test_close_finishes(path: Path) -> None:
    """Closing finishes what a sweep had to leave."""
    store = await erase_and_leave(path)
    await store.close()
    assert files_holding(path, ENGLISH, CHINESE) == []


def erase_and_die(path: Path) -> None:
    """Erase a scope in a process that ends before it sweeps."""
    script = (
        "import os, sys, anyio\n"
        "from graphmem.adapters.sqlite import SqliteStore\n"
        "from graphmem.testing.builders import ANA, told\n"
        "from graphmem.testing.clock import FrozenClock\n"
        "from graphmem.testing.graph_store.base import begin\n"
        "from graphmem.testing.graph_store.outbox import settle_all\n"
        "async def main():\n"
        "    store = SqliteStore.open(sys.argv[1], FrozenClock())\n"
        "    await begin(store, told('1', statement=sys.argv[2]))\n"
        "    await store.erase_scope(ANA)\n"
        "    await settle_all(store)\n"
        "    os._exit(0)\n"
        "anyio.run(main)\n"
    )
    words = f"{ENGLISH} {CHINESE}"
    subprocess.run([sys.executable, "-c", script, str(path), words], check=True, timeout=60)


async def test_next_open_finishes(path: Path) -> None:
    """If the process ends after an erasure without a sweep, the next open finishes it."""
    erase_and_die(path)
    assert files_holding(path, ENGLISH, CHINESE) != []
    store = SqliteStore.open(path, FrozenClock())
    assert files_holding(path, ENGLISH, CHINESE) == []
    await store.close()


async def test_own_export_reads(path: Path) -> None:
    """An export that is under way keeps the files unclean until it ends."""
    store = SqliteStore.open(path, FrozenClock())
    await begin(store, secret(1))
    rows = store.export(ANA)
    await anext(rows)
    await store.erase_scope(ANA)
    await settle_all(store)
    assert (await store.sweep()).waiting == (READERS,)
    rest = [row async for row in rows]
    assert any(ENGLISH in str(row) for row in rest)
    assert (await store.sweep()).waiting == ()
    assert files_holding(path, ENGLISH, CHINESE) == []
    await store.close()
