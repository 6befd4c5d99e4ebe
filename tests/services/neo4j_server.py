"""A Neo4j server of the tests' own: fetched by Maven, started on free ports, stopped at the end."""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import platformdirs
from neo4j import Driver, GraphDatabase
from neo4j.exceptions import DriverError, Neo4jError

from graphmem.adapters.qdrant.lock import FolderLock
from graphmem.adapters.system.process import end_with_parent
from graphmem.errors import IndexUnavailableError
from tests.services.java import find_java

CACHE_VARIABLE = "GRAPHMEM_TEST_CACHE"
_HERE = Path(__file__).parent
_FETCH, _START, _STOP = 600.0, 90.0, 30.0  # seconds
_TRIES = 3
QUICK_TO_START = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
"""Options of Java for a short life on few cores; a measurement does without."""


@dataclass(frozen=True, slots=True)
class Release:
    """A line of releases of the server.

    ``folder`` holds its ``pom.xml``, ``java`` is the least version it runs on.
    """

    name: str
    folder: str
    main: str
    java: int

    @property
    def pom(self) -> Path:
        """Return the file that says what to fetch."""
        return _HERE / self.folder / "pom.xml"


LTS = Release("5.26", "neo4j-5.26", "org.neo4j.server.CommunityEntryPoint", 17)
CURRENT = Release("2026", "neo4j-2026", "org.neo4j.server.Neo4jCommunity", 21)


class CannotStartError(Exception):
    """What is missing, and how to get it."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server is and who may sign in; ``browser`` is empty for one that has none."""

    url: str
    user: str
    password: str
    browser: str = ""


def missing(release: Release) -> str | None:
    """Return what this machine lacks to run the server, or None."""
    lacks: list[str] = []
    if find_java(release.java) is None:
        lacks.append(f"Java {release.java} or later")
    if shutil.which("mvn") is None:
        lacks.append("Maven")
    return " and ".join(lacks) or None


def fetch(release: Release) -> Path:
    """Return the folder with the server's jars, fetched once for all runs.

    Raises:
        CannotStartError: they cannot be fetched.
    """
    digest = hashlib.sha256(release.pom.read_bytes()).hexdigest()[:16]
    cache = Path(os.environ.get(CACHE_VARIABLE) or platformdirs.user_cache_path("graphmem-tests"))
    ready = cache / f"{release.folder}-{digest}"
    with _alone(cache):
        if not ready.is_dir():
            _fetch_into(ready, release)
    return ready


def _fetch_into(ready: Path, release: Release) -> None:
    maven = shutil.which("mvn")
    if maven is None:
        raise CannotStartError("Maven is missing")
    with tempfile.TemporaryDirectory(dir=ready.parent) as folder:
        jars = Path(folder) / "jars"
        done = subprocess.run(
            [
                maven,
                "--quiet",
                "--batch-mode",
                f"--file={release.pom}",
                "dependency:copy-dependencies",
                f"-DoutputDirectory={jars}",
                "-DincludeScope=runtime",
            ],
            capture_output=True,
            text=True,
            timeout=_FETCH,
            check=False,
        )
        if done.returncode:
            said = (done.stdout + done.stderr)[-1500:]
            raise CannotStartError(f"Maven cannot fetch Neo4j {release.name}: {said}")
        jars.rename(ready)


@contextlib.contextmanager
def _alone(cache: Path) -> Generator[None]:
    """Wait until no other run fetches."""
    end = time.monotonic() + _FETCH
    while True:
        try:
            lock = FolderLock(cache)
        except IndexUnavailableError as error:
            if time.monotonic() > end or not cache.is_dir():
                raise CannotStartError(f"the folder {cache} cannot be used: {error}") from error
            time.sleep(0.2)
        else:
            break
    try:
        yield
    finally:
        lock.release()


class Neo4jServer:
    """A server with a home of its own, that can be stopped, killed and started again there.

    ``bolt`` and ``http`` are its ports; ``options`` are those of Java.
    """

    def __init__(
        self, release: Release, home: Path, *, options: Sequence[str] = QUICK_TO_START
    ) -> None:
        self.release = release
        self._options = options
        self.home = home
        self.process: subprocess.Popen[bytes] | None = None
        self.bolt = self.http = 0
        self._password = secrets.token_urlsafe(24)
        self._is_ours = False  # as long as it has the password that every new server has

    @property
    def address(self) -> Address:
        """Return where it is."""
        return Address(
            f"bolt://127.0.0.1:{self.bolt}",
            "neo4j",
            self._password,
            f"http://127.0.0.1:{self.http}/browser/",
        )

    def start(self) -> None:
        """Start it, the first time with ports and a password of its own, and wait until it answers.

        Raises:
            CannotStartError: something is missing, or it does not start.
        """
        again = bool(self.bolt)
        for left in reversed(range(_TRIES)):
            if not again:
                self.bolt, self.http = _free_ports()
                self._configure()
            self._launch()
            try:
                self._wait()
            except CannotStartError:
                ended = self.process is not None and self.process.poll() is not None
                self.stop()
                if again or not ended or not left:  # else a port was taken meanwhile
                    raise
            else:
                return

    def kill(self) -> None:
        """End it at once, as a power cut would end its process."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def stop(self) -> None:
        """End it; safe to call twice."""
        if self.process is None:
            return
        self.process.terminate()
        try:
            self.process.wait(_STOP)
        except subprocess.TimeoutExpired:
            self.kill()
        self.process = None

    def _configure(self) -> None:
        folder = self.home / "conf"
        folder.mkdir(parents=True, exist_ok=True)
        lines = [
            "server.default_listen_address=127.0.0.1",
            "server.default_advertised_address=127.0.0.1",
            f"server.bolt.listen_address=:{self.bolt}",
            f"server.bolt.advertised_address=:{self.bolt}",
            f"server.http.listen_address=:{self.http}",
            f"server.http.advertised_address=:{self.http}",
            "server.memory.heap.initial_size=512m",
            "server.memory.heap.max_size=512m",
            "server.memory.pagecache.size=128m",
            "db.tx_log.preallocate=false",  # a quarter of a gigabyte for each database
            "dbms.usage_report.enabled=false",
            "client.allow_telemetry=false",
            "dbms.cypher.min_replan_interval=1h",  # each test begins with an empty database
        ]
        (folder / "neo4j.conf").write_text("\n".join(lines) + "\n", encoding="utf-8")

    def _launch(self) -> None:
        java = find_java(self.release.java)
        if java is None:
            raise CannotStartError(f"{missing(self.release)} is missing")
        jars = fetch(self.release)
        with (self.home / "console.log").open("ab") as console:
            self.process = subprocess.Popen(
                [
                    java,
                    "-Xmx512m",
                    *self._options,
                    "-cp",
                    f"{jars}{os.sep}*",
                    self.release.main,
                    f"--home-dir={self.home}",
                    f"--config-dir={self.home / 'conf'}",
                ],
                stdin=subprocess.DEVNULL,
                stdout=console,
                stderr=subprocess.STDOUT,
                # Where the run is killed too, the server ends with it.
                preexec_fn=partial(end_with_parent, os.getpid()),
            )

    def _wait(self) -> None:
        """Wait until it answers on its database."""
        assert self.process is not None
        end = time.monotonic() + _START
        why = ""
        while time.monotonic() < end and self.process.poll() is None:
            try:
                if self._answers():
                    return
            except (OSError, DriverError, Neo4jError) as error:
                why = f"{type(error).__name__}: {error}"
            time.sleep(0.1)
        said = (self.home / "console.log").read_text(encoding="utf-8", errors="replace")[-1500:]
        raise CannotStartError(f"Neo4j {self.release.name} does not start: {why}\n{said}")

    def _answers(self) -> bool:
        with socket.create_connection(("127.0.0.1", self.bolt), timeout=1):
            pass  # cheaper than a driver while nobody listens
        if not self._is_ours:
            with _driver(self.address.url, "neo4j") as driver:
                driver.execute_query(
                    "ALTER CURRENT USER SET PASSWORD FROM 'neo4j' TO $password",
                    {"password": self._password},
                    database_="system",
                )
            self._is_ours = True
        with _driver(self.address.url, self._password) as driver:
            driver.execute_query("RETURN 1", database_="neo4j")
        return True


def _driver(url: str, password: str) -> Driver:
    return GraphDatabase.driver(  # pyright: ignore[reportUnknownMemberType] - its options
        url, auth=("neo4j", password), max_transaction_retry_time=0
    )


def _free_ports() -> tuple[int, int]:
    with socket.socket() as one, socket.socket() as other:
        one.bind(("127.0.0.1", 0))
        other.bind(("127.0.0.1", 0))
        return one.getsockname()[1], other.getsockname()[1]
