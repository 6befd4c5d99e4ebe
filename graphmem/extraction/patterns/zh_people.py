"""Who a Chinese clause is about: roles ("我房东"), names, and where they begin and end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from graphmem.extraction.patterns.sentences import words
from graphmem.model.roles import HAN_ROLES, RELATION_OF_ROLE

RELATIONS = {word: (role, RELATION_OF_ROLE[role]) for word, role in HAN_ROLES.items()}
"""Word -> (role slug, relation)."""
_FAMILY = frozenset(
    [
        "wife",
        "husband",
        "son",
        "daughter",
        "partner",
        "mother",
        "father",
        "landlord",
        "sister",
        "brother",
        "grandmother",
        "grandfather",
    ]
)
# Family and lovers are the speaker's own also without 我.
_OWN = {
    word
    for word, (role, _) in RELATIONS.items()
    if role in _FAMILY
    and len(word) > 1
    and word not in {"先生", "太太", "夫人", "对象", "爱人", "母亲", "父亲"}
}
_ROLE = "|".join(sorted(RELATIONS, key=len, reverse=True))
ROLE_WORDS = f"(?:{_ROLE})"
_MINE = re.compile(
    rf"(?:我|我们|咱|咱们|俺)(?:家)?(?:的|[\d一二两三四五六七八九十]+岁半?的)?(?:那个?)?(?P<role>{_ROLE})"
)
_PLAIN_ROLE = re.compile("|".join(sorted(_OWN, key=len, reverse=True)))

_SURNAMES = (
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余"
    "潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文祁裴葛苗庄柯翁霍聂耿詹滕鲍"
)
_RARE = "柏骆岳倪虞褚卞梅奚阮闫鲁韦凌欧缪戚娄佟岑"
_TWO = "欧阳|司马|上官|诸葛|慕容|令狐|皇甫|尉迟|公孙|夏侯|端木|司徒|独孤|长孙|宇文|呼延"
SURNAME = f"{_TWO}|[{_SURNAMES}{_RARE}]"
"""Surnames; the rare ones only where the words around them say that a name follows."""
_TITLE = (
    "(?:先生|女士|小姐|太太|老师|教授|医生|大夫|律师|师傅|经理|总|阿姨|叔叔|同学|博士|主任|教练)"
)
# Characters that do not occur in a given name beside a verb, but do in adverbs and particles.
_NEVER = (
    "也都不很就还真最在是的了和从到被把给常总又再没有要会能想去来说做吃喝看听用跟对着过得"
    "我你他她它这那个上下前后里外时候"
)
_GIVEN = rf"[^\W\d_a-zA-Z{_NEVER}]"
_FULL = rf"(?:{_TWO}|[{_SURNAMES}])(?:{_GIVEN}{{1,2}})"
_NICK = (
    rf"[小老阿大][^\W\d_a-zA-Z{_NEVER}子孩家朋学伙姑时公妈板师人们实概约多部量型声腿鼠虎外乡年婆]"
)
_DOUBLE = rf"({_GIVEN})\1"
_LATIN = r"[A-Z][a-zA-Z'’.-]{1,20}(?: [A-Z][a-zA-Z'’-]{1,20}){0,2}"
_NOT_NAMES = re.compile(
    r"^(?:钱[包财币夹]|欧[洲元美盟式]|梅[雨花干子]|凌晨|鲁莽|岳[父母]|周[末围边一二三四五六日天年]|高[中考铁兴速级温价]|"
    r"白[天酒菜色领]|金[融属额牌毛]|王[国子牌者]|江[南北苏西]|林[业区]|"
    r"万[一分事]|文[化章学件字具]|方[法便向式面案言]|石[头油家]|"
    r"马[上路拉]|夏[天日季]|常[常见识]|易[于]|龙[虾]|黄[色金山]|"
    r"何[况必时]|任[何务]|余[下额]|田[径野]|史[上]|于[是此]|孔|汤[圆]|"
    r"江|万分|段|老[幺大二三四五六小么]|武[汉器]|小[区说时学吃店城镇型孩病手气心声便伤脑动费偷狗猫米麦]|"
    r"老[家师板人乡实]|大[家学概约多量部]|阿[姨拉根])"
)
_HONORED = re.compile(rf"(?:{SURNAME}){_GIVEN}{{0,2}}{_TITLE}")
_SOUNDS = (
    "阿艾安奥巴贝比布达德迪杜恩尔法菲弗格古哈海霍吉加卡凯克拉莱兰劳勒雷里丽利莉莲琳卢鲁伦罗洛玛麦曼米莫默姆娜纳奈尼"
    "诺努帕佩皮普奇乔琼瑞萨莎山珊桑沙史斯苏索塔泰特提托瓦维温沃希辛雅亚扬伊尤泽扎詹珍佐"
)
_FOREIGN = rf"[{_SOUNDS}]{{2,4}}"
_NAME = re.compile(
    f"{_HONORED.pattern}|{_LATIN}|{_FULL}|[{_RARE}]{_GIVEN}{{1,2}}|{_NICK}|{_DOUBLE}"
)
_CERTAIN = re.compile(f"{_HONORED.pattern}|[小老阿][{_SURNAMES}]|阿{_GIVEN}|{_LATIN}|{_FULL}")
_PRONOUN = re.compile("他|她|它")
_NEVER_NAME = frozenset(
    [
        "I",
        "We",
        "They",
        "He",
        "She",
        "It",
        "You",
        "My",
        "Our",
        "The",
        "This",
        "That",
        "App",
        "OK",
        "Hi",
        "AI",
        "ChatGPT",
        "Siri",
    ]
)


@dataclass(frozen=True, slots=True)
class Who:
    """The subject of a clause, as words: ``text[begin:stop]`` of the reduced clause.

    Attributes:
        stop: where the words after it begin.
        kind: "me", "role" (``word`` says which), "name" or "pronoun".
        name: the stretch of a name after a role (我妹妹小棠), or of the name itself.
    """

    stop: int
    kind: str
    begin: int = 0
    word: str = ""
    name: tuple[int, int] | None = None


def is_role(text: str) -> bool:
    """Whether the words are a role word."""
    return text in RELATIONS


TITLED = re.compile(
    rf"(?:{_TWO}|[^\W\d_A-Za-z女男名老副前总好新小大校班家主客医律教农法学美艺厨琴舞体数语英])"
    r"(?:先生|女士|小姐|太太|老师|医生|大夫|律师|师傅|教授|经理|总)"
)
"""A surname and a title: 毕老师, while 女医生 and 班主任 are nobody's names."""


def is_name(text: str) -> bool:
    """Whether the words can be a person's name: after 叫, or right after a role."""
    if text in _NEVER_NAME:
        return False
    titled = TITLED.fullmatch(text) is not None  # 欧先生, whatever the surname
    return titled or (bool(_NAME.fullmatch(text)) and not _NOT_NAMES.match(text))


_NAMED_HE = re.compile(rf"(?:{SURNAME}){_GIVEN}和")
_VERB_AFTER = re.compile(r"是|住|也|很|喜欢|刚|已经|搬|在|今年|去年")


def is_whole_name(text: str) -> bool:
    """Whether all the words are a name: also one written by sound, or one that ends in 和."""
    ends = _NAMED_HE.fullmatch(text) is not None
    foreign = re.fullmatch(_FOREIGN, text) is not None and not _NOT_NAMES.match(text)
    return is_name(text) or ends or foreign


def may_be_called(text: str) -> bool:
    """Whether the words can be a name where the sentence says it is one ("我叫…")."""
    return bool(
        re.fullmatch(
            rf"[^\W\d_]{{1,6}}(?:[·・ ][^\W\d_]{{1,12}})*|{_LATIN}|[A-Za-z][\w-]{{1,20}}", text
        )
    ) and not re.search(
        r"[的了吗呢吧么不很在是有我你她它这那]|(?<!吉)他|外卖|滴滴|出租|"
        r"[去拿帮找叫给带]|起床|一起|吃饭|[过回]来|加油",
        text,
    )


# What the speaker has of their own, so that 我的 before it means the speaker.
_OWN_THINGS = (
    "生日|手机|电话|邮箱|母语|爱好|兴趣|业余|目标|梦想|理想|愿望|名字|"
    "全名|姓名|真名|本名|大名|小名|昵称|外号|绰号|英文名|网名|笔名|"
    "血型|身高|体重|职业|职位|工作是|本职|专业|老家|家乡|籍贯|故乡|"
    "预算|月薪|年薪|工资|薪水|收货|家庭地址|通讯|邮寄|国籍|心情|情绪|"
    "学历|新号|新手机|"
    "年龄|鞋码|尺码|鞋|车子?是|公司名?叫|微信名|网名|狗|猫|兔|仓鼠|鹦鹉|乌龟|那[只条]"
)
_ME = re.compile(
    rf"(?:我|俺|本人|咱)(?:[和跟与](?:我的?)?{ROLE_WORDS}(?=都|在.{{1,8}}(?:定居|住|安家)|住在|搬))?(?:们|俩)?(?:自己|本人|这个?人吧?)?(?:的(?={_OWN_THINGS})|"
    rf"家里?的?(?=住|搬|养|有|还|没|从来|一直|也|[一两三四五]只|[一两三]条|新?来了|又?添了|领养|狗|猫|兔|仓鼠|鹦鹉|乌龟|那[只条]))?"
    r"(?![的家])"
)


def subjects(text: str, at: int, known: frozenset[str]) -> Iterator[Who]:
    """Yield what may be the subject at ``at``, likeliest first."""
    mine = _MINE.match(text, at)
    if mine is not None:
        yield from _roles(text, at, mine.end(), mine.group("role"))
    me = _ME.match(text, at)
    if me is not None:
        yield Who(me.end(), "me", at)
        return
    if mine is not None:
        return
    pronoun = _PRONOUN.match(text, at)
    if pronoun is not None:
        yield from _chains(text, at, pronoun.end())
    if pronoun is not None and text[pronoun.end() : pronoun.end() + 1] not in set("们的"):
        yield Who(pronoun.end(), "pronoun", at, pronoun.group())
        return
    own = _PLAIN_ROLE.match(text, at)
    if own is not None:
        yield from _roles(text, at, own.end(), own.group())
    for length in (2, 3, 4, 5):
        word = text[at : at + length]
        if len(word) == length and word in known:
            yield Who(at + length, "name", at, name=(at, at + length))
            yield from _chains(text, at, at + length)
    yield from _names(text, at)


def _ends_in_he(text: str, at: int, length: int) -> bool:
    """Whether 叶清和 is a name, as a verb follows the 和."""
    name = text[at : at + length]
    return length == 3 and bool(_NAMED_HE.fullmatch(name) and _VERB_AFTER.match(text, at + 3))


def _roles(text: str, begin: int, stop: int, word: str) -> Iterator[Who]:
    yield from _chains(text, begin, stop)
    if text[stop : stop + 1] != "的":
        yield Who(stop, "role", begin, word)
    for length in (2, 3, 4):
        name = text[stop : stop + length]
        if len(name) == length and (is_name(name) or _ends_in_he(text, stop, length)):
            yield Who(stop + length, "role", begin, word, (stop, stop + length))
    latin = re.compile(_LATIN).match(text, stop)
    if latin:
        yield Who(latin.end(), "role", begin, word, latin.span())


_BESIDE = "(?:老公|老婆|丈夫|妻子|媳妇|男朋友|女朋友|对象|班主任|老师|教练|导师|主治医生|领导|上司)"
_CHAINED = re.compile(
    rf"的(?:钢琴|英语|数学|语文|游泳|健身|舞蹈|班|大学|高中)?(?P<r1>{ROLE_WORDS})|(?P<r2>{_BESIDE})"
)


def _chains(text: str, begin: int, stop: int) -> Iterator[Who]:
    """Yield 我姐姐的老公, 我女儿班主任, 小祁的领导: who is somebody else's."""
    found = _CHAINED.match(text, stop)
    if found is not None and text[found.end() : found.end() + 1] != "的":
        word = found.group("r1") or found.group("r2")
        yield Who(found.end(), "chain", begin, word, (begin, stop))


# What is said of a person: 小满 before it is one, and no 小区.
_OF_A_PERSON = re.compile(
    r"不?是(?:\d|[一二三四五六七八九十]{1,3}岁|我)|今年|去年|上周|上个?月|昨天|早就|已经|"
    r"不?(?:吃|喝|喜欢|爱|住在?|会|姓|抽烟|喝酒)|对.{1,8}过敏|宿醉|发烧|感冒|在.{2,10}(?:上班|开|工作|上学|待|住)|"
    r"从.{1,10}(?:调|搬|换|转|毕业|辞)|[\d一二三四五六七八九十]{1,3}岁|调到|搬到|搬去|入职|跳槽|吃素"
)
_DOUBLED_WORDS = words(
    "天天 常常 刚刚 慢慢 渐渐 偷偷 默默 悄悄 往往 明明 偏偏 仅仅 统统 通通 足足 整整"
    " 种种 人人 家家 年年 月月 日日 处处 时时 事事 个个 每每 稍稍 微微 白白 早早 好好"
    " 乖乖 远远 深深 久久 满满 匆匆 连连 屡屡 恰恰 爸爸 妈妈 爷爷 奶奶 哥哥 姐姐 弟弟"
    " 妹妹 叔叔 舅舅 姑姑 婶婶 伯伯 公公 婆婆 宝宝 猫猫 狗狗 谢谢 拜拜 哈哈 嘿嘿 呵呵"
    " 嗯嗯 等等 看看 想想 试试 听听 说说 问问 星星"
)
_THINGS = re.compile(
    r"小(?:[票费组屋院包笼菜酒杯盒箱桌椅床灯衣鞋车船鸟鱼虫草花树河湖山镇巷街路桥岛贩雨雪节段篇本数条众店馆铺])|"
    r"老(?:[房歌街城镇村路照手电车小区本行年毛花店])|阿[莫西林里云]|大"
)


def _small_names(text: str, at: int) -> Iterator[Who]:
    """Yield 小满 and 豆豆 where what follows is said of people."""
    name = text[at : at + 2]
    doubled = re.fullmatch(_DOUBLE, name) and name not in _DOUBLED_WORDS
    nick = re.fullmatch(_NICK, name) and not _THINGS.match(name) and not _NOT_NAMES.match(name)
    if (doubled or nick) and _OF_A_PERSON.match(text, at + 2):
        yield Who(at + 2, "name", at, name=(at, at + 2))
    if nick or doubled:
        yield from _chains(text, at, at + 2)


def _names(text: str, at: int) -> Iterator[Who]:
    seen: set[int] = set()
    yield from _small_names(text, at)
    for pattern in (_HONORED, re.compile(_LATIN)):
        found = pattern.match(text, at)
        if found and found.group() not in _NEVER_NAME and not found.group().isupper():
            seen.add(found.end())
            yield Who(found.end(), "name", at, name=found.span())
    if _ends_in_he(text, at, 3):
        yield Who(at + 3, "name", at, name=(at, at + 3))
    for length in (2, 3):
        name = text[at : at + length]
        fits = len(name) == length and at + length not in seen
        fits = fits and not name.isupper()  # "API"
        if fits and _CERTAIN.fullmatch(name) and not _NOT_NAMES.match(name):
            yield from _chains(text, at, at + length)
            yield Who(at + length, "name", at, name=(at, at + length))
