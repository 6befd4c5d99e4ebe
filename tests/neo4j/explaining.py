"""What a server makes of the statements: their columns and plans."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, cast

from neo4j import Driver, GraphDatabase

from graphmem.adapters.neo4j.statements import cypher, migrations, names, source
from tests.services.neo4j_server import Address

TYPES = ("STRING", "INTEGER", "FLOAT", "BOOLEAN", "LIST", "MAP", "DATETIME", "ANY")
"""The words for types in headers."""

# What lies between what, so that a database has the shape of one in use.
_PATTERNS = [
    ("Claim", "ABOUT", "Entity"),
    ("Fact", "RESTS_ON", "Claim"),
    ("Fact", "GAVE_WAY_TO", "Fact"),
    ("Fact", "SUPERSEDES", "Fact"),
    ("Revision", "REVISION_OF", "Fact"),
    ("Entity", "SUBJECT_OF", "Record"),
    ("Record", "OBJECT", "Entity"),
    ("Entity", "RELATES_TO", "Entity"),
    ("Entity", "SAME_AS", "Entity"),
    ("Claim", "SAID_IN", "Episode"),
    ("Chunk", "PART_OF", "Episode"),
    ("Name", "NAMES", "Entity"),
    ("Term", "IN_NAME", "Entity"),
    ("Change", "RELATES_TO", "Outbox"),
    ("Meta", "RELATES_TO", "Lease"),
]

_GROW = """
UNWIND range(1, $n) AS i
CREATE (a:$($from))-[r:$($type)]->(b:$($to))
FOREACH (name IN $from_names | SET a[name] = $type + 'a' + i)
FOREACH (name IN $type_names | SET r[name] = $type + 'r' + i)
FOREACH (name IN $to_names | SET b[name] = $type + 'b' + i)
"""


@dataclass(frozen=True, slots=True)
class Plan:
    """The columns of a statement, and the operators by which it is run, with what they say."""

    columns: frozenset[str]
    operators: tuple[tuple[str, str], ...]


def header(name: str) -> str:
    """Return the words over a statement, as one line."""
    lines: list[str] = []
    for line in source(name).splitlines():
        if not line.startswith("//"):
            break
        lines.append(line.removeprefix("//").strip())
    return " ".join(lines)


def declared(words: str) -> frozenset[str]:
    """Return the names that a part of a header gives a type."""
    before = ""
    while words != before:  # what is inside of a value has no name of its own
        before, words = words, re.sub(r"\{[^{}]*\}|\[[^\[\]]*\]", "", words)
    kinds = "|".join(TYPES)
    words = re.sub(rf"\b(?:of|or|to) (?:{kinds})\b", "", words)
    found = re.findall(rf"((?:[a-z_]\w*, )*[a-z_]\w*) (?:{kinds})\b", words)
    return frozenset(name for names in found for name in names.split(", ")) - {"null", "each"}


def used(name: str) -> frozenset[str]:
    """Return the values that a statement reads of ``$p``."""
    return frozenset(re.findall(r"\$p\.(\w+)", cypher(name)))


def plans(driver: Driver) -> dict[str, Plan]:
    """Return what a server makes of each statement as its database is now; to plan one takes it
    longer than to run it."""
    driver.execute_query("CALL db.clearQueryCaches()")
    with ThreadPoolExecutor(2) as pool:
        found = {name: pool.submit(_plan, driver, cypher(name)) for name in names()}
        return {name: future.result() for name, future in found.items()}


def _plan(driver: Driver, text: str) -> Plan:
    with driver.session() as session:  # pyright: ignore[reportUnknownMemberType] - its options
        result = session.run(cast("Any", f"EXPLAIN {text}"), {"p": {}})
        columns = frozenset(result.keys())
        plan = cast("dict[str, Any] | None", result.consume().plan)  # pyright: ignore[reportUnknownMemberType] - a dict of what may be
        return Plan(columns, tuple(_operators(plan)) if plan else ())


def _operators(plan: dict[str, Any]) -> Iterator[tuple[str, str]]:
    yield plan["operatorType"].partition("@")[0], str(plan.get("args", {}).get("Details", ""))
    for child in plan.get("children", []):
        yield from _operators(child)


def driver_of(address: Address) -> Driver:
    """Return a driver that asks for no advice."""
    return GraphDatabase.driver(  # pyright: ignore[reportUnknownMemberType] - its options
        address.url, auth=(address.user, address.password), notifications_min_severity="OFF"
    )


def apply_schema(driver: Driver) -> None:
    """Make every index."""
    with driver.session() as session:  # pyright: ignore[reportUnknownMemberType] - its options
        for _, _, statements in migrations():
            for statement in statements:
                session.run(cast("Any", statement)).consume()
        session.run("CALL db.awaitIndexes()").consume()


def grow(driver: Driver, size: int) -> None:
    """Give the database so many nodes and relationships of each kind; it plans by their numbers."""
    names_of = _indexed(driver)
    with driver.session() as session:  # pyright: ignore[reportUnknownMemberType] - its options
        for start, kind, end in _PATTERNS:
            session.run(
                _GROW,
                {
                    "n": size,
                    "from": start,
                    "type": kind,
                    "to": end,
                    "from_names": names_of.get(start, []),
                    "type_names": names_of.get(kind, []),
                    "to_names": names_of.get(end, []),
                },
            ).consume()
        scopes = "UNWIND range(1, $n) AS i CREATE (:Scope {id: i, key: i})"
        session.run(scopes, {"n": size}).consume()
        session.run("CALL db.prepareForReplanning()").consume()


def _indexed(driver: Driver) -> dict[str, list[str]]:
    """Return the properties that are in an index, by label or type."""
    found: dict[str, set[str]] = {}
    text = "SHOW INDEXES YIELD labelsOrTypes, properties, type WHERE type = 'RANGE'"
    for row in driver.execute_query(text).records:
        for owner in row["labelsOrTypes"]:
            found.setdefault(owner, set()).update(row["properties"])
    return {owner: sorted(names) for owner, names in found.items()}
