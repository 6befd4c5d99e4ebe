"""What is added to the end of a family unread gives what all its claims give."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count, permutations

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from telling import over, tell

from benchmarks.stories import linked, read
from graphmem.adapters.sqlite.store import SqliteStore
from graphmem.model.changes import Decision
from graphmem.model.claim import Correction, Form, LinkedClaim
from graphmem.model.entity import Value, ValueKind
from graphmem.model.fact import Fact, Status
from graphmem.model.predicate import Cardinality, Ontology, Predicate
from graphmem.model.scope import Scope
from graphmem.model.search import FactFilter, FactQuery
from graphmem.resolution.families import Families
from graphmem.resolution.recompute import Overlay, Touched, recompute
from graphmem.testing.builders import T0, an_episode
from graphmem.testing.clock import FrozenClock
from graphmem.usecases.believe import written

ONE = Ontology([Predicate(slug="p", cardinality=Cardinality.ONE, discriminators=("slot",))])
MANY = Ontology([Predicate(slug="p")])
PAIRS = Ontology([Predicate(slug="p", symmetric=True)])
COUPLES = Ontology([Predicate(slug="p", symmetric=True, cardinality=Cardinality.ONE)])
PEOPLE = ("me", "Ida", "Odo", "Una")
LAST = 60

Batches = Sequence[Sequence[LinkedClaim]]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqliteStore]:
    """Open one store, in which every telling has a scope of its own."""
    path = tmp_path_factory.mktemp("store") / "graph.sqlite3"
    store = SqliteStore.open(path, FrozenClock(T0), synchronous="NORMAL")
    yield store
    anyio.run(store.close)


_scopes = count()


class Teller:
    """Tells claims to a scope of its own, reading families whole or, with ``few``, by tails."""

    def __init__(self, store: SqliteStore, ontology: Ontology, few: int | None) -> None:
        self.store, self.ontology, self.few = store, ontology, few
        self.scope = Scope("t", str(next(_scopes)))
        self.unread = 0

    async def tell(self, claims: Sequence[LinkedClaim]) -> list[str]:
        """Add claims in one change; return what is believed then, without ids made at random."""

        def decide() -> Decision:
            overlay = Overlay(claims={c.claim.id: c for c in claims})
            touched = sorted({Touched.by(c.link) for c in claims}, key=repr)
            change = yield from recompute(self.ontology, touched, overlay, few=self.few)
            return written(
                change,
                episodes=tuple(an_episode(c.claim.episode, key=None) for c in claims),
                claims=tuple(c.claim for c in claims),
                links=tuple(c.link for c in claims),
            )

        changed = await self.store.change(self.scope, decide)
        self.unread += any(rests.more for rests in changed.changes.rests)
        everything = FactQuery(filter=FactFilter(statuses=frozenset(Status)), limit=1000)
        return sorted(map(_shown, (await self.store.facts(self.scope, everything)).items))


def _shown(fact: Fact) -> str:
    cause = fact.cause and replace(fact.cause, rule=str(fact.cause.rule))
    return repr(replace(fact, id="", record="", created_at=0, cause=cause))


def compare(store: SqliteStore, batches: Batches, ontology: Ontology) -> int:
    """Tell the same in both ways and compare after each batch; return how many went unread."""

    async def told() -> int:
        unread, whole = Teller(store, ontology, 0), Teller(store, ontology, None)
        for batch in batches:
            assert await unread.tell(batch) == await whole.tell(batch)
        return unread.unread

    return anyio.run(told)


def _in_its_own_turn(one: LinkedClaim) -> LinkedClaim:
    return replace(one, claim=replace(one.claim, episode=f"turn of {one.claim.id}"))


@st.composite
def lives(draw: st.DrawFn) -> Batches:
    """Draw claims that mostly say bare things one after the other, in one or several batches."""
    values = draw(st.sampled_from((("A",), ("A", "B"), ("A", "B", "C"))))
    odd = draw(st.sampled_from((0, 0, 1, 3)))
    claims: list[LinkedClaim] = []
    at = 0
    for place in range(draw(st.integers(2, 9))):
        at += draw(st.sampled_from((0, 1, 1, 2, 5)))
        value = draw(st.sampled_from(values))
        if draw(st.integers(0, 9)) < odd:
            claims.append(draw(anything(f"c{place}", value, at)))
        else:
            form = draw(st.sampled_from(("state", "state", "change")))
            claims.append(tell(f"c{place}", value, form, said=at, place=place))
    if draw(st.integers(0, 3)) == 0:
        claims = draw(st.permutations(claims))
    batches: list[list[LinkedClaim]] = []
    for one in map(_in_its_own_turn, claims):
        if batches and draw(st.integers(0, 3)) == 0:
            batches[-1].append(one)
        else:
            batches.append([one])
    return batches


@st.composite
def anything(draw: st.DrawFn, name: str, value: str, at: int) -> LinkedClaim:
    """Draw a claim of any form, dated or not, of any weight."""
    form = draw(st.sampled_from([form.value for form in Form]))
    first = draw(st.integers(0, LAST))
    bound = over(first, first + 6) if draw(st.booleans()) else first
    start = bound if form != "end" and draw(st.booleans()) else None
    end = bound if form == "end" and draw(st.booleans()) else None
    if form == "past":
        start, end = first, first + 3
    none = form in ("end", "cancel") and draw(st.booleans())
    return tell(
        name,
        None if none else value,
        form,
        said=at,
        place=int(name[1:]),
        start=start,
        end=end,
        no=form == "state" and draw(st.integers(0, 3)) == 0,
        planned=draw(st.integers(0, 3)) == 0,
        possible=draw(st.integers(0, 5)) == 0,
        authority=draw(st.sampled_from((100, 80, 50))),
        qualifiers=draw(st.sampled_from(((), (("slot", "x"),), (("role", "y"),)))),
        beside=draw(st.integers(0, 5)) == 0,
        correction=draw(st.sampled_from((None, None, Correction(), Correction(value="A")))),
    )


@given(batches=lives(), one=st.booleans())
@settings(max_examples=120, deadline=None)
def test_added_unread_as_if_all_were_read(store: SqliteStore, batches: Batches, one: bool) -> None:
    """Whatever was told before, the facts, their evidence and their causes are the same."""
    compare(store, batches, ONE if one else MANY)


@st.composite
def ties(draw: st.DrawFn) -> list[LinkedClaim]:
    """Draw claims of a symmetric predicate among four people, told from either side."""
    claims: list[LinkedClaim] = []
    for place in range(draw(st.integers(2, 8))):
        one, other = draw(st.sampled_from([*permutations(PEOPLE, 2)]))
        plain = draw(st.integers(0, 5)) > 0
        told = tell(f"c{place}", other, said=place, place=place) if plain else None
        told = told or draw(anything(f"c{place}", other, place))
        thing = Value(ValueKind.ENTITY, other, other) if told.link.object else None
        told = replace(told, link=replace(told.link, subject=one, object=thing))
        if claims and draw(st.integers(0, 4)) == 0:
            wrong = draw(st.sampled_from(claims)).claim.id
            told = replace(told, claim=replace(told.claim, correction=Correction((wrong,))))
        claims.append(_in_its_own_turn(told))
    return claims


@given(told=ties(), apart=st.booleans(), ontology=st.sampled_from((PAIRS, COUPLES)))
@settings(max_examples=100, deadline=None)
def test_pairs_read_alone_as_if_all_were_read(
    store: SqliteStore, told: list[LinkedClaim], apart: bool, ontology: Ontology
) -> None:
    """A symmetric fact depends on what was said of its two ends."""
    batches = [[one] for one in told] if apart else [told]
    compare(store, batches, ontology)
    families = Families(ontology, {})
    for one in told:
        families.put(one)
    whole = families.facts((one, "p") for one in PEOPLE)

    async def last() -> list[str]:
        teller = Teller(store, ontology, None)
        found: list[str] = []
        for batch in batches:
            found = await teller.tell(batch)
        return found

    assert anyio.run(last) == sorted(map(_shown, whole))


def test_stories_added_unread(store: SqliteStore) -> None:
    """Every story told in order gives the same after each of its claims, and some go unread."""
    unread = 0
    for story in read(None):
        yes_no = all(c["value"] in ("+", "-") for c in story["claims"] if c.get("slot") != "*")
        claims = [linked(c, place, yes_no=yes_no) for place, c in enumerate(story["claims"])]
        claims.sort(key=lambda c: c.claim.said)
        batches = [[_in_its_own_turn(one)] for one in claims]
        unread += compare(store, batches, MANY if yes_no else ONE)
    assert unread >= 20


def test_a_run_of_bare_claims_is_added_unread(store: SqliteStore) -> None:
    """Saying a thing again and saying another one both leave the rest unread."""
    told = [tell(f"c{n}", value, said=n, place=n) for n, value in enumerate("AAABBA")]
    batches = [[_in_its_own_turn(one)] for one in told]
    assert compare(store, batches, ONE) == 5
    assert compare(store, batches, MANY) == 4
    assert compare(store, batches, PAIRS) == 4


def test_a_plan_keeps_its_family_whole(store: SqliteStore) -> None:
    """What may be belied or come true is read with whatever is said later."""
    told = [
        tell("c0", "A", said=0),
        tell("c1", "B", "change", said=1, start=9, planned=True),
        tell("c2", "A", said=2),
        tell("c3", "A", said=12),
    ]
    assert compare(store, [[_in_its_own_turn(one)] for one in told], ONE) == 0
