"""What a Chinese sentence may not be read for: questions, wishes, fiction, other people's words."""

from __future__ import annotations

import re
from dataclasses import dataclass

from graphmem.extraction.patterns.frame import Refusal
from graphmem.extraction.patterns.zh_text import Clause, simplify

_QUESTION = re.compile(
    r"吗|什么|谁|哪[里儿个些家种位一]|哪(?=$|的)|(?<![不没])怎么|怎样|咋|为何|多少|"
    r"(?<![好十了着])几[点岁个时号月年天位只种]|何时|难道|来着|是否|"
    r"是不是|有没有|能不能|会不会|要不要|可不可以|可否|能否|好不好|"
    r"对不对|行不行|该不该|多[大久远长高]$|如何|"
    r"(?<![\u4e00-\u9fff]不)(?<!现)([\u4e00-\u9fff])不\1(?!不)|么$|还是.{1,12}(?:好呢|呢)$"
)
_TAG = re.compile(
    r"^(?:对吧|对吗|是吗|是吧|对不对|没错吧|没记错吧|我没记错吧|是不是|"
    r"对么|记得吗|你记得吗|你还记得吗|懂吗|你说呢|是这样吗|好吗|"
    r"我说过吗|不是吗)$"
)
_ASIDE = re.compile(
    r"^(?:你|您|请问|有|能|可以|推荐|怎么|该|求|大家|帮|那|这|咋|什么|哪|为什么|需要|应该|是不是)"
)
_ASKS_FIRST = re.compile(r"^(?:你|您|请问|还|是否|难道|知道|记得|猜|大家|有没有|谁|为什么|怎么)")
_FROM_HERE = re.compile(
    r"如果|要是|假如|假使|倘若|若是|^若|万一|要不(?!然)|希望|但愿|"
    r"恨不得|巴不得|真想|早知道|差点|除非|即使|哪怕|就算|只要|"
    r"无论|不管|比如说?|例如|假定|设想|想象|应当|本来想|本想|"
    r"原本想|想过|幻想|以为|仿佛|好像|似乎|据说|听说|传闻|看起来|看样子|"
    r"万一"
)
_HYPOTHESIS = re.compile(r"的话|就好了|该多好|多好啊|假设")
_REPORTED = re.compile(
    r"(?:^|[^我])(?:他们?|她们?|人家|别人|有人|大家|新闻|网上|书上|医生|"
    r"大夫|老师|领导|老板|同事|朋友|室友|邻居|妈妈?|爸爸?|老婆|老公|"
    r"[小老阿][\u4e00-\u9fff]|客户|对方)(?:都|总|常|又|跟我|对我|和我|"
    r"就|刚|昨天|今天|刚才)*(?:说|讲|告诉|问|回复|写道|表示|声称|认为|"
    r"觉得)|"
    r"没说|原文|引用|转发|转自|摘自|写道|歌词|台词|俗话说|名言"
)
_FICTION = re.compile(
    r"(?:小说|电影|游戏|故事|剧|书|漫画|动漫|梦|剧本|诗|歌)(?:里|中|"
    r"里面|当中)(?!.{0,4}最)|梦见|梦到|做梦|主角|主人公|角色扮演|扮演|"
    r"假装|设定是|"
    r"我们来玩|咱们来玩|来玩个游戏|假设我|假设你|假想|平行宇宙|上辈子|"
    r"下辈子|前世|写个故事|开个玩笑|骗你的|开玩笑"
)
_MATERIAL = re.compile(
    r"(?:帮我|请|麻烦|能否|给我|替我|帮忙)?(?:把|将)?.{0,12}(?:翻译|"
    r"润色|改写|续写|造句|仿写|改成(?!了|.*了$)|修改|总结|概括|校对|朗读|念一遍|"
    r"写一?[封篇个段首份条句]).{0,24}(?:[:：]|$)"
)
_MADE_UP = re.compile(r"角色扮演|扮演|假装|我们来玩|咱们来玩|来玩个游戏|平行宇宙")
_ADVERTISEMENT = re.compile(
    r"本店|本公司|我司|欢迎(?:选购|光临|咨询|订购|关注|加入)|包邮|促销|"
    r"限时|优惠券|秒杀|下单|扫码|加微信|点击链接|免费领取|全场.折|"
    r"七天无理由"
)
_INJECTED = re.compile(
    r"^[\[【(（<]?\s*(?:相关记忆|记忆|历史记忆|已知信息|用户画像|"
    r"用户信息|背景信息|长期记忆|memory|memories)\s*[\]】)）>:：]|"
    r"^用户(?:的|是|住|对|喜欢|叫)"
)
_LETTER = re.compile(
    r"^(?:尊敬的|敬爱的|亲爱的).{1,10}(?:先生|女士|老师|经理|总|领导|团队|客户|用户|同事)?(?:们)?(?:[:,，：]|您好|你好)"
)
"""How a letter begins that was pasted to be looked over."""
_SARCASM = re.compile(r"才怪|怎么可能$|怎么可能[?？!！]|呵呵|可真是.{0,6}(?:啊|呢)$|谁信|鬼才")


@dataclass(frozen=True, slots=True)
class Gate:
    """How much of a sentence may be read.

    Attributes:
        clauses: the clauses that may be read (all before the first that turns).
        refused: why the rest, or everything, is not.
        opens_fiction: what follows in the turn is not the speaker's own account.
    """

    clauses: tuple[Clause, ...]
    refused: Refusal | None = None
    opens_fiction: bool = False


def gate(text: str, cut: list[Clause]) -> Gate:
    """Decide what of a sentence may be read."""
    plain = simplify(text).strip()
    for pattern, why in (
        (_INJECTED, Refusal.INJECTED),
        (_ADVERTISEMENT, Refusal.ADVERTISEMENT),
        (_HYPOTHESIS, Refusal.CONDITIONAL),
        (_SARCASM, Refusal.SARCASM),
        (_LETTER, Refusal.QUOTATION),
    ):
        if pattern.search(plain):
            made_up = _MADE_UP.search(plain) or _LETTER.search(plain)
            return Gate((), why, opens_fiction=bool(made_up))
    if _FICTION.search(plain):
        return Gate((), Refusal.FICTION, opens_fiction=bool(_MADE_UP.search(plain)))
    if _MATERIAL.search(plain):
        return Gate((), Refusal.QUOTATION, opens_fiction=bool(re.search(r"[:：]", plain)))
    marked = plain.rstrip("”」』\"'’)）~～ ").endswith(("？", "?"))
    if marked or _asks(cut):
        return _question(cut, marked)
    return _turned(cut)


def _asks(cut: list[Clause]) -> bool:
    return any(_QUESTION.search(clause.text) for clause in cut)


def _question(cut: list[Clause], marked: bool) -> Gate:
    """Read what is said before a question in the same sentence, if it stands by itself."""
    nothing = Gate((), Refusal.QUESTION)
    if not cut or _ASKS_FIRST.match(cut[0].text) or any(_TAG.match(c.text) for c in cut):
        return nothing
    asking = next((i for i, c in enumerate(cut) if _QUESTION.search(c.text)), len(cut) - 1)
    if asking == 0 or (marked and not _ASIDE.match(cut[asking].text)):
        return nothing
    if any(re.match(r"你|您", clause.text) for clause in cut[:asking]):
        return nothing
    before = _turned(cut[:asking])
    return Gate(before.clauses, before.refused or Refusal.QUESTION)


_WANTED = re.compile(r"(?:我|我们|也|一直|很|特别|其实|都)*想(?![起到念家法])")
_BUT = re.compile(r"但|可(?!以)|不过|奈何|就是|只是|又怕|又")


def _turned(cut: list[Clause]) -> Gate:
    for index, clause in enumerate(cut):
        after = cut[index + 1].text if index + 1 < len(cut) else ""
        if _WANTED.match(clause.text) and _BUT.match(after):
            return Gate(tuple(cut[:index]), Refusal.CONDITIONAL)  # 想养狗，但是房东不让
        if _FROM_HERE.search(clause.text):
            hearsay = re.search(r"听说|据说|传闻|好像|似乎|看起来|看样子", clause.text)
            why = Refusal.HEARSAY if hearsay else Refusal.CONDITIONAL
            return Gate(tuple(cut[:index]), why)
        if _REPORTED.search(clause.text):
            return Gate(tuple(cut[:index]), Refusal.QUOTATION)
        if re.match(r"你|您", clause.text) and not re.match(r"你好|您好", clause.text):
            return Gate(tuple(cut[:index]), Refusal.ADDRESSED)
    return Gate(tuple(cut))
