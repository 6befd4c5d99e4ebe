"""A value as error messages show it: on one line, and never longer than it helps."""

from __future__ import annotations

from reprlib import Repr

LONGEST_SHOWN = 80
"""Characters of a value in a message."""


class _Short(Repr):
    """``repr`` with everything shortened, and defined for every value."""

    def __init__(self) -> None:
        super().__init__()
        self.maxstring = self.maxother = self.maxlong = LONGEST_SHOWN
        self.maxlevel = 2

    def repr_int(self, x: int, level: int) -> str:
        """Show a number; Python refuses to write one of more than some thousand digits."""
        return f"a number of {x.bit_length()} bits" if x.bit_length() > 1000 else repr(x)

    def repr_bytes(self, x: bytes, level: int) -> str:
        """Show bytes by their beginning."""
        return repr(x) if len(x) <= LONGEST_SHOWN else f"{x[: LONGEST_SHOWN // 2]!r}…"

    def repr_str(self, x: str, level: int) -> str:
        """Show text by its beginning, with how long it is."""
        if len(x) <= LONGEST_SHOWN:
            return repr(x)
        return f"{x[: LONGEST_SHOWN // 2]!r}… ({len(x):,} characters)"


_SHORT = _Short()


def shown(value: object) -> str:
    """Return ``value`` as a message shows it."""
    text = _SHORT.repr(value)
    return text if len(text) <= 2 * LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"
