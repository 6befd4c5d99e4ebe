"""Stretches of one value: which starts and endings count, and the bounds they give."""

from __future__ import annotations

from tests.histories.marks import OPEN, Belief, Cell, Ending, Witness, agree, better, unique
from tests.histories.sweeping import Sweeping

AT_THE_NEXT = (-1, -1)
"""An end that is where the next stretch begins."""


def _loser(one: Ending, two: Ending) -> Ending:
    """Of two endings, the second said later, the one that does not count."""
    if one.by and two.by:
        return two  # the first telling has it over already
    if two.by:
        return two if one.at <= two.at else one
    if one.by:
        return two if two.planned and two.at > one.at else one
    if agree(one.span, two.span) and one.span is not None and two.span is not None:
        return two if one.span.width < two.span.width else one
    return one


def _best(starts: list[Witness]) -> Witness | None:
    """Choose between stated starts, in said order."""
    best = starts[0] if starts else None
    for other in starts[1:]:
        best = other if best is None else better(best, other)
    return best


class Stretching(Sweeping):
    """The beliefs of a slot."""

    def stretches(self) -> list[list[Cell]]:
        found: list[list[Cell]] = []
        for cell in self.cells:
            if cell.value is None:
                continue
            joined = (
                found
                and found[-1][-1].after == cell.first
                and found[-1][-1].value == cell.value
                and cell.fresh is None
                and cell.ended is None
            )
            if joined:
                found[-1].append(cell)
            else:
                found.append([cell])
        return found

    def settle(self) -> bool:
        """Choose between the starts of each stretch, and its endings; whether anything moved."""
        for cells in self.stretches():
            witnesses = unique(w for c in cells for w in c.here if w.value == c.value)
            ranked = self._arrivals(cells, witnesses)
            best = _best(ranked)
            for other in ranked:
                if best is None or other is best or other.first >= best.first:
                    continue
                chosen = best.first, best.span
                if chosen[1] is not None and self.moved.get(other.claim.name) != chosen:
                    self.moved[other.claim.name] = best.first, chosen[1]
                    return True
        return self._settle_endings()

    def _arrivals(self, cells: list[Cell], witnesses: list[Witness]) -> list[Witness]:
        """The stated starts of a stretch, as said, without second arrivals."""
        asserted = [w for w in witnesses if w.kind != "plan"]
        seen = min(
            (
                w.claim.at if w.kind == "since" else w.first
                for w in asserted
                if w.kind in ("since", "look", "state") or not w.stated
            ),
            default=OPEN,
        )
        return [
            w
            for w in sorted(witnesses, key=lambda w: w.claim.said)
            if w.stated
            and w.kind in ("since", "change", "past", "plan")
            and cells[0].first <= w.first <= min(seen, cells[-1].after - 1)
            and not any(
                o.claim.said < w.claim.said and o.claim.at < w.first and o is not w
                for o in asserted
            )
        ]

    def _settle_endings(self) -> bool:
        """Of two endings with nothing witnessed between them, let one be silent."""
        # A telling that ends nothing here has no say in when something else ended.
        endings = [e for e in self.endings if e.key not in self.idle]
        ordered = sorted(endings, key=lambda e: e.claim.said)
        for i, one in enumerate(ordered):
            for two in ordered[i + 1 :]:
                if one.claim is two.claim or self._apart(one, two):
                    continue
                loser = _loser(one, two)
                if loser.key in self.silent:
                    continue
                if one.value is None and two.value is not None and loser is one:
                    # It still ends the other values.
                    if one.of(two.value) in self.silent:
                        continue
                    self.silent.add(one.of(two.value))
                    return True
                self.silent.add(loser.key)
                winner = one if loser is two else two
                if not one.by and not two.by and agree(one.span, two.span):
                    # Who said it later stands by the finer date.
                    self.lent[winner.key] = max(one.said, two.said)
                return True
        return False

    def _apart(self, one: Ending, two: Ending) -> bool:
        """Whether two endings are of different values, or something was witnessed between."""
        if one.value is not None and two.value is not None and one.value != two.value:
            return True
        low, high = sorted((one.at, two.at))
        top = one if one.at == high else two
        for witness in self.witnesses:
            same = one.value in (None, witness.value)
            told = witness.claim.said < top.claim.said
            for a, b in witness.parts:
                if same and low < b and (a < high or (a == high and told)):
                    return True
                if not same and low <= a < high:
                    return True
        return False

    # --- Bounds

    def beliefs(self) -> list[Belief]:
        """Return every stretch with its bounds, and what was only told to have ended."""
        found: list[Belief] = []
        runs = self.stretches()
        for index, cells in enumerate(runs):
            found.append(self._belief(cells, runs, index, found))
        self._join(runs, found)
        return found + self._never_heard_of(found)

    def _belief(
        self, cells: list[Cell], runs: list[list[Cell]], index: int, before: list[Belief]
    ) -> Belief:
        value = cells[0].value
        assert value is not None
        witnesses = unique(w for c in cells for w in c.here if w.value == value)
        plan = all(w.kind == "plan" for w in witnesses)
        claims = {w.claim.name for w in witnesses}
        if cells[0].resumed:
            plan = plan and [b for b in before if b.value == value][-1].modality == "planned"
            resting = self._resting(value, self.cells.index(cells[-1]) + 1)
            claims |= {w.claim.name for w in resting}
        belief = Belief(
            value,
            self._start(cells, witnesses),
            self._end(cells, witnesses, runs, index),
            "planned" if plan else "asserted",
            "held",
            claims,
            (cells[0].first, cells[-1].after),
        )
        if belief.start is not None:
            low, high = belief.start
            until = cells[-1].after
            if belief.end is not None and belief.end != AT_THE_NEXT:
                until = belief.end[1]
            belief.start = (low, max(min(high, until), cells[0].first))
        return belief

    def _join(self, runs: list[list[Cell]], found: list[Belief]) -> None:
        """What begins where another ended gives that its end; what begins later bounds it."""
        for index, one in enumerate(found):
            if one.end == AT_THE_NEXT:
                start = found[index + 1].start
                assert start is not None
                one.end = start if start[0] is not None else (self._seen_last(one), start[1])
            elif one.end is not None:
                later = [
                    w.first
                    for r in runs[index + 1 :]
                    for c in r
                    for w in c.here
                    if w.value == c.value and w.first >= one.place[1]
                ]
                low, high = one.end
                one.end = (low, max(min([high, *later]), one.place[1]))
        for cells, one, two in zip(runs[1:], found, found[1:], strict=False):
            if cells[0].resumed and one.end is not None and one.place[1] == two.place[0]:
                two.start = (None, one.end[1])

    def _never_heard_of(self, found: list[Belief]) -> list[Belief]:
        """An ending of what nobody had told of makes a belief of unknown start."""
        result: list[Belief] = []
        for ending in self.endings:
            plain = ending.claim.form == "end" and not ending.claim.state_of_no
            if ending.value is None or not plain or ending.telling_of is not None:
                continue
            touched = any(c.ended is ending or c.fresh is ending for c in self.cells)
            if not touched and not any(b.value == ending.value for b in [*found, *result]):
                reach = (None if ending.by else ending.at, ending.last)
                claims = {ending.claim.name}
                result.append(Belief(ending.value, None, reach, "asserted", "held", claims))
        return result

    def _start(self, cells: list[Cell], witnesses: list[Witness]) -> tuple[int | None, int]:
        first = cells[0].first
        opening = [w for w in witnesses if w.stated and w.first == first and w.kind != "look"]
        opening = [w for w in opening if w.claim.name not in self.moved] or opening
        looks = [w for w in witnesses if w.kind == "look" and w.first == first]
        if opening:
            best = _best(self._arrivals(cells, witnesses))
            if best is None or best.first != first or best.claim.name in self.moved:
                best = _best(opening)
            assert best is not None
            # Whoever spoke for it inside the span knew it had begun.
            seen = [
                w.claim.at if w.kind == "since" else w.first
                for w in witnesses
                if w.kind in ("since", "look", "state") or not w.stated
            ]
            return first, max(first, min([best.last, *seen]))
        if looks:
            return first, first
        return None, first

    def _end(
        self, cells: list[Cell], witnesses: list[Witness], runs: list[list[Cell]], index: int
    ) -> tuple[int | None, int] | None:
        after = cells[-1].after
        if after >= OPEN:
            return None
        nxt = next((c for c in self.cells if c.first == after), None)
        assert nxt is not None
        last = max((min(w.after, after) - 1 for w in witnesses), default=cells[0].first)
        ending = nxt.ended or nxt.fresh
        if ending is not None and ending.value not in (None, cells[0].value):
            ending = None
        if ending is not None:
            if ending.by:
                return last, max(after, ending.at)
            return after, max(after, ending.last)
        if nxt.closed is not None and (nxt.value is None or nxt.resumed):
            claim = nxt.closed.claim
            span = claim.end if nxt.closed.kind == "past" else None
            if span is not None:
                return after, min(max(after, span.last()), max(claim.at, after))
            return after, after
        final = cells[-1].by
        if final is not None and final.kind == "look":
            return after, after
        if index + 1 < len(runs) and runs[index + 1][0].first == after:
            return AT_THE_NEXT
        return after, after

    def _seen_last(self, belief: Belief) -> int:
        first, after = belief.place
        return max(
            (
                min(b, after) - 1
                for w in self.witnesses
                for a, b in w.parts
                if w.value == belief.value and first <= a < after
            ),
            default=first,
        )
