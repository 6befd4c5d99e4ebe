"""Kinds of fault known from the field, told in Chinese to a memory that reads by patterns."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from graphmem import Memory
from graphmem.extraction.patterns import PatternExtractor
from graphmem.model.claim import Form, Modality, Polarity
from graphmem.model.draft import Batch, Draft
from graphmem.model.episode import Channel, Episode, Reading, Role
from tests.engine.kit import a_memory
from tests.field.lives import Life, asked, differences, life, tell

JAN, FEB, MAR = "2025-01-10", "2025-02-10", "2025-03-10"


def turn(text: str, place: int = 0, role: Role = Role.USER) -> Episode:
    """Return a turn of 2025-04-01, 20:00 in Shanghai, and as many minutes later as its place."""
    return Episode(
        id=f"t{place}",
        key=None,
        session="s",
        agent=None,
        place=place,
        role=role,
        speaker=None,
        content=text,
        occurred_at=1_743_508_800_000_000 + place * 60_000_000,
        zone="Asia/Shanghai",
        time_given=True,
        created_at=0,
        channel=Channel.CHAT,
        digest="",
        reading=Reading.PENDING,
    )


async def drafts(*texts: str) -> list[Draft]:
    """Read texts as the turns of one session."""
    turns = tuple(turn(text, place) for place, text in enumerate(texts))
    return list((await PatternExtractor().extract(Batch(turns=turns))).drafts)


def said(draft: Draft) -> str:
    """Write a draft in one line: "I -drinks 啤酒 end 2020年"; "?" marks a plan."""
    sign = "-" if draft.polarity is Polarity.NEGATIVE else ""
    sign += "?" if draft.modality is Modality.PLANNED else ""
    parts = [draft.subject.text, sign + draft.predicate, draft.object and draft.object.text]
    parts.append(None if draft.form is Form.STATE else draft.form.value)
    parts.append(draft.start and f"from {draft.start}")
    parts.append(draft.end and f"to {draft.end}")
    return " ".join(part for part in parts if part)


READ: dict[str, list[str]] = {
    # one thing for another: the old one is named as over (P019)
    "我从海雀项目换到了潮汐项目。": ["I assigned_to 海雀项目 end", "I assigned_to 潮汐项目 change"],
    "我从运营部转到法务部了。": ["I assigned_to 运营部 end", "I assigned_to 法务部 change"],
    "我从红茶换成了咖啡。": ["I drinks 红茶 end", "I drinks 咖啡 change"],
    "我从安卓换成了苹果。": ["I uses 安卓 end", "I uses 苹果 change"],
    "我从毛医生换到了岳大夫那里。": ["I has_doctor 毛医生 end", "I has_doctor 岳大夫 change"],
    "我从云杉科技跳槽到了北塔银行。": ["I works_at 云杉科技 end", "I works_at 北塔银行 change"],
    # states and values (P035)
    "我的预算是八百欧。": ["I has_budget 八百欧"],
    "预算三千英镑左右。": ["I has_budget 三千英镑"],
    "公寓没有暖气。": ["公寓 -has 暖气"],
    "我的公寓有停车位。": ["我的公寓 has 停车位"],
    "小段宿醉了。": ["小段 feels 宿醉 to 到明天"],
    "我妈晕船了。": ["我妈 feels 晕船 to 到明天"],
    "我的工位是D07。": ["I desk D07"],
    "我的车位从12号换到35号了。": [
        "I parking_space 12号 end",
        "I parking_space 35号 change",
    ],
    # directed relations (P041)
    "停电是由老化的电缆引起的。": ["老化的电缆 causes 停电"],
    "老化的电缆导致了停电。": ["老化的电缆 causes 停电"],
    "艾莎是阿岚的领导。": ["阿岚 has_manager 艾莎"],
    "阿岚的领导是艾莎。": ["阿岚 has_manager 艾莎"],
    # once, but when (P095)
    "我小时候住在黄山。": ["I lives_in 黄山 end"],
    # what is to come (P097, P103, P104)
    "明天十点半看牙医。": ["I ?has_appointment 牙医 from 明天十点半"],
    "下周二下午三点要见律师。": ["I ?has_appointment 律师 from 下周二下午三点"],
    "牙医约在后天上午十点。": ["I ?has_appointment 牙医 from 在后天上午十点"],
    "我的护照明年五月到期。": ["我的护照 has_status 有效 to 明年五月"],
    "我的租约到今年九月。": ["我的租约 has_status 有效 to 到今年九月"],
    "合同明年二月到期。": ["合同 has_status 有效 to 明年二月"],
    # what one may not (P113)
    "我忌口海鲜。": ["I avoids 海鲜"],
    "医生不让我喝咖啡。": ["I avoids 咖啡"],
    "大夫让我别吃辣。": ["I avoids 辣"],
    "我傍晚六点以后不吃甜食。": ["I -eats 甜食"],
    # where things are
    "护照现在放在蓝抽屉里。": ["护照 kept_in 蓝抽屉"],
    "备用钥匙挪到铁盒里了。": ["备用钥匙 kept_in 铁盒 change"],
    "护照从抽屉挪到保险柜里了。": ["护照 kept_in 保险柜 change"],
    # numbers that change
    "我手机号换成13912345678了。": ["I phone_number 13912345678 change"],
    "我现在的手机号是13912345678。": ["I phone_number 13912345678"],
    "论文截止日期推迟到8月9日了。": ["论文 deadline 8月9日 change"],
    # names
    "我叫苏景和。": ["I has_name 苏景和"],
    "我同事叶景和是温州人。": ["I colleague_of 叶景和", "叶景和 comes_from 温州"],
    "苏景和是我室友。": ["I roommate_of 苏景和"],
    "我的房东是骆先生。": ["I has_landlord 骆先生"],
    "我的房东是欧阳女士。": ["I has_landlord 欧阳女士"],
    # several pets
    "我养了一只猫两条狗。": ["I has_pet 猫", "I has_pet 狗"],
    "我养了三只猫和一只兔子。": ["I has_pet 猫", "I has_pet 兔子"],
}


@pytest.mark.anyio
@pytest.mark.parametrize("text", READ)
async def test_kind_is_read(text: str) -> None:
    """Each of these gives just what it says."""
    assert [said(draft) for draft in await drafts(text)] == READ[text]


SILENT = [
    "从早到晚换成了别的样子。",
    "我想从咖啡换成茶。",
    "要是从红茶换成咖啡就好了。",
    "我从一楼换到了二楼。",
    "预算还没定。",
    "公司没有食堂。",
    "哪间公寓没有电梯？",
    "我昨天宿醉了。",
    "小段没宿醉。",
    "我晕车。",
    "医生不让我吃饭。",
    "我从苹果换成了香蕉。",
    "超市停业了。",
    "我的工位是靠窗的。",
    "时间是最好的医生。",
    "他的经理是外地人。",
    "我在泉州住了三年。",
    "我19年戒的烟。",
    "我18年来的。",
    "昨天看了牙医。",
    "每次看牙医都紧张。",
    "我的签证什么时候到期？",
    "我的会员到期了。",
    "他不让我喝酒。",
    "医生让我少吃盐。",
    "我今天下午四点以后不喝酒。",
    "大家在罢工。",
    "云杉航空取消罢工了。",
    "我从原来的项目换到了新项目。",
    "我同事叶清和我去了温州。",
    "他们可能要罢工。",
    "图片挪到文件夹里了。",
    "现在在抽屉里。",
    "她雇了个水手叫阿莫。",
]


@pytest.mark.anyio
@pytest.mark.parametrize("text", SILENT)
async def test_nothing_is_made_of_it(text: str) -> None:
    """Wishes, questions, what names nobody, and what is over by now are no facts."""
    assert [said(draft) for draft in await drafts(text)] == []


HIRED = "她上个月雇了个厨师叫阿栗。"
PRONOUNS: dict[str, tuple[tuple[str, ...], str | None]] = {
    "an aunt named right before": (("我姑姑倪兰开渡轮。", HIRED), "倪兰"),
    "an aunt without a name": (("我小姨开出租车。", HIRED), "我小姨"),
    "a sister": (("我姐姐叫林燕。", HIRED), "林燕"),
    "nobody": (("今天天气不错。", HIRED), None),
    "a man": (("我舅舅倪山开渡轮。", HIRED), None),
    "two women": (("我姑姑和我妈去旅游了。", HIRED), None),
    "two women named": (("我姐姐叫林燕，我妹妹叫林鸥。", HIRED), None),
    "somebody two turns ago": (("我姑姑倪兰开渡轮。", "今天天气不错。", HIRED), None),
}


@pytest.mark.anyio
@pytest.mark.parametrize("name", PRONOUNS)
async def test_a_pronoun_is_the_only_one_named_right_before(name: str) -> None:
    """P032: 她 is whom the turn before named, if it named just one whom it fits; never the user."""
    texts, employer = PRONOUNS[name]
    hired = [draft for draft in await drafts(*texts) if draft.predicate == "employs"]
    assert [draft.subject.text for draft in hired] == ([employer] if employer else [])


LIVES = [
    life(
        "a desk",
        [(JAN, "我的工位是B12。"), (FEB, "我的工位是C3。")],
        asked("me", "desk", "C3"),
        asked("me", "desk", "B12", at=JAN),
    ),
    life(
        "a number",
        [(JAN, "我的手机号是13911112222。"), (FEB, "我手机号换成13933334444了。")],
        asked("me", "phone_number", "13933334444"),
    ),
    life(
        "another drink",
        [(JAN, "我每天喝咖啡。"), (FEB, "我从咖啡换成了绿茶。")],
        asked("me", "drinks", "绿茶"),
    ),
    life(
        "three years somewhere end nothing",
        [(JAN, "我住在泉州。"), (FEB, "我在泉州住了三年。")],
        asked("me", "lives_in", "泉州"),
    ),
    life(
        "a visa",
        [(JAN, "我的签证到今年十二月。")],
        asked("我的签证", "has_status", "有效", at=MAR),
        asked("我的签证", "has_status", at="2026-02-10"),
    ),
]


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """One memory for all; every test is a user of its own."""
    folder: Path = tmp_path_factory.mktemp("kinds") / "memory"
    with a_memory(folder) as opened:
        yield opened


@pytest.mark.parametrize("told", LIVES, ids=lambda told: told.name)
def test_life_is_believed(tmp_path: Path, told: Life) -> None:
    """What is told turn by turn is held as it is by then."""
    with a_memory(tmp_path / "memory", embedder="none") as memory:
        tell(memory, told.turns)
        assert differences(memory, told) == []


def test_what_was_put_elsewhere_is_there_now(memory: Memory) -> None:
    """A place told right after where a thing was put is where that thing is now."""
    for day, text in ((JAN, "我的病历放在1号抽屉。"), (FEB, "现在在4号抽屉。")):
        memory.add(text, user="file", session="s", occurred_at=day)
    kept = memory.facts(user="file", predicate="kept_in").items
    before = memory.facts(user="file", predicate="kept_in", valid_at=JAN).items
    places = [[fact.object.text for fact in facts if fact.object] for facts in (kept, before)]
    assert places == [["4号抽屉"], ["1号抽屉"]]


OVER = {
    "a project left": ("我从海雀项目换到了潮汐项目。", "assigned_to", "海雀项目", "潮汐项目"),
    "a childhood": ("我小时候住在黄山。", "lives_in", "黄山", None),
}


@pytest.mark.parametrize("name", OVER)
def test_what_is_over_is_kept_as_over(memory: Memory, name: str) -> None:
    """P019, P095: what was never told before is held as past, begun nobody knows when."""
    text, predicate, old, new = OVER[name]
    memory.add(text, user=name, occurred_at=JAN)
    everything = memory.facts(user=name, predicate=predicate, include_ended=True).items
    ends = {fact.object.text: fact.interval.end is not None for fact in everything if fact.object}
    assert ends == {old: True} | ({new: False} if new else {})
    past = next(fact for fact in everything if fact.object and fact.object.text == old)
    assert past.interval.start is None
    now = memory.facts(user=name, predicate=predicate).items
    assert [fact.object.text for fact in now if fact.object] == ([new] if new else [])


def test_a_strike_is_found_with_whom_it_may_hit(memory: Memory) -> None:
    """P112: the question finds the shop, who sells to it, and that those are on strike."""
    tell(
        memory,
        [
            (JAN, "小丽在榆树街开了家面包店。"),
            (FEB, "那家面包店的面粉从磨坊父子进的。"),
            (MAR, "磨坊父子在罢工。"),
            (MAR, "我喜欢爬山。"),
        ],
        user="strike",
    )
    found = memory.search("罢工会影响小丽吗？", user="strike", kinds=["fact"]).hits
    facts = {(f.subject.text, f.predicate) for f in (hit.fact for hit in found) if f is not None}
    assert facts >= {("小丽", "runs"), ("面包店", "buys_from"), ("磨坊父子", "has_status")}
