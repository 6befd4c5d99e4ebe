"""Labelled snippets of conversation: what a careful reader would remember of them, and what not.

A folder holds ``en.jsonl`` and ``zh.jsonl``; each line is one snippet:

- ``id``, ``lang``, ``kinds`` (of ``KINDS``), ``zone`` (IANA), ``me`` (names of the user, if the
  talk has named speakers);
- ``earlier`` turns, which are only shown, and ``turns``, which are read: ``role``, ``name``, ``at``
  (ISO with the zone's offset), ``content``;
- ``known``: what was believed before: ``id``, ``subject``, ``predicate``, ``object``, ``said`` (a
  day), and ``polarity``, ``modality``, ``from``, ``to`` where they are not the usual ones;
  ``after`` is what must become of it: kept (the default), ended, retracted, gone (ended or
  retracted), any; ``ended`` the spans in which its end lies, without which it is over by the last
  turn;
- ``gold``: what must be stored; ``allowed``: what may be; ``forbidden``: what must not, with
  ``why``. What is in none of them is wrong.

A shape of a fact gives ``subject``, ``predicate``, ``object``, each with all fair wordings, "|"
between them: "*" is any, "-" no object, "me" the user, and "~a b" whatever holds the words a and b.
``polarity`` and ``modality`` are "+" and "asserted" unless given; a forbidden shape without them
has any. ``from`` and ``to`` are the spans that the fact's bounds must lie in: a year, month, day or
instant in the snippet's zone, "A/B" from A up to B, "none" (no date may be given), "over" (it ended
by the last turn). ``detail`` are words that must be kept somewhere in the fact, ``importance`` its
range, and ``or`` further shapes that do as well.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, cast
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from graphmem.errors import InputError
from graphmem.model.claim import Modality, Polarity
from graphmem.model.episode import Role
from graphmem.model.instants import span_of
from graphmem.model.time import to_micros

FILES = ("en.jsonl", "zh.jsonl")

KINDS = frozenset(
    """pronoun reference confirmation assistant tool question hypothetical fiction roleplay quote
    joke instruction standing injected prompt_injection code junk typo emoji mixed group
    third_person role alias namesake qualifier importance preference reversal literal number
    negation remember document direction self_loop format several long
    update compatible ending cancel correction retraction restated resumed exception named_change
    plan ahead past since duration relative week zone declined event old_turn""".split()  # noqa: SIM905 - a list of words
)
"""What a snippet tries: how it is said, what it does to what is known, and when it holds."""
AFTER = ("kept", "ended", "retracted", "gone", "any")
"""What becomes of what was known."""
NONE, OVER = "none", "over"

Row = Mapping[str, Any]  # Any: one JSON object, checked field by field below
Readings = tuple[tuple[int, int], ...]
"""Spans in microseconds UTC, each with its first instant and the first after."""


class GoldError(ValueError):
    """A line that is not as this module says; the message names file and line."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One message, and when it was said, in the snippet's zone."""

    role: str
    name: str | None
    at: datetime
    content: str

    def message(self, zone: str) -> dict[str, object]:
        """Return it as a message for ``Memory.add``."""
        told: dict[str, object] = {"role": self.role, "content": self.content, "zone": zone}
        named = {"name": self.name} if self.name else {}
        return {**told, **named, "occurred_at": self.at, "session": "s"}


@dataclass(frozen=True, slots=True)
class When:
    """What a bound may be: ``word`` is NONE, OVER or "" for one inside ``spans``."""

    word: str
    spans: Readings = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A fact in all its fair wordings; empty polarities and modalities mean any."""

    subjects: tuple[str, ...]
    predicates: tuple[str, ...]
    objects: tuple[str, ...]
    polarities: tuple[str, ...] = ("+",)
    modalities: tuple[str, ...] = ("asserted",)
    start: tuple[When, ...] = ()
    end: tuple[When, ...] = ()
    detail: str = ""
    importance: tuple[int, int] | None = None
    why: str = ""
    others: tuple[Shape, ...] = ()

    def __str__(self) -> str:
        said = "; ".join(
            "|".join(words) for words in (self.subjects, self.predicates, self.objects)
        )
        marks = [m for m in (*self.polarities, *self.modalities) if m not in ("+", "asserted")]
        return " ".join([said, *marks])


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A fact that was believed before, and what must become of it."""

    id: str
    subject: str
    predicate: str
    object: str | None
    said: datetime
    polarity: str = "+"
    modality: str = "asserted"
    valid_from: str | None = None
    valid_to: str | None = None
    after: str = "kept"
    ended: tuple[When, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """A piece of conversation with its labels."""

    id: str
    lang: str
    kinds: tuple[str, ...]
    zone: str
    me: tuple[str, ...]
    earlier: tuple[Turn, ...]
    turns: tuple[Turn, ...]
    known: tuple[Known, ...]
    gold: tuple[Shape, ...]
    allowed: tuple[Shape, ...]
    forbidden: tuple[Shape, ...]

    @property
    def said(self) -> int:
        """When the last turn was said, microseconds UTC."""
        return to_micros(self.turns[-1].at)


def load(folder: Path) -> list[Snippet]:
    """Read the snippets of a folder.

    Raises:
        GoldError: a line is not as it should be, or an id is there twice.
    """
    found: dict[str, Snippet] = {}
    for name in FILES:
        path = folder / name
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if not line.strip():
                continue
            where = f"{name}:{number}"
            try:
                snippet = read(json.loads(line))
            except (ValueError, InputError) as error:
                raise GoldError(f"{where}: {error}") from None
            if snippet.id in found:
                raise GoldError(f"{where}: the id {snippet.id!r} is there twice")
            if snippet.lang != path.stem:
                raise GoldError(f"{where}: {snippet.id} is in {snippet.lang!r}, not {path.stem!r}")
            found[snippet.id] = snippet
    return list(found.values())


def read(row: object) -> Snippet:
    """Read one snippet.

    Raises:
        GoldError: it is not as this module says.
    """
    fields = _fields(
        row, "snippet", must="id lang kinds zone turns",
        may="me earlier known gold allowed forbidden",
    )  # fmt: skip
    zone = _text(fields, "zone")
    here = _zone(zone)
    kinds = _texts(fields, "kinds")
    if strange := [kind for kind in kinds if kind not in KINDS]:
        raise GoldError(f"unknown kinds {strange}")
    earlier, turns = _turns(fields, "earlier", here), _turns(fields, "turns", here)
    times = [turn.at for turn in (*earlier, *turns)]
    if times != sorted(set(times)):
        raise GoldError("turns must follow each other in time")
    known = tuple(_known(each, here) for each in _list(fields, "known"))
    gold, allowed, forbidden = (
        tuple(_shape(each, zone, forbidden=name == "forbidden") for each in _list(fields, name))
        for name in ("gold", "allowed", "forbidden")
    )
    if not (gold or forbidden or any(each.after != "any" for each in known)):
        raise GoldError("it judges nothing: it has no gold, nothing forbidden and nothing known")
    if len({each.id for each in known}) != len(known):
        raise GoldError("an id of what is known is there twice")
    if not turns or not kinds:
        raise GoldError("turns and kinds must not be empty")
    return Snippet(
        id=_text(fields, "id"), lang=_text(fields, "lang"), kinds=kinds, zone=zone,
        me=_texts(fields, "me"), earlier=earlier, turns=turns, known=known,
        gold=gold, allowed=allowed, forbidden=forbidden,
    )  # fmt: skip


def _turns(fields: Row, name: str, here: ZoneInfo) -> tuple[Turn, ...]:
    return tuple(_turn(each, here) for each in _list(fields, name))


def _turn(row: object, here: ZoneInfo) -> Turn:
    fields = _fields(row, "turn", must="role at content", may="name")
    role = _text(fields, "role")
    if role not in [each.value for each in Role]:
        raise GoldError(f"{role!r} is no role")
    at = datetime.fromisoformat(_text(fields, "at"))
    if at.utcoffset() != at.replace(tzinfo=here).utcoffset():
        raise GoldError(f"{fields['at']!r} is not in the zone {here.key}")
    return Turn(role, fields.get("name"), at, _text(fields, "content"))


def _known(row: object, here: ZoneInfo) -> Known:
    fields = _fields(
        row, "known fact", must="id subject predicate said",
        may="object polarity modality from to after ended",
    )  # fmt: skip
    after = fields.get("after", "kept")
    if after not in AFTER:
        raise GoldError(f"after is {after!r}, not one of {', '.join(AFTER)}")
    if "ended" in fields and after != "ended":
        raise GoldError("a time of the end is given for what does not end")
    return Known(
        id=_text(fields, "id"),
        subject=_text(fields, "subject"),
        predicate=_text(fields, "predicate"),
        object=fields.get("object"),
        said=datetime.fromisoformat(_text(fields, "said") + "T12:00").replace(tzinfo=here),
        polarity=Polarity(fields.get("polarity", "+")).value,
        modality=Modality(fields.get("modality", "asserted")).value,
        valid_from=fields.get("from"),
        valid_to=fields.get("to"),
        after=after,
        ended=_whens(fields, "ended", here.key),
    )


def _shape(row: object, zone: str, *, forbidden: bool = False) -> Shape:
    fields = _fields(
        row, "fact", must="subject predicate object" + (" why" if forbidden else ""),
        may="polarity modality from to detail importance or",
    )  # fmt: skip
    polarities, modalities = _words(fields, "polarity"), _words(fields, "modality")
    for word in polarities:
        Polarity(word)
    for word in modalities:
        if word != "any":
            Modality(word)
    usual = ((), ()) if forbidden else (("+",), ("asserted",))
    importance = fields.get("importance")
    if importance is not None and (
        len(importance) != 2 or not 1 <= importance[0] <= importance[1] <= 10
    ):
        raise GoldError(f"importance {importance!r} is no range in 1 to 10")
    return Shape(
        subjects=_words(fields, "subject"),
        predicates=_words(fields, "predicate"),
        objects=_words(fields, "object"),
        polarities=polarities or usual[0],
        modalities=() if modalities == ("any",) else modalities or usual[1],
        start=_whens(fields, "from", zone),
        end=_whens(fields, "to", zone),
        detail=fields.get("detail", ""),
        importance=None if importance is None else (importance[0], importance[1]),
        why=fields.get("why", ""),
        others=tuple(_shape(each, zone) for each in _list(fields, "or")),
    )


def _whens(fields: Row, name: str, zone: str) -> tuple[When, ...]:
    return tuple(_when(word, zone) for word in _words(fields, name))


def _when(word: str, zone: str) -> When:
    if word in (NONE, OVER):
        return When(word)
    first, _, after = word.partition("/")
    span = span_of(first, zone)
    last = span_of(after, zone).first if after else span.after
    if last < span.first:
        raise GoldError(f"{word!r} ends before it begins")
    return When("", ((span.first, last),))


def _words(fields: Row, name: str) -> tuple[str, ...]:
    text = _text(fields, name) if name in fields else ""
    words = tuple(word.strip() for word in text.split("|")) if text else ()
    if not all(words):
        raise GoldError(f"{name} {text!r} has an empty wording")
    return words


def _fields(row: object, what: str, *, must: str, may: str) -> Row:
    if not isinstance(row, dict):
        raise GoldError(f"a {what} is no JSON object")
    fields = cast("Row", row)
    if missing := [name for name in must.split() if name not in fields]:
        raise GoldError(f"a {what} lacks {', '.join(missing)}")
    if strange := [name for name in fields if name not in f"{must} {may}".split()]:
        raise GoldError(f"a {what} has the unknown fields {', '.join(strange)}")
    return fields


def _text(fields: Row, name: str) -> str:
    value = fields[name]
    if not isinstance(value, str) or not value.strip():
        raise GoldError(f"{name} is {value!r}, not a text")
    return value


def _texts(fields: Row, name: str) -> tuple[str, ...]:
    values = _list(fields, name)
    if not all(isinstance(value, str) and value for value in values):
        raise GoldError(f"{name} is {values!r}, not a list of texts")
    return tuple(cast("Sequence[str]", values))


def _list(fields: Row, name: str) -> Sequence[object]:
    value = fields.get(name, [])
    if not isinstance(value, list):
        raise GoldError(f"{name} is {value!r}, not a list")
    return cast("list[object]", value)


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        raise GoldError(f"{name!r} is no zone") from None
