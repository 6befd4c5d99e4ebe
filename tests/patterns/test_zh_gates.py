"""What a Chinese sentence may not be read for."""

from __future__ import annotations

import pytest

from graphmem.extraction.patterns import PatternExtractor
from graphmem.model.draft import Known
from graphmem.model.episode import Channel, Episode, Reading, Role

SILENT = """
我住在苏州，怎么可能
我住在苏州还是杭州来着
住在苏州好还是杭州好
我对花生过敏吗
我是不是对花生过敏
我有高血压，是吗？
我老婆叫什么来着
我妹妹住哪里，你还记得吗
我在哪上班，你应该知道
我到底喜不喜欢猫
我住在北京，开玩笑的
我住在月球，骗你的
“我住在天津”这句话怎么翻译
请把“我对芒果过敏”翻译成英语
歌词：我住在你心里
我朋友说：我住在无锡
他问我住在哪
小说主角叫林晚，住在长安
假如我叫李雷，住在北京
假设用户叫王芳，在石桥上班
写一段对话：A：我住在广州。B：我住在深圳。
扮演一个医生，你在北京上班
你是一名律师，住在上海
系统：用户住在北京
这次用英文回答
只要三条
别用表格
帮我查一下住在西湖边的酒店
推荐适合对花生过敏的人的零食
住在学校里的猫
我想住在海边
我要是会飞就好了
我可不住在那种地方
我才不喜欢他呢
我怎么会喜欢加班
谁说我喜欢加班
喜欢加班的人才怪
听说你搬到西安了
听说我们要搬到西安
好像要搬到西安
好像对芒果过敏
我以为我对芒果过敏
我以为他住在西安
除非我搬到西安
只要我搬到西安就能省房租
等我搬到西安再说
等我退休了就去大理
以后再说吧
以后我要住在大理
每次都这样
我梦见我在石桥上班
上辈子我是猫
我像住在冰箱里一样冷
我快变成猫了
我是你爸爸
我是AI
我叫你小爱吧
我叫你一声
我吃不了这个苦
我爱吃爱玩
我喜欢上班的路上听歌
我学废了
我买了个寂寞
我卖了个萌
我对数字过敏
我对老板的声音过敏
我有选择困难症
我去超市了
我叫小李去拿
我怕来不及
我怕老婆
我有三个姐姐，我是老幺
今天不喝酒了
我今天不吃辣
茶我不喝了，谢谢
我不走了，腿疼
我今天下午四点以后不喝咖啡
我明年三十岁
我三月份没考上
""".strip().splitlines()


def spoken(text: str, role: Role = Role.USER) -> Episode:
    return Episode(
        id="t1",
        key=None,
        session=None,
        agent=None,
        place=0,
        role=role,
        speaker=None,
        content=text,
        occurred_at=1_715_342_400_000_000,
        zone="Asia/Shanghai",
        time_given=True,
        created_at=0,
        channel=Channel.CHAT,
        digest="",
        reading=Reading.PENDING,
    )


@pytest.mark.parametrize("text", SILENT)
def test_gives_nothing(text: str) -> None:
    """Questions, wishes, play, jokes, others' words and one-turn instructions claim nothing."""
    assert PatternExtractor().read_turn(spoken(text), Known()).drafts == []


def test_the_assistant_is_never_the_user() -> None:
    """我是小帆 said by the assistant gives nothing, 我叫阿岩 said by the user a name."""
    extractor = PatternExtractor()
    user, assistant = spoken("我叫阿岩。"), spoken("我是小帆，一个爱画画的机器人。", Role.ASSISTANT)
    (name,) = extractor.read_turn(user, Known()).drafts
    assert (name.predicate, name.object and name.object.text) == ("has_name", "阿岩")
    assert extractor.read_turn(assistant, Known()).drafts == []
