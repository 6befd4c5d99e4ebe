"""What a model's claim does to what is known: it ends a fact, takes its place, or takes it back.

The model names the known fact by its label, or the value in the turn's words. Code decides whether
the words bear it out, and drafts the ending or the correction. A label that is not borne out
leaves the claim as a plain one, and is counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from graphmem.extraction.labels import (
    about,
    another,
    is_value,
    label_in,
    over,
    replaced,
    taken_back,
)
from graphmem.extraction.mentions import NAME_LIMIT, mention_of, same
from graphmem.extraction.patterns.sentences import Sentence
from graphmem.extraction.readings import form_of, polarity_named
from graphmem.extraction.speech import may_correct, may_replace, stays
from graphmem.extraction.view import Refused, TurnView
from graphmem.extraction.wire import WireClaim
from graphmem.model.claim import Correction, Form, Mention, Modality, Polarity
from graphmem.model.draft import Draft, KnownFact
from graphmem.model.entity import ValueKind
from graphmem.model.predicate import Cardinality, Ontology
from graphmem.model.text import normal_key

UNKNOWN, UNWITNESSED = "unknown_label", "unwitnessed"
_OVER = (Form.END, Form.CANCEL)
_GOES_ON = (Form.STATE, Form.SINCE)


@dataclass(frozen=True, slots=True)
class Placed:
    """A draft with the place of its quote, for said order.

    ``follows`` is what becomes of another value by it: its ending, or that it never was.
    ``doubts`` are kinds of what it says beside that cannot be kept.
    """

    draft: Draft
    begin: int
    follows: Draft | None = None
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ended:
    """A claim after its ``ends`` was read; ``fact`` is what it is the ending of."""

    claim: WireClaim
    fact: KnownFact | None = None
    doubts: tuple[str, ...] = ()


class Effects:
    """Reads the labels of claims."""

    def __init__(self, ontology: Ontology) -> None:
        self._ontology = ontology

    def ended(self, claim: WireClaim, view: TurnView, sentences: Sequence[Sentence]) -> Ended:
        """Read the label of a known fact that a claim says is over.

        Raises:
            Refused: the label is not borne out, and without it the claim says nothing.
        """
        claim = _labelled(claim, view)
        if not claim.ends.strip():
            return Ended(claim)
        label = label_in(claim.ends, view)
        if label is None:
            return Ended(_by_words(claim))
        fact = view.known.facts.get(label)
        if fact is None:
            return _without(claim, UNKNOWN)
        if fact.polarity is Polarity.NEGATIVE:
            return _without(claim)  # "I drink coffee again" is a claim of its own
        target = _target(claim, fact, view)
        if claim.subject:
            subject = mention_of(claim.subject, ValueKind.ENTITY, view)
            if not about(fact, subject, target, view.known):
                return _without(claim, UNWITNESSED)
        # Told from the other end, the claim's object is the fact's subject.
        ends = target is None or is_value(fact, target, view.known) or same(fact.subject, target)
        if not ends:  # another value: it takes the place of the one that ends
            return Ended(replace(claim, ends="", replaces=claim.replaces or label))
        text = " ".join(sentence.text for sentence in sentences)
        if not over(fact, target, text, view, self._ontology):
            return _without(claim, UNWITNESSED)
        return Ended(_as_ending(claim, fact), fact)

    def add(self, claim: WireClaim, placed: Placed, view: TurnView, sentence: str) -> Placed:
        """Add what a claim takes back, and what it takes the place of."""
        placed = self._replacing(claim, self._correcting(claim, placed, view), view, sentence)
        if placed.follows is not None or placed.draft.correction is not None:
            return placed
        return self._staying(self._concluding(placed, view), view, sentence)

    def _correcting(self, claim: WireClaim, placed: Placed, view: TurnView) -> Placed:
        """Add what a claim takes back; only where its turn has words for that.

        To take back is to say that something never was, so a model's word alone is not enough.
        """
        text, draft = " ".join(claim.corrects.split()), placed.draft
        if not text:
            return placed
        label = label_in(text, view)
        if label is None:
            if not may_correct(view.turn.content):
                return placed
            named = len(text) <= NAME_LIMIT and view.corrigible.have(text)
            return _corrected(placed, Correction(value=text if named else None))
        fact = view.known.facts.get(label)
        if fact is None:
            return _doubted(placed, UNKNOWN)
        slug = self._ontology.get(draft.predicate).slug
        if not (
            about(fact, draft.subject, draft.object, view.known)
            and taken_back(fact, slug, view, self._ontology)
        ):
            return _doubted(placed, UNWITNESSED)
        if fact.object is None:
            return placed
        correction = Correction(value=fact.object.text)
        if slug == fact.predicate:
            return _corrected(placed, correction)
        never = replace(
            _of_fact(draft, fact),
            polarity=fact.polarity.flipped,
            form=Form.STATE,
            start=None,
            end=None,
            correction=correction,
        )
        return replace(placed, follows=never)

    def _replacing(self, claim: WireClaim, placed: Placed, view: TurnView, sentence: str) -> Placed:
        """Add the ending of the value that a claim says it takes the place of.

        It is one that the turn itself names, or a known fact that gives way by the words.
        """
        said, draft = claim.replaces.strip(), placed.draft
        if not said or placed.follows is not None or not _may_replace(draft):
            return placed
        label = label_in(said, view)
        if label is None:
            return _replacing_words(said, placed, view)
        fact = view.known.facts.get(label)
        if fact is None:
            return _doubted(placed, UNKNOWN)
        target = draft.object
        over = self._handed_over(fact, draft, view, sentence)
        if over is not None:
            return replace(placed, follows=over)
        if target is None or fact.object is None or is_value(fact, target, view.known):
            return placed
        if not about(fact, draft.subject, target, view.known) or draft.beside:
            return _doubted(placed, UNWITNESSED)
        predicate = self._ontology.get(draft.predicate)
        if predicate.slug == fact.predicate and predicate.cardinality is Cardinality.ONE:
            return placed  # the new value ends it by itself
        if fact.polarity is Polarity.NEGATIVE:
            return placed
        if not replaced(fact, predicate.slug, sentence, view, self._ontology):
            return _doubted(placed, UNWITNESSED)
        return replace(placed, follows=_ending(_of_fact(draft, fact), draft))

    def _others(self, draft: Draft, view: TurnView) -> list[KnownFact]:
        """Return the known facts that tell of others what a draft tells of its subject."""
        resolved = self._ontology.resolve(draft.predicate)
        if resolved.flipped or draft.object is None:
            return []
        slug, facts = resolved.predicate.slug, view.known.facts.values()
        return [f for f in facts if another(f, slug, draft.subject, draft.object, view.known)]

    def _handed_over(
        self, fact: KnownFact, draft: Draft, view: TurnView, sentence: str
    ) -> Draft | None:
        """Return what becomes of who gives way to a draft's subject: "Mia takes over the choir".

        A plan gives way to another plan; then it is who holds the thing now that ends later.
        """
        others = self._others(draft, view)
        if draft.beside or fact not in others or not may_replace(sentence, strictly=True):
            return None
        if fact.modality is not Modality.ASSERTED:
            holding = [other for other in others if other.ending]
            if not holding:
                return _stays(_of_fact(draft, fact))
            fact = holding[0]
        return _ending(_of_fact(draft, fact), draft)

    def _staying(self, placed: Placed, view: TurnView, sentence: str) -> Placed:
        """Call off the announced end of a known fact, where what was to end it is called off."""
        draft = placed.draft
        if placed.follows is not None or draft.polarity is Polarity.NEGATIVE:
            return placed
        if draft.form is Form.CANCEL:
            ending = [other for other in self._others(draft, view) if other.ending]
        elif draft.modality is Modality.ASSERTED and draft.form in _GOES_ON and stays(sentence):
            ending = [fact for fact in self._same(draft, view) if fact.ending]
        else:
            return placed
        return replace(placed, follows=_stays(_of_fact(draft, ending[0]))) if ending else placed

    def _same(self, draft: Draft, view: TurnView, slug: str = "") -> list[KnownFact]:
        """Return the known facts of a draft's subject and value, by ``slug`` if it is given."""
        slug, target = slug or self._ontology.get(draft.predicate).slug, draft.object
        if target is None:
            return []
        return [
            fact
            for fact in view.known.facts.values()
            if fact.predicate == slug
            and fact.polarity is Polarity.POSITIVE
            and is_value(fact, target, view.known)
            and about(fact, draft.subject, target, view.known)
        ]

    def _concluding(self, placed: Placed, view: TurnView) -> Placed:
        """Add the ending of a known fact that an event is the end of."""
        draft = placed.draft
        over = _CONCLUDES.get(self._ontology.get(draft.predicate).slug)
        if over is None or draft.object is None or draft.polarity is Polarity.NEGATIVE:
            return placed
        if draft.form in _OVER or draft.modality is Modality.POSSIBLE:
            return placed
        # A plan for a date that is past already may have hidden what it was the end of.
        slug = self._ontology.get(draft.predicate).slug
        known = self._same(draft, view, over) or self._same(draft, view, slug)
        if not known:
            return placed
        ended = replace(_of_fact(draft, known[0]), predicate=over)
        return replace(placed, follows=_ending(ended, draft))


_CONCLUDES = {"graduated_from": "studies_at"}
"""By an event's predicate, what it is the end of."""


def _stays(old: Draft) -> Draft:
    """Return that the announced end of what a draft says is called off."""
    return replace(
        old, form=Form.CANCEL, modality=Modality.PLANNED, start=None, end=None, statement=""
    )


def _labelled(claim: WireClaim, view: TurnView) -> WireClaim:
    """Put in the label of the one known fact whose value ended, where a model only gives the value.

    The turn may not name it ("the old one's dead"), so as a plain claim it would not be grounded.
    """
    target = claim.object.strip()
    if claim.ends.strip() or form_of(claim.form) not in _OVER or not target:
        return claim
    if view.words.have(target):
        return claim
    labels = [
        label
        for label, fact in view.known.facts.items()
        if fact.object is not None
        and fact.predicate == claim.predicate
        and normal_key(fact.object.text) == normal_key(target)
    ]
    return replace(claim, ends=labels[0]) if len(labels) == 1 else claim


def _by_words(claim: WireClaim) -> WireClaim:
    """Read ``ends`` where it holds words: the value that ended, whoever else is the object."""
    if not claim.object.strip() or claim.object.strip() == claim.ends.strip():
        return replace(claim, object=claim.ends, form=Form.END.value, ends="")
    return replace(claim, ends="", replaces=claim.replaces or claim.ends)


def _without(claim: WireClaim, doubt: str | None = None) -> Ended:
    """Return a claim as it is without its label, if it then still says something."""
    if not (claim.subject and claim.predicate and claim.object.strip()):
        raise Refused(doubt or UNWITNESSED)
    return Ended(replace(claim, ends=""), None, () if doubt is None else (doubt,))


def _target(claim: WireClaim, fact: KnownFact, view: TurnView) -> Mention | None:
    """Return the object of a claim; a known value need not be said by its turn."""
    text = claim.object.strip()
    if not text or claim.object_kind.casefold() == "none":
        return None
    if fact.object is not None and normal_key(fact.object.text) == normal_key(text):
        return fact.object
    return mention_of(text, ValueKind.ENTITY, view)


def _as_ending(claim: WireClaim, fact: KnownFact) -> WireClaim:
    negative = polarity_named(claim.polarity) is Polarity.NEGATIVE
    form = form_of(claim.form)
    if form is Form.CANCEL and fact.modality is Modality.ASSERTED:
        form = Form.END
    dated_past = form is Form.PAST and bool(claim.start.strip() and claim.end.strip())
    if not negative and form not in _OVER and not dated_past:
        form = Form.END
    told = claim.form if form is None else form.value
    modality = claim.modality
    if form is Form.CANCEL:
        modality = fact.modality.value
    return replace(claim, predicate=fact.predicate, form=told, modality=modality)


def _may_replace(draft: Draft) -> bool:
    if draft.object is None or draft.correction is not None:
        return False
    return draft.polarity is Polarity.POSITIVE and draft.form is not Form.END


def _replacing_words(said: str, placed: Placed, view: TurnView) -> Placed:
    draft = placed.draft
    if draft.object is None or not view.words.have(said):
        return placed
    try:
        old = mention_of(said, draft.object.kind, view)
    except Refused:
        return placed
    if same(old, draft.object) or same(old, draft.subject):
        return placed
    return replace(placed, follows=_ending(replace(draft, object=old), draft))


def _doubted(placed: Placed, kind: str) -> Placed:
    return replace(placed, doubts=(*placed.doubts, kind))


def _corrected(placed: Placed, correction: Correction) -> Placed:
    return replace(placed, draft=replace(placed.draft, correction=correction))


def _of_fact(draft: Draft, fact: KnownFact) -> Draft:
    """Return a draft of what a fact says, from the same words."""
    return replace(
        draft,
        subject=fact.subject,
        predicate=fact.predicate,
        object=fact.object,
        qualifiers=(),
        beside=False,
        statement="",
    )


def _ending(old: Draft, new: Draft) -> Draft:
    return replace(
        old, form=Form.END, start=None, end=new.start, beside=False, correction=None, statement=""
    )
