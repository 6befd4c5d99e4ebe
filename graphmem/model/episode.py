"""What was said, kept verbatim."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    """The part a speaker has in the conversation."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    TOOL = "tool"
    DOCUMENT = "document"


class Channel(StrEnum):
    """How an episode came."""

    CHAT = "chat"
    FILE = "file"
    DIRECT = "direct"


class Reading(StrEnum):
    """What became of an episode's extraction."""

    PENDING = "pending"
    READ = "read"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Episode:
    """One ingested message.

    Attributes:
        id: random id.
        key: what the turn is known by inside its scope (see ``episode_key``); None if every
            call makes a new one.
        session, agent: labels that can filter reads.
        place: the turn's place in its call or document; orders turns of one instant.
        role, speaker: who spoke; ``speaker`` is None if no name was given.
        content: the words, secrets masked; blanked quotes are marked after an erase.
        occurred_at: when it was said, microseconds UTC.
        zone: the speaker's IANA zone or fixed offset ("Asia/Tokyo", "+09:00").
        time_given: whether the caller gave the time; False means it was assumed.
        created_at: record time.
        channel: how it came.
        digest: hash of the content; empty once blanked.
        reading: whether it has been read, and ``reason`` why not.
    """

    id: str
    key: str | None
    session: str | None
    agent: str | None
    place: int
    role: Role
    speaker: str | None
    content: str
    occurred_at: int
    zone: str
    time_given: bool
    created_at: int
    channel: Channel
    digest: str
    reading: Reading
    reason: str | None = None


def content_digest(content: str) -> str:
    """Return the hash by which equal contents are known."""
    return hashlib.blake2b(content.encode(), digest_size=16).hexdigest()
