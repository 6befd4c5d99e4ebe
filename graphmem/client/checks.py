"""The arguments of public calls, checked by their annotations before anything is done.

What a parameter takes stands in its annotation alone; what is too long or too large is said in
``LONGEST`` and ``MOST`` here.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date, datetime
from functools import wraps
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, ParamSpec, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from graphmem.client.border import Whole
from graphmem.errors import InputError
from graphmem.model.shown import shown
from graphmem.model.text import LABEL_LIMIT, require_encodable

P = ParamSpec("P")
T = TypeVar("T")

LONGEST = {
    **dict.fromkeys(("content", "messages", "question", "subject", "object")),
    "statement": 10_000,
}
"""Characters of a text that is no label; None: it has a limit of its own."""
MOST = {"limit": 100_000, "max_tokens": 10_000_000}
"""The largest number that makes sense."""


class Arguments:
    """What a function's parameters take, read from its annotations once."""

    def __init__(self, function: Callable[..., object]) -> None:
        parameters = inspect.signature(function).parameters
        hints = get_type_hints(function)
        self._names = tuple(parameters)
        self._kinds = {
            name: _alternatives(hints[name])
            for name, parameter in parameters.items()
            if name in hints and parameter.kind is not parameter.VAR_KEYWORD
        }

    def check(self, *args: object, **kwargs: object) -> None:
        """Raise ``InputError`` for the first argument that cannot be used, naming it.

        One that is missing or too many is left to the call itself.
        """
        for name, value in (*zip(self._names, args, strict=False), *kwargs.items()):
            if name in self._kinds:
                _check(value, self._kinds[name], name)


def checked(method: Callable[P, T]) -> Callable[P, T]:
    """Check the arguments of every call of ``method``."""
    arguments = Arguments(method)

    if inspect.iscoroutinefunction(method):

        @wraps(method)
        async def awaited(*args: P.args, **kwargs: P.kwargs) -> object:
            arguments.check(*args, **kwargs)
            return await cast("Any", method(*args, **kwargs))  # Any: what it is awaited for

        return cast("Callable[P, T]", awaited)

    @wraps(method)
    def called(*args: P.args, **kwargs: P.kwargs) -> T:
        arguments.check(*args, **kwargs)
        return method(*args, **kwargs)

    return called


def _alternatives(hint: object) -> tuple[object, ...]:
    if get_origin(hint) in (Union, UnionType):
        return tuple(kind for part in get_args(hint) for kind in _alternatives(part))
    return (hint,)


def _check(value: object, kinds: tuple[object, ...], name: str) -> None:
    if not any(_fits(value, kind, name) for kind in kinds):
        listed = " or ".join(dict.fromkeys(filter(None, map(_words, kinds))))
        raise InputError(f"{name} must be {listed}, not {type(value).__name__}: {shown(value)}")


def _fits(value: object, kind: Any, name: str) -> bool:  # Any: an annotation
    """Whether ``value`` is of a kind; one that is, and is too long or too large, is refused."""
    known = _PLAIN.get(get_origin(kind) or kind)
    if known is not None:
        return known(value, name, *get_args(kind))
    if getattr(kind, "_is_protocol", False):
        parts = [part for part in vars(cast("type", kind)) if not part.startswith("_")]
        return all(hasattr(value, part) for part in parts)
    return isinstance(value, kind)


def _words(kind: Any) -> str | None:  # Any: an annotation
    origin = get_origin(kind) or kind
    return None if origin is NoneType else _NAMES.get(origin, origin.__name__)


def _text(value: object, name: str) -> bool:
    if not isinstance(value, str):
        return False
    limit = LONGEST.get(name, LABEL_LIMIT)
    if limit is not None and len(value) > limit:
        raise InputError(
            f"{name} has {len(value):,} characters, and the limit is {limit:,}: {shown(value)}; "
            "give a shorter one"
        )
    if name not in _BATCHES:
        require_encodable(value, name)
    if name in _FILES and "\0" in value:
        raise InputError(f"{name} {shown(value)} holds a null character; no file is called so")
    return True


def _flag(value: object, _name: str) -> bool:
    return isinstance(value, bool)


def _whole(value: object, name: str) -> bool:
    if not isinstance(value, int) or isinstance(value, bool):
        return False
    if value > MOST.get(name, 2**31):
        raise InputError(f"{name} must be at most {MOST.get(name, 2**31):,}, not {shown(value)}")
    return True


def _number(value: object, _name: str) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _nothing(value: object, _name: str) -> bool:
    return value is None


def _moment(value: object, _name: str) -> bool:
    return isinstance(value, date)


def _path(value: object, name: str) -> bool:
    return isinstance(value, Path) and _text(os.fsdecode(value), name)


def _function(value: object, _name: str, *_parts: object) -> bool:
    return callable(value)


def _list(value: object, name: str, part: object) -> bool:
    """A list, or what can be gone through; messages are looked at one by one, later."""
    if isinstance(value, (str, bytes, bytearray, Mapping)):
        return False
    if name in _BATCHES:
        return isinstance(value, Iterable)
    if not isinstance(value, Collection):
        return False
    for item in cast("Collection[object]", value):
        _check(item, _alternatives(part), f"each of {name}" if part is str else name)
    return True


def _table(value: object, name: str, *parts: object) -> bool:
    if not isinstance(value, Mapping):
        return False
    if name not in _BATCHES:
        for pair in cast("Mapping[object, object]", value).items():
            for item, part in zip(pair, parts, strict=True):
                _check(item, _alternatives(part), f"each name and value of {name}")
    return True


_FILES = frozenset({"path", "ontology", "to"})
_BATCHES = frozenset({"content", "messages"})
"""Parameters of which each item is judged by itself, so that a bad one does not stop the rest."""
_PLAIN: dict[object, Callable[..., bool]] = {
    str: _text,
    bool: _flag,
    int: _whole,
    float: _number,
    NoneType: _nothing,
    date: _moment,
    datetime: _moment,
    Path: _path,
    Callable: _function,
    Sequence: _list,
    Mapping: _table,
}
_NAMES: dict[object, str] = {
    str: "text",
    bool: "True or False",
    int: "a whole number",
    float: "a number",
    date: "a date",
    datetime: "a datetime",
    Path: "a path",
    Callable: "a function",
    Sequence: "a list",
    Mapping: "a mapping",
    Whole: "left out, to erase everything of the user",
}
