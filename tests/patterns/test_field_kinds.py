"""Kinds of fault known from the field, told to a memory that reads by patterns."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from graphmem import Memory
from graphmem.model.claim import Modality, Polarity
from tests.engine.kit import a_memory

Turn = str | tuple[str, str]
"""What the user says, or who says what: "assistant", "system", "tool", or a speaker's name."""

ROLES = {"assistant", "system", "tool"}


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """One memory for all; every test is a user of its own."""
    folder: Path = tmp_path_factory.mktemp("field") / "memory"
    with a_memory(folder, embedder="none") as opened:
        yield opened


def message(turn: Turn) -> dict[str, str]:
    """Return a turn as ``add`` takes it."""
    if isinstance(turn, str):
        return {"role": "user", "content": turn}
    who, content = turn
    if who in ROLES:
        return {"role": who, "content": content}
    return {"role": "user", "name": who, "content": content}


def stored(memory: Memory, user: str) -> set[str]:
    """Return all that is held of a user's world: "me likes figs", "-me likes figs", "?…" a plan."""
    return {
        ("-" if fact.polarity is Polarity.NEGATIVE else "")
        + ("?" if fact.modality is Modality.PLANNED else "")
        + " ".join(
            part
            for part in (
                "me" if fact.subject.text == user else fact.subject.text,
                fact.predicate,
                fact.object.text if fact.object is not None else "",
            )
            if part
        )
        for fact in memory.facts(user=user, limit=100).items
    }


def told(memory: Memory, name: str, *turns: Turn) -> set[str]:
    """Tell turns as one session of a new user; return what is held then."""
    memory.add([message(turn) for turn in turns], user=name, session="s")
    return stored(memory, name)


NOTHING: dict[str, tuple[Turn, ...]] = {
    "who is asked about": ("When does Dr. Ferrin see patients on Mondays?",),
    "who is asked about, without a mark": ("is my brother's wife Ada invited too",),
    "who is asked about, in Chinese": ("冯大夫周三出诊吗？",),
    "whose birthday": ("我姐夫的生日是哪天来着",),
    "a game": ("Let's pretend I'm a baker in Lyon with six sons.", "I have a shop on the moon."),
    "a game, in Chinese": ("假装我是个船长，养了三只鹦鹉。",),
    "a novel": ("In my novel, Ivo hates his sister and works at a mint.",),
    "a story to write, in Chinese": ("写个故事：我在月亮上开了家面馆。",),
    "a letter to check": ("Dear Mr Hale, I live in Bath and have two dogs.",),
    "a letter to check, in Chinese": ("尊敬的王经理：您好，我在云石公司上班。",),
    "an example": ('e.g. "I\'m allergic to latex" is a statement',),
    "an instruction for once": ("Only the first paragraph this time, please.",),
    "an instruction for once, in Chinese": ("这次只要第一段就行。",),
    "a greeting": ("hi",),
    "a greeting, in Chinese": ("在吗",),
    "thanks": ("ok great, thanks!",),
    "a supposition": ("If I moved to Cork I'd keep goats.",),
    "a supposition, in Chinese": ("要是搬去昆明，我就养羊。",),
    "nobody and nothing": ("So, nothing helped. Now this works. Whatever.",),
    "a thing of itself": ("The choir's rules belong to the choir's rules.", "I am me, you know."),
    "a thing of itself, in Chinese": ("委员会的决定就是委员会的决定", "我就是我"),
    "a pronoun of nobody": ("She runs a bar.", "It's based in Oslo."),
    "a pronoun of nobody, in Chinese": ("她在银行上班。",),
    "what a program gets": ("we get our errors from Sentry", "my code's in Python"),
    "where a file lies": ("图片放在文件夹里了", "API从v1换成v2了"),
}


@pytest.mark.parametrize("name", NOTHING)
def test_what_nobody_asserts_is_not_stored(memory: Memory, name: str) -> None:
    """P023, P025, P026, P028, P031, P032, P040: nothing is kept of these."""
    assert told(memory, name, *NOTHING[name]) == set()


PROMPT = (
    "You are Pip, a terse helper on host alpha. The user is Dana, lives in Reno, owns two boats and"
    " likes bargains. Always call the user boss."
)
MACHINE: dict[str, tuple[tuple[Turn, ...], set[str]]] = {
    "a long prompt and a chat": (
        (
            ("system", PROMPT),
            ("assistant", "I'm Pip! I love sailing and I live in the cloud."),
            "I keep bees and I'm allergic to latex.",
            ("assistant", "Great, so you live in Reno and own two boats."),
            ("tool", '{"user_name": "Dana", "likes": "snow"}'),
        ),
        {"me allergic_to latex", "me has_pet bees"},
    ),
    "the assistant's name, in Chinese": (
        ("我叫阿岩。", ("assistant", "我是小帆，我喜欢画画，住在云端。"), "我是谁？"),
        {"me has_name 阿岩"},
    ),
    "the assistant's guess, in Chinese": (
        (("assistant", "所以您住武汉，养了两条狗？"), "我住在宜昌。"),
        {"me lives_in 宜昌"},
    ),
}


@pytest.mark.parametrize("name", MACHINE)
def test_only_the_users_own_words_are_believed(memory: Memory, name: str) -> None:
    """P020, P022: prompts, tools and the assistant say nothing of the user."""
    turns, wanted = MACHINE[name]
    assert told(memory, name, *turns) == wanted


SAID: dict[str, tuple[tuple[Turn, ...], set[str]]] = {
    # P026: a standing wish
    "from now on": (
        ("From now on answer in metric units pls",),
        {"me wants_style answer in metric units"},
    ),
    "from now on, in Chinese": (
        ("以后回答都用表格",),
        {"me wants_style 回答都用表格"},
    ),
    # P032: a pronoun across turns
    "she, of an aunt": (
        ("My aunt Berta runs a ferry.", "She hired a deckhand called Mio last week."),
        {"me has_relative Berta", "Berta runs ferry", "Mio works_at Berta"},
    ),
    "she, of a friend": (
        ("My friend Agnes runs a print shop.", "she's allergic to latex"),
        {"me friend_of Agnes", "Agnes runs print shop", "Agnes allergic_to latex"},
    ),
    "he, of a son": (
        ("My son is called Theo.", "He's six years old."),
        {"me has_child Theo", "Theo age six"},
    ),
    "it, of a company": (
        ("I just started at a company called Nordlys.", "it's based in Tromsø"),
        {"me works_at Nordlys", "Nordlys located_in Tromsø"},
    ),
    "the company, in Chinese": (
        ("我上周入职了蓝鲸科技。", "公司总部在厦门"),
        {"me works_at 蓝鲸科技", "蓝鲸科技 located_in 厦门"},
    ),
    "she, in Chinese": (
        ("我小姨在舟山跑轮渡。", "她上周招了个水手叫阿莫"),
        {"阿莫 works_at 我小姨"},
    ),
    # P034, P035: relations, states and values
    "likes": (("I like hiking and also quite like soy",), {"me likes hiking", "me likes soy"}),
    "likes, in Chinese": (("我喜欢爬山",), {"me likes 爬山"}),
    "states and values": (
        ("Goran is hung over.", "My budget's 900 euros", "I'm 1.82 m tall. The flat has no lift."),
        {"Goran feels hung over", "me has_budget 900 euros", "me height 1.82 m", "-flat has lift"},
    ),
    "states and values, in Chinese": (
        ("我一米七八，穿43码的鞋", "我们楼没电梯", "我税前年薪24万"),
        {"me height 一米七八", "me size 43码", "-我们楼 has 电梯", "me earns 24万"},
    ),
    "no lift": (("theres no lift in my building",), {"-my building has lift"}),
    "on strike": (("Mill & Sons is on strike",), {"Mill & Sons has_status on strike"}),
    # P038: speakers
    "two speakers": (
        (("Ida", "I'm vegan."), ("Per", "I hate mushrooms, Ida likes tofu")),
        {"Ida follows_diet vegan", "-Per likes mushrooms", "Ida likes tofu"},
    ),
    "two speakers, in Chinese": (
        (("阿布", "我对花粉过敏"), ("阿蓝", "我不吃羊肉")),
        {"阿布 allergic_to 花粉", "-阿蓝 eats 羊肉"},
    ),
    # P041: directions
    "passive": (
        ("The outage was caused by the expired certificate.", "Bea's managed by Yusuf"),
        {"expired certificate causes outage", "Bea has_manager Yusuf"},
    ),
    "somebody's manager": (("Noor is Sam's manager.",), {"Sam has_manager Noor"}),
    "directions, in Chinese": (
        ("漏水是垫圈老化造成的", "小祁的领导是邵总"),
        {"垫圈老化 causes 漏水", "小祁 has_manager 邵总"},
    ),
    # P112: shops, what they are called and from whom they buy
    "a shop and its supplier": (
        (
            "My friend Priya runs a little bakery called Crumb & Co on Elm Street",
            "it gets its flour from Mill & Sons, who are on strike",
        ),
        {
            "me friend_of Priya",
            "Priya runs Crumb & Co",
            "Crumb & Co is_a bakery",
            "Crumb & Co located_in Elm Street",
            "Crumb & Co buys_from Mill & Sons",
            "Mill & Sons has_status on strike",
        },
    ),
    "a shop and its supplier, in Chinese": (
        ("我在镇上开了家麦穗坊，卖面包的", "面粉都是从丰谷进的"),
        {"me runs 麦穗坊", "麦穗坊 buys_from 丰谷"},
    ),
    # People named in passing
    "a husband in passing": (
        ("I had lunch with Lena and her husband Pieter",),
        {"Lena married_to Pieter"},
    ),
    "a sister's husband": (
        ("We stayed at my sister Lou's husband Tom's place",),
        {"me has_sibling Lou", "Lou married_to Tom"},
    ),
    "a sister's husband, in Chinese": (
        ("我姐姐的老公在铁路局上班", "我妹妹的老公叫张弛"),
        {"我姐姐的老公 works_at 铁路局", "我妹妹 married_to 张弛"},
    ),
    "a daughter's teacher, in Chinese": (
        ("我女儿班主任是方老师",),
        {"我女儿 has_teacher 方老师"},
    ),
}


@pytest.mark.parametrize("name", SAID)
def test_what_is_said_is_stored_of_whom_it_is_said(memory: Memory, name: str) -> None:
    """P026, P032, P034, P035, P038, P041, P112: these and no others."""
    turns, wanted = SAID[name]
    assert told(memory, name, *turns) == wanted


CHANGES: dict[str, tuple[tuple[str, ...], set[str]]] = {
    # P019: the old value is named, whatever the relation
    "assigned": (
        ("Ravi is assigned to Heron.", "Ravi moved from Heron to Kite."),
        {"Ravi assigned_to Kite"},
    ),
    "works on": (
        ("Ravi works on Heron.", "Ravi got moved from Heron to Kite on monday"),
        {"Ravi works_on Kite"},
    ),
    "drinks": (("I drink cola.", "I switched from cola to water."), {"me drinks water"}),
    "home": (
        ("I live in Leeds.", "moved out of Leeds in March, we're in Hull now"),
        {"me lives_in Hull"},
    ),
    "project, in Chinese": (
        ("我负责苍鹭项目。", "我从苍鹭项目换到了风筝项目。"),
        {"me works_on 风筝项目"},
    ),
    "department, in Chinese": (
        ("小戴上周一从市场部调到产品部去了",),
        {"小戴 assigned_to 产品部"},
    ),
    "home, in Chinese": (("我住无锡。", "从无锡搬出来了，现在住常州"), {"me lives_in 常州"}),
    # Endings said in passing
    "quit in a year": (("I used to smoke a pack a day but I quit in 2019",), set()),
    "sold": (
        ("I drive a Mini.", "We sold the Mini yesterday."),
        {"me sold Mini"},
    ),
    "no longer with": (("I work at Castor Ltd.", "I'm no longer with Castor Ltd"), set()),
    "not any more": (("We own a caravan.", "we don't have the caravan any more"), set()),
    "long stopped, in Chinese": (("我抽烟。", "我早就不抽烟了"), {"-me smokes"}),
    "formerly and now, in Chinese": (("以前喝奶茶，现在只喝白水",), {"me drinks 白水"}),
    # P037: what the user puts right
    "put right at once": (("My sister Zara is three.", "That's wrong — Zara's four, not three"),
                          {"me has_sibling Zara", "Zara age four"}),
    "put right, in Chinese": (("我女儿妞妞今年两岁", "说错了，妞妞是三岁，不是两岁"),
                              {"me has_child 妞妞", "妞妞 age 三岁"}),
    "the drawer": (("更正一下，钥匙在抽屉里，不在包里",), {"钥匙 kept_in 抽屉"}),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_what_was_named_as_over_is_over(memory: Memory, name: str) -> None:
    """P019, P037: an old value that is named ends, whatever the relation; a wrong one goes."""
    turns, wanted = CHANGES[name]
    for day, turn in enumerate(turns, 1):
        memory.add(turn, user=name, session="s", occurred_at=f"2025-04-0{day}")
    assert stored(memory, name) == wanted


def test_a_correction_the_assistant_repeats_rests_on_the_user(memory: Memory) -> None:
    """P037: "no, Cesis" after the assistant's "you live in Riga" is the user's word."""
    user = "put right by the user"
    held = told(
        memory,
        user,
        "I live in Riga.",
        ("assistant", "So you live in Riga."),
        "No, sorry, I meant Cesis",
        ("assistant", "Understood: you live in Cesis."),
    )
    assert held == {"me lives_in Cesis"}


@pytest.mark.parametrize("mood", ["I'm tired today", "i feel sad", "今天好累", "我今天很难过"])
def test_a_mood_of_the_moment_passes_with_the_day(memory: Memory, mood: str) -> None:
    """A passing mood is held on its day and not for ever."""
    memory.add(mood, user=mood, occurred_at="2025-04-16T10:00:00Z")
    then = memory.facts(user=mood, predicate="feels", valid_at="2025-04-16T12:00:00Z")
    later = memory.facts(user=mood, predicate="feels", valid_at="2025-04-18")
    assert (len(then.items), len(later.items)) == (1, 0)


@pytest.mark.parametrize("mood", ["I still feel anxious", "I always feel nervous", "我最近很难过"])
def test_a_mood_that_is_said_to_last_lasts(memory: Memory, mood: str) -> None:
    """Words of lasting keep a mood from passing with the day."""
    memory.add(mood, user=mood, occurred_at="2025-04-16T10:00:00Z")
    later = memory.facts(user=mood, predicate="feels", valid_at="2025-04-18")
    assert len(later.items) == 1


def test_an_approximate_start_keeps_its_phrase(memory: Memory) -> None:
    """ "About five years ago" dates nothing, and nothing is dated to the day of telling."""
    user = "guitar"
    memory.add("I started playing guitar about five years ago", user=user, occurred_at="2025-04-16")
    [fact] = memory.facts(user=user).items
    assert (fact.predicate, fact.interval.start) != ("plays", None)
    assert stored(memory, user) == {"me plays guitar"}


@pytest.mark.parametrize("said", ["I'm vegan and I keep bees.", "我住在泉州，我对花粉过敏。"])
def test_recalled_memories_are_not_stored_again(memory: Memory, said: str) -> None:
    """P029: what ``context()`` gave, pasted into turns five times, adds nothing."""
    memory.add(said, user=said)
    before = stored(memory, said)
    for _ in range(5):
        block = memory.context("what about me?", user=said).text
        memory.add([message(("system", block)), message(f"{block}\nthanks")], user=said)
    assert stored(memory, said) == before != set()


@pytest.mark.parametrize(
    ("naming", "saying", "wanted"),
    [
        ("My landlord is Mr. Reyas.", "My landlord plays the tuba.", "Mr. Reyas plays tuba"),
        ("our landlord's called Mr Abara btw", "my landlord hates dogs", "-Mr Abara likes dogs"),
        ("我的牙医叫韦若兰", "我牙医住在福州", "韦若兰 lives_in 福州"),
        ("我房东叫郑姐", "我房东会弹钢琴", "郑姐 can_do 弹钢琴"),
    ],
)
def test_a_role_means_whoever_holds_it(
    memory: Memory, naming: str, saying: str, wanted: str
) -> None:
    """P077: what is said of the role is said of its holder."""
    memory.add(naming, user=naming)
    memory.add(saying, user=naming)
    assert wanted in stored(memory, naming)


@pytest.mark.parametrize(
    ("first", "second", "wanted"),
    [
        ("Ola manages the Oslo shop", "Ola runs the shop in Oslo? Ola manages the Oslo shop",
         "Ola leads Oslo shop"),
        ("my sister Tilda lives in Cork", "Tilda lives in Cork", "Tilda lives_in Cork"),
        ("我朋友小贺住在绵阳", "小贺住在绵阳", "小贺 lives_in 绵阳"),
    ],
)  # fmt: skip
def test_one_fact_of_two_turns_is_one_fact_with_two_claims(
    memory: Memory, first: str, second: str, wanted: str
) -> None:
    """P080: told in one call or in two, it is one fact that rests on both turns."""
    together, apart = f"{first} together", f"{first} apart"
    memory.add([message(first), message(second)], user=together, session="s")
    memory.add(first, user=apart)
    memory.add(second, user=apart)
    assert stored(memory, together) == stored(memory, apart)
    assert wanted in stored(memory, together)
    for user in (together, apart):
        rests = [f for f in memory.facts(user=user).items if len(f.claims) > 1]
        assert len(rests) == 1


@pytest.mark.parametrize(
    "turns",
    [
        ("the DGX7 sits in the cellar", "I bought DGX7 in May", "DGX7 is on strike"),
        ("I work at PixelOwl", "pixelowl is on strike", "PIXELOWL is based in Turin"),
        ("我在ＡＢＣ科技上班", "ABC科技总部在厦门"),
    ],
)
def test_one_name_is_one_thing(memory: Memory, turns: tuple[str, ...]) -> None:
    """P071, P083: one normalised name is one entity, shown as it was first written."""
    user = f"one name {len(turns[0])}"
    for turn in turns:
        memory.add(turn, user=user)
    names = [view.entity.key for view in memory.entities(user=user).items]
    assert sum(any(part in name for part in ("dgx", "owl", "abc")) for name in names) == 1
