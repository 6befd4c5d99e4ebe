"""Builders for turns and answers."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from graphmem.model.claim import Mention
from graphmem.model.draft import Batch, Draft, Known, KnownFact
from graphmem.model.episode import Channel, Episode, Reading, Role
from graphmem.model.time import to_micros

NOON = to_micros(datetime(2024, 6, 12, 12, tzinfo=UTC))


def a_known(predicate: str, target: str | None, subject: str = "me", **fields: Any) -> KnownFact:
    """A fact that is known; Any: whatever fields the test is about."""
    whose = Mention("Ana", is_self=True) if subject == "me" else Mention(subject)
    value = None if target is None else Mention(target)
    fields.setdefault("statement", f"{whose.text} {predicate} {target or ''}".strip())
    return KnownFact(subject=whose, predicate=predicate, object=value, **fields)


RIGA = a_known("lives_in", "Riga", statement="Ana lives in Riga.")


def a_turn(
    content: str, number: int = 1, role: Role = Role.USER, speaker: str | None = None
) -> Episode:
    """A turn with id ``ep_N``, said N minutes after noon on a Wednesday."""
    return Episode(
        id=f"ep_{number}",
        key=None,
        session="s",
        agent=None,
        place=number,
        role=role,
        speaker=speaker,
        content=content,
        occurred_at=NOON + number * 60_000_000,
        zone="Asia/Shanghai",
        time_given=True,
        created_at=NOON,
        channel=Channel.CHAT,
        digest="",
        reading=Reading.PENDING,
    )


def a_batch(*contents: str | Episode, known: Known | None = None) -> Batch:
    """A batch of user turns."""
    turns = [
        content if isinstance(content, Episode) else a_turn(content, number)
        for number, content in enumerate(contents, 1)
    ]
    return Batch(turns=tuple(turns), known=known or Known())


def a_claim(quote: str, predicate: str, target: str = "", **fields: Any) -> dict[str, Any]:
    """One claim as a model writes it; Any: some tests put in the wrong type."""
    return {
        "turn": "T1",
        "quote": quote,
        "subject": "me",
        "predicate": predicate,
        "object": target,
        "object_kind": "entity" if target else "none",
        "polarity": "+",
        "modality": "asserted",
        "form": "state",
        "start": "",
        "end": "",
        "at": "",
        "duration": "",
        "qualifiers": [],
        "beside": False,
        "ends": "",
        "replaces": "",
        "corrects": "",
        "said_by": "",
        "importance": 5,
        "statement": "",
        **fields,
    }


def an_answer(*claims: dict[str, Any]) -> str:
    """A well-formed answer."""
    return json.dumps({"claims": list(claims)}, ensure_ascii=False)


def shown(draft: Draft) -> tuple[str, str, str | None]:
    """A draft in short: subject ("me" for self), predicate, object."""
    target = None if draft.object is None else draft.object.text
    return "me" if draft.subject.is_self else draft.subject.text, draft.predicate, target
