"""Who a Chinese clause is about, as a mention: written, carried over, or meant by a pronoun."""

from __future__ import annotations

import re

from graphmem.extraction.patterns.sentences import words
from graphmem.extraction.patterns.zh_forms import Placed
from graphmem.extraction.patterns.zh_people import RELATIONS, ROLE_WORDS, Who, is_role
from graphmem.extraction.patterns.zh_state import State, Topic
from graphmem.extraction.patterns.zh_text import Clause, Reduced, simplify
from graphmem.model.claim import Mention


def subject_of(
    who: Who | None,
    reduced: Reduced,
    state: State,
    *,
    own: bool = False,
    spoken: bool = False,
) -> Mention | None:
    """Return who a clause is about, or None if that is unsure."""
    me = state.context.me
    if who is None:
        topic = state.topic
        if topic is None or topic.mention is None or (spoken and not topic.carried):
            return None
        return None if own and topic.kind != "me" else topic.mention
    if who.kind == "me":
        return me
    if own or (me is None and who.kind == "role"):
        return None
    if who.kind == "chain":
        return _somebodys(who, reduced, state)
    if who.kind == "pronoun":
        return referent(state, "pet" if who.word == "它" else "person", who.word)
    if who.name is not None:
        span = reduced.span(*who.name)
        return Mention(state.words(*span), types=("person",)) if span else None
    return role_mention(who.word, reduced, who, state)


def _somebodys(who: Who, reduced: Reduced, state: State) -> Mention | None:
    """Return 我姐姐的老公 by these words."""
    span = reduced.span(who.begin, who.stop)
    me = state.context.me
    if span is None or who.name is None or me is None:
        return None
    owner = reduced.text[slice(*who.name)]
    words = state.words(*span)
    if owner in {"他", "她"}:
        other = referent(state, "person", owner)
        return other and Mention(f"{other.text}的{words[1:].lstrip('的')}", types=("person",))
    own = owner.startswith(("我", "俺", "咱"))
    if own and not me.is_self:
        return None
    return Mention(words if own or not is_role(owner) else f"我{words}", types=("person",))


def role_mention(word: str, reduced: Reduced, who: Who, state: State) -> Mention | None:
    """Return the mention of a relation without a name ("我房东")."""
    me = state.context.me
    if me is None:
        return None
    written = state.words(*(reduced.span(who.stop - len(word), who.stop) or (0, 0)))
    if me.is_self:
        return Mention(f"我{written}", types=("person",), role=RELATIONS[word][0])
    return Mention(f"{me.text}的{written}", types=("person",))


def name_subject(who: Who | None, clause: Clause, reduced: Reduced, state: State) -> None:
    """Draft the relation in 我妹妹小棠…."""
    me = state.context.me
    if who is None or who.kind != "role" or who.name is None or me is None:
        return
    span = reduced.span(*who.name)
    if span is None:
        return
    relation = RELATIONS[who.word][1]
    name = Mention(state.words(*span), types=("person",))
    owner = "我" if me.is_self else me.text
    state.add(
        clause,
        me,
        relation,
        name,
        Placed(),
        qualifiers=(("role", who.word),),
        statement=f"{owner}的{who.word}是{name.text}",
        correction=state.correction_for(relation),
    )


def topic_of(who: Who | None, subject: Mention, state: State) -> Topic:
    """Return the topic after a clause about ``subject``."""
    if subject == state.context.me:
        return Topic(subject, "me", carried=who is not None or _carried(state))
    kind = "pet" if "animal" in subject.types else "person"
    return Topic(subject, kind, carried=True, word=who.word if who and who.kind == "role" else "")


def _carried(state: State) -> bool:
    return state.topic is not None and state.topic.carried


_OTHERS = re.compile(r"[他她和跟同给带陪帮请约让叫见]|介绍|认识")
"""With one of these somebody else may be meant by the pronoun that follows."""
_RELATIVE = re.compile(rf"我(?:家|的)?(?P<role>{ROLE_WORDS})")


def _only_relative(state: State) -> Mention | None:
    """Return 我小姨 of the sentence before, if it speaks of nobody else and gave nothing."""
    me = state.context.me
    last = state.context.sentences[-1]
    gave = any(draft.quote in last.text for draft in state.context.drafts)
    plain = simplify(last.text)
    found = list(_RELATIVE.finditer(plain))
    if me is None or not me.is_self or gave or len(found) != 1 or _OTHERS.search(plain):
        return None
    role = found[0].group("role")
    return Mention(f"我{role}", types=("person",), role=RELATIONS[role][0])


_WOMEN = words(
    "sister mother wife daughter grandmother aunt niece mother_in_law fiancee granddaughter"
)
_MEN = words("brother father husband son grandfather uncle nephew father_in_law fiance grandson")


def _fits(pronoun: str, role: str | None) -> bool:
    """Whether 他 or 她 can be somebody of a role."""
    slug = RELATIONS[role][0] if role in RELATIONS else role
    return not (pronoun == "他" and slug in _WOMEN) and not (pronoun == "她" and slug in _MEN)


def referent(state: State, kind: str, pronoun: str = "") -> Mention | None:
    """Return the only person (or pet) just spoken of, if the pronoun can be theirs."""
    wanted = "animal" if kind == "pet" else "person"
    drafts = list(state.drafts)
    if not drafts and state.context.sentences and kind == "person":
        alone = _only_relative(state)
        if alone is not None:
            return alone if _fits(pronoun, alone.role) else None
    if not drafts and state.context.sentences:
        last = state.context.sentences[-1].text
        drafts = [draft for draft in state.context.drafts if draft.quote in last]
    found: dict[str, Mention] = {}
    roles: dict[str, str] = {}
    for draft in drafts:
        for mention in (draft.subject, draft.object):
            if mention is not None and wanted in mention.types and mention != state.context.me:
                found[mention.text] = mention
                told = dict(draft.qualifiers).get("role") if mention == draft.object else None
                role = told or mention.role
                if role:
                    roles[mention.text] = role
    if len(found) != 1:
        return None
    name, only = next(iter(found.items()))
    return only if _fits(pronoun, roles.get(name)) else None
