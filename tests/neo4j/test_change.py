"""Changes on a real server: what stands in the graph afterwards, and in how many statements."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphmem.adapters.neo4j.names import Vocabulary
from graphmem.adapters.neo4j.rows import (
    caption,
    claim_columns,
    dated,
    fact_columns,
    fact_of,
    link_columns,
    linked_of,
    moment,
)
from graphmem.adapters.neo4j.store import Neo4jStore
from graphmem.adapters.system.clock import SystemClock
from graphmem.errors import RefusedError
from graphmem.model.changes import (
    ChangeSet,
    Decision,
    Erased,
    Family,
    GaveWay,
    ReadMark,
    Rests,
    Wanted,
    Withdrawal,
)
from graphmem.model.claim import Mention, Polarity
from graphmem.model.entity import Suggestion, Value
from graphmem.model.episode import Reading
from graphmem.model.fact import Cause, Rule, Status
from graphmem.model.instants import zone_named
from graphmem.model.ontology import default_ontology
from graphmem.model.time import FOREVER, NEVER, to_micros
from graphmem.testing.builders import (
    ANA,
    T0,
    T1,
    a_claim,
    a_fact,
    a_link,
    a_suggestion,
    an_entity,
    an_episode,
    told,
    writing,
)
from graphmem.testing.graph_store.base import begin, look, write
from tests.services.neo4j_server import Address
from tests.services.stores import open_store

pytestmark = pytest.mark.anyio

ROSA = an_entity("rosa", "Rosa", types=("person",))
VOCABULARY = Vocabulary(default_ontology())
LIKES = replace(told("1", Value.entity(ROSA), predicate="knows"), entities=(ROSA,))
ODD = "x`\x00\x1f'\"\\ +sid:* ~2 [TO] $p.sid }) DETACH DELETE (n) // 猫 \u0000` RETURN 1"
"""Cypher, Lucene syntax, backticks, quotes, control characters and zero bytes."""

EDGES = """
MATCH (a:Entity)-[r]->(b:Entity)
WHERE r.fact_id IS NOT NULL
RETURN a.id AS subject, type(r) AS type, b.id AS object, properties(r) AS properties
"""
COUNTED = """
MATCH (n)
WHERE n:Record OR n:Chunk OR n:Entity
UNWIND n.terms AS term
RETURN term, count(n) AS records
"""


async def ask(store: Neo4jStore, text: str) -> list[Mapping[str, Any]]:
    """Return what a statement finds in the whole database."""
    return list(await store.connection.execute(text))


async def edges(store: Neo4jStore) -> list[tuple[str, str, str]]:
    """Return the relationships that stand for facts."""
    return [(row["subject"], row["type"], row["object"]) for row in await ask(store, EDGES)]


async def statements(store: Neo4jStore, changes: ChangeSet, *wanted: Wanted) -> int:
    """Return how many statements a change takes that first wants ``wanted``."""

    def decide() -> Decision:
        for one in wanted:
            assert (yield one).number > 0
        return changes

    before = store.connection.counts.statements
    await store.change(ANA, decide)
    return store.connection.counts.statements - before


async def test_an_add_takes_few_statements(store: Neo4jStore) -> None:
    """A turn with a fact takes as many statements in a full scope as in an empty one."""
    await begin(store)
    wanted = (
        Wanted(episode_keys=("key of e1",)),
        Wanted(entity_keys=("tea",), tails=(Family("self", "drinks"),), few=5),
    )
    few = await statements(store, told("1"), *wanted)
    for number in range(2, 20):
        await write(store, told(str(number), said=T0 + number))
    many = await statements(store, told("99", said=T1), *wanted)
    assert (few, many) == (4, 5)  # of a large family the end is looked up in one statement more


async def test_a_correction_takes_few_statements(store: Neo4jStore) -> None:
    """A fact that ends with its claims and what takes its place is written in two statements
    beside the one that takes the lock and reads what the decision wants."""
    await begin(store, told("1"))
    change = replace(
        told("2", Value.literal("mate"), said=T1),
        facts=(a_fact(record="f1/2", end=T1), a_fact("f2", claims=("c2",), said=T1)),
        withdrawals=(Withdrawal("c1"),),
        rests=(Rests("f1", ("c2",)),),
    )
    assert await statements(store, change, Wanted(families=(Family("self", "drinks"),))) == 3


async def test_edge(store: Neo4jStore) -> None:
    """A held fact between two entities is a relationship of its own type, with its interval."""
    await begin(store, LIKES)
    (row,) = await ask(store, EDGES)
    assert (row["subject"], row["type"], row["object"]) == ("self", "KNOWS", "rosa")
    edge = row["properties"]
    assert (edge["fact_id"], edge["from"], edge["to"]) == ("f1", T0, FOREVER)
    assert edge["valid_from"].to_native() == datetime.fromtimestamp(T0 / 1e6, UTC)
    assert edge["when"] == "since 14 November 2023 22:13"
    assert "valid_to" not in edge


@pytest.mark.parametrize(
    ("zone", "shown"),
    [
        ("Asia/Shanghai", "2027-06-01T00:00:00+08:00"),
        ("-03:30", "2027-05-31T12:30:00-03:30"),
        ("+23:59", "2027-05-31T16:00:00+00:00"),  # farther than the server can write
    ],
)
async def test_dates_are_of_the_readers_zone(neo4j: Address, zone: str, shown: str) -> None:
    """Who looks at the graph sees the day that was meant, with its offset."""
    store = open_store(neo4j, SystemClock(), zone=zone_named(zone))
    start = to_micros(datetime(2027, 5, 31, 16, tzinfo=UTC))
    told_in = replace(LIKES, facts=(a_fact(start=start, object=LIKES.facts[0].object),))
    await begin(store, told_in)
    (row,) = await ask(store, "MATCH (f:Fact) RETURN f.valid_from AS shown")
    assert row["shown"].iso_format()[:19] + row["shown"].iso_format()[-6:] == shown
    await store.close()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Rosa\n drinks\0tea", "Rosa drinks tea"),
        ("la " * 40, f"{'la ' * 19}la…"),
        ("杨枝甘露里有芒果", "杨枝甘露里有芒果"),
        ("芒果糯米饭也含有芒果，她说。", "芒果糯米饭 也含有芒果 ，她说。"),
    ],
)
def test_captions(text: str, shown: str) -> None:
    """They are one short line, which a picture can break."""
    assert caption(text) == shown


def test_moments_at_the_ends_of_time() -> None:
    """Neither never nor for ever has a date, and the first and last days have one in every zone."""
    far = timedelta(hours=14)
    assert moment(NEVER, UTC) is moment(FOREVER, UTC) is moment(None, UTC) is None
    for day in (datetime.min, datetime.max):
        instant = to_micros(day.replace(tzinfo=UTC))
        for zone in (zone_named("+14:00"), zone_named("-14:00"), zone_named("Asia/Shanghai")):
            shown = moment(instant, zone)
            assert shown is not None
            assert to_micros(shown) == instant
            assert abs(shown.utcoffset() or far) <= far


def test_moments_of_a_time_whose_clocks_went_by_the_sun() -> None:
    """Offsets had seconds, which a server takes none of: instant and day stay as they are."""
    for zone in map(zone_named, ("Asia/Shanghai", "America/St_Johns", "Europe/Amsterdam")):
        midnight = datetime(1850, 3, 5, tzinfo=zone)
        shown = moment(to_micros(midnight), zone)
        assert shown is not None
        assert to_micros(shown) == to_micros(midnight)
        assert shown.date() == midnight.date()
        offset = shown.utcoffset()
        assert offset is not None
        assert offset % timedelta(minutes=1) == timedelta()


async def test_a_date_that_is_sent_as_text_is_the_same(store: Neo4jStore) -> None:
    """A server reads the first and last days, odd offsets and microseconds as they are."""
    zones = [zone_named(name) for name in ("-14:00", "+05:45", "Asia/Shanghai", "UTC")]
    days = (datetime.min, datetime(1850, 3, 5, 1, 2, 3, 4), datetime.max)
    pairs = [(to_micros(day.replace(tzinfo=UTC)), zone) for day in days for zone in zones]
    (found,) = await store.connection.execute(
        "RETURN [day IN $p.days | datetime(day)] AS days", days=[dated(*pair) for pair in pairs]
    )
    assert [day.to_native() for day in found["days"]] == [moment(*pair) for pair in pairs]


async def test_edge_follows_its_fact(store: Neo4jStore) -> None:
    """A fact has one relationship through all its records, and none once it is held no more."""
    await begin(store, LIKES)
    fact = replace(LIKES.facts[0], record="f1/2", polarity=Polarity.NEGATIVE)
    await write(store, ChangeSet(facts=(fact,)))
    assert await edges(store) == [("self", "NOT_KNOWS", "rosa")]
    gone = replace(fact, record="f1/3", status=Status.RETRACTED)
    await write(store, ChangeSet(facts=(gone,)))
    assert await edges(store) == []
    await write(store, ChangeSet(facts=(replace(fact, record="f1/4", predicate="hums with"),)))
    assert await edges(store) == [("self", "NOT_RELATES_TO", "rosa")]
    await write(store, ChangeSet(gave_way=(GaveWay("f1", None),)))
    assert await edges(store) == []


async def test_edge_of_hubs(store: Neo4jStore) -> None:
    """Of many facts between the same two, each has its own relationship."""
    more = [
        replace(
            told(str(n), Value.entity(ROSA), predicate="knows"), episodes=(), claims=(), links=()
        )
        for n in range(2, 6)
    ]
    facts = tuple(replace(one.facts[0], claims=("c1",)) for one in more)
    await begin(store, LIKES, ChangeSet(facts=facts), ChangeSet(gave_way=(GaveWay("f3", "f1"),)))
    assert {row["properties"]["fact_id"] for row in await ask(store, EDGES)} == {
        *("f1", "f2", "f4", "f5")
    }


async def test_records(store: Neo4jStore) -> None:
    """One node a fact holds its live record, one more each older one; who gave way keeps those."""
    await begin(store, told("1"), ChangeSet(facts=(a_fact(record="f1/2"),)))
    found = await ask(store, "MATCH (n:Record) RETURN n.record AS record, labels(n) AS labels")
    assert {row["record"]: set(row["labels"]) for row in found} == {
        "f1/1": {"Record", "Revision"},
        "f1/2": {"Record", "Fact"},
    }
    await write(store, replace(told("2"), gave_way=(GaveWay("f1", "f2"),)))
    found = await ask(
        store,
        """MATCH (f:Fact {id: 'f1'})-[:GAVE_WAY_TO]->(n)
        RETURN n.id AS successor, keys(f) AS keys,
          COLLECT { MATCH (f)<-[:REVISION_OF]-(r) RETURN r.record } AS records""",
    )
    assert [(row["successor"], set(row["keys"]), set(row["records"])) for row in found] == [
        ("f2", {"sid", "id"}, {"f1/1", "f1/2"})
    ]


async def test_what_ended_what(store: Neo4jStore) -> None:
    """The live fact on the claim that ended another supersedes it, also under a new id."""
    ended = a_fact(record="f1/2", end=T1, cause=Cause(Rule.SUPERSEDED, "c2"))
    after = told("2", Value.literal("mate"), said=T1)
    await begin(store, told("1"), replace(after, facts=(*after.facts, ended)))
    asked = "MATCH (n)-[r:SUPERSEDES]->(f) RETURN n.id AS by, f.id AS ended, r.rule AS rule"
    assert await ask(store, asked) == [{"by": "f2", "ended": "f1", "rule": "superseded"}]
    moved = replace(after.facts[0], id="f3", record="f3/1")
    await write(store, ChangeSet(facts=(moved,), gave_way=(GaveWay("f2", "f3"),)))
    assert [row["by"] for row in await ask(store, asked)] == ["f3"]
    await write(store, ChangeSet(facts=(a_fact(record="f1/3"),)))
    assert await ask(store, asked) == []


async def test_labels(store: Neo4jStore) -> None:
    """An entity carries its known types as labels, and loses those it has no more."""
    asked = "MATCH (e:Entity {id: 'rosa'}) RETURN labels(e) AS labels"
    await begin(store, ChangeSet(entities=(replace(ROSA, types=("person", "fact", "spy")),)))
    assert {*(await ask(store, asked))[0]["labels"]} == {"Entity", "Person"}
    await write(store, ChangeSet(entities=(replace(ROSA, types=("place",)),)))
    assert {*(await ask(store, asked))[0]["labels"]} == {"Entity", "Place"}


async def test_counts(store: Neo4jStore) -> None:
    """How many records hold a term is what a count over all records gives, whatever changed."""
    rosie = an_entity("rosie", aliases=("Rosa's sister",))
    await begin(
        store,
        replace(LIKES, entities=(ROSA, rosie)),
        told("2"),
        ChangeSet(facts=(a_fact(record="f2/2", statement="The user drinks mate."),)),
        ChangeSet(entities=(replace(rosie, aliases=("Rosemary",)),)),
        ChangeSet(entities=(replace(rosie, aliases=("Rosemary",), merged_into="rosa"),)),
        ChangeSet(gave_way=(GaveWay("f1", None),)),
    )
    counted = {row["term"]: row["records"] for row in await ask(store, COUNTED)}
    kept = await ask(store, "MATCH (t:Term) RETURN t.term AS term, t.records AS records")
    assert {row["term"]: row["records"] for row in kept} == counted
    (scope,) = await ask(
        store,
        """MATCH (s:Scope) RETURN s.points AS points, COUNT {
          MATCH (n) WHERE (n:Record OR n:Chunk OR n:Entity) AND size(n.terms) > 0
        } AS documents""",
    )
    assert scope["points"] == scope["documents"]


async def test_names_that_are_no_more(store: Neo4jStore) -> None:
    """Names and words of an entity that it has no more leave no node behind."""
    await begin(store, ChangeSet(entities=(replace(ROSA, aliases=("Zinnia",)),)))
    await write(store, ChangeSet(entities=(ROSA,)))
    left = await ask(store, "MATCH (n:Name|Term) RETURN coalesce(n.key, n.term) AS word")
    assert {row["word"] for row in left} == {"\x00self", "self", "rosa"}


async def test_odd_texts(store: Neo4jStore) -> None:
    """Whatever a text holds is stored and read back as it was."""
    odd = an_entity("rosa", ODD, types=(ODD,), aliases=(f"{ODD} 2",))
    change = told(
        "1",
        Value.literal(ODD),
        predicate=ODD,
        session=ODD,
        agent=ODD,
        statement=ODD,
        qualifiers=((ODD, ODD),),
        cause=Cause(ODD, "c1", ODD),
    )
    (episode,) = change.episodes
    episode = replace(episode, key=ODD, speaker=ODD, zone=ODD)
    claim = replace(
        change.claims[0],
        subject=Mention(ODD, role=ODD, types=(ODD,)),
        qualifiers=((ODD, ODD),),
    )
    change = replace(
        change,
        episodes=(episode,),
        claims=(claim,),
        entities=(odd,),
        reads=(ReadMark("e1", Reading.PENDING, ODD),),
        withdrawals=(Withdrawal("c1", reason=ODD),),
        suggestions=(replace(a_suggestion(second="self"), reason=ODD),),
    )
    await begin(store)
    at = (await store.change(ANA, writing(change), change_id=ODD)).at
    assert (await store.change(ANA, writing(ChangeSet()), change_id=ODD)).at == at
    seen = await look(
        store,
        Wanted(
            episode_keys=(ODD,),
            entity_keys=(odd.key,),
            suggestions=True,
            families=(Family("self", ODD),),
        ),
    )
    assert seen.episodes == (replace(episode, created_at=at, reading=Reading.PENDING, reason=ODD),)
    assert replace(odd, created_at=at) in seen.entities
    assert [(one.claim, one.link, one.withdrawn) for one in seen.claims] == [
        (claim, change.links[0], True)
    ]
    assert seen.facts == (replace(change.facts[0], created_at=at),)
    assert [one.reason for one in seen.suggestions] == [ODD]


@pytest.mark.parametrize("letter", ["x", "猫", "\U0001f408"])
async def test_long_texts(store: Neo4jStore, letter: str) -> None:
    """Texts longer than any key of an index holds are stored, found, and told apart."""
    texts = [letter * 2_000 + end for end in "ab"]
    await begin(store)
    for number, text in enumerate(texts):
        change = told(str(number), Value.literal(text), session=text, agent=text, statement=text)
        claim = replace(change.claims[0], qualifiers=((text, text),))
        change = replace(
            change,
            episodes=(replace(change.episodes[0], key=text),),
            claims=(claim,),
            entities=(an_entity(f"n{number}", text, aliases=(f"{text} {text}",)),),
        )
        await store.change(ANA, writing(change), change_id=text)
    for number, text in enumerate(texts):
        value = Value.literal(text)
        seen = await look(
            store,
            Wanted(
                episode_keys=(text,),
                entity_keys=(an_entity("n", text).key,),
                families=(Family("self", "drinks", value.key),),
            ),
        )
        assert [one.id for one in seen.episodes] == [f"e{number}"]
        assert [one.id for one in seen.entities][1:] == [f"n{number}"]
        assert [one.id for one in seen.facts] == [f"f{number}"]
        done = await store.change(ANA, writing(told("9")), change_id=text)
        assert (done.number, done.changes) == (number + 2, ChangeSet())


async def test_tail_of_a_large_family(store: Neo4jStore) -> None:
    """Of a large family its end is sent, with the fact on it, and no claim."""
    await begin(store, *(told(str(n), said=T0 + n) for n in range(8)))
    family = Family("self", "drinks")
    seen = await look(store, Wanted(tails=(family,), few=5))
    (tail,) = seen.tails
    assert (tail.last.claim.id, tail.fact.id, tail.reach) == ("c7", "f7", T0 + 7)
    assert (seen.claims, seen.facts) == ((), ())
    seen = await look(store, Wanted(tails=(family,), few=8))
    assert (seen.tails, len(seen.claims), len(seen.facts)) == ((), 8, 8)


async def test_family_without_a_tail(store: Neo4jStore) -> None:
    """A large family whose claims are not all of one manner is read whole."""
    other = told("9", said=T1)
    weak = replace(other, claims=(replace(other.claims[0], authority=50),))
    await begin(store, *(told(str(n), said=T0 + n) for n in range(8)), weak)
    seen = await look(store, Wanted(tails=(Family("self", "drinks"),), few=5))
    assert (seen.tails, len(seen.claims), len(seen.facts)) == ((), 9, 9)


async def test_one_more_claim_of_a_large_family(store: Neo4jStore) -> None:
    """Evidence that is added twice is there once, and only a new label touches the fact."""
    await begin(store, told("1", session="s1"))
    again = ChangeSet(
        episodes=(an_episode("e2", session="s1"),),
        claims=(a_claim("c2", "e2"),),
        links=(a_link("c2"),),
        rests=(Rests("f1", ("c2", "c2", "c1"), more=True),),
    )
    await write(store, again)
    assert (await look(store, Wanted(facts=("f1",)))).facts[0].claims == ("c1", "c2")
    (row,) = await ask(store, "MATCH ()-[r:RESTS_ON]->() RETURN count(r) AS rests")
    assert row["rests"] == 2


async def test_link_without_its_subject(store: Neo4jStore) -> None:
    """A claim about an entity that was erased keeps its link."""
    await begin(store, replace(told("1", subject="rosa"), entities=(ROSA,)))
    await write(store, ChangeSet(erased=Erased(entities=("rosa",))))
    (linked,) = (await look(store, Wanted(claims=("c1",)))).claims
    assert linked.link.subject == "rosa"
    await write(store, ChangeSet(links=(replace(linked.link, subject="self"),)))
    (linked,) = (await look(store, Wanted(families=(Family("self", "drinks"),)))).claims
    assert linked.link.subject == "self"


async def test_suggestion_of_nobody(store: Neo4jStore) -> None:
    """A suggestion needs both of its entities."""
    await begin(store)
    with pytest.raises(RefusedError, match="rosie"):
        await write(store, ChangeSet(suggestions=(Suggestion("s1", "self", "rosie", ""),)))


async def test_second_self(store: Neo4jStore) -> None:
    """A scope has one user of its own."""
    await begin(store)
    with pytest.raises(RefusedError, match="second self"):
        await write(store, ChangeSet(entities=(an_entity("me", key="me", is_self=True),)))


def test_rows_come_back() -> None:
    """A fact and a claim are read from properties that hold more than they need, or less."""
    fact = a_fact(claims=("c1", "c2"))
    evidence = [(T1, 0, 0, "c2"), (T0, 0, 0, "c1")]
    found = {
        name: value for name, value in fact_columns(fact, VOCABULARY).items() if value is not None
    }
    assert fact_of(found, evidence, None) == fact
    claim, link = a_claim(), a_link()
    linked = linked_of(
        claim_columns(claim, T0, VOCABULARY), link_columns(claim, link, T0, FOREVER), False
    )
    assert (linked.claim, linked.link) == (claim, link)
