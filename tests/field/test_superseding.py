"""True facts are not retired, and dead ones are not kept alive, whatever the words."""

from __future__ import annotations

import pytest

from graphmem import Memory
from graphmem.model.fact import Rule, Status
from tests.engine.kit import the, triples, values
from tests.field.lives import Life, asked, differences, life, tell

JAN, FEB, MAR, APR = "2025-01-10", "2025-02-10", "2025-03-10", "2025-04-10"

MENTIONED = [
    life(
        "a colleague does something",
        [
            (JAN, "My sister Lotte works at Fenwick."),
            (FEB, "Lotte wrote a new checklist for the night shift."),
            (MAR, "Lotte is annoyed with Fenwick."),
            (MAR, "I met Lotte at Orchard Hall."),
        ],
        asked("Lotte", "works_at", "Fenwick"),
        asked("me", "has_sibling", "Lotte"),
    ),
    life(
        "a place is named in passing",
        [
            (JAN, "I live in Gdansk and I work at Marlin."),
            (FEB, "I flew to Porto for a week."),
            (MAR, "Porto was lovely, Marlin paid for it."),
        ],
        asked("me", "lives_in", "Gdansk"),
        asked("me", "works_at", "Marlin"),
    ),
    life(
        "a brother mends something",
        [
            (JAN, "我哥哥陈岩在青禾公司上班。"),
            (FEB, "陈岩今天修好了打印机。"),
            (MAR, "我和陈岩在南京吃了饭。"),
        ],
        asked("陈岩", "works_at", "青禾公司"),
        asked("me", "has_sibling", "陈岩"),
    ),
    life(
        "a town passed through",
        [(JAN, "我住在厦门。"), (FEB, "我去成都出差了一周。"), (MAR, "成都的火锅真好吃。")],
        asked("me", "lives_in", "厦门"),
    ),
]

COMPATIBLE = [
    life(
        "two tastes, one boss after another",
        [
            (JAN, "I like jasmine tea. My boss is Orla."),
            (FEB, "I like black coffee. My boss is Henrik."),
        ],
        asked("me", "likes", "jasmine tea", "black coffee"),
        asked("me", "has_boss", "Henrik"),
        asked("me", "has_boss", "Orla", at="2025-01-20"),
    ),
    life(
        "two pets, one address after another",
        [
            (JAN, "I have a dog called Bramble. I live in Tartu."),
            (FEB, "I have a cat called Sooty. I live in Narva now."),
        ],
        asked("me", "has_pet", "Bramble", "Sooty"),
        asked("me", "lives_in", "Narva"),
    ),
    life(
        "two hobbies, one address after another",
        [(JAN, "我喜欢爬山。我住在苏州。"), (FEB, "我喜欢游泳。我现在住在无锡。")],
        asked("me", "likes", "爬山", "游泳"),
        asked("me", "lives_in", "无锡"),
        asked("me", "lives_in", "苏州", at="2025-01-20"),
    ),
]

TURNED_ROUND = [
    life(
        "a taste turns",
        [(JAN, "I love ballet."), (MAR, "I can't stand ballet any more.")],
        asked("me", "likes", "not ballet"),
        asked("me", "likes", "ballet", at="2025-02-01"),
    ),
    life(
        "a drink is given up",
        [(JAN, "I drink coffee."), (MAR, "I don't drink coffee anymore.")],
        asked("me", "drinks", "not coffee"),
        asked("me", "drinks", "coffee", at="2025-02-01"),
    ),
    life(
        "a taste turns, in Chinese",
        [(JAN, "我喜欢京剧。"), (MAR, "我不喜欢京剧了。")],
        asked("me", "likes", "not 京剧"),
        asked("me", "likes", "京剧", at="2025-02-01"),
    ),
]

COMES_AND_GOES = [
    life(
        "taken up again",
        [
            (JAN, "I take the train to work."),
            (FEB, "I stopped taking the train to work."),
            (APR, "I'm taking the train to work again."),
        ],
        asked("me", "commutes_by", "train"),
        asked("me", "commutes_by", "train", at="2025-01-20"),
        asked("me", "commutes_by", at="2025-03-10"),
    ),
    life(
        "taken up again, in Chinese",
        [(JAN, "我抽烟。"), (FEB, "我戒烟了。"), (APR, "我又抽烟了。")],
        asked("me", "smokes", ""),
        asked("me", "smokes", at="2025-03-10"),
    ),
    life(
        "two seasons of one shift",
        [
            ("2025-04-02", "My cousin Pim worked nights from January to March."),
            ("2025-09-20", "Pim works nights again since the first of September."),
        ],
        asked("Pim", "works_shift", "nights", at="2025-02-15"),
        asked("Pim", "works_shift", at="2025-06-15"),
        asked("Pim", "works_shift", "nights", at="2025-10-01"),
    ),
    life(
        "two stays in one town",
        [
            ("2025-06-01", "I lived in Ghent from 2015 to 2017."),
            ("2025-06-01", "I've lived in Ghent again since 2022."),
        ],
        asked("me", "lives_in", "Ghent", at="2016-06"),
        asked("me", "lives_in", at="2019-06"),
        asked("me", "lives_in", "Ghent"),
    ),
]

ENDS = [
    life(
        "given up, then something else",
        [
            (JAN, "I cycle to work."),
            (FEB, "I've given up cycling to work."),
            (MAR, "I take the tram now."),
        ],
        asked("me", "commutes_by", "tram"),
        asked("me", "commutes_by", "cycling", at="2025-01-20"),
    ),
    life(
        "a job is left",
        [(JAN, "I work at Halden."), (MAR, "I quit my job at Halden.")],
        asked("me", "works_at"),
        asked("me", "works_at", "Halden", at="2025-02-01"),
    ),
    life(
        "a job is left, in Chinese",
        [(JAN, "我在海豚科技上班。"), (MAR, "我从海豚科技辞职了。")],
        asked("me", "works_at"),
        asked("me", "works_at", "海豚科技", at="2025-02-01"),
    ),
]

NAMED_VALUE = [
    life(
        "from one project to another",
        [(JAN, "Vera is assigned to Osprey."), (MAR, "Vera moved from Osprey to Lynx.")],
        asked("Vera", "assigned_to", "Lynx"),
        asked("Vera", "assigned_to", "Osprey", at="2025-02-01"),
    ),
    life(
        "from one drink to another",
        [(JAN, "I drink cola."), (MAR, "I switched from cola to water.")],
        asked("me", "drinks", "water"),
        asked("me", "drinks", "cola", at="2025-02-01"),
    ),
    life(
        "from one project to another, in Chinese",
        [(JAN, "我负责苍鹭项目。"), (MAR, "我从苍鹭项目换到了风筝项目。")],
        asked("me", "works_on", "风筝项目"),
        asked("me", "works_on", "苍鹭项目", at="2025-02-01"),
    ),
]

EXCEPTIONS = [
    life(
        "not after four",
        [(JAN, "I don't drink coffee after four."), (MAR, "I drink coffee.")],
        asked("me", "drinks", "coffee", "not coffee"),
    ),
    life(
        "not on Fridays",
        [(JAN, "I don't eat meat on Fridays."), (MAR, "I eat meat.")],
        asked("me", "eats", "meat", "not meat"),
    ),
    life(
        "not in the evening, in Chinese",
        [(JAN, "我晚上不喝咖啡。"), (MAR, "我喝咖啡。")],
        asked("me", "drinks", "咖啡", "not 咖啡"),
    ),
]


@pytest.mark.parametrize(
    "told",
    [
        *MENTIONED,
        *COMPATIBLE,
        *TURNED_ROUND,
        *COMES_AND_GOES,
        *ENDS,
        *NAMED_VALUE,
        *EXCEPTIONS,
    ],
    ids=lambda told: told.name,
)
def test_what_is_believed_after(mem: Memory, told: Life) -> None:
    """What is held is what a careful listener would hold, now and then."""
    tell(mem, told.turns)
    assert differences(mem, told) == []


@pytest.mark.parametrize(
    "words",
    [
        ("Our dog is called Biscuit.", "our dog is called Biscuit!", "Our dog is called Biscuit"),
        ("I'm allergic to nuts.", "I am allergic to nuts", "I'm allergic to nuts!!"),
        ("我对花生过敏。", "我对花生过敏", "我对花生过敏！"),
    ],
)
def test_saying_it_three_times_is_one_fact_with_three_claims(
    mem: Memory, words: tuple[str, str, str]
) -> None:
    """Repetition corroborates; it neither doubles a fact nor ends it."""
    first, *again = tell(mem, list(zip((JAN, FEB, MAR), words, strict=True)))
    page = mem.facts(user="ana", include_ended=True, include_retracted=True)
    assert {fact.id for fact in page.items} == {fact.id for fact in first.added}
    assert all(len(fact.claims) == 3 for fact in page.items)
    assert all(receipt.corroborated and not receipt.ended for receipt in again)


def test_a_fact_never_ends_itself(mem: Memory) -> None:
    """Other punctuation and case are the same thing said again."""
    tell(mem, [(JAN, "I prefer short answers."), (FEB, "i prefer short answers!!")])
    page = mem.facts(user="ana", include_ended=True)
    assert all(fact.cause is None for fact in page.items)
    hits = mem.search("how should answers be?", user="ana").hits
    assert "short answers" in {hit.fact.object.text for hit in hits if hit.fact and hit.fact.object}


@pytest.mark.parametrize(
    ("first", "many", "last", "predicate", "value"),
    [
        ("I live in Cesis.", "I like book number {}.", "I moved to Valga.", "lives_in", "Valga"),
        ("我住在宁波。", "我喜欢第{}号电影。", "我搬到台州了。", "lives_in", "台州"),
    ],
)
def test_an_old_fact_is_ended_however_much_was_said_since(
    mem: Memory, first: str, many: str, last: str, predicate: str, value: str
) -> None:
    """What a change ends is found by key, not among the newest."""
    mem.add(first, user="ana", occurred_at=JAN)
    mem.add([many.format(n) for n in range(60)], user="ana", occurred_at=FEB)
    receipt = mem.add(last, user="ana", occurred_at=MAR)
    assert values(mem.facts(user="ana", predicate=predicate)) == {value}
    (ended,) = receipt.ended
    assert ended.predicate == predicate


@pytest.mark.parametrize(
    ("spellings", "predicate"),
    [
        (("lives-in", "lives_in", "LIVES IN", "Lives  In", "livesIn"), "lives_in"),
        (("works-at", "works_at", "Works At", "employed_by", "employed-by"), "works_at"),
    ],
)
def test_spellings_of_a_relation_are_one_relation(
    mem: Memory, spellings: tuple[str, ...], predicate: str
) -> None:
    """Hyphens, case and aliases neither dodge the one value nor make relations beside it."""
    for n, spelling in enumerate(spellings):
        mem.add_fact("me", spelling, f"Place {n}", user="ana", occurred_at=f"2025-0{n + 1}-01")
    page = mem.facts(user="ana", include_ended=True)
    assert {fact.predicate for fact in page.items} == {predicate}
    assert values(mem.facts(user="ana")) == {f"Place {len(spellings) - 1}"}


@pytest.mark.parametrize(
    ("old", "new", "value"),
    [
        ("I work at Orla Ltd.", "I joined Finch Co.", "Orla Ltd"),
        ("我在奥拉公司上班。", "我加入了芬奇公司。", "奥拉公司"),
    ],
)
def test_what_ended_is_kept_with_its_dates_and_its_reason(
    mem: Memory, old: str, new: str, value: str
) -> None:
    """Nothing is deleted by a change: before is still answered, and the decision can be undone."""
    tell(mem, [(JAN, old)])
    receipt = mem.add(new, user="ana", occurred_at=MAR)
    second = the(receipt)
    (first,) = (
        fact
        for fact in mem.facts(user="ana", include_ended=True).items
        if fact.object and fact.object.text == value
    )
    assert values(mem.facts(user="ana", predicate="works_at", valid_at="2025-02-01")) == {value}
    assert first.cause is not None
    assert first.cause.rule == Rule.SUPERSEDED
    assert first.cause.claim in second.claims
    assert [ended.id for ended in receipt.ended] == [first.id]
    mem.retract(second.id, user="ana", reason="misheard")
    assert values(mem.facts(user="ana", predicate="works_at")) == {value}
    assert mem.get(second.id, user="ana").status is Status.RETRACTED


@pytest.mark.parametrize(
    ("predicate", "compatible"),
    [("likes", True), ("speaks", True), ("lives_in", False), ("works_at", False)],
)
def test_near_words_decide_nothing(mem: Memory, predicate: str, compatible: bool) -> None:
    """Whether one value ends another is the relation's matter, however alike the values look."""
    values_told = ["Green Street 1", "Green Street 2"]
    for day, value in zip((JAN, FEB), values_told, strict=True):
        mem.add_fact("me", predicate, value, user="ana", occurred_at=day)
    assert values(mem.facts(user="ana")) == set(values_told if compatible else values_told[1:])


def test_a_change_and_its_replacement_are_one_record_time(mem: Memory) -> None:
    """No instant is known at which the old value is gone and the new not there."""
    tell(mem, [(JAN, "I live in Oulu."), (MAR, "I moved to Kemi.")])
    (old, new) = sorted(
        mem.facts(user="ana", include_ended=True).items, key=lambda fact: fact.said.at
    )
    revised = max(record.created_at for record in mem.history(old.id, user="ana").items)
    assert revised == new.created_at
    assert triples(mem.facts(user="ana")) == {("ana", "lives_in", "Kemi", "+")}
