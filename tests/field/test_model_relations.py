"""Kinds of fault in who is related to whom, offered by a model that mistakes them."""

from __future__ import annotations

import pytest

from graphmem.model.receipt import TurnState
from tests.field.offering import Case, Claim, Offering, Turn, an_answer, check, offer, refused

pytestmark = pytest.mark.embedded("what a model offers is checked before any store is asked")

EN_PAIR: list[Turn] = ["My uncle Torvald runs a mill.", "He hired a baker called Pim last week."]
ZH_PAIR: list[Turn] = ["我姑姑柳青禾开了一家面馆。", "她上周雇了一个叫阿满的伙计。"]
PRONOUNS: list[Case] = [
    (
        EN_PAIR,
        [offer("He hired a baker called Pim", "employs", "Pim", subject="Torvald", turn="T2")],
        {"Pim works_at Torvald"},
        {},
    ),
    (
        EN_PAIR,
        [offer("He hired a baker called Pim", "employs", "Pim", subject="He", turn="T2")],
        set(),
        {"unresolved": 1},
    ),
    (
        ZH_PAIR,
        [offer("她上周雇了一个叫阿满的伙计", "employs", "阿满", subject="柳青禾", turn="T2")],
        {"阿满 works_at 柳青禾"},
        {},
    ),
    (
        ZH_PAIR,
        [offer("她上周雇了一个叫阿满的伙计", "employs", "阿满", subject="她", turn="T2")],
        set(),
        {"unresolved": 1},
    ),
    (
        ["They hired a cook called Pim."],
        [offer("They hired a cook called Pim", "employs", "Pim", subject="They")],
        set(),
        {"unresolved": 1},
    ),
]


@pytest.mark.parametrize("case", PRONOUNS)
def test_a_pronoun_is_no_name(weak: Offering, case: Case) -> None:
    """Whom it means is named, or nothing is stored."""
    check(weak, case)


@pytest.mark.parametrize(
    ("said", "thing", "claim", "fact"),
    [
        ("I like hiking.", "hiking", offer("I like hiking", "likes", "hiking"), "me likes hiking"),
        ("我喜欢登山。", "登山", offer("我喜欢登山", "likes", "登山"), "me likes 登山"),
    ],
)
def test_a_list_of_things_is_asked_for_again(
    weak: Offering, said: str, thing: str, claim: Claim, fact: str
) -> None:
    """What claims nothing is repaired, or left pending and said so: it is never a success."""
    bare = f'{{"entities": [{{"name": "{thing}", "type": "activity"}}]}}'
    for listed in (bare, f'["{thing}"]', f'{{"claims": ["{thing}"]}}'):
        user = weak.user()
        weak.replies = [listed, listed]
        (turn,) = weak.memory.add(said, user=user).turns
        assert turn.state is TurnState.PENDING
        assert "repair" in (turn.reason or "")
        weak.replies = [listed, an_answer(claim)]
        assert not weak.memory.retry_pending(user=user).pending
        assert weak.held(user) == {fact}


def test_things_of_which_nothing_is_claimed_are_told(weak: Offering) -> None:
    """They may be what a question is about, so nobody is asked again; they become no node."""
    user = weak.user()
    weak.replies = ['{"claims": [], "entities": [{"name": "hiking", "type": "activity"}]}']
    receipt = weak.memory.add("I like hiking.", user=user)
    assert refused(receipt) == {"unclaimed": 1}
    assert receipt.usage.calls == 1
    assert weak.memory.entities(user=user).items == ()


VALUES: list[Case] = [
    (
        ["Gorm is worn out. My budget is 700 euros. I'm 1.79 m tall. The flat has no cellar."],
        [
            offer("Gorm is worn out", "feels", "worn out", subject="Gorm", object_kind="text"),
            offer("My budget is 700 euros", "has_budget", "700 euros", object_kind="number"),
            offer("I'm 1.79 m tall", "height", "1.79 m", object_kind="number"),
            offer("The flat has no cellar", "has", "cellar", subject="flat", polarity="-"),
        ],
        {
            "Gorm feels worn out",
            "me has_budget 700 euros",
            "me height 1.79 m",
            "-flat has cellar",
        },
        {},
    ),
    (
        ["我身高一米七九。预算是七百块。那套公寓没有电梯。"],
        [
            offer("我身高一米七九", "height", "一米七九", object_kind="number"),
            offer("预算是七百块", "has_budget", "七百块", object_kind="number"),
            offer("那套公寓没有电梯", "has", "电梯", subject="那套公寓", polarity="-"),
        ],
        {"me height 一米七九", "me has_budget 七百块", "-那套公寓 has 电梯"},
        {},
    ),
]


@pytest.mark.parametrize("case", VALUES)
def test_states_and_values_are_kept(weak: Offering, case: Case) -> None:
    """A value needs no name."""
    check(weak, case)


CONFIRMED: list[Case] = [
    (
        [
            ("assistant", "So the summer menu is what you make now."),
            "No, the summer menu is for July; now I make soup.",
            ("assistant", "Understood: the summer menu starts in July."),
        ],
        [
            offer(
                "the summer menu is for July",
                "plans_to",
                "summer menu",
                modality="planned",
                start="for July",
            ),
            offer("now I make soup", "makes", "soup"),
            offer("the summer menu starts in July", "plans_to", "summer menu"),
        ],
        {"?me plans_to summer menu", "me makes soup"},
        {"ungrounded": 1},
    ),
    (
        [
            ("assistant", "所以您现在做的是夏季菜单。"),
            "不是，夏季菜单是七月的；现在做的是汤品。",
            ("assistant", "明白：夏季菜单七月开始。"),
        ],
        [
            offer("夏季菜单是七月的", "plans_to", "夏季菜单", modality="planned", start="七月"),
            offer("现在做的是汤品", "makes", "汤品"),
            offer("夏季菜单七月开始", "plans_to", "夏季菜单"),
        ],
        {"?me plans_to 夏季菜单", "me makes 汤品"},
        {"ungrounded": 1},
    ),
]


@pytest.mark.parametrize("case", CONFIRMED)
def test_a_correction_rests_on_who_made_it(weak: Offering, case: Case) -> None:
    """An assistant that spells it out adds nothing and takes nothing away."""
    check(weak, case)
    user = f"user {weak.users}"
    turn = str(case[0][1])
    for fact in weak.memory.facts(user=user).items:
        (source,) = weak.memory.explain(fact.id, user=user).sources
        assert source.quote in turn


SPEAKERS: list[Case] = [
    (
        [("Isolde", "I'm vegan."), ("assistant", "I prefer YAML."), ("Gunnar", "I eat fish.")],
        [
            offer("I'm vegan", "follows_diet", "vegan"),
            offer("I prefer YAML", "prefers", "YAML", turn="T2"),
            offer("I eat fish", "eats", "fish", turn="T2"),
        ],
        {"Isolde follows_diet vegan", "Gunnar eats fish"},
        {"assistant_words": 1},
    ),
    (
        [("阿梨", "我吃素。"), ("老莫", "我什么鱼都吃。")],
        [
            offer("我吃素", "follows_diet", "素"),
            offer("我什么鱼都吃", "eats", "鱼", turn="T2"),
        ],
        {"阿梨 follows_diet 素", "老莫 eats 鱼"},
        {},
    ),
]


@pytest.mark.parametrize("case", SPEAKERS)
def test_each_speaker_speaks_for_herself(weak: Offering, case: Case) -> None:
    """ "me" is who speaks, not the user."""
    check(weak, case)


SAME: list[Case] = [
    (
        ["The choir's rules belong to the choir's rules. I am me."],
        [
            offer(
                "The choir's rules belong to the choir's rules",
                "part_of",
                "choir's rules",
                subject="choir's rules",
            ),
            offer("I am me", "is_a", "me"),
            offer("I am me", "knows", "me"),
        ],
        set(),
        {"self": 3},
    ),
    (
        ["Isolde knows Isolde well."],
        [offer("Isolde knows Isolde", "knows", "isolde", subject="Isolde")],
        set(),
        {"self": 1},
    ),
    (
        ["章程属于章程。我就是我。"],
        [
            offer("章程属于章程", "part_of", "章程", subject="章程"),
            offer("我就是我", "is_a", "我"),
        ],
        set(),
        {"self": 2},
    ),
]


@pytest.mark.parametrize("case", SAME)
def test_nothing_is_related_to_itself(weak: Offering, case: Case) -> None:
    """However it is spelled."""
    check(weak, case)


BOTH_WAYS: list[Case] = [
    (
        ["Noor is married to Bram."],
        [
            offer("Noor is married to Bram", "married_to", "Bram", subject="Noor"),
            offer("Noor is married to Bram", "married_to", "Noor", subject="Bram"),
        ],
        {"Noor married_to Bram"},
        {},
    ),
    (
        ["石榴和阿满是同事。"],
        [
            offer("石榴和阿满是同事", "colleague_of", "阿满", subject="石榴"),
            offer("石榴和阿满是同事", "colleague_of", "石榴", subject="阿满"),
        ],
        {"石榴 colleague_of 阿满"},
        {},
    ),
    (
        ["Isolde is a friend of mine."],
        [
            offer("Isolde is a friend of mine", "friend_of", "Isolde"),
            offer("Isolde is a friend of mine", "friend_of", "me", subject="Isolde"),
        ],
        {"me friend_of Isolde"},
        {},
    ),
    (
        ["Torvald is Pim's father. Gunnar employs Pim."],
        [
            offer("Torvald is Pim's father", "has_child", "Pim", subject="Torvald"),
            offer("Torvald is Pim's father", "has_parent", "Torvald", subject="Pim"),
            offer("Gunnar employs Pim", "employs", "Pim", subject="Gunnar"),
            offer("Gunnar employs Pim", "works_at", "Gunnar", subject="Pim"),
        ],
        {"Torvald has_child Pim", "Pim works_at Gunnar"},
        {},
    ),
]


@pytest.mark.parametrize("case", BOTH_WAYS)
def test_both_ways_to_tell_a_relation_are_one_fact(weak: Offering, case: Case) -> None:
    """A symmetric one stands once, and one with an inverse in one direction."""
    check(weak, case)
