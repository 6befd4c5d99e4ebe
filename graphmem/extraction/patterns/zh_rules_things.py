"""Rules of possessions, what happened and what is to come."""

from __future__ import annotations

import re

from graphmem.extraction.patterns.zh_marks import Mark
from graphmem.extraction.patterns.zh_places import is_organisation, is_settlement, is_site
from graphmem.extraction.patterns.zh_rule import Kind, Rule, checks, lacks
from graphmem.model.entity import ValueKind

_O = r"(?P<o>.+?)"
_TEXT = ValueKind.TEXT
_MONEY = (
    r"\d[\d,.]*(?:千|万|k|K|w)?多?(?:块钱?|元|人民币|欧元?|美元|英镑|港币|日元|刀|美金|EUR|USD|€)?"
)
_MOOD = (
    r"不太?(?:好|开心|高兴|舒服)|很差|开心|高兴|难过|低落|焦虑|沮丧|郁闷|烦躁|疲惫|累|孤独|兴奋|"
    r"紧张|失落|伤心|委屈|压抑|无聊|生气|愉快|不错|糟糕|烦|迷茫|"
    r"平静|激动|幸福|愧疚|绝望|心累|好|差|崩溃"
)
_GOODS = (
    r"[^的了着过是在我你他]{0,8}(?:车|吉他|钢琴|相机|房子?|公寓|"
    r"别墅|自行车|摩托车|电脑|手机|琴|手表|船|帐篷|无人机|"
    r"显微镜|望远镜|笔记本|平板|耳机|键盘|咖啡机|烤箱|"
    r"打印机|滑板|冲浪板|皮划艇|唱片|黑胶|五菱|特斯拉|滑雪板|缝纫机|游戏机|投影仪|镜头|尤克里里|古筝|琵琶|二胡|口琴)"
)
_TOOLS = (
    r".*[A-Za-z].*|.{0,8}(?:手机|电脑|笔记本|相机|耳机|键盘|平板|手表|编辑器|系统|输入法|浏览器|软件|"
    r"数据库|框架|语言|五笔|拼音|双拼|苹果|安卓|华为|小米|三星|鸿蒙|飞书|钉钉|微信|云盘|地图|电动车|油车)"
)
_SIGHT = (
    r".{1,10}(?:山|湖|海|岛|公园|博物馆|长城|寺|庙|景区|古镇|"
    r"古城|美术馆|动物园|植物园|游乐园|迪士尼|故宫|峡谷|草原|"
    r"沙漠|瀑布|森林公园|天文馆|科技馆|音乐节|展览馆|老街|"
    r"国家公园|书院|海滩|沙滩|塔|宫|陵|石窟|湿地)"
)


def _place(text: str) -> bool:
    generic = (
        r"(?:那个|一家|很多|我家|附近的?|楼下的?|市)?(?:超市|医院|银行|学校|商场|菜市场|食堂|健身房|公司|图书馆|"
        r"餐厅|饭店|机场|火车站|高铁站|派出所|药店|书店|酒店|公园|博物馆|动物园|"
        r"植物园|美术馆|景区|海边|山|湖|海|寺庙|游乐园|音乐节|大海|"
        r"爬山|上海滩|沙滩|海滩)"
    )
    named = is_settlement(text) or is_site(text) or re.fullmatch(_SIGHT, text) is not None
    return (
        named
        and not re.fullmatch(generic, text)
        and not re.search(r"[一几]座|游|看|爬|逛|攀|登[^封陆]|参加|找", text)
    )


_no_body = lacks(r"^(?:到|时|完|给|来|去)|[不了过]|票$|单$|菜$|[送给寄]|寂寞|教训|^[萌惨乖]$|关子")

RULES: tuple[Rule, ...] = (
    # --- Possessions
    Rule(
        "owns",
        rf"(?:有|拥有)(?:一|两|二|三|四|\d+)(?:辆|台|把|部|架|套|艘|"
        rf"间|支|副|块|栋|顶)(?P<o>(?:{_GOODS}))",
    ),
    Rule("owns", r"有(?P<o>车|房子?|自行车|摩托车)"),
    Rule("drives", r"开(?:的是|着)?(?:一?[辆台部])(?P<o>.+?)", check=lacks("^车$"), longest=10),
    Rule("drives", r"开的是(?P<o>.+?)", longest=10),
    Rule(
        "drives",
        r"车子?是(?:一?[辆台部])?(?:.{1,3}色的)?(?:二手的?)?(?P<o>.+?)",
        check=lacks("的$|色$|[挡档]$|贷|租|借|.新"),
        longest=10,
    ),
    Rule(
        "uses",
        r"从(?P<a>(?![早头小这那一]).+?)(?:切换|换|转|改)(?:成|回|用)了?(?P<o>.+?)",
        Kind.CHANGE,
        listed=False,
        check=checks(_TOOLS),
        longest=12,
    ),
    Rule(
        "uses",
        r"(?:换|改)(?:成|用|回)了?(?P<o>[^了的]{1,8}?(?:手机|电脑|笔记本|编辑器|系统|输入法|浏览器|相机|耳机|键盘))",
        Kind.CHANGE,
        listed=False,
    ),
    Rule(
        "uses",
        r"用(?:的(?:就)?是|"
        r"着)?(?P<o>(?!的)[^来做写看去打吃]{1,10}?(?:手机|电脑|笔记本|"
        r"编辑器|系统|输入法|浏览器|相机|耳机|键盘))",
        listed=False,
    ),
    Rule(
        "uses",
        r"用(?P<o>[A-Za-z][\w+.]{1,15})(?:来)?(?:记笔记|做笔记|记账|写代码|写东西|办公|画图|剪视频|听歌|看书)",
        listed=False,
    ),
    Rule(
        "uses",
        r"把(?:手机|电脑|相机|耳机|输入法|浏览器)换成了?(?P<o>.+?)",
        Kind.CHANGE,
        listed=False,
        longest=12,
    ),
    Rule(
        "uses",
        r"用的(?:手机|电脑|相机|耳机|键盘|系统|浏览器|输入法)是(?P<o>.+?)",
        listed=False,
        longest=12,
        check=lacks("的$|[新旧]|牌子"),
    ),
    Rule("wants", r"想(?:要|买)(?:一|两)?(?:台|辆|部|双|件|把|架|套|个)(?P<o>.+?)", own=True),
    Rule(
        "bought",
        r"(?:在.{1,8}上?)?(?:买|购入|入手|购买|购置|网购)(?:到|下|回)?了(?P<o>.+?)",
        Kind.EVENT,
        check=_no_body,
    ),
    Rule("sold", r"(?:把(?P<o>.+?)(?:给)?卖(?:掉)?)", Kind.EVENT, check=_no_body, done=True),
    Rule("sold", r"卖(?:掉)?了(?P<o>.+?)", Kind.EVENT, check=_no_body),
    Rule("lost", r"(?:把(?P<o>.+?)(?:给)?(?:弄|搞)丢)", Kind.EVENT, done=True),
    Rule("lost", r"(?:弄|搞)?丢了(?P<o>.+?)", Kind.EVENT, check=lacks("工作|脸|人$|魂")),
    Rule(
        "received",
        r"收到了(?P<o>.+?)",
        Kind.EVENT,
        check=lacks("消息|通知|回复|邮件|你|信息"),
        longest=12,
    ),
    Rule(
        "won",
        r"(?:赢得|获得|拿|夺得|得)了?(?P<o>.{1,12}(?:奖|冠军|亚军|"
        r"季军|第[一二三]名|金牌|银牌|铜牌|一等奖|二等奖))",
        Kind.EVENT,
        done=True,
    ),
    Rule(
        "attended",
        r"(?:报名)?(?:参加|出席)了(?P<o>.+?)",
        Kind.EVENT,
        check=lacks("^(?:活动|比赛|聚会|会议|面试)$|工作"),
    ),
    Rule(
        "finished",
        r"(?:看|读|写|跑|做)完了(?P<o>.+?)",
        Kind.EVENT,
        check=checks(r"《[^》]+》|.{1,8}(?:论文|马拉松|小说)"),
    ),
    Rule("founded", r"(?:创办|创立|创建|创建|成立)了(?P<o>.+?)", Kind.EVENT, check=is_organisation),
    Rule(
        "has_budget",
        rf"(?:.{{0,6}}的?)?预算(?:是|为|有|在|大概|大约|差不多|只有|"
        rf":)*(?P<o>{_MONEY})(?:左右|以内|上下)?",
        Kind.ATTRIBUTE,
        value=_TEXT,
    ),
    Rule(
        "has_membership",
        r"(?:是|办了?|有|续了?)(?:一?[张个])?(?P<o>.{1,10}?)(?:的)?(?:会员卡?|年卡|月卡|VIP)",
        check=lacks("^(?:一个|他们|她们)?$|不"),
        spoken=True,
    ),
    Rule(
        "has_subscription",
        r"(?:订阅|订)了(?P<o>.+?)",
        check=lacks("机票|酒店|票|餐|房|蛋糕|外卖|婚"),
    ),
    Rule(
        "collects",
        r"(?:收藏|收集|集)(?P<o>.+?)",
        check=lacks("^(?:了|合|中|到|起来)|好"),
        longest=8,
    ),
    # --- What happened, what is to come
    Rule(
        "visited",
        rf"(?:带着?(?:我)?(?:女儿|儿子|孩子|老婆|爸妈|家人|老公|对象|爸|妈|狗|娃|闺女))?"
        rf"去(?:过|了)(?:一?[趟次])?{_O}(?:[一两三四五好几\d]+[次趟回])?(?:旅游|旅行|玩|出差|度假|逛)?(?:的)?",
        Kind.EVENT,
        types=("place",),
        check=_place,
    ),
    Rule(
        "visited",
        rf"[去飞]{_O}(?:旅游|旅行|玩|度假|出差|徒步|露营|散心|滑雪|爬山)?(?:了)?(?:的)?",
        Kind.EVENT,
        types=("place",),
        check=_place,
        done=True,
    ),
    Rule(
        "visited",
        rf"(?:到访|游览|参观|游玩|到过|去逛)了?{_O}",
        Kind.EVENT,
        types=("place",),
        check=_place,
        done=True,
    ),
    Rule(
        "visited",
        rf"去{_O}(?:旅游|旅行|玩|度假|出差)?",
        Kind.CANCEL,
        types=("place",),
        check=_place,
        needs=frozenset({Mark.NOT}),
    ),
    Rule(
        "has_appointment",
        r"(?:约|预约|挂)(?:好)?了的?(?:去)?(?P<o>看牙医?|看(?:中医|皮肤科|眼科|心理医生)|牙医|.{0,6}医生|.{1,6}科|"
        r"体检|.{0,4}面试|理发师?|律师|心理咨询师?|.{0,6}(?:的)?号)",
        Kind.EVENT,
        value=_TEXT,
    ),
    Rule(
        "has_goal",
        r"(?:今年的|人生|最大的)?(?:目标|梦想|理想|愿望)(?:就)?是(?P<o>.+)",
        Kind.ATTRIBUTE,
        value=_TEXT,
        plain=False,
        listed=False,
        longest=24,
        check=lacks("[你?？吗呢]|这个|什么"),
    ),
    Rule(
        "feels",
        rf"(?:心情|情绪)(?:有点儿?|有些|很|特别|非常|好|"
        rf"超级?|真的?|十分|比较|挺|也|都)*(?P<o>(?:{_MOOD}))",
        value=_TEXT,
        listed=False,
    ),
    Rule(
        "feels",
        rf"(?:感到|感觉|觉得|心里)?(?:有点儿?|有些|很|特别|非常|好|"
        rf"超级?|真的?|十分|挺)+(?P<o>(?:{_MOOD}))",
        value=_TEXT,
        listed=False,
        check=lacks("^(?:好|差|不错)$"),
        own=True,
    ),
)
