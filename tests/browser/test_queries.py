"""The saved queries for Neo4j Browser on real servers: what they find in the story of the demo."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import pytest
from neo4j import Driver
from neo4j.graph import Node, Relationship
from neo4j.graph import Path as Way

from graphmem import Memory, resources
from graphmem.adapters.neo4j.names import OWN_LABELS, Vocabulary
from graphmem.entrypoints.cli.demo import USER
from graphmem.model.ontology import default_ontology
from graphmem.model.scope import Scope
from graphmem.usecases.owed import OWED, What
from tests.browser.story import (
    ANA,
    IN_STEP,
    OTHER_TENANT,
    OTHER_USER,
    opened,
    parameters,
    saved,
    tell,
)
from tests.neo4j.explaining import driver_of
from tests.services.plugin import Emptied

SCANS = re.compile("Scan|CartesianProduct")
DOCS = Path(__file__).parents[2] / "docs"
NAMES = [
    "world_now",
    "timeline",
    "why_this_fact",
    "changed_this_week",
    "disputed",
    "two_hops",
    "world_at_a_date",
    "orphans_and_drift",
]


@dataclass
class Found:
    """What a query returned: its rows, and what is drawn of them."""

    rows: list[dict[str, Any]]
    nodes: set[Node] = field(default_factory=set[Node])
    relationships: set[Relationship] = field(default_factory=set[Relationship])

    def take(self, value: object) -> None:
        """Note what a value of a row draws."""
        if isinstance(value, Node):
            self.nodes.add(value)
        elif isinstance(value, Relationship):
            self.relationships.add(value)
        elif isinstance(value, Way):
            self.nodes.update(value.nodes)
            self.relationships.update(value.relationships)

    @property
    def captions(self) -> list[str]:
        """What stands in the nodes."""
        return sorted(node["caption"] for node in self.nodes)

    @property
    def edges(self) -> set[tuple[str, str, str]]:
        """Each relationship with its ends."""
        return {
            (one.nodes[0]["caption"], one.type, one.nodes[1]["caption"])
            for one in self.relationships
            if one.nodes[0] is not None and one.nodes[1] is not None
        }

    @property
    def facts(self) -> set[str]:
        """The ids of the facts that are seen, as a relationship or by themselves."""
        shown = {node["id"] for node in self.nodes if "Fact" in node.labels}
        return shown | {one["fact_id"] for one in self.relationships if "fact_id" in one}


@dataclass(frozen=True)
class Told:
    """A server to which the story was told."""

    driver: Driver
    memory: Memory

    def run(self, name: str, **changed: str) -> Found:
        """Run a saved query with the parameters as they are shipped, or some changed."""
        text = cast("Any", saved()[name])
        records = self.driver.execute_query(text, {**parameters(), **changed}).records
        found = Found([dict(record) for record in records])
        for row in found.rows:
            for value in row.values():
                found.take(value)
        return found

    def sid(self, scope: Scope) -> str:
        """Return the mark on everything of a user."""
        text = "MATCH (s:Scope {key: $key}) RETURN s.id AS sid"
        return self.driver.execute_query(text, key=scope.key).records[0]["sid"]


@pytest.fixture(scope="module", params=["neo4j_lts", "neo4j_current"], ids=["5.26", "2026"])
def told(request: pytest.FixtureRequest) -> Iterator[Told]:
    """Return a server of each line to which the story was told."""
    emptied: Emptied = request.getfixturevalue(request.param)
    address = emptied.wipe()
    with opened(address) as memory, driver_of(address) as driver:
        tell(memory)
        driver.execute_query(cast("Any", IN_STEP), owed=OWED)
        yield Told(driver, memory)
    emptied.wipe()


def test_there_are_all() -> None:
    """Each has a title that Browser shows, says what it is for, and names its parameters."""
    assert list(saved()) == NAMES
    titles = [text.splitlines()[0] for text in saved().values()]
    for number, title in enumerate(titles, 1):  # Browser sorts them
        assert re.fullmatch(rf"// graphmem {number}: [a-z][\w' ]+", title)
    for text in saved().values():
        assert re.search(r"^// Parameters: \$tenant, \$user\b", text, re.M)
        header, _, body = text.partition("\nMATCH")
        assert set(re.findall(r"\$(\w+)", header)) == set(re.findall(r"\$(\w+)", body))
        assert ";" not in text.partition("\nMATCH")[2]


def test_each_is_on_the_page_with_its_picture() -> None:
    """docs/neo4j-browser.md walks through them by their titles, and tells what they ask for."""
    page = (DOCS / "neo4j-browser.md").read_text("utf-8")
    pictures = re.findall(r"^!\[.+\]\((pictures/\w+\.png)\)$", page, re.M)
    assert pictures == ["pictures/favorites.png", *(f"pictures/{name}.png" for name in NAMES)]
    assert {path.name for path in (DOCS / "pictures").iterdir()} == {
        picture.partition("/")[2] for picture in pictures
    }
    told = re.findall(r"^### (.+)$", page, re.M)
    assert told == [text.splitlines()[0].removeprefix("// graphmem ") for text in saved().values()]
    table = re.findall(r"^\| (`.+`) \| .+ \| .+ \|$", page, re.M)
    assert re.findall(r"`(\w+)`", " ".join(table)) == list(parameters())


def test_each_kind_of_node_has_a_style() -> None:
    """What the ontology gives a label, and what the queries draw, is not left to Browser's dice."""
    text = resources.read_text("cypher", "browser", "style.grass")
    styled = set(re.findall(r"^node\.(\w+) \{$", text, re.M))
    types = {name for one in default_ontology() for name in (*one.subject_types, *one.object_types)}
    drawn = set(Vocabulary(default_ontology()).labels(types)) | {"Entity", "Outbox"}
    drawn |= {"Fact", "Record", "Revision", "Claim", "Episode"}
    assert drawn <= styled
    assert styled & OWN_LABELS <= drawn | {"Scope"}
    # Browser's reader of style sheets knows no comments, and cuts at each colon and semicolon.
    assert re.fullmatch(r'(?:[\w.]+ \{\n(?:  [\w-]+: (?:"[^":;]*"|[^":;]+);\n)+\}\n)+', text)


def test_each_is_taken_and_only_reads(told: Told) -> None:
    """A server plans each as one that changes nothing, and goes through no other user's things."""
    # What was planned before the story was told was planned for an empty database.
    told.driver.execute_query("CALL db.clearQueryCaches()")
    for name, text in saved().items():
        summary = told.driver.execute_query(cast("Any", f"EXPLAIN {text}"), parameters()).summary
        assert summary.query_type == "r", name
        plan = cast("dict[str, Any]", summary.plan)  # pyright: ignore[reportUnknownMemberType] - a dict of what may be
        scans = [one for one in operators(plan) if SCANS.search(one)]
        assert [one for one in scans if "scope:Scope" not in one] == [], name


def operators(plan: dict[str, Any]) -> list[str]:
    """Return by which operators a query is run, and on what."""
    own = f"{plan['operatorType']} {plan.get('args', {}).get('Details', '')}"
    return [own, *(one for child in plan.get("children", []) for one in operators(child))]


def test_nothing_of_anybody_else(told: Told) -> None:
    """Neither a user of another name, nor one of the same name elsewhere, is in any picture."""
    for scope in (ANA, Scope("default", OTHER_USER), Scope(OTHER_TENANT, USER)):
        sid, seen = told.sid(scope), 0
        for name in NAMES:
            found = told.run(name, tenant=scope.tenant, user=scope.user, fact="live")
            assert {node["sid"] for node in found.nodes} <= {sid}, name
            seen += len(found.nodes)
        assert seen > 5


@pytest.mark.parametrize("name", NAMES)
def test_nobody_has_no_world(told: Told, name: str) -> None:
    """A user who is not there sees nothing, and neither does a name in capitals."""
    for user in ("nobody", "", USER.upper(), "' OR 1=1 //", "%"):
        assert told.run(name, user=user).rows == []


def test_world_now(told: Told) -> None:
    """What holds now: things by their relationships, what has no other thing as a fact."""
    found = told.run("world_now")
    assert found.edges == {
        ("ana", "LIVES_IN", "Porto"),
        ("ana", "ALLERGIC_TO", "mango"),
        ("ana", "NOT_LIKES", "coffee"),
        ("ana", "SUBJECT_OF", "I'm 35 years old"),
        ("杨枝甘露", "CONTAINS", "mango"),
        ("芒果糯米饭", "CONTAINS", "mango"),
    }
    assert found.facts == {fact.id for fact in told.memory.facts(user=USER).items}


@pytest.mark.parametrize("at", ["2025", "2025-03", "2025-03-05", "2025-06-02T08:20+08:00"])
def test_world_at_a_date(told: Told, at: str) -> None:
    """What held then is what the memory lists for the same words."""
    found = told.run("world_at_a_date", at=at)
    assert ("ana", "LIVES_IN", "Hangzhou") in found.edges
    then = told.memory.facts(user=USER, valid_at=at)
    assert found.facts == {fact.id for fact in then.items}
    assert (("ana", "LIVES_IN", "Porto") in found.edges) is (at == "2025")


@pytest.mark.parametrize("subject", ["me", "ana", "Ana", "我"])
def test_timeline(told: Told, subject: str) -> None:
    """All that was held of the user in the order of time, and what ended which."""
    found = told.run("timeline", subject=subject)
    statements = [row["statement"] for row in found.rows]
    assert statements[0] in {"I live in Hangzhou", "I'm allergic to mango."}
    assert statements.index("I live in Hangzhou") < statements.index("I've moved to Porto.")
    assert ("I've moved to Porto.", "SUPERSEDES", "I live in Hangzhou") in found.edges
    assert not {"I've moved to Lisbon.", "Ana lives in Madrid."} & set(statements)
    (home,) = {row["when"] for row in found.rows if row["statement"] == "I live in Hangzhou"}
    assert home == "by 10 January 2025, ended by 2 June 2025"


@pytest.mark.parametrize("subject", ["mango", " MANGO ", "芒果"])
def test_timeline_of_a_thing(told: Told, subject: str) -> None:
    """A thing is found by each of its names however written, and told of as a value too."""
    found = told.run("timeline", subject=subject)
    assert {node["key"] for node in found.nodes if "Entity" in node.labels} == {"mango"}
    assert len(found.rows) == 3


def test_why_this_fact(told: Told) -> None:
    """Its claim and turn, what it ended and corrected, and what its record said before."""
    (home,) = told.memory.facts(user=USER, predicate="lives_in").items
    found = told.run("why_this_fact", fact=home.id)
    words = "I've moved to Porto."
    assert {(a, kind, b) for a, kind, b in found.edges if kind != "REVISION_OF"} == {
        (words, "RESTS_ON", words),
        (words, "SAID_IN", words),
        (words, "SUPERSEDES", "I live in Hangzhou"),
        (words, "SUPERSEDES", "I've moved to Lisbon."),
    }
    rules = {one["rule"] for one in found.relationships if one.type == "SUPERSEDES"}
    assert rules == {"superseded", "corrected_by"}
    by_words = told.run("why_this_fact", fact="MOVED TO PORTO")
    assert by_words.edges == found.edges
    old = told.run("why_this_fact", fact="in hangzhou")
    assert ("I live in Hangzhou", "REVISION_OF", "I live in Hangzhou") in old.edges


def test_changed_this_week(told: Told) -> None:
    """All of the story entered just now, whenever it holds; a week later nothing did."""
    found = told.run("changed_this_week")
    every = told.memory.facts(
        user=USER,
        include_ended=True,
        include_disputed=True,
        include_retracted=True,
    )
    assert {row["fact"]["id"] for row in found.rows} == {fact.id for fact in every.items}
    whens = {row["fact"]["caption"]: row["fact"]["when"] for row in found.rows}
    assert whens["I've moved to Lisbon."] == "by 2 June 2025, retracted"
    assert {"Revision", "Fact", "Entity"} <= {label for n in found.nodes for label in n.labels}
    text = cast("Any", saved()["changed_this_week"].replace('duration("P7D")', 'duration("-P7D")'))
    assert told.driver.execute_query(text, parameters()).records == []


def test_disputed(told: Told) -> None:
    """The word of the assistant with its turn, and what is held against it."""
    found = told.run("disputed")
    words = "Ana lives in Madrid."
    assert [row["said_by"] for row in found.rows] == ["assistant"]
    assert found.edges == {
        ("ana", "SUBJECT_OF", words),
        (words, "RESTS_ON", words),
        (words, "SAID_IN", words),
        ("ana", "SUBJECT_OF", "I've moved to Porto."),
    }


def test_two_hops(told: Told) -> None:
    """From one thing over what it is related to, and no farther."""
    dishes = {("杨枝甘露", "CONTAINS", "mango"), ("芒果糯米饭", "CONTAINS", "mango")}
    found = told.run("two_hops", subject="杨枝甘露")
    assert found.edges == {*dishes, ("ana", "ALLERGIC_TO", "mango")}
    mine = told.run("two_hops")
    assert mine.captions == ["Porto", "ana", "coffee", "mango", "杨枝甘露", "芒果糯米饭"]
    assert dishes < mine.edges


BREAK = [
    ("nothing is told of it", "CREATE (:Entity {sid: $sid, id: 'odd', key: 'odd', broken: true})"),
    (
        "it rests on nothing",
        "CREATE (:Fact:Record {sid: $sid, id: 'odd', record: 'odd', expired_at: 1, broken: true})",
    ),
    (
        "its relationship is missing",
        "MATCH (c:Claim {sid: $sid}) WITH c LIMIT 1 "
        "CREATE (:Entity {sid: $sid, id: 'odd', key: 'odd', broken: true})-[:SUBJECT_OF]->"
        "(f:Fact:Record {sid: $sid, id: 'odd', record: 'odd', status: 'held', expired_at: 1, "
        "broken: true})-[:OBJECT]->(:Entity {sid: $sid, id: 'even', key: 'even', broken: true}) "
        "CREATE (f)-[:RESTS_ON {expired_at: 1}]->(c)",
    ),
    (
        "a relationship of it has no held fact",
        "MATCH (s:Scope {id: $sid})-[:SELF]->(me) CREATE (me)-[:RELATES_TO {fact_id: 'odd', "
        "sid: $sid}]->(:Entity {sid: $sid, id: 'odd', key: 'odd', broken: true})-[:OBJECT]->"
        "(:Change {sid: $sid, number: -1, broken: true})",
    ),
    (
        "waits for the vector index",
        "CREATE (:Outbox {sid: $sid, kind: 'fact', id: 'odd', seq: -1, broken: true})",
    ),
    (
        "put aside: too long",
        "CREATE (:Outbox {sid: $sid, kind: 'fact', id: 'odd', seq: -1, parked: 'too long', "
        "broken: true})",
    ),
]


@pytest.mark.parametrize(("trouble", "damage"), BREAK, ids=[trouble for trouble, _ in BREAK])
def test_orphans_and_drift(told: Told, trouble: str, damage: str) -> None:
    """All is well with the story; what is broken is named, and in its own user's picture alone."""
    assert told.run("orphans_and_drift").rows == []
    try:
        told.driver.execute_query(cast("Any", damage), sid=told.sid(ANA))
        assert [row["trouble"] for row in told.run("orphans_and_drift").rows] == [trouble]
        assert told.run("orphans_and_drift", user=OTHER_USER).rows == []
    finally:
        told.driver.execute_query("MATCH (n) WHERE n.broken DETACH DELETE n")


def test_without_an_index_nothing_waits(told: Told) -> None:
    """Who has no index is not told of it; what was put aside is told all the same."""
    told.driver.execute_query(
        "CREATE (:Meta {key: $owed, value: $all, broken: true}), "
        "(:Outbox {sid: $sid, kind: 'fact', id: 'odd', seq: -1, broken: true}), "
        "(:Outbox {sid: $sid, kind: 'fact', id: 'long', seq: -2, parked: 'long', broken: true})",
        sid=told.sid(ANA),
        owed=OWED,
        all=What.EVERYTHING.value,
    )
    try:
        troubles = [row["trouble"] for row in told.run("orphans_and_drift").rows]
        assert troubles == ["put aside: long"]
    finally:
        told.driver.execute_query("MATCH (n) WHERE n.broken DETACH DELETE n")
