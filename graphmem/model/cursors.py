"""Cursors of listings: opaque to callers, the same for every store."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping

from graphmem.errors import InputError

Place = tuple[str | int, ...]
"""The values by which a row stands where it stands in its listing."""

_KINDS: Mapping[str, tuple[type, ...]] = {
    "facts": (int, int, int, str),
    "episodes": (int, int, str),
    "oldest": (int, int, str),
    "entities": (int, str),
}


def make_cursor(listing: str, last: Place) -> str:
    """Return an opaque cursor that stands behind the row at ``last``."""
    text = json.dumps([listing, *last], ensure_ascii=False, separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def read_cursor(listing: str, cursor: str) -> Place:
    """Return the place behind which ``cursor`` stands.

    Raises:
        InputError: it is not one of this listing.
    """
    kind: object
    values: list[str | int]
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        kind, *values = json.loads(base64.urlsafe_b64decode(padded.encode("ascii")))
    except (ValueError, TypeError, binascii.Error) as error:
        raise _bad(cursor) from error
    if kind != listing or [type(value) for value in values] != [*_KINDS[listing]]:
        raise _bad(cursor)
    return tuple(values)


def _bad(cursor: str) -> InputError:
    return InputError(f"{cursor!r} is no cursor of this listing; pass back one that a page gave")
