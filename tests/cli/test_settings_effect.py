"""Every documented setting does what docs/settings.md says, given in the environment."""

from __future__ import annotations

import json
import logging
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import anyio
import pytest

from graphmem import AsyncMemory, Memory
from graphmem.adapters.sqlite.store import SqliteStore
from graphmem.settings import Settings, definitions
from graphmem.testing.embedding_server import EmbeddingServer
from graphmem.testing.model_server import Reply, Request, ScriptedServer
from graphmem.wiring import assemble
from tests.cli.commandline import CommandLine
from tests.index.qdrant_http import QdrantServer, Trouble
from tests.jobs.kit import Reader, until

Check = Callable[[CommandLine], None]
CHECKS: dict[str, Check] = {}

EMPTY = json.dumps({"claims": []})


def effect(*names: str) -> Callable[[Check], Check]:
    """Note that a function checks the effect of these settings."""

    def register(check: Check) -> Check:
        CHECKS.update(dict.fromkeys(names, check))
        return check

    return register


@effect("workers")
def workers(cli: CommandLine) -> None:
    """So many jobs are read at a time."""
    for count in (1, 2):
        cli.monkeypatch.setenv("GRAPHMEM_WORKERS", str(count))
        reader = Reader(is_open=False)
        with Memory(settings=Settings.load(), extractor=reader) as memory:
            for user in ("ana", "eva", "ida"):
                memory.add("I live in Riga.", user=user, wait=False)
            until(lambda: len(reader.begun) == count)  # noqa: B023 - called here and now
            reader.gate.set()
        assert reader.at_once == count


@effect("path")
def path(cli: CommandLine) -> None:
    """The memory is in the folder that is named."""
    cli.monkeypatch.setenv("GRAPHMEM_HOME", "elsewhere")
    cli.text("add", "I live in Riga.")
    assert Path("elsewhere", "graph.sqlite3").is_file()
    assert not cli.home.exists()


@effect("neo4j_user", "neo4j_password", "neo4j_database", "neo4j_timeout")
def neo4j(cli: CommandLine) -> None:
    """A server is signed in to by these, for this database, and waited for so long."""
    with Listener() as server:
        for name, value in {
            "GRAPHMEM_HOME": f"bolt://127.0.0.1:{server.port}",
            "GRAPHMEM_NEO4J_USER": "walter",
            "GRAPHMEM_NEO4J_PASSWORD": "secret-word",
            "GRAPHMEM_NEO4J_DATABASE": "memories",
            "GRAPHMEM_NEO4J_TIMEOUT": "0.5",
        }.items():
            cli.monkeypatch.setenv(name, value)
        began = time.monotonic()
        cli.text("add", "I live in Riga.", code=4)
        assert time.monotonic() - began < 10  # and not the usual 30
        assert b"walter" in server.heard
        assert b"secret-word" in server.heard
        assert "/memories" in cli.err
        assert "secret-word" not in cli.err


class Listener:
    """Takes Bolt connections, keeps what they say, and never answers."""

    def __enter__(self) -> Listener:
        self.heard = b""
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self._thread = threading.Thread(target=self._listen)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join()

    def _listen(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._socket.accept()
                with client:
                    client.recv(20)
                    client.sendall(b"\x00\x00\x04\x05")  # let us speak Bolt 5.4
                    while said := client.recv(4096):
                        self.heard += said


@effect("tenant", "user")
def scope(cli: CommandLine) -> None:
    """Commands that name no tenant and user mean these."""
    cli.monkeypatch.setenv("GRAPHMEM_TENANT", "acme")
    cli.monkeypatch.setenv("GRAPHMEM_USER", "bo")
    cli.text("add", "I live in Riga.")
    assert cli.json("facts", "--tenant", "acme", "--user", "bo")["total"] == 1
    cli.text("facts", "--tenant", "default", "--user", "ana", code=1)


@effect("me")
def me(cli: CommandLine) -> None:
    """A name in a transcript means the user."""
    cli.monkeypatch.setenv("GRAPHMEM_ME", "Anna, 安娜")
    cli.text("add", "I live in Riga.", "--name", "安娜")
    assert cli.json("facts", "--subject", "me")["total"] == 1


@effect("timezone")
def timezone(cli: CommandLine) -> None:
    """A bare date is read in it, and times are printed in it."""
    cli.monkeypatch.setenv("GRAPHMEM_TIMEZONE", "+08:00")
    cli.text("add", "I live in Riga.", "--at", "2025-01-10")
    assert cli.fact("lives_in")["said_at"] == "2025-01-10T00:00:00+08:00"
    cli.monkeypatch.setenv("GRAPHMEM_TIMEZONE", "UTC")
    assert cli.fact("lives_in")["said_at"] == "2025-01-09T16:00:00+00:00"


@effect("extractor")
def extractor(cli: CommandLine) -> None:
    """With none, turns wait unread."""
    cli.monkeypatch.setenv("GRAPHMEM_EXTRACTOR", "none")
    assert cli.json("add", "I live in Riga.", code=5)["turns"][0]["state"] == "pending"


def use_model(cli: CommandLine, url: str) -> None:
    """Let a chat model at ``url`` read the turns."""
    for name, value in {
        "GRAPHMEM_EXTRACTOR": "model",
        "GRAPHMEM_MODEL": "small-model",
        "GRAPHMEM_MODEL_BASE_URL": url,
        "GRAPHMEM_MODEL_API_KEY": "secret-key",
        "GRAPHMEM_MODEL_TEMPERATURE": "0.7",
    }.items():
        cli.monkeypatch.setenv(name, value)


@effect("model_headers", "model_query", "model_extra_body")
def model_requests(cli: CommandLine) -> None:
    """As an Azure deployment wants them; none is shown, also where the endpoint repeats it."""

    def echo(request: Request) -> Reply:
        said = f"no {request.headers['api-key']} for {request.path}"
        return Reply(status=401, body={"error": {"message": said}})

    with ScriptedServer(echo) as server:
        use_model(cli, server.url.removesuffix("/v1") + "/openai/deployments/small")
        cli.monkeypatch.delenv("GRAPHMEM_MODEL_API_KEY")
        for name, value in {
            "GRAPHMEM_MODEL_HEADERS": "api-key=secret-header",
            "GRAPHMEM_MODEL_QUERY": "api-version=2024-10-21",
            "GRAPHMEM_MODEL_EXTRA_BODY": '{"reasoning_effort": "none"}',
            "GRAPHMEM_LOG_LEVEL": "debug",
        }.items():
            cli.monkeypatch.setenv(name, value)
        out = cli.text("add", "I live in Riga.", code=5)
    request = server.requests[0]
    where = "/openai/deployments/small/chat/completions?api-version=2024-10-21"
    assert request.path == where
    assert request.headers["api-key"] == "secret-header"
    assert "authorization" not in request.headers
    assert request.body["reasoning_effort"] == "none"
    assert "401" in out
    assert "secret-header" not in out + cli.err
    assert "2024-10-21" not in out + cli.err


@effect("max_model_calls", "max_model_tokens")
def caps(cli: CommandLine) -> None:
    """No call is made beyond them, and the turn waits with the reason."""
    with ScriptedServer(lambda _: EMPTY) as server:
        use_model(cli, server.url)
        cli.monkeypatch.setenv("GRAPHMEM_MAX_MODEL_CALLS", "0")
        assert "max_model_calls" in cli.text("add", "I live in Riga.", code=5)
        cli.monkeypatch.setenv("GRAPHMEM_MAX_MODEL_CALLS", "9")
        cli.monkeypatch.setenv("GRAPHMEM_MAX_MODEL_TOKENS", "50")
        assert "max_model_tokens" in cli.text("add", "I live in Oslo.", code=5)
        assert not server.requests
        cli.monkeypatch.delenv("GRAPHMEM_MAX_MODEL_TOKENS")
        cli.text("retry-pending")
    assert len(server.requests) == 1


def claims(*objects: tuple[str, int]) -> str:
    """What a model answers of "I live in …" sentences, with the importance of each."""
    rows = [
        {
            "turn": "T1",
            "quote": f"I live in {name}",
            "subject": "me",
            "predicate": "lives_in",
            "object": name,
            "importance": importance,
            "statement": f"The user lives in {name}.",
        }
        for name, importance in objects
    ]
    return json.dumps({"claims": rows})


@effect("min_importance", "max_facts_per_turn")
def gates(cli: CommandLine) -> None:
    """What matters less, or is more than that, is left out and counted."""
    answer = claims(("Riga", 3), ("Oslo", 6))
    with ScriptedServer(lambda _: answer) as server:
        use_model(cli, server.url)
        cli.monkeypatch.setenv("GRAPHMEM_MIN_IMPORTANCE", "4")
        receipt = cli.json("add", "I live in Riga. I live in Oslo.")
        assert [(r["kind"], r["count"]) for r in receipt["refused"]] == [("unimportant", 1)]
        cli.monkeypatch.delenv("GRAPHMEM_MIN_IMPORTANCE")
        cli.monkeypatch.setenv("GRAPHMEM_MAX_FACTS_PER_TURN", "1")
        receipt = cli.json("add", "I live in Riga. I live in Oslo.")
        assert [(r["kind"], r["count"]) for r in receipt["refused"]] == [("over the cap", 1)]


@effect("model_decides")
def model_decides(cli: CommandLine) -> None:
    """The model is asked once more about what the rules leave open, or is not."""
    answer = claims(("Riga", 5), ("Oslo", 5))
    with ScriptedServer(lambda _: answer) as server:
        use_model(cli, server.url)
        cli.json("add", "I live in Riga. I live in Oslo.")
        assert len(server.requests) == 2
        cli.monkeypatch.setenv("GRAPHMEM_MODEL_DECIDES", "no")
        cli.json("add", "I live in Riga. I live in Oslo.")
        assert len(server.requests) == 3


@effect("critic", "critic_importance")
def critic(cli: CommandLine) -> None:
    """The model looks again at what is at least so important."""
    answer = claims(("Riga", 6))
    with ScriptedServer(lambda _: answer) as server:
        use_model(cli, server.url)
        cli.monkeypatch.setenv("GRAPHMEM_CRITIC", "yes")
        cli.json("add", "I live in Riga.")
        assert len(server.requests) == 1
        cli.monkeypatch.setenv("GRAPHMEM_CRITIC_IMPORTANCE", "6")
        cli.json("add", "I live in Riga.")
        assert len(server.requests) == 3


@effect("statement_language")
def statement_language(cli: CommandLine) -> None:
    """A model is told in which language to write statements; one in another is not kept."""
    answer = claims(("里加", 5), ("奥斯陆", 5)).replace("I live in ", "")
    with ScriptedServer(lambda _: answer) as server:
        use_model(cli, server.url)
        cli.json("add", "我住在里加。")
        assert cli.fact("lives_in")["statement"] == "里加"
        cli.monkeypatch.setenv("GRAPHMEM_STATEMENT_LANGUAGE", "en")
        cli.json("add", "我住在奥斯陆。")
        assert cli.fact("lives_in")["statement"] == "The user lives in 奥斯陆."
        assert "stand alone, in English" in server.requests[-1].prompt


@effect("model_calls_at_once")
def model_calls_at_once(cli: CommandLine) -> None:
    """So many calls are made of the model at a time."""
    cli.monkeypatch.setenv("GRAPHMEM_MODEL_CALLS_AT_ONCE", "2")
    cli.monkeypatch.setenv("GRAPHMEM_EXTRACTOR", "model")
    cli.monkeypatch.setenv("GRAPHMEM_MODEL", "small-model")
    busy, most, lock = 0, 0, threading.Lock()

    def slow(_: Request) -> str:
        nonlocal busy, most
        with lock:
            busy += 1
            most = max(most, busy)
        time.sleep(0.1)
        with lock:
            busy -= 1
        return EMPTY

    with ScriptedServer(slow) as server:
        cli.monkeypatch.setenv("GRAPHMEM_MODEL_BASE_URL", server.url)
        settings = Settings.load(path=cli.home, embedder="none")

        async def add() -> None:
            async with (
                AsyncMemory.from_settings(settings) as memory,
                anyio.create_task_group() as group,
            ):
                for name in ("ana", "bo", "cy", "di", "ed"):
                    group.start_soon(lambda who: memory.add("I drink tea.", user=who), name)

        anyio.run(add)
    assert len(server.requests) == 5
    assert most == 2


@effect("model", "model_base_url", "model_api_key", "model_temperature")
def model(cli: CommandLine) -> None:
    """The endpoint is called with the name, key and temperature."""
    with ScriptedServer(lambda _: EMPTY) as server:
        use_model(cli, server.url)
        cli.text("add", "I live in Riga.")
    request = server.requests[0]
    assert request.path == "/v1/chat/completions"
    assert request.body["model"] == "small-model"
    assert request.body["temperature"] == 0.7
    assert request.headers["authorization"] == "Bearer secret-key"


@effect("model_timeout")
def model_timeout(cli: CommandLine) -> None:
    """A model that does not answer in time leaves the turn pending."""
    with ScriptedServer(lambda _: Reply(content=EMPTY, delay=30)) as server:
        use_model(cli, server.url)
        cli.monkeypatch.setenv("GRAPHMEM_MODEL_TIMEOUT", "0.2")
        start = time.monotonic()
        turn = cli.json("add", "I live in Riga.", code=5)["turns"][0]
        assert time.monotonic() - start < 20
    assert turn["state"] == "pending"
    assert "time" in turn["reason"]


@effect("embedder", "embedder_model", "embedder_base_url", "embedder_api_key")
def embedder(cli: CommandLine) -> None:
    """The endpoint is called with the name and key, and the index is made with it."""
    with EmbeddingServer() as server:
        cli.monkeypatch.setenv("GRAPHMEM_EMBEDDER", "openai")
        cli.monkeypatch.setenv("GRAPHMEM_EMBEDDER_MODEL", "small-embedder")
        cli.monkeypatch.setenv("GRAPHMEM_EMBEDDER_BASE_URL", server.url)
        cli.monkeypatch.setenv("GRAPHMEM_EMBEDDER_API_KEY", "other-key")
        cli.text("add", "I live in Riga.")
        assert "small-embedder" in cli.text("doctor")
    assert server.requests[0].body["model"] == "small-embedder"
    assert server.requests[0].headers["authorization"] == "Bearer other-key"


@effect("qdrant", "qdrant_api_key", "qdrant_collection", "qdrant_quantisation", "qdrant_timeout")
def qdrant(cli: CommandLine) -> None:
    """The index is kept on the server, under its name, and the server is waited for so long."""
    with EmbeddingServer() as vectors, QdrantServer(api_key="secret-key") as server:
        for name, value in {
            "GRAPHMEM_EMBEDDER": "openai",
            "GRAPHMEM_EMBEDDER_MODEL": "small-embedder",
            "GRAPHMEM_EMBEDDER_BASE_URL": vectors.url,
            "GRAPHMEM_QDRANT": server.url,
            "GRAPHMEM_QDRANT_API_KEY": "secret-key",
            "GRAPHMEM_QDRANT_COLLECTION": "mine",
            "GRAPHMEM_QDRANT_QUANTISATION": "scalar",
        }.items():
            cli.monkeypatch.setenv(name, value)
        cli.text("add", "I live in Riga.")
        assert [one.name for one in server.local.get_collections().collections] == ["mine-1"]
        assert server.local.count("mine").count > 1
        assert not (cli.home / "index").exists()
        assert any("quantization_config" in one.body for one in server.requests)
        assert cli.json("search", "where do I live?")["notes"] == []
        cli.monkeypatch.setenv("GRAPHMEM_QDRANT_TIMEOUT", "0.5")
        server.troubles.append(Trouble(delay=1.0))
        notes = cli.json("search", "where do I live?")["notes"]
        assert any("no answer within 0.5 s" in note for note in notes)


@effect("ontology")
def ontology(cli: CommandLine) -> None:
    """A predicate declared in the file has the one value it declares."""
    file = Path("own.toml")
    file.write_text('[[predicate]]\nslug = "drum_kit"\ncardinality = "one"\n', encoding="utf-8")
    cli.monkeypatch.setenv("GRAPHMEM_ONTOLOGY", str(file))
    for value in ("Red", "Blue"):
        cli.text("add-fact", "me", "drum_kit", value)
    assert [item["object"]["text"] for item in cli.json("facts")["items"]] == ["Blue"]


def contradict(cli: CommandLine, *more: str) -> list[str]:
    """Say something, contradict it from a document, and return the values that are held."""
    cli.text("add-fact", "me", "lives_in", "Riga", "--at", "2025-01-01")
    cli.text("add-fact", "me", "lives_in", "Cork", "--at", "2025-02-01", *more)
    return [item["object"]["text"] for item in cli.json("facts")["items"]]


@effect("authority")
def authority(cli: CommandLine) -> None:
    """A class of source that weighs little displaces nothing."""
    cli.monkeypatch.setenv("GRAPHMEM_AUTHORITY", "document=20")
    assert contradict(cli, "--source", "document") == ["Riga"]
    cli.text("erase", "--yes")
    cli.monkeypatch.setenv("GRAPHMEM_AUTHORITY", "document=90")
    assert contradict(cli, "--source", "document") == ["Cork"]


@effect("source_authority")
def source_authority(cli: CommandLine) -> None:
    """Nor does a single source that is named so."""
    cli.monkeypatch.setenv("GRAPHMEM_SOURCE_AUTHORITY", "Gazette=20")
    assert contradict(cli, "--source", "document", "--source-name", "Gazette") == ["Riga"]
    cli.text("erase", "--yes")
    assert contradict(cli, "--source", "document", "--source-name", "Times") == ["Cork"]


@effect("durability")
def durability(cli: CommandLine) -> None:
    """SQLite waits for the disk at each commit, or not."""
    levels: dict[str, int] = {}
    for name in ("full", "normal"):
        settings = Settings.load({"GRAPHMEM_DURABILITY": name}, path=cli.home, embedder="none")
        store = assemble(settings=settings).services.store
        assert isinstance(store, SqliteStore)
        with store.database.alone() as connection:
            levels[name] = connection.execute("PRAGMA synchronous").fetchone()[0]
        store.database.close()
    assert levels == {"full": 2, "normal": 1}


@effect("log_level")
def log_level(cli: CommandLine) -> None:
    """The command line logs from this level on."""
    for name, level in (("debug", logging.DEBUG), ("error", logging.ERROR)):
        cli.monkeypatch.setenv("GRAPHMEM_LOG_LEVEL", name)
        cli.text("facts", code=1)
        assert logging.getLogger("graphmem.anything").getEffectiveLevel() == level


def test_every_setting_is_checked() -> None:
    """A setting that is documented has its effect tried here."""
    assert sorted(CHECKS) == sorted(row.name for row in definitions())


@pytest.mark.parametrize("check", dict.fromkeys(CHECKS.values()), ids=lambda check: check.__name__)
def test_effect(check: Check, cli: CommandLine) -> None:
    """The setting makes the difference it is there for."""
    check(cli)
