"""How one gets about, in English: the bus one takes, cycling, walking and driving to work."""

from __future__ import annotations

import re

from graphmem.extraction.patterns.en_being import is_person
from graphmem.extraction.patterns.en_clause import Clause
from graphmem.extraction.patterns.en_forms import tell
from graphmem.extraction.patterns.en_frames import Kind
from graphmem.extraction.patterns.en_group import Phase
from graphmem.extraction.patterns.en_make import Maker
from graphmem.extraction.patterns.en_nouns import strip_trailing
from graphmem.extraction.patterns.sentences import words
from graphmem.model.claim import Mention, Modality
from graphmem.model.draft import Draft

_VEHICLES = words("bus train tram metro subway tube underground ferry bike coach tramway car")
_TO_WORK = re.compile(r"\b(?:to work|to the office|commut\w+)\b", re.IGNORECASE)
_ALWAYS = re.compile(r"(?:every|each) (?:day|morning|weekday|workday)|daily", re.IGNORECASE)
_DAILY = ("every day", "each day", "every morning", "each morning", "most days", "every weekday")
_BARE = {"cycle": "cycling", "bike": "cycling", "walk": "walking", "drive": "driving"}
_STEMS = {"cycling": r"\b(?:cycl|bik)", "walking": r"\bwalk", "driving": r"\bdriv"}


def read_way(maker: Maker, clause: Clause) -> list[Draft] | None:
    """Return how the clause says that one gets about; None if it tells nothing of it."""
    lemma = clause.group.lemma
    if lemma in {"take", "ride", "catch"}:
        return _vehicle(maker, clause)
    if lemma in _BARE and not [t for t in strip_trailing(clause.rest) if t.low not in _TURNING]:
        return _bare(maker, clause, _BARE[lemma])
    return None


_TURNING = words("again now")


def _vehicle(maker: Maker, clause: Clause) -> list[Draft] | None:
    """ "I take the bus to work", "I take the bus.", "I stopped taking the bus"."""
    if len(clause.rest) < 2:
        return None
    if clause.rest[0].low not in {"the", "a", "my"} or clause.rest[1].low not in _VEHICLES:
        return None
    after = [token.low for token in strip_trailing(clause.rest[2:])]
    to_work = after[:2] == ["to", "work"] or after[:3] in (
        ["to", "the", "office"], ["to", "my", "job"], ["into", "the", "office"]
    )  # fmt: skip
    after = [] if " ".join(after) in _DAILY else after
    subject = maker.subject(clause.subject)
    flags = clause.group.flags
    turning = clause.group.phase is not Phase.WHOLE or "again" in flags
    turning = turning or ("now" in flags and _commute_was_told(maker, subject))
    turning = turning or (clause.rest[0].low == "the" and _is_habit(maker, clause))
    if subject is None or not (to_work or (turning and not after)):
        return []
    value = "cycling" if clause.rest[1].low == "bike" else clause.rest[1].low
    told = tell(Kind.HOLD, clause.group, clause.times)
    return [maker.draft(subject, "commutes_by", value, one, clause) for one in told]


def _is_habit(maker: Maker, clause: Clause) -> bool:
    """Whether the clause is all that is said, and said of no one occasion: "I take the bus."."""
    group = clause.group
    now = group.past or group.perfect or group.progressive or group.can or "plan" in group.flags
    alone = maker.quote(clause).strip(" .!") == maker.sentence.text.strip(" .!")
    seldom = any(token.low in _SELDOM for token in clause.tokens)
    sure = group.modality is Modality.ASSERTED
    return alone and sure and not (now or seldom or _is_dated(clause) or clause.condition)


def _is_dated(clause: Clause) -> bool:
    return any(not _ALWAYS.fullmatch(phrase.phrase) for phrase in clause.times)


_SELDOM = words("sometimes occasionally rarely seldom just maybe only often if then")


def _bare(maker: Maker, clause: Clause, value: str) -> list[Draft] | None:
    """ "I stopped cycling", "I'm walking again": the way to work, if that was the talk.

    Else cycling is a pastime; of walking and driving nobody knows what for.
    """
    subject = maker.subject(clause.subject)
    group = clause.group
    turning = group.phase is not Phase.WHOLE or "again" in group.flags
    if group.phase is Phase.WHOLE and _is_dated(clause):
        return None  # "I'm cycling again today"
    if subject is None or not is_person(subject, clause.subject):
        return []
    told = tell(Kind.HOLD, group, clause.times)
    if turning and _commute_was_told(maker, subject, value):
        return [maker.draft(subject, "commutes_by", value, one, clause) for one in told]
    if value != "cycling" or clause.group.lemma != "cycle" or group.can:
        return None
    if not (turning or _is_habit(maker, clause)):
        return None
    return [maker.draft(subject, "practises", value, one, clause) for one in told]


def _commute_was_told(maker: Maker, who: Mention | None, value: str | None = None) -> bool:
    """Whether somebody's way to work (this way) was spoken of, so that "now" tells of it too."""
    if who is None:
        return False
    stem = _STEMS[value] if value else ""
    mine = r"\b(?:I|we|my|our)\b" if who.is_self else rf"\b{re.escape(who.text)}\b"
    return any(
        draft.predicate == "commutes_by"
        and (draft.subject == who or (draft.subject.is_self and who.is_self))
        and (value is None or (draft.object is not None and draft.object.text == value))
        for draft in (*maker.context.told, *maker.context.drafts)
    ) or any(
        _TO_WORK.search(statement)
        and re.search(stem, statement, re.IGNORECASE)
        and re.match(mine, statement, re.IGNORECASE)
        for statement in maker.context.known.statements
    )
