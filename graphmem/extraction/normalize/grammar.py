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

from collections.abc import Callable, Iterable
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
    """A pattern's parts, and the number of what it begins with up to each of them.

    Rules of a grammar that begin alike share these numbers, and their beginning is read once.
    """

    parts: tuple[_Part, ...]
    begins: tuple[int, ...]
    action: Callable[..., object]


_Way = tuple[int, tuple[object, ...]]
"""How far some parts of a rule have read, and what they captured."""


class Grammar:
    """Rules by category. Add them all, then read."""

    def __init__(self) -> None:
        self._rules: dict[str, list[_Rule]] = {}
        self._scans: dict[str, tuple[frozenset[str], Scan]] = {}
        self._firsts: dict[str, frozenset[str]] = {}
        self._rule_firsts: dict[int, frozenset[str]] = {}
        self._candidates: dict[tuple[str, ...], list[_Rule]] = {}
        self._begins: dict[tuple[_Part, ...], int] = {}

    def rule(self, category: str, *patterns: str, to: Action) -> None:
        """Read each pattern as ``category``; ``to`` makes its value, or None to refuse."""
        rules = self._rules.setdefault(category, [])
        action: Callable[..., object] = to
        rules.extend(self._rule(_compile(pattern), action) for pattern in patterns)

    def words(self, category: str, table: dict[str, object]) -> None:
        """Read each of these words as its value."""
        for word, value in table.items():
            parts = (_Part(words=(tuple(token.text for token in tokenize(word)),)),)
            self._rules.setdefault(category, []).append(self._rule(parts, _constant(value)))

    def _rule(self, parts: tuple[_Part, ...], action: Callable[..., object]) -> _Rule:
        begins = (parts[:length] for length in range(1, len(parts) + 1))
        numbers = (self._begins.setdefault(each, len(self._begins)) for each in begins)
        return _Rule(parts, tuple(numbers), action)

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

    def begins(self, category: str, token: Token) -> bool:
        """Whether a category may begin with a token."""
        first = self.first(category)
        return token.text in first or (token.kind is Kind.DIGITS and DIGITS in first)

    def rules(self, category: str, token: Token) -> list[_Rule]:
        """Return those of a category's rules, in order, that may begin with a token."""
        starts = {token.text, DIGITS} if token.kind is Kind.DIGITS else {token.text}
        starts &= self.first(category)
        key = (category, *sorted(starts))  # the words of the grammar, so these are few
        known = self._candidates.get(key)
        if known is None:
            known = self._candidates[key] = [
                rule
                for rule in self._rules.get(category, [])
                if not starts.isdisjoint(self.rule_first(rule))
            ]
        return known

    def vocabulary(self) -> frozenset[str]:
        """Return every token that a rule or scan names (numerals are named by scans)."""
        named = (
            token
            for rules in self._rules.values()
            for rule in rules
            for part in rule.parts
            for word in part.words
            for token in word
        )
        return frozenset(named).union(*(first for first, _ in self._scans.values()))

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
        if place >= len(self._tokens) or not self._grammar.begins(category, self._tokens[place]):
            return {}
        key = (category, place)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._read(category, place)
        return found

    def _read(self, category: str, place: int) -> dict[int, object]:
        scan = self._grammar.scanner(category)
        if scan is not None:
            return scan(self._tokens, place)
        ends: dict[int, object] = {}
        shared: dict[int, list[_Way]] = {}
        for rule in self._grammar.rules(category, self._tokens[place]):
            for end, values in self._match(rule, place, shared):
                if end not in ends:
                    value = rule.action(*values)
                    if value is not None:
                        ends[end] = value
        return ends

    def _match(self, rule: _Rule, place: int, shared: dict[int, list[_Way]]) -> list[_Way]:
        """Return every way to read a rule from a place, longest choices first.

        ``shared`` holds what rules with the same beginning have read from there.
        """
        ways: list[_Way] = [(place, ())]
        for part, begin in zip(rule.parts, rule.begins, strict=True):
            further = shared.get(begin)
            if further is None:
                further = shared[begin] = self._further(part, ways)
            if not further:
                return further
            ways = further
        return ways

    def _further(self, part: _Part, ways: list[_Way]) -> list[_Way]:
        further: list[_Way] = []
        for at, values in ways:
            for end, value in self._element(part, at):
                further.append((end, (*values, value) if part.captured else values))
            if part.optional:
                further.append((at, (*values, None) if part.captured else values))
        return further

    def _element(self, part: _Part, place: int) -> list[tuple[int, object]]:
        if place >= len(self._tokens):
            return []
        if part.category:
            found = self.read(part.category, place)
            return sorted(found.items(), reverse=True) if len(found) > 1 else list(found.items())
        first = self._tokens[place].text
        return [
            (place + len(word), "".join(word))
            for word in part.words
            if word[0] == first and (len(word) == 1 or self._stand(word, place))
        ]

    def _stand(self, word: tuple[str, ...], place: int) -> bool:
        """Whether the pieces of a word stand at a place."""
        if place + len(word) > len(self._tokens):
            return False
        return all(self._tokens[place + step].text == piece for step, piece in enumerate(word))


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
