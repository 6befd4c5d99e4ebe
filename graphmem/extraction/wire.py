"""Reads what a model answered into claims as it wrote them; tolerant, and never raises.

The shape is that of ``schemas/extraction.json``. Models rename keys, wrap lists, echo the schema or
leave fields out; whatever can only mean one thing is understood, the rest is counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import cast

from graphmem.extraction.salvage import find_json

_DEPTH = 6
_MOST_ITEMS = 2_000
_MOST_ENTITIES = 500
_MOST_ALIASES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class WireClaim:
    """One claim in the model's words; absent fields are empty.

    ``qualifiers`` are pairs of name and value. Nothing is checked here but the shape.
    """

    turn: str = ""
    quote: str = ""
    subject: str = ""
    predicate: str = ""
    object: str = ""
    object_kind: str = ""
    polarity: str = ""
    modality: str = ""
    form: str = ""
    start: str = ""
    end: str = ""
    at: str = ""
    duration: str = ""
    qualifiers: tuple[tuple[str, str], ...] = ()
    beside: bool = False
    ends: str = ""
    replaces: str = ""
    corrects: str = ""
    said_by: str = ""
    importance: int | None = None
    statement: str = ""


@dataclass(frozen=True, slots=True)
class WireEntity:
    """What the model says of a thing beside its claims: what kind it is, what else it is called."""

    name: str
    type: str = ""
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """What an answer holds.

    Attributes:
        claims: in order, without repetitions.
        malformed: items that are no claims. repeated: items that said the same again.
        problem: why the answer as a whole cannot be used; None if it can. No claims and no problem
            means that the model found nothing.
        broken: part of it could not be read. cut: it ended too early.
        entities: what could be read of them; none is no fault.
    """

    claims: tuple[WireClaim, ...] = ()
    malformed: int = 0
    repeated: int = 0
    problem: str | None = None
    broken: bool = False
    cut: bool = False
    entities: tuple[WireEntity, ...] = ()


def read_answer(text: str) -> Answer:
    """Read a model's answer."""
    if not text.strip():
        return Answer(problem="the answer is empty")
    found = find_json(text)
    lists = 0
    malformed = repeated = 0
    claims: dict[WireClaim, None] = {}
    problem: str | None = None
    entities: dict[WireEntity, None] = {}
    for value in found.values:
        entities.update(dict.fromkeys(_entities(value, 0)))
        part = _items_of(value, 0)
        if isinstance(part, str):
            problem = problem or part
            continue
        lists += 1
        for item in part[:_MOST_ITEMS]:
            claim = _claim(item)
            if claim is None:
                malformed += 1
            elif claim in claims:
                repeated += 1
            else:
                claims[claim] = None
    if claims:
        problem = None
    elif malformed:
        problem = f"none of its {malformed} items is a claim with a quote and a predicate"
    elif lists:
        problem = "its JSON is broken" if found.broken else None
        if found.thought:
            problem = "it thinks and does not answer"
    elif problem is None:
        problem = "its JSON is broken" if found.broken else "it holds no JSON object"
    return Answer(
        tuple(claims), malformed, repeated, problem, found.broken, found.cut, tuple(entities)
    )


# How models call things. Names are compared without case, spaces and underscores.
_KEYS: dict[str, tuple[str, ...]] = {
    "turn": ("turnlabel", "turnid", "message", "messageid", "utterance", "sourceturn", "t"),
    "quote": ("exactquote", "evidence", "span", "sourcetext", "sourcequote", "citation",
              "quotation", "verbatim", "supportingquote"),
    "subject": ("source", "head", "subj", "s", "sourceentity", "subjectname", "subjectentity",
                "from", "entity", "entityname", "entity1", "node1", "startnode", "sourcenode"),
    "predicate": ("relation", "relationship", "rel", "p", "verb", "relationtype",
                  "relationshiptype", "edge", "property", "attribute", "predicateslug", "pred",
                  "type", "relationname"),
    "object": ("target", "tail", "obj", "o", "value", "targetentity", "objectname", "objectentity",
               "to", "objectvalue", "entity2", "node2", "endnode", "targetnode"),
    "object_kind": ("objecttype", "kind", "valuetype", "valuekind"),
    "polarity": ("negated", "negation", "isnegated", "negative", "affirmed", "sign"),
    "modality": ("mood", "certainty", "status"),
    "form": ("claimform", "temporalform", "aspect"),
    "start": ("startphrase", "since", "validfrom", "begin", "starttime", "startdate"),
    "end": ("endphrase", "until", "validto", "endtime", "enddate"),
    "at": ("atphrase", "when", "time", "timephrase", "date", "on", "eventtime"),
    "duration": ("length", "howlong", "lasting", "period", "for"),
    "qualifiers": ("qualifier", "conditions", "context"),
    "beside": ("also", "additional", "alongside"),
    "ends": ("endsfact", "invalidates", "terminates", "closes"),
    "replaces": ("supersedes", "replacedvalue", "oldvalue", "updates"),
    "corrects": ("correction", "correctedvalue", "wrongvalue", "retracts"),
    "said_by": ("attributedto", "attribution", "reportedby", "statedby", "claimedby", "speaker"),
    "importance": ("priority", "weight", "salience"),
    "statement": ("sentence", "fact", "summary", "description", "text"),
}  # fmt: skip
_NAME_OF = {
    alias: name for name, aliases in _KEYS.items() for alias in (name.replace("_", ""), *aliases)
}
_LISTS = frozenset(
    """claims claim facts fact triples triple triplets relations relationships relationship edges
    memories memory extractedfacts extractedclaims statements items results result data output
    response answer extraction extractions knowledgegraph arguments parameters input""".split()  # noqa: SIM905 - a list of words
)
_ENTITY_LISTS = frozenset({"entities", "nodes"})
_ENTITY_NAMES = ("name", "entityname", "entity", "text", "label", "id")
_ENTITY_TYPES = ("type", "entitytype", "kind", "category", "class")
_ENTITY_ALIASES = ("aliases", "alias", "othernames", "alsoknownas", "names")
# Halves of a character that cannot be stored, and control characters.
_UNUSABLE = re.compile(r"[\ud800-\udfff\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_NOT_NAME = re.compile(r"[^0-9a-z]+")
_TRUE = frozenset({"true", "yes", "1", "y"})


def _fold(key: str) -> str:
    return _NOT_NAME.sub("", key.casefold())


def _items_of(value: object, depth: int) -> list[object] | str:
    """Return the items a JSON value lists, or why it lists none."""
    if depth > _DEPTH:
        return "it is nested too deeply"
    if isinstance(value, list):
        items = cast("list[object]", value)
        if len(items) == 1 and (inner := _wrapped(items[0])) is not None:
            return _items_of(inner, depth + 1)
        return items
    if isinstance(value, str):
        inner = find_json(value).values if value.lstrip()[:1] in ("{", "[") else []
        return _items_of(inner[0], depth + 1) if inner else "it holds no JSON object"
    if isinstance(value, dict):
        return _items_of_table(cast("dict[str, object]", value), depth)
    return "it holds no JSON object"


def _items_of_table(table: dict[str, object], depth: int) -> list[object] | str:
    if not table:
        return []
    if _claim(table) is not None:
        return [table]
    inner = _wrapped(table)
    if inner is not None:
        return _items_of(inner, depth + 1)
    if _is_schema(table):
        filled = _wrapped(table.get("properties"))
        if isinstance(filled, list):
            return _items_of(cast("object", filled), depth + 1)
        return "it repeats the schema instead of filling it"
    if any(_fold(key) in _ENTITY_LISTS for key in table):
        return "it lists entities without claims"
    if _looks_like_claim(table):
        return [table]
    if len(table) == 1:
        # A wrapper named after whatever the model thought of.
        (only,) = table.values()
        if isinstance(only, (dict, list)):
            return _items_of(cast("object", only), depth + 1)
    return "it holds no list of claims"


def _wrapped(value: object) -> object | None:
    """Return what a table holds under a name such as "claims", or None if it has none."""
    if not isinstance(value, dict):
        return None
    table = cast("dict[str, object]", value)
    for key, inner in table.items():
        if _fold(key) in _LISTS and isinstance(inner, (list, dict)):
            return cast("object", inner)
        if _fold(key) in _LISTS and isinstance(inner, str) and inner.lstrip()[:1] in ("{", "["):
            return inner
        if _fold(key) == "claims" and inner is None:
            return list[object]()
    return None


def _is_schema(table: Mapping[str, object]) -> bool:
    keys = set(table)
    return bool(keys & {"$defs", "$schema", "properties", "additionalProperties"})


def _named(table: Mapping[str, object]) -> dict[str, object]:
    """Return a table's fields under our names; an exact name wins over an alias."""
    named: dict[str, object] = {}
    exact: set[str] = set()
    for key, value in table.items():
        folded = _fold(key)
        name = _NAME_OF.get(folded)
        if name is None:
            continue
        is_exact = folded == name.replace("_", "")
        if name in named and not (is_exact and name not in exact):
            continue
        named[name] = _opposite(value) if folded in _NEGATIONS else value
        if is_exact:
            exact.add(name)
    return named


_NEGATIONS = frozenset({"negated", "negation", "isnegated", "negative"})


def _opposite(value: object) -> str:
    return "-" if value is True or str(value).casefold() in _TRUE else "+"


def _looks_like_claim(table: Mapping[str, object]) -> bool:
    return len(_named(table).keys() & {"subject", "predicate", "object", "quote"}) >= 2


def _claim(item: object) -> WireClaim | None:
    """Return an item as a claim, or None if it has no quote, or nothing to say."""
    if not isinstance(item, dict):
        return None
    named = _named(cast("dict[str, object]", item))
    values: dict[str, object] = {
        name: _scalar(named.get(name))
        for name in (field.name for field in fields(WireClaim))
        if name not in {"qualifiers", "beside", "importance"}
    }
    whole = values["subject"] and values["predicate"]
    # An ending by label says by it what it is of.
    if not (values["quote"] and (whole or values["ends"])):
        return None
    beside = named.get("beside")
    return WireClaim(
        **cast("dict[str, str]", values),
        qualifiers=tuple(sorted(set(_qualifiers(named.get("qualifiers"))))),
        beside=beside is True or str(beside).casefold() in _TRUE,
        importance=_whole(named.get("importance")),
    )


def _entities(value: object, depth: int) -> Iterator[WireEntity]:
    """Yield what a table lists under "entities", however it is wrapped."""
    if depth > 2 or not isinstance(value, dict):
        return
    for key, inner in cast("dict[str, object]", value).items():
        if _fold(key) in _ENTITY_LISTS and isinstance(inner, list):
            for item in cast("list[object]", inner)[:_MOST_ENTITIES]:
                entity = _entity(item)
                if entity is not None:
                    yield entity
        elif isinstance(inner, dict):
            yield from _entities(cast("object", inner), depth + 1)


def _entity(item: object) -> WireEntity | None:
    if not isinstance(item, dict):
        return None
    table = {_fold(key): inner for key, inner in cast("dict[str, object]", item).items()}
    name = next((text for key in _ENTITY_NAMES if (text := _scalar(table.get(key)))), "")
    kind = next((text for key in _ENTITY_TYPES if (text := _scalar(table.get(key)))), "")
    listed = next((table[key] for key in _ENTITY_ALIASES if table.get(key)), ())
    others = cast("list[object]", listed) if isinstance(listed, list) else [listed]
    aliases = (text for other in others[:_MOST_ALIASES] if (text := _scalar(other)))
    return WireEntity(name, kind, tuple(dict.fromkeys(aliases))) if name else None


def _scalar(value: object) -> str:
    """Return a JSON value as words: of an object its name, of a longer list nothing."""
    if isinstance(value, str):
        return _UNUSABLE.sub("", value).strip()
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return f"{value:.15g}" if isinstance(value, float) else str(value)[:100]
    if isinstance(value, dict):
        table = {_fold(key): inner for key, inner in cast("dict[str, object]", value).items()}
        for name in ("name", "text", "value", "label", "entityname", "id"):
            if isinstance(table.get(name), str):
                return _scalar(table[name])
    if isinstance(value, list) and len(cast("list[object]", value)) == 1:
        only = cast("list[object]", value)[0]
        return _scalar(only) if isinstance(only, str) else ""
    return ""


def _qualifiers(value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        value = [value]
    if isinstance(value, dict):
        for name, inner in cast("dict[str, object]", value).items():
            if text := _scalar(inner):
                yield name.strip(), text
    elif isinstance(value, list):
        for item in cast("list[object]", value):
            if isinstance(item, dict):
                table = {_fold(k): _scalar(v) for k, v in cast("dict[str, object]", item).items()}
                name, text = table.get("name") or table.get("key", ""), table.get("value", "")
            else:
                name, _, text = _scalar(item).partition("=")
            if name.strip() and (text.strip() or name.strip()):
                yield (name.strip(), text.strip()) if text.strip() else ("", name.strip())


def _whole(value: object) -> int | None:
    if isinstance(value, str) and re.fullmatch(r"\s*\d{1,3}(?:/10)?\s*", value):
        value = int(value.split("/")[0])
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return int(value) if -1e6 < value < 1e6 else None
