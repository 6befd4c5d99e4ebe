"""Export and import: another store answers alike."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import anyio
import pytest

from graphmem import Memory
from graphmem.adapters.sqlite import SqliteStore
from graphmem.errors import NotFoundError, StoreUnavailableError, TransferError
from graphmem.model.predicate import Cardinality, Predicate
from graphmem.model.rows import Row
from graphmem.model.scope import Scope
from graphmem.testing.clock import FrozenClock
from graphmem.testing.embedders import HashEmbedder
from graphmem.usecases import transfer
from tests.engine.conftest import Make
from tests.engine.kit import day, iso, the, values


def _live(mem: Memory, clock: FrozenClock) -> list[int]:
    """Tell a life with everything that leaves records behind; return record times."""
    times: list[int] = []
    for turn in (
        "I'm allergic to mango and I live in Hangzhou.",
        "杨枝甘露里有芒果。",
        "I've moved to Lisbon.",
        "My sister Tilda lives in Cork.",
    ):
        mem.add(turn, user="ana", session="s1")
        times.append(clock.advance())
    (home,) = mem.facts(user="ana", predicate="lives_in", subject="me").items
    mem.correct(home.id, user="ana", object="Porto")
    times.append(clock.advance())
    gone = the(mem.add_fact("me", "likes", "opera", user="ana"))
    mem.retract(gone.id, user="ana", reason="a joke")
    times.append(clock.advance())
    mem.add_fact("Tilda Berg", "visited", "Riga", user="ana")
    mem.merge(["Tilda Berg"], into="Tilda", user="ana")
    mem.add_fact("me", "lives_in", "Riga", user="bob", tenant="other")
    times.append(clock.advance())
    return times


def _told(mem: Memory, times: Sequence[int]) -> Sequence[object]:
    """Return what the memory answers, now and as known at each of the times."""
    everything: dict[str, Any] = {  # Any: flags of facts()
        "include_ended": True,
        "include_retracted": True,
        "include_disputed": True,
    }
    now = mem.facts(user="ana", **everything).items
    return [
        now,
        [mem.history(f.id, user="ana").items for f in now],
        [mem.explain(f.id, user="ana") for f in now],
        [mem.facts(user="ana", known_at=iso(at), **everything).items for at in times],
        mem.entities(user="ana").items,
        mem.suggestions(user="ana"),
        mem.facts(user="bob", tenant="other").items,
        [
            mem.search(question, user="ana").hits
            for question in ("what am I allergic to?", "which dishes contain mango?", "Tilda")
        ],
    ]


def test_an_import_answers_alike_without_any_model(
    make: Make, clock: FrozenClock, tmp_path: Path
) -> None:
    """Facts, histories, past views and searches are equal, and no turn is read again."""
    one = make("one")
    times = _live(one, clock)
    file = tmp_path / "all.jsonl"
    moved = one.export(file)
    assert moved.scopes == 2
    two = make("two", extractor="none", clock=FrozenClock(clock.at))
    done = two.import_(file)
    assert (done.rows, done.new) == (moved.rows, moved.rows)
    assert _told(two, times) == _told(one, times)
    assert two.verify().clean


def test_a_second_export_is_equal_byte_by_byte(
    make: Make, clock: FrozenClock, tmp_path: Path
) -> None:
    """Neither exporting nor importing changes anything."""
    one, two = make("one"), make("two")
    _live(one, clock)
    files = [tmp_path / f"{n}.jsonl" for n in range(3)]
    one.export(files[0])
    one.export(files[1])
    two.import_(files[0])
    two.export(files[2])
    assert files[0].read_bytes() == files[1].read_bytes() == files[2].read_bytes()


def test_a_turn_that_was_imported_is_known(make: Make, tmp_path: Path) -> None:
    """What a turn is known by travels, so that sending it again adds nothing."""
    one, two = make("one"), make("two")
    turn = {"content": "I live in Riga.", "id": "m1"}
    one.add(turn, user="ana")
    one.export(tmp_path / "ana.jsonl", user="ana")
    two.import_(tmp_path / "ana.jsonl")
    assert two.add(turn, user="ana").turns[0].state.value == "duplicate"


def test_only_the_named_user_is_exported(make: Make, tmp_path: Path) -> None:
    """No word of another user is in the file; one who holds nothing is not found."""
    one = make("one")
    one.add("I live in Riga.", user="ana")
    one.add("I live in Zanzibar.", user="bob")
    one.export(tmp_path / "ana.jsonl", user="ana")
    assert "Zanzibar" not in (tmp_path / "ana.jsonl").read_text(encoding="utf-8")
    with pytest.raises(NotFoundError, match="nobody"):
        one.export(tmp_path / "nobody.jsonl", user="nobody")
    assert not (tmp_path / "nobody.jsonl").exists()


def _lines(make: Make, tmp_path: Path) -> list[str]:
    one = make("one")
    one.add("I live in Riga.", user="ana")
    one.export(tmp_path / "all.jsonl")
    return (tmp_path / "all.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)


_SPOILT: dict[str, Callable[[list[str]], list[str]]] = {
    "cut off after": lambda lines: lines[:-1],
    "changed since": lambda lines: [*lines[:-2], lines[-1]],
    "changed": lambda lines: [line.replace("Riga", "Roma") for line in lines],
    "before its scope": lambda lines: [lines[0], *lines[2:]],
    "no row of an export": lambda lines: ["{}\n", *lines[1:]],
    "not an export": lambda lines: ['{"kind": "header"}\n', *lines[1:]],
    "not JSON": lambda _: ["hello\n"],
    "cut off": lambda _: [],
    "99": lambda lines: [lines[0].replace('"version":1', '"version":99'), *lines[1:]],
    "line .*: not JSON": lambda lines: [*lines[:-2], lines[-2][:20]],
}


@pytest.mark.parametrize("words", _SPOILT)
def test_a_spoilt_file_is_refused_whole(make: Make, tmp_path: Path, words: str) -> None:
    """A file that is not whole, not ours or too new is refused before anything is written."""
    lines = _SPOILT[words](_lines(make, tmp_path))
    file = tmp_path / "spoilt.jsonl"
    file.write_text("".join(lines), encoding="utf-8")
    two = make("two")
    with pytest.raises(TransferError, match=words):
        two.import_(file)
    assert not two.facts(user="ana").total


def test_a_file_that_is_not_there_or_not_text_is_refused(make: Make, tmp_path: Path) -> None:
    """The message names the file."""
    two = make("two")
    with pytest.raises(TransferError, match=r"nowhere\.jsonl"):
        two.import_(tmp_path / "nowhere.jsonl")
    (tmp_path / "image.jsonl").write_bytes(b"\xff\xd8\xff\xe0 no text")
    with pytest.raises(TransferError, match=r"image\.jsonl"):
        two.import_(tmp_path / "image.jsonl")
    with pytest.raises(TransferError, match="no/such/folder"):
        two.export(tmp_path / "no/such/folder/all.jsonl")


def test_a_user_who_is_here_is_not_imported_over(make: Make, tmp_path: Path) -> None:
    """If any user of the file is here, nothing of the file is loaded."""
    one, two = make("one"), make("two")
    for user in ("ana", "bob"):
        one.add("I live in Riga.", user=user)
    one.export(tmp_path / "all.jsonl")
    two.add("I live in Oslo.", user="bob")
    with pytest.raises(TransferError, match="bob"):
        two.import_(tmp_path / "all.jsonl")
    assert not two.facts(user="ana").total
    assert values(two.facts(user="bob")) == {"Oslo"}
    with pytest.raises(TransferError, match="already"):
        one.import_(tmp_path / "all.jsonl")


def test_an_import_that_was_cut_off_is_finished(
    make: Make, clock: FrozenClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same file may be imported again until it is whole; another may not."""
    one = make("one")
    times = _live(one, clock)
    one.export(tmp_path / "all.jsonl")
    monkeypatch.setattr(transfer, "_BATCH", 3)
    two = make("two", clock=FrozenClock(clock.at))
    load, loaded = SqliteStore.load, [0]

    async def breaks(self: SqliteStore, scope: Scope, rows: Sequence[Row]) -> int:
        loaded[0] += 1
        if loaded[0] == 5:
            raise StoreUnavailableError("the disk is full, as the test wants it")
        return await load(self, scope, rows)

    monkeypatch.setattr(SqliteStore, "load", breaks)
    with pytest.raises(StoreUnavailableError):
        two.import_(tmp_path / "all.jsonl")
    assert two.import_(tmp_path / "all.jsonl").new
    assert _told(two, times) == _told(one, times)
    with pytest.raises(TransferError, match="already"):
        two.import_(tmp_path / "all.jsonl")


def test_scopes_are_loaded_at_a_time_and_each_in_order(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A store is given rows of several users at once, but of one user's one batch after another."""
    one, two = make("one"), make("two")
    for user in ("ana", "bob", "cleo"):
        one.add("I live in Riga and I like opera.", user=user)
    one.export(tmp_path / "all.jsonl")
    monkeypatch.setattr(transfer, "_BATCH", 3)
    load, at_work, most = SqliteStore.load, list[Scope](), [0]

    async def watched(self: SqliteStore, scope: Scope, rows: Sequence[Row]) -> int:
        assert scope not in at_work
        at_work.append(scope)
        most[0] = max(most[0], len(at_work))
        await anyio.sleep(0.001)
        new = await load(self, scope, rows)
        at_work.remove(scope)
        return new

    monkeypatch.setattr(SqliteStore, "load", watched)
    two.import_(tmp_path / "all.jsonl")
    assert most[0] > 1
    two.export(tmp_path / "again.jsonl")
    assert (tmp_path / "again.jsonl").read_bytes() == (tmp_path / "all.jsonl").read_bytes()


def test_an_import_into_other_predicates_recomputes(make: Make, tmp_path: Path) -> None:
    """Where a predicate means something else here, its facts follow, in a change of their own."""
    one = make("one")
    for n, thing in enumerate(("Fjord", "Heron")):
        one.add_fact("me", "sails_on", thing, user="ana", occurred_at=day(n - 9))
    one.export(tmp_path / "all.jsonl")
    two = make(
        "two",
        ontology=[Predicate(slug="sails_on", cardinality=Cardinality.ONE)],
        embedder=HashEmbedder(),
    )
    two.import_(tmp_path / "all.jsonl")
    assert values(two.facts(user="ana")) == {"Heron"}
    assert values(one.facts(user="ana")) == {"Heron", "Fjord"}


def test_the_header_names_format_version_and_ontology(make: Make, tmp_path: Path) -> None:
    """A reader can tell what it holds before it reads the rest."""
    header = json.loads(_lines(make, tmp_path)[0])
    assert {"format", "version", "ontology", "predicates"} <= header.keys()
