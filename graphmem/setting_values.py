"""How the value of a setting is read: from text in the environment, TOML in a file, or a caller.

A parser raises ``InputError`` for what it cannot use.
"""

from __future__ import annotations

import difflib
import json
import os
import re
import zoneinfo
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

from graphmem.errors import InputError
from graphmem.model.claim import DEFAULT_AUTHORITY, SourceClass
from graphmem.model.text import require_encodable, require_text

NEO4J_SCHEMES = ("neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc")
"""Schemes of addresses that name a graph store on a server, as the driver takes them."""

Parse = Callable[[object], Any]
# Any: what a parser returns is the type its field declares.


class UnshownError(InputError):
    """What is wrong with a value that must not be shown."""


class Secret:
    """A value that is not shown: ``repr`` and ``str`` give ``***``, ``reveal()`` the value."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """Return the value itself."""
        return self._value

    def __repr__(self) -> str:
        return "***"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._value == self._value

    def __hash__(self) -> int:
        return hash(self._value)


def as_text(value: object) -> str:
    """Return text that is not empty, without space around it."""
    return require_text(value, "the value").strip()


def as_secret(value: object) -> Secret:
    """Return a value that is not shown."""
    if isinstance(value, Secret):
        return value
    if not isinstance(value, str) or not value.strip():
        raise InputError("it is text, and not empty")  # and is not shown
    return Secret(require_encodable(value.strip(), "it"))


def as_choice(*options: str) -> Parse:
    """Return a parser of one of some words."""

    def parse(value: object) -> str:
        if value not in options:
            raise InputError(f"it is one of {', '.join(options)}{nearest(str(value), options)}")
        return cast("str", value)

    return parse


def as_number(least: float, most: float, unit: str = "") -> Parse:
    """Return a parser of a number within bounds."""

    def parse(value: object) -> float:
        wanted = InputError(f"it is a number from {least:g} to {most:g}{unit and ' ' + unit}")
        if isinstance(value, bool) or not isinstance(value, (str, int, float)):
            raise wanted
        try:
            number = float(value)
        except ValueError:
            raise wanted from None
        if not least <= number <= most:  # also refuses NaN
            raise wanted
        return number

    return parse


def as_whole(least: int, most: int) -> Parse:
    """Return a parser of a whole number within bounds."""
    number = as_number(least, most)

    def parse(value: object) -> int:
        given = number(value)
        if not given.is_integer():
            raise InputError("it is a whole number")
        return int(given)

    return parse


_YES = frozenset(("yes", "true", "on", "1"))
_NO = frozenset(("no", "false", "off", "0"))


def as_switch(value: object) -> bool:
    """Return whether something is switched on."""
    word = str(value).strip().lower() if isinstance(value, (bool, int, str)) else ""
    if word not in _YES | _NO:
        raise InputError("it is yes or no")
    return word in _YES


def as_url(value: object) -> str:
    """Return an endpoint's address."""
    text = as_text(value)
    wanted = "it is an address such as http://127.0.0.1:11434/v1"
    try:
        parts = urlsplit(text)
    except ValueError:
        raise InputError(wanted) from None
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise InputError(wanted)
    return text.rstrip("/")


def _as_address(text: str, schemes: tuple[str, ...], wanted: str, instead: str) -> str:
    """Return a server's address; ``instead`` is where a login goes."""
    try:
        parts = urlsplit(text)
        port = parts.port  # not read before it is asked for
    except ValueError:
        raise InputError(wanted) from None
    if "@" in parts.netloc:
        raise UnshownError(f"it holds a login; set {instead}")
    if parts.scheme not in schemes or not parts.hostname or port == 0:
        raise InputError(wanted)
    return text.rstrip("/")


def as_server(value: object) -> str:
    """Return a server's address."""
    wanted = "it is an address such as http://127.0.0.1:6333"
    return _as_address(as_text(value), ("http", "https"), wanted, "qdrant_api_key")


def as_collection(value: object) -> str:
    """Return the name of an index."""
    text = as_text(value)
    if not re.fullmatch(r"[A-Za-z0-9_.-]{1,200}", text):
        raise InputError("it is made of up to 200 letters, digits and . _ -")
    return text


def as_zone(value: object) -> str:
    """Return the name of a zone, or an offset."""
    text = as_text(value)
    if re.fullmatch(r"[+-](?:0\d|1[0-4]):[0-5]\d", text):
        return text
    try:
        zoneinfo.ZoneInfo(text)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        near = nearest(text, zoneinfo.available_timezones())
        raise InputError(
            f"it is a zone such as Europe/Riga or an offset such as +09:00{near}"
        ) from None
    return text


def as_names(value: object) -> tuple[str, ...]:
    """Return a list of names."""
    if isinstance(value, str):
        value = [part for part in value.split(",") if part.strip()]
    if not isinstance(value, (list, tuple)):
        raise InputError("it is a list of names")
    return tuple(as_text(part) for part in cast("Iterable[object]", value))


def as_folder(value: object) -> str:
    """Return a whole path; an address stays as it is."""
    text = as_text(os.fspath(value) if isinstance(value, Path) else value)
    if "\0" in text:
        raise InputError("it is a path, and no path holds a null character")
    return text if "://" in text else os.path.abspath(os.path.expanduser(text))


def as_place(value: object) -> str:
    """Return a folder, or the address of a graph store."""
    text = as_folder(value)
    if "://" not in text:
        return text
    wanted = (
        f"it is a folder, or the address of a Neo4j server ({', '.join(NEO4J_SCHEMES)}), such as "
        "neo4j://127.0.0.1:7687"
    )
    return _as_address(text, NEO4J_SCHEMES, wanted, "neo4j_user and neo4j_password")


def as_file(value: object) -> Path:
    """Return a path."""
    return Path(as_folder(value))


def as_levels(value: object) -> dict[str, int]:
    """Return weights by name."""
    if isinstance(value, str):
        pairs = [part.partition("=") for part in value.split(",") if part.strip()]
        value = {name: level for name, _, level in pairs}
    if not isinstance(value, Mapping):
        raise InputError("it is a table of names and numbers from 0 to 100")
    level = as_number(0, 100)
    items = cast("Mapping[object, object]", value).items()
    return {as_text(name): int(level(number)) for name, number in items}


def as_class_levels(value: object) -> dict[SourceClass, int]:
    """Return the weights of all classes of source."""
    levels = as_levels(value)
    classes = [member.value for member in SourceClass]
    for name in levels:
        if name not in classes:
            raise InputError(f"{name!r} is no class; it is one of {', '.join(classes)}")
    return {**DEFAULT_AUTHORITY, **{SourceClass(name): n for name, n in levels.items()}}


def as_table(value: object) -> dict[str, Any]:
    """Return a table; the environment writes it as JSON."""
    wanted = InputError('it is a table; in the environment JSON, such as {"think": false}')
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            raise wanted from None
    if not isinstance(value, Mapping):
        raise wanted
    return {as_text(name): inner for name, inner in cast("Mapping[object, object]", value).items()}


def as_secrets(value: object) -> dict[str, Secret]:
    """Return a table of values that are not shown."""
    if isinstance(value, str) and not value.lstrip().startswith("{"):
        pairs = [part.partition("=") for part in value.split(",") if part.strip()]
        value = {name: inner for name, _, inner in pairs}
    try:
        return {name: as_secret(inner) for name, inner in as_table(value).items()}
    except InputError:
        raise InputError(
            "it is a table of texts; in the environment NAME=VALUE,…, or JSON"
        ) from None


def nearest(word: str, known: Iterable[str]) -> str:
    """Return a hint at the known word most like this one, or nothing."""
    found = difflib.get_close_matches(word, list(known), n=1)
    return f"; did you mean {found[0]!r}?" if found else ""
