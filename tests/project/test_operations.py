"""What docs/operations.md says to do is done, on a real Neo4j and with a Qdrant by HTTP."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cli.commandline import CommandLine
from tests.index.qdrant_http import QdrantServer
from tests.project.test_compose import services
from tests.project.test_docs import blocks, lines, run
from tests.services.neo4j_server import Address

PAGE = "docs/operations.md"
NEO4J, QDRANT = "neo4j://127.0.0.1:7687", "http://127.0.0.1:6333"
PASSWORD, KEY = "choose-one", "choose-another"


class Servers(NamedTuple):
    """Where the servers of the test are, and how one signs in."""

    neo4j: Address
    qdrant: str

    def real(self, text: str) -> str:
        """Put the real addresses and password where the page has its own."""
        neo4j = self.neo4j.url.replace("bolt:", "neo4j:")
        return text.replace(NEO4J, neo4j).replace(QDRANT, self.qdrant).replace(PASSWORD, self.word)

    @property
    def word(self) -> str:
        """The password; a server that asks for none takes any."""
        return self.neo4j.password or PASSWORD


@pytest.fixture
def servers(neo4j: Address) -> Iterator[Servers]:
    with QdrantServer(api_key=KEY) as qdrant:
        yield Servers(neo4j, qdrant.url)


def test_its_python(servers: Servers, cli: CommandLine, tmp_path: Path) -> None:
    """It runs, and prints what the comment says."""
    cli.monkeypatch.delenv("GRAPHMEM_EMBEDDER")
    code = servers.real("\n".join(blocks(PAGE, "python")))
    assert run(code, tmp_path)


def test_its_commands(servers: Servers, cli: CommandLine) -> None:
    """Each command of graphmem does what it says; those of Docker fit the compose file."""
    cli.monkeypatch.delenv("GRAPHMEM_EMBEDDER")
    cli.text("add", "I live in Riga.", "--path", "my-memory")
    exported: dict[str, str] = {}
    for words in lines(PAGE):
        if words[0] == "export":
            pairs = dict(word.split("=", 1) for word in words[1:])
            exported |= pairs
            for name, value in pairs.items():
                cli.monkeypatch.setenv(name, servers.real(value))
        elif words[:2] == ["docker", "compose"]:
            assert words[2:] == ["up", "--detach", "--wait"]
            assert wanted() <= exported.keys()
        else:
            assert words[0] == "graphmem"
            cli.text(*map(servers.real, words[1:]))
    assert cli.json("facts")["items"][0]["object"]["text"] == "Riga"
    assert cli.json("facts", "--path", "a-folder")["total"] == 1


def wanted() -> set[str]:
    """Return the variables that the compose file takes from the environment."""
    texts = [value for one in services().values() for value in one["environment"].values()]
    return {name for text in texts for name in re.findall(r"\$\{(\w+)", text)}


def test_its_addresses_are_those_of_the_compose_file() -> None:
    """Who starts the servers by it finds them where the page says."""
    ports = {port.rsplit(":", 1)[0] for one in services().values() for port in one["ports"]}
    assert {address.partition("//")[2] for address in (NEO4J, QDRANT)} <= ports
