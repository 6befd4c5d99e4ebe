"""From ranked candidates to hits: sources, labels, paths, reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from graphmem.model.episode import Episode
from graphmem.model.fact import Fact
from graphmem.model.outline import Shown
from graphmem.model.scope import Scope
from graphmem.model.search import Hit, PointKind, Source
from graphmem.model.time import Certainty
from graphmem.ports.graph_store import GraphStore
from graphmem.retrieval.candidates import Candidates
from graphmem.retrieval.fusion import PLACES
from graphmem.retrieval.question import Question
from graphmem.retrieval.ranking import Channels, Ranked
from graphmem.retrieval.walk import Walked
from graphmem.retrieval.wording import day, label_of, reason

SAID = "said"


def certainty_of(fact: Fact, question: Question) -> Certainty:
    """Return how surely a fact holds at the time asked about; any time asks nothing."""
    if question.filter.valid is None:
        return Certainty.HOLDS
    return fact.over(*question.filter.valid) or Certainty.HOLDS


async def hits_of(
    store: GraphStore,
    scope: Scope,
    question: Question,
    found: Candidates,
    channels: Channels,
    ranked: Sequence[Ranked],
) -> tuple[Hit, ...]:
    """Make hits of ranked candidates, in their order; what was erased meanwhile falls away."""
    if not ranked:
        return ()
    shown = await store.shown(
        scope,
        records=[one.key for one in ranked if one.key in found.facts],
        episodes=[one.key for one in ranked if one.key in found.turns],
        known_at=question.filter.known_at,
    )
    hits: list[Hit] = []
    for one in ranked:
        said = {name: scores[one.key] for name, scores in channels.items() if one.key in scores}
        parts = {name: round(value, PLACES) for name, value in {**said, **one.parts}.items()}
        score = round(one.score, PLACES)
        if one.key in shown.facts:
            walked = found.walked.get(one.key)
            hit = _fact_hit(shown, shown.facts[one.key], question, walked, score, parts)
            hits.append(hit if one.turn is None else _quoting(hit, one.turn, found.words(one.turn)))
        elif one.key in shown.turns:
            hits.append(_turn_hit(found.text(one.key), shown.turns[one.key], score, parts))
    return tuple(hits)


def _fact_hit(
    shown: Shown,
    fact: Fact,
    question: Question,
    walked: Walked | None,
    score: float,
    parts: Mapping[str, float],
) -> Hit:
    grounds = shown.grounds.get(fact.id, ())
    label = label_of(fact, question.instants)
    certainty = certainty_of(fact, question)
    said = [(ground.said.at, ground.source.zone) for ground in grounds]
    cause = shown.causes.get(fact.cause.claim) if fact.cause and fact.cause.claim else None
    why = reason(fact, label, certainty, said, cause, cause.source.zone if cause else "UTC")
    if walked is not None and walked.alike:
        why = f"{why}; {', '.join(walked.alike)}"
    return Hit(
        kind=PointKind.FACT,
        text=fact.statement,
        score=score,
        fact=fact,
        parts=parts,
        label=label,
        certainty=certainty,
        path=walked.path if walked is not None else (),
        sources=tuple(ground.source for ground in grounds),
        why=why,
    )


def _quoting(hit: Hit, turn: str, words: str) -> Hit:
    """Return a fact's hit with what was found of the turn that it stands for."""
    sources = (
        replace(source, quote=words) if source.episode == turn else source for source in hit.sources
    )
    return replace(hit, sources=tuple(sources), turn=turn)


def _turn_hit(text: str, episode: Episode, score: float, parts: Mapping[str, float]) -> Hit:
    return Hit(
        kind=PointKind.CHUNK,
        text=text,
        score=score,
        episode=episode,
        parts=parts,
        label=SAID,
        sources=(
            Source(
                episode=episode.id,
                speaker=episode.speaker or episode.role.value,
                quote=text,
                occurred_at=episode.occurred_at,
                zone=episode.zone,
            ),
        ),
        why=f"said on {day(episode.occurred_at, episode.zone)}; no fact was taken from it",
    )
