"""A graph file that is damaged, gone, or of another time: a clear error, never silence."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from graphmem import Memory
from graphmem.entrypoints.cli.app import run
from graphmem.errors import GraphmemError, SchemaVersionError, StoreCorruptError
from tests.crashes.places import GRAPH, copied, furnished, opened

PAGE = 4096


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole") / "memory"
    furnished(folder)
    return folder


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    return copied(whole, tmp_path / "memory")


def _overwrite(file: Path, at: int, length: int) -> None:
    with file.open("r+b") as opened_file:
        opened_file.seek(at)
        opened_file.write(b"\xa5" * length)


def _execute(file: Path, statement: str) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute(statement)


def _garbage_header(file: Path) -> None:
    _overwrite(file, 0, 100)


def _first_page(file: Path) -> None:
    _overwrite(file, 100, PAGE - 100)


def _pages(file: Path) -> None:
    for start in range(2 * PAGE, file.stat().st_size, PAGE):
        _overwrite(file, start, 64)


def _half(file: Path) -> None:
    content = file.read_bytes()
    file.write_bytes(content[: len(content) // 2])


def _ragged(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: -PAGE - 1000])


def _another_program(file: Path) -> None:
    file.unlink()
    _execute(file, "CREATE TABLE theirs (a)")


def _newer(file: Path) -> None:
    _execute(file, "PRAGMA user_version = 99")


def _empty(file: Path) -> None:
    file.write_bytes(b"")


def _folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


DAMAGE: dict[str, tuple[Callable[[Path], None], str]] = {
    "garbage for a header": (_garbage_header, "restore it from an export or a backup"),
    "a garbled first page": (_first_page, "restore it from an export or a backup"),
    "garbled pages": (_pages, "restore it from an export or a backup"),
    "half of it": (_half, "restore it from an export or a backup"),
    "its last pages cut off": (_ragged, "restore it from an export or a backup"),
    "another program's file": (_another_program, "choose another path"),
    "a newer schema": (_newer, "upgrade graphmem"),
    "an empty file": (_empty, "from a backup"),
    "no file": (Path.unlink, "from a backup"),
    "a folder": (_folder, "cannot be opened"),
}


def _use(folder: Path) -> None:
    with opened(folder) as memory:
        memory.facts(user="ana", include_ended=True)
        memory.export(folder.parent / "all.jsonl")
        memory.search("Where do I live?", user="ana")
        memory.add("I like tea.", user="ana")


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_store_is_refused_by_name_with_the_way_out(damage: str, folder: Path) -> None:
    """Whoever opens it and reads it all is told which file it is and what to do."""
    harm, way_out = DAMAGE[damage]
    harm(folder / GRAPH)
    with pytest.raises(GraphmemError, match=way_out) as caught:
        _use(folder)
    assert GRAPH in str(caught.value)


@pytest.mark.parametrize(
    "damage", ["garbage for a header", "garbled pages", "a newer schema", "no file"]
)
def test_the_command_line_says_so_on_one_line(
    damage: str,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No traceback, no success."""
    monkeypatch.setenv("GRAPHMEM_EMBEDDER", "none")
    DAMAGE[damage][0](folder / GRAPH)
    for command in ("doctor", "verify", "repair"):
        _said(damage, run([command, "--path", str(folder)]), capsys)


def _said(damage: str, code: int, capsys: pytest.CaptureFixture[str]) -> None:
    shown = capsys.readouterr()
    assert code in (1, 4)
    assert "Traceback" not in shown.err
    if code == 4:
        assert GRAPH in shown.err
        assert DAMAGE[damage][1] in shown.err
        assert len(shown.err.strip().splitlines()) == 1
    else:
        assert "damaged" in shown.out


def test_a_flipped_bit_that_no_read_meets_is_found_by_verify(folder: Path) -> None:
    """What happens not to be read is found by looking at everything."""
    file = folder / GRAPH
    with closing(sqlite3.connect(file)) as connection:
        (page,) = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'successors_by_successor'"
        ).fetchone()
    _overwrite(file, (page - 1) * PAGE, 8)
    with opened(folder) as memory:
        assert memory.facts(user="ana").total
        try:
            told = " ".join(memory.verify().findings)
        except StoreCorruptError as error:
            told = str(error)
        assert "damaged" in told


def test_a_refused_store_is_left_as_it_was(folder: Path) -> None:
    """A newer graphmem can still open it."""
    _newer(folder / GRAPH)
    before = (folder / GRAPH).read_bytes()
    with pytest.raises(SchemaVersionError):
        opened(folder)
    assert (folder / GRAPH).read_bytes() == before
    assert not [p for p in folder.iterdir() if p.name.startswith(GRAPH) and p.name != GRAPH]


def test_an_empty_file_without_an_index_is_a_new_memory(tmp_path: Path) -> None:
    """Nothing says that anything was lost: somebody made the file beforehand."""
    (tmp_path / GRAPH).touch()
    with opened(tmp_path) as memory:
        memory.add("I live in Riga.", user="ana")
        assert memory.facts(user="ana").total == 1


@pytest.mark.parametrize("state", ["empty", "missing"])
def test_a_lost_file_beside_its_log_is_damage(state: str, tmp_path: Path) -> None:
    """What is in the log would be dropped without a word."""
    with Memory(tmp_path / "one", embedder="none") as memory:
        memory.add("I live in Riga.", user="ana")
        folder = copied(tmp_path / "one", tmp_path / "two")
    if state == "empty":
        (folder / GRAPH).write_bytes(b"")
    else:
        (folder / GRAPH).unlink()
    with pytest.raises(StoreCorruptError, match="from a backup"):
        Memory(folder, embedder="none")
    assert (folder / f"{GRAPH}-wal").stat().st_size
