"""Results as text for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import tzinfo
from typing import TYPE_CHECKING, TypeVar

from graphmem.entrypoints.cli.output import Output, Part, count, flat
from graphmem.model.claim import Polarity
from graphmem.model.dates import fact_words, instant
from graphmem.model.estimate import Estimate
from graphmem.model.explanation import Explanation
from graphmem.model.fact import Cause, Fact, Status
from graphmem.model.receipt import ErasureReceipt, FactChange, Receipt, TurnState
from graphmem.model.search import EntityView, Hit, Page, PointKind, SearchResult, Source
from graphmem.model.spent import spent
from graphmem.model.time import FOREVER, Certainty

if TYPE_CHECKING:
    from graphmem.usecases.doctor import Report
    from graphmem.usecases.upkeep import VerifyReport

T = TypeVar("T")

DIM = "dim"

UNDONE = (TurnState.PENDING, TurnState.FAILED)

_LABEL_STYLES = {
    "current": "green",
    "planned": "cyan",
    "happened": "blue",
    "said": "magenta",
    "ended": "yellow",
    "disputed": "red",
    "retracted": "red",
}
CHANGE_STYLES = {
    FactChange.ADDED: ("+", "green"),
    FactChange.CORROBORATED: ("=", DIM),
    FactChange.CHANGED: ("~", "cyan"),
    FactChange.ENDED: ("-", "yellow"),
    FactChange.RETRACTED: ("x", "red"),
    FactChange.RESTORED: ("+", "green"),
    FactChange.DISPUTED: ("?", "red"),
}


def triple(item: Fact) -> str:
    """Return "Ida likes tea": what a statement in somebody's own words says of whom."""
    no = "not " if item.polarity is Polarity.NEGATIVE else ""
    parts = [item.subject.text, no + item.predicate.replace("_", " ")]
    parts += [item.object.text] if item.object else []
    parts += [f"({name}: {value})" for name, value in item.qualifiers]
    return flat(" ".join(parts))


def fact(out: Output, item: Fact, zone: tzinfo, *, mark: Sequence[Part] = ()) -> None:
    """Print a fact: its statement, then when it holds, what it says of whom, and its id."""
    out.line(*mark, (flat(item.statement), "bold"))
    words = [fact_words(item, zone)]
    if item.status is not Status.HELD:
        words.append(item.status.value)
    out.line("  ", (f"{', '.join(words)} · {triple(item)} · {item.id}", DIM))


def cause(item: Cause | None) -> str:
    """Return "superseded", "withdrawn: said in jest" and the like."""
    if item is None:
        return ""
    words = item.rule.removesuffix("_by").replace("_", " ")
    return f"{words}: {item.reason}" if item.reason else words


def source(out: Output, item: Source, zone: tzinfo, *, indent: str = "  ", lead: str = "") -> None:
    """Print who said what when, on one line."""
    who = f"{flat(item.speaker)}, {instant(item.occurred_at, zone)}"
    out.line(indent, lead, (f"“{flat(item.quote)}”", "italic"), (f"  {who}  {item.episode}", DIM))


def hit(out: Output, number: int, item: Hit, zone: tzinfo) -> None:
    """Print an answer with how it stands, where it comes from and how it was reached."""
    out.line(f"{number}. ", (flat(item.text), "bold"), (f"  {item.score:.2f}", DIM))
    label = item.label if item.certainty is Certainty.HOLDS else f"{item.label}, {item.certainty}"
    said = [fact_words(item.fact, zone), triple(item.fact)] if item.fact else []
    style = _LABEL_STYLES.get(item.label, "")
    out.line("   ", (label, style), (" · ".join(["", *said, item.id]), DIM))
    if item.why:
        out.line("   ", (flat(item.why), DIM))
    if len(item.path) > 1:
        steps = " → ".join(flat(step.statement) for step in item.path)
        out.line("   path: ", (steps, "cyan"))
    if item.kind is PointKind.FACT:  # what was said in a turn is its own source
        for one in item.sources:
            source(out, one, zone, indent="   ")


def notes(out: Output, items: Iterable[str]) -> None:
    """Say what the reader should know, beside the result."""
    if not out.json:
        for item in items:
            out.note(item.replace("me=…", "--me NAME"))  # an option has another spelling here


def result(out: Output, item: SearchResult, zone: tzinfo) -> None:
    """Print answers, or that there are none."""
    for number, one in enumerate(item.hits, 1):
        hit(out, number, one, zone)
    if not item.hits:
        hidden = f"; {item.hidden} below the floor" if item.hidden else ""
        out.line(f"Nothing found{hidden}.")
    notes(out, item.notes)


def receipt(out: Output, item: Receipt, zone: tzinfo) -> None:
    """Print what a write did."""
    states = Counter(turn.state for turn in item.turns)
    if len(item.turns) > 1 or any(state is not TurnState.STORED for state in states):
        counts = ", ".join(f"{number} {state.value}" for state, number in states.items())
        out.line((f"turns: {counts}", DIM))
    for outcome in item.outcomes:
        sign, style = CHANGE_STYLES[outcome.change]
        why = cause(outcome.cause)
        tail = f" ({why})" if why else ""
        fact(out, outcome.fact, zone, mark=[(f"{sign} {outcome.change.value}{tail}: ", style)])
    if not item.outcomes and states[TurnState.STORED]:
        out.line("Stored; no fact was taken from it.")
    unmatched(out, item)
    for refusal in item.refused:
        reason = f": {refusal.reason}" if refusal.reason else ""
        out.line((f"not stored as fact: {refusal.count} {refusal.kind}{reason}", DIM))
    for turn in item.turns:
        if turn.state in UNDONE:
            out.line((f"turn {turn.index + 1} {turn.state.value}: {turn.reason}", "red"))
    left_over(out, item)
    cost(out, item)
    notes(out, item.notes)


def left_over(out: Output, item: Receipt) -> None:
    """Say of which stored turns a part was not read or not indexed."""
    partly = [turn for turn in item.turns if turn.state is TurnState.STORED and turn.reason]
    for turn in partly[:5]:
        out.line((f"turn {turn.index + 1}: {turn.reason}", "yellow"))
    if len(partly) > 5:
        out.line((f"so it is with {count(len(partly) - 5, 'more long turn')}", "yellow"))


def unmatched(out: Output, item: Receipt) -> None:
    """Say how much was not understood; it stays findable as something said."""
    number = sum(turn.unmatched for turn in item.turns)
    if number:
        sentences = count(number, "sentence")
        out.line((f"  {sentences} that may say something gave no fact", DIM))


def summary(out: Output, name: str, item: Receipt) -> None:
    """Print what a long write did, in a few lines."""
    states = Counter(turn.state for turn in item.turns)
    counts = ", ".join(f"{states[state]} {state.value}" for state in TurnState if states[state])
    out.line((name, "bold"), f": {count(len(item.turns), 'turn')} ({counts or 'none'})")
    changes = Counter(outcome.change for outcome in item.outcomes)
    for change, (sign, style) in CHANGE_STYLES.items():
        if changes[change]:
            out.line("  ", (f"{sign} {count(changes[change], 'fact')} {change.value}", style))
    unmatched(out, item)
    reasons = Counter(turn.reason for turn in item.turns if turn.state in UNDONE)
    for reason, number in reasons.most_common(5):
        out.line((f"  {count(number, 'turn')}: {reason}", "red"))
    left_over(out, item)
    cost(out, item)
    notes(out, item.notes)


def cost(out: Output, item: Receipt) -> None:
    """Print what a model cost, if one was asked."""
    if words := spent(item.steps):
        out.line((f"model: {words}", DIM))


def estimated(out: Output, name: str, item: Estimate) -> None:
    """Print what adding turns would cost."""
    known = f", {item.known:,} of them known" if item.known else ""
    out.line((name, "bold"), f": {count(item.turns, 'turn')}{known}; {item.read:,} to be read")
    if item.calls:
        share = round(100 * item.static_tokens / max(1, item.prompt_tokens))
        out.line(
            f"  about {count(item.calls, 'call')}, {item.prompt_tokens:,} tokens of prompts "
            f"({share} % the same in each, {item.said_tokens:,} said in the turns), "
            f"{item.completion_tokens:,} of answers"
        )


def erasure(out: Output, item: ErasureReceipt, zone: tzinfo) -> None:
    """Print what an erasure removed, and whether anything is left."""
    counts = ", ".join(f"{number} {kind}" for kind, number in item.removed.items() if number)
    out.line(f"Erased: {counts or 'nothing'}.")
    for one in item.reopened:
        fact(out, one, zone, mark=[("+ holds again: ", "green")])
    if item.clean:
        out.line(("Clean: nothing of it is left in any file.", "green"))
    for reason in item.waiting:
        out.line((f"Still waiting: {reason}", "yellow"))


def record(out: Output, item: Fact, zone: tzinfo) -> None:
    """Print one record of a fact's history."""
    until = "" if item.expired_at >= FOREVER else f" to {instant(item.expired_at, zone)}"
    out.line(
        (f"recorded {instant(item.created_at, zone)}{until or ' until now'}", "cyan"),
    )
    why = cause(item.cause)
    fact(out, item, zone, mark=["  "])
    if why:
        out.line("    ", (why, "yellow"))


def explanation(out: Output, item: Explanation, zone: tzinfo) -> None:
    """Print why a fact is what it is."""
    fact(out, item.fact, zone)
    out.line("  ", (flat(item.why), "cyan"))
    for one in item.sources:
        source(out, one, zone, lead="rests on ")
    if item.ended_by:
        source(out, item.ended_by, zone, lead="ended by ")
    if item.replaced_by:
        fact(out, item.replaced_by, zone, mark=["replaced by: "])
    for one in item.ended:
        fact(out, one, zone, mark=["ended: "])


def entity(out: Output, view: EntityView) -> None:
    """Print an entity with its names and how much is known of it."""
    item = view.entity
    also = [*item.types, *(f"also {flat(name)}" for name in item.aliases)]
    if item.is_self:
        also.insert(0, "the user")
    out.line((flat(item.name), "bold"), f"  {', '.join(also)}" if also else "")
    out.line((f"  {count(view.facts, 'fact')}  {item.id}", DIM))


def rest(out: Output, page: Page[T], what: str) -> None:
    """Say how much there is in all, and how to see the rest."""
    if page.cursor:
        out.line(
            (f"{len(page.items)} of {count(page.total, what)}; more: --cursor {page.cursor}", DIM)
        )
    elif not page.items:
        out.line(f"No {count(0, what).removeprefix('0 ')}.")


def verified(out: Output, item: VerifyReport) -> None:
    """Print how store and index compare."""
    points = sum(one.points for one in item.scopes)
    if item.clean:
        users = count(len(item.scopes), "user")
        out.line(("Sound: ", "green"), f"{users}, {count(points, 'point')} in the index.")
    for finding in item.findings:
        out.line(("store: ", "red"), finding)
    for one in item.scopes:
        troubles = Counter(fault.trouble for fault in one.faults)
        words = ", ".join(f"{number} {trouble.value}" for trouble, number in troubles.items())
        if words:
            out.line(("index: ", "red"), f"{one.scope.user} ({one.scope.tenant}): {words}")
    if item.extra:
        out.line(
            ("index: ", "red"), f"{count(len(item.extra), 'point')} that no record stands behind"
        )
    for row in item.parked:
        out.line(
            ("index: ", "yellow"),
            f"the {row.kind.value} {row.id} of {row.scope.user} cannot be indexed ({row.parked}); "
            "graphmem repair tries again",
        )
    if item.backlog:
        out.line(("index: ", "yellow"), f"{count(item.backlog, 'change')} to be indexed yet")
    for note in item.notes:
        out.line((note, "yellow"))
    if not item.notes and (item.extra or item.backlog or any(one.faults for one in item.scopes)):
        # A note says itself what to do, and what is wrong in the store no repair mends.
        out.line("Mend it with: graphmem repair")


def examined(out: Output, item: Report) -> None:
    """Print what the doctor found, a line each."""
    width = max(len(finding.name) for finding in item.findings)
    for finding in item.findings:
        mark = ("ok  ", "green") if finding.well else ("!!  ", "red")
        out.line(mark, (finding.name.ljust(width), DIM), f"  {finding.value}")
