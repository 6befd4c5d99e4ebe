"""Bytes to lines of text: UTF-8, or UTF-16 with a byte order mark; anything else is refused.

Of JSON Lines, each line stands for itself: one that is no UTF-8 is told apart (``broken``) and does
not stop the others, unless most lines are like it.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from functools import partial
from typing import BinaryIO

from graphmem.errors import InputError

LINE_LIMIT = 64_000_000
"""Characters; the longest message there may be is shorter, even if all of it is escaped."""

_CHUNK = 1 << 18
_ESCAPED = re.compile("[\udc80-\udcff]")
_RARE = 50
"""Of so many bytes of a text file one may be null."""


def decoded(file: BinaryIO, name: str, *, by_line: bool = False) -> Iterator[str]:
    """Yield the file's text in chunks, without a byte order mark.

    A file that can be read twice is checked whole before anything is yielded. With ``by_line``,
    bytes that are no UTF-8 come as lone surrogates, which ``broken`` finds.

    Raises:
        InputError: it is in another encoding, or not text; names the line.
    """
    if file.seekable():
        start = file.tell()
        if by_line:
            by_line = _mostly_sound(file, name)
            file.seek(start)
        if not by_line:
            for _ in _chunks(file, name, "strict"):
                pass
            file.seek(start)
    yield from _chunks(file, name, "surrogateescape" if by_line else "strict")


def broken(line: str) -> bool:
    """Whether a line holds bytes that are no UTF-8."""
    return not line.isascii() and _ESCAPED.search(line) is not None


def _mostly_sound(file: BinaryIO, name: str) -> bool:
    """Whether the file is UTF-8 but for some lines, and not in another encoding."""
    sound = unsound = 0
    for _, line in lines(_chunks(file, name, "surrogateescape")):
        if line is not None and broken(line):
            unsound += 1
        elif line is not None and line.strip():
            sound += 1
    return unsound <= sound


def _chunks(file: BinaryIO, name: str, errors: str) -> Iterator[str]:
    chunk = file.read(_CHUNK)
    encoding = _encoding(chunk, name)
    if encoding == "utf-16":  # which knows no other way
        errors = "strict"
    decoder = codecs.getincrementaldecoder(encoding)(errors)
    line = 1
    read = partial(file.read, _CHUNK)
    while True:
        try:
            text = decoder.decode(chunk, final=not chunk)
        except UnicodeDecodeError as error:
            good = bytes(error.object[: error.start]).decode(encoding, "ignore")
            where = f"line {line + good.count(chr(10))} of {name}"
            raise InputError(
                f"{where} is not {encoding.upper().removesuffix('-SIG')}; convert the file first, "
                "for example: iconv -f GB18030 -t UTF-8"
            ) from error
        line += text.count("\n")
        if text:
            yield text
        if not chunk:
            return
        chunk = read()


def _encoding(head: bytes, name: str) -> str:
    if head.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        raise InputError(f"{name} is UTF-32; convert it to UTF-8 first")
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    # A null character here and there is a fault of its line; text in UTF-16 has them everywhere.
    if head.count(b"\0") * _RARE > len(head):
        raise InputError(
            f"{name} is no text, or UTF-16 without a byte order mark; save it as UTF-8"
        )
    return "utf-8-sig"


def lines(chunks: Iterable[str]) -> Iterator[tuple[int, str | None]]:
    """Yield numbered lines without their ends; None stands for one over ``LINE_LIMIT``."""
    number = 1
    parts: list[str] = []
    size = 0
    for chunk in chunks:
        *whole, rest = chunk.split("\n")
        for piece in whole:
            size += len(piece)
            parts.append(piece)
            yield number, None if size > LINE_LIMIT else "".join(parts).removesuffix("\r")
            number, parts, size = number + 1, [], 0
        size += len(rest)
        if size <= LINE_LIMIT:
            parts.append(rest)
        else:
            parts.clear()  # the rest of such a line is only counted
    if size:
        yield number, None if size > LINE_LIMIT else "".join(parts).removesuffix("\r")
