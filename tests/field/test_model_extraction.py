"""Kinds of fault known from the field, offered by a model that takes everything for a fact."""

from __future__ import annotations

import pytest

from tests.field.offering import Case, Claim, Offering, check, offer, refused

pytestmark = pytest.mark.embedded("what a model offers is checked before any store is asked")

NOT_THE_USERS: list[Case] = [
    (
        [("system", "You are Plink, a terse helper. Never say sorry."), "I like figs."],
        [
            offer("You are Plink", "has_name", "Plink"),
            offer("Never say sorry", "wants_style", "never say sorry"),
            offer("I like figs", "likes", "figs"),
        ],
        {"me likes figs"},
        {"system_words": 2},
    ),
    (
        [("tool", '{"host": "kestrel-9", "owner": "Brask"}'), "I like figs."],
        [offer('"owner": "Brask"', "has_name", "Brask"), offer("I like figs", "likes", "figs")],
        {"me likes figs"},
        {"tool_words": 1},
    ),
    (
        ["I like figs."],
        [
            offer("I like figs", "lives_in", "Oslo"),
            offer("I like figs", "age", "34", object_kind="number"),
            offer("I am a nurse", "works_as", "nurse"),
            offer("I like figs", "likes", "figs"),
        ],
        {"me likes figs"},
        {"ungrounded": 3},
    ),
    (
        [("system", "你是小铆，一个简短的助手，运行在红隼九号上。"), "我喜欢无花果。"],
        [
            offer("你是小铆", "has_name", "小铆"),
            offer("我喜欢无花果", "works_as", "工程师"),
            offer("我喜欢无花果", "likes", "无花果"),
        ],
        {"me likes 无花果"},
        {"system_words": 1, "ungrounded": 1},
    ),
]


@pytest.mark.parametrize("case", NOT_THE_USERS)
def test_what_no_user_said_is_not_stored(weak: Offering, case: Case) -> None:
    """Words of prompts and tools, and what a model made up, claim nothing of the user."""
    check(weak, case)


ITSELF: list[Case] = [
    (
        ["My name is Odile.", ("assistant", "I'm Wren, a robot who loves paint."), "Who am I?"],
        [
            offer("My name is Odile", "has_name", "Odile"),
            offer("I'm Wren", "has_name", "Wren", turn="T2"),
            offer("a robot who loves paint", "likes", "paint", turn="T2"),
            offer("Who am I", "has_name", "Wren", turn="T2"),
        ],
        {"me has_name Odile"},
        {"assistant_words": 2, "question": 1},
    ),
    (
        ["我叫石榴。", ("assistant", "我是小鲸，一个爱唱歌的机器人。"), "我是谁？"],
        [
            offer("我叫石榴", "has_name", "石榴"),
            offer("我是小鲸", "has_name", "小鲸", turn="T2"),
            offer("爱唱歌", "likes", "唱歌", turn="T2"),
            offer("我是谁", "has_name", "小鲸", turn="T2"),
        ],
        {"me has_name 石榴"},
        {"assistant_words": 2, "question": 1},
    ),
    (
        [("assistant", "我是小鲸，住在云里。"), "那我住在哪儿？"],
        [offer("住在云里", "lives_in", "云里"), offer("那我住在哪儿", "lives_in", "云里")],
        set(),
        {"assistant_words": 1, "question": 1},
    ),
]


@pytest.mark.parametrize("case", ITSELF)
def test_what_an_assistant_says_of_itself_is_not_the_users(weak: Offering, case: Case) -> None:
    """Nor is it the answer to who the user is."""
    check(weak, case)


ASKED_ABOUT: list[Case] = [
    (
        ["When does Dr. Quill see patients on Tuesdays?"],
        [
            offer("Dr. Quill", "has_name", "Dr. Quill"),
            offer("Dr. Quill see patients on Tuesdays", "has_doctor", "Dr. Quill"),
        ],
        set(),
        {"question": 2},
    ),
    (
        ["Do you know Brask? And where is Isolde?"],
        [offer("Brask", "has_name", "Brask"), offer("where is Isolde", "knows", "Isolde")],
        set(),
        {"question": 2},
    ),
    (
        ["柳青禾医生周二几点看病？"],
        [
            offer("柳青禾", "has_name", "柳青禾"),
            offer("柳青禾医生周二几点看病", "works_as", "医生"),
        ],
        set(),
        {"question": 2},
    ),
]


@pytest.mark.parametrize("case", ASKED_ABOUT)
def test_who_is_asked_about_is_not_the_user(weak: Offering, case: Case) -> None:
    """A question asserts nothing."""
    check(weak, case)


FICTION: list[Case] = [
    (
        ["Let's play: I run a lighthouse on Venus and want to open a second tower."],
        [
            offer("I run a lighthouse on Venus", "runs", "lighthouse on Venus"),
            offer("want to open a second tower", "has_goal", "open a second tower"),
        ],
        set(),
        {"fiction": 2},
    ),
    (
        ["In my novel, I am a smuggler called Brask."],
        [offer("I am a smuggler", "works_as", "smuggler"), offer("Brask", "has_name", "Brask")],
        set(),
        {"fiction": 2},
    ),
    (
        ["Write a story: I live in a hollow tree with my wife Elowen."],
        [offer("I live in a hollow tree", "lives_in", "hollow tree")],
        set(),
        {"fiction": 1},
    ),
    (
        ["我们来玩角色扮演：我是月亮酒店的老板，手下有三十个人。"],
        [
            offer("我是月亮酒店的老板", "runs", "月亮酒店"),
            offer("我是月亮酒店的老板", "works_as", "老板"),
        ],
        set(),
        {"fiction": 2},
    ),
    (
        ["假设我是一名船长。要是我有钱，就买一座岛。"],
        [
            offer("我是一名船长", "works_as", "船长"),
            offer("买一座岛", "plans_to", "买一座岛", modality="planned"),
        ],
        set(),
        {"conditional": 2},
    ),
]


@pytest.mark.parametrize("case", FICTION)
def test_games_stories_and_wishes_are_not_stored(weak: Offering, case: Case) -> None:
    """Nothing of them is a fact."""
    check(weak, case)


ONCE: list[Case] = [
    (
        ["Only the totals this time, please."],
        [
            offer("Only the totals this time", "prefers", "totals"),
            offer("Only the totals", "wants_style", "only the totals"),
        ],
        set(),
        {"instruction": 2},
    ),
    (
        ["For this reply only, be brief."],
        [offer("be brief", "wants_style", "brief")],
        set(),
        {"instruction": 1},
    ),
    (
        ["这次只要总数就行。"],
        [offer("只要总数", "prefers", "总数"), offer("这次只要总数", "wants_style", "只要总数")],
        set(),
        {"instruction": 2},
    ),
    (
        ["From now on, always show me prices with tax."],
        [offer("always show me prices with tax", "wants_style", "always show me prices with tax")],
        {"me wants_style always show me prices with tax"},
        {},
    ),
    (
        ["以后都用英文回答我。"],
        [offer("以后都用英文回答我", "wants_style", "用英文回答")],
        {"me wants_style 用英文回答"},
        {},
    ),
]


@pytest.mark.parametrize("case", ONCE)
def test_only_what_is_asked_for_always_is_kept(weak: Offering, case: Case) -> None:
    """An instruction for one answer is none for the next."""
    check(weak, case)


@pytest.mark.parametrize("greeting", ["hi", "Hello there, thanks!", "你好", "谢谢，再见"])
def test_a_greeting_asks_nobody(weak: Offering, greeting: str) -> None:
    """Neither to read it nor to decide about it."""
    user = weak.user()
    receipt = weak.tell(user, [greeting], [offer(greeting, "has_name", "Zelphine")])
    assert not weak.asked
    assert receipt.usage.calls == 0
    assert weak.held(user) == set()


THE_PROMPTS: list[Case] = [
    (
        ["Can you help me with something? I'm rather busy."],
        [
            offer("My sister Zelphine", "has_sibling", "Zelphine"),
            offer("I'm rather busy", "works_at", "Orlith Glassworks"),
            offer("You read turns of a conversation", "is_a", "reader"),
        ],
        set(),
        {"ungrounded": 3},
    ),
    (
        ["能帮我看看吗？我有点忙。"],
        [
            offer("我从2021年起在霜砾乐器行上班", "works_at", "霜砾乐器行"),
            offer("我有点忙", "lives_in", "云岬镇"),
        ],
        set(),
        {"ungrounded": 2},
    ),
]


@pytest.mark.parametrize("case", THE_PROMPTS)
def test_the_prompts_own_words_are_not_stored(weak: Offering, case: Case) -> None:
    """Its rules and its examples were said by nobody, and need no second call."""
    check(weak, case)
    assert len(weak.asked) == 1


@pytest.mark.parametrize(
    ("said", "claims", "more"),
    [
        (
            "I like figs. My aunt Isolde lives in Ghent.",
            [
                offer("I like figs", "likes", "figs"),
                offer("My aunt Isolde", "has_relative", "Isolde", qualifiers=["role=aunt"]),
                offer("Isolde lives in Ghent", "lives_in", "Ghent", subject="Isolde"),
            ],
            "What goes with lunch?",
        ),
        (
            "我喜欢无花果。我姑姑柳青禾住在三江口。",
            [
                offer("我喜欢无花果", "likes", "无花果"),
                offer("我姑姑柳青禾", "has_relative", "柳青禾", qualifiers=["role=姑姑"]),
                offer("柳青禾住在三江口", "lives_in", "三江口", subject="柳青禾"),
            ],
            "午饭配什么好？",
        ),
    ],
)
def test_a_recalled_block_pasted_back_is_no_turn(
    weak: Offering, said: str, claims: list[Claim], more: str
) -> None:
    """Five times round the loop: no new fact, and no new evidence for an old one."""
    user = weak.user()
    weak.tell(user, [said], claims)
    held = weak.held(user)
    assert len(held) == 3
    for round_ in range(5):
        block = weak.memory.context(said, user=user).text
        assert all(claim["quote"] in block for claim in claims)
        receipt = weak.tell(user, [f"{block}\n\n{more} ({round_})"], claims)
        assert refused(receipt) == {"injected": 3}
    assert weak.held(user) == held
    facts = weak.memory.facts(user=user).items
    assert [len(fact.claims) for fact in facts] == [1, 1, 1]


WORDS: list[Case] = [
    (
        ["So, nothing helped. Now the printer is fine. I grew up in São Tomé."],
        [
            offer("nothing helped", "related_to", "nothing", subject="So"),
            offer("nothing helped", "causes", "nothing", subject="So"),
            offer("Now the printer is fine", "related_to", "printer", subject="Now"),
            offer("Now the printer is fine", "has_status", "fine", subject="Now"),
            offer("the printer is fine", "has_status", "fine", subject="This"),
            offer("I grew up in São Tomé", "related_to", "São Tomé"),
            offer("I grew up in São Tomé", "grew_up_in", "São Tomé"),
        ],
        {"me grew_up_in São Tomé"},
        {"predicate": 3, "unresolved": 3},
    ),
    (
        ["This is odd. Topic: the roof leaks."],
        [
            offer("This is odd", "has_status", "odd", subject="This"),
            offer("Topic: the roof leaks", "has_status", "leaks", subject="Topic"),
            offer("the roof leaks", "has_status", "leaks", subject="roof", object_kind="text"),
        ],
        {"roof has_status leaks"},
        {"unresolved": 2},
    ),
    (
        ["这个没用。我在三江口长大。"],
        [
            offer("这个没用", "has_status", "没用", subject="这个"),
            offer("我在三江口长大", "related_to", "三江口"),
            offer("我在三江口长大", "grew_up_in", "三江口"),
        ],
        {"me grew_up_in 三江口"},
        {"predicate": 1, "unresolved": 1},
    ),
]


@pytest.mark.parametrize("case", WORDS)
def test_words_are_no_things_and_being_related_is_no_relation(weak: Offering, case: Case) -> None:
    """Names of several words are kept whole."""
    check(weak, case)
