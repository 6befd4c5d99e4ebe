"""Puts a fronted object back behind its verb: 酒我早就不喝了, 车卖了."""

from __future__ import annotations

import re

from graphmem.extraction.patterns.zh_text import Reduced

_INDULGED = r"香?烟|酒|咖啡|奶茶|可乐|饮料|茶|甜食|甜品|夜宵|宵夜|零食|肉|红肉|辣|海鲜|牛奶"
_OWNED = r"(?:[新老旧]|电动|二手)?车子?|房子?|老房子|公寓|钢琴|吉他|相机|摩托车|自行车"
_CARRIED = r"手机|钱包|手表|钥匙|身份证|护照|耳机|雨伞|戒指"
_PLAYED = r"[篮足网排羽毛乒乓棒]{1,3}球|羽毛球|乒乓球|高尔夫|台球|钢琴|吉他|古筝|二胡|小提琴|大提琴"
_SINCE = r"早就|早已|已经|现在|如今|目前|基本上?|彻底|好久|再也"
_FRONTED = re.compile(
    rf"(?P<who>[我俺]?)的?"
    rf"(?:(?P<given>{_INDULGED})呢?(?P<m1>[我俺]?是?(?:(?:{_SINCE})(?:都|就)?)+)(?P<v1>不再?[抽喝吃碰沾])"
    rf"|(?P<ended>{_INDULGED})呢?(?P<m2>[我俺]?是?(?:{_SINCE}|终于|都|也|刚)*)(?P<v2>戒掉?)"
    rf"|(?P<played>{_PLAYED})(?P<m5>(?:我|现在|早就|早已|已经|后来)*)(?P<v5>不再?[打弹拉练踢吹])"
    rf"|(?:[那这][辆台部套架个])?(?P<owned>{_OWNED}|(?<=[辆台部架])[^了的我卖]{{1,6}}?|工作)(?P<m3>[我俺]?(?:已经|刚|终于|也|早就)*)(?P<v3>(?:卖|辞)掉?了)"
    rf"|(?P<lost>{_CARRIED})(?P<m4>[我俺]?(?:又|刚|不小心|昨天)*)(?P<v4>[弄搞]?丢了))"
    rf"(?P<end>了?[啊呀哦噢哈嘛哟啦]*)"
)


def unfronted(clause: Reduced) -> Reduced | None:
    """Return the clause with its object behind the verb, or None if no object stands in front."""
    found = _FRONTED.fullmatch(clause.text)
    if found is None or (
        found.group("v3", "v4") == (None, None) and "了" not in found.group("end")
    ):
        return None
    order: list[int] = []
    for group in (
        "who",
        "m1",
        "m2",
        "m3",
        "m4",
        "m5",
        "v5",
        "v1",
        "v2",
        "v3",
        "v4",
        "given",
        "ended",
        "owned",
        "played",
        "lost",
        "end",
    ):
        order.extend(range(*found.span(group)) if found.group(group) else ())
    return Reduced(
        "".join(clause.text[at] for at in order), tuple(clause.places[at] for at in order)
    )
