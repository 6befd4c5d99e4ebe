"""Faults of other memories with time, by kind, through the public client, in two languages."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from itertools import permutations
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from graphmem import Memory
from graphmem.model.fact import Fact
from graphmem.model.time import Bound, from_micros, to_micros
from graphmem.testing.clock import FrozenClock
from tests.engine.kit import NOW, a_memory, day, values

TOKYO = timezone(timedelta(hours=9))


@pytest.fixture
def mem(tmp_path: Path) -> Iterator[Memory]:
    with a_memory(tmp_path / "memory", embedder="none") as memory:
        yield memory


def told(memory: Memory, text: str, at: datetime | str, predicate: str | None = None) -> Fact:
    """Tell one turn; return the only fact (of a predicate) it gave."""
    memory.add(text, user="ana", session="s", occurred_at=at)
    (fact,) = memory.facts(user="ana", predicate=predicate, include_ended=True).items
    return fact


def span(bound: Bound | None) -> str:
    """Write a stated bound as its first and last day, one that is assumed as "by"."""
    if bound is None:
        return "-"
    if not bound.stated or bound.earliest is None:
        return "by"
    first, last = (str(from_micros(at))[:10] for at in (bound.earliest, bound.latest))
    return first if first == last else f"{first}..{last}"


def utc(*when: int) -> datetime:
    return datetime(*when, tzinfo=UTC)


# Relative words of an old turn


OLD = utc(2021, 11, 10, 18, 30)


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("We got the kitten three days ago.", "2021-11-07"),
        ("I moved to Ely yesterday.", "2021-11-09"),
        ("We adopted the parrot last Tuesday.", "2021-11-02"),
        ("I moved to Ely last month.", "2021-10-01..2021-10-31"),
        ("I've lived in Ely since last spring.", "2021-03-01..2021-05-31"),
        ("I joined Larch in August.", "2021-08-01..2021-08-31"),
        ("我三天前养了一只猫。", "2021-11-07"),
        ("我上上周三入职云杉。", "2021-10-27"),
        ("我上个月搬到了杭州。", "2021-10-01..2021-10-31"),
        ("我去年年底入职云杉。", "2020-12-01..2020-12-31"),
    ],
)
def test_an_old_turn_is_dated_by_its_own_time(mem: Memory, text: str, start: str) -> None:
    """Added years later, relative words count from when the turn was said."""
    assert span(told(mem, text, OLD).interval.start) == start


# What a date came from


@pytest.mark.parametrize(
    ("text", "phrase", "start"),
    [
        ("We adopted the parrot last Tuesday.", "last Tuesday", "2021-11-02"),
        ("I joined Larch two weeks ago.", "two weeks ago", "2021-10-25..2021-10-31"),
        ("We visited Lisbon in May 2019.", "in May 2019", "2019-05-01..2019-05-31"),
        ("我2019年结婚了。", "2019年", "2019-01-01..2019-12-31"),
        ("我上周五入职云杉。", "上周五", "2021-11-05"),
    ],
)
def test_a_date_keeps_its_phrase_its_turn_and_its_grain(
    mem: Memory, text: str, phrase: str, start: str
) -> None:
    """A bound holds the words it came from, as finely as they were; its turn has the anchor."""
    fact = told(mem, text, OLD)
    assert fact.interval.start is not None
    assert fact.interval.start.phrase == phrase
    assert span(fact.interval.start) == start
    (source,) = mem.explain(fact.id, user="ana").sources
    assert source.occurred_at == to_micros(OLD)


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("I joined Larch the week after 3 May.", "the week after 3 May"),
        ("I moved to Ely recently.", "recently"),
        ("我最近入职云杉。", "最近"),
    ],
)
def test_a_phrase_that_cannot_be_dated_is_kept(mem: Memory, text: str, phrase: str) -> None:
    """Declined words are in the claim, and the start is only "by" the turn."""
    fact = told(mem, text, OLD)
    assert span(fact.interval.start) == "by"
    (linked,) = mem.explain(fact.id, user="ana").claims
    assert linked.claim.start is None or linked.claim.start.phrase == phrase
    assert phrase in linked.claim.quote


# No date in the words


@pytest.mark.parametrize(
    "text",
    [
        "I like figs.",
        "I work at Larch.",
        "I'm allergic to peanuts.",
        "2022-03-03 10:15:22 ana: I like figs.",
        "Sent on 3 March 2021. I like figs.",
        "我喜欢无花果。",
        "我对花生过敏。",
    ],
)
def test_nothing_is_dated_that_has_no_date(mem: Memory, text: str) -> None:
    """Without a date of its own a fact began by its turn; neither that day nor a header's."""
    fact = told(mem, text, OLD)
    assert span(fact.interval.start) == "by"
    assert fact.interval.start is not None
    assert (fact.interval.start.earliest, fact.interval.start.latest) == (None, to_micros(OLD))
    assert fact.interval.end is None


@pytest.mark.parametrize("text", ["I lived in Bonn as a child.", "我小时候住在杭州。"])
def test_childhood_is_no_date(mem: Memory, text: str) -> None:
    """What was once is not so now, and nobody knows when it began."""
    mem.add(text, user="ana", occurred_at=OLD)
    assert mem.facts(user="ana", predicate="lives_in", valid_at=day(0)).items == ()
    for fact in mem.facts(user="ana", predicate="lives_in", include_ended=True).items:
        assert span(fact.interval.start) in ("-", "by")


# The speaker's own day


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("I have a dentist appointment tomorrow at 9.", utc(2024, 3, 2)),
        ("I'm moving to Oslo tomorrow.", utc(2024, 3, 1, 15)),
        ("I moved to Ely today.", utc(2024, 2, 29, 15)),
        ("我明天去上海出差。", utc(2024, 3, 1, 15)),
    ],
)
def test_days_are_the_speakers(mem: Memory, text: str, start: datetime) -> None:
    """Late in the evening in Tokyo, tomorrow is Tokyo's, though the day of UTC is another."""
    fact = told(mem, text, datetime(2024, 3, 1, 23, 30, tzinfo=TOKYO))
    assert fact.interval.start is not None
    assert fact.interval.start.earliest == to_micros(start)


def test_a_memory_has_a_zone_of_its_own(tmp_path: Path) -> None:
    """Turns without a zone are said in the memory's, and their days are that zone's."""
    with a_memory(tmp_path / "m", embedder="none", timezone="Asia/Tokyo") as memory:
        fact = told(memory, "I'm moving to Oslo tomorrow.", "2024-03-01T23:30")
    assert fact.interval.start is not None
    assert fact.interval.start.earliest == to_micros(utc(2024, 3, 1, 15))


@pytest.mark.parametrize(
    ("said", "text", "start"),
    [
        ((2024, 3, 9, 20), "I have a meeting tomorrow at 9am.", utc(2024, 3, 10, 13)),
        ((2024, 11, 2, 20), "I have a meeting tomorrow at 9am.", utc(2024, 11, 3, 14)),
    ],
)
def test_clock_times_follow_summer_time(
    mem: Memory, said: tuple[int, int, int, int], text: str, start: datetime
) -> None:
    """Nine tomorrow is nine on tomorrow's clocks, also where they change in the night."""
    fact = told(mem, text, datetime(*said, tzinfo=ZoneInfo("America/New_York")))
    assert fact.interval.start is not None
    assert fact.interval.start.earliest == to_micros(start)


# What is told last is not what is so last


@pytest.mark.parametrize(
    ("predicate", "old", "new", "was", "now"),
    [
        (
            "has_accountant",
            "Our accountant is Slate.",
            "Our accountant is Lumen.",
            "Slate",
            "Lumen",
        ),
        ("works_at", "I work at Kite.", "I work at Larch.", "Kite", "Larch"),
        ("lives_in", "我住在苏州。", "我住在杭州。", "苏州", "杭州"),
    ],
)
@pytest.mark.parametrize("newest_first", [True, False])
def test_an_old_conversation_ends_nothing_newer(
    mem: Memory, predicate: str, old: str, new: str, was: str, now: str, newest_first: bool
) -> None:
    """Imported in any order, the older value holds up to the newer one, and not after."""
    turns = [(old, "2022-02-01"), (new, "2025-06-01")]
    for text, at in reversed(turns) if newest_first else turns:
        mem.add(text, user="ana", occurred_at=at)
    asked = {at: values(mem.facts(user="ana", predicate=predicate, valid_at=at))
             for at in ("2023-01-01", "2025-05-31", "2025-06-01", "2025-09-01")}  # fmt: skip
    assert list(asked.values()) == [{was}, {was}, {now}, {now}]


def test_three_homes_in_any_order_are_one_life(tmp_path: Path) -> None:
    """All six orders of import believe the same at every time."""
    turns = [("I live in Ely.", "2020-01-01"), ("I moved to Rye in May 2022.", "2022-06-01"),
             ("我住在杭州。", "2024-01-01")]  # fmt: skip
    seen: set[tuple[frozenset[str | None], ...]] = set()
    for number, order in enumerate(permutations(turns)):
        with a_memory(tmp_path / str(number), embedder="none") as memory:
            for text, at in order:
                memory.add(text, user="ana", occurred_at=at)
            seen.add(tuple(
                frozenset(values(memory.facts(user="ana", predicate="lives_in", valid_at=at)))
                for at in ("2021-01-01", "2022-07-01", "2023-01-01", "2025-01-01")
            ))  # fmt: skip
    assert seen == {
        (frozenset({"Ely"}), frozenset({"Rye"}), frozenset({"Rye"}), frozenset({"杭州"}))
    }


# Exactly at the hand-over


@pytest.mark.parametrize(
    ("first", "then", "was", "now"),
    [
        ("I lived in Ely until October 10, 2024.", "I have lived in Rye since October 10, 2024.",
         "Ely", "Rye"),
        ("I've lived in Ely since 2019.", "I moved to Rye on October 10, 2024.", "Ely", "Rye"),
        ("我从2019年起住在苏州。", "我2024年10月10号搬到了杭州。", "苏州", "杭州"),
    ],
)  # fmt: skip
def test_at_the_hand_over_only_the_new_value_holds(
    mem: Memory, first: str, then: str, was: str, now: str
) -> None:
    """Intervals are half-open: the instant of the change, and its day, belong to the new value."""
    mem.add(first, user="ana", occurred_at="2024-10-01")
    mem.add(then, user="ana", occurred_at="2024-11-01")
    instants = ("2024-10-10T00:00:00+00:00", "2024-10-10", "2024-10-11")
    asked = [values(mem.facts(user="ana", predicate="lives_in", valid_at=at)) for at in instants]
    assert asked == [{now}] * 3
    before = values(mem.facts(user="ana", predicate="lives_in", valid_at="2024-10-09T23:59:59Z"))
    assert before <= {was}


# What was known when


@pytest.mark.parametrize(
    ("one", "two", "predicate"),
    [
        ("I like figs.", "I like plums.", "likes"),
        ("我喜欢无花果。", "我喜欢李子。", "likes"),
    ],
)
def test_a_look_at_the_past_shows_no_later_record(
    tmp_path: Path, one: str, two: str, predicate: str
) -> None:
    """As known between two writes there is the first alone, in listings and in search."""
    clock = FrozenClock(NOW)
    with a_memory(tmp_path / "m", embedder="none", clock=clock) as memory:
        memory.add(one, user="ana", occurred_at="2025-01-01")
        clock.advance(2 * 86_400 * 10**6)
        memory.add(two, user="ana", occurred_at="2025-01-01")
        first = memory.facts(user="ana", predicate=predicate, known_at=day(1)).items
        hits = memory.search(one, user="ana", known_at=day(1)).hits
        assert len(first) == 1
        assert {hit.fact.id for hit in hits if hit.fact} == {first[0].id}
        assert len(memory.facts(user="ana", predicate=predicate).items) == 2


# What lies ahead


@pytest.mark.parametrize(
    ("now", "plan", "was", "to_be", "predicate", "dates"),
    [
        ("I work at Kite.", "I start at Larch on 1 September.", "Kite", "Larch", "works_at",
         ("2025-05-01", "2025-10-01")),
        ("I live in Ely.", "I'm moving to Rye next month.", "Ely", "Rye", "lives_in",
         ("2025-04-20", "2025-06-01")),
        ("我在风筝上班。", "我九月一号去云杉入职。", "风筝", "云杉", "works_at",
         ("2025-05-01", "2025-10-01")),
        ("我住在苏州。", "我下个月搬到杭州。", "苏州", "杭州", "lives_in",
         ("2025-04-20", "2025-06-01")),
    ],
)  # fmt: skip
def test_a_plan_counts_from_its_date_on(
    mem: Memory, now: str, plan: str, was: str, to_be: str, predicate: str,
    dates: tuple[str, str],
) -> None:  # fmt: skip
    """Before its date the old value holds, and the plan is told as one; then it takes over."""
    mem.add([now, plan], user="ana", occurred_at="2025-04-01")
    before, after = (
        values(mem.facts(user="ana", predicate=predicate, valid_at=at)) for at in dates
    )
    assert (before, after) == ({was}, {to_be})
    planned = mem.facts(user="ana", predicate=predicate, modality="planned", valid_at=dates[1])
    assert values(planned) == {to_be}


@pytest.mark.parametrize(
    ("text", "object_", "predicate", "inside", "past"),
    [
        ("I work at Larch until the end of June.", "Larch", "works_at", "2025-06-30", "2025-07-01"),
        ("I live in Ely until next March.", "Ely", "lives_in", "2026-02-28", "2026-04-01"),
        ("I'm leaving Larch at the end of June.", "Larch", "works_at", "2025-06-30", "2025-07-02"),
        ("我在云杉上班到六月底。", "云杉", "works_at", "2025-06-30", "2025-07-01"),
        ("我住在杭州到今年年底。", "杭州", "lives_in", "2025-12-31", "2026-01-01"),
        ("我住在杭州到明年三月。", "杭州", "lives_in", "2026-02-28", "2026-04-01"),
    ],
)
def test_what_ends_later_holds_until_then(
    mem: Memory, text: str, object_: str, predicate: str, inside: str, past: str
) -> None:
    """An end that lies ahead ends nothing yet; after its date the fact is over."""
    mem.add(text, user="ana", occurred_at="2025-04-01")
    asked = [
        values(mem.facts(user="ana", predicate=predicate, valid_at=at))
        for at in ("2025-04-01T12:00", inside, past)
    ]
    assert asked == [{object_}, {object_}, set()]
    assert values(mem.facts(user="ana", predicate=predicate, valid_at="2025-04-02")) == {object_}
