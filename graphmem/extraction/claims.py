"""Drafts to claims: phrases dated against the turn they were said in."""

from __future__ import annotations

from collections.abc import Mapping

from graphmem.extraction.normalize import Anchor, Tense, TimeReading, TimeRole, read_time
from graphmem.extraction.roles import role_slug
from graphmem.model.claim import (
    DEFAULT_AUTHORITY,
    Claim,
    Form,
    Modality,
    Qualifiers,
    Said,
    SourceClass,
)
from graphmem.model.draft import Draft
from graphmem.model.episode import Episode, Role
from graphmem.model.ids import IdKind, new_id
from graphmem.model.time import Stated

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
        authority=weight(source, turn.speaker, authority),
        confidence=draft.confidence,
        importance=draft.importance,
        statement=draft.statement or draft.quote,
    )


def weight(source: SourceClass, name: str | None, authority: Authority) -> int:
    """Return a source's authority, 0 to 100: its own by name, else its class's."""
    if name is not None and name in authority:
        return authority[name]
    return authority.get(source.value, DEFAULT_AUTHORITY[source])


def dated(draft: Draft, turn: Episode) -> tuple[Form, Stated | None, Stated | None]:
    """Read a draft's phrases; what they say of the interval may settle its form."""
    anchor = Anchor(turn.occurred_at, turn.zone)
    tense = Tense.FUTURE if draft.modality is Modality.PLANNED else Tense.PAST
    first = _read(draft.start, anchor, tense)
    start = end = None
    form = draft.form
    if draft.start is not None:
        start = Stated(draft.start, first.start if first else None)
        if first is not None and first.end is not None and first.role is not TimeRole.LASTING:
            end = Stated(draft.start, first.end)
        if first is not None and first.role is TimeRole.END:
            start = None
        if form is Form.STATE and first is not None and first.role in _GOES_ON:
            form = Form.SINCE
    if draft.end is not None:
        ahead = _read(draft.end, anchor, _tense_of_end(draft))
        span = (ahead.end or ahead.start) if ahead else None
        end = Stated(draft.end, span)
    if form is Form.END and end is None:
        start, end = None, start
    if form is Form.STATE and start is not None and end is not None:
        form = Form.PAST
    return form, start, end


_GOES_ON = frozenset({TimeRole.START, TimeRole.LASTING})


def _tense_of_end(draft: Draft) -> Tense:
    """A present state's end lies ahead ("until June"); an ending told as done lies behind."""
    present = draft.form in (Form.STATE, Form.SINCE, Form.CHANGE)
    return Tense.FUTURE if draft.modality is Modality.PLANNED or present else Tense.PAST


def _read(phrase: str | None, anchor: Anchor, tense: Tense) -> TimeReading | None:
    return None if phrase is None else read_time(phrase, anchor, tense)


def _qualifiers(given: Qualifiers) -> Qualifiers:
    """Write roles by their slug, so that 妹妹 and "sister" tell no two values apart."""
    pairs = {name: role_slug(value) if name == "role" else value for name, value in given}
    return tuple(sorted(pairs.items()))
