"""What an index in a folder promises beyond the contract: locks, crashes, damage, erasing."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import threading
from dataclasses import fields
from pathlib import Path

import anyio
import pytest

from graphmem.adapters.qdrant.edge import EdgeIndex
from graphmem.adapters.qdrant.fields import INTEGERS, KEYWORDS
from graphmem.adapters.qdrant.shard import Shard
from graphmem.errors import IndexUnavailableError
from graphmem.ports.vector_index import IndexInfo, PointFilter
from graphmem.testing.embedders import HashEmbedder
from graphmem.testing.points import EAST, SIZE, a_point, a_ref, everything, ids

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "index"


def an_index(folder: Path) -> EdgeIndex:
    return EdgeIndex(folder, HashEmbedder(SIZE))


async def filled(folder: Path, *names: str) -> None:
    index = an_index(folder)
    await index.upsert([a_point(name) for name in names])
    await index.close()


async def found(folder: Path) -> list[str]:
    index = an_index(folder)
    try:
        return ids(await index.dense(EAST, everything(), 9))
    finally:
        await index.close()


def shards(folder: Path) -> list[str]:
    return [path.name for path in folder.glob("shard-*")]


def holding(folder: Path, words: str) -> list[Path]:
    """Return the files in which the words are."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [path for path in files if words.encode() in path.read_bytes()]


def damage(folder: Path, name: str) -> None:
    (file,) = folder.rglob(name)
    file.write_bytes(b"{\0")


ANOTHER = """
import asyncio, sys
from graphmem.adapters.qdrant.edge import EdgeIndex
from graphmem.testing.embedders import HashEmbedder
from graphmem.testing.points import SIZE, a_point

async def main():
    index = EdgeIndex(sys.argv[1], HashEmbedder(SIZE))
    await index.upsert([a_point("theirs")])
    print("ready", flush=True)
    while "compacting" in sys.argv:
        await index.compact()
    sys.stdin.readline()

asyncio.run(main())
"""


class Another:
    """Another process that holds the index, until it is killed."""

    def __init__(self, folder: Path, *orders: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", ANOTHER, str(folder), *orders],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "ready\n"

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()


def test_every_filtered_field_has_an_index(folder: Path) -> None:
    """A field that is filtered is indexed when the shard is made."""
    shard = Shard.create(folder, SIZE)
    assert shard.indexed_fields == {*KEYWORDS, *INTEGERS}
    shard.close()


def test_every_part_of_a_filter_is_a_field_with_an_index() -> None:
    """A new part of a filter needs its index."""
    behind = {
        "kinds": {"kind"},
        "valid": {"reads_from", "reads_until"},
        "upcoming": {"modality"},
        "uncertain": {"may_from"},
        "known_at": {"created_at", "expired_at"},
        "statuses": {"status"},
        "predicates": {"predicate"},
    }
    for part in fields(PointFilter):
        assert behind.get(part.name, {part.name}) <= {*KEYWORDS, *INTEGERS}


async def test_objects_on_one_folder_share_it(folder: Path) -> None:
    """Several memories of one process use one folder, by whatever path."""
    first, second = an_index(folder), an_index(folder.parent / "." / "index")
    await first.upsert([a_point("r1")])
    await first.close()
    assert ids(await second.dense(EAST, everything(), 5)) == ["r1"]
    await second.close()


async def test_a_closed_index_says_so(folder: Path) -> None:
    """A call after the end names it."""
    index = an_index(folder)
    await index.count()
    await index.close()
    with pytest.raises(IndexUnavailableError, match="closed"):
        await index.count()


def test_one_index_serves_several_loops_and_threads(folder: Path) -> None:
    """Nothing is bound to the loop of the first call."""
    index = an_index(folder)

    def write(number: int) -> None:
        async def main() -> None:
            await index.upsert([a_point(f"r{number}")])

        anyio.run(main)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert anyio.run(index.count) == 5
    anyio.run(index.close)


async def test_a_folder_held_by_another_process_is_taken_over_when_that_is_gone(
    folder: Path,
) -> None:
    """A second process says why it cannot, and goes on once the first was killed."""
    other = Another(folder)
    index = an_index(folder)
    try:
        with pytest.raises(IndexUnavailableError, match="held by another process"):
            await index.upsert([a_point("ours")])
    finally:
        other.kill()
    await index.upsert([a_point("ours")])
    assert ids(await index.dense(EAST, everything(), 5)) == ["ours", "theirs"]
    await index.close()


def test_a_forked_child_is_told_and_does_not_hang(folder: Path) -> None:
    """The parent's index is not used in a child, and still works in the parent."""
    code = """
import asyncio, os, sys, warnings
warnings.simplefilter("ignore")
from graphmem.adapters.qdrant.edge import EdgeIndex
from graphmem.errors import IndexUnavailableError
from graphmem.testing.embedders import HashEmbedder
index = EdgeIndex(sys.argv[1], HashEmbedder(4))
asyncio.run(index.count())
child = os.fork()
if child == 0:
    try:
        asyncio.run(index.count())
    except IndexUnavailableError as error:
        asyncio.run(index.close())
        os._exit(0 if "fork" in str(error) else 2)
    os._exit(3)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), asyncio.run(index.count()))
asyncio.run(index.close())
"""
    run = subprocess.run(
        [sys.executable, "-c", code, str(folder)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (run.stdout, run.stderr) == ("0 0\n", "")


@pytest.mark.parametrize("damaged", ["current.json", "edge_config.json", "segment.json"])
async def test_a_damaged_folder_names_reindex_and_can_be_rebuilt(
    folder: Path, damaged: str
) -> None:
    """Damage is an error of ours with a way out, and the way works."""
    await filled(folder, "r1")
    damage(folder, damaged)
    index = an_index(folder)
    with pytest.raises(IndexUnavailableError, match="reindex"):
        await index.count()
    beside = await index.beside(IndexInfo(HashEmbedder(SIZE).identity, SIZE))
    await beside.upsert([a_point("r2")])
    await index.switch()
    assert ids(await index.dense(EAST, everything(), 5)) == ["r2"]
    await index.close()
    assert len(shards(folder)) == 1
    assert await found(folder) == ["r2"]


async def test_a_folder_of_another_version_names_reindex(folder: Path) -> None:
    """What another graphmem wrote is not read with the wrong eyes."""
    await filled(folder, "r1")
    current = folder / "current.json"
    current.write_text(json.dumps({**json.loads(current.read_text()), "version": 99}))
    with pytest.raises(IndexUnavailableError, match=r"version 99.*reindex"):
        await found(folder)


async def test_what_was_built_beside_and_cut_off_is_dropped(folder: Path) -> None:
    """A crash before the switch leaves the index as it was."""
    await filled(folder, "r1")
    shutil.copytree(folder / "shard-1", folder / "shard-7")
    assert await found(folder) == ["r1"]
    assert shards(folder) == ["shard-1"]


async def test_a_creation_that_was_cut_off_is_begun_anew(folder: Path) -> None:
    """A shard that nothing points to does not count."""
    await filled(folder, "r1")
    (folder / "current.json").unlink()
    assert await found(folder) == []


async def test_closing_drops_what_was_being_built(folder: Path) -> None:
    """An index beside that was never switched to leaves no files."""
    await filled(folder, "r1")
    index = an_index(folder)
    await index.beside(await index.info())
    await index.close()
    assert len(shards(folder)) == 1


async def test_nothing_removed_is_left_in_any_file_after_compacting(folder: Path) -> None:
    """The bytes of what was erased are gone from the folder."""
    words = "0123456789abcdef-erased"
    index = an_index(folder)
    await index.upsert([a_point(words, sessions=(words,)), a_point("r2")])
    await index.remove([a_ref(words)])
    assert holding(folder, words)
    assert await index.compact()
    assert not holding(folder, words)
    assert ids(await index.dense(EAST, everything(), 5)) == ["r2"]
    await index.close()


async def test_without_an_embedder_an_index_is_used_as_it_is_and_none_is_made(
    folder: Path,
) -> None:
    """Keywords work in an index whose embedder is away."""
    index = EdgeIndex(folder, None)
    with pytest.raises(IndexUnavailableError, match="embedder"):
        await index.count()
    await filled(folder, "r1")
    assert ids(await index.sparse({1: 1.0}, everything(), 5)) == ["r1"]
    await index.close()


async def test_an_embedder_that_is_down_delays_the_making_of_an_index(folder: Path) -> None:
    """The index is made once the embedder says its size."""
    embedder = HashEmbedder(SIZE)
    embedder.down = True
    index = EdgeIndex(folder, embedder)
    with pytest.raises(IndexUnavailableError, match="before the embedder answers"):
        await index.count()
    embedder.down = False
    assert await index.count() == 0
    await index.close()


async def test_a_folder_that_cannot_be_written_is_an_error_of_ours(tmp_path: Path) -> None:
    """A file where the folder should be is said, not thrown as it comes."""
    (tmp_path / "index").write_text("in the way")
    with pytest.raises(IndexUnavailableError, match="cannot be opened"):
        await an_index(tmp_path / "index").count()


async def test_a_killed_process_loses_nothing(folder: Path) -> None:
    """What was written and never flushed is there afterwards."""
    Another(folder).kill()
    assert await found(folder) == ["theirs"]


@pytest.mark.parametrize("seconds", [0.05, 0.4, 1.0])
async def test_a_process_killed_while_compacting_loses_nothing(
    folder: Path, seconds: float
) -> None:
    """Whenever it ends, one whole index is there and can be compacted."""
    other = Another(folder, "compacting")
    await anyio.sleep(seconds)
    other.kill()
    index = an_index(folder)
    assert ids(await index.dense(EAST, everything(), 9)) == ["theirs"]
    assert await index.compact()
    assert len(shards(folder)) == 1
    await index.close()


async def test_a_full_disk_keeps_the_index_away(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The engine is not let near a full disk, where it would end the process; reads go on."""
    await filled(folder, "a")
    index = an_index(folder)
    assert await index.count() == 1
    monkeypatch.setattr("graphmem.adapters.qdrant.folder.ROOM", 2**80)
    with pytest.raises(IndexUnavailableError, match="make room"):
        await index.upsert([a_point("b")])
    assert ids(await index.dense(EAST, everything(), 9)) == ["a"]
    await index.close()
    with pytest.raises(IndexUnavailableError, match="make room"):
        await found(folder)
    monkeypatch.undo()
    assert await found(folder) == ["a"]
