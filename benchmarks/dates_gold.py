"""Gold readings of time expressions, from the flattened files of two libraries and our own sample.

A case is one phrase, its turn, a tense, and what it should read as. Phrases that have no one
accurate date or span are not cases: recurring times, lengths, dates that do not exist, clock times
that may be in either half of the day, seasons, and lunar dates whose month and day one library
writes as if they were of the other calendar (春节 as 1 January). Those the libraries themselves
mark as blurred, or say with words for parts ("late", "end of", 底) on whose size they disagree, are
kept apart.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from graphmem.extraction.normalize import Tense

Row = Mapping[str, Any]  # Any: one JSON object; the formats are described beside the data


@dataclass(frozen=True, slots=True)
class Case:
    """One phrase with its gold.

    ``first`` and ``after`` are local; None where the gold leaves that side open. ``kind`` is the
    gold's type (date, daterange, time, …); ``part`` marks a part of the day, whose hours each
    library sets for itself; ``blur`` a phrase the libraries place by rules of their own.
    """

    corpus: str
    name: str
    phrase: str
    said: datetime
    tense: Tense
    kind: str
    first: datetime | None
    after: datetime | None
    part: bool = False
    blur: bool = False


@dataclass(frozen=True, slots=True)
class Corpus:
    """The cases of one file, and its texts without any time (``negatives``)."""

    cases: tuple[Case, ...]
    negatives: tuple[str, ...]
    left_out: int


_BLUR = re.compile(
    r"\b(early|late|later|earlier|mid|middle|beginning|start of|end of|eoy|eod|few|couple|approx"
    r"|rest|remaining)\b|ish$|初|底|末|旬|左右|前后|多|几",
    re.IGNORECASE,
)
_SEASON = re.compile(r"[春夏秋冬](?!节)")
_LUNAR = re.compile(
    r"正月|腊月|大年|除夕|初[一二三四五六七八九十]|廿|[春端元中重阳秋午宵]+节|中秋|端午|农历"
)
_STAMP = re.compile(r"(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d))?$")
_TIME = re.compile(r"\d\d:\d\d:\d\d$")
_PART = re.compile(r"T(?:MO|AF|EV|NI|MI|DT|MEB|MEL|MED)\b|T(?:MO|AF|EV|NI|MI|DT)$")


def _moment(text: str | None, day: datetime) -> datetime | None:
    """Read a stamp; a time of day is put on the day of the turn."""
    if text is None:
        return None
    if _TIME.fullmatch(text):
        return datetime.fromisoformat(f"{day:%Y-%m-%d}T{text}")
    match = _STAMP.fullmatch(text)
    if match is None or text.startswith("0001-01-01"):
        return None
    return datetime.fromisoformat(match[1] + "T" + (match[2] or "00:00:00"))


def _lines(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def load(folder: Path) -> dict[str, Corpus]:
    """Read every file of the folder that is known; by corpus name."""
    found: dict[str, Corpus] = {}
    for name in ("recognizers_english", "recognizers_chinese"):
        path = folder / f"{name}.jsonl"
        if path.exists():
            found[name] = _recognizers(name, _lines(path))
    path = folder / "jionlp_zh.jsonl"
    if path.exists():
        found["jionlp_zh"] = _jionlp(_lines(path))
    path = folder / "dates.jsonl"
    if path.exists():
        found["own"] = _own(_lines(path))
    return found


def _recognizers(name: str, rows: Sequence[Row]) -> Corpus:
    cases: list[Case] = []
    negatives: list[str] = []
    left_out = 0
    for row in rows:
        if not row["results"]:
            negatives.append(row["input"])
            continue
        for index, result in enumerate(row["results"]):
            made = list(_readings(name, row, index, result))
            cases += made
            left_out += not made
    return Corpus(tuple(cases), tuple(negatives), left_out)


def _readings(name: str, row: Row, index: int, result: Row) -> Iterator[Case]:
    """The past and future reading of one result, or its only one; none if there is no one gold."""
    if result["type"] in ("set", "duration") or not row["reference"]:
        return
    if _LUNAR.search(result["text"]):
        return
    said = datetime.fromisoformat(row["reference"])
    values = _values(result)
    golds = [gold for gold in (_gold(value, result["type"], said) for value in values) if gold]
    if not golds or len(golds) != len(values) or len(golds) > 2:
        return
    timex = str(result.get("timex") or values[0].get("timex") or "")
    mods = " ".join(str(value.get("Mod", "")) for value in values)
    case = Case(
        corpus=name,
        name=f"{row['id']}/{index}",
        phrase=result["text"],
        said=said,
        tense=Tense.PAST,
        kind=result["type"],
        first=None,
        after=None,
        part=bool(_PART.search(timex)),
        blur=bool(_BLUR.search(result["text"]) or re.search(r"start|mid|end|approx", mods)),
    )
    if len(golds) == 1:
        first, after = golds[0]
        yield replace(case, first=first, after=after, tense=_tense(first, after, said))
        return
    (one, other) = golds
    if _same_but_half(one, other) or result["type"] in ("time", "timerange"):
        return
    yield replace(case, first=one[0], after=one[1])
    yield replace(case, first=other[0], after=other[1], tense=Tense.FUTURE)


Gold = tuple[datetime | None, datetime | None]


def _same_but_half(one: Gold, other: Gold) -> bool:
    """Whether two readings differ by the half of the day only."""
    pairs = [(a, b) for a, b in zip(one, other, strict=True) if a and b]
    return all(abs(a - b) <= timedelta(hours=24) for a, b in pairs)


def _tense(first: datetime | None, after: datetime | None, said: datetime) -> Tense:
    """Who has one gold reading knows the tense: it lies ahead or not."""
    moment = first or after
    return Tense.FUTURE if moment is not None and moment > said else Tense.PAST


def _values(result: Row) -> list[Row]:
    if result.get("values"):
        return list(result["values"])
    both: list[Row] = [result[key] for key in ("past", "future") if result.get(key)]
    return both[:1] if len(both) == 2 and both[0] == both[1] else both


def _gold(value: Row, kind: str, said: datetime) -> Gold | None:
    """Return the first instant and the first after; None if the value is not resolved."""
    named = {key.lower(): text for key, text in value.items() if isinstance(text, str)}
    point = named.get("value") or named.get("date") or named.get("datetime") or named.get("time")
    start = named.get("start") or _any(named, "startdate", "startdatetime", "starttime")
    end = named.get("end") or _any(named, "enddate", "enddatetime", "endtime")
    if point is not None:
        first = _moment(point, said)
        if first is None:
            return None
        if kind == "date":
            return first, first + timedelta(days=1)
        return first, None
    if start is None and end is None:
        return None
    first, after = _moment(start, said), _moment(end, said)
    if (start and first is None) or (end and after is None):
        return None
    return first, after


def _any(named: Mapping[str, str], *keys: str) -> str | None:
    return next((named[key] for key in keys if key in named), None)


def _jionlp(rows: Sequence[Row]) -> Corpus:
    cases: list[Case] = []
    left_out = 0
    for row in rows:
        dated = row["type"] in ("time_point", "time_span") and row["reference"]
        if not dated or _SEASON.search(row["input"]):
            left_out += 1
            continue
        said = datetime.fromisoformat(row["reference"])
        first, last = (_moment(text, said) for text in row["time"])
        cases.append(
            Case(
                corpus="jionlp_zh",
                name=row["id"],
                phrase=row["input"],
                said=said,
                tense=_tense(first, last, said),
                kind=row["type"],
                first=first,
                after=last + timedelta(seconds=1) if last and last.second == 59 else last,
                blur=row["definition"] != "accurate" or bool(_BLUR.search(row["input"])),
            )
        )
    return Corpus(tuple(cases), (), left_out)


def _own(rows: Sequence[Row]) -> Corpus:
    """Our sample: {"input", "said", "tense", "first", "after"}; negatives have only an input."""
    cases = tuple(
        Case(
            corpus="own",
            name=row["input"],
            phrase=row["input"],
            said=datetime.fromisoformat(row["said"]),
            tense=Tense(row.get("tense", "past")),
            kind="daterange",
            first=datetime.fromisoformat(row["first"]) if row["first"] else None,
            after=datetime.fromisoformat(row["after"]) if row["after"] else None,
        )
        for row in rows
        if "said" in row
    )
    negatives = tuple(row["input"] for row in rows if "said" not in row)
    return Corpus(cases, negatives, 0)
