"""A memory with something in it, and one good call of every public method."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tests.engine.kit import a_memory

Values = Mapping[str, Any]  # Any: arguments, by name


def methods(kind: type) -> dict[str, inspect.Signature]:
    """Return every public method, by introspection."""
    return {
        name: inspect.signature(member)
        for name, member in inspect.getmembers(kind, callable)
        if not name.startswith("_")
    }


class World:
    """A memory in which "ana" may be hurt, and "keeper" and another tenant's "ana" must not be."""

    def __init__(self, folder: Path, **options: Any) -> None:  # Any: options of Memory
        self.folder = folder
        self.files = folder / "files"
        self.files.mkdir()
        self.memory = a_memory(folder / "store", **options)
        self.memory.add(
            ["I live in Riga. 我对芒果过敏。", "My sister Tilda lives in Cork."], user="keeper"
        )
        self.memory.add("I live in Oslo with my sister Tilda Berg.", user="ana", tenant="other")
        self.kept = self.look()
        foreign = self.memory.facts(user="ana", tenant="other").items[0]
        self.foreign = foreign.id
        self.renew()

    def renew(self) -> None:
        """Make sure that "ana" has what the good calls are about."""
        added = self.memory.add(
            ["I live in Riga.", "Robert Ames works at Larch.", "Rob Ames works at Larch."],
            user="ana",
        )
        self.episode = added.turns[0].episode or ""
        self.fact = self.memory.facts(user="ana").items[0].id

    def look(self) -> object:
        """Return all that those who must not be hurt can see, scores included."""
        seen: list[object] = []
        for user, tenant in (("keeper", "default"), ("ana", "other")):
            result = self.memory.search("where does Tilda live?", user=user, tenant=tenant)
            seen.append([(h.id, h.score, h.parts) for h in result.hits])
            seen.append(self.memory.facts(user=user, tenant=tenant, include_ended=True).items)
            seen.append(self.memory.entities(user=user, tenant=tenant).items)
        return seen

    def mine(self) -> object:
        """Return what "ana" has, to see that a refused call left it alone."""
        page = self.memory.facts(
            user="ana", include_ended=True, include_disputed=True, include_retracted=True
        )
        return page.total, [(f.record, f.status) for f in page.items]


GOOD: dict[str, Callable[[World], Values]] = {
    "add": lambda w: {"content": "I like tea.", "user": "ana"},
    "ingest": lambda w: {"messages": ["I like tea."], "user": "ana"},
    "estimate": lambda w: {"messages": ["I like tea."], "user": "ana"},
    "add_fact": lambda w: {"subject": "me", "predicate": "likes", "object": "tea", "user": "ana"},
    "correct": lambda w: {"fact_id": w.fact, "user": "ana", "object": "Cork"},
    "retract": lambda w: {"fact_id": w.fact, "user": "ana"},
    "restore": lambda w: {"fact_id": w.fact, "user": "ana"},
    "erase": lambda w: {"user": "nobody"},
    "retry_pending": lambda w: {"user": "ana"},
    "flush": lambda w: {"timeout": 5},
    "jobs": lambda w: {"user": "ana"},
    "search": lambda w: {"question": "where do I live?", "user": "ana"},
    "context": lambda w: {"question": "where do I live?", "user": "ana"},
    "facts": lambda w: {"user": "ana"},
    "get": lambda w: {"fact_id": w.fact, "user": "ana"},
    "history": lambda w: {"fact_id": w.fact, "user": "ana"},
    "explain": lambda w: {"fact_id": w.fact, "user": "ana"},
    "entities": lambda w: {"user": "ana"},
    "merge": lambda w: {"names": ["Robert Ames"], "into": "Rob Ames", "user": "ana"},
    "split": lambda w: {"name": "Robert Ames", "out_of": "Rob Ames", "user": "ana"},
    "suggestions": lambda w: {"user": "ana"},
    "confirm": lambda w: {"suggestion": "same_" + "0" * 32, "user": "ana"},
    "reject": lambda w: {"suggestion": "same_" + "0" * 32, "user": "ana"},
    "undo": lambda w: {"suggestion": "same_" + "0" * 32, "user": "ana"},
    "export": lambda w: {"path": w.files / "out.jsonl", "user": "ana"},
    "import_": lambda w: {"path": w.files / "missing.jsonl"},
    "migrate": lambda w: {"to": w.files / "elsewhere"},
    "verify": lambda w: {},
    "repair": lambda w: {},
    "reindex": lambda w: {},
    "doctor": lambda w: {},
}
"""A call of each method to spoil, one argument at a time."""
NOT_SPOILED = {"close", "from_settings"}
"""Methods that take nothing, or a thing that is made by another door."""
READS = {
    "search", "context", "facts", "get", "history", "explain", "entities", "suggestions", "verify",
    "doctor", "export", "migrate", "flush", "jobs", "estimate",
}  # fmt: skip
"""Methods after which everything is as it was."""
