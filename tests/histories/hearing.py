"""From what was told to witnesses and endings, and what they leave of one another."""

from __future__ import annotations

from tests.histories.marks import OPEN, Ending, Order, Span, Told, Witness, minus


class Hearing:
    """One pass over what was told: its witnesses and endings, placed and cut."""

    def __init__(
        self,
        standing: list[Told],
        strong: list[Told],
        values: list[str],
        starts: dict[str, int],
        ends: dict[str, int],
        moved: dict[str, tuple[int, Span]],
        silent: set[str],
        lent: dict[str, Order],
        *,
        single: bool,
    ) -> None:
        self.standing, self.values, self.single = standing, values, single
        self.strong = strong
        self.starts, self.ends, self.moved, self.silent = starts, ends, moved, silent
        self.lent = lent
        self.witnesses: list[Witness] = []
        self.endings: list[Ending] = []
        self.silenced: list[Ending] = []
        self.contradicted: set[tuple[str, str]] = set()
        self.idle: set[str] = set()
        for claim in standing:
            self._read(claim)
        for ending in self.endings:
            ending.said = max(ending.said, self.lent.get(ending.key, ending.said))
        self._still()
        self._cut()

    def _read(self, claim: Told) -> None:  # noqa: C901  # one rule a line, in one place
        form, at = claim.form, claim.at
        start, end = claim.start, claim.end
        first = self.starts.get(claim.name)
        if claim.name in self.moved:
            first, start = self.moved[claim.name]
        planned = claim.modality == "planned"
        if form == "end":
            span = end or start
            spot = self.ends.get(claim.name, self.starts.get(claim.name, at))
            ahead = span is not None and span.first > at
            ending = Ending(claim, claim.value, spot, span is None, planned or ahead, span)
            if claim.name not in self.silent:
                self.endings.append(ending)
            else:
                self.silenced.append(ending)
            # Told after a bare state of its value and dated before it, it ends that by the telling.
            bare = any(
                other.form == "state"
                and other.start is None
                and claim.value in (None, other.value)
                and spot <= other.at < at
                for other in self.standing
            )
            done = span is not None and not planned and not ahead
            if done and bare and f"{claim.name}/telling" not in self.silent:
                self.endings.append(
                    Ending(claim, claim.value, at, True, False, None, telling_of=spot)
                )
            return
        assert claim.value is not None
        value = claim.value
        if form == "past" or (form in ("since", "change") and end is not None and start):
            assert start is not None
            assert end is not None
            assert first is not None
            close = self.ends[claim.name]
            if planned and start.first > at:
                self.witnesses.append(Witness(claim, value, first, first + 1, "plan", True, start))
                self._closing(claim, close, end, closes=True)
            elif end.first > at:
                self.witnesses.append(Witness(claim, value, first, at + 1, "since", True, start))
                self._closing(claim, close, end, closes=False)
            else:
                self.witnesses.append(
                    Witness(claim, value, first, max(close, first + 1), "past", True, start)
                )
                if claim.name not in self.silent:
                    self.endings.append(
                        Ending(claim, claim.value, close, False, False, end, closes=True)
                    )
            return
        if form == "state" and start is not None:
            assert first is not None
            if start.after > at:  # it is not over yet: a state, told with since when at least
                self.witnesses.append(
                    Witness(claim, value, first, max(at, first) + 1, "state", False, None)
                )
            else:
                after = max(start.after, first + 1)
                self.witnesses.append(Witness(claim, value, first, after, "look", True, start))
        elif form == "state":
            self.witnesses.append(Witness(claim, value, at, at + 1, "state", False, None))
        elif form == "since":
            spot = at if first is None else first
            self.witnesses.append(
                Witness(claim, value, spot, max(at, spot) + 1, "since", start is not None, start)
            )
        elif form == "change" and first is not None:
            kind = "plan" if planned else "change"
            self.witnesses.append(Witness(claim, value, first, first + 1, kind, True, start))
        elif form == "change":
            self.witnesses.append(Witness(claim, value, at, at + 1, "change", False, None))
        if end is not None and form != "past" and claim.name not in self.silent:
            self._closing(claim, self.ends[claim.name], end, closes=False)

    def _closing(self, claim: Told, spot: int, end: Span, *, closes: bool) -> None:
        if claim.name not in self.silent:
            planned = claim.modality == "planned" or end.first > claim.at
            self.endings.append(
                Ending(claim, claim.value, spot, False, planned, end, closes=closes)
            )

    def _still(self) -> None:
        """A since without a start goes back to the value's last earlier witness."""
        for witness in self.witnesses:
            if witness.claim.form == "since" and not witness.stated:
                earlier = [
                    other.after - 1
                    for other in self.witnesses
                    if other is not witness
                    and other.value == witness.value
                    and other.first < witness.claim.at
                    and other.kind != "plan"
                    and other.after - 1 < witness.claim.at
                ]
                witness.first = max(earlier, default=witness.claim.at)

    def _cut(self) -> None:  # noqa: C901  # one rule a line, in one place
        """Let what was said later cut what was said before; what is cut off cuts nothing."""
        for witness in self.witnesses:
            witness.parts = [(witness.first, witness.after)]
        for ending in self.endings:
            for witness in self.witnesses:
                if ending.value is not None and witness.value != ending.value:
                    continue
                if ending.telling_of is not None or ending.of(witness.value) in self.silent:
                    continue
                if witness.claim is ending.claim or witness.claim.said > ending.said:
                    continue
                if ending.closes and witness.first == ending.at:
                    continue  # it is over before what begins there
                if witness.first <= ending.at < witness.after:
                    witness.parts = minus(witness.parts, ending.at, OPEN)
        # Tolerance: an ending that another outdoes still touches what began at its very instant.
        for ending in self.silenced:
            for witness in self.witnesses:
                same = ending.value in (None, witness.value) and witness.first == ending.at
                if same and witness.claim.said < ending.claim.said:
                    witness.parts = minus(witness.parts, ending.at, OPEN)
        ordered = sorted(self.witnesses, key=lambda w: w.claim.said)
        for i, later in reversed([*enumerate(ordered)]):
            if not later.parts:
                continue
            spot = later.parts[0][0]
            for earlier in ordered[:i]:
                if earlier.value == later.value:
                    continue
                openly = later.kind in ("state", "since", "change", "plan")
                if openly and earlier.first <= spot:
                    earlier.parts = minus(earlier.parts, spot, OPEN)
                else:
                    for first, after in later.parts:
                        earlier.parts = minus(earlier.parts, first, after)
