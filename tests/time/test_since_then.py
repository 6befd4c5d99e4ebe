"""What counts from a date told before: "since then", 从那以后."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from graphmem.extraction.normalize import Anchor, TimeRole, dates_of, read_time, written_dates
from graphmem.model.time import Bound, from_micros, to_micros
from tests.engine.kit import a_memory

SAID = datetime(2025, 4, 1, 9, tzinfo=UTC)


def starts(folder: Path, *turns: str) -> dict[str, tuple[str, str] | None]:
    """Add turns a minute apart; return by predicate where its fact may begin, as days."""
    found: dict[str, tuple[str, str] | None] = {}
    with a_memory(folder, embedder="none") as memory:
        for place, turn in enumerate(turns):
            at = SAID + timedelta(minutes=place)
            memory.add(turn, user="ana", session="s", occurred_at=at)
        for fact in memory.facts(user="ana").items:
            found[fact.predicate] = _days(fact.interval.start)
    return found


def _days(start: Bound | None) -> tuple[str, str] | None:
    if start is None or start.earliest is None or not start.stated:
        return None
    first, last = (str(from_micros(at))[:10] for at in (start.earliest, start.latest))
    return first, last


IN_2021 = ("2021-01-01", "2021-12-31")


@pytest.mark.parametrize(
    ("turns", "start"),
    [
        (["I moved to Ely in 2021.", "Since then I have worked at Larch."], IN_2021),
        (
            ["I moved to Ely in March 2021. I've worked at Larch since then."],
            ("2021-03-01", "2021-03-31"),
        ),
        (["I lived in Rye from 2018 to 2021. Since then I've worked at Larch."], IN_2021),
        (["In 2021 I broke my leg.", "Since then I've worked at Larch."], IN_2021),
        (["我2021年搬到了杭州。", "从那以后我一直在云杉上班。"], IN_2021),
        (["我2019年3月结婚了。那之后我在云杉上班。"], ("2019-03-01", "2019-03-31")),
        (["我2020年5月3号养了一只猫。", "从那时起我在云杉上班。"], ("2020-05-03", "2020-05-03")),
    ],
)
def test_then_is_the_date_told_before(
    turns: list[str], start: tuple[str, str], tmp_path: Path
) -> None:
    """A fact since then begins with the date of the sentence before, also of an earlier turn."""
    assert starts(tmp_path, *turns)["works_at"] == start


@pytest.mark.parametrize(
    "turns",
    [
        ["Since then I have worked at Larch."],
        ["We adopted a cat.", "Since then I have worked at Larch."],
        ["I moved to Ely in 2021.", "We adopted a cat.", "Since then I have worked at Larch."],
        ["I left Kite in 2019 and moved to Ely in 2021.", "Since then I have worked at Larch."],
        ["从那以后我一直在云杉上班。"],
    ],
)
def test_then_without_a_date_stays_unknown(turns: list[str], tmp_path: Path) -> None:
    """Where no one date was told right before, the fact is kept and its start is unknown."""
    found = starts(tmp_path, *turns)
    assert "works_at" in found
    assert found["works_at"] is None


def test_the_turn_of_then_may_be_read_in_another_zone() -> None:
    """A date handed on is the same days for the speaker, whatever their zone."""
    said = Anchor(to_micros(SAID), "Asia/Tokyo")
    told = read_time("March 2021", said)
    assert told is not None
    assert told.start is not None
    hint = written_dates(told.start, said.zone)
    assert hint == "2021-03-01/2021-04-01"
    then = read_time("since then", Anchor(said.at, said.zone, dates_of(hint, said.zone)))
    assert then is not None
    assert (then.role, then.start) == (TimeRole.START, told.start)


@pytest.mark.parametrize("hint", ["", "soon", "2021-05-03/2021-05-01", "2021/05/03", "2021-13-01"])
def test_hints_that_are_no_dates_are_left(hint: str) -> None:
    """What is no date, or ends before it begins, gives nothing."""
    assert dates_of(hint, "UTC") is None
