"""What an English verb frame tells besides: the hours, the school, the trade, the pet's name."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.extraction.patterns import en_words as w
from graphmem.extraction.patterns.en_clause import Clause
from graphmem.extraction.patterns.en_forms import Telling
from graphmem.extraction.patterns.en_frames import Frame, Kind
from graphmem.extraction.patterns.en_make import Maker
from graphmem.extraction.patterns.en_nouns import Shape, cut, name_length, strip_trailing
from graphmem.extraction.patterns.en_people import relation, role_at
from graphmem.extraction.patterns.en_tokens import Token
from graphmem.extraction.patterns.sentences import words
from graphmem.model.claim import Form, Mention
from graphmem.model.draft import Draft


def in_place(
    maker: Maker,
    clause: Clause,
    frame: Frame,
    rest: Sequence[Token],
    subjects: Sequence[Mention],
    told: Sequence[Telling],
) -> list[Draft]:
    """Return what is told instead of the frame's own predicate, if anything is."""
    if frame.predicate == "has_pet":
        return _named_pet(maker, clause, rest, subjects, told)
    if frame.predicate == "works_shift":
        return _shift_at(maker, clause, frame, rest, subjects, told)
    return []


def besides(
    maker: Maker,
    clause: Clause,
    frame: Frame,
    rest: Sequence[Token],
    subjects: Sequence[Mention],
    told: Sequence[Telling],
) -> list[Draft]:
    """Return what is told beside the frame's own predicate."""
    if frame.predicate == "studies":
        # "I study law at Ghent University": the school as well.
        return _placed(maker, clause, rest, subjects, told, predicate="studies_at", after="at")
    if frame.predicate == "works_as" and frame.kind is Kind.HOLD:
        # "I work as a nurse at St. Mary's": the employer as well.
        return _placed(maker, clause, rest, subjects, told, predicate="works_at", after="at for")
    if frame.predicate == "plays":
        return _in_band(maker, clause, rest, subjects, told)
    if frame.predicate == "lives_in":
        return _together(maker, clause, rest, subjects, told)
    if frame.predicate == "works_at" and not frame.flipped:
        return _as_trade(maker, clause, rest, subjects, told)
    return []


_NO_PETS = words("boy girl baby child son daughter kid toddler teenager policy approach system")


def _named_pet(
    maker: Maker,
    clause: Clause,
    rest: Sequence[Token],
    subjects: Sequence[Mention],
    told: Sequence[Telling],
) -> list[Draft]:
    """ "We adopted a rescue cat named Pickle"."""
    lows = [token.low for token in rest]
    at = next((n for n, low in enumerate(lows) if low in {"called", "named"}), 0)
    role = role_at(rest, at - 1) if at else None
    if role is None and at and clause.group.lemma == "adopt" and rest[at - 1].low not in _NO_PETS:
        role = ("pet", at)  # "a tortie called Maud"
    name = rest[at + 1 : at + 1 + name_length(rest[at + 1 :])]
    if role is None or not name:
        return []
    text = maker.nouns.words(name)
    return [
        draft
        for who in subjects
        for one in told
        for draft in relation(maker, who, role[0], text, one, clause)
    ]


def _shift_at(
    maker: Maker,
    clause: Clause,
    frame: Frame,
    rest: Sequence[Token],
    subjects: Sequence[Mention],
    told: Sequence[Telling],
) -> list[Draft]:
    """ "I work weekends at Café Lune": that job, told apart by its hours."""
    if len(rest) < 2 or rest[0].low not in {"at", "for"}:
        return []
    place = maker.nouns.single(rest[1:], Shape.ORGANISATION)
    beside = bool(clause.group.flags & {"also", "too"})
    return [
        maker.draft(
            who, "works_at", item.text, one, clause,
            qualifiers=(("when", frame.value or ""),), beside=beside,
        )
        for who in subjects
        for one in told
        for item in place
    ]  # fmt: skip


def _together(
    maker: Maker,
    clause: Clause,
    rest: Sequence[Token],
    subjects: Sequence[Mention],
    told: Sequence[Telling],
) -> list[Draft]:
    """ "I live in Besançon with Chloé": with whom, as well."""
    _, after = cut(rest, words("with"))
    if any(one.form is not Form.STATE for one in told):
        return []
    person: Mention | None = None
    kin = role_at(after, 2) if len(after) > 2 and after[1].low in w.POSSESSIVE else None
    if kin is not None:  # "… with my mother-in-law"
        closed = kin[1] >= len(after) or after[kin[1]].low in {"and", ",", "."}
        person = maker.noun_mention(after[1 : kin[1]]) if closed else None
    length = name_length(after[1:])
    if person is None and length and length == len(strip_trailing(after[1:])):
        person = Mention(maker.nouns.words(after[1 : 1 + length]), types=("person",))
    if person is None:
        return []
    return [maker.draft(who, "lives_with", person, one, clause) for who in subjects for one in told]


_BANDS = words("band orchestra choir quartet trio ensemble team club side duo")


def _in_band(
    maker: Maker,
    clause: Clause,
    rest: Sequence[Token],
    subjects: Sequence[Mention],
    told: Sequence[Telling],
) -> list[Draft]:
    """ "I play bass in a ska band called The Late Fees": the band as well."""
    _, after = cut(rest, words("in with for"))
    at = next((n for n, t in enumerate(after[:7]) if t.low in {"called", "named"}), 0)
    length = name_length(after[at + 1 :]) if at else 0
    if not length or after[at - 1].low not in _BANDS:
        return []
    name = maker.nouns.words(after[at + 1 : at + 1 + length])
    return [maker.draft(who, "member_of", name, one, clause) for who in subjects for one in told]


def _placed(
    maker: Maker,
    clause: Clause,
    rest: Sequence[Token],
    subjects: Sequence[Mention],
    told: Sequence[Telling],
    *,
    predicate: str,
    after: str,
) -> list[Draft]:
    """Return the organisation that stands after one of the words ``after``, as ``predicate``."""
    _, tail = cut(rest, words(after))
    place = maker.nouns.single(tail[1:], Shape.ORGANISATION) if tail else []
    return [
        maker.draft(who, predicate, item.text, one, clause)
        for who in subjects
        for one in told
        for item in place
    ]


def _as_trade(
    maker: Maker,
    clause: Clause,
    rest: Sequence[Token],
    subjects: Sequence[Mention],
    told: Sequence[Telling],
) -> list[Draft]:
    """ "I work at Mill & Sons as a bookkeeper": the trade as well."""
    lows = [token.low for token in rest]
    for at, low in enumerate(lows):
        if low == "as" and at + 1 < len(lows) and lows[at + 1] in {"a", "an", "the"}:
            title, _ = cut(rest[at + 2 :], words("and but in at for with since , . ("))
            title = strip_trailing(title)
            if title and title[-1].low in w.OCCUPATIONS and len(title) <= 4:
                text = maker.nouns.words(title)
                return [
                    maker.draft(who, "works_as", text, one, clause)
                    for who in subjects
                    for one in told
                ]
    return []
