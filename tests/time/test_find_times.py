"""Which phrases are found in sentences, and which are left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphmem.extraction.normalize import find_times, reader
from graphmem.extraction.normalize.text import Token
from tests.counting import calls


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ("I've lived in Berlin since 2019.", ["since 2019"]),
        ("We worked there from March to June.", ["from March to June"]),
        ("She stays until the end of May.", ["until the end of May"]),
        ("I have been here for the last three years!", ["for the last three years"]),
        ("I quit last Friday, and start on 1 September.", ["last Friday", "on 1 September"]),
        ("In 2015, I moved to Rome.", ["In 2015"]),
        ("Before that, in May, we met.", ["in May"]),
        ("We met on May 3rd at noon.", ["on May 3rd at noon"]),
        ("The dentist is tomorrow at 9.", ["tomorrow at 9"]),
        ("It opened the day before yesterday.", ["the day before yesterday"]),
        ("I joined two and a half years ago.", ["two and a half years ago"]),
        ("Yesterday's meeting was long", ["Yesterday"]),
        ("Paid on 2021-05-03 by card", ["on 2021-05-03"]),
        ("I moved here recently", ["recently"]),
        ("He lived there for two years.", ["for two years"]),
        ("Valid until March 2026", ["until March 2026"]),
        ("During the summer of 2019 I sailed.", ["During the summer of 2019"]),
        ("He will call at 9:30 tomorrow morning", ["at 9:30 tomorrow morning"]),
        ("从去年开始我住在杭州。", ["从去年开始"]),
        ("自2019年起在云杉上班", ["自2019年起"]),
        ("会员到六月底。", ["到六月底"]),
        ("三月到五月我在青岛", ["三月到五月"]),
        ("我上周五离职了，下个月入职。", ["上周五", "下个月"]),
        ("我2021年5月3号搬家", ["2021年5月3号"]),
        ("我在这里住了三年", ["三年"]),
        ("昨天下午三点半去看了牙医", ["昨天下午三点半"]),
        ("近三年一直在北京", ["近三年"]),
        ("小时候我住在乡下", ["小时候"]),
        ("前年去年都在上海", ["前年", "去年"]),
        ("我last week搬了家", ["last week"]),
        ("周五上线，国庆节放假", ["周五", "国庆节"]),
        ("２０２３年６月我毕业了", ["２０２３年６月"]),
        ("明年九月要去读研", ["明年九月"]),
        ("两个月前开始吃素", ["两个月前开始"]),
        ("在福州住了五年了", ["五年了"]),
        ("在福州住了五年", ["五年"]),
        ("我去年春节回老家，正月初八上班", ["去年春节", "正月初八"]),
        ("我有一幅清明上河图，清明节买的", ["清明节"]),
        ("前两年在成都，去年今天搬走的", ["前两年", "去年今天"]),
        ("I turned 40 last month.", ["last month"]),
        ("I left more than ten years ago.", ["more than ten years ago"]),
        ("Over a year ago I quit.", ["Over a year ago"]),
        ("I was there in July or August.", ["in July or August"]),
        ("I moved in the spring of '22.", ["in the spring of '22"]),
        ("Back in the 90s I played drums.", ["Back in the 90s"]),
        ("I have been busy in the last few weeks.", ["in the last few weeks"]),
        ("I turned 30 last month.", ["last month"]),
        ("She turned 30 in May.", ["in May"]),
        ("I ran 10 yesterday.", ["yesterday"]),
        ("I saw one on Monday.", ["on Monday"]),
        ("I had 3 two weeks ago.", ["two weeks ago"]),
        ("I was born on the 3rd of May.", ["on the 3rd of May"]),
        ("She worked there from 2018 for three years.", ["from 2018 for three years"]),
    ],
)
def test_found(text: str, phrases: list[str]) -> None:
    """Phrases are found whole, with the words that carry their role."""
    assert [found.phrase for found in find_times(text)] == phrases


@pytest.mark.parametrize(
    "text",
    [
        "This may or may not be right.", "May I ask why?", "We march on.", "Wait a second.",
        "The second house on the left", "I'm 34 years old.", "He is five.", "It costs $2020.",
        "Version 3.11.7 is out", "Call 555-0101 or +86 2010-2015-86.", "I run every Monday.",
        "She drinks coffee each morning.", "We have 2000 pieces of it.", "A fall hurt him.",
        "The score was 3-1.", "It is 3.5 km away", "Room 12, floor 3", "I sat on the sun deck.",
        "IP 192.168.10.12", "Take 2 at once", "24/7 service", "I ate one of the 12 eggs.",
        "Spring water is nice.", "a 4:3 screen", "April is my sister's name.",
        "周杰住在这里。", "我有一点累。", "我有三点意见。", "他是年级第一",
        "她在三年级二班", "我住3号楼", "我每天跑步，每周一游泳。", "坐十号线", "一共二十三个人",
        "电话是138-0001", "他三十岁", "我最喜欢星光乐队", "第二次来",
        "每年都去", "房租是2019元", "走过去看看", "我每个月给爸妈打两千", "儿子上初一",
        "我留在现在的公司", "花半个小时来画画",
        "#", "I'm about the first to know.", "It was around five.",
    ],
)  # fmt: skip
def test_left_alone(text: str) -> None:
    """Words that only look like time, ages, codes, prices and recurring times are not found."""
    assert find_times(text) == ()


@pytest.mark.parametrize(
    "piece",
    ["from 1 may to 2 june 3 days ago at 9 on monday 5-6 三月五号到八号前两天半 ", "1 ", "一"],
)
def test_work_grows_linearly(piece: str) -> None:
    """A text eight times as long takes about eight times the work, also one of time words only."""
    short, long = (calls(lambda n=n: find_times(piece * (n // len(piece)))) for n in (800, 6400))
    assert long < 8 * 2 * short + 1000


def test_the_cheap_look_hides_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every phrase of the table, alone and in a sentence, is found as without the first look."""
    table = Path(__file__).with_name("phrases.tsv").read_text(encoding="utf-8")
    phrases = [row.split("\t")[2] for row in table.splitlines()[1:]]
    texts = [*phrases, *(f"So {phrase} we met; 我们{phrase}见面" for phrase in phrases)]
    found = [find_times(text) for text in texts]
    monkeypatch.setattr(reader, "beginnings", _anywhere)
    assert [find_times(text) for text in texts] == found


def _anywhere(tokens: tuple[Token, ...], vocabulary: frozenset[str]) -> list[bool]:
    return [bool(vocabulary)] * len(tokens)
