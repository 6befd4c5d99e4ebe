"""The model alone, against the stories: what judges must be right first."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from benchmarks.stories import Story, read
from tests.histories.timeline import DAY, Belief, Span, Told, believed, timeline

pytestmark = pytest.mark.storeless

STORIES = [story for story in read(None) if "unsure" not in story]
HOUR = DAY // 24


def instant(text: str) -> int:
    """Read "2024-05-10", "2024-05-10T12" or "…T12:00" as microseconds."""
    whole = {10: "T00:00", 13: ":00"}.get(len(text), "")
    moment = datetime.fromisoformat(f"{text}{whole}").replace(tzinfo=UTC)
    return round(moment.timestamp()) * 1_000_000


def _span(pair: list[str] | None) -> Span | None:
    if pair is None:
        return None
    first, after = instant(pair[0]), instant(pair[1])
    return Span(first, after, coarse=after - first > DAY + HOUR)


def _told(claim: Mapping[str, Any], index: int, **changes: Any) -> Told:  # Any: a JSON object
    value = claim["value"]
    said = (instant(claim["said"]), 0, claim.get("place", 0))
    parts: dict[str, Any] = {  # Any: fields of Told, by name
        "name": str(index),
        "value": None if value == "*" else value,
        "form": claim["form"],
        "said": said,
        "start": _span(claim.get("start")),
        "end": _span(claim.get("end")),
        "modality": claim["modality"],
        "authority": claim["authority"],
    }
    return Told(**parts | changes)


def _slots(story: Story, until: int) -> list[tuple[str, str, Belief]]:
    """Return beliefs with their slot and the words they are written by."""
    told = [(i, c) for i, c in enumerate(story["claims"]) if instant(c["said"]) <= until]
    named = [c for c in story["claims"] if c.get("slot") != "*"]
    yes_no = all(c["value"] in "+-" for c in named)
    slots = dict.fromkeys(c.get("slot", "") for c in named)
    found: list[tuple[str, str, Belief]] = []
    for slot in slots:
        claims: list[Told] = []
        for index, claim in told:
            if claim.get("slot", "") not in (slot, "*"):
                continue
            if claim["form"] == "not":
                changes = {"form": "end", "state_of_no": True}
                claims.append(_told(claim, index, **changes))
            elif claim.get("slot") == "*" and claim["form"] == "end":
                claims.append(_told(claim, index, value="+" if yes_no else None))
            else:
                claims.append(_told(claim, index))
        own = {str(i) for i, c in told if c.get("slot", "") == slot}
        for belief in timeline(claims, single=not yes_no):
            if belief.claims <= own or belief.claims & own:
                words = belief.value + slot if yes_no else belief.value
                found.append((slot, words, belief))
    noes = [(i, c) for i, c in told if c["form"] == "not"]
    for value in {c["value"] for _, c in noes}:
        claims = [_told(c, i, form="state", value="-") for i, c in noes if c["value"] == value]
        found += [("", "-" + value, b) for b in timeline(claims, single=False)]
    return found


def _answer(story: Story, at: int, until: int) -> set[str]:
    found: set[str] = set()
    for _, words, belief in _slots(story, until):
        if belief.status == "held" and belief.modality != "possible" and believed(belief, at):
            found.add(words + "?" if belief.modality == "planned" else words)
    return found


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story["id"])
def test_the_model_believes_as_a_careful_person_would(story: Story) -> None:
    """What is believed then and now is what the story's author wants."""
    for check in story["checks"]:
        day = "T" not in check["when"]
        at = instant(check["when"]) + (20 * HOUR if day else 0)
        until = 2**62
        if check["as"] == "known":
            until = instant(check["when"]) + DAY - 1 if day else at
        wanted = [set[str]() if w == "nothing" else set(w.split(" & ")) for w in check["want"]]
        found = _answer(story, at, until)
        # Inside the span of a plan's date the value before it stays, the plan beside it.
        assert any(found == w or found == {*w, *_plans(found)} for w in wanted), (check, found)


def _plans(found: set[str]) -> set[str]:
    return {words for words in found if words.endswith("?")}


@pytest.mark.parametrize(
    "story", [s for s in STORIES if s.get("also")], ids=lambda story: story["id"]
)
def test_the_model_counts_and_places_as_the_story_says(story: Story) -> None:
    """How many facts there are, where one starts, which plan stands."""
    also = story["also"]
    beliefs = _slots(story, 2**62)
    held = [(words, b) for _, words, b in beliefs if b.status == "held"]
    if "facts" in also:
        assert len(held) == also["facts"]
    if "start" in also:
        value, day = also["start"]
        starts = [b.start[0] for words, b in held if b.start and words.lstrip("+") == value]
        assert instant(day) in starts
    if "kept" in also:
        assert also["kept"] in {words for words, _ in held}
    if "not_void" in also:
        void = {w for _, w, b in beliefs if b.status == "retracted" and b.modality == "planned"}
        assert not void if not also["not_void"] else also["not_void"] not in void
    if "no_plans" in also:
        assert not [b for _, b in held if b.modality != "asserted" and b.end is None]
