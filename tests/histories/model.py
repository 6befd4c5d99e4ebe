"""One scope's memory, small and slow: what was told, when it was recorded, what is believed.

Nothing is patched and nothing is kept but the sayings: every question computes the timelines of
what was known then anew. Written from the design's words; the only thing taken from the package is
nothing at all.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from tests.histories.timeline import OPEN, Belief, Span, Told, believed, timeline

ONE = frozenset({"lives_in", "works_at", "phone_number"})
EVENTS = frozenset({"visited"})
SYMMETRIC = frozenset({"has_sibling"})
INVERSE = {"employs": "works_at"}
OPPOSITE = {"dislikes": "likes"}
TELLING = {"phone_number": "line"}
"""By predicate, the qualifier that tells its values apart."""

Line = tuple[str, str, str | None, str, str]
"""Subject, predicate, object, polarity, modality."""


@dataclass(frozen=True, kw_only=True)
class Saying:
    """One claim, as told; ``said`` is (when, record time, place)."""

    name: str
    subject: str
    predicate: str
    object: str | None
    polarity: str = "+"
    modality: str = "asserted"
    form: str = "state"
    start: Span | None = None
    end: Span | None = None
    authority: int = 100
    line: str | None = None
    said: tuple[int, int, int]
    recorded: int
    corrects: frozenset[str] = frozenset()
    heard: int | None = None

    @property
    def names(self) -> bool:
        """Whether it tells that something is so."""
        return self.form not in ("end", "cancel") and self.polarity == "+"

    @property
    def bare(self) -> bool:
        return self.form == "state" and self.start is None and self.end is None


@dataclass(frozen=True)
class Held:
    """A belief with whom and what it is about."""

    line: Line
    belief: Belief
    event: bool = False

    def shown(self, first: int, last: int, *, upcoming: bool, ended: bool) -> bool:
        """Whether a listing about ``[first, last]`` shows it."""
        belief = self.belief
        first = -OPEN if ended or self.event else first
        if believed(belief, first, last):
            return True
        if not upcoming or belief.modality != "planned" or belief.start is None:
            return False
        return belief.end is None or belief.end[1] > first


@dataclass
class World:
    """Everything told in one scope."""

    sayings: list[Saying] = field(default_factory=list[Saying])
    withdrawn: dict[str, list[tuple[int, int]]] = field(
        default_factory=dict[str, list[tuple[int, int]]]
    )
    joined: list[tuple[int, str, str]] = field(default_factory=list[tuple[int, str, str]])
    last: int = 0

    def record(self, now: int) -> int:
        """One record time a change: the clock, but always later than the last."""
        self.last = max(now, self.last + 1)
        return self.last

    def tell(self, saying: Saying) -> None:
        self.sayings.append(saying)

    def withdraw(self, names: Iterable[str], at: int) -> None:
        for name in names:
            self.withdrawn.setdefault(name, []).append((at, OPEN))

    def restore(self, names: Iterable[str], at: int) -> None:
        for name in names:
            spans = self.withdrawn.get(name, [])
            if spans and spans[-1][1] == OPEN:
                spans[-1] = (spans[-1][0], at)

    def erase(self, names: Iterable[str]) -> None:
        gone = set(names)
        self.sayings = [s for s in self.sayings if s.name not in gone]
        for name in gone:
            self.withdrawn.pop(name, None)

    def is_withdrawn(self, name: str, known: int) -> bool:
        return any(a <= known < b for a, b in self.withdrawn.get(name, []))

    # --- Names

    def roots(self, known: int) -> dict[str, str]:
        """Which name stands for each that was joined to another by then."""
        roots: dict[str, str] = {}
        for at, name, into in self.joined:
            if at > known:
                continue
            if into == "":
                roots.pop(name, None)  # split off
                continue
            target, source = roots.get(into, into), roots.get(name, name)
            for other, root in [*roots.items()]:
                if root == source:
                    roots[other] = target
            roots[source] = target
            roots.pop(target, None)
        return roots

    def join(self, name: str, into: str, at: int) -> None:
        self.joined.append((at, name, into))

    def part(self, name: str, at: int) -> None:
        self.joined.append((at, name, ""))

    # --- Believing

    def standing(self, known: int) -> tuple[list[Saying], set[str]]:
        """What counts then, and the names of what counts as withdrawn."""
        present = sorted((s for s in self.sayings if s.recorded <= known), key=lambda s: s.said)
        off = {s.name for s in present if self.is_withdrawn(s.name, known)}
        present = [s for s in present if s.name not in off]
        by_name = {s.name: s for s in present}
        stands_for: dict[str, list[str]] = {}
        taken: set[str] = set()
        for saying in present:
            if not saying.corrects:
                continue
            first: list[str] = []
            for target in saying.corrects:
                if target in by_name and target != saying.name:
                    first += stands_for.get(target, [target])
                    taken |= {target, *stands_for.get(target, [])}
            stands_for[saying.name] = first
        result: list[Saying] = []
        for saying in present:
            if saying.name in taken:
                continue
            originals = [by_name[name] for name in dict.fromkeys(stands_for.get(saying.name, []))]
            if not originals or not saying.bare:
                result.append(saying)
                continue
            for index, old in enumerate(originals):
                modality = saying.modality if saying.modality != "asserted" else old.modality
                result.append(
                    replace(
                        saying,
                        name=f"{saying.name}#{index}",
                        form=old.form,
                        start=old.start,
                        end=old.end,
                        modality=modality,
                        line=saying.line or old.line,
                        heard=old.said[0],
                    )
                )
        return result, taken | off

    def beliefs(self, known: int) -> list[Held]:
        """Everything believed, disputed or retracted by the rules, as known then."""
        roots = self.roots(known)
        families: dict[tuple[str, str], list[Saying]] = defaultdict(list)
        for saying in self.standing(known)[0]:
            stored = _stored(saying, roots)
            families[stored.subject, stored.predicate].append(stored)
        result: list[Held] = []
        for (subject, predicate), told in families.items():
            if predicate in EVENTS:
                result += _events(subject, predicate, told)
            elif predicate in ONE:
                result += _single(subject, predicate, told)
            else:
                result += _many(subject, predicate, told)
        return result

    def gone(self, known: int) -> set[Line]:
        """What was taken back by a person or a correction, as lines without a modality."""
        names = self.standing(known)[1]
        roots = self.roots(known)
        return {
            _line(_stored(saying, roots), "")
            for saying in self.sayings
            if saying.name in names and saying.recorded <= known
        }


def _stored(saying: Saying, roots: dict[str, str]) -> Saying:
    """Turn a saying into the direction and the names it is kept by."""
    subject = roots.get(saying.subject, saying.subject)
    thing = None if saying.object is None else roots.get(saying.object, saying.object)
    predicate, polarity = saying.predicate, saying.polarity
    if predicate in INVERSE and thing is not None:
        subject, thing, predicate = thing, subject, INVERSE[predicate]
    if predicate in OPPOSITE:
        predicate, polarity = OPPOSITE[predicate], "-" if polarity == "+" else "+"
    if predicate in SYMMETRIC and thing is not None:
        subject, thing = sorted((subject, thing))
    return replace(saying, subject=subject, predicate=predicate, object=thing, polarity=polarity)


def _line(saying: Saying, modality: str) -> Line:
    return saying.subject, saying.predicate, saying.object, saying.polarity, modality


def _told(saying: Saying, value: str | None, *, ending: bool = False) -> Told:
    told = form = saying.form
    start, end = saying.start, saying.end
    if ending and form not in ("cancel", "end"):
        # "Not": it ends the value where it begins.
        form, start, end = "end", None, start
    return Told(
        saying.name,
        value,
        form,
        saying.said,
        start,
        end,
        saying.modality,
        saying.authority,
        state_of_no=ending and saying.form != "end",
        is_not=ending and (told == "since" or (told == "state" and saying.start is None)),
        heard=saying.heard,
    )


def _own(line: tuple[str, str, str | None], beliefs: list[Belief], shadows: set[str]) -> list[Held]:
    """Leave out what only rests on sayings that are told in another slot."""
    subject, predicate, thing = line
    return [
        Held((subject, predicate, thing, b.value, b.modality), b)
        for b in beliefs
        if not b.claims or b.claims - shadows
    ]


def _many(subject: str, predicate: str, told: list[Saying]) -> list[Held]:
    """A slot of yes and no for each object; what names none speaks in each of them."""
    groups: dict[str, list[Saying]] = defaultdict(list)
    for saying in told:
        if saying.object is not None:
            groups[saying.object].append(saying)
    none = [s for s in told if s.object is None]
    shadows = {s.name for s in none}
    result: list[Held] = []
    for thing, group in groups.items():
        slot = [_told(s, s.polarity) for s in group]
        slot += [_told(s, "+" if s.form == "end" else s.polarity) for s in none]
        result += _own((subject, predicate, thing), timeline(slot, single=False), shadows)
    if none:
        slot = [_told(s, s.polarity) for s in none]
        others = [s for group in groups.values() for s in group if s.names]
        slot += [_told(s, "+") for s in others]
        beliefs = timeline(slot, single=False)
        result += _own((subject, predicate, None), beliefs, {s.name for s in others})
    return result


def _single(subject: str, predicate: str, told: list[Saying]) -> list[Held]:
    """One slot for each telling qualifier, and one for each value that was denied."""
    main: dict[str | None, list[Saying]] = defaultdict(list)
    rest: list[Saying] = []
    for saying in told:
        if saying.names:
            main[saying.line if predicate in TELLING else None].append(saying)
        else:
            rest.append(saying)
    result: list[Held] = []
    for group in list(main.values()) or [[]]:
        slot = [_told(s, s.object) for s in group]
        slot += [_told(s, s.object, ending=s.polarity == "-") for s in rest]
        for belief in timeline(slot, single=True):
            line = (subject, predicate, belief.value, "+", belief.modality)
            result.append(Held(line, belief))
    for thing in {s.object for s in rest if s.polarity == "-" and s.object}:
        own = [s for s in rest if s.object == thing and s.polarity == "-"]
        slot = [_told(s, "-") for s in own]
        others = [s for group in main.values() for s in group if s.object == thing]
        slot += [_told(s, "+") for s in others]
        slot += [_told(s, "+" if s.form == "end" else "-") for s in rest if s.object is None]
        shadows = {s.name for s in others} | {s.name for s in rest if s.object is None}
        result += _own((subject, predicate, thing), timeline(slot, single=False), shadows)
    return result


def _events(subject: str, predicate: str, told: list[Saying]) -> list[Held]:
    """What happened at a date is so from then on for ever; each date is a happening of its own."""
    result: list[Held] = []
    for saying in told:
        assert saying.start is not None
        last = min(saying.start.last(), max(saying.said[0], saying.start.first))
        belief = Belief(saying.object or "", (saying.start.first, last), claims={saying.name})
        line = (subject, predicate, saying.object, saying.polarity, "asserted")
        result.append(Held(line, belief, event=True))
    return result
