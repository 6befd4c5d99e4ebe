"""Nodes and relationships of this store read into values and written from them.

Properties are the flat rows of graphmem/model/rows.py, with what is derived beside them: keys for
indexes, terms for the full-text index, and captions and zoned datetimes for people.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta, timezone, tzinfo
from typing import Any, NamedTuple

from graphmem.adapters.neo4j.names import Vocabulary, indexed, sortable
from graphmem.model.chunks import chunks
from graphmem.model.claim import Claim, Link, LinkedClaim, Polarity
from graphmem.model.dates import fact_words, local
from graphmem.model.entity import Entity, ValueKind
from graphmem.model.episode import Episode
from graphmem.model.fact import Fact, Status
from graphmem.model.instants import zone_or_utc
from graphmem.model.rows import (
    claim_from,
    claim_row,
    entity_row,
    episode_row,
    fact_from,
    fact_row,
    link_from,
    link_row,
)
from graphmem.model.tail import manner, reach
from graphmem.model.terms import CJK
from graphmem.model.time import FOREVER, NEVER, clamp, from_micros
from graphmem.model.weights import weights_of

Properties = dict[str, Any]  # Any: what a property may hold, lists and datetimes too

_CAPTION = 60
_UNBROKEN = re.compile(rf"(?:{CJK.pattern}|[、。，；：！？]){{9,}}")
_PIECE = 5
_FARTHEST = timedelta(hours=18)
"""From UTC, that Neo4j can write."""
_MINUTE = timedelta(minutes=1)


class Node(Properties):
    """Properties as the driver gives them; one that is absent reads None."""

    def __missing__(self, name: str) -> None:
        return None


class Evidence(NamedTuple):
    """A claim that a fact rests on, by its place in said order."""

    said_at: int
    said_turn: int
    said_place: int
    claim: str


class Withdrawn(NamedTuple):
    """A record interval in which a claim is withdrawn, and why."""

    created_at: int
    expired_at: int
    reason: str | None


def moment(instant: int | None, zone: tzinfo) -> datetime | None:
    """Return an instant as people in ``zone`` read it; None for what has no date.

    It carries an offset and no name of a zone, which the server may not know. Offsets are of whole
    minutes there; one of old times that has seconds too becomes the next, so that a day stays one.
    """
    if instant is None or not NEVER < instant < FOREVER:
        return None
    there = local(instant, zone)
    offset = there.utcoffset() or timedelta()
    if abs(offset) > _FARTHEST:
        return from_micros(instant)
    rest = -offset % _MINUTE
    return (there.replace(tzinfo=None) + rest).replace(tzinfo=timezone(offset + rest))


def dated(instant: int | None, zone: tzinfo) -> str | None:
    """Return ``moment`` as text, which is sent with a fraction of the work that a date takes."""
    shown = moment(instant, zone)
    return None if shown is None else shown.isoformat()


def caption(text: str) -> str:
    """Return the beginning of a text, for a picture of the graph, whose lines end at spaces only:
    long runs of characters that have none between them get some."""
    line = " ".join(text.replace("\0", " ")[: 4 * _CAPTION].split())
    kept = line if len(line) <= _CAPTION else f"{line[: _CAPTION - 1]}…"
    return _UNBROKEN.sub(_spaced, kept)


def _spaced(run: re.Match[str]) -> str:
    pieces = range(0, len(run[0]), _PIECE)
    return " ".join(run[0][place : place + _PIECE] for place in pieces)


def keywords(text: str) -> Properties:
    """Return the terms of a text and what each weighs."""
    weights = weights_of(text)
    return {"terms": list(weights), "weights": list(weights.values())}


def episode_columns(episode: Episode) -> Properties:
    """Return ``episode`` as properties."""
    return {
        **episode_row(episode),
        "known_as": None if episode.key is None else indexed(episode.key),
        "session_key": indexed(episode.session),
        "agent_key": indexed(episode.agent),
        "said": dated(episode.occurred_at, zone_or_utc(episode.zone)),
        "caption": caption(episode.content),
    }


def chunk_columns(episode: Episode) -> list[Properties]:
    """Return the pieces of ``episode`` that are found by words."""
    return [
        {"id": chunk.id, "episode": episode.id, **keywords(chunk.text)} for chunk in chunks(episode)
    ]


def entity_columns(entity: Entity) -> Properties:
    """Return ``entity`` as properties. One that was merged away has no terms: what took its place
    is found."""
    text = "\n".join((entity.name, *entity.aliases)) if entity.merged_into is None else ""
    place = sortable(entity.key)
    return {
        **entity_row(entity),
        **keywords(text),
        "sorts_as": None if place == entity.key else place,
        "caption": caption(entity.name),
    }


def claim_columns(claim: Claim, created_at: int, vocabulary: Vocabulary) -> Properties:
    """Return ``claim`` as properties of the record time at which it entered."""
    return {
        **claim_row(claim, created_at),
        "said": dated(claim.said.at, vocabulary.zone),
        "caption": caption(claim.statement),
    }


def link_columns(claim: Claim, link: Link, created_at: int, expired_at: int) -> Properties:
    """Return the link of a claim as properties; the tail of a family is found by live ones."""
    live = expired_at >= FOREVER
    return {
        **link_row(link, created_at, expired_at),
        "slot": "" if link.object is None else link.object.key,
        "corrects": True if claim.correction is not None else None,
        "manner": indexed(manner(claim, link)) if live else None,
        "reach": min(reach(claim), FOREVER) if live else None,
    }


def fact_columns(fact: Fact, vocabulary: Vocabulary) -> Properties:
    """Return a fact record as properties, with what filters compare and what people read."""
    return {
        **fact_row(fact),
        **keywords(fact.statement),
        "slot": "" if fact.object is None else fact.object.key,
        "joins": fact.object is not None and fact.object.kind is ValueKind.ENTITY,
        "reads_from": clamp(fact.reads_from),
        "reads_until": clamp(fact.reads_until),
        "may_from": clamp(fact.interval.may_from),
        **_when(fact, vocabulary.zone),
        "caption": caption(fact.statement),
    }


def _when(fact: Fact, zone: tzinfo) -> Properties:
    words = fact_words(fact, zone)
    return {
        "valid_from": dated(fact.reads_from, zone),
        "valid_to": dated(fact.interval.may_until, zone),
        "when": words if fact.status is Status.HELD else f"{words}, {fact.status.value}",
    }


def edge_row(fact: Fact, vocabulary: Vocabulary) -> Properties | None:
    """Return the relationship that stands for a held fact between two entities, or None."""
    value = fact.object
    if fact.status is not Status.HELD or value is None or value.kind is not ValueKind.ENTITY:
        return None
    negative = fact.polarity is Polarity.NEGATIVE
    words = fact.predicate.replace("_", " ")
    return {
        "type": vocabulary.edge(fact.predicate, negative=negative),
        "subject": fact.subject.key,
        "object": value.key,
        "properties": {
            "fact_id": fact.id,
            "predicate": fact.predicate,
            "polarity": fact.polarity.value,
            "modality": fact.modality.value,
            "status": fact.status.value,
            "from": clamp(fact.reads_from),
            "to": clamp(fact.reads_until),
            **_when(fact, vocabulary.zone),
            "caption": f"not {words}" if negative else words,
        },
    }


def fact_of(
    found: Mapping[str, Any], evidence: Iterable[Sequence[Any]], successor: str | None
) -> Fact:
    """Return the fact of a record's properties, with the claims it rests on put in said order."""
    rests = sorted(Evidence(*one) for one in evidence)
    return fact_from(Node(found), tuple(one.claim for one in rests), successor)


def linked_of(found: Mapping[str, Any], link: Mapping[str, Any], withdrawn: bool) -> LinkedClaim:
    """Return a claim with what its words mean."""
    return LinkedClaim(claim_from(Node(found)), link_from(Node(link)), withdrawn)


def withdrawal_columns(spans: Iterable[Withdrawn]) -> Properties:
    """Return the record intervals in which a claim is withdrawn as properties."""
    whole = list(spans)
    return {
        "withdrawn": [at for span in whole for at in (span.created_at, span.expired_at)] or None,
        "withdrawn_why": [json.dumps(span.reason, ensure_ascii=False) for span in whole] or None,
    }


def withdrawals_of(found: Mapping[str, Any]) -> list[Withdrawn]:
    """Return the record intervals in which a claim is withdrawn, oldest first."""
    ends: list[int] = found.get("withdrawn") or []
    reasons: list[str] = found.get("withdrawn_why") or []
    return [
        Withdrawn(created_at, expired_at, json.loads(reason))
        for created_at, expired_at, reason in zip(ends[::2], ends[1::2], reasons, strict=True)
    ]
