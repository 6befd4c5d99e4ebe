"""Add a fact by its parts, and correct one: both make an episode of their own to rest on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from graphmem.errors import InputError, NotFoundError, RefusedError
from graphmem.extraction.claims import weight
from graphmem.extraction.mask import mask
from graphmem.model.changes import Decision, Wanted
from graphmem.model.claim import (
    Claim,
    Correction,
    Form,
    Mention,
    Modality,
    Polarity,
    Said,
    SourceClass,
)
from graphmem.model.entity import ValueKind
from graphmem.model.episode import Channel, Episode, Reading, Role, content_digest
from graphmem.model.fact import Fact, Status
from graphmem.model.ids import IdKind, kind_of, new_id
from graphmem.model.predicate import Ontology, Predicate, ValueType
from graphmem.model.receipt import Receipt, Refusal, TurnOutcome, TurnState
from graphmem.model.scope import Scope
from graphmem.model.shown import shown
from graphmem.model.text import normal_key, require_text
from graphmem.model.time import FOREVER, Stated
from graphmem.usecases import suggest
from graphmem.usecases.believe import Outcome, believe
from graphmem.usecases.lookup import latest_record, means_self
from graphmem.usecases.services import Services

_ROLE_OF = {
    SourceClass.USER: Role.USER,
    SourceClass.DOCUMENT: Role.DOCUMENT,
    SourceClass.TOOL: Role.TOOL,
    SourceClass.ASSISTANT: Role.ASSISTANT,
    SourceClass.INFERRED: Role.SYSTEM,
}
_ME_ZH = frozenset({"我", "用户"})
LONGEST_NAME = 2_000
"""Characters of a subject or an object."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A fact as a caller gives it; bounds are read already.

    Attributes:
        subject, predicate, object: words; "me", "user", 我 and the user's id mean the user.
        start, end: since when, and until when; occurred_at: when it was said, microseconds UTC.
        polarity, modality, source, qualifiers: as in ``Claim``.
        statement: the sentence; made from the parts if None.
        confidence: 0 to 1. importance: 1 to 10.
        session, agent: labels of the episode.
    """

    subject: str
    predicate: str
    object: str | None = None
    start: Stated | None = None
    end: Stated | None = None
    occurred_at: int | None = None
    zone: str = "UTC"
    polarity: Polarity = Polarity.POSITIVE
    modality: Modality = Modality.ASSERTED
    source: SourceClass = SourceClass.USER
    source_name: str | None = None
    statement: str | None = None
    qualifiers: Mapping[str, str] = field(default_factory=dict[str, str])
    confidence: float = 1.0
    importance: int = 5
    session: str | None = None
    agent: str | None = None


async def add_fact(services: Services, scope: Scope, given: Statement) -> Receipt:
    """Store what ``given`` states as an episode and believe it.

    Raises:
        InputError: a blank or oversize part, subject and object the same, an end before the
            start, a confidence or importance outside its range.
    """
    subject = await _end(services, scope, given.subject, "subject")
    thing = None
    if given.object is not None:
        thing = await _end(services, scope, given.object, "object")
    whole = replace(given, subject=subject.words, object=thing.words if thing else None)
    episode, claim = _claim(services, scope, _checked(whole, services.ontology))
    return await _believe(services, scope, episode, claim, (subject, thing))


async def correct(
    services: Services,
    scope: Scope,
    fact_id: str,
    given: Statement,
    *,
    polarity: Polarity | None = None,
) -> Receipt:
    """Put ``given`` in the place of everything the fact rests on.

    Subject and predicate are the fact's, and so is what ``given`` and ``polarity`` leave open.

    Raises:
        NotFoundError: no such fact in this scope.
        InputError: as ``add_fact``; or nothing is different.
        RefusedError: the fact is retracted.
    """
    fact = await _present(services, scope, fact_id)
    words = fact.object.text if fact.object else None
    subject = _End(fact.subject.text, fact.subject.key)
    if given.object is not None:
        thing = await _end(services, scope, given.object, "object")
    elif fact.object is not None and fact.object.kind is ValueKind.ENTITY:
        thing = _End(fact.object.text, fact.object.key)
    else:
        thing = None if words is None else _End(words)
    whole = replace(
        given,
        subject=subject.words,
        predicate=fact.predicate,
        object=thing.words if thing else None,
        polarity=fact.polarity if polarity is None else polarity,
        qualifiers=given.qualifiers or dict(fact.qualifiers),
        importance=fact.importance,
    )
    same = whole.object == words and whole.polarity is fact.polarity
    if same and whole.start is None and whole.end is None and not given.qualifiers:
        raise InputError(
            f"correcting {fact_id!r} to {words!r} changes nothing; give another object, "
            "polarity or dates, or retract() it"
        )
    episode, claim = _claim(services, scope, _checked(whole, services.ontology))
    own = await services.store.self_entity(scope)
    if own is not None and fact.subject.key == own.id:
        claim = replace(claim, subject=Mention(fact.subject.text, is_self=True))
    claim = replace(claim, correction=Correction(claims=fact.claims))
    return await _believe(services, scope, episode, claim, (subject, thing))


@dataclass(frozen=True, slots=True)
class _End:
    """A subject or object: its words, and the entity it is known to be."""

    words: str
    entity: str | None = None


async def _end(services: Services, scope: Scope, words: str, name: str) -> _End:
    """Read a subject or object, which may be given by an entity's id."""
    if kind_of(require_text(words, name)) is not IdKind.ENTITY:
        return _End(words)
    found = await services.store.things(scope, entities=[words])
    if not found.entities:
        raise NotFoundError(f"no entity {words!r} for user {scope.user!r}; entities() lists them")
    (entity,) = found.entities
    return _End(entity.name, entity.id)


async def _present(services: Services, scope: Scope, fact_id: str) -> Fact:
    fact = await latest_record(services.store, scope, fact_id)
    if fact.expired_at != FOREVER or not fact.claims:
        raise NotFoundError(f"fact {fact_id!r} is no longer there; facts() lists what is")
    if fact.status is Status.RETRACTED:
        by = f" by claim {fact.cause.claim!r}" if fact.cause and fact.cause.claim else ""
        raise RefusedError(
            f"fact {fact_id!r} was taken back{by}; correct what stands in its place, or restore() "
            "it first"
        )
    return fact


def _checked(given: Statement, ontology: Ontology) -> Statement:
    subject = require_text(given.subject, "subject").strip()
    thing = given.object
    if thing is not None:
        thing = require_text(thing, "object").strip()
    for name, value in (("subject", subject), ("object", thing or "")):
        if len(value) > LONGEST_NAME:
            raise InputError(
                f"{name} has {len(value)} characters; the limit is {LONGEST_NAME}: name it, and "
                "put the rest into the statement"
            )
    entity = ontology.resolve(given.predicate).predicate.value is ValueType.ENTITY
    if entity and thing is not None and normal_key(thing) == normal_key(subject):
        raise InputError(f"subject and object are both {subject!r}; a fact needs two things")
    if not 0 <= given.confidence <= 1:
        raise InputError(f"confidence must be from 0 to 1, not {shown(given.confidence)}")
    if not 1 <= given.importance <= 10:
        raise InputError(f"importance must be from 1 to 10, not {shown(given.importance)}")
    start, end = (b.span if b else None for b in (given.start, given.end))
    if start is not None and end is not None and end.after <= start.first:
        raise InputError(
            f"valid_to {_phrase(given.end)!r} is before valid_from {_phrase(given.start)!r}; "
            "intervals run from the earlier to the later"
        )
    for name, value in given.qualifiers.items():
        require_text(name, "a qualifier's name")
        require_text(value, f"qualifier {name!r}")
    return replace(given, subject=subject, object=thing)


def _phrase(stated: Stated | None) -> str:
    return stated.phrase if stated else ""


def _claim(services: Services, scope: Scope, given: Statement) -> tuple[Episode, Claim]:
    """Make the episode and the claim; its time is fixed now if none was given."""
    ontology = services.ontology
    predicate = ontology.resolve(given.predicate).predicate
    now = services.clock.now()
    said = now if given.occurred_at is None else given.occurred_at
    named = given
    if means_self(given.subject, scope.user) and given.subject not in _ME_ZH:
        named = replace(given, subject=scope.user)  # "ana lives in Riga", not "me lives in Riga"
    statement = mask(given.statement or sentence(named, predicate, ontology)).text
    require_text(statement, "statement")
    episode = Episode(
        id=new_id(IdKind.EPISODE),
        key=None,
        session=given.session,
        agent=given.agent,
        place=0,
        role=_ROLE_OF[given.source],
        speaker=given.source_name,
        content=statement,
        occurred_at=said,
        zone=given.zone,
        time_given=given.occurred_at is not None,
        created_at=0,
        channel=Channel.DIRECT,
        digest=content_digest(statement),
        reading=Reading.READ,
    )
    form, start, end, modality = _shape(given, said)
    return episode, Claim(
        id=new_id(IdKind.CLAIM),
        episode=episode.id,
        session=given.session,
        subject=_mention(given.subject, scope, None),
        predicate=given.predicate,
        object=None if given.object is None else _mention(given.object, scope, predicate),
        polarity=given.polarity,
        modality=modality,
        form=form,
        start=start,
        end=end,
        qualifiers=tuple(sorted(given.qualifiers.items())),
        quote=statement,
        said=Said(said, 0, 0),
        source=given.source,
        authority=weight(given.source, given.source_name, services.authority),
        confidence=given.confidence,
        importance=given.importance,
        statement=statement,
    )


def _shape(given: Statement, said: int) -> tuple[Form, Stated | None, Stated | None, Modality]:
    """Return the form that the given bounds make, as the table of forms says."""
    start, end, modality = given.start, given.end, given.modality
    if start is not None and start.span is not None and start.span.first > said:
        modality = Modality.PLANNED if modality is Modality.ASSERTED else modality
    if start is not None and end is not None:
        return Form.PAST, start, end, modality
    if start is not None:
        return Form.CHANGE, start, None, modality
    if end is None:
        return Form.STATE, None, None, modality
    if end.span is not None and end.span.first > said and modality is Modality.ASSERTED:
        return Form.STATE, None, end, modality
    return Form.END, None, end, modality


def _mention(words: str, scope: Scope, predicate: Predicate | None) -> Mention:
    if means_self(words, scope.user):
        return Mention(words, is_self=True)
    kinds = {
        ValueType.TEXT: ValueKind.TEXT,
        ValueType.NUMBER: ValueKind.NUMBER,
        ValueType.DATE: ValueKind.DATE,
    }
    kind = kinds.get(predicate.value, ValueKind.ENTITY) if predicate else ValueKind.ENTITY
    return Mention(words, kind=kind)


def sentence(given: Statement, predicate: Predicate, ontology: Ontology) -> str:
    """Return a sentence for a fact given by its parts, in the language of its words."""
    words = f"{given.subject}{given.object or ''}"
    language = "zh" if any("一" <= character <= "鿿" for character in words) else "en"
    resolved = ontology.resolve(given.predicate)
    label = predicate.labels.get(language) or predicate.labels.get("en")
    no = given.polarity is Polarity.NEGATIVE
    if label and not resolved.flipped and not resolved.negated:
        verb = label.replace("{o}", given.object or "").strip()
    else:
        verb = f"{given.predicate.replace('_', ' ')} {given.object or ''}".strip()
    gap = "" if language == "zh" else " "
    text = f"{given.subject}{gap}{verb}"
    return f"not: {text}" if no and language == "en" else f"并非：{text}" if no else text


async def _believe(
    services: Services,
    scope: Scope,
    episode: Episode,
    claim: Claim,
    ends: tuple[_End, _End | None],
) -> Receipt:
    outcome = Outcome()
    subject, thing = ends
    pins = {claim.id: (subject.entity, thing.entity if thing else None)}

    def decide() -> Decision:
        snapshot = yield Wanted()
        # Of two that give one time, the one recorded later is said later.
        said = replace(claim.said, turn=snapshot.now)
        placed = replace(claim, said=said)
        change = yield from believe([placed], services.ontology, scope.user, outcome, pins=pins)
        if not outcome.linked.claims:
            raise InputError(
                f"{claim.subject.text!r} and {claim.object.text if claim.object else None!r} "
                f"cannot be linked: {', '.join(outcome.linked.refused)}; name them more exactly"
            )
        return replace(change, episodes=(episode,))

    outcome.committed((await services.store.change(scope, decide)).at)
    notes = suggest.told(outcome.suggested)
    notes += await services.catch_up(scope)
    if outcome.linked.unknown:
        notes = [*notes, f"predicate {claim.predicate!r} is not declared: it holds many values"]
    return Receipt(
        turns=(TurnOutcome(0, TurnState.STORED, episode.id),),
        outcomes=outcome.outcomes,
        refused=tuple(Refusal(kind, n) for kind, n in outcome.linked.refused.items()),
        notes=tuple(notes),
    )
