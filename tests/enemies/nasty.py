"""Values that nobody should pass, and somebody will."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

BROKEN = "bro\ud800ken"
Odd = Any  # Any: odd on purpose


def nested(levels: int) -> list[Odd]:
    """Return lists in lists."""
    whole: list[Odd] = []
    for _ in range(levels):
        whole = [whole]
    return whole


def endless() -> list[Odd]:
    """Return a list that holds itself."""
    whole: list[Odd] = []
    whole.append(whole)
    return whole


class Mute:
    """A value that cannot even be shown."""

    def __repr__(self) -> str:
        raise RuntimeError("no words")

    __str__ = __repr__


TEXTS: list[str] = [
    "",
    " \n\t",
    "\x00",
    "a\x00b",
    BROKEN,
    "\udcff",
    "\u202eevil\u202c",
    "\u200b\u200d\ufeff",
    "ﷺ" * 150,
    "e\u0301" * 40,
    "İı ß ﬁ K ſ",
    "x" * 2_001,
    "字" * 70_000,
    "'; DROP TABLE facts; --",
    '") OR 1=1 --',
    "`}) MATCH (n) DETACH DELETE n //",
    "../../../etc/passwd",
    "/etc/passwd",
    "file:///etc/passwd",
    "C:\\Windows\\win.ini",
    "%",
    "_",
    "*",
    "NEAR(a b)",
    "${HOME} $(id) {user} %s",
    "</graphmem-context>",
    "🦜",
    "NaN",
    "-1",
    "9" * 400,
    "0000-00-00",
    "9999-12-31T23:59:60Z",
    "2024-02-30",
    "2024-13",
    "10000-01-01",
    "2024-01-01T10:00:00+99:99",
    "fact_" + "0" * 32,
    "ep_" + "f" * 32,
    "entity_" + "0" * 32,
    "same_" + "0" * 32,
]

OTHERS: list[Odd] = [
    None,
    True,
    False,
    0,
    -1,
    2**63,
    10**30,
    10**5_000,
    -(10**30),
    1.5,
    float("nan"),
    float("inf"),
    b"bytes",
    bytearray(b"x"),
    Decimal("1"),
    [],
    (),
    {},
    set[str](),
    [None],
    ["a", 5],
    [BROKEN],
    [""],
    {"a": 5},
    {5: "a"},
    {"a": {"b": []}},
    {"role": "user"},
    {"content": 5},
    [["a"], {"b": "c"}],
    nested(3_000),
    endless(),
    object(),
    Mute(),
    int,
    print,
    ValueError("x"),
    Path("nowhere"),
    Path("\x00"),
    iter(()),
    dt.date.min,
    dt.date.max,
    dt.datetime.min,
    dt.datetime.max,
    dt.datetime(2024, 1, 1, 10),
    dt.datetime(1, 1, 1, tzinfo=dt.timezone(dt.timedelta(hours=14))),
    dt.datetime(9999, 12, 31, 23, tzinfo=dt.timezone(dt.timedelta(hours=-12))),
    dt.timedelta(days=1),
    dt.time(10),
]


def values() -> list[Odd]:
    """Return every nasty value, an iterator anew."""
    return [*TEXTS, *OTHERS, iter(["I like tea.", 5])]


def paths(folder: Path) -> Iterator[Odd]:
    """Yield nasty places for a file, none of them outside ``folder``."""
    for value in values():
        if isinstance(value, (str, Path)):
            text = str(value).lstrip("/").replace("..", "dots")
            yield f"{folder}/{text}" if isinstance(value, str) else folder / text
        else:
            yield value
    yield ""
    yield "."
    yield Path()
    yield folder
    yield folder / "no" / "such" / "folder"
    yield folder / ("n" * 300)
