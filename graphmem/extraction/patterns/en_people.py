"""English relations between people: "my sister Tilda", "Noor is Sam's manager"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from graphmem.extraction.patterns import en_words as w
from graphmem.extraction.patterns.en_clause import Clause
from graphmem.extraction.patterns.en_forms import Telling
from graphmem.extraction.patterns.en_make import Maker
from graphmem.extraction.patterns.en_nouns import name_length, split_list, strip_trailing
from graphmem.extraction.patterns.en_tokens import Token
from graphmem.model.claim import Form, Mention
from graphmem.model.draft import Draft

_LONGEST_ROLE = 3
_EX = ("ex", "ex-wife", "ex-husband", "ex-girlfriend", "ex-boyfriend", "ex-partner")
_EX_OF = {"ex-wife": "married_to", "ex-husband": "married_to"}


def role_at(tokens: Sequence[Token], at: int) -> tuple[str, int] | None:
    """Return the role named at ``at`` (singular) and the place after it."""
    for length in range(_LONGEST_ROLE, 0, -1):
        words = [token.low for token in tokens[at : at + length]]
        if len(words) < length:
            continue
        text = " ".join(words)
        role = w.PLURALS.get(text) or (text if text in w.ROLES else None)
        if role is None and text.endswith("s") and text[:-1] in w.ROLES:
            role = text[:-1]
        if role is not None and role in w.ROLES:
            return role, at + length
    return None


def relation(
    maker: Maker,
    owner: Mention,
    role: str,
    name: str,
    telling: Telling,
    clause: Clause | None,
    *,
    beside: bool = False,
) -> list[Draft]:
    """Return "``owner``'s ``role`` is ``name``", in stored direction; a pet's kind as well."""
    predicate, role = w.ROLES[role], role.replace(" in law", "-in-law")
    flipped = predicate.startswith("<")
    types = ("animal",) if predicate == "has_pet" else ("person",)
    other = Mention(name, types=types)
    first, second = (other, owner) if flipped else (owner, other)
    drafts = [
        maker.draft(
            first,
            predicate.lstrip("<"),
            second,
            telling,
            clause,
            qualifiers=() if predicate == "has_pet" else (("role", role),),
            beside=beside,
            rule="role",
        )
    ]
    if predicate == "has_pet" and role != "pet":
        is_breed = role in w.BREEDS
        told = "breed" if is_breed else "is_a"
        value = role if is_breed else w.SPECIES.get(role, role)
        drafts.append(maker.draft(other, told, value, Telling(), clause, rule="role"))
    return drafts


def appositions(maker: Maker, tokens: Sequence[Token], clauses: Sequence[Clause]) -> list[Draft]:
    """Return the relations a sentence mentions by the way: "my sister Tilda", "Tom's wife Ines".

    They hold whatever else the sentence says of these people.
    """
    drafts: list[Draft] = []
    for at in range(len(tokens)):
        found = _owner_at(maker, tokens, at)
        if found is None:
            continue
        owner, start = found
        clause = next((c for c in clauses if tokens[at] in c.tokens and not c.inherited), None)
        drafts.extend(_named_after(maker, tokens, clause, owner, start))
    return drafts


def _owner_at(maker: Maker, tokens: Sequence[Token], at: int) -> tuple[Mention, int] | None:
    """Return whose relation is told at ``at``, and where the role stands."""
    low = tokens[at].low
    if low in w.POSSESSIVE:
        me = maker.context.me
        return (me, at + 1) if me is not None else None
    if low in {"her", "his"}:
        named = _named_before(maker, tokens, at)
        return (named, at + 1) if named is not None else None
    if low == "'s" and at > 1 and tokens[at - 2].low in w.POSSESSIVE:
        kin = tokens[at - 1].low in w.ROLES and not tokens[at - 1].capital
        of_kin = maker.noun_mention(tokens[at - 2 : at]) if kin else None
        return (of_kin, at + 1) if of_kin is not None else None
    pronoun = at and tokens[at - 1].low in w.SELF | w.THIRD_PERSON | w.PLACEHOLDERS | w.OPENERS
    if low == "'s" and at and tokens[at - 1].capital and not pronoun and at + 1 < len(tokens):
        begin = at - 1
        while begin > 0 and tokens[begin - 1].capital and tokens[begin - 1].low not in w.POSSESSIVE:
            begin -= 1
        name = maker.nouns.words(tokens[begin:at])
        after_role = begin > 0 and (begin < 2 or tokens[begin - 1].low not in w.POSSESSIVE)
        if begin == 0 or after_role or tokens[begin - 1].low not in w.POSSESSIVE:
            return Mention(name, types=("person",)), at + 1
    return None


def _named_before(maker: Maker, tokens: Sequence[Token], at: int) -> Mention | None:
    """Return whom "her" means in "Lena and her husband Pieter": the only one named before."""
    names: list[tuple[int, int]] = []
    begin = 0
    while begin < at:
        length = name_length(tokens[begin:at])
        low = tokens[begin].low
        if length and low not in w.SELF | w.OPENERS | w.PLACEHOLDERS | w.POSSESSIVE | w.ADVERBS:
            names.append((begin, begin + length))
        begin += length or 1
    if len(names) != 1:
        return None
    begin, stop = names[0]
    before = tokens[begin - 1].low if begin else ""
    if before in w.MONTHS or not (begin == 0 or before in _BEFORE_PEOPLE or before in w.ROLES):
        return None
    opens = begin == 0 and tokens[0].low in _NO_NAMES
    joined = tokens[stop].low in {"and", "with", "or"} and stop + 1 == at
    told = begin == 0 or before in w.ROLES
    if opens or not (joined or told):
        return None
    return Mention(maker.nouns.words(tokens[begin:stop]), types=("person",))


_BEFORE_PEOPLE = frozenset(
    ("with", "and", "met", "see", "saw", "visited", "visit", "meet", "friend", "called", "named")
)
_NO_NAMES = frozenset(
    ("the", "a", "an", "my", "this", "that", "when", "while", "after", "before", "in", "on", "at")
)


def _named_after(
    maker: Maker, tokens: Sequence[Token], clause: Clause | None, owner: Mention, start: int
) -> Iterator[Draft]:
    if start < len(tokens) and tokens[start].low in _EX:
        yield from _ex(maker, tokens, clause, owner, start)
        return
    # "my close friend", "our Spanish teacher"
    role = role_at(tokens, start) or role_at(tokens, start + 1)
    if role is None:
        return
    name, after = role
    plural = tokens[after - 1].low != name.split()[-1]
    after = _past_where(tokens, after)
    comma = after < len(tokens) and tokens[after].low in {",", "called", "named"} | _OPENS[plural]
    rest = tokens[after + 1 if comma else after :]
    if not rest or not rest[0].capital or rest[0].low in w.SELF:
        return
    parts = split_list(rest) if plural else [list(rest)]
    for part in parts:
        length = name_length(part)
        who = strip_trailing(part[:length])
        if not who or who[0].low in w.SELF | w.POSSESSIVE | w.OPENERS:
            return
        if plural and name == "twin":
            name = "child"  # "our twins": children, while "my twin" is a sibling
        closed = not comma or plural or tokens[after].low not in ",(" or _closes(part, length)
        told = _standing(tokens, start, name)
        if closed and told is not None:
            beside = plural and maker.is_single(w.ROLES[name].lstrip("<"))
            yield from relation(
                maker, owner, name, maker.nouns.words(who), told, clause, beside=beside
            )
            yield from _aged(maker, who, part[length:], clause)


def _past_where(tokens: Sequence[Token], at: int) -> int:
    """Step over "from uni" in "my best mate from uni, Farouk"."""
    met = [token.low for token in tokens[at : at + 3]]
    if len(met) == 3 and met[0] == "from" and met[2] in {",", "("} and not tokens[at + 1].capital:
        return at + 2
    return at


def _aged(
    maker: Maker, who: Sequence[Token], after: Sequence[Token], clause: Clause | None
) -> Iterator[Draft]:
    """ "My son Idris (11) …", "my son Idris, 11, …": how old they are."""
    lows = [token.low for token in after[:3]]
    marked = len(lows) == 3 and (lows[0], lows[2]) in {("(", ")"), (",", ",")}
    if marked and lows[1].isdigit() and 0 < int(lows[1]) < 110:
        one = Mention(maker.nouns.words(who), types=("person",))
        yield maker.draft(one, "age", lows[1], Telling(), clause)


def _standing(tokens: Sequence[Token], start: int, role: str) -> Telling | None:
    """Return how a relation mentioned by the way stands; None if that is not certain.

    Death ends it ("we lost our cat Tofu"), but kin stay kin.
    """
    predicate = w.ROLES[role].lstrip("<")
    if tokens[start].low in _FORMER and predicate not in _KIN:
        return Telling(Form.END)
    if tokens[start].low in _AHEAD:
        return None
    text = " ".join(token.low for token in tokens)
    if _DEATH.search(text) and predicate not in _KIN:
        return Telling(Form.END) if predicate in _UNTIL_DEATH else None
    return Telling()


_OPENS = {True: frozenset("(:"), False: frozenset("(")}
"""Marks after "our two cats" that begin their names."""
_FORMER = frozenset(("former", "old", "previous", "late", "first", "last", "then", "ex"))
_AHEAD = frozenset(("future", "new-to-be", "next", "would-be", "imaginary", "fake", "work"))
_KIN = frozenset(("has_child", "has_sibling", "has_relative", "has_grandchild"))
_UNTIL_DEATH = frozenset(("has_pet", "married_to", "partner_of", "engaged_to"))
_DEATH = re.compile(
    r"\b(?:rehom\w+|gave (?:away|up) (?:my|our)|died|passed away|passed on|passed last"
    r"|put (?:\S+ ){0,4}(?:down|to sleep)"
    r"|(?:lost|buried|mourning|grieving|rip|late) (?:my|our)|funeral|widow(?:ed|er)?)\b"
)


def _closes(part: Sequence[Token], length: int) -> bool:
    """Whether a name between commas is an apposition ("my boss, Henrike, …")."""
    return length == len(part) or part[length].low in {",", ")", ".", "who", "and"}


def _ex(
    maker: Maker, tokens: Sequence[Token], clause: Clause | None, owner: Mention, at: int
) -> Iterator[Draft]:
    start, kind = at + 1, tokens[at].low
    if start < len(tokens) and f"{kind}-{tokens[start].low}" in _EX:
        kind = f"{kind}-{tokens[start].low}"  # "my ex husband Carl"
        start += 1
    if start < len(tokens) and tokens[start].low == ",":
        start += 1
    length = name_length(tokens[start:])
    if length:
        name = Mention(maker.nouns.words(tokens[start : start + length]), types=("person",))
        predicate = _EX_OF.get(kind, "partner_of")
        yield maker.draft(owner, predicate, name, Telling(Form.END), clause, rule="ex")


def possessive_parts(maker: Maker, tokens: Sequence[Token]) -> tuple[Mention, list[Token]] | None:
    """Split "my boss" or "Sam's manager" into whose and what."""
    if not tokens:
        return None
    lows = [token.low for token in tokens]
    of_mine = "'s" in lows and lows[-1] != "name"  # "my mum's birthday": hers
    if tokens[0].low in w.POSSESSIVE and not of_mine:
        me = maker.context.me
        return (me, list(tokens[1:])) if me is not None else None
    if "'s" not in lows:
        return None
    at = lows.index("'s")
    owner = maker.noun_mention(tokens[:at])
    return (owner, list(tokens[at + 1 :])) if owner is not None else None


_OF_ROLES = frozenset(
    ("new", "current", "other", "second", "third", "own", "favourite", "favorite", "actual")
)


def plain_role(tokens: Sequence[Token]) -> list[Token]:
    """Drop what only describes a role: "new dentist", "other brother", "Spanish teacher"."""
    described = len(tokens) > 1 and (tokens[0].low in _OF_ROLES or tokens[0].low in w.LANGUAGES)
    role = role_at(tokens, 1) if described else None
    return list(tokens[1:]) if role is not None and role[1] == len(tokens) else list(tokens)
