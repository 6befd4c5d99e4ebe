"""An embedding server over real HTTP on the loopback, for tests of clients."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from anyio import run

from graphmem.testing.embedders import HashEmbedder
from graphmem.testing.model_server import Reply, Request, ScriptedServer

Vectors = Sequence[Sequence[float]]


class EmbeddingServer(ScriptedServer):
    """Answers ``POST /v1/embeddings`` as OpenAI-compatible endpoints do; a context manager.

    ``requests`` holds what arrived and ``url`` is the base URL for a client, as in
    ``ScriptedServer``.

    Args:
        answer: the vectors of texts, or a reply to send instead; by default those of
            ``HashEmbedder``.
    """

    def __init__(self, answer: Callable[[list[str]], Vectors | Reply] | None = None) -> None:
        self._answer = answer or _hashed
        super().__init__(self._reply)

    def _reply(self, request: Request) -> Reply:
        texts = [str(text) for text in request.body.get("input", [])]
        answer = self._answer(texts)
        if isinstance(answer, Reply):
            return answer
        # Backwards: clients must go by the index.
        rows: list[dict[str, Any]] = [
            {"object": "embedding", "index": place, "embedding": [*vector]}
            for place, vector in reversed([*enumerate(answer)])
        ]
        body = {"object": "list", "data": rows, "model": str(request.body.get("model"))}
        return Reply(body={**body, "usage": {"prompt_tokens": 1, "total_tokens": 1}})


def _hashed(texts: list[str]) -> Vectors:
    return run(HashEmbedder(16).documents, texts)
