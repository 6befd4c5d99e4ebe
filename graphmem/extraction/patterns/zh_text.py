"""Chinese text as the patterns see it: one script, one width, cut into clauses, places kept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

# Traditional characters that occur in the patterns, in common names or in common words, each
# followed by its simplified form. Only matching uses it; quotes and objects stay as written.
_PAIRS = (
    "來来個个們们這这裡里裏里時时從从後后對对過过還还沒没說说話话會会買买賣卖開开關关車车學学習习書书寫写讀读語语"
    "現现歡欢愛爱體体輕轻換换辭辞職职經经營营長长處处準准備备計计劃划將将東东國国廣广灣湾養养隻只貓猫雞鸡魚鱼鴨鸭"
    "樣样點点種种類类間间門门問问題题實实際际歲岁號号機机電电郵邮媽妈爺爷孫孙兒儿婦妇頭头區区鄉乡鎮镇縣县龍龙鐵铁"
    "騎骑單单雙双兩两萬万億亿幾几樓楼層层數数醫医師师員员護护嗎吗麼么為为誰谁隨随離离婚婚結结訂订邊边當当嘗尝討讨"
    "厭厌飯饭麵面湯汤飲饮藥药過过敏敏蝦虾鮮鲜裝装運运動动畫画樂乐鋼钢彈弹聽听視视劇剧電电聞闻記记憶忆請请幫帮應应"
    "該该變变轉转進进業业務务產产廠厂貨货給给屬属於于與与總总裡里陳陈張张劉刘楊杨趙赵吳吴鄭郑馮冯蔣蒋韓韩葉叶蘇苏"
    "呂吕盧卢蕭萧許许謝谢鄧邓羅罗賀贺嚴严錢钱鍾钟譚谭範范龔龚顧顾閻阎鄒邹湯汤連连萊莱爾尔倫伦馬马達达納纳華华爭争"
    "專专績绩練练勁劲親亲戀恋訴诉認认識识覺觉確确診诊斷断療疗傷伤術术約约預预價价報报錄录參参賽赛贏赢獎奖級级畢毕"
    "薪薪資资費费繳缴銀银紙纸網网絡络線线紅红綠绿藍蓝黃黄顏颜連连熱热涼凉乾干淨净灑洒掃扫廳厅廚厨園园場场館馆橋桥"
    "島岛嶼屿濱滨瀋沈陽阳慶庆寧宁蘭兰鄭郑濟济撫抚順顺齊齐邊边灘滩壩坝台台臺台義义德德內内衛卫圖图書书縮缩積积極极"
    "嬤嬷孃娘妝妆叔叔姪侄舊旧曾曾軟软硬硬鬧闹鬥斗鬆松餓饿飽饱餅饼餃饺饅馒糧粮蘿萝蔔卜薑姜蒜蒜蔥葱醬酱鹽盐蠔蚝貝贝"
    "僅仅仍仍搬搬遷迁駕驾駛驶輛辆臺台隊队團团組组織织辦办責责負负領领導导監监製制設设計计築筑編编輯辑選选課课題题"
    "倆俩嚐尝囉啰喲哟嘍喽噁恶煙烟戒戒癮瘾痠酸腎肾膽胆臟脏腦脑癌癌壓压糖糖鬱郁憂忧慮虑緊紧張张懼惧嚇吓虧亏勸劝勞劳"
)
_WIDE = {0xFF01 + shift: 0x21 + shift for shift in range(94)}
_TABLE = {
    **{ord(_PAIRS[at]): _PAIRS[at + 1] for at in range(0, len(_PAIRS), 2)},
    **_WIDE,
    0x3000: " ",
}
for _kept in "，！？；：（）～":
    _TABLE.pop(ord(_kept), None)

HAN = "㐀-鿿豈-﫿"


def simplify(text: str) -> str:
    """Return ``text`` with one character for each, simplified and of normal width."""
    return text.translate(_TABLE)


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch of a sentence: ``sentence.text[begin:stop]``, and its simplified text."""

    begin: int
    stop: int
    text: str


@dataclass(frozen=True, slots=True)
class Reduced:
    """A clause with stretches taken out; ``places[i]`` is where character i is in the sentence."""

    text: str
    places: tuple[int, ...]

    def span(self, begin: int, stop: int) -> tuple[int, int] | None:
        """Return the stretch of the sentence behind ``text[begin:stop]``, if it is in one piece."""
        if begin >= stop:
            return None
        first, last = self.places[begin], self.places[stop - 1]
        return (first, last + 1) if last - first == stop - begin - 1 else None

    def without(self, begin: int, stop: int) -> Reduced:
        """Return this with ``text[begin:stop]`` taken out."""
        return Reduced(
            self.text[:begin] + self.text[stop:], self.places[:begin] + self.places[stop:]
        )


_BREAK = re.compile(
    rf"[，；。！？!?…～~\n]+|(?<!\d),|,(?!\d)|;|—+|--+"
    rf"|(?<![A-Za-zÀ-ɏ0-9])[ \t]+(?=[{HAN}])|(?<=[{HAN}])[ \t]+(?![A-Za-zÀ-ɏ])"
    rf"|(?<=[{HAN}])(?=(?:另)?一[只条个位](?:叫|名叫))|(?<=大的[叫是][{HAN}])(?=小的[叫是])"
    rf"|(?<=大的[叫是][{HAN}][{HAN}])(?=小的[叫是])|(?<=[{HAN}\dmM])(?=体重[\d一二三四五六七八九十是有大])"
    r"|(?:(?<=[猫狗兔鸟龟鼠鱼咪狸鹉猬])|(?<=[兔狗]子))(?:和|跟|、|还有|加)?(?=[一两二三四五六七八九几\d]+[只条])"
    rf"|(?<=[{HAN}])(?=但是?(?:在|我|从|也|不(?!是)|现))"
    r"|[（(][^（()）]{0,60}[)）]|[\U0001F300-\U0001FAFF\u2600-\u27BF\uFE0F]+|\.(?=\s|$)"
)


def clauses(text: str, whole: tuple[tuple[int, int], ...] = ()) -> Iterator[Clause]:
    """Yield the clauses of a sentence; a stretch in ``whole`` (a quotation) is not cut."""
    plain = simplify(text)
    at = 0
    for cut in _BREAK.finditer(text):
        if any(begin < cut.start() < stop for begin, stop in whole):
            continue
        yield from _trimmed(plain, at, cut.start())
        at = cut.end()
    yield from _trimmed(plain, at, len(text))


def _trimmed(plain: str, begin: int, stop: int) -> Iterator[Clause]:
    text = plain[begin:stop]
    first = begin + len(text) - len(text.lstrip(" \t、.:：·-"))
    last = stop - (len(text) - len(text.rstrip(" \t、:：·-.")))
    if last > first:
        yield Clause(first, last, plain[first:last])
