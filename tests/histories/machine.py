"""A state machine that tells a memory and its model the same, and compares what they believe."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from tests.histories.days import DAY, FAR, START, date, day_span, month_span, noon
from tests.histories.house import SCOPES, Asked, House, Scope
from tests.histories.timeline import Span

PLACES = ("Riga", "Cesis", "杭州")
FIRMS = ("Larch", "Kite")
THINGS = ("tea", "opera")
PEOPLE = ("Noor", "Tom")
SUBJECTS = ("me", "me", "Noor", "我")
MONTHS = tuple(range(3))

scopes = st.sampled_from((SCOPES[0],) * 6 + SCOPES[1:])
days = st.integers(0, 90)
ahead = st.integers(101, 130)
numbers = st.integers(0, 40)
sources = st.sampled_from(("user", "user", "user", "user", "document", "assistant"))

_2024 = Span(START - 366 * DAY, START, coarse=True)
SENTENCES: tuple[tuple[str, dict[str, Any]], ...] = (  # Any: fields of Saying, by name
    ("I live in Riga.", {"predicate": "lives_in", "object": "Riga"}),
    ("我住在杭州。", {"predicate": "lives_in", "object": "杭州"}),
    ("I've moved to Cesis.", {"predicate": "lives_in", "object": "Cesis", "form": "change"}),
    ("我搬到杭州了。", {"predicate": "lives_in", "object": "杭州", "form": "change"}),
    ("I still live in Riga.", {"predicate": "lives_in", "object": "Riga", "form": "since"}),
    ("我还住在杭州。", {"predicate": "lives_in", "object": "杭州", "form": "since"}),
    (
        "I've lived in Riga since 2024.",
        {"predicate": "lives_in", "object": "Riga", "form": "since", "start": _2024},
    ),
    ("I no longer live in Riga.", {"predicate": "lives_in", "object": "Riga", "polarity": "-"}),
    ("我不住在杭州了。", {"predicate": "lives_in", "object": "杭州", "polarity": "-"}),
    ("I work at Larch.", {"predicate": "works_at", "object": "Larch"}),
    ("I like tea.", {"predicate": "likes", "object": "tea"}),
    ("I don't like tea.", {"predicate": "likes", "object": "tea", "polarity": "-"}),
    (
        "I might move to Cesis.",
        {"predicate": "lives_in", "object": "Cesis", "form": "change", "modality": "possible"},
    ),
)
PLAIN = {
    "form": "state",
    "polarity": "+",
    "modality": "asserted",
    "start": None,
    "end": None,
    "authority": 100,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """A statement: of whom, which of some things, said when by whom, and how it is put."""

    subject: str
    kind: tuple[str, tuple[str, ...]]
    which: int
    said: int | None
    source: str
    shape: str
    first: int
    length: int
    no: int
    inverse: bool


tellings = st.builds(
    Telling,
    subject=st.sampled_from(SUBJECTS),
    kind=st.sampled_from(
        (
            ("lives_in", PLACES),
            ("lives_in", PLACES),
            ("works_at", FIRMS),
            ("likes", THINGS),
            ("dislikes", THINGS),
            ("drinks", THINGS),
        )
    ),
    which=numbers,
    said=st.one_of(st.none(), days, days),
    source=sources,
    shape=st.sampled_from(("state", "state", "change", "month", "past", "end", "until")),
    first=days,
    length=st.integers(1, 40),
    no=st.integers(0, 4),
    inverse=st.booleans(),
)


class Histories(RuleBasedStateMachine):
    """Every verb of the client, with small alphabets, so that things meet."""

    def __init__(self, house: House | None = None) -> None:
        super().__init__()
        self.house = house or House()
        self.touched: Scope | None = None

    def teardown(self) -> None:
        self.house.leave()

    # --- Telling

    def _tell(
        self,
        scope: Scope,
        subject: str,
        predicate: str,
        thing: str | None,
        said: int | None,
        **more: Any,  # Any: arguments of add_fact, by name
    ) -> None:
        house = self.house
        before = house.listed(scope)
        given: dict[str, Any] = {"subject": subject, "predicate": predicate, "object": thing}
        if said is not None:
            given["occurred_at"] = f"{date(said)}T12:00:00+00:00"
        given |= {"form": "state", "start": None, "end": None} | more
        house.tell(scope, **given)
        house.steady(scope, before)
        self._look(scope)

    @rule(scope=scopes, told=tellings)
    def tell(self, scope: Scope, told: Telling) -> None:
        """State a fact, dated or not, of any age, from any source."""
        self._state(scope, told)

    def _state(self, scope: Scope, told: Telling) -> None:
        shape, length = told.shape, told.length
        predicate, things = told.kind
        thing = things[told.which % len(things)]
        latest = (self.house.now - START) // DAY if told.said is None else told.said
        first = min(told.first, latest)
        more: dict[str, Any] = {"source": told.source}
        if shape == "change":
            more |= {"valid_from": date(first), "start": day_span(first), "form": "change"}
        elif shape == "month":
            words, span = month_span(told.which % 3)
            if span.first > noon(latest):
                return
            more |= {"valid_from": words, "start": span, "form": "change"}
        elif shape == "past":
            end = first + length
            more |= {"valid_from": date(first), "valid_to": date(end), "form": "past"}
            more |= {"start": day_span(first), "end": day_span(end)}
        elif shape == "end":
            more |= {"valid_to": date(first), "end": day_span(first), "form": "end"}
        elif shape == "until":
            more |= {"valid_to": date(latest + length), "end": day_span(latest + length)}
        if told.no == 0 and shape in ("state", "change"):
            more["polarity"] = "-"
        ends = told.subject, predicate, thing
        if told.inverse and predicate == "works_at" and told.subject != "我":
            ends = thing, "employs", told.subject
        self._tell(scope, *ends, told.said, **more)

    @rule(
        scope=scopes,
        told=st.lists(
            st.tuples(
                st.sampled_from(PLACES),
                days,
                st.sampled_from(("state", "change", "past", "end", "until", "no")),
                days,
                st.integers(1, 40),
            ),
            min_size=3,
            max_size=5,
        ),
    )
    def story(self, scope: Scope, told: list[tuple[str, int, str, int, int]]) -> None:
        """Tell where somebody lived, out of order, in one go."""
        for place, said, shape, first, length in told:
            telling = Telling(
                subject="me",
                kind=("lives_in", (place,)),
                which=0,
                said=said,
                source="user",
                shape="state" if shape == "no" else shape,
                first=first,
                length=length,
                no=0 if shape == "no" else 1,
                inverse=False,
            )
            self._state(scope, telling)

    @rule(
        scope=scopes,
        place=st.sampled_from(PLACES),
        said=days,
        start=ahead,
        length=st.one_of(st.none(), st.integers(1, 9)),
        dated=st.booleans(),
        modality=st.sampled_from(("planned", "possible")),
    )
    def plan(
        self,
        scope: Scope,
        place: str,
        said: int,
        start: int,
        length: int | None,
        dated: bool,
        modality: str,
    ) -> None:
        """Plan a move near or far ahead, for a while or for good, or only think of it."""
        start = said + 1 + start % 30
        more: dict[str, Any] = {}
        if not dated:
            more["modality"] = modality
        else:
            more |= {"valid_from": date(start), "start": day_span(start), "form": "change"}
            more["heard_as"] = "planned"
            if length is not None:
                more |= {"valid_to": date(start + length), "end": day_span(start + length)}
                more["form"] = "past"
        self._tell(scope, "me", "lives_in", place, said, **more)

    @rule(
        scope=scopes,
        said=days,
        what=st.sampled_from(("no pets", "pet", "gone", "quit", "visit", "sibling", "phone")),
        which=numbers,
        first=days,
    )
    def tell_other(self, scope: Scope, said: int, what: str, which: int, first: int) -> None:
        """State what names no object, what happens, what holds both ways, what is told apart."""
        first = min(first, said)
        dated = {"start": day_span(first)}
        if what == "no pets":
            self._tell(scope, "me", "has_pet", None, said, polarity="-")
        elif what == "pet":
            self._tell(scope, "me", "has_pet", ("Miso", "Nori")[which % 2], said)
        elif what == "gone":
            more = {"valid_to": date(first), "end": day_span(first), "form": "end"}
            self._tell(scope, "me", "has_pet", None, said, **more)
        elif what == "quit":
            more = {"valid_to": date(first), "end": day_span(first), "form": "end"}
            self._tell(scope, "me", "works_at", None, said, **more)
        elif what == "visit":
            place = PLACES[which % 2]
            more = {"valid_from": date(first), "form": "change"} | dated
            self._tell(scope, "me", "visited", place, said, **more)
        elif what == "sibling":
            ends = ("me", PEOPLE[which % 2])
            subject, other = ends if which % 3 else ends[::-1]
            self._tell(scope, subject, "has_sibling", other, said)
        else:
            line = ("work", "home")[which % 2]
            number = ("555 01", "555 02", "555 03")[which % 3]
            more = {"qualifiers": {"line": line}}
            self._tell(scope, "me", "phone_number", number, said, **more)

    @rule(scope=scopes, sentence=st.sampled_from(SENTENCES), day=days)
    def say(self, scope: Scope, sentence: tuple[str, dict[str, Any]], day: int) -> None:
        """Say a sentence whose reading is plain; perhaps one said before."""
        text, parts = sentence
        before = self.house.listed(scope)
        self.house.say(scope, text, day, **PLAIN | parts)
        self.house.steady(scope, before)
        self._look(scope)

    # --- Doing

    @rule(scope=scopes, index=numbers, which=numbers, day=st.one_of(st.none(), st.none(), days))
    def correct(self, scope: Scope, index: int, which: int, day: int | None) -> None:
        """Put another value, or another date, in the place of a fact's."""
        fact = self.house.pick(scope, index)
        if fact is None or fact.object is None:
            return
        things = {"lives_in": PLACES, "works_at": FIRMS, "likes": THINGS, "drinks": THINGS}
        if fact.predicate not in things or fact.object.text not in things[fact.predicate]:
            return
        own = things[fact.predicate]
        if fact.polarity.value == "-" or fact.status.value == "disputed":
            day = None
        self.house.correct(scope, index, own[which % len(own)], day)
        self._look(scope)

    @rule(scope=scopes, index=numbers)
    def retract(self, scope: Scope, index: int) -> None:
        """Take a fact back."""
        self.house.retract(scope, index)
        self._look(scope)

    @rule(scope=scopes, index=numbers)
    def restore(self, scope: Scope, index: int) -> None:
        """Let a fact that was taken back stand again."""
        self.house.restore(scope, index)
        self._look(scope)

    @rule(
        scope=scopes,
        index=numbers,
        what=st.sampled_from(("fact", "episode", "fact", "episode", "user")),
    )
    def erase(self, scope: Scope, index: int, what: str) -> None:
        """Erase a fact, a turn, or (seldom) a user."""
        if what == "user" and index % 4:
            return
        self.house.erase(scope, index, what)
        self._look(scope)

    @rule(scope=scopes, pair=st.permutations(PLACES))
    def merge(self, scope: Scope, pair: list[str]) -> None:
        """Make one place of two."""
        self.house.merge(scope, pair[0], pair[1])
        self._look(scope)

    @rule(scope=scopes, name=st.sampled_from(PLACES))
    def split(self, scope: Scope, name: str) -> None:
        """Make two places of one again."""
        self.house.split(scope, name)
        self._look(scope)

    # --- The process and its clocks

    @rule(seconds=st.integers(1, 3_000_000))
    def wait(self, seconds: int) -> None:
        """Let time go by."""
        self.house.wait(seconds * 1_000_000)

    @rule(seconds=st.integers(-5, 5))
    def disagree(self, seconds: int) -> None:
        """Go on in another handle, whose clock is off by seconds."""
        self.house.disagree(seconds)

    @rule(often=st.integers(0, 3))
    def reopen(self, often: int) -> None:
        """Close the memory, and open it again."""
        if often == 0:
            self.house.reopen()

    @precondition(lambda self: any(w.sayings for w in self.house.worlds.values()))
    @rule(often=st.integers(0, 2))
    def move(self, often: int) -> None:
        """Export, import into a fresh store, and go on there."""
        if often == 0:
            self.house.move()

    # --- Asking

    def _look(self, scope: Scope) -> None:
        """Compare now, and everything there is, in the scope just touched."""
        house = self.house
        house.counts["steps"] += 1
        house.compare(scope, (house.now, house.now, None, False), current=True)
        house.compare(scope, (FAR, FAR, None, True))

    @rule(
        scope=scopes,
        about=st.lists(st.tuples(numbers, st.sampled_from((-1, 0, 1))), min_size=2, max_size=5),
        then=st.lists(st.one_of(st.none(), numbers), min_size=1, max_size=2),
        shift=st.sampled_from((-1, 0)),
        ended=st.booleans(),
        month=st.one_of(st.none(), st.sampled_from(MONTHS)),
    )
    def ask(
        self,
        scope: Scope,
        about: list[tuple[int, int]],
        then: list[int | None],
        shift: int,
        ended: bool,
        month: int | None,
    ) -> None:
        """Ask at and around bounds and tellings, at and between record times, on both axes."""
        instants, records = self._marks(scope)
        asked: list[Asked] = []
        for known in then:
            record = None
            if known is not None and records:
                record = records[known % len(records)] + shift
            if month is not None:
                span = month_span(month)[1]
                asked.append((span.first, span.after - 1, record, ended))
            for index, off in about:
                at = instants[index % len(instants)] + off
                asked.append((at, at, record, ended))
        for one in asked:
            self.house.compare(scope, one)

    def _marks(self, scope: Scope) -> tuple[list[int], list[int]]:
        world = self.house.worlds[scope]
        instants = {noon(50)}
        records: set[int] = set()
        for saying in world.sayings:
            instants.add(saying.said[0])
            records.add(saying.recorded)
            for span in (saying.start, saying.end):
                if span is not None:
                    instants |= {span.first, span.after}
        for spans in world.withdrawn.values():
            records |= {a for a, _ in spans} | {b for _, b in spans if b < FAR}
        records |= {at for at, _, _ in world.joined}
        return sorted(instants), sorted(records)

    @rule(scope=scopes, index=numbers)
    def history(self, scope: Scope, index: int) -> None:
        """Read what became of a fact."""
        self.house.history(scope, index)
