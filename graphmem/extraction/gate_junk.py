"""Turns that are nothing but what machines write: links, logs, encoded data, code, emoticons. Pure.

A turn is left out only if every line of it is junk. One line of the speaker's own prose, and the
whole turn is read, so that "I get this error on my laptop" keeps its log.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter

from graphmem.extraction.patterns.sentences import Split

_LINK = re.compile(
    r"(?:https?|ftp|file)://[^\s<>，。；、（）“”]+|www\.[^\s<>，。；、（）“”]+", re.IGNORECASE
)
_DATA_LINK = re.compile(r"data:[\w/+.-]{3,60};base64,[A-Za-z0-9+/=]*", re.IGNORECASE)
_ENCODED = re.compile(r"[A-Za-z0-9+/_=-]{60,}")
_HEX = re.compile(r"(?:[0-9a-f]{2}[\s:]*){24,}|(?:[0-9A-F]{2}[\s:]*){24,}|[0-9a-fA-F]{40,}")
_LEVEL = re.compile(
    r"\b(?:ERROR|WARN(?:ING)?|INFO|DEBUG|TRACE|FATAL|CRITICAL|NOTICE|SEVERE|PANIC)\b"
    r"|\[(?:error|warn(?:ing)?|info|debug|trace|fatal|critical|notice)\]"
    r"|(?:错误|警告|严重|调试)[:：\]】]"
)
_STAMP = re.compile(
    r"\[?(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}[T ]\d{1,2}:\d{2}(?::\d{2})?|\d{1,2}:\d{2}:\d{2}[.,]\d{3}"
    r"|[A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2})"
)
_LOG = re.compile(
    r"\d{1,3}(?:\.\d{1,3}){3} .{0,80}\"(?:GET|POST|PUT|DELETE|HEAD|PATCH) .*"
    r"|\s*Traceback \(most recent call last\):|\s*File \".{1,300}\", line \d+.*"
)
_MAYBE_LOG = re.compile(
    r"\s*(?:at [\w$.<>]{1,200}\(.{0,200}\)|at .{1,200}:\d+:\d+\)?|Caused by: .*|\.\.\. \d+ more"
    r"|[\w.]{1,100}(?:Error|Exception)\b.{0,300}|goroutine \d+ \[.*)"
)
_CODE = re.compile(
    r"\s*(?:"
    r"(?:(?:async )?def|class|function|func|fn|public|private|protected|static|const|let|var|struct"
    r"|enum|interface|impl|namespace)\s.{0,300}[({:;=>]\s*\S{0,200}"
    r"|(?:from [\w.]+ )?import [\w.{},*\s\"'/]{1,200};?|#include\s*[<\"].{1,100}|#!/.{1,100}"
    r"|(?:SELECT\s.{1,200}\sFROM|INSERT INTO|UPDATE\s.{1,200}\sSET|DELETE FROM|CREATE TABLE)\s"
    r".{1,300}"
    r"|[\w.\[\]\"'$*]{1,80}\s*(?:[-+*/|&]?=|:=)\s*[\w.]{0,80}[(\[{\"'`].{0,300}[)\]}\"'`];?"
    r"|.{0,300}(?:[={}\[\]<>]|\w\().{0,200};|.{0,300}[{}]"
    r"|[-+]{3} [ab]?/\S.{0,200}|@@ .{0,100}@@.{0,200}|>>> .{0,300}"
    r")\s*"
)
_MAYBE_CODE = re.compile(
    r"\s*(?:"
    r"(?:if|for|while|elif|else|switch|try|except|catch|with)\b.{0,300}[:{]"
    r"|(?:return|raise|throw|yield|print|echo|await|break|continue|pass)\b(?:[\s(].{0,300})?"
    r"|(?:else:|try:|end|fi|done)|[\w.\[\]\"'$*]{1,80}\s*(?:[-+*/|&]?=|:=|\+\+|--)\s*.{0,300}"
    r"|[\w.]{1,80}\(.{0,300}\)|(?:FROM|WHERE|JOIN|GROUP BY|ORDER BY|DROP|ALTER|VALUES)\s.{1,300}"
    r"|(?://|/\*|\*/|<!--|-->|@\w|#\s).{0,300}|[\[\](){},;]+|[-+] .{0,300}|\$ \S.{0,300}"
    r"|\"[\w$ .-]{1,80}\"\s*:\s*.{0,300}|.{0,300};"
    r")\s*"
)
_TAG = re.compile(r"</?[A-Za-z!][^<>]{0,300}>")
_EMOTICON = re.compile(
    r"(?:[:;=8xX]['’]?[-~^o]?[)(\]\[DdPpOo3/\\|*><]{1,9}|<[/3]{1,4}|[TQ]_{1,5}[TQ]"
    r"|[oO>^=.-]{1,3}_{1,5}[oO<^=.-]{1,3}|\^[-_.o]{0,3}\^|[Xx]D{1,9}|orz|OTZ|QAQ|QwQ|TAT|2333*|666+)"
)
_CODE_LINES = 3
"""Fewer lines of code may be a sentence with odd marks."""
_FEW_WORDS = 3
_DATA = 500
"""Characters from which JSON is a dump; a short object may be what somebody says of himself."""
_LONGEST_LINE = 5_000


def junk(content: str, split: Split) -> str | None:
    """Return what a turn is full of: "link", "log", "encoded", "data", "code" or "no words".

    None if any line of it may be prose. ``split`` is the turn's, whole.
    """
    if not _wordy(content):
        return "no words"
    if _is_data(content):
        return "data"
    kinds: Counter[str] = Counter()
    sure, at = False, 0
    for line in content.split("\n"):
        begin, stop = at, at + len(line)
        at = stop + 1
        if not line.strip():
            continue
        kind, certain = _kind(line[:_LONGEST_LINE])
        if not any(s.begin < stop and s.stop > begin for s in split.sentences):
            kind = kind or "code"  # left out already, as code or quotation
        if kind is None:
            return None
        kinds[kind] += 1
        sure = sure or certain
    if not sure or (set(kinds) == {"code"} and kinds["code"] < _CODE_LINES):
        return None
    return max(kinds, key=lambda kind: kinds[kind])


def _is_data(content: str) -> bool:
    text = content.strip()
    if text[:1] not in ("{", "[") or len(text) < _DATA:
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _kind(line: str) -> tuple[str | None, bool]:
    """Return what kind of junk a line is, and whether that is sure by itself; None is prose."""
    folded = unicodedata.normalize("NFKC", line).strip()
    for kind, pattern in (("encoded", _DATA_LINK), ("link", _LINK), ("no words", _EMOTICON)):
        if not _wordy(pattern.sub(" ", folded)):
            return kind, True
    if _HEX.fullmatch(folded) or (_ENCODED.fullmatch(folded) and _mixed(folded)):
        return "encoded", True
    if _LOG.fullmatch(folded) or (_STAMP.match(folded) and _LEVEL.search(folded, 0, 200)):
        return "log", True
    if _TAG.search(folded) and len(_TAG.sub(" ", folded).split()) < _FEW_WORDS:
        return "code", True
    if _CODE.fullmatch(line):
        return "code", True
    if _MAYBE_CODE.fullmatch(line):
        return "code", False
    maybe = _LEVEL.match(folded) or _STAMP.match(folded) or _MAYBE_LOG.fullmatch(folded)
    return ("log", False) if maybe else (None, False)


def _wordy(text: str) -> bool:
    """Whether there is a letter, or a digit that is not part of an emoji."""
    return any(char.isalnum() for char in _KEYCAP.sub(" ", text))


_KEYCAP = re.compile(r"[0-9#*]\ufe0f?\u20e3")


def _mixed(text: str) -> bool:
    """Whether small and capital letters and digits are mixed as in no word."""
    kinds = (str.isdigit, str.islower, str.isupper)
    return all(any(kind(char) for char in text) for kind in kinds)
