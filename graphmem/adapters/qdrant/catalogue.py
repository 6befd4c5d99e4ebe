"""The collections of one index on a server, and the alias that says which one counts.

::

    graphmem              the alias, by which everybody reads and writes
    graphmem-1            the first one that was made
    graphmem-2-6f1c09be   one built beside it, or what is left of one

A collection takes the other's place by one change of the alias: at once or not at all. Those with
a lower number than the one that counts are left over from before it; those with a higher one are
being built, by this process or another, or were cut off.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import uuid
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, cast

from qdrant_client import AsyncQdrantClient, models

from graphmem.adapters.qdrant.calls import Calls, RequestRefusedError
from graphmem.adapters.qdrant.collection import Collection
from graphmem.adapters.qdrant.fields import DENSE, INTEGERS, KEYWORDS, SPARSE
from graphmem.errors import IndexUnavailableError
from graphmem.ports.vector_index import IndexInfo

FILTERED = frozenset((*KEYWORDS, *INTEGERS, "change"))
"""Payload fields that have an index: ``change`` too, since a server may refuse a condition on what
has none."""
_OURS = "graphmem"
"""The key of our part of a collection's metadata."""


class Purpose(StrEnum):
    """What a collection was made for, kept in it."""

    USE = "use"
    REINDEX = "reindex"
    COMPACTION = "compaction"


@dataclass(frozen=True, slots=True)
class Made:
    """What a collection was made with, for what, and for whose records ("" if nobody said)."""

    info: IndexInfo
    purpose: Purpose
    owner: str = ""


@dataclass(frozen=True, slots=True, order=True)
class Numbered:
    """A collection of the index."""

    number: int
    name: str


def dense_name(embedder: str) -> str:
    """Return the name of the dense vectors that ``embedder`` makes.

    Vectors of two models do not meet: should another process have switched to another embedder, the
    server itself refuses what ours makes.
    """
    return f"{DENSE}-{hashlib.sha256(embedder.encode()).hexdigest()[:8]}"


class Catalogue:
    """Makes, finds and drops the collections behind one alias.

    Args:
        calls: the way to the server.
        alias: the name under which the index is known.
        quantised: new collections keep their vectors in one byte a number, beside the whole ones.
    """

    def __init__(self, calls: Calls, alias: str, *, quantised: bool) -> None:
        self.alias = alias
        self.shown = f"{alias!r} on {calls.place}"
        self._calls = calls
        self._quantised = quantised

    def collection(self, info: IndexInfo, name: str | None = None) -> Collection:
        """Return the collection ``name``, or the one that counts."""
        dense = dense_name(info.embedder)
        return Collection(self._calls, name or self.alias, dense, quantised=self._quantised)

    async def made(self, name: str | None = None) -> Made | None:
        """Return what ``name``, or the one that counts, was made with; None if there is none.

        Raises:
            IndexUnavailableError: it is there and is none of ours.
        """
        name = name or self.alias
        config = await self._config(name)
        if config is None:
            return None
        made = _read(config)
        if made is None:
            raise IndexUnavailableError(
                f"the collection {name!r} on {self._calls.place} was not made by graphmem, or "
                "was changed since; set another qdrant_collection, or rebuild it with reindex"
            )
        return made

    async def is_for(self, name: str) -> Purpose | None:
        """Return what a collection was made for; None if it is gone, or none of ours."""
        config = await self._config(name)
        made = None if config is None else _read(config)
        return None if made is None else made.purpose

    async def _config(self, name: str) -> models.CollectionConfig | None:
        try:
            found = await self._calls.do(lambda client: client.get_collection(name))
        except RequestRefusedError as error:
            if error.status == 404:
                return None
            raise
        return found.config

    async def first(self, made: Made) -> None:
        """Make the first collection, and let it count; it may be there without its alias."""
        name = f"{self.alias}-1"
        there = await self.made(name)
        if there is None:
            await self._create(name, made)
        await self._index_fields(name)
        await self.switch(name)

    async def build(self, made: Made) -> str:
        """Make an empty collection beside the one that counts; return its name.

        Raises:
            IndexUnavailableError: a collection has the name that should be the alias.
        """
        names = await self._names()
        if self.alias in names:
            raise IndexUnavailableError(
                f"{self.shown} is a collection, and no index of graphmem; set another "
                "qdrant_collection"
            )
        number = max([1, *(one.number for one in await self.all())]) + 1
        name = f"{self.alias}-{number}-{uuid.uuid4().hex[:8]}"
        await self._create(name, made)
        await self._index_fields(name)
        return name

    async def _create(self, name: str, made: Made) -> None:
        info = made.info
        quantised = None
        if self._quantised:
            scalar = models.ScalarQuantizationConfig(
                type=models.ScalarType.INT8, quantile=0.99, always_ram=True
            )
            quantised = models.ScalarQuantization(scalar=scalar)
        vectors = models.VectorParams(size=info.size, distance=models.Distance.COSINE)
        try:
            await self._calls.do(
                lambda client: client.create_collection(
                    name,
                    vectors_config={dense_name(info.embedder): vectors},
                    sparse_vectors_config={SPARSE: models.SparseVectorParams()},
                    # Every search is of one scope: a graph for each, and none over them all.
                    hnsw_config=models.HnswConfigDiff(m=0, payload_m=16),
                    quantization_config=quantised,
                    metadata={_OURS: _written(made)},
                )
            )
        except RequestRefusedError as error:
            # By another process at the same time, or by a try whose answer was lost.
            if error.status != 409 and "already exists" not in str(error):
                raise
        found = await self._calls.do(lambda client: client.get_collection(name))
        if found.config.metadata is None:
            await self.drop(name)
            raise IndexUnavailableError(
                f"the Qdrant server at {self._calls.place} keeps no metadata of collections, so "
                "it is too old; use 1.17 or newer"
            )

    async def _index_fields(self, name: str) -> None:
        schemas: dict[str, models.KeywordIndexParams | models.IntegerIndexParams] = {
            field: models.KeywordIndexParams(
                type=models.KeywordIndexType.KEYWORD,
                is_tenant=True if field == "scope" else None,
                enable_hnsw=field == "scope",
            )
            for field in KEYWORDS
        }
        for field in sorted(FILTERED.difference(KEYWORDS)):
            schemas[field] = models.IntegerIndexParams(
                type=models.IntegerIndexType.INTEGER, lookup=False, range=True, enable_hnsw=False
            )

        async def create(client: AsyncQdrantClient) -> None:
            await asyncio.gather(
                *(
                    client.create_payload_index(name, field, field_schema=schema, wait=True)
                    for field, schema in schemas.items()
                )
            )

        await self._calls.do(create)

    async def all(self) -> list[Numbered]:
        """Return the collections of the index, by their numbers."""
        pattern = re.compile(rf"{re.escape(self.alias)}-(\d+)(?:-[0-9a-f]{{8}})?")
        matches = [pattern.fullmatch(name) for name in await self._names()]
        return sorted(Numbered(int(match[1]), match[0]) for match in matches if match)

    async def _names(self) -> list[str]:
        answer = await self._calls.do(lambda client: client.get_collections())
        return [one.name for one in answer.collections]

    async def current(self) -> Numbered | None:
        """Return the collection that counts."""
        answer = await self._calls.do(lambda client: client.get_aliases())
        target = next(
            (one.collection_name for one in answer.aliases if one.alias_name == self.alias), None
        )
        return next((one for one in await self.all() if one.name == target), None)

    async def switch(self, name: str) -> None:
        """Let the collection ``name`` count from now on."""
        there = await self._calls.do(lambda client: client.get_aliases())
        changes: list[Any] = []  # Any: the client's own union of alias operations
        if any(one.alias_name == self.alias for one in there.aliases):
            gone = models.DeleteAlias(alias_name=self.alias)
            changes.append(models.DeleteAliasOperation(delete_alias=gone))
        new = models.CreateAlias(collection_name=name, alias_name=self.alias)
        changes.append(models.CreateAliasOperation(create_alias=new))
        await self._calls.do(lambda client: client.update_collection_aliases(changes))

    async def clear(self) -> None:
        """Drop every collection of the index but the one that counts."""
        current = await self.current()
        for one in await self.all():
            if one != current and await self.is_for(one.name) is not None:
                await self.drop(one.name)

    async def drop(self, name: str) -> None:
        """Remove a collection; it may be gone already."""
        try:
            await self._calls.do(lambda client: client.delete_collection(name))
        except RequestRefusedError as error:
            if error.status != 404:
                raise


def _written(made: Made) -> dict[str, str | int]:
    info = made.info
    return {
        "embedder": info.embedder,
        "size": info.size,
        "version": info.version,
        "purpose": made.purpose.value,
        "owner": made.owner,
    }


def _read(config: models.CollectionConfig) -> Made | None:
    try:
        row = cast("dict[str, Any]", (config.metadata or {})[_OURS])  # Any: a JSON object
        info = IndexInfo(str(row["embedder"]), int(row["size"]), int(row["version"]))
        vectors = cast("dict[str, models.VectorParams]", config.params.vectors)
        dense = vectors[dense_name(info.embedder)]
        made = Made(info, Purpose(row["purpose"]), str(row["owner"]))
    except (KeyError, TypeError, ValueError):
        return None
    as_said = (dense.size, dense.distance) == (info.size, models.Distance.COSINE)
    return made if as_said else None
