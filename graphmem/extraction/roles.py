"""Role words: what relation a role names, and which roles one person cannot have at once."""

from __future__ import annotations

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
    key = _SAME.get(key, key)
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
