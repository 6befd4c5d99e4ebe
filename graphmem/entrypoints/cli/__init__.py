"""The command line."""

from __future__ import annotations


def main() -> None:
    """Run the command line and leave with its exit code."""
    import sys  # these here, so that importing the package costs nothing

    from graphmem.entrypoints.cli.app import run

    sys.exit(run(sys.argv[1:]))
