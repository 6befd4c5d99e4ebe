"""Rules of who one is, health and food."""

from __future__ import annotations

from graphmem.extraction.patterns.zh_marks import Mark
from graphmem.extraction.patterns.zh_people import is_whole_name, may_be_called
from graphmem.extraction.patterns.zh_rule import Kind, Rule, lacks
from graphmem.model.entity import ValueKind

_O = r"(?P<o>.+?)"
_TEXT = ValueKind.TEXT
_NUMBER = ValueKind.NUMBER
_DATE = (
    r"(?:农历|阴历|"
    r"阳历)?(?:[\d〇零一二三四五六七八九十]+年)?[\d一二三四五六七八九十正腊]+月(?:初?[\d一二三四五六七八九十廿]+)?[日号]?|"
    r"\d{4}[-/]\d{1,2}[-/]\d{1,2}|\d{1,2}[-/.]\d{1,2}"
)
_CONDITION = (
    r"(?:过敏性)?[^的了着过\d]{0,8}?(?:病|症|炎|高血压|低血压|高血脂|高血糖|哮喘|癌|近视|色盲|色弱|失眠|贫血|偏头痛|痛风|湿疹|强迫症|抑郁|焦虑症|"
    r"风湿|乙肝|甲肝|腰椎间盘突出|腰突|脂肪肝|甲亢|甲减|心律不齐|椎间盘突出|结节|肿瘤|囊肿|帕金森|白血病|癫痫|关节炎)"
)
_MEDICINE = (
    r".{0,6}(?:药|片|胶囊|胰岛素|二甲双胍|舍曲林|氟西汀|布洛芬|阿司匹林|缬沙坦|氨氯地平|他汀|"
    r"钙片|维生素.?|褪黑素|避孕药|优甲乐|洛尔|沙坦|地平|西汀|拉唑|霉素|西林)"
)
_INDULGED = {
    "smokes": r"(?:香?烟|抽烟|吸烟|电子烟)",
    "drinks_alcohol": r"(?:酒|喝酒|白酒)",
    "drinks": r"(?P<o>喝?(?:咖啡|奶茶|可乐|茶|饮料|碳酸饮料|汽水|牛奶|浓茶))",
    "eats": (
        r"(?P<o>吃?(?:糖|甜食|甜品|辣|肉|零食|夜宵|油炸食品|"
        r"碳水|主食|红肉|海鲜|奶制品|巧克力))"
    ),
}


_habit = frozenset(
    {Mark.HABIT, Mark.NOT, Mark.STILL, Mark.NOW, Mark.FORMER, Mark.BEGIN, Mark.NO_MORE}
)
_refused = frozenset({Mark.NOT, Mark.NO_MORE})
_matter = lacks(
    r"声音|数字|老板|领导|[上加下]班|话题?$|婚|换季|学习|考试|早起|工作|人$|男|女|套路|鸡汤"
)
_not_meal = lacks(
    r"^(?:饭|药|完|到|过|一顿|饱|点|得|惯|不|苦|亏|醋|力|了|去|来|上|下|准|住|起|顿|食堂|硬|软)|饭$"
)

RULES: tuple[Rule, ...] = (
    # --- Identity
    Rule(
        "has_name",
        r"(?:名字|全名|姓名|本名|真名|大名)?(?:叫做?|名叫|名字叫做?)(?P<o>.+?)",
        Kind.ATTRIBUTE,
        value=_TEXT,
        check=may_be_called,
        own=True,
        written=True,
        listed=False,
    ),
    Rule(
        "has_name",
        r"(?:名字|全名|姓名|本名|真名|大名)(?:就)?是(?P<o>.+?)",
        Kind.ATTRIBUTE,
        value=_TEXT,
        check=may_be_called,
        own=True,
        listed=False,
    ),
    Rule(
        "has_name",
        r"是(?P<o>.+?)",
        Kind.ATTRIBUTE,
        value=_TEXT,
        check=is_whole_name,
        own=True,
        written=True,
        listed=False,
    ),
    Rule(
        "has_name",
        r"(?:改)?叫(?P<o>.+?)",
        Kind.CHANGE,
        value=_TEXT,
        check=may_be_called,
        own=True,
        listed=False,
        near="改名",
        needs=frozenset({Mark.NOW}),
    ),
    Rule(
        "also_known_as",
        r"(?:(?:给自己)?(?:取|起)了?(?:一?个)?)?(?:小名|昵称|外号|绰号|英文名|笔名|网名|别名|艺名|微信名|游戏名)(?:叫做?|是)(?P<o>.+?)",
        Kind.ATTRIBUTE,
        value=_TEXT,
        check=may_be_called,
        listed=False,
    ),
    Rule(
        "also_known_as",
        r"把?(?:昵称|网名|笔名|微信名|微信昵称|游戏名)(?:改|换)(?:成|为)了?(?P<o>.+?)",
        Kind.CHANGE,
        value=_TEXT,
        check=may_be_called,
        listed=False,
    ),
    Rule(
        "born_on",
        rf"生日(?:是在?|在|:)?(?P<o>{_DATE})(?:那天)?",
        Kind.ATTRIBUTE,
        value=ValueKind.DATE,
    ),
    Rule(
        "born_on",
        r"(?:出?生于|是)?(?P<o>(?:19|20)\d\d年(?:[\d一二三四五六七八九十]+月(?:[\d一二三四五六七八九十]+[日号])?)?)(?:出生|生)的?",
        Kind.ATTRIBUTE,
        value=ValueKind.DATE,
    ),
    Rule(
        "born_on",
        rf"出?生于(?P<o>(?:19|20)\d\d年.{{0,8}}|{_DATE})",
        Kind.ATTRIBUTE,
        value=ValueKind.DATE,
    ),
    Rule(
        "age",
        r"(?:年龄是|满)?(?P<o>(?:\d{1,3}|[一二三四五六七八九十]{1,4})岁)(?:半)?",
        Kind.ATTRIBUTE,
        value=_NUMBER,
    ),
    Rule(
        "height",
        r"(?:身高)(?:是|有|为|大概|差不多|:)*"
        r"(?P<o>[\d.]+(?:米|m|M|厘米|公分|cm|CM)\d{0,2}|[一二]米[一二三四五六七八九]{1,2})",
        Kind.ATTRIBUTE,
        value=_NUMBER,
    ),
    Rule(
        "weight",
        r"(?:体重)(?:是|有|为|大概|差不多|:)*(?P<o>(?:[\d.]+|[一二三四五六七八九十百两]+)(?:公斤|斤|kg|KG|千克))",
        Kind.ATTRIBUTE,
        value=_NUMBER,
    ),
    Rule(
        "weight",
        r"(?P<o>(?:[\d.]{2,5}|[一二三四五六七八九十百两]{2,6})(?:公斤|斤|kg|KG|千克))",
        Kind.ATTRIBUTE,
        value=_NUMBER,
        own=True,
        near="身高|一米|1米|体重|减脂|减肥|厘米|cm|胖|瘦",
    ),
    Rule(
        "weight",
        r"(?:体重)(?:降|减|涨|瘦|升)(?:到|至)了?(?P<o>[\d.]+(?:公斤|斤|kg|KG|千克))",
        Kind.CHANGE,
        value=_NUMBER,
    ),
    Rule(
        "blood_type",
        r"(?:血型)?(?:是|:)?(?P<o>(?:AB|A|B|O|RH阴性|Rh阴性)型)(?:血)?",
        Kind.ATTRIBUTE,
        value=_TEXT,
    ),
    Rule(
        "phone_number",
        r"的?(?:手机号码?|电话号码?|电话|手机|联系方式|号码)(?:是|为|:)"
        r"(?P<o>\+?[\d(][\d ()-]{5,18}\d)",
        Kind.ATTRIBUTE,
        value=_TEXT,
    ),
    Rule(
        "phone_number",
        r"(?:换了?)?(?:新号码?|新手机号|新电话)(?:是|为|:)(?P<o>\+?[\d(][\d ()-]{5,18}\d)",
        Kind.CHANGE,
        value=_TEXT,
    ),
    Rule(
        "phone_number",
        r"把?的?(?:手机号码?|电话号码?|电话|手机|号码)(?:已经|刚)?(?:换|改)(?:成|为|到)了?"
        r"(?P<o>\+?[\d(][\d ()-]{5,18}\d)",
        Kind.CHANGE,
        value=_TEXT,
    ),
    Rule(
        "email_address",
        r"的?(?:电子)?(?:邮箱|邮件地址|email|Email|邮箱地址)(?:是|为|:)?(?P<o>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)",
        Kind.ATTRIBUTE,
        value=_TEXT,
    ),
    Rule(
        "email_address",
        r"用(?:的是)?(?P<o>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)",
        Kind.CHANGE,
        value=_TEXT,
        near="邮箱换|换了?.{0,4}邮箱",
    ),
    Rule(
        "email_address",
        r"(?:电子)?(?:邮箱|邮件地址|邮箱地址)(?:换|改)(?:成|为|到)了?"
        r"(?P<o>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)",
        Kind.CHANGE,
        value=_TEXT,
    ),
    Rule(
        "postal_address",
        r"(?:收货|家庭|通讯|邮寄)地址(?:是|为|:)(?P<o>.{4,40})",
        Kind.ATTRIBUTE,
        value=_TEXT,
        plain=False,
        listed=False,
        longest=40,
    ),
    Rule(
        "phone_number",
        r"新的(?:号码?)?(?:是|为|:)(?P<o>\+?[\d(][\d ()-]{5,18}\d)",
        Kind.CHANGE,
        value=_TEXT,
        near="号",
    ),
    Rule(
        "size",
        r"(?:穿)?(?P<q>鞋|衣服|上衣|裤子?|T恤|衬衫)(?:的?尺?码)?(?:是|穿|:)"
        r"(?P<o>\d{2}(?:\.5)?码?|[SMLX]{1,4}码?)(?:的)?",
        Kind.ATTRIBUTE,
        value=_TEXT,
        qualifier="of",
    ),
    Rule(
        "gender",
        r"是(?:一个|个)?(?P<o>男|女)(?:的|生|性|孩子?)",
        Kind.ATTRIBUTE,
        value=_TEXT,
        own=True,
    ),
    Rule(
        "religion",
        r"信(?:奉|仰)?(?P<o>佛教?|基督教?|天主教|伊斯兰教|道教|新教|犹太教)",
        value=_TEXT,
    ),
    Rule(
        "religion",
        r"是(?:一?[名个])?(?P<o>佛教|基督|天主教|穆斯林|道教|摩门教)(?:教?徒)?",
        value=_TEXT,
    ),
    Rule(
        "marital_status",
        r"(?:是)?(?:一直)?(?P<o>单身|已婚|未婚|离异|丧偶)(?:状态|人士|狗|汉)?(?:的)?",
        value=_TEXT,
    ),
    Rule(
        "marital_status",
        r"(?:(?:结婚|领证)的?|结的婚|领的证)",
        Kind.CHANGE,
        value=_TEXT,
        fixed="已婚",
        done=True,
    ),
    Rule(
        "is_a",
        r"(?P<o>(?:[白金双巨狮处天射摩水][羊牛子蟹女秤蝎手羯瓶]|双鱼|天秤|狮子|射手)座)(?:的)?",
        Kind.ATTRIBUTE,
        spoken=True,
    ),
    Rule(
        "is_a",
        r"是(?:一?[名个位])?(?P<o>左撇子|右撇子|独生子女?|独生女|双胞胎|色盲|[白金双巨狮处天射摩水][羊牛子蟹女秤蝎手羯瓶]座|双鱼座|天秤座|狮子座|射手座|夜猫子|早起的人|社恐|党员|孤儿|单亲妈妈|单亲爸爸)(?:的)?",
        Kind.ATTRIBUTE,
        spoken=True,
    ),
    # --- Health and food
    Rule(
        "allergic_to",
        rf"对{_O}(?:会|都|严重|重度|轻微|轻度|也|很|非常|极度|有点)*过敏(?:体质|的)?",
        check=_matter,
    ),
    Rule("allergic_to", rf"对{_O}(?:并|也|都)?不过敏(?:的)?", negative=True, check=_matter),
    Rule("allergic_to", rf"有{_O}过敏(?:史|症)?"),
    Rule(
        "allergic_to",
        r"(?P<o>[^有对会很是不的了又皮容易好像突然]{1,5})过敏",
        check=lacks("皮肤|季节|鼻|严重|重度|食物|经常|换季|春天|秋天|药物$"),
    ),
    Rule(
        "intolerant_to",
        r"(?:对|有)?(?P<o>乳糖|麸质|酒精|组胺|果糖|咖啡因|[^的了很对]{1,4})不耐受?(?:症)?(?:的)?",
    ),
    Rule(
        "has_condition",
        rf"(?:体检)?(?:才|就)?(?:发现(?:自己)?(?:有|得了|患了|患有)|患有|患上了?|得了?|(?:检查|查)(?:出来?|到)(?:了|有)*|确诊(?:了|为|是)*|被?诊断(?:为|出|患有|是)*)(?P<o>{_CONDITION})",
        Kind.CHANGE,
        check=lacks("^(?:病|症|炎|重病|大病)$"),
    ),
    Rule(
        "has_condition",
        rf"(?P<o>{_CONDITION})",
        check=lacks("^(?:病|症|炎|毛病|心病|癌)$|毛病|失眠"),
        needs=frozenset({Mark.STILL}),
        or_time=True,
        near="(?:年|月)[多半]?了",
    ),
    Rule(
        "has_condition",
        rf"(?:患有|有)(?:点儿?|些)?(?P<o>{_CONDITION})",
        check=lacks(
            "^(?:病|症|炎|毛病|心病|癌)$|毛病|选择困难|拖延|强迫|公主|直男|懒|尴尬|依赖|相思|"
            "红眼病|社交|职业病|恋爱|综合[症征]|密集"
        ),
    ),
    Rule(
        "takes_medication",
        r"(?:在)?(?:吃|服用?|打|注射)(?:着)?(?P<q>\d+(?:\.\d+)?(?:毫克|mg|微克|μg|单位|ml|毫升))(?:的)?(?P<o>.+?)",
        qualifier="dose",
    ),
    Rule(
        "takes_medication",
        rf"(?:在)?(?:吃|服用?|打|注射)(?:着)?(?P<o>{_MEDICINE})",
        check=lacks("^(?:药|中药|片|西药|感冒药|降压药$.)$|薯|^.?药片"),
        needs=_habit,
    ),
    Rule(
        "takes_medication",
        r"在(?:吃|服用?|打|用)(?:着)?(?P<o>优甲乐|胰岛素|二甲双胍|舍曲林|氟西汀|缬沙坦|氨氯地平|避孕药"
        r"|华法林|司美格鲁肽|.{0,4}(?:洛尔|沙坦|地平|他汀|西汀|拉唑|双胍))",
    ),
    Rule("takes_medication", r"(?:在)?(?:长期)?服用(?:着)?(?P<o>.+?)", check=lacks("^药")),
    Rule(
        "has_injury",
        r"(?P<o>(?:左|右)?(?:手腕|脚踝|膝盖|手臂|腿|小腿|锁骨|肋骨|手指|脚|腰|肩膀|胳膊)(?:骨折|扭伤|拉伤|脱臼|受伤))",
        Kind.CHANGE,
    ),
    Rule(
        "had_surgery",
        r"(?:刚)?(?:做|动)完?了?(?P<o>[^完过了好]{1,8}手术)",
        Kind.EVENT,
        value=_TEXT,
        done=True,
    ),
    Rule(
        "follows_diet",
        r"(?P<o>吃全素|吃纯素|吃长素|吃素|吃斋|吃肉)",
        value=_TEXT,
        check=lambda text: text != "吃肉",
    ),
    Rule(
        "follows_diet", r"(?P<o>吃肉|吃荤)", Kind.CHANGE, value=_TEXT, needs=frozenset({Mark.BEGIN})
    ),
    Rule(
        "follows_diet",
        r"是(?:一?[名个位])?(?P<o>素食|纯素|蛋奶素|鱼素|严格素食)(?:主义)?者?(?:的)?",
        value=_TEXT,
        spoken=True,
    ),
    Rule("avoids", r"(?:不能|不可以|不许|忌|要忌|不宜)(?:吃|喝|碰|沾)(?P<o>.+?)", check=_not_meal),
    Rule("has_child", r"(?:有)(?:任何)?(?:孩子|小孩|子女)", needs=_refused),
    Rule("has_sibling", r"(?:有)(?:任何)?(?:兄弟姐妹|兄弟姊妹)", needs=_refused),
    Rule("smokes", r"(?:抽|吸|碰)过?(?:香?烟|电子烟)"),
    Rule("drinks_alcohol", r"(?:喝|饮|沾|碰)过?酒"),
    *(
        Rule(
            slug, rf"(?:戒(?:掉|断)?[了的]?{words}|把{words}(?:给)?戒(?:掉)?)", Kind.END, done=True
        )
        if "?P<o>" not in words
        else Rule(slug, rf"戒(?:掉|断)?[了的]?{words}", Kind.END, done=True)
        for slug, words in _INDULGED.items()
    ),
    Rule("drinks", rf"把{_INDULGED['drinks']}(?:给)?戒(?:掉)?", Kind.END, done=True),
    Rule("eats", r"吃(?P<o>甜|辣|酸|咸|油腻|生|凉|冷)的", needs=_refused | {Mark.HABIT}),
    Rule("eats", rf"把{_INDULGED['eats']}(?:给)?戒(?:掉)?", Kind.END, done=True),
    Rule(
        "eats", rf"吃{_O}", check=_not_meal, needs=_refused | {Mark.HABIT, Mark.BEGIN}, longest=10
    ),
    Rule(
        "drinks",
        rf"喝(?:一[杯点瓶碗])?{_O}",
        check=lacks("^(?:完|过|到|多|醉|了|点|水$|酒$|不)"),
        needs=_refused | {Mark.HABIT, Mark.BEGIN},
        longest=10,
    ),
)
