"""Rules of work."""

from __future__ import annotations

import re

from graphmem.extraction.patterns.zh_marks import Mark
from graphmem.extraction.patterns.zh_places import (
    is_organisation,
    is_settlement,
)
from graphmem.extraction.patterns.zh_rule import Kind, Rule, lacks
from graphmem.model.entity import ValueKind

_O = r"(?P<o>.+?)"
_ORG = ("organisation",)


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


def _employer(text: str) -> bool:
    return len(text) > 1 and not (
        re.search(r"一[家个间所]|[上读念]的", text)
        or re.match(r"找|换|忙|努力|认真|上班|加班|想", text)
        or _GENERIC.fullmatch(text)
        or is_settlement(text)
        or re.search(r"[里上下中边]$|行业|领域|方面|部门|岗位|[早晚]上", text)
    )


_NOT_JOBS = (
    r"玩家|大家|国家|专家|人家|独家|对手|新手|高手|左手|右手|二手|会员|"
    r"成员|党员|团员|队员|球员家属|动手|帮手|打工|手工|人工|"
    r"分工|罢工|大师|律师费|大厨房|病人|路人|过来人|吃货|老司机|赢家|输家|买家|"
    r"卖家|管家婆|住家|回家|一家|好手|老手|杀手|毒师"
)
_JOB = re.compile(
    r"(?!.*(?:辈子|年))[^的了着过在是]{0,8}(?:师|员|画家|作家|作曲家|科学家|音乐家|"
    r"艺术家|企业家|翻译家|歌手|鼓手|贝斯手|吉他手|水手|程序猿|码农|"
    r"工程师|电工|木工|水管工|焊工|"
    r"瓦工|社工|职工|经理|主管|总监|教授|记者|警察|司机|老板|护士|"
    r"护士长|律师|会计|出纳|演员|编辑|医生|大夫|老师|教师|学生|研究生|"
    r"博士生|大学生|高中生|"
    r"初中生|实习生|博士后|导演|编剧|秘书|助理|公务员|模特|主播|博主|"
    r"UP主|顾问|CEO|CTO|CFO|HR|PM|校长|院长|厂长|店长|组长|队长|班长|"
    r"村长|机长|空姐|空乘|"
    r"保安|保姆|农民|军人|士兵|裁缝|木匠|铁匠|导游|翻译|厨子|主厨|"
    r"厨师长|教练|裁判|法官|检察官|消防员|插画师|摄影师|DJ|合伙人|"
    r"创始人|全职妈妈|家庭主妇|全职太太|"
    r"负责人|运营|牙医|兽医|药剂师|药师|中医|快递小哥|外卖小哥|渔民|"
    r"牧民|工人|商人|诗人|经纪人|主持人|调酒师)"
)
_TRADE = re.compile(
    r"(?!.*(?:辈子|年))[^的了着过在是我你他]{0,6}(?:开发|运营|销售|测试|产品|翻译|外贸|"
    r"财务|行政|人事|市场|前端|后端|设计|客服|采购|审计|新媒体|算法|"
    r"运维|电商|直播|公关|物流|文案|策划|数据分析|剪辑)"
)


def _job(text: str) -> bool:
    named = re.fullmatch(
        r"[^女男名老副前总好小新大校班家](?:老师|医生|教授|大夫|师傅|律师|经理)", text
    )
    return _JOB.fullmatch(text) is not None and not (named or re.fullmatch(_NOT_JOBS, text))


def _trade(text: str) -> bool:
    return _job(text) or _TRADE.fullmatch(text) is not None


_WORKING = r"(?:上班|工作|任职|就职|打工|供职|实习|兼职|做事|干活)"
_COMMENT = r"(?:[挺很蛮非]常?.{1,4})?"
_NOW_OR_STILL = frozenset({Mark.NOW, Mark.STILL, Mark.NOT, Mark.FORMER})

RULES: tuple[Rule, ...] = (
    # --- Work
    Rule(
        "works_at",
        r"新(?:公司|单位|东家)叫(?:做)?(?P<o>.+?)",
        Kind.CHANGE,
        types=_ORG,
        check=_employer,
        listed=False,
    ),
    Rule(
        "works_at",
        rf"在(?:一?[家个间所])?(?:叫做?|名叫){_O}的?(?:公司|工作室|单位|店|学校|医院|律所|机构|餐厅|咖啡馆|书店|酒吧|企业|工厂|厂)"
        rf"{_WORKING}",
        types=_ORG,
        check=_employer,
        listed=False,
    ),
    Rule(
        "works_at",
        r"(?:公司|单位)(?:的?名字|名)?(?:就)?叫(?:做)?(?P<o>.+?)",
        types=_ORG,
        check=_employer,
        listed=False,
        spoken=True,
    ),
    Rule("works_at", rf"(?:就职|任职|供职|受雇)于{_O}", types=_ORG, check=_employer, raw=True),
    Rule(
        "works_at", rf"在{_O}{_WORKING}(?:着|了)*{_COMMENT}", types=_ORG, check=_employer, raw=True
    ),
    Rule(
        "works_at",
        rf"在{_O}(?:做|当|担任|任)(?:一名|一个)?(?P<j>.+?)(?:的?工作)?",
        types=_ORG,
        check=_employer,
        raw=True,
        listed=False,
        also="works_as",
        also_check=_trade,
    ),
    Rule(
        "works_at",
        rf"从(?P<a>.+?)(?:跳槽|跳|换|转)(?:到|去|至)了?{_O}(?:上班|工作)?",
        Kind.CHANGE,
        types=_ORG,
        check=is_organisation,
        raw=True,
        listed=False,
    ),
    Rule(
        "works_at",
        rf"从(?P<a>.+?)跳槽?(?:到|去|至)了?{_O}(?:上班|工作)?",
        Kind.CHANGE,
        types=_ORG,
        check=_employer,
        raw=True,
        listed=False,
    ),
    Rule(
        "works_at",
        rf"(?:入职|跳槽(?:到|去|至)|跳到|换工作(?:到|去))了?{_O}(?:上班|工作)?了?的?",
        Kind.CHANGE,
        types=_ORG,
        check=_employer,
        raw=True,
        listed=False,
    ),
    Rule(
        "works_at",
        rf"(?:去|到){_O}(?:入职|报到|上班|工作)(?:了)?的?",
        Kind.CHANGE,
        types=_ORG,
        check=_employer,
        raw=True,
        listed=False,
        done=True,
    ),
    Rule(
        "works_at",
        rf"(?:加入|加盟)了?{_O}的?",
        Kind.CHANGE,
        types=_ORG,
        check=is_organisation,
        raw=True,
        listed=False,
    ),
    Rule(
        "works_at",
        rf"回(?:到)?了?{_O}(?:上班|工作)?",
        Kind.CHANGE,
        types=_ORG,
        check=lambda t: is_organisation(t) and _employer(t),
        raw=True,
        listed=False,
        needs=frozenset({Mark.AGAIN}),
    ),
    Rule(
        "works_at",
        rf"从{_O}(?:离职|辞职|跳槽|离开)的?",
        Kind.END,
        types=_ORG,
        check=_employer,
        raw=True,
        listed=False,
        done=True,
    ),
    Rule(
        "works_at",
        rf"离开了?{_O}的?",
        Kind.END,
        types=_ORG,
        check=lambda t: _employer(t) and not re.search(r"[家座岛山]$|世|我们|岗位", t),
        raw=True,
        listed=False,
        done=True,
    ),
    Rule(
        "works_at",
        rf"(?:辞去|辞掉|辞)了?{_O}的(?:工作|职务)",
        Kind.END,
        types=_ORG,
        check=_employer,
        raw=True,
        listed=False,
    ),
    Rule(
        "works_at",
        r"(?:辞去|辞掉|辞)了?(?:[^兼副]{1,8}的)?(?:工作|职务)",
        Kind.END,
        done=True,
    ),
    Rule(
        "works_at",
        r"(?:裸辞|辞职|离职|辞工|失业|被裁(?:员)?|下岗|(?:辞掉?|丢)了?工作|"
        r"把工作辞(?:掉)?)(?:了)*",
        Kind.END,
        done=True,
    ),
    Rule("works_at", r"(?:有|找)?工作", needs=frozenset({Mark.NOT})),
    Rule("works_at", r"(?:待业|失业)(?:在家|中)?(?:着|了)*", negative=True, own=True),
    Rule("works_at", r"(?:离职|辞职|跳槽)", Kind.CANCEL, own=True, needs=frozenset({Mark.NOT})),
    Rule(
        "works_at",
        r"走",
        Kind.CANCEL,
        own=True,
        needs=frozenset({Mark.NOT}),
        near="领导|老板|公司|单位|[离辞]职|跳槽|加薪|涨薪|留我",
    ),
    Rule(
        "works_at",
        rf"在{_O}",
        types=_ORG,
        check=is_organisation,
        raw=True,
        listed=False,
        needs=_NOW_OR_STILL,
        or_time=True,
    ),
    Rule("retired", r"(?:退休|光荣退休)(?:在家)?", Kind.CHANGE, done=True),
    Rule(
        "self_employed",
        r"(?:是|做|当|干)?(?:一?[名个])?(?:自由职业者?|个体户|自由撰稿人|自由摄影师)",
    ),
    Rule(
        "works_as",
        rf"在[^的了着过]{{2,8}}(?:做|当)(?:一?[名个])?{_O}(?:的?工作)?",
        value=ValueKind.TEXT,
        check=_trade,
        listed=False,
    ),
    Rule("works_as", rf"是(?:一?[名个位])?{_O}", value=ValueKind.TEXT, check=_job, spoken=True),
    Rule(
        "works_as",
        rf"(?:职业|工作|职位|岗位|本职工作?)(?:就)?是(?:一?[名个位])?{_O}",
        value=ValueKind.TEXT,
        check=_trade,
    ),
    Rule(
        "works_as",
        rf"(?:升|晋升|提拔|升职|升任|转行|转岗|改行|被提拔)(?:成|为|去做|做|当|到)?(?:了)?{_O}",
        Kind.CHANGE,
        value=ValueKind.TEXT,
        check=_trade,
        listed=False,
    ),
    Rule(
        "works_as",
        rf"(?:兼职)?(?:当|做|担任|任|干)(?:了|着|过|的是|的)?{_O}(?:的?工作|一职)?(?:的)?",
        value=ValueKind.TEXT,
        check=_trade,
    ),
    Rule(
        "runs",
        r"(?:在.+?)?(?:开|经营)(?:了|着)"
        r"(?:一?[家间个])?(?P<o>[^了着家间个]{0,8}(?:店|馆|公司|厂|农场|工作室|画室|琴行|"
        r"民宿|餐厅|铺|铺子|作坊|网店|诊所|律所|书屋|酒吧|咖啡))",
        check=lacks(r"^(?:店|公司|厂|馆|铺|铺子)$"),
        listed=False,
    ),
    Rule(
        "commutes_by",
        r"(?:坐|乘坐?|搭乘?)(?P<o>地铁|公交车?|火车|高铁|班车|轮渡|公车|"
        r"捷运|巴士|电车|轻轨|校车|出租车|网约车)(?:去)?(?:上下?班|通勤|"
        r"上学|去公司|去单位|去学校)",
        value=ValueKind.TEXT,
    ),
    Rule(
        "commutes_by",
        r"(?P<o>骑(?:自行|电动|电瓶|单|摩托|共享单)?车|骑行|开车|走路|步行|"
        r"打车|跑步|拼车)(?:去)?(?:上下?班|通勤|上学|去公司|去单位|去学校)",
        value=ValueKind.TEXT,
    ),
    Rule(
        "earns",
        r"(?:月薪|年薪|工资|薪水|月收入|年收入|时薪|底薪)(?:是|有|大概|大约|"
        r"每月|一个月|为|到手|:)*(?P<o>(?:\d[\d,.]*(?:千|万|k|K|w)?|[一二两三四五六七八九十]+[千万][一二三四五六七八九]?千?)"
        r"多?(?:块钱?|"
        r"元|人民币|欧元|美元|刀)?)",
        Kind.ATTRIBUTE,
        value=ValueKind.TEXT,
    ),
    Rule(
        "earns",
        r"(?:月薪|年薪|工资|薪水)(?:涨|加|提|降)(?:到|"
        r"至)了?(?P<o>\d[\d,.]*(?:千|万|k|K|w)?多?(?:块钱?|元|人民币|欧元|"
        r"美元)?)",
        Kind.CHANGE,
        value=ValueKind.TEXT,
    ),
    Rule("works_on", rf"负责{_O}", check=lacks(r"[做写跑带管]$"), longest=14),
    Rule(
        "leads",
        r"(?:带|管理|带领|领导)(?:着|了)?(?P<o>.{1,10}(?:团队|组|部门|队|项目组))",
        check=lacks(r"^\d|人的?(?:团队|组)$"),
    ),
    Rule(
        "works_shift",
        r"(?:上|值|倒)(?P<o>夜班|白班|晚班|早班|中班|大夜班|三班倒)",
        value=ValueKind.TEXT,
        needs=frozenset({Mark.NOW, Mark.HABIT, Mark.STILL, Mark.NOT, Mark.FORMER}),
    ),
    Rule(
        "works_in_field",
        rf"(?:从事|在){_O}(?:行业|领域|圈)(?:工作|上班|打拼)?",
        value=ValueKind.TEXT,
        listed=False,
    ),
)
