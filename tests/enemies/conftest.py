"""Fixtures of the hostile tests: those of the client's and the command line's."""

from __future__ import annotations

from tests.cli.commandline import cli
from tests.engine.conftest import clock, make, mem
from tests.services.deployments import each_store as each_store
from tests.services.deployments import stores as stores

__all__ = ["cli", "clock", "make", "mem"]
