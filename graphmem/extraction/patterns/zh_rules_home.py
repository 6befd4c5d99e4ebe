"""Rules of home and study."""

from __future__ import annotations

import re

from graphmem.extraction.patterns.zh_marks import Mark
from graphmem.extraction.patterns.zh_places import (
    COUNTRIES,
    is_home,
    is_province,
    is_settlement,
)
from graphmem.extraction.patterns.zh_rule import Kind, Rule, lacks
from graphmem.model.entity import ValueKind

_O = r"(?P<o>.+?)"
_PLACE = ("place",)
_ORG = ("organisation",)

_NO_HOME = lacks(
    r"附近|旁边|对面|隔壁|边上|楼上|楼下|郊外|海边|山上|乡下|农村|城里|"
    r"市区|郊区|宿舍|学校|公司|里面|一块|心里|一个|老家|^得|^院|酒店|"
    r"宾馆|民宿|旅馆|青旅|家里|层$|[\d一二三四五六七八九十]楼$"
)


def _home(text: str) -> bool:
    return _NO_HOME(text) and not re.search(r"[里中上下]$", text)


def _begins_settled(text: str) -> bool:
    return any(is_home(text[:length]) for length in (2, 3, 4)) and _home(text)


_lodging = lacks(r"^(?:外面|那边|这边|公司)$")

_GENERIC = re.compile(
    r"(?:互联网|外贸|广告|软件|科技|IT|房地产|物流|保险|游戏|国有|私营|"
    r"民营|上市|创业|初创|跨国|外资|本地|当地|小|大|新|老|咨询|教育|"
    r"金融|国|外|私|央)*"
    r"(?:公司|企业|外企|国企|私企|央企|工厂|厂|银行|医院|学校|大学|中学|"
    r"小学|幼儿园|餐厅|饭店|酒店|花店|书店|超市|咖啡馆|咖啡店|便利店|"
    r"商场|机关|单位|体制内|"
    r"工地|政府|机构|店|研究所|实验室|事务所|律所|家|网上|线上|图书馆|"
    r"办公室|部门|团队|行业|领域|外地|国外|国内|老家|城里|市里|县里|"
    r"夜里|上海|北京)"
)


_SCHOOL = (
    r".{1,14}?(?:大学|学院|中学|小学|高中|初中|一中|二中|三中|幼儿园|"
    r"学校|[一二三四五六七八九十]小|附小|附中|外国语|师大|理工|商学院|法学院|医学院|财大|交大|University|College|"
    r"School)"
)


def _school(text: str) -> bool:
    read = "上的" in text or "读的" in text or "念的" in text  # 在大连上的大学: which, is not said
    return re.fullmatch(_SCHOOL, text) is not None and not (_GENERIC.fullmatch(text) or read)


_SCHOOLING = (
    r"(?:(?:读|念)(?:书|研究生?|研一?|研二|研三|博士?|硕士?|本科|"
    r"大[一二三四]|高[一二三]|初[一二三]|[一二三四五六]年级|大学|高中|"
    r"初中|小学|MBA|预科)"
    r"|上(?:学|大[一二三四]|高[一二三]|初[一二三]|[一二三四五六]年级|"
    r"大学|高中|初中|小学)|留学|求学|进修|交换|就读)"
)
_NOW_OR_STILL = frozenset({Mark.NOW, Mark.STILL, Mark.NOT, Mark.FORMER})

RULES: tuple[Rule, ...] = (
    # --- Home
    Rule("stays_at", rf"(?:借|暂|寄)住(?:在|于)?{_O}", types=_PLACE, check=_lodging, listed=False),
    Rule(
        "stays_at",
        rf"住(?:在)?{_O}",
        types=_PLACE,
        check=_lodging,
        listed=False,
        needs=frozenset({Mark.BRIEFLY}),
    ),
    Rule(
        "stays_at",
        r"住(?:在)?(?P<o>.+?(?:酒店|宾馆|民宿|旅馆|青旅|招待所))",
        types=_PLACE,
        check=lacks("^(?:酒店|宾馆|民宿|旅馆)$"),
        listed=False,
    ),
    Rule(
        "lives_in",
        rf"住(?:在)?{_O}的(?:老|新)?(?:房子|公寓|家)里?",
        types=_PLACE,
        check=is_settlement,
        listed=False,
    ),
    Rule(
        "lives_in",
        rf"(?:居住|定居|生活|住|居)(?:在|于){_O}(?:这边|那边|这里|那里|这儿|那儿)?",
        types=_PLACE,
        check=_home,
        listed=False,
    ),
    Rule("lives_in", rf"住{_O}", types=_PLACE, check=_begins_settled, listed=False),
    Rule(
        "lives_in",
        rf"在{_O}(?:居住|定居|生活|安家|落户|住)(?:着|了)*",
        types=_PLACE,
        check=_home,
        listed=False,
    ),
    Rule(
        "lives_in",
        rf"从(?P<a>.+?)(?:搬|迁|移居)(?:家)?(?:到|去|回|来)了?{_O}(?:居住|生活|住|定居|来|去)?的?",
        Kind.CHANGE,
        types=_PLACE,
        check=_home,
        listed=False,
    ),
    Rule(
        "lives_in",
        rf"(?:搬家?|迁居?|移居|搬迁|回迁)(?:到|去|至|进|来|回)了?{_O}(?:居住|"
        rf"生活|住|定居|来|去)?的?",
        Kind.CHANGE,
        types=_PLACE,
        check=_home,
        listed=False,
    ),
    Rule(
        "lives_in",
        rf"(?:定居|落户)(?:到|在){_O}",
        Kind.CHANGE,
        types=_PLACE,
        check=_home,
        listed=False,
    ),
    Rule(
        "lives_in",
        rf"(?:定居|移居|搬到|搬去|搬来){_O}",
        Kind.CHANGE,
        types=_PLACE,
        check=is_settlement,
        listed=False,
        done=True,
    ),
    Rule(
        "lives_in",
        rf"(?:来|到){_O}",
        Kind.CHANGE,
        types=_PLACE,
        check=is_settlement,
        listed=False,
        done=True,
        near=r"年(?:多|半)?了",
    ),
    Rule("lives_in", rf"定居{_O}", types=_PLACE, check=is_settlement, listed=False),
    Rule(
        "lives_in",
        rf"坐标(?:在|是|:)?{_O}",
        types=_PLACE,
        check=is_settlement,
        listed=False,
    ),
    Rule(
        "lives_in",
        rf"回(?:到)?了?{_O}(?:居住|生活|住|定居)的?",
        Kind.CHANGE,
        types=_PLACE,
        check=is_settlement,
        listed=False,
    ),
    Rule(
        "lives_in",
        rf"(?:离开|搬离|搬出)了?{_O}的?",
        Kind.END,
        types=_PLACE,
        check=is_settlement,
        listed=False,
        done=True,
    ),
    Rule(
        "lives_in",
        rf"在{_O}",
        types=_PLACE,
        check=is_settlement,
        listed=False,
        needs=_NOW_OR_STILL,
        or_time=True,
    ),
    Rule(
        "lives_in",
        r"搬家(?:的(?:事情?|计划))?(?:就)?(?:黄|取消|泡汤|吹|作罢|没戏|算)了*",
        Kind.CANCEL,
        own=True,
    ),
    Rule("lives_in", r"搬家?", Kind.CANCEL, own=True, needs=frozenset({Mark.NOT})),
    Rule(
        "lives_in",
        rf"搬(?:到|去)?{_O}",
        Kind.CANCEL,
        types=_PLACE,
        check=is_settlement,
        needs=frozenset({Mark.NOT}),
    ),
    Rule(
        "born_in",
        rf"(?:出生|生)(?:在|于){_O}的?",
        Kind.ATTRIBUTE,
        types=_PLACE,
        check=lacks(r"\d|年代|家庭"),
        listed=False,
    ),
    Rule("born_in", rf"在{_O}出生的?", Kind.ATTRIBUTE, types=_PLACE, listed=False),
    Rule(
        "grew_up_in",
        rf"(?:成长|长大)(?:在|于){_O}的?",
        Kind.ATTRIBUTE,
        types=_PLACE,
        check=lacks("家庭|环境"),
        listed=False,
    ),
    Rule(
        "grew_up_in",
        rf"在{_O}长大的?",
        Kind.ATTRIBUTE,
        types=_PLACE,
        check=lacks("家庭|环境|身边"),
        listed=False,
    ),
    Rule(
        "comes_from",
        rf"来自{_O}",
        Kind.ATTRIBUTE,
        types=_PLACE,
        check=lacks("家庭|星球|内心|外星"),
        listed=False,
    ),
    Rule(
        "comes_from",
        rf"(?:老家|家乡|籍贯|故乡)(?:就)?(?:在|是){_O}的?",
        Kind.ATTRIBUTE,
        types=_PLACE,
        check=lacks(r"农村$|^[个一]"),
        listed=False,
    ),
    Rule(
        "comes_from",
        rf"是(?:土生土长的?)?{_O}(?:本地)?人",
        Kind.ATTRIBUTE,
        types=_PLACE,
        check=is_province,
        listed=False,
    ),
    Rule(
        "nationality",
        rf"是{_O}人",
        Kind.ATTRIBUTE,
        types=_PLACE,
        check=lambda text: text in COUNTRIES,
        listed=False,
    ),
    Rule("nationality", rf"国籍是{_O}", Kind.ATTRIBUTE, types=_PLACE, listed=False),
    # --- Study
    Rule(
        "studies_at",
        rf"从(?P<a>.+?)转学?(?:到|去)了?{_O}",
        Kind.CHANGE,
        types=_ORG,
        check=_school,
        listed=False,
    ),
    Rule(
        "studies_at",
        rf"在{_O}{_SCHOOLING}(?:了)*",
        types=_ORG,
        check=_school,
        raw=True,
        listed=False,
    ),
    Rule(
        "studies_at",
        rf"在{_O}(?:学习?|读|念|主修|攻读)(?P<j>.+?)(?:专业)?",
        types=_ORG,
        check=_school,
        raw=True,
        listed=False,
        also="studies",
    ),
    Rule("studies_at", rf"就读于{_O}", types=_ORG, check=_school, raw=True, listed=False),
    Rule(
        "studies_at",
        rf"(?:去|到){_O}{_SCHOOLING}",
        Kind.CHANGE,
        types=_ORG,
        check=_school,
        raw=True,
        listed=False,
        done=True,
    ),
    Rule(
        "studies_at",
        rf"(?:考上|考入|考进|转到|转学到|转学去|升入|入读)了?{_O}的?",
        Kind.CHANGE,
        types=_ORG,
        check=_school,
        raw=True,
        listed=False,
    ),
    Rule(
        "studies_at",
        rf"是{_O}的?(?:学生|大[一二三四]学?生?|研究生|博士生|硕士生|本科生|在读.{{1,3}})",
        types=_ORG,
        check=_school,
        listed=False,
        spoken=True,
    ),
    Rule(
        "studies_at",
        rf"(?:去|读){_O}(?:读书|读研|上学|留学)?",
        Kind.CANCEL,
        types=_ORG,
        check=_school,
        needs=frozenset({Mark.NOT}),
    ),
    Rule(
        "studies_at",
        rf"在{_O}",
        types=_ORG,
        check=_school,
        raw=True,
        listed=False,
        needs=_NOW_OR_STILL,
        or_time=True,
    ),
    Rule("studies", rf"(?:在)?(?:主修|攻读|辅修|自学|主攻){_O}(?:专业)?"),
    Rule("studies", rf"学的{_O}", needs=frozenset({Mark.BEGIN}), or_time=True, longest=8),
    Rule("studies", rf"(?:读|念)的?(?:是)?{_O}(?:专业|系)"),
    Rule("studies", rf"(?:大学|本科|研究生)?(?:的)?(?:专业|主修)(?:是|:){_O}(?:专业)?"),
    Rule(
        "studies",
        rf"在?学习?(?:的是)?{_O}(?:专业)?",
        check=lacks(
            r"^[会到过生校期好坏完渣霸习员术历者车做着起雷废乖聪]|如何|"
            r"[做弹说读写画唱跳拍修]|法$|学$|知识|东西|技巧|技能|怎"
        ),
        longest=8,
    ),
    Rule(
        "graduated_from",
        rf"(?:本科|硕士|研究生|博士|大学)?毕业于{_O}",
        Kind.EVENT,
        types=_ORG,
        listed=False,
    ),
    Rule(
        "graduated_from",
        rf"(?:从|在){_O}(?:本科|硕士|研究生)?毕业的?",
        Kind.EVENT,
        types=_ORG,
        check=_school,
        listed=False,
    ),
    Rule(
        "has_degree",
        r"(?:有|拿到了?|取得了?|获得了?)(?P<o>.{0,8}(?:学位|硕士文凭|本科文凭))",
        Kind.ATTRIBUTE,
        value=ValueKind.TEXT,
    ),
    Rule("has_degree", r"学历是(?P<o>.{1,6})", Kind.ATTRIBUTE, value=ValueKind.TEXT),
    Rule(
        "works_at",
        rf"在{_O}教(?P<j>数学|语文|英语|物理|化学|生物|历史|地理|政治|音乐|美术|体育|编程|日语|法语|德语)(?:课)?",
        types=_ORG,
        check=lambda text: (
            _school(text) or re.fullmatch(r".{2,10}(?:书院|机构|琴行|画室)", text) is not None
        ),
        raw=True,
        listed=False,
        also="taught_subject",
    ),
    Rule(
        "taught_subject",
        r"(?:在.+?)?教(?P<o>数学|语文|英语|物理|化学|生物|历史|地理|政治|"
        r"音乐|美术|体育|钢琴|小提琴|书法|舞蹈|瑜伽|编程|日语|法语|德语|"
        r"对外汉语)(?:课)?",
        value=ValueKind.TEXT,
    ),
)
