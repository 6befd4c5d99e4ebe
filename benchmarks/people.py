"""Talk about invented people, in English and Chinese, up to 100,000 turns, always the same.

Every turn tells one fact in plain words; now and then somebody moves, which ends a fact. A
person has five facts or so, and the talker has the others, as in a life one tells of.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle, islice, product

_GIVEN = [
    "Nora",
    "Tilda",
    "Rune",
    "Ines",
    "Odo",
    "Petra",
    "Silas",
    "Wanda",
    "Yorick",
    "Zelda",
    "Amos",
    "Berta",
    "Cyril",
    "Delia",
    "Egon",
    "Freda",
    "Gunnar",
    "Hedda",
    "Ivo",
    "Jorun",
]
_FAMILY = [
    "Alder",
    "Birch",
    "Hazel",
    "Elm",
    "Rowan",
    "Linden",
    "Aspen",
    "Maple",
    "Cedar",
    "Juniper",
    "Willow",
    "Hawthorn",
    "Sorrel",
    "Bramble",
    "Fennel",
    "Teasel",
    "Yarrow",
    "Clover",
    "Burdock",
    "Thistle",
]
_SURNAMES = "林周沈顾陆苏孟叶秦薛吴郑冯韩唐许邓萧程曹"
_SYLLABLES = "若溪牧远知夏北辰思晚晴映雪清怀瑾听澜景舒望松年令仪书予安"
_CALLED = [
    "若溪",
    "牧远",
    "知夏",
    "北辰",
    "思远",
    "晚晴",
    "映雪",
    "清和",
    "怀瑾",
    "听澜",
    "景行",
    "云舒",
    "望舒",
    "子衿",
    "南星",
    "乐山",
    "松年",
    "令仪",
    "书白",
    "予安",
]

_CITIES = ["Cork", "Lisbon", "Bergen", "Turin", "Ghent", "Riga", "Porto", "Leeds", "Malmo", "Split"]
_FIRMS = [
    "Larch",
    "Heron",
    "Kite",
    "Ember",
    "Quarry",
    "Lantern",
    "Harbour",
    "Anvil",
    "Thimble",
    "Beacon",
]
_FOODS = [
    "walnuts",
    "mango",
    "peanuts",
    "shellfish",
    "sesame",
    "celery",
    "kiwi",
    "lupin",
    "soy",
    "mustard",
]
_LIKED = [
    "rowing",
    "quince",
    "sailing",
    "pottery",
    "chess",
    "gardening",
    "fencing",
    "baking",
    "archery",
    "knitting",
]
_TONGUES = [
    "Welsh",
    "Frisian",
    "Basque",
    "Breton",
    "Catalan",
    "Danish",
    "Finnish",
    "Greek",
    "Irish",
    "Polish",
]
_TOWNS = ["杭州", "成都", "青岛", "厦门", "昆明", "苏州", "大连", "西安", "长沙", "桂林"]
_DISHES = ["花生", "芒果", "核桃", "虾", "牛奶", "鸡蛋", "芝麻", "桃子", "小麦", "海鲜"]
_HOBBIES = ["爬山", "游泳", "书法", "下棋", "摄影", "钓鱼", "跑步", "画画", "唱歌", "跳舞"]

_ENGLISH = (
    ("{who} lives in {x}.", _CITIES, "Where does {who} live?"),
    ("{who} works at {x}.", _FIRMS, "Where does {who} work?"),
    ("{who} is allergic to {x}.", _FOODS, "What is {who} allergic to?"),
    ("{who} likes {x}.", _LIKED, "What does {who} like?"),
    ("{who} speaks {x}.", _TONGUES, "Which language does {who} speak?"),
)
_CHINESE = (
    ("{who}住在{x}。", _TOWNS, "{who}住在哪里？"),
    ("{who}对{x}过敏。", _DISHES, "{who}对什么过敏？"),
    ("{who}喜欢{x}。", _HOBBIES, "{who}喜欢什么？"),
)


def _english() -> Iterator[str]:
    """Yield names of two words, then of three, then with a double family name."""
    yield from (f"{given} {family}" for family, given in product(_FAMILY, _GIVEN))
    thrice = [(one, two) for two, one in product(_GIVEN, _GIVEN) if one != two]
    yield from (f"{one} {two} {family}" for family, (one, two) in product(_FAMILY, thrice))
    for last, family, (one, two) in product(_FAMILY, _FAMILY, thrice):
        if last != family:
            yield f"{one} {two} {family}-{last}"


def _chinese() -> Iterator[str]:
    """Yield names of common ones, then of any two syllables."""
    yield from (surname + called for called, surname in product(_CALLED, _SURNAMES))
    for one, two, surname in product(_SYLLABLES, _SYLLABLES, _SURNAMES):
        if one != two and one + two not in _CALLED:
            yield surname + one + two


def _people() -> Iterator[tuple[str, bool]]:
    """Yield names, some fifty thousand, and whether they are Chinese; they end with the talk."""
    for ours, theirs in zip(_english(), _chinese(), strict=False):
        yield ours, False
        yield theirs, True


def talk() -> Iterator[tuple[str, str]]:
    """Yield turns, over 100,000, each with a question that it answers."""
    turn = 0
    for who, chinese in _people():
        for told, values, asked in _CHINESE if chinese else _ENGLISH:
            value = values[(turn * 7 + turn // 10) % len(values)]
            yield told.format(who=who, x=value), asked.format(who=who)
            turn += 1
        if turn % 6 == 0 and not chinese:
            city = _CITIES[(turn * 3 + 1) % len(_CITIES)]
            yield f"{who} has moved to {city}.", f"Where does {who} live now?"
            turn += 1


def some_talk(number: int) -> list[tuple[str, str]]:
    """Return the first ``number`` turns with their questions."""
    return list(islice(talk(), number))


def spread(items: list[tuple[str, str]], number: int) -> list[tuple[str, str]]:
    """Return ``number`` of ``items``, from all over them."""
    step = max(1, len(items) // number)
    return list(islice(cycle(items[::step]), number))
