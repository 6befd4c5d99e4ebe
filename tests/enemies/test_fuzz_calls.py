"""Every argument of every public call, given what nobody should give it."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphmem import AsyncMemory, Memory
from graphmem.errors import GraphmemError, InputError, NotFoundError
from graphmem.model.shown import shown
from graphmem.settings import Settings
from tests.enemies import nasty
from tests.enemies.test_large import LONG
from tests.enemies.world import GOOD, NOT_SPOILED, READS, World, methods
from tests.engine.conftest import Make
from tests.engine.kit import a_memory, the, values

STEP = 1 if LONG else 9
"""One value in so many is tried at each parameter; others at the next one."""


def spots() -> list[tuple[str, str]]:
    """Return every parameter of every public method."""
    return [
        (name, parameter)
        for name, signature in methods(Memory).items()
        if name not in NOT_SPOILED
        for parameter in signature.parameters
        if parameter != "self"
    ]


@pytest.mark.storeless
def test_every_public_method_is_spoiled() -> None:
    """A new method needs a good call here, and is then tried like the others."""
    assert set(methods(Memory)) == set(GOOD) | NOT_SPOILED
    taken = {name: method.parameters for name, method in methods(Memory).items()}
    assert taken == {name: method.parameters for name, method in methods(AsyncMemory).items()}


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path, embedder="none")
    yield made
    made.memory.close()


PLACES = {"path", "to"}
"""Parameters that name a place where something is written."""
NAMED = {"confirm", "reject", "undo", "correct", "merge", "import_", "reindex", "split"}
"""Methods whose good call is refused too, for want of what it names."""


@pytest.mark.parametrize("name", sorted(set(GOOD)))
def test_odd_values_work_or_are_refused_with_reasons(
    world: World, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Either it works, or an error of ours says so, short and to the point, and nothing changed."""
    monkeypatch.chdir(world.files)
    places = spots()
    for number, (method, parameter) in enumerate(places):
        if method != name:
            continue
        odd = [*(nasty.paths(world.files) if parameter in PLACES else nasty.values())]
        for value in odd[number % STEP :: STEP]:
            spoil(world, name, parameter, value)
    report = world.memory.verify()
    assert not report.findings
    assert world.look() == world.kept


def spoil(world: World, name: str, parameter: str, value: Any) -> None:  # Any: odd on purpose
    if parameter == "progress" and callable(value):
        return  # the caller's own function may do as it likes
    arguments = {**GOOD[name](world), parameter: value}
    before = world.mine()
    try:
        getattr(world.memory, name)(**arguments)
    except GraphmemError as error:
        message = str(error)
        assert len(message) < 600, (name, parameter, shown(value))
        assert "\n" not in message
        own = name in NAMED or isinstance(error, NotFoundError)
        assert own or parameter in message or "question" in message or _names(message, value)
        assert world.mine() == before, (name, parameter, shown(value))
    else:
        if name not in READS:
            world.renew()


def _names(message: str, value: object) -> bool:
    return shown(value)[1:12] in message or str(type(value).__name__) in message


@pytest.mark.parametrize("name", inspect.signature(Memory).parameters)
@pytest.mark.embedded("opens folders by odd options")
def test_what_opens_a_memory_is_checked(tmp_path: Path, name: str) -> None:
    """An option that cannot be used is refused by an error of ours, and leaves no memory open."""
    for value in [*nasty.TEXTS[:8], *nasty.OTHERS]:
        folder = f"{tmp_path}/{value.strip('/')}" if isinstance(value, str) else value
        odd: Any = folder if name == "path" else value
        if name == "path" and not isinstance(odd, str):
            odd = tmp_path / str(len(repr(type(odd)))) if isinstance(odd, Path) else odd
        if name == "path" and odd is None:
            continue
        options: dict[str, Any] = {"path": tmp_path / "m", "embedder": "none", name: odd}
        with suppress(GraphmemError):
            Memory(**options).close()


Json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.binary(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)
FIELDS = ("role", "content", "name", "occurred_at", "timestamp", "session", "agent", "id", "zone")
Messages = Json | st.fixed_dictionaries(
    {"content": st.text(max_size=9) | Json}, optional=dict.fromkeys(FIELDS[:1] + FIELDS[2:], Json)
)


@settings(
    max_examples=400 if LONG else 40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(bad=st.lists(Messages, min_size=1, max_size=4))
def test_a_bad_turn_does_not_stop_the_others(world: World, bad: list[Any]) -> None:
    """What cannot be stored is in the receipt with a reason; the good turn beside it is kept."""
    receipt = world.memory.add([*bad, "I like tea."], user="mixed")
    assert len(receipt.turns) == len(bad) + 1
    assert receipt.turns[-1].state.value == "stored"
    for turn in receipt.turns:
        assert (turn.state.value == "failed") == (turn.episode is None)
        assert turn.state.value != "failed" or (turn.reason and len(turn.reason) < 600)


@pytest.mark.parametrize(
    ("message", "named"),
    [
        ({"content": "a", "zone": 5}, "zone"),
        ({"content": "a", "zone": "Mars/Olympus"}, "Mars"),
        ({"content": "a", "occurred_at": b"2024-01-01"}, "occurred_at"),
        ({"content": "a", "occurred_at": True}, "occurred_at"),
        ({"content": "a", "occurred_at": 1.5}, "occurred_at"),
        ({"content": "a", "id": 10**5000}, "id"),
        ({"content": "a", "session": "s" * 3000}, "session"),
        ({"content": ["a", 5]}, "part"),
        ({"content": [{"text": 5}]}, "part"),
        ({"content": nasty.nested(2000)}, "part"),
        ({"content": "a", "role": ["user"]}, "role"),
        ({5: "a", "b": "c", "content": "a"}, "field"),
        ({"content": nasty.BROKEN}, "surrogate"),
        ({"content": "x", "name": nasty.BROKEN}, "surrogate"),
        (nasty.Mute(), "mapping"),
    ],
)
def test_a_bad_message_is_named(mem: Memory, message: Any, named: str) -> None:
    """The receipt says what is wrong with it; the rest is kept."""
    bad, good = mem.add([message, "I live in Riga."], user="ana").turns
    assert (bad.state.value, good.state.value) == ("failed", "stored")
    assert named in (bad.reason or "")
    assert values(mem.facts(user="ana")) == {"Riga"}


@pytest.mark.parametrize("zone", ["Asia/Shanghai", "America/St_Johns", "+14:00", "-12:00"])
def test_naive_times_are_read_in_the_memory_s_zone(make: Make, zone: str) -> None:
    """A naive datetime and a bare date mean the memory's zone; an aware one keeps its own."""
    mem = make(zone.replace("/", "-"), timezone=zone)
    for start in ("2024-03-05", "2024-03-05T10:00", "0001-01-01", "9999-12-31"):
        fact = the(mem.add_fact("me", "visited", f"Town {start}", user="ana", valid_from=start))
        aware = the(
            mem.add_fact(
                "me", "visited", f"Port {start}", user="ana", valid_from=f"{_full(start)}Z"
            )
        )
        gap = aware.interval.may_from - fact.interval.may_from
        offset = {"Asia/Shanghai": 8, "+14:00": 14, "-12:00": -12}.get(zone)
        if offset is not None and not start.startswith(("0001", "9999")):
            assert gap == offset * 3_600_000_000
    assert mem.facts(user="ana", include_ended=True).total == 8
    assert mem.context("which towns?", user="ana").text
    assert mem.search("which towns?", user="ana", valid_at="0001-01-01").hits is not None


def _full(start: str) -> str:
    return start if "T" in start else f"{start}T00:00"


@pytest.mark.parametrize(
    ("first", "last"),
    [("2024-03-05", "2024-03-04"), ("2024-03", "2023"), ("9999-12-31", "0001-01-01")],
)
def test_an_inverted_interval_is_refused(mem: Memory, first: str, last: str) -> None:
    """The message names both ends; an interval of one instant or one day is none such."""
    with pytest.raises(InputError, match=f"{last}.*{first}"):
        mem.add_fact("me", "lives_in", "Riga", user="ana", valid_from=first, valid_to=last)
    assert not mem.facts(user="ana", include_ended=True).total
    mem.add_fact("me", "lives_in", "Riga", user="ana", valid_from=first, valid_to=first)
    assert mem.facts(user="ana", valid_at=first, include_ended=True).total == 1


def test_an_id_of_another_scope_is_no_id(tmp_path: Path) -> None:
    """Every call that takes an id says of another tenant's what it says of one that is nobody's."""
    mem = a_memory(tmp_path)
    theirs = the(mem.add_fact("Kim", "lives_in", "Riga", user="ana", tenant="other"))
    episode = mem.explain(theirs.id, user="ana", tenant="other").sources[0].episode
    thing = theirs.subject.key
    mem.add_fact("Bo", "likes", "tea", user="ana")
    calls: dict[str, Any] = {
        "get": lambda: mem.get(theirs.id, user="ana"),
        "history": lambda: mem.history(theirs.id, user="ana"),
        "explain": lambda: mem.explain(theirs.id, user="ana"),
        "retract": lambda: mem.retract(theirs.id, user="ana"),
        "restore": lambda: mem.restore(theirs.id, user="ana"),
        "correct": lambda: mem.correct(theirs.id, user="ana", object="Cork"),
        "erase a fact": lambda: mem.erase(user="ana", fact=theirs.id),
        "erase a turn": lambda: mem.erase(user="ana", episode=episode),
        "subject": lambda: mem.facts(user="ana", subject=thing),
        "object": lambda: mem.facts(user="ana", object=thing),
        "stated": lambda: mem.add_fact(thing, "likes", "tea", user="ana"),
        "merge": lambda: mem.merge([thing], into="Bo", user="ana"),
        "into": lambda: mem.merge(["Bo"], into=thing, user="ana"),
        "split": lambda: mem.split("Bo", out_of=thing, user="ana"),
    }
    for name, call in calls.items():
        with pytest.raises(NotFoundError) as raised:
            call()
        assert "Riga" not in str(raised.value), name
        assert "Kim" not in str(raised.value), name
    assert mem.get(theirs.id, user="ana", tenant="other") == theirs
    mem.close()


def test_an_export_replaces_no_other_file(mem: Memory, tmp_path: Path) -> None:
    """A file that is no export stays as it is; an export is written over."""
    mem.add("I live in Riga.", user="ana")
    other = tmp_path / "notes.txt"
    other.write_text("mine", encoding="utf-8")
    with pytest.raises(GraphmemError, match=r"notes\.txt"):
        mem.export(other)
    assert other.read_text(encoding="utf-8") == "mine"
    for _ in range(2):
        mem.export(tmp_path / "out.jsonl")
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == [
        "notes.txt",
        "out.jsonl",
    ]


@pytest.mark.embedded("opens folders by odd options")
def test_a_configured_path_is_checked_too(tmp_path: Path) -> None:
    """A null character can come from a file of settings, and is refused by the setting's name."""
    file = tmp_path / "graphmem.toml"
    file.write_text('path = "a\\u0000b"', encoding="utf-8")
    with pytest.raises(InputError, match="path"):
        Settings.load({}, file=file)
