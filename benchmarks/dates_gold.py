"""Gold readings of time expressions, from the flattened files of two libraries and our own sample.

A case is one phrase, its turn, and what it should read as. Where a library gives two readings, one
in the past and one ahead, the past one is the case; the other is kept apart (``ahead``). Phrases
that the libraries place by a size of their own ("late March", 年底, "a few") are kept apart as
blurred: JioNLP marks them, in Recognizers they are known by their words. What has no one accurate
reading is left out, by kinds only (``dates_kinds``), and counted by kind.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

from benchmarks import dates_kinds as kinds
from benchmarks.running import Json, lines
from graphmem.extraction.normalize import Tense

RECOGNIZERS = ("recognizers_english", "recognizers_chinese")
JIONLP = "jionlp_zh"
OWN = "dates"
ANY_DAY = "2016-11-07T12:00:00"
"""Stands for the turn of phrases whose gold gives none: clock times, lengths, full dates."""


@dataclass(frozen=True, slots=True)
class Case:
    """One phrase with its gold.

    Attributes:
        corpus, spec, name: the file, the part of it, and the row.
        phrase: the words. said: when, as wall time.
        tense: ahead where the gold lies after the turn; a sentence's verb would tell.
        kind: the gold's type (date, daterange, time, duration, …).
        first, after: local; None where the gold leaves that side open.
        seconds: of a length.
        part: a part of the day, whose hours each library sets for itself.
        blur: placed by a size that the library chose.
        ahead: the second reading of a phrase that has two.
    """

    corpus: str
    spec: str
    name: str
    phrase: str
    said: datetime
    tense: Tense
    kind: str
    first: datetime | None = None
    after: datetime | None = None
    seconds: float | None = None
    part: bool = False
    blur: bool = False
    ahead: bool = False


@dataclass(frozen=True, slots=True)
class Corpus:
    """The cases of one file, its texts without any time, and what was left out, by kind."""

    cases: tuple[Case, ...]
    negatives: tuple[str, ...]
    left_out: Mapping[str, int]


Gold = tuple[datetime | None, datetime | None]
_STAMP = re.compile(r"(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d))?$")
_TIME = re.compile(r"\d\d:\d\d:\d\d$")
_PART = re.compile(r"T(?:MO|AF|EV|NI|MI|DT|MEB|MEL|MED)\b|T(?:MO|AF|EV|NI|MI|DT)$")
_SECONDS = {"year": 31536000, "month": 2592000, "week": 604800, "day": 86400, "hour": 3600,
            "minute": 60, "second": 1}  # fmt: skip


def load(folder: Path) -> dict[str, Corpus]:
    """Read every file of the folder that is known; by corpus name."""
    found: dict[str, Corpus] = {}
    for name in RECOGNIZERS:
        path = folder / f"{name}.jsonl"
        if path.exists():
            found[name] = _recognizers(name, lines(path))
    path = folder / f"{JIONLP}.jsonl"
    if path.exists():
        found[JIONLP] = _jionlp(lines(path))
    path = folder / f"{OWN}.jsonl"
    if path.exists():
        found["own"] = _own(lines(path))
    return found


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


def _recognizers(name: str, rows: Sequence[Json]) -> Corpus:
    cases: list[Case] = []
    negatives: list[str] = []
    left_out: Counter[str] = Counter()
    for row in rows:
        if not row["results"]:
            negatives.append(row["input"])
        for index, result in enumerate(row["results"]):
            why = _why_not(name, row, result)
            if why:
                left_out[why] += 1
            else:
                cases += _readings(name, row, index, result)
    return Corpus(tuple(cases), tuple(negatives), left_out)


def _said(row: Json) -> datetime:
    return datetime.fromisoformat(row["reference"] or ANY_DAY)


def _why_not(name: str, row: Json, result: Json) -> str | None:
    """Say by which kind a result has no one accurate reading."""
    if result["type"] == "set":
        return kinds.RECURRING
    needs_turn = result["type"] not in ("time", "duration")
    if needs_turn and not row["reference"] and not re.search(r"\d{4}", result["text"]):
        return kinds.NO_TURN
    if result["type"] == "duration":
        return None if _length(result) is not None else kinds.NO_VALUE
    said = _said(row)
    values = _values(result)
    golds = [_gold(value, result["type"], said) for value in values]
    known = [gold for gold in golds if gold]
    if not known or len(known) != len(golds):
        return kinds.NO_VALUE
    zoned = any("utcOffsetMins" in value for value in values)
    return kinds.unfit(name, result["text"], result["type"], known, zoned=zoned)


def _readings(name: str, row: Json, index: int, result: Json) -> Iterator[Case]:
    """Yield the past, or only, reading of a result, and the one ahead."""
    said = _said(row)
    values = _values(result)
    text = result["text"]
    case = Case(
        corpus=name,
        spec=row["spec"],
        name=f"{row['id']}/{index}",
        phrase=text,
        said=said,
        tense=Tense.PAST,
        kind=result["type"],
        blur=kinds.blurred(text, name, length=result["type"] == "duration"),
    )
    if case.kind == "duration":
        yield replace(case, seconds=_length(result))
        return
    timex = str(result.get("timex") or values[0].get("timex") or "")
    case = replace(case, part=bool(_PART.search(timex)))
    golds = [gold for value in values if (gold := _gold(value, case.kind, said))]
    first, after = golds[0]
    tense = Tense.PAST if len(golds) > 1 else _tense(first, after, said)
    yield replace(case, first=first, after=after, tense=tense)
    if len(golds) == 2:
        first, after = golds[1]
        yield replace(case, first=first, after=after, tense=Tense.FUTURE, ahead=True)


def _length(result: Json) -> float | None:
    found = next((v.get("value") or v.get("duration") for v in _values(result)), None)
    return float(found) if found is not None else None


def _tense(first: datetime | None, after: datetime | None, said: datetime) -> Tense:
    moment = after or first
    return Tense.FUTURE if moment is not None and moment > said else Tense.PAST


def _values(result: Json) -> list[Json]:
    if result.get("values"):
        return list(result["values"])
    both: list[Json] = [result[key] for key in ("past", "future") if result.get(key)]
    return both[:1] if len(both) == 2 and both[0] == both[1] else both


def _gold(value: Json, kind: str, said: datetime) -> Gold | None:
    """Return the first instant and the first after; None if the value is not resolved."""
    named = {key.lower(): text for key, text in value.items() if isinstance(text, str)}
    offset = timedelta(minutes=int(named.get("utcoffsetmins", 0)))
    point = named.get("value") or named.get("date") or named.get("datetime") or named.get("time")
    start = named.get("start") or _any(named, "startdate", "startdatetime", "starttime")
    end = named.get("end") or _any(named, "enddate", "enddatetime", "endtime")
    if point is not None:
        first = _moment(point, said)
        if first is None:
            return None
        # A zone that was said: turns are taken to be spoken in UTC.
        return first - offset, first + timedelta(days=1) if kind == "date" else None
    if start is None and end is None:
        return None
    first, after = _moment(start, said), _moment(end, said)
    if (start and first is None) or (end and after is None):
        return None
    return first and first - offset, after and after - offset


def _any(named: Mapping[str, str], *keys: str) -> str | None:
    return next((named[key] for key in keys if key in named), None)


def _jionlp(rows: Sequence[Json]) -> Corpus:
    cases: list[Case] = []
    left_out: Counter[str] = Counter()
    for row in rows:
        made = _span(row) if row["type"] in ("time_point", "time_span") else _delta(row)
        if isinstance(made, str):
            left_out[made] += 1
        else:
            cases.append(made)
    return Corpus(tuple(cases), (), left_out)


def _delta(row: Json) -> Case | str:
    """Return a length, as its one figure in one unit."""
    if row["type"] != "time_delta":
        return kinds.RECURRING
    units = [unit for unit in _SECONDS if unit in row["time"]]
    if len(units) != 1 or len(row["time"]) != 1:
        return kinds.NO_VALUE
    return replace(
        _blank(row, _said(row)),
        kind="duration",
        seconds=row["time"][units[0]] * _SECONDS[units[0]],
        blur=row["definition"] != "accurate",
    )


def _span(row: Json) -> Case | str:
    said = _closing(_said(row), row["reference_precision"])
    first, last = (_moment(text, said) for text in row["time"])
    after = last + timedelta(seconds=1) if last and last.second == 59 else last
    why = kinds.unfit(JIONLP, row["input"], row["type"], [(first, after)])
    if why:
        return why
    return replace(
        _blank(row, said),
        first=first,
        after=after,
        tense=_tense(first, after, said),
        blur=row["definition"] != "accurate" or kinds.blurred(row["input"], JIONLP, length=False),
    )


def _blank(row: Json, said: datetime) -> Case:
    return Case(
        corpus=JIONLP,
        spec=f"{row['type']} {row['definition']}",
        name=row["id"],
        phrase=row["input"],
        said=said,
        tense=Tense.PAST,
        kind=row["type"],
    )


def _closing(said: datetime, precision: str | None) -> datetime:
    """Return the turn; where only its year or month is given, the last instant of that."""
    if precision == "year":
        return said.replace(month=12, day=31, hour=23, minute=59, second=59)
    if precision == "month":
        following = (said.replace(day=28) + timedelta(days=4)).replace(day=1)
        return following - timedelta(seconds=1)
    return said


def _own(rows: Sequence[Json]) -> Corpus:
    """Our sample: {"input", "said", "tense", "first", "after"}; negatives have only an input."""
    cases = tuple(
        Case(
            corpus="own",
            spec="own",
            name=row["input"],
            phrase=row["input"],
            said=datetime.fromisoformat(row["said"]),
            tense=Tense(row.get("tense", "past")),
            kind=row.get("kind", "daterange"),
            first=datetime.fromisoformat(row["first"]) if row.get("first") else None,
            after=datetime.fromisoformat(row["after"]) if row.get("after") else None,
            seconds=row.get("seconds"),
        )
        for row in rows
        if "said" in row
    )
    negatives = tuple(row["input"] for row in rows if "said" not in row)
    return Corpus(cases, negatives, {})
