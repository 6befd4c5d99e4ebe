"""A disk that is full, and folders that may not be written: said with the way out, nothing lost."""

from __future__ import annotations

import json
import stat
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.crashes.places import GRAPH, copied, furnished, in_child, opened, without_rights


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole") / "memory"
    furnished(folder)
    return folder


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    return copied(whole, tmp_path / "memory")


@contextmanager
def read_only(folder: Path) -> Generator[None]:
    """Take the right to write a folder, and all in it, from everybody."""
    paths = [folder, *folder.rglob("*")]
    before = {path: stat.S_IMODE(path.stat().st_mode) for path in paths}
    for path in reversed(paths):
        path.chmod(before[path] & 0o555)
    try:
        yield
    finally:
        for path in paths:
            path.chmod(before[path])


USE = """
import json, sys
from graphmem.errors import GraphmemError
from tests.crashes.places import opened
from pathlib import Path
told = {}
try:
    with opened(Path(sys.argv[1])) as memory:
        told["hits"] = [hit.text for hit in memory.search("allergic", user="ana").hits]
        told["notes"] = memory.search("allergic", user="ana").notes
        told["added"] = len(memory.add("I like tea.", user="ana").added)
except GraphmemError as error:
    told["error"] = [type(error).__name__, str(error)]
print(json.dumps(told))
"""
COMMAND = """
import os, sys
os.environ["GRAPHMEM_EMBEDDER"] = "none"
from graphmem.entrypoints.cli import main
sys.argv = ["graphmem", *sys.argv[1:]]
main()
"""


def test_a_folder_that_may_not_be_written_is_named_with_the_way_out(folder: Path) -> None:
    """Nothing is read from a store that cannot be locked; who asks is told why."""
    with read_only(folder):
        ran = without_rights(USE, folder)
        kind, words = json.loads(ran.stdout)["error"]
        assert (kind, ran.returncode) == ("StoreUnavailableError", 0), ran.stderr
        assert str(folder / GRAPH) in words
        assert "permissions" in words
        ran = without_rights(COMMAND, "doctor", "--path", folder)
        assert (ran.returncode, ran.stdout) == (4, ""), ran
        assert "permissions" in ran.stderr
        assert len(ran.stderr.strip().splitlines()) == 1
    with opened(folder) as memory:
        assert memory.verify().clean


def test_a_graph_file_that_may_not_be_written_is_named(folder: Path) -> None:
    """Its folder may be written, the file may not."""
    (folder / GRAPH).chmod(0o400)
    kind, words = json.loads(without_rights(USE, folder).stdout)["error"]
    assert kind == "StoreUnavailableError"
    assert "permissions" in words


def test_a_place_where_no_folder_can_be_made_is_named(tmp_path: Path) -> None:
    """The first use of a memory says what is in its way."""
    with read_only(tmp_path):
        ran = without_rights(USE, tmp_path / "memory")
    kind, words = json.loads(ran.stdout)["error"]
    assert kind == "StoreUnavailableError"
    assert str(tmp_path / "memory") in words


def test_an_index_that_may_not_be_written_is_left_aside(folder: Path) -> None:
    """Writes and reads go on by keyword, and say what is missing; later it catches up."""
    with read_only(folder / "index"):
        told = json.loads(without_rights(USE, folder).stdout)
    assert "mango" in told["hits"][0]
    assert told["added"] == 1
    assert "may not write" in " ".join(told["notes"])
    with opened(folder) as memory:
        assert memory.search("tea", user="ana").hits
        assert memory.verify().clean


FULL = """
import resource, sys
from pathlib import Path
from graphmem import Memory
from graphmem.errors import StoreUnavailableError
from graphmem.testing.embedders import HashEmbedder
memory = Memory(sys.argv[1], embedder=sys.argv[2] if sys.argv[2] == "none" else HashEmbedder())
memory.facts(user="ana")
whole = resource.RLIM_INFINITY
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]), whole))
for n in range(60):
    try:
        turn = {"content": f"I visited Town{n}. " + "x" * 3000, "id": f"m{n}"}
        print(n, "note" if memory.add(turn, user="ana").notes else "", flush=True)
    except StoreUnavailableError as error:
        print("full", error, flush=True)
        break
resource.setrlimit(resource.RLIMIT_FSIZE, (whole, whole))
print("after", len(memory.add("I collect maps.", user="ana").added), flush=True)
memory.close()
"""


def test_a_full_disk_refuses_what_does_not_fit_and_keeps_the_rest(tmp_path: Path) -> None:
    """What was acknowledged is there; once there is room the same process goes on."""
    ran = in_child(FULL, tmp_path / "memory", "none", str(2**20))
    lines = ran.stdout.splitlines()
    full = [line for line in lines if line.startswith("full")]
    assert len(full) == 1, ran
    assert str(tmp_path / "memory" / GRAPH) in full[0]
    assert "disk" in full[0]
    assert lines[-1] == "after 1"
    stored = [int(line.split()[0]) for line in lines if line[0].isdigit()]
    with opened(tmp_path / "memory") as memory:
        towns = memory.facts(user="ana", predicate="visited", limit=500).items
        told = {fact.object.text for fact in towns if fact.object}
        assert {f"Town{n}" for n in stored} <= told <= {f"Town{n}" for n in range(len(stored) + 1)}
        assert memory.repair().clean


def test_the_graph_goes_on_where_the_index_finds_no_room(tmp_path: Path) -> None:
    """A write that only the index could not take is stored, and says so."""
    ran = in_child(FULL, tmp_path / "memory", "hash", str(8 * 2**20))
    assert "Traceback" not in ran.stderr, ran.stderr
    lines = ran.stdout.splitlines()
    assert lines[0] == "0 note"
    with opened(tmp_path / "memory") as memory:
        assert memory.repair().clean
        assert memory.search("maps", user="ana").hits
