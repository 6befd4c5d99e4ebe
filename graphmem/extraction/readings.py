"""Reads the single values of a model's claim: enumerations, kinds, time phrases."""

from __future__ import annotations

import re

from graphmem.extraction.normalize import Anchor, TimeReading, TimeRole, find_times, read_time
from graphmem.extraction.view import TurnView
from graphmem.extraction.wire import WireClaim
from graphmem.model.claim import Form, Modality, Polarity
from graphmem.model.entity import ValueKind
from graphmem.model.predicate import Resolved, ValueType

PHRASE_LIMIT = 100

_POLARITIES = {
    Polarity.POSITIVE: ("", "+", "positive", "pos", "true", "affirmative", "affirmed", "yes", "1"),
    Polarity.NEGATIVE: ("-", "−", "–", "negative", "neg", "false", "negated", "denied", "no", "-1"),
}
_MODALITIES = {
    Modality.ASSERTED: ("", "asserted", "assertion", "fact", "factual", "certain", "actual",
                        "real", "stated", "definite", "current", "active", "confirmed"),
    Modality.PLANNED: ("planned", "plan", "intended", "intention", "future", "scheduled"),
    Modality.POSSIBLE: ("possible", "possibility", "uncertain", "maybe", "probable", "likely",
                        "tentative"),
}  # fmt: skip
_TOOK_PLACE = ("event", "happened", "happening", "occurred", "once")
_FORMS = {
    Form.STATE: ("", "state", "present", "current", "none", "static", "ongoing"),
    Form.SINCE: ("since", "continuing", "still"),
    Form.CHANGE: (
        "change",
        "started",
        "start",
        "begin",
        "began",
        "new",
        "changed",
        *_TOOK_PLACE,
    ),
    Form.PAST: ("past", "historical", "history", "finished", "completed"),
    Form.END: ("end", "ended", "ending", "stopped", "stop", "former", "terminated"),
    Form.CANCEL: ("cancel", "cancelled", "canceled", "called off"),
}
_KINDS = {
    ValueType.ENTITY: ValueKind.ENTITY,
    ValueType.TEXT: ValueKind.TEXT,
    ValueType.NUMBER: ValueKind.NUMBER,
    ValueType.DATE: ValueKind.DATE,
}
_NO_PHRASE = frozenset({"none", "null", "n/a", "unknown", "unspecified", "-", "无", "未知", "不详"})
_OPEN_END = frozenset(
    {
        "now",
        "present",
        "the present",
        "ongoing",
        "currently",
        "today",
        "至今",
        "现在",
        "目前",
        "如今",
    }
)
_NUMBER = re.compile(r"[\d.,]+\s?\S{0,12}")


def polarity_named(word: str) -> Polarity | None:
    """Return the polarity a model means, or None if that cannot be told."""
    folded = word.strip().casefold()
    return next((value for value, names in _POLARITIES.items() if folded in names), None)


def modality_named(word: str) -> Modality | None:
    """Return the modality a model means, or None if that cannot be told."""
    folded = word.strip().casefold()
    return next((value for value, names in _MODALITIES.items() if folded in names), None)


def form_of(word: str) -> Form | None:
    """Return the form a model means, or None if that cannot be told."""
    folded = word.strip().casefold()
    return next((value for value, names in _FORMS.items() if folded in names), None)


def kind_of(named: str, words: str, resolved: Resolved) -> ValueKind:
    """Return what an object is: what the registry says, else the model, else by its looks."""
    if resolved.known and resolved.predicate.value is not ValueType.NONE:
        # Called by its inverse, the object is the side that always is an entity.
        return ValueKind.ENTITY if resolved.flipped else _KINDS[resolved.predicate.value]
    folded = named.strip().casefold()
    if folded in {kind.value for kind in ValueKind} and folded != ValueKind.BOOLEAN.value:
        return ValueKind(folded)
    return ValueKind.NUMBER if _NUMBER.fullmatch(words) else ValueKind.ENTITY


def phrase_of(phrase: str, view: TurnView, *, is_end: bool = False) -> str | None:
    """Return a time phrase in the turn's own words, or None if the turn does not have it.

    A phrase that the model made up, or already turned into a date, is no phrase; a short answer
    may have it from what was asked. Of words around the one time in it ("after the reshuffle in
    March") the time is returned.
    """
    folded = phrase.strip().casefold()
    if not folded or folded in _NO_PHRASE or len(phrase) > PHRASE_LIMIT:
        return None
    if is_end and folded in _OPEN_END:
        return None
    span = view.said.find(phrase)
    if span is not None:
        return _alone(view.said.content[span[0] : span[1]], view)
    asked = view.asked  # "You start on 1 June, don't you?" "Exactly."
    span = None if asked is None else asked.said.find(phrase)
    return None if asked is None or span is None else asked.said.content[span[0] : span[1]]


def _alone(words: str, view: TurnView) -> str:
    """Return the one time phrase among ``words`` that can be read, if they cannot as a whole."""
    if _reading(words, view) is not None:
        return words
    found = [each.phrase for each in find_times(words) if _reading(each.phrase, view)]
    return found[0] if len(found) == 1 else words


def was_over(claim: WireClaim, start: str, view: TurnView) -> bool:
    """Say whether what a claim denies was so for a stretch that was over by the turn.

    "I didn't drink in March" says nothing of April, whatever field or form March came in; "since
    March", "in March I stopped" and a bare start do.
    """
    reading = _reading(start, view)
    if reading is None or reading.role is not TimeRole.AT or reading.start is None:
        return False
    if reading.start.after > view.turn.occurred_at or _ALREADY.search(view.turn.content):
        return False
    told = (claim.start, claim.at, claim.duration)
    whole = any(_ALL_OF_IT.search(phrase) for phrase in told)
    form = claim.form.strip().casefold()
    if form_of(form) is Form.CHANGE:
        return form in _TOOK_PLACE
    return form_of(form) is Form.PAST or whole or not claim.start.strip()


def is_date(phrase: str, view: TurnView) -> bool:
    """Say whether a phrase tells when something was or began."""
    reading = _reading(phrase, view)
    return reading is not None and reading.start is not None


def _reading(phrase: str, view: TurnView) -> TimeReading | None:
    return read_time(phrase, Anchor(view.turn.occurred_at, view.turn.zone))


_SO_FAR = re.compile(
    r"\b(?:have|has|been|still)\b|['’](?:ve|s been)\b|已经|已|至今|到现在|了.{0,12}了",
    re.IGNORECASE,
)
_ALREADY = re.compile(r"\balready\b|已经|早就|就已", re.IGNORECASE)
"""What was so already then goes on."""
_MEANWHILE = re.compile(
    r"\b(?:while|during|covers?|covering|stands? in|standing in|fills? in|filling in|temporarily"
    r"|in the meantime)\b|期间|暂时|临时|代班|顶替",
    re.IGNORECASE,
)
_ALL_OF_IT = re.compile(r"\b(?:whole|entire|all)\b|整|全", re.IGNORECASE)


def _meanwhile(claim: WireClaim, form: Form, sentence: str) -> bool:
    """Say whether a plan is one for its time alone: "while he's away in June, she leads it"."""
    ahead = modality_named(claim.modality) is Modality.PLANNED
    return ahead and form is Form.STATE and bool(_MEANWHILE.search(sentence))


def bounds_of(
    claim: WireClaim, view: TurnView, form: Form, sentence: str
) -> tuple[str | None, str | None]:
    """Return the phrases for a claim's start and end.

    What happened at a time began then. A length gives the bound that is missing where the other is
    told, or where it lasts until now ("I've been there for three years"); else it gives none.
    """
    start = phrase_of(claim.start, view) or phrase_of(claim.at, view)
    end = phrase_of(claim.end, view, is_end=True)
    length = phrase_of(claim.duration, view)
    if start is not None and _ALL_OF_IT.search(claim.duration):
        length = None  # "in March, the whole month" is March
    if start and not (end or length or claim.start.strip()) and _meanwhile(claim, form, sentence):
        return start, start
    if length is None or (start is not None and end is not None):
        return start, end
    if start is not None:
        return start, length if form not in (Form.END, Form.CANCEL) else end
    lasts = form is Form.SINCE or (form is Form.STATE and _SO_FAR.search(sentence))
    return (length, end) if end is not None or lasts else (None, None)
