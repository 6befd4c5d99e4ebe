"""A message as files give it, and the JSON shapes it is found in.

A message is an object with ``content`` (or ``text``, ``message``), and, where known, ``role``,
``name`` (or ``speaker``), ``occurred_at`` (or ``timestamp``, ``created_at``, ``date``, ``time``),
``session`` (or ``session_id``), ``agent``, ``id`` (or ``message_id``). Messages come as a list, as
``{"messages": […]}`` with a session's ``id`` and ``date``, as ``{"sessions": […]}``, or as a list
of such sessions. Other fields are ignored.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, cast

from graphmem.errors import InputError
from graphmem.model.text import require_encodable

ROLES = {
    "user": "user",
    "human": "user",
    "用户": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "bot": "assistant",
    "model": "assistant",
    "助手": "assistant",
    "system": "system",
    "developer": "system",
    "系统": "system",
    "tool": "tool",
    "function": "tool",
    "document": "document",
}

_CONTENT = ("content", "text", "message")
_TIME = ("occurred_at", "timestamp", "created_at", "date", "time")
_LISTS = ("messages", "turns", "conversation", "sessions")

Json = Any  # Any: what json.loads gives; looked at shape by shape below.


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message of a file.

    Attributes:
        role: user, assistant, system, tool or document.
        content: the words.
        name: the speaker's name, if it is not only a role.
        occurred_at: ISO date or date and time, with a zone if one was given.
        session, agent, id: the file's own labels.
        where: its place in the file, for people ("line 3", "message 3").
    """

    role: str
    content: str
    name: str | None = None
    occurred_at: str | None = None
    session: str | None = None
    agent: str | None = None
    id: str | None = None
    where: str = ""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A place in the file that gave no message, and why."""

    where: str
    reason: str


def moment(value: object) -> str:
    """Return a date or time as ISO text; a number is seconds, or milliseconds, since 1970.

    Raises:
        ValueError: it is none.
    """
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        seconds = value / 1000 if abs(value) > 100_000_000_000 else value
        try:
            return datetime.fromtimestamp(seconds, UTC).isoformat()
        except (OverflowError, OSError) as error:
            raise ValueError(value) from error
    if not isinstance(value, str):
        raise ValueError(value)  # noqa: TRY004 - one error for all that is no time
    text = value.strip()
    parsed = datetime.fromisoformat(text)
    return parsed.date().isoformat() if len(text) <= 10 else parsed.isoformat()


def messages_in(value: Json, where: str, prefix: str = "session") -> Iterator[Message | Unreadable]:
    """Yield the messages of a JSON value found at ``where``.

    ``prefix`` names sessions that have no name of their own.
    """
    yield from _walk(value, Message(role="user", content="", where=where), prefix, depth=0)


def _walk(value: Json, base: Message, prefix: str, depth: int) -> Iterator[Message | Unreadable]:
    if depth > 4:
        yield Unreadable(base.where or "the document", "lists of messages are nested too deeply")
    elif isinstance(value, list):
        items = cast("list[Json]", value)
        several = len(items) > 1 and depth < 2
        for number, item in enumerate(items, 1):
            inner = replace(base, where=_inside(base.where, number, item))
            if several and _is_list(item) and base.session is None:
                inner = replace(inner, session=f"{prefix}#{number}")
            yield from _walk(item, inner, prefix, depth + 1)
    elif not isinstance(value, dict):
        yield Unreadable(
            base.where or "the document",
            f"no message but {type(value).__name__}: {str(value)[:40]!r}",
        )
    else:
        item = cast("Mapping[str, Json]", value)
        holder = next((name for name in _LISTS if isinstance(item.get(name), list)), None)
        try:
            if holder is None:
                message = _message(item, base)
                if message is not None:
                    yield message
                return
            inner = _session(item, base)
        except InputError as error:
            yield Unreadable(base.where or "the document", str(error))
            return
        yield from _walk(item[holder], inner, prefix, depth + 1)


def _is_list(item: Json) -> bool:
    if isinstance(item, dict):
        table = cast("Mapping[str, Json]", item)
        return any(isinstance(table.get(name), list) for name in _LISTS)
    return isinstance(item, list)


def _inside(where: str, number: int, item: Json) -> str:
    step = f"{'session' if _is_list(item) else 'message'} {number}"
    return f"{where}, {step}" if where else step


def _session(item: Mapping[str, Json], base: Message) -> Message:
    return replace(
        base,
        session=_label(item, "session", "session_id", "id") or base.session,
        agent=_label(item, "agent", "agent_id") or base.agent,
        occurred_at=_time(item) or base.occurred_at,
    )


def _message(item: Mapping[str, Json], base: Message) -> Message | None:
    """Return the message, or None if it is no user's and holds no text (a tool call, an image)."""
    name = _label(item, "name", "speaker")
    given = item.get("role") or (name if (name or "").casefold() in ROLES else "user")
    role = ROLES.get(given.casefold()) if isinstance(given, str) else None
    if role is None:
        raise InputError(f"role {given!r} is none of user, assistant, system, tool, document")
    if (name or "").casefold() in ROLES:
        name = None
    content = _content(next((item[key] for key in _CONTENT if key in item), None))
    if not content.strip():
        if role == "user":
            raise InputError("there is no content")
        return None
    return replace(
        base,
        role=role,
        content=require_encodable(content, "content"),
        name=name,
        occurred_at=_time(item) or base.occurred_at,
        session=_label(item, "session", "session_id") or base.session,
        agent=_label(item, "agent", "agent_id") or base.agent,
        id=_label(item, "id", "message_id"),
    )


def _content(value: Json) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, list):
        parts = cast("list[Json]", value)
        texts = [part if isinstance(part, str) else _part(part) for part in parts]
        return "\n".join(text for text in texts if text)
    raise InputError(f"content must be text, not {type(value).__name__}")


def _part(part: Json) -> str:
    text = cast("Mapping[str, Json]", part).get("text") if isinstance(part, dict) else None
    return text if isinstance(text, str) else ""


def _label(item: Mapping[str, Json], *keys: str) -> str | None:
    for key in keys:
        value = item.get(key)
        if value is None or value == "":
            continue
        if isinstance(value, bool) or not isinstance(value, (str, int)):
            raise InputError(f"{key} must be text, not {type(value).__name__}")
        return require_encodable(str(value), key)
    return None


def _time(item: Mapping[str, Json]) -> str | None:
    for key in _TIME:
        value = item.get(key)
        if value is None or value == "":
            continue
        try:
            return moment(value)
        except ValueError:
            raise InputError(f"{key} is no ISO date or time: {value!r}") from None
    return None
