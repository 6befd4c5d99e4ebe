"""A turn is shown to a model once, wherever it stands."""

from __future__ import annotations

from pathlib import Path

from graphmem import Memory
from graphmem.extraction.model import ModelExtractor
from graphmem.model.ontology import default_ontology
from graphmem.testing.models import ScriptedModel


def test_a_question_of_the_same_call_is_not_shown_as_an_earlier_turn_too(tmp_path: Path) -> None:
    """What the assistant asked stands before the answer, and nowhere else."""
    model = ScriptedModel(lambda _: '{"claims": [], "entities": []}')
    extractor = ModelExtractor(model, default_ontology())
    with Memory(tmp_path, extractor=extractor, embedder="none") as memory:
        memory.add("We spoke of gardens.", user="ana", session="s", occurred_at="2024-06-11T12:00")
        call = [
            {"role": "assistant", "content": "Do you still keep the quince tree?"},
            {"role": "user", "content": "No, I felled the old thing in March."},
        ]
        memory.add(call, user="ana", session="s", occurred_at="2024-06-12T12:00")
    text = model.asked[-1].messages[-1].content
    assert text.count("quince tree") == 1
    assert text.count("We spoke of gardens.") == 1
