"""Role words: what relation a role names, and which roles one person cannot have at once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from graphmem.model.text import normal_key

RELATION_OF_ROLE: dict[str, str] = {
    "sister": "has_sibling",
    "brother": "has_sibling",
    "sibling": "has_sibling",
    "mother": "has_parent",
    "father": "has_parent",
    "parent": "has_parent",
    "son": "has_child",
    "daughter": "has_child",
    "child": "has_child",
    "grandmother": "has_grandparent",
    "grandfather": "has_grandparent",
    "grandson": "has_grandchild",
    "granddaughter": "has_grandchild",
    "grandchild": "has_grandchild",
    "aunt": "has_relative",
    "uncle": "has_relative",
    "cousin": "has_relative",
    "niece": "has_relative",
    "nephew": "has_relative",
    "mother_in_law": "has_relative",
    "father_in_law": "has_relative",
    "sister_in_law": "has_relative",
    "brother_in_law": "has_relative",
    "daughter_in_law": "has_relative",
    "son_in_law": "has_relative",
    "wife": "married_to",
    "husband": "married_to",
    "spouse": "married_to",
    "fiance": "engaged_to",
    "fiancee": "engaged_to",
    "partner": "partner_of",
    "girlfriend": "partner_of",
    "boyfriend": "partner_of",
    "friend": "friend_of",
    "colleague": "colleague_of",
    "classmate": "classmate_of",
    "roommate": "roommate_of",
    "flatmate": "roommate_of",
    "neighbour": "neighbour_of",
    "manager": "has_manager",
    "boss": "has_manager",
    "mentor": "has_mentor",
    "teacher": "has_teacher",
    "landlord": "has_landlord",
    "dentist": "has_dentist",
    "doctor": "has_doctor",
    "therapist": "has_therapist",
    "accountant": "has_accountant",
    "lawyer": "has_lawyer",
    "assistant": "has_assistant",
    "dog": "has_pet",
    "cat": "has_pet",
    "pet": "has_pet",
}
"""Role slug to the predicate that a holder of the role has with the speaker."""

_SAME = {
    "mum": "mother",
    "mom": "mother",
    "mummy": "mother",
    "dad": "father",
    "daddy": "father",
    "grandma": "grandmother",
    "granny": "grandmother",
    "grandpa": "grandfather",
    "kid": "child",
    "neighbor": "neighbour",
    "coworker": "colleague",
    "co-worker": "colleague",
    "housemate": "roommate",
    "flatmate": "roommate",
    "boss": "manager",
    "supervisor": "manager",
    "landlady": "landlord",
    "physician": "doctor",
    "gp": "doctor",
    "attorney": "lawyer",
    "solicitor": "lawyer",
}

_KIN = frozenset(
    {
        "sister", "brother", "sibling", "mother", "father", "parent", "son", "daughter", "child",
        "grandmother", "grandfather", "grandson", "granddaughter", "grandchild", "aunt", "uncle",
        "cousin", "niece", "nephew", "mother_in_law", "father_in_law", "sister_in_law",
        "brother_in_law", "daughter_in_law", "son_in_law", "wife", "husband", "spouse",
    }
)  # fmt: skip
_SERVICE = frozenset(
    {"dentist", "doctor", "therapist", "accountant", "lawyer", "landlord", "manager", "assistant"}
)
_ANIMAL = frozenset({"dog", "cat", "pet"})


_GENERAL = {
    "sister": "sibling",
    "brother": "sibling",
    "mother": "parent",
    "father": "parent",
    "son": "child",
    "daughter": "child",
    "wife": "spouse",
    "husband": "spouse",
    "grandson": "grandchild",
    "granddaughter": "grandchild",
    "dog": "pet",
    "cat": "pet",
}


@lru_cache(maxsize=4096)
def role_slug(word: str) -> str:
    """Return the one slug of a role word ("Mum" is ``mother``, "big sister" is ``sister``)."""
    key = normal_key(word).removeprefix("my ").replace("-", "_").replace(" ", "_")
    key = HAN_ROLES.get(key) or _SAME.get(key, key)
    if key in RELATION_OF_ROLE:
        return key
    last = key.rsplit("_", 1)[-1]
    last = _SAME.get(last, last)
    return last if last in RELATION_OF_ROLE else key


def exclude(one: str, other: str) -> bool:
    """Whether nobody is both to the same person: my niece Pilar is not my dentist Pilar."""
    if one == other or other in (_GENERAL.get(one), one) or one == _GENERAL.get(other):
        return False
    kinds = (_KIN, _SERVICE, _ANIMAL)
    return all(any(role in kind for kind in kinds) for role in (one, other))


_HAN_TABLE = (
    ("sister", "妹妹 姐姐 姐 妹 老妹 老姐 大姐 二姐 小妹"),
    ("brother", "哥哥 弟弟 哥 弟 老哥 老弟 大哥 二哥 小弟"),
    ("mother", "妈妈 妈 母亲 老妈 老妈子"),
    ("father", "爸爸 爸 父亲 老爸 老爹"),
    ("wife", "老婆 妻子 太太 媳妇 媳妇儿 爱人 夫人"),
    ("husband", "老公 丈夫 先生"),
    ("partner", "男朋友 女朋友 男友 女友 对象 另一半"),
    ("fiance", "未婚夫 未婚妻"),
    ("son", "儿子 大儿子 小儿子"),
    ("daughter", "女儿 闺女 大女儿 小女儿"),
    ("child", "孩子 小孩 娃 宝宝"),
    ("grandchild", "孙子 孙女 外孙 外孙女"),
    ("grandmother", "奶奶 外婆 姥姥"),
    ("grandfather", "爷爷 外公 姥爷"),
    ("cousin", "表哥 表姐 表弟 表妹 堂哥 堂姐 堂弟 堂妹"),
    ("aunt", "阿姨 姑姑 姨妈 舅妈 婶婶 小姨 大姨 二姨 三姨 大姑 小姑 姨 姑"),
    ("uncle", "叔叔 舅舅 伯伯 大伯 二伯 二叔 三叔 小叔 大舅 二舅 小舅 姑父 姨父 舅 叔"),
    ("niece", "侄女 外甥女"),
    ("nephew", "侄子 外甥"),
    ("mother_in_law", "婆婆 岳母 丈母娘"),
    ("father_in_law", "公公 岳父 老丈人"),
    ("sister_in_law", "嫂子 嫂嫂 大嫂 二嫂 弟媳 弟媳妇 小姨子 大姨子 小姑子 大姑子"),
    ("brother_in_law", "姐夫 大姐夫 二姐夫 妹夫 小舅子 大舅子 小叔子 大伯子"),
    ("daughter_in_law", "儿媳 儿媳妇"),
    ("son_in_law", "女婿"),
    ("friend", "朋友 好朋友 好友 闺蜜 哥们 哥们儿 发小 死党"),
    ("colleague", "同事 搭档"),
    ("classmate", "同学 同桌 大学同学 高中同学"),
    ("roommate", "室友 舍友"),
    ("neighbour", "邻居"),
    ("manager", "领导 上司 老板 主管 经理"),
    ("mentor", "导师 师父 师傅"),
    ("teacher", "老师 教练 班主任"),
    ("landlord", "房东"),
    ("dentist", "牙医"),
    ("doctor", "医生 主治医生 家庭医生"),
    ("therapist", "心理咨询师 心理医生 咨询师"),
    ("lawyer", "律师"),
    ("accountant", "会计"),
    ("assistant", "助理 秘书"),
)
HAN_ROLES: dict[str, str] = {word: role for role, words in _HAN_TABLE for word in words.split()}
"""Chinese role word to its slug."""
_TITLES = frozenset(["先生", "太太", "夫人", "老师", "医生", "老板", "经理", "对象", "爱人"])
"""Words that a name is called by as well: 王先生 is nobody's husband."""
_WORD = re.compile(r"[a-z]+(?: in law\b(?! school| firm)|(?:-[a-z]+)*)")
_HAN_WORD = re.compile(
    rf"(?P<own>[我你您的])?(?P<role>{'|'.join(sorted(HAN_ROLES, key=len, reverse=True))})"
)


def roles_in(text: str) -> frozenset[str]:
    """Return the roles that a question names ("my brother's boss", 我妹妹)."""
    folded = normal_key(text)
    words = (
        word.removesuffix("s") if word not in _SAME else word for word in _WORD.findall(folded)
    )
    found = {slug for word in words if (slug := role_slug(word)) in RELATION_OF_ROLE}
    return frozenset(found if folded.isascii() else found | set(_han_roles(folded)))


def _han_roles(text: str) -> Iterator[str]:
    """Yield the roles of Chinese words, the longest at each place; titles of others are none."""
    for match in _HAN_WORD.finditer(text):
        word = match.group("role")
        if word not in _TITLES or match.group("own"):
            yield HAN_ROLES[word]


def may_hold(role: str, asked: frozenset[str]) -> bool:
    """Whether somebody in ``role`` may be who is asked for: a sister is no brother.

    Roles of other relations say nothing about it.
    """
    relation = RELATION_OF_ROLE.get(role)
    same = [r for r in asked if RELATION_OF_ROLE[r] == relation]
    return relation is None or not same or any(not exclude(role, r) for r in same)
