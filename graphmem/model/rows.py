"""Values as flat rows of JSON scalars and back: what stores keep and exports carry.

Every row is a plain mapping of column to string, integer, float or None. Parts that are never
filtered by (mentions, bounds, qualifiers, lists of names) are JSON text in one column. Going there
and back gives an equal value.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Protocol, TypeVar

from graphmem.errors import TransferError
from graphmem.model.claim import (
    Claim,
    Correction,
    Form,
    Link,
    Mention,
    Modality,
    Polarity,
    Qualifiers,
    Said,
    SourceClass,
)
from graphmem.model.entity import Entity, Suggestion, SuggestionState, Value, ValueKind
from graphmem.model.episode import Channel, Episode, Reading, Role
from graphmem.model.fact import Cause, Fact, Status
from graphmem.model.time import Bound, Grain, Interval, Span, Stated

Scalar = str | int | float | None
FlatRow = dict[str, Scalar]


class Columns(Protocol):
    """A row read by column name: a mapping, or a driver's row object."""

    def __getitem__(self, name: str, /) -> Any:  # Any: a driver says no more than this
        """Return the value of column ``name``."""
        ...


T = TypeVar("T")
Row = Mapping[str, Any]  # Any: one flat JSON object of an export, by kind.

CANNOT_READ = (KeyError, ValueError, TypeError, AttributeError)
"""What a row that is not one of ours fails with."""


def take_in(row: Row, puts: Mapping[str, Callable[[Row], T]]) -> T:
    """Hand an exported row to what takes its kind, and return what that does.

    Raises:
        TransferError: it is of no known kind, or cannot be read.
    """
    kind = str(row.get("kind"))
    if kind not in puts:
        raise TransferError(f"a row of unknown kind {kind!r}; was a newer graphmem at work?")
    try:
        return puts[kind](row)
    except CANNOT_READ as error:
        raise TransferError(f"a row of kind {kind!r} cannot be read: {error!r}") from error


_dump = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def episode_row(episode: Episode) -> FlatRow:
    """Return ``episode`` as a row."""
    return {
        "id": episode.id,
        "key": episode.key,
        "session": episode.session,
        "agent": episode.agent,
        "place": episode.place,
        "role": episode.role.value,
        "speaker": episode.speaker,
        "content": episode.content,
        "occurred_at": episode.occurred_at,
        "zone": episode.zone,
        "time_given": int(episode.time_given),
        "created_at": episode.created_at,
        "channel": episode.channel.value,
        "digest": episode.digest,
        "reading": episode.reading.value,
        "reason": episode.reason,
    }


def episode_from(row: Columns) -> Episode:
    """Return the episode of a row."""
    return Episode(
        id=row["id"],
        key=row["key"],
        session=row["session"],
        agent=row["agent"],
        place=row["place"],
        role=Role(row["role"]),
        speaker=row["speaker"],
        content=row["content"],
        occurred_at=row["occurred_at"],
        zone=row["zone"],
        time_given=bool(row["time_given"]),
        created_at=row["created_at"],
        channel=Channel(row["channel"]),
        digest=row["digest"],
        reading=Reading(row["reading"]),
        reason=row["reason"],
    )


def entity_row(entity: Entity) -> FlatRow:
    """Return ``entity`` as a row."""
    return {
        "id": entity.id,
        "name": entity.name,
        "key": entity.key,
        "types": _dump(entity.types),
        "aliases": _dump(entity.aliases),
        "is_self": int(entity.is_self),
        "merged_into": entity.merged_into,
        "created_at": entity.created_at,
    }


def entity_from(row: Columns) -> Entity:
    """Return the entity of a row."""
    return Entity(
        id=row["id"],
        name=row["name"],
        key=row["key"],
        types=names_of(row["types"]),
        aliases=names_of(row["aliases"]),
        is_self=bool(row["is_self"]),
        merged_into=row["merged_into"],
        created_at=row["created_at"],
    )


@lru_cache(maxsize=4096)
def names_of(text: str) -> tuple[str, ...]:
    """Return a list of names, such as types or aliases, as it is kept in one column."""
    return tuple(json.loads(text))


def suggestion_row(suggestion: Suggestion) -> FlatRow:
    """Return ``suggestion`` as a row."""
    return {
        "id": suggestion.id,
        "first": suggestion.first,
        "second": suggestion.second,
        "reason": suggestion.reason,
        "state": suggestion.state.value,
        "created_at": suggestion.created_at,
    }


def suggestion_from(row: Columns) -> Suggestion:
    """Return the suggestion of a row."""
    return Suggestion(
        id=row["id"],
        first=row["first"],
        second=row["second"],
        reason=row["reason"],
        state=SuggestionState(row["state"]),
        created_at=row["created_at"],
    )


def claim_row(claim: Claim, created_at: int) -> FlatRow:
    """Return ``claim`` as a row of the record time at which it entered."""
    return {
        "id": claim.id,
        "episode": claim.episode,
        "session": claim.session,
        "subject": _mention_text(claim.subject),
        "predicate": claim.predicate,
        "object": None if claim.object is None else _mention_text(claim.object),
        "polarity": claim.polarity.value,
        "modality": claim.modality.value,
        "form": claim.form.value,
        "start": _stated_text(claim.start),
        "end": _stated_text(claim.end),
        "qualifiers": _dump(claim.qualifiers),
        "beside": int(claim.beside),
        "correction": _correction_text(claim.correction),
        "quote": claim.quote,
        "said_at": claim.said.at,
        "said_turn": claim.said.turn,
        "said_place": claim.said.place,
        "source": claim.source.value,
        "authority": claim.authority,
        "confidence": claim.confidence,
        "importance": claim.importance,
        "statement": claim.statement,
        "created_at": created_at,
    }


def claim_from(row: Columns) -> Claim:
    """Return the claim of a row."""
    return Claim(
        id=row["id"],
        episode=row["episode"],
        session=row["session"],
        subject=_mention_of(row["subject"]),
        predicate=row["predicate"],
        object=None if row["object"] is None else _mention_of(row["object"]),
        polarity=Polarity(row["polarity"]),
        modality=Modality(row["modality"]),
        form=Form(row["form"]),
        start=_stated_of(row["start"]),
        end=_stated_of(row["end"]),
        qualifiers=qualifiers_of(row["qualifiers"]),
        beside=bool(row["beside"]),
        correction=_correction_of(row["correction"]),
        quote=row["quote"],
        said=Said(row["said_at"], row["said_turn"], row["said_place"]),
        source=SourceClass(row["source"]),
        authority=row["authority"],
        confidence=row["confidence"],
        importance=row["importance"],
        statement=row["statement"],
    )


def link_row(link: Link, created_at: int, expired_at: int) -> FlatRow:
    """Return ``link`` as a row with its record interval."""
    return {
        "claim": link.claim,
        "subject": link.subject,
        "predicate": link.predicate,
        **_value_columns("object", link.object),
        "polarity": link.polarity.value,
        "created_at": created_at,
        "expired_at": expired_at,
    }


def link_from(row: Columns) -> Link:
    """Return the link of a row."""
    return Link(
        row["claim"],
        row["subject"],
        row["predicate"],
        _value_from(row["object_kind"], row["object_key"], row["object_text"]),
        Polarity(row["polarity"]),
    )


def fact_row(fact: Fact) -> FlatRow:
    """Return ``fact`` as a row; what it rests on and its successor are rows of their own."""
    cause = fact.cause
    return {
        "record": fact.record,
        "id": fact.id,
        **_value_columns("subject", fact.subject),
        "predicate": fact.predicate,
        **_value_columns("object", fact.object),
        "polarity": fact.polarity.value,
        "modality": fact.modality.value,
        "qualifiers": _dump(fact.qualifiers),
        "statement": fact.statement,
        "start": _bound_text(fact.interval.start),
        "end": _bound_text(fact.interval.end),
        "status": fact.status.value,
        "event": int(fact.event),
        "confidence": fact.confidence,
        "importance": fact.importance,
        "said_at": fact.said.at,
        "said_turn": fact.said.turn,
        "said_place": fact.said.place,
        "cause_rule": None if cause is None else cause.rule,
        "cause_claim": None if cause is None else cause.claim,
        "cause_reason": None if cause is None else cause.reason,
        "created_at": fact.created_at,
        "expired_at": fact.expired_at,
    }


def fact_from(row: Columns, claims: tuple[str, ...] = (), successor: str | None = None) -> Fact:
    """Return the fact of a row, with the ``claims`` it rests on and its ``successor``."""
    subject = _value_from(row["subject_kind"], row["subject_key"], row["subject_text"])
    if subject is None:
        raise ValueError(f"the fact record {row['record']!r} has no subject")
    rule = row["cause_rule"]
    return Fact(
        id=row["id"],
        record=row["record"],
        subject=subject,
        predicate=row["predicate"],
        object=_value_from(row["object_kind"], row["object_key"], row["object_text"]),
        polarity=Polarity(row["polarity"]),
        modality=Modality(row["modality"]),
        qualifiers=qualifiers_of(row["qualifiers"]),
        statement=row["statement"],
        interval=Interval(bound_of(row["start"]), bound_of(row["end"])),
        status=Status(row["status"]),
        event=bool(row["event"]),
        confidence=row["confidence"],
        importance=row["importance"],
        said=Said(row["said_at"], row["said_turn"], row["said_place"]),
        claims=claims,
        cause=None if rule is None else Cause(rule, row["cause_claim"], row["cause_reason"]),
        created_at=row["created_at"],
        expired_at=row["expired_at"],
        successor=successor,
    )


def _value_columns(name: str, value: Value | None) -> FlatRow:
    return {
        f"{name}_kind": None if value is None else value.kind.value,
        f"{name}_key": None if value is None else value.key,
        f"{name}_text": None if value is None else value.text,
    }


def _value_from(kind: str | None, key: str, text: str) -> Value | None:
    return None if kind is None else Value(ValueKind(kind), key, text)


# The same few mentions, phrases and bounds come again and again in one slot, and the values are
# frozen, so each text is read once and its value shared.


def _mention_text(mention: Mention) -> str:
    return _dump(
        [mention.text, mention.kind.value, mention.types, mention.role, int(mention.is_self)]
    )


@lru_cache(maxsize=4096)
def _mention_of(text: str) -> Mention:
    words, kind, types, role, is_self = json.loads(text)
    return Mention(words, ValueKind(kind), tuple(types), role, bool(is_self))


def _stated_text(stated: Stated | None) -> str | None:
    if stated is None:
        return None
    span = stated.span
    parts = None if span is None else [span.first, span.after, span.grain.value]
    return _dump([stated.phrase, parts])


@lru_cache(maxsize=4096)
def _stated_of(text: str | None) -> Stated | None:
    if text is None:
        return None
    phrase, parts = json.loads(text)
    return Stated(phrase, None if parts is None else Span(parts[0], parts[1], Grain(parts[2])))


def _bound_text(bound: Bound | None) -> str | None:
    if bound is None:
        return None
    return _dump([bound.earliest, bound.latest, int(bound.stated), bound.phrase])


@lru_cache(maxsize=4096)
def bound_of(text: str | None) -> Bound | None:
    """Return the bound that a column's text stands for."""
    if text is None:
        return None
    earliest, latest, stated, phrase = json.loads(text)
    return Bound(earliest, latest, bool(stated), phrase)


def _correction_text(correction: Correction | None) -> str | None:
    return None if correction is None else _dump([correction.claims, correction.value])


@lru_cache(maxsize=1024)
def _correction_of(text: str | None) -> Correction | None:
    if text is None:
        return None
    claims, value = json.loads(text)
    return Correction(tuple(claims), value)


@lru_cache(maxsize=1024)
def qualifiers_of(text: str) -> Qualifiers:
    """Return the qualifiers that a column's text stands for."""
    return tuple((name, value) for name, value in json.loads(text))
