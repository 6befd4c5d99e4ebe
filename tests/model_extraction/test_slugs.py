"""Predicates that a model puts where names belong."""

import asyncio
from typing import Any

from graphmem.extraction.model import ModelExtractor
from graphmem.model.draft import Extraction
from graphmem.model.ontology import default_ontology
from graphmem.testing.models import ScriptedModel

from .kit import a_batch, a_claim, an_answer

TEXT = "I live in Cork, and my account is ana_tea."


def read(claim: dict[str, Any]) -> Extraction:
    # Any: fields as a model writes them.
    extractor = ModelExtractor(ScriptedModel([an_answer(claim)]), default_ontology())
    return asyncio.run(extractor.extract(a_batch(TEXT)))


def test_a_predicate_is_no_name() -> None:
    """Fields were swapped; that the predicate's words were said makes no name of it."""
    assert read(a_claim("I live in Cork", "Cork", "lives_in")).refused == {"ungrounded": 1}


def test_a_handle_that_is_written_so_is_a_name() -> None:
    """Underscores and all."""
    (draft,) = read(a_claim("my account is ana_tea", "uses", "ana_tea")).drafts
    assert draft.object
    assert draft.object.text == "ana_tea"
