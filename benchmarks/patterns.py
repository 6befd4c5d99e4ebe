"""Precision and recall of pattern extraction on labelled sentences.

``python -m benchmarks.patterns [--json] [--data FOLDER] [--errors]``

The sentences are those of tests/patterns: ``en`` and ``zh`` are labelled in exact words, ``field``
(written before the code was read), ``fresh`` and ``chat`` (written after it, run once before they
were kept; ``chat`` is as messy as what people type to an assistant) with all fair wordings.
``--errors`` lists what is wrong and missed.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import anyio

from benchmarks.patterns_field import score_rows
from benchmarks.running import lines, options, share, source, tell
from graphmem.extraction.patterns import PatternExtractor
from graphmem.model.draft import Batch, Draft, Known
from graphmem.model.episode import Channel, Episode, Reading, Role, content_digest
from graphmem.model.ontology import default_ontology
from graphmem.model.predicate import Ontology
from graphmem.model.text import normal_key
from graphmem.model.time import to_micros

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "patterns"
LANGUAGES = ("en", "zh")
VARIANTS = ("field", "fresh", "chat")
"""Files whose labels list all fair wordings."""
NAME = "patterns"
_SAID = "2024-06-10"
_DETERMINER = re.compile(r"^(?:the|a|an) ")

Row = Mapping[str, Any]  # Any: a line of labelled JSON
Fact = tuple[str, str, str | None, str, str]
"""Subject, predicate, object, polarity, modality."""


@dataclass(slots=True)
class Score:
    """Counts over labelled texts; ``strict`` counts matches whose form is right too."""

    n: int = 0
    gold: int = 0
    drafted: int = 0
    right: int = 0
    strict: int = 0
    false_alarms: int = 0
    errors: list[str] = field(default_factory=list[str])

    @property
    def precision(self) -> float:
        """Share of drafts that are right."""
        return self.right / self.drafted if self.drafted else 1.0

    @property
    def recall(self) -> float:
        """Share of labelled facts that were drafted."""
        return self.right / self.gold if self.gold else 1.0

    @property
    def f1(self) -> float:
        """Harmonic mean of the two."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0

    def figures(self) -> dict[str, float | int]:
        """Return the figures, rounded."""
        return {
            "n": self.n,
            "facts": self.gold,
            "drafts": self.drafted,
            "precision": round(self.precision, 4),
            "recall": round(self.recall, 4),
            "f1": round(self.f1, 4),
            "form_right": round(self.strict / self.right, 4) if self.right else 1.0,
            "negatives_with_drafts": self.false_alarms,
        }


def rows(language: str, folder: Path = FOLDER) -> list[Row]:
    """Read the labelled texts of a language."""
    return lines(folder / f"labelled_{language}.jsonl")


def turns_of(row: Row) -> tuple[Episode, ...]:
    """Return a labelled text as turns: ``turns``, or one of ``text``; role, speaker and day."""
    texts: list[Row] = row.get("turns") or [row]
    result: list[Episode] = []
    for place, text in enumerate(texts):
        day = text.get("at") or row.get("at") or _SAID
        moment = datetime.fromisoformat(day).replace(hour=12, tzinfo=UTC)
        content = text["text"]
        result.append(
            Episode(
                id=f"t{place}",
                key=None,
                session="s",
                agent=None,
                place=place,
                role=Role(text.get("role") or row.get("role") or "user"),
                speaker=text.get("speaker") or row.get("speaker"),
                content=content,
                occurred_at=to_micros(moment) + place,
                zone="UTC",
                time_given=True,
                created_at=0,
                channel=Channel.CHAT,
                digest=content_digest(content),
                reading=Reading.PENDING,
            )
        )
    return tuple(result)


def read(extractor: PatternExtractor, row: Row) -> tuple[Draft, ...]:
    """Return what the extractor drafts from a labelled text."""
    known = Known(
        me=tuple(row.get("me", ())),
        people=row.get("people", {}),
        statements=tuple(row.get("known", {}).values()),
    )
    batch = Batch(turns=turns_of(row), known=known)
    return anyio.run(extractor.extract, batch).drafts


def drafted_fact(draft: Draft, ontology: Ontology) -> Fact:
    """Return a draft as a comparable fact, in the registry's stored direction."""
    return _fact(
        "me" if draft.subject.is_self else draft.subject.text,
        draft.predicate,
        None if draft.object is None else "me" if draft.object.is_self else draft.object.text,
        draft.polarity.value,
        draft.modality.value,
        ontology,
    )


def labelled_fact(fact: Row, ontology: Ontology) -> Fact:
    """Return a labelled fact in the same form."""
    return _fact(
        fact["subject"],
        fact["predicate"],
        fact["object"],
        fact.get("polarity", "+"),
        fact.get("modality", "asserted"),
        ontology,
    )


def _fact(
    subject: str,
    predicate: str,
    value: str | None,
    polarity: str,
    modality: str,
    ontology: Ontology,
) -> Fact:
    found = ontology.resolve(predicate)
    first, second = _key(subject), None if value is None else _key(value)
    if second is not None and (found.flipped or (found.predicate.symmetric and second < first)):
        first, second = second, first
    if found.negated:
        polarity = "-" if polarity == "+" else "+"
    return first, found.predicate.slug, second, polarity, modality


def _key(words: str) -> str:
    return _DETERMINER.sub("", normal_key(words))


def score(language: str, folder: Path = FOLDER) -> Score:
    """Read every labelled text of a language and count."""
    extractor, ontology = PatternExtractor(), default_ontology()
    result = Score()
    for row in rows(language, folder):
        drafts = read(extractor, row)
        wanted = [(labelled_fact(fact, ontology), fact) for fact in row["facts"]]
        given = [(drafted_fact(draft, ontology), draft) for draft in drafts]
        result.n += 1
        result.gold += len(wanted)
        result.drafted += len(given)
        result.false_alarms += bool(given and not wanted)
        missing = Counter(fact for fact, _ in wanted)
        forms = {(*fact, label.get("form", "state")) for fact, label in wanted}
        for fact, draft in given:
            if missing[fact]:
                missing[fact] -= 1
                result.right += 1
                right_form = (*fact, draft.form.value) in forms
                result.strict += right_form
                if not right_form:
                    result.errors.append(f"form {draft.form.value}: {fact} | {_text(row)}")
            else:
                result.errors.append(f"wrong {fact} {draft.rule} | {_text(row)}")
        result.errors.extend(
            f"missed {fact} | {_text(row)}" for fact, count in missing.items() if count
        )
    return result


def _text(row: Row) -> str:
    return " / ".join(turn.content for turn in turns_of(row))


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = options(NAME, __doc__)
    parser.add_argument("--errors", action="store_true", help="list what is wrong and missed")
    given = parser.parse_args(arguments)
    read_from = source(
        parser,
        given,
        name=NAME,
        corpus="labels",
        sample=FOLDER,
        files=[f"labelled_{language}.jsonl" for language in LANGUAGES],
    )
    begun = time.monotonic()
    parts = measure(read_from.folder)
    figures = {
        "corpus": read_from.corpus,
        "n": sum(int(part["n"]) for part, _ in parts.values()),
        "seconds": round(time.monotonic() - begun, 1),
        **_together([part for part, _ in parts.values()]),
        **{name: part for name, (part, _) in parts.items()},
    }
    shown = ("n", "facts", "drafts", "precision", "recall", "negatives_with_drafts")
    table_ = [
        ("", *shown),
        *((name, *(part[k] for k in shown)) for name, (part, _) in parts.items()),
    ]
    tell(figures, table_, as_json=given.json)
    if given.errors:
        print(*(f"{name}: {error}" for name, (_, errors) in parts.items() for error in errors),
              sep="\n")  # fmt: skip


Measured = tuple[dict[str, float | int], list[str]]
"""Figures, and what is wrong and missed."""


def measure(folder: Path) -> dict[str, Measured]:
    """Return the figures by language, and by language of each file with variants of wording.

    "en" and "zh" are the exact labels; "field-en" is the English of ``labelled_field.jsonl``.
    """
    result: dict[str, Measured] = {}
    for language in LANGUAGES:
        exact = score(language, folder)
        result[language] = exact.figures(), exact.errors
    for name in VARIANTS:
        path = folder / f"labelled_{name}.jsonl"
        labels = lines(path) if path.exists() else []
        for language in LANGUAGES if labels else ():
            some = score_rows([row for row in labels if row["lang"] == language])
            result[f"{name}-{language}"] = some.figures(), some.errors
    return result


def _together(parts: Iterable[Mapping[str, float | int]]) -> dict[str, float]:
    """Return precision and recall over all texts."""
    facts = drafts = right = found = 0.0
    for part in parts:
        facts, drafts = facts + part["facts"], drafts + part["drafts"]
        right += part["precision"] * part["drafts"]
        found += part["recall"] * part["facts"]
    return {"precision": share(right, drafts), "recall": share(found, facts)}


if __name__ == "__main__":
    main()
