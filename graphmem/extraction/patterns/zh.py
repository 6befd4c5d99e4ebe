"""Reads Chinese sentences: clause by clause, with what is carried between them."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

from graphmem.extraction.patterns.frame import Context, SentenceResult
from graphmem.extraction.patterns.sentences import Sentence
from graphmem.extraction.patterns.zh_clause import read_clause
from graphmem.extraction.patterns.zh_corrections import MARKER, read_correction
from graphmem.extraction.patterns.zh_forms import Placed
from graphmem.extraction.patterns.zh_gates import gate
from graphmem.extraction.patterns.zh_marks import openings
from graphmem.extraction.patterns.zh_open import standing_wish
from graphmem.extraction.patterns.zh_people import ROLE_WORDS
from graphmem.extraction.patterns.zh_state import State, Topic
from graphmem.extraction.patterns.zh_subject import subject_of, topic_of
from graphmem.extraction.patterns.zh_text import Clause, Reduced, clauses, simplify
from graphmem.model.claim import Mention
from graphmem.model.draft import Draft
from graphmem.model.entity import ValueKind

_REMEMBER = re.compile(
    r"^(?:请你?|麻烦你?|给我|帮我|务必|一定要?|好好|先)*(?:帮我|给我|"
    r"替我)?(?:记住|记一下|记下来?|记好|记着|备注|备忘|别忘了?)(?:一下|哦|啊|哈|呀|"
    r"了|这点|这一点)*"
    r"(?:[:：，, ]+|(?=我))(?=.)"
)
_INTERJECTION = re.compile(
    r"^(?:你好|您好|嗨|嘿|哈+|谢谢.*|好的?|嗯+|哦+|对|是的?|没错|hi|"
    r"hello|hey|早|早上好|晚上好|下午好|大家好|不是|不用谢|ok|OK|唉|哎|"
    r"啊|对了|话说|其实|没有)[呀啊哦吧呢了!~]*$",
    re.IGNORECASE,
)
_STARTS_WITH_ME = re.compile(
    r"(?:[^\u4e00-\u9fff]|对了|话说|顺便说一?[下句]|跟你说一?下?|告诉你|其实|不过|但是?|因为|所以|今天|昨天|最近|"
    r"现在)*(?:我|俺|咱)(?:$|[^\u4e00-\u9fff]|我?们?俩?(?:[在是有去来想要会能不没也都还刚已今昨明前后从对把被换搬买卖吃喝看"
    r"听学读写做用住觉喜爱讨怕知认希打准计决开申参报考毕离辞入跳得患身月年一两每平经常总特超很挺真太可就才又再只"
    r"先终突其叫说干当带养试找跑戒抽睡起属感忘差原本现平习租回到出进发减增练收改]|"
    r"[上下](?!司|铺)|最|之前|以前|曾|结(?!拜)|工作|生(?!母|父)|姓|名叫|终于|晚上|早上|周|星期|上学期|英语|日语|法语|韩语|粤语|驾照|邮箱|手机|电话|微信|牛奶|大[一二三四学]|高[一二三]|跟|和|与))"
)
_GOES_ON = re.compile(
    r"^(?:想|觉得|感觉|去|买|吃|打算|要|准备|会|有时|因为|所以|而且|也|"
    r"被|把|怀孕|没考|考上|生病|出差|失眠|"
    r"还|很|挺|非常|一直|已经|正在|刚|就|才|特别|最近|平时|周末|每天)"
)


_OTHERS = re.compile(
    rf"^[我俺咱]们?(?:家|的|这|那|公司|部门|班)|(?<!吉)他|[她它您]|人家|别人|猫|狗|宝贝|{ROLE_WORDS}|"
    r"[个位名](?!人|手机|号|邮箱|电话|工作|问题|地方|房|星期|月)|那|这|跟|和[^平谐]|同(?!意)|陪|帮|见|遇|约|面试|认识|采访|给|博主|[男女老]人|孩|家"
)
"""Whom the next clause may be about."""
_THAN_ME = re.compile(r"比我[大小高矮胖瘦].{0,3}")
_OWN_THING = re.compile(
    r"(?:上个?月|去年|今年|前年|上周|年初|年底|刚刚?)?(?:才|刚)?(?:搬|换|买|辞)的(?:家|工作|车|房子|职)"
    r"|(?:手机号?|电话|号码|微信|邮箱|地址|工作|车|房子)(?:号)?(?:刚|已经|又)?(?:换|改|变|卖|搬|丢)了"
)
_KEEPS_ME = re.compile(r".{0,10}(?:挽留|留)(?:了|下了?|住了?)?我(?:了|不放)?")


class ChineseReader:
    """Reads Chinese sentences; see ``LanguageReader``. Pure and without a model."""

    def extract_sentence(self, sentence: Sentence, context: Context) -> SentenceResult:
        """Read one sentence."""
        cut = list(clauses(sentence.text, sentence.quoted))
        allowed = gate(sentence.text, cut)
        state = State(sentence, context, topic=_first_topic(sentence, context))
        state.read = partial(self._statement, context=context)
        state.correcting = _corrects_next(sentence, context)
        kept = list(allowed.clauses)
        if kept and context.me is not None:
            kept = _remembered(kept, state)
        spoken = [clause for clause in kept if not _quotes(clause, sentence)]
        if spoken and not _wish(spoken, state):
            self._read(spoken, state)
        if state.importance and not state.drafts and kept and context.me is not None:
            _note(kept, state)
        state.contrast()
        drafts = tuple(state.drafts)
        unmatched = not drafts and allowed.refused is None and len(sentence.text) > 3
        return SentenceResult(drafts, allowed.refused, unmatched, allowed.opens_fiction)

    def _statement(self, text: str, context: Context) -> tuple[Draft, ...]:
        """Read the statement of a fact the memory holds."""
        known = replace(context.known, statements=())  # it is not read by itself once more
        plain = replace(context, drafts=(), sentences=(), told=(), known=known)
        return self.extract_sentence(Sentence(text, 0, len(text)), plain).drafts

    def _read(self, spoken: list[Clause], state: State) -> None:
        for clause in spoken:
            if read_correction(clause, state) or read_clause(clause, state):
                continue
            state.topic = _after_unread(clause, state)


def _quotes(clause: Clause, sentence: Sentence) -> bool:
    """Whether a clause holds somebody's words (a title or a short name in marks is none)."""
    return any(
        clause.begin < stop
        and begin < clause.stop
        and sentence.text[begin] != "《"
        and (stop - begin > 10 or re.search(r"[我你他她，。]", sentence.text[begin:stop]))
        for begin, stop in sentence.quoted
    )


def _first_topic(sentence: Sentence, context: Context) -> Topic | None:
    """Return who a sentence without a subject is about: the speaker, unless others came up."""
    if context.me is None:
        return None
    mine = Topic(context.me, "me")
    before = [
        other
        for other in context.sentences
        if other.stop <= sentence.begin
        and context.turn.content[other.begin : other.stop] == other.text
    ]
    if not before:
        return mine
    last = before[-1].text
    said = [d for d in context.drafts if d.turn == context.turn.id and d.quote in last]
    if said:
        others = any(
            mention is not None and mention != context.me and "person" in mention.types
            for draft in said
            for mention in (draft.subject, draft.object)
        )
        return None if others else mine
    plain = simplify(last).strip("。！!～~.，, …；;？?")
    about_me = _STARTS_WITH_ME.match(plain) or _INTERJECTION.match(plain) or MARKER.fullmatch(plain)
    return mine if about_me else None


def _after_unread(clause: Clause, state: State) -> Topic | None:
    """Return the topic after a clause no rule explained."""
    text = clause.text
    if _INTERJECTION.match(text) or MARKER.fullmatch(text) or _OWN_THING.match(text):
        return state.topic
    if _STARTS_WITH_ME.match(text) and not _OTHERS.search(text) and state.context.me is not None:
        return Topic(state.context.me, "me", carried=True)
    if _KEEPS_ME.fullmatch(text):
        return state.topic
    opening = next(openings(text, frozenset(), frozenset()))
    who = opening.who
    if who is not None and who.kind == "role" and who.name is None:
        rest = _THAN_ME.sub("", text[who.stop :])
        alone = not _OTHERS.search(rest) and "我" not in rest
        whole = Reduced(text, tuple(range(clause.begin, clause.stop)))
        mention = subject_of(who, whole, state) if alone else None
        return None if mention is None else topic_of(who, mention, state)
    if opening.who is None and (opening.core == len(text) or _GOES_ON.match(text)):
        others = re.search(r"[他她它你这那]", text)
        return None if others else state.topic
    return None


def _corrects_next(sentence: Sentence, context: Context) -> bool:
    if not context.sentences:
        return False
    last = context.sentences[-1]
    plain = simplify(last.text).strip("。！!～~.，, …；;")
    return last.stop <= sentence.begin and MARKER.fullmatch(plain) is not None


def _remembered(kept: list[Clause], state: State) -> list[Clause]:
    """Take "please remember" off the front; what follows matters more."""
    first = kept[0]
    joined = len(kept) > 1 and re.fullmatch(_REMEMBER.pattern.split(r"(?:[:：")[0], first.text)
    if joined:
        state.importance = 9
        return kept[1:]
    found = _REMEMBER.match(first.text)
    if found is None:
        return kept
    state.importance = 9
    begin = first.begin + found.end()
    return [Clause(begin, first.stop, first.text[found.end() :]), *kept[1:]]


def _note(kept: list[Clause], state: State) -> None:
    """Keep what is to be remembered in the speaker's words."""
    me = state.context.me
    whole = Clause(kept[0].begin, kept[-1].stop, "")
    words = state.words(whole.begin, whole.stop)
    if me is None or not 4 <= len(words) <= 120:
        return
    text = Mention(words, kind=ValueKind.TEXT)
    state.add(whole, me, "remember", text, Placed(), statement=words, rule="zh.remember")


def _wish(spoken: list[Clause], state: State) -> bool:
    """Read 以后报价都含税: how answers are wanted from now on."""
    me = state.context.me
    first = spoken[0]
    if me is None or not me.is_self:
        return False
    whole = Clause(
        first.begin, spoken[-1].stop, simplify(state.words(first.begin, spoken[-1].stop))
    )
    span = standing_wish(whole.text)
    if span is None:
        return False
    begin, stop = whole.begin + span[0], whole.begin + span[1]
    text = Mention(state.words(begin, stop), kind=ValueKind.TEXT)
    state.add(
        whole, me, "wants_style", text, Placed(), statement=state.words(whole.begin, whole.stop)
    )
    return True
