"""What was cut off between two steps goes on when the same is sent again."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from graphmem import AsyncMemory, Memory
from graphmem.adapters.sqlite.store import SqliteStore
from graphmem.errors import StoreUnavailableError
from graphmem.extraction.patterns import PatternExtractor
from graphmem.model.draft import Batch, Extraction
from graphmem.model.rows import Row
from graphmem.model.scope import Scope
from graphmem.testing.embedders import HashEmbedder
from graphmem.usecases import transfer
from tests.services.deployments import a_memory, opening

TURNS = [
    {"content": "I live in Riga.", "id": "m1"},
    {"role": "assistant", "content": "Which tea do you like?", "id": "m2"},
    {"content": "我喜欢绿茶。", "id": "m3"},
]


class Waiting:
    """An extractor that reads only once it may go on."""

    identity = "waiting"

    def __init__(self) -> None:
        self.asked = 0
        self.at_it = asyncio.Event()
        self.go_on = asyncio.Event()

    async def extract(self, batch: Batch) -> Extraction:
        self.asked += 1
        self.at_it.set()
        await self.go_on.wait()
        return await PatternExtractor().extract(batch)


@pytest.mark.usefixtures("stores")
def test_turns_that_were_stored_and_not_read_are_read_when_sent_again(tmp_path: Path) -> None:
    """Who never got a receipt sends again, and gets one that says what was read."""

    async def cut_off() -> None:
        extractor = Waiting()
        async with AsyncMemory(**opening(tmp_path, extractor=extractor, embedder="none")) as memory:
            task = asyncio.create_task(memory.add(TURNS, user="ana", session="s"))
            await extractor.at_it.wait()
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    asyncio.run(cut_off())
    with a_memory(tmp_path, embedder="none") as memory:
        assert memory.facts(user="ana").total == 0
        receipt = memory.add(TURNS, user="ana", session="s")
        assert [turn.state.value for turn in receipt.turns] == ["duplicate"] * 3
        assert [turn.reason for turn in receipt.turns if turn.reason] == [
            "it was stored before, and is read only now"
        ] * 2
        assert {fact.predicate for fact in receipt.added} == {"lives_in", "likes"}
        again = memory.add(TURNS, user="ana", session="s")
        assert not again.outcomes
        assert not any(turn.reason for turn in again.turns)


@pytest.mark.usefixtures("stores")
def test_turns_that_another_call_is_reading_are_left_to_it(tmp_path: Path) -> None:
    """Sent twice at once, a turn is read once."""

    async def both() -> int:
        extractor = Waiting()
        async with AsyncMemory(**opening(tmp_path, extractor=extractor, embedder="none")) as memory:
            first = asyncio.create_task(memory.add(TURNS, user="ana", session="s"))
            await extractor.at_it.wait()
            second = await memory.add(TURNS, user="ana", session="s")
            assert {turn.state.value for turn in second.turns} == {"duplicate"}
            extractor.go_on.set()
            assert len((await first).added) == 2
        return extractor.asked

    assert asyncio.run(both()) == 1


def _exported(folder: Path) -> Path:
    with Memory(folder / "one", embedder=HashEmbedder()) as one:
        for user in ("ana", "bo"):
            one.add(["I live in Riga.", "我喜欢绿茶。"], user=user)
        one.export(folder / "all.jsonl")
    return folder / "all.jsonl"


@pytest.mark.parametrize("step", [0, 1, 2, 4, 6, 7])
def test_an_import_cut_off_at_any_step_says_so_and_is_finished_by_another(
    step: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever write was the last, the same file may be imported again until it is whole."""
    file = _exported(tmp_path)
    monkeypatch.setattr(transfer, "_BATCH", 12)
    left = [step]

    def count() -> None:
        if left[0] == 0:
            raise StoreUnavailableError("the power went, as the test wants it")
        left[0] -= 1

    load, set_meta = SqliteStore.load, SqliteStore.set_meta

    async def counted_load(self: SqliteStore, scope: Scope, rows: Sequence[Row]) -> int:
        count()
        return await load(self, scope, rows)

    async def counted_mark(self: SqliteStore, key: str, value: str) -> None:
        if key.startswith("importing:"):
            count()
        await set_meta(self, key, value)

    with Memory(tmp_path / "two", embedder=HashEmbedder()) as two, monkeypatch.context() as patch:
        two.verify()
        patch.setattr(SqliteStore, "load", counted_load)
        patch.setattr(SqliteStore, "set_meta", counted_mark)
        with pytest.raises(StoreUnavailableError, match="the power went"):
            two.import_(file)
    with Memory(tmp_path / "two", embedder=HashEmbedder()) as two:
        begun = two.facts(user="ana").total + two.facts(user="bo").total
        if begun:
            assert any("import the same file again" in one for one in two.verify().findings)
            assert not two.doctor().well
        two.import_(file)
        again = tmp_path / "again.jsonl"
        two.export(again)
        assert again.read_bytes() == file.read_bytes()
        assert two.verify().clean


def test_an_erased_user_is_no_longer_a_part_of_an_import(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the erase nothing says that a part is missing, and a new memory is not written over."""
    file = _exported(tmp_path)
    monkeypatch.setattr(transfer, "_BATCH", 3)
    load = SqliteStore.load
    loaded = [0]

    async def breaks(self: SqliteStore, scope: Scope, rows: Sequence[Row]) -> int:
        loaded[0] += 1
        if loaded[0] == 3:
            raise StoreUnavailableError("the power went, as the test wants it")
        return await load(self, scope, rows)

    with Memory(tmp_path / "two", embedder=HashEmbedder()) as two:
        with monkeypatch.context() as patch:
            patch.setattr(SqliteStore, "load", breaks)
            with pytest.raises(StoreUnavailableError):
                two.import_(file)
        assert two.verify().findings
        two.erase(user="ana")
        two.add("I live in Oslo.", user="ana")
        assert two.verify().findings == ()
        with pytest.raises(transfer.TransferError, match="already"):
            two.import_(file)
