"""Where a statement begins at an index it says so, whatever a planner makes of small numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from graphmem.adapters.neo4j.statements import cypher, migrations, names

AT_NO_INDEX = {
    "ledger/newest": "a database without a schema has no index, and a ledger has few entries",
    "outbox/count": "the server keeps count of all nodes with a label",
    "scope/list": "all scopes are wanted",
    "scope/unread": "all scopes are wanted",
}
_NEXT = re.compile(
    r"\b(?:USING|WHERE|RETURN|WITH|OPTIONAL|MATCH|DELETE|DETACH|SET|CREATE|MERGE|CALL|UNWIND"
    r"|REMOVE|ORDER|FINISH)\b"
)


@pytest.mark.parametrize("name", sorted(set(names()) - set(AT_NO_INDEX)))
def test_each_match_begins_at_what_was_found_or_hints_at_an_index(name: str) -> None:
    """Without a hint, a plan made while there is little may go through an index from end to end,
    and is kept when there is much."""
    assert list(unhinted(cypher(name))) == []


@pytest.mark.parametrize("name", AT_NO_INDEX)
def test_what_needs_no_index_has_no_hint(name: str) -> None:
    """The list of exceptions names no statement that is none."""
    assert list(unhinted(cypher(name))) != []


def test_each_index_is_asked_for() -> None:
    """Every write pays for one."""
    asked = {
        (label, tuple(re.findall(r"\w+", properties)))
        for name in names()
        for label, properties in re.findall(
            r"USING INDEX SEEK\s+\w+:(\w+)\(([^)]*)\)", cypher(name)
        )
    }
    ledger = {("Migration", ("number",))}  # unique; all of it is read
    assert {index for _, index in indexes()} - asked == ledger


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (a:Fact {sid: $p.sid}) RETURN a",
        "MATCH (a:Fact) WHERE a.sid = $p.sid RETURN a",
        "UNWIND $p.ids AS id MATCH (a:Fact {id: id})-[:OBJECT]->(b:Entity) RETURN b",
        "RETURN EXISTS { MATCH ()-[r:SAME_AS {sid: $p.sid}]->() } AS found",
        "MATCH (a:X) USING INDEX SEEK a:X(id) WHERE a.id = 0 MATCH (b:X {id: a.id}) RETURN b",
        "MATCH (a:Fact) USING INDEX a:Fact(id) WHERE a.id = 0 RETURN a",
    ],
)
def test_a_missing_hint_is_seen(text: str) -> None:
    """By any of the ways to write it."""
    assert len(list(unhinted(text))) == 1


def indexes() -> Iterator[tuple[str, tuple[str, tuple[str, ...]]]]:
    """Yield the names of range indexes, each with its label or type and its properties."""
    for _, _, statements in migrations():
        for statement in statements:
            found = re.search(
                r"(\w+) IF NOT EXISTS\s+FOR \W*\w:(\w+)\W+(?:ON|REQUIRE) (?!EACH)(.*)",
                statement,
                re.S,
            )
            if found:
                name, label, properties = found.groups()
                yield name, (label, tuple(re.findall(r"\w\.(\w+)", properties)))


def unhinted(text: str) -> Iterator[str]:
    """Yield the patterns that neither name a thing found before nor are followed by a hint."""
    text = re.sub(r"//[^\n]*", "", text)
    for match in re.finditer(r"\bMATCH\b", text):
        pattern = _within(text[match.end() :])
        behind = text[match.end() + len(pattern) :]
        known = set(re.findall(r"\w+", text[: match.start()]))
        bound = known & set(re.findall(r"[(\[](\w+)[)\]]", pattern))
        if not behind.startswith("USING INDEX SEEK") and ("{" in pattern or not bound):
            yield " ".join(pattern.split())


def _within(text: str) -> str:
    """Return what is before the next clause or the end of the braces that a pattern stands in."""
    end = found.start() if (found := _NEXT.search(text)) else len(text)
    depth = 0
    for place, sign in enumerate(text[:end]):
        depth += {"{": 1, "}": -1}.get(sign, 0)
        if depth < 0:
            return text[:place]
    return text[:end]
