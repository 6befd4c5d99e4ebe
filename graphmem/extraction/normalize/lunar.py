"""The Chinese lunar calendar of 1979 to 2056, and the day of 清明.

Months begin with the new moon as seen from China, so they come from a table. It covers the years
for which published tables agree; outside of them a date is declined.
"""

from __future__ import annotations

from datetime import date, timedelta

from graphmem.extraction.normalize.text import listed

_FIRST = 1979
_FIRST_DAY = date(1979, 1, 28)
_YEARS = [
    int(word, 16)
    for word in listed(
        "0d2da 012b6 00936 09497 01496 1564b 00d4a 00da8 0d5b4 0156c 012ae 0a92f 0092e 00c96 "
        "06d4a 01d4a 10d65 00b58 0156c 0b26d 0125c 0192c 09a95 01a94 01b4a 04b55 00ad4 0f55b "
        "004ba 0125a 0b92b 0152a 01694 096aa 015aa 12ab5 00974 014b6 0ca57 00a56 01526 08e95 "
        "00d54 015aa 049b5 0096c 0d4ae 0149c 01a4c 0bd26 01aa6 00b54 06d6a 012da 1695d 0095a "
        "0149a 0da4b 01a4a 01aa4 0bb54 016b4 00ada 0495b 00936 0f497 01496 0154a 0b6a5 00da4 "
        "015b4 06ab6 0126e 1092f 0092e 00c96 0cd4a 01d4a "
    )
]
"""By year: the leap month (or 0) times 8192, and 13 bits for the months in order, 1 for 30 days."""


def month_of(year: int, number: int, *, leap: bool = False) -> tuple[date, date] | None:
    """Return the first day of a lunar month and the first after it; None if there is none such.

    ``year`` is the year in which the lunar year begins; ``leap`` asks for the month put in after
    the one of that number.
    """
    index = year - _FIRST
    if not (0 <= index < len(_YEARS) and 1 <= number <= 12):
        return None
    extra = _YEARS[index] >> 13
    if leap and extra != number:
        return None
    place = number - 1 + (leap or 0 < extra < number)
    first = _FIRST_DAY
    for code in _YEARS[:index]:
        first += timedelta(days=_days(code, 13 if code >> 13 else 12))
    first += timedelta(days=_days(_YEARS[index], place))
    return first, first + timedelta(days=29 + _long(_YEARS[index], place))


def day_of(year: int, number: int, day: int, *, leap: bool = False) -> date | None:
    """Return the day of a lunar date; day -1 is the last of its month."""
    found = month_of(year, number, leap=leap)
    if found is None:
        return None
    first, after = found
    there = after - timedelta(days=1) if day == -1 else first + timedelta(days=day - 1)
    return there if first <= there < after else None


def _days(code: int, months: int) -> int:
    return sum(29 + _long(code, place) for place in range(months))


def _long(code: int, place: int) -> int:
    return code >> (12 - place) & 1


def qingming(year: int) -> date | None:
    """Return the day of 清明, by the rule of thumb that holds for these years."""
    if not _FIRST <= year < _FIRST + len(_YEARS):
        return None
    short = year % 100
    return date(year, 4, int(short * 0.2422 + (5.59 if year < 2000 else 4.81)) - short // 4)
