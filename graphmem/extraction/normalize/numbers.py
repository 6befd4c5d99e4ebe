"""Numbers in words and figures, and dates written in figures only."""

from __future__ import annotations

import calendar

from graphmem.extraction.normalize.nodes import Partial, Short
from graphmem.extraction.normalize.text import Kind, Token, listed

ONES = listed(
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)  # fmt: skip
TENS = listed("twenty thirty forty fifty sixty seventy eighty ninety")
ORDINALS = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
]
ORDINAL_TENS = [
    "twentieth",
    "thirtieth",
    "fortieth",
    "fiftieth",
    "sixtieth",
    "seventieth",
    "eightieth",
    "ninetieth",
]

_HAN_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")} | {
    "〇": 0,
    "两": 2,
}
_HAN_UNITS = {"十": 10, "百": 100, "千": 1000, "万": 10000}
_HAN_TWENTY = {"廿": 20, "卅": 30}
_HAN_TENS = frozenset((*_HAN_UNITS, *_HAN_TWENTY))
HAN_NUMERALS = "".join((*_HAN_DIGITS, *_HAN_UNITS, *_HAN_TWENTY))


def han_number(text: str) -> int | None:
    """Read a Chinese numeral (二十三, 两千零五, 二〇二四, 廿三) or figures; None if neither."""
    if text.isdigit() and text.isascii():
        return int(text)
    if not text or any(char not in HAN_NUMERALS for char in text):
        return None
    if all(char in _HAN_DIGITS for char in text):
        if len(text) > 1 and "两" in text:
            return None
        return int("".join(str(_HAN_DIGITS[char]) for char in text))
    return _han_composed(text)


def _han_composed(text: str) -> int | None:
    total, section, digit, last = 0, 0, None, 10**6
    for char in text:
        if char in _HAN_TWENTY:
            if section or digit is not None or last <= 10:
                return None
            section, last = section + _HAN_TWENTY[char], 10
        elif char in _HAN_DIGITS:
            if digit:
                return None
            digit = _HAN_DIGITS[char]
        else:
            unit = _HAN_UNITS[char]
            if unit == 10000:
                total, section, digit, last = (section + (digit or 0)) * unit, 0, None, 10**4
                continue
            if unit >= last or (digit is None and unit != 10) or digit == 0:
                return None
            section, digit, last = section + (1 if digit is None else digit) * unit, None, unit
    return total + section + (digit or 0)


def scan_han(tokens: tuple[Token, ...], place: int) -> dict[int, object]:
    """Read every Chinese numeral, or run of figures, that begins here."""
    if tokens[place].kind is Kind.DIGITS:
        text = tokens[place].text
        return {place + 1: int(text)} if len(text) <= 9 else {}
    found: dict[int, object] = {}
    text = ""
    for end in range(place, min(place + 8, len(tokens))):
        if tokens[end].text not in HAN_NUMERALS:
            break
        text += tokens[end].text
        value = han_number(text)
        if value is not None:
            found[end + 1] = value
    return found


def scan_han_count(tokens: tuple[Token, ...], place: int) -> dict[int, object]:
    """Read a count: a number below 1000 that is not written like a part of a date (05, 2024).

    五六 is "five or six", which counts nothing.
    """
    if tokens[place].kind is Kind.DIGITS:
        text = tokens[place].text
        return {place + 1: int(text)} if len(text) <= 3 and text[0] != "0" else {}
    return {
        end: value
        for end, value in scan_han(tokens, place).items()
        if _counts(value)
        and (end == place + 1 or any(t.text in _HAN_TENS for t in tokens[place:end]))
    }


def _counts(value: object) -> bool:
    return isinstance(value, int) and 0 < value < 1000


def scan_han_year(tokens: tuple[Token, ...], place: int) -> dict[int, object]:
    """Read a year before 年: of four figures, a numeral, or two figures of an open century."""
    found: dict[int, object] = {}
    for end in scan_han(tokens, place):
        text = "".join(token.text for token in tokens[place:end])
        value = han_number(text)
        if value is not None and 1000 <= value < 3000 and (len(text) == 4 or text[0] in "一两二"):
            found[end] = value
        elif len(text) == 3 and all(char in _HAN_DIGITS for char in text):
            found[end] = value  # 三六七年: a length would be 三百六十七年
        elif len(text) == 2 and text in "一二三四五六七八九":
            continue  # 五六年前 is five or six years ago; 八九年 may be 1989
        elif len(text) == 2 and all(char.isdigit() or char in _HAN_DIGITS for char in text):
            found[end] = Short(value or 0)
    return found


def scan_numeric(tokens: tuple[Token, ...], place: int) -> dict[int, object]:
    """Read a date in figures; one that may be day-month or month-day is read only if one can be."""
    found: dict[int, object] = {}
    fields = _fields(tokens, place)
    if fields is None:
        return found
    spaced = [token.text for token in tokens[place : place + 3]]
    if len(spaced) == 3 and [len(text) for text in spaced] == [4, 2, 2]:
        value = _ymd(*spaced) if "".join(spaced).isdigit() else None
        if value is not None:
            found[place + 3] = value
    texts, sign, ends = fields
    if len(texts) == 3:
        value = _three(texts, sign)
        if value is not None:
            found[ends[2]] = value
    if len(texts) >= 2 and not (len(texts) == 3 and found):
        value = _two(texts[:2], sign)
        if value is not None:
            found[ends[1]] = value
    if len(texts[0]) == 8:
        number = texts[0]
        value = _ymd(number[:4], number[4:6], number[6:])
        if value is not None:
            found[ends[0]] = value
    return found


def _fields(tokens: tuple[Token, ...], place: int) -> tuple[list[str], str, list[int]] | None:
    """Return up to three runs of figures joined by one sign, with where each of them ends."""
    if tokens[place].kind is not Kind.DIGITS:
        return None
    texts, ends, sign = [tokens[place].text], [place + 1], ""
    at = place + 1
    while len(texts) < 3 and at + 1 < len(tokens):
        between, following = tokens[at].text, tokens[at + 1]
        if between not in ("-", "/", ".") or following.kind is not Kind.DIGITS:
            break
        if sign and between != sign and {sign, between} != {".", "-"}:
            break
        tight = tokens[at].begin == tokens[at - 1].stop and following.begin == tokens[at].stop
        if not tight and (between == "." or (len(texts[0]) != 4 and len(following.text) != 4)):
            break
        sign = sign or between
        texts.append(following.text)
        at += 2
        ends.append(at)
    return texts, sign, ends


def _three(texts: list[str], sign: str) -> Partial | None:
    first, second, third = texts
    if len(first) == 4:
        return _ymd(first, second, third)
    if len(third) == 4 and len(first) <= 2 and len(second) <= 2:
        return _day_or_month(int(third), first, second, day_first=sign == ".")
    if len(third) == 2 and len(first) <= 2 and len(second) <= 2 and sign in ("/", "-"):
        if sign == "-" and not int(first) <= 12 < int(second):
            return None  # 3-7-27 may begin with the year
        if int(first) > 12 and int(third) > 12 and int(first) <= 31 and int(third) <= 31:
            return None
        return _day_or_month(Short(int(third)), first, second, day_first=False)
    return None


def _day_or_month(year: int | Short, first: str, second: str, day_first: bool) -> Partial | None:
    one, two = int(first), int(second)
    if day_first or one > 12 or one == two:
        day, month = one, two
    elif two > 12:
        day, month = two, one
    else:
        return None
    return Partial(year, month, day) if _is_date(month, day) else None


def _ymd(year: str, month: str, day: str) -> Partial | None:
    if not (1000 <= int(year) < 3000 and len(month) <= 2 and len(day) <= 2):
        return None
    if not _is_date(int(month), int(day)):
        return None
    return Partial(int(year), int(month), int(day))


def _two(texts: list[str], sign: str) -> Partial | None:
    first, second = texts
    if len(first) == 4 and len(second) <= 2:
        if 1000 <= int(first) < 3000 and 1 <= int(second) <= 12:
            return Partial(int(first), int(second))
        return None
    if len(second) == 4 and len(first) <= 2:
        if 1000 <= int(second) < 3000 and 1 <= int(first) <= 12:
            return Partial(int(second), int(first))
        return None
    if sign not in ("/", "-") or len(first) > 2 or len(second) > 2 or texts == ["24", "7"]:
        return None
    one, two = int(first), int(second)
    if sign == "-" and not 1 <= one <= 12 < two:
        return None  # 22-4 is a range or a score
    if one == two or (one > 12) == (two > 12):
        return Partial(None, one, two) if one == two and _is_date(one, two) else None
    month, day = (two, one) if one > 12 else (one, two)
    return Partial(None, month, day) if _is_date(month, day) else None


def _is_date(month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= calendar.monthrange(2000, month)[1]
