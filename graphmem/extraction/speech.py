"""What a sentence does: whether the words at a place in it assert anything, and how.

Only what is certain from the words is decided here; a model's reading stands otherwise.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from graphmem.extraction.ground import HAN
from graphmem.extraction.patterns.sentences import Sentence
from graphmem.model.claim import Modality

_CLAUSE_END = re.compile(r"[,，;；:：—–]|\s-\s|\bbut\b|但是?|不过|\n")
_ASKS = re.compile(r"[?？][\"'”’」』)）]*\s*$|(?:吗|么)[。！!~～]*\s*$")
_ASKS_HAN = re.compile(r"是不是|有没有|好呢|你猜|对不对|要不要|能不能")
_STARTS_ASKING = re.compile(
    r"^(?:and |but |so |or |hey |hi )?(?:do|does|did|is|are|am|was|were|can|could|will|would|should"
    r"|shall|may|might|have|has|had|what|when|where|who|whom|whose|why|how|which|isn['’]t|aren['’]t"
    r"|don['’]t|doesn['’]t|didn['’]t|won['’]t|can['’]t)\b|^(?:请问|是不是|有没有|能不能|谁|什么|哪|为什么"
    r"|怎么|难道)",
    re.IGNORECASE,
)
_GIVES_REASON = re.compile(
    r"\b(?:because|since|given that|now that|as)\s+(?:i|we|my|our)\b|因为|既然", re.IGNORECASE
)
_IF = re.compile(
    r"\b(?:if|whether|unless|suppose|supposing|imagine|what if|hypothetically|let['’]s say|assuming"
    r"|in case|i wish|if only|would have|could have|should have|as though)\b"
    r"|\b(?:almost|nearly) \w+ed\b"
    r"|如果|要是|假如|假设|倘若|若是|万一|要不是|的话|但愿|想象一下|差点|恨不得",
    re.IGNORECASE,
)
_STARTS_IF = re.compile(
    r"^\W*(?:so |but |and |well )?(?:if|suppose|supposing|imagine|what if|hypothetically"
    r"|let['’]s say|assuming|unless|as if)\b|^\W*(?:如果|要是|假如|假设|倘若|万一|想象)"
    # "For example, I love jazz" is no example of a name.
    r"|^\W*(?:so |ok |okay |now )?(?:(?:for (?:example|instance)|e\.g\.)[,:]? )?say,? (?:that )?"
    r"(?:i|i['’]m|my|we|our|you|your)\b"
    r"|^\W*(?:for (?:example|instance)|e\.g\.)[,:]? (?:my name is|i['’]m called|i am called)\b"
    r"|^\W*(?:比如说?|例如|譬如)[,，:：]?\s*(?:我叫|我姓|我的?名字|有个人|假)",
    re.IGNORECASE,
)
# "If anything happens to me, my emergency contact is …" says who it is now.
_FOR_THE_CASE = re.compile(r"emergency contact|next of kin|紧急联系人", re.IGNORECASE)
_ASKED_TO = r"(?:^|[.!?\n]\s*|\bplease |\b(?:can|could|would|will) you |\bhelp me (?:to )?)"
# A game: what follows in the turn is part of it.
_PLAY = re.compile(
    r"\blet['’]?s (?:play(?:[:,]| a | that | pretend| make)|pretend|role[ -]?play|imagine)"
    rf"|{_ASKED_TO}(?:pretend|act as|role[ -]?play|imagine)\b|\bonce upon a time\b"
    rf"|{_ASKED_TO}(?:write|tell)(?: me)? an? (?:\w+ )?(?:story|poem|scene|dialogue|script)\b"
    r"|角色扮演|我们来玩|假装|(?:讲|编|写)一?[个段篇]?(?:故事|小说|剧本)",
    re.IGNORECASE,
)
# Something made up that is told about.
_FICTION = re.compile(
    r"\bmake[- ]believe\b|\bin (?:my|the|this|our) (?:novel|story|script|screenplay|scenario)\b"
    r"|\bin (?:my|a|this) dream\b|\bi dream(?:t|ed)\b|\bmy character\b"
    r"|(?:小说|故事|游戏|剧本|梦)[里中]|梦见|扮演",
    re.IGNORECASE,
)
# Text that was handed over to be worked on stands after a colon or line break.
_MATERIAL = re.compile(
    rf"{_ASKED_TO}(?:translate|proofread|rewrite|rephrase|summari[sz]e|polish|paraphrase|edit|draft"
    r"|write|correct|improve)\b[^:：\n]{0,60}[:：\n]"
    r"|(?:翻译|润色|改写|总结|校对|帮我写|帮我改|写一封)[^:：\n]{0,30}[:：\n]",
    re.IGNORECASE,
)
_HEARSAY = re.compile(
    r"\b(?:apparently|supposedly|allegedly|they say|people say|rumou?r has it"
    r"|i (?:didn['’]t|never) sa(?:y|id))\b|听说|据说|据传|人家都?说|我没说",
    re.IGNORECASE,
)
_SARCASM = re.compile(r"\s/s\s*$|^\W*(?:yeah right|oh sure|as if)\b", re.IGNORECASE)
_ONCE = re.compile(
    r"\b(?:this time|just this once|for (?:this|that) (?:one|answer|reply|question)"
    r"|in this (?:answer|reply)|(?:just|only) for (?:today|now|this|that)\b|for today['’]s \w+)\b"
    r"|这次|这一次|这回|本次|就这一回",
    re.IGNORECASE,
)
# What is to be done with one text, and no wish for all answers.
_ONE_TEXT = re.compile(
    r"(?:^|[,.!?]\s|\bplease |\b(?:can|could|would|will) you (?:please )?)"
    r"(?:translate|rewrite|rephrase|proofread|summari[sz]e|polish|paraphrase|shorten|convert)"
    r" (?:this|that|it|these|those|the (?:following|text|above|below|next))\b"
    r"|(?:把|将)(?:这|下面|以下|上面|那)[^，。]{0,10}(?:翻译|译|改写|润色|总结|缩写)"
    r"|(?:^|[，。,]|请|帮我)(?:翻译|改写|润色|总结)(?:一下)?(?:这|下面|以下|上面|那)",
    re.IGNORECASE,
)
_ALWAYS = re.compile(
    r"\b(?:always|from now on|every|each|all|whenever|in future|by default)\b"
    r"|以后|总是|每|一律|今后|都",
    re.IGNORECASE,
)
_DENIES = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot|nope|hardly|rarely|stop|stopped"
    r"|quit|left|gave|given|give|hate|hates|hated|dislike|dislikes|refuse|refuses|avoid|avoids|deny|un\w+"
    r"|end|ended|over|former|ex|lost|lack|lacks|free|isn|aren|wasn|weren|don|doesn|didn|won|can|couldn"
    r"|against|oppos\w+|haven|hasn|hadn|wouldn|shouldn|ain|can['’]?t|instead|anymore|longer|used|cancel\w*|off|bear|stand"
    r"|allergic|fail\w*|miss\w*|ban\w*|zero|vegan|vegetarian)\b|n['’]t\b"
    r"|不|没|无|非|未|别|勿|莫|停|戒|讨厌|离|辞|退|分|取消|黄了|算了|以前|曾经|拒绝|否|反",
    re.IGNORECASE,
)
_NEGATOR = (
    r"(?:\b(?:do|does|did|am|is|are|was|were|has|have|had|will|would|can|could)(?: not|n['’]t)"
    r"|\bcan(?:no|['’])t|\bnever|\bno longer|\bnot)\s+(?:really |ever |even |actually |at all )?"
)
_NEGATOR_HAN = r"(?:不再|不太|不怎么|从不|从来不|没有?|不)\s?"
_NOT = r"(?:\bnot|\bnever|\bcannot|n['’]t)"
_ON = r"(?:(?!\b(?:and|or|nor|but|so|because)\b).){0,30}"
_TWICE = re.compile(
    rf"(?:\bnot|n['’]t) (?:that|because|as if|as though|like)\b{_ON}{_NOT}\b"
    rf"|(?:{_NOT}|\bhardly)\s+(?:\w+\s+)?(?:say|claim|deny|pretend|think|believe|mean)\b{_ON}{_NOT}\b"
    r"|(?:不是|并非|不能说|没说过?|不等于)(?:我|他|她|因为|我们)?(?:不|没)",
    re.IGNORECASE,
)
_MUST = re.compile("不得不|不能不|不会不|不可不|免不了")
_HABIT = re.compile(
    r"^\W*(?:and |but |so )?(?:if|whenever) (?:i|he|she|we|they|my|our|his|her|their)\b[^?？]*"
    r"(?:,|\bthen\b|\s)\s*(?:i|he|she|we|they|it|my|his|her|their)\b"
    r"|^\W*(?:如果|要是|万一|只要)[^?？]{1,30}就",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(
    r"\b(?:will|would|could|might|may|should|shall|must|won['’]t|going|gonna|were|was|had|did|went"
    r"|ever|only|what|suppose\w*|wish)\b|['’](?:ll|d)\b|早|当初|当时|本来|愿|打算|想要|可能|也许",
    re.IGNORECASE,
)
_CONTINUOUS = re.compile(r"(?:\b(?:am|is|are)|['’](?:m|s|re))\s+\w+ing\b", re.IGNORECASE)
_PLANS = re.compile(
    r"\b(?:plan(?:s|ning)? (?:to|on)|intend(?:s|ing)? to|(?:['’]m|am|are|['’]re|is|['’]s) going to"
    r" (?:move|start|join|buy|get|visit|study|marry|live|work|adopt|quit|leave|sell|become|take"
    r"|learn)"
    r"|(?:will|['’]ll) (?:move|start|join|buy|visit|study|marry|adopt|quit|leave|sell|learn))\b"
    r"|打算|计划(?!书)|准备(?:去|要|搬|买|换|辞|结婚|学)",
    re.IGNORECASE,
)
_MAYBE = re.compile(
    r"\b(?:might|maybe|perhaps|possibly|i hope)\b|也许|或许|说不定|没准|希望", re.IGNORECASE
)
_CORRECTS = re.compile(
    r"\b(?:no|not|actually|i mean|i meant|sorry|correction|wrong|mistake\w*|misspoke|typo|rather"
    r"|(?:scratch|scrap|forget|disregard) (?:that|what|it)|take (?:that|it) back|kidding|joking"
    r"|made (?:that|it) up|mix(?:ed)?|wait|oops)\b|n['’]t\b"
    r"|逗你|开玩笑|骗你|瞎说|瞎编|没那回事|没有的事|收回|[搞弄记]混|不算数|不对|不是|说错|搞错|弄错|记错|打错|口误|更正|纠正|其实|应该是|抱歉",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"\b(?:quit\w*|stop\w*|left|leav(?:e|es|ing)|end(?:s|ed)?|over|former|ex|lost|lose|cancel\w*"
    r"|call(?:ed|ing)? off|gave|giv(?:e|en|ing) (?:up|away)|any ?more|longer|used to|sold"
    r"|sell(?:ing)?|died|dead|passed away|broke|broken|broken up|split|moved|resign\w*|retir\w*"
    r"|graduat\w*|finish\w*|done with|divorc\w*|separated|expired|dropped|fired|sacked|laid off"
    r"|gone|cured|recovered|returned|withdr[ae]w\w*|terminat\w*|handed|closed|rehomed|sober|off"
    r"|against|unsubscribed|scrapped)\b"
    r"|停|戒|离|辞|退|分手|分开|分了|取消|黄了|算了|以前|曾经|不再|卖|去世|死|走了|没了|毕业|结束|完了|搬|丢|坏了"
    r"|送人|送给|解散|关门|倒闭|裁|跳槽|治好|好了|痊愈|吹了|单身|到期|交接|不[^，。！？]{1,5}了"
    r"|没[^，。！？]{1,3}了",
    re.IGNORECASE,
)
_NO = re.compile(
    r"\b(?:not|no|never|neither|nor|cannot|without|instead)\b|n['’]t\b|不|没|无|别", re.IGNORECASE
)
_REPLACES = re.compile(
    r"\b(?:now|new|from|mov(?:e|ed|es|ing)|go(?:es|ing)?|went|upgrad\w*|convert\w*|transfer\w*|rather"
    r"|in place|took over|become|became)\b|->|→"
    r"|现在|如今|目前|改|换|搬|转|调|升|本来|原来|原先|而是|变成",
    re.IGNORECASE,
)
_REPLACES_STRICTLY = re.compile(
    r"\b(?:switch\w*|swap\w*|chang\w*|replac\w*|instead|exchang\w*|trad(?:ed|ing)|no longer"
    r"|(?:moved|transferred|reassigned|converted|upgraded) to|in place of|any ?more"
    r"|(?:tak(?:e|es|en|ing)|took) over|succeed(?:s|ed|ing)?)\b"
    r"|换|改成|改为|改用|改喝|改吃|改做|代替|取代|替换|而是|不再|转到|调到|升级|接手|接任|接替|接管",
    re.IGNORECASE,
)
_RETURNS = re.compile(r"\b(?:back|again)\b|又|重新|回到|恢复", re.IGNORECASE)
_STAYS = re.compile(
    r"(?:\bnot|n['’]t)\s+(?:be\s+)?(?:leav\w+|quit\w*|resign\w*|mov\w+|retir\w+|sell\w*|go\w*|split\w*)"
    r"\b.{0,40}\b(?:after all|any ?more)\b|\bstay(?:s|ed|ing)?\b.{0,40}\bafter all\b"
    r"|不(?:走|搬|辞职?|离职?|离婚|退休?|退租|卖|跳槽|分手?)(?:家|婚)?了",
    re.IGNORECASE,
)
_TAKES_BACK = re.compile(
    r"\b(?:i mean|i meant|sorry|correction|wrong\w*|mistake\w*|misspoke|mixed (?:\w+ ){0,3}up|typo"
    r"|(?:scratch|scrap|forget|disregard) (?:that|what|it)|take (?:that|it) back|kidding|joking"
    r"|made (?:that|it) up|oops|turn(?:s|ed) out|misremember\w*|never (?:was|were|did|had|said))\b"
    r"|逗你|开玩笑|骗你|瞎说|瞎编|没那回事|没有的事|收回|不对|说错|搞错|弄错|记错|打错|[搞弄记]混|不算数|口误|更正|纠正|抱歉"
    r"|原来[^，。！？]{0,12}并[不没非]",
    re.IGNORECASE,
)
_RHETORICAL = re.compile(
    r"哪(?:儿|里)?(?:有(?!没有)|会|能|敢|舍得|顾得上|来的)|怎么(?:会|可能)|谁(?:会|有空|稀罕)|岂|何曾"
    r"|\b(?:since when|do i look like|as if|like hell)\b",
    re.IGNORECASE,
)


def clause_at(sentence: str, at: int) -> tuple[int, int]:
    """Return the begin and stop of the clause that ``at`` lies in."""
    begin, stop = 0, len(sentence)
    for mark in _CLAUSE_END.finditer(sentence):
        if mark.end() <= at:
            begin = mark.end()
        elif mark.start() >= at:
            stop = mark.start()
            break
    return begin, stop


@dataclass(frozen=True, slots=True)
class Openings:
    """Where in a turn something begins that is not the speaker's own; None if it does not.

    Attributes:
        play: a game or story that the rest of the turn belongs to.
        material: a text handed over to be worked on.
    """

    play: int | None
    material: int | None


def openings(content: str) -> Openings:
    """Find what turns the rest of a turn into something else."""
    play, material = _PLAY.search(content), _MATERIAL.search(content)
    return Openings(play.end() if play else None, material.end() if material else None)


_TAG = re.compile(
    r"(?:(?:do|does|did|is|are|am|was|were|have|has|had|will|would|can|could|should)"
    r"(?:n['’]t| not)?\s+(?:i|you|we|they|he|she|it)(?: not)?"
    r"|right|correct|no|yes|eh|ok|okay|对吧|是吧|对吗|是吗|对不对|是不是|没错吧|好吗|行吗)",
    re.IGNORECASE,
)
"""What turns a statement into a question when it follows it: "…, don't I?", …，对吧？"""


def unasserted(sentence: Sentence, at: int, opened: Openings) -> str | None:
    """Say why the words at offset ``at`` of a sentence assert nothing, or None if they may."""
    text = sentence.text
    place = sentence.begin + at
    begin, stop = clause_at(text, at)
    clause = text[begin:stop]
    if opened.play is not None and opened.play <= place:
        return "fiction"
    if _FICTION.search(text[:at]):
        return "fiction"
    if _ASKS.search(text):
        rest = text[stop:].strip(" \t\"'”’」』)）?？,，;；")
        last = not rest or _TAG.fullmatch(rest)
        reason = _GIVES_REASON.search(text[begin:at])
        if not reason and (last or _STARTS_ASKING.match(text)):
            return "question"
    if _ASKS_HAN.search(clause):
        return "question"
    if (_STARTS_IF.match(text) or _IF.search(clause)) and not _FOR_THE_CASE.search(text):
        return "conditional"
    if _HEARSAY.search(clause):
        return "hearsay"
    if _SARCASM.search(text):
        return "sarcasm"
    if opened.material is not None and opened.material <= place:
        return "quotation"
    for first, after in sentence.quoted:
        inside = text[first + 1 : after - 1]
        if first < at < after and (len(inside.split()) >= 3 or len(inside) >= 12):
            return "quotation"
    return None


def once_only(text: str) -> bool:
    """Say whether an instruction is for this turn alone."""
    if _ONE_TEXT.search(text) and not _ALWAYS.search(text):
        return True
    return bool(_ONCE.search(text))


def asks(text: str) -> bool:
    """Say whether a sentence asks."""
    return bool(_ASKS.search(text) or _ASKS_HAN.search(text))


def may_deny(text: str) -> bool:
    """Say whether anything in ``text`` could deny or end something."""
    return bool(_DENIES.search(text) or _RHETORICAL.search(text))


def denies_by_asking(text: str) -> bool:
    """Say whether ``text`` may ask only to deny: 我哪儿有游艇, "since when do I own a yacht"."""
    return bool(_RHETORICAL.search(text))


def may_end(text: str, *, strictly: bool = False) -> bool:
    """Say whether anything in ``text`` could tell that something is over.

    ``strictly``: a "not" alone, which may be of something else, is not enough.
    """
    return bool(_ENDS.search(text)) or (not strictly and bool(_NO.search(text)))


def may_replace(text: str, *, strictly: bool = False) -> bool:
    """Say whether anything in ``text`` could tell that one thing took the place of another.

    ``strictly``: without a doubt, so that the other need not be named.
    """
    if _REPLACES_STRICTLY.search(text):
        return True
    return not strictly and bool(_REPLACES.search(text))


def may_return(text: str) -> bool:
    """Say whether anything in ``text`` could tell that something is as it was before."""
    return bool(_RETURNS.search(text))


def stays(text: str) -> bool:
    """Say whether ``text`` tells that somebody stays who was to leave."""
    return bool(_STAYS.search(text))


def may_correct(text: str) -> bool:
    """Say whether anything in ``text`` could take back what was said."""
    return bool(_CORRECTS.search(text))


def takes_back(text: str, *, strictly: bool = False) -> bool:
    """Say whether ``text`` takes back what was said; ``strictly``: "no" alone is not enough."""
    return bool(_TAKES_BACK.search(text)) or (not strictly and may_correct(text))


def denies_verb(clause: str, surfaces: tuple[str, ...]) -> bool:
    """Say whether one of a predicate's own words stands right behind a negation in ``clause``.

    A negation of the negation ("not that I don't", 不是不) makes nothing certain.
    """
    if denies_denial(clause) or _MUST.search(clause):
        return False
    for surface in surfaces:
        negator = _NEGATOR if surface.isascii() else _NEGATOR_HAN
        if re.search(negator + re.escape(surface), clause, re.IGNORECASE):
            return True
    return False


def denies_denial(clause: str) -> bool:
    """Say whether a clause takes a "not" back by another: "can't say I don't", 不是不."""
    return bool(_TWICE.search(clause))


def habitual(sentence: str) -> bool:
    """Say whether a condition tells what always happens: "if I eat nuts, I come out in hives".

    Both halves are in the plain present; nothing in them is wished, expected or asked.
    """
    if not _HABIT.search(sentence) or _SUPPOSED.search(sentence) or _ASKS.search(sentence):
        return False
    return bool(HAN.search(sentence)) or not _CONTINUOUS.search(sentence)


def modality_of(clause: str) -> Modality | None:
    """Return what the words make certain of a clause's modality, or None."""
    if _MAYBE.search(clause):
        return Modality.POSSIBLE
    return Modality.PLANNED if _PLANS.search(clause) else None
