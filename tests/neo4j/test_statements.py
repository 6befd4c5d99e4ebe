"""Each statement says what it does, is taken by a real server, and is found by an index."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import graphmem.adapters.neo4j
from graphmem import resources
from graphmem.adapters.neo4j.names import OWN_LABELS, OWN_TYPES
from graphmem.adapters.neo4j.statements import cypher, names, source
from tests.neo4j.explaining import (
    Plan,
    apply_schema,
    declared,
    driver_of,
    grow,
    header,
    plans,
    used,
)
from tests.services.plugin import Emptied

PACKAGE = Path(graphmem.adapters.neo4j.__file__).parent

SCANS = re.compile(
    "AllNodesScan|LabelsScan|LabelScan|RelationshipTypeScan|RelationshipTypesScan"
    "|AllRelationshipsScan|IndexScan|CartesianProduct"
)
MAY_SCAN = {
    "ledger/newest": "a database without a schema has no index, and a ledger has few entries",
    "scope/list": "all scopes are wanted",
    "scope/unread": "all scopes are wanted",
}
SEEKS = re.compile("IndexSeek|MergeUniqueNode|ProcedureCall")
NO_SEEK = {
    "ledger/await": "it reads nothing",
    "about/indexes": "it reads nothing of the graph",
    **MAY_SCAN,
}

NUMBERS = {"0", "0.0", "1", "2", "3"}
"""What may stand in a statement: nothing, one more, a place in a pair; no value of anybody."""
TEXTS = {"", "graphmem_terms"}
"""The slot of no object; the name of an index."""
BUILT_IN = {"db", "dbms"}
"""What procedures of a server without plug-ins begin with."""


@pytest.fixture(
    scope="module",
    params=[("neo4j_lts", 0), ("neo4j_lts", 20), ("neo4j_lts", 500), ("neo4j_current", 500)],
    ids=["5.26-empty", "5.26-small", "5.26-grown", "2026-grown"],
)
def planned(request: pytest.FixtureRequest) -> Iterator[dict[str, Plan]]:
    """Return the plans of a server, for an empty database or with so many things of each kind."""
    server, size = request.param
    emptied: Emptied = request.getfixturevalue(server)
    with driver_of(emptied.wipe()) as driver:
        apply_schema(driver)
        if size:
            grow(driver, size)
        yield plans(driver)
    emptied.wipe()


def test_plans_seek(planned: dict[str, Plan]) -> None:
    """Every statement begins at an index, and none goes through all there is of something."""
    scanning = {
        name: scans
        for name, plan in planned.items()
        if name not in MAY_SCAN
        and (scans := [f"{kind} {what}" for kind, what in plan.operators if SCANS.search(kind)])
    }
    assert scanning == {}
    assert [
        name
        for name, plan in planned.items()
        if name not in NO_SEEK and not any(SEEKS.search(kind) for kind, _ in plan.operators)
    ] == []


def test_columns(planned: dict[str, Plan]) -> None:
    """A header names what is returned."""
    told = {name: declared(header(name).partition("Returns:")[2]) for name in planned}
    assert told == {name: plan.columns for name, plan in planned.items()}


@pytest.mark.parametrize("name", names())
def test_header(name: str) -> None:
    """A header says what the statement is for, what it takes and what it returns."""
    purpose, _, rest = header(name).partition("Parameters, in $p:")
    taken, _, returned = rest.partition("Returns:")
    assert purpose.strip().endswith((".", ")")), "a sentence"
    assert taken.strip(), "or none"
    assert returned.strip(), "or nothing"
    assert declared(taken) == used(name)


@pytest.mark.parametrize("name", names())
def test_every_value_is_a_parameter(name: str) -> None:
    """One parameter, ``$p``, holds them all; numbers and texts in the statement mean no value."""
    text = bare(name)
    assert set(re.findall(r"\$(\w+)", text)) <= {"p"}
    assert set(re.findall(r"(?<![\w.])\d[\w.]*", without_texts(text))) <= NUMBERS
    assert set(re.findall(r"'([^']*)'", text)) | set(re.findall(r'"([^"]*)"', text)) <= TEXTS


@pytest.mark.parametrize("name", names())
def test_names_are_the_stores_own(name: str) -> None:
    """Labels and types are the store's; those of an ontology come as ``$(…)``."""
    text = without_texts(bare(name))
    written = set(re.findall(r"[\w(\[|&!]*:!?([A-Z]\w*)", text))
    written |= set(re.findall(r"[|&]!?([A-Z]\w*)", text))
    assert written <= OWN_LABELS | OWN_TYPES
    assert "`" not in text


@pytest.mark.parametrize("name", names())
def test_no_plug_in_is_called(name: str) -> None:
    """Only procedures and functions that every server has."""
    dotted = set(re.findall(r"\b([a-z]\w*(?:\.\w+)+)\s*\(", without_texts(bare(name)), re.I))
    assert {call for call in dotted if call.split(".")[0] not in BUILT_IN} == set()


def test_each_is_used_by_name() -> None:
    """What nobody runs is not kept, and what is run is there; names are not put together."""
    asked: set[str] = set()
    for path in PACKAGE.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                asked |= {node.value} if re.fullmatch(r"[a-z_]+/[a-z_]+", node.value) else set()
    assert asked == set(names())


def test_the_package_holds_no_cypher() -> None:
    """Statements are files; none is made from text."""
    verb = re.compile(r"\b(MATCH|MERGE|UNWIND|RETURN|DETACH DELETE|CREATE)\b.*[({]")
    found: list[str] = []
    for path in PACKAGE.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found += [f"{path.name}:{node.lineno}"] if verb.search(node.value) else []
    assert found == []


def test_the_data_model_is_described() -> None:
    """The page for people names every label and type."""
    text = resources.read_text("cypher", "README.md")
    missing = {name for name in OWN_LABELS | OWN_TYPES if not re.search(rf"\b{name}\b", text)}
    assert missing == set()


def bare(name: str) -> str:
    """Return a statement without comments."""
    return re.sub(r"//[^\n]*", "", cypher(name))


def without_texts(text: str) -> str:
    return re.sub(r"'[^']*'|\"[^\"]*\"", "''", text)


def test_files_end_like_text() -> None:
    """One statement a file, without a semicolon, with a newline at the end."""
    for name in names():
        assert ";" not in without_texts(bare(name)), name
        assert source(name).endswith("\n"), name
