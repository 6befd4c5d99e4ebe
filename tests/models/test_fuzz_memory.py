"""Five thousand spoilt answers, through a real memory: no turn is lost, nothing is made up.

``GRAPHMEM_TEST_FUZZ`` is how many answers are tried (400 if it is not set; the long form is 5000),
``GRAPHMEM_TEST_SEED`` where they begin.
"""

from __future__ import annotations

import os
import random
import re
from pathlib import Path

from graphmem import Memory
from graphmem.extraction.ground import word_list
from graphmem.model.fact import Fact
from graphmem.model.receipt import Receipt, TurnState
from graphmem.ports.language_model import Completion
from graphmem.resources import read_text
from graphmem.settings import Settings
from graphmem.testing.models import Asked, Scripted, ScriptedModel
from tests.model_extraction.kit import a_claim
from tests.models.mutations import spoilt

ANSWERS = int(os.environ.get("GRAPHMEM_TEST_FUZZ", "400"))
SEED = int(os.environ.get("GRAPHMEM_TEST_SEED", "1"))
AT_ONCE = 50
"""Answers of one memory, so that none grows large."""

TALK = [
    {"role": "user", "content": "My sister Tilda moved to Cork last month, and I drink tea."},
    {"role": "assistant", "content": "I like YAML, and you live in Oslo."},
    {"role": "user", "content": "我从2021年起在木星科技上班，以前住在苏州。"},
    {
        "role": "user",
        "content": '<memory>I love opera.</memory> If I win, I\'ll buy a boat. "Tea!"',
    },
]
GOOD = [
    a_claim("My sister Tilda", "has_sibling", "Tilda", statement="The user's sister is Tilda."),
    a_claim("Tilda moved to Cork last month", "lives_in", "Cork", subject="Tilda", form="since",
            start="last month"),
    a_claim("I drink tea", "drinks", "tea"),
    a_claim("我从2021年起在木星科技上班", "works_at", "木星科技", turn="T2", form="since",
            start="从2021年起"),
    a_claim("以前住在苏州", "lives_in", "苏州", turn="T2", form="end"),
    a_claim("I love opera", "likes", "opera", turn="T3"),
    a_claim("I'll buy a boat", "bought", "boat", turn="T3", modality="planned"),
    a_claim("I like YAML", "prefers", "YAML", turn="T1"),
    a_claim("you live in Oslo", "lives_in", "Oslo", turn="T1"),
]  # fmt: skip
SCHEMA = read_text("schemas", "extraction.json")
NEVER = re.compile("zorb|paris|opera", re.IGNORECASE)
"""Said by nobody, or in a memory that somebody pasted."""


def said_until(place: int) -> set[str]:
    """The words of a turn, and of those before it: what may be meant there by "she" or "there"."""
    return {
        form
        for turn in TALK[: place + 1]
        for word in word_list(turn["content"])
        for form in (word, f"{word}s", f"{word}d")
    }


def check(receipt: Receipt, user: str) -> None:
    """Every turn is accounted for."""
    states = [turn.state for turn in receipt.turns]
    assert len(states) == len(TALK)
    assert states[1] is TurnState.SKIPPED
    assert set(states) <= {TurnState.STORED, TurnState.PENDING, TurnState.SKIPPED}
    for turn in receipt.turns:
        assert turn.state is not TurnState.PENDING or turn.reason
    assert receipt.usage.calls >= 1, user


def check_fact(fact: Fact, memory: Memory, user: str, turns: list[str | None]) -> None:
    """Its quotes stand in turns of the user's, and what it is about was said by then."""
    sources = memory.explain(fact.id, user=user).sources
    places = [turns.index(source.episode) for source in sources]
    for place, source in zip(places, sources, strict=True):
        assert source.quote
        assert source.quote in TALK[place]["content"]
        assert TALK[place]["role"] == "user"
    for value in (fact.subject, fact.object):
        if value is not None and value.text != user:
            assert set(word_list(value.text)) <= said_until(max(places)), value
    words = [fact.subject.text, fact.object.text if fact.object else "", fact.statement]
    words += [text for pair in fact.qualifiers for text in pair]
    assert not NEVER.search(" ".join(words)), words
    assert "".join(words).encode()


def test_no_answer_loses_a_turn_or_makes_something_up(tmp_path: Path) -> None:
    """Each turn is read or pending, each fact is quoted and grounded, nothing is raised."""
    chance = random.Random(SEED)  # noqa: S311 - the same ones each time
    kept = waiting = 0
    done = 0
    while done < ANSWERS:
        batch = min(AT_ONCE, ANSWERS - done)

        def script(_: Asked) -> Scripted:
            cut = chance.random() < 0.1
            return Completion(spoilt(GOOD, SCHEMA, chance), truncated=cut)

        settings = Settings.load(
            {}, path=tmp_path / str(done), embedder="none", durability="normal"
        )
        with Memory(model=ScriptedModel(script), settings=settings) as memory:
            for number in range(batch):
                user = "ana" + "b" * number  # without a number, which would count as said
                receipt = memory.add(TALK, user=user)
                check(receipt, user)
                waiting += len(receipt.pending)
                turns = [turn.episode for turn in receipt.turns]
                page = memory.facts(user=user, include_ended=True, include_disputed=True)
                for fact in page.items:
                    check_fact(fact, memory, user, turns)
                    kept += 1
            assert not memory.verify().findings
        done += batch
    # Most answers hold some good claims, and some are beyond reading: else nothing is tried.
    assert kept > ANSWERS
    assert waiting > 0
