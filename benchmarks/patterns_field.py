"""Labels with variants: what a careful person would store of a turn, in any fair wording.

A line of ``labelled_field*.jsonl`` is one ``turn`` with the turns ``before`` it. ``facts`` are what
must be stored, ``allowed`` what may be; with neither, nothing may. Each lists the words that are
fair for its subject, predicate and object ("*" any, "-" no object); ``form`` is ``holds`` (state,
since, change), ``ends`` (end, past), ``any``, or forms with "|" between them; ``from`` and ``to``
begin the dates it starts and ends on; ``modality`` is "asserted" if not told, several with "|"
between them, or "*". ``at`` is the day the turn is said, if not ``SAID``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import anyio

from graphmem.extraction.claims import dated
from graphmem.extraction.gate import gate
from graphmem.extraction.patterns import PatternExtractor
from graphmem.model.claim import Form
from graphmem.model.draft import Batch, Draft
from graphmem.model.episode import Channel, Episode, Reading, Role, content_digest
from graphmem.model.ontology import default_ontology
from graphmem.model.predicate import Ontology, PredicateKind
from graphmem.model.text import normal_key
from graphmem.model.time import Stated, from_micros, to_micros

Row = Mapping[str, Any]  # Any: a line of labelled JSON

SAID = datetime(2025, 4, 16, 18, tzinfo=UTC)
"""When a turn is said whose line has no date: a Wednesday."""
_DETERMINER = re.compile(
    r"^(?:(?:the|a|an|my|our|his|her|their) |(?:我们?|咱们?|他|她)(?:家|的)?(?=..)|我"
    r"|[那这]?[一两]?[个只条家辆间款台份]|的)"
)
_FORMS = {
    "holds": {"state", "since", "change"},
    "ends": {"end", "past"},
}


@dataclass(slots=True)
class FieldScore:
    """Counts over texts: what was drafted, how much is right, and of what was asked for."""

    n: int = 0
    gold: int = 0
    found: int = 0
    drafted: int = 0
    right: int = 0
    negatives: int = 0
    false_alarms: int = 0
    errors: list[str] = field(default_factory=list[str])

    @property
    def precision(self) -> float:
        """Share of drafts that are labelled."""
        return self.right / self.drafted if self.drafted else 1.0

    @property
    def recall(self) -> float:
        """Share of the facts asked for that were drafted."""
        return self.found / self.gold if self.gold else 1.0

    def figures(self) -> dict[str, float | int]:
        """Return the figures, rounded."""
        return {
            "n": self.n,
            "facts": self.gold,
            "drafts": self.drafted,
            "precision": round(self.precision, 4),
            "recall": round(self.recall, 4),
            "negatives": self.negatives,
            "negatives_with_drafts": self.false_alarms,
        }

    def add(self, other: FieldScore) -> None:
        """Add another's counts and errors."""
        self.n += other.n
        self.gold += other.gold
        self.found += other.found
        self.drafted += other.drafted
        self.right += other.right
        self.negatives += other.negatives
        self.false_alarms += other.false_alarms
        self.errors += other.errors


def score_rows(rows: list[Row]) -> FieldScore:
    """Read every text as the engine would, gate included, and count."""
    extractor, ontology = PatternExtractor(), default_ontology()
    result = FieldScore()
    for row in rows:
        result.add(score_row(row, extractor, ontology))
    return result


def score_row(row: Row, extractor: PatternExtractor, ontology: Ontology) -> FieldScore:
    """Read one text and count."""
    turns = turns_of(row)
    drafts = read(extractor, turns)
    negative = not row["facts"] and not row["allowed"]
    result = FieldScore(
        n=1,
        gold=len(row["facts"]),
        drafted=len(drafts),
        negatives=int(negative),
        false_alarms=int(negative and bool(drafts)),
    )
    found: set[int] = set()
    for draft in drafts:
        label = next(
            (
                place
                for place, fact in enumerate((*row["facts"], *row["allowed"]))
                if fits(draft, fact, turns[-1], ontology)
            ),
            None,
        )
        if label is None:
            said = "me" if draft.subject.is_self else draft.subject.text
            value = draft.object.text if draft.object else "-"
            result.errors.append(
                f"{row['id']} wrong {draft.polarity.value}{said} ; {draft.predicate} ; {value} ;"
                f" {draft.form.value} {draft.modality.value} {draft.rule} | {turns[-1].content}"
            )
            continue
        found.add(label)
        result.right += 1
    asked = set(range(len(row["facts"])))
    result.found = len(asked & found)
    result.errors += [
        f"{row['id']} missed {_short(row['facts'][place])} | {turns[-1].content}"
        for place in sorted(asked - found)
    ]
    return result


def _short(fact: Row) -> str:
    words = (fact["subject"][0], fact["predicate"][0], fact["object"][0])
    return f"{fact['polarity']}{' ; '.join(words)} ; {fact['form']}"


def turns_of(row: Row) -> tuple[Episode, ...]:
    """Return the turns of a line, the judged one last, a minute apart."""
    texts: list[Row] = [*row["before"], row["turn"]]
    said = datetime.fromisoformat(f"{row['at']}T18:00+00:00") if "at" in row else SAID
    return tuple(
        Episode(
            id=f"t{place}",
            key=None,
            session="s",
            agent=None,
            place=place,
            role=Role(text["role"]),
            speaker=text.get("name"),
            content=text["content"],
            occurred_at=to_micros(said + timedelta(minutes=place - len(texts) + 1)),
            zone="UTC",
            time_given=True,
            created_at=0,
            channel=Channel.CHAT,
            digest=content_digest(text["content"]),
            reading=Reading.PENDING,
        )
        for place, text in enumerate(texts)
    )


def read(extractor: PatternExtractor, turns: tuple[Episode, ...]) -> list[Draft]:
    """Return what comes of the last turn."""
    *earlier, last = turns
    if gate(last, earlier[-1] if earlier else None) is not None:
        return []
    drafts = anyio.run(extractor.extract, Batch(turns=turns)).drafts
    own = [draft for draft in drafts if draft.turn == last.id]
    return [draft for place, draft in enumerate(own) if not _taken_back(draft, own[place + 1 :])]


def _taken_back(draft: Draft, later: list[Draft]) -> bool:
    """Whether the same turn puts it right: "she's a nurse, no wait, a midwife"."""
    return any(
        one.correction is not None
        and one.predicate == draft.predicate
        and one.subject == draft.subject
        and (one.correction.value is None or one.correction.value == _said(draft))
        for one in later
    )


def _said(draft: Draft) -> str | None:
    return None if draft.object is None else draft.object.text


def fits(draft: Draft, fact: Row, turn: Episode, ontology: Ontology) -> bool:
    """Whether a draft is what a label asks for."""
    value = None if draft.object is None else _words(draft.object.text, draft.object.is_self)
    resolved = ontology.resolve(draft.predicate)
    form, start, end = dated(draft, turn)
    wanted = fact["form"]
    forms = _FORMS.get(wanted, set(wanted.split("|")))
    free = wanted == "any" or draft.polarity.value == "-"
    free = free or resolved.predicate.kind is PredicateKind.EVENT
    if form.value not in forms and not free:
        return False
    # What is called off was only planned.
    modality = "planned" if form is Form.CANCEL else fact.get("modality", "asserted")
    whichever = modality == "*" or (wanted == "any" and "modality" not in fact)
    if not whichever and draft.modality.value not in modality.split("|"):
        return False
    if not (_begins(start, fact.get("from", "")) and _begins(end, fact.get("to", ""))):
        return False
    said = (_words(draft.subject.text, draft.subject.is_self), draft.predicate, value)
    given = _stored(*said, draft.polarity.value, ontology)
    return any(
        given == _stored(subject, predicate, value if each == "*" else each, polarity, ontology)
        for subject in (said[0] if one == "*" else _words(one, False) for one in fact["subject"])
        for predicate in (draft.predicate if one == "*" else one for one in fact["predicate"])
        for each in ("*" if one == "*" else _object(one) for one in fact["object"])
        for polarity in (fact["polarity"],)
    )


def _begins(bound: Stated | None, date: str) -> bool:
    """Whether a bound's first instant is in the span that ``date`` writes the beginning of."""
    if not date:
        return True
    at = bound.span.first if bound and bound.span else None
    return at is not None and from_micros(at).isoformat().startswith(date)


def _object(words: str) -> str | None:
    return None if words == "-" else _words(words, False)


def _words(text: str, is_self: bool) -> str:
    key = normal_key(text).strip(" .,!。，！")
    if is_self or key in {"me", "i", "we", "us", "我", "我们"}:
        return "me"
    return _DETERMINER.sub("", key) or key


def _stored(
    subject: str, predicate: str, value: str | None, polarity: str, ontology: Ontology
) -> tuple[str, str, str | None, str]:
    """Return a fact in the registry's one direction."""
    found = ontology.resolve(predicate)
    if value is not None and (found.flipped or (found.predicate.symmetric and value < subject)):
        subject, value = value, subject
    if found.negated:
        polarity = "-" if polarity == "+" else "+"
    return subject, found.predicate.slug, value, polarity
