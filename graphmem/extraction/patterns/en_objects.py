"""What follows an English verb frame, as values: lists, qualifiers, other-way relations."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from graphmem.extraction.patterns import en_words as w
from graphmem.extraction.patterns.en_being import is_person
from graphmem.extraction.patterns.en_clause import Clause
from graphmem.extraction.patterns.en_extras import besides, in_place
from graphmem.extraction.patterns.en_fit import CLUBS, PLANNABLE, SCHOOLS, fits
from graphmem.extraction.patterns.en_forms import Telling
from graphmem.extraction.patterns.en_frames import Frame, Kind
from graphmem.extraction.patterns.en_make import Maker
from graphmem.extraction.patterns.en_nouns import Item, Shape, cut, strip_trailing
from graphmem.extraction.patterns.en_people import role_at
from graphmem.extraction.patterns.en_tokens import Token, tokenise
from graphmem.extraction.patterns.en_verbs import ing_form
from graphmem.extraction.patterns.sentences import words
from graphmem.model.claim import Correction, Form, Mention, Modality, Polarity
from graphmem.model.draft import Draft

_PROVIDER = re.compile(
    r"\bbeen with [A-Z]|\b(?:provider|contract|tariff|account|broadband|supplier|bank|sim|laptop"
    r"|phone|software|app|energy|mobile plan)\b",
    re.IGNORECASE,
)
"""Where one moves to another of these, not house."""
_ANYTHING = words("anything anyone anybody")
_HOURS = words("noon midnight lunch dinner breakfast bed bedtime")
_EVERY_OBJECT = words("allergic_to intolerant_to avoids fears eats drinks")


def objects_of(
    maker: Maker, clause: Clause, frame: Frame, rest: Sequence[Token], told: Sequence[Telling]
) -> list[Draft]:
    """Return the drafts of a frame with what follows it."""
    subjects = [_as_person(frame, who, clause) for who in _subjects(maker, clause)]
    told = _tellings(maker, frame, told)
    if not subjects or not told:
        return []
    young = any((maker.role_of(who) or "").split(" ")[-1] in w.YOUNG for who in subjects)
    if young and frame.predicate == "works_at" and clause.group.lemma == "start":
        if not {token.low for token in rest} & SCHOOLS:
            return []  # to study there, as like as not
        frame = replace(frame, predicate="studies_at")
    if frame.kind is Kind.BEGIN and _another(maker, frame, rest):
        return []
    if frame.tail and ("and", frame.tail[-1]) in pairwise(token.low for token in rest):
        if clause.times:
            return []  # "to Ely last year and to Rye in June": whose date is whose
        return _each(maker, clause, frame, rest, subjects, told)
    instead = in_place(maker, clause, frame, rest, subjects, told)
    if instead:
        return instead
    drafts: list[Draft] = []
    for item, beside in _items(maker, clause, frame, rest):
        for telling in told:
            for subject in subjects:
                drafts.extend(_draft(maker, clause, frame, subject, item, telling, beside))
    if drafts:
        drafts.extend(besides(maker, clause, frame, rest, subjects, told))
    return drafts


def _another(maker: Maker, frame: Frame, rest: Sequence[Token]) -> bool:
    """Whether a beginning is of another thing, or of two ("to Rome in 2010 and back in 2015")."""
    moves_house = frame.predicate != "lives_in" or _PROVIDER.search(maker.sentence.text) is None
    return not moves_house or ("and", "back") in pairwise(token.low for token in rest)


_OF_PERSONS = words(
    "works_at works_as partner_of married_to engaged_to plays speaks likes dislikes allergic_to"
    " intolerant_to takes_medication has_condition eats drinks lives_with retired studies"
)


def _as_person(frame: Frame, who: Mention, clause: Clause) -> Mention:
    """Whom only a person's verb is said of is one, so that "she" can mean her."""
    named = not who.is_self and who.role is None and not who.types
    single = len(clause.subject) <= 2 and all(token.capital for token in clause.subject)
    if named and single and frame.predicate in _OF_PERSONS and not frame.flipped:
        return replace(who, types=("person",))
    return who


def _tellings(maker: Maker, frame: Frame, told: Sequence[Telling]) -> Sequence[Telling]:
    """Return how the frame is told, as far as its predicate allows."""
    if told and frame.shape is Shape.DATE:  # the date is the value, not a bound
        return [Telling(polarity=told[0].polarity)]
    if frame.shape is Shape.TASTE and frame.kind is Kind.HOLD:  # "I loved Paris": when it was seen
        told = [one for one in told if one.form is not Form.STATE or one.start is None]
    if frame.kind is not Kind.HOLD or maker.is_single(frame.predicate):
        return told
    return [
        one
        for one in told
        if one.modality is not Modality.PLANNED or one.start or frame.predicate in PLANNABLE
    ]


def _each(
    maker: Maker,
    clause: Clause,
    frame: Frame,
    rest: Sequence[Token],
    subjects: Sequence[Mention],
    told: Sequence[Telling],
) -> list[Draft]:
    """ "For Orla and for Finch": each beside the other."""
    at = next(n for n, token in enumerate(rest) if token.low == "and")
    values = [*maker.nouns.single(rest[:at], frame.shape)]
    values += maker.nouns.single(rest[at + 2 :], frame.shape)
    return [
        draft
        for item in values
        if fits(clause, frame, item)
        for one in told
        for who in subjects
        for draft in _draft(maker, clause, frame, who, item, one, beside=True)
    ]


def _subjects(maker: Maker, clause: Clause) -> list[Mention]:
    """Return who the clause is about: "Sam and Tilda" are two."""
    lows = [token.low for token in clause.subject]
    if "and" not in lows or "&" in lows:
        one = maker.subject(clause.subject)
        return [one] if one is not None else []
    at = lows.index("and")
    both = [maker.subject(clause.subject[:at]), maker.subject(clause.subject[at + 1 :])]
    return [one for one in both if one is not None] if None not in both else []


def _items(
    maker: Maker, clause: Clause, frame: Frame, rest: Sequence[Token]
) -> list[tuple[Item | None, bool]]:
    """Return the values, each with whether it stands beside another."""
    if frame.shape is Shape.NONE:
        bare = strip_trailing(rest)
        free = (
            not bare
            or not bare[0].is_word
            or bare[0].low
            in words("and but in on at since because from every with to full full-time")
            or (frame.predicate == "smokes" and [token.low for token in bare[-2:]] == ["a", "day"])
        )
        return [(Item(frame.value, ()) if frame.value else None, False)] if free else []
    if frame.shape is Shape.DATE:
        return _date(clause)
    if rest and rest[0].low in _ANYTHING and clause.group.negated:
        return [(None, False)] if frame.predicate in _EVERY_OBJECT else []
    tokens = list(rest)
    if frame.shape is Shape.TASTE and len(tokens) > 1 and tokens[0].low == "to":
        return _activity(maker, tokens[1:])
    if frame.predicate in {"likes", "dislikes"} and tokens and tokens[0].low in {"a", "an"}:
        return []  # "I love a bargain"
    tokens = _without_their(clause, frame, tokens)
    if [token.low for token in strip_trailing(tokens)] in (["it"], ["them"]):
        return _same_as_before(maker, frame)
    if frame.shape is Shape.PERSON:
        tokens = _person(tokens)
        relative = _relative(maker, tokens) if frame.predicate == "lives_with" else None
        if relative is not None:
            return [(relative, False)]
    if frame.flipped and not tokens:
        return []
    single = maker.is_single(frame.predicate) or frame.shape is Shape.TEXT
    take = maker.nouns.single if single else maker.nouns.items
    if frame.predicate == "prefers":
        tokens, _ = cut(tokens, words("to over rather instead"))
    if clause.group.progressive and frame.shape is not Shape.TASTE:
        tokens = _before_gerund(tokens)
    items = [item for item in take(tokens, frame.shape) if fits(clause, frame, item)]
    beside = bool(clause.group.flags & {"also", "too"})
    return [(item, beside) for item in items]


_SHARED = words("likes dislikes prefers eats drinks cooks plays allergic_to")


def _same_as_before(maker: Maker, frame: Frame) -> list[tuple[Item | None, bool]]:
    """ "I hate coriander but my partner adores it": what the sentence spoke of just before."""
    last = maker.context.drafts[-1] if maker.context.drafts else None
    if last is None or last.object is None or last.quote not in maker.sentence.text:
        return []
    here = last.turn == maker.context.turn.id and last.predicate in _SHARED
    if not here or frame.predicate not in _SHARED or last.object.text[:1].isupper():
        return []
    named = tuple(tokenise(last.object.text))
    return [(Item(last.object.text, named), False)]


def _without_their(clause: Clause, frame: Frame, tokens: list[Token]) -> list[Token]:
    """Drop whose it is: "my brother sold his motorbike"."""
    theirs = clause.subject[-1].low not in w.SELF and frame.kind is Kind.EVENT
    if theirs and len(tokens) > 1 and tokens[0].low in {"his", "her", "their"}:
        return tokens[1:]
    return tokens


def _before_gerund(tokens: Sequence[Token]) -> list[Token]:
    """Drop what one is doing besides ("collecting tea and learning about it")."""
    for at in range(1, len(tokens) - 1):
        if tokens[at].low in {"and", ","} and tokens[at + 1].low.endswith("ing"):
            return list(tokens[:at])
    return list(tokens)


def _date(clause: Clause) -> list[tuple[Item | None, bool]]:
    if not clause.times:
        return []
    phrase = clause.times.pop(0).phrase
    first, _, more = phrase.partition(" ")
    text = more if first.lower() in {"on", "in", "at", "by"} else phrase
    return [(Item(text, ()), False)]


def _activity(maker: Maker, tokens: Sequence[Token]) -> list[tuple[Item | None, bool]]:
    """ "I like to swim": swimming."""
    verb, after = tokens[0], tokens[1:]
    text = ing_form(verb.low)
    if text is None or verb.low in words("be have think say know see hear do get go make"):
        return []
    noun = maker.nouns.single(after, Shape.TASTE) if after else []
    if after and after[0].is_word and not noun:
        return []
    return [(Item(" ".join([text, *(item.text for item in noun)]), tuple(tokens)), False)]


def _person(tokens: list[Token]) -> list[Token]:
    """Step over "a deckhand called", "my friend", to the name."""
    lows = [token.low for token in tokens[:5]]
    for word in ("called", "named"):
        if word in lows:
            return tokens[lows.index(word) + 1 :]
    if lows and lows[0] in w.POSSESSIVE:
        role = role_at(tokens, 1)
        if role is not None and role[1] < len(tokens) and tokens[role[1]].capital:
            return tokens[role[1] :]
        if role is not None:
            return tokens  # "my sister": handled as a role
    return tokens


def _relative(maker: Maker, tokens: Sequence[Token]) -> Item | None:
    """Return "my grandmother", if no name and nothing else of hers follows."""
    role = role_at(tokens, 1) if tokens and tokens[0].low in w.POSSESSIVE else None
    if role is None and tokens and tokens[0].low in w.POSSESSIVE:
        several = [token.low for token in tokens[1:2]]
        role = (several[0], 2) if several in (["parents"], ["family"], ["folks"]) else None
    if role is None or tokens[role[1] - 1].low != role[0].split()[-1]:
        return None
    after = tokens[role[1]] if role[1] < len(tokens) else None
    if after is not None and after.is_word and after.low not in _AFTER_RELATIVE:
        return None
    whole = tokens[: role[1]]
    return Item(maker.nouns.words(whole), tuple(whole))


_AFTER_RELATIVE = words("and in at since for because so but now again near on")
_ORGANISATION = words(
    "ltd inc co corp gmbh llc plc robotics labs systems technologies software foods motors energy"
    " media partners solutions group bank university school museum club festival foundation agency"
    " institute studio studios company office shop team college hospital"
)


def _lies(maker: Maker, clause: Clause, subject: Mention) -> bool:
    """Whether "is based in" tells where a company lies."""
    if clause.low_subject == "it" or _is_organisation(clause):
        return True
    name = subject.text.casefold()
    return any(
        draft.object is not None
        and draft.object.text.casefold() == name
        and draft.predicate in {"works_at", "runs", "founded", "buys_from"}
        for draft in (*maker.context.told, *maker.context.drafts)
    )


def _is_organisation(clause: Clause) -> bool:
    lows = {token.low for token in clause.subject}
    return bool(lows & _ORGANISATION) or clause.subject[0].low == "the"


def _draft(
    maker: Maker,
    clause: Clause,
    frame: Frame,
    subject: Mention,
    item: Item | None,
    telling: Telling,
    beside: bool,
) -> list[Draft]:
    value = None if item is None else _mention(maker, clause, frame, item)
    if item is not None and value is None:
        return []
    predicate = frame.predicate
    joined = item.tokens if clause.group.lemma == "join" and item is not None else ()
    if any(token.low in CLUBS for token in joined):
        predicate = "member_of"
    if predicate == "part_of" and is_person(subject, clause.subject) and item is not None:
        if item.tokens[-1].low in CLUBS:
            predicate = "member_of"
        elif subject.is_self:
            return []
    if predicate == "lives_in" and _lies(maker, clause, subject):
        predicate = "located_in"
    if _denied_discovery(clause, telling):
        telling = replace(telling, correction=Correction(value=item.text if item else None))
    qualifiers = _qualifiers(maker, clause)
    if qualifiers is None:
        return []
    rule = predicate
    if frame.flipped:
        if value is None:
            return []
        subject, value = value, subject
    return [
        maker.draft(
            subject, predicate, value, telling, clause,
            qualifiers=qualifiers, beside=beside, rule=rule,
        )
    ]  # fmt: skip


def _mention(maker: Maker, clause: Clause, frame: Frame, item: Item) -> Mention | None:
    if frame.predicate == "has_injury":
        hurt = _HURT.get(clause.group.lemma, clause.group.lemma)
        return maker.value("has_injury", f"{hurt} {item.tokens[-1].low}")
    if frame.kind is Kind.EVENT and item.tokens and item.tokens[0].low in w.POSSESSIVE:
        return maker.value(frame.predicate, maker.nouns.words(item.tokens[1:]))
    if item.tokens and item.tokens[0].low in w.POSSESSIVE:
        if len(item.tokens) > 1 and item.tokens[1].capital and role_at(item.tokens, 1) is None:
            return maker.value(frame.predicate, maker.nouns.words(item.tokens[1:]))
        return maker.noun_mention(item.tokens)
    if frame.flipped:
        types = ("person",) if frame.shape is Shape.PERSON else ()
        return Mention(item.text, types=types)
    return maker.value(frame.predicate, item.text)


_HURT = {"break": "broken", "sprain": "sprained", "fracture": "fractured", "tear": "torn",
         "twist": "twisted", "dislocate": "dislocated", "injure": "injured"}  # fmt: skip


def _denied_discovery(clause: Clause, telling: Telling) -> bool:
    """ "I'm not allergic to penicillin after all": it never was so."""
    lows = [token.low for token in clause.tokens]
    after_all = ("after", "all") in pairwise(lows)
    return after_all and telling.polarity is Polarity.NEGATIVE and telling.form is Form.STATE


_RECURRING = re.compile(
    r"\b(?:on (?:mon|tues|wednes|thurs|fri|satur|sun)days|on weekdays|(?:on|at) (?:the )?weekends?"
    r"|(?:in|during) the (?:week|day|mornings?|afternoons?|evenings?)|at night)\b"
)
"""Not doing a thing then ("no beer on Sundays") denies nothing of the other times."""


def _qualifiers(maker: Maker, clause: Clause) -> tuple[tuple[str, str], ...] | None:
    """Return what narrows the claim ("when I'm tired"); None if it is no claim at all."""
    if clause.group.past or clause.group.perfect or clause.group.modality is Modality.PLANNED:
        return ()
    if clause.opener and clause.opener_first:
        return None  # "while Ravi's away, Mia leads Heron"
    hours = [phrase.phrase for phrase in clause.times if phrase.clock]
    lows = [token.low for token in clause.rest]
    hours += [
        f"{word} {hour}"
        for word, hour in pairwise(lows)
        if word in {"after", "before"} and (hour in w.NUMBERS | _HOURS or hour.isdigit())
    ]
    hours += _RECURRING.findall(" ".join(lows))
    if hours:
        return (("when", hours[0]),)
    if clause.opener not in {"when", "whenever"}:
        return ()
    narrowing, _ = cut(clause.condition, words(", ; . ! ("))
    return (("when", f"{clause.opener} {maker.nouns.words(narrowing)}"),)
