"""What an assistant said is the user's only if the user takes it up."""

import asyncio

import pytest

from graphmem.extraction.model import ModelExtractor
from graphmem.model.draft import Batch
from graphmem.model.episode import Role
from graphmem.model.ontology import default_ontology
from graphmem.testing.models import ScriptedModel

from .kit import a_claim, a_turn, an_answer


def objects(asked: str, said: str, quote: str) -> list[str]:
    """Return the objects of what is read of an answer: that the user lives in Oslo."""
    claim = a_claim(quote, "lives_in", "Oslo")
    extractor = ModelExtractor(ScriptedModel([an_answer(claim)]), default_ontology())
    turns = (a_turn(asked, 1, Role.ASSISTANT), a_turn(said, 2))
    drafts = asyncio.run(extractor.extract(Batch(turns=turns))).drafts
    return [draft.object.text for draft in drafts if draft.object]


@pytest.mark.parametrize(
    "said",
    [
        "My sister moved to Cork in spring, and now I drink tea again.",
        "我姐姐春天搬到了苏州，我现在又开始每天早上喝绿茶了，晚上喝红茶，周末还喝普洱茶。",
    ],
)
def test_who_speaks_of_other_things_has_not_said_it(said: str) -> None:
    """Whatever a model makes of it."""
    assert objects("You live in Oslo.", said, said.rstrip(".。")) == []


@pytest.mark.parametrize(
    "said",
    [
        "Yes, exactly, since my sister moved to Cork in the spring of last year.",
        "My wife and I moved there when our daughter was born, long before the war.",
        "Since last May, in a flat.",
    ],
)
def test_who_agrees_or_answers_has_said_it(said: str) -> None:
    """In a word, by reference, or by an answer that is short."""
    assert objects("Do you live in Oslo?", said, said.rstrip(".")) == ["Oslo"]
