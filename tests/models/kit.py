"""What a good model would answer, and a short way to let a server's answers be read."""

from __future__ import annotations

import json
from typing import Any

import anyio

from graphmem.adapters.models.openai import OpenAIModel
from graphmem.extraction.model import ModelExtractor
from graphmem.model.draft import Batch, Extraction
from graphmem.model.ontology import default_ontology
from graphmem.testing.endpoints import OPENAI, Server
from graphmem.testing.model_server import Request, ScriptedServer
from tests.model_extraction.kit import a_claim, a_turn

TALK = {"I drink tea.": ("drinks", "tea"), "我住在苏州。": ("lives_in", "苏州")}
"""What is said, and the fact in it."""
BATCH = Batch(turns=tuple(a_turn(said, n) for n, said in enumerate(TALK, 1)))
FACTS = {("drinks", "tea"), ("lives_in", "苏州")}


def answer(request: Request) -> str:
    """Return the facts of the turns that a request asks about."""
    return json.dumps({"claims": claims(request.prompt), "entities": []}, ensure_ascii=False)


def claims(prompt: str) -> list[dict[str, Any]]:  # Any: JSON
    """Return the claims of the labelled turns in a prompt."""
    found: list[dict[str, Any]] = []
    for line in prompt.splitlines():
        if line.startswith('{"label": "T'):
            row = json.loads(line)
            for said, (predicate, target) in TALK.items():
                if said in row["text"]:
                    quote = said.rstrip(".。")
                    found.append(a_claim(quote, predicate, target, turn=row["label"]))
    return found


def a_model(played: ScriptedServer, server: Server = OPENAI, **options: Any) -> OpenAIModel:
    """Return a model at a played server; Any: options by name."""
    given: dict[str, Any] = {"timeout": 5.0, "max_retries": 2, **options}
    return OpenAIModel(
        "small",
        played.url.removesuffix("/v1") + server.path,
        headers=server.headers,
        query=server.query,
        **given,
    )


def read(model: OpenAIModel, batch: Batch = BATCH) -> Extraction:
    """Let a model read the turns."""
    extractor = ModelExtractor(model, default_ontology())

    async def run() -> Extraction:
        return await extractor.extract(batch)

    return anyio.run(run)


def facts(extraction: Extraction) -> set[tuple[str, str]]:
    """Return predicates and objects of what was read."""
    return {(d.predicate, d.object.text if d.object else "") for d in extraction.drafts}
