"""Checks in code what a model claims, before any of it becomes a draft.

A draft's quote is the turn's own words; its subject and object were said; nobody speaks for
somebody else; questions, conditions, fiction and quotations assert nothing. What fails is refused
whole and counted by kind; what is certain from the words corrects the model.
"""

from __future__ import annotations

import logging

from graphmem.errors import InputError
from graphmem.extraction.effects import Effects, Placed
from graphmem.extraction.ground import Said
from graphmem.extraction.mentions import NAME_LIMIT, mention_of, role_in, role_slug_of, same
from graphmem.extraction.misread import check_fit
from graphmem.extraction.patterns.frame import importance_of
from graphmem.extraction.patterns.sentences import Sentence, words
from graphmem.extraction.patterns.then import points_back
from graphmem.extraction.readings import (
    bounds_of,
    form_of,
    is_date,
    kind_of,
    modality_named,
    phrase_of,
    polarity_named,
    was_over,
)
from graphmem.extraction.speech import (
    clause_at,
    denies_by_asking,
    denies_denial,
    denies_verb,
    habitual,
    may_deny,
    modality_of,
    once_only,
    takes_back,
    unasserted,
)
from graphmem.extraction.tellings import said_by, statement_of
from graphmem.extraction.view import MUTE, Refused, TurnView
from graphmem.extraction.wire import WireClaim
from graphmem.model.claim import Form, Mention, Modality, Polarity
from graphmem.model.draft import Draft, KnownFact
from graphmem.model.entity import ValueKind
from graphmem.model.predicate import (
    Ontology,
    PredicateKind,
    Resolved,
    ValueType,
    slugify,
)
from graphmem.model.text import normal_key

_log = logging.getLogger(__name__)

QUOTE_LIMIT = 2_000
MODEL_CONFIDENCE = 0.9
REPORTED_CONFIDENCE = 0.7

_NO_OBJECT = words("none null nil n/a nothing no true yes 无 没有 是")
_VAGUE = words(
    "related_to is_related_to relates_to associated_with is_associated_with has_relation relation"
    " relationship other unknown mentions mentioned says said none null predicate is_about about"
)


class Guard:
    """Turns claims as a model wrote them into drafts, or refuses them.

    Args:
        ontology: the predicates.
        statement_language: of all statements ("en", "zh"); None for the speaker's.
    """

    def __init__(self, ontology: Ontology, statement_language: str | None = None) -> None:
        self._ontology = ontology
        self._language = statement_language
        self._effects = Effects(ontology)

    def check(self, claim: WireClaim, view: TurnView, span: tuple[int, int]) -> Placed:
        """Return the draft of a claim whose quote stands at ``span`` of the turn.

        Raises:
            Refused: it must not become one.
        """
        turn = view.turn
        begin, stop = span
        sentences = _spoken(view, span)
        read = self._effects.ended(claim, view, sentences)
        claim, ended = read.claim, read.fact
        resolved = self._predicate(claim.predicate)
        polarity = polarity_named(claim.polarity)
        modality = modality_named(claim.modality)
        form = form_of(claim.form)
        if polarity is None or modality is None or form is None:
            raise Refused("malformed")
        if ended is None:
            subject = mention_of(claim.subject, ValueKind.ENTITY, view)
            target = self._object(claim, resolved, view)
        else:
            subject, target = ended.subject, ended.object
        if target is None:
            _require_object(resolved, polarity, form)
        elif same(subject, target):
            raise Refused("self")
        _require_news(claim, resolved, polarity, subject, target)

        at = _place_of(view.said, target, subject, span)
        sentence = next((s for s in sentences if s.begin <= at < s.stop), sentences[0])
        clause = _asserted(sentence, max(0, at - sentence.begin), resolved, polarity, view)
        if _holds(polarity, form, ended):
            check_fit(claim, resolved, (subject, target), sentences, at, view)
        start, end = bounds_of(claim, view, form, sentence.text)
        quote = turn.content[begin:stop]
        told = form
        if form is Form.END and modality is Modality.ASSERTED:
            clause = f"{clause}\n{quote}"
            polarity = self._no_longer(claim, resolved, clause) or polarity
        polarity, form = self._denial(claim, resolved, polarity, form, clause, turn.content)
        form, start, end = _not_from_then(told, form, start, end)
        if _is_planned_date(resolved, target, start):
            start, modality = None, Modality.ASSERTED
        if form is Form.STATE and start and start == phrase_of(claim.duration, view):
            form = Form.SINCE
        negative = polarity is Polarity.NEGATIVE and end is None
        if negative and start is not None and was_over(claim, start, view):
            form, end = Form.PAST, start
        if form is Form.PAST and end is None:
            form = _looked_back(claim, resolved, start, view)
        if modality is Modality.ASSERTED and form in (Form.STATE, Form.CHANGE):
            modality = self._certain_modality(resolved, clause) or modality
        teller = said_by(claim.said_by, view)
        draft = Draft(
            turn=turn.id,
            quote=quote,
            subject=subject,
            predicate=slugify(claim.predicate),
            object=target,
            polarity=polarity,
            modality=modality,
            form=form,
            start=start,
            end=end,
            start_hint=_then(start, sentence, view),
            qualifiers=self._qualifiers(claim, view, resolved, quote, polarity),
            beside=claim.beside,
            confidence=MODEL_CONFIDENCE if teller is None else REPORTED_CONFIDENCE,
            importance=_importance(claim, resolved),
            said_by=teller,
            statement=statement_of(claim, target, view, self._language),
            rule="model",
        )
        placed = Placed(draft, begin, doubts=read.doubts)
        return self._effects.add(claim, placed, view, sentence.text)

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
        kind = kind_of(claim.object_kind, said, resolved)
        if said.casefold() in _ALL and view.words.have(said):
            return Mention(said, kind)
        return mention_of(said, kind, view)

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
            taken_back = bool(claim.corrects.strip()) and takes_back(content, strictly=True)
            if not (may_deny(content) or taken_back) or denies_denial(clause):
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

    def _no_longer(self, claim: WireClaim, resolved: Resolved, words: str) -> Polarity | None:
        """Return that an ending holds as a no, where the words say "I don't … any more"."""
        narrowed = bool(claim.qualifiers) or resolved.negated
        no = not narrowed and denies_verb(words, self._surfaces(resolved))
        return Polarity.NEGATIVE if no else None

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
        self,
        claim: WireClaim,
        view: TurnView,
        resolved: Resolved,
        quote: str,
        polarity: Polarity,
    ) -> tuple[tuple[str, str], ...]:
        """Return the qualifiers that were said, and the role a relation was told by.

        A negative with a qualifier is an exception, so it has only those that narrow it.
        """
        kept: dict[str, str] = {}
        for name, value in claim.qualifiers:
            text = " ".join(value.split())
            if not text or len(text) > NAME_LIMIT:
                continue
            if not (view.words.have(text) or view.words.have_each(text)):
                continue
            try:
                kept.setdefault(_narrowing(name, resolved), text)
            except InputError:
                _log.debug("a qualifier without a usable name was left out")
        between = resolved.predicate
        given = kept.pop("role", None)
        if given is not None and resolved.known and "person" not in between.object_types:
            # No relation to a person: what somebody is there, or a word that fits nowhere.
            kept.setdefault("as", given)
            given = None
        role = given or role_in(quote, between.slug, self._ontology)
        if role is not None:
            kept["role"] = role_slug_of(role)
        if polarity is Polarity.NEGATIVE:
            related = "person" in between.object_types
            kept = {
                name: text
                for name, text in kept.items()
                if name not in _NOT_NARROWING and (name != "role" or related)
            }
        return tuple(sorted(kept.items()))


def _narrowing(name: str, resolved: Resolved) -> str:
    """Return a qualifier's name: that by which the predicate tells values apart, if it means it.

    Raises:
        InputError: it is no name.
    """
    slug = slugify(name) if name else "note"
    apart = resolved.predicate.discriminators
    return apart[0] if len(apart) == 1 and slug in _KINDS_OF else slug


_KINDS_OF = frozenset(words("kind type sort use usage purpose category variant label"))
"""What models call what tells two values of a predicate apart ("my work phone")."""
_ALL = words("everything anything everyone everybody 一切 全部 所有 什么都 大家") | {"all of them"}
"""Values that name nothing, and yet say something: "I eat everything"."""
_OWN_PARENTS = frozenset(words("mum mom mummy dad daddy mam mama papa"))
_OF_HEALTH = frozenset(words("allergic_to intolerant_to avoids has_condition"))
"""What "if I eat nuts, I come out in hives" tells."""
_NOT_NARROWING = frozenset(
    words("note reason because why source degree emphasis intensity relation as strength attitude")
)


def _not_from_then(
    told: Form, form: Form, start: str | None, end: str | None
) -> tuple[Form, str | None, str | None]:
    """Let what is no longer so be not so from when it ended."""
    if told is not Form.END or form is not Form.STATE:
        return form, start, end
    start = end or start
    return Form.SINCE if start else form, start, None


_PLANNED_DATES = frozenset({"happened_on", "deadline"})


def _is_planned_date(resolved: Resolved, target: Mention | None, start: str | None) -> bool:
    """Say whether a time is what is told, and no bound of it: "the fair is planned for 3 May"."""
    if target is None or start is None or resolved.predicate.slug not in _PLANNED_DATES:
        return False
    return normal_key(target.text) in normal_key(start)


def _looked_back(claim: WireClaim, resolved: Resolved, start: str | None, view: TurnView) -> Form:
    """Return how what is over without an end is told: it happened, was so then, or is over."""
    if resolved.predicate.is_event:
        return Form.CHANGE
    if start is None or not is_date(start, view):
        return Form.END
    return Form.PAST if claim.start.strip() else Form.STATE


def _holds(polarity: Polarity, form: Form, ended: KnownFact | None) -> bool:
    """Say whether a claim tells that something is so, and of no end."""
    ends = ended is not None or form in (Form.END, Form.CANCEL)
    return polarity is Polarity.POSITIVE and not ends


def _spoken(view: TurnView, span: tuple[int, int]) -> list[Sentence]:
    """Return the speaker's own sentences that a quote stands in.

    Raises:
        Refused: there is none, or it is no quote.
    """
    if view.turn.role in MUTE:
        raise Refused(f"{view.turn.role.value}_words")  # the turn itself the gate keeps out
    sentences = view.sentences_of(*span)
    if not sentences:
        left_out = view.split.left_out
        raise Refused(next(iter(left_out)) if len(left_out) == 1 else "quotation")
    if span[1] - span[0] > QUOTE_LIMIT:
        raise Refused("oversize")
    return sentences


def _asserted(
    sentence: Sentence, offset: int, resolved: Resolved, polarity: Polarity, view: TurnView
) -> str:
    """Return the clause that a claim stands in.

    Raises:
        Refused: it asserts nothing.
    """
    first, last = clause_at(sentence.text, offset)
    clause = sentence.text[first:last]
    reason = unasserted(sentence, offset, view.opened)
    if reason == "question" and polarity is Polarity.NEGATIVE and denies_by_asking(clause):
        reason = None
    if reason == "conditional" and resolved.predicate.slug in _OF_HEALTH:
        reason = None if habitual(sentence.text) else reason
    if reason is None and resolved.predicate.kind is PredicateKind.PREFERENCE:
        reason = "instruction" if once_only(sentence.text) else None
    if reason is not None:
        raise Refused(reason)
    return clause


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


_TRIFLE = 2
"""What a model calls of so little importance it need not name anything for."""


def _require_news(
    claim: WireClaim,
    resolved: Resolved,
    polarity: Polarity,
    subject: Mention,
    target: Mention | None,
) -> None:
    """Refuse a claim that tells nothing."""
    if polarity is Polarity.POSITIVE and _says_nothing(claim, resolved, subject, target):
        raise Refused("trivia")


def _says_nothing(
    claim: WireClaim, resolved: Resolved, subject: Mention, target: Mention | None
) -> bool:
    """Say whether a claim tells nothing: an act of the moment on nothing, or to have a mother."""
    if target is None or (target.is_self and not resolved.known):
        trifle = claim.importance is not None and claim.importance <= _TRIFLE
        return trifle and not resolved.known
    if resolved.predicate.slug not in ("has_parent", "has_child"):
        return False
    one, other = (subject, target) if target.is_self else (target, subject)
    return other.is_self and one.role in ("mother", "father", *_OWN_PARENTS)


def _place_of(said: Said, target: Mention | None, subject: Mention, span: tuple[int, int]) -> int:
    """Return where in the turn what a claim says stands: its object, else the quote."""
    for mention in (target, None if subject.is_self else subject):
        found = said.find(mention.text, span[0]) if mention is not None else None
        if found is not None and found[0] < span[1]:
            return found[0]
    return span[0]


def _importance(claim: WireClaim, resolved: Resolved) -> int:
    if claim.importance is None:
        return importance_of(resolved.predicate.slug)
    return min(10, max(1, claim.importance))
