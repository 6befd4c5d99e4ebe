"""The small words before a Chinese predicate, and what each says of time, will and truth."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from graphmem.extraction.patterns.zh_people import Who, subjects


class Mark(StrEnum):
    """What a small word says."""

    NOW = "now"
    STILL = "still"
    JUST = "just"
    FORMER = "former"
    AGAIN = "again"
    ALSO = "also"
    YET = "yet"
    """还: still with a value that can only be one, else also."""
    ALREADY = "already"
    PLAN = "plan"
    MAYBE = "maybe"
    NOT = "not"
    NO_MORE = "no more"
    DEGREE = "degree"
    BRIEFLY = "briefly"
    STRESS = "stress"
    """是 before the verb: what follows is contrasted (我不是住在A，是住在B)."""
    BEGIN = "begin"
    HABIT = "habit"
    PLAIN = "plain"


# Longer words first where one begins another; each alternative is tried in this order.
_WORDS: tuple[tuple[Mark, str], ...] = (
    (Mark.NO_MORE, r"再也不|不再|再也没|没再"),
    (
        Mark.FORMER,
        r"很久以前|以前|曾经|原先|原来|本来|从前|过去|之前|早先|小时候|"
        r"小的时候|年轻时|年轻的时候|当年|那时候|退休前|婚前|曾(?!孙|祖)",
    ),
    (Mark.NOW, r"现在|目前|如今|眼下|当前|这阵子|这段时间|最近这段时间|现(?=居|住|任|就)"),
    (
        Mark.JUST,
        r"才(?=离开|搬|入职|毕业|从)|刚刚|刚才|刚|最近|近来|近期|前不久|前阵子|前段时间|不久前|终于|正式",
    ),
    (
        Mark.STILL,
        r"还是(?=在|没|住|吃不惯|喝不惯|受不了|不喜|讨厌)|一直以来|一直都?|始终|仍然|仍旧|仍|依然|依旧|照旧",
    ),
    (Mark.ALSO, r"同时也?|另外也?|此外|也都?|兼(?=任|做)|又(?=是|兼)"),
    (Mark.YET, r"还(?!好|行|可以|款|钱)"),
    (Mark.AGAIN, r"又重新|再次|重新|又(?!黑|大|小)"),
    (Mark.ALREADY, r"已经|早就|早已|早(?=不|没)|已(?!婚)|就(?=不|没|在)|都(?=已经)"),
    (
        Mark.MAYBE,
        r"有可能会?|可能会?|也许会?|或许会?|说不定会?|没准儿?会?|大概会?|"
        r"考虑要?|在考虑|正在考虑|应该会|不一定会?",
    ),
    (
        Mark.PLAN,
        r"打算要?|准备要?|计划着?|正?在计划|决定要?|预计会?|即将|马上就?要|"
        r"马上|快要|就要|将要|将会|将(?!军|来|近)|"
        r"想要?(?=养|搬|换|学|转行)|想要?去(?=学|[^了]{1,12}(?:读|念|留学|"
        r"上学))|要(?=搬|去|换|到|回|学|转|离|辞|入职|结婚|养|退|开始|参加|"
        r"考|和|跟|从|[做动].{0,8}手术)|"
        r"会(?=搬|去|入职|跳槽|转到|换到|离开|离职|辞职|回到)",
    ),
    (
        Mark.NOT,
        r"从来不|从来没有?|从不|从没|并不|并没有?|不太会?(?=[^阳平])|不怎么|"
        r"不大(?=喜|爱|能|会|吃|喝)|"
        r"不是很|不算|不爱?(?=吃|喝)|不(?![同错但仅如管论然久少得一]|"
        r"过(?!敏)|好意思|知道|确定|对$)|没有(?=去|在|养|学|买|搬|跟|和|吃|"
        r"喝|对)|没(?![事准关错多用人想])|未(?!婚|来|必)",
    ),
    (Mark.BRIEFLY, r"暂时|临时|先(?=住|在)|这几天|这两天|这周|这个?星期|这个月|出差期间"),
    (Mark.BEGIN, r"开始(?=[^了])|改(?=[骑坐开走吃喝用做学打拉弹练服教])"),
    (
        Mark.HABIT,
        r"平时|平常|平日里?|周末|工作日|每天(?:早上|晚上|中午|都|早晚|必须|要|得(?=[吃喝]))*|"
        r"每周(?:末|[一二三四五六日天、和]+)?(?:早上|晚上|上午|下午)?|"
        r"每逢周末|通常|经常|常常|睡前|饭后|没事(?=喜欢|爱)|常年|总是|老是|天天|一般|日常|白天|晚上|"
        r"早上|下班后|业余时间|闲暇时?|空闲时|有时候?|偶尔|时不时|"
        r"常(?=[吃喝看听去])",
    ),
    (
        Mark.DEGREE,
        r"特别特别|特别(?!行政)|非常非常|非常|超级|超(?=[爱喜讨级怕想])|"
        r"尤其|格外|十分|最(?=[爱喜讨受怕])|挺|很|好(?=[喜爱怕讨])|"
        r"太(?=[爱喜讨])|蛮|相当|比较|极其|极|可(?=[喜爱讨])|贼|巨|"
        r"真的?(?=[很喜爱讨受怕])|实在|有点儿?|有些|都|酷(?=爱)|特(?=[喜爱讨怕想不])|从小就?|"
        r"打小就?|天生|最近(?=在)",
    ),
    (
        Mark.STRESS,
        r"就?是(?=住在|在.{1,10}(?:工作|上班|读|毕业|长大|出生|念)|入职|"
        r"毕业|结婚|离婚|退休|离开|搬|去[^年]|从|出生|戒|不[抽喝吃]|做.{1,8}的)",
    ),
    (
        Mark.PLAIN,
        r"其实|不过|但是|但|可是|而且|然后|所以|因为|因此|于是|虽然|对了|"
        r"话说|顺便说[下一句]*|说起来|说实话|老实说|"
        r"(?:相比|比起|跟|和)[^我,]{1,8}?(?:相比|比)?(?:来说?)?(?=我?更)|"
        r"嗯+|哦+|啊+|呃+|额+|唉+|哎呀?|嘿+|嗨|哈哈+|好的?吧?(?=我)|"
        r"你好[呀啊]?|您好|hi|Hi|hello|另外|还有(?!一?[个只条位]|两|俩)|首先|其次|"
        r"真的|的确|确实|当然|主要|只|就(?!是|算|业|诊|读)|正在|正(?=在)|"
        r"全家|一家人?|全家人|顺利|成功|突然|居然|竟然|直接|"
        r"自己|一个人|单独|独自|主动|偷偷|亲自|专门|碰巧|好不容易|不小心|"
        r"幸好|我?跟你们?[说讲]|我?给你们?说|告诉你|提醒一下|其实呢|是的|没错|记得|"
        r"今(?=住)|再(?=也不)|最终|最后|后来|接着|本人(?=是|在)|"
        r"要知道|大家好|还是(?=养|买|选|去|搬)|我?(?:才|刚)?发现(?=我)|(?:准确|确切)(?:地|来)?说是?|毕业(?:以|之)?后(?=一直)|"
        r"\s|、|:|：",
    ),
)
_COMPILED = [(mark, re.compile(words)) for mark, words in _WORDS]
_DEEPEST = 14


@dataclass(frozen=True, slots=True)
class Opening:
    """What stands before a predicate.

    Attributes:
        core: where the predicate begins in the reduced clause.
        marks: what the small words said.
        who: the subject, or None if none is written.
        habit: the words of habit (平时, 周末), which may tell values apart.
    """

    core: int
    marks: frozenset[Mark]
    who: Who | None
    habit: str = ""


def openings(text: str, known: frozenset[str], extra: frozenset[Mark]) -> Iterator[Opening]:
    """Yield the ways to read the beginning of a clause, the longest first."""
    yield from _walk(text, known, Opening(0, extra, None), 0)


def _walk(text: str, known: frozenset[str], opening: Opening, depth: int) -> Iterator[Opening]:
    at = opening.core
    if depth < _DEEPEST and at < len(text):
        if opening.who is None:
            for who in subjects(text, at, known):
                inner = Opening(who.stop, opening.marks, who, opening.habit)
                yield from _walk(text, known, inner, depth + 1)
        step = _step(text, at)
        if step is not None:
            mark, stop = step
            habit = text[at:stop] if mark is Mark.HABIT else opening.habit
            marks = opening.marks | {mark}
            yield from _walk(text, known, Opening(stop, marks, opening.who, habit), depth + 1)
    yield opening


def _step(text: str, at: int) -> tuple[Mark, int] | None:
    best: tuple[Mark, int] | None = None
    for mark, words in _COMPILED:
        found = words.match(text, at)
        if found and found.end() > at and (best is None or found.end() > best[1]):
            best = (mark, found.end())
    return best
