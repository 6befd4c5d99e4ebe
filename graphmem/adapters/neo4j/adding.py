"""Plans how things are written that are whole: what they hold, how they are found and counted."""

from __future__ import annotations

from graphmem.adapters.neo4j.documents import Counts
from graphmem.adapters.neo4j.names import Vocabulary
from graphmem.adapters.neo4j.planned import Believed, Plan
from graphmem.adapters.neo4j.rows import (
    Properties,
    chunk_columns,
    edge_row,
    entity_columns,
    episode_columns,
    fact_columns,
)
from graphmem.model.entity import Entity, ValueKind
from graphmem.model.episode import Episode
from graphmem.model.fact import Fact


def add_episode(plan: Plan, counts: Counts, episode: Episode) -> None:
    """Plan a turn with its pieces."""
    chunks = chunk_columns(episode)
    for chunk in chunks:
        counts.add(chunk["terms"])
    plan.said.episodes.append({"properties": episode_columns(episode), "chunks": chunks})


def put_entity(
    plan: Plan,
    counts: Counts,
    vocabulary: Vocabulary,
    entity: Entity,
    old: Properties | None = None,
) -> Properties:
    """Plan a thing with its names, in the place of ``old`` (see ``change/there``); return its
    properties."""
    columns = entity_columns(entity)
    counts.add(columns["terms"])
    names_before: set[str] = set()
    words_before: set[str] = set()
    labels_before: set[str] = set()
    if old is not None:
        counts.remove(old["entity"].get("terms") or ())
        names_before, words_before = set(old["names"]), set(old["words"])
        labels_before = set(old["labels"]) - {"Entity"}
    labels = vocabulary.labels(entity.types)
    name, said, named = entity.id, plan.said, plan.named
    said.entities.append(
        {
            "id": name,
            "properties": columns,
            "labels": labels,
            "gone": sorted(labels_before - set(labels)),
        }
    )
    if entity.is_self:
        said.own = name
    names = entity.keys
    said.names_gone += [{"key": key, "entity": name} for key in sorted(names_before - names)]
    said.names += [{"key": key, "entity": name} for key in sorted(names - names_before)]
    weights = dict(zip(columns["terms"], columns["weights"], strict=True))
    gone = sorted(words_before - weights.keys())
    named.words_gone += [{"term": word, "entity": name} for word in gone]
    named.words += [
        {"term": word, "entity": name, "weight": weight} for word, weight in weights.items()
    ]
    return columns


def add_fact(rows: Believed, counts: Counts, vocabulary: Vocabulary, fact: Fact) -> None:
    """Plan the live record of a fact, with the relationships by which people see it."""
    columns = fact_columns(fact, vocabulary)
    counts.add(columns["terms"])
    value = fact.object
    linked = value is not None and value.kind is ValueKind.ENTITY
    rows.facts.append(
        {
            "id": fact.id,
            "properties": columns,
            "subject": fact.subject.key,
            "object": value.key if value is not None and linked else None,
        }
    )
    edge = edge_row(fact, vocabulary)
    if edge is not None:
        rows.edges.append(edge)


def add_revision(rows: Believed, counts: Counts, vocabulary: Vocabulary, fact: Fact) -> None:
    """Plan a record of a fact that has left."""
    columns = fact_columns(fact, vocabulary)
    counts.add(columns["terms"])
    rows.revisions.append({"id": fact.id, "properties": columns})


def rests_row(fact: str, claim: str, created_at: int, expired_at: int) -> Properties:
    """Return what a fact rests on, or rested on, as a row."""
    return {"fact": fact, "claim": claim, "created_at": created_at, "expired_at": expired_at}
