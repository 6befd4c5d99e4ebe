"""Which readable words of a text are meant as time: the longest ones, conservatively.

A phrase counts if it holds a word that means time and nothing else ("yesterday", "weeks", 去年), or
if a preposition or a second hint stands by words that mean other things too ("in May", "at 9:30",
"since 2020"). Ages, versions, prices, numbers and recurring times ("every Monday", 每周一) do not.
"""

from __future__ import annotations

from itertools import pairwise

from graphmem.extraction.normalize.numbers import HAN_NUMERALS, ONES, TENS
from graphmem.extraction.normalize.phrases import At, Length, Phrase, Since, Unread
from graphmem.extraction.normalize.text import Kind, Token, listed

_SURE = frozenset(
    listed(
        "today yesterday tomorrow tmrw tonight ago week weeks weekend weekends fortnight month "
        "months quarter year years decade decades days monday tuesday wednesday thursday friday "
        "saturday sunday christmas xmas halloween thanksgiving easter yuandan juneteenth valentine "
        "january february september october november december hours minutes noon midnight oclock "
        "clock recently lately soon nowadays century afternoon hour minute seconds while day "
        "morning evening night child future past then ages eoy workweek"
    )
)
"""Words that tell a time phrase of two words or more."""
_SURE_ALONE = frozenset(
    listed(
        "today yesterday tomorrow tmrw tonight monday tuesday wednesday thursday friday saturday "
        "sunday christmas xmas halloween thanksgiving easter yuandan juneteenth january february "
        "september october november december recently lately soon nowadays"
    )
)
"""Words that are one by themselves."""
_HINTS = frozenset(
    listed(
        "jan feb mar march apr april may jun june jul july aug august sep sept oct nov dec mon tue "
        "tues wed thu thur thurs fri sat sun spring summer autumn fall winter am pm nineties "
        "eighties seventies sixties fifties forties thirties twenties noughties"
    )
)
_LEADS = frozenset(
    listed(
        "in on at since until till by from before after during through between around back for as "
        "of starting beginning within last next this past early late mid prior up over ever about "
        "circa roughly"
    )
)
_APPROXIMATE = frozenset(listed("around about circa roughly"))
_DATES_ITSELF = frozenset(
    listed(
        "today yesterday tomorrow tmrw tmr tonight on last this next the monday tuesday wednesday "
        "thursday friday saturday sunday"
    )
)
"""Words that need no number before them."""
_RECURRING = frozenset(listed("every each per 每 逢 第"))
_REFUSED_NEXT = frozenset(
    listed(
        "old percent % ° degrees dollars euros pounds people times pieces km kg cm mm mg ml points "
        "岁 级 块 元 楼 线 院 房 桌 床 店 厅 馆 门 次 个 名 位 人 倍 钱 斤 米 度"
    )
)
_NOT_LAST = frozenset(listed(". , ' of in on the 的"))
_BACK = frozenset(
    ("ever since", "from then on", "from that time on", "from that day on", "from that point on")
)
_AMOUNT_SIGNS = frozenset(listed("$ € £ ¥ # + - . / : @ _ & = ^"))
_TAIL_SIGNS = frozenset(listed("% ° / - $ € £ _ ="))
_HAN_WEAK = frozenset("零一二三四五六七八九十两〇百千点时分秒日到至和与从自在于半刻")
_HAN_BARE = frozenset(
    listed(
        "现在 目前 如今 此刻 今 过去 春天 夏天 秋天 冬天 春季 夏季 秋季 冬季 早上 早晨 上午 中午 "
        "下午 晚上 傍晚 夜里 半夜 凌晨 白天 深夜 清晨 晚间 早间 午后 夜晚 夜间 正午 一早 清早 午间 "
        "全天 清明 午夜"
    )
)


def inside_number(tokens: tuple[Token, ...], place: int, read_to: int) -> bool:
    """Whether a phrase cannot begin here: inside a Chinese numeral, or in a list of figures.

    ``read_to`` is where the last phrase ended; what follows it directly may begin a new one.
    """
    token = tokens[place]
    if token.kind is Kind.DIGITS:
        return place + 1 < len(tokens) and tokens[place + 1].kind is Kind.DIGITS
    before = tokens[place - 1] if place else token
    inside = before is not token and before.stop == token.begin and before.begin >= read_to
    return inside and token.text in HAN_NUMERALS and before.text in HAN_NUMERALS


def acceptable(tokens: tuple[Token, ...], begin: int, stop: int, phrase: Phrase) -> bool:
    """Whether ``tokens[begin:stop]``, readable as ``phrase``, is meant as time."""
    if begin and tokens[begin - 1].text in _RECURRING:
        return False
    if stop < len(tokens) and tokens[stop].text in _REFUSED_NEXT:
        return False
    if not _stands_alone(tokens, begin, stop):
        return False
    words = [token.text for token in tokens[begin:stop]]
    if " ".join(words) in _BACK:
        return True
    if words[-1] in _NOT_LAST:  # the sentence's, not the phrase's
        return False
    if any(token.kind is Kind.HAN for token in tokens[begin:stop]):
        return _sure_han("".join(words), phrase)
    if len(words) > 1 and _is_number(words[0]):  # "I ran 10 yesterday", "I had 3 two weeks ago"
        figures_apart = words[0].isdigit() and words[1] in ("a", "an", *ONES, *TENS)
        if figures_apart or words[1] in _DATES_ITSELF:
            return False
    if isinstance(phrase, Unread):
        return words[0] not in _APPROXIMATE or _sure_latin(words, tokens, stop, phrase)
    if isinstance(phrase, Length):
        return words[0] == "for" and len(words) > 2 - (words[-1] not in _HINTS)
    return _sure_latin(words, tokens, stop, phrase)


def _is_number(word: str) -> bool:
    return word.isdigit() or word in ONES or word in TENS


def _stands_alone(tokens: tuple[Token, ...], begin: int, stop: int) -> bool:
    """Whether figures at the edge are not part of a longer number, code or price."""
    if begin:
        before, first = tokens[begin - 1], tokens[begin]
        if before.stop == first.begin and first.kind is not Kind.HAN:
            letters = before.kind in (Kind.LETTERS, Kind.DIGITS)
            if letters or (first.kind is Kind.DIGITS and before.text in _AMOUNT_SIGNS):
                return False
            if before.text in ("-", "_", "@", "/", "."):
                return False
    if stop < len(tokens):
        last, after = tokens[stop - 1], tokens[stop]
        if last.stop == after.begin and last.kind is not Kind.HAN:
            if after.kind in (Kind.LETTERS, Kind.DIGITS):
                return False
            further = tokens[stop + 1] if stop + 1 < len(tokens) else after
            joined = further.begin == after.stop and further.kind in (Kind.LETTERS, Kind.DIGITS)
            if joined and after.text in "-_/.:,@":
                return after.text == "," and further.kind is Kind.LETTERS
            if last.kind is Kind.DIGITS and after.text in _TAIL_SIGNS:
                return False
    return True


def _sure_latin(words: list[str], tokens: tuple[Token, ...], stop: int, phrase: Phrase) -> bool:
    if len(words) == 1:
        return words[0] in _SURE_ALONE
    if words == ["this", "may"]:
        return False
    if words in (
        ["the", "day"],
        ["the", "week"],
        ["the", "month"],
        ["the", "year"],
        ["right", "now"],
    ):
        return False
    if any(word in _SURE for word in words):
        return not _bare_part(words)
    hints = sum(word in _HINTS for word in words)
    years = sum(word.isdigit() and len(word) == 4 for word in words)
    figures = sum(word.isdigit() for word in words)
    if figures == 3 and years == 1:  # 2021-05-03
        return True
    led = words[0] in _LEADS
    if hints >= 2 or (hints and (years or figures or led)):
        return True
    if led and years:
        return True
    if led and (":" in words or _short_year(words)):
        return True
    if (
        isinstance(phrase, At | Since)
        and words[0] in ("on", "since", "by", "from")
        and words[1] == "the"
    ):
        return any(char.isdigit() for char in words[2]) or len(words) > 3
    if words[0] == "at" and figures == 1 and len(words) == 2:
        return stop == len(tokens) or tokens[stop].kind is Kind.SIGN
    return led and "/" in words


def _short_year(words: list[str]) -> bool:
    """In '98, in the 90s."""
    return any(
        (one == "'" and other.isdigit() and len(other) == 2)
        or (other == "s" and one.endswith("0") and one.isdigit() and "the" in words)
        for one, other in pairwise(words)
    )


def _bare_part(words: list[str]) -> bool:
    """ "In the morning" alone is a habit as often as a date."""
    return set(words) <= {
        "in",
        "the",
        "at",
        "night",
        "morning",
        "evening",
        "afternoon",
        "noon",
        "day",
    }


def _sure_han(text: str, phrase: Phrase) -> bool:
    if isinstance(phrase, Unread):
        return text != "过去"
    core = text.removeprefix("在").removesuffix("候").removesuffix("时").removesuffix("的")
    if len(text) < 2 or core in _HAN_BARE:
        return False
    if isinstance(phrase, Length):
        return text[-1] not in "分秒日时" and not text.startswith(("一天", "一日", "一年", "一周"))
    if all(char in _HAN_WEAK or char.isdigit() or char in ":-~./" for char in text):
        return _clocklike(text)
    return True


def _clocklike(text: str) -> bool:
    """Of words made of numerals: 3号 and 8点半 are time, 一点 and 三分 are not."""
    return (
        text.endswith(("日", "分", "半", "刻")) and any(char in "点时月年" for char in text)
    ) or (text[0].isdigit() and text.endswith("日"))
