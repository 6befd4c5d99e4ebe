"""One sweep over time, cell by cell: what is believed in each."""

from __future__ import annotations

from tests.histories.hearing import Hearing
from tests.histories.marks import OPEN, Cell, Ending, Witness, covers


class Sweeping(Hearing):
    """What is believed over all of time."""

    def sweep(self) -> None:  # noqa: C901  # one rule a line, in one place
        points: set[int] = set()
        for witness in self.witnesses:
            for first, after in [(witness.first, witness.after), *witness.parts]:
                points |= {first, after}
        barriers: dict[int, list[Ending]] = {}
        for ending in self.endings:
            barriers.setdefault(ending.at, []).append(ending)
            points.add(ending.at)
        self.cells: list[Cell] = []
        ordered = sorted(points)
        held: str | None = None  # what goes on
        for spot, following in zip(ordered, [*ordered, OPEN][1:], strict=True):
            here = [w for w in self.witnesses if covers(w.parts, spot)]
            cell = Cell(spot, following)
            winner = max(here, key=lambda w: w.claim.said, default=None)
            # endings reach what goes on
            for ending in barriers.get(spot, []):
                for value in [ending.value] if ending.value else self.values:
                    if ending.of(value) in self.silent:
                        continue
                    if ending.telling_of is not None and not (
                        held == value and self._told_off(value, ending)
                    ):
                        if held == value:
                            self.idle.add(ending.key)
                        continue
                    if any(
                        w.value == value and self._survives(w, ending, spot) for w in self.witnesses
                    ):
                        self.contradicted.add((ending.key, value))
                        continue
                    if held == value:
                        cell.ended = ending
                        back = self._interrupted(value, ending, spot, winner)
                        held = None
                        if back is not None:
                            held = back
                            cell.resumed = True
                    if winner is not None and winner.value == value and winner.first == spot:
                        cell.fresh = ending
            # a closed period or a look is over
            over = [w for w in self.witnesses if w.after == spot and covers(w.parts, spot - 1)]
            for witness in over:
                if held != witness.value or winner is not None:
                    if held == witness.value and winner and winner.value != held:
                        cell.closed = witness if witness.kind == "look" else None
                    continue
                last = self.cells[-1].by if self.cells else None
                if last is not None and last is not witness:
                    continue
                if witness.kind == "look" and not self._goes_on(witness, spot):
                    over = Ending(witness.claim, held, spot, False, False, None, closes=True)
                    held = self._interrupted(witness.value, over, spot, winner)
                    cell.closed = witness
                    cell.resumed = held is not None
            if winner is not None:
                held = winner.value
                cell.resumed = False
            cell.value, cell.by, cell.here = held, winner, here
            self.cells.append(cell)

    def _survives(self, winner: Witness, ending: Ending, spot: int) -> bool:
        """Whether a witness of an instant was told after the ending and so is not touched."""
        if winner.claim is ending.claim:
            return False
        said = winner.claim.said > ending.said
        return said and winner.first < spot < winner.after and covers(winner.parts, spot - 1)

    def _interrupted(  # noqa: C901  # one rule a line, in one place
        self, value: str, ending: Ending, spot: int, winner: Witness | None
    ) -> str | None:
        """What a value that ends here had interrupted, if that goes on now."""
        if self.single and not ending.closes:
            return None
        index = len(self.cells)
        # Back over this value, over closed periods that followed one another without a gap, and
        # over looks back, which go on for nobody.
        while index and self.cells[index - 1].value is not None:
            index -= 1
            first = self.cells[index]
            if index == 0 or self.cells[index - 1].value is None:
                return None
            previous = self.cells[index - 1]
            if previous.value == first.value:
                if first.ended is not None and not first.resumed and not first.ended.closes:
                    return None
                continue
            if not first.resumed:
                if first.ended is not None and first.ended.closes:
                    continue
                if first.closed is not None:
                    continue
            last = previous.by
            if last is not None and last.kind == "look":
                continue
            if first.ended is not None:
                return None
            if previous.value == value:
                continue
            break
        else:
            return None
        before = self.cells[index - 1].value
        if before is None:
            return None
        begun = self.cells[index].first
        for other in self.endings:
            if (other.key, before) in self.contradicted or other is ending:
                continue
            if other.of(before) in self.silent:
                continue
            if other.telling_of is not None and not self._told_off(before, other, index):
                continue
            if other.value in (before, None) and begun <= other.at <= spot:
                return None
        if not self.single:
            return before
        run = self._resting(before, index)
        if any(w.claim.at >= spot for w in run):
            return before
        following = [w for w in self.witnesses if any(a >= spot for a, _ in w.parts)]
        upcoming = min(
            following, key=lambda w: min(a for a, _ in w.parts if a >= spot), default=None
        )
        if upcoming is None or upcoming.value != before:
            return None
        # Whoever tells of a new start does not say that it went on.
        return None if upcoming.stated and upcoming.kind != "look" else before

    def _resting(self, value: str, index: int) -> list[Witness]:
        """What the stretch of ``value`` before cell ``index`` rests on, resumed or not."""
        run: list[Witness] = []
        skipping = False
        for cell in reversed(self.cells[:index]):
            if cell.value == value:
                skipping = False
                run += [w for w in cell.here if w.value == value]
                if cell.resumed:
                    skipping = True
                elif cell.ended is not None or cell.fresh is not None:
                    break
            elif not skipping:
                break
        return run

    def _told_off(self, value: str, ending: Ending, index: int | None = None) -> bool:
        """Whether the stretch that goes on rests on bare states told before, dated after."""
        at = ending.telling_of
        assert at is not None
        run = self._resting(value, len(self.cells) if index is None else index)
        return any(
            w.kind == "state" and w.claim.said < ending.claim.said and at <= w.first for w in run
        )

    def _goes_on(self, witness: Witness, spot: int) -> bool:
        coming = [
            (a, 1, w.value)
            for w in self.witnesses
            for a, _ in w.parts
            if a >= spot and w is not witness
        ]
        # An ending of it says that it went on till then.
        coming += [
            (e.at, 0, witness.value)
            for e in self.endings
            if e.at >= spot and e.value in (None, witness.value)
        ]
        return bool(coming) and min(coming)[2] == witness.value
