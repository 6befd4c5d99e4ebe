"""A small grammar engine: rules as one-line patterns, read longest first, nothing recursive.

A pattern is words separated by spaces:

    ``next``            this word (a Han word stands for its characters)
    ``next|up_to``      one of these words (``_`` joins a word of several)
    ``{next|last}``     one of these, given to the rule's action
    ``<month>``         something of this category, given to the action
    ``the?``            may be missing (the action gets None for a missing ``{…}?`` or ``<…>?``)

Categories may not refer to themselves, so what a rule can read is bounded and a text is read in
time linear in its length. Of two readings of the same words the rule written first wins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from graphmem.extraction.normalize.text import Kind, Token, tokenize

DIGITS = "0 9"
"""Stands for any run of digits in a set of first tokens; no token holds a space."""

_V = Any  # the values of a rule's categories: only its pattern knows of which types
Action = (
    Callable[[], object]
    | Callable[[_V], object]
    | Callable[[_V, _V], object]
    | Callable[[_V, _V, _V], object]
    | Callable[[_V, _V, _V, _V], object]
)
"""Makes a rule's value from what its pattern captured."""
Scan = Callable[[tuple[Token, ...], int], dict[int, object]]


@dataclass(frozen=True, slots=True)
class _Part:
    """One element of a pattern: words to choose from, or a category."""

    words: tuple[tuple[str, ...], ...] = ()
    category: str = ""
    captured: bool = False
    optional: bool = False


@dataclass(frozen=True, slots=True)
class _Rule:
    parts: tuple[_Part, ...]
    action: Callable[..., object]


class Grammar:
    """Rules by category. Add them all, then read."""

    def __init__(self) -> None:
        self._rules: dict[str, list[_Rule]] = {}
        self._scans: dict[str, tuple[frozenset[str], Scan]] = {}
        self._firsts: dict[str, frozenset[str]] = {}
        self._rule_firsts: dict[int, frozenset[str]] = {}

    def rule(self, category: str, *patterns: str, to: Action) -> None:
        """Read each pattern as ``category``; ``to`` makes its value, or None to refuse."""
        rules = self._rules.setdefault(category, [])
        action: Callable[..., object] = to
        rules.extend(_Rule(_compile(pattern), action) for pattern in patterns)

    def words(self, category: str, table: dict[str, object]) -> None:
        """Read each of these words as its value."""
        for word, value in table.items():
            parts = (_Part(words=(tuple(token.text for token in tokenize(word)),)),)
            self._rules.setdefault(category, []).append(_Rule(parts, _constant(value)))

    def scan(self, category: str, first: Iterable[str], scan: Scan) -> None:
        """Read a category with a function; ``first`` holds the tokens it may start with."""
        self._scans[category] = (frozenset(first), scan)

    def reader(self, tokens: tuple[Token, ...]) -> Reader:
        """Return what reads these tokens."""
        return Reader(self, tokens)

    def first(self, category: str) -> frozenset[str]:
        """Return the tokens a category may begin with."""
        known = self._firsts.get(category)
        if known is None:
            if category in self._scans:
                known = self._scans[category][0]
            else:
                rules = self._rules[category]
                known = frozenset[str]().union(*(self.rule_first(rule) for rule in rules))
            self._firsts[category] = known
        return known

    def rule_first(self, rule: _Rule) -> frozenset[str]:
        """Return the tokens a rule may begin with."""
        known = self._rule_firsts.get(id(rule))
        if known is None:
            found: set[str] = set()
            for part in rule.parts:
                if part.category:
                    found |= self.first(part.category)
                else:
                    found |= {word[0] for word in part.words}
                if not part.optional:
                    break
            known = self._rule_firsts[id(rule)] = frozenset(found)
        return known

    def rules(self, category: str) -> list[_Rule]:
        """Return a category's rules, in order."""
        return self._rules.get(category, [])

    def scanner(self, category: str) -> Scan | None:
        """Return the function of a category that is read by one."""
        entry = self._scans.get(category)
        return entry[1] if entry else None


class Reader:
    """Reads categories at places of one token sequence, remembering what it has read."""

    def __init__(self, grammar: Grammar, tokens: tuple[Token, ...]) -> None:
        self._grammar = grammar
        self._tokens = tokens
        self._known: dict[tuple[str, int], dict[int, object]] = {}

    def read(self, category: str, place: int) -> dict[int, object]:
        """Return every end of a ``category`` that begins at ``place``, with its value."""
        key = (category, place)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._read(category, place)
        return found

    def _read(self, category: str, place: int) -> dict[int, object]:
        if place >= len(self._tokens):
            return {}
        token = self._tokens[place]
        starts = {token.text, DIGITS} if token.kind is Kind.DIGITS else {token.text}
        if starts.isdisjoint(self._grammar.first(category)):
            return {}
        scan = self._grammar.scanner(category)
        if scan is not None:
            return scan(self._tokens, place)
        ends: dict[int, object] = {}
        for rule in self._grammar.rules(category):
            if starts.isdisjoint(self._grammar.rule_first(rule)):
                continue
            for end, values in self._match(rule.parts, 0, place):
                if end not in ends:
                    value = rule.action(*values)
                    if value is not None:
                        ends[end] = value
        return ends

    def _match(
        self, parts: tuple[_Part, ...], index: int, place: int
    ) -> Iterator[tuple[int, tuple[object, ...]]]:
        if index == len(parts):
            yield place, ()
            return
        part = parts[index]
        for end, value in self._element(part, place):
            head = (value,) if part.captured else ()
            for stop, tail in self._match(parts, index + 1, end):
                yield stop, head + tail
        if part.optional:
            head = (None,) if part.captured else ()
            for stop, tail in self._match(parts, index + 1, place):
                yield stop, head + tail

    def _element(self, part: _Part, place: int) -> Iterator[tuple[int, object]]:
        if part.category:
            found = self.read(part.category, place)
            for end in sorted(found, reverse=True):
                yield end, found[end]
            return
        for word in part.words:
            end = place + len(word)
            if end <= len(self._tokens) and all(
                self._tokens[place + step].text == piece for step, piece in enumerate(word)
            ):
                yield end, "".join(word)


def _constant(value: object) -> Callable[..., object]:
    return lambda: value


def _compile(pattern: str) -> tuple[_Part, ...]:
    return tuple(_part(piece) for piece in pattern.split(" "))


def _part(piece: str) -> _Part:
    optional = len(piece) > 1 and piece.endswith("?")
    piece = piece.removesuffix("?") if optional else piece
    if piece.startswith("<"):
        return _Part(category=piece[1:-1], captured=True, optional=optional)
    captured = piece.startswith("{")
    words = piece.strip("{}").replace("_", " ").split("|")
    return _Part(
        words=tuple(tuple(token.text for token in tokenize(word)) for word in words),
        captured=captured,
        optional=optional,
    )
