"""Kinds of Chinese as people type it to an assistant: corrections, passing wishes, dates."""

from __future__ import annotations

import pytest

from tests.patterns.telling import bounds, said


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("说错了，年糕是七岁，不是八岁", ["年糕 age 七岁"]),
        ("粤语是我的母语", ["me native_language 粤语"]),
        ("手机号换了，新的是13900001234", ["me phone_number 13900001234"]),
        ("对了我换工作了，现在在松涛做财务", ["me works_at 松涛", "me works_as 财务"]),
        ("现在上班坐公交", ["me commutes_by 公交"]),
        ("我一直在吃优甲乐", ["me takes_medication 优甲乐 /since"]),
        ("我左膝盖有旧伤", ["me has_injury 左膝盖"]),
        ("我一个人在青岛租房", ["me lives_in 青岛"]),
        ("我用的是鸿蒙", ["me uses 鸿蒙"]),
        ("我姐夫是护士", ["我姐夫 works_as 护士"]),
        ("我姐夫在第二医院上班", ["我姐夫 works_at 第二医院"]),
        ("我嫂子小棠是会计", ["me has_relative 小棠", "小棠 works_as 会计"]),
        ("我女婿住在青岛", ["我女婿 lives_in 青岛"]),
        ("我儿媳妇对芒果过敏", ["我儿媳妇 allergic_to 芒果"]),
        ("我小姨子是老师", ["我小姨子 works_as 老师"]),
        ("我转行去当保安了", ["me works_as 保安 /change"]),
        ("我大学毕业，学的土木工程", ["me studies 土木工程"]),
        ("我以前跑步，现在改游泳了", ["me practises 游泳 /change"]),
        ("我爷爷八十六了", ["我爷爷 age 八十六"]),
        ("我最讨厌的菜是苦瓜", ["me dislikes 苦瓜"]),
        ("我老公是做茶叶生意的", ["我老公 works_in_field 茶叶"]),
        ("我女朋友比我小三岁，是个护士", ["我女朋友 works_as 护士"]),
        ("带孩子去了趟苏州", ["me visited 苏州"]),
    ],
)
def test_chat_is_read(text: str, wanted: list[str]) -> None:
    """What is put right, dropped between clauses or said of one's own things is read."""
    assert said(text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "想养猫，但是老婆过敏",
        "我想学琴，可惜没时间",
        "我2012年到2016年在沈阳上的大学",
        "我搬来北京第五年了",
        "搬去厦门的事黄了",
        "我每天晚上吃五毫克辛伐",
    ],
)
def test_a_wish_that_fails_and_a_school_not_named_are_not_read(text: str) -> None:
    """想养…，但是… is no plan; 在沈阳上的大学 names no university."""
    assert said(text) == []


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("以前抽烟，2018年戒了", [("smokes", "", "2018-01-01")]),
        ("以前喝酒，后来戒了", [("drinks_alcohol", "", "")]),
        ("我约了周五看牙医", [("has_appointment", "2026-03-06", "")]),
        ("八月三号去西藏", [("visited", "2026-08-03", "")]),
        ("八月三号去了西藏", [("visited", "2025-08-03", "")]),
    ],
)
def test_dates_are_of_what_they_are_said_of(text: str, wanted: list[tuple[str, str, str]]) -> None:
    """A day without 了 is to come, with it gone; the year of giving up is its end."""
    assert bounds(text, "2026-03-04") == wanted
