"""How an Edge shard is built; run as a program, it gives one its graph.

``python -m graphmem.adapters.qdrant.build FOLDER SIZE POINTS PARENT`` opens the shard in FOLDER,
made for vectors of SIZE numbers, builds the graph of every scope that has POINTS points, and ends,
as it does when the process PARENT ends. That takes minutes for a large scope and holds the
interpreter's lock all the while, which is why it is a program of its own.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from qdrant_edge import (
    Distance,
    EdgeConfig,
    EdgeOptimizersConfig,
    EdgeShard,
    EdgeSparseVectorParams,
    EdgeVectorParams,
    HnswIndexConfig,
    IntegerIndexParams,
    KeywordIndexParams,
    SearchParams,
    UpdateOperation,
)

from graphmem.adapters.qdrant.fields import DENSE, INTEGERS, KEYWORDS, SPARSE
from graphmem.adapters.system.process import end_with_parent

BIG = 10_000
"""Points from which a scope has a graph. Looking at each of so many takes 2 ms."""
LINKS = 32
"""Neighbours of a point in the graph."""
TRIED = 200
"""Points tried for each while the graph is made."""
CAREFUL = SearchParams(hnsw_ef=256)
"""How many points of a graph are kept in view while it is walked."""

_TENANT = "scope"
_FLOAT = 4
_GENTLE = 19


def config(size: int, big: int = BIG) -> EdgeConfig:
    """Return what shards are made with, for vectors of ``size`` numbers.

    Each scope of ``big`` points has a graph of its own, and no other points are in any. In a
    smaller one, and where a filter leaves fewer, every point that passes is looked at.
    """
    kilobytes = max(1, big * size * _FLOAT // 1024)
    return EdgeConfig(
        vectors={DENSE: EdgeVectorParams(size=size, distance=Distance.Cosine)},
        sparse_vectors={SPARSE: EdgeSparseVectorParams()},
        hnsw_config=HnswIndexConfig(
            m=0,
            payload_m=LINKS,
            ef_construct=TRIED,
            full_scan_threshold=kilobytes,
            max_indexing_threads=1,
        ),
        optimizers=EdgeOptimizersConfig(
            default_segment_number=1, indexing_threshold=max(1, kilobytes // 2)
        ),
    )


def create(path: Path, size: int) -> EdgeShard:
    """Make an empty shard in the empty folder ``path``, with an index of each filtered field."""
    edge = EdgeShard.create(str(path), config(size))
    for name in KEYWORDS:
        schema = KeywordIndexParams(enable_hnsw=name == _TENANT)
        edge.update(UpdateOperation.create_field_index(name, schema))
    for name in INTEGERS:
        schema = IntegerIndexParams(lookup=False, range=True, enable_hnsw=False)
        edge.update(UpdateOperation.create_field_index(name, schema))
    return edge


def main(arguments: list[str]) -> None:
    """Build the graphs of a shard."""
    folder, size, big, parent = arguments
    end_with_parent(int(parent))
    if hasattr(os, "nice"):
        os.nice(_GENTLE)
    edge = EdgeShard.load(folder, config(int(size), int(big)))
    edge.optimize()
    edge.flush()
    edge.close()


if __name__ == "__main__":
    main(sys.argv[1:])
