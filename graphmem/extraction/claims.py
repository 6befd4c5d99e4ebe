"""Drafts to claims: phrases dated against the turn they were said in."""

from __future__ import annotations

import re
from collections.abc import Mapping

from graphmem.extraction.normalize import (
    Anchor,
    Tense,
    TimeReading,
    TimeRole,
    begun_before,
    dates_of,
    moved,
    read_time,
)
from graphmem.model.claim import (
    DEFAULT_AUTHORITY,
    Claim,
    Form,
    Modality,
    Polarity,
    Qualifiers,
    Said,
    SourceClass,
)
from graphmem.model.draft import Draft
from graphmem.model.entity import ValueKind
from graphmem.model.episode import Episode, Role
from graphmem.model.ids import IdKind, new_id
from graphmem.model.roles import role_slug
from graphmem.model.time import Grain, Span, Stated

SOURCE_OF_ROLE = {
    Role.USER: SourceClass.USER,
    Role.DOCUMENT: SourceClass.DOCUMENT,
    Role.TOOL: SourceClass.TOOL,
    Role.ASSISTANT: SourceClass.ASSISTANT,
    Role.SYSTEM: SourceClass.INFERRED,
}

Authority = Mapping[str, int]
"""Authority by source class, or by a named source: a speaker's name beats the class."""


def claim_of(draft: Draft, turn: Episode, place: int, authority: Authority) -> Claim:
    """Make the claim that ``draft`` is, said as the ``place``-th thing of its turn.

    Phrases are read against the turn's own time and zone; one that cannot be read is kept, and
    its bound stays unknown.
    """
    source = SOURCE_OF_ROLE[turn.role]
    form, start, end = dated(draft, turn)
    return Claim(
        id=new_id(IdKind.CLAIM),
        episode=turn.id,
        session=turn.session,
        subject=draft.subject,
        predicate=draft.predicate,
        object=draft.object,
        polarity=draft.polarity,
        modality=draft.modality,
        form=form,
        start=start,
        end=end,
        qualifiers=_qualifiers(draft.qualifiers),
        beside=draft.beside,
        correction=draft.correction,
        quote=draft.quote,
        # Turns of one call have times of their own; of two calls, the one recorded later is later.
        said=Said(turn.occurred_at, turn.created_at, place),
        source=source,
        authority=weight(source, _teller(draft, turn, authority), authority),
        confidence=draft.confidence,
        importance=draft.importance,
        statement=draft.statement or draft.quote,
    )


def _teller(draft: Draft, turn: Episode, authority: Authority) -> str | None:
    """Return who vouches for a claim by name: whose words are passed on, if they have a weight."""
    return draft.said_by if draft.said_by in authority else turn.speaker


def weight(source: SourceClass, name: str | None, authority: Authority) -> int:
    """Return a source's authority, 0 to 100: its own by name, else its class's."""
    if name is not None and name in authority:
        return authority[name]
    return authority.get(source.value, DEFAULT_AUTHORITY[source])


def dated(draft: Draft, turn: Episode) -> tuple[Form, Stated | None, Stated | None]:
    """Read a draft's phrases; what they say of the interval may settle its form.

    A length gives the bound that is missing where the other is known: what began in 2018 and
    lasted three years ended in 2021, and what has lasted three years by now began three years ago.
    """
    anchor = Anchor(turn.occurred_at, turn.zone, dates_of(draft.start_hint, turn.zone))
    tense = Tense.FUTURE if draft.modality is Modality.PLANNED else Tense.PAST
    first = _read(draft.start, anchor, tense)
    last = _read_end(draft.end, anchor, _tense_of_end(draft))
    form = draft.form
    if form is Form.END and draft.end is None:
        return form, None, _stated(draft.start, first.ending if first else None)
    begins, ends = _spans(draft, first, last, anchor)
    start, end = _stated(draft.start, begins), _stated(draft.end, ends)
    if end is None and ends is not None:
        end = Stated("", ends)
    if first is not None:
        if first.role in (TimeRole.END, TimeRole.RANGE) and draft.end is None:
            end = _stated(draft.start, first.end)
        if first.role is TimeRole.END:
            start = None
        if form is Form.STATE and first.role in _GOES_ON:
            form = Form.SINCE
        if first.length is not None and first.role is TimeRole.LENGTH:
            if ends is not None:
                start = _stated(draft.start, moved(ends, first.length, anchor, back=True))
            elif form is Form.SINCE and draft.end is None:
                start = _stated(draft.start, begun_before(anchor, first.length))
    if last is not None and last.length is not None and last.role is TimeRole.LENGTH and begins:
        end = _stated(draft.end, moved(begins, last.length, anchor))
        form = Form.PAST if form is Form.SINCE else form
    if form is Form.STATE and start is not None and end is not None:
        form = Form.PAST
    return form, start, end


def _spans(
    draft: Draft, first: TimeReading | None, last: TimeReading | None, anchor: Anchor
) -> tuple[Span | None, Span | None]:
    """Return where a draft's phrases place its start and end."""
    begins, ends = first and first.start, last and last.ending
    if draft.form is Form.PAST and begins and ends and begins.first > ends.after:
        begins = _before(draft.start, ends, anchor)
    if first is None or begins is None:
        return begins, ends
    ends = _passing(first, begins, ends, draft, anchor)
    if draft.end is not None and draft.end == draft.start:
        return Span(begins.first, min(begins.first + _DAY, begins.after), Grain.DAY), ends
    return _announced(first, begins, draft), ends


_DAY = 24 * 3600 * 10**6
_PASSING = frozenset({Grain.WEEKEND, Grain.WEEK, Grain.MONTH, Grain.SEASON, Grain.QUARTER})


def _announced(first: TimeReading, begins: Span, draft: Draft) -> Span:
    """Read what is announced from a month or week on as from its first day."""
    ahead = draft.modality is Modality.PLANNED and first.role is TimeRole.START
    if not ahead or begins.grain not in _PASSING:
        return begins
    return Span(begins.first, min(begins.first + _DAY, begins.after), Grain.DAY)


def _passing(
    first: TimeReading, begins: Span, ends: Span | None, draft: Draft, anchor: Anchor
) -> Span | None:
    """Return where something ends that is told of a time by its name.

    Begun and over "in June" is June; "I'm in Lisbon this summer" goes on as far as that, and
    what is told as over, of which only the beginning is told, ended some time since.
    """
    if draft.end is not None:
        whole = draft.end == draft.start and first.role is TimeRole.AT
        return Span.at(begins.after) if whole else ends
    if draft.form is Form.PAST and begins.first < anchor.at:
        return Span(begins.first, anchor.at)
    now = draft.form is Form.STATE and draft.modality is Modality.ASSERTED
    now = now and draft.polarity is Polarity.POSITIVE
    dated = draft.object is not None and draft.object.kind is ValueKind.DATE
    if not now or dated or first.role is not TimeRole.AT or begins.grain not in _PASSING:
        return ends
    return Span.at(begins.after) if begins.first <= anchor.at < begins.after else ends


def _before(phrase: str | None, ends: Span, anchor: Anchor) -> Span | None:
    """Read an open start as of its end: "from March to June", looked back on in April, was last
    year. A start that is not open contradicts the end, and stays unknown."""
    if _read(phrase, anchor, Tense.PAST) == _read(phrase, anchor, Tense.FUTURE):
        return None
    again = _read(phrase, Anchor(ends.first, anchor.zone, anchor.then), Tense.PAST)
    return again and again.start


def _stated(phrase: str | None, span: Span | None) -> Stated | None:
    return None if phrase is None else Stated(phrase, span)


_GOES_ON = frozenset({TimeRole.START, TimeRole.LASTING})


def _tense_of_end(draft: Draft) -> Tense:
    """A present state's end lies ahead ("until June"); an ending told as done lies behind."""
    present = draft.form in (Form.STATE, Form.SINCE, Form.CHANGE)
    return Tense.FUTURE if draft.modality is Modality.PLANNED or present else Tense.PAST


def _read(phrase: str | None, anchor: Anchor, tense: Tense) -> TimeReading | None:
    return None if phrase is None else read_time(phrase, anchor, tense)


_TO = re.compile(r"to\s+", re.IGNORECASE)


def _read_end(phrase: str | None, anchor: Anchor, tense: Tense) -> TimeReading | None:
    """Read an end. "To March" is one here, though not in a text: one moves to a place, too."""
    reading = _read(phrase, anchor, tense)
    to = None if phrase is None or reading is not None else _TO.match(phrase)
    return reading if to is None else _read(f"until {to.string[to.end() :]}", anchor, tense)


def _qualifiers(given: Qualifiers) -> Qualifiers:
    """Write roles by their slug, so that 妹妹 and "sister" tell no two values apart."""
    pairs = {name: role_slug(value) if name == "role" else value for name, value in given}
    return tuple(sorted(pairs.items()))
