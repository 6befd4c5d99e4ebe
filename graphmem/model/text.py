"""Text at the border: what is accepted, and the one normalised key."""

from __future__ import annotations

import hashlib
import unicodedata

from graphmem.errors import InputError
from graphmem.model.shown import shown

KEY_LIMIT = 256
LABEL_LIMIT = 2_000
"""Characters of a name, a label, an id or a reason."""


def require_text(value: object, name: str) -> str:
    """Return ``value`` if it is a usable, non-blank string.

    Raises:
        InputError: it is not a string, is blank, or holds a lone surrogate.
    """
    if not isinstance(value, str):
        raise InputError(f"{name} must be a string, not {type(value).__name__}: {shown(value)}")
    if not value.strip():
        raise InputError(f"{name} must not be empty: {shown(value)}")
    return require_encodable(value, name)


def require_encodable(value: str, name: str) -> str:
    """Return ``value`` if it can be written as UTF-8.

    Raises:
        InputError: it holds a lone surrogate, with its position.
    """
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise InputError(
            f"{name} holds the lone surrogate {value[error.start]!r} at position {error.start}; "
            "decode the text as UTF-8 (or UTF-16) before passing it on"
        ) from error
    return value


def require_label(value: str, name: str) -> str:
    """Return ``value`` if it is short enough for a label and can be written as UTF-8.

    Raises:
        InputError: it is not.
    """
    if len(value) > LABEL_LIMIT:
        raise InputError(
            f"{name} has {len(value):,} characters, and the limit is {LABEL_LIMIT:,}: "
            f"{shown(value)}; give a shorter one"
        )
    return require_encodable(value, name)


def normal_key(name: str) -> str:
    """Return the key by which names are compared: NFKC, casefold, spaces collapsed.

    A key over 256 characters ends in a hash, so that an index can hold it.
    """
    if name.isascii():  # as most names are, and it is folded a hundred times in every question
        folded = name.lower()
    else:
        folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    key = " ".join(folded.split())
    if len(key) <= KEY_LIMIT:
        return key
    digest = hashlib.blake2b(key.encode(), digest_size=16).hexdigest()
    return f"{key[: KEY_LIMIT - 33]}#{digest}"
