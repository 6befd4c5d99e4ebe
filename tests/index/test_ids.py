"""Ids of points, and what they stand for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.adapters.qdrant.fields import point_id, ref_of
from graphmem.model.ids import IdKind, new_id
from graphmem.model.search import PointKind, PointRef


def a_piece(number: str, piece: int) -> PointRef:
    """Return a piece of a turn."""
    return PointRef(PointKind.CHUNK, f"ep_{number}#{piece}")


numbers = st.integers(0, 2**124 - 1).map(lambda number: f"{number:032x}")
ours = st.one_of(
    st.builds(PointRef, st.just(PointKind.FACT), numbers.map("rec_{}".format)),
    st.builds(PointRef, st.just(PointKind.ENTITY), numbers.map("entity_{}".format)),
    st.builds(a_piece, numbers, st.integers(0, 20)),
)
others = st.builds(PointRef, st.sampled_from(PointKind), st.text(min_size=1))


@given(one=ours | others, other=ours | others)
def test_an_id_stands_for_one_record(one: PointRef, other: PointRef) -> None:
    """It is told back, or not at all; no two records share one."""
    assert ref_of(point_id(one).int) in {one, None}
    assert (point_id(one) == point_id(other)) is (one == other)


@pytest.mark.parametrize(
    ("kind", "made", "piece"),
    [
        (PointKind.FACT, IdKind.RECORD, ""),
        (PointKind.ENTITY, IdKind.ENTITY, ""),
        (PointKind.CHUNK, IdKind.EPISODE, f"#{0}"),
        (PointKind.CHUNK, IdKind.EPISODE, f"#{12}"),
    ],
)
def test_most_new_ids_tell(kind: PointKind, made: IdKind, piece: str) -> None:
    """All but one in 64 of those that the store makes."""
    refs = [PointRef(kind, f"{new_id(made)}{piece}") for _ in range(500)]
    told = [ref for ref in refs if ref_of(point_id(ref).int) == ref]
    assert len(told) > 450


@pytest.mark.parametrize(
    "ref",
    [
        PointRef(PointKind.FACT, "f1/1"),
        PointRef(PointKind.FACT, "entity_" + "0" * 32),
        PointRef(PointKind.FACT, "rec_" + "0" * 31),
        PointRef(PointKind.FACT, "rec_" + "0" * 31 + "A"),
        PointRef(PointKind.FACT, "rec_1" + "0" * 31),
        PointRef(PointKind.CHUNK, "ep_" + "0" * 32),
        PointRef(PointKind.CHUNK, "ep_" + "0" * 32 + "#" + "13"),
        PointRef(PointKind.CHUNK, "ep_" + "0" * 32 + "#" + "01"),
    ],
)
def test_other_ids_are_hashed(ref: PointRef) -> None:
    """Whatever does not come back as it was."""
    assert point_id(ref).version == 5
    assert ref_of(point_id(ref).int) is None
