"""Stamps that a program wrote before a message: "[2022-03-03 10:15] ana: …". They date no fact."""

from __future__ import annotations

import re

_STAMP = re.compile(
    r"\s*[\[(【]?\s*\d{4}[-/.年]\d{1,2}[-/.月]\d{1,2}日?[ T]*\d{1,2}[:：]\d\d(?:[:：]\d\d)?"
)


def in_header(text: str, begin: int) -> bool:
    """Whether what begins at a place of a sentence is part of the stamp before it."""
    stamp = _STAMP.match(text)
    return stamp is not None and begin < stamp.end()
