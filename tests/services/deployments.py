"""Every test of what a memory does is run on each store; those about one store say why.

Areas that do so import ``stores`` in their ``conftest.py``: with ``each_store`` beside it every
test is run on each, without it those that ask for ``stores`` or for a fixture that does. A test
opens its memories with ``a_memory`` (or its graph store with ``a_graph``) and needs no word about
where: the first folder it names stands for the Neo4j of the tests, with the index in the folder;
every other one is a memory in that folder. Of two markers, ``embedded("…")`` keeps a test to
folders and says why, and ``storeless`` tells that it opens none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from graphmem import Memory, Settings
from graphmem.adapters.qdrant.edge import EdgeIndex
from graphmem.adapters.sqlite import SqliteStore
from graphmem.ports.clock import Clock
from graphmem.ports.graph_store import GraphStore
from graphmem.testing.embedders import HashEmbedder
from graphmem.wiring import GRAPH_FILE, INDEX_FOLDER
from tests.services.neo4j_server import Address
from tests.services.plugin import Emptied
from tests.services.stores import open_store, settings_of

EMBEDDED, SERVER, STORELESS = "embedded", "neo4j", "storeless"
MARKERS = (
    f"{EMBEDDED}(reason): about the store in a folder alone, and why",
    f"{STORELESS}: opens no memory",
)


class Deployment:
    """Where the memories of one test lie; on Neo4j, if there is ``server``, the first of them."""

    def __init__(self, kind: str, server: Emptied | None = None) -> None:
        self.kind = kind
        self.used = False
        self._server = server
        self._folder: Path | None = None
        self._address: Address | None = None

    def address(self, folder: Path) -> Address | None:
        """Return the server that a folder stands for; empty when the folder is first named.

        A folder that is gone, as that of an example before, leaves it to the next.
        """
        self.used = True
        if self._server is None:
            return None
        if self._folder is None or not self._folder.exists():
            self._folder = folder
            self._address = self._server.wipe()
        folder.mkdir(parents=True, exist_ok=True)
        return self._address if folder == self._folder else None

    def opening(self, folder: Path, **options: Any) -> dict[str, Any]:  # Any: options of Memory
        """Return the options that open the memory a folder stands for, with a cheap embedder."""
        options.setdefault("embedder", HashEmbedder())
        address = self.address(folder)
        if address is None:
            return {"path": folder} | options
        server = settings_of(address)
        given: Settings = options.pop("settings", server)
        login = {"neo4j_user": server.neo4j_user, "neo4j_password": server.neo4j_password}
        options["settings"] = replace(given, path=server.path, **login)
        embedder = options["embedder"]
        index = folder / INDEX_FOLDER
        if "index" not in options and (embedder != "none" or index.exists()):
            options["index"] = EdgeIndex(index, None if embedder == "none" else embedder)
        return options

    @classmethod
    def of(cls, kind: str, request: pytest.FixtureRequest) -> Deployment:
        """Return one of a kind."""
        return cls(kind, request.getfixturevalue("neo4j_lts") if kind == SERVER else None)


_now = [Deployment(STORELESS)]


def opening(folder: Path, **options: Any) -> dict[str, Any]:  # Any: options of Memory, by name
    """Return the options that open the memory a folder stands for in this test."""
    return _now[-1].opening(folder, **options)


def a_memory(folder: Path, **options: Any) -> Memory:  # Any: options of Memory, by name
    """Return the memory that a folder stands for, with a cheap embedder unless one is given."""
    return Memory(**opening(folder, **options))


def a_graph(folder: Path, clock: Clock) -> GraphStore:
    """Return the graph store that a folder stands for."""
    address = _now[-1].address(folder)
    if address is None:
        return SqliteStore.open(folder / GRAPH_FILE, clock, synchronous="NORMAL")
    return open_store(address, clock)


def spread(metafunc: pytest.Metafunc) -> None:
    """Have a test run on each store, as its markers say."""
    if "stores" not in metafunc.fixturenames:
        return
    marker = metafunc.definition.get_closest_marker
    if marker(STORELESS) is not None:
        kinds = [STORELESS]
    elif (kept := marker(EMBEDDED)) is not None:
        if not kept.args:
            raise pytest.UsageError(f"{metafunc.definition.nodeid}: {EMBEDDED} needs a reason")
        kinds = [EMBEDDED]
    else:
        kinds = [EMBEDDED, SERVER]
    metafunc.parametrize("stores", kinds, indirect=True)


@pytest.fixture
def stores(request: pytest.FixtureRequest) -> Iterator[str]:
    """Say on which store the memories of this test are."""
    # A state machine is a case of unittest, which cannot be run more than once.
    kind: str = getattr(request, "param", EMBEDDED)
    _now.append(Deployment.of(kind, request))
    yield kind
    done = _now.pop()
    if kind == STORELESS and done.used:
        pytest.fail(f"it is marked {STORELESS}, and opens a memory")
    if kind == SERVER and not done.used:
        pytest.fail(f"it opens no memory by a_memory: mark it {STORELESS}, or {EMBEDDED}")


@pytest.fixture(autouse=True)
def each_store(stores: str) -> str:
    """Run every test of the area on each store, also those that ask for no fixture."""
    return stores
