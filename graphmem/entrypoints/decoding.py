"""Bytes to lines of text: UTF-8, or UTF-16 with a byte order mark; anything else is refused."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator
from functools import partial
from typing import BinaryIO

from graphmem.errors import InputError

LINE_LIMIT = 4_000_000
"""Characters; no message is longer than this."""

_CHUNK = 1 << 18


def decoded(file: BinaryIO, name: str) -> Iterator[str]:
    """Yield the file's text in chunks, without a byte order mark.

    A file that can be read twice is checked whole before anything is yielded.

    Raises:
        InputError: it is in another encoding, or not text; names the line.
    """
    if file.seekable():
        start = file.tell()
        for _ in _chunks(file, name):
            pass
        file.seek(start)
    yield from _chunks(file, name)


def _chunks(file: BinaryIO, name: str) -> Iterator[str]:
    chunk = file.read(_CHUNK)
    encoding = _encoding(chunk, name)
    decoder = codecs.getincrementaldecoder(encoding)()
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
    if b"\0" in head:
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
