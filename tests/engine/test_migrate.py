"""Migrating: everything into another memory, in one call that may be cut off anywhere."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from graphmem import Memory
from graphmem.errors import RefusedError, TransferError
from graphmem.ports.embedder import Vector
from graphmem.testing.clock import FrozenClock
from graphmem.testing.embedders import HashEmbedder
from tests.engine.conftest import Make
from tests.engine.kit import bytes_under, values

CHILD = """
import os, signal, sys
from graphmem import Memory
from graphmem.testing.embedders import HashEmbedder
from graphmem.usecases import migrate

migrate.BATCH = migrate.STEP = 3

def tell(done, total):
    if done >= total * float(sys.argv[3]):
        os.kill(os.getpid(), signal.SIGKILL)

Memory(sys.argv[1], embedder=HashEmbedder()).migrate(sys.argv[2], progress=tell)
"""


class CutOffError(Exception):
    """Ends a migration on the way."""


class Counting(HashEmbedder):
    """Counts what it embeds."""

    made = 0

    async def documents(self, texts: Sequence[str]) -> list[Vector]:
        self.made += len(texts)
        return await super().documents(texts)


def lived(make: Make) -> Memory:
    """Return a memory of two users with something ended, retracted and merged."""
    mem = make("one")
    mem.add(["I live in Hangzhou and I'm allergic to mango.", "I've moved to Lisbon."], user="ana")
    mem.add("My sister Tilda lives in Cork.", user="ana", session="s1")
    gone = mem.add_fact("me", "likes", "opera", user="ana").facts[0]
    mem.retract(gone.id, user="ana", reason="a joke")
    mem.add_fact("me", "lives_in", "Riga", user="bob", tenant="other")
    return mem


def exported(mem: Memory, file: Path) -> bytes:
    """Return a whole memory as a file."""
    mem.export(file)
    return file.read_bytes()


def test_another_memory_is_the_same(make: Make, tmp_path: Path) -> None:
    """Rows, answers and index are those of the first, which is as it was, to the byte."""
    one = lived(make)
    one.search("where?", user="ana")
    before = exported(one, tmp_path / "before")
    done = one.migrate(tmp_path / "two")
    two = make("two")
    assert (done.scopes, done.new, done.notes) == (2, done.rows, ())
    assert exported(two, tmp_path / "two.jsonl") == before == exported(one, tmp_path / "after")
    question = "where does Tilda live?"
    assert two.search(question, user="ana").hits == one.search(question, user="ana").hits
    assert two.verify().clean


@pytest.mark.embedded("looks at the bytes of its files")
def test_the_source_is_only_read(make: Make, tmp_path: Path, clock: FrozenClock) -> None:
    """Not a byte of its files differs afterwards."""
    lived(make).close()
    before = bytes_under(tmp_path / "one")
    with Memory(tmp_path / "one", embedder=HashEmbedder(), clock=clock) as again:
        again.migrate(tmp_path / "two")
        graph = bytes_under(tmp_path / "one")["graph.sqlite3"]
    assert graph == before["graph.sqlite3"]


def test_vectors_are_taken_along(make: Make, tmp_path: Path) -> None:
    """What the same embedder made already is not embedded again."""
    embedder = Counting()
    mem = make("one", embedder=embedder)
    mem.add("My sister Tilda lives in Cork.", user="ana")
    made = embedder.made
    assert mem.migrate(tmp_path / "two").indexed
    assert embedder.made == made > 0
    assert make("two", embedder=embedder).verify().clean


def test_progress_is_told_to_the_end(make: Make, tmp_path: Path) -> None:
    """It grows, and ends with everything."""
    told: list[tuple[int, int]] = []
    lived(make).migrate(tmp_path / "two", progress=lambda done, total: told.append((done, total)))
    assert told == sorted(told)
    assert told[-1][0] == told[-1][1]


@pytest.mark.parametrize("part", [0.01, 0.3, 0.6, 0.9])
@pytest.mark.embedded("a process that opens its folder is killed")
def test_a_killed_migration_goes_on(make: Make, tmp_path: Path, part: float) -> None:
    """Killed at any part of it, the same call finishes it, and then has nothing more to do."""
    one = lived(make)
    whole = exported(one, tmp_path / "whole")
    one.close()
    paths = [str(tmp_path / name) for name in ("one", "two")]
    command = [sys.executable, "-c", CHILD, *paths, str(part)]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    one = make("one")
    first = one.migrate(tmp_path / "two")
    again = one.migrate(tmp_path / "two")
    assert (again.new, again.indexed, again.rows) == (0, 0, first.rows)
    two = make("two")
    assert exported(two, tmp_path / "two.jsonl") == whole
    assert two.verify().clean


def cut_off(one: Memory, monkeypatch: pytest.MonkeyPatch, to: Path) -> None:
    """Begin to migrate, and stop after a few rows."""
    monkeypatch.setattr("graphmem.usecases.migrate.BATCH", 3)

    def stop(done: int, total: int) -> None:
        if done > 5:
            raise CutOffError

    with pytest.raises(CutOffError):
        one.migrate(to, progress=stop)


def test_a_half_copy_says_so(make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until it is finished, whoever looks after the other memory is told."""
    cut_off(lived(make), monkeypatch, tmp_path / "two")
    two = make("two")
    assert "migrate again from the same memory" in " ".join(two.verify().findings)
    with pytest.raises(TransferError, match="not whole"):
        two.migrate(tmp_path / "three")


def test_users_that_are_whole_say_so_until_all_are(make: Make, tmp_path: Path) -> None:
    """Cut off between two users, nobody takes the first for everybody."""
    one = lived(make)
    first = one.export(tmp_path / "ana", user="ana").rows

    def stop(done: int, total: int) -> None:
        if done > 2 * first:
            raise CutOffError

    with pytest.raises(CutOffError):
        one.migrate(tmp_path / "two", progress=stop)
    found = " ".join(make("two").verify().findings)
    assert "'ana'" in found
    assert "'bob'" in found
    assert one.migrate(tmp_path / "two").new == 0
    assert make("two").verify().clean


def test_a_half_copy_of_what_changed_since_is_made_anew(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows that are no longer so do not stay behind."""
    one = lived(make)
    cut_off(one, monkeypatch, tmp_path / "two")
    one.add("I've moved to Porto.", user="ana")
    one.migrate(tmp_path / "two")
    assert exported(make("two"), tmp_path / "b") == exported(one, tmp_path / "a")


def _same_user(two: Memory, one: Memory, to: Path) -> None:
    two.add("I live in Oslo.", user="bob", tenant="other")


def _from_elsewhere(two: Memory, one: Memory, to: Path) -> None:
    with Memory(to.with_name("three"), embedder=HashEmbedder()) as three:
        three.add("I live in Oslo.", user="bob", tenant="other")
        three.migrate(to)


def _written_here_since(two: Memory, one: Memory, to: Path) -> None:
    one.migrate(to)
    one.add("I live in Oslo.", user="bob", tenant="other")


@pytest.mark.parametrize(
    ("before", "says"),
    [
        (_same_user, "has a memory in"),
        (_from_elsewhere, "has a memory in"),
        (_written_here_since, "written to here since"),
    ],
)
def test_other_data_of_a_user_is_never_written_over(
    make: Make, tmp_path: Path, before: Callable[[Memory, Memory, Path], None], says: str
) -> None:
    """The whole migration is refused before anything is written."""
    one, two = lived(make), make("two")
    before(two, one, tmp_path / "two")
    there = exported(two, tmp_path / "there")
    with pytest.raises(TransferError, match=f"bob.*{says}"):
        one.migrate(tmp_path / "two")
    assert exported(two, tmp_path / "still") == there


def test_a_half_copy_that_was_written_to_is_refused(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody's words are there now, and stay."""
    one = lived(make)
    cut_off(one, monkeypatch, tmp_path / "two")
    two = make("two")
    two.add("I like tea.", user="ana")
    with pytest.raises(TransferError, match="written to there since"):
        one.migrate(tmp_path / "two")
    assert "tea" in values(two.facts(user="ana"))


def test_what_was_erased_there_may_come_again(make: Make, tmp_path: Path) -> None:
    """Erasing a user is the way out that the messages name."""
    one = lived(make)
    one.migrate(tmp_path / "two")
    one.add("I like tea.", user="ana")
    two = make("two")
    two.erase(user="ana")
    one.migrate(tmp_path / "two")
    assert exported(two, tmp_path / "b") == exported(one, tmp_path / "a")


@pytest.mark.embedded("names its own folder")
def test_a_memory_is_not_migrated_into_itself(make: Make, tmp_path: Path) -> None:
    """Nothing would be gained, and a half of it could be lost."""
    with pytest.raises(RefusedError, match="itself"):
        lived(make).migrate(tmp_path / "one")
