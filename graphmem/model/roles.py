"""Role words: what relation a role names, and which roles one person cannot have at once."""

from __future__ import annotations

import re

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
        "cousin", "niece", "nephew", "mother_in_law", "father_in_law", "wife", "husband", "spouse",
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


def role_slug(word: str) -> str:
    """Return the one slug of a role word ("Mum" is ``mother``, "big sister" is ``sister``)."""
    key = normal_key(word).removeprefix("my ").replace("-", "_").replace(" ", "_")
    key = _HAN.get(key) or _SAME.get(key, key)
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


_HAN = {
    "姐姐": "sister", "妹妹": "sister", "姐": "sister", "妹": "sister",
    "哥哥": "brother", "弟弟": "brother", "哥": "brother", "弟": "brother",
    "妈妈": "mother", "母亲": "mother", "妈": "mother",
    "爸爸": "father", "父亲": "father", "爸": "father",
    "儿子": "son", "女儿": "daughter", "孩子": "child",
    "老公": "husband", "丈夫": "husband", "老婆": "wife", "妻子": "wife", "太太": "wife",
    "侄女": "niece", "外甥女": "niece", "侄子": "nephew", "外甥": "nephew",
    "阿姨": "aunt", "姑姑": "aunt", "叔叔": "uncle", "舅舅": "uncle",
    "奶奶": "grandmother", "外婆": "grandmother", "爷爷": "grandfather", "外公": "grandfather",
}  # fmt: skip
_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*")


def roles_in(text: str) -> frozenset[str]:
    """Return the roles that a question names ("my brother's boss", 我妹妹)."""
    folded = normal_key(text)
    words = (
        word.removesuffix("s") if word not in _SAME else word for word in _WORD.findall(folded)
    )
    found = {slug for word in words if (slug := role_slug(word)) in RELATION_OF_ROLE}
    return frozenset(found | {slug for word, slug in _HAN.items() if word in folded})


def may_hold(role: str, asked: frozenset[str]) -> bool:
    """Whether somebody in ``role`` may be who is asked for: a sister is no brother.

    Roles of other relations say nothing about it.
    """
    relation = RELATION_OF_ROLE.get(role)
    same = [r for r in asked if RELATION_OF_ROLE[r] == relation]
    return relation is None or not same or any(not exclude(role, r) for r in same)
