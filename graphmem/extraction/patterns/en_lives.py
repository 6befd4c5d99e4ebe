"""English of lives: deaths of pets, partings, names, children, whom one lives with or supports."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.extraction.patterns import en_words as w
from graphmem.extraction.patterns.en_being import is_person
from graphmem.extraction.patterns.en_clause import Clause
from graphmem.extraction.patterns.en_copula import partner_in
from graphmem.extraction.patterns.en_doings import DOINGS, Rule
from graphmem.extraction.patterns.en_forms import Telling, tell
from graphmem.extraction.patterns.en_frames import Kind
from graphmem.extraction.patterns.en_make import Maker
from graphmem.extraction.patterns.en_nouns import cut, name_length, split_list, strip_trailing
from graphmem.extraction.patterns.en_tokens import Token
from graphmem.extraction.patterns.sentences import words
from graphmem.model.claim import Form, Mention, Modality, Polarity
from graphmem.model.draft import Draft


def read_life(maker: Maker, clause: Clause) -> list[Draft] | None:
    """Return the drafts of a clause that one of these rules understands; None if none applies."""
    for rule in _RULES.get(clause.group.lemma, ()):
        drafts = rule(maker, clause)
        if drafts:
            return drafts
    return None


def _died(maker: Maker, clause: Clause) -> list[Draft]:
    """ "… but she died in August": the pet is no longer kept."""
    group, lows = clause.group, [token.low for token in clause.rest[:1]]
    gone = group.lemma == "die" or (group.lemma == "pass" and lows in (["away"], ["on"]))
    if not gone or group.negated or not (group.past or group.perfect):
        return []
    subject, me = maker.subject(clause.subject), maker.context.me
    if subject is None or me is None or "animal" not in subject.types or subject.role:
        return []
    told = tell(Kind.END, group, clause.times)
    return [maker.draft(me, "has_pet", subject, one, clause, rule="died") for one in told]


def _apart(maker: Maker, clause: Clause) -> list[Draft]:
    """ "Sam and I aren't together any more"."""
    group, lows = clause.group, [token.low for token in clause.rest[:1]]
    other, me = partner_in(maker, clause.subject), maker.context.me
    if other is None or me is None or lows != ["together"]:
        return []
    if group.past or group.perfect or len(strip_trailing(clause.rest[1:])) > 0:
        return []
    told = Telling(Form.END) if group.negated else Telling()
    return [maker.draft(me, "partner_of", other, told, clause, rule="together")]


_FANS = words("fan supporter")
_KEEN = words("huge big massive lifelong die-hard diehard long-time longtime proud real keen")


def _fan(maker: Maker, clause: Clause) -> list[Draft]:
    """ "I'm a huge Sunderland fan"."""
    rest, group = clause.rest, clause.group
    if group.past or not rest or rest[0].low not in {"a", "an"}:
        return []
    head, _ = cut(rest[1:], _FANS)
    after = rest[1 + len(head) : 2 + len(head)]
    name = [token for token in head if token.low not in _KEEN]
    subject = maker.subject(clause.subject)
    if not after or not name or not all(token.capital for token in name) or subject is None:
        return []
    told = tell(Kind.HOLD, group, clause.times)
    value = maker.nouns.words(name)
    return [maker.draft(subject, "supports", value, one, clause, rule="fan") for one in told]


def _mother_tongue(maker: Maker, clause: Clause) -> list[Draft]:
    """ "Papiamento is my first language"."""
    lows = [token.low for token in strip_trailing(clause.rest)]
    own = lows in (["my", "first", "language"], ["my", "native", "language"],
                   ["my", "mother", "tongue"])  # fmt: skip
    me, group, name = maker.context.me, clause.group, clause.subject
    if not own or me is None or group.past or group.negated:
        return []
    if len(name) != 1 or not (name[0].capital or name[0].low in w.LANGUAGES):
        return []
    if name[0].low in w.PLACEHOLDERS | w.OPENERS:
        return []
    return [maker.draft(me, "native_language", name[0].text, Telling(), clause)]


def past_alone(rest: Sequence[Token]) -> list[Token] | None:
    """Return what follows "alone" or "on my own"; None if neither is said."""
    lows = [token.low for token in rest[:3]]
    if lows[:1] == ["alone"]:
        return list(rest[1:])
    own = len(lows) == 3 and lows[0] == "on" and lows[2] == "own"
    return list(rest[3:]) if own else None


def _alone(maker: Maker, clause: Clause) -> list[Draft]:
    """ "I live alone", "she lives on her own"."""
    group, subject = clause.group, maker.subject(clause.subject)
    rest = past_alone(clause.rest)
    if rest is None or subject is None or group.negated or group.can:
        return []
    closed = not rest or not rest[0].is_word or rest[0].low in {"and", "but", "so", "now"}
    if not closed or group.past or group.perfect:
        return []
    told = tell(Kind.HOLD, group, clause.times)
    return [
        maker.draft(
            subject, "lives_with", None, Telling(one.form, one.start, polarity=Polarity.NEGATIVE),
            clause, rule="alone",
        )
        for one in told
        if one.modality is Modality.ASSERTED
    ]  # fmt: skip


def _host(maker: Maker, clause: Clause) -> list[Draft]:
    """ "My mum lives with us now"."""
    group, lows = clause.group, [token.low for token in clause.rest[:3]]
    subject, me = maker.subject(clause.subject), maker.context.me
    if lows[:1] != ["with"] or lows[1:2] not in (["us"], ["me"]) or me is None or subject is None:
        return []
    if subject.is_self or lows[2:] == ["in"]:
        return []
    if not is_person(subject, clause.subject) and not name_length(clause.subject):
        return []
    told = tell(Kind.HOLD, group, clause.times)
    return [maker.draft(subject, "lives_with", me, one, clause) for one in told]


_OWNED = words("car van bike motorbike phone laptop boat camper")


def _my_thing(maker: Maker, clause: Clause) -> list[Draft]:
    """ "My new car is an electric Kia"."""
    group, rest, me = clause.group, clause.rest, maker.context.me
    lows = [token.low for token in clause.subject]
    mine = lows[:1] in (["my"], ["our"]) and lows[1:] and lows[-1] in _OWNED and len(lows) < 4
    plain = lows[1:-1] in ([], ["new"], ["current"])
    if group.past or group.negated or not mine or not plain or me is None:
        return []
    if not rest or rest[0].low not in {"a", "an"} or clause.times:
        return []
    thing, _ = cut(rest[1:], words(", . ( and but so with from i which that"))
    thing = strip_trailing(thing)
    if not 1 <= len(thing) <= 4 or not any(token.capital for token in thing):
        return []
    if thing[0].low in w.EVALUATIVE:
        return []
    return [maker.draft(me, "owns", maker.nouns.words(thing), Telling(), clause, rule="my_thing")]


_PARENTS = words("mum mom dad mother father parent mam")
_OF_CHILDREN = words("single proud new stay-at-home busy working devoted")


def _parent_to(maker: Maker, clause: Clause) -> list[Draft]:
    """ "I'm a single mum to Bonnie (6) and Wes (3)"."""
    rest, me = clause.rest, maker.context.me
    lows = [token.low for token in rest]
    at = next((n for n, low in enumerate(lows[:4]) if low in _PARENTS), 0)
    if not at or lows[0] != "a" or clause.subject[-1].low not in w.SELF or me is None:
        return []
    if any(low not in _OF_CHILDREN for low in lows[1:at]) or lows[at + 1 : at + 2] not in (
        ["to"], ["of"]
    ):  # fmt: skip
        return []
    if clause.group.past or clause.group.negated:
        return []
    plain = [t for n, t in enumerate(rest) if n > at + 1 and not (t.low in "()" or t.low.isdigit())]
    names: list[str] = []
    for part in split_list(plain):
        length = name_length(part)
        if not length or length != len(strip_trailing(part)):
            break
        names.append(maker.nouns.words(strip_trailing(part)))
    return [
        maker.draft(me, "has_child", Mention(name, types=("person",)), Telling(), clause)
        for name in names
    ]


def _goes_by(maker: Maker, clause: Clause) -> list[Draft]:
    """ "I go by Ansel", "I go by my middle name, Ansel"."""
    rest, subject = clause.rest, maker.subject(clause.subject)
    lows = [token.low for token in rest]
    if lows[:1] != ["by"] or subject is None or clause.group.past or clause.group.negated:
        return []
    at = 5 if lows[1:5] in (["my", "middle", "name", ","], ["my", "second", "name", ","]) else 1
    length = name_length(rest[at:])
    name = strip_trailing(rest[at : at + length])
    after = rest[at + length].low if at + length < len(rest) else ""
    if not 1 <= len(name) <= 3 or after not in {"", ",", ".", "!", "and", "but", "now", "not"}:
        return []
    value = maker.nouns.words(name)
    return [maker.draft(subject, "also_known_as", value, Telling(), clause)]


_LIVES: dict[str, tuple[Rule, ...]] = {
    "be": (_apart, _fan, _mother_tongue, _my_thing, _parent_to),
    "die": (_died,),
    "pass": (_died,),
    "live": (_alone, _host),
    "go": (_goes_by,),
}
_RULES = {verb: (*_LIVES.get(verb, ()), *DOINGS.get(verb, ())) for verb in {**_LIVES, **DOINGS}}
"""What may be told by a verb."""
