"""From how a verb is put to what its source witnesses: form, bounds, polarity, modality.

The table of forms in docs/concepts.md, for English.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from graphmem.extraction.normalize.types import TimeRole
from graphmem.extraction.patterns.en_frames import Kind
from graphmem.extraction.patterns.en_group import Group, Phase
from graphmem.extraction.patterns.en_times import TimePhrase
from graphmem.model.claim import Correction, Form, Modality, Polarity


@dataclass(frozen=True, slots=True)
class Telling:
    """How a thing is told; fields as in ``Draft``. ``news``: a change told as news."""

    form: Form = Form.STATE
    start: str | None = None
    end: str | None = None
    polarity: Polarity = Polarity.POSITIVE
    modality: Modality = Modality.ASSERTED
    correction: Correction | None = None
    news: bool = False


_NO = Polarity.NEGATIVE
_PLANNED = Modality.PLANNED


@dataclass(frozen=True, slots=True)
class _Times:
    """The time phrases of a clause, by what they say."""

    at: TimePhrase | None = None
    start: TimePhrase | None = None
    end: TimePhrase | None = None
    lasting: TimePhrase | None = None
    length: TimePhrase | None = None
    bounds: tuple[str, str] | None = None
    ahead: bool = False
    open: bool = False

    @classmethod
    def of(cls, phrases: Sequence[TimePhrase]) -> _Times:
        found: dict[TimeRole, TimePhrase] = {}
        for phrase in sorted(phrases, key=lambda each: each.clock):
            found.setdefault(phrase.role, phrase)
        span = found.get(TimeRole.RANGE)
        return cls(
            at=found.get(TimeRole.AT),
            start=found.get(TimeRole.START),
            end=found.get(TimeRole.END),
            lasting=found.get(TimeRole.LASTING),
            length=found.get(TimeRole.LENGTH),
            bounds=(span.halves or (span.phrase, span.phrase)) if span else None,
            ahead=any(phrase.ahead for phrase in phrases),
            open=span is not None and span.open,
        )

    @property
    def moment(self) -> TimePhrase | None:
        """The date a change is told with."""
        if self.start is not None and not self.start.phrase.lower().startswith("since"):
            return self.at or self.start
        return self.at


def tell(
    kind: Kind, group: Group, phrases: Sequence[TimePhrase], *, cue: bool = False
) -> list[Telling]:
    """Return how a frame of ``kind`` is told; nothing where it is not told as so.

    ``cue`` says that words of the clause place it in the past ("as a kid", "back then").
    """
    if group.unreal or group.to_do:
        return []
    # "after four" narrows a habit; it does not date it.
    dated = [phrase for phrase in phrases if kind is not Kind.HOLD or not phrase.clock]
    times = _Times.of(dated)
    phase = group.phase
    if phase is Phase.STOP:
        return _end(group, times)
    if phase is Phase.START:
        return _begin(group, times)
    if phase is Phase.USED:
        if kind is not Kind.HOLD or group.negated:
            return []
        return [_used(times)]
    match kind:
        case Kind.BEGIN:
            return _begin(group, times)
        case Kind.END:
            return _end(group, times)
        case Kind.EVENT:
            return _event(group, times)
        case Kind.HOLD:
            told = _hold(group, times, cue)
    return [_softened(one, group) for one in told]


def _softened(telling: Telling, group: Group) -> Telling:
    if group.modality is Modality.POSSIBLE and telling.modality is Modality.ASSERTED:
        return replace(telling, modality=Modality.POSSIBLE)
    return telling


def _used(times: _Times) -> Telling:
    if times.bounds:
        return Telling(Form.PAST, times.bounds[0], times.bounds[1])
    end = times.end.phrase if times.end else None
    return Telling(Form.END, end=end)


def _begin(group: Group, times: _Times) -> list[Telling]:
    moment = times.moment
    start = moment.phrase if moment else None
    planned = _is_planned(group, times)
    if group.negated:
        return [Telling(Form.CANCEL, modality=_PLANNED)] if planned else []
    if group.modality is Modality.POSSIBLE:
        return [Telling(Form.CHANGE, start, modality=Modality.POSSIBLE)]
    if planned:
        return [Telling(Form.CHANGE, start, modality=_PLANNED)]
    if not (group.past or group.perfect):
        return []  # "I join the queue": a habit, or a stage direction
    if times.bounds:
        return [Telling(Form.PAST, times.bounds[0], times.bounds[1])]
    if moment is not None and moment.news and not (group.past and group.perfect):
        return [Telling(Form.SINCE, start, news=True)]
    return [Telling(Form.CHANGE, start)]


def _is_planned(group: Group, times: _Times) -> bool:
    if group.modality is Modality.PLANNED or "plan" in group.flags:
        return True
    if group.past or group.perfect:
        return False
    return group.progressive or times.ahead or times.moment is not None


def _end(group: Group, times: _Times) -> list[Telling]:
    moment = times.at or times.end or times.start
    end = moment.phrase if moment else None
    if group.modality is Modality.POSSIBLE:
        return [] if group.negated else [Telling(Form.END, end=end, modality=Modality.POSSIBLE)]
    if _is_planned(group, times):
        if group.negated:
            return [Telling(Form.CANCEL, modality=_PLANNED)]
        planned = Telling(Form.END, end=end, modality=_PLANNED)
        return [Telling(), planned] if group.progressive and end else [planned]
    if group.negated or not (group.past or group.perfect) or times.length:
        return []  # "left in 2021 for a year": and came back
    return [Telling(Form.END, end=end)]


def _event(group: Group, times: _Times) -> list[Telling]:
    start = times.moment.phrase if times.moment else None
    if group.negated:
        if group.never and not group.unreal:
            return [Telling(polarity=_NO)] if group.perfect else []
        planned = _is_planned(group, times) and (group.progressive or group.modality is _PLANNED)
        return [Telling(Form.CANCEL, modality=_PLANNED)] if planned else []
    if group.modality is Modality.POSSIBLE:
        return [Telling(start=start, modality=Modality.POSSIBLE)]
    if group.modality is Modality.PLANNED or "plan" in group.flags:
        return [Telling(start=start, modality=_PLANNED)]
    if group.past or group.perfect:
        return [Telling(start=start)]
    if times.moment is not None and (times.ahead or group.progressive):
        return [Telling(start=start, modality=_PLANNED)]
    return []


def _hold(group: Group, times: _Times, cue: bool) -> list[Telling]:
    if group.modality is Modality.PLANNED or "plan" in group.flags:
        return _hold_planned(group, times)
    if group.negated:
        told = _hold_not(group, times)
    elif group.perfect and not group.past:
        told = _hold_perfect(group, times)
    elif group.past:
        told = _hold_past(group, times, cue)
    else:
        told = _hold_now(group, times)
    return [told] if told else []


def _hold_planned(group: Group, times: _Times) -> list[Telling]:
    moment = times.moment
    start = moment.phrase if moment else None
    if moment is None and "plan" not in group.flags:
        return []  # "I'll use filters": said of the task in hand
    if group.modality is Modality.POSSIBLE:
        return [] if group.negated else [Telling(Form.CHANGE, start, modality=Modality.POSSIBLE)]
    if group.negated:
        return [Telling(Form.CANCEL, modality=_PLANNED)]
    return [Telling(Form.CHANGE, start, modality=_PLANNED)]


def _hold_not(group: Group, times: _Times) -> Telling | None:
    if times.bounds:
        return Telling(Form.PAST, times.bounds[0], times.bounds[1], polarity=_NO)
    if group.perfect:
        since = times.start or times.lasting or times.length
        if since:
            return Telling(Form.SINCE, since.phrase, polarity=_NO)
        if times.at is not None and times.at.phrase.lower().startswith("in "):
            return Telling(Form.SINCE, polarity=_NO)  # "haven't eaten meat in ten years"
        return Telling(Form.SINCE, polarity=_NO) if group.never else None
    if group.past:
        return Telling(start=times.at.phrase, polarity=_NO) if times.at else None
    return Telling(polarity=_NO)


def _hold_perfect(group: Group, times: _Times) -> Telling | None:
    done = times.at if times.at is not None and not times.at.ahead else None
    since = times.start or times.lasting or times.length or done
    if since:
        return Telling(Form.SINCE, since.phrase)
    if group.progressive or group.flags & {"always", "lately", "recently"}:
        return Telling(Form.SINCE)
    return None  # "I've lived in Rome": once, or still, nobody can tell


def _hold_past(group: Group, times: _Times, cue: bool) -> Telling | None:
    if times.bounds:
        return Telling(Form.PAST, times.bounds[0], times.bounds[1])
    if times.end and times.length:  # "for three years until 2020"
        return Telling(Form.PAST, times.length.phrase, times.end.phrase)
    if times.end:
        return Telling(Form.END, end=times.end.phrase)
    if times.at and not times.ahead:
        return Telling(start=times.at.phrase)
    if times.length:
        return Telling(Form.END, end=times.length.phrase)
    return Telling(Form.END) if cue else None


def _hold_now(group: Group, times: _Times) -> Telling | None:
    if times.bounds and times.open and not times.ahead:  # begun, and its end lies ahead
        return Telling(Form.SINCE, times.bounds[0], times.bounds[1])
    if times.bounds:
        modality = _PLANNED if times.ahead else Modality.ASSERTED
        return Telling(Form.PAST, times.bounds[0], times.bounds[1], modality=modality)
    if times.start and times.start.ahead:
        return Telling(Form.CHANGE, times.start.phrase, modality=_PLANNED)
    if times.start:
        return Telling(Form.SINCE, times.start.phrase)
    if times.at and times.at.ahead:
        return Telling(Form.CHANGE, times.at.phrase, modality=_PLANNED)
    if times.end:
        return Telling(end=times.end.phrase)
    if times.at and times.at.phrase.lower().startswith(("this ", "today", "tonight")):
        return Telling(start=times.at.phrase)  # for the time being
    if "still" in group.flags or group.phase is Phase.KEEP:
        return Telling(Form.SINCE)
    if "again" in group.flags or "back" in group.flags:
        return Telling(Form.CHANGE)
    return Telling()
