"""What a power cut leaves: files without what was not yet on the disk.

The disk has what was synced before, and any part of what came after; so the log is cut at borders
of its frames and anywhere between.
"""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from graphmem import Memory
from graphmem.settings import Settings
from tests.crashes.places import GRAPH, copied, opened

LOG = f"{GRAPH}-wal"
HEADER, FRAME = 32, 24 + 4096
TURNS = 6


@pytest.fixture(scope="module")
def moments(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[int]]:
    """Return the files of a running memory, and how long the log was at each acknowledgement."""
    folder = tmp_path_factory.mktemp("running")
    memory = opened(folder / "memory")
    lengths: list[int] = []
    for n in range(TURNS):
        memory.add({"content": f"I visited Town{n}.", "id": f"m{n}"}, user="ana")
        lengths.append((folder / "memory" / LOG).stat().st_size)
    copied(folder / "memory", folder / "copy")
    memory.close()
    return folder / "copy", lengths


def _cut(source: Path, target: Path, length: int, garbage: bytes = b"") -> Path:
    copied(source, target)
    (target / f"{GRAPH}-shm").unlink(missing_ok=True)
    with (target / LOG).open("r+b") as log:
        log.truncate(length)
        log.seek(0, 2)
        log.write(garbage)
    return target


def _towns(memory: Memory) -> list[str]:
    facts = memory.facts(user="ana", predicate="visited").items
    return sorted(fact.object.text for fact in facts if fact.object)


@pytest.mark.parametrize("garbage", [b"", b"\xa5" * 700], ids=["cut", "torn"])
@pytest.mark.parametrize("part", [0.0, 0.37, 1.0])
def test_what_was_synced_is_there_and_the_rest_is_there_whole_or_not_at_all(
    part: float, garbage: bytes, moments: tuple[Path, list[int]], tmp_path: Path
) -> None:
    """Every acknowledged turn before the cut; verify names what the index has too much."""
    source, lengths = moments
    length = lengths[0] + int(part * (lengths[-1] - lengths[0]))
    synced = sum(end <= length for end in lengths)
    with opened(_cut(source, tmp_path / "cut", length, garbage)) as memory:
        towns = _towns(memory)
        assert towns == [f"Town{n}" for n in range(len(towns))]
        assert synced <= len(towns) <= synced + 1
        report = memory.verify()
        assert report.findings == ()
        # The last turn's rows of the outbox go with the next write; applied, they may wait there.
        assert replace(report, backlog=0).clean is (part == 1.0)
        assert memory.repair().clean
        for n in range(TURNS):
            memory.add({"content": f"I visited Town{n}.", "id": f"m{n}"}, user="ana")
        assert _towns(memory) == [f"Town{n}" for n in range(TURNS)]
        assert memory.verify().clean


def test_a_log_cut_at_any_border_of_a_frame_opens(
    moments: tuple[Path, list[int]], tmp_path: Path
) -> None:
    """A commit is there if its last frame is; nothing in between is ever seen."""
    source, lengths = moments
    shutil.copytree(source, tmp_path / "bare", ignore=shutil.ignore_patterns("index"))
    seen: list[int] = []
    borders = range(lengths[0], lengths[-1] + 1, FRAME)
    assert (lengths[0] - HEADER) % FRAME == 0
    for place, length in enumerate(borders[:: max(1, len(borders) // 12)]):
        folder = _cut(tmp_path / "bare", tmp_path / str(place), length)
        with Memory(folder, embedder="none") as memory:
            towns = _towns(memory)
            assert len(towns) >= sum(end <= length for end in lengths)
            assert memory.verify().findings == ()
            seen.append(len(towns))
    assert seen == sorted(seen)


@pytest.mark.parametrize(("durability", "level"), [("full", 2), ("normal", 1)])
def test_the_setting_says_whether_a_commit_waits_for_the_disk(
    durability: str, level: int, tmp_path: Path
) -> None:
    """What docs/durability.md promises of each hangs on this."""
    settings = Settings.load({}, path=tmp_path, durability=durability, embedder="none")
    with Memory(settings=settings) as memory:
        memory.add("I live in Riga.", user="ana")
        store = memory._memory._parts.services.store  # pyright: ignore[reportPrivateUsage]
        with getattr(store, "database").alone() as connection:  # noqa: B009 - not in the port
            assert connection.execute("PRAGMA synchronous").fetchone()[0] == level
