"""Rules of tastes, habits, languages and skills."""

from __future__ import annotations

from graphmem.extraction.patterns.zh_marks import Mark
from graphmem.extraction.patterns.zh_people import ROLE_WORDS
from graphmem.extraction.patterns.zh_rule import Kind, Rule, checks, lacks
from graphmem.model.entity import ValueKind

_O = r"(?P<o>.+?)"
_TEXT = ValueKind.TEXT
_LANGUAGE = r"[^的了着过说讲学]{1,6}(?:语|话|文)|\w{0,3}方言|手语"
_SKILL = (
    r"弹(?:钢琴|吉他|古筝|琵琶|贝斯|尤克里里)|拉(?:小提琴|"
    r"大提琴|二胡|手风琴)|吹(?:大号|小号|笛子|长笛|口琴|萨克斯|"
    r"单簧管|圆号|箫|葫芦丝)|打(?:鼓|架子鼓|篮球|网球|羽毛球|"
    r"乒乓球|高尔夫|"
    r"太极拳?|太极)|游泳|(?:蛙|自由|蝶|仰)泳|开(?:车|手动挡|"
    r"卡车|飞机|船)|骑(?:自行车|马|摩托车?)|滑(?:雪|冰|板|轮滑)|"
    r"做(?:饭|菜|蛋糕|木工|衣服|甜品|家具|[川粤湘鲁闽徽]菜)|"
    r"编程|写(?:代码|程序|毛笔字|诗)|"
    r"画(?:画|油画|国画|水彩|素描|漫画)|下(?:围棋|象棋|国际象棋|"
    r"棋)|修(?:车|电脑|自行车|手表|钟表)|织(?:毛衣|围巾)|唱歌|"
    r"唱(?:京剧|昆曲|粤剧)|跳(?:舞|芭蕾|街舞|探戈|伞)|剪(?:辑|"
    r"视频|纸)|潜水|冲浪|书法|"
    r"木工|攀岩|烘焙|拍照|摄影|调酒|变魔术|做手工|裁缝|手冲咖啡|拉花"
)
_BALL = (
    r"篮球|足球|网球|羽毛球|乒乓球|排球|高尔夫|台球|棒球|保龄球|"
    r"冰球|橄榄球|壁球|麻将|太极拳?|架子鼓|鼓"
)
_INSTRUMENT = (
    r"钢琴|吉他|古筝|琵琶|贝斯|尤克里里|小提琴|大提琴|二胡|"
    r"手风琴|大号|小号|笛子|长笛|口琴|萨克斯|单簧管|古琴|扬琴|"
    r"中提琴"
)


_habit = frozenset(
    {Mark.HABIT, Mark.NOT, Mark.STILL, Mark.NOW, Mark.FORMER, Mark.BEGIN, Mark.NO_MORE}
)
_tasted = lacks(
    r"^(?:你|我|上|过|人(?![多少])|情|心|好|干净|到|和|就)|你|这|去(?:年|"
    r"世)|^爱|一个人$|的人$|时$|的话|出来|做$|感觉$|[乱吵]$|^班的|^[吃喝玩看听买住睡]$"
)

RULES: tuple[Rule, ...] = (
    # --- Tastes
    Rule(
        "favourite_*",
        r"最?(?:喜欢|喜爱|爱|心爱|钟爱)(?:吃|喝|看|听|玩|"
        r"去)?的(?P<c>[^的是]{1,5}?)(?:就|应该|一直|当然)?(?:是|:)"
        r"(?P<o>.+?)",
        needs=frozenset({Mark.DEGREE}),
    ),
    Rule(
        "prefers",
        r"(?:更加?|还是更|比较|偏|更为)(?:喜欢|爱|偏爱|偏好)(?:吃|喝)?(?P<o>.+?)",
        check=_tasted,
    ),
    Rule("prefers", r"喜欢(?P<o>.+?)(?:多过|胜过|超过|多于)(?:.+)", check=_tasted),
    Rule(
        "likes",
        r"(?:喜欢上(?![班学课网海])|爱上|迷上|爱好上)了?(?:吃|喝)?(?P<o>.+?)",
        Kind.CHANGE,
        check=_tasted,
    ),
    Rule(
        "likes",
        r"(?:喜欢(?:一个人|独自)?|热爱|酷爱|钟爱|喜爱|痴迷于?|沉迷于?|沉醉于)(?:吃|喝)?(?:的(?:就)?是)?(?P<o>.+?)",
        check=_tasted,
    ),
    Rule(
        "likes",
        r"喜欢的(?:书|电影|歌|歌手|乐队|菜|动漫|游戏|作家|演员|颜色|水果|运动|零食|城市)(?:主要)?(?:是|有|包括)(?P<o>.+?)",
        check=_tasted,
    ),
    Rule(
        "likes",
        r"爱(?:吃|喝|)(?P<o>(?<=[吃喝]).{1,8}?|(?:看|听|玩|打|跳|唱|钓|"
        r"画|逛|穿|养|读|运动|旅游|爬山|跑步|摄影).{0,8}?)",
        check=_tasted,
    ),
    Rule(
        "dislikes",
        r"(?:讨厌|厌恶|反感|受不了|忍受不了|无法忍受|痛恨|嫌弃|"
        r"吃不惯|喝不惯|吃不了|不喜(?!欢))(?:吃|喝)?(?P<o>.+?)",
        check=_tasted,
    ),
    Rule(
        "fears",
        r"(?:怕|害怕|恐惧)(?P<o>.+?)",
        check=lacks(
            r"^(?:你|我|他|她|是|冷|热|痒|累|麻烦|晒|要|太)|[不会没被错忘丢]|自己|"
            r"迟到|耽误|打扰|尴尬|失望|误会|赶不|生气|[万]一|"
            rf"^{ROLE_WORDS}$"
        ),
    ),
    Rule(
        "interested_in",
        rf"对{_O}(?:一点儿?|完全|根本|并)*(?:兴趣都没有|兴趣也没有|毫无兴趣|没有?兴趣|提不起兴趣)",
        negative=True,
        longest=12,
    ),
    Rule(
        "interested_in",
        rf"对{_O}(?:都|也|还|一直|很|非常|特别|挺|最|越来越|比较|"
        rf"十分|蛮|更)*(?:感兴趣|有兴趣|着迷)(?:的)?",
        longest=12,
    ),
    Rule(
        "practises",
        r"(?:兴趣爱好|业余爱好|爱好|兴趣)(?:就)?(?:是|有|包括|:)"
        r"(?P<o>.+?)",
        longest=12,
    ),
    Rule(
        "practises",
        r"(?:练|练习)(?P<o>瑜伽|书法|拳击|太极拳?|普拉提|空手道|"
        r"柔道|跆拳道|散打|咏春|八段锦|字|毛笔字|长跑|举重|口语)",
        check=lacks("^口语$"),
    ),
    Rule(
        "practises",
        r"(?P<o>跑步|晨跑|夜跑|冥想|游泳|打坐|写日记|做瑜伽|撸铁|骑行)",
        needs=frozenset({Mark.HABIT}),
    ),
    Rule("exercises", r"(?:去)?(?:健身房?|锻炼身体?|运动)", needs=frozenset({Mark.HABIT})),
    Rule(
        "supports",
        r"是(?P<o>.+?)(?:的)?(?:队)?(?:球迷|死忠粉?|铁粉|粉丝|歌迷|影迷|书迷|车迷)",
        check=lacks(rf"^{ROLE_WORDS}$"),
        spoken=True,
    ),
    Rule("supports", r"支持(?P<o>.+?队)"),
    Rule("plays", rf"(?:弹|拉|吹)(?P<o>{_INSTRUMENT})", needs=_habit),
    Rule("plays", rf"(?:去)?打(?P<o>{_BALL})", needs=_habit),
    Rule(
        "reads",
        r"(?:在|重)?(?:读|阅读|重读|看)(?:着)?(?:一本|本|"
        r"这本)?(?:书|小说|名叫|叫|书叫|小说叫)?(?P<o>《[^》]+》)"
        r"(?:这本书|这本小说|这部小说)",
        types=("book",),
    ),
    Rule(
        "reads",
        r"(?:在|重)?(?:读|阅读|重读)(?:着)?(?:一本|本|这本)?(?:书|小说)?(?:叫)?(?P<o>《[^》]+》)",
        types=("book",),
    ),
    Rule(
        "watches",
        r"(?:在)?(?:追|追剧|追番)(?:着)?(?:一部|部)?(?:剧|番)?(?P<o>《[^》]+》)(?:这部剧)?",
    ),
    Rule(
        "listens_to",
        r"听(?P<o>.+?)",
        check=lacks("^(?:说|到|过|了|见|完|歌|话|不|起来|你|课)"),
        needs=frozenset({Mark.HABIT}),
        longest=10,
    ),
    # --- Languages and skills
    Rule(
        "speaks",
        rf"(?:会|能|可以)(?:说|讲)?(?:一点儿?|一些|点儿?|流利的?|"
        rf"简单的?|一口流利的?)*(?P<o>(?:{_LANGUAGE})(?:(?:、|和|跟|"
        rf"与|以及|还有)(?:{_LANGUAGE}))*)",
    ),
    Rule("speaks", rf"(?P<o>{_LANGUAGE})(?:只?会|能说|能讲)(?:说|讲)?(?:一点点?儿?|一些|点儿?)?"),
    Rule(
        "attends",
        r"(?:去)?上(?P<o>(?:瑜伽|舞蹈|书法|钢琴|吉他|声乐|绘画|油画|陶艺|烘焙|普拉提|街舞|英语|日语|法语|德语)课)",
        needs=frozenset({Mark.HABIT}),
    ),
    Rule("speaks", r"(?:精通|熟练掌握|掌握)(?P<o>.+?)", check=checks(_LANGUAGE)),
    Rule("native_language", r"母语(?:就)?是(?P<o>.+?)", Kind.ATTRIBUTE),
    Rule("can_do", rf"(?:会|擅长|学会了?|能)(?:一点点?儿?|一些)?(?P<o>{_SKILL})", value=_TEXT),
)
