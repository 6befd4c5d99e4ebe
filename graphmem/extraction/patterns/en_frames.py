"""Which English verbs say what: from a verb and its particle to a predicate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from graphmem.extraction.patterns import en_words as w
from graphmem.extraction.patterns.en_nouns import Shape
from graphmem.extraction.patterns.en_tokens import Token
from graphmem.extraction.patterns.en_verbs import VerbForm, Verbs
from graphmem.extraction.patterns.sentences import phrases, words
from graphmem.model.predicate import Ontology, Predicate, ValueType


class Kind(StrEnum):
    """What a verb does with a fact."""

    HOLD = "hold"
    """It holds: "live in"."""
    BEGIN = "begin"
    """It comes about: "move to"."""
    END = "end"
    """It ends: "resign from"."""
    EVENT = "event"
    """It happens and is over: "visit"."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A verb with what follows it.

    Attributes:
        predicate: slug it says.
        tail: words after the verb, in lower case.
        kind: hold, begin, end or event.
        shape: what the value must look like.
        flipped: subject and value change places ("hire": the hired one works there).
        negated: it says no ("hate").
        value: a value it implies ("cycle to work": cycling).
    """

    predicate: str
    tail: tuple[str, ...]
    kind: Kind = Kind.HOLD
    shape: Shape = Shape.THING
    flipped: bool = False
    value: str | None = None


# Beyond the registry's surfaces, which tell of what holds or happens: verbs of beginning and
# ending, verbs said from the other side ("<"), and implied values ("=").
_MORE = """
hold costs: cost, be priced at
hold works_at: teach at, lecture at
hold member_of: be on, sing in, play in
hold part_of: be part of
event born_on: be born
event grew_up_in: grow up on, be born and raised in, be born and bred in
begin has_pet: get
begin lives_in: move to, move into, relocate to, settle in, settle down in, move back to
begin lives_in: return to live in, emigrate to
end lives_in: move out of, move away from
begin lives_with: move in with
begin works_at: join, start at, start working at, start a job at, start a new job at, get a job at
begin works_at: get hired by, be hired by, get hired at, be hired at, sign on with, rejoin
begin works_at: get a new job at
begin works_at: accept a job at, accept an offer from, take a job at, accept a position at
end works_at: resign from, be laid off from, get laid off from, be fired from, get fired from
end works_at: retire from, finish at, quit my job at, leave my job at, lose my job at
begin <works_at: hire, employ, recruit
begin works_as: become, be promoted to, get promoted to, retrain as, qualify as, train as
begin studies_at: enrol at, enroll at, enrol in, start university at, transfer to
end studies_at: drop out of
end uses: switch away from
begin follows_diet: switch to, go on, move to
begin uses: switch to
begin married_to: marry, get married to
end married_to: divorce, get divorced from, separate from
begin engaged_to: get engaged to
end partner_of: break up with, split up with
end likes: go off
event graduated_from: graduate
hold kept_in: sit in
begin has_pet: adopt
end has_subscription: unsubscribe from
begin owns: inherit
begin assigned_to: be reassigned to, be moved to, be transferred to
begin drives: switch to driving
end allergic_to: outgrow my allergy to
hold likes: be obsessed with, be mad on, be mad for
hold self_employed: be freelance, freelance
begin self_employed: go freelance, go self-employed
hold dislikes: hate, dislike, detest, loathe, despise, can't stand
hold <buys_from: supply
event <causes: be caused by, result from
event <created: be written by, be painted by, be directed by, be composed by, be created by
event <founded: be founded by
hold <has_teacher: tutor, coach
hold <has_mentor: mentor
hold <leads: be led by, be managed by, be headed by, be run by
hold <makes: be made by, be manufactured by, be produced by
hold <runs: be operated by
hold <owns: be owned by
hold commutes_by=cycling: cycle to work, bike to work, cycle to the office
hold commutes_by=walking: walk to work, walk to the office
hold commutes_by=driving: drive to work, drive to the office
hold works_shift=nights: work nights, work night shifts, work the night shift, be on nights
hold works_shift=days: work days, work the day shift
hold works_shift=weekends: work weekends, work on weekends
hold works_shift=part-time: work part-time, work part time
hold works_shift=from home: work from home, work remotely
begin has_condition: be diagnosed with, get diagnosed with
begin retired: retire, go into retirement
begin has_injury: break, sprain, fracture, dislocate, tear, twist
"""

_SHAPES = {
    Shape.PLACE: "lives_in stays_at born_in comes_from grew_up_in visited",
    Shape.ORGANISATION: "works_at studies_at graduated_from applied_to interviewing_with"
    " has_membership",
    Shape.NAME: "located_in assigned_to competes_with partners_with founded supports",
    Shape.PERSON: "married_to engaged_to partner_of friend_of knows neighbour_of colleague_of"
    " classmate_of roommate_of lives_with has_manager has_mentor has_teacher has_landlord met"
    " has_child has_sibling has_relative has_grandchild has_assistant",
    Shape.TASTE: "likes dislikes prefers interested_in fears wants collects practises",
    Shape.LANGUAGE: "speaks native_language",
    Shape.FOOD: "eats",
    Shape.DRINK: "drinks",
    Shape.MEASURE: "height weight age costs earns has_budget size",
    Shape.DATE: "born_on deadline happened_on",
    Shape.THING: "works_as taught_subject has_degree",
    Shape.TEXT: "has_goal plans_to wants_style remember can_do works_shift commutes_by"
    " works_in_field phone_number email_address postal_address",
}
_BY_SLUG = {slug: shape for shape, slugs in _SHAPES.items() for slug in slugs.split()}

# Surfaces that say too many things to be read without a special rule.
_AMBIGUOUS = phrases(
    "have|have a|be|be on|be to|be part of|be in|be from|be into|take|go to|do|want|"
    "need|use|feel|work in|work with|run|start|begin|finish|complete|make|build|offer|"
    "include|keep in|follow|set up|be called|be named|go by|number|phone|rent|"
    "found|know how to|be able to|work nights|work shifts|freelance|lead|receive|cause|"
    "order|lose|sell|live on|live near|play in|sing in|react to|work on|date|head|"
    "be due|be good at|operate|manage|stay in|see|be sensitive to|remember|be diagnosed with|"
    "get diagnosed with|do|watch|read|write|"
    "apply for|be given|be prescribed|direct|paint|attend"
)
_ALLOWED = phrases(
    "be to|be into|be from|use|run|lead|found|work on|cause|manage|read|watch|attend|"
    "apply for|work with|make|sell|live on|offer|date|write|complete|include|stay in|"
    "lose|receive"
)


def shape_of(predicate: Predicate) -> Shape:
    """Return what a predicate's value must look like."""
    if predicate.value is ValueType.NONE:
        return Shape.NONE
    declared = _BY_SLUG.get(predicate.slug)
    if declared is not None:
        return declared
    if predicate.value is ValueType.DATE:
        return Shape.DATE
    if "person" in predicate.object_types:
        return Shape.PERSON
    return Shape.TEXT if predicate.value is ValueType.TEXT else Shape.THING


class Frames:
    """The frames of a registry's surfaces and our own, found by verb."""

    def __init__(self, ontology: Ontology) -> None:
        self._by_lemma: dict[str, list[Frame]] = {}
        self.nouns: dict[str, str] = {}
        surfaces = [(p, s) for p in ontology for s in p.surfaces.get("en", ())]
        plain = Verbs()
        firsts = {s.split()[0] for _, s in surfaces}
        self.verbs = Verbs(
            first
            for first in sorted(firsts)
            if plain.base(first) is None and first not in _NOUN_FIRST
        )
        for predicate, surface in surfaces:
            self._surface(predicate, surface)
        for line in _MORE.strip().splitlines():
            self._more(line, ontology)
        for frames in self._by_lemma.values():
            frames.sort(key=lambda frame: -len(frame.tail))

    def _surface(self, predicate: Predicate, surface: str) -> None:
        if "*" in predicate.slug:
            return  # a family: which of its predicates is meant stands in the sentence
        first, *tail = surface.lower().split()
        if first in _NOUN_FIRST or self.verbs.base(first, VerbForm.BASE) is None:
            self.nouns.setdefault(surface.lower(), predicate.slug)
            return
        if surface in _AMBIGUOUS - _ALLOWED:
            return
        self._add(
            first,
            Frame(
                predicate.slug,
                tuple(tail),
                Kind.EVENT if predicate.is_event or predicate.slug in _TOLD_PAST else Kind.HOLD,
                shape_of(predicate),
            ),
        )

    def _more(self, line: str, ontology: Ontology) -> None:
        head, _, members = line.partition(":")
        kind, slug = head.split(" ", 1)
        slug, _, value = slug.partition("=")
        flipped = slug.startswith("<")
        slug = slug.lstrip("<").strip()
        shape = Shape.NONE if value else shape_of(ontology.get(slug))
        if slug == "dislikes":
            shape = Shape.TASTE
        for member in members.split(","):
            first, *tail = member.split()
            if flipped:
                people = {"works_at", "has_teacher", "has_mentor"}
                shape = Shape.PERSON if slug in people else Shape.THING
            self._add(first, Frame(slug, tuple(tail), Kind(kind), shape, flipped, value or None))

    def _add(self, lemma: str, frame: Frame) -> None:
        self._by_lemma.setdefault(lemma, []).append(frame)

    def match(self, lemma: str, rest: Sequence[Token]) -> Iterator[tuple[Frame, list[Token]]]:
        """Yield the frames of ``lemma`` that ``rest`` begins with, and what is left.

        The longest, all of the same words ("switched to" a diet, or a tool); and those of no value,
        which may understand what they cannot ("retired from …").
        """
        lows = [token.low for token in rest]
        longest: tuple[str, ...] | None = None
        for frame in self._by_lemma.get(lemma, ()):
            if longest is not None and frame.tail != longest and frame.shape is not Shape.NONE:
                continue
            at = _follow(lows, frame.tail)
            if at is not None:
                longest = frame.tail if longest is None else longest
                yield frame, list(rest[at:])


# Said in the past tense of what holds for ever.
_TOLD_PAST = frozenset({"born_in", "born_on", "grew_up_in"})

_NOUN_FIRST = words(
    "name nickname birthday date birth birthplace place gender pronouns nationality "
    "citizenship hometown home height weight blood religion faith phone mobile number "
    "email e-mail mail address postal street marital dentist doctor therapist "
    "accountant lawyer assistant diet occupation profession job salary income mother "
    "native first budget price colour color size shoe breed favourite favorite goal "
    "dream appointment deadline due status version desk seat locker parking"
)


def _follow(lows: Sequence[str], tail: Sequence[str]) -> int | None:
    """Return how many words the tail takes, adverbs between them skipped; None if it differs."""
    at = 0
    for word in tail:
        while at < len(lows) and lows[at] in w.ADVERBS and lows[at] != word:
            at += 1
        if at >= len(lows) or lows[at] != word:
            return None
        at += 1
    return at
