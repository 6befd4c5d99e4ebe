"""English "have": people, animals, things, ailments, ingredients, and the lack of them."""

from __future__ import annotations

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
    split_list,
    strip_determiner,
    strip_trailing,
)
from graphmem.extraction.patterns.en_people import relation, role_at
from graphmem.extraction.patterns.en_tokens import Token
from graphmem.extraction.patterns.sentences import words
from graphmem.model.claim import Form, Mention, Modality, Polarity
from graphmem.model.draft import Draft

_COUNTS = w.NUMBERS | words("a an another")
_WHOLE_KIND = {
    "pets": "has_pet", "pet": "has_pet", "animals": "has_pet", "siblings": "has_sibling",
    "brothers": "has_sibling", "sisters": "has_sibling", "kids": "has_child",
    "children": "has_child", "allergies": "allergic_to", "food allergies": "allergic_to",
    "known allergies": "allergic_to", "intolerances": "intolerant_to",
    "food restrictions": "allergic_to",
}  # fmt: skip
DEGREES = words("phd doctorate ma msc ba bsc mba bachelor bachelor's master master's mphil llb")
_APPOINTMENTS = words("appointment interview check-up checkup viewing exam meeting")
_NO_FEATURE = w.EVALUATIVE | words(
    "time idea problem question plan point chance feeling effect impact role issue vibe look feel"
    " purpose future meaning history story way sense reason lot lots place been had to"
)


def read_have(maker: Maker, clause: Clause) -> list[Draft]:
    """Read a clause whose verb is "have" or "have got"."""
    told = tell(Kind.HOLD, clause.group, clause.times)
    mine = clause.low_subject.endswith(" and i")  # "my wife and I have a son"
    subject = maker.context.me if mine else maker.subject(clause.subject)
    if len(told) != 1 or subject is None:
        return []
    telling, rest = told[0], list(clause.rest)
    if rest and rest[0].low == "got":
        rest = rest[1:]
    if rest and rest[0].low in {"no", "any", "zero"}:
        if rest[0].low != "any":
            telling = replace(telling, polarity=Polarity.NEGATIVE)
        elif telling.polarity is Polarity.POSITIVE:
            return []
        rest = rest[1:]
        return _lack(maker, clause, subject, telling, rest)
    for reader in (_in_it, _people, _health, _degree, _appointment, _thing):
        drafts = reader(maker, clause, subject, telling, rest)
        if drafts:
            return drafts
    return []


def _is_person(subject: Mention, clause: Clause) -> bool:
    return (
        subject.is_self
        or subject.role is not None
        or "person" in subject.types
        or clause.subject[0].low in {"i", "we", "he", "she"}
        or all(token.capital for token in clause.subject)
    )


def _lack(
    maker: Maker, clause: Clause, subject: Mention, telling: Telling, rest: list[Token]
) -> list[Draft]:
    noun, after = cut(rest, words("in at for with or and , . ( because left yet"))
    if after and after[0].low in {"left", "yet"}:
        return []
    noun = strip_trailing(noun)
    text = " ".join(token.low for token in noun)
    if text in _WHOLE_KIND:
        return [maker.draft(subject, _WHOLE_KIND[text], None, telling, clause, rule="none")]
    if _is_person(subject, clause):
        return []
    if noun and len(noun) <= 3 and noun[0].low not in _NO_FEATURE:
        return [maker.draft(subject, "has", maker.nouns.words(noun), telling, clause)]
    return []


def _in_it(
    maker: Maker, clause: Clause, subject: Mention, telling: Telling, rest: list[Token]
) -> list[Draft]:
    """ "My pesto has cashews in it"."""
    tail = [token.low for token in strip_trailing(rest)[-2:]]
    if tail != ["in", "it"] or _is_person(subject, clause):
        return []
    items = maker.nouns.items(strip_trailing(rest)[:-2], Shape.THING)
    return [maker.draft(subject, "contains", item.text, telling, clause) for item in items]


def _people(
    maker: Maker, clause: Clause, subject: Mention, telling: Telling, rest: list[Token]
) -> list[Draft]:
    """ "a brother called Piet", "two cats, Miso and Nori", "a dog"."""
    if not rest or rest[0].low not in _COUNTS or not _is_person(subject, clause):
        return []
    at = 1
    while at < len(rest) and rest[at].low in words(
        "lovely cute little big old young small black white rescue adorable beautiful new tabby"
    ):
        at += 1
    role = role_at(rest, at)
    if role is None:
        return []
    name, after = role
    predicate = w.ROLES[name]
    if predicate.startswith("<"):
        return []
    names = _names(maker, rest[after:])
    if names:
        drafts: list[Draft] = []
        for each in names:
            drafts.extend(relation(maker, subject, name, each, telling, clause))
        return drafts
    closed = (
        after >= len(rest)
        or not rest[after].is_word
        or rest[after].low in words("and but so at now too who that in with because back when")
    )
    if predicate == "has_pet" and closed and name != "pet":
        return [maker.draft(subject, "has_pet", w.SPECIES.get(name, name), telling, clause)]
    return []


def _names(maker: Maker, rest: list[Token]) -> list[str]:
    if not rest or rest[0].low not in words("called named , : – — - ("):
        return []
    names: list[str] = []
    for part in split_list(rest[1:]):
        length = name_length(part)
        who = strip_trailing(part[:length])
        if not who or who[0].low in w.SELF | w.OPENERS:
            break
        names.append(maker.nouns.words(who))
    return names


def _health(
    maker: Maker, clause: Clause, subject: Mention, telling: Telling, rest: list[Token]
) -> list[Draft]:
    """ "a nut allergy", "asthma and hay fever"."""
    tokens = strip_trailing(strip_determiner(rest))
    head, after = cut(tokens, words("and but , . ( so in since which for that because – —"))
    kept = strip_trailing(head)
    ailment = _ailment(maker, kept, rest)
    if ailment is None:
        return []
    drafts = [maker.draft(subject, *ailment, telling, clause)]
    if after and after[0].low in {"and", ","} and after[1:]:
        drafts.extend(_health(maker, clause, subject, telling, after[1:]))
    return drafts


def _ailment(maker: Maker, tokens: list[Token], rest: list[Token]) -> tuple[str, str] | None:
    """Return the predicate and value of an allergy or condition."""
    lows = [token.low for token in tokens]
    if lows and lows[-1] in {"allergy", "allergies"} and 2 <= len(lows) <= 4:
        text = maker.nouns.words([t for t in tokens if t.low not in w.ADVERBS][:-1])
        severity = words("severe bad serious mild terrible slight food")
        kept = " ".join(word for word in text.split() if word.lower() not in severity)
        return ("allergic_to", kept) if kept else None
    text = " ".join(lows).replace(" 's", "'s")
    known = text in w.CONDITIONS or f"a {text}" in w.CONDITIONS
    if not known or (text == "cold" and rest[0].low != "a"):
        return None
    return "has_condition", maker.nouns.words(tokens)


def _degree(
    maker: Maker, clause: Clause, subject: Mention, telling: Telling, rest: list[Token]
) -> list[Draft]:
    tokens = strip_determiner(rest)
    if not tokens or tokens[0].low.split("'")[0] not in DEGREES or len(tokens) < 2:
        return []
    head, _ = cut(tokens, words("from and but , . ( so which at"))
    return [maker.draft(subject, "has_degree", maker.nouns.words(head), telling, clause)]


def _appointment(
    maker: Maker, clause: Clause, subject: Mention, telling: Telling, rest: list[Token]
) -> list[Draft]:
    if not clause.times or not rest or rest[0].low not in {"a", "an", "my"}:
        return []
    head, _ = cut(strip_determiner(rest), words("on and but , . ( so which because coming lined"))
    head = strip_trailing(head)
    if not any(token.low in _APPOINTMENTS for token in head) or len(head) > 7:
        return []
    planned = telling.modality is Modality.ASSERTED and not clause.group.past
    telling = Telling(
        start=clause.times[0].phrase,
        polarity=telling.polarity,
        modality=Modality.PLANNED if planned else telling.modality,
    )
    return [maker.draft(subject, "has_appointment", maker.nouns.words(head), telling, clause)]


def _thing(
    maker: Maker, clause: Clause, subject: Mention, telling: Telling, rest: list[Token]
) -> list[Draft]:
    if not rest or rest[0].low not in _COUNTS or telling.form is Form.END:
        return []
    take = maker.nouns.items if telling.polarity is Polarity.NEGATIVE else maker.nouns.single
    things = take(rest, Shape.THING)
    if not things:
        return []
    if _is_person(subject, clause):
        owned = [one for one in things if one.tokens[-1].low in w.OWNABLE]
        return [maker.draft(subject, "owns", one.text, telling, clause) for one in owned]
    if any(token.low in _NO_FEATURE for token in things[0].tokens):
        return []
    return [maker.draft(subject, "has", things[0].text, telling, clause)]
