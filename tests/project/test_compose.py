"""The compose file is one by the specification, and opens nothing to the world."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

ROOT = Path(__file__).parents[2]
FILE = ROOT / "docker-compose.yml"
SECRETS = ("NEO4J_AUTH", "QDRANT__SERVICE__API_KEY")


def services() -> dict[str, dict[str, Any]]:  # Any: whatever YAML holds
    """Return the services of the compose file."""
    read: Any = YAML(typ="safe")  # Any: its types are not told
    return read.load(FILE)["services"]


def valid(file: Path) -> bool:
    """Say whether a file is one by the compose specification's own schema."""
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec"]
    return subprocess.run([*command, str(file)], capture_output=True, check=False).returncode == 0


def test_it_follows_the_specification() -> None:
    """The specification's schema takes it."""
    assert valid(FILE)


def test_the_specification_refuses_what_is_wrong(tmp_path: Path) -> None:
    """A misspelt key would have been found."""
    wrong = tmp_path / "docker-compose.yml"
    wrong.write_text(FILE.read_text(encoding="utf-8").replace("healthcheck:", "helthcheck:"))
    assert not valid(wrong)


@pytest.mark.parametrize("name", ["neo4j", "qdrant"])
def test_services_are_pinned_watched_and_kept(name: str) -> None:
    """Each names an exact version, says when it is ready, and keeps its data in a volume."""
    service = services()[name]
    assert re.search(r":v?\d+\.\d+\.\d+(-community)?$", service["image"])
    assert service["healthcheck"]["test"][0] == "CMD"
    assert service["volumes"]


@pytest.mark.parametrize("name", ["neo4j", "qdrant"])
def test_ports_are_of_this_machine_alone(name: str) -> None:
    """Nobody outside reaches a port."""
    assert all(port.startswith("127.0.0.1:") for port in services()[name]["ports"])


def test_no_password_has_a_default() -> None:
    """Without a password in the environment nothing starts."""
    environment = {
        key: value
        for service in services().values()
        for key, value in service["environment"].items()
    }
    for secret in SECRETS:
        assert re.search(r"\$\{\w+:\?[^}]+\}$", environment[secret])
