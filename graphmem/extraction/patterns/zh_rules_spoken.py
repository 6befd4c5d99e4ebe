"""Rules of what is said in passing: moves without where to, shops by name, things left off."""

from __future__ import annotations

import re

from graphmem.extraction.patterns.zh_marks import Mark
from graphmem.extraction.patterns.zh_people import ROLE_WORDS, may_be_called
from graphmem.extraction.patterns.zh_places import is_home, is_organisation, is_settlement
from graphmem.extraction.patterns.zh_rule import Kind, Rule, checks, lacks
from graphmem.model.entity import ValueKind

_O = r"(?P<o>.+?)"
_TEXT = ValueKind.TEXT
_PLACE = ("place",)
_ORG = ("organisation",)
_NUMBER = r"(?:\d{1,3}|[一二两三四五六七八九十]{1,4})"
_MONEY = r"[一二两三四五六七八九十百]+(?:万|千|百)[一二两三四五六七八九]?[千百]?"
_SHOP = r"(?:店|馆|坊|铺子?|公司|工作室|餐厅|酒吧|咖啡馆|面包房|书屋|诊所|农场|厂|民宿|画室|网店)"
_HOUSE = r"[^的了着过是在我你他她它家间个]{1,6}(?:坊|轩|阁|斋|堂|居|记|社|苑|庄)"
_UNITS = checks(
    r".{1,10}(?:项目组?|(?<![他她])组|部门?|团队|队|分?店|车间|科室?|班组?|中心|分公司|总部|支行|校区)"
)
_ANY_UNIT = r"原来|原先|以前|之前|别的|另|其他|某|一个|新(?:的|项目|团队|部门|组|队|店)"
"""Which one is not said."""
_PRACTISED = (
    r"跑步|健身|游泳|打球|骑车|骑行|画画|写作|练字|瑜伽|冥想|攀岩|爬山|钓鱼|滑雪|跳舞|唱歌|撸铁"
)
_STARTS = frozenset({Mark.BEGIN, Mark.AGAIN})
_NOT = frozenset({Mark.NOT, Mark.NO_MORE})
_RIDES = r"地铁|公交车?|火车|高铁|班车|轮渡|电车|轻轨|出租车"
_PILLS = r"[^的了着过]{0,6}(?:药|片|胶囊|胰岛素|双胍|沙坦|地平|他汀|洛尔|西汀|曲林|布洛芬|优甲乐)"

_ANY_FIRM = re.compile(
    r"(?:一?[家个间])?(?:百货|广告|贸易|外贸|物流|保险|软件|科技|建筑|装修|房产|旅游|快递)?(?:公司|工厂|厂|店|医院|银行|超市|餐厅|饭店)"
)
_NO_TOWN = re.compile(
    r"学校|国外|外地|乡下|农村|城里|家|宿舍|公司|那|这|外面|一起|部队|工厂|山里|海边|医院|院|里$|上$"
)
_plain_shop = lacks(r"^(?:车|门|会|业|玩笑|药|票|户|灯|始|心|学|工|店|公司|网店|饭店)$|^一?家?店$")


def _named_shop(text: str) -> bool:
    return _plain_shop(text) and not re.fullmatch(rf"小?{_SHOP}", text)


RULES: tuple[Rule, ...] = (
    # --- Home
    Rule(
        "lives_in",
        rf"从{_O}(?:搬出来|搬出去|搬走|搬离|搬出)",
        Kind.END,
        types=_PLACE,
        check=is_home,
        listed=False,
    ),
    Rule(
        "lives_in",
        rf"在{_O}(?:住|生活)过(?:[一两二三四五六七八九十几好多小半大\d]+(?:年|个月)|一阵子?|一段时间)?",
        types=_PLACE,
        check=is_settlement,
        listed=False,
    ),
    Rule(
        "lives_in",
        rf"在{_O}(?:住|生活|待|呆)过(?:好?[一两二三四五六七八九十几多小半大\d]+(?:年|个月)|一阵子?|一段时间)?",
        Kind.END,
        types=_PLACE,
        check=lambda text: len(text) in {2, 3} and not _NO_TOWN.search(text),
        listed=False,
        needs=frozenset({Mark.FORMER}),
    ),
    Rule(
        "stays_at",
        rf"在{_O}(?:待|呆|玩)",
        types=_PLACE,
        check=is_settlement,
        listed=False,
        near=r"[待呆玩](?:到|至)",
    ),
    Rule(
        "stays_at",
        rf"(?:在|住){_O}(?:待|呆|玩)?",
        types=_PLACE,
        check=is_settlement,
        listed=False,
        needs=frozenset({Mark.BRIEFLY}),
    ),
    Rule(
        "lives_in",
        rf"(?:和|跟|与)(?P<j>[A-Z][A-Za-zÀ-ɏ]+|{ROLE_WORDS})(?:一起|一块儿?)?住在{_O}",
        types=_PLACE,
        check=lambda text: len(text) > 1,
        listed=False,
        also="lives_with",
    ),
    Rule(
        "lives_in",
        rf"(?:一个人|独自)?在{_O}(?:租房子?|租了?个?房子?|合租)(?:住)?",
        types=_PLACE,
        check=is_settlement,
        listed=False,
    ),
    Rule(
        "lives_in",
        rf"回的{_O}",
        Kind.CHANGE,
        types=_PLACE,
        check=is_settlement,
        listed=False,
        done=True,
    ),
    Rule("lives_in", rf"坐标{_O}", types=_PLACE, check=is_settlement, listed=False),
    Rule(
        "lives_in",
        rf"在{_O}(?:待|呆)过(?:好?[一两二三四五六七八九十几多小半大\d]+年)",
        Kind.END,
        types=_PLACE,
        check=is_settlement,
        listed=False,
    ),
    # --- Work
    Rule(
        "works_as",
        r"(?:转行|改行)(?:去)?(?:当|做|干)(?:了)?(?P<o>[^的了着过我你他她]{2,6})",
        Kind.CHANGE,
        value=_TEXT,
        done=True,
    ),
    Rule(
        "assigned_to",
        rf"(?:被)?从(?P<a>(?!{_ANY_UNIT}).+?)(?:调|转|分|派|换)(?:到|去|至)了?(?!{_ANY_UNIT}){_O}(?:去|来)?(?:的)?",
        Kind.CHANGE,
        check=_UNITS,
        listed=False,
    ),
    Rule(
        "assigned_to",
        rf"(?:被)?(?:调|派|分)(?:到|去|至)了?{_O}(?:去|来)?(?:的)?",
        Kind.CHANGE,
        check=_UNITS,
        listed=False,
        done=True,
    ),
    Rule(
        "works_at",
        rf"在{_O}(?:开(?:火车|公交车?|货车|出租车?|叉车|地铁|大巴)|修(?:车|机器|飞机)|"
        r"跑(?:业务|销售|外勤)|搞(?:研发|技术|行政|后勤|财务|科研|维修)|站柜台|当差)",
        types=_ORG,
        check=lambda text: is_organisation(text) and not _ANY_FIRM.fullmatch(text),
        raw=True,
        listed=False,
    ),
    Rule(
        "works_at",
        rf"在{_O}干过",
        types=_ORG,
        check=lambda text: is_organisation(text) or len(text) == 2,
        raw=True,
        listed=False,
        needs=_NOT,
    ),
    Rule(
        "works_in_field",
        r"是(?:做|搞|干)(?P<o>[^的了着过我你他她这那]{1,6})(?:行业)?的",
        value=_TEXT,
        check=lacks("^(?:什么|饭|啥|事|工|活|好|错|的)|过"),
        spoken=True,
    ),
    Rule(
        "runs",
        rf"(?:在.+?)?开(?:了|着|有)(?:一?[家间个])?(?:名叫|叫做?){_O}的小?{_SHOP}",
        check=_named_shop,
        listed=False,
    ),
    Rule(
        "runs",
        rf"(?:在.+?)?开(?:了|着|有)(?:一?[家间个])小?[^叫的了]{{0,6}}{_SHOP}(?:名叫|叫做?|叫){_O}",
        check=_named_shop,
        listed=False,
    ),
    Rule(
        "runs",
        r"(?:在.+?)?开(?:了|着|有)(?:一?[家间])(?P<o>[^的了着过是在我你他她它叫]{2,8})",
        check=_named_shop,
        listed=False,
    ),
    Rule("runs", rf"(?:在.+?)?开(?:了|着)(?P<o>{_HOUSE})", check=_named_shop, listed=False),
    Rule(
        "earns",
        rf"(?:税前|税后|到手)?(?:月薪|年薪|工资|月收入|年收入)(?:是|有|大概|大约|差不多)*"
        rf"(?P<o>(?:\d[\d,.]*(?:千|万|k|K|w)|{_MONEY})多?(?:块钱?|元)?)",
        Kind.ATTRIBUTE,
        value=_TEXT,
    ),
    Rule(
        "works_shift",
        r"上(?:的)?(?P<o>夜班|白班|晚班|早班|中班)",
        value=_TEXT,
        needs=frozenset({Mark.AGAIN, Mark.BEGIN}),
        or_time=True,
    ),
    Rule(
        "commutes_by",
        rf"(?:坐|乘)(?P<o>{_RIDES})",
        value=_TEXT,
        needs=_STARTS | {Mark.NOW},
        near="上班|通勤|上学|公司",
    ),
    Rule(
        "commutes_by",
        rf"(?:上下?班|通勤)(?:都|一般|主要|基本|天天)*(?:是)?(?:坐|乘|搭)(?P<o>{_RIDES})",
        value=_TEXT,
    ),
    Rule(
        "works_at",
        r"入职的(?P<o>.+?)",
        Kind.CHANGE,
        types=_ORG,
        check=lambda text: is_organisation(text) or len(text) == 2,
        raw=True,
        listed=False,
        done=True,
    ),
    Rule(
        "works_in_field",
        r"(?:是)?(?:做|搞)(?P<o>[^的了着过我你他她这那大小]{1,6})生意的?",
        value=_TEXT,
        check=lacks("什么|点|啥"),
    ),
    Rule(
        "employs",
        r"(?:招|雇|聘|请)了?(?:一?[个名位])?[^叫的了]{1,6}(?:名叫|叫)(?P<o>.+?)",
        Kind.CHANGE,
        types=("person",),
        check=may_be_called,
        listed=False,
        done=True,
    ),
    # --- Self
    Rule(
        "age",
        rf"(?:(?:年)?满|今年(?:刚|才|刚满)?)(?P<o>{_NUMBER}(?:周?岁)?)(?:半)?",
        Kind.ATTRIBUTE,
        value=ValueKind.NUMBER,
        check=lacks("^(?:一|二|三|四|五|六|七|八|九|十)月"),
    ),
    Rule(
        "age",
        r"(?:都|快)?(?P<o>[二三四五六七八九]?十[一二三四五六七八九]?|[5-9]\d)(?:岁)?",
        Kind.ATTRIBUTE,
        value=ValueKind.NUMBER,
        written=True,
        done=True,
        near="奶奶|爷爷|外婆|外公|姥姥|姥爷|爸|妈|岳父|岳母|公公|婆婆",
    ),
    Rule("age", rf"是(?P<o>{_NUMBER}岁)(?:半)?", Kind.ATTRIBUTE, value=ValueKind.NUMBER),
    Rule(
        "height",
        r"(?:身高)?(?:大概|差不多)?(?P<o>[一1]米[五六七八九5-9][一二三四五六七八九\d]?)(?:左右)?(?:的)?(?:个子)?",
        Kind.ATTRIBUTE,
        value=ValueKind.NUMBER,
    ),
    Rule(
        "size",
        r"穿(?P<o>\d{2}(?:\.5)?码?|[SMLX]{1,4}码)的?(?P<q>鞋|衣服|上衣|裤子?|T恤|衬衫)(?:子)?",
        Kind.ATTRIBUTE,
        value=_TEXT,
        qualifier="of",
    ),
    Rule("phone_number", r"(?:手机号?|电话|号码)(?P<o>1\d{10})", Kind.ATTRIBUTE, value=_TEXT),
    Rule(
        "phone_number",
        r"新(?:的|号码?)(?:是|:|：)?(?P<o>1\d{10})",
        Kind.ATTRIBUTE,
        value=_TEXT,
        near="手机|电话|号",
    ),
    Rule(
        "native_language",
        r"(?P<o>[^的了着过我你他她是]{1,5}(?:语|话|文))是(?:我的?)?母语",
        Kind.ATTRIBUTE,
    ),
    Rule(
        "has_injury",
        r"(?P<o>(?:左|右)?(?:膝盖|腰|肩膀?|脚踝|手腕|脖子|胳膊|腿|手肘))有(?:点|些)?(?:旧|老)?伤",
    ),
    Rule(
        "has_budget",
        rf"(?:.{{0,6}}的?)?预算(?:是|为|有|大概|大约|差不多|只有|:)*"
        rf"(?P<o>(?:\d[\d,.]*(?:千|万)|{_MONEY})多?(?:块钱?|元|欧元?|美元|美金|英镑|港币|日元|刀)?)(?:左右|以内|上下)?",
        Kind.ATTRIBUTE,
        value=_TEXT,
    ),
    Rule(
        "comes_from",
        rf"(?:老家|家乡|籍贯){_O}(?:的|人)?",
        Kind.ATTRIBUTE,
        types=_PLACE,
        check=is_settlement,
        listed=False,
    ),
    Rule("fears", r"(?:有)?(?:点儿?|些)?恐高(?:症)?", fixed="高"),
    Rule("takes_medication", rf"停(?:掉|用)?了?(?P<o>{_PILLS})", Kind.END, done=True),
    Rule(
        "takes_medication",
        rf"(?:吃|打|用|服)(?:上)?了?(?P<o>{_PILLS})",
        needs=_STARTS,
        check=lacks("^(?:药|片|中药|西药)$"),
    ),
    # --- Taste and practice
    Rule("dislikes", rf"最(?:讨厌|不喜欢|不爱吃|恨)的(?:[^的了着过]{{1,3}})?是{_O}"),
    Rule(
        "studies", r"学的(?:是)?(?P<o>[^的了着过]{2,8})", near="毕业|专业|大学|大专|本科", longest=8
    ),
    Rule("practises", rf"(?P<o>{_PRACTISED})", needs=frozenset({Mark.BEGIN})),
    Rule(
        "practises",
        rf"改(?:成|为)?(?P<o>{_PRACTISED})",
        Kind.CHANGE,
        needs=frozenset({Mark.NOW}),
        near="以前|膝|伤|不跑|跑不|医生|废",
    ),
    Rule(
        "uses",
        r"用的(?:就)?是(?P<o>安卓|鸿蒙|苹果|苹果手机|华为|小米|三星|[A-Z][A-Za-z]{2,12})",
        listed=False,
        own=True,
        written=True,
    ),
    Rule("studies", r"学(?P<o>[^的了着过学]{1,8})学", longest=8),
    Rule("practises", r"练(?P<o>瑜伽|书法|拳击|太极拳?|普拉提|跆拳道|长跑)练"),
    Rule("plays", r"练(?P<o>钢琴|吉他|二胡|古筝|小提琴|大提琴|琵琶|架子鼓)(?:练)?"),
    Rule("plays", r"(?P<v>[弹拉打吹])(?P<o>[^的了着过弹拉打吹]{1,6})(?P=v)"),
    Rule("studies", r"(?:正)?在学(?P<o>[做弹拉画唱跳开打织吹写拍][^的了着过我你他]{1,6})"),
    Rule("dislikes", r"(?:讨厌|烦)(?:死)?(?P<o>[^我你他她了的人]{1,6})死了"),
    Rule("avoids", r"(?:吃|喝)不了(?P<o>[^的了着过多完这那]{1,6})", negative=False),
    Rule(
        "likes",
        r"(?P<o>[^的了着过我你他她它这那不]{1,5})(?:倒是?|反而|却)(?:挺|很|特别|蛮)?(?:喜欢|爱)(?:吃|喝)?(?:的)?",
        check=lacks("^(?:反正|其实|现在|平时)$"),
    ),
    *(
        Rule(
            slug,
            rf"{verb}(?P<o>[^的了着过我你他她到完不这那]{{1,6}})",
            needs=frozenset({Mark.FORMER, Mark.NOW}),
            near="以前|原来|之前|从前|改|戒",
            check=lacks("^(?:饭|药|酒|水|醉|多|素|斋|荤|肉)$|酒$|素$"),
        )
        for slug, verb in (("drinks", "喝"), ("eats", "吃"))
    ),
    Rule(
        "drinks",
        r"喝(?P<o>咖啡|茶|红茶|绿茶|乌龙茶|奶茶|可乐|牛奶|豆浆|红酒|啤酒)",
        own=True,
        written=True,
    ),
    Rule(
        "taught_subject",
        r"(?:在.+?)?(?:只|改)?教(?P<o>声乐|吉他|古筝|素描|油画|国画|游泳|武术|奥数|作文|科学|政治|计算机)(?:课)?",
        value=_TEXT,
    ),
    # --- Things
    Rule("owns", r"(?P<o>车|房|房子)", needs=_NOT),
    Rule(
        "uses",
        rf"(?:手机|电脑|相机|耳机|输入法|浏览器)(?:早就|已经|刚)?(?:换|改)(?:成|用)了?{_O}",
        Kind.CHANGE,
        listed=False,
        longest=12,
    ),
    Rule(
        "has_pet",
        r"(?:在.{1,6}?)?养(?:了|着)?(?:很多|好多|一群|几只|几箱)?(?P<o>蜜?蜂|鸽子|鸡|鸭|羊|蚕|锦鲤)",
        types=("animal",),
    ),
)
