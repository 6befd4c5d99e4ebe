"""An index folder that is damaged, gone, or another's: reads go on, and it is mended or rebuilt."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from graphmem.entrypoints.cli.app import run
from tests.crashes.places import copied, furnished, opened


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole") / "memory"
    furnished(folder)
    return folder


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    return copied(whole, tmp_path / "memory")


def _files(index: Path, name: str) -> list[Path]:
    return [path for path in sorted(index.glob("shard-*/**/*")) if path.match(name)]


def _garbage(name: str) -> Callable[[Path], None]:
    def harm(index: Path) -> None:
        files = _files(index, name)
        assert files
        for file in files:
            length = min(file.stat().st_size, 4096)
            with file.open("r+b") as opened_file:
                opened_file.write(b"\xa5" * length)

    return harm


def _halved(name: str) -> Callable[[Path], None]:
    def harm(index: Path) -> None:
        for file in _files(index, name):
            with file.open("r+b") as opened_file:
                opened_file.truncate(file.stat().st_size // 2)

    return harm


def _gone(name: str) -> Callable[[Path], None]:
    def harm(index: Path) -> None:
        for file in _files(index, name):
            file.unlink()

    return harm


def _rewritten(**values: object) -> Callable[[Path], None]:
    def harm(index: Path) -> None:
        file = index / "current.json"
        file.write_text(json.dumps({**json.loads(file.read_text()), **values}))

    return harm


def _garbled(index: Path) -> None:
    (index / "current.json").write_bytes(b"\xff\x00")


def _file_in_its_place(index: Path) -> None:
    shutil.rmtree(index)
    index.write_text("in the way")


def _of_another_memory(index: Path) -> None:
    shutil.rmtree(index)
    with opened(index.parent.parent / "other") as other:
        other.add("I live in Cesis.", user="bo")
    shutil.move(index.parent.parent / "other" / "index", index)


def _no_shard(index: Path) -> None:
    for shard in index.glob("shard-*"):
        shutil.rmtree(shard)


DAMAGE: dict[str, tuple[Callable[[Path], None], str]] = {
    "current.json is garbage": (_garbled, "reindex"),
    "current.json is another thing": (_rewritten(size="many"), "reindex"),
    "the shard is gone": (_no_shard, "reindex"),
    "the configuration is garbage": (_garbage("edge_config.json"), "reindex"),
    "where points lie is garbage": (_garbage("tracker.dat"), "reindex"),
    "which points there are is garbage": (_garbage("*.mappings"), "reindex"),
    "another version": (_rewritten(version=99), "reindex"),
    "another embedder": (_rewritten(embedder="another"), "reindex"),
    "a file in its place": (_file_in_its_place, "move it away"),
    "current.json is gone": (lambda index: (index / "current.json").unlink(), ""),
    "points are cut off": (_halved("*.mappings"), ""),
    "points are gone": (_gone("*.versions"), ""),
    "another memory's": (_of_another_memory, ""),
}
"""What was done to it, and what is said; nothing where it is taken as it is, and mended."""


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_index_hides_nothing_and_can_be_mended(damage: str, folder: Path) -> None:
    """A search answers and says what is missing; repair or what is named makes it whole again."""
    harm, way_out = DAMAGE[damage]
    harm(folder / "index")
    with opened(folder) as memory:
        found = memory.search("What am I allergic to?", user="ana")
        assert "mango" in found.hits[0].text
        assert way_out in " ".join(found.notes)
        memory.add("I like green tea.", user="ana")
        assert bool(memory.verify().notes) is bool(way_out)
        assert memory.repair().clean is not bool(way_out)
        if way_out == "move it away":
            (folder / "index").unlink()
            memory.search("tea", user="ana")
        elif way_out:
            memory.reindex()
        assert memory.verify().clean
        assert "tea" in memory.search("Which tea do I like?", user="ana").hits[0].text


@pytest.mark.parametrize(
    "damage", ["where points lie is garbage", "another version", "a file in its place"]
)
def test_the_command_line_says_what_to_do(
    damage: str,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No traceback, no success, and the way out."""
    monkeypatch.setenv("GRAPHMEM_EMBEDDER", "none")
    harm, way_out = DAMAGE[damage]
    harm(folder / "index")
    for command in ("doctor", "verify", "repair"):
        assert run([command, "--path", str(folder)]) == 1
        shown = capsys.readouterr()
        assert "Traceback" not in shown.err
        assert way_out in " ".join(shown.out.split())


def test_an_index_of_an_earlier_day_is_mended(folder: Path, tmp_path: Path) -> None:
    """Put back from a backup beside a later graph, it lacks what came since, and has what went."""
    copied(folder / "index", tmp_path / "earlier")
    with opened(folder) as memory:
        memory.add("I like green tea.", user="ana")
        mango = memory.facts(user="ana", predicate="allergic_to").items[0]
        memory.erase(user="ana", fact=mango.id)
    shutil.rmtree(folder / "index")
    shutil.move(tmp_path / "earlier", folder / "index")
    with opened(folder) as memory:
        report = memory.verify()
        assert report.extra
        assert any(scope.faults for scope in report.scopes)
        assert not [hit for hit in memory.search("mango", user="ana").hits if "mango" in hit.text]
        assert memory.repair().clean


def test_vectors_of_another_size_are_not_compared(folder: Path) -> None:
    """The model was changed behind the same folder: keywords and graph go on, reindex changes."""
    with opened(folder, size=32) as memory:
        found = memory.search("What am I allergic to?", user="ana")
        assert "mango" in found.hits[0].text
        assert "reindex" in " ".join(found.notes)
        memory.add("I like green tea.", user="ana")
        memory.reindex()
        assert memory.verify().clean
    with opened(folder) as memory:
        assert "reindex" in " ".join(memory.verify().notes)
