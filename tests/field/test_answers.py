"""Questions put to a memory that was told in words: found, ordered, scored, one of each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from graphmem import Memory
from graphmem.errors import InputError
from graphmem.retrieval.recipes import SCORE, find_recipe
from tests.engine.kit import a_memory
from tests.field.lives import tell

DAY = "2025-05-10"


@pytest.fixture(params=["vectors and keywords", "keywords alone"])
def mem(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Memory]:
    """A memory with an index, and one that reads from the graph alone."""
    options = {} if request.param == "vectors and keywords" else {"embedder": "none"}
    with a_memory(tmp_path / "memory", **options) as memory:
        yield memory


def answers(memory: Memory, question: str, limit: int = 10) -> list[str]:
    """Return the words of the hits, best first."""
    return [hit.text for hit in memory.search(question, user="ana", limit=limit).hits]


@pytest.mark.parametrize(
    ("told", "question", "first"),
    [
        (
            [*(f"I collect stamps from {n}." for n in range(1950, 1959)), "I own a small boat."],
            "tell me about the boat",
            "boat",
        ),
        (
            [*(f"我收集{n}年的邮票。" for n in range(1950, 1959)), "我养了一只乌龟。"],
            "乌龟怎么样了",
            "乌龟",
        ),
        (
            ["I'm allergic to sesame.", "I like sesame street."],
            "What am I allergic to?",
            "allergic",
        ),
        (["我对芝麻过敏。", "我喜欢芝麻街。"], "我对什么过敏？", "过敏"),
    ],
)
def test_the_fact_on_the_subject_comes_first(
    mem: Memory, told: list[str], question: str, first: str
) -> None:
    """Facts are compared with the question, and the one it is about wins."""
    mem.add(told, user="ana", occurred_at=DAY)
    assert first in answers(mem, question)[0]


@pytest.mark.parametrize(
    ("told", "question"),
    [
        (
            [
                "I drink green tea.",
                "My sister Ilse drinks tea.",
                "I live in Bergen.",
                "I am vegan.",
            ],
            "who drinks green tea?",
        ),
        (["我喝绿茶。", "我妹妹小桐喝茶。", "我住在大连。", "我吃素。"], "谁喝绿茶？"),
    ],
)
def test_scores_are_between_nothing_and_one_and_tell_apart(
    mem: Memory, told: list[str], question: str
) -> None:
    """Higher is better, whatever answered; not everything is as good as the best."""
    mem.add(told, user="ana", occurred_at=DAY)
    hits = mem.search(question, user="ana").hits
    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score < 1 for score in scores)
    assert len(set(scores)) > 1


@pytest.mark.parametrize(
    ("told", "question", "word"),
    [
        ("The greenhouse pump trips the blue fuse.", "pump fuse", "pump"),
        ("The garden gate key hangs behind the clock.", "gate key", "gate"),
        ("温室的水泵会烧断蓝色保险丝。", "水泵 保险丝", "水泵"),
        ("花园门的钥匙挂在钟后面。", "钥匙在哪", "钥匙"),
    ],
)
def test_two_words_are_enough(mem: Memory, told: str, question: str, word: str) -> None:
    """A short question finds what holds its words, also where no pattern read the sentence."""
    mem.add([told, "Nothing else was said today.", "今天没什么事。"], user="ana", occurred_at=DAY)
    assert word in answers(mem, question)[0]


@pytest.mark.parametrize(
    ("told", "question", "fact"),
    [
        (
            "I like pottery! The blue bowl on my shelf is a present for the neighbours.",
            "who is the blue bowl for?",
            "pottery",
        ),
        ("我喜欢陶艺！书架上那只蓝碗是送给邻居的礼物。", "蓝碗是送给谁的？", "陶艺"),
    ],
)
def test_the_rest_of_a_turn_is_found_through_its_fact(
    mem: Memory, told: str, question: str, fact: str
) -> None:
    """What no pattern took from a turn is not lost: its fact comes with the turn it rests on."""
    mem.add([told, "I like rain.", "我喜欢下雨。"], user="ana", occurred_at=DAY)
    first = mem.search(question, user="ana").hits[0]
    assert first.fact is not None
    assert fact in first.text
    assert mem.context(question, user="ana").text.count(told) == 1


def test_what_a_floor_hides_is_counted(mem: Memory) -> None:
    """Hidden is said, and a floor is compared with the score it is named after alone."""
    mem.add(["I drink tea.", "I like tea houses.", "我喝茶。"], user="ana", occurred_at=DAY)
    default = find_recipe("default")
    seen = mem.search("tea", user="ana")
    strict = replace(default, floors={**default.floors, SCORE: 0.999})
    result = mem.search("tea", user="ana", recipe=strict)
    assert seen.hits
    assert result.hits == ()
    assert result.hidden == seen.hidden + len(seen.hits)
    with pytest.raises(InputError, match="reciprocal_rank"):
        replace(default, floors={"reciprocal_rank": 0.8})


@pytest.mark.parametrize(
    ("told", "avoid", "never"),
    [
        (["I can't eat shrimp.", "I love walnuts."], "what must I avoid?", "walnuts"),
        (["我不能吃虾。", "我喜欢核桃。"], "我不能吃什么？", "核桃"),
    ],
)
def test_a_no_is_not_a_yes(mem: Memory, told: list[str], avoid: str, never: str) -> None:
    """What must be avoided is told from what is loved, and comes up for a suggestion."""
    mem.add(told, user="ana", occurred_at=DAY)
    assert never not in answers(mem, avoid)[0]
    snack = answers(mem, "suggest a snack" if never == "walnuts" else "推荐个零食吧")
    assert any(told[0].rstrip(".。") in text for text in snack)


@pytest.mark.parametrize("name", ["sunniva", "SUNNIVA", "Sunniva", "ｓｕｎｎｉｖａ"])
def test_a_name_is_found_in_any_spelling(mem: Memory, name: str) -> None:
    """Case and width play no part, and what was just said is there."""
    mem.add("My neighbour Sunniva lives in Voss.", user="ana", occurred_at=DAY)
    assert "Sunniva" in answers(mem, name)[0]
    assert mem.facts(user="ana", subject=name).total > 0


@pytest.mark.parametrize(
    ("told", "question", "word"),
    [
        ("I live in Tampere.", "Where do I live?", "Tampere"),
        ("我住在哈尔滨。", "我住在哪儿？", "哈尔滨"),
    ],
)
def test_what_was_just_added_is_found(mem: Memory, told: str, question: str, word: str) -> None:
    """The very next search finds it, a hundred times over."""
    for n in range(5):
        mem.add(f"{told} ({n})", user=f"user{n}", occurred_at=DAY)
        assert word in mem.search(question, user=f"user{n}").hits[0].text


def test_a_list_says_how_much_there_is_and_starts_with_the_newest(mem: Memory) -> None:
    """Pages hold what was asked for, with a total and a way on, and miss nothing."""
    mem.add([f"I like film number {n}." for n in range(130)], user="ana", occurred_at=DAY)
    first = mem.facts(user="ana", limit=10)
    assert first.total == 130
    assert first.cursor is not None
    assert first.items[0].object is not None
    assert first.items[0].object.text.endswith("129")
    assert len(mem.facts(user="ana", limit=200).items) == 130
    seen: list[str] = []
    cursor: str | None = None
    while True:
        page = mem.facts(user="ana", limit=48, cursor=cursor)
        seen += [fact.id for fact in page.items]
        cursor = page.cursor
        if cursor is None:
            break
    assert len(seen) == len(set(seen)) == 130


@pytest.mark.parametrize(
    ("words", "question"),
    [
        ("My landlord is Mr. Ostrow.", "who is my landlord?"),
        ("我的房东是欧先生。", "我的房东是谁？"),
    ],
)
def test_one_thing_said_eight_times_is_one_hit_with_eight_sources(
    mem: Memory, words: str, question: str
) -> None:
    """Answers are not filled with copies of one fact."""
    for n in range(8):
        mem.add(words, user="ana", session=f"s{n}", occurred_at=f"2025-0{n + 1}-03")
    hits = [hit for hit in mem.search(question, user="ana", limit=5).hits if hit.fact]
    assert len(hits) == 1
    assert hits[0].fact is not None
    assert len(hits[0].fact.claims) == 8
    assert len(hits) == len(mem.search(question, user="ana", limit=5).hits)


@pytest.mark.parametrize(
    ("told", "question"),
    [
        ("我在苏州开了一家手工皮具店。", "皮具店"),
        ("我在苏州开了一家手工皮具店。", "手工皮具"),
        ("我在苏州开了一家手工皮具店。", "苏州开店"),
        ("毎朝コーヒーを飲む", "コーヒー"),
        ("저는 매일 커피를 마셔요", "커피"),
        ("我会弹钢琴", "钢琴"),
        ("张伟的猫叫咪咪", "猫"),
        ("我喜欢喝茶", "茶"),
        ("VPN配置已完成", "VPN"),
        ("VPN配置已完成", "配置"),
        ("更新了iOS17系统", "ios17"),
        ("用Excel做的报表", "报表"),
    ],
)
def test_words_are_found_in_scripts_without_spaces(mem: Memory, told: str, question: str) -> None:
    """Characters and pairs of them are what is looked up, on both sides."""
    mem.add([told, "昨天下雨了", "I went out."], user="ana", occurred_at=DAY)
    assert told.rstrip("。") in answers(mem, question)[0]


def test_every_answer_is_in_the_speakers_language(mem: Memory) -> None:
    """Statements and names stay as they were said."""
    tell(mem, [(DAY, "我住在杭州。"), (DAY, "I work at Larch."), (DAY, "我妹妹小桐对芒果过敏。")])
    statements = {fact.statement for fact in mem.facts(user="ana").items}
    assert {"我住在杭州", "I work at Larch"} <= {s.rstrip("。.") for s in statements}
    assert any("小桐" in statement and "芒果" in statement for statement in statements)


@pytest.mark.parametrize(
    "text",
    ["and/or", "mx-", "A+", "[y]", "host:1", "a AND", '"', "~", "*", "what? NOT me", "", "?!。"],
)
def test_no_question_is_read_as_a_query_language(mem: Memory, text: str) -> None:
    """Operators are words or nothing; no question breaks the search."""
    mem.add("I know the and/or rule of mx- A+ on host:1.", user="ana", occurred_at=DAY)
    if not text:
        with pytest.raises(InputError, match="question"):
            mem.search(text, user="ana")
        return
    result = mem.search(text, user="ana")
    if text in {"and/or", "mx-", "host:1"}:
        assert result.hits


CHAINS = [
    (
        [
            "Ottilie runs the nursery on Quay Road.",
            "That nursery buys its soil from Fenn & Daughters.",
            "Fenn & Daughters is on strike.",
        ],
        "could the strike hit Ottilie?",
    ),
    (
        ["小丽在榆树街开了家面包店。", "那家面包店的面粉从磨坊父子进的。", "磨坊父子在罢工。"],
        "罢工会影响小丽吗？",
    ),
]


@pytest.mark.parametrize("chain", CHAINS, ids=["English", "Chinese"])
@pytest.mark.parametrize("calls", ["one call", "a call for each turn"])
def test_a_chain_told_in_words_is_found_with_its_path(
    mem: Memory, chain: tuple[list[str], str], calls: str
) -> None:
    """What "that nursery" means is known from the turn before, also where all give one date."""
    turns, question = chain
    said = [{"role": "user", "content": turn, "occurred_at": DAY} for turn in turns]
    for told in [said] if calls == "one call" else [[turn] for turn in said]:
        mem.add(told, user="ana", session="s")
    hits = mem.search(question, user="ana").hits
    assert sorted(len(hit.path) for hit in hits if hit.path) == [1, 2, 3]
    last = max(hits, key=lambda hit: len(hit.path))
    assert [fact.id for fact in last.path][-1] == last.id
