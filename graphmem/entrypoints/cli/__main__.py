"""``python -m graphmem.entrypoints.cli``."""

from graphmem.entrypoints.cli import main

main()
