"""A memory on disk and the model beside it, driven alike and compared after every step."""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from graphmem import Memory
from graphmem.errors import RefusedError
from graphmem.model.fact import Fact, Status
from graphmem.model.receipt import Receipt, TurnState
from graphmem.model.time import FOREVER
from graphmem.testing.clock import FrozenClock
from graphmem.testing.embedders import HashEmbedder
from tests.histories.days import FAR, SECOND, date, day_span, iso, micros, noon, reading
from tests.histories.model import EVENTS, ONE, SYMMETRIC, Held, Line, Saying, World
from tests.histories.timeline import OPEN

SCOPES = (("default", "ana"), ("default", "bo"), ("acme", "ana"))
AUTHORITY = {"user": 100, "document": 80, "assistant": 50}

Scope = tuple[str, str]
Asked = tuple[int, int, int | None, bool]
"""First and last instant of the world, record time, and whether what ended is asked for too."""


class DifferenceError(AssertionError):
    """The memory and the model do not say the same."""


class House:
    """The memory, a second handle on it, and one model a scope."""

    def __init__(self) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="histories-"))
        self.folder = self.root / "0"
        self.clocks = (FrozenClock(noon(100)), FrozenClock(noon(100)))
        self.handles: list[Memory | None] = [None, None]
        self.at = 0
        self.worlds: dict[Scope, World] = {scope: World() for scope in SCOPES}
        self.episodes: dict[Scope, dict[str, str]] = {scope: {} for scope in SCOPES}
        self.turns: dict[Scope, dict[tuple[str, int], str]] = {scope: {} for scope in SCOPES}
        self.ledger: dict[Scope, dict[Asked, object]] = {scope: {} for scope in SCOPES}
        self.counts: Counter[str] = Counter()
        self.moves: int = 0

    # --- Handles and clocks

    @property
    def mem(self) -> Memory:
        """The handle in use."""
        found = self.handles[self.at]
        if found is None:
            found = self.opened(self.folder, self.clocks[self.at])
            self.handles[self.at] = found
        return found

    def opened(self, folder: Path, clock: FrozenClock) -> Memory:
        return Memory(folder, clock=clock, embedder=HashEmbedder())

    @property
    def now(self) -> int:
        return self.clocks[self.at].at

    def close(self) -> None:
        for index, handle in enumerate(self.handles):
            if handle is not None:
                handle.close()
            self.handles[index] = None

    def leave(self) -> None:
        """Close and remove everything."""
        self.close()
        shutil.rmtree(self.root)

    def wait(self, micros: int) -> None:
        """Let time go by on both clocks."""
        for clock in self.clocks:
            clock.advance(micros)

    def disagree(self, seconds: int) -> None:
        """Set the second clock off by some seconds, and use the other handle."""
        self.counts["handle"] += 1
        self.clocks[1].at = self.clocks[0].at + seconds * SECOND
        self.at = 1 - self.at

    def settle(self, scope: Scope) -> None:
        """Let both clocks pass whatever record time the last write took."""
        latest = max(self.clocks[0].at, self.clocks[1].at, self.worlds[scope].last)
        for clock in self.clocks:
            clock.at = latest + 20 * SECOND

    def reopen(self) -> None:
        self.counts["reopen"] += 1
        self.close()

    def move(self) -> None:
        """Export everything, import it into a fresh store, and go on there."""
        self.counts["export and import"] += 1
        self.moves += 1
        first, second = self.root / "first.jsonl", self.root / "second.jsonl"
        self.mem.export(first)
        before = {scope: self.listed(scope) for scope in SCOPES}
        self.close()
        self.folder = self.root / str(self.moves)
        self.mem.import_(first)
        for scope in SCOPES:
            if self.listed(scope) != before[scope]:
                raise DifferenceError(f"{scope}: other facts after the import")
        self.mem.export(second)
        if first.read_bytes() != second.read_bytes():
            raise DifferenceError("the second export differs from the first")

    def listed(self, scope: Scope) -> list[Fact]:
        return [*self._facts(scope, (FAR, FAR, None, True), everything=True)]

    # --- Telling

    def tell(self, scope: Scope, **told: Any) -> None:  # Any: arguments of add_fact, by name
        """State a fact by its parts; ``form``, ``start`` and ``end`` are what the model hears."""
        form, start, end = told.pop("form"), told.pop("start"), told.pop("end")
        modality = told.pop("heard_as", told.get("modality", "asserted"))
        self.counts["add_fact"] += 1
        tenant, user = scope
        receipt = self.mem.add_fact(user=user, tenant=tenant, **told)
        when = told.get("occurred_at")
        said = self.now if when is None else micros(when)
        qualifiers: dict[str, str] = told.get("qualifiers", {})
        line = qualifiers.get("line")
        self._heard(
            scope,
            receipt,
            said,
            subject="me" if told["subject"] == "我" else told["subject"],
            predicate=told["predicate"],
            object=told["object"],
            polarity=told.get("polarity", "+"),
            modality=modality,
            form=form,
            start=start,
            end=end,
            authority=AUTHORITY[told.get("source", "user")],
            line=line,
        )

    def _heard(
        self,
        scope: Scope,
        receipt: Receipt,
        said: int,
        **parts: Any,  # Any: fields of Saying, by name
    ) -> None:
        world = self.worlds[scope]
        record = world.record(self.now)
        (turn,) = receipt.turns
        assert turn.episode is not None
        name = f"c{len(self.episodes[scope]) + 1}.{record}"
        self.episodes[scope][turn.episode] = name
        world.tell(Saying(name=name, said=(said, record, 0), recorded=record, **parts))

    def say(self, scope: Scope, text: str, day: int, **parts: Any) -> None:  # Any: as above
        """Say a sentence; the same words at the same time are the same turn."""
        self.counts["add"] += 1
        tenant, user = scope
        at = noon(day)
        receipt = self.mem.add(text, user=user, tenant=tenant, occurred_at=iso(at))
        (turn,) = receipt.turns
        key = (text, at)
        known = self.turns[scope].get(key)
        if (turn.state is TurnState.DUPLICATE) != (known is not None):
            raise DifferenceError(f"{text!r} said again is {turn.state}, first was {known}")
        if known is None:
            assert turn.episode is not None
            self.turns[scope][key] = turn.episode
            self._heard(scope, receipt, at, subject="me", **parts)
        self.settle(scope)

    # --- What is done to facts

    def pick(self, scope: Scope, index: int, status: Status | None = None) -> Fact | None:
        """Return one of all the facts there are."""
        listed = [f for f in self.listed(scope) if status in (None, f.status)]
        return listed[index % len(listed)] if listed else None

    def resting(self, scope: Scope, fact: Fact) -> list[str]:
        """Return the model's names of the claims a fact rests on."""
        tenant, user = scope
        claims = self.mem.explain(fact.id, user=user, tenant=tenant).claims
        return [self.episodes[scope][c.claim.episode] for c in claims]

    def correct(self, scope: Scope, index: int, thing: str, day: int | None) -> None:
        fact = self.pick(scope, index)
        if fact is None or fact.status is Status.RETRACTED or fact.predicate in EVENTS:
            return
        if fact.object is None or (fact.object.text == thing and day is None):
            return
        tenant, user = scope
        names = self.resting(scope, fact)
        world = self.worlds[scope]
        if any("#" in n for n in names):
            return
        self.counts["correct"] += 1
        start = None if day is None else date(day)
        receipt = self.mem.correct(
            fact.id, user=user, tenant=tenant, object=thing, valid_from=start
        )
        span = None if day is None else day_span(day)
        lines = dict(fact.qualifiers).get("line")
        self._heard(
            scope,
            receipt,
            self.now,
            subject="me" if fact.subject.text in ("me", user, "我") else fact.subject.text,
            predicate=fact.predicate,
            object=thing,
            polarity=fact.polarity.value,
            modality="planned" if span and span.first > self.now else "asserted",
            form="state" if span is None else "change",
            start=span,
            end=None,
            line=lines,
            corrects=frozenset(names),
        )
        assert world.sayings

    def retract(self, scope: Scope, index: int) -> None:
        fact = self.pick(scope, index)
        if fact is None or fact.status is Status.RETRACTED:
            return
        self.counts["retract"] += 1
        tenant, user = scope
        names = self.resting(scope, fact)
        self.mem.retract(fact.id, user=user, tenant=tenant)
        world = self.worlds[scope]
        world.withdraw(names, world.record(self.now))
        self.settle(scope)

    def restore(self, scope: Scope, index: int) -> None:
        fact = self.pick(scope, index, Status.RETRACTED)
        if fact is None:
            return
        self.counts["restore"] += 1
        tenant, user = scope
        names = self.resting(scope, fact)
        world = self.worlds[scope]
        try:
            self.mem.restore(fact.id, user=user, tenant=tenant)
        except RefusedError:
            if fact.cause is None or fact.cause.claim is None:
                raise
            self.counts["restore refused"] += 1
            if all(world.is_withdrawn(n, OPEN - 1) for n in names):
                raise DifferenceError("a withdrawal was not lifted") from None
        else:
            world.restore(names, world.record(self.now))
        self.settle(scope)

    def erase(self, scope: Scope, index: int, what: str) -> None:
        tenant, user = scope
        if what == "user":
            self.counts["erase user"] += 1
            self.mem.erase(user=user, tenant=tenant)
            last = self.worlds[scope].last
            self.worlds[scope] = World(last=last)
            self.episodes[scope] = {}
            self.turns[scope] = {}
        else:
            fact = self.pick(scope, index)
            if fact is None:
                return
            self.counts[f"erase {what}"] += 1
            names = self.resting(scope, fact)
            by_name = {name: episode for episode, name in self.episodes[scope].items()}
            if what == "episode":
                names = names[:1]
                self.mem.erase(user=user, tenant=tenant, episode=by_name[names[0]])
            else:
                self.mem.erase(user=user, tenant=tenant, fact=fact.id)
            self.worlds[scope].erase(names)
            gone = {by_name[name] for name in names}
            self.turns[scope] = {k: e for k, e in self.turns[scope].items() if e not in gone}
        self.ledger[scope] = {}
        self.settle(scope)

    def merge(self, scope: Scope, name: str, into: str) -> None:
        world = self.worlds[scope]
        known = {w for s in world.sayings for w in (s.object,) if w}
        roots = world.roots(OPEN - 1)
        if not {name, into} <= known or roots.get(name, name) == roots.get(into, into):
            return
        self.counts["merge"] += 1
        tenant, user = scope
        self.mem.merge([name], into=into, user=user, tenant=tenant)
        world.join(name, into, world.record(self.now))
        self.settle(scope)

    def split(self, scope: Scope, name: str) -> None:
        world = self.worlds[scope]
        root = world.roots(OPEN - 1).get(name)
        if root is None or not any(s.object == name for s in world.sayings):
            return
        self.counts["split"] += 1
        tenant, user = scope
        self.mem.split(name, out_of=root, user=user, tenant=tenant)
        world.part(name, world.record(self.now))
        self.settle(scope)

    # --- Comparing

    def _facts(
        self, scope: Scope, asked: Asked, *, everything: bool = False, current: bool = False
    ) -> Sequence[Fact]:
        first, last, known, ended = asked
        tenant, user = scope
        if current:
            when = None
        elif first == last:
            when = iso(first)
        else:
            when = iso(first)[:7]
        page = self.mem.facts(
            user=user,
            tenant=tenant,
            valid_at=when,
            known_at=None if known is None else iso(known),
            include_ended=ended,
            include_disputed=everything,
            include_retracted=everything,
            limit=1_000,
        )
        if page.total != len(page.items) or page.truncated:
            raise DifferenceError(f"total {page.total} of {len(page.items)} listed")
        return page.items

    def line(self, scope: Scope, fact: Fact, roots: dict[str, str]) -> Line:
        """Write a fact as the model does."""
        user = scope[1]
        subject = "me" if fact.subject.text in ("me", user, "我") else fact.subject.text
        thing = fact.object.text if fact.object else None
        if thing in (user, "我"):
            thing = "me"
        subject = roots.get(subject, subject)
        thing = None if thing is None else roots.get(thing, thing)
        if fact.predicate in SYMMETRIC and thing is not None:
            subject, thing = sorted((subject, thing))
        return subject, fact.predicate, thing, fact.polarity.value, fact.modality.value

    def compare(self, scope: Scope, asked: Asked, *, current: bool = False) -> None:
        """Ask the memory and the model the same."""
        self.counts["views"] += 1
        first, last, known, ended = asked
        world = self.worlds[scope]
        at = OPEN - 1 if known is None else known
        beliefs = world.beliefs(at)
        roots = world.roots(at)
        facts = self._facts(scope, asked, everything=True, current=current)

        def shown(held: Held) -> bool:
            return held.shown(first, last, upcoming=current, ended=ended)

        for status in (Status.HELD, Status.DISPUTED):
            mine = {h.line for h in beliefs if h.belief.status == status.value and shown(h)}
            found = {self.line(scope, f, roots) for f in facts if f.status is status}
            if mine != found:
                raise DifferenceError(
                    f"{status} {self._asked(asked)}: the model {sorted(map(str, mine - found))}, "
                    f"the memory {sorted(map(str, found - mine))}\n{self.told(scope)}"
                )
        self._one_at_a_time(facts, first, last)
        if (first, last, ended) == (FAR, FAR, True):
            self._retracted(scope, world, beliefs, facts, at)
        if known is not None and not current:
            self._unchanged(scope, asked, facts)

    def _one_at_a_time(self, facts: Sequence[Fact], first: int, last: int) -> None:
        if first != last:
            return
        seen: set[tuple[str, str, object]] = set()
        for fact in facts:
            asserted = fact.modality.value == "asserted" and fact.polarity.value == "+"
            over = fact.over(first, last)
            if fact.predicate not in ONE or fact.status is not Status.HELD or not asserted:
                continue
            key = (fact.subject.key, fact.predicate, dict(fact.qualifiers).get("line"))
            if over is not None and over.value != "uncertain":
                if key in seen:
                    raise DifferenceError(f"two values at once of {key}")
                seen.add(key)

    def _retracted(
        self,
        scope: Scope,
        world: World,
        beliefs: Sequence[Held],
        facts: Sequence[Fact],
        known: int,
    ) -> None:
        """What was taken back is there, and nothing else is called taken back."""
        roots = world.roots(known)
        found = {self.line(scope, f, roots)[:4] for f in facts if f.status is Status.RETRACTED}
        gone = {line[:4] for line in world.gone(known)}
        beaten = {h.line[:4] for h in beliefs if h.belief.status == "retracted"}
        if not found <= gone | beaten or not beaten <= found | gone:
            raise DifferenceError(
                f"retracted: the model {sorted(map(str, beaten - found))}, the memory "
                f"{sorted(map(str, found - gone - beaten))}\n{self.told(scope)}"
            )

    def _unchanged(self, scope: Scope, asked: Asked, facts: Sequence[Fact]) -> None:
        """What was visible at a past record time stays so."""
        known = asked[2]
        assert known is not None
        if known > self.worlds[scope].last:
            return  # more may be recorded by then
        seen = sorted(
            (f.id, f.record, f.interval, f.status.value, f.statement, f.created_at) for f in facts
        )
        before = self.ledger[scope].setdefault(asked, seen)
        if before != seen:
            raise DifferenceError(f"the past changed: {self._asked(asked)}: {before} became {seen}")

    def history(self, scope: Scope, index: int) -> None:
        """Every record of a fact stood in the listings of its time, and no two at once."""
        fact = self.pick(scope, index)
        if fact is None:
            return
        self.counts["histories"] += 1
        tenant, user = scope
        records = self.mem.history(fact.id, user=user, tenant=tenant, limit=1_000).items
        if fact.record not in {r.record for r in records}:
            raise DifferenceError(f"history() lacks the live record of {fact.id}")
        own = sorted((r for r in records if r.id == fact.id), key=lambda r: r.created_at)
        for one, two in pairwise(own):
            if one.expired_at > two.created_at:
                raise DifferenceError(f"two records of {fact.id} at once")
        if own[-1].expired_at != FOREVER:
            raise DifferenceError(f"{fact.id} is listed, and its last record is over")
        for record in own:
            listed = self._facts(scope, (FAR, FAR, record.created_at, True), everything=True)
            if record.record not in {f.record for f in listed} and record.reads_from <= FAR:
                raise DifferenceError(f"record {record.record} was not listed at its time")

    def steady(self, scope: Scope, before: Sequence[Fact]) -> None:
        """A fact keeps the id that held the earliest said of its claims."""
        holders: dict[str, set[str]] = {}
        for fact in before:
            for claim in fact.claims:
                holders.setdefault(claim, set()).add(fact.id)
        after = self.listed(scope)
        live = {f.id: f for f in after}
        for fact in after:
            old = holders.get(fact.claims[0], set())
            if not old or fact.id in old:
                continue
            # Another fact with a claim of it may keep the id instead, one for each there was.
            if all(was in live and holders.get(live[was].claims[0], set()) & old for was in old):
                continue
            raise DifferenceError(f"{old} became {fact.id}\n{self.told(scope)}")

    # --- Words

    def _asked(self, asked: Asked) -> str:
        first, last, known, ended = asked
        about = iso(first) if first == last else f"{iso(first)} to {iso(last)}"
        then = "" if known is None else f", known at {iso(known)}"
        return f"{about}{then}{', with what ended' if ended else ''}"

    def told(self, scope: Scope) -> str:
        """Write everything told in a scope, for whoever reads a failure."""
        world = self.worlds[scope]
        lines = [f"{scope}, now {iso(self.now)}"]
        for s in sorted(world.sayings, key=lambda s: s.said):
            bounds = [
                f"{n} {iso(b.first)}..{b.width}" for n, b in (("from", s.start), ("to", s.end)) if b
            ]
            lines.append(
                f"  {s.name}: {s.subject} {s.predicate} {s.object} {s.polarity} {s.modality} "
                f"{s.form} {' '.join(bounds)} said {iso(s.said[0])} by {s.authority}"
                f"{' for ' + ','.join(s.corrects) if s.corrects else ''}"
                f"{' withdrawn' if s.name in world.withdrawn else ''}"
            )
        lines += [f"  joined {j}" for j in world.joined]
        for h in world.beliefs(OPEN - 1):
            b = h.belief
            lines.append(
                f"  M {h.line} {b.status} {reading(b.start)} {reading(b.end)} {sorted(b.claims)}"
            )
        for f in self.listed(scope):
            i = f.interval
            pair = [(reading((x.earliest, x.latest)) if x else None) for x in (i.start, i.end)]
            lines.append(
                f"  E {self.line(scope, f, {})} {f.status.value} {pair} "
                f"{self.resting(scope, f)} {f.cause.rule if f.cause else ''}"
            )
        return "\n".join(lines)
