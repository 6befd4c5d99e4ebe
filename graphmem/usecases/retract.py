"""Take a fact back, or let it stand again."""

from __future__ import annotations

from graphmem.errors import NotFoundError, RefusedError
from graphmem.model.changes import ChangeSet, Decision, Wanted
from graphmem.model.fact import Fact, Status
from graphmem.model.receipt import Receipt
from graphmem.model.scope import Scope
from graphmem.usecases.believe import Outcome, same_ends, withdraw
from graphmem.usecases.lookup import latest_record
from graphmem.usecases.services import Services


async def retract(
    services: Services, scope: Scope, fact_id: str, *, reason: str | None = None
) -> Receipt:
    """Withdraw the claims a fact rests on: it was never true. What only it had ended reopens.

    Raises:
        NotFoundError: no such fact in this scope.
    """
    fact = await latest_record(services.store, scope, fact_id)
    if fact.status is Status.RETRACTED:
        return Receipt(notes=(f"{fact_id} is retracted already ({_rule(fact)})",))
    return await _withdraw(services, scope, fact, reason=reason)


async def restore(services: Services, scope: Scope, fact_id: str) -> Receipt:
    """Let the withdrawn claims of a retracted fact stand again.

    Raises:
        NotFoundError: no such fact in this scope.
        RefusedError: not a retraction but another claim took it back; the message names it.
    """
    fact = await latest_record(services.store, scope, fact_id)
    if fact.status is not Status.RETRACTED:
        return Receipt(notes=(f"{fact_id} is not retracted",))
    if fact.cause is not None and fact.cause.claim is not None:
        raise RefusedError(
            f"fact {fact_id!r} was taken back by claim {fact.cause.claim!r} ({fact.cause.rule}); "
            "retract what that claim says, and this stands again by itself"
        )
    return await _withdraw(services, scope, fact, lifted=True)


def _rule(fact: Fact) -> str:
    return fact.cause.rule if fact.cause else "withdrawn"


async def _withdraw(
    services: Services,
    scope: Scope,
    fact: Fact,
    *,
    lifted: bool = False,
    reason: str | None = None,
) -> Receipt:
    outcome = Outcome()

    def decide() -> Decision:
        snapshot = yield Wanted(facts=(fact.id,))
        live = next((f for f in snapshot.facts if f.id == fact.id), None)
        if live is None:
            raise NotFoundError(f"fact {fact.id!r} gave way meanwhile; look it up again")
        resting = [c for c in snapshot.claims if c.claim.id in live.claims]
        changed = [c for c in resting if c.withdrawn is lifted]
        if lifted and any(same_ends(c) for c in changed):
            raise RefusedError(
                f"fact {fact.id!r} is of {fact.subject.text!r} and itself since a merge; split() "
                "what was merged first"
            )
        if not changed:
            return ChangeSet()
        return (
            yield from withdraw(changed, services.ontology, outcome, lifted=lifted, reason=reason)
        )

    outcome.committed((await services.store.change(scope, decide)).at)
    notes = await services.catch_up(scope)
    return Receipt(outcomes=outcome.outcomes, notes=tuple(notes))
