"""The names in a model's claim: what they stand for, and whether they were said at all."""

from __future__ import annotations

import re

from graphmem.extraction.ground import word_list
from graphmem.extraction.naming import words_for
from graphmem.extraction.patterns.en_words import ROLES
from graphmem.extraction.patterns.sentences import words
from graphmem.extraction.patterns.zh_people import RELATIONS
from graphmem.extraction.view import Refused, TurnView
from graphmem.model.claim import Mention
from graphmem.model.entity import ValueKind
from graphmem.model.predicate import Ontology
from graphmem.model.text import normal_key

NAME_LIMIT = 200

_SELF = words(
    "i me my mine myself self user speaker author 我 本人 我自己 自己 用户 说话人 俺 咱"
) | {"the user", "the speaker", "the author", "user (me)"}
# Words that name nobody and nothing: pronouns left unresolved, placeholders.
_NOBODY = words(
    "it this that these those something anything everything nothing someone somebody anyone anybody"
    " everyone everybody nobody he she they him her them his hers theirs its you your we us our one"
    " ones who whom what where when which how why there here now then so thing things stuff topic"
    " unknown unspecified undefined none null nil n/a na nan tbd placeholder example name entity"
    " object subject person place value string yes no true false other another same"
    " 他 她 它 他们 她们 它们 你 您 我们 咱们 这 那 这个 那个 这里 那里 这儿 那儿 某人 某物 有人"
    " 什么 谁 哪里 哪儿 哪个 几 多少 东西 事情 未知 无 没有 不详 不知道 是 否 大家 别人"
) | {"no one", "the other", "the same", "not specified", "not mentioned", "not stated"}
_BOTH = re.compile(r"([^()（）]+?)\s*[(（]([^()（）]+)[)）]")
_SLUG = re.compile(r"[a-z]+(?:_[a-z]+)+")
_MINE = re.compile(r"(?:my|our)\s+(.+)", re.IGNORECASE)
_MINE_HAN = re.compile(r"(?:我|我们|咱|咱们|俺)家?的?(.+)")


def is_self_word(text: str) -> bool:
    """Say whether words mean whoever speaks ("me", "the user", 我)."""
    return text.casefold() in _SELF


def mention_of(text: str, kind: ValueKind, view: TurnView) -> Mention:
    """Return what the words of a claim mention, in the turn's own spelling where it has them.

    Raises:
        Refused: "empty", "oversize", "unresolved" (a pronoun or placeholder), or "ungrounded":
            neither the turn, nor one before it, nor a known name that is meant has these words.
    """
    text = " ".join(text.split())
    if not text:
        raise Refused("empty")
    if len(text) > NAME_LIMIT:
        raise Refused("oversize")
    if kind is ValueKind.ENTITY:
        speaker = _speaker(text, view)
        if speaker is not None:
            return speaker
    if text.casefold() in _NOBODY or not any(char.isalnum() for char in text):
        raise Refused("unresolved")
    if _SLUG.fullmatch(text) and not _is_written(text, view):
        raise Refused("ungrounded")  # a predicate, in the place of a name
    role, name = _role(text) if kind is ValueKind.ENTITY else (None, None)
    asked_of = kind is ValueKind.ENTITY and _asked_of(role or text, view)
    if asked_of and name is None:
        role = role or text
    text = name or text
    # "my landlord" may have been "the landlord".
    said = view.spoken.have(text) or view.words.have_each(text)
    said = said or _meant(text, view) or _taken_up(text, view) or _composed(text, view)
    if not said and not (role is not None and (asked_of or view.spoken.have(role))):
        raise Refused("ungrounded")
    if view.me is not None and view.me.is_self and (both := _together(text)):
        return Mention(both, kind)
    own = view.said.find(text)
    if own is not None:
        text = " ".join(view.turn.content[own[0] : own[1]].split())
    else:
        text = text.strip(" .,;:!?。，；：！？\"'`“”‘’()（）") or text
    if role is None or name is not None:
        return Mention(text, kind)
    return Mention(text, kind, role=role_slug_of(role))


_POLITE = {
    "mother": "令堂", "father": "令尊", "son": "令郎", "daughter": "令爱", "wife": "尊夫人",
    "husband": "您先生", "sister": "令妹", "brother": "令兄",
}  # fmt: skip


def _asked_of(word: str, view: TurnView) -> bool:
    """Say whether a turn answers what was asked of the speaker's own: 令堂 is their mother."""
    if word not in RELATIONS or view.asked is None:
        return False
    role = RELATIONS[word][0]
    same_role = [other for other, (slug, _) in RELATIONS.items() if slug == role]
    yours = [f"{you}{other}" for you in ("你", "您") for other in same_role]
    asked = view.asked.words
    return any(asked.have(each) for each in (_POLITE.get(role, word), *yours) if each != word)


_MUM, _DAD = r"(?:mum|mom|mother|mam|mama)", r"(?:dad|father|papa)"
_PARENTS = {
    "my parents": re.compile(
        r"(?:my|our) (?:parents|folks"
        rf"|{_MUM} (?:and|&) (?:my )?{_DAD}|{_DAD} (?:and|&) (?:my )?{_MUM})",
        re.IGNORECASE,
    ),
    "父母": re.compile(r"(?:我们?|咱们?|俺)?家?的?(?:爸妈|爸爸妈妈|老爸老妈|爹妈|爹娘|父母亲?)"),
}


def _together(text: str) -> str | None:
    """Return the one name for the user's two parents, who are neither of them."""
    return next((name for name, each in _PARENTS.items() if each.fullmatch(text)), None)


def _is_written(text: str, view: TurnView) -> bool:
    """Say whether somebody wrote a name just so, as handles and files are written."""
    written = [view.turn, *(before.turn for before in view.heard)]
    known = (*view.known.me, *view.known.people)
    return text in known or any(text in turn.content for turn in written)


_REFERS = re.compile(
    r"\b(?:s?he|they|him|hers?|his|them|theirs?|its?|this|that|these|those|t?here|same|ones?"
    r"|former|latter|each other|both)\b|[他她它这那其该]|前者|后者|同一|一样|双方|俩",
    re.IGNORECASE,
)


_TAKES_UP = re.compile(
    r"\b(?:yes|yeah|yep|yup|right|correct|exactly|indeed|sure|true|ok(?:ay)?|no|nope|not|never"
    r"|wrong|did|do|am)\b|n't\b|[对嗯好不没]|是的",
    re.IGNORECASE,
)
_ANSWER = 40
"""A turn of so many letters speaks of what was asked; a Han character says as much as three."""


def may_refer(text: str) -> bool:
    """Say whether anything in ``text`` could refer to what was named elsewhere, or take it up."""
    return bool(_REFERS.search(text) or _TAKES_UP.search(text))


def _taken_up(text: str, view: TurnView) -> bool:
    """Say whether a name that only an assistant has spoken is taken up by the turn.

    It is a short answer, agrees or denies, or refers to something; else a user who speaks of other
    things would be taken to have said what the assistant did.
    """
    if not (view.offered.have(text) or view.offered.have_each(text)):
        return False
    prose = view.prose
    size = sum(3 if char > "\u2e80" else 1 for char in prose)
    return size <= _ANSWER or bool(_REFERS.search(prose) or _TAKES_UP.search(prose))


def _meant(text: str, view: TurnView) -> bool:
    """Say whether a name that is known, and that nobody has spoken, may be meant by the turn.

    Its words must refer to something ("she", "there"), or say what the named one is ("my aunt",
    "the company").
    """
    if not view.names.have(text):
        return False
    if _REFERS.search(view.prose):
        return True
    role = view.known.people.get(text)
    if role is None:
        return False
    slug = role_slug_of(role)
    named = [word for word, (other, _) in RELATIONS.items() if other == slug]
    named += words_for(role)
    return any(
        view.words.have(word) or (word in view.prose and not word.isascii()) for word in named
    )


_WHOSE = re.compile(
    rf"(.+?)['’]s\s+(.+)|(.+?)家?的?({'|'.join(sorted(RELATIONS, key=len, reverse=True))})"
)


def _composed(text: str, view: TurnView) -> bool:
    """Say whether a name is put together of words that were said apart.

    "Jonas's dad" is "his dad" after a turn of Jonas; "the red guitar" is "the red one" where a
    guitar was spoken of.
    """
    if not _REFERS.search(view.prose):
        return False
    whose = _WHOSE.fullmatch(text)
    if whose is not None:
        owner, role = (whose[1] or whose[3]), (whose[2] or whose[4])
        known = view.spoken.have(owner) or view.names.have(owner)
        named = role.casefold() in ROLES or role in RELATIONS
        if known and named and view.words.have(role):
            return True
    return _pieced(text, view)


def _pieced(text: str, view: TurnView) -> bool:
    """Say whether the first words of a name stand in the turn, and the rest in one before it."""
    parts = word_list(text)
    han = any("\u3400" <= part <= "\u9fff" for part in parts)
    least = 2 if han else 1
    gap = "" if han else " "
    return any(
        view.words.have(gap.join(parts[:at]))
        and any(before.words.have(gap.join(parts[at:])) for before in view.heard[-_NEAR:])
        for at in range(least, len(parts) - least + 1)
    )


_NEAR = 4
"""How many turns back a thing may have been named that "the red one" means."""


def _speaker(text: str, view: TurnView) -> Mention | None:
    """Return who speaks, or the memory's own user, if the words mean them."""
    both = _BOTH.fullmatch(text)
    if both is not None:  # "Per (me)", "user (Per)"
        text = both[1] if both[2].casefold() in _SELF else both[2]
        if both[1].casefold() not in _SELF and both[2].casefold() not in _SELF:
            return None
    if text.casefold() in _SELF:
        if view.me is None:
            raise Refused("unresolved")  # a document's "I": nobody knows whose
        return view.me
    key = normal_key(text)
    if key in view.my_names and view.spoken.have(text):
        return Mention(text, is_self=True)
    return view.me if view.me is not None and key == normal_key(view.me.text) else None


def _role(text: str) -> tuple[str | None, str | None]:
    """Split "my landlord" and "my sister Tilda" into the role and the name, if there is one."""
    mine = _MINE.fullmatch(text)
    if mine is not None:
        parts = mine[1].split()
        for size in range(min(3, len(parts)), 0, -1):
            role = " ".join(parts[:size]).casefold()
            if role in ROLES and _may_name(parts[size:]):
                return role, " ".join(parts[size:]) or None
    mine = _MINE_HAN.fullmatch(text)
    if mine is not None:
        for size in range(min(6, len(mine[1])), 0, -1):
            rest = mine[1][size:]
            if mine[1][:size] in RELATIONS and not _NO_NAME_HAN.match(rest):
                return mine[1][:size], rest or None
    return None, None


_NO_NAME = frozenset(words("and or & of at in on from with who to for the a an is are as"))
_NO_NAME_HAN = re.compile(rf"(?:家?的|[和跟与、及或]|们|家|那|{'|'.join(RELATIONS)})")


def _may_name(rest: list[str]) -> bool:
    """Say whether what follows a role may be a name: not "my aunt and uncle", "my boss at work"."""
    return not rest or rest[0].casefold() not in _NO_NAME


def role_slug_of(text: str) -> str:
    """Return a role as the linker names it: 妹妹 is "sister"; other words stay."""
    return RELATIONS[text][0] if text in RELATIONS else text


def role_in(quote: str, predicate: str, ontology: Ontology) -> str | None:
    """Return the role that a quote gives for a relation ("my sister Tilda"), if it gives one."""
    tokens = word_list(quote)
    found = {
        role
        for size in (3, 2, 1)
        for at in range(len(tokens) - size + 1)
        if (role := " ".join(tokens[at : at + size])) in ROLES
        and _names_relation(ROLES[role].lstrip("<"), predicate, ontology)
    }
    longest = max(found, key=len, default=None)
    if longest is not None:
        return longest if all(role in longest for role in found) else None
    roles = {
        role
        for word, (role, relation) in RELATIONS.items()
        if len(word) > 1 and word in quote and _names_relation(relation, predicate, ontology)
    }
    return roles.pop() if len(roles) == 1 else None


def _names_relation(relation: str, predicate: str, ontology: Ontology) -> bool:
    return ontology.get(relation).slug == predicate


def same(one: Mention, other: Mention) -> bool:
    """Say whether two mentions are one thing by their words."""
    if one.is_self or other.is_self:
        return one.is_self and other.is_self
    return normal_key(one.text) == normal_key(other.text)
