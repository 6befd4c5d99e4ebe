"""What becomes a relationship type, a label or an index key, and what does not."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.adapters.neo4j.names import OWN_LABELS, OWN_TYPES, Vocabulary, indexed, sortable
from graphmem.model.ontology import default_ontology
from graphmem.model.predicate import Predicate

SHIPPED = Vocabulary(default_ontology())


@pytest.mark.parametrize(
    ("slug", "negative", "edge"),
    [
        ("lives_in", False, "LIVES_IN"),
        ("lives_in", True, "NOT_LIVES_IN"),
        ("favourite_tea", False, "FAVOURITE"),
        ("sings_with", False, "RELATES_TO"),
        ("]-() delete_n //", True, "NOT_RELATES_TO"),
    ],
)
def test_edge(slug: str, negative: bool, edge: str) -> None:
    """Declared predicates and families have types of their own, all others share one."""
    assert SHIPPED.edge(slug, negative=negative) == edge


def test_labels() -> None:
    """Types that are known become labels; words of somebody do not."""
    assert SHIPPED.labels(["person", "place", "spy of the king"]) == ["Person", "Place"]


@given(st.lists(st.text(max_size=80), max_size=5))
def test_odd_ontology(slugs: list[str]) -> None:
    """Whatever an ontology holds, types and labels are plain names and never one of our own."""
    odd = Vocabulary(
        Predicate(slug=slug, subject_types=(slug, "fact", "Revision"), object_types=(slug.upper(),))
        for slug in [*slugs, "about", "same_as", "not_self"]
    )
    for slug in [*slugs, "about", "same_as", "not_self"]:
        edge = odd.edge(slug, negative=False)
        assert re.fullmatch(r"[A-Z0-9_]{1,60}", edge)
        assert edge == "RELATES_TO" or edge not in OWN_TYPES
        for label in odd.labels([slug, slug.upper(), "fact", "Revision"]):
            assert re.fullmatch(r"[A-Za-z0-9]{1,60}", label)
            assert label not in OWN_LABELS


@given(st.text(max_size=500), st.text(max_size=500))
def test_indexed(one: str, other: str) -> None:
    """Keys are short, and equal for equal texts alone."""
    long = [text * 7 for text in (one, other)]
    assert all(len(indexed(text)) <= 200 for text in long)
    assert (indexed(long[0]) == indexed(long[1])) == (long[0] == long[1])


def test_indexed_keeps_short_texts() -> None:
    """A short text stays as it is, and none is empty."""
    assert (indexed("k\x00`"), indexed(None)) == ("k\x00`", "")


@given(st.text(), st.text())
def test_sortable(one: str, other: str) -> None:
    """Texts that are made sortable keep their order, by code points and by pairs of surrogates."""
    made = sortable(one), sortable(other)
    assert (made[0] < made[1], made[0] == made[1]) == (one < other, one == other)
    pairs = [text.encode("utf-16-be") for text in made]
    assert (pairs[0] < pairs[1]) == (one < other)
