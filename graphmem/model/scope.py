"""The scope of every call: whose memory it is."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from graphmem.errors import InputError
from graphmem.model.text import require_text


@dataclass(frozen=True, slots=True)
class Scope:
    """A tenant and one of its users; ids of one scope do not exist in another.

    Both parts are compared exactly: no wildcard, prefix or case folding.

    Raises:
        InputError: a part is empty, not a string, or not encodable as UTF-8.
    """

    tenant: str
    user: str

    def __post_init__(self) -> None:
        require_text(self.tenant, "tenant")
        require_text(self.user, "user")
        for name, value in (("tenant", self.tenant), ("user", self.user)):
            if len(value) > 512:
                raise InputError(f"{name} has {len(value)} characters; the limit is 512")

    @property
    def key(self) -> str:
        """An opaque key of 32 hex digits, for places that must not hold names."""
        # The length makes ("a", "bc") and ("ab", "c") differ.
        whole = f"{len(self.tenant)}:{self.tenant}{self.user}"
        return hashlib.blake2b(whole.encode(), digest_size=16).hexdigest()


def opaque(scope: Scope, kind: str, value: str) -> str:
    """Return an opaque key for ``value`` (a session, an agent, a predicate) inside ``scope``."""
    whole = f"{scope.key}\0{kind}\0{value}"
    return hashlib.blake2b(whole.encode(), digest_size=16).hexdigest()
