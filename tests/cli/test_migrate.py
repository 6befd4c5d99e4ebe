"""The command that migrates: where to, with which settings, and what it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphmem.entrypoints.cli.keep import ends
from graphmem.errors import InputError
from graphmem.settings import Settings
from tests.cli.commandline import CommandLine

QDRANT = "http://127.0.0.1:6333"
SERVER = "neo4j://127.0.0.1:7687"


def test_everybody_is_migrated(cli: CommandLine, tmp_path: Path) -> None:
    """It says how much, and how to go on there."""
    cli.text("add", "I live in Riga.")
    cli.text("add", "I live in Cork.", "--user", "bob")
    said = cli.text("migrate", "--to", "there")
    place = tmp_path / "there"
    assert said.startswith("Migrated 2 users, ")
    assert f"GRAPHMEM_HOME={place}" in said
    assert cli.json("facts", "--user", "bob", "--path", str(place))["total"] == 1
    assert cli.json("migrate", "--to", "there")["new"] == 0


def test_a_place_is_needed(cli: CommandLine) -> None:
    """The message names both ways to give one."""
    cli.text("migrate", code=2)
    assert "--to PLACE" in cli.err
    assert "--to-config" in cli.err


def test_the_other_memory_may_have_settings_of_its_own(tmp_path: Path) -> None:
    """Its file holds for it alone, and nothing else does."""
    file = tmp_path / "other.toml"
    file.write_text(f'path = "{SERVER}"\nneo4j_password = "theirs"\n', encoding="utf-8")
    ours = Settings.load({}, path=SERVER, neo4j_user="ours", tenant="t")
    here, there = ends(ours, None, file)
    assert here is ours
    assert there.neo4j_user == "neo4j"
    assert (there.path, there.tenant) == (SERVER, "default")
    assert there.neo4j_password is not None
    assert there.neo4j_password.reveal() == "theirs"


@pytest.mark.parametrize(
    ("path", "to", "qdrant"),
    [("a", SERVER, (None, QDRANT)), (SERVER, "a", (QDRANT, None)), ("a", "b", (QDRANT, None))],
)
def test_a_qdrant_goes_with_the_neo4j(
    path: str, to: str, qdrant: tuple[str | None, str | None]
) -> None:
    """Of one address in the settings only one of the two memories makes its index there."""
    here, there = ends(Settings.load({}, path=path, qdrant=QDRANT), to, None)
    assert (here.qdrant, there.qdrant) == qdrant


def test_two_servers_need_two_indexes() -> None:
    """One index of two memories would be taken from the first."""
    settings = Settings.load({}, path=SERVER, qdrant=QDRANT)
    with pytest.raises(InputError, match="--to-config"):
        ends(settings, "neo4j://elsewhere", None)
