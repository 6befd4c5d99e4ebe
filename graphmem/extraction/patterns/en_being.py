"""English "be": what somebody or something is: age, diet, trade, colour, place, kind."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from graphmem.extraction.patterns import en_words as w
from graphmem.extraction.patterns.en_clause import Clause
from graphmem.extraction.patterns.en_forms import Telling, tell
from graphmem.extraction.patterns.en_frames import Kind
from graphmem.extraction.patterns.en_make import Maker
from graphmem.extraction.patterns.en_nouns import (
    Shape,
    cut,
    name_length,
    strip_determiner,
    strip_trailing,
)
from graphmem.extraction.patterns.en_tokens import Token
from graphmem.extraction.patterns.sentences import words
from graphmem.model.claim import Mention, Polarity
from graphmem.model.draft import Draft

_HEIGHT = re.compile(
    r"((?:about |around )?(?:\d ?(?:'|ft|foot|feet) ?\d{1,2}(?!\d)(?:\"| inches)?"
    r"|\d+(?:[.,]\d+)? ?(?:m|cm|metres?|meters?|centimetres?|feet|foot|ft)\b"
    r"|(?:four|five|six) (?:foot|feet)"
    r"(?: (?:one|two|three|four|five|six|seven|eight|nine|ten|eleven))?"
    r"|\d ?(?:'|ft|foot|feet) ?\d{1,2}(?:\"| inches)?|\d[.,]\d\d))(?: tall)?",
    re.IGNORECASE,
)
_MASKS = words("batman superman spiderman spartacus groot santa sherlock elsa god cinderella")
"""Whom people say they are in jest."""
_STATES = words("blocked delayed finished cancelled canceled live paused shipped archived overdue")
_STATE_PHRASES = ("in progress", "on hold", "in review", "in beta", "under construction")
_FORMER = words("former retired ex future aspiring wannabe would-be fellow better born natural")


def read_being(maker: Maker, clause: Clause) -> list[Draft]:
    """Read what somebody or something is: age, diet, trade, colour, place, kind."""
    ended = clause.opener in {"until", "till"}
    told = tell(Kind.HOLD, clause.group, clause.times, cue=ended)
    subject = maker.subject(clause.subject)
    if subject is None:
        return []
    person, rest = is_person(subject, clause.subject), clause.rest
    if not told and person and clause.group.past:  # "my grandfather was a miner": and is no more
        over = tell(Kind.HOLD, clause.group, clause.times, cue=True)
        return _trade(maker, clause, subject, over[0], rest) if over else []
    if not told:
        return []
    telling = told[0]
    readers = (_age, _adjective, _trade, _named, _somewhere) if person else (_adjective, _somewhere)
    if "animal" in subject.types:
        readers = (_age, *readers)
    for reader in (*readers, _trade, _kind, _placed, _status):
        drafts = reader(maker, clause, subject, telling, rest)
        if drafts:
            return drafts
    return []


def is_person(subject: Mention, tokens: Sequence[Token]) -> bool:
    """Whether the subject of a clause is, as far as its words tell, a person."""
    if subject.is_self or subject.role is not None or "person" in subject.types:
        return True
    if tokens[0].low in w.SELF | {"he", "she"}:
        return True
    return all(token.capital for token in tokens) and tokens[0].low != "the"


def _end_here(rest: Sequence[Token], at: int) -> bool:
    """Whether nothing that changes the sense follows at ``at``."""
    return (
        at >= len(rest)
        or not rest[at].is_word
        or rest[at].low
        in words(
            "and but so because now too again once at in from since with these right lol tbh this"
            " today here as though by or after for except which who please thanks like btw"
            " apart aside mostly"
        )
    )


def _age(
    maker: Maker, clause: Clause, subject: Mention, telling: Telling, rest: list[Token]
) -> list[Draft]:
    if not rest:
        return []
    text = maker.nouns.words(rest[:6])
    height = _HEIGHT.match(text)
    if height and (
        "tall" in text
        or re.search(r"\d ?(?:m|cm|')(?!\w*[a-z])", height.group())
        or "foot" in text
        or "ft" in text
    ):
        return [maker.draft(subject, "height", height.group(1), telling, clause)]
    low = rest[0].low
    number = low.isdigit() and 0 < int(low) < 120
    if any(token.low.isdigit() for token in rest[1:4]):
        return []  # "4 and 9": two of them
    if not (number or low.split("-")[0] in w.NUMBERS - {"one"}):
        return []
    old = len(rest) > 1 and rest[1].low in {"years", "year"} and "old" in text
    if len(rest) > 1 and rest[1].low in {"'", '"', "/", "-", "%", "°"}:
        return []
    soon = any(not phrase.phrase.lower().startswith(("today", "this")) for phrase in clause.times)
    if soon:
        return []  # "she's 70 in June"
    if subject.is_self and low in {"1", "2", "3", "4", "two", "three", "four"}:
        return []
    if old or (_end_here(rest, 1) and (len(rest) < 2 or rest[1].low not in {"of", "for"})):
        unit = len(rest) > 2 and rest[2].low == "for"
        return [] if unit else [maker.draft(subject, "age", low, telling, clause)]
    return []


def _adjective(
    maker: Maker, clause: Clause, subject: Mention, telling: Telling, rest: list[Token]
) -> list[Draft]:
    a_bit = [token.low for token in rest[:2]] in (["a", "bit"], ["a", "little"])
    tokens = strip_determiner(rest[2:] if a_bit else rest)
    if not tokens:
        return []
    person = is_person(subject, clause.subject)
    two = " ".join(token.low for token in tokens[:2])
    low = tokens[0].low
    if "animal" in subject.types and low in w.HAVING and _end_here(tokens, 1):
        return [maker.draft(subject, "has_condition", low, telling, clause)]
    if not person:
        small = len(clause.subject) == 1 and subject.text.islower()  # "goran's hungover"
        ill = two if two in w.FEELINGS else low if low in w.FEELINGS else ""
        if small and ill and _end_here(tokens, len(ill.split())):
            return [maker.draft(subject, "feels", ill, telling, clause)]
        colour = low in w.COLOURS and _end_here(tokens, 1) and rest[0].low == low
        return [maker.draft(subject, "colour", low, telling, clause)] if colour else []
    return _of_person(maker, clause, subject, telling, rest)


_TWO_DIETS = {"gluten free", "dairy free", "plant based", "lactose free", "low carb"}


def _of_person(
    maker: Maker, clause: Clause, subject: Mention, telling: Telling, rest: list[Token]
) -> list[Draft]:
    a_bit = [token.low for token in rest[:2]] in (["a", "bit"], ["a", "little"])
    tokens = strip_determiner(rest[2:] if a_bit else rest)
    two, low = " ".join(token.low for token in tokens[:2]), tokens[0].low
    if len(tokens) > 1 and tokens[1].low in {"intolerant", "intolerance"}:
        return [maker.draft(subject, "intolerant_to", tokens[0].text, telling, clause)]
    determined = rest[0].low in {"a", "an"} and not a_bit
    three = " ".join(token.low for token in tokens[:3])
    for length, text in ((1, low), (2, two), (3, three)):
        if text in w.HAVING and _end_here(tokens, length) and not determined:
            return [maker.draft(subject, "has_condition", text, telling, clause)]
    if (
        [token.low for token in rest[1:3]] == ["only", "child"]
        and subject.is_self
        and not clause.group.negated
    ):
        none = replace(telling, polarity=Polarity.NEGATIVE)
        return [maker.draft(subject, "has_sibling", None, none, clause, rule="only_child")]
    if two in _TWO_DIETS and _end_here(tokens, 2) and not determined:
        return [maker.draft(subject, "follows_diet", two, telling, clause)]
    if two in w.FEELINGS and _end_here(tokens, 2):
        return [maker.draft(subject, "feels", two, telling, clause)]
    if not _end_here(tokens, 1):
        return []
    for slug, members in (
        ("follows_diet", w.DIETS),
        ("nationality", w.NATIONALITIES),
        ("religion", w.RELIGIONS),
        ("feels", frozenset[str]() if determined else w.FEELINGS),
        ("marital_status", frozenset[str]() if determined else w.STATUSES),
    ):
        after = tokens[1].low if len(tokens) > 1 else ""
        if low in members and not (
            slug == "marital_status" and after in {"in", "from", "at", "by"}
        ):
            text = tokens[0].text if slug in {"nationality", "religion"} else low
            return [maker.draft(subject, slug, text, telling, clause)]
    return []


def _trade(
    maker: Maker, clause: Clause, subject: Mention, telling: Telling, rest: list[Token]
) -> list[Draft]:
    """ "an engineer at Finch", "the controller at Northwind"."""
    if not rest or rest[0].low not in {"a", "an", "the"}:
        return []
    title, after = cut(
        strip_determiner(rest), words("at for in with of on who and but , . ( – — - by based")
    )
    title = strip_trailing(title)
    trade = title and title[-1].low in w.OCCUPATIONS and len(title) <= 4
    if not trade or any(token.low in _FORMER | w.EVALUATIVE for token in title):
        return []
    head, joined = title[-1].low, after[:1] and after[0].low in {"at", "for", "with"}
    employer = maker.nouns.single(after[1:], Shape.ORGANISATION) if joined else []
    if head in w.NOT_MY_TRADE and len(title) == 1 and not employer:
        return []
    if rest[0].low == "the" and not employer:
        return []
    drafts = [maker.draft(subject, "works_as", maker.nouns.words(title), telling, clause)]
    if employer:
        drafts.append(
            maker.draft(subject, "works_at", employer[0].text, telling, clause, rule="trade_at")
        )
    return drafts


def _named(
    maker: Maker, clause: Clause, subject: Mention, telling: Telling, rest: list[Token]
) -> list[Draft]:
    """ "I'm Dr. Amara Obi": only of the speaker, and only a name."""
    if clause.low_subject != "i" or not rest or not rest[0].capital or telling != Telling():
        return []
    parts = {rest[0].low, *rest[0].low.split("-")}
    if parts & _MASKS:
        return []
    if rest[0].text.isupper() or (
        parts & ({"team", "gen", "generation"} | w.NATIONALITIES | w.WEEKDAYS | w.MONTHS)
    ):
        return []
    length = name_length(rest)
    at_end = length >= len(rest) or rest[length].low in words(", . ! from and – — ( btw here by")
    if not at_end or length > 4 or any(not t.capital for t in rest[:length]):
        return []
    return [maker.draft(subject, "has_name", maker.nouns.words(rest[:length]), telling, clause)]


_YEARS = re.compile(r"\byears?\b|\bsince (?:19|20)\d\d\b", re.IGNORECASE)


def is_settled(low: str) -> bool:
    """Whether "in" this, for years, tells of a home rather than a trade or a language."""
    return low not in w.TOOLS | w.LANGUAGES | w.WEEKDAYS | w.MONTHS | {"it", "hr", "pr", "year"}


def _somewhere(
    maker: Maker, clause: Clause, subject: Mention, telling: Telling, rest: list[Token]
) -> list[Draft]:
    """ "I'm back in Turin", "I've been at Acme since 2019"."""
    group = clause.group
    lows = [token.low for token in rest[:2]]
    long = bool(telling.start and _YEARS.search(telling.start))
    if lows[:1] == ["in"] and group.perfect and not group.past and long and rest[1:]:
        place = maker.nouns.single(rest[1:], Shape.NAME)  # "we've been in Perth for 8 years"
        if place and place[0].tokens[0].capital and is_settled(place[0].tokens[0].low):
            return [maker.draft(subject, "lives_in", place[0].text, telling, clause)]
    if lows[:1] == ["in"] and "back" in group.flags:
        place = maker.nouns.single(rest[1:], Shape.NAME)
        if place and not clause.times:
            return [
                maker.draft(subject, "lives_in", place[0].text, telling, clause, rule="back_in")
            ]
    if (
        lows[:1] in (["at"], ["with"])
        and group.perfect
        and (telling.start or "still" in group.flags)
    ):
        place = maker.nouns.single(rest[1:], Shape.NAME)
        if place:
            return [
                maker.draft(subject, "works_at", place[0].text, telling, clause, rule="been_at")
            ]
    return []


def _kind(
    maker: Maker, clause: Clause, subject: Mention, telling: Telling, rest: list[Token]
) -> list[Draft]:
    named = len(clause.subject) == 1 and clause.subject[0].capital
    articles = {"a", "an", "the"} if named and len(rest) > 2 else {"a", "an"}
    if not rest or rest[0].low not in articles or subject.is_self:
        return []
    head, _ = cut(
        strip_determiner(rest), words("in at for with of on who that which we and but , . ( – —")
    )
    head = strip_trailing(head)
    breed = " ".join(token.low for token in head[-2:])
    if rest[0].low == "the" and (len(head) < 2 or head[-1].low not in {"project", "app"}):
        return []
    known = bool(head) and (head[-1].low in w.KINDS_OF_THING or breed in w.BREEDS)
    if not known or len(head) > 4:
        return []
    told_of = clause.subject[0].capital or "animal" in subject.types
    if any(token.low in w.EVALUATIVE for token in head) or not told_of:
        return []
    predicate = "breed" if {head[-1].low, breed} & w.BREEDS else "is_a"
    return [maker.draft(subject, predicate, maker.nouns.words(head), telling, clause)]


def _placed(
    maker: Maker, clause: Clause, subject: Mention, telling: Telling, rest: list[Token]
) -> list[Draft]:
    if subject.is_self or subject.role is not None or len(rest) < 2:
        return []
    if rest[0].low not in {"in", "on", "near", "at"} or clause.group.past:
        return []
    alone = len(clause.subject) == 1 and clause.subject[0].capital
    somebody = alone or "person" in subject.types or clause.low_subject in {"he", "she"}
    if clause.times and clause.subject[-1].low in w.OCCUPATIONS:
        return []  # "the vet is tomorrow at Finch Street"
    if clause.subject[-1].low in _NOWHERE or (somebody and rest[0].low == "at"):
        return []  # "Tom is at Google", "my job is at Bosch"
    if rest[1].low in w.TOOLS | w.LANGUAGES:
        return []  # "my code's in Python"
    if clause.subject[0].low in {"st", "saint"}:
        return []  # "…, St Columba's in Ealing": a church's name
    name = maker.nouns.single(rest[1:], Shape.NAME)
    if name and not name[0].tokens[0].capital and clause.subject[-1].low not in _BUILDINGS:
        return []  # "the file's in use"
    dated = name and name[0].tokens[0].low.removesuffix("s") in w.WEEKDAYS
    if name and not dated and name[0].tokens[0].low not in w.MONTHS:
        return [maker.draft(subject, "located_in", name[0].text, telling, clause)]
    numbered = numbered_store(maker, rest)
    if numbered and not somebody:
        return [maker.draft(subject, "kept_in", numbered, telling, clause)]
    if rest[0].low in {"in", "on"} and rest[1].low in {"the", "my", "our"}:
        thing = maker.nouns.single(rest[1:], Shape.THING)
        if thing and any(token.low in _STORES for token in thing[0].tokens[-1:]):
            return [maker.draft(subject, "kept_in", thing[0].text, telling, clause)]
    return []


def numbered_store(maker: Maker, rest: Sequence[Token]) -> str:
    """Return "drawer 1" of "in drawer 1 now", "box B2" of "in box B2"; nothing if more follows."""
    place = strip_trailing(rest[1:])
    if len(place) < 2 or place[0].low not in _STORES | _SHELVES or rest[0].low not in {"in", "on"}:
        return ""
    found = _NUMBERED.fullmatch(maker.nouns.words(place))
    return found.group(1) if found else ""


_SHELVES = words("rack tray row bin crate aisle bay slot compartment container room")
_NUMBERED = re.compile(r"([A-Za-z]+ (?:[A-Z]{0,3}-?\d{1,4}[A-Za-z]?|[A-Z]))\.?")
_BUILDINGS = words(
    "flat house apartment office home shop school company hotel bakery café cafe restaurant studio"
    " gym church clinic hospital university college farm cottage cabin garden bar pub store"
)
_NOWHERE = words(
    "job work life heart head meeting party wedding appointment interview flight talk answer idea"
    " deadline question problem class lesson exam game match course lecture session reason solution"
    " truth devil secret trick magic beauty future past proof point trouble joy clue money surprise"
    " funeral ceremony reception service gig concert conference festival show race marathon event"
)
_STORES = words(
    "drawer cupboard cabinet box fridge freezer garage attic basement cellar shed safe closet"
    " wardrobe kitchen bedroom bathroom hallway office desk shelf bag backpack wallet folder car"
    " boot trunk pantry locker archive binder suitcase jar tin garden hall loft table bookcase"
)


def _status(
    maker: Maker, clause: Clause, subject: Mention, telling: Telling, rest: list[Token]
) -> list[Draft]:
    if subject.is_self or subject.role is not None or not rest:
        return []
    two = " ".join(token.low for token in rest[:2])
    text = two if two in _STATE_PHRASES else rest[0].low if rest[0].low in _STATES else ""
    if not text or not _end_here(rest, len(text.split())) or not clause.subject[0].capital:
        return []
    return [maker.draft(subject, "has_status", text, telling, clause)]
