"""The words that stand for a value: where they end, what they may be, and lists of them."""

from __future__ import annotations

import re

_BRACKETS = re.compile(r"^[《“「『\"'‘](.+)[》”」』\"'’]$")
_NUMBER = r"(?:[一二两三四五六七八九十几半]|\d+)"
_CLASSIFIER = (
    "只条匹头个位名台辆部本双件把家间套块张杯瓶款份门种场次座幅副架支枝棵盆对群堆箱袋顿道首篇层栋"
    "所艘篮盒串束片斤罐桶根颗粒"
)
_COUNTED = re.compile(
    rf"^(?:这|那)?(?:{_NUMBER}(?:[{_CLASSIFIER}]|点儿?|些)|[只个位名条辆台本](?=[^人])|(?:点儿?|些)(?=[^评滴])|[杯件瓶份盒袋](?=[^子饭面鼠盖装]))的?"
)
_COUNT_NOUN = re.compile(
    r"^(?:个性|个人|个体|条件|台湾|台北|台中|台南|台州|本田|位置|名|本子|只是)"
)
# A value with one of these in it is not a plain value: a second clause, a pronoun, a placeholder.
_NOT_PLAIN = re.compile(
    r"的事|毫克|[我你您她它们这那哪谁吗呢吧么嘛哦啊呀啦？?！!：:；;。=<>#|]|"
    r"(?<![吉其])他|什么|怎么|某|几个|多少|自己|东西|时候|"
    r"[\d一二两三四五六七八九十]年|因为|所以|但是|可是|不过|"
    r"虽然|如果|然后|而且|或者|或|还是|以及其他|之类|"
    r"等(?![级待])|左右|"
    r"[了着]|得很|过[^敏滤山桥期冬年]|一样|一下|一趟|一起|就[^业诊]|"
    r"都[^市]|也|很|非常|特别(?!行政)|挺|"
    r"[被把让](?!子)|觉得|认为|知道|想要|应该|可以|没有|一般|比较|真的|"
    r"好多|很多|不少|许多|一堆|别人|不是|推荐|介绍|帮|是[^非]|有(?!机|轨|氧|限)"
)
_BAD_START = re.compile(
    r"^(?:的|里面|其中|里头|和|跟|与|不|没|很|太|更|最|"
    r"上(?![海饶虞杭学班课网])|下(?![沙关棋厨雨雪午])|得|过(?![敏期])|到|在|又|还|再|"
    r"给)"
)
_BAD_END = re.compile(
    r"(?:的|(?<![基草泽圣高盆营产胜外内当本湿林园])地|得|时|后|里面|之前|之后|方面|期间|而|和|与|跟|在|从|对|"
    r"向|又|不|太|来|去|起来|上班|工作)$"
)
_EMPTY = frozenset(
    [
        "人",
        "家",
        "事",
        "事情",
        "东西",
        "地方",
        "公司",
        "单位",
        "学校",
        "医院",
        "外面",
        "家里",
        "这里",
        "那里",
        "这儿",
        "那儿",
        "里面",
        "上面",
        "一个",
        "一些",
        "一点",
        "某个",
        "大家",
        "别人",
        "朋友",
        "方法",
        "问题",
        "情况",
        "感觉",
        "一直",
        "现在",
        "今天",
        "生活",
        "时间",
        "本地",
        "当地",
        "附近",
        "这边",
        "那边",
        "自己",
        "一会儿",
        "下来",
        "出来",
        "回来",
        "起来",
        "过来",
        "过去",
        "一次",
        "两次",
        "几次",
        "很多",
        "好多",
        "不少",
        "许多",
        "线",
        "那",
        "这",
        "年",
        "月",
        "天",
        "它",
        "商店",
        "店",
    ]
)
_SPLIT = re.compile(r"、|，|,|/|&|＆|以及|还有|和|跟|与|及|\band\b")
_HELD = re.compile(
    r"和平|和田|呼和浩特|和服|和尚|和谐|饱和|柔和|温和|暖和|随和|共和|"
    r"总和|和风|和牛|和弦|平和|和声|和面|和县|仁和|"
    r"与众|参与|高跟|跟团|跟踪|及格|以及|埃及|普及|泰和|颐和|太和|谐和|"
    r"和记|中和|永和|和睦|亲和|协和|AC/DC|\d/\d"
)
_VERB = re.compile(r"[看听写做打读学唱跳弹品尝拍画玩逛吃喝养种练拉吹]")
_ACTIVITY = re.compile(
    r"[看听写做打读学唱跳弹品尝拍画玩逛吃喝养种练拉吹跑游爬滑骑潜攀登钓健冥露徒旅购摄绘阅烹收观散]"
)
LONGEST = 16


def bare(text: str) -> tuple[int, int]:
    """Return the stretch of ``text`` without counting words and enclosing marks."""
    begin, stop = 0, len(text)
    while True:
        part = text[begin:stop]
        counted = _COUNTED.match(part)
        if counted and not _COUNT_NOUN.match(part) and counted.end() < len(part):
            begin += counted.end()
            continue
        if _BRACKETS.match(part):
            return begin + 1, stop - 1  # 《一个人的朝圣》 keeps its counting word
        space = len(part) - len(part.lstrip())
        trail = len(part) - len(part.rstrip())
        if not space and not trail:
            return begin, stop
        begin, stop = begin + space, stop - trail


def is_plain(text: str, longest: int = LONGEST) -> bool:
    """Whether ``text`` can be one value: short, no clause, no pronoun, no placeholder."""
    return (
        0 < len(text) <= longest
        and text not in _EMPTY
        and any(char.isalnum() for char in text)
        and not _NOT_PLAIN.search(text)
        and not _BAD_START.match(text)
        and not _BAD_END.search(text)
    )


def parts(text: str) -> list[tuple[int, int]]:
    """Return the stretches of the values in a list ("特维语和法语"); one if it is no list."""
    if text.startswith(("《", "“", "「")) and not re.search(r"[》”」][^》”」]*[《“「]", text):
        return [(0, len(text))]
    held = [match.span() for match in _HELD.finditer(text)]
    found: list[tuple[int, int]] = []
    at = 0
    for cut in _SPLIT.finditer(text):
        inside = any(begin <= cut.start() < stop for begin, stop in held)
        if inside or (cut.start() == 0 or cut.end() == len(text)):
            continue
        if cut.start() > at:
            found.append((at, cut.start()))
        at = cut.end()
    found.append((at, len(text)))
    return found if _separable([text[begin:stop] for begin, stop in found]) else [(0, len(text))]


def _separable(values: list[str]) -> bool:
    """Whether each part stands by itself, without a verb or noun that is said only once."""
    if _VERB.match(values[0]):  # 写诗歌和小说
        return all(_ACTIVITY.match(value) for value in values)
    return "的" not in values[-1] or "的" in values[0]  # 晴朗、温暖的天气
