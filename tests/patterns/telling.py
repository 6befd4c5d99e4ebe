"""What a turn read by patterns says, in few words."""

from __future__ import annotations

from datetime import UTC, datetime

import anyio

from graphmem.extraction.claims import dated
from graphmem.extraction.patterns import PatternExtractor
from graphmem.model.claim import Form, Modality, Polarity
from graphmem.model.draft import Batch, Draft
from graphmem.model.episode import Episode, Reading
from graphmem.model.time import Stated, from_micros, to_micros
from graphmem.testing.builders import an_episode

_READER = PatternExtractor()
_DAY = "2026-03-04"


def turn(text: str, day: str = _DAY, place: int = 0) -> Episode:
    """Return a user's turn of a day, the ``place``-th of its session."""
    noon = to_micros(datetime.fromisoformat(day).replace(hour=12, tzinfo=UTC))
    return an_episode(
        f"t{place}", text, place=place, occurred_at=noon + place, reading=Reading.PENDING
    )


def drafts(*texts: str, day: str = _DAY) -> tuple[Draft, ...]:
    """Read texts as the turns of one session."""
    turns = tuple(turn(text, day, place) for place, text in enumerate(texts))
    return anyio.run(_READER.extract, Batch(turns=turns)).drafts


def said(*texts: str) -> list[str]:
    """Return what is read: "me likes figs", "-…" a no, "?…" a plan, "… /end" a form not state."""
    return [_short(draft) for draft in drafts(*texts)]


def bounds(text: str, day: str) -> list[tuple[str, str, str]]:
    """Return predicate, start and end (dates, "" for none) of what is read in a turn of a day."""
    result: list[tuple[str, str, str]] = []
    for draft in drafts(text, day=day):
        _, start, end = dated(draft, turn(text, day))
        result.append((draft.predicate, _date(start), _date(end)))
    return result


def _date(bound: Stated | None) -> str:
    at = bound.span.first if bound and bound.span else None
    return "" if at is None else from_micros(at).date().isoformat()


def _short(draft: Draft) -> str:
    value = draft.object
    parts = (
        "me" if draft.subject.is_self else draft.subject.text,
        draft.predicate,
        "" if value is None else "me" if value.is_self else value.text,
        "" if draft.form is Form.STATE else f"/{draft.form.value}",
    )
    no = "-" if draft.polarity is Polarity.NEGATIVE else ""
    unsure = "?" if draft.modality is not Modality.ASSERTED else ""
    return no + unsure + " ".join(part for part in parts if part)
