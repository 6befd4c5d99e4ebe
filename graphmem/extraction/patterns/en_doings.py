"""English of doings: studies, schools, stays, journeys, injuries, what one cannot do."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from graphmem.extraction.patterns import en_words as w
from graphmem.extraction.patterns.en_being import is_person
from graphmem.extraction.patterns.en_clause import Clause
from graphmem.extraction.patterns.en_forms import Telling, tell
from graphmem.extraction.patterns.en_frames import Kind
from graphmem.extraction.patterns.en_group import Phase
from graphmem.extraction.patterns.en_make import Maker
from graphmem.extraction.patterns.en_nouns import Shape, cut, strip_trailing
from graphmem.extraction.patterns.en_tokens import Token
from graphmem.extraction.patterns.sentences import words
from graphmem.model.claim import Modality, Polarity
from graphmem.model.draft import Draft

Rule = Callable[[Maker, Clause], list[Draft]]
"""Reads a clause; nothing if it does not apply."""


_YEARS = words("first second third fourth fifth final last 1st 2nd 3rd 4th foundation")


def _in_year(maker: Maker, clause: Clause) -> list[Draft]:
    """ "I'm in my second year at Durham studying philosophy"."""
    rest, group = clause.rest, clause.group
    lows = [token.low for token in rest]
    own = lows[1:2] and lows[1] in {"my", "his", "her", "their"}
    if group.past or lows[:1] != ["in"] or not own or group.negated:
        return []
    if len(lows) < 6 or lows[2] not in _YEARS or lows[3] != "year" or lows[4] not in {"at", "of"}:
        return []
    subject = maker.subject(clause.subject)
    if subject is None:
        return []
    told = tell(Kind.HOLD, group, clause.times)
    at, study = cut(rest[5:], words("studying reading doing"))
    schools = maker.nouns.single(at, Shape.ORGANISATION) if lows[4] == "at" else []
    fields = maker.nouns.items(study[1:], Shape.THING) if study else []
    values = [("studies_at", item.text) for item in schools]
    values += [("studies", item.text) for item in fields]
    return [maker.draft(subject, slug, text, one, clause) for one in told for slug, text in values]


def _no_driver(maker: Maker, clause: Clause) -> list[Draft]:
    """ "I don't drive", "my gran can't drive"."""
    group, subject = clause.group, maker.subject(clause.subject)
    bare = not strip_trailing([t for t in clause.rest if t.low not in {"a", "car"}])
    if not group.negated or not bare or subject is None:
        return []
    if group.past or group.perfect or group.progressive or clause.times or clause.condition:
        return []
    if group.phase is not Phase.WHOLE or group.modality is not Modality.ASSERTED:
        return []
    no = Telling(polarity=Polarity.NEGATIVE)
    return [maker.draft(subject, "drives", None, no, clause, rule="no_driver")]


_SIDES = words("left right upper lower bad")


def _body_part(tokens: Sequence[Token]) -> str:
    """Return "left knee" of "my left knee skiing"; nothing if it is no part of the body."""
    lows = [token.low for token in tokens]
    if not lows or lows[0] not in w.POSSESSIVE | {"his", "her", "the"}:
        return ""
    at = 2 if len(lows) > 2 and lows[1] in _SIDES else 1
    if at >= len(lows) or lows[at] not in w.BODY:
        return ""
    after = lows[at + 1] if at + 1 < len(lows) else ""
    open_ = after and after[:1].isalnum() and after not in _AFTER_PART and not after.endswith("ing")
    return "" if open_ else " ".join(lows[1 : at + 1])


_AFTER_PART = words("and but so in at on while when playing last again badly quite by falling")


def _hurt(maker: Maker, clause: Clause) -> list[Draft]:
    """ "I hurt my left knee skiing in Feb"."""
    group, subject = clause.group, maker.subject(clause.subject)
    if group.negated or subject is None:
        return []
    part = _body_part(clause.rest)
    if not part or clause.subject[-1].low not in w.SELF | {"he", "she"}:
        return []
    group.past = group.past or not group.perfect  # "hurt" looks alike in both tenses
    told = tell(Kind.BEGIN, group, clause.times)
    return [maker.draft(subject, "has_injury", f"injured {part}", one, clause) for one in told]


_OPERATIONS = words("surgery operation op replacement transplant bypass")


def _operated(maker: Maker, clause: Clause) -> list[Draft]:
    """ "I had knee surgery in April", "she had an operation on her hip"."""
    group, rest = clause.group, clause.rest
    head, after = cut(rest, words("on in for and but , . ( last because so at by"))
    noun = [t for t in strip_trailing(head) if t.low not in {"a", "an", "the", "my", "major"}]
    subject = maker.subject(clause.subject)
    if not noun or subject is None or group.negated:
        return []
    if noun[-1].low not in _OPERATIONS or len(noun) > 3 or not is_person(subject, clause.subject):
        return []
    part = _body_part(after[1:]) if after and after[0].low == "on" else ""
    if after and after[0].low == "on" and not part:
        return []
    if any(token.low in w.BAD_IN_OBJECT for token in noun):
        return []
    text = f"{part} {noun[-1].low}" if part else maker.nouns.words(noun)
    told = tell(Kind.EVENT, group, clause.times)
    return [maker.draft(subject, "had_surgery", text, one, clause) for one in told]


_AIDS = words("wheelchair cane crutches walker rollator")
_AID_PAIRS = {"hearing aid", "hearing aids", "walking stick", "insulin pump", "white cane"}


def _aid(maker: Maker, clause: Clause) -> list[Draft]:
    """ "I use a wheelchair", "my gran uses a walking stick"."""
    group, subject = clause.group, maker.subject(clause.subject)
    thing, _ = cut(clause.rest, words("to for and but , . ( so because when in at on"))
    thing = [token for token in strip_trailing(thing) if token.low not in {"a", "an"}]
    text = " ".join(token.low for token in thing)
    if subject is None or text not in _AIDS | _AID_PAIRS:
        return []
    told = tell(Kind.HOLD, group, clause.times)
    return [maker.draft(subject, "uses", text, one, clause) for one in told]


_FOR_NOW = ("this week", "this weekend", "tonight", "this month", "today", "for the week")


def _here_for_now(maker: Maker, clause: Clause) -> list[Draft]:
    """ "I'm in Leeds this week": a stay."""
    group, rest = clause.group, clause.rest
    when = [phrase for phrase in clause.times if phrase.phrase.lower() in _FOR_NOW]
    if group.past or group.perfect or group.negated or len(when) != 1:
        return []
    if len(clause.times) != 1 or len(rest) < 2 or rest[0].low != "in" or not rest[1].capital:
        return []
    subject = maker.subject(clause.subject)
    place = maker.nouns.single(rest[1:], Shape.NAME)
    if subject is None or not is_person(subject, clause.subject) or not place:
        return []
    if place[0].tokens[0].low in w.WEEKDAYS | w.MONTHS | w.TOOLS:
        return []
    told = Telling(start=when[0].phrase)
    return [maker.draft(subject, "stays_at", place[0].text, told, clause)]


def _back_from(maker: Maker, clause: Clause) -> list[Draft]:
    """ "Just got back from Lanzarote"."""
    group, rest = clause.group, clause.rest
    back = "back" in group.flags and [token.low for token in rest[:1]] == ["from"]
    done = group.lemma == "be" or group.past or group.perfect
    subject = maker.subject(clause.subject)
    if not back or not done or subject is None or group.negated:
        return []
    if group.modality is not Modality.ASSERTED:
        return []
    place = maker.nouns.single(rest[1:], Shape.NAME)
    if not place or not place[0].tokens[0].capital or place[0].tokens[-1].low == "'s":
        return []
    return [maker.draft(subject, "visited", place[0].text, Telling(), clause, rule="back_from")]


_SCHOOL_NAMES = words("school college academy primary high grammar uni university st")


def _at_uni(maker: Maker, clause: Clause) -> list[Draft]:
    """ "I'm at Leicester uni"."""
    rest, group = clause.rest, clause.group
    if group.past or group.negated or [t.low for t in rest[:1]] != ["at"]:
        return []
    subject = maker.subject(clause.subject)
    school = maker.nouns.single(rest[1:], Shape.NAME)
    if subject is None or not school or not is_person(subject, clause.subject):
        return []
    if school[0].tokens[-1].low not in {"uni", "university"} or len(school[0].tokens) < 2:
        return []
    told = tell(Kind.HOLD, group, clause.times)
    return [maker.draft(subject, "studies_at", school[0].text, one, clause) for one in told]


def _pupil(maker: Maker, clause: Clause) -> list[Draft]:
    """ "My eldest, Rufus, goes to St Olave's"."""
    group, rest = clause.group, clause.rest
    subject = maker.subject(clause.subject)
    if [t.low for t in rest[:1]] != ["to"] or subject is None:
        return []
    role = (maker.role_of(subject) or "").split(" ")[-1]
    habit = not (group.past or group.perfect or group.progressive or group.negated)
    school = maker.nouns.single(rest[1:], Shape.NAME)
    if role not in w.YOUNG or not habit or not school or clause.times:
        return []
    if not {token.low.rstrip(".") for token in school[0].tokens} & _SCHOOL_NAMES:
        return []
    told = tell(Kind.HOLD, group, clause.times)
    return [maker.draft(subject, "studies_at", school[0].text, one, clause) for one in told]


def _was_at(maker: Maker, clause: Clause) -> list[Draft]:
    """ "Before that I was at Ogilvy for six years as an art director"."""
    rest, group = clause.rest, clause.group
    lows = [token.low for token in rest]
    if not group.past or group.negated or lows[:1] != ["at"]:
        return []
    trade, _ = (
        cut(rest[lows.index("as") + 2 :], words(", . and but in (")) if "as" in lows else ([], [])
    )
    long = any(_YEARS_LONG.search(phrase.phrase) for phrase in clause.times)
    subject = maker.subject(clause.subject)
    firm = maker.nouns.single(rest[1:], Shape.NAME)
    if subject is None or not firm or not firm[0].tokens[0].capital or not (long or trade):
        return []
    told = tell(Kind.HOLD, group, clause.times, cue=True)
    drafts = [maker.draft(subject, "works_at", firm[0].text, one, clause) for one in told]
    trade = strip_trailing(trade)
    if trade and trade[-1].low in w.OCCUPATIONS and len(trade) < 4:
        text = maker.nouns.words(trade)
        return drafts + [maker.draft(subject, "works_as", text, one, clause) for one in told]
    return drafts if long and _JOB.search(maker.sentence.text) else []


_JOB = re.compile(
    r"\b(?:let me go|laid off|redundan\w+|fired|sacked|jobs?|worked|working|career|promoted)\b",
    re.IGNORECASE,
)
_YEARS_LONG = re.compile(r"\b(?:years?|months)\b", re.IGNORECASE)


DOINGS: dict[str, tuple[Rule, ...]] = {
    "be": (_in_year, _here_for_now, _back_from, _was_at, _at_uni),
    "drive": (_no_driver,),
    "have": (_operated,),
    "undergo": (_operated,),
    "use": (_aid,),
    "get": (_back_from,),
    "come": (_back_from,),
    "go": (_pupil,),
    **dict.fromkeys(("hurt", "injure", "bust", "wreck"), (_hurt,)),
}
"""What may be told by a verb."""
