"""Spoils good answers in seeded ways: what models do, and what they would not even do."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any, cast

Json = Any  # Any: JSON that is spoilt below

JUNK: list[Json] = [
    None, True, False, 0, -1, 10**30, 1e308, "", " ", "I", "me", "T9", "T1", "Paris", "Zorblatt",
    "x" * 400, "tea\ud83d", "\u0000", "…", [], {}, [None], [1, "a", None], {"name": "Zorblatt"},
    {"pets": [{"kind": "cat", "age": 3}]}, ["Zorblatt", "Paris"],
]  # fmt: skip
FIELDS = ("turn", "quote", "subject", "predicate", "object", "object_kind", "polarity", "modality",
          "form", "start", "end", "qualifiers", "beside", "replaces", "corrects", "importance",
          "statement", "at", "duration", "ends", "said_by")  # fmt: skip
RENAMED = ("source", "head", "relation", "tail", "value", "evidence", "text", "x", "名", "")
PARTS = ["{", "}", "[", "]", '"', ",", ":", "\\", "\n", "```", "<think>", "</think>", "null",
         "\ud800", "\udfff", "\x00", "\u202e", "，", "”", '{"claims": []}', '"claims"', "NaN", "//",
         "\\u12", "\\ud83d", "T1", "[INST]", "&nbsp;"]  # fmt: skip
PREDICATES = ["likes", "lives_in", "works_at", "drinks", "zorbs", "has_sibling", "allergic_to", ""]


def spoilt(good: list[Json], schema: str, chance: random.Random) -> str:
    """Return an answer made of good claims, spoilt a few times."""
    claims: list[Json] = json.loads(json.dumps(good))
    for _ in range(chance.randrange(4)):
        chance.choice(_ON_CLAIMS)(claims, chance)
    text = json.dumps({"claims": claims, "entities": []}, ensure_ascii=chance.random() < 0.5)
    if chance.random() < 0.15:
        text = chance.choice(_WRAPPED)(text)
    if chance.random() < 0.03:
        return schema + (text if chance.random() < 0.5 else "")
    for _ in range(chance.choice([0, 0, 0, 1, 1, 2, 5])):
        text = chance.choice(_ON_TEXT)(text, chance)
    return text


def _claim(claims: list[Json], chance: random.Random) -> dict[str, Json]:
    found = [cast("dict[str, Json]", claim) for claim in claims if isinstance(claim, dict)]
    return chance.choice(found) if found else {}


def _junk(claims: list[Json], chance: random.Random) -> None:
    _claim(claims, chance)[chance.choice(FIELDS)] = chance.choice(JUNK)


def _drop(claims: list[Json], chance: random.Random) -> None:
    _claim(claims, chance).pop(chance.choice(FIELDS), None)


def _rename(claims: list[Json], chance: random.Random) -> None:
    claim = _claim(claims, chance)
    claim[chance.choice(RENAMED)] = claim.pop(chance.choice(FIELDS), "")


def _swap(claims: list[Json], chance: random.Random) -> None:
    claim, one, other = _claim(claims, chance), chance.choice(FIELDS), chance.choice(FIELDS)
    claim[one], claim[other] = claim.get(other), claim.get(one)


def _cross(claims: list[Json], chance: random.Random) -> None:
    """Put one claim's words into another: other turns' labels, quotes and names."""
    one, other, field = _claim(claims, chance), _claim(claims, chance), chance.choice(FIELDS)
    one[field] = other.get(field)


def _invent(claims: list[Json], chance: random.Random) -> None:
    claim = dict(_claim(claims, chance))
    claim["predicate"] = chance.choice(PREDICATES)
    claim[chance.choice(("object", "subject"))] = chance.choice(["Zorblatt", "Paris", "Ana", "tea"])
    claims.append(claim)


def _nest(claims: list[Json], chance: random.Random) -> None:
    claim, field = _claim(claims, chance), chance.choice(FIELDS)
    claim[field] = {"value": claim.get(field), "deep": [[{"a": claim.get(field)}]]}


def _double(claims: list[Json], chance: random.Random) -> None:
    claims += claims[: chance.randrange(len(claims) + 1)] * chance.choice([1, 1, 30])


def _litter(claims: list[Json], chance: random.Random) -> None:
    claims.insert(chance.randrange(len(claims) + 1), chance.choice(JUNK))


def _relabel(claims: list[Json], chance: random.Random) -> None:
    _claim(claims, chance)["turn"] = chance.choice(["T1", "T2", "T3", "T4", "T99", "context", 2])


_ON_CLAIMS: list[Callable[[list[Json], random.Random], None]] = [
    _junk, _drop, _rename, _swap, _cross, _invent, _nest, _double, _litter, _relabel,
]  # fmt: skip
_WRAPPED: list[Callable[[str], str]] = [
    lambda text: f"```json\n{text}\n```",
    lambda text: f"<think>so {text[:80]}</think>{text}",
    lambda text: f"<think>{text}",
    lambda text: json.dumps(text),
    lambda text: f'{{"result": {text}}}',
    lambda text: f"Sure! {{this}}: {text} — shout if {{anything}} is off.",
    lambda text: json.dumps(json.loads(text)["claims"]),
    lambda text: "[" * 3_000 + text,
]


def _at(text: str, chance: random.Random) -> tuple[int, int]:
    begin = chance.randrange(len(text) + 1)
    return begin, min(len(text), begin + chance.randrange(60))


def _remove(text: str, chance: random.Random) -> str:
    begin, end = _at(text, chance)
    return text[:begin] + text[end:]


def _repeat(text: str, chance: random.Random) -> str:
    begin, end = _at(text, chance)
    return text[:end] + text[begin:]


def _insert(text: str, chance: random.Random) -> str:
    begin, _ = _at(text, chance)
    return text[:begin] + chance.choice(PARTS) + text[begin:]


def _garble(text: str, chance: random.Random) -> str:
    begin, end = _at(text, chance)
    noise = "".join(chr(chance.choice([chance.randrange(0x110000), chance.randrange(128)]))
                    for _ in range(end - begin))  # fmt: skip
    return text[:begin] + noise + text[end:]


_ON_TEXT: list[Callable[[str, random.Random], str]] = [
    _remove,
    _repeat,
    _insert,
    _garble,
    lambda text, chance: text[: chance.randrange(len(text) + 1)],
    lambda text, chance: text[chance.randrange(len(text) + 1) :],
    lambda text, _: text * 2,
]
