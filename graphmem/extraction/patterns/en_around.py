"""English of shops, suppliers and places: what a business is called, buys from, and lacks."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphmem.extraction.patterns import en_words as w
from graphmem.extraction.patterns.en_being import is_person, numbered_store
from graphmem.extraction.patterns.en_clause import Clause
from graphmem.extraction.patterns.en_fit import BUSINESSES
from graphmem.extraction.patterns.en_forms import Telling, tell
from graphmem.extraction.patterns.en_frames import Kind
from graphmem.extraction.patterns.en_make import Maker
from graphmem.extraction.patterns.en_nouns import Shape, cut, name_length, strip_trailing
from graphmem.extraction.patterns.en_tokens import Token
from graphmem.extraction.patterns.sentences import words
from graphmem.model.claim import Form, Mention, Polarity
from graphmem.model.draft import Draft


def read_around(maker: Maker, clause: Clause) -> list[Draft] | None:
    """Return the drafts of a clause that one of these rules understands; None if none applies."""
    for rule in (
        _opened,
        _called,
        _runs_there,
        _supplied,
        _lacking,
        _no_more,
        _nicknamed,
        _seeing,
        _keeps,
        _taken,
        _on_strike,
        _there,
        _put_elsewhere,
    ):
        drafts = rule(maker, clause)
        if drafts:
            return drafts
    return None


def named_thing(maker: Maker, rest: Sequence[Token]) -> tuple[Mention, list[Token], str] | None:
    """Split "a small bakery called Crumb & Co on Elm Street": its name, the rest, what it is."""
    at = next((n for n, t in enumerate(rest[:7]) if t.low in {"called", "named"}), 0)
    length = name_length(rest[at + 1 :]) if at else 0
    if not length or rest[0].low not in {"a", "an", "my", "our", "his", "her", "their", "this"}:
        return None
    noun, _ = cut(rest[1:at], words("in on at near for with of"))
    if not noun or any(not token.is_word for token in rest[:at]):
        return None
    name = rest[at + 1 : at + 1 + length]
    return Mention(maker.nouns.words(name)), list(rest[at + 1 + length :]), noun[-1].low


_RUNNING = {"run": "runs", "own": "owns", "open": "runs", "found": "founded", "manage": "leads"}
_OPENING = words("open found start launch")


def _called(maker: Maker, clause: Clause) -> list[Draft]:
    """ "Priya runs a little bakery called Crumb & Co on Elm Street"."""
    predicate = _RUNNING.get(clause.group.lemma)
    subject = maker.subject(clause.subject)
    found = named_thing(maker, clause.rest) if predicate and subject else None
    if found is None or predicate is None or subject is None:
        return []
    thing, after, noun = found
    if noun not in BUSINESSES:
        return []
    begun = clause.group.lemma in _OPENING
    told = tell(Kind.BEGIN if begun else Kind.HOLD, clause.group, clause.times)
    drafts = [maker.draft(subject, predicate, thing, one, clause) for one in told]
    if drafts:
        drafts.append(maker.draft(thing, "is_a", noun, Telling(), clause, rule="called"))
        drafts.extend(_placed(maker, clause, thing, after))
    return drafts


def _runs_there(maker: Maker, clause: Clause) -> list[Draft]:
    """ "Priya runs the bakery on Elm Street": that one, not any bakery."""
    predicate = _RUNNING.get(clause.group.lemma)
    subject = maker.subject(clause.subject) if predicate else None
    noun, after = cut(clause.rest, words("in on at near for with of who which that and , . ("))
    if subject is None or predicate is None or clause.group.lemma in _OPENING:
        return []
    if noun[:1] == [] or noun[0].low != "the" or not 2 <= len(noun) <= 4 or not after:
        return []
    length = name_length(after[1:])
    if noun[-1].low not in BUSINESSES or after[0].low not in {"in", "on", "at", "near"}:
        return []
    if not length or strip_trailing(after[1 + length :]) or any(t.capital for t in noun[1:]):
        return []
    place = strip_trailing(after[1 : 1 + length])
    if place[0].low.rstrip("s") in w.WEEKDAYS or place[0].low in w.MONTHS:
        return []
    thing = Mention(maker.nouns.words([*noun[1:], after[0], *place]))
    told = tell(Kind.HOLD, clause.group, clause.times)
    return [maker.draft(subject, predicate, thing, one, clause) for one in told]


def _placed(maker: Maker, clause: Clause, thing: Mention, after: Sequence[Token]) -> list[Draft]:
    """ "… on Elm Street", "… in Bergen": where it lies."""
    if not after or after[0].low not in {"in", "on"}:
        return []
    place = maker.nouns.single(after[1:], Shape.NAME)
    return [maker.draft(thing, "located_in", place[0].text, Telling(), clause)] if place else []


def _opened(maker: Maker, clause: Clause) -> list[Draft]:
    """ "I opened a café in Bergen", "she's opened her own studio"."""
    lows = [token.low for token in clause.rest]
    if clause.group.lemma != "open" or lows[:1] not in (["a"], ["an"], ["my"], ["our"], ["her"]):
        return []
    noun, after = cut(clause.rest, words("in on at near for with of called named and , ."))
    noun = [t for t in strip_trailing(noun[1:]) if t.low != "own"]
    subject = maker.subject(clause.subject)
    if subject is None or not noun or noun[-1].low not in BUSINESSES or len(noun) > 3:
        return []
    if after and after[0].low in {"called", "named"}:
        return []
    told = tell(Kind.BEGIN, clause.group, clause.times)
    return [maker.draft(subject, "runs", maker.nouns.words(noun), one, clause) for one in told]


_GETTING = words("get buy source order import purchase")
_GOODS = words(
    "idea ideas name looks energy sense information news advice inspiration money kicks help"
    " strength power job jobs work support love attention degree diploma data files updates"
)


def _supplied(maker: Maker, clause: Clause) -> list[Draft]:
    """ "It gets its flour from Mill & Sons", "we buy our eggs from Hollow Farm"."""
    group, rest = clause.group, clause.rest
    lows = [token.low for token in rest]
    if group.lemma not in _GETTING or "from" not in lows or group.past or group.perfect:
        return []
    at = lows.index("from")
    goods = rest[:at]
    if group.lemma in {"get", "order"} and (
        not goods or goods[0].low not in _OF_THEIRS or goods[-1].low not in _STOCK
    ):
        return []
    if not 1 <= len(goods) <= 5 or goods[-1].low in _GOODS or not goods[-1].is_word:
        return []
    subject = maker.subject(clause.subject)
    seller = maker.nouns.single(rest[at + 1 :], Shape.NAME)
    if subject is None or not seller or seller[0].text.split()[-1].lower() in _PLATFORMS:
        return []
    told = tell(Kind.HOLD, group, clause.times)
    return [maker.draft(subject, "buys_from", seller[0].text, one, clause) for one in told]


_STOCK = words(
    "flour beans eggs milk veg vegetables veggies meat fish bread coffee tea cheese fruit wool yarn"
    " wood timber leather paper ink parts steel glass clay hops grain hay honey wine beer stock"
    " ingredients supplies materials fabric seeds plants flowers butter sugar oil spices produce"
    " chocolate tiles bricks feed seafood pork beef chicken lamb salmon oysters rice pasta dough"
    " cloth cotton silk thread gin malt barley oats nuts herbs candles soap tools hardware bikes"
)
_OF_THEIRS = words("its their our all most my his her")
_PLATFORMS = words("amazon ebay")


def _there(maker: Maker, clause: Clause) -> list[Draft]:
    """ "There's no lift in my building"."""
    lows = [token.low for token in clause.rest]
    if clause.low_subject != "there" or clause.group.lemma != "be" or clause.group.past:
        return []
    at = next((n for n, low in enumerate(lows) if low in {"in", "at"} and n), 0)
    inside = clause.rest[at + 1 :] if at else []
    if len(inside) < 2 or inside[0].low not in {"my", "our"} or clause.times:
        return []
    none = lows[0] == "no" or (clause.group.negated and lows[0] in {"a", "an", "any"})
    thing = clause.rest[1:at]
    if (not none and lows[0] not in {"a", "an"}) or not 1 <= len(thing) <= 3:
        return []
    place, _ = cut(inside, words("and but so , . ( because yet any"))
    whole = maker.noun_mention(strip_trailing(place))
    if whole is None or whole.role is not None or place[-1].low not in _BUILDINGS:
        return []
    polarity = Polarity.NEGATIVE if none else Polarity.POSITIVE
    text = maker.nouns.words(thing)
    return [maker.draft(whole, "has", text, Telling(polarity=polarity), clause, rule="there")]


def _put_elsewhere(maker: Maker, clause: Clause) -> list[Draft]:
    """ "It is in drawer 4 now": what was in another drawer, not that drawer."""
    group, lows = clause.group, [token.low for token in clause.subject]
    place = numbered_store(maker, clause.rest) if lows == ["it"] and group.lemma == "be" else ""
    kept = [draft for draft in maker.last_sentence() if draft.object is not None]
    if not place or len(kept) != 1 or kept[0].predicate != "kept_in" or group.past:
        return []
    before = kept[0].object.text.split() if kept[0].object is not None else []
    if group.negated or before[:1] != place.split()[:1]:
        return []
    told = tell(Kind.HOLD, group, clause.times)
    return [maker.draft(kept[0].subject, "kept_in", place, one, clause) for one in told]


_BUILDINGS = words(
    "building flat apartment house office block school street village town hotel home"
)


def _lacking(maker: Maker, clause: Clause) -> list[Draft]:
    """ "I've got no car"."""
    group, lows = clause.group, [token.low for token in clause.rest]
    if group.lemma != "have" or lows[:1] != ["no"] or len(lows) != 2 or group.past:
        return []
    subject = maker.subject(clause.subject)
    if subject is None or not is_person(subject, clause.subject) or lows[1] not in w.OWNABLE:
        return []
    no = Telling(polarity=Polarity.NEGATIVE)
    return [maker.draft(subject, "owns", lows[1], no, clause, rule="none")]


_NOT_NOW = re.compile(r"\b(?:any ?more|any longer|no longer)\b", re.IGNORECASE)


def _no_more(maker: Maker, clause: Clause) -> list[Draft]:
    """ "We don't have the caravan any more"."""
    group, lows = clause.group, [token.low for token in clause.rest]
    if group.lemma not in {"have", "own", "drive"} or not group.negated or group.past:
        return []
    if lows[:1] not in (["the"], ["that"], ["my"], ["our"]) or group.perfect:
        return []
    thing = maker.nouns.single(clause.rest[1:], Shape.THING)
    subject = maker.subject(clause.subject)
    ours = thing and thing[0].tokens[-1].low in w.OWNABLE
    if not ours or subject is None or not _NOT_NOW.search(maker.sentence.text):
        return []
    predicate = "drives" if group.lemma == "drive" else "owns"
    return [maker.draft(subject, predicate, thing[0].text, Telling(Form.END), clause)]


def _nicknamed(maker: Maker, clause: Clause) -> list[Draft]:
    """ "Everyone calls her Loni"."""
    group, rest = clause.group, clause.rest
    crowd = words("everyone everybody people friends they we i")
    if group.lemma != "call" or clause.subject[-1].low not in crowd or group.negated:
        return []
    if group.past or len(rest) < 2 or rest[0].low not in {"her", "him"}:
        return []
    length = name_length(rest[1:])
    who = maker.pronoun("she" if rest[0].low == "her" else "he")
    if not length or length != len(strip_trailing(rest[1:])) or who is None:
        return []
    name = maker.nouns.words(rest[1 : 1 + length])
    return [maker.draft(who, "also_known_as", name, Telling(), clause)]


def _seeing(maker: Maker, clause: Clause) -> list[Draft]:
    """ "She's seeing someone called Jonny"."""
    group, lows = clause.group, [token.low for token in clause.rest]
    someone = lows[:1] in (["someone"], ["somebody"]) and lows[1:2] in (["called"], ["named"])
    subject = maker.subject(clause.subject)
    if group.lemma != "see" or not group.progressive or group.past or not someone:
        return []
    name = clause.rest[2 : 2 + name_length(clause.rest[2:])]
    if subject is None or not name or group.negated:
        return []
    other = Mention(maker.nouns.words(name), types=("person",))
    told = tell(Kind.HOLD, group, clause.times)
    return [maker.draft(subject, "partner_of", other, one, clause) for one in told]


_KEPT = words(
    "bees chickens hens goats sheep pigs ducks pigeons horses alpacas geese donkeys turkeys quail"
    " koi ferrets llamas"
)


def _keeps(maker: Maker, clause: Clause) -> list[Draft]:
    """ "Sunniva keeps bees"."""
    kept, _ = cut(clause.rest, words("in on at out and but , . for as ("))
    kept = strip_trailing(kept)
    subject = maker.subject(clause.subject)
    kept = [token for token in kept if token.low not in {"some", "now"}]
    if clause.group.lemma not in {"keep", "have"} or subject is None or len(kept) != 1:
        return []
    if kept[0].low not in _KEPT:
        return []
    told = tell(Kind.HOLD, clause.group, clause.times)
    return [maker.draft(subject, "has_pet", kept[0].text, one, clause) for one in told]


def _taken(maker: Maker, clause: Clause) -> list[Draft]:
    """ "I took up rowing", "she took on an apprentice called Rafi"."""
    rest, subject = clause.rest, maker.subject(clause.subject)
    lows = [token.low for token in rest]
    if clause.group.lemma != "take" or subject is None or len(rest) < 2:
        return []
    told = tell(Kind.BEGIN, clause.group, clause.times)
    if lows[0] == "up":
        noun = strip_trailing(cut(rest[1:], words("in at with and but , . because after ("))[0])
        text = " ".join(token.low for token in noun)
        game = text in w.INSTRUMENTS_OR_GAMES
        if len(noun) > 2 or not (game or (text.endswith("ing") and len(noun) == 1)):
            return []
        predicate = "plays" if game else "practises"
        return [maker.draft(subject, predicate, text, one, clause) for one in told]
    hired = named_thing(maker, rest[1:]) if lows[0] == "on" else None
    if hired is None or hired[2] not in w.OCCUPATIONS | words("assistant helper trainee lodger"):
        return []
    person = Mention(hired[0].text, types=("person",))
    return [maker.draft(person, "works_at", subject, one, clause) for one in told]


def _on_strike(maker: Maker, clause: Clause) -> list[Draft]:
    """ "Mill & Sons is on strike", "the crew went on strike on Sunday"."""
    lows = [token.low for token in clause.rest[:2]]
    lemma, subject = clause.group.lemma, maker.subject(clause.subject)
    if lows != ["on", "strike"] or lemma not in {"be", "go"} or subject is None:
        return []
    kind = Kind.HOLD if lemma == "be" else Kind.BEGIN
    told = tell(kind, clause.group, clause.times)
    return [maker.draft(subject, "has_status", "on strike", one, clause) for one in told]
