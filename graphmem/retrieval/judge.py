"""What a fact by itself has to do with a question, for the walk. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from graphmem.model.terms import query_terms, terms
from graphmem.retrieval.aim import ASTRAY, Aim, Told
from graphmem.retrieval.candidates import Candidates
from graphmem.retrieval.walk import ANSWERS, Relevance

Judge = Callable[[Told], Relevance]

MEANT = 0.4
"""Lift from which nearness of meaning counts as relevance in a walk."""


def judge_of(found: Candidates, aim: Aim, weights: Mapping[str, float]) -> Judge:
    """Return how to tell what a fact by itself has to do with the question."""
    own = {
        term for seed in aim.entities for name in (seed.name, *seed.aliases) for term in terms(name)
    }
    telling = {term: weight for term, weight in weights.items() if term not in own}
    total = sum(telling.values())
    known: dict[str, Relevance] = {}

    def judge(fact: Told) -> Relevance:
        relevance = known.get(fact.record)
        if relevance is None:
            held = set(query_terms(fact.statement))
            words = sum(weight for term, weight in telling.items() if term in held)
            words *= ASTRAY if aim.astray(fact) else 1.0
            near = found.dense.get(fact.record, 0.0)
            relevance = known[fact.record] = Relevance(
                cue=aim.fit(fact),
                words=words / total if total > 0 else 0.0,
                meaning=max(0.0, (near - MEANT) / (1 - MEANT)),
            )
        return relevance

    return judge


def beside_the_way(found: Candidates, aim: Aim, judge: Judge) -> set[str]:
    """Return records of facts that a walk passed by: nothing of the chain leads over them.

    Those are other neighbours of what the question names, found by that name alone, and facts of
    the relation that was asked for at the end of the chain, about something the chain does not
    reach. Where the walk found nothing, nothing is beside it.
    """
    answered = {walked.fact.predicate for walked in found.walked.values() if walked.answers}
    if not answered:
        return set()
    return {
        record
        for record, fact in found.facts.items()
        if record not in found.walked
        and (
            judge(fact).total < ANSWERS
            if aim.touches(fact)
            else fact.predicate in answered and fact.predicate in aim.relations
        )
    }
