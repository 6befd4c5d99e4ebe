"""A plain script, no key, no network, one object whichever way it is read."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from graphmem import Memory
from graphmem.adapters.sqlite.store import SqliteStore
from graphmem.errors import InputError
from graphmem.model.changes import Changed
from graphmem.model.scope import Scope
from graphmem.ports.graph_store import Decide
from graphmem.testing.clock import FrozenClock
from tests.engine.kit import NOW, the, values
from tests.field.lives import tell

pytestmark = pytest.mark.embedded("sets memories up in folders, by settings")

OFFLINE = """
import socket, sys

asked = []

def refuse(*args, **options):
    asked.append(args)
    raise OSError("no network here")

socket.socket.connect = refuse
socket.socket.connect_ex = refuse
socket.getaddrinfo = refuse
from graphmem import Memory
from graphmem.testing.embedders import HashEmbedder

home = sys.argv[1]
for name, options in (("plain", {"embedder": "none"}), ("hashed", {"embedder": HashEmbedder()})):
    with Memory(home + "/" + name, **options) as memory:
        memory.add(["I live in Riga.", "我对虾过敏。"], user="ana")
        assert memory.search("where do I live?", user="ana").hits
        assert memory.context("plan dinner", user="ana").text
        memory.export(home + "/" + name + ".jsonl")
        memory.verify(); memory.repair()
        if name == "hashed":
            memory.reindex()
    with Memory(home + "/" + name + "-copy", **options) as copy:
        copy.import_(home + "/" + name + ".jsonl")
        assert copy.facts(user="ana").total == 2
print(len(asked))
"""


def test_nothing_is_asked_of_a_network(tmp_path: Path) -> None:
    """Every tool works without any key or network."""
    done = subprocess.run(
        [sys.executable, "-I", "-c", OFFLINE, str(tmp_path)],
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["0"]


@pytest.mark.parametrize(
    ("old", "new", "gone", "come"),
    [
        ("I live in Oulu.", "I moved to Kemi.", "Oulu", "Kemi"),
        ("我住在宁波。", "我搬到台州了。", "宁波", "台州"),
        ("I work at Halden.", "I joined Finch Co.", "Halden", "Finch Co"),
    ],
)
def test_why_something_ended_is_told(mem: Memory, old: str, new: str, gone: str, come: str) -> None:
    """The rule, the words that did it and what came instead are there to read, and to undo."""
    tell(mem, [("2025-01-10", old), ("2025-03-10", new)])
    ended = next(
        f
        for f in mem.facts(user="ana", include_ended=True).items
        if f.object is not None and f.object.text == gone
    )
    told = mem.explain(ended.id, user="ana")
    assert told.fact.cause is not None
    assert told.ended_by is not None
    assert told.ended_by.quote in new
    assert told.replaced_by is not None
    assert told.replaced_by.object is not None
    assert told.replaced_by.object.text == come
    assert come in told.why or new.rstrip("。.") in told.why
    assert [f.id for f in mem.explain(told.replaced_by.id, user="ana").ended] == [ended.id]


def test_a_fact_is_the_same_object_everywhere(mem: Memory) -> None:
    """Lists, single reads, histories and answers show all that is stored."""
    fact = the(
        mem.add_fact(
            "me",
            "phone_number",
            "555-0199",
            user="ana",
            qualifiers={"label": "work"},
            valid_from="2025-02-01",
            valid_to="2025-12-01",
        )
    )
    (listed,) = mem.facts(user="ana").items
    (hit, *_) = mem.search("what is my phone number?", user="ana").hits
    (record,) = mem.history(fact.id, user="ana").items
    seen = {mem.get(fact.id, user="ana"), listed, hit.fact, record}
    assert seen == {listed}
    assert dict(listed.qualifiers) == {"label": "work"}


@pytest.mark.parametrize("user", [42, None, "", "   ", b"ana", ["ana"]])
def test_a_user_is_text_and_nothing_else(mem: Memory, user: object) -> None:
    """A number is not turned into a name behind the caller's back."""
    with pytest.raises(InputError, match="user"):
        mem.add("I live in Riga.", user=user)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "predicate",
    [
        "喜欢收集",
        "spricht-über",
        "très_ami",
        "half-brother-of",
        "back`tick",
        "likes') DETACH DELETE n //",
        "x" * 100,
        "Robert'); DROP TABLE facts;--",
        "a/b\\c",
    ],
)
def test_a_relation_of_any_letters_is_stored_and_read_back(mem: Memory, predicate: str) -> None:
    """Names of relations are data, in whatever script and with whatever marks."""
    fact = the(mem.add_fact("me", predicate, "Rosa", user="ana"))
    assert mem.get(fact.id, user="ana").predicate == fact.predicate
    assert values(mem.facts(user="ana", predicate=predicate)) == {"Rosa"}
    assert mem.search("Rosa", user="ana").hits


@pytest.mark.parametrize("predicate", ["", "   ", "-", "x" * 101, "\ud800"])
def test_a_relation_that_is_none_is_refused_by_name(mem: Memory, predicate: str) -> None:
    """What cannot name a relation is an error that says so, and nothing is stored."""
    with pytest.raises(InputError, match="predicate"):
        mem.add_fact("me", predicate, "Rosa", user="ana")
    assert mem.facts(user="ana").total == 0


class Counted(SqliteStore):
    """A store of one's own, which here only counts its changes."""

    changes = 0

    async def change(
        self, scope: Scope, decide: Decide, *, change_id: str | None = None
    ) -> Changed:
        """Count, and do it."""
        self.changes += 1
        return await super().change(scope, decide, change_id=change_id)


def test_a_store_of_ones_own_is_taken(tmp_path: Path) -> None:
    """Whatever keeps to the contract of a part can be passed in its place."""
    clock = FrozenClock(NOW)
    opened = Counted.open(tmp_path / "mine.sqlite3", clock)
    assert isinstance(opened, Counted)
    with Memory(store=opened, embedder="none", clock=clock) as memory:
        memory.add("I live in Riga. 我对虾过敏。", user="ana")
        assert memory.search("where do I live?", user="ana").hits
        assert values(memory.facts(user="ana")) == {"Riga", "虾"}
    assert opened.changes > 0
    assert {path.name for path in tmp_path.iterdir()} == {"mine.sqlite3"}


def test_a_store_and_a_folder_are_not_both(tmp_path: Path) -> None:
    """A folder that would not be used is refused, not passed over."""
    store = Counted.open(tmp_path / "mine.sqlite3", FrozenClock(NOW))
    with pytest.raises(InputError, match="leave it out"):
        Memory(tmp_path, store=store)
    asyncio.run(store.close())
