"""English habits and abilities: medicine, pastimes, fields of work, plans."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from graphmem.extraction.patterns import en_words as w
from graphmem.extraction.patterns.en_being import is_person
from graphmem.extraction.patterns.en_clause import Clause
from graphmem.extraction.patterns.en_forms import Telling, tell
from graphmem.extraction.patterns.en_frames import Kind
from graphmem.extraction.patterns.en_group import Phase
from graphmem.extraction.patterns.en_have import DEGREES
from graphmem.extraction.patterns.en_make import Maker
from graphmem.extraction.patterns.en_nouns import Shape, cut, strip_trailing
from graphmem.extraction.patterns.en_tokens import Token
from graphmem.extraction.patterns.en_ways import read_way
from graphmem.extraction.patterns.sentences import words
from graphmem.model.claim import Form, Modality, Polarity
from graphmem.model.draft import Draft

_LONGEST_PLAN = 12


def read_habit(maker: Maker, clause: Clause) -> list[Draft] | None:
    """Return the drafts of a clause that one of these rules understands; None if none applies.

    An empty list says that the clause is understood, and that nothing may be stored from it.
    """
    for rule in (
        _went, read_way, _medicine, _activity, _dry, _turned, _field, _degree, _ability, _feels
    ):  # fmt: skip
        drafts = rule(maker, clause)
        if drafts is not None:
            return drafts
    return None


_OCCASIONS = words(
    "concert conference wedding festival workshop party gig parade fair exhibition exhibit meetup"
    " seminar funeral lecture retreat match tournament convention reunion hackathon expo premiere"
    " opera ballet play rally fundraiser ceremony meeting webinar training course class group"
)
_SIGHTS = words(
    "museum beach zoo gallery cathedral castle aquarium park lake island mountains coast waterfall"
    " planetarium market vineyard temple"
)
_ERRANDS = words(
    "see watch visit buy get pick meet have eat do play check help work bed sleep find"
)
_REGULAR = words(
    "yoga zumba crossfit spin judo karate gym church mosque temple synagogue club choir class"
    " classes group pilates"
)


def _went(maker: Maker, clause: Clause) -> list[Draft] | None:
    """ "I went to Porto in May", "we're going to a wedding on Saturday", "I go to the gym"."""
    group, rest = clause.group, clause.rest
    if group.lemma != "go" or not rest or rest[0].low != "to":
        return None
    how_often = next((n for n, t in enumerate(rest) if t.low in {"most", "every", "each"}), 0)
    rest = rest[:how_often] if how_often > 1 else rest
    if "back" in group.flags:
        return []  # to visit, or to live or work there again
    subject = maker.subject(clause.subject)
    if subject is None:
        return []
    target = rest[1:]
    name = maker.nouns.single(target, Shape.NAME)
    thing = name or maker.nouns.single(target, Shape.THING)
    head = thing[0].tokens[-1].low if thing else ""
    small = maker.nouns.lower_writer and head not in _REGULAR
    if not thing or small or target[0].low in _ERRANDS:
        return []
    habitual = not (group.past or group.perfect or group.progressive or "plan" in group.flags)
    turning = group.phase is not Phase.WHOLE or (group.progressive and "again" in group.flags)
    habitual = habitual or (turning and head in _REGULAR)
    if habitual and not any(phrase.ahead for phrase in clause.times):
        if head not in _REGULAR:
            return []
        told = tell(Kind.HOLD, group, clause.times)
        return [maker.draft(subject, "attends", thing[0].text, one, clause) for one in told]
    if head in _OCCASIONS:
        predicate = "attended"
    elif (head in _SIGHTS and _of_a_name(thing[0].tokens)) or (
        name and name[0].tokens[0].begin == target[0].begin
    ):
        predicate = "visited"
    else:
        return []
    # "we're going to a wedding": a plan, as "we're moving" is.
    told = tell(Kind.BEGIN if group.progressive else Kind.EVENT, group, clause.times)
    return [
        maker.draft(subject, predicate, thing[0].text, replace(one, form=Form.STATE), clause)
        for one in told
        if one.form is not Form.CANCEL
    ]


def _of_a_name(tokens: Sequence[Token]) -> bool:
    """Whether a sight is a certain one: "the Marmottan museum", not "the park"."""
    return any(token.capital for token in tokens)


_CANNOT = {
    "stand": "dislikes", "bear": "dislikes", "abide": "dislikes",
    "have": "avoids", "eat": "avoids", "do": "avoids", "tolerate": "intolerant_to",
}  # fmt: skip


def _ability(maker: Maker, clause: Clause) -> list[Draft] | None:
    """ "I can't stand musicals", "I can't have gluten", "I can speak Twi"."""
    group = clause.group
    if not group.can:
        return None
    subject = maker.subject(clause.subject)
    if subject is None:
        return []
    if group.negated and group.lemma in _CANNOT and not group.perfect:
        predicate = _CANNOT[group.lemma]
        liking = predicate == "dislikes"
        items = maker.nouns.items(clause.rest, Shape.TASTE if liking else Shape.THING)
        generic = [i for i in items if i.text.lower() not in {"wait", "more", "enough", "time"}]
        narrowed = {t.low for t in clause.rest} & words(
            "before after during while when with on at in"
        )
        if group.lemma == "do":  # "can't do dairy"
            generic = [i for i in generic if i.text.lower() in _KEPT_OFF]
        if group.lemma in {"have", "eat"} and (narrowed or any(len(i.tokens) > 2 for i in generic)):
            return []
        return [maker.draft(subject, predicate, i.text, Telling(), clause) for i in generic]
    if group.lemma == "speak":
        polarity = Polarity.NEGATIVE if group.negated else Polarity.POSITIVE
        items = maker.nouns.items(clause.rest, Shape.LANGUAGE)
        return [
            maker.draft(subject, "speaks", i.text, Telling(polarity=polarity), clause)
            for i in items
        ]
    return []


_KEPT_OFF = words(
    "dairy gluten soy wheat nuts peanuts sugar caffeine lactose eggs shellfish seafood meat pork"
    " beef fish alcohol milk carbs spice onions garlic"
)
_DOSE = re.compile(r"[\d.]+ ?(?:mg|mcg|ml|g|iu|µg)?|mg|mcg|ml|iu|a day")
_DRUG = re.compile(
    r"(?:formin|statin|pril|sartan|olol|azole|pam|mycin|cillin|profen|oxetine|traline|pine|insulin"
    r"|aspirin|thyroxine|ritin|zine|amol|prednisone|prednisolone|melatonin|antidepressants"
    r"|antihistamines|thinners|steroids|hrt|gabapentin|pill|inhaler|levothyroxine|antibiotics|painkillers|statins|beta-blockers|lithium|ritalin|warfarin)\Z"
)


def _medicine(maker: Maker, clause: Clause) -> list[Draft] | None:
    """ "I take metformin": a drug, by its ending or because it is for an ailment."""
    on = clause.group.lemma == "be" and [token.low for token in clause.rest[:1]] == ["on"]
    if (clause.group.lemma != "take" and not on) or not clause.rest:
        return None
    subject = maker.subject(clause.subject)
    drug, after = cut(
        clause.rest[1:] if on else clause.rest,
        words("for every in at to and with , . because daily ( since so but back once twice"),
    )
    while len(drug) > 1 and _DOSE.fullmatch(drug[-1].low):
        drug = drug[:-1]
    lows = [token.low for token in drug]
    if subject is None or not 1 <= len(lows) <= 3 or (on and after[:1] and after[0].low == "for"):
        return None
    ailment = " ".join(t.low for t in strip_trailing(after[1:]) if t.low not in {"my", "the"})
    for_it = after[:1] and after[0].low == "for" and ailment in w.CONDITIONS
    if not _DRUG.search(lows[-1]) and not (for_it and lows[0] not in {"a", "the", "my", "some"}):
        return None
    items = maker.nouns.items(drug, Shape.THING)
    told = tell(Kind.HOLD, clause.group, clause.times)
    return [
        maker.draft(subject, "takes_medication", item.text, one, clause)
        for item in items
        for one in told
    ]


_VAGUE = words(
    "be do see know need try keep let say tell ask think have get stay enjoy love like miss check"
    " go use make take give come look find look put start continue talk help share focus work"
    " include implement add incorporate follow consider prioritize prioritise set reach send spend"
)


def read_plan(maker: Maker, clause: Clause) -> list[Draft]:
    """Return a plan no frame understood, in its own words ("planning to repaint the kitchen")."""
    group = clause.group
    subject = maker.subject(clause.subject)
    if "plan" not in group.flags or group.unreal or subject is None or group.negated:
        return []
    at = next((n for n, t in enumerate(clause.tokens) if t.low == group.lemma), None)
    if at is None or group.lemma in _VAGUE or group.modality is not Modality.PLANNED:
        return []
    words_, _ = cut(clause.tokens[at:], words(", . ; ( ! – — so because"))
    plan = strip_trailing(words_)
    if not 2 <= len(plan) <= _LONGEST_PLAN or any(
        t.low in words("you your it this that them these those") for t in plan
    ):
        return []
    start = clause.times[0].phrase if clause.times else None
    telling = Telling(start=start, modality=Modality.PLANNED)
    return [maker.draft(subject, "plans_to", maker.nouns.words(plan), telling, clause)]


def _feels(maker: Maker, clause: Clause) -> list[Draft] | None:
    if clause.group.lemma != "feel":
        return None
    subject = maker.subject(clause.subject)
    rest = [t for t in clause.rest if t.low not in w.ADVERBS | {"a", "bit", "little"}]
    two, low = " ".join(t.low for t in rest[:2]), rest[0].low if rest else ""
    text = two if two in w.FEELINGS else low if low in w.FEELINGS else ""
    if subject is None or not text:
        return []
    told = tell(Kind.HOLD, clause.group, clause.times)
    return [maker.draft(subject, "feels", text, replace(one), clause) for one in told]


def _activity(maker: Maker, clause: Clause) -> list[Draft] | None:
    """ "I go running every morning", "I do yoga", "I've stopped running"."""
    group = clause.group
    rest = strip_trailing(clause.rest)
    lows = [group.lemma, *(token.low for token in rest)]
    activity, after = None, ""
    for length in (2, 1):
        activity = w.ACTIVITIES.get(" ".join(lows[:length])) if len(lows) >= length else None
        if activity is not None:
            after = lows[length] if len(lows) > length else ""
            if after in {"on", "in"} and not _is_when(lows[length + 1 :]):
                return []  # "I run on coffee", "I run in circles"
            break
    fits = (
        not after
        or re.fullmatch(r"\d+x?", after)
        or after
        in words(
            "every on in with at and as regularly for because once twice three about around instead"
            " after since when before"
        )
    )
    if activity is None or not fits:
        return None
    subject = maker.subject(clause.subject)
    now = group.progressive and not group.perfect and group.phase is Phase.WHOLE
    once = group.past and not group.perfect and group.phase is Phase.WHOLE
    person = subject is not None and is_person(subject, clause.subject)
    if person and group.can and subject is not None:
        polarity = Polarity.NEGATIVE if group.negated else Polarity.POSITIVE
        told = [] if after or group.past else [Telling(polarity=polarity)]
        return [maker.draft(subject, "can_do", lows[0], one, clause) for one in told]
    if subject is None or not person or once or (now and "again" not in group.flags):
        return []
    told = tell(Kind.HOLD, group, clause.times)
    return [maker.draft(subject, "practises", activity, one, clause) for one in told]


def _is_when(lows: list[str]) -> bool:
    """Whether "on" or "in" begins a time or place of exercise ("on Sundays", "in the park")."""
    first = lows[0] if lows else ""
    return (
        not lows
        or first.rstrip("s") in w.WEEKDAYS
        or first in words("weekends weekdays weekday winter summer spring autumn the my mornings a")
    )


def _dry(maker: Maker, clause: Clause) -> list[Draft] | None:
    """ "I don't drink", "I've stopped drinking"."""
    group = clause.group
    drunk, _ = cut(clause.rest, words(", . ( – — ; but so"))
    if group.lemma != "drink" or strip_trailing(drunk):
        return None
    subject = maker.subject(clause.subject)
    if subject is None or not (group.negated or group.phase in {Phase.STOP, Phase.USED}):
        return []
    told = tell(Kind.HOLD, group, clause.times)
    return [maker.draft(subject, "drinks_alcohol", None, one, clause) for one in told]


def _turned(maker: Maker, clause: Clause) -> list[Draft] | None:
    """ "I turned 40 last month", "I went vegan"."""
    rest = strip_trailing(clause.rest)
    lemma, low = clause.group.lemma, rest[0].low if rest else ""
    diet = low in w.DIETS and lemma in {"turn", "go", "become"}
    closed = len(rest) < 2 or rest[1].low in words("after in when because for since and so , at")
    if not (diet and closed) and (lemma != "turn" or len(rest) != 1 or not low.isdigit()):
        return None
    subject = maker.subject(clause.subject)
    if subject is None:
        return []
    told = tell(Kind.BEGIN, clause.group, clause.times)
    predicate = "follows_diet" if diet else "age"
    return [maker.draft(subject, predicate, low, one, clause) for one in told]


_FIELDS = words(
    "it hr pr finance marketing education healthcare tech sales retail hospitality construction"
    " logistics banking insurance publishing tourism law advertising media manufacturing research"
    " accounting engineering consulting agriculture journalism fashion pharma biotech catering"
    " cybersecurity robotics aviation shipping fintech procurement"
)


def _field(maker: Maker, clause: Clause) -> list[Draft] | None:
    """ "I work in IT", "I work in a bakery"."""
    rest = clause.rest
    if clause.group.lemma != "work" or len(rest) < 2 or rest[0].low != "in":
        return None
    subject = maker.subject(clause.subject)
    field, _ = cut(rest[1:], words("at for in and but , . ( as so since with –"))
    field = strip_trailing(field)
    if subject is None or not field:
        return []
    told = tell(Kind.HOLD, clause.group, clause.times, cue=True)
    known = field[-1].low in _FIELDS and (field[-1].low != "it" or field[-1].text == "IT")
    if known and len(field) <= 2:
        text = maker.nouns.words(field)
        return [maker.draft(subject, "works_in_field", text, one, clause) for one in told]
    place = maker.nouns.single(rest[1:], Shape.ORGANISATION) if rest[1].low in {"a", "an"} else []
    return [maker.draft(subject, "works_at", i.text, one, clause) for i in place for one in told]


def _degree(maker: Maker, clause: Clause) -> list[Draft] | None:
    """ "I'm doing a master's in linguistics at Leiden University"."""
    lows = [token.low for token in clause.rest[:2]]
    if clause.group.lemma not in {"do", "pursue"} or lows[:1] not in (["a"], ["an"], ["my"]):
        return None
    if lows[1:] and lows[1] not in DEGREES:
        return None
    subject = maker.subject(clause.subject)
    if subject is None:
        return []
    told = tell(Kind.HOLD, clause.group, clause.times)
    _, in_ = cut(clause.rest, words("in"))
    _, at = cut(clause.rest, words("at"))
    field, _ = cut(in_[1:], words("at and but , . ( which"))
    school = maker.nouns.single(at[1:], Shape.ORGANISATION)
    drafts: list[Draft] = []
    for one in told:
        if field:
            text = maker.nouns.words(strip_trailing(field))
            drafts.append(maker.draft(subject, "studies", text, one, clause))
        drafts.extend(maker.draft(subject, "studies_at", i.text, one, clause) for i in school)
    return drafts
