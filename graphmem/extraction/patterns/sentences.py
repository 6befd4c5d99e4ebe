"""Splits a turn into sentences with their places, leaving out what is not the speaker's prose."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field


def words(text: str) -> frozenset[str]:
    """Return the words of a list written as one string."""
    return frozenset(text.split())


def phrases(text: str) -> frozenset[str]:
    """Return the phrases of a list written as one string, with "|" between them."""
    return frozenset(text.split("|"))


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a turn: ``content[begin:stop] == text``.

    Attributes:
        text: without outer spaces and bullets; with its closing mark.
        begin, stop: its place in the turn's content.
        quoted: stretches between quotation marks, marks included, as offsets into ``text``.
    """

    text: str
    begin: int
    stop: int
    quoted: tuple[tuple[int, int], ...] = ()


@dataclass(slots=True)
class Split:
    """A turn's sentences, and how many stretches were left out, by kind."""

    sentences: list[Sentence] = field(default_factory=list[Sentence])
    left_out: dict[str, int] = field(default_factory=dict[str, int])

    def leave(self, kind: str) -> None:
        """Count one stretch left out."""
        self.left_out[kind] = self.left_out.get(kind, 0) + 1


# Blocks that agent frameworks, and our own context(), paste into a turn.
_FENCED = re.compile(
    r"<\s*(graphmem[\w-]*|memor(?:y|ies)[\w-]*|[\w-]*[-_]memor(?:y|ies)|context|system[\w-]*"
    r"|recall(?:ed)?[\w-]*|retrieved[\w-]*|documents?|tool[\w-]*|instructions?|search[\w-]*"
    r"|user[-_](?:profile|context|facts))\b[^<>\n]{0,300}>",
    re.IGNORECASE,
)
_CODE_FENCE = re.compile(r"```|~~~")
_REST_IS_QUOTED = re.compile(
    r"^[ \t>]*(?:-{2,}\s*(?:original|forwarded)\b[^\n]*|begin forwarded message:?"
    r"|on [^\n]{3,120} wrote:|-{2,}\s*(?:原始邮件|转发)[^\n]*)[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_HEADERS = re.compile(
    r"^(?:[ \t]*(?:from|to|cc|subject|sent|date|reply-to|发件人|收件人|主题|发送时间|日期|抄送)"
    r"[ \t]*[:：]"
    r"[^\n]*\n\s*){2,}",
    re.IGNORECASE | re.MULTILINE,
)
_HEADER = re.compile(
    r"^[ \t]*(?:from|to|cc|subject|sent|date|reply-to|发件人|收件人|主题|发送时间|日期|抄送)"
    r"[ \t]*[:：]",
    re.IGNORECASE,
)
_OTHER_SPEAKER = re.compile(
    r"^[ \t]*(?:\[|\()?(?:assistant|system|ai|bot|chatgpt|claude|tool|model|助手|系统|机器人)"
    r"(?:\]|\))?[ \t]*[:：]",
    re.IGNORECASE,
)
_CODE_LINE = re.compile(
    r"^\s*(?:"
    r"(?:(?:async )?def|class|function)\s+\w+\s*[({:].*[;:{(=)]\s*$"
    r"|(?:const|let|var)\s+[\w\[{][^=]{0,100}=.*$"
    r"|(?:public|private|protected)\s+(?:static\s+)?[\w<>\[\]]+\s+\w+\s*[=(].*[;{]\s*$"
    r"|import\s+(?:[\w.]+\s*;|[{*\"'].*|[\w, ]+\sfrom\s+[\"'].*)$|from\s+[\w.]+\s+import\b.*$"
    r"|return\s+[\w.]*[(\[{\"'].*[;:{(=)\]}]\s*$|(?:SELECT|INSERT)\b.*[;(=)]\s*$"
    r"|[}\])]+[;,]?\s*$|.*\{\s*$|(?=.*;\s*$).*(?:[={}\[\]<>]|\w\()|<[^>]+>.*</|#include|\$ (?!\d))"
)
_BULLET = re.compile(r"^[ \t]*(?:[-*•·▪●–—]|\(?\d{1,3}[.)、]|\[[ xX]\])[ \t]+")
_QUOTES = {"“": "”", "「": "」", "『": "』", "«": "»", "‘": "’", '"': '"', "《": "》"}
_QUOTE_LIMIT = 1500
_ENDS = ".!?。！？；;…"
_CLOSERS = "\"'”’」』)）]»"
_ABBREVIATIONS = words(
    "mr mrs ms dr prof st sr jr no vs etc e.g i.e eg ie a.m p.m approx ca dept est fig gen gov hon"
    " inc ltd co corp bros jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat"
    " sun ave blvd rd mt ft messrs mme mlle rev capt col lt sgt u.s u.k u.s.a ph.d b.a m.a b.sc"
    " m.sc min max tel ext vol"
)
_LAST_WORD = re.compile(r"[\w.&'’-]+\Z")


def split_sentences(content: str) -> Split:
    """Return the sentences of a turn that are the speaker's own prose."""
    split = Split()
    for begin, stop in _prose(content, split):
        for line_begin, line_stop in _lines(content, begin, stop):
            _split_line(content, line_begin, line_stop, split)
    return split


def _prose(content: str, split: Split) -> Iterator[tuple[int, int]]:
    """Yield stretches outside fenced blocks and code, up to a forwarded message."""
    marks = [m.start() for m in (_REST_IS_QUOTED.search(content), _HEADERS.search(content)) if m]
    end = min(marks, default=len(content))
    if marks:
        split.leave("quotation")
    folded = content.casefold() if len(content.casefold()) == len(content) else content
    at = 0
    fence = _FENCED.search(content, 0, end)
    code = _CODE_FENCE.search(content, 0, end)
    while at < end:
        first = min((m for m in (fence, code) if m), key=lambda m: m.start(), default=None)
        if first is None:
            yield at, end
            return
        yield at, first.start()
        closer = first.group() if first is code else f"</{first.group(1).casefold()}"
        close = folded.find(closer, first.end(), end)
        split.leave("code" if first is code else "injected")
        if close < 0:
            return
        tag_end = content.find(">", close, end) if first is fence else close + len(closer) - 1
        at = end if tag_end < 0 else tag_end + 1
        # What was found further ahead is not looked for again: a thousand blocks of one kind would
        # each look to the end for the other.
        if fence is not None and fence.start() < at:
            fence = _FENCED.search(content, at, end)
        if code is not None and code.start() < at:
            code = _CODE_FENCE.search(content, at, end)


def _lines(content: str, begin: int, stop: int) -> Iterator[tuple[int, int]]:
    """Yield lines; a line that was only wrapped is joined to the next."""
    start, at = begin, begin
    while at < stop:
        newline = content.find("\n", at, stop)
        if newline < 0:
            break
        line = content[max(start, content.rfind("\n", start, newline) + 1) : newline].rstrip()
        rest = content[newline + 1 : min(newline + 3, stop)]
        wrapped = (
            len(line) >= 40
            and line[-1] not in _ENDS + ":："
            and rest[:1].islower()
            and rest[:1].isascii()
        )
        if not wrapped:
            yield start, newline
            start = newline + 1
        at = newline + 1
    if start < stop:
        yield start, stop


def _left_out(line: str) -> str | None:
    """Say why a whole line is not the speaker's prose, or None if it is."""
    bare = line.lstrip()
    if bare.startswith((">", "＞")):
        return "quotation"
    if _HEADER.match(line) or _OTHER_SPEAKER.match(line):
        return "quotation"
    if _CODE_LINE.match(line):
        return "code"
    return None


def _split_line(content: str, begin: int, stop: int, split: Split) -> None:
    line = content[begin:stop]
    if not line.strip():
        return
    kind = _left_out(line)
    if kind is not None:
        split.leave(kind)
        return
    bullet = _BULLET.match(line)
    start = at = begin + (bullet.end() if bullet else 0)
    quotes: list[tuple[int, int]] = []
    while at < stop:
        char = content[at]
        closed = _closing_quote(content, at, stop) if char in _QUOTES else -1
        if closed > 0:
            quotes.append((at, closed))
            at = closed
            inner_end = content[closed - 2] if closed - 2 > start else ""
            if inner_end in ".!?。！？" and _next_is_capital(content, closed, stop):
                start = _emit(content, start, closed, quotes, split)
            continue
        if char in _ENDS and _is_end(content, start, at, stop):
            at += 1
            while at < stop and content[at] in _ENDS + _CLOSERS:
                at += 1
            start = _emit(content, start, at, quotes, split)
            continue
        at += 1
    _emit(content, start, stop, quotes, split)


def _next_is_capital(content: str, at: int, stop: int) -> bool:
    rest = content[at : min(at + 3, stop)].lstrip()
    return not rest or rest[0].isupper() or rest[0] > "⺀"


def _closing_quote(content: str, at: int, stop: int) -> int:
    """Return the place after the mark that closes the quotation opened at ``at``, or -1."""
    opener = content[at]
    before = content[at - 1] if at else " "
    if opener == "‘" and before.isalnum():
        return -1
    if opener == '"' and before.isdigit():
        return -1  # inches
    closer = _QUOTES[opener]
    limit = min(stop, at + _QUOTE_LIMIT)
    found = content.find(closer, at + 1, limit)
    while opener == "‘" and 0 <= found < limit - 1 and content[found + 1].isalnum():
        found = content.find(closer, found + 1, limit)  # an apostrophe inside
    return found + 1 if found > at + 1 else -1


def _is_end(content: str, start: int, at: int, stop: int) -> bool:
    char = content[at]
    following = content[at + 1] if at + 1 < stop else " "
    if char in "。！？；":
        return True
    if char in "!?;…":
        return True
    # A full stop: ends a sentence before a space, unless it belongs to an abbreviation.
    if not following.isspace() and following not in _CLOSERS + _ENDS and following < "⺀":
        return False
    if following == ".":
        return True
    rest = content[at + 1 : min(at + 4, stop)].strip()
    if not rest:
        return True
    word = _LAST_WORD.search(content, max(start, at - 20), at)
    last = word.group() if word else ""
    if last.casefold() in _ABBREVIATIONS:
        # "… in Jan. We" ends; "Dr. Obi", "9 a.m. sharp" do not.
        return last.casefold() in {"etc", "a.m", "p.m", "inc", "ltd", "co"} and rest[0].isupper()
    initial = len(last) == 1 and last.isupper() and last != "I"
    return not initial or rest[0].islower()


def _emit(content: str, start: int, stop: int, quotes: list[tuple[int, int]], split: Split) -> int:
    text = content[start:stop]
    begin = start + len(text) - len(text.lstrip())
    end = stop - (len(text) - len(text.rstrip()))
    if end > begin and any(char.isalnum() for char in content[begin:end]):
        inside = tuple((a - begin, b - begin) for a, b in quotes if a >= begin and b <= end)
        split.sentences.append(Sentence(content[begin:end], begin, end, inside))
    quotes.clear()
    return stop
