"""What is wrong inside the store, in plain words.

Each living scope is walked a page at a time while nobody changes it; what is held meanwhile is one
page, and a number for each of the scope's words.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Mapping
from typing import Any

from graphmem.adapters.neo4j.connection import Connection
from graphmem.adapters.neo4j.rows import Node
from graphmem.adapters.neo4j.scopes import Place, at_rest, scopes
from graphmem.adapters.neo4j.tx import Found, Tx
from graphmem.model.chunks import chunks
from graphmem.model.entity import ValueKind
from graphmem.model.fact import Status
from graphmem.model.rows import entity_from, episode_from
from graphmem.model.time import FOREVER

_PAGE = 1000
_EACH = 20
"""Findings of one kind that are named in one scope; others are counted."""

_WORDS = {
    "two_live": "the fact {} has several live records",
    "overlap": "records of the fact {} overlap in record time",
    "unfounded": "the fact {} rests on no claim",
    "withdrawn": "the fact {} rests on withdrawn claims alone",
    "no_fact": "the claim {} carries the fact {}, which is not there",
    "ends": "the fact {} lies between other things than it names",
    "superseded": "the fact {} was ended by others than its relationships say",
    "record_interval": "the record {} leaves the store before it enters",
    "valid_interval": "the record {} ends before it begins",
    "fact_entity": "the record {} names an entity that is not there",
    "fact_terms": "the record {} has no keywords",
    "no_episode": "the claim {} was said in an episode that is not there",
    "no_link": "the claim {} has no live link",
    "two_links": "the claim {} has several live links",
    "link_entity": "the claim {} is linked to an entity that is not there",
    "link_ends": "the claim {} has a link that ends elsewhere than it says",
    "withdrawals": "the claim {} has withdrawals that cannot be read",
    "merged_entity": "the entity {} was merged into one that is not there",
    "entity_terms": "the entity {} has no keywords",
    "entity_words": "the entity {} is not found by the words of its names",
    "names": "the entity {} is found by other names than it has",
    "self": "the entity {} is the scope's own user by half",
    "drifted": "the fact {} has a relationship that does not say what it says",
    "episode_terms": "the episode {} has no keywords",
    "leftover_terms": "the keywords of {} are of something that is not there",
    "nameless": "the name {!r} is of nothing",
    "suggestion_entity": "the suggestion {} lies between other things than it names",
    "selves": "a scope has {} own users",
    "shown": "{} facts should have a relationship between their things, and {} have one",
    "points": "a scope counts {} records with keywords where there are {}",
    "frequencies": "a scope counts a term {} times where it is in {} records",
    "stray": "there are things of a scope that is not there ({})",
}


async def check(connection: Connection) -> list[str]:
    """Return every finding in living scopes, and what belongs to no scope."""
    found: list[str] = []
    for scope in await connection.read(scopes):
        found.extend(await at_rest(connection, scope, _scope))
    found.extend(await connection.read(_strays))
    return found


async def _scope(tx: Tx, place: Place | None) -> list[str]:
    if place is None:
        return []
    walk = _Walk(tx, place.sid)
    await walk.all()
    return walk.sentences()


class _Walk:
    """One walk through a scope."""

    def __init__(self, tx: Tx, sid: str) -> None:
        self._tx = tx
        self._sid = sid
        self._found: defaultdict[str, list[str]] = defaultdict(list)
        self._more: Counter[str] = Counter()
        self._terms: Counter[str] = Counter()
        self._points = 0

    def sentences(self) -> list[str]:
        """Return what was found."""
        for name, count in self._more.items():
            self._found[name].append(f"and {count} more like this")
        return [sentence for sentences in self._found.values() for sentence in sentences]

    async def all(self) -> None:
        """Look at everything."""
        common = {"forever": FOREVER, "entity": ValueKind.ENTITY.value, "held": Status.HELD.value}
        facts = Counter({"shown": 0})
        async for row in self._pages("check/facts", retracted=Status.RETRACTED.value, **common):
            facts["shown"] += row["shown"]
        async for row in self._pages("check/records", entity=common["entity"]):
            self._count(row["terms"])
        async for _ in self._pages("check/claims", forever=FOREVER, entity=common["entity"]):
            pass
        shown = 0
        async for row in self._pages("check/entities", forever=FOREVER, held=common["held"]):
            self._count(row["terms"])
            self._names(row["rows"])
            shown += row["shown"]
        if shown != facts["shown"]:
            self._note("shown", facts["shown"], shown)
        async for row in self._pages("check/episodes"):
            self._count(row["terms"])
            for episode in map(episode_from, map(Node, row["rows"])):
                if chunks(episode):
                    self._note("episode_terms", episode.id)
        for name in ("check/chunks", "check/names", "check/suggestions"):
            async for _ in self._pages(name):
                pass
        await self._counted()

    async def _pages(self, name: str, **values: object) -> AsyncIterator[Found]:
        """Note what is wrong with each page of a kind, and yield it."""
        after: str | None = ""
        while after is not None:
            (row,) = await self._tx.run(name, sid=self._sid, after=after, limit=_PAGE, **values)
            for what in row.keys() & _WORDS.keys() - {"shown"}:
                for one in row[what]:  # an id, or a claim and a fact
                    self._note(what, *([one] if isinstance(one, str) else one))
            yield row
            after = row["last"]

    def _note(self, name: str, *values: object) -> None:
        if len(self._found[name]) < _EACH:
            self._found[name].append(_WORDS[name].format(*values))
        else:
            self._more[name] += 1

    def _count(self, documents: list[list[str]]) -> None:
        for terms in documents:
            self._terms.update(terms)
            self._points += bool(terms)

    def _names(self, rows: list[Mapping[str, Any]]) -> None:  # Any: properties
        for row in rows:
            entity = entity_from(Node(row["entity"]))
            if frozenset(row["names"]) != entity.keys:
                self._note("names", entity.id)

    async def _counted(self) -> None:
        """Compare the scope's counts with what was counted."""
        (scope,) = await self._tx.run("check/scope", sid=self._sid)
        if scope["points"] != self._points:
            self._note("points", scope["points"], self._points)
        if scope["selves"] > 1:
            self._note("selves", scope["selves"])
        async for row in self._pages("check/terms"):
            for term, records in row["rows"]:
                there = self._terms.pop(term, 0)
                if records != there:
                    self._note("frequencies", records, there)
        for there in self._terms.values():
            self._note("frequencies", 0, there)


async def _strays(tx: Tx) -> list[str]:
    """Find things whose scope is not there, by going from one scope id to the next."""
    last: dict[str, str | None] = dict.fromkeys(("episode", "entity", "claim", "fact", "chunk"), "")
    found: dict[str, None] = {}
    while any(sid is not None for sid in last.values()):
        (row,) = await tx.run("check/strays", **last)
        last = {kind: next(iter(sids), None) for kind, sids in row.items()}
        sids = list(dict.fromkeys(sid for sid in last.values() if sid is not None))
        (there,) = await tx.run("check/sids", sids=sids)
        found.update((sid, None) for sid in sids if sid not in there["rows"])
    return [_WORDS["stray"].format(sid) for sid in found]
