"""Plain text transcripts: ``Name: text`` lines, with or without times.

::

    2024-05-01                              a date on a line of its own holds for what follows
    [10:00] Ana: I moved to Cork.           a time, or a date and time, before the name
    Ana [2024-05-01 10:05]: With my dog.    or after it
    助手：好的。                              full-width colons too
      and this goes on with what he said    lines without a name, and indented ones, continue

A name has at most four words. Names such as User, Human, Assistant, 用户 and 助手 are roles.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from graphmem.entrypoints.messages import ROLES, Message, Unreadable, moment

_DAY = r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{4}年\d{1,2}月\d{1,2}日"
_CLOCK = r"\d{1,2}:\d{2}(?::\d{2})?(?:\s*(?:Z|[+-]\d{2}:?\d{2}))?"
_STAMP = rf"(?:(?:{_DAY})(?:[T ,]+(?:{_CLOCK}))?|(?:{_CLOCK}))"
_NAME = r"[^\W\d_][\w.'’·()-]{0,39}(?: [\w.'’·()-]{1,39}){0,3}"

_HEADER = re.compile(rf"[#=*\-\s]*({_DAY})[#=*\-\s:：]*")
_MESSAGE = re.compile(
    rf"(?:\[({_STAMP})\][ \t,-]*|({_STAMP})[ \t,-]+)?({_NAME})\s*(?:[\[(]({_STAMP})[\])]\s*)?"
    r"[:：](?!//)[ \t]*(.*)",
    re.DOTALL,
)
_SPEAKERS = {**ROLES, "me": "user", "i": "user", "我": "user"}


@dataclass(slots=True)
class _Open:
    """A message whose lines are still being read."""

    line: int
    name: str
    when: str | None
    lines: list[str]

    def close(self) -> Message | Unreadable:
        content = "\n".join(self.lines).strip()
        where = f"line {self.line}"
        if not content:
            return Unreadable(where, f"{self.name} says nothing")
        role = _SPEAKERS.get(self.name.casefold())
        return Message(
            role=role or "user",
            name=None if role else self.name,
            content=content,
            occurred_at=self.when,
            where=where,
        )


def read_transcript(
    numbered: Iterable[tuple[int, str | None]],
) -> Iterator[Message | Unreadable]:
    """Yield the messages of numbered lines, and the lines that belong to none."""
    day: str | None = None
    when: str | None = None
    current: _Open | None = None
    for number, line in numbered:
        if line is None:
            yield Unreadable(f"line {number}", "is too long")
        elif header := _HEADER.fullmatch(line):
            day = when = moment(_dashed(header[1]))
        elif found := _MESSAGE.fullmatch(line):
            if current is not None:
                yield current.close()
            stamp = found[1] or found[2] or found[4]
            try:
                # Without a stamp it was said no earlier than the message before it.
                when = _when(stamp, day) if stamp else when
            except ValueError:
                current = None
                yield Unreadable(f"line {number}", f"{stamp!r} is no time")
                continue
            current = _Open(number, found[3], when, [found[5]])
        elif current is not None:
            current.lines.append(line.strip())
        elif line.strip():
            yield Unreadable(f"line {number}", "no speaker; lines read 'Name: text'")
    if current is not None:
        yield current.close()


def _dashed(text: str) -> str:
    year, month, day = re.findall(r"\d+", text)[:3]
    return f"{year}-{int(month):02}-{int(day):02}"


def _when(stamp: str, day: str | None) -> str | None:
    """Return the ISO form of a stamp; a bare time of day without a day says nothing."""
    date = re.match(_DAY, stamp)
    clock = re.search(_CLOCK, stamp[date.end() if date else 0 :])
    on = _dashed(date[0]) if date else day
    if on is None:
        return None
    if clock is None:
        return moment(on)
    time = clock[0].replace(" ", "")
    return moment(f"{on}T{time if time[1] != ':' else '0' + time}")
