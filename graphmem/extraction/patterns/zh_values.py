"""From the words a rule matched to the mentions of a draft."""

from __future__ import annotations

import re

from graphmem.extraction.patterns.zh_objects import bare, is_plain, parts
from graphmem.extraction.patterns.zh_people import is_whole_name, may_be_called
from graphmem.extraction.patterns.zh_rule import Rule
from graphmem.extraction.patterns.zh_state import State
from graphmem.extraction.patterns.zh_text import Reduced
from graphmem.model.claim import Mention
from graphmem.model.entity import ValueKind

_COUNTING = re.compile(r"^(?:[一二两三几]|\d+)?[家个所间](?!性|体|人$)")

_POINTING = re.compile(r"[这那](?!不勒)")
"""Only who is there knows what 这个 is."""


def values(
    rule: Rule, reduced: Reduced, begin: int, stop: int, state: State
) -> tuple[Mention, ...] | None:
    """Return the values in ``reduced.text[begin:stop]``, or None if one is unsure."""
    text = reduced.text[begin:stop]
    if rule.raw and _COUNTING.match(text):
        return None
    stretches = parts(text) if rule.listed and rule.plain else [(0, len(text))]
    found: list[Mention] = []
    for first, last in stretches:
        if rule.plain and _POINTING.match(text, first):
            return None
        inner = bare(text[first:last]) if rule.plain else (0, last - first)
        mention = value(rule, reduced, begin + first + inner[0], begin + first + inner[1], state)
        if mention is None:
            return None
        found.append(mention)
    return tuple(found)


def value(rule: Rule, reduced: Reduced, begin: int, stop: int, state: State) -> Mention | None:
    """Return one value, or None if its words are not sure to be one."""
    plain = reduced.text[begin:stop].strip()
    span = reduced.span(begin, stop)
    if span is None or not plain:
        return None
    if rule.plain and rule.value in {ValueKind.ENTITY, ValueKind.TEXT}:
        called = rule.check in {is_whole_name, may_be_called} and is_whole_name(plain)
        if not (called or is_plain(plain, rule.longest)):
            return None
    elif len(plain) > max(rule.longest, 24):
        return None
    if rule.check is not None and not rule.check(plain):
        return None
    return Mention(state.words(*span).strip(), kind=rule.value, types=rule.types)


_CATEGORIES = {
    "film": "电影 影片 片子",
    "book": "书 书籍 图书",
    "novel": "小说",
    "dish": "菜 菜品 家常菜",
    "food": "食物 东西 美食 吃的 食品",
    "cuisine": "菜系",
    "colour": "颜色 色",
    "song": "歌 歌曲",
    "singer": "歌手",
    "band": "乐队",
    "season": "季节",
    "city": "城市",
    "country": "国家",
    "fruit": "水果",
    "sport": "运动 体育运动",
    "animal": "动物",
    "actor": "演员 男演员",
    "actress": "女演员",
    "author": "作家 作者",
    "director": "导演",
    "composer": "作曲家",
    "painter": "画家",
    "drink": "饮料 饮品",
    "tea": "茶",
    "coffee": "咖啡",
    "game": "游戏",
    "restaurant": "餐厅 饭店 餐馆",
    "team": "球队 队",
    "place": "地方 景点",
    "music": "音乐 音乐类型",
    "flower": "花",
    "subject": "科目 学科",
    "holiday": "节日",
    "dessert": "甜品 甜点",
    "snack": "零食",
    "vegetable": "蔬菜",
    "series": "电视剧 剧",
    "anime": "动漫 动画 动画片",
    "player": "球员 球星",
    "number": "数字",
    "instrument": "乐器",
    "brand": "品牌 牌子",
    "scene": "场景",
    "character": "角色 人物",
}
_BY_WORD = {word: slug for slug, listed in _CATEGORIES.items() for word in listed.split()}


def favourite(category: str) -> str | None:
    """Return the predicate for "my favourite …", or None for a category that says nothing."""
    if re.search(r"[人事点一这那它]|部分|原因|就|时候", category) and category not in _BY_WORD:
        return None
    return f"favourite_{_BY_WORD.get(category, category)}"
