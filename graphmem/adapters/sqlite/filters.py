"""Fixed clauses that narrow, order and page a read; values travel only as parameters."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from graphmem.adapters.sqlite.statements import sql
from graphmem.model.cursors import read_cursor
from graphmem.model.rows import Scalar
from graphmem.model.search import FactFilter, FactQuery
from graphmem.model.time import clamp
from graphmem.ports.graph_store import EpisodeQuery

_as_json = json.JSONEncoder(ensure_ascii=False).encode  # made once: every statement has lists

# Said order, newest first; ties by record id.
NEWEST_SAID = "ORDER BY f.said_at DESC, f.said_turn DESC, f.said_place DESC, f.record LIMIT :limit"
_AFTER_SAID = (
    "f.said_at <= :c0 AND (f.said_at < :c0 OR f.said_turn < :c1 OR (f.said_turn = :c1 AND "
    "(f.said_place < :c2 OR (f.said_place = :c2 AND f.record > :c3))))"
)
BEST_FIRST = "ORDER BY score DESC, ref LIMIT :limit"
BY_DOCUMENT = "GROUP BY p.doc"

NEWEST_EPISODE = "ORDER BY e.occurred_at DESC, e.place DESC, e.id DESC LIMIT :limit"
OLDEST_EPISODE = "ORDER BY e.occurred_at, e.place, e.id LIMIT :limit"
_AFTER_EPISODE_DOWN = "(e.occurred_at, e.place, e.id) < (:c0, :c1, :c2)"
_AFTER_EPISODE_UP = "(e.occurred_at, e.place, e.id) > (:c0, :c1, :c2)"

NEWEST_ENTITY = "ORDER BY e.created_at DESC, e.key DESC LIMIT :limit"
_AFTER_ENTITY = "(e.created_at, e.key) < (:c0, :c1)"
NOT_MERGED = "e.merged_into IS NULL"
ENTITY_IDS = "e.id IN (SELECT value FROM json_each(:ids))"
ENTITY_KEYS = (
    "e.row IN (SELECT n.entity FROM entity_names n WHERE n.sid = :sid "
    "AND n.key IN (SELECT plain(value) FROM json_each(:keys)))"
)

_LABELLED = (
    "EXISTS (SELECT 1 FROM fact_claims r JOIN claims c ON c.sid = r.sid AND c.id = r.claim "
    "JOIN episodes e ON e.sid = c.sid AND e.id = c.episode "
    "WHERE r.sid = f.sid AND r.fact = f.id "
    "AND r.created_at <= min(ifnull(:known_at, f.expired_at - 1), f.expired_at - 1) "
    "AND r.expired_at > min(ifnull(:known_at, f.expired_at - 1), f.expired_at - 1) AND "
)
_SESSION = "e.session IN (SELECT plain(value) FROM json_each(:sessions))"
_AGENT = "e.agent IN (SELECT plain(value) FROM json_each(:agents))"

_LIVE = "f.expired_at = 4611686018427387904"
_KNOWN = "f.created_at <= :known_at AND f.expired_at > :known_at"
_STATUS = "f.status IN (SELECT value FROM json_each(:statuses))"
_VALID = (
    "f.reads_until > :first AND (f.reads_from <= :last "
    "OR (:upcoming AND f.modality = 'planned') OR (:uncertain AND f.may_from <= :last))"
)
_SUBJECT = "f.subject_key IN (SELECT plain(value) FROM json_each(:subjects))"
_SUBJECT_AS_OBJECT = "f.object_key IN (SELECT plain(value) FROM json_each(:subjects))"
_OBJECT = "f.object_key IN (SELECT plain(value) FROM json_each(:objects))"
_EITHER_OF = "f.predicate IN (SELECT plain(value) FROM json_each(:either_of))"
_OBJECT_AS_SUBJECT = "f.subject_key IN (SELECT plain(value) FROM json_each(:objects))"


@dataclass
class Clauses:
    """Clauses joined by AND, and the parameters they name."""

    parts: list[str] = field(default_factory=list[str])
    values: dict[str, Scalar] = field(default_factory=dict[str, Scalar])

    def add(self, clause: str, **values: Scalar) -> None:
        """Add a fixed clause with its parameters."""
        self.parts.append(f"({clause})")
        self.values.update(values)

    def after(self, name: str, *tail: str) -> str:
        """Return the statement ``name`` narrowed by the clauses, then the fixed ``tail``."""
        return " ".join((sql(name), *(f"AND {part}" for part in self.parts), *tail))


def as_list(values: Iterable[object]) -> str:
    """Return values as the one JSON parameter of a list.

    SQLite ends a JSON string at a zero character, which names may hold, so it travels as another
    sequence; the function ``plain`` takes it back (see ``register``).
    """
    given = list(values)
    text = _as_json(given)
    if "\\u00" not in text:  # as JSON writes what would have to be packed
        return text
    packed = [_packed(value) if isinstance(value, str) else value for value in given]
    return _as_json(packed)


def _packed(text: str) -> str:
    return text.replace("\x1a", "\x1a1").replace("\x00", "\x1a0")


def _plain(text: str) -> str:
    return text.replace("\x1a0", "\x00").replace("\x1a1", "\x1a")


def register(connection: sqlite3.Connection) -> None:
    """Give a connection the function ``plain``, which statements use on free text in lists."""
    connection.create_function("plain", 1, _plain, deterministic=True)


def as_map(values: Mapping[str, float]) -> str:
    """Return a mapping as one JSON parameter."""
    return _as_json(dict(values))


def fact_clauses(asked: FactFilter) -> Clauses:
    """Return the clauses that admit exactly what ``FactFilter.admits`` admits, and the labels."""
    clauses = Clauses(values={"known_at": None})
    if asked.known_at is None:
        clauses.add(_LIVE)
    else:
        clauses.add(_KNOWN, known_at=clamp(asked.known_at))
    clauses.add(_STATUS, statuses=as_list(sorted(asked.statuses)))
    if asked.polarity is not None:
        clauses.add("f.polarity = :polarity", polarity=asked.polarity.value)
    if asked.modality is not None:
        clauses.add("f.modality = :modality", modality=asked.modality.value)
    if asked.predicates is not None:
        clauses.add(
            "f.predicate IN (SELECT plain(value) FROM json_each(:predicates))",
            predicates=as_list(sorted(asked.predicates)),
        )
    if asked.valid is not None:
        clauses.add(
            _VALID,
            first=clamp(asked.valid[0]),
            last=clamp(asked.valid[1]),
            upcoming=int(asked.upcoming),
            uncertain=int(asked.uncertain),
        )
    if asked.sessions is not None:
        clauses.add(f"{_LABELLED}{_SESSION})", sessions=as_list(sorted(asked.sessions)))
    if asked.agents is not None:
        clauses.add(f"{_LABELLED}{_AGENT})", agents=as_list(sorted(asked.agents)))
    return clauses


def query_clauses(query: FactQuery) -> tuple[str, Clauses]:
    """Return the statements and clauses of a listing of facts, its cursor apart."""
    clauses = fact_clauses(query.filter)
    straight: list[str] = []
    turned: list[str] = []
    if query.subjects is not None:
        clauses.values["subjects"] = as_list(sorted(query.subjects))
        straight.append(_SUBJECT)
        turned.append(_SUBJECT_AS_OBJECT)
    if query.objects is not None:
        clauses.values["objects"] = as_list(sorted(query.objects))
        straight.append(_OBJECT)
        turned.append(_OBJECT_AS_SUBJECT)
    if not straight:
        return "facts", clauses
    way = " AND ".join(straight)
    if query.either_of is not None:
        clauses.values["either_of"] = as_list(sorted(query.either_of))
        turned.append(_EITHER_OF)
    clauses.add(f"({way}) OR ({' AND '.join(turned)})" if query.either else way)
    # Where the statement looks first; the clause above decides.
    near, far = ("by_subject", "by_object")
    if query.subjects is None:
        near, far = far, near
    clauses.values[near] = clauses.values["objects" if query.subjects is None else "subjects"]
    clauses.values[far] = clauses.values[near] if query.either else as_list(())
    return "facts_about", clauses


def chunk_clauses(asked: FactFilter) -> Clauses:
    """Return the clauses for chunks: labels and record time of their episode."""
    clauses = Clauses()
    if asked.known_at is not None:
        clauses.add("e.created_at <= :known_at", known_at=clamp(asked.known_at))
    if asked.sessions is not None:
        clauses.add(_SESSION, sessions=as_list(sorted(asked.sessions)))
    if asked.agents is not None:
        clauses.add(_AGENT, agents=as_list(sorted(asked.agents)))
    return clauses


def entity_clauses(asked: FactFilter) -> Clauses:
    """Return the clauses for entities found by keyword: their record time."""
    clauses = Clauses()
    if asked.known_at is not None:
        clauses.add("e.created_at <= :known_at", known_at=clamp(asked.known_at))
    return clauses


def episode_clauses(query: EpisodeQuery) -> Clauses:
    """Return the clauses of a listing of episodes, its cursor apart."""
    clauses = Clauses()
    if query.ids is not None:
        clauses.add("e.id IN (SELECT value FROM json_each(:ids))", ids=as_list(query.ids))
    if query.session is not None:
        clauses.add("e.session = :session", session=query.session)
    if query.reading is not None:
        clauses.add("e.reading = :reading", reading=query.reading.value)
    if query.before is not None:
        clauses.add("e.occurred_at < :before", before=clamp(query.before))
    return clauses


_AFTER = {
    "facts": _AFTER_SAID,
    "episodes": _AFTER_EPISODE_DOWN,
    "oldest": _AFTER_EPISODE_UP,
    "entities": _AFTER_ENTITY,
}


def go_on(clauses: Clauses, listing: str, cursor: str | None) -> None:
    """Narrow ``clauses`` to what comes after ``cursor``.

    Raises:
        InputError: the cursor is not one of this listing.
    """
    if cursor is None:
        return
    place = read_cursor(listing, cursor)
    clauses.add(_AFTER[listing], **{f"c{number}": value for number, value in enumerate(place)})
