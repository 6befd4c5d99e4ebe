"""English clauses that need more than a verb's frame: moves, leaving, couples, commuting."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from graphmem.extraction.patterns import en_words as w
from graphmem.extraction.patterns.en_being import is_person
from graphmem.extraction.patterns.en_clause import Clause
from graphmem.extraction.patterns.en_copula import partner_in
from graphmem.extraction.patterns.en_fit import CLUBS
from graphmem.extraction.patterns.en_forms import Telling, tell
from graphmem.extraction.patterns.en_frames import Kind
from graphmem.extraction.patterns.en_group import Phase
from graphmem.extraction.patterns.en_make import Maker
from graphmem.extraction.patterns.en_nouns import Item, Shape, cut, strip_trailing
from graphmem.extraction.patterns.en_tokens import Token
from graphmem.extraction.patterns.sentences import words
from graphmem.model.claim import Form, Mention, Modality, Polarity
from graphmem.model.draft import Draft

ReadStatement = Callable[[str], Iterable[Draft]]
"""Reads the statement of a fact the memory holds, to see what it says."""

_MOVED = words("moved switched transferred reassigned")
_MOVING = words("move relocate switch transfer change")
_ORG_CUES = words(
    "ltd inc co corp gmbh llc plc university college school bank hospital group agency institute"
    " council labs studio studios company foundation"
)


def read_special(maker: Maker, clause: Clause, read: ReadStatement) -> list[Draft] | None:
    """Return the drafts of a clause that only a special rule understands; None if none applies.

    An empty list says that the clause is understood, and that nothing may be stored from it.
    """
    for rule in (
        _moved, _from_to, _in_now, _with_firm, _quit, _sold, _left, _back, _against, _couple, _job,
        _divorced, _give_up,
    ):  # fmt: skip
        drafts = rule(maker, clause, read)
        if drafts is not None:
            return drafts
    return None


def _predicate_of(maker: Maker, subject: Mention, value: str, read: ReadStatement) -> str | None:
    """Return by which relation the subject was last said to have the value."""
    for draft in reversed((*maker.context.told, *maker.context.drafts)):
        same = draft.subject.text.casefold() == subject.text.casefold() or (
            draft.subject.is_self and subject.is_self
        )
        if same and draft.object is not None and draft.object.text.casefold() == value.casefold():
            return draft.predicate
    for statement in maker.context.known.statements:
        if value.casefold() not in statement.casefold():
            continue
        for draft in read(statement):
            if draft.object is not None and draft.object.text.casefold() == value.casefold():
                return draft.predicate
    return None


def _moved(maker: Maker, clause: Clause, read: ReadStatement) -> list[Draft] | None:
    """ "Moved from A to B": A ends, B begins."""
    rest = clause.rest
    got = clause.group.lemma in {"get", "be"} and rest and rest[0].low in _MOVED
    rest = rest[1:] if got else rest  # "got switched from Quill to Osprey"
    if clause.group.lemma not in _MOVING and not got:
        return None
    if not rest or rest[0].low != "from":
        return None
    first, after = cut(rest[1:], words("to"))
    old, new = _old_and_new(maker, first, after[1:])
    subject = maker.subject(clause.subject)
    if not old or not new or subject is None:
        return []
    predicate = _predicate_of(maker, subject, old[0].text, read)
    if predicate is None and old[0].text.lower() in w.MEALS_AND_DRINKS:
        predicate = "drinks"
    tools = {token.low for item in (old[0], new[0]) for token in item.tokens} & w.TOOLS
    if predicate is None and clause.group.lemma == "switch" and tools:
        predicate = "uses"
    if predicate is None and not (old[0].tokens[0].capital and new[0].tokens[0].capital):
        return []
    if predicate is None:
        home = "lives_in" if is_person(subject, clause.subject) else "located_in"
        known = {"move": home, "relocate": home, "switch": "uses"}
        predicate = "assigned_to" if got else known.get(clause.group.lemma)
    told = tell(Kind.BEGIN, clause.group, clause.times)
    if predicate is None or not told or told[0].form is Form.CANCEL:
        return []
    begin = told[0]
    ending = Telling(Form.END, end=begin.start, modality=begin.modality)
    return [
        maker.draft(subject, predicate, old[0].text, ending, clause, rule="moved_from"),
        maker.draft(subject, predicate, new[0].text, begin, clause, rule="moved_to"),
    ]


def _old_and_new(
    maker: Maker, first: Sequence[Token], second: Sequence[Token]
) -> tuple[list[Item], list[Item]]:
    """Return the two values of "from A to B", which need not be names ("from cola to water")."""
    taken = [
        maker.nouns.single(tokens, Shape.NAME) or maker.nouns.single(tokens, Shape.THING)
        if tokens
        else []
        for tokens in (first, second)
    ]
    return taken[0], taken[1]


def _from_to(maker: Maker, clause: Clause, read: ReadStatement) -> list[Draft] | None:
    """ "I'm no longer in Leeds but in York": Leeds ends, York begins."""
    group, rest = clause.group, clause.rest
    lows = [token.low for token in rest]
    if not group.negated or group.lemma not in {"be", "live"} or lows[:1] != ["in"]:
        return None
    if ("but", "in") not in pairwise(lows):
        return None
    at = lows.index("but")
    old = maker.nouns.single(rest[1:at], Shape.NAME)
    new = maker.nouns.single(rest[at + 2 :], Shape.NAME)
    subject = maker.subject(clause.subject)
    if not old or not new or subject is None or group.past:
        return []
    return [
        maker.draft(subject, "lives_in", old[0].text, Telling(Form.END), clause, rule="no_longer"),
        maker.draft(subject, "lives_in", new[0].text, Telling(Form.CHANGE), clause, rule="but_in"),
    ]


def _in_now(maker: Maker, clause: Clause, read: ReadStatement) -> list[Draft] | None:
    """ "Moved out of Leeds in March, we're in Hull now": where one has gone."""
    rest = clause.rest[1:] if clause.rest[:1] and clause.rest[0].low in _OFF else clause.rest
    lows = [token.low for token in rest]
    group, drafts = clause.group, maker.context.drafts
    left = drafts[-1] if drafts else None
    if left is None or group.lemma != "be" or lows[:1] not in (["in"], ["at"]):
        return None
    at_work = lows[0] == "at" and left.predicate == "works_at"
    at_home = lows[0] == "in" and left.predicate == "lives_in" and "now" in lows
    gone = left.form is Form.END or left.polarity is Polarity.NEGATIVE
    near = left.turn == maker.context.turn.id and gone
    over = near and (at_work or at_home)
    subject = maker.subject(clause.subject)
    place = maker.nouns.single(rest[1:], Shape.NAME)
    moved = over and place and subject == left.subject
    if not moved or subject is None or group.negated or group.past:
        return None
    change = Telling(Form.CHANGE)
    return [maker.draft(subject, left.predicate, place[0].text, change, clause)]


_OFF = words("out over up down back")
_QUITTABLE = words("smokes drinks_alcohol drinks eats practises plays takes_medication uses")


def _quit(maker: Maker, clause: Clause, read: ReadStatement) -> list[Draft] | None:
    """ "I used to smoke but I quit in 2019": when that ended."""
    group, drafts = clause.group, maker.context.drafts
    before = drafts[-1] if drafts else None
    if group.lemma not in {"quit", "stop", "give"} or before is None:
        return None
    up = [token.low for token in clause.rest] == ["up"]
    bare = not strip_trailing(clause.rest) if group.lemma != "give" else up
    same = maker.subject(clause.subject) == before.subject
    near = before.turn == maker.context.turn.id and before.quote in maker.sentence.text
    if not (bare and same and near) or before.predicate not in _QUITTABLE:
        return None
    told = tell(Kind.END, group, clause.times)
    return [
        maker.draft(before.subject, before.predicate, before.object, one, clause, rule="quit")
        for one in told
    ]


_HAD = words("owns drives has_pet uses")


def _sold(maker: Maker, clause: Clause, read: ReadStatement) -> list[Draft] | None:
    """ "We sold the Mini": the sale, and the end of owning or driving it that was known."""
    if clause.group.lemma != "sell" or clause.group.negated or not clause.rest:
        return None
    subject = maker.subject(clause.subject)
    rest = clause.rest[1:] if clause.rest[0].low in w.POSSESSIVE | {"the", "that"} else clause.rest
    value = maker.nouns.single(rest, Shape.THING)
    told = tell(Kind.EVENT, clause.group, clause.times)
    if subject is None or not value or len(told) != 1 or told[0].modality is not Modality.ASSERTED:
        return None
    text, when = value[0].text, told[0].start
    predicate = _predicate_of(maker, subject, text, read)
    if predicate not in _HAD or clause.rest[0].low in {"a", "an", "some"}:
        return None
    return [
        maker.draft(subject, "sold", text, told[0], clause),
        maker.draft(subject, predicate, text, Telling(Form.END, end=when), clause, rule="sold_it"),
    ]


def _with_firm(maker: Maker, clause: Clause, read: ReadStatement) -> list[Draft] | None:
    """ "I'm no longer with Castor Ltd", "I'm not at Bracken & Lowe any more": that job is over."""
    group, rest = clause.group, clause.rest
    if group.lemma != "be" or not group.negated or group.past or not rest:
        return None
    over = "no longer" in group.flags or _ANY_MORE.search(maker.sentence.text)
    tool = rest[0].low == "on" and len(rest) > 1 and rest[1].low in w.TOOLS
    if not (rest[0].low in {"with", "at"} or tool) or not over or len(rest) < 2:
        return None
    subject = maker.subject(clause.subject)
    if tool and subject is not None:  # "I'm not on Facebook any more"
        left = Telling(Form.END)
        return [maker.draft(subject, "uses", rest[1].text, left, clause, rule="with_firm")]
    firm = maker.nouns.single(rest[1:], Shape.NAME)
    if subject is None or not firm:
        return None
    known = _predicate_of(maker, subject, firm[0].text, read)
    is_firm = firm[0].tokens[-1].low in _ORG_CUES or "&" in firm[0].text
    predicate = known or ("works_at" if is_firm or rest[0].low == "at" else None)
    if predicate not in {"works_at", "studies_at", "member_of", "partner_of"}:
        return None
    over_now = [Telling(Form.END)]
    return [maker.draft(subject, predicate, firm[0].text, one, clause) for one in over_now]


_ANY_MORE = re.compile(r"\b(?:any ?more|any longer)\b", re.IGNORECASE)


def _left(maker: Maker, clause: Clause, read: ReadStatement) -> list[Draft] | None:
    """ "I left Elm in April", "I quit the swim team": what is known decides which relation ends."""
    if clause.group.lemma not in {"leave", "quit", "finish"} or clause.group.phase is Phase.STOP:
        return None
    lows = [token.low for token in clause.rest[:2]]
    if lows == ["my", "job"]:
        return None
    subject = maker.subject(clause.subject)
    if subject is None:
        return None
    rest = clause.rest[1:] if lows[:1] in (["at"], ["with"]) else clause.rest
    if not strip_trailing(rest) and clause.group.lemma != "finish":
        return _left_that(maker, clause, subject)
    value = maker.nouns.single(rest, Shape.NAME) or maker.nouns.single(rest, Shape.THING)
    if not value:
        return None
    text = value[0].text
    predicate = _predicate_of(maker, subject, text, read)
    told = tell(Kind.END, clause.group, clause.times)
    named = value[0].tokens[0].capital
    if predicate is None and named and clause.group.lemma in {"leave", "quit"}:
        is_org = value[0].tokens[-1].low in _ORG_CUES or "&" in text
        planned = any(t.modality is Modality.PLANNED and t.end for t in told)
        tool = any(token.low in w.TOOLS for token in value[0].tokens)
        if not tool and (is_org or planned or clause.group.lemma == "quit"):
            predicate = "works_at"
    if predicate is None and value[0].tokens[-1].low in CLUBS and clause.group.lemma != "finish":
        predicate = "member_of"
    if predicate is None:
        return None
    return [maker.draft(subject, predicate, text, telling, clause, rule="left") for telling in told]


def _left_that(maker: Maker, clause: Clause, subject: Mention) -> list[Draft] | None:
    """ "I joined Acme in 2019 and left in 2021": what the sentence spoke of just before."""
    for draft in reversed(maker.context.drafts):
        near = draft.quote in maker.sentence.text and draft.turn == maker.context.turn.id
        same = draft.subject.text.casefold() == subject.text.casefold() or (
            draft.subject.is_self and subject.is_self
        )
        if near and same and draft.predicate in _LEAVABLE and draft.object is not None:
            told = tell(Kind.END, clause.group, clause.times)
            return [
                maker.draft(subject, draft.predicate, draft.object, one, clause, rule="left_that")
                for one in told
            ]
    return None


_LEAVABLE = words("works_at studies_at member_of lives_in assigned_to")


def _back(maker: Maker, clause: Clause, read: ReadStatement) -> list[Draft] | None:
    """ "I went back to Dune in 2022", "I'm back at Acme": the relation that was known before."""
    group, rest = clause.group, clause.rest
    lows = [token.low for token in rest[:2]]
    went = group.lemma in {"go", "come", "return"} and lows[:1] == ["to"]
    came = group.lemma in {"go", "come"} and lows == ["back", "to"]
    is_back = group.lemma == "be" and "back" in group.flags and lows[:1] in (["at"], ["on"])
    if not (is_back or came or (went and (group.lemma == "return" or "back" in group.flags))):
        return None
    subject = maker.subject(clause.subject)
    value = maker.nouns.single(rest[2 if came else 1 :], Shape.THING)
    if subject is None or not value:
        return None
    predicate = _predicate_of(maker, subject, value[0].text, read)
    if predicate is None:
        return None
    if is_back:
        told = tell(Kind.HOLD, group, clause.times)
    else:
        told = tell(Kind.BEGIN, group, clause.times)
        if told and told[0].start and told[0].modality is Modality.ASSERTED:
            told = [Telling(Form.END, end=told[0].start), Telling(Form.CHANGE, told[0].start)]
    return [
        maker.draft(subject, predicate, value[0].text, one, clause, rule="back") for one in told
    ]


def _against(maker: Maker, clause: Clause, read: ReadStatement) -> list[Draft] | None:
    """ "We've decided against the dog": a plan that was known is off."""
    rest = clause.rest
    if clause.group.lemma != "decide" or not rest or rest[0].low != "against":
        return None
    subject = maker.subject(clause.subject)
    value = maker.nouns.single(rest[1:], Shape.THING)
    if subject is None or not value:
        return []
    predicate = _predicate_of(maker, subject, value[0].text, read)
    if predicate is None:
        return []
    off = Telling(Form.CANCEL, modality=Modality.PLANNED)
    return [maker.draft(subject, predicate, value[0].text, off, clause, rule="against")]


def _couple(maker: Maker, clause: Clause, read: ReadStatement) -> list[Draft] | None:
    """ "Kim and I divorced in 2021"."""
    other = partner_in(maker, clause.subject)
    me = maker.context.me
    if other is None or me is None:
        return None
    lows = " ".join(token.low for token in clause.rest[:2])
    lemma = clause.group.lemma
    ends = lemma in {"divorce", "separate"} or (lemma == "get" and lows.startswith("divorced"))
    parted = lemma in {"break", "split"} and lows.startswith("up")
    begins = lemma == "marry" or (lemma == "get" and lows.startswith("married"))
    engaged = lemma == "get" and lows.startswith("engaged")
    if not (ends or parted or begins or engaged):
        return None
    told = tell(Kind.BEGIN if begins or engaged else Kind.END, clause.group, clause.times)
    predicate = "partner_of" if parted else "engaged_to" if engaged else "married_to"
    return [maker.draft(me, predicate, other, one, clause, rule="couple") for one in told]


def _job(maker: Maker, clause: Clause, read: ReadStatement) -> list[Draft] | None:
    """ "I quit my job", "I lost my job", "I got laid off"."""
    group, lows = clause.group, [token.low for token in clause.rest[:3]]
    whole = group.lemma in {"quit", "leave", "lose"} and lows[1:2] == ["job"]
    whole = whole and lows[0] in w.POSSESSIVE | {"his", "her", "their"}
    laid = group.lemma in {"get", "be"} and lows[:2] in (["laid", "off"],)
    fired = group.lemma in {"get", "be"} and lows[:1] in (["fired"], ["sacked"])
    if not (whole or laid or fired):
        return None
    at = 2 if whole or laid else 1
    subject = maker.subject(clause.subject)
    if subject is None:
        return []
    following = lows[at] if at < len(lows) else ""
    value = None
    if following in {"at", "from", "with"}:
        found = maker.nouns.single(clause.rest[at + 1 :], Shape.ORGANISATION)
        if not found:
            return []
        value = found[0].text
    told = tell(Kind.END, group, clause.times)
    value = value or _employer_before(maker)
    return [maker.draft(subject, "works_at", value, one, clause, rule="job") for one in told]


def _employer_before(maker: Maker) -> str | None:
    """Return whom "…, got laid off in January" speaks of: the employer the sentence named."""
    for draft in reversed(maker.context.drafts):
        near = draft.turn == maker.context.turn.id and draft.quote in maker.sentence.text
        if near and draft.predicate == "works_at" and draft.object is not None:
            return draft.object.text
    return None


def _divorced(maker: Maker, clause: Clause, read: ReadStatement) -> list[Draft] | None:
    """ "I got divorced last autumn"."""
    lows = [token.low for token in clause.rest[:2]]
    if clause.group.lemma != "get" or lows[:1] != ["divorced"]:
        return None
    subject = maker.subject(clause.subject)
    if subject is None or lows[1:] == ["from"]:
        return None if subject is not None else []
    told = tell(Kind.END, clause.group, clause.times)
    return [maker.draft(subject, "married_to", None, one, clause, rule="divorced") for one in told]


def _give_up(maker: Maker, clause: Clause, read: ReadStatement) -> list[Draft] | None:
    """ "I've given up coffee", "I stopped metformin": what is known, or the thing, decides."""
    group, rest = clause.group, clause.rest
    given = group.lemma == "give" and rest and rest[0].low == "up"
    stopped = group.lemma in {"stop", "quit"} and group.phase is Phase.WHOLE
    if not given and not stopped:
        return None
    subject = maker.subject(clause.subject)
    if subject is None:
        return []
    lows = [token.low for token in rest]
    if any(
        one == "for" and other not in {"good", "ever", "health"} for one, other in pairwise(lows)
    ):
        return []  # "for Lent": it begins again
    items = maker.nouns.items(rest[1:] if given else rest, Shape.THING)
    drafts: list[Draft] = []
    for item in items:
        low = item.text.lower()
        predicate = _predicate_of(maker, subject, item.text, read)
        value: str | None = item.text
        if predicate is None and low in {"smoking", "cigarettes"}:
            predicate, value = "smokes", None
        elif predicate is None and low in {"drinking", "alcohol", "booze"}:
            predicate, value = "drinks_alcohol", None
        elif predicate is None and low in w.MEALS_AND_DRINKS:
            predicate = "drinks"
        elif predicate is None and low in _FOODS:
            predicate = "eats"
        if predicate is not None:
            drafts.extend(
                maker.draft(subject, predicate, value, one, clause, rule="give_up")
                for one in tell(Kind.END, group, clause.times)
            )
    return drafts or None


_FOODS = words("meat sugar dairy bread cheese fish gluten chocolate sweets pork beef eggs carbs")
