"""How well time expressions are read, against the gold of others.

``python -m benchmarks.dates [--data FOLDER] [--json] [--show VERDICT]``; the folder holds
``recognizers_english.jsonl``, ``recognizers_chinese.jsonl`` and ``jionlp_zh.jsonl`` (any of them).
Without one, our own small sample.

Counted are the forms that have one accurate reading, the past one where the gold gives two:

- ``right``: every bound of the gold is a bound of the reading, on the same side, and none is
  missing. The end of a range or of an "until" may be written as the first or last instant, or last
  day, of its last unit, since the libraries differ; of parts of the day the day and most of the
  hours have to agree; a clock time without a day is compared by the clock. ``coarser`` are those of
  them that are read as the week, month or year that was said ("three weeks ago"), which holds the
  gold's day.
- ``declined``: no date was given. ``wrong``: everything else.

Whether a sentence looks back or ahead is known to who reads it; here it is told from the side on
which the gold lies, as the gold's only reading or its past one. ``as_past`` are the figures of the
same forms if that is not told and all are read as the past: "in 5 minutes" is declined then, and
15:37, said at one in the night, is yesterday's.

Apart from that: ``ahead`` (the second readings, told as plans), ``blur`` (sizes of the library's
own), ``negatives`` (texts in which nothing is to be found), and what was ``left_out``, by kind.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from benchmarks.dates_gold import OWN, Case, Corpus, load
from benchmarks.dates_judge import WORDS, described, judge
from benchmarks.running import SAMPLES, Figures, options, share, source, tell
from graphmem.extraction.normalize import Tense, find_times

NAME = "dates"
SAMPLE = SAMPLES


def measure(corpora: Mapping[str, Corpus]) -> Figures:
    """Return the figures over all corpora, and by file and its parts."""
    began = time.perf_counter()
    cases = [case for corpus in corpora.values() for case in corpus.cases]
    plain = [case for case in cases if not case.blur and not case.ahead]
    negatives = [text for corpus in corpora.values() for text in corpus.negatives]
    left_out: Counter[str] = Counter()
    for corpus in corpora.values():
        left_out.update(corpus.left_out)
    figures = _shares(plain)
    return {
        "n": figures.pop("n"),
        "seconds": round(time.perf_counter() - began, 2),
        **figures,
        "as_past": _shares(replace(case, tense=Tense.PAST) for case in plain),
        "ahead": _shares(case for case in cases if case.ahead and not case.blur),
        "blur": _shares(case for case in cases if case.blur and not case.ahead),
        "negatives": {
            "n": len(negatives),
            "nothing_found": sum(not find_times(text) for text in negatives),
        },
        "left_out": dict(left_out.most_common()),
        "parts": _by_part(plain),
    }


def _shares(cases: Iterable[Case]) -> Figures:
    counts = Counter(judge(case) for case in cases)
    n = counts.total()
    return {
        "n": n,
        "right": share(counts["right"] + counts["coarser"], n),
        "wrong": share(counts["wrong"], n),
        "declined": share(counts["declined"], n),
        "coarser": counts["coarser"],
    }


def _by_part(cases: Sequence[Case]) -> dict[str, Figures]:
    parts = sorted({(case.corpus, case.spec) for case in cases})
    return {
        f"{corpus} {spec}": _shares(c for c in cases if (c.corpus, c.spec) == (corpus, spec))
        for corpus, spec in parts
    }


def show(corpora: Mapping[str, Corpus], what: str) -> None:
    """Print the cases of one verdict; of "ahead" and "blur" those that are wrong."""
    for corpus in corpora.values():
        if what == "negatives":
            for text in corpus.negatives:
                found = [one.phrase for one in find_times(text)]
                if found:
                    print(found, "|", text)
            continue
        for case in corpus.cases:
            group = "blur" if case.blur else "ahead" if case.ahead else ""
            verdict = judge(case)
            if what == (group or verdict) and (not group or verdict == "wrong"):
                print(described(case))


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = options(NAME, __doc__)
    parser.add_argument("--show", choices=[*WORDS, "ahead", "blur", "negatives"])
    given = parser.parse_args(arguments)
    read = source(
        parser, given, name=NAME, corpus="time_expressions", sample=SAMPLE, files=("*.jsonl",)
    )
    corpora = load(read.folder)
    if read.corpus == "sample":
        corpora = {"own": corpora["own"]}
    if not corpora:
        parser.error(f"no gold in {str(read.folder)!r}: name the folder of time_expressions")
    if given.show:
        show(corpora, given.show)
        return
    figures = measure(corpora)
    columns = ("right", "wrong", "declined", "coarser", "n")
    rows: list[list[object]] = [["forms", *columns]]
    groups = {"all": figures, **{name: figures[name] for name in ("as_past", "ahead", "blur")}}
    for name, row in {**groups, **figures["parts"]}.items():
        rows.append([name, *(row[key] for key in columns)])
    tell({"corpus": read.corpus, **figures}, rows, as_json=given.json)
    if not given.json:
        for kind, count in figures["left_out"].items():
            print(f"left out: {count} {kind}")


__all__ = ["OWN", "main", "measure"]

if __name__ == "__main__":
    main()
