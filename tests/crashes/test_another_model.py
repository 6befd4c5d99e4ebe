"""Another embedding model behind the same folder: nothing is lost, and a reindex takes it up."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from graphmem.errors import EmbedderError
from graphmem.ports.embedder import Vector
from graphmem.testing.embedders import HashEmbedder
from tests.services.deployments import a_memory

SAID = {
    "ana": ("I'm allergic to mango.", "I live in Riga.", "mango"),
    "bo": ("我对花生过敏。", "我住在杭州。", "花生"),
    "cy": ("I'm allergic to pears.", "I work at Larch.", "pears"),
}
OTHERS = {
    "the same size": HashEmbedder(64, identity="another"),
    "another size": HashEmbedder(160),
}


def _filled(folder: Path) -> None:
    with a_memory(folder, embedder=HashEmbedder(64)) as memory:
        for user, (*turns, _) in SAID.items():
            memory.add(turns, user=user)


@pytest.mark.parametrize("model", OTHERS)
@pytest.mark.usefixtures("stores")
def test_every_user_goes_over_to_the_new_model(model: str, tmp_path: Path) -> None:
    """Before it reads and writes go on and say so; it tells how far it is; then all is embedded."""
    _filled(tmp_path)
    steps: list[tuple[int, int]] = []
    with a_memory(tmp_path, embedder=OTHERS[model]) as memory:
        for user, (*_, word) in SAID.items():
            found = memory.search(word, user=user)
            assert word in found.hits[0].text
            assert "reindex" in " ".join(found.notes)
        receipt = memory.add("I collect maps.", user="cy")
        assert receipt.added
        assert "reindex" in " ".join(receipt.notes)
        memory.reindex(progress=lambda done, total: steps.append((done, total)))
        done, total = steps[-1]
        assert done == total > 0
        assert memory.verify().clean
        for user, (*_, word) in SAID.items():
            found = memory.search(word, user=user)
            assert word in found.hits[0].text
            assert found.notes == ()
        assert "maps" in memory.search("maps", user="cy").hits[0].text


class Failing(HashEmbedder):
    """Answers for the first texts, and then no more."""

    async def documents(self, texts: Sequence[str]) -> list[Vector]:
        if self.embedded:
            raise EmbedderError("the endpoint is gone, as the test wants it")
        return await super().documents(texts)


@pytest.mark.usefixtures("stores")
def test_a_reindex_that_fails_leaves_the_old_model_at_work(tmp_path: Path) -> None:
    """The vectors there were are there still, for every user."""
    _filled(tmp_path)
    with (
        a_memory(tmp_path, embedder=Failing(64, identity="gone")) as memory,
        pytest.raises(EmbedderError, match="the old index stays"),
    ):
        memory.reindex()
    with a_memory(tmp_path, embedder=HashEmbedder(64)) as memory:
        assert memory.verify().clean
        for user, (*_, word) in SAID.items():
            assert word in memory.search(word, user=user).hits[0].text
