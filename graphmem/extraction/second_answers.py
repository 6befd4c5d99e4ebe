"""Reads short answers by label, tolerantly: of each label, which of the words offered was chosen.

Only what was offered counts. What names another label (of another batch, or of nothing), chooses
what was not offered, or says two things of one label, is counted and changes nothing.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2s
from typing import cast

from graphmem.extraction.salvage import find_json

_DEPTH = 6
_MOST_ITEMS = 1_000
EXAMPLES = "0000"
"""What ends the labels of examples in prompts."""
_LABELS = ("label", "id", "question", "claim", "name")
_OUTER = " \t\r\n\"'`.,:;()[]{}。，：；"
_WORDY = re.compile(r"(?:option|choice|answer|选项|答案)\s*[:：]?\s*(?P<word>\S+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Chosen:
    """What an answer chooses.

    Attributes:
        words: by label, what was chosen of what was offered.
        unusable: labels that were answered in no usable way, and answers to other labels.
        problem: why the answer as a whole cannot be used; None if it can.
    """

    words: Mapping[str, str] = field(default_factory=dict[str, str])
    unusable: int = 0
    problem: str | None = None


def tag_of(text: str) -> str:
    """Return a few letters that tell the labels of one prompt from those of another.

    Never those of the examples, so that an echo of one answers nothing.
    """
    tag = blake2s(text.encode("utf-8", "replace"), digest_size=2).hexdigest()
    return tag if tag != EXAMPLES else "000f"


def read_chosen(text: str, offered: Mapping[str, frozenset[str]], *, key: str) -> Chosen:
    """Read an answer; never raises.

    Args:
        text: the model's words.
        offered: by label, what may be chosen, in small letters.
        key: the field an item has its choice in.
    """
    if not text.strip():
        return Chosen(problem="the answer is empty")
    found = find_json(text)
    said: defaultdict[str, set[str]] = defaultdict(set)
    strange = 0
    for label, word in _items(found.values, key):
        known = _known(label, offered)
        if known is None:
            strange += 1
        else:
            said[known].add(_word(word, offered[known]))
    if not said and not strange:
        cut = "it ended too early" if found.cut else "it holds no answers by label"
        return Chosen(problem="it thinks and does not answer" if found.thought else cut)
    words = {
        label: next(iter(choices))
        for label, choices in said.items()
        if len(choices) == 1 and choices <= offered[label]
    }
    return Chosen(words, strange + len(said) - len(words))


def _items(values: list[object], key: str) -> Iterator[tuple[str, str]]:
    """Yield labels with what is said of them, wherever they stand."""
    waiting: list[tuple[object, int]] = [(value, 0) for value in reversed(values)]
    looked = 0
    while waiting and looked < _MOST_ITEMS:
        value, depth = waiting.pop()
        looked += 1
        if depth > _DEPTH:
            continue
        if isinstance(value, list):
            inner = cast("list[object]", value)[:_MOST_ITEMS]
            waiting.extend((item, depth + 1) for item in reversed(inner))
        elif isinstance(value, dict):
            table = {k.casefold(): v for k, v in cast("dict[str, object]", value).items()}
            label = next(
                (table[name] for name in _LABELS if isinstance(table.get(name), str)), None
            )
            word = table.get(key)
            if isinstance(label, str) and isinstance(word, str):
                yield label, word
                continue
            for name, item in table.items():
                if isinstance(item, str):
                    # {"S1": "A"}; whether that is a label is seen later.
                    if _LABEL.fullmatch(name):
                        yield name, item
                else:
                    waiting.append((item, depth + 1))


_LABEL = re.compile(r"[a-z]\d{1,4}-[0-9a-f]{4}")


def _known(label: str, offered: Mapping[str, frozenset[str]]) -> str | None:
    wanted = label.strip(_OUTER).casefold()
    return next((known for known in offered if known.casefold() == wanted), None)


def _word(said: str, offered: frozenset[str]) -> str:
    """Return what was chosen, as it was offered if it was."""
    plain = said.strip(_OUTER).casefold()
    if plain in offered:
        return plain
    named = _WORDY.fullmatch(plain)
    return plain if named is None else named["word"].strip(_OUTER)
