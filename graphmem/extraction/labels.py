"""Labels of known facts in a model's claim: which fact is meant, and whether the words bear it out.

A model only proposes that a known fact is over, replaced or wrong. The fact must be one that was
shown, about the subject of the claim, and the turn must have words for what is said of it.
"""

from __future__ import annotations

import re

from graphmem.extraction.ground import Words
from graphmem.extraction.mentions import same
from graphmem.extraction.speech import may_end, may_replace, may_return, takes_back
from graphmem.extraction.topics import topic_words
from graphmem.extraction.view import TurnView
from graphmem.model.claim import Mention, Polarity
from graphmem.model.draft import Known, KnownFact
from graphmem.model.predicate import Cardinality, Ontology
from graphmem.model.roles import role_slug
from graphmem.model.text import normal_key

_LABEL = re.compile(r"\W*(?:known |fact )*(F\d{1,4})(?:\W.*)?", re.IGNORECASE)
_SHORT = 20
"""An answer of so many characters speaks of what was asked."""
_NEAR = 3
"""How many turns back a value may have been named that "I quit" means."""


def label_in(text: str, view: TurnView) -> str | None:
    """Return the label that ``text`` is, or None: "F1" may be what the turn speaks of itself."""
    found = _LABEL.fullmatch(text.strip())
    if found is None or view.words.have(found[1]):
        return None
    return found[1].upper()


def about(fact: KnownFact, subject: Mention, target: Mention | None, known: Known) -> bool:
    """Say whether a fact is about the subject of a claim, seen from either end of the relation."""
    if _one(fact.subject, subject, known):
        return True
    if fact.object is None or target is None:
        return False
    return _one(fact.object, subject, known) and _one(fact.subject, target, known)


def _one(one: Mention, other: Mention, known: Known) -> bool:
    """Say whether two mentions are one thing by their names, other names and roles."""
    if same(one, other):
        return True
    if one.is_self or other.is_self:
        return False
    if other.role is not None:
        role = known.people.get(one.text)
        return role is not None and role_slug(role) == role_slug(other.role)
    key = normal_key(other.text)
    return any(normal_key(name) == key for name in known.aliases.get(one.text, ()))


def is_value(fact: KnownFact, target: Mention, known: Known) -> bool:
    """Say whether a claim's object is the value of a fact, perhaps in fewer words."""
    value = fact.object
    if value is None:
        return False
    if _one(value, target, known):
        return True
    return not (value.is_self or target.is_self) and Words([value.text]).have(target.text)


def over(
    fact: KnownFact, target: Mention | None, sentence: str, view: TurnView, ontology: Ontology
) -> bool:
    """Say whether a sentence bears out that a fact is over: words of an end, and of the fact.

    ``target`` is what the claim calls its value, if it does.
    """
    if _named(fact, view) or (target is not None and view.words.have(target.text)):
        return may_end(sentence) or may_replace(sentence, strictly=True)
    if may_end(sentence, strictly=True):
        return _told_of(fact, sentence, ontology) or _named_before(fact, view)
    # "Do you still have it?" "No."
    return len(sentence) <= _SHORT and may_end(sentence) and _named_before(fact, view, 1)


def replaced(
    fact: KnownFact, predicate: str, sentence: str, view: TurnView, ontology: Ontology
) -> bool:
    """Say whether a sentence with another value bears out that a fact gave way to it."""
    if _named(fact, view):
        return may_replace(sentence) or may_end(sentence)
    if predicate != fact.predicate:
        return False
    if may_replace(sentence, strictly=True):
        return True
    # Nobody has said that a predicate of the model's own holds many values.
    return not ontology.resolve(predicate).known and (may_replace(sentence) or may_return(sentence))


def another(
    fact: KnownFact, predicate: str, subject: Mention, target: Mention, known: Known
) -> bool:
    """Say whether a fact tells of somebody else what a claim tells of ``subject``."""
    if predicate != fact.predicate or fact.object is None or fact.polarity is Polarity.NEGATIVE:
        return False
    return _one(fact.object, target, known) and not _one(fact.subject, subject, known)


def taken_back(fact: KnownFact, predicate: str, view: TurnView, ontology: Ontology) -> bool:
    """Say whether a turn bears out that a fact was never so."""
    single = ontology.get(fact.predicate).cardinality is Cardinality.ONE
    if predicate == fact.predicate and single:
        return takes_back(view.turn.content)
    if _named(fact, view) or _named_before(fact, view):
        return takes_back(view.turn.content)
    return predicate == fact.predicate and takes_back(view.turn.content, strictly=True)


def _named(fact: KnownFact, view: TurnView) -> bool:
    return any(view.words.have(name) for name in _names(fact, view.known))


def _named_before(fact: KnownFact, view: TurnView, near: int = _NEAR) -> bool:
    value = fact.object
    if value is None or value.is_self:
        return False
    return any(before.words.have(value.text) for before in view.heard[-near:])


def _names(fact: KnownFact, known: Known) -> tuple[str, ...]:
    value = fact.object
    if value is None or value.is_self:
        return ()
    return (value.text, *known.aliases.get(value.text, ()))


def _told_of(fact: KnownFact, sentence: str, ontology: Ontology) -> bool:
    said = Words([sentence])
    return any(
        said.have(word) if word.isascii() else word in sentence
        for word in topic_words(ontology.get(fact.predicate))
    )
