"""Keeps turns from extraction in which nothing is asserted, before anything is spent on them."""

from __future__ import annotations

import re
import unicodedata

from graphmem.extraction.gate_junk import junk
from graphmem.extraction.patterns.sentences import split_sentences
from graphmem.extraction.view import MUTE
from graphmem.model.episode import Episode

_REMEMBER = re.compile(
    r"\b(?:remember|don['’]t forget|keep in mind|make a note|note that|for the record|fyi)\b"
    r"|记住|记一下|记下|记得|别忘|备注|请记|覚えて",
    re.IGNORECASE,
)

# Small talk. A turn is left out only if it is nothing but these, one after the other.
_SMALL_TALK = {
    "greeting": """hi|hiya|hello|hey|hello there|hi there|hey there|yo|good morning|morning
        |good afternoon|good evening|good night|night|goodnight|bye|bye bye|goodbye|see you
        |see you later|see you soon|see ya|later|how are you|how are you doing|how are you today
        |what's up|whats up|sup|how's it going|nice to meet you|are you there|you there|test
        |你好|您好|你好啊|你好呀|嗨|哈喽|哈啰|喂|早|早安|早上好|上午好|中午好|下午好|晚上好|晚安|再见|拜拜
        |回头见|在吗|在不在|在么|你在吗|大家好""",
    "thanks": """thanks|thank you|thanks a lot|thanks so much|thank you so much|many thanks|thx|ty
        |cheers|much appreciated|appreciate it|you're welcome|no problem|no worries|np|sorry
        |thanks for your help|thank you for your help|thank you very much|thanks again|thanks so
        |please|谢谢|谢谢你|谢谢您|谢了|多谢|感谢|非常感谢|太感谢了|谢谢啦|不客气|不用谢|没关系|没事|辛苦了
        |不好意思|抱歉|对不起""",
    "acknowledgement": """ok|okay|okey|k|kk|alright|all right|got it|i see|i understand
        |understood|makes sense|fine|great|good|nice|cool|perfect|awesome|wow|haha|hahaha|lol|lmao
        |hmm|hm|mhm|uh huh|oh|ah|well|go on|continue|go ahead|next|sounds good|that's great
        |that's nice|that's good|very good|interesting|done|no way|really
        |oh really|good idea|good point|same here|me too|never mind|nevermind|then|very nice|so
        |好|好的|好吧|好啊|好呀|好嘞|哦|噢|啊|呃|行|行吧|可以|没问题|知道了|我知道了|明白|明白了
        |我明白了|了解|了解了|收到|原来如此|懂了|哈哈|哈哈哈|哈哈哈哈|嘿嘿|呵呵|太好了|太棒了|不错|厉害|真的吗
        |是吗|继续|然后呢|有道理|有意思|也是|算了|啦|呀|吧""",
    # Alone they say nothing; after a question they are an answer.
    "bare answer": """yes|yeah|yep|yup|no|nope|nah|maybe|not really|i think so|i guess
        |exactly|indeed|of course|right|that's right|correct|that's correct|absolutely|definitely
        |certainly|sure|true|that's true
        |是|是的|是啊|对|对的|对啊|嗯|嗯嗯|没错|当然|确实|的确|真的|正是|正确
        |不|不是|不对|没有|有|也许|可能吧|大概|应该是""",
}


def _alternatives(phrases: str) -> str:
    listed = sorted((phrase.strip() for phrase in phrases.split("|")), key=len, reverse=True)
    return "|".join(re.escape(phrase) for phrase in listed)


_PHRASE = re.compile(
    "|".join(
        # Latin phrases end where the word does.
        f"(?P<{name.replace(' ', '_')}>(?:{_alternatives(phrases)})(?![a-z']))"
        for name, phrases in _SMALL_TALK.items()
    )
)


def gate(episode: Episode, before: Episode | None = None) -> str | None:
    """Say why a turn is kept from extraction, or None if it is to be read.

    Turns of the assistant, the system and tools are (they never make claims about the user), and
    turns of others that are empty, hold no words of the speaker, or are nothing but small talk or
    what machines write (links, logs, encoded data, code). "Remember …" always passes. ``before`` is
    the turn before: after a question of someone else, a bare "yes" or a link is an answer and
    passes.
    """
    if episode.role in MUTE:
        return episode.role.value
    if not episode.content.strip():
        return "empty"
    split = split_sentences(episode.content)
    if not split.sentences:
        return next(iter(split.left_out), None) or "no words"
    spoken = " ".join(sentence.text for sentence in split.sentences)
    if _REMEMBER.search(spoken):
        return None
    reason = _small_talk(spoken) or junk(episode.content, split)
    if reason in ("bare answer", "link") and before is not None and _asks(before):
        return None
    return reason


def _small_talk(spoken: str) -> str | None:
    """Return the kind of the first phrase if there is nothing else, else None."""
    if len(spoken) > 200:
        return None
    folded = unicodedata.normalize("NFKC", spoken).casefold().replace("’", "'")
    first: str | None = None
    at = 0
    while at < len(folded):
        if not folded[at].isalnum():
            at += 1
            continue
        match = _PHRASE.match(folded, at)
        if match is None:
            return None
        kind = (match.lastgroup or "").replace("_", " ")
        first = kind if first is None or kind == "bare answer" else first
        at = match.end()
    return first or "no words"


def _asks(turn: Episode) -> bool:
    return turn.content.rstrip().endswith(("?", "？", "吗", "呢"))
