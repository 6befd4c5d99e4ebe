"""What statements read in the database, by the server's own count."""

from __future__ import annotations

from collections import Counter
from typing import Any, cast

import pytest

from graphmem.adapters.neo4j.statements import cypher
from graphmem.adapters.neo4j.tx import Found, Run


def count_hits(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Return a count, by name, of what each statement reads from now on."""
    counted: Counter[str] = Counter()

    async def run(self: Run, name: str, /, **values: object) -> list[Found]:
        result = await self._send(f"PROFILE {cypher(name)}", {"p": values})  # pyright: ignore[reportPrivateUsage]
        found = [row.data() async for row in result]
        summary = await result.consume()
        profile = cast("dict[str, Any]", summary.profile)  # pyright: ignore[reportUnknownMemberType] - the driver's
        counted[name] += _hits(profile)
        return found

    monkeypatch.setattr(Run, "run", run)
    return counted


def _hits(plan: dict[str, Any]) -> int:  # Any: what the driver gives
    own: int = plan.get("args", {}).get("DbHits", 0)
    return own + sum(_hits(child) for child in plan.get("children", []))
