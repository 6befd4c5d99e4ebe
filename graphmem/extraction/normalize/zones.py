"""Times said in a zone that is named: "3pm UTC", "10:00 PST", 北京时间晚上八点.

Only names of one meaning are read. Others ("CST", "IST", "Eastern time") are known, so that a time
said with them is declined, and not read in the speaker's own zone.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta, timezone, tzinfo

from graphmem.extraction.normalize import calendar
from graphmem.extraction.normalize.calendar import Stretch
from graphmem.extraction.normalize.clock import Clock, ForHours, Hours, Timed
from graphmem.extraction.normalize.grammar import Grammar
from graphmem.extraction.normalize.nodes import Here, Node
from graphmem.extraction.normalize.text import listed

_HOURS = {
    "utc": 0, "gmt": 0, "est": -5, "edt": -4, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7,
    "akst": -9, "akdt": -8, "hst": -10, "cet": 1, "cest": 2, "eet": 2, "eest": 3, "msk": 3,
    "hkt": 8, "sgt": 8, "awst": 8, "jst": 9, "kst": 9, "aest": 10, "aedt": 11, "nzst": 12,
    "nzdt": 13,
}  # fmt: skip
_PLACES = {
    "beijing time": "Asia/Shanghai", "tokyo time": "Asia/Tokyo", "london time": "Europe/London",
    "new york time": "America/New_York", "paris time": "Europe/Paris",
    "berlin time": "Europe/Berlin", "sydney time": "Australia/Sydney", "uk time": "Europe/London",
    "北京时间": "Asia/Shanghai", "东京时间": "Asia/Tokyo", "香港时间": "Asia/Hong_Kong",
    "台北时间": "Asia/Taipei", "首尔时间": "Asia/Seoul", "伦敦时间": "Europe/London",
    "巴黎时间": "Europe/Paris", "柏林时间": "Europe/Berlin", "纽约时间": "America/New_York",
    "美东时间": "America/New_York", "美西时间": "America/Los_Angeles",
    "悉尼时间": "Australia/Sydney",
}  # fmt: skip
_UNSURE = "cst ist bst ast et ct mt pt"
_UNSURE_TIMES = "eastern central mountain pacific atlantic local your my our"
_UNSURE_HAN = ("当地时间", "本地时间", "美国时间", "欧洲时间")


@dataclass(frozen=True, slots=True)
class InZone:
    """A time in another zone than the speaker's; None for a name that may mean several."""

    node: Node
    zone: tzinfo | None

    @property
    def open(self) -> bool:
        """Whether the time is open."""
        return self.node.open

    def at(self, here: Here) -> Stretch | None:
        """Return the stretch, as the speaker's wall time."""
        if self.zone is None:
            return None
        now = _carried(here.now, here.zone, self.zone)
        found = self.node.at(Here(now, self.zone, here.tense, here.south))
        if found is None:
            return None
        first, after = (_carried(edge, self.zone, here.zone) for edge in (found.first, found.after))
        return Stretch(first, after, found.grain)


def _carried(moment: datetime, start: tzinfo, to: tzinfo) -> datetime:
    return calendar.local(calendar.instant(moment, start), to)


@dataclass(frozen=True, slots=True)
class _Named:
    """A zone as a word; no rule of the grammar may have the value None."""

    zone: tzinfo | None


def add_english(g: Grammar) -> None:
    """Add zones behind an English time, and stamps as programs write them."""
    _add_names(g, [name for name in _PLACES if name.isascii()])
    for word in listed(_UNSURE):
        g.words("zone", {word: _Named(None)})
    for word in listed(_UNSURE_TIMES):
        g.rule("zone", f"{word} standard|daylight? time|timezone|time_zone", to=_unsure)
    g.rule("zone", "utc|gmt {+|-} <figures> : <figures>", "utc|gmt {+|-} <figures>", to=_offset)
    g.rule("offset_zone", "{+|-} <figures> : <figures>", to=_offset)
    g.rule("offset_zone", "z", to=lambda: _Named(_fixed(0)))
    g.rule(
        "zoned",
        "<exact_time> (? <zone> )?",
        "<hours> (? <zone> )?",
        "<timed> (? <zone> )?",
        to=_in_zone,
    )
    g.rule(
        "zoned",
        "<exact_time> <zone> ,? on? <a_day>",
        "<hours> <zone> ,? on? <a_day>",
        to=lambda time, named, day: _in_zone(Timed(time, day), named),
    )
    g.rule("zoned", "<numeric> t? <clock_face> <offset_zone>", to=_stamp)
    g.rule("zoned", "<numeric> t <clock_face>", to=_stamp)
    g.rule("point", "at? <zoned>", to=lambda node: node)


def add_chinese(g: Grammar) -> None:
    """Add zones before a Chinese time."""
    _add_names(g, [name for name in _PLACES if not name.isascii()])
    for word in _UNSURE_HAN:
        g.words("zone", {word: _Named(None)})
    g.rule(
        "zoned",
        "<zone> 的? <timed>",
        "<zone> 的? <exact>",
        "<zone> 的? <hours>",
        to=lambda named, time: _in_zone(time, named),
    )
    g.rule(
        "zoned",
        "<a_day> 的? <zone> 的? <exact>",
        "<a_day> 的? <zone> 的? <hours>",
        to=lambda day, named, time: _in_zone(Timed(time, day), named),
    )
    g.rule("point", "<zoned>", to=lambda node: node)


def _add_names(g: Grammar, places: list[str]) -> None:
    g.words("zone", {word: _Named(_fixed(hours)) for word, hours in _HOURS.items()})
    g.words("zone", {name: _Named(calendar.zone_of(_PLACES[name])) for name in places})


def _fixed(hours: float) -> tzinfo:
    return timezone(timedelta(hours=hours))


def _unsure() -> _Named:
    return _Named(None)


def _offset(sign: str, hours: str, minutes: str = "0") -> _Named | None:
    if len(hours) > 2 or int(hours) > 14 or int(minutes) > 59:
        return None
    size = int(hours) + int(minutes) / 60
    return _Named(_fixed(-size if sign == "-" else size))


def _in_zone(time: object, named: _Named) -> InZone | None:
    if isinstance(time, Clock | Hours | ForHours):
        return InZone(Timed(time), named.zone)
    return InZone(time, named.zone) if isinstance(time, Timed) else None


def _stamp(day: Node, face: Clock, named: _Named | None = None) -> Node:
    clock = Clock(face.hour, face.minute, face.second, plain=True)
    timed = Timed(clock, day)
    return InZone(timed, named.zone) if named else timed
