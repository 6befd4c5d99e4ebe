"""What the rules left open of a batch, asked once of a model, after what they gave was committed.

Open are conflicts between equals (``undecided_equals``), pairs of names that may be one thing, and
claims left out because a name fits several things. docs/concepts.md tells of each. A call that
fails, or answers nothing that can be used, changes nothing and is noted.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

from graphmem.errors import GraphmemError
from graphmem.extraction.second import BOTH, DIFFERENT, MOST_QUESTIONS, SAME, Decided, Decider
from graphmem.model.changes import Decide
from graphmem.model.episode import Episode
from graphmem.model.receipt import FactChange, FactOutcome, Receipt
from graphmem.model.scope import Scope
from graphmem.usecases import identity
from graphmem.usecases.believe import Outcome
from graphmem.usecases.services import Services
from graphmem.usecases.undecided_apply import Meant, Settled, believe_meant, settle_conflicts
from graphmem.usecases.undecided_ask import Open, open_questions

_log = logging.getLogger(__name__)


async def settle(
    services: Services, scope: Scope, batch: Sequence[Episode], outcome: Outcome
) -> Receipt | None:
    """Ask about what ``outcome`` left open, and do as is answered; None if nothing was open.

    ``batch`` are the turns that were read. Never raises for the model or the store: what was
    believed is committed, and stands.
    """
    decider = services.decider
    if decider is None:
        return None
    try:
        found = await open_questions(services, scope, batch, outcome)
        if not found:
            return None
        return await _decide(services, decider, scope, outcome, found)
    except GraphmemError as error:
        _log.info("open questions stay as the rules have them: %s", error)
        return Receipt(notes=(f"what was left open stays as the rules have it: {error}",))


async def _decide(
    services: Services,
    decider: Decider,
    scope: Scope,
    outcome: Outcome,
    found: Sequence[Open],
) -> Receipt:
    decided = await decider.decide([each.question for each in found])
    asked = min(len(found), MOST_QUESTIONS)
    notes: list[str] = []
    if decided.problem is not None:
        notes.append(f"{asked} open questions stay as the rules have them: {decided.problem}")
    elif decided.unusable:
        notes.append(f"{decided.unusable} answers on open questions could not be used")
    if len(found) > asked:
        notes.append(f"{len(found) - asked} open questions more were not asked")
    done = Receipt(usage=decided.usage, steps=decided.steps, notes=tuple(notes))
    for carry_out in (_settle_conflicts, _believe_meant, _settle_names):
        try:
            part = await carry_out(services, scope, outcome, found, decided)
        except GraphmemError as error:
            _log.info("an answer on an open question was not carried out: %s", error)
            part = Receipt(notes=(f"an answer on an open question was not carried out: {error}",))
        done = replace(
            done, outcomes=(*done.outcomes, *part.outcomes), notes=(*done.notes, *part.notes)
        )
    return _told_once(outcome, done)


def _told_once(outcome: Outcome, done: Receipt) -> Receipt:
    """Let a receipt tell of each fact what became of it in the end."""
    before = {o.fact.id: o.change for o in outcome.outcomes}
    after = {o.fact.id: o for o in done.outcomes}
    outcome.outcomes = tuple(o for o in outcome.outcomes if o.fact.id not in after)
    new = {claim.id for claim, _ in outcome.linked.claims}
    told = [
        replace(o, change=FactChange.ADDED)
        if o.change is FactChange.RESTORED
        and before.get(o.fact.id) is FactChange.RETRACTED
        and new.issuperset(o.fact.claims)
        else o
        for o in after.values()
    ]
    return replace(done, outcomes=tuple(told))


async def _settle_conflicts(
    services: Services,
    scope: Scope,
    _: Outcome,
    found: Sequence[Open],
    decided: Decided,
) -> Receipt:
    settled: list[Settled] = []
    notes: list[str] = []
    for place, each in enumerate(found):
        if each.conflict is None or place not in decided.answers:
            continue
        both = decided.answers[place] == BOTH
        chosen = Settled(each.conflict, None if both else decided.place(place))
        if not chosen.changes:
            continue
        settled.append(chosen)
        last = each.conflict.sides[-1].lead.claim.statement
        if both:
            notes.append(f"by the model's answer {last!r} holds beside what was said with it")
        elif chosen.holds is not None:
            first = each.conflict.sides[chosen.holds].lead.claim.statement
            notes.append(f"by the model's answer {first!r} holds, and not {last!r}")
    if not settled:
        return Receipt()
    outcome = Outcome()
    await _change(
        services,
        scope,
        outcome,
        lambda: settle_conflicts(settled, services.ontology, outcome),
    )
    return Receipt(outcomes=outcome.outcomes, notes=tuple(notes if outcome.outcomes else ()))


async def _believe_meant(
    services: Services,
    scope: Scope,
    outcome: Outcome,
    found: Sequence[Open],
    decided: Decided,
) -> Receipt:
    chosen: dict[int, dict[str, str]] = {}
    for place, each in enumerate(found):
        picked = decided.place(place)
        if each.unclear is not None and picked is not None:
            claim, end, ids = each.unclear
            chosen.setdefault(claim, {})[end] = ids[picked]
    meant: list[Meant] = []
    for claim, ends in chosen.items():
        unclear = outcome.linked.unclear[claim]
        if bool(unclear.subject) <= ("subject" in ends) and bool(unclear.object) <= (
            "object" in ends
        ):
            meant.append(Meant(unclear.claim, ends.get("subject"), ends.get("object")))
    if not meant:
        return Receipt()
    done = Outcome()
    await _change(
        services,
        scope,
        done,
        lambda: believe_meant(meant, services.ontology, scope.user, done),
    )
    notes = [
        f"by the model's answer {claim.quote!r} is about one of several of that name"
        for claim, _ in done.linked.claims
    ]
    # They are no longer left out.
    refused = outcome.linked.refused
    refused["ambiguous"] = refused.get("ambiguous", 0) - len(done.linked.claims)
    return Receipt(outcomes=done.outcomes, notes=tuple(notes))


async def _settle_names(
    services: Services,
    scope: Scope,
    outcome: Outcome,
    found: Sequence[Open],
    decided: Decided,
) -> Receipt:
    outcomes: list[FactOutcome] = []
    notes: list[str] = []
    done_with: set[str] = set()
    for place, each in enumerate(found):
        answer, pair = decided.answers.get(place), each.suggestion
        if pair is None or answer not in (SAME, DIFFERENT):
            continue
        if answer == SAME:
            done = await identity.confirm(services, scope, pair.id)
            outcomes += done.outcomes
            notes.append(f"by the model's answer {pair.reason}: undo {pair.id} parts them")
        else:
            await identity.reject(services, scope, pair.id)
            notes.append(f"by the model's answer not one thing: {pair.reason}")
        done_with.add(pair.id)
    # Nobody need be asked about those any more.
    outcome.suggested = tuple(s for s in outcome.suggested if s.id not in done_with)
    return Receipt(outcomes=tuple(outcomes), notes=tuple(notes))


async def _change(services: Services, scope: Scope, outcome: Outcome, decide: Decide) -> None:
    outcome.committed((await services.store.change(scope, decide)).at)
