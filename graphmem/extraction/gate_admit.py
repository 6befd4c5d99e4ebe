"""Which drafts of a batch become claims: asked for, important enough, within the cap. Pure.

What ends, denies, corrects or calls off something always passes: to leave it out would keep alive
what was said to be over. So does what a turn explicitly asks to remember.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from graphmem.extraction.gate_remember import Asked, asked_to_remember
from graphmem.extraction.patterns.frame import speaker_of
from graphmem.model.claim import Form, Mention, Polarity
from graphmem.model.draft import Batch, Draft, Extraction
from graphmem.model.entity import ValueKind
from graphmem.model.episode import Episode, Role

UNIMPORTANT, OVER_THE_CAP, REPEAT = "unimportant", "over the cap", "repeat"
TOP_CONFIDENCE = 1.0
ASKED_IMPORTANCE = 9
LONG = 200
"""Characters from which a turn's words mean the same wherever they stand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gates:
    """What is let in.

    Attributes:
        least: importance, 1 to 10, below which a claim is left out.
        most: claims that one turn may add, the most important ones; None is no limit.
        by_model: a model reads, which costs by the turn and may leave out what it was asked to
            keep.
    """

    least: int = 1
    most: int | None = None
    by_model: bool = False


def admitted(extraction: Extraction, batch: Batch, gates: Gates) -> Extraction:
    """Return what of an extraction is let in; what is left out is counted."""
    drafts = list(extraction.drafts)
    if gates.by_model:
        drafts = _with_asked(drafts, batch, extraction.failed)
    refused = Counter(extraction.refused)
    kept: list[Draft] = []
    for draft in drafts:
        if draft.importance < gates.least and not _stays(draft):
            refused[UNIMPORTANT] += 1
        else:
            kept.append(draft)
    if gates.most is not None:
        within = _within_cap(kept, gates.most)
        refused[OVER_THE_CAP] += len(kept) - len(within)
        kept = within
    counted = {kind: count for kind, count in refused.items() if count}
    return replace(extraction, drafts=tuple(kept), refused=counted)


def _stays(draft: Draft) -> bool:
    return (
        _asked_for(draft)
        or draft.form in (Form.END, Form.CANCEL)
        or draft.polarity is Polarity.NEGATIVE
        or draft.correction is not None
    )


def _asked_for(draft: Draft) -> bool:
    return draft.confidence >= TOP_CONFIDENCE and draft.importance >= ASKED_IMPORTANCE


def _within_cap(drafts: Sequence[Draft], most: int) -> list[Draft]:
    """Leave out the least important of what a turn adds beyond ``most``; of equals, the later."""
    by_turn: defaultdict[str, list[int]] = defaultdict(list)
    asked: Counter[str] = Counter()
    for place, draft in enumerate(drafts):
        if _stays(draft):
            asked[draft.turn] += _asked_for(draft)
        else:
            by_turn[draft.turn].append(place)
    gone: set[int] = set()
    for turn, places in by_turn.items():
        ranked = sorted(places, key=lambda place: (-drafts[place].importance, place))
        gone.update(ranked[max(0, most - asked[turn]) :])
    return [draft for place, draft in enumerate(drafts) if place not in gone]


# --- explicit requests to remember


def _with_asked(drafts: Sequence[Draft], batch: Batch, failed: Mapping[str, str]) -> list[Draft]:
    """Raise what turns ask to remember, and keep their own words where nothing was drafted."""
    by_turn: defaultdict[str, list[Draft]] = defaultdict(list)
    for draft in drafts:
        by_turn[draft.turn].append(draft)
    result: list[Draft] = []
    for turn in batch.turns:
        own = by_turn.pop(turn.id, [])
        if turn.role is Role.USER and turn.id not in failed:
            own = _asked_in(turn, own, batch)
        result += own
    return [*result, *(draft for left in by_turn.values() for draft in left)]


def _asked_in(turn: Episode, drafts: list[Draft], batch: Batch) -> list[Draft]:
    asked = asked_to_remember(turn.content)
    if not asked:
        return drafts
    me = speaker_of(turn, batch.known)
    result = [_raised(d) if any(_rests_in(d, a, turn) for a in asked) else d for d in drafts]
    for each in asked:
        if me is None or not me.is_self:
            continue  # people tell each other to remember
        if not any(_rests_in(draft, each, turn) for draft in drafts):
            result.append(_note(turn, each, me))
    return result


def _raised(draft: Draft) -> Draft:
    importance = max(draft.importance, ASKED_IMPORTANCE)
    return replace(draft, confidence=TOP_CONFIDENCE, importance=importance)


def _rests_in(draft: Draft, asked: Asked, turn: Episode) -> bool:
    text = turn.content[asked.begin : asked.stop]
    if draft.quote in text or text in draft.quote:
        return True
    at = turn.content.find(draft.quote)
    return 0 <= at < asked.stop and at + len(draft.quote) > asked.begin


def _note(turn: Episode, asked: Asked, me: Mention) -> Draft:
    return Draft(
        turn=turn.id,
        quote=turn.content[asked.begin : asked.stop],
        subject=me,
        predicate="remember",
        object=Mention(asked.words, ValueKind.TEXT),
        confidence=TOP_CONFIDENCE,
        importance=ASKED_IMPORTANCE,
        statement=asked.words,
        rule="remember",
    )


# --- repeated turns


def repeats(turns: Sequence[Episode]) -> dict[str, str]:
    """Return which turns say again, word for word, what an earlier one of the batch says.

    "Yes." is another answer to another question, and "she" somebody else by then. So only what
    comes right after itself counts, what follows the same two turns, and what is long enough to
    stand by itself.
    """
    first: dict[object, str] = {}
    found: dict[str, str] = {}
    before: tuple[object, ...] = (None, None)
    for turn in turns:
        said = (turn.session, turn.role, turn.speaker, turn.content)
        keys: list[object] = [(said, before)]
        if len(turn.content) >= LONG:
            keys.append(said)
        again = first.get((said, "last")) if said == before[-1] else None
        again = again or next((first[key] for key in keys if key in first), None)
        if again is not None and turn.role in (Role.USER, Role.DOCUMENT):
            found[turn.id] = again
        for key in (*keys, (said, "last")):
            first.setdefault(key, again or turn.id)
        if said != before[-1]:
            before = (before[-1], said)
    return found


def said_again(extraction: Extraction, again: Mapping[str, str]) -> Extraction:
    """Give turns that repeat others what those were read to say, at no cost.

    To say a thing again is to witness it again, so it is not left out.
    """
    if not again:
        return extraction
    by_turn: defaultdict[str, list[Draft]] = defaultdict(list)
    for draft in extraction.drafts:
        by_turn[draft.turn].append(draft)
    copies = [replace(d, turn=turn) for turn, of in again.items() for d in by_turn[of]]
    failed = {t: extraction.failed[of] for t, of in again.items() if of in extraction.failed}
    refused = Counter(extraction.refused)
    refused[REPEAT] += len(again) - len(failed)
    return replace(
        extraction,
        drafts=(*extraction.drafts, *copies),
        failed={**extraction.failed, **failed},
        refused={kind: count for kind, count in refused.items() if count},
    )
