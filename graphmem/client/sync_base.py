"""What the parts of the plain memory share: the awaited one, and the way to it."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, TypeVar

from graphmem.client.aio import AsyncMemory
from graphmem.client.portal import Portal

T = TypeVar("T")


class Base:
    """Runs the awaited memory in a portal thread."""

    _memory: AsyncMemory
    _portal: Portal

    def _run(self, coroutine: Coroutine[Any, Any, T]) -> T:  # Any: a coroutine sends nothing
        return self._portal.call(coroutine)
