"""Rules about things other than people: dishes, organisations, projects; and standing wishes."""

from __future__ import annotations

import re
from dataclasses import dataclass

from graphmem.extraction.patterns.zh_people import is_name
from graphmem.extraction.patterns.zh_places import is_organisation, is_site
from graphmem.extraction.patterns.zh_rule import Check, checks
from graphmem.model.claim import Form
from graphmem.model.entity import ValueKind

_S = r"(?:(?:他们家|这家店?|我们?家?|食堂|楼下|那家店?)的?)?(?P<s>[^的了着是在我你他有和]{2,12}?)"
_O = r"(?P<o>.+?)"
_INGREDIENT = checks(
    r".{0,4}(?:花生酱?|坚果|腰果|杏仁|核桃|榛子|开心果|松子|芝麻酱?|"
    r"麻酱|虾米|虾仁|虾皮|虾|蟹黄?|海鲜|鱼露|鱼|蛤蜊|牡蛎|蚝油|贝类|"
    r"牛奶|奶油|黄油|芝士|奶酪|酸奶|鸡蛋|蛋黄|蛋|面粉|麸质|小麦|大豆|"
    r"黄豆|豆浆|豆腐|酱油|"
    r"芒果|菠萝|猕猴桃|草莓|桃子|香菜|芹菜|葱|蒜|姜|洋葱|花椒|辣椒|八角|"
    r"桂皮|味精|糖|盐|酒精|酒|料酒|猪肉|牛肉|羊肉|鸡肉|猪油|咖啡因|"
    r"巧克力|可可|椰奶|椰浆|蜂蜜|燕麦|土豆|番茄|茄子|蘑菇|香菇|木耳|"
    r"味噌|咖喱|肉末|火腿|培根|皮蛋)"
)
_DISH = checks(
    r".{1,10}(?:丁|汤|面|粥|饭|饼|糕|酱|沙拉|咖喱|奶茶|鱼|肉|鸡|鸭|虾|"
    r"豆腐|茄子|米线|粉|锅|饺|饺子|包|包子|粽|粽子|卷|煲|串|排骨|拌菜|"
    r"布丁|冰淇淋|蛋糕|面包|饼干|披萨|三明治|汉堡|甜品|月饼|汤圆|点心|"
    r"寿司|拉面|酸辣粉|"
    r"凉皮|肉夹馍|豆花|烧卖|炒河粉|河粉|冬阴功|叻沙|鸡丁|腐乳|雪糕|酥|派|塔|冻|羹)"
)


_container = checks(
    r"[^放在存收搁摆了]{0,6}(?:鞋柜|抽屉|柜子?|箱子?|盒子?|(?<!打)(?:背|挎|书|手提|钱)?包|冰箱|书架|架子|桌子?|机柜|机房|仓库|车库|阁楼|保险柜|口袋|"
    r"后备箱|床底|衣橱|壁橱|地下室|储物间|工具箱|铁盒|罐子?|篮子?|信封|门垫下?)"
)
_building = checks(
    r"(?:我家?的?|我们家?的?)?(?:新|老)?(?:房子|家|公寓|店|店铺|工作室|办公室|学校|诊所)"
)


def in_container(text: str) -> bool:
    """Whether the words name something that things are kept in."""
    return _container(text)


def _thing(text: str) -> bool:
    """Whether a thing is kept, and nobody sits there."""
    return not re.match(r"我|你|他|她|[小老阿]", text) and not re.search(
        r"[从被把到给让]|[爸妈哥姐弟妹人猫狗]$|文件|图片|照片|代码|数据|文档|视频|表格|附件|截图|链接|日志|"
        r"[今昨明][天晚早]|今天|现在?|一直|还|也|都$",
        text,
    )


def _any(text: str) -> bool:
    return bool(text)


@dataclass(frozen=True, slots=True)
class Open:
    """A rule whose subject is what the words before say it is.

    ``pattern`` has groups ``s`` and ``o``; ``either`` asks for the check of the subject or of the
    value only; ``swapped`` makes the value the subject.
    """

    predicate: str
    pattern: re.Pattern[str]
    subject: Check
    object: Check
    either: bool = False
    listed: bool = True
    value: ValueKind = ValueKind.ENTITY
    types: tuple[str, ...] = ()
    swapped: bool = False
    form: Form = Form.STATE


def _p(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


_ORG = ("organisation",)
_PLACE = ("place",)
OPEN: tuple[Open, ...] = (
    Open(
        "contains",
        _p(rf"{_S}(?:里|里面|中|里头)(?:都|会|也|还|一般|通常)*(?:有|含有?|放了?|加了?|放有){_O}"),
        _DISH,
        _INGREDIENT,
        either=True,
    ),
    Open(
        "contains",
        _p(rf"{_S}(?:都|会|也|还|一般|通常)*(?:含有?|含|放了|加了|用了|放|加){_O}"),
        _DISH,
        _INGREDIENT,
    ),
    Open("contains", _p(rf"{_S}是用{_O}(?:做|熬|煮|炒|调|炖)的?成?的?"), _DISH, _any),
    Open(
        "supplies",
        _p(rf"{_S}(?:给|向|为){_O}(?:供货|供应.{{1,4}}|供料)"),
        is_organisation,
        is_organisation,
        types=_ORG,
    ),
    Open(
        "buys_from",
        _p(rf"{_S}(?:从|向){_O}(?:采购|进货|订货)"),
        is_organisation,
        is_organisation,
        types=_ORG,
    ),
    Open(
        "leads",
        _p(rf"{_S}(?:归|由)(?P<o>[^的了着]{{2,4}}?)(?:管|负责|打理|管理)"),
        is_organisation,
        is_name,
        swapped=True,
    ),
    Open(
        "causes",
        _p(
            r"(?P<s>[^的了着我你他她]{2,8}?)是(?:由于?|因为?|被)?(?P<o>[^了着我你他她这那]{2,12}?)(?:所)?(?:造成|引起|导致|引发)的"
        ),
        _any,
        _any,
        listed=False,
        swapped=True,
    ),
    Open(
        "causes",
        _p(
            r"(?P<s>[^了着过是我你他她这那]{2,12}?)(?:引起|导致|造成|引发)了(?:这次|昨天的|今天的)?(?P<o>[^了着我你他她这那]{2,8})"
        ),
        _any,
        checks(r".{0,6}(?:故障|宕机|停机|事故|延误|火灾|漏水|停电|中断|泄漏|崩溃)"),
        listed=False,
    ),
    Open(
        "is_a",
        _p(
            r"(?P<s>[^的了着我你他她这那]{2,6}?)是(?:我们?|公司)(?:在做|负责|在开发|开发|做)?的(?P<o>.{0,8}(?:项目|产品|系统|平台|应用|软件))"
        ),
        _any,
        _any,
        listed=False,
        value=ValueKind.TEXT,
    ),
    Open("part_of", _p(rf"{_S}(?:隶属于?|从属于|附属于|归属于){_O}"), _any, _any, types=_ORG),
    Open(
        "part_of",
        _p(rf"{_S}是{_O}(?:的|旗下的?)(?:子公司|分公司|下属公司|附属.{{1,4}}|分院)"),
        is_organisation,
        is_organisation,
        types=_ORG,
    ),
    Open(
        "located_in",
        _p(rf"{_S}(?:的)?总部(?:设|位)?(?:在|于){_O}"),
        _any,
        _any,
        listed=False,
        types=_PLACE,
    ),
    Open(
        "located_in",
        _p(rf"{_S}(?:位于|坐落于|坐落在|地处){_O}"),
        _any,
        _any,
        listed=False,
        types=_PLACE,
    ),
    Open(
        "kept_in",
        _p(
            rf"{_S}(?:现在|目前|如今|一直|都|就)*(?:放|存|收|搁|摆)?在{_O}(?:里面?|里头|上面?|下面?|中)?"
        ),
        _thing,
        _container,
        listed=False,
    ),
    Open(
        "kept_in",
        _p(
            rf"{_S}(?:已经|刚|被|我|都)*(?:从[^从到]{{1,10}}?)?(?:挪|移|换|搬|转移|改放|放)到了?{_O}(?:里面?|里头|上面?|下面?|中)?"
        ),
        _thing,
        _container,
        listed=False,
        form=Form.CHANGE,
    ),
    Open("located_in", _p(rf"{_S}在{_O}"), _building, is_site, listed=False, types=_PLACE),
    Open("located_in", _p(rf"{_S}在{_O}"), is_organisation, is_site, listed=False, types=_PLACE),
    Open(
        "competes_with",
        _p(rf"{_S}(?:和|跟|与){_O}(?:是|互为)(?:竞争对手|对手|竞品)"),
        _any,
        _any,
        listed=False,
        types=_ORG,
    ),
    Open(
        "partners_with",
        _p(rf"{_S}(?:和|跟|与){_O}(?:合作|达成了?合作|是合作伙伴|建立了?合作)"),
        is_organisation,
        is_organisation,
        types=_ORG,
    ),
    Open("makes", _p(rf"{_S}(?:主要|专门)?(?:生产|制造){_O}(?:的)?"), is_organisation, _any),
    Open("sells", _p(rf"{_S}(?:主要|专门)?(?:销售|出售){_O}(?:的)?"), is_organisation, _any),
    Open(
        "founded",
        _p(rf"{_S}(?:是)?由{_O}(?:创立|创办|创建)的?"),
        is_organisation,
        _any,
        swapped=True,
    ),
    Open(
        "leads",
        _p(rf"{_S}的(?:CEO|总裁|总经理|董事长|负责人|院长|校长|厂长|社长)是{_O}"),
        is_organisation,
        _any,
        swapped=True,
    ),
    Open(
        "deadline",
        _p(
            r"(?P<s>.{1,10}?)(?:的)?(?:截止日期|截止时间|deadline|DDL|ddl|"
            r"交稿日|最后期限)(?:就)?(?:是|在|:)"
            r"(?P<o>[\d一二三四五六七八九十]+[月.-/][\d一二三四五六七八九十]*[日号底]?|"
            r"(?:下|本|这)?周[一二三四五六日]|\d{4}年.+[日号])"
        ),
        checks(r"[^的我你他她这那]{1,10}"),
        _any,
        listed=False,
        value=ValueKind.DATE,
    ),
    Open(
        "deadline",
        _p(
            r"(?P<s>.{1,10}?)(?:的)?(?:截止日期|截止时间|deadline|DDL|ddl|交稿日|最后期限)(?:已经)?"
            r"(?:改|推迟|提前|延期?|顺延|挪|推)(?:到|至|成|为)了?"
            r"(?P<o>[\d一二三四五六七八九十]+[月.-/][\d一二三四五六七八九十]*[日号底]?|\d{4}年.+[日号])"
        ),
        checks(r"[^的我你他她这那]{1,10}"),
        _any,
        listed=False,
        value=ValueKind.DATE,
        form=Form.CHANGE,
    ),
    Open(
        "has_status",
        _p(
            r"(?P<s>[^的我你他]{0,8}项目)(?:目前|现在|还|仍然)?(?:在|处于|"
            r"进入了?)(?P<o>[^的在了]{1,4})(?:阶段|期)"
        ),
        _any,
        _any,
        listed=False,
        value=ValueKind.TEXT,
    ),
    Open(
        "has_version",
        _p(r"(?P<s>[\w]{2,12})(?:的)?(?:当前|最新)?版本(?:是|:)(?P<o>[vV]?\d[\w.]*)"),
        _any,
        _any,
        listed=False,
        value=ValueKind.TEXT,
    ),
)

_FROM_NOW_ON = re.compile(
    r"^(?:记住|请记住|还有|另外|对了)?[,，:：]?(?:从今天起|从现在起|"
    r"从现在开始|从今天开始|从今以后|今后|以后|往后|每次|一律|永远)"
    r"(?:的话)?[,，]?(?:你|请|麻烦|都|也)*(?P<o>.{2,40})$"
)
_WISH_CUE = re.compile(
    r"请|别|不要|都[要得用含给按写加带附]|一律|回复|回答|答复|称呼|叫我|总是|"
    r"必须|务必|报价|用.{1,6}(?:语|文|格式|单位|口吻|语气)|尽量|简短|"
    r"详细|先.{1,8}再"
)
_NOT_WISH = re.compile(
    r"^(?:我|我们|他|她|它)(?!的.*都)|[?？吗呢]|再说|再见|再聊|有机会|联系|去|搬|住"
)


def standing_wish(text: str) -> tuple[int, int] | None:
    """Return the stretch of ``text`` that says how answers are wanted from now on, if it does."""
    found = _FROM_NOW_ON.match(text)
    if found is None or not _WISH_CUE.search(text) or _NOT_WISH.search(found.group("o")):
        return None
    return found.span("o")
