"""Fixtures of the hostile tests: those of the client's and the command line's."""

from __future__ import annotations

from tests.cli.commandline import cli
from tests.engine.conftest import clock, make, mem

__all__ = ["cli", "clock", "make", "mem"]
