"""Names: linking them in questions, and names that mean the same."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.ontology import default_ontology
from graphmem.model.text import normal_key
from graphmem.retrieval.calibration import Background, Script, lift, script_of
from graphmem.retrieval.lexicon import same_words, translations, word_list
from graphmem.retrieval.likeness import Likeness
from graphmem.retrieval.linking import link, named, spans
from graphmem.retrieval.question import CueBook
from graphmem.testing.builders import BOB, an_entity
from tests.retrieval.world import E5, World, texts


@pytest.fixture
def world(tmp_path: Path, stores: str) -> Iterator[World]:
    made = World(tmp_path, embedder=E5())
    yield made
    made.close()


def linked(world: World, text: str) -> list[tuple[str, str]]:
    """Return the names of linked entities and the words that name them."""
    found = anyio.run(link, world.store, world.scope, text)
    return [(one.entity.name, one.words) for one in found]


@pytest.mark.parametrize("text", ["where is sunniva?", "SUNNIVA's bees", "Does Sunniva keep bees"])
def test_a_name_is_found_in_any_case(world: World, text: str) -> None:
    """Case and the possessive play no part."""
    world.entity("Sunniva")
    assert [name for name, _ in linked(world, text)] == ["Sunniva"]


def test_the_longest_name_is_meant(world: World) -> None:
    """“Mill & Sons” is not “Mill”, 张伟明 is not 张伟."""
    for name in ("Mill", "Mill Lane Bakery", "张伟", "张伟明"):
        world.entity(name)
    assert linked(world, "张伟明 at Mill Lane Bakery") == [
        ("张伟明", "张伟明"),
        ("Mill Lane Bakery", "Mill Lane Bakery"),
    ]
    assert linked(world, "张伟和Mill") == [("张伟", "张伟"), ("Mill", "Mill")]


def test_an_alias_is_a_name(world: World) -> None:
    """An entity is found by each of its names."""
    world.entity("Sunniva Berg", aliases=("Sunni",))
    assert linked(world, "has Sunni called?") == [("Sunniva Berg", "Sunni")]


def test_a_name_is_found_in_the_other_language(world: World) -> None:
    """A question in Chinese names what was told in English."""
    world.entity("peanuts")
    assert linked(world, "我能吃花生吗") == [("peanuts", "花生")]


def test_another_scopes_names_are_unknown(world: World) -> None:
    """A name is linked in its own scope only."""
    world.entity("Sunniva")
    world.scope = BOB
    assert linked(world, "where is Sunniva?") == []


FOLDED = st.text("王小明住在龍豈㈱々ハﾊﾟ゛がギＡ２a ", max_size=14)
"""Han among letters that are folded, alone or together with the next."""


@given(st.text(max_size=60) | FOLDED)
def test_spans_lie_in_the_text(text: str) -> None:
    """Every span is a stretch of the text with the key of its words."""
    for span in spans(text):
        assert 0 <= span.start < span.end <= len(text)
        assert span.key == normal_key(text[span.start : span.end])


def test_names_that_overlap_are_linked_once() -> None:
    """No two linked names share a letter."""
    by_key = {key: an_entity(key) for key in ("new york", "york city", "new york city")}
    assert [one.words for one in named("New York City", by_key)] == ["New York City"]


def test_the_word_list_goes_both_ways() -> None:
    """Every meaning leads from each word to the other language's words, and only there."""
    assert translations("Peanut") == translations("peanuts") == ("花生", "花生米")
    assert "peanut" in translations("花生")
    assert translations("table") == ()
    for word, others in word_list().items():
        assert others, f"{word} has no word in the other language"


def test_words_that_differ_in_endings_are_the_same() -> None:
    """Plural, case and accents do not make another name; other words do."""
    assert same_words("peanut", "Peanuts")
    assert same_words("café", "Cafe")
    assert not same_words("peanut butter", "peanut")


def alike(world: World, *names: str) -> list[tuple[str, str]]:
    background = Background(E5())
    likeness = Likeness(world.store, world.index, E5(), background)
    found = anyio.run(
        likeness.find, world.scope, [world.entity(name) for name in names], list[str]()
    )
    return [(pair.first.name, pair.second.name) for pair in found]


def test_vectors_bridge_scripts_where_the_list_is_silent(world: World) -> None:
    """Names that the embedder puts close from both sides are alike; near ones are not."""
    for name in ("蒂娜", "纽约大学", "牛奶咖啡", "玻璃杯", "自行车", "雨衣", "图书馆"):
        world.entity(name)
    assert alike(world, "New York University") == [("New York University", "纽约大学")]
    assert alike(world, "bicycle pump", "raincoat factory", "Elm Street") == []


def test_vectors_do_not_bridge_within_a_script(world: World) -> None:
    """Apples are not pears, however close."""
    for name in ("pear", "plum"):
        world.entity(name)
    assert alike(world, "apple") == []


def test_namesakes_and_the_user_are_like_nobody(world: World) -> None:
    """Two people of one name were told apart on purpose."""
    world.entity("Pilar")
    world.entity("Pilar#2", name="Pilar", key="pilar#dentist")
    world.entity("me")
    assert alike(world, "Pilar", "me") == []


@pytest.mark.parametrize(
    ("text", "script"),
    [("peanuts", Script.SPACED), ("花生", Script.CJK), ("我喜欢 Tilda 的猫", Script.CJK),
     ("Tilda met 张伟 in the big library", Script.SPACED), ("", Script.SPACED)],
)  # fmt: skip
def test_the_script_is_that_of_most_of_the_text(text: str, script: Script) -> None:
    """A name in the other script does not turn a sentence."""
    assert script_of(text) is script


@given(st.floats(-1, 1), st.floats(-1, 1))
def test_lift_stays_in_bounds(cosine: float, background: float) -> None:
    """Lift is 0 at the background and 1 at most."""
    assert 0 <= lift(cosine, background) <= 1
    assert lift(background, background) == 0


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("Which instrument does she play?", "Tilda practises the cello on Sundays."),
        ("她周末做什么？", "Tilda practises the cello on Sundays."),
        ("Do I have a bicycle?", "我每天骑自行车上班。"),
        ("我家有什么宠物？", "We have a grey cat called Smoke."),
    ],
)
def test_meaning_is_found_without_a_common_word(world: World, text: str, statement: str) -> None:
    """Nearness of meaning finds what no keyword finds, across languages."""
    for line in (
        "Tilda practises the cello on Sundays.",
        "我每天骑自行车上班。",
        "We have a grey cat called Smoke.",
        "The roof was mended in May.",
        "发票寄到了旧地址。",
    ):
        world.say(line, session=line)
    assert texts(world.ask(text))[:1] == [f"user: {statement}"]


@pytest.mark.parametrize(
    "text", ["How do black holes evaporate?", "量子纠缠是什么？", "Who won the chess olympiad?"]
)
def test_a_domain_that_is_unknown_gives_nothing_or_little(world: World, text: str) -> None:
    """Hits on what the memory knows nothing about are weak."""
    for line in ("I drink tea.", "My cat is grey.", "我住在杭州。", "The roof was mended in May."):
        world.say(line, session=line)
    assert all(hit.score < 0.25 for hit in world.ask(text).hits)


def test_every_predicate_can_be_asked_for() -> None:
    """A name of each relation leads to it, alone or among others."""
    book = CueBook(default_ontology())
    silent = [
        p.slug
        for p in default_ontology()
        if "*" not in p.slug
        and p.slug not in book.predicates(f"tell me: {p.slug.replace('_', ' ')}?")
        and not any(p.slug in book.predicates(w) for ws in p.surfaces.values() for w in ws)
    ]
    assert silent == []
