"""What callers give, read into what the engine takes: turns, dates, filters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum, StrEnum
from typing import Any, TypeVar, cast

from graphmem.errors import InputError
from graphmem.model.claim import Modality, Polarity
from graphmem.model.episode import Channel, Role
from graphmem.model.fact import Status
from graphmem.model.instants import When, instant_of, span_of, zone_given, zone_named
from graphmem.model.search import FactFilter
from graphmem.model.shown import shown
from graphmem.model.text import require_encodable, require_label
from graphmem.model.time import NEVER, Stated
from graphmem.usecases.turns import Turn

Message = Mapping[str, Any]  # Any: a chat message as agent frameworks write them
Content = str | Message | Sequence[Message | str]


class Whole(Enum):
    """That no fact and no episode was named: the erasure is of the whole user.

    Not None, which is what a look-up gives that found nothing.
    """

    USER = "everything of the user"


Member = TypeVar("Member", bound=StrEnum)

_ROLES = {"human": "user", "ai": "assistant", "bot": "assistant", "developer": "system"}
_TIMES = ("occurred_at", "timestamp", "created_at")
_PASSED_OVER = frozenset({"metadata", "type"})
_FIELDS = frozenset({"role", "content", "name", "session", "agent", "id", "zone", "where", *_TIMES})


def member(kind: type[Member], value: object, name: str) -> Member:
    """Return the member of an enumeration that ``value`` names.

    Raises:
        InputError: none does; the message lists them.
    """
    try:
        return kind(value)
    except ValueError:
        allowed = ", ".join(repr(m.value) for m in kind)
        raise InputError(f"{name} {shown(value)} is none of {allowed}") from None


def turns_of(
    content: Content,
    *,
    zone: str,
    role: str = "user",
    session: str | None = None,
    agent: str | None = None,
    occurred_at: When | None = None,
    channel: Channel = Channel.CHAT,
) -> list[Turn]:
    """Read one text, one message or a list of messages; a bad one carries its problem.

    Raises:
        InputError: ``content`` is none of these.
    """
    base: dict[str, Any] = {"role": role, "session": session, "agent": agent}  # Any: as above
    if occurred_at is not None:
        instant_of(occurred_at, zone, "occurred_at")
        base["occurred_at"] = occurred_at
    given = cast("object", content)
    if isinstance(given, str):
        messages: list[object] = [{"content": given}]
    elif isinstance(given, Mapping):
        messages = [cast("object", given)]
    elif isinstance(given, Iterable):
        messages = [*cast("Iterable[object]", given)]
    else:
        raise InputError(
            f"content must be text, a message or a list of messages, not {type(given).__name__}"
        )
    return [_turn(message, base, zone, channel) for message in messages]


def _turn(message: object, base: Message, zone: str, channel: Channel) -> Turn:
    if isinstance(message, str):
        message = {"content": message}
    if not isinstance(message, Mapping):
        return Turn(problem=f"a message must be a mapping, not {type(message).__name__}")
    whole = {**base, **{k: v for k, v in cast("Message", message).items() if v is not None}}
    try:
        return _read(whole, zone, channel)
    except InputError as error:
        return Turn(problem=str(error))


def _read(message: Message, zone: str, channel: Channel) -> Turn:
    unknown = next((key for key in message if key not in _FIELDS | _PASSED_OVER), None)
    if unknown is not None:
        raise InputError(
            f"a message has the unknown field {shown(unknown)}; fields are "
            f"{', '.join(sorted(_FIELDS))}"
        )
    given = message.get("role", "user")
    role = given.casefold() if isinstance(given, str) else given
    when = next((message[name] for name in _TIMES if message.get(name) is not None), None)
    own_zone = _label(message, "zone") or zone
    at = None
    if when is not None:
        at = instant_of(when, own_zone, "occurred_at")
        own_zone = _label(message, "zone") or zone_given(when, zone)
    else:
        zone_named(own_zone)
    return Turn(
        role=member(Role, _ROLES.get(role, role) if isinstance(role, str) else role, "role"),
        content=_content(message.get("content")),
        name=_label(message, "name"),
        occurred_at=at,
        zone=own_zone,
        session=_label(message, "session"),
        agent=_label(message, "agent"),
        id=_label(message, "id"),
        channel=channel,
    )


def _content(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        parts = cast("list[object]", value)
        return "\n".join(text for text in map(_part, parts) if text)
    raise InputError(f"content must be text, not {type(value).__name__}: {shown(value)}")


def _part(part: object) -> str:
    """Return the text of a part of a content; an image and the like has none."""
    text = cast("Message", part).get("text", "") if isinstance(part, Mapping) else part
    if not isinstance(text, str):
        raise InputError(
            f"a part of the content must be text, not {type(text).__name__}: {shown(text)}"
        )
    return text


def _label(message: Message, name: str) -> str | None:
    value = message.get(name)
    if value is None or value == "":
        return None
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise InputError(f"{name} must be text, not {type(value).__name__}: {shown(value)}")
    return require_label(value if isinstance(value, str) else _digits(value, name), name)


def _digits(value: int, name: str) -> str:
    if value.bit_length() > 1000:
        raise InputError(f"{name} must be text or a number of some digits, not {shown(value)}")
    return str(value)


def stated(value: When | None, zone: str, name: str) -> Stated | None:
    """Read a bound of a fact; its words are kept as the phrase."""
    if value is None:
        return None
    text = value if isinstance(value, str) else value.isoformat()
    return Stated(text, span_of(value, zone, name))


def filter_of(
    *,
    now: int,
    zone: str,
    valid_at: When | None = None,
    known_at: When | None = None,
    include_ended: bool = False,
    include_disputed: bool = False,
    include_retracted: bool = False,
    polarity: str | None = None,
    modality: str | None = None,
    session: str | Sequence[str] | None = None,
    agent: str | Sequence[str] | None = None,
) -> FactFilter:
    """Build the filter of a read.

    Without ``valid_at``, what holds now and the plans ahead; with ended facts, all up to then.
    ``known_at`` counts everything recorded by the end of what it names.
    """
    statuses = {Status.HELD}
    if include_disputed:
        statuses.add(Status.DISPUTED)
    if include_retracted:
        statuses.add(Status.RETRACTED)
    first = last = now
    if valid_at is not None:
        span = span_of(valid_at, zone, "valid_at")
        first, last = span.first, max(span.first, span.after - 1)
    known = None
    if known_at is not None:
        span = span_of(known_at, zone, "known_at")
        known = max(span.first, span.after - 1)
    return FactFilter(
        valid=(NEVER if include_ended else first, last),
        upcoming=valid_at is None,
        uncertain=include_ended and valid_at is None,  # also what is over, begun nobody knows when
        known_at=known,
        statuses=frozenset(statuses),
        polarity=None if polarity is None else member(Polarity, polarity, "polarity"),
        modality=None if modality is None else member(Modality, modality, "modality"),
        sessions=_labels(session, "session"),
        agents=_labels(agent, "agent"),
    )


def _labels(value: str | Sequence[str] | None, name: str) -> frozenset[str] | None:
    if value is None:
        return None
    labels = [value] if isinstance(value, str) else list(value)
    if not labels or not all(labels):
        raise InputError(f"{name} must name at least one label: {shown(value)}")
    return frozenset(require_encodable(label, name) for label in labels)
