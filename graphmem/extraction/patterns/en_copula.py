"""English "be": what somebody or something is, and what is somebody's."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphmem.extraction.patterns import en_words as w
from graphmem.extraction.patterns.en_clause import Clause
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
from graphmem.extraction.patterns.en_people import plain_role, possessive_parts, relation, role_at
from graphmem.extraction.patterns.en_tokens import Token
from graphmem.extraction.patterns.sentences import words
from graphmem.model.claim import Form, Mention
from graphmem.model.draft import Draft
from graphmem.model.predicate import slugify

_FAVOURITE = words("favourite favorite fave")
_SPELLING = {"color": "colour", "movie": "film", "sports": "sport"}
_NUMBERED = words("desk seat locker parking_space")
_NUMBER = re.compile(r"(?:number |no\.? ?)?([A-Z]{0,3}-?\d{1,4}(?:[.-]?\d{1,3})?[A-Z]?)\.?", re.I)
_LINES = words("work home private business personal office school mobile second")


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

    def _attribute(self, maker: Maker, clause: Clause, telling: Telling) -> list[Draft]:
        tokens = clause.subject
        parts = possessive_parts(maker, tokens)
        if parts is None:
            return self._of_thing(maker, clause, telling)
        owner, noun = parts
        noun = plain_role(noun)
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
        if len(tokens) > 3 and tokens[2].low in {"of", "for"}:
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
            goal, _ = cut(rest[1:], words(", . ; ! ( – —"))
            return maker.nouns.words(goal)
        if slug == "has_name":
            length = name_length(rest)
            name = maker.nouns.words(strip_trailing(rest[:length]))
            if not length and maker.nouns.lower_writer and len(strip_trailing(rest)) == 1:
                name = maker.nouns.words(strip_trailing(rest))
            return name
        if slug == "postal_address":
            return _address(maker, rest)
        head, _ = cut(rest, words(", ( – — ; and but because which so"))
        group_a = slug == "blood_type" and head[:1] and head[0].text == "A"
        head = strip_trailing(head if group_a else strip_determiner(head))
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
        digits = sum(char.isdigit() for token in head for char in token.text)
        if slug == "phone_number" and digits < 5:
            return ""  # "my phone is a Pixel 8"
        if slug in _NUMBERED:  # "my desk is a mess", "my desk is 2 m wide"
            number = _NUMBER.fullmatch(maker.nouns.words(head))
            return number.group(1) if number else ""
        if slug == "email_address" and "@" not in maker.nouns.words(head):
            return ""
        return maker.nouns.words(head)

    def _is_somebodys(self, maker: Maker, clause: Clause, telling: Telling) -> list[Draft]:
        """ "Noor is Sam's manager", "tea is my favourite drink"."""
        parts = possessive_parts(maker, _name_then_noun(clause.rest))
        if parts is None:
            return []
        owner, noun = parts
        noun = plain_role(strip_trailing(noun))
        lows = [token.low for token in noun]
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
        if role is None or (role[1] < len(noun) and noun[role[1]].low not in words(", and . not")):
            return []
        length = name_length(subject)
        if w.ROLES[role[0]] == "has_pet" and owner.is_self and not length:
            return []
        him = maker.subject(subject) if subject[0].low in {"he", "she"} else None
        if him is not None and len(subject) == 1:  # "… he's my nephew"
            return relation(maker, owner, role[0], him.text, telling, clause)
        if (
            length == len(subject)
            and subject[0].low not in w.SELF | w.PLACEHOLDERS | w.OPENERS | w.THIRD_PERSON
        ):
            name = maker.nouns.words(subject)
            return relation(maker, owner, role[0], name, telling, clause)
        return []


def _address(maker: Maker, rest: Sequence[Token]) -> str:
    """ "14 Rue des Lilas, 31000 Toulouse": its commas are part of it."""
    head, _ = cut(rest, words("( – — ; and but because which so please"))
    for at, token in enumerate(head):
        follows = head[at + 1] if at + 1 < len(head) else token
        if token.low == "," and not (follows.capital or follows.text[:1].isdigit()):
            head = head[:at]
            break
    head = strip_trailing(head)
    usable = any(char.isdigit() for token in head for char in token.text) and len(head) <= 15
    return maker.nouns.words(head) if usable else ""


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


def _date_value(clause: Clause) -> str:
    if not clause.times:
        return ""
    phrase = clause.times[0].phrase
    dated = any(char.isdigit() for char in phrase) or set(phrase.lower().split()) & w.MONTHS
    if not dated:
        return ""  # "next week": no date for good
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
    if len(lows) < 3 or not (lows[-2:] == ["and", "i"] or lows[:2] == ["me", "and"]):
        return None
    name = subject[2:] if lows[0] == "me" else subject[:-2]
    if name_length(name) != len(name):
        return None
    return Mention(maker.nouns.words(name), types=("person",))
