"""English "be": what somebody or something is, and what is somebody's."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphmem.extraction.patterns import en_words as w
from graphmem.extraction.patterns.en_clauses import Clause
from graphmem.extraction.patterns.en_forms import Telling, tell
from graphmem.extraction.patterns.en_frames import Frames, Kind
from graphmem.extraction.patterns.en_make import Maker
from graphmem.extraction.patterns.en_nouns import (
    Shape,
    cut,
    name_length,
    split_list,
    strip_determiner,
    strip_trailing,
)
from graphmem.extraction.patterns.en_people import possessive_parts, relation, role_at
from graphmem.extraction.patterns.en_tokens import Token
from graphmem.extraction.patterns.sentences import words
from graphmem.model.claim import Form, Mention
from graphmem.model.draft import Draft
from graphmem.model.predicate import slugify

_FAVOURITE = words("favourite favorite fave")
_SPELLING = {"color": "colour", "movie": "film", "sports": "sport"}
_HEIGHT = re.compile(
    r"((?:about |around )?(?:\d+(?:[.,]\d+)? ?(?:m|cm|metres?|meters?|centimetres?|feet|foot|ft)"
    r"|\d ?(?:'|ft|foot|feet) ?\d{1,2}(?:\"| inches)?|\d[.,]\d\d))(?: tall)?",
    re.IGNORECASE,
)
_AGE = re.compile(r"(\d{1,3}|[a-z]+(?:-[a-z]+)?)(?: years? old| years? of age)?", re.IGNORECASE)
_LINES = words("work home private business personal office school mobile second")
_STATES = words("blocked delayed finished cancelled canceled live paused shipped archived overdue")
_STATE_PHRASES = ("in progress", "on hold", "in review", "in beta", "under construction")
_FORMER = words("former retired ex future aspiring wannabe would-be fellow better born natural")


class Copula:
    """Reads clauses whose verb is "be"."""

    def __init__(self, frames: Frames) -> None:
        self._frames = frames

    def owned(self, maker: Maker, clause: Clause) -> list[Draft]:
        """Read what names an owner on either side: "my boss is Ann", "Ann is Sam's boss"."""
        telling = _only(tell(Kind.HOLD, clause.group, clause.times))
        if telling is None:
            return []
        return (
            self._attribute(maker, clause, telling)
            or self._is_somebodys(maker, clause, telling)
            or _couple(maker, clause, telling)
        )

    def plain(self, maker: Maker, clause: Clause) -> list[Draft]:
        """Read what somebody or something is: age, diet, trade, colour, place, kind."""
        told = tell(Kind.HOLD, clause.group, clause.times)
        subject = maker.subject(clause.subject)
        if not told or subject is None:
            return []
        telling, rest = told[0], clause.rest
        person = is_person(subject, clause.subject)
        readers = (
            (_age, _adjective, _trade, _named, _somewhere) if person else (_adjective, _somewhere)
        )
        for reader in (*readers, _trade, _kind, _placed, _status):
            drafts = reader(maker, clause, subject, telling, rest)
            if drafts:
                return drafts
        return []

    def _attribute(self, maker: Maker, clause: Clause, telling: Telling) -> list[Draft]:
        tokens = clause.subject
        parts = possessive_parts(maker, tokens)
        if parts is None:
            return self._of_thing(maker, clause, telling)
        owner, noun = parts
        lows = [token.low for token in noun]
        if lows[-2:] == ["'s", "name"]:
            role = role_at(noun, 0)
            if role is not None:
                return _role_is(maker, clause, owner, role[0], telling)
            return []
        if lows and lows[0] in _FAVOURITE and len(lows) > 1:
            return _favourite(maker, clause, owner, lows[1:], clause.rest, telling)
        role = role_at(noun, 0)
        if role is not None and role[1] == len(noun):
            return _role_is(maker, clause, owner, role[0], telling)
        return self._noun_value(maker, clause, owner, lows, telling)

    def _of_thing(self, maker: Maker, clause: Clause, telling: Telling) -> list[Draft]:
        """ "The Kite deadline is 5 May", "the price of the ticket is 40 euros"."""
        tokens = clause.subject
        if len(tokens) < 3 or tokens[0].low != "the":
            return []
        slug = self._frames.nouns.get(tokens[-1].low)
        owner = maker.noun_mention(tokens[:-1])
        if slug is not None and owner is not None and tokens[-1].low not in {"name", "number"}:
            return self._noun_value(maker, clause, owner, [tokens[-1].low], telling)
        if len(tokens) > 3 and tokens[2].low == "of":
            slug = self._frames.nouns.get(tokens[1].low)
            owner = maker.noun_mention(tokens[3:])
            if slug is not None and owner is not None:
                return self._noun_value(maker, clause, owner, [tokens[1].low], telling)
        return []

    def _noun_value(
        self, maker: Maker, clause: Clause, owner: Mention, noun: Sequence[str], telling: Telling
    ) -> list[Draft]:
        line = noun[0] if len(noun) > 1 and noun[0] in _LINES else None
        words_ = list(noun[1:]) if line else list(noun)
        if words_[:1] in (["new"], ["current"], ["own"], ["full"], ["first"], ["real"]):
            words_ = words_[1:]
        if words_[:1] == ["biggest"] or words_[:1] == ["main"]:
            words_ = words_[1:]
        slug = self._frames.nouns.get(" ".join(words_))
        if slug is None:
            return []
        value = self._value(maker, clause, slug)
        if (
            slug == "works_as"
            and value.split()[-1:]
            and (value.split()[-1].lower() not in w.OCCUPATIONS)
        ):
            return []
        if not value or (slug == "has_name" and noun[0] == "first" and " " in value):
            return []
        if maker.ontology.resolve(slug).predicate.value == "date":  # the value, not a bound
            moved = clause.rest[:1] and clause.rest[0].low in words(
                "moved pushed postponed changed"
            )
            telling = Telling(Form.CHANGE if moved else Form.STATE, polarity=telling.polarity)
        qualifiers = (("line", line),) if line else ()
        return [maker.draft(owner, slug, value, telling, clause, qualifiers=qualifiers)]

    def _value(self, maker: Maker, clause: Clause, slug: str) -> str:
        rest = clause.rest
        predicate = maker.ontology.resolve(slug).predicate
        if predicate.value == "date":
            return _date_value(clause)
        if slug == "has_goal":
            if len(rest) < 2 or rest[0].low != "to":
                return ""
            return maker.nouns.words(strip_trailing(rest[1:]))
        if slug == "has_name":
            length = name_length(rest)
            name = maker.nouns.words(strip_trailing(rest[:length]))
            if not length and maker.nouns.lower_writer and len(strip_trailing(rest)) == 1:
                name = maker.nouns.words(strip_trailing(rest))
            return name
        head, _ = cut(rest, words(", ( – — ; and but because which so"))
        head = strip_trailing(strip_determiner(head))
        usable = (
            head
            and len(head) <= 8
            and not any(
                token.low in w.BAD_IN_OBJECT - {"they", "them", "she", "her", "he", "him"}
                for token in head
            )
        )
        if not usable or head[0].low in {"to", "in", "on", "not"} | w.EVALUATIVE:
            return ""
        if slug in {"phone_number", "height", "weight", "has_budget", "costs", "earns", "age"} and (
            not any(char.isdigit() for token in head for char in token.text)
        ):
            return ""
        return maker.nouns.words(head)

    def _is_somebodys(self, maker: Maker, clause: Clause, telling: Telling) -> list[Draft]:
        """ "Noor is Sam's manager", "tea is my favourite drink"."""
        parts = possessive_parts(maker, _name_then_noun(clause.rest))
        if parts is None:
            return []
        owner, noun = parts
        lows = [token.low for token in strip_trailing(noun)]
        subject = clause.subject
        if len(lows) == 1 and lows[0] in _FAVOURITE:
            lows = _favourite_before(maker, owner)
            noun = noun[:1]
        if lows and lows[0] in _FAVOURITE and len(lows) > 1 and len(noun) > 1:
            found = maker.nouns.single(subject, Shape.TASTE)
            if not found or any(t.low in w.PLACEHOLDERS | w.SELF for t in subject):
                return []
            kind, _ = cut(noun[1:], words(", ( because since and but of in"))
            return _favourite(
                maker, clause, owner, [t.low for t in strip_trailing(kind)], subject, telling
            )
        if len(lows) > 1 and lows[0] in _FAVOURITE:  # "tea is my favourite", of drinks
            return _favourite(maker, clause, owner, lows[1:], subject, telling)
        role = role_at(noun, 0)
        if role is None or (role[1] < len(noun) and noun[role[1]].low not in {",", "and", "."}):
            return []
        length = name_length(subject)
        if w.ROLES[role[0]] == "has_pet" and owner.is_self and not length:
            return []
        if (
            length == len(subject)
            and subject[0].low not in w.SELF | w.PLACEHOLDERS | w.OPENERS | w.THIRD_PERSON
        ):
            name = maker.nouns.words(subject)
            return relation(maker, owner, role[0], name, telling, clause)
        return []


def _favourite_before(maker: Maker, owner: Mention) -> list[str]:
    """Return "favourite drink" if that was the talk just before, else nothing."""
    for draft in reversed(maker.context.drafts):
        same = draft.subject == owner or (draft.subject.is_self and owner.is_self)
        if same and draft.predicate.startswith("favourite_"):
            return draft.predicate.split("_")
    return []


def _only(told: list[Telling]) -> Telling | None:
    return told[0] if len(told) == 1 else None


def _name_then_noun(rest: list[Token]) -> list[Token]:
    head, _ = cut(rest, words(", ( – — ; but because which so"))
    return strip_trailing(head)


def is_person(subject: Mention, tokens: Sequence[Token]) -> bool:
    """Whether the subject of a clause is, as far as its words tell, a person."""
    if subject.is_self or subject.role is not None or "person" in subject.types:
        return True
    if tokens[0].low in w.SELF | {"he", "she"}:
        return True
    return all(token.capital for token in tokens) and tokens[0].low != "the"


def _date_value(clause: Clause) -> str:
    if not clause.times:
        return ""
    phrase = clause.times[0].phrase
    clause.times.clear()
    return re.sub(r"^(?:on|in|at|for|by) ", "", phrase, flags=re.IGNORECASE)


def _role_is(
    maker: Maker, clause: Clause, owner: Mention, role: str, telling: Telling
) -> list[Draft]:
    rest = clause.rest
    while rest and rest[0].low in {"called", "named"} | w.ADVERBS:
        rest = rest[1:]
    plural = any(
        token.low in w.PLURALS or token.low[:-1] in w.ROLES for token in clause.subject[-1:]
    )
    parts = split_list(rest) if plural else []
    if len(parts) > 1 and all(name_length(part) == len(strip_trailing(part)) for part in parts):
        return [
            draft
            for part in parts
            for draft in relation(
                maker, owner, role, maker.nouns.words(strip_trailing(part)), telling, clause
            )
        ]
    length = name_length(rest)
    name = strip_trailing(rest[:length])
    if not name or name[0].low in w.PLACEHOLDERS | w.NATIONALITIES | w.RELIGIONS:
        return []
    if len(rest) > length and rest[length].low not in w.ADVERBS | words(", ( and . from who ! – —"):
        return []
    return relation(maker, owner, role, maker.nouns.words(name), telling, clause)


def _favourite(
    maker: Maker,
    clause: Clause,
    owner: Mention,
    kind: Sequence[str],
    values: Sequence[Token],
    telling: Telling,
) -> list[Draft]:
    kinds, _ = cut_words(kind, ("of", "in", "at", "from", "is", "to", "for"))
    if not kinds or len(kinds) > 3 or any(k in w.PLACEHOLDERS | {"part"} for k in kinds):
        return []
    plural = kinds[-1].endswith("s") and not kinds[-1].endswith("ss")
    last = kinds[-1]
    if plural and last not in {"series", "news", "tennis"}:
        last = last[:-3] + "y" if last.endswith("ies") and last != "movies" else last[:-1]
    last = _SPELLING.get(last, last)
    slug = slugify(" ".join(["favourite", *kinds[:-1], last]))
    take = maker.nouns.items if plural else maker.nouns.single
    items = take(list(values), Shape.TASTE)
    return [
        maker.draft(
            owner, slug, item.text, telling, clause, beside=len(items) > 1, rule="favourite"
        )
        for item in items
        if item.tokens[0].low not in {"to", "when"} | w.EVALUATIVE
    ]


def cut_words(lows: Sequence[str], stops: Sequence[str]) -> tuple[list[str], list[str]]:
    """Split plain words at the first of ``stops``."""
    for at, low in enumerate(lows):
        if low in stops:
            return list(lows[:at]), list(lows[at:])
    return list(lows), []


def _couple(maker: Maker, clause: Clause, telling: Telling) -> list[Draft]:
    """ "Kim and I are married"."""
    other = partner_in(maker, clause.subject)
    if other is None or not clause.rest:
        return []
    me = maker.context.me
    slugs = {"married": "married_to", "engaged": "engaged_to", "friends": "friend_of",
             "colleagues": "colleague_of", "dating": "partner_of",
             "neighbours": "neighbour_of"}  # fmt: skip
    slug = slugs.get(clause.rest[0].low)
    if slug is None or me is None:
        return []
    return [maker.draft(me, slug, other, telling, clause, rule="couple")]


def partner_in(maker: Maker, subject: Sequence[Token]) -> Mention | None:
    """Return the other one of "Kim and I"."""
    lows = [token.low for token in subject]
    if len(lows) < 3 or lows[-2:] != ["and", "i"]:
        return None
    name = subject[:-2]
    if name_length(name) != len(name):
        return None
    return Mention(maker.nouns.words(name), types=("person",))


def _end_here(rest: Sequence[Token], at: int) -> bool:
    """Whether nothing that changes the sense follows at ``at``."""
    return (
        at >= len(rest)
        or not rest[at].is_word
        or rest[at].low
        in words(
            "and but so because now too again at in from since with these right lol tbh this today"
            " here as though by or after for again, which who please thanks like btw"
        )
    )


def _age(
    maker: Maker, clause: Clause, subject: Mention, telling: Telling, rest: list[Token]
) -> list[Draft]:
    if not rest:
        return []
    text = maker.nouns.words(rest[:6])
    height = _HEIGHT.match(text)
    if height and ("tall" in text or re.search(r"\d ?(?:m|cm)\b", height.group())):
        return [maker.draft(subject, "height", height.group(1), telling, clause)]
    low = rest[0].low
    number = low.isdigit() and 0 < int(low) < 120
    if not (number or low.split("-")[0] in w.NUMBERS - {"one"}):
        return []
    old = len(rest) > 1 and rest[1].low in {"years", "year"} and "old" in text
    if old or (_end_here(rest, 1) and (len(rest) < 2 or rest[1].low not in {"of", "for"})):
        unit = len(rest) > 2 and rest[2].low == "for"
        return [] if unit else [maker.draft(subject, "age", low, telling, clause)]
    return []


def _adjective(
    maker: Maker, clause: Clause, subject: Mention, telling: Telling, rest: list[Token]
) -> list[Draft]:
    tokens = strip_determiner(rest)
    if not tokens:
        return []
    person = is_person(subject, clause.subject)
    two = " ".join(token.low for token in tokens[:2])
    low = tokens[0].low
    if person and len(tokens) > 1 and tokens[1].low in {"intolerant", "intolerance"}:
        return [maker.draft(subject, "intolerant_to", tokens[0].text, telling, clause)]
    if not person:
        colour = low in w.COLOURS and _end_here(tokens, 1) and rest[0].low == low
        return [maker.draft(subject, "colour", low, telling, clause)] if colour else []
    determined = rest[0].low in {"a", "an"}
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
        if low in members:
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
        strip_determiner(rest), words("at for in with of on who and but , . ( – — by")
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
    if rest[0].text.isupper() or rest[0].low in w.NATIONALITIES | w.WEEKDAYS | w.MONTHS:
        return []
    length = name_length(rest)
    at_end = length >= len(rest) or rest[length].low in words(", . ! from and – — (")
    if not at_end or length > 4 or any(not t.capital for t in rest[:length]):
        return []
    return [maker.draft(subject, "has_name", maker.nouns.words(rest[:length]), telling, clause)]


def _somewhere(
    maker: Maker, clause: Clause, subject: Mention, telling: Telling, rest: list[Token]
) -> list[Draft]:
    """ "I'm back in Turin", "I've been at Acme since 2019"."""
    group = clause.group
    lows = [token.low for token in rest[:2]]
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
    if not rest or rest[0].low not in {"a", "an"} or subject.is_self:
        return []
    head, _ = cut(
        strip_determiner(rest), words("in at for with of on who that which and but , . ( – —")
    )
    head = strip_trailing(head)
    breed = " ".join(token.low for token in head[-2:])
    known = bool(head) and (head[-1].low in w.KINDS_OF_THING or breed in w.BREEDS)
    if not known or len(head) > 4:
        return []
    if any(token.low in w.EVALUATIVE for token in head) or not clause.subject[0].capital:
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
    name = maker.nouns.single(rest[1:], Shape.NAME)
    if name and name[0].tokens[0].low not in w.MONTHS | w.WEEKDAYS:
        return [maker.draft(subject, "located_in", name[0].text, telling, clause)]
    if rest[0].low in {"in", "on"} and rest[1].low in {"the", "my", "our"}:
        thing = maker.nouns.single(rest[1:], Shape.THING)
        if thing and any(token.low in _STORES for token in thing[0].tokens[-1:]):
            return [maker.draft(subject, "kept_in", thing[0].text, telling, clause)]
    return []


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
