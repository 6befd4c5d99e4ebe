"""Finds JSON in what a model wrote: among prose, in fences, behind thoughts, cut off, half broken.

The work is bounded whatever the text: each failed attempt is paid for from a budget that grows
with the length of the text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_DECODER = json.JSONDecoder(strict=False)  # models put raw line breaks into strings
_OPENER = re.compile(r"[{\[]")
_AFTER_OPENER = re.compile(r"[{\[]\s*[\"'{\[}\]]")
_THOUGHT = re.compile(
    r"<(think|thinking|thought|reasoning|reflection|analysis)\b[^<>]{0,100}>", re.IGNORECASE
)
_THOUGHT_END = re.compile(
    r"</(?:think|thinking|thought|reasoning|reflection|analysis)\s*>", re.IGNORECASE
)
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")
_BAD_ESCAPE = re.compile(r"\\(?![\"\\/bfnrtu])")
_FAILURES = 400
_ITEM_LIMIT = 20_000
"""Longest stretch, in characters, in which one broken item is looked for."""


@dataclass(slots=True)
class Found:
    """The JSON values of a text.

    Attributes:
        values: objects and lists, in order; what lies inside one is not listed again.
        broken: something that began like JSON could not be read whole.
        cut: the text ended inside it.
        thought: it stands among thoughts that never ended, for want of an answer after them.
    """

    values: list[object] = field(default_factory=list[object])
    broken: bool = False
    cut: bool = False
    thought: bool = False


def find_json(text: str) -> Found:
    """Return every object and list that can be read in ``text``; never raises."""
    found = Found()
    for part, thought in _answer_parts(text):
        found = _scan(part)
        found.thought = thought
        if found.values:
            break
    return found


def _answer_parts(text: str) -> Iterator[tuple[str, bool]]:
    """Yield where the answer may be, likeliest first, and whether that is inside thoughts."""
    ends = [end.end() for end in _THOUGHT_END.finditer(text)]
    if ends:
        yield text[ends[-1] :], False
    begin = _THOUGHT.search(text)
    if begin is not None:
        yield text[: begin.start()], False
    yield text, bool(begin or ends)


def _scan(text: str) -> Found:
    found = Found()
    if text.lstrip().startswith('"'):
        # An answer that was encoded twice.
        try:
            inner: object = json.loads(text)
        except (ValueError, RecursionError):
            inner = None
        text = inner if isinstance(inner, str) else text
    budget, failures, at = 40 * len(text) + 100 * _ITEM_LIMIT, 0, 0
    length = len(text.rstrip())
    while (opener := _OPENER.search(text, at)) is not None:
        begin = opener.start()
        try:
            value, at = _DECODER.raw_decode(text, begin)
        except RecursionError:
            # Nested beyond sense; nothing of ours is.
            found.broken = True
            return found
        except json.JSONDecodeError as error:
            at = begin + 1
            if _AFTER_OPENER.match(text, begin) is None:
                continue  # a brace in prose
            found.broken = True
            found.cut = found.cut or error.pos >= length or error.msg.startswith("Unterminated")
            budget -= error.pos - begin + 50
            mended = _mend(text, begin, error.pos) if budget > 0 else None
            if mended is not None:
                value, at = mended
                found.values.append(value)
                continue
            failures += 1
            budget -= _ITEM_LIMIT
            if budget < 0 or failures > _FAILURES:
                return found
        else:
            found.values.append(value)
    return found


def _mend(text: str, begin: int, fault: int) -> tuple[object, int] | None:
    """Read one object with trailing commas or wrong escapes; return it and where it ends."""
    if text[begin] != "{" or fault - begin > _ITEM_LIMIT:
        return None
    end = _closing_brace(text, begin)
    if end is None:
        return None
    mended = _BAD_ESCAPE.sub(r"\\\\", _TRAILING_COMMA.sub(r"\1", text[begin:end]))
    try:
        value: object = json.loads(mended, strict=False)
    except (ValueError, RecursionError):
        return None
    return value, end


def _closing_brace(text: str, begin: int) -> int | None:
    depth, inside, escaped = 0, False, False
    for at in range(begin, min(len(text), begin + _ITEM_LIMIT)):
        char = text[at]
        if escaped:
            escaped = False
        elif inside:
            escaped = char == "\\"
            inside = char != '"'
        elif char == '"':
            inside = True
        elif char == "{":
            depth += 1
        elif char == "}":
            depth -= 1
            if depth == 0:
                return at + 1
    return None
