"""Tells a memory something whose model never answers, until it is killed."""

from __future__ import annotations

import sys

from graphmem import Memory, Settings
from graphmem.adapters.models.openai import OpenAIModel
from graphmem.testing.clock import FrozenClock
from tests.engine.kit import NOW

folder, url, *said = sys.argv[1:]
settings = Settings.load({}, path=folder)
model, clock = OpenAIModel("tiny", url), FrozenClock(NOW)
with Memory(model=model, embedder="none", clock=clock, settings=settings) as memory:
    turns = [{"id": f"m-{n}", "role": "user", "content": text} for n, text in enumerate(said)]
    memory.add(turns, user="ana", session="s")
