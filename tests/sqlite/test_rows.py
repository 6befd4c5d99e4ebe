"""Values survive the way to a row and back, also through the file."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphmem.adapters.sqlite.database import Database
from graphmem.adapters.sqlite.filters import as_list, fact_clauses
from graphmem.adapters.sqlite.records import insert_fact
from graphmem.adapters.sqlite.statements import sql
from graphmem.model.claim import (
    Claim,
    Correction,
    Form,
    Link,
    Mention,
    Modality,
    Polarity,
    Said,
    SourceClass,
)
from graphmem.model.entity import Entity, Suggestion, SuggestionState, Value, ValueKind
from graphmem.model.episode import Channel, Episode, Reading, Role
from graphmem.model.fact import Cause, Fact, Status
from graphmem.model.rows import (
    claim_from,
    claim_row,
    entity_from,
    entity_row,
    episode_from,
    episode_row,
    fact_from,
    fact_row,
    link_from,
    link_row,
    suggestion_from,
    suggestion_row,
)
from graphmem.model.search import FactFilter
from graphmem.model.time import FOREVER, NEVER, Bound, Grain, Interval, Span, Stated
from graphmem.testing.clock import FrozenClock

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
MAYBE_TEXT = st.none() | TEXT
INSTANT = st.integers(NEVER, FOREVER)
HUGE = st.integers(-(10**30), 10**30)
UNIT = st.floats(0, 1)
SAID = st.builds(Said, INSTANT, st.integers(0, 9), st.integers(0, 9))
VALUE = st.builds(Value, st.sampled_from(ValueKind), TEXT, TEXT)
QUALIFIERS = st.lists(st.tuples(TEXT, TEXT), max_size=3).map(tuple)
NAMES = st.lists(TEXT, max_size=3).map(tuple)


def ordered(pair: tuple[int, int]) -> tuple[int, int]:
    return min(pair), max(pair)


def a_span(pair: tuple[int, int], grain: Grain) -> Span:
    return Span(*ordered(pair), grain)


def a_bound(pair: tuple[int, int], stated: bool, phrase: str | None) -> Bound:
    return Bound(*ordered(pair), stated, phrase)


SPAN = st.builds(a_span, st.tuples(HUGE, HUGE), st.sampled_from(Grain))
STATED = st.none() | st.builds(Stated, TEXT, st.none() | SPAN)


def bounds(instants: st.SearchStrategy[int]) -> st.SearchStrategy[Bound]:
    known = st.builds(a_bound, st.tuples(instants, instants), st.booleans(), MAYBE_TEXT)
    return known | st.builds(Bound, st.none(), instants, st.booleans(), MAYBE_TEXT)


def facts(
    instants: st.SearchStrategy[int], predicates: st.SearchStrategy[str] = TEXT
) -> st.SearchStrategy[Fact]:
    return st.builds(
        Fact,
        id=TEXT,
        record=TEXT,
        subject=VALUE,
        predicate=predicates,
        object=st.none() | VALUE,
        polarity=st.sampled_from(Polarity),
        modality=st.sampled_from(Modality),
        qualifiers=QUALIFIERS,
        statement=TEXT,
        interval=st.builds(Interval, st.none() | bounds(instants), st.none() | bounds(instants)),
        status=st.sampled_from(Status),
        event=st.booleans(),
        confidence=UNIT,
        importance=st.integers(1, 10),
        said=SAID,
        claims=NAMES,
        cause=st.none() | st.builds(Cause, TEXT, MAYBE_TEXT, MAYBE_TEXT),
        created_at=st.integers(0, 6),
        expired_at=st.integers(7, 12) | st.just(FOREVER),
        successor=MAYBE_TEXT,
    )


EPISODES = st.builds(
    Episode,
    id=TEXT,
    key=MAYBE_TEXT,
    session=MAYBE_TEXT,
    agent=MAYBE_TEXT,
    place=st.integers(0, 2**40),
    role=st.sampled_from(Role),
    speaker=MAYBE_TEXT,
    content=TEXT,
    occurred_at=INSTANT,
    zone=TEXT,
    time_given=st.booleans(),
    created_at=INSTANT,
    channel=st.sampled_from(Channel),
    digest=TEXT,
    reading=st.sampled_from(Reading),
    reason=MAYBE_TEXT,
)
ENTITIES = st.builds(
    Entity,
    id=TEXT,
    name=TEXT,
    key=TEXT,
    types=NAMES,
    aliases=NAMES,
    is_self=st.booleans(),
    merged_into=MAYBE_TEXT,
    created_at=INSTANT,
)
SUGGESTIONS = st.builds(
    Suggestion, TEXT, TEXT, TEXT, TEXT, st.sampled_from(SuggestionState), INSTANT
)
MENTIONS = st.builds(Mention, TEXT, st.sampled_from(ValueKind), NAMES, MAYBE_TEXT, st.booleans())
CLAIMS = st.builds(
    Claim,
    id=TEXT,
    episode=TEXT,
    session=MAYBE_TEXT,
    subject=MENTIONS,
    predicate=TEXT,
    object=st.none() | MENTIONS,
    polarity=st.sampled_from(Polarity),
    modality=st.sampled_from(Modality),
    form=st.sampled_from(Form),
    start=STATED,
    end=STATED,
    qualifiers=QUALIFIERS,
    beside=st.booleans(),
    correction=st.none() | st.builds(Correction, NAMES, MAYBE_TEXT),
    quote=TEXT,
    said=SAID,
    source=st.sampled_from(SourceClass),
    authority=st.integers(0, 100),
    confidence=UNIT,
    importance=st.integers(1, 10),
    statement=TEXT,
)
LINKS = st.builds(Link, TEXT, TEXT, TEXT, st.none() | VALUE, st.sampled_from(Polarity))


@pytest.fixture(scope="module")
def connection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    path = tmp_path_factory.mktemp("rows") / "graph.db"
    database = Database(path, FrozenClock(), busy_timeout=1, synchronous="NORMAL")
    with database.alone() as found:
        found.execute(sql("scope.create"), {"tenant": "t", "user": "u", "at": 0, "number": 0})
        yield found
    database.close()


@given(EPISODES)
def test_episode(episode: Episode) -> None:
    """An episode equals itself after the way to a row and back."""
    assert episode_from(episode_row(episode)) == episode


@given(ENTITIES)
def test_entity(entity: Entity) -> None:
    """So does an entity."""
    assert entity_from(entity_row(entity)) == entity


@given(SUGGESTIONS)
def test_suggestion(suggestion: Suggestion) -> None:
    """So does a suggestion."""
    assert suggestion_from(suggestion_row(suggestion)) == suggestion


@given(CLAIMS)
def test_claim(claim: Claim) -> None:
    """So does a claim, with dates beyond any calendar."""
    assert claim_from(claim_row(claim, 0)) == claim


@given(LINKS)
def test_link(link: Link) -> None:
    """So does a link."""
    assert link_from(link_row(link, 0, 1)) == link


@given(facts(HUGE))
def test_fact(fact: Fact) -> None:
    """So does a fact."""
    assert fact_from(fact_row(fact), fact.claims, fact.successor) == fact


@settings(deadline=None)
@given(facts(HUGE))
def test_fact_in_the_file(connection: sqlite3.Connection, fact: Fact) -> None:
    """A fact equals itself after the way through the file."""
    connection.execute("BEGIN")
    try:
        insert_fact(connection, 1, fact)
        row = connection.execute("SELECT * FROM fact_records").fetchone()
        assert fact_from(row, fact.claims, fact.successor) == fact
    finally:
        connection.rollback()


SMALL = st.integers(0, 12)
PREDICATES = st.sampled_from(["a", "b", "c"])
FILTERS = st.builds(
    FactFilter,
    valid=st.none() | st.tuples(SMALL, SMALL).map(ordered),
    upcoming=st.booleans(),
    uncertain=st.booleans(),
    known_at=st.none() | SMALL,
    statuses=st.frozensets(st.sampled_from(Status)),
    polarity=st.none() | st.sampled_from(Polarity),
    modality=st.none() | st.sampled_from(Modality),
    predicates=st.none() | st.frozensets(PREDICATES),
)


@settings(max_examples=400, deadline=None)
@given(facts(SMALL, PREDICATES), FILTERS)
def test_filter(connection: sqlite3.Connection, fact: Fact, asked: FactFilter) -> None:
    """The filter in SQL admits exactly what ``FactFilter.admits`` admits."""
    connection.execute("BEGIN")
    try:
        insert_fact(connection, 1, fact)
        clauses = fact_clauses(asked)
        found = connection.execute(
            clauses.after("facts.count"), {"sid": 1, **clauses.values}
        ).fetchone()[0]
        assert bool(found) is asked.admits(fact)
    finally:
        connection.rollback()


@settings(deadline=None)
@given(st.lists(TEXT | st.text("\x00\x1a01")))
def test_list_parameter(connection: sqlite3.Connection, values: list[str]) -> None:
    """Any text survives the way through a list parameter."""
    statement = "SELECT plain(value) FROM json_each(?)"
    assert [row[0] for row in connection.execute(statement, (as_list(values),))] == values


def test_statement_names() -> None:
    """An unknown statement is an error, not an empty text."""
    with pytest.raises(KeyError):
        sql("facts.nothing")
