"""Where inside its span a stated bound is put, and which plans came to nothing."""

from __future__ import annotations

from tests.histories.marks import OPEN, Span, Told


def is_plan(claim: Told) -> bool:
    return claim.modality == "planned" and (claim.start is not None or claim.end is not None)


def stands_beside(claim: Told) -> bool:
    if claim.form in ("cancel", "end"):
        return False
    return claim.modality == "possible" or (claim.modality == "planned" and not is_plan(claim))


def asserts(claim: Told) -> bool:
    return claim.modality == "asserted" and claim.form != "cancel"


def spoken(claim: Told) -> tuple[int, int] | None:
    """When a state, or the telling of a since, speaks for its value."""
    if asserts(claim) and claim.is_not:
        return claim.at, claim.at
    if not asserts(claim) or claim.form not in ("state", "since"):
        return None
    if claim.form == "state" and claim.start is not None:
        return None
    return claim.at, claim.at


def placed(claim: Told, span: Span, others: list[Told], *, ending: bool, planned: bool) -> int:
    """Where a coarse bound is put inside its span."""
    first, after = span.first, span.after
    if span.width == 0:
        return first
    if planned:
        first = max(first, claim.at) if claim.at < after else first
    else:
        after = min(after, claim.at)
    against: list[int] = []
    speaks: list[int] = []
    for other in others:
        spot = spoken(other)
        if other is claim or spot is None:
            continue
        same = claim.value is None or other.value == claim.value
        if other.is_not:
            if other.value != claim.value:
                continue
            same = False
        if not first <= spot[0] < after:
            continue
        if same == ending:
            against.append(spot[0])
        elif not ending or other.said != claim.said:
            speaks.append(spot[0])
    limit = min(speaks, default=OPEN)
    before = [a for a in against if a < limit]
    return max(before) + 1 if before else first


def void(claim: Told, strong: list[Told], starts: dict[str, int], *, ending: bool) -> bool:  # noqa: C901  # one rule a line, in one place
    """Whether a dated plan, of a change or of an ending, came to nothing."""
    span = claim.start if not ending else claim.end or claim.start
    assert span is not None
    for other in strong:
        if (
            other.form == "cancel"
            and other.said > claim.said
            and other.value in (claim.value, None)
        ):
            return True
    placed = starts[claim.name]
    confirmed: list[int] = []
    for other in strong:
        if ending or not asserts(other) or other.value != claim.value or other.form == "end":
            continue
        about = starts[other.name] if other.start else other.at
        until = about
        if other.form == "since" and other.start is None:
            before = [
                o.at for o in strong if o.value == other.value and asserts(o) and o.form != "end"
            ]
            about = max((at for at in before if at < other.at), default=other.at)
        if other.form == "since":
            until = max(about, other.at)
        elif other.form == "state" and other.start is not None:
            until = min(max(about, other.start.after - 1), max(about, other.at))
        elif other.form == "past" and other.end is not None:
            until = other.end.first - 1 if other.end.first <= other.at else other.at
        if until >= placed:
            confirmed.append(max(about, placed))
    for other in strong:
        if not asserts(other) or other is claim or other.at < claim.at:
            continue
        same = other.value == claim.value
        if other.form not in ("state", "since") or other.at < max(span.after, span.first + 1):
            continue
        about = other.at
        if other.form == "state" and other.start is not None:
            about = other.start.first
            if about < max(span.after, span.first + 1):
                continue
        whole = max(span.after, span.first + 1)
        if other.form == "since" and other.start is not None and other.start.first >= whole:
            continue
        if same == ending:
            return not any(at < other.at for at in confirmed)
        return False
    return False
