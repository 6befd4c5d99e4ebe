"""What two memories say, compared; their ids, which are random, are paired as they come up."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, cast

from graphmem.model.search import Page
from graphmem.model.time import from_micros

PLACES = 9
"""Decimals to which numbers are equal."""
_ID = re.compile(r"(?<![0-9a-z])(?:ep|claim|entity|fact|rec|same|change)_[0-9a-f]{32}")


class DifferenceError(AssertionError):
    """Two memories do not say the same."""


class Pairs:
    """Which id of one memory stands for which of the other, and which cursor."""

    def __init__(self) -> None:
        self._other: dict[str, str] = {}
        self._one: dict[str, str] = {}

    def swap(self) -> None:
        """Let each memory have the ids that were the other's."""
        self._other, self._one = self._one, self._other

    def mine(self, theirs: str) -> str:
        """Return what the one memory calls what the other calls ``theirs``."""
        return self._one.get(theirs, theirs)

    def translated(self, value: Any) -> Any:  # Any: an argument of a call
        """Return an argument for the one memory as the other knows it."""
        if isinstance(value, str):
            whole = self._other.get(value)
            return whole or _ID.sub(lambda found: self._other.get(found[0], found[0]), value)
        if isinstance(value, (list, tuple)):
            return [self.translated(part) for part in cast("list[Any]", value)]
        return value

    def pair(self, one: str, other: str, where: str) -> None:
        """Take two ids or cursors for the same thing, from now on.

        Raises:
            DifferenceError: one of them is known to be another thing.
        """
        if self._other.setdefault(one, other) != other or self._one.setdefault(other, one) != one:
            raise DifferenceError(f"{where}: {one} is not {other}")

    def compare(self, one: object, other: object, where: str) -> None:
        """Compare two values, part by part.

        Raises:
            DifferenceError: they differ in more than ids; it names the part.
        """
        if isinstance(one, str) and isinstance(other, str) and not isinstance(one, Enum):
            self._texts(one, other, where)
        elif isinstance(one, float) and isinstance(other, float):
            _equal(round(one, PLACES), round(other, PLACES), where)
        elif type(one) is not type(other):
            raise DifferenceError(f"{where}: {one!r} and {other!r}")
        elif isinstance(one, Page):
            self._pages(cast("Page[object]", one), cast("Page[object]", other), where)
        elif is_dataclass(one):
            for part in fields(one):
                within = f"{where}.{part.name}"
                self.compare(getattr(one, part.name), getattr(other, part.name), within)
        elif isinstance(one, Mapping):
            self._maps(cast("dict[str, object]", one), cast("dict[str, object]", other), where)
        elif isinstance(one, Set):
            known = cast("Set[object]", one)
            _equal({self.translated(part) for part in known}, other, where)
        elif isinstance(one, (list, tuple)):
            self._rows(cast("list[object]", one), cast("list[object]", other), where)
        elif one != other:
            raise DifferenceError(f"{where}: {_shown(one)} and {_shown(other)}")

    def _texts(self, one: str, other: str, where: str) -> None:
        _equal(_ID.sub("ID", one), _ID.sub("ID", other), where)
        for mine, theirs in zip(_ID.findall(one), _ID.findall(other), strict=True):
            self.pair(mine, theirs, where)

    def _pages(self, one: Page[object], other: Page[object], where: str) -> None:
        _equal(one.total, other.total, f"{where}.total")
        self._rows(one.items, other.items, f"{where}.items")
        if one.cursor is not None and other.cursor is not None:
            self._other[one.cursor] = other.cursor
        else:
            _equal(one.cursor, other.cursor, f"{where}.cursor")

    def _maps(self, one: Mapping[str, object], other: Mapping[str, object], where: str) -> None:
        _equal({self.translated(key) for key in one}, {*other}, where)
        for key, value in one.items():
            self.compare(value, other[self.translated(key)], f"{where}[{key!r}]")

    def _rows(
        self, one: list[object] | tuple[object, ...], other: list[object] | tuple[object, ...],
        where: str,
    ) -> None:  # fmt: skip
        for place, (mine, theirs) in enumerate(zip(one, other, strict=False)):
            self.compare(mine, theirs, f"{where}[{place}]")
        if len(one) != len(other):
            both = min(len(one), len(other))
            raise DifferenceError(f"{where} goes on with {one[both:]!r} and {other[both:]!r}")


def _equal(one: object, other: object, where: str) -> None:
    if one != other:
        raise DifferenceError(f"{where}: {_shown(one)} and {_shown(other)}")


def _shown(value: object) -> str:
    """Write a value, an instant also as a date."""
    if type(value) is int and abs(value) > 10**14 and abs(value) < 10**17:
        return f"{value} ({from_micros(value)})"
    return repr(value)
