"""One thing is one thing, and two are two, however they are named."""

from __future__ import annotations

import pytest

from graphmem import Memory
from tests.engine.kit import triples, values
from tests.field.lives import tell


def names(memory: Memory) -> set[str]:
    """Return the names of all things but the user."""
    return {v.entity.name for v in memory.entities(user="ana").items if not v.entity.is_self}


@pytest.mark.parametrize("name", ["DGX7", "HQ", "ÖBB", "K9", "3M", "NASA"])
def test_a_short_name_is_one_thing_in_every_context(mem: Memory, name: str) -> None:
    """What is written alike is found by its key, before any likeness."""
    for n in range(10):
        mem.add_fact(name, "has_property", f"state {n} of the machine hall", user="ana")
        mem.add_fact("me", "uses", name.lower() if n % 2 else name, user="ana")
    assert names(mem) & {name, name.lower()} == {name}
    assert len(values(mem.facts(user="ana", subject=name))) == 10


@pytest.mark.parametrize(
    ("variants", "first"),
    [
        (["Front Desk", "front desk", "FrontDesk", "front-desk"], "Front Desk"),
        (["Dr. Ines Obol", "ines obol", "Ms Ines Obol", "INES OBOL"], "Dr. Ines Obol"),
        (["前台", "前 台", "前台"], "前台"),
        (["王小芳", "王小芳女士"], "王小芳"),
    ],
)
def test_ways_to_write_a_name_are_one_thing(mem: Memory, variants: list[str], first: str) -> None:
    """Case, gaps, hyphens and titles make no second thing; the first spelling shows."""
    for variant in variants:
        mem.add_fact("me", "knows", variant, user="ana")
    assert names(mem) == {first}


@pytest.mark.parametrize(
    ("one", "other"), [("Los Angeles", "LA"), ("Robert", "Bob"), ("前台", "Front Desk")]
)
def test_what_cannot_be_sure_is_joined_by_hand_and_parted_again(
    mem: Memory, one: str, other: str
) -> None:
    """Other words stay apart until somebody says that they are one, and can be parted again."""
    mem.add_fact("me", "visited", one, user="ana")
    mem.add_fact("Tilda", "knows", other, user="ana")
    assert {one, other} <= names(mem)
    mem.merge([one, other], into=one, user="ana")
    assert one in names(mem)
    assert other not in names(mem)
    assert triples(mem.facts(user="ana", object=other)) == {
        ("ana", "visited", one, "+"),
        ("Tilda", "knows", one, "+"),
    }
    mem.split(other, out_of=one, user="ana")
    assert {one, other} <= names(mem)
    assert values(mem.facts(user="ana", subject="Tilda")) == {other}


@pytest.mark.parametrize(
    ("introduced", "told", "role", "name", "relation", "value"),
    [
        ("My landlord is Mr. Okoro.", "My landlord plays the tuba.", "landlord", "Okoro",
         "plays", "tuba"),
        ("My dentist is Dr. Salo.", "My dentist lives in Turku.", "dentist", "Salo",
         "lives_in", "Turku"),
        ("我房东是王先生。", "我房东住在无锡。", "房东", "王先生", "lives_in", "无锡"),
        ("我的牙医叫李晨。", "我的牙医住在扬州。", "牙医", "李晨", "lives_in", "扬州"),
        ("我的房东是周先生。", "房东会拉二胡。", "房东", "周先生", "can_do", "拉二胡"),
    ],
)  # fmt: skip
def test_a_role_is_whoever_holds_it(
    mem: Memory, introduced: str, told: str, role: str, name: str, relation: str, value: str
) -> None:
    """What is said of "my landlord" is said of the person who is it."""
    tell(mem, [("2025-01-10", introduced), ("2025-02-10", told)])
    (fact,) = mem.facts(user="ana", predicate=relation).items
    assert name in fact.subject.text
    assert fact.object is not None
    assert value in fact.object.text
    assert not any(role in other for other in names(mem))


@pytest.mark.parametrize(
    ("turns", "subject", "kept"),
    [
        (["My friend Ines is 34 and lives in Porto.", "Ines called today."], "Ines",
         {("Ines", "lives_in", "Porto", "+"), ("Ines", "age", "34", "+")}),
        (["我朋友方圆住在温州，今年34岁。", "方圆今天打电话来了。"], "方圆",
         {("方圆", "lives_in", "温州", "+"), ("方圆", "age", "34岁", "+")}),
    ],
)  # fmt: skip
def test_a_mention_takes_nothing_away(
    mem: Memory, turns: list[str], subject: str, kept: set[tuple[str, str, str | None, str]]
) -> None:
    """What was known of somebody stays when they are only spoken of."""
    tell(mem, [(f"2025-0{n + 1}-10", text) for n, text in enumerate(turns)])
    got = triples(mem.facts(user="ana", subject=subject))
    assert {(s, p) for s, p, _, _ in kept} <= {(s, p) for s, p, _, _ in got}


def test_long_codes_that_look_alike_are_two(mem: Memory) -> None:
    """Identifiers are compared whole."""
    codes = ["9f1c27aa54e04c0bb3f2d1e08a7755c1", "9f1c27aa54e04c0bb3f2d1e08a7755c2"]
    for n, code in enumerate(codes):
        mem.add_fact(code, "located_in", f"Hall {n}", user="ana")
        mem.add_fact(code, "has_property", f"colour {n}", user="ana")
    for n, code in enumerate(codes):
        assert values(mem.facts(user="ana", subject=code)) == {f"Hall {n}", f"colour {n}"}
    assert mem.suggestions(user="ana") == []


@pytest.mark.parametrize("name", ["PixelOwl", "İstanbul", "STRASSE", "ＡＢＣ", "Ωmega", "张 伟"])
def test_a_name_shows_as_it_was_first_written(mem: Memory, name: str) -> None:
    """The key is normalised, the name is not."""
    mem.add_fact("me", "knows", name, user="ana")
    mem.add_fact("me", "likes", name.lower(), user="ana")
    assert names(mem) == {name}
    assert mem.facts(user="ana", object=name.casefold()).total == 2
