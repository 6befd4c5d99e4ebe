"""Rules whose subject or value is a person or a pet: relations, names, breaking up, pets."""

from __future__ import annotations

import re
from dataclasses import dataclass

from graphmem.extraction.patterns.zh_people import ROLE_WORDS
from graphmem.extraction.patterns.zh_rule import Kind

_N = r"(?P<o>.+?)"
PETS = (
    r"(?:[^\W\d_的了有养只条我家是叫]{0,3})(?:狗狗|狗子|狗|猫咪|猫|兔子|仓鼠|"
    r"鹦鹉|乌龟|金鱼|热带鱼|蜥蜴|豚鼠|荷兰猪|刺猬|龙猫|柯基|金毛|泰迪|"
    r"布偶|英短|哈士奇|柴犬|边牧|拉布拉多|博美|贵宾|"
    r"守宫|文鸟|玄凤|虎皮|马犬|萨摩耶|橘猫)"
)
BREEDS = re.compile(
    r"(?:金毛|柯基|泰迪|布偶|英短|美短|哈士奇|柴犬|边牧|拉布拉多|博美|"
    r"贵宾|萨摩耶|德牧|马犬|斗牛|法斗|比熊|雪纳瑞|田园|橘猫|狸花|暹罗|"
    r"缅因|波斯|三花|奶牛|玄凤|虎皮)"
    r"(?:犬|猫|狗|鹦鹉)?"
)
_COUNT = r"(?:[一两二三四五六七八九十几]|\d+)?[只条个]?"


@dataclass(frozen=True, slots=True)
class Tie:
    """A relation rule: its pattern, what holds, and how."""

    predicate: str
    pattern: re.Pattern[str]
    kind: Kind = Kind.STATE


WITH = r"(?:和|跟|与|同)"
TIES: tuple[Tie, ...] = (
    Tie(
        "married_to",
        re.compile(rf"{WITH}(?P<o>.+?)(?:办理?了?)?离(?:了)?婚(?:手续)?(?:了)*的?"),
        Kind.END,
    ),
    Tie("partner_of", re.compile(rf"{WITH}(?P<o>.+?)(?:已经)?(?:分手|分开)(?:了)*的?"), Kind.END),
    Tie(
        "partner_of",
        re.compile(rf"{WITH}(?P<o>.+?)(?:又|重新)?(?:在一起|复合|和好|谈恋爱|交往)(?:了)*的?"),
        Kind.CHANGE,
    ),
    Tie(
        "married_to",
        re.compile(rf"{WITH}(?P<o>.+?)是?(?:(?:结婚|领证)(?:了)*的?|结的婚|领的证)"),
        Kind.CHANGE,
    ),
    Tie(
        "lives_with",
        re.compile(rf"搬(?:去|来|过去|到)?{WITH}(?P<o>.+?)(?:一起|一块儿?)?住(?:了)*"),
        Kind.CHANGE,
    ),
    Tie("engaged_to", re.compile(rf"{WITH}(?P<o>.+?)订婚(?:了)*的?"), Kind.CHANGE),
    Tie(
        "lives_with",
        re.compile(
            rf"{WITH}(?P<o>.+?)(?:一起住|同住|合住|住在?一起|一起合租|合租|一块儿?住)(?:着)?"
        ),
        Kind.STATE,
    ),
    Tie("met", re.compile(r"(?:见到?|遇见|遇到|碰到|碰见|拜访|认识)了(?P<o>.+?)"), Kind.EVENT),
    Tie(
        "friend_of",
        re.compile(rf"{WITH}(?P<o>.+?)是(?:很?好的?|最好的|多年的?)?(?:朋友|闺蜜|哥们|死党)"),
        Kind.STATE,
    ),
    Tie("colleague_of", re.compile(rf"{WITH}(?P<o>.+?)是同事"), Kind.STATE),
    Tie("classmate_of", re.compile(rf"{WITH}(?P<o>.+?)是(?:大学|高中|初中|小学)?同学"), Kind.STATE),
)
ALONE: tuple[Tie, ...] = (
    Tie("engaged_to", re.compile(r"(?:订婚(?:了)*的?|订的婚)"), Kind.CHANGE),
    Tie(
        "married_to",
        re.compile(
            rf"(?:{WITH}前(?:夫|妻|任)[^了]{{0,3}}?)?是?(?:早就?|已经)?(?:(?:离(?:了)?婚|离异|离)(?:了)*的?|离的婚)"
        ),
        Kind.END,
    ),
    Tie(
        "partner_of",
        re.compile(
            rf"(?:{WITH}前(?:任|男友|女友|男朋友|女朋友))?是?(?:(?:分手|失恋)(?:了)*的?|分的手?)"
        ),
        Kind.END,
    ),
)
CALLED = re.compile(rf"(?:的?名字)?(?:(?:就)?(?:叫做?|名叫|名字叫|名字是|是)){_N}")
"""After a role or a pet: what it is called."""
CALLS_ME = re.compile(
    rf"(?:叫|喊|称呼)我(?P<n>(?!{ROLE_WORDS}).+?)(?:就好|就行|就可以|就成|即可)|"
    rf"(?:大家|朋友们?|同事们?|家里?人|同学们?)(?:都|一般|平时)*(?:叫|喊|称呼?)我{_N}"
)
NAMED_ONLY = re.compile(
    rf"(?:它|他|她)?(?:的?名字)?(?:叫做?|名叫|名字叫|名字是|取名叫?|起名叫?){_N}"
)
EACH_NAMED = re.compile(
    rf"(?:大的|小的|一[只个条位]|另一[只个条位]|老大|老二|弟弟|妹妹|哥哥|姐姐)(?:叫做?|名叫){_N}"
)
HAS_ROLE = re.compile(
    rf"有(?:了)?(?:一|两|二|三|俩)?(?:个|位|"
    rf"名)?(?:亲)?(?P<role>{ROLE_WORDS})(?:(?:叫做?|名叫|名字叫|是)"
    rf"(?P<o>.+?))?"
)
IS_ROLE = re.compile(
    rf"是我(?:们)?(?:家)?(?:的)?(?:大学|高中|初中|小学|"
    rf"\w{{2}}(?=老师|教练))?(?P<role>{ROLE_WORDS})"
)
PET_CALLED = re.compile(
    rf"(?:家)?(?:里)?(?:的)?(?:那[只条])?(?P<k>{PETS})(?:的?名字)?(?:叫做?|名叫|名字叫|名字是){_N}"
)
HAS_PET = re.compile(
    rf"(?:家)?(?:里)?(?:还)?(?:(?P<v>养|有|领养|收养|买|捡|接回来?|抱回来?|新?来|添)(?P<le>了|着|过)?{_COUNT}|[一两二三四五几][只条])(?:[\d一二两三四五六七八九十]+(?:岁|个月)大?的)?(?P<k>{PETS})"
    rf"(?:(?:名字)?(?:叫做?|名叫|名字叫)(?P<o>.+?))?"
)
NO_PET = re.compile(r"(?:家)?(?:里)?(?:有|养)(?:任何)?(?:宠物)")
