"""Stores turns that nobody comes to read: its reader waits for ever, until it is killed."""

from __future__ import annotations

import sys

from graphmem import Memory
from graphmem.testing.embedders import HashEmbedder
from tests.jobs.kit import Reader

memory = Memory(sys.argv[1], embedder=HashEmbedder(), extractor=Reader(is_open=False))
for town in ("Riga", "Cork", "Oslo"):
    job = memory.add({"content": f"I visited {town}.", "id": town}, user="ana", wait=False)
    sys.stdout.write(f"{' '.join(job.episodes)}\n")
    sys.stdout.flush()
memory.flush()
