"""Which names are one thing: merge, split, and suggestions to confirm, reject and undo."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import replace

from graphmem.errors import InputError, NotFoundError, RefusedError
from graphmem.model.changes import ChangeSet, Decision, Snapshot, Wanted
from graphmem.model.claim import Link, LinkedClaim
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
from graphmem.usecases.believe import Outcome, relink
from graphmem.usecases.services import Services


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
        target = _one_or_none(into, entities) or next(iter(found.values()))
        if target.name != into and normal_key(into) not in target.keys:
            target = _with_alias(target, into)
        sources = [e for e in {e.id: e for e in found.values()}.values() if e.id != target.id]
        if not sources:
            raise InputError(f"{list(names)!r} are one entity already: {target.name!r}")
        return (yield from _merge(sources, target, services, outcome))

    await services.store.change(scope, decide)
    return await _receipt(services, outcome)


async def split(services: Services, scope: Scope, name: str, *, out_of: str) -> Receipt:
    """Make an entity of its own of one name of another; claims that use the name go with it.

    Raises:
        NotFoundError: ``out_of`` is nobody's, or no claim calls it ``name``.
    """
    require_text(name, "name")
    outcome = Outcome()

    def decide() -> Decision:
        snapshot = yield _looked_up([name, out_of])
        entities = [e for e in snapshot.entities if e.merged_into is None]
        source = _named(out_of, entities, scope)
        taken = next(
            (e for e in snapshot.entities if e.merged_into == source.id and _goes_by(e, name)), None
        )
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
        fresh = replace(back, merged_into=None, types=back.types or source.types)
        rest = replace(
            source, aliases=tuple(a for a in source.aliases if not keys & set(name_keys(a)))
        )
        moved = [_moved(c, source.id, fresh, only=keys) for c in moving]
        return (
            yield from relink(
                moved, moving, {rest.id: rest, fresh.id: fresh}, services.ontology, outcome
            )
        )

    await services.store.change(scope, decide)
    return await _receipt(services, outcome)


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
        target, source = (second, first) if second.is_self else (first, second)
        change = yield from _merge([source], target, services, outcome)
        done = replace(suggestion, state=SuggestionState.CONFIRMED)
        return replace(change, suggestions=(done,))

    await services.store.change(scope, decide)
    return await _receipt(services, outcome)


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
        moved = [_moved(c, source.id, fresh, only=keys) for c in moving]
        entities = {rest.id: rest, fresh.id: fresh}
        change = yield from relink(moved, moving, entities, services.ontology, outcome)
        return replace(change, suggestions=(reopened,))

    await services.store.change(scope, decide)
    return await _receipt(services, outcome)


async def _receipt(services: Services, outcome: Outcome) -> Receipt:
    notes = await services.catch_up()
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


def _named(name: str, entities: Sequence[Entity], scope: Scope) -> Entity:
    found = _one_or_none(name, entities)
    if found is None and normal_key(name) in ("me", normal_key(scope.user)):
        found = next((e for e in entities if e.is_self), None)
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
    # A claim whose two ends are one now speaks of nothing; its link stays as it was.
    moved = [c for c in moved if c.link.subject != _object_id(c)]
    return (yield from relink(moved, moving, entities, services.ontology, outcome))


def _object_id(linked: LinkedClaim) -> str | None:
    value = linked.link.object
    return value.key if value is not None and value.kind is ValueKind.ENTITY else None


def _uses(linked: LinkedClaim, entity: str, keys: set[str]) -> bool:
    """Whether a claim calls ``entity`` by one of the names."""
    claim, link = linked.claim, linked.link
    words = {k for m in (claim.subject, claim.object) if m for k in name_keys(m.text)}
    return entity in (link.subject, _object_id(linked)) and bool(words & keys)


def _moved(
    linked: LinkedClaim, source: str, target: Entity, *, only: set[str] | None = None
) -> LinkedClaim:
    link: Link = linked.link
    if link.subject == source and (only is None or _calls(linked, link.subject, only)):
        link = replace(link, subject=target.id)
    if _object_id(linked) == source and (only is None or _calls(linked, source, only)):
        link = replace(link, object=Value.entity(target))
    return replace(linked, link=link)


def _calls(linked: LinkedClaim, end: str, keys: set[str]) -> bool:
    claim = linked.claim
    mentions = [m for m in (claim.subject, claim.object) if m is not None]
    return any(set(name_keys(m.text)) & keys for m in mentions) and end in (
        linked.link.subject,
        _object_id(linked),
    )


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
