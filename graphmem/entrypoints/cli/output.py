"""What commands print: text for people, or one JSON object."""

from __future__ import annotations

import json
import sys
import unicodedata
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

Part = str | tuple[str, str]
"""Text, or text and its style."""


def clean(text: str) -> str:
    """Return ``text`` without what steers a terminal (escapes, backspaces, direction marks)."""
    return "".join(
        char
        for char in text
        if char in "\n\t"
        or unicodedata.category(char) not in ("Cc", "Cf", "Cs")
        or char == "\u200d"
    )


def flat(text: str) -> str:
    """Return ``text`` on one line."""
    return " ".join(clean(text).split())


def count(number: int, word: str) -> str:
    """Return "1 fact", "2 facts", "3 entities"."""
    if number == 1:
        return f"1 {word}"
    return f"{number:,} {word[:-1] + 'ies' if word.endswith('y') else word + 's'}"


class Output:
    """Writes results to standard output, and what is said beside them to standard error."""

    def __init__(self, *, json: bool) -> None:
        self.json = json
        self._console: Console | None = None

    def object(self, value: dict[str, Any]) -> None:  # Any: a JSON object
        """Write one JSON object on one line."""
        utf8 = (sys.stdout.encoding or "").lower().replace("-", "") in ("utf8", "utf8sig")
        sys.stdout.write(json.dumps(value, ensure_ascii=not utf8) + "\n")

    def line(self, *parts: Part) -> None:
        """Write a line for people, coloured on a terminal only; not in JSON mode."""
        if self.json:
            return
        from rich.text import Text  # here, because --json and --version need no colours

        text = Text()
        for part in parts:
            words, style = (part, "") if isinstance(part, str) else part
            text.append(clean(words), style=style)
        self._paper().print(text, soft_wrap=True)

    def note(self, text: str) -> None:
        """Write a note beside the result."""
        sys.stderr.write(f"graphmem: {flat(text)}\n")

    def _paper(self) -> Console:
        if self._console is None:
            from rich.console import Console

            self._console = Console(highlight=False, markup=False, emoji=False)
        return self._console
