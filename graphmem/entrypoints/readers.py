"""Conversation files to messages: JSON Lines, JSON, plain text transcripts.

Nothing is stored here. What cannot be read is yielded in its place, with where and why, and does
not stop the rest. JSON Lines and transcripts are streamed; a JSON document is read whole.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator
from enum import StrEnum
from pathlib import PurePath
from typing import BinaryIO

from graphmem.entrypoints.decoding import LINE_LIMIT, broken, decoded, lines
from graphmem.entrypoints.messages import Message, Unreadable, messages_in
from graphmem.entrypoints.transcript import read_transcript
from graphmem.errors import InputError

__all__ = ["Format", "Message", "Unreadable", "read_messages"]

DOCUMENT_LIMIT = 256_000_000
"""Characters of a JSON document, which is held in memory."""


class Format(StrEnum):
    """How a conversation file is written."""

    JSONL = "jsonl"
    JSON = "json"
    TEXT = "text"


_SUFFIXES = {".jsonl": Format.JSONL, ".ndjson": Format.JSONL, ".json": Format.JSON}


def read_messages(
    file: BinaryIO, *, name: str = "-", format: Format | None = None
) -> Iterator[Message | Unreadable]:
    """Yield what a file holds, in order.

    Args:
        file: open for reading bytes.
        name: its name; the ending may tell the format, and it appears in messages.
        format: how it is written; None finds out.

    Raises:
        InputError: another encoding, no text, or a JSON document that is broken or over
            ``DOCUMENT_LIMIT``.
    """
    known = format or _SUFFIXES.get(PurePath(name).suffix.lower())
    chunks = decoded(file, name, by_line=known is Format.JSONL)
    first = next(chunks, "")
    chunks = itertools.chain([first], chunks)
    how = known or _guess(first)
    if how is Format.TEXT:
        yield from read_transcript(lines(chunks))
    elif how is Format.JSONL:
        yield from _json_lines(lines(chunks), PurePath(name).stem)
    else:
        yield from messages_in(_document(chunks, name), "", PurePath(name).stem)


def _guess(head: str) -> Format:
    text = head.lstrip()
    if not text.startswith(("{", "[")):
        return Format.TEXT
    line, newline, rest = text.partition("\n")
    try:
        json.loads(line)
    except ValueError:
        # "[2024-05-01 10:00] Ana: …" is a transcript.
        return Format.TEXT if text[1:2].isdigit() else Format.JSON
    return Format.JSONL if newline and rest.strip() else Format.JSON


def _json_lines(
    numbered: Iterable[tuple[int, str | None]], stem: str
) -> Iterator[Message | Unreadable]:
    for number, line in numbered:
        where = f"line {number}"
        if line is None:
            yield Unreadable(where, f"is longer than {LINE_LIMIT:,} characters")
        elif broken(line):
            yield Unreadable(
                where, "is not UTF-8; convert it, for example: iconv -f GB18030 -t UTF-8"
            )
        elif line.strip():
            try:
                value = json.loads(line)
            except (ValueError, RecursionError) as error:
                yield Unreadable(where, f"is no JSON: {error}")
            else:
                yield from messages_in(value, where, f"{stem}#{number}")


def _document(chunks: Iterable[str], name: str) -> object:
    parts: list[str] = []
    size = 0
    for chunk in chunks:
        size += len(chunk)
        if size > DOCUMENT_LIMIT:
            raise InputError(
                f"{name} is a JSON document of more than {DOCUMENT_LIMIT:,} characters; write it "
                "as JSON Lines, one message a line"
            )
        parts.append(chunk)
    try:
        return json.loads("".join(parts))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name} is no JSON: {error}") from error
