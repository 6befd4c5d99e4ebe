"""Checks in code what a model claims, before any of it becomes a draft.

A draft's quote is the turn's own words; its subject and object were said; nobody speaks for
somebody else; questions, conditions, fiction and quotations assert nothing. What fails is refused
whole and counted by kind; what is certain from the words corrects the model.
"""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass

from graphmem.errors import InputError
from graphmem.extraction.ground import Said, Words
from graphmem.extraction.mentions import NAME_LIMIT, mention_of, role_in, role_slug_of, same
from graphmem.extraction.patterns.frame import importance_of
from graphmem.extraction.patterns.sentences import Sentence, words
from graphmem.extraction.patterns.then import points_back
from graphmem.extraction.readings import (
    form_of,
    kind_of,
    modality_named,
    phrase_of,
    polarity_named,
)
from graphmem.extraction.speech import (
    clause_at,
    denies_verb,
    may_correct,
    may_deny,
    modality_of,
    once_only,
    unasserted,
)
from graphmem.extraction.view import Refused, TurnView
from graphmem.extraction.wire import WireClaim
from graphmem.model.claim import Correction, Form, Mention, Modality, Polarity
from graphmem.model.draft import Draft
from graphmem.model.entity import ValueKind
from graphmem.model.episode import Role
from graphmem.model.predicate import Ontology, PredicateKind, Resolved, ValueType, slugify

_log = logging.getLogger(__name__)

QUOTE_LIMIT = 2_000
STATEMENT_LIMIT = 500
MODEL_CONFIDENCE = 0.9
_MUTE = (Role.ASSISTANT, Role.SYSTEM, Role.TOOL)

_NO_OBJECT = words("none null nil n/a nothing no true yes 无 没有 是")
_VAGUE = words(
    "related_to is_related_to relates_to associated_with is_associated_with has_relation relation"
    " relationship other unknown mentions mentioned says said none null predicate is_about about"
)


@dataclass(frozen=True, slots=True)
class Placed:
    """A draft with the place of its quote, for said order, and the value it says it replaces."""

    draft: Draft
    begin: int
    replaces: Mention | None = None


class Guard:
    """Turns claims as a model wrote them into drafts, or refuses them."""

    def __init__(self, ontology: Ontology) -> None:
        self._ontology = ontology

    def check(self, claim: WireClaim, view: TurnView, span: tuple[int, int]) -> Placed:
        """Return the draft of a claim whose quote stands at ``span`` of the turn.

        Raises:
            Refused: it must not become one.
        """
        turn = view.turn
        if turn.role in _MUTE:
            raise Refused(turn.role.value)
        begin, stop = span
        sentences = view.sentences_of(begin, stop)
        if not sentences:
            left_out = view.split.left_out
            raise Refused(next(iter(left_out)) if len(left_out) == 1 else "quotation")
        if stop - begin > QUOTE_LIMIT:
            raise Refused("oversize")

        resolved = self._predicate(claim.predicate)
        polarity = polarity_named(claim.polarity)
        modality = modality_named(claim.modality)
        form = form_of(claim.form)
        if polarity is None or modality is None or form is None:
            raise Refused("malformed")
        subject = mention_of(claim.subject, ValueKind.ENTITY, view)
        target = self._object(claim, resolved, view)
        if target is None:
            _require_object(resolved, polarity, form)
        elif same(subject, target):
            raise Refused("self")

        at = _place_of(view.said, target, subject, span)
        sentence = next((s for s in sentences if s.begin <= at < s.stop), sentences[0])
        offset = max(0, at - sentence.begin)
        reason = unasserted(sentence, offset, view.opened)
        if reason is not None:
            raise Refused(reason)
        if resolved.predicate.kind is PredicateKind.PREFERENCE and once_only(sentence.text):
            raise Refused("instruction")

        first, last = clause_at(sentence.text, offset)
        clause = sentence.text[first:last]
        start = phrase_of(claim.start, view.said)
        end = phrase_of(claim.end, view.said, is_end=True)
        polarity, form = self._denial(claim, resolved, polarity, form, clause, turn.content)
        if form is Form.PAST and start is None and end is None:
            form = Form.END  # a look back without any date only says that it is over
        if modality is Modality.ASSERTED and form in (Form.STATE, Form.CHANGE):
            modality = self._certain_modality(resolved, clause) or modality
        draft = Draft(
            turn=turn.id,
            quote=turn.content[begin:stop],
            subject=subject,
            predicate=slugify(claim.predicate),
            object=target,
            polarity=polarity,
            modality=modality,
            form=form,
            start=start,
            end=end,
            start_hint=_then(start, sentence, view),
            qualifiers=self._qualifiers(claim, view, resolved, turn.content[begin:stop]),
            beside=claim.beside,
            correction=_correction(claim, view),
            confidence=MODEL_CONFIDENCE,
            importance=_importance(claim, resolved),
            statement=_statement(claim, target, view),
            rule="model",
        )
        return Placed(draft, begin, self._replaced(claim, draft, view))

    def _predicate(self, name: str) -> Resolved:
        try:
            if slugify(name) not in _VAGUE:
                return self._ontology.resolve(name)
        except InputError as error:
            raise Refused("predicate") from error
        raise Refused("predicate")

    def _object(self, claim: WireClaim, resolved: Resolved, view: TurnView) -> Mention | None:
        said = claim.object.strip()
        no_value = resolved.known and resolved.predicate.value is ValueType.NONE
        if not said or claim.object_kind.casefold() == "none":
            return None
        negative = polarity_named(claim.polarity) is Polarity.NEGATIVE
        if said.casefold() in _NO_OBJECT and (no_value or negative):
            return None
        return mention_of(said, kind_of(claim.object_kind, said, resolved), view)

    def _denial(
        self,
        claim: WireClaim,
        resolved: Resolved,
        polarity: Polarity,
        form: Form,
        clause: str,
        content: str,
    ) -> tuple[Polarity, Form]:
        """Bring polarity and form in line with what the words make certain."""
        if polarity is Polarity.NEGATIVE:
            if not may_deny(content):
                raise Refused("polarity")
            if form is Form.END:
                # "no longer" holds as a negative; "stopped" only ends.
                surfaces = self._surfaces(resolved)
                no_longer = denies_verb(clause, surfaces)
                return (polarity, Form.STATE) if no_longer else (Polarity.POSITIVE, form)
            return polarity, form
        own_name = slugify(claim.predicate) == resolved.predicate.slug and not resolved.negated
        plain = form in (Form.STATE, Form.SINCE)
        if own_name and plain and denies_verb(clause, self._surfaces(resolved)):
            return Polarity.NEGATIVE, Form.STATE
        return polarity, form

    @staticmethod
    def _surfaces(resolved: Resolved) -> tuple[str, ...]:
        surfaces = [s for listed in resolved.predicate.surfaces.values() for s in listed]
        # "be allergic to" stands in a sentence as "am not allergic to".
        return tuple(s.removeprefix("be ") for s in surfaces if len(s) > 1)

    @staticmethod
    def _certain_modality(resolved: Resolved, clause: str) -> Modality | None:
        predicate = resolved.predicate
        if predicate.slug in ("plans_to", "has_goal", "wants", "has_appointment", "deadline"):
            return None
        return modality_of(clause)

    def _qualifiers(
        self, claim: WireClaim, view: TurnView, resolved: Resolved, quote: str
    ) -> tuple[tuple[str, str], ...]:
        """Return the qualifiers that were said, and the role a relation was told by."""
        kept: dict[str, str] = {}
        for name, value in claim.qualifiers:
            text = " ".join(value.split())
            if not text or len(text) > NAME_LIMIT:
                continue
            if not (view.words.have(text) or view.words.have_each(text)):
                continue
            try:
                kept.setdefault(slugify(name) if name else "note", text)
            except InputError:
                _log.debug("a qualifier without a usable name was left out")
        role = kept.get("role") or role_in(quote, resolved.predicate.slug, self._ontology)
        if role is not None:
            kept["role"] = role_slug_of(role)
        return tuple(sorted(kept.items()))

    def _replaced(self, claim: WireClaim, draft: Draft, view: TurnView) -> Mention | None:
        """Return the value a claim says it replaces, if the turn itself names it."""
        said, target = claim.replaces.strip(), draft.object
        if not said or target is None or draft.correction is not None:
            return None
        if draft.polarity is not Polarity.POSITIVE or draft.form is Form.END:
            return None
        if not view.words.have(said):
            return None
        try:
            old = mention_of(said, target.kind, view)
        except Refused:
            return None
        return None if same(old, target) or same(old, draft.subject) else old


def _then(phrase: str | None, sentence: Sentence, view: TurnView) -> str | None:
    """Return the date that "since then" means, if that is how a claim begins."""
    if phrase is None or not points_back(phrase):
        return None
    return view.then_at(sentence.begin + max(0, sentence.text.find(phrase)))


def _require_object(resolved: Resolved, polarity: Polarity, form: Form) -> None:
    """Refuse a claim without an object where only endings and negatives may be without."""
    ends = polarity is Polarity.NEGATIVE or form in (Form.END, Form.CANCEL)
    if not ends and resolved.known and resolved.predicate.value is not ValueType.NONE:
        raise Refused("empty")


def _place_of(said: Said, target: Mention | None, subject: Mention, span: tuple[int, int]) -> int:
    """Return where in the turn what a claim says stands: its object, else the quote."""
    for mention in (target, None if subject.is_self else subject):
        found = said.find(mention.text, span[0]) if mention is not None else None
        if found is not None and found[0] < span[1]:
            return found[0]
    return span[0]


def _correction(claim: WireClaim, view: TurnView) -> Correction | None:
    """Return what a claim takes back; only where its turn has words for that.

    To take back is to say that something never was, so a model's word alone is not enough.
    """
    text = " ".join(claim.corrects.split())
    if not text or not may_correct(view.turn.content):
        return None
    named = len(text) <= NAME_LIMIT and view.corrigible.have(text)
    return Correction(value=text if named else None)


def _importance(claim: WireClaim, resolved: Resolved) -> int:
    if claim.importance is None:
        return importance_of(resolved.predicate.slug)
    return min(10, max(1, claim.importance))


_DIGITS = re.compile(r"\d+")
_HAN = re.compile(r"[\u3400-\u9fff]")


def _statement(claim: WireClaim, target: Mention | None, view: TurnView) -> str:
    """Return the model's sentence if it says no more than was said, in the speaker's language."""
    text = " ".join(claim.statement.split())
    if not text or len(text) > STATEMENT_LIMIT:
        return ""
    if bool(_HAN.search(text)) != bool(_HAN.search(view.turn.content)):
        return ""
    written = Words([text])
    named = target is None or target.is_self
    if target is not None and not named:
        named = written.have(target.text) or written.have_each(target.text)
    if not named:
        return ""
    numbers = _DIGITS.findall(view.turn.content + claim.object + (target.text if target else ""))
    return text if all(number in numbers for number in _DIGITS.findall(text)) else ""
