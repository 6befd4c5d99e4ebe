"""Chinese clauses whose meaning hangs on what was said before: 公司总部在…, 面粉从…进, 调到…."""

from __future__ import annotations

import re
from collections.abc import Iterable

from graphmem.extraction.patterns.zh_around import read_around
from graphmem.extraction.patterns.zh_forms import Placed, Said, place
from graphmem.extraction.patterns.zh_marks import Mark, Opening
from graphmem.extraction.patterns.zh_objects import is_plain
from graphmem.extraction.patterns.zh_people import (
    RELATIONS,
    ROLE_WORDS,
    is_whole_name,
    may_be_called,
)
from graphmem.extraction.patterns.zh_rule import Kind, Rule
from graphmem.extraction.patterns.zh_state import State, Topic
from graphmem.extraction.patterns.zh_subject import referent, subject_of, topic_of
from graphmem.extraction.patterns.zh_text import Clause, Reduced, simplify
from graphmem.extraction.patterns.zh_view import written
from graphmem.model.claim import Form, Mention, Modality, Polarity
from graphmem.model.draft import Draft
from graphmem.model.entity import ValueKind

_OFFICE = re.compile(
    r"(?:它|这家|那家)?的?(?:公司|单位)?的?(?:总部|总公司)(?:设|位|就)?(?:在|于)(?P<o>.+?)"
)
_SUPPLY = re.compile(
    r"(?P<who>(?:[那这]家(?P<shop>[^的了着我你他她它从在是]{1,6}?)|(?:我们?|咱们?|[他她它])?(?:家|店|店里|们店|们家)?)的?)"
    r"(?P<goods>[^的了着我你他她它从在是]{1,6}?)(?:都|一直|全|主要|一般)*是?(?:从|找|跟|在)"
    r"(?P<o>[^的了着我你他她它]{2,10}?)(?:那儿|那里|那边|家)?(?:进货?|采购|拿货?|订货?|进)的?"
)
_GOODS = re.compile(
    r"面粉|食材|原料|材料|布料|咖啡豆|豆子|牛奶|鸡蛋|肉|菜|蔬菜|水果|海鲜|鱼|茶叶|茶|酒|米|油|货|"
    r"皮料|皮子|木料|木材|配件|零件|纸|花|鲜花|面包|奶|糖|酱油|猪肉|牛肉|羊肉"
)
_HOUSE = re.compile(
    r"(?P<whose>(?:我们?|咱们?)(?:家)?的?(?:这)?)?(?P<s>楼|小区|单元|公司|办公室|宿舍|学校|村|[新老旧]?(?:公寓|房子|出租屋))(?:里|楼里)?(?:都|也|还)?"
    r"(?P<no>没有?|有)(?P<o>电梯|暖气|停车位|车位|空调|食堂|健身房|物业|快递柜|充电桩|游泳池|门禁)"
)
_MOVED = re.compile(
    r"(?:被)?从(?P<a>.+?)(?:搬|调|转|换|挪|跳|切换|改)(?:到|去|至|成|喝|用|吃)了?(?P<o>.+?)(?:去|来)?的?"
)
_CALLED = re.compile(
    r"(?:大家|朋友们?|同事们?|家里?人|同学们?|我们)(?:都|一般|平时)*(?:叫|喊|称呼?|管)(?P<p>[他她])(?:叫)?(?P<o>.+?)"
)
_BOSS_OF = re.compile(
    rf"(?P<o>[^\W\d_的是]{{2,6}}?)是(?P<s>[^\W\d_的是]{{2,6}}?)的(?P<role>{ROLE_WORDS})"
)
_BOSS_IS = re.compile(
    rf"(?P<s>[^\W\d_的是]{{2,6}}?)的(?P<role>{ROLE_WORDS})是(?P<o>[^\W\d_的是]{{2,6}}?)"
)
_CHAIN = re.compile(r"(?:的?名字)?(?:叫做?|名叫|名字叫|是)(?P<o>.+?)")


def read_spoken(
    clause: Clause, reduced: Reduced, opening: Opening, core: str, said: Said, state: State
) -> bool:
    """Add what a clause says that leans on the talk before it; False if it is none of these."""
    for reader in (_chained, _office, _supplied, _house, _moved, _called, _boss_of, read_around):
        if reader(clause, reduced, opening, core, said, state):
            return True
    return False


def _chained(
    clause: Clause, reduced: Reduced, opening: Opening, core: str, said: Said, state: State
) -> bool:
    """我姐姐的老公叫大伟, 小祁的领导是邵总, 他老婆是兰迪."""
    who = opening.who
    if who is None or who.kind != "chain" or said.marks or said.times:
        return False
    found = _CHAIN.fullmatch(core)
    owner = _owner(reduced, opening, state)
    if found is None or owner is None:
        return False
    plain = found.group("o").strip()
    named = may_be_called(plain) if "叫" in core else is_whole_name(plain)
    name = written(reduced, opening, state, found, "o")
    if not named or name is None:
        return False
    role, relation = RELATIONS[who.word]
    person = Mention(name, types=("person",))
    state.add(
        clause, owner, relation, person, Placed(), qualifiers=(("role", role),),
        statement=f"{owner.text}的{who.word}是{name}",
    )  # fmt: skip
    state.topic = Topic(person, "person", carried=True)
    return True


def _boss_of(
    clause: Clause, reduced: Reduced, opening: Opening, core: str, said: Said, state: State
) -> bool:
    """努尔是阿山的经理, 阿山的经理是努尔: one way round only."""
    found = _BOSS_OF.fullmatch(core) or _BOSS_IS.fullmatch(core)
    if found is None or opening.core or said.marks or said.times:
        return False
    names = found.group("s"), found.group("o")
    known = state.context.known.people
    sure = all(is_whole_name(name) or name in known for name in names)
    owner = written(reduced, opening, state, found, "s")
    other = written(reduced, opening, state, found, "o")
    if not sure or owner is None or other is None:
        return False
    role, relation = RELATIONS[found.group("role")]
    person = Mention(other, types=("person",))
    state.add(
        clause, Mention(owner, types=("person",)), relation, person, Placed(),
        qualifiers=(("role", role),), statement=f"{owner}的{found.group('role')}是{other}",
    )  # fmt: skip
    state.topic = Topic(person, "person", carried=True)
    return True


def _owner(reduced: Reduced, opening: Opening, state: State) -> Mention | None:
    """Return whose 老公 a chain speaks of."""
    who = opening.who
    if who is None or who.name is None:
        return None
    words = reduced.text[slice(*who.name)]
    span = reduced.span(*who.name)
    if words in {"他", "她"}:
        return referent(state, "person")
    if span is None:
        return None
    own = re.fullmatch(rf"(?:我|我们)(?:家)?(?:的)?(?P<role>{ROLE_WORDS})", words)
    if own is None:
        return Mention(state.words(*span), types=("person",))
    role = own.group("role")
    me = state.context.me
    if me is None or not me.is_self:
        return None
    return Mention(f"我{role}", types=("person",), role=RELATIONS[role][0])


def _office(
    clause: Clause, reduced: Reduced, opening: Opening, core: str, said: Said, state: State
) -> bool:
    """公司总部在苏州, after the company was named."""
    found = _OFFICE.fullmatch(core)
    if found is None or said.marks - {Mark.NOW, Mark.PLAIN} or said.times:
        return False
    company = _last_object(state, "works_at")
    where = written(reduced, opening, state, found, "o")
    if company is None or where is None or not is_plain(found.group("o")):
        return False
    place_ = Mention(where, types=("place",))
    state.add(
        clause, company, "located_in", place_, Placed(), statement=f"{company.text}总部在{where}"
    )
    state.topic = Topic(company, "thing", carried=True)
    return True


def _drafts(state: State) -> Iterable[Draft]:
    """Return what was said before, the last first."""
    return reversed((*state.context.told, *state.context.drafts, *state.drafts))


def _last_object(state: State, *predicates: str) -> Mention | None:
    """Return the company or shop last spoken of, in this turn or the one before."""
    for draft in reversed((*state.context.drafts, *state.drafts)):
        if draft.predicate in predicates and draft.object is not None:
            return draft.object if draft.polarity is Polarity.POSITIVE else None
    return None


def _supplied(
    clause: Clause, reduced: Reduced, opening: Opening, core: str, said: Said, state: State
) -> bool:
    """面粉都是从丰谷进的: who sells to me, or to the shop spoken of."""
    if opening.who is not None or opening.marks - {Mark.PLAIN, Mark.NOW, Mark.DEGREE}:
        return False
    found = _SUPPLY.fullmatch(core)
    if found is None or not _GOODS.fullmatch(found.group("goods")) or said.times:
        return False
    seller = written(reduced, opening, state, found, "o")
    who = found.group("who")
    buyer = state.context.me
    shop = found.group("shop")
    if shop:
        buyer = _shop(shop, state)
    elif who[:1] in set("他她它"):
        buyer = _last_object(state, "runs", "owns") or referent(state, "person")
    elif not who:
        buyer = _last_object(state, "runs") or (
            state.topic.mention if state.topic is not None else buyer
        )
    if seller is None or buyer is None or not is_plain(found.group("o")):
        return False
    state.add(clause, buyer, "buys_from", Mention(seller, types=("organisation",)), Placed())
    return True


def _shop(words: str, state: State) -> Mention | None:
    """Return the one shop that 那家面包店 can be: the last spoken of, or one that is known."""
    last = _last_object(state, "runs")
    if last is not None:
        return last if simplify(last.text).endswith(words) else None
    known = state.context.known.statements if state.read is not None else ()
    found: dict[str, Mention] = {}
    for statement in known:
        for draft in state.read(statement) if state.read is not None else ():
            fits = draft.predicate == "runs" and draft.polarity is Polarity.POSITIVE
            if fits and draft.object is not None and draft.form is not Form.END:
                found[draft.object.text] = draft.object
    shops = [shop for shop in found.values() if simplify(shop.text).endswith(words)]
    return shops[0] if len(shops) == 1 else None


def _house(
    clause: Clause, reduced: Reduced, opening: Opening, core: str, said: Said, state: State
) -> bool:
    """我们楼没有电梯."""
    me = state.context.me
    found = _HOUSE.fullmatch(reduced.text.rstrip("了啊呀哦"))
    if found is None or opening.core or me is None or not me.is_self or said.times:
        return False
    flat = re.search("公寓|房子|出租屋", found.group("s"))
    if not found.group("whose"):
        if not flat:
            return False  # 公司没有食堂: which one
        whole = Mention(found.group("s"))
    else:
        whole = Mention(f"我的{found.group('s')}" if flat else f"我们{found.group('s')}")
    polarity = Polarity.NEGATIVE if found.group("no") != "有" else Polarity.POSITIVE
    thing = Mention(found.group("o"))
    state.add(clause, whole, "has", thing, Placed(polarity=polarity))
    state.topic = Topic(me, "me", carried=True)
    return True


def _moved(
    clause: Clause, reduced: Reduced, opening: Opening, core: str, said: Said, state: State
) -> bool:
    """小戴从青鸟调到海燕: whatever 青鸟 was to them ends."""
    found = _MOVED.fullmatch(core)
    if found is None:
        return False
    subject = subject_of(opening.who, reduced, state)
    old = written(reduced, opening, state, found, "a")
    new = written(reduced, opening, state, found, "o")
    if subject is None or old is None or new is None or not is_plain(found.group("o")):
        return False
    predicate = _relation_to(old, subject, state)
    placed = place(Rule(predicate or "", "", Kind.CHANGE), said)
    if predicate is None or len(placed) != 1 or placed[0].modality is not Modality.ASSERTED:
        return False
    over = Placed(Form.END, end=placed[0].start)
    state.add(clause, subject, predicate, Mention(old), over, rule="zh.moved_from")
    state.add(clause, subject, predicate, Mention(new), placed[0], rule="zh.moved_to")
    state.topic = topic_of(opening.who, subject, state)
    return True


def _relation_to(value: str, subject: Mention, state: State) -> str | None:
    """Return by which relation the subject was last said to have a value."""
    told = list(_drafts(state))
    if state.read is not None:
        for statement in state.context.known.statements:
            told.extend(state.read(statement) if value in statement else ())
    for draft in told:
        same = draft.subject.is_self and subject.is_self
        same = same or draft.subject.text.removeprefix("我") == subject.text.removeprefix("我")
        if same and draft.object is not None and draft.object.text == value:
            return draft.predicate
    return None


def _called(
    clause: Clause, reduced: Reduced, opening: Opening, core: str, said: Said, state: State
) -> bool:
    """大家都喊她兰兰."""
    found = _CALLED.fullmatch(reduced.text)
    if found is None or opening.core or said.times:
        return False
    person = referent(state, "person")
    name = written(reduced, opening, state, found, "o")
    if person is None or name is None or not may_be_called(found.group("o")):
        return False
    state.add(clause, person, "also_known_as", Mention(name, kind=ValueKind.TEXT), Placed())
    return True
