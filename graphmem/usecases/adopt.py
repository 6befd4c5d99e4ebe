"""Opening a store with another registry: what changed is linked and computed anew."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace

from graphmem.model.changes import Decision, Wanted
from graphmem.model.claim import Link, LinkedClaim
from graphmem.model.entity import Value, ValueKind
from graphmem.model.predicate import Ontology
from graphmem.model.scope import Scope
from graphmem.ports.graph_store import GraphStore
from graphmem.usecases.believe import Outcome, relink

_KEY = "ontology"
_PAGE = 500


async def adopt(store: GraphStore, ontology: Ontology) -> int:
    """Make the store's facts those that ``ontology`` gives; return how many scopes changed.

    Each scope changes in one recorded change; past views stay as they were.
    """
    text = json.dumps(ontology.semantics(), sort_keys=True, ensure_ascii=False)
    before = await store.get_meta(_KEY)
    if before == text:
        return 0
    changed = 0
    if before is not None:
        known = json.loads(before)
        different = differing(known, ontology)
        for scope in await store.scopes():
            changed += await recompute_scope(store, scope, ontology, different)
            # The index names undeclared predicates by opaque keys.
            if different & (known.keys() ^ ontology.semantics().keys()):
                await store.requeue(scope)
    await store.set_meta(_KEY, text)
    return changed


def differing(before: Mapping[str, object], ontology: Ontology) -> frozenset[str]:
    """Return the slugs whose meaning differs from ``before``, which was read from JSON."""
    now = json.loads(json.dumps(ontology.semantics()))
    return frozenset(s for s in {*before, *now} if before.get(s) != now.get(s))


async def recompute_scope(
    store: GraphStore, scope: Scope, ontology: Ontology, different: frozenset[str]
) -> bool:
    """Link and compute anew the claims of predicates that mean something else now."""
    ids: list[str] = []
    cursor: str | None = None
    while True:
        page = await store.entities(scope, limit=_PAGE, cursor=cursor)
        ids += [view.entity.id for view in page.items]
        cursor = page.cursor
        if cursor is None:
            break

    def decide() -> Decision:
        snapshot = yield Wanted(touching=tuple(ids))
        moving = [c for c in snapshot.claims if _affected(c, ontology, different)]
        moved = [_linked_anew(c, ontology) for c in moving]
        return (yield from relink(moved, moving, {}, ontology, Outcome()))

    done = await store.change(scope, decide)
    return not done.changes.empty


def _affected(linked: LinkedClaim, ontology: Ontology, different: frozenset[str]) -> bool:
    slug = ontology.resolve(linked.claim.predicate).predicate.slug
    return linked.link.predicate in different or slug in different


def _linked_anew(linked: LinkedClaim, ontology: Ontology) -> LinkedClaim:
    """Orient a claim by the registry in force; its words decide, as they did the first time."""
    claim, link = linked.claim, linked.link
    resolved = ontology.resolve(claim.predicate)
    polarity = claim.polarity.flipped if resolved.negated else claim.polarity
    new: Link = replace(link, predicate=resolved.predicate.slug, polarity=polarity)
    was_flipped = _flipped(linked)
    turn = resolved.flipped is not was_flipped
    if turn and link.object is not None and link.object.kind is ValueKind.ENTITY:
        subject = Value(ValueKind.ENTITY, link.subject, claim.subject.text)
        new = replace(new, subject=link.object.key, object=subject)
    return replace(linked, link=new)


def _flipped(linked: LinkedClaim) -> bool:
    """Whether the stored direction is the other way round than it was said."""
    claim, link = linked.claim, linked.link
    if link.object is None or claim.object is None:
        return False
    return link.object.text == claim.subject.text != claim.object.text
