"""Words by which people speak of what a predicate is about, without naming its value.

"I quit" speaks of a job, 分手了 of a partner. Registries name their predicates by surfaces ("work
at"); here stands what else is said of the common ones.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache

from graphmem.extraction.ground import stem, word_list
from graphmem.model.predicate import Ontology, Predicate

_WORK = """
    job work working quit resign resigned laid off fired sacked retire retired company firm
    employer notice contract 工作 上班 辞职 离职 辞了 被裁 裁员 下岗 退休 公司 单位 跳槽
    不干了 炒鱿鱼
"""
_HOME = """
    move moved moving house home flat apartment place town city live living 搬 住 房子 家 老家
"""
_COUPLE = """
    split break broke broken breakup divorced divorce divorcing separated dumped relationship
    engagement wedding married marriage together husband wife partner boyfriend girlfriend
    fiancé fiancée fiance 分手 离婚 离了 分开 单身 吹了 婚 老公 老婆 丈夫 妻子 男朋友 女朋友
    男友 女友 对象
"""
_HAVE = """
    sold sell lost gave given stolen broke broken return returned threw 卖 丢 送人 坏了 偷
    退了 扔
"""
_PET = "died dead passed pet dog cat rehomed 死 去世 走了 没了 送人 宠物 狗 猫"
_STUDY = """
    study studies school college university course degree graduate graduated dropped 毕业 退学
    学校 大学 念书 读书 课
"""
_HEALTH = "cured better healed recovered gone over 好了 痊愈 康复 治好 不过敏"
_MEDICINE = "pill pills medication medicine meds tablets dose 药 停药"
_FOOD = "eat eating food diet meal 吃 忌口 饮食"
_DRINK = "drink drinking sober booze 喝 戒酒"
_MEMBER = """
    member membership cancelled canceled cancel subscription subscribe unsubscribed club gym
    会员 退会 退出 订阅 退订 取消
"""
_PLAN = """
    plan plans planned trip called off cancelled canceled cancel calling 计划 打算 取消 不去
    黄了 算了 改期 泡汤
"""
_LIKE = "like likes love fan enjoy enjoying stand bear tired bored sick fed 喜欢 爱 腻 讨厌 烦 粉"
_HABIT = "habit stopped quit gave given up anymore 戒 习惯 不练 不玩 不跑"
_PROJECT = "project team assigned assignment reassigned handed 项目 组 调 交接"

_TOPICS = {
    "works_at works_as works_in_field works_on works_shift has_manager runs leads earns"
    " self_employed colleague_of": _WORK,
    "lives_in stays_at rents lives_with roommate_of neighbour_of has_landlord": _HOME,
    "married_to engaged_to partner_of marital_status": _COUPLE,
    "owns has drives uses collects": _HAVE,
    "has_pet": f"{_PET} {_HAVE}",
    "studies_at studies classmate_of has_teacher": _STUDY,
    "allergic_to intolerant_to has_condition has_injury feels": _HEALTH,
    "takes_medication": _MEDICINE,
    "follows_diet avoids eats cooks": _FOOD,
    "drinks drinks_alcohol": _DRINK,
    "smokes": "smoke smoking cigarettes 烟 戒烟",
    "member_of has_membership has_subscription attends": _MEMBER,
    "plans_to has_goal wants has_appointment deadline interviewing_with applied_to": _PLAN,
    "likes prefers interested_in supports watches reads listens_to": _LIKE,
    "practises plays exercises commutes_by can_do": _HABIT,
    "assigned_to part_of": _PROJECT,
}  # fmt: skip
_BY_SLUG = {
    slug: tuple(words.split()) for slugs, words in _TOPICS.items() for slug in slugs.split()
}


def topic_words(predicate: Predicate) -> tuple[str, ...]:
    """Return the words that speak of a predicate: its surfaces, its name, what else is said."""
    surfaces = (word for listed in predicate.surfaces.values() for word in listed)
    spoken = (word.removeprefix("be ") for word in surfaces)
    parts = [word for word in predicate.slug.split("_") if len(word) > 3]
    return tuple(dict.fromkeys((*spoken, *parts, *_BY_SLUG.get(predicate.slug, ()))))


def spoken_of(text: str, ontology: Ontology) -> frozenset[str]:
    """Return the slugs of the predicates that a text may speak of."""
    by_stem, by_phrase = _topics(ontology)
    stems = {stem(word) for word in word_list(text)}
    found = {slug for word in by_stem.keys() & stems for slug in by_stem[word]}
    folded = " ".join(text.casefold().split())
    found.update(slug for phrase in by_phrase if phrase in folded for slug in by_phrase[phrase])
    return frozenset(found)


_Slugs = Mapping[str, set[str]]


@lru_cache(maxsize=8)  # a registry never changes, and few are open at once
def _topics(ontology: Ontology) -> tuple[_Slugs, _Slugs]:
    """Return slugs by the stem of a Latin word, and by phrases and words of other scripts."""
    by_stem: defaultdict[str, set[str]] = defaultdict(set)
    by_phrase: defaultdict[str, set[str]] = defaultdict(set)
    for predicate in ontology:
        for words in topic_words(predicate):
            single = words.isascii() and " " not in words
            where = by_stem if single else by_phrase
            where[stem(words.casefold()) if single else words.casefold()].add(predicate.slug)
    return by_stem, by_phrase
