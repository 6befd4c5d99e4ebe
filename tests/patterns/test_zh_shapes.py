"""Frequent shapes of ordinary Chinese talk, one by one."""

from __future__ import annotations

import pytest

from graphmem.extraction.patterns import PatternExtractor
from graphmem.model.claim import Form, Modality
from graphmem.model.draft import Draft, Known
from graphmem.model.episode import Channel, Episode, Reading, Role

YES, NO = "+", "-"


def read(text: str) -> list[Draft]:
    turn = Episode(
        id="t1",
        key=None,
        session=None,
        agent=None,
        place=0,
        role=Role.USER,
        speaker=None,
        content=text,
        occurred_at=1_715_342_400_000_000,  # 2024-05-10T12:00Z
        zone="UTC",
        time_given=True,
        created_at=0,
        channel=Channel.CHAT,
        digest="",
        reading=Reading.PENDING,
    )
    return PatternExtractor().read_turn(turn, Known()).drafts


def words(draft: Draft) -> tuple[str, str | None, str]:
    return draft.predicate, draft.object.text if draft.object else None, draft.polarity.value


@pytest.mark.parametrize(
    ("text", "predicate", "value", "polarity", "form"),
    [
        ("酒早就不喝了", "drinks_alcohol", None, NO, Form.STATE),
        ("烟我是戒了", "smokes", None, YES, Form.END),
        ("车卖了", "sold", "车", YES, Form.STATE),
        ("手表丢了", "lost", "手表", YES, Form.STATE),
        ("工作辞了", "works_at", None, YES, Form.END),
        ("我不在上海住了", "lives_in", "上海", NO, Form.STATE),
        ("我当过老师", "works_as", "老师", YES, Form.END),
        ("我养过狗", "has_pet", "狗", YES, Form.END),
    ],
)
def test_shape(text: str, predicate: str, value: str | None, polarity: str, form: Form) -> None:
    """An object in front, something given up, something that was once so."""
    (draft,) = read(text)
    assert (*words(draft), draft.form) == (predicate, value, polarity, form)


@pytest.mark.parametrize(
    "text", ["领导加薪留我，不走了。", "我不去泉州了", "搬家的事黄了，不去了。"]
)
def test_plan_called_off(text: str) -> None:
    """不…了 of something that was only planned calls it off, and claims nothing else."""
    (draft,) = read(text)
    assert (draft.form, draft.modality) == (Form.CANCEL, Modality.PLANNED)


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("我在福州住了五年了", "五年了"),
        ("入职云杉三年了", "三年了"),
        ("我在福州住了一個月了", "一個月了"),
        ("我在福州住了快五年了", None),
        ("我在福州住了好几年了", None),
        ("我在福州住了一年半了", None),
    ],
)
def test_length_up_to_now_is_a_start_only_if_exact(text: str, start: str | None) -> None:
    """五年了 goes on since then; 快五年了 goes on too, since nobody knows quite when."""
    (draft,) = read(text)
    assert (draft.form, draft.start) == (Form.SINCE, start)


def test_stay_with_an_end_ahead_is_a_state_and_a_planned_end() -> None:
    """住到六月底, said in May."""
    now, later = read("我在宁波住到六月底")
    assert (now.form, now.modality) == (Form.STATE, Modality.ASSERTED)
    assert (later.form, later.modality, later.end) == (Form.END, Modality.PLANNED, "到六月底")


def test_denying_what_one_is_ends_nothing() -> None:
    """不是A，是B without 了: it was never A."""
    denied, said = read("我不是程序员，我是产品经理")
    assert words(denied) == ("works_as", "程序员", NO)
    assert denied.form is Form.STATE
    assert words(said) == ("works_as", "产品经理", YES)


@pytest.mark.parametrize(
    ("text", "predicate"),
    [
        ("我父母退休了，住在海南", "lives_in"),
        ("我面试了一个小伙子，26岁", "age"),
        ("我们家狗子叫旺财，三岁了", "age"),
        ("我最近追的那个博主，养了三只猫", "has_pet"),
    ],
)
def test_clause_about_others_passes_nothing_on_to_the_speaker(text: str, predicate: str) -> None:
    """Once others came up, a clause without a subject is not about the speaker."""
    told = [draft.predicate for draft in read(text) if draft.subject.is_self]
    assert predicate not in told


def test_relative_is_introduced_in_passing() -> None:
    """我侄子小宇… tells who 小宇 is, even if the rest is not understood."""
    (draft,) = read("我侄子小宇在踢校队")
    assert words(draft) == ("has_relative", "小宇", YES)


def test_town_that_ends_like_an_adverb_is_whole() -> None:
    """成都两年多了 is two years in 成都, not in 成."""
    (draft,) = read("搬来成都两年多了")
    assert words(draft) == ("lives_in", "成都", YES)


def test_ending_so_long_ago_is_dated_by_the_length() -> None:
    """戒烟三年了: it ended where the three years begin."""
    (draft,) = read("戒烟三年了")
    assert (draft.form, draft.start, draft.end) == (Form.END, None, "三年了")
