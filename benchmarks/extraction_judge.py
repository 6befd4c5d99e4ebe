"""What of a snippet's labels came true: facts right, missed and wrong, and what was known before.

A stored fact is right if it is one of the labelled ones, dates and details included; wrong if it is
none, and doubly so if it is forbidden. What was believed before is judged by what became of it.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace

from benchmarks.extraction_gold import NONE, OVER, Known, Shape, Snippet, When
from benchmarks.running import Figures, share
from graphmem.model.claim import Polarity
from graphmem.model.fact import Fact, Status
from graphmem.model.predicate import Ontology
from graphmem.model.time import SECOND, Bound, from_micros

USER = "user"
"""The id of the user in every snippet."""
_AROUND = " .,;:!?\"'“”‘’。，；：！？「」（）()"
_DETERMINER = re.compile(
    r"^(?:(?:the|a|an|my|our|his|her|their) |[我咱]们?(?:家的?|的)(?=.)|[我咱]们?(?=..))"
)


@dataclass(frozen=True, slots=True)
class Before:
    """A fact as it stood before the snippet was read, and as it stands after."""

    known: Known
    before: Fact
    after: Fact


@dataclass(frozen=True, slots=True)
class Result:
    """What reading a snippet left.

    Attributes:
        facts: what is held or disputed now and rests on what was read.
        known: what was known, before and after.
    """

    facts: tuple[Fact, ...] = ()
    known: tuple[Before, ...] = ()


@dataclass(slots=True)
class Score:
    """Counts over snippets; ``errors`` says what is wrong, in words."""

    n: int = 0
    gold: int = 0
    found: int = 0
    stored: int = 0
    right: int = 0
    misdated: int = 0
    undetailed: int = 0
    weighed: int = 0
    weighed_right: int = 0
    silent: int = 0
    silent_right: int = 0
    updates: int = 0
    updates_right: int = 0
    kept: int = 0
    false_endings: int = 0
    forbidden: Counter[str] = field(default_factory=Counter[str])
    errors: list[str] = field(default_factory=list[str])

    def add(self, other: Score) -> None:
        """Add another's counts and errors."""
        for name in _COUNTS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.forbidden += other.forbidden
        self.errors += other.errors

    @property
    def precision(self) -> float:
        """Share of what was stored that is right."""
        return share(self.right, self.stored)

    @property
    def recall(self) -> float:
        """Share of what must be stored that is."""
        return share(self.found, self.gold)

    @property
    def f1(self) -> float:
        """Harmonic mean of the two."""
        return share(2 * self.precision * self.recall, self.precision + self.recall)

    def figures(self) -> Figures:
        """Return counts and shares."""
        return {
            "n": self.n,
            "gold": self.gold,
            "stored": self.stored,
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
            "forbidden": self.forbidden.total(),
        }


_COUNTS = tuple(each.name for each in fields(Score) if each.default == 0)


def judge(snippet: Snippet, result: Result, ontology: Ontology) -> Score:
    """Count what of a snippet's labels came true."""
    score = Score(n=1, gold=len(snippet.gold))
    # What became of a known fact is judged as that, and is stored anew only where a label says so.
    settled = {one.after.id for one in result.known if became(one) != "kept"}
    found: set[int] = set()
    for fact in result.facts:
        place, shape = _label(snippet.gold, fact, snippet, ontology)
        if place is None and fact.id in settled:
            continue
        score.stored += 1
        if place is not None and shape is not None:
            found.add(place)
            score.right += 1
            if shape.importance:
                score.weighed += 1
                score.weighed_right += shape.importance[0] <= fact.importance <= shape.importance[1]
        elif _label(snippet.allowed, fact, snippet, ontology)[0] is not None:
            score.right += 1
        else:
            _wrong(score, snippet, fact, ontology)
    score.found = len(found)
    score.errors += [
        f"{snippet.id} missed {shape}"
        for place, shape in enumerate(snippet.gold)
        if place not in found
    ]
    if not snippet.gold:
        score.silent = 1
        score.silent_right = int(score.stored == score.right)
    _judge_known(score, snippet, result.known)
    return score


def _label(
    shapes: Sequence[Shape], fact: Fact, snippet: Snippet, ontology: Ontology
) -> tuple[int | None, Shape | None]:
    """Return the first label that a fact is, and which of its shapes."""
    for place, label in enumerate(shapes):
        for shape in (label, *label.others):
            if fits(fact, shape, snippet, ontology):
                return place, shape
    return None, None


def _wrong(score: Score, snippet: Snippet, fact: Fact, ontology: Ontology) -> None:
    """Count a fact that is no label: forbidden, one with a wrong date or less detail, or other."""
    why = next((s.why for s in snippet.forbidden if fits(fact, s, snippet, ontology)), "")
    undated, short = (
        any(
            fits(fact, replace(shape, **loosened), snippet, ontology)
            for label in snippet.gold
            for shape in (label, *label.others)
        )
        for loosened in ({"start": (), "end": ()}, {"start": (), "end": (), "detail": ""})
    )
    if why:
        score.forbidden[why] += 1
    score.misdated += undated and not why
    score.undetailed += short and not undated and not why
    what = f"forbidden ({why})" if why else "misdated" if undated else "short" if short else "wrong"
    score.errors.append(f"{snippet.id} {what} {told(fact)}")


def fits(fact: Fact, shape: Shape, snippet: Snippet, ontology: Ontology) -> bool:
    """Whether a fact is of a shape."""
    if shape.modalities and fact.modality.value not in shape.modalities:
        return False
    if not any(_says(fact, shape, name, ontology) for name in shape.predicates):
        return False
    if shape.detail and not _holds(shape.detail, _everything(fact)):
        return False
    return _bound_fits(fact.interval.start, shape.start, snippet.said) and _bound_fits(
        fact.interval.end, shape.end, snippet.said
    )


def _says(fact: Fact, shape: Shape, name: str, ontology: Ontology) -> bool:
    """Whether what is said, and of whom, is of the shape, by one of its predicates."""
    subject = "me" if fact.subject.text == USER else fact.subject.text
    value = None if fact.object is None else fact.object.text
    value = "me" if value == USER else value
    polarities, ways = shape.polarities, [(subject, value)]
    if name != "*":
        found = ontology.resolve(name.replace("_*", "_any"))
        if name.endswith("_*"):
            same = fact.predicate.startswith(name[:-1])
        else:
            same = fact.predicate == found.predicate.slug
        if not same:
            return False
        if found.negated:
            polarities = tuple(Polarity(each).flipped.value for each in polarities)
        if found.flipped:
            ways = [(value or "", subject)]
        elif found.predicate.symmetric and value is not None:
            ways.append((value, subject))
    if polarities and fact.polarity.value not in polarities:
        return False
    return any(_one(s, shape.subjects) and _one(v, shape.objects) for s, v in ways)


def _one(words: str | None, wordings: Iterable[str]) -> bool:
    """Whether words are one of the fair wordings."""
    for wording in wordings:
        if wording == "*":
            return True
        if wording == "-" or words is None:
            if wording == "-" and words is None:
                return True
        elif wording.startswith("~"):
            if words != "me" and _holds(wording[1:], words):
                return True
        elif fold(words) == fold(wording):
            return True
    return False


def _holds(wanted: str, words: str) -> bool:
    """Whether each of the wanted words occurs."""
    key = plain(words)
    return all(word in key for word in plain(wanted).split())


def plain(words: str) -> str:
    """Return words in one case and width; unlike a key, however long they are."""
    return unicodedata.normalize("NFKC", words).casefold()


def fold(words: str) -> str:
    """Return words as they are compared: no case, no article, no punctuation around."""
    key = " ".join(plain(words).split()).strip(_AROUND)
    return _DETERMINER.sub("", key) or key


def _everything(fact: Fact) -> str:
    value = fact.object.text if fact.object else ""
    return " ".join([value, *(word for pair in fact.qualifiers for word in pair), fact.statement])


def _bound_fits(bound: Bound | None, wanted: Sequence[When], said: int) -> bool:
    if not wanted:
        return True
    return any(_reads(bound, when, said) for when in wanted)


def _reads(bound: Bound | None, when: When, said: int) -> bool:
    if when.word == NONE:
        return bound is None or not bound.stated
    if bound is None:
        return False
    if when.word == OVER:
        return bound.latest <= said + SECOND
    if bound.earliest is None:
        return False
    return any(first <= bound.earliest and bound.latest <= after for first, after in when.spans)


def _judge_known(score: Score, snippet: Snippet, known: Sequence[Before]) -> None:
    """Count what became of what was known."""
    changing = [one for one in known if one.known.after not in ("kept", "any")]
    wrong: list[str] = []
    for one in known:
        found = became(one)
        score.kept += one.known.after == "kept"
        if not _as_labelled(one.known.after, found):
            wrong.append(f"{snippet.id} {one.known.id} {found}, not {one.known.after}")
            score.false_endings += one.known.after == "kept"
        elif one.known.after == "ended" and not _bound_fits(
            one.after.interval.end, one.known.ended or (When(OVER),), snippet.said
        ):
            wrong.append(f"{snippet.id} {one.known.id} ended at another time: {told(one.after)}")
    score.updates += bool(changing)
    score.updates_right += bool(changing) and not wrong
    score.errors += wrong


def _as_labelled(label: str, found: str) -> bool:
    if label == "gone":
        return found in ("ended", "retracted")
    return label in ("any", found)


def became(one: Before) -> str:
    """Say what became of a known fact; one whose end was announced is ended too.

    One that was to end and goes on, since what was planned is off, is kept.
    """
    fact = one.after
    if fact.status is not Status.HELD:
        return "retracted"
    return "kept" if fact.interval.end in (None, one.before.interval.end) else "ended"


def told(fact: Fact) -> str:
    """Return a fact in one line."""
    value = fact.object.text if fact.object else "-"
    marks = [fact.polarity.value, fact.modality.value, fact.status.value]
    words = f"{fact.subject.text}; {fact.predicate}; {value}"
    since, until = (_bound(b) for b in (fact.interval.start, fact.interval.end))
    return f"{words} {' '.join(marks)} [{since}, {until})"


def _bound(bound: Bound | None) -> str:
    if bound is None:
        return ""
    last = f"{from_micros(bound.latest):%Y-%m-%dT%H:%M}"
    if bound.earliest is None:
        return f"by {last}"
    first = f"{from_micros(bound.earliest):%Y-%m-%dT%H:%M}"
    return first if first == last else f"{first}..{last}"
