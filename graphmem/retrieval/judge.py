"""What a fact by itself has to do with a question, for the walk. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from graphmem.model.terms import is_telling, term_set
from graphmem.model.walk import Lean, Met, Relevance
from graphmem.retrieval.aim import Aim
from graphmem.retrieval.candidates import Candidates
from graphmem.retrieval.walk import ANSWERS, Judge

MEANT = 0.4
"""Lift from which nearness of meaning counts as relevance in a walk."""


def lean_of(found: Candidates, aim: Aim, weights: Mapping[str, float]) -> Lean:
    """Return what makes a fact worth walking over for a question whose terms weigh so much."""
    own = {
        term
        for seed in aim.entities
        for name in (seed.name, *seed.aliases)
        for term in term_set(name)
    }
    telling = {
        term: weight for term, weight in weights.items() if term not in own and is_telling(term)
    }
    total = sum(telling.values())
    return Lean(
        cues=aim.relations,
        words={term: weight / total for term, weight in telling.items()} if total > 0 else {},
        near={
            record: (near - MEANT) / (1 - MEANT)
            for record, near in found.dense.items()
            if near > MEANT and record in found.facts
        },
        own=aim.own,
        around=aim.ids,
        kin=aim.kin,
    )


def judge_of(lean: Lean) -> Judge:
    """Return how to tell what a fact by itself has to do with the question, once for each."""
    known: dict[str, Relevance] = {}

    def judge(fact: Met) -> Relevance:
        relevance = known.get(fact.record)
        if relevance is None:
            relevance = known[fact.record] = lean.relevance(fact)
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
