"""Fixtures of the command line's tests."""

from tests.cli.commandline import cli as cli
