"""The four ways to have graphmem: a checkout, an editable install, a wheel, an sdist."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

PROBE = """
import graphmem
from graphmem.model.ontology import default_ontology
from graphmem.resources import folder
assert (folder("cypher") / "README.md").is_file()
assert default_ontology()
print(graphmem.__file__)
"""


def run(*command: str | Path, cwd: Path, **environ: str) -> str:
    """Run a command, which must succeed, and return what it printed."""
    clean = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHOME")}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**clean, **environ},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def built(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with ``checkout/*.whl``, ``sdist/*.tar.gz`` and ``sdist/*.whl``.

    The wheel beside the sdist is built from it.
    """
    out = tmp_path_factory.mktemp("built")
    build = [sys.executable, "-m", "build", "--no-isolation"]
    run(*build, "--wheel", "--outdir", out / "checkout", root, cwd=out)
    run(*build, "--outdir", out / "sdist", root, cwd=out)
    return out


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    """Return the folder of a fresh environment that has our dependencies but not graphmem."""
    home = tmp_path / "env"
    run(sys.executable, "-m", "venv", "--without-pip", home, cwd=tmp_path)
    # A line of a .pth file becomes a place to import from; its own .pth files, such as that of an
    # editable install of graphmem, are not read.
    places = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    paths = {"base": str(home), "platbase": str(home)}
    site = Path(sysconfig.get_path("purelib", vars=paths))
    (site / "dependencies.pth").write_text("\n".join(sorted(places)), encoding="utf-8")
    return home


def install(home: Path, *what: str | Path) -> None:
    """Install into a fresh environment, without a network."""
    pip = [sys.executable, "-m", "pip", "--python", home / "bin" / "python", "install", "-q"]
    options = ["--no-deps", "--no-index", "--no-build-isolation", "--disable-pip-version-check"]
    run(*pip, *options, *what, cwd=home)


def probe(home: Path, **environ: str) -> Path:
    """Use graphmem in an environment and return where it was imported from."""
    printed = run(home / "bin" / "python", "-c", PROBE, cwd=home, **environ)
    return Path(printed.strip())


def _wheel(built: Path, _root: Path) -> list[str | Path]:
    return [next((built / "checkout").glob("*.whl"))]


def _from_sdist(built: Path, _root: Path) -> list[str | Path]:
    return [next((built / "sdist").glob("*.whl"))]


def _editable(_built: Path, root: Path) -> list[str | Path]:
    return ["-e", root]


@pytest.mark.parametrize("what", [_wheel, _from_sdist, _editable])
def test_installed(
    what: Callable[[Path, Path], list[str | Path]], built: Path, fresh: Path, root: Path
) -> None:
    """An installed graphmem finds its data and has its command."""
    install(fresh, *what(built, root))
    inside = probe(fresh).is_relative_to(fresh)
    assert inside == (what is not _editable)
    assert run(fresh / "bin" / "graphmem", "--version", cwd=fresh).startswith("graphmem 0.")


def test_checkout(fresh: Path, root: Path) -> None:
    """A checkout works as it is."""
    assert probe(fresh, PYTHONPATH=str(root)).is_relative_to(root)
    command = [fresh / "bin" / "python", "-m", "graphmem.entrypoints.cli", "--version"]
    assert run(*command, cwd=fresh, PYTHONPATH=str(root)).startswith("graphmem ")


def test_wheels_are_alike_and_whole(built: Path, root: Path) -> None:
    """The wheel from the checkout and that from the sdist hold the same files, and every one."""
    wheels = [next((built / part).glob("*.whl")) for part in ("checkout", "sdist")]
    names = [set(zipfile.ZipFile(wheel).namelist()) for wheel in wheels]
    assert names[0] == names[1]
    wanted = {
        f"graphmem/{path.relative_to(root)}"
        for data in ("cypher", "schemas")
        for path in (root / data).rglob("*")
        if path.is_file()
    }
    assert "graphmem/py.typed" in names[0]
    assert wanted - names[0] == set()
    assert [name for name in names[0] if name.startswith(("tests/", "cypher/", "schemas/"))] == []


def test_the_sdist_can_be_tested(built: Path) -> None:
    """It brings the tests and what they read."""
    with tarfile.open(next((built / "sdist").glob("*.tar.gz"))) as sdist:
        tops = {name.split("/")[1] for name in sdist.getnames() if "/" in name}
    assert {"tests", "docs", "README.md", "schemas", "cypher", "LICENSE"} <= tops
