"""Which names are one thing: merge, split, and suggestions to confirm, reject and undo."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import replace

from graphmem.errors import InputError, NotFoundError, RefusedError
from graphmem.model.changes import ChangeSet, Decision, Snapshot, Wanted, Withdrawal
from graphmem.model.claim import Link, LinkedClaim, Mention
from graphmem.model.entity import (
    Entity,
    Suggestion,
    SuggestionState,
    Value,
    ValueKind,
    name_keys,
)
from graphmem.model.ids import IdKind, kind_of, new_id
from graphmem.model.receipt import Receipt
from graphmem.model.scope import Scope
from graphmem.model.text import normal_key, require_text
from graphmem.usecases.believe import Outcome, relink, same_ends
from graphmem.usecases.lookup import means_self
from graphmem.usecases.services import Services

ONE_THING = "its two ends are one thing"


async def merge(services: Services, scope: Scope, names: Sequence[str], *, into: str) -> Receipt:
    """Make one entity of several; every claim about them is then about it.

    ``names`` and ``into`` are names, aliases or entity ids; ``into`` may be among ``names``, and
    may be a new name for all of them.

    Raises:
        NotFoundError: a name is nobody's.
        InputError: fewer than two different things are named.
        RefusedError: the scope's own user would be merged into somebody else.
    """
    require_text(into, "into")
    outcome = Outcome()

    def decide() -> Decision:
        snapshot = yield _looked_up([*names, into])
        entities = [e for e in snapshot.entities if e.merged_into is None]
        found = {name: _named(name, entities, scope) for name in names}
        target = _found(into, entities, scope)
        if target is None and kind_of(into) is IdKind.ENTITY:
            raise NotFoundError(f"no entity {into!r} for user {scope.user!r}")
        target = target or next(iter(found.values()))
        if not _means(into, target, scope):
            target = _with_alias(target, into)
        sources = [e for e in {e.id: e for e in found.values()}.values() if e.id != target.id]
        if not sources:
            raise InputError(f"{list(names)!r} are one entity already: {target.name!r}")
        return (yield from _merge(sources, target, services, outcome))

    outcome.committed((await services.store.change(scope, decide)).at)
    return await _receipt(services, scope, outcome)


async def split(services: Services, scope: Scope, name: str, *, out_of: str) -> Receipt:
    """Make an entity of its own of one name of another; claims that use the name go with it.

    Raises:
        NotFoundError: ``out_of`` is nobody's, or no claim calls it ``name``.
    """
    require_text(name, "name")
    outcome = Outcome()

    def decide() -> Decision:
        snapshot = yield _looked_up([name, out_of])
        known = [e for e in snapshot.entities if e.merged_into is None]
        source = _named(out_of, known, scope)
        merged = [e for e in snapshot.entities if e.merged_into is not None]
        taken = yield from _merged_as(name, merged, source)
        snapshot = yield Wanted(touching=(source.id,))
        keys = set(name_keys(name))
        moving = [c for c in snapshot.claims if _uses(c, source.id, keys)]
        if not moving and taken is None:
            raise NotFoundError(f"no claim calls {source.name!r} {name!r}; nothing to split")
        if normal_key(name) == source.key:
            raise InputError(
                f"{name!r} is the main name of the entity; split off one of its other names: "
                f"{list(source.aliases)!r}"
            )
        back = taken or Entity(id=new_id(IdKind.ENTITY), name=name, key=normal_key(name))
        rest = replace(
            source, aliases=tuple(a for a in source.aliases if not keys & set(name_keys(a)))
        )
        # What it had taken over itself stays where the claims that use it are.
        own = tuple(a for a in back.aliases if not rest.keys & set(name_keys(a)))
        fresh = replace(back, merged_into=None, types=back.types or source.types, aliases=own)
        moved = [
            _moved(c, source.id, fresh, only=keys, flipped=_flipped(c, services)) for c in moving
        ]
        entities = {rest.id: rest, fresh.id: fresh}
        return (yield from _relinked(moved, moving, entities, services, outcome))

    outcome.committed((await services.store.change(scope, decide)).at)
    return await _receipt(services, scope, outcome)


async def confirm(services: Services, scope: Scope, suggestion_id: str) -> Receipt:
    """Merge the two entities of a suggestion.

    Raises:
        NotFoundError: no such suggestion.
    """
    outcome = Outcome()

    def decide() -> Decision:
        suggestion, first, second = yield from _suggested(suggestion_id)
        if suggestion.state is SuggestionState.CONFIRMED:
            return ChangeSet()
        done = replace(suggestion, state=SuggestionState.CONFIRMED)
        first, second = (yield from _standing(first)), (yield from _standing(second))
        if first.id == second.id:  # merged by name meanwhile
            return ChangeSet(suggestions=(done,))
        target, source = (second, first) if second.is_self else (first, second)
        change = yield from _merge([source], target, services, outcome)
        return replace(change, suggestions=(done,))

    outcome.committed((await services.store.change(scope, decide)).at)
    return await _receipt(services, scope, outcome)


async def reject(services: Services, scope: Scope, suggestion_id: str) -> Receipt:
    """Note that the two are different, and do not suggest it again.

    Raises:
        NotFoundError: no such suggestion.
        RefusedError: it was confirmed; undo it first.
    """

    def decide() -> Decision:
        suggestion, _, _ = yield from _suggested(suggestion_id)
        if suggestion.state is SuggestionState.CONFIRMED:
            raise RefusedError(f"suggestion {suggestion_id!r} was confirmed; undo() it first")
        return ChangeSet(suggestions=(replace(suggestion, state=SuggestionState.REJECTED),))

    await services.store.change(scope, decide)
    return Receipt()


async def undo(services: Services, scope: Scope, suggestion_id: str) -> Receipt:
    """Open a decided suggestion again; what it merged is two things again.

    Raises:
        NotFoundError: no such suggestion.
    """
    outcome = Outcome()

    def decide() -> Decision:
        suggestion, first, second = yield from _suggested(suggestion_id)
        reopened = replace(suggestion, state=SuggestionState.OPEN)
        gone = next((e for e in (first, second) if e.merged_into is not None), None)
        if suggestion.state is not SuggestionState.CONFIRMED or gone is None:
            return ChangeSet(suggestions=(reopened,))
        source = first if gone is second else second
        snapshot = yield Wanted(touching=(source.id,))
        keys = set(gone.keys)
        moving = [c for c in snapshot.claims if _uses(c, source.id, keys)]
        fresh = replace(gone, merged_into=None)
        rest = replace(
            source, aliases=tuple(a for a in source.aliases if not keys & set(name_keys(a)))
        )
        moved = [
            _moved(c, source.id, fresh, only=keys, flipped=_flipped(c, services)) for c in moving
        ]
        entities = {rest.id: rest, fresh.id: fresh}
        change = yield from _relinked(moved, moving, entities, services, outcome)
        return replace(change, suggestions=(reopened,))

    outcome.committed((await services.store.change(scope, decide)).at)
    return await _receipt(services, scope, outcome)


async def _receipt(services: Services, scope: Scope, outcome: Outcome) -> Receipt:
    notes = await services.catch_up(scope)
    return Receipt(outcomes=outcome.outcomes, notes=tuple(notes))


def _looked_up(names: Iterable[str]) -> Wanted:
    ids: list[str] = []
    keys: list[str] = []
    for name in names:
        require_text(name, "name")
        if kind_of(name) is IdKind.ENTITY:
            ids.append(name)
        else:
            keys.extend(name_keys(name))
    return Wanted(entities=tuple(ids), entity_keys=tuple(dict.fromkeys(keys)))


def _merged_as(
    name: str, merged: Sequence[Entity], source: Entity
) -> Generator[Wanted, Snapshot, Entity | None]:
    """Return what was merged into ``source``, perhaps by way of others, under ``name``.

    What was called so itself comes before what had only taken the name over in a merge.
    """
    for entity in merged:
        if name in (entity.id, entity.name) or entity.key == normal_key(name):
            standing = yield from _standing(entity)
            if standing.id == source.id:
                return entity
    return next((e for e in merged if e.merged_into == source.id and _goes_by(e, name)), None)


def _goes_by(entity: Entity, name: str) -> bool:
    return entity.id == name or bool(set(name_keys(name)) & entity.keys)


def _one_or_none(name: str, entities: Iterable[Entity]) -> Entity | None:
    for key in (name, *name_keys(name)):
        found = [e for e in entities if e.id == key or key in e.keys]
        if len(found) == 1:
            return found[0]
        if found:
            listed = ", ".join(f"{e.name} ({e.id})" for e in found)
            raise InputError(f"{name!r} is the name of several: {listed}; give an id")
    return None


def _found(name: str, entities: Sequence[Entity], scope: Scope) -> Entity | None:
    found = _one_or_none(name, entities)
    if found is None and means_self(name, scope.user):
        found = next((e for e in entities if e.is_self), None)
    return found


def _means(name: str, entity: Entity, scope: Scope) -> bool:
    """Whether ``name`` is one of the thing's names already, or its id."""
    own = entity.is_self and means_self(name, scope.user)
    return own or name == entity.id or name == entity.name or _goes_by(entity, name)


def _named(name: str, entities: Sequence[Entity], scope: Scope) -> Entity:
    found = _found(name, entities, scope)
    if found is None:
        raise NotFoundError(f"nobody and nothing is called {name!r}; entities() lists the names")
    return found


def _with_alias(entity: Entity, name: str) -> Entity:
    if entity.name == name or name in entity.aliases:
        return entity
    return replace(entity, aliases=(*entity.aliases, name))


def _merge(
    sources: Sequence[Entity], target: Entity, services: Services, outcome: Outcome
) -> Generator[Wanted, Snapshot, ChangeSet]:
    if any(e.is_self for e in sources):
        raise RefusedError(
            f"the memory's own user cannot be merged into {target.name!r}; merge the other way"
        )
    ids = tuple(e.id for e in sources)
    snapshot = yield Wanted(touching=ids)
    moving = [c for c in snapshot.claims if c.link.subject in ids or _object_id(c) in ids]
    for source in sources:
        for name in (source.name, *source.aliases):
            target = _with_alias(target, name)
        target = replace(target, types=tuple(dict.fromkeys((*target.types, *source.types))))
    moved: list[LinkedClaim] = []
    for linked in moving:
        changed = linked
        for source in sources:
            changed = _moved(changed, source.id, target)
        moved.append(changed)
    entities = {e.id: replace(e, merged_into=target.id) for e in sources}
    entities[target.id] = target
    return (yield from _relinked(moved, moving, entities, services, outcome))


def _relinked(
    moved: Iterable[LinkedClaim],
    before: Sequence[LinkedClaim],
    entities: dict[str, Entity],
    services: Services,
    outcome: Outcome,
) -> Generator[Wanted, Snapshot, ChangeSet]:
    """Relink claims; one whose two ends are one thing says nothing, until they are two again."""
    was = {c.claim.id: c for c in before}
    changed: list[LinkedClaim] = []
    withdrawals: list[Withdrawal] = []
    for linked in moved:
        old = was[linked.claim.id]
        if same_ends(linked) and old.withdrawn:
            continue  # taken back before: it stays as it was
        if same_ends(linked) or same_ends(old):
            taken = same_ends(linked)
            withdrawals.append(Withdrawal(linked.claim.id, not taken, ONE_THING if taken else None))
            changed.append(replace(linked, withdrawn=taken))
        else:
            changed.append(linked)
    change = yield from relink(
        changed, before, entities, services.ontology, outcome, reason=ONE_THING
    )
    return replace(change, withdrawals=tuple(withdrawals))


def _object_id(linked: LinkedClaim) -> str | None:
    value = linked.link.object
    return value.key if value is not None and value.kind is ValueKind.ENTITY else None


def _uses(linked: LinkedClaim, entity: str, keys: set[str]) -> bool:
    """Whether a claim calls ``entity`` by one of the names."""
    claim, link = linked.claim, linked.link
    words = {k for m in (claim.subject, claim.object) if m for k in name_keys(m.text)}
    return entity in (link.subject, _object_id(linked)) and bool(words & keys)


def _moved(
    linked: LinkedClaim,
    source: str,
    target: Entity,
    *,
    only: set[str] | None = None,
    flipped: bool = False,
) -> LinkedClaim:
    """Link a claim's ends at ``source`` to ``target``, or ``only`` those called by some names.

    ``flipped`` says that the claim's subject is its link's object.
    """
    link: Link = linked.link
    ends = [linked.claim.subject, linked.claim.object]
    subject, value = reversed(ends) if flipped else ends
    if not same_ends(linked):
        # Only one end is the source, so whichever mention has the name means it.
        subject = value = next((m for m in ends if _called(m, only)), None)
    if link.subject == source and _called(subject, only):
        link = replace(link, subject=target.id)
    if _object_id(linked) == source and _called(value, only):
        link = replace(link, object=Value.entity(target))
    return replace(linked, link=link)


def _flipped(linked: LinkedClaim, services: Services) -> bool:
    return services.ontology.resolve(linked.claim.predicate).flipped


def _called(mention: Mention | None, names: set[str] | None) -> bool:
    return names is None or (mention is not None and bool(set(name_keys(mention.text)) & names))


def _standing(entity: Entity) -> Generator[Wanted, Snapshot, Entity]:
    """Return what stands for an entity now, however often it was merged."""
    while entity.merged_into is not None:
        snapshot = yield Wanted(entities=(entity.merged_into,))
        entity = next(e for e in snapshot.entities if e.id == entity.merged_into)
    return entity


def _suggested(
    suggestion_id: str,
) -> Generator[Wanted, Snapshot, tuple[Suggestion, Entity, Entity]]:
    snapshot = yield Wanted(suggestions=True)
    found = next((s for s in snapshot.suggestions if s.id == suggestion_id), None)
    if found is None:
        raise NotFoundError(f"no suggestion {suggestion_id!r}; suggestions() lists them")
    snapshot = yield Wanted(entities=(found.first, found.second))
    by_id = {e.id: e for e in snapshot.entities}
    return found, by_id[found.first], by_id[found.second]
