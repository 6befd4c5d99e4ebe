"""English of lives: deaths of pets, partings, studies, whom one supports, what one cannot do."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from graphmem.extraction.patterns import en_words as w
from graphmem.extraction.patterns.en_being import is_person
from graphmem.extraction.patterns.en_clauses import Clause
from graphmem.extraction.patterns.en_copula import partner_in
from graphmem.extraction.patterns.en_forms import Telling, tell
from graphmem.extraction.patterns.en_frames import Kind
from graphmem.extraction.patterns.en_group import Phase
from graphmem.extraction.patterns.en_make import Maker
from graphmem.extraction.patterns.en_nouns import Shape, cut, name_length, strip_trailing
from graphmem.extraction.patterns.en_tokens import Token
from graphmem.extraction.patterns.sentences import words
from graphmem.model.claim import Form, Modality, Polarity
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
    if other is None or me is None or group.lemma != "be" or lows != ["together"]:
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
    if group.lemma != "be" or group.past or not rest or rest[0].low not in {"a", "an"}:
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


_YEARS = words("first second third fourth fifth final last 1st 2nd 3rd 4th foundation")


def _in_year(maker: Maker, clause: Clause) -> list[Draft]:
    """ "I'm in my second year at Durham studying philosophy"."""
    rest, group = clause.rest, clause.group
    lows = [token.low for token in rest]
    own = lows[1:2] and lows[1] in {"my", "his", "her", "their"}
    if group.lemma != "be" or group.past or lows[:1] != ["in"] or not own or group.negated:
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


def _mother_tongue(maker: Maker, clause: Clause) -> list[Draft]:
    """ "Papiamento is my first language"."""
    lows = [token.low for token in strip_trailing(clause.rest)]
    own = lows in (["my", "first", "language"], ["my", "native", "language"],
                   ["my", "mother", "tongue"])  # fmt: skip
    me, group, name = maker.context.me, clause.group, clause.subject
    if not own or me is None or group.lemma != "be" or group.past or group.negated:
        return []
    if len(name) != 1 or not (name[0].capital or name[0].low in w.LANGUAGES):
        return []
    if name[0].low in w.PLACEHOLDERS | w.OPENERS:
        return []
    return [maker.draft(me, "native_language", name[0].text, Telling(), clause)]


def _no_driver(maker: Maker, clause: Clause) -> list[Draft]:
    """ "I don't drive", "my gran can't drive"."""
    group, subject = clause.group, maker.subject(clause.subject)
    bare = not strip_trailing([t for t in clause.rest if t.low not in {"a", "car"}])
    if group.lemma != "drive" or not group.negated or not bare or subject is None:
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
    if group.lemma not in {"hurt", "injure", "bust", "wreck"} or group.negated or subject is None:
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
    if group.lemma not in {"have", "undergo"} or not noun or subject is None or group.negated:
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


def _alone(maker: Maker, clause: Clause) -> list[Draft]:
    """ "I live alone", "she lives on her own"."""
    group, subject = clause.group, maker.subject(clause.subject)
    own = clause.rest[:3]
    lows = [token.low for token in strip_trailing(clause.rest)]
    poss = len(own) == 3 and own[0].low == "on" and own[2].low == "own"
    rest = clause.rest[3:] if poss else clause.rest[1:]
    alone = poss or [t.low for t in clause.rest[:1]] == ["alone"]
    if group.lemma != "live" or not alone or subject is None or group.negated or group.can:
        return []
    closed = not rest or not rest[0].is_word or rest[0].low in {"and", "but", "so", "now"}
    if not closed or group.past or group.perfect or not lows:
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
    moved = group.lemma == "move"
    if group.lemma != "live" or moved or subject.is_self or (lows[2:] and lows[2] == "in"):
        return []
    if not is_person(subject, clause.subject) and not name_length(clause.subject):
        return []
    told = tell(Kind.HOLD, group, clause.times)
    return [maker.draft(subject, "lives_with", me, one, clause) for one in told]


_AIDS = words("wheelchair cane crutches walker rollator")
_AID_PAIRS = {"hearing aid", "hearing aids", "walking stick", "insulin pump", "white cane"}


def _aid(maker: Maker, clause: Clause) -> list[Draft]:
    """ "I use a wheelchair", "my gran uses a walking stick"."""
    group, subject = clause.group, maker.subject(clause.subject)
    thing, _ = cut(clause.rest, words("to for and but , . ( so because when in at on"))
    thing = [token for token in strip_trailing(thing) if token.low not in {"a", "an"}]
    text = " ".join(token.low for token in thing)
    if group.lemma != "use" or subject is None or text not in _AIDS | _AID_PAIRS:
        return []
    told = tell(Kind.HOLD, group, clause.times)
    return [maker.draft(subject, "uses", text, one, clause) for one in told]


_OWNED = words("car van bike motorbike phone laptop boat camper")


def _my_thing(maker: Maker, clause: Clause) -> list[Draft]:
    """ "My new car is an electric Kia"."""
    group, rest, me = clause.group, clause.rest, maker.context.me
    lows = [token.low for token in clause.subject]
    mine = lows[:1] in (["my"], ["our"]) and lows[1:] and lows[-1] in _OWNED and len(lows) < 4
    plain = lows[1:-1] in ([], ["new"], ["current"])
    if group.lemma != "be" or group.past or group.negated or not mine or not plain or me is None:
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


_FOR_NOW = ("this week", "this weekend", "tonight", "this month", "today", "for the week")


def _here_for_now(maker: Maker, clause: Clause) -> list[Draft]:
    """ "I'm in Leeds this week": a stay."""
    group, rest = clause.group, clause.rest
    when = [phrase for phrase in clause.times if phrase.phrase.lower() in _FOR_NOW]
    if group.lemma != "be" or group.past or group.perfect or group.negated or len(when) != 1:
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
    returned = group.lemma in {"get", "come"} and back
    is_back = group.lemma == "be" and back
    subject = maker.subject(clause.subject)
    if not (returned or is_back) or subject is None or group.negated:
        return []
    if group.modality is not Modality.ASSERTED or (returned and not (group.past or group.perfect)):
        return []
    place = maker.nouns.single(rest[1:], Shape.NAME)
    if not place or not place[0].tokens[0].capital or place[0].tokens[-1].low == "'s":
        return []
    return [maker.draft(subject, "visited", place[0].text, Telling(), clause, rule="back_from")]


_PUPILS = words("son daughter child kid niece nephew grandson granddaughter eldest youngest oldest")
_SCHOOL_NAMES = words("school college academy primary high grammar uni university st")


def _pupil(maker: Maker, clause: Clause) -> list[Draft]:
    """ "My eldest, Rufus, goes to St Olave's"."""
    group, rest = clause.group, clause.rest
    subject = maker.subject(clause.subject)
    if group.lemma != "go" or [t.low for t in rest[:1]] != ["to"] or subject is None:
        return []
    role = (maker.role_of(subject) or "").split(" ")[-1]
    habit = not (group.past or group.perfect or group.progressive or group.negated)
    school = maker.nouns.single(rest[1:], Shape.NAME)
    if role not in _PUPILS or not habit or not school or clause.times:
        return []
    if not {token.low.rstrip(".") for token in school[0].tokens} & _SCHOOL_NAMES:
        return []
    told = tell(Kind.HOLD, group, clause.times)
    return [maker.draft(subject, "studies_at", school[0].text, one, clause) for one in told]


_RULES: dict[str, tuple[Callable[[Maker, Clause], list[Draft]], ...]] = {
    "be": (_apart, _fan, _in_year, _mother_tongue, _my_thing, _here_for_now, _back_from),
    "die": (_died,),
    "pass": (_died,),
    "drive": (_no_driver,),
    "have": (_operated,),
    "undergo": (_operated,),
    "live": (_alone, _host),
    "use": (_aid,),
    "get": (_back_from,),
    "come": (_back_from,),
    "go": (_pupil,),
    **dict.fromkeys(("hurt", "injure", "bust", "wreck"), (_hurt,)),
}
"""What may be told by a verb."""
