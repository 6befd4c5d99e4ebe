"""Reads words of correction: 说错了, 不对，应该是…, 不是小棠."""

from __future__ import annotations

import re
from dataclasses import replace

from graphmem.extraction.patterns.zh_forms import Placed
from graphmem.extraction.patterns.zh_objects import bare, is_plain
from graphmem.extraction.patterns.zh_state import SINGLE, State
from graphmem.extraction.patterns.zh_text import Clause
from graphmem.model.claim import Correction, Form, Mention, Polarity
from graphmem.model.draft import Draft
from graphmem.model.entity import ValueKind

MARKER = re.compile(
    r"(?:哎呀?|啊|噢|哦|等等|等下|抱歉|不好意思|对不起|sorry|我)*(?:刚才|刚刚|上面|前面)?"
    r"(?:(?:不对)+|说错|搞错|弄错|打错|写错|记错|口误|更正|纠正|不+|不是不是)"
    r"(?:一下)?(?:了|啦)?(?:不对)?"
)
_RIGHT = re.compile(
    r"(?:我是说|我说的是|其实|准确(?:地)?说)?(?:应该|正确的)?是(?P<o>.+?)(?:才对|才是)?"
)
_AGED = re.compile(
    r"(?P<s>[^我你您他她它的是了这那\W]{1,5})(?:今年)?(?:应该)?是"
    r"(?P<o>(?:\d{1,3}|[一二两三四五六七八九十]{1,4})岁)半?"
)
"""饼干是五岁: said to put right what was told of 饼干."""
_WRONG = re.compile(r"(?:而?不是|并非|不在)(?P<o>.+?)(?:里面?|上面?)?")
_TIED = frozenset(
    [
        "has_sibling",
        "has_child",
        "has_parent",
        "friend_of",
        "has_pet",
        "born_on",
        "age",
        "height",
        "weight",
        "phone_number",
        "kept_in",
        "located_in",
    ]
)


def read_correction(clause: Clause, state: State) -> bool:
    """Add to ``state`` what a clause takes back; False if it is none of these."""
    if MARKER.fullmatch(clause.text):
        state.correcting = True
        return True
    wrong = _WRONG.fullmatch(clause.text)
    if wrong is not None and state.drafts:
        return _names_wrong(clause, wrong, state)
    aged = _AGED.fullmatch(clause.text)
    if aged is not None and state.correcting:
        begin, stop = clause.begin + aged.start("s"), clause.begin + aged.end("s")
        who = Mention(state.words(begin, stop))
        begin, stop = clause.begin + aged.start("o"), clause.begin + aged.end("o")
        age = Mention(state.words(begin, stop), kind=ValueKind.NUMBER)
        right_age = state.correction_for("age")
        state.add(clause, who, "age", age, Placed(), correction=right_age)
        return True
    right = _RIGHT.fullmatch(clause.text)
    if right is not None and state.correcting:
        return _puts_right(clause, right, state)
    return False


def _names_wrong(clause: Clause, found: re.Match[str], state: State) -> bool:
    """ "…，不是小棠" after the right value."""
    last = state.drafts[-1]
    text = found.group("o")
    telling = last.correction is not None or last.predicate in SINGLE | _TIED
    if not telling or not is_plain(text) or last.object is None:
        return False
    begin = clause.begin + found.start("o")
    value = state.words(begin, begin + len(text))
    state.drafts[-1] = replace(last, correction=Correction(value=value))
    return True


def _puts_right(clause: Clause, found: re.Match[str], state: State) -> bool:
    """ "不对，应该是嘉兴": the last value said, put right."""
    before: Draft | None = None
    if state.drafts:
        before = state.drafts[-1]
    elif state.context.drafts:
        before = state.context.drafts[-1]
    if before is None or before.object is None or before.polarity is Polarity.NEGATIVE:
        return False
    text = found.group("o")
    inner = bare(text)
    numeric = before.object.kind in {ValueKind.NUMBER, ValueKind.DATE}
    if before.form in {Form.END, Form.CANCEL} or not (numeric or is_plain(text[slice(*inner)])):
        return False
    if text[:1] in "住在去来做" or (
        re.search(r"[\d一二三四五六七八九十][岁号月年]", text)
        != re.search(r"[\d一二三四五六七八九十][岁号月年]", before.object.text)
        and not numeric
    ):
        return False
    begin = clause.begin + found.start("o") + inner[0]
    words = state.words(begin, begin + inner[1] - inner[0])
    state.correcting = False
    state.drafts.append(
        replace(
            before,
            turn=state.context.turn.id,
            quote=state.words(clause.begin, clause.stop),
            object=replace(before.object, text=words),
            # No dates of its own: 上个月 was said of another day. What it corrects has them.
            form=Form.STATE,
            start=None,
            end=None,
            correction=Correction(),
            statement=_undated(before).replace(before.object.text, words),
            rule="zh.correction",
        )
    )
    return True


def _undated(draft: Draft) -> str:
    """Return a draft's statement without its time phrases."""
    text = draft.statement
    for phrase in (draft.start, draft.end):
        text = text.replace(phrase, "", 1) if phrase else text
    return text
