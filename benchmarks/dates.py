"""How well time expressions are read, against the gold of others.

``python -m benchmarks.dates [--data FOLDER] [--json] [--show wrong|declined|negatives|blur]``; the
folder holds ``recognizers_english.jsonl``, ``recognizers_chinese.jsonl`` and ``jionlp_zh.jsonl``
(any of them), or is named by ``GRAPHMEM_BENCH_DATA_TIME``. Without one, our own small sample.

A reading is right if it names the gold's first instant and its end, allowing for what the libraries
settle by rules of their own: the end of a range may be written as the first or last instant, or
last day, of its last unit; "three weeks ago" may be the day or the week (``coarser`` counts those);
hours of a part of the day may differ as long as day and part agree. Blurred phrases ("late March",
年底) are counted apart. A negative is right if nothing is found in it.
"""

from __future__ import annotations

import argparse
import json
import os
import re
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks.dates_gold import Case, Corpus, load
from graphmem.extraction.normalize import (
    Anchor,
    TimeReading,
    TimeRole,
    find_times,
    read_time,
)
from graphmem.model.time import Grain, Span, from_micros, to_micros

SAMPLE = Path(__file__).resolve().parent / "samples"
_DAY = timedelta(days=1)
_MINUTE = timedelta(minutes=1)
_UNITS = {
    Grain.WEEK: re.compile(r"week|fortnight|周|星期|礼拜|\dw", re.IGNORECASE),
    Grain.MONTH: re.compile(r"month|月|year|年", re.IGNORECASE),
    Grain.YEAR: re.compile(r"year|年", re.IGNORECASE),
}


def judge(case: Case) -> str:
    """Return "right", "coarser" (right, by the unit said), "wrong" or "declined"."""
    reading = read_time(case.phrase, Anchor(to_micros(case.said.replace(tzinfo=UTC))), case.tense)
    if reading is None:
        return "declined"
    if _right(case, reading):
        return "right"
    return "coarser" if _coarser(case, reading) else "wrong"


def _local(micros: int) -> datetime:
    return from_micros(micros).replace(tzinfo=None)


def _right(case: Case, reading: TimeReading) -> bool:
    start, end = reading.start, reading.end
    if case.kind in ("time", "timerange"):
        return _same_clock(case, start, end)
    if reading.role is TimeRole.END and case.first == case.said and case.after and end:
        return _ends(case.after, end)  # some write an until from the turn on
    if case.part and start is not None and reading.role in (TimeRole.AT, TimeRole.RANGE):
        return _same_part(case, start)
    if case.first is not None and case.after is None:
        return start is not None and _begins(case, reading)
    if case.first is None and case.after is not None:
        return start is None and end is not None and _ends(case.after, end)
    if start is None or case.first is None or case.after is None:
        return False
    match reading.role:
        case TimeRole.AT:
            return _at(case, start)
        case TimeRole.RANGE:
            return _begins(case, reading) and end is not None and _ends_range(case, end)
        case TimeRole.LASTING:
            inside = _local(start.first).date() <= case.first.date() <= _local(start.after).date()
            return inside and abs(case.after - case.said) <= _DAY
        case TimeRole.START:  # some write a since up to the turn
            return _begins(case, reading) and abs(case.after - case.said) <= _DAY
        case _:
            return False


def _begins(case: Case, reading: TimeReading) -> bool:
    """Whether it begins with the gold; "after" a day may be written as that day or the next."""
    assert reading.start is not None and case.first is not None  # noqa: S101, PT018
    ours, grain = _local(reading.start.first), reading.start.grain
    if case.kind == "datetime":
        return abs(ours - case.first) < _MINUTE and grain is not Grain.DAY
    exclusive = reading.role is TimeRole.START and grain is Grain.INSTANT
    if abs(ours - case.first) < _MINUTE or (exclusive and ours - case.first == _DAY):
        return True
    loose = grain in (Grain.SPAN, Grain.INSTANT) and case.kind in ("daterange", "time_span")
    return loose and ours.date() == case.first.date()


def _at(case: Case, span: Span) -> bool:
    """Whether one date, or an offset by hours, whose unit may lie before it or after it, agrees."""
    assert case.first is not None and case.after is not None  # noqa: S101, PT018
    if case.kind == "time_point" and span.grain in (Grain.HOUR, Grain.MINUTE, Grain.INSTANT):
        return case.first <= _local(span.first) <= case.after
    return _begins(case, TimeReading(TimeRole.AT, start=span)) and _ends_at(case.after, span)


def _ends_at(after: datetime, span: Span) -> bool:
    """Whether the span of one date ends with the gold; one of several days, to the day."""
    apart = abs(_local(span.after) - after)
    return apart <= _MINUTE or (span.grain is Grain.SPAN and apart <= _DAY and span.width > 0)


def _ends_range(case: Case, end: Span) -> bool:
    """Whether a range ends with the gold, or both end with the day of the turn."""
    assert case.after is not None  # noqa: S101
    today = case.after.date() == case.said.date()
    return _ends(case.after, end) or (today and abs(_local(end.first) - case.said) <= _DAY)


def _ends(after: datetime, end: Span) -> bool:
    """Whether the gold's end is the first or last instant, or the last day, of ours."""
    first, last = _local(end.first), _local(end.after)
    return any(abs(after - ours) <= _MINUTE for ours in (first, last, last - _DAY))


def _same_clock(case: Case, start: Span | None, end: Span | None) -> bool:
    """Whether the time of day agrees, on whatever day."""
    if case.first is None and case.after is not None:
        return end is not None and _local(end.first).time() == case.after.time()
    if start is None:
        return False
    if case.part and case.first and case.after:
        return _overlap(case.first, case.after, start)
    if case.first is not None and _local(start.first).time() != case.first.time():
        return False
    if case.after is None:
        return True
    stop = _local(end.first if end else start.after)
    return abs((stop - case.after).total_seconds()) % 86400 <= 60


def _overlap(first: datetime, after: datetime, span: Span) -> bool:
    ours = _local(span.first)
    begin = datetime.combine(first.date(), ours.time())
    return begin < after and begin + (_local(span.after) - ours) > first


def _same_part(case: Case, start: Span) -> bool:
    if case.first is None or case.after is None:
        return False
    same_day = _local(start.first).date() == case.first.date()
    return same_day and _overlap(case.first, case.after, start)


def _coarser(case: Case, reading: TimeReading) -> bool:
    """Whether ours is the week, month or year that was said and holds the gold's day."""
    if reading.role is not TimeRole.AT or reading.start is None or case.first is None:
        return False
    words = _UNITS.get(reading.start.grain)
    inside = reading.start.first <= to_micros(case.first.replace(tzinfo=UTC)) < reading.start.after
    if case.kind in ("datetime", "datetimerange") and reading.start.grain is Grain.DAY:
        return inside
    return case.kind == "date" and bool(words and words.search(case.phrase)) and inside


Figures = dict[str, object]


def figures(corpora: dict[str, Corpus]) -> tuple[Figures, dict[str, Figures]]:
    """Return the figures, over all corpora and by corpus."""
    by_corpus = {name: _figures([corpus]) for name, corpus in corpora.items()}
    return _figures(list(corpora.values())), by_corpus


def _figures(corpora: Sequence[Corpus]) -> dict[str, object]:
    verdicts: Counter[tuple[bool, str]] = Counter()
    for corpus in corpora:
        verdicts.update((case.blur, judge(case)) for case in corpus.cases)
    negatives = [text for corpus in corpora for text in corpus.negatives]
    clean = sum(not find_times(text) for text in negatives)
    return {
        **_shares(verdicts, blur=False),
        "blur": _shares(verdicts, blur=True),
        "negatives": {"n": len(negatives), "nothing_found": clean},
        "left_out": sum(corpus.left_out for corpus in corpora),
    }


def _shares(verdicts: Counter[tuple[bool, str]], *, blur: bool) -> dict[str, object]:
    counts = {word: verdicts[blur, word] for word in ("right", "coarser", "wrong", "declined")}
    n = sum(counts.values())
    right = counts["right"] + counts["coarser"]
    return {
        "right": round(right / n, 4) if n else None,
        "wrong": round(counts["wrong"] / n, 4) if n else None,
        "declined": round(counts["declined"] / n, 4) if n else None,
        "coarser": counts["coarser"],
        "n": n,
    }


def _show(corpora: dict[str, Corpus], what: str) -> None:
    """Print the cases of one verdict."""
    for corpus in corpora.values():
        if what == "negatives":
            for text in corpus.negatives:
                found = [one.phrase for one in find_times(text)]
                if found:
                    print(found, "|", text)
            continue
        for case in corpus.cases:
            verdict = judge(case)
            if (what == "blur" and case.blur and verdict == "wrong") or (
                what == verdict and not case.blur
            ):
                anchor = Anchor(to_micros(case.said.replace(tzinfo=UTC)))
                reading = read_time(case.phrase, anchor, case.tense)
                print(f"{case.name} [{case.said} {case.tense}] {case.phrase!r} {case.kind}")
                print(f"    gold {case.first} - {case.after}; ours {_words(reading)}")


def _words(reading: TimeReading | None) -> str:
    if reading is None:
        return "declined"
    spans = [
        f"{_local(span.first)} - {_local(span.after)} {span.grain}" if span else "-"
        for span in (reading.start, reading.end)
    ]
    return f"{reading.role} {spans[0]} / {spans[1]}"


_SHOWN = ["right", "coarser", "wrong", "declined", "negatives", "blur"]


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description="How well time expressions are read.")
    parser.add_argument("--data", type=Path, help="folder of the gold files")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument(
        "--show", choices=["right", "coarser", "wrong", "declined", "negatives", "blur"]
    )
    arguments = parser.parse_args()
    folder = arguments.data or Path(os.environ.get("GRAPHMEM_BENCH_DATA_TIME") or SAMPLE)
    corpora = load(folder)
    if not corpora:
        parser.error(f"no gold files in {folder}: give --data the folder that holds them")
    if arguments.show:
        _show(corpora, arguments.show)
        return
    total, by_corpus = figures(corpora)
    if arguments.json:
        print(json.dumps({**total, "by_corpus": by_corpus}, ensure_ascii=False))
        return
    for name, numbers in [("all", total), *by_corpus.items()]:
        print(name, numbers)


if __name__ == "__main__":
    main()
