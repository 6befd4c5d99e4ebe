"""Turns as they come in: checked, masked, timed, and given the key they are known by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from graphmem.errors import InputError
from graphmem.extraction.gate import gate
from graphmem.extraction.mask import mask
from graphmem.model.episode import Channel, Episode, Reading, Role, content_digest
from graphmem.model.ids import IdKind, new_id
from graphmem.model.text import require_encodable, require_text
from graphmem.usecases.portion import portion

LONGEST = 10_000_000
"""Characters of a turn; a longer one is refused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One message as given.

    Attributes:
        role, content, name: who said what. name is None if the role is all that is known.
        occurred_at: when, microseconds UTC; None lets the clock tell, as assumed.
        zone: the speaker's zone.
        session, agent: labels. id: the caller's own.
        channel: how it came.
        problem: why it cannot be stored, if the border found a reason.
    """

    role: Role = Role.USER
    content: str = ""
    name: str | None = None
    occurred_at: int | None = None
    zone: str = "UTC"
    session: str | None = None
    agent: str | None = None
    id: str | None = None
    channel: Channel = Channel.CHAT
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Prepared:
    """A turn ready to be stored, or why it cannot be."""

    episode: Episode | None
    problem: str | None = None
    masked: int = 0


def prepare(turns: Sequence[Turn], now: int) -> list[Prepared]:
    """Make episodes of the turns of one call.

    Turns without a time, or with one time, are said a microsecond apart, in their order; the last
    of those without a time is said ``now`` (microseconds UTC), so that none lies ahead.
    """
    undated = sum(turn.occurred_at is None for turn in turns)
    now -= max(undated - 1, 0)
    result: list[Prepared] = []
    equal: Counter[tuple[str | None, ...]] = Counter()
    said: set[int] = set()
    before: Episode | None = None
    for place, turn in enumerate(turns):
        try:
            made = _episode(turn, place, now, equal, said)
        except InputError as error:
            result.append(Prepared(None, str(error)))
            continue
        episode, masked = made
        reason = gate(portion(episode), before)
        if reason is not None:
            episode = _skipped(episode, reason)
        before = episode
        result.append(Prepared(episode, masked=masked))
    return result


def _episode(
    turn: Turn, place: int, now: int, equal: Counter[tuple[str | None, ...]], said: set[int]
) -> tuple[Episode, int]:
    if turn.problem is not None:
        raise InputError(turn.problem)
    content = require_text(turn.content, "content")
    if len(content) > LONGEST:
        raise InputError(
            f"content has {len(content)} characters; the limit is {LONGEST}: split the document"
        )
    for name, label in (
        ("name", turn.name), ("session", turn.session), ("agent", turn.agent), ("id", turn.id)
    ):  # fmt: skip
        if label is not None:
            require_encodable(label, name)
    masked = mask(content)
    digest = content_digest(masked.text)
    at = now if turn.occurred_at is None else turn.occurred_at
    while at in said:
        at += 1
    said.add(at)
    speaker = (turn.role.value, turn.name)
    same = (turn.session, *speaker, digest)
    if turn.occurred_at is None:
        equal[same] += 1
    episode = Episode(
        id=new_id(IdKind.EPISODE),
        key=_key(turn, digest, equal[same]),
        session=turn.session,
        agent=turn.agent,
        place=place,
        role=turn.role,
        speaker=turn.name,
        content=masked.text,
        occurred_at=at,
        zone=turn.zone,
        time_given=turn.occurred_at is not None,
        created_at=0,
        channel=turn.channel,
        digest=digest,
        reading=Reading.PENDING,
    )
    return episode, masked.count


def _key(turn: Turn, digest: str, nth: int) -> str | None:
    """Return what a turn is known by: the caller's id, its time, or its place in its session."""
    if turn.id is not None:
        return f"id\x1f{turn.id}"
    parts = [turn.session or "", turn.role.value, turn.name or "", digest]
    if turn.occurred_at is not None:
        return "\x1f".join(["time", *parts, str(turn.occurred_at)])
    if turn.session is not None:
        return "\x1f".join(["nth", *parts, str(nth)])
    return None


def _skipped(episode: Episode, reason: str) -> Episode:
    return replace(episode, reading=Reading.SKIPPED, reason=reason)
