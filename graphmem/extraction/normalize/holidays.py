"""Holidays whose date follows from the year by a fixed rule.

Lunar and Islamic holidays are left out: their dates come from tables or from the sky, and a wrong
table is worse than no date.
"""

from __future__ import annotations

from datetime import date, timedelta


def date_of(name: str, year: int) -> date:
    """Return the day of a holiday (a value of ``ENGLISH`` or ``CHINESE``) in a year."""
    if name == "easter":
        return _easter(year)
    if name.startswith("easter"):
        return _easter(year) + timedelta(days=int(name.removeprefix("easter")))
    if "w" in name:  # "11w4#4+1": the day after the fourth Thursday of November
        month, rest = name.split("w")
        weekday, rest = rest.split("#")
        count, _, extra = rest.partition("+")
        return nth_weekday(year, int(month), int(weekday) - 1, int(count)) + timedelta(
            days=int(extra or 0)
        )
    month, day = name.split("-")
    return date(year, int(month), int(day))


def nth_weekday(year: int, month: int, weekday: int, count: int) -> date:
    """Return the count-th weekday (Monday is 0) of a month; the last one for -1."""
    if count < 0:
        after = date(year + month // 12, month % 12 + 1, 1)
        return after - timedelta(days=(after.weekday() - weekday - 1) % 7 + 1)
    first = date(year, month, 1)
    return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (count - 1))


def _easter(year: int) -> date:
    """Western Easter by the anonymous Gregorian computus."""
    golden = year % 19
    century, rest = divmod(year, 100)
    leap, skipped = divmod(century, 4)
    correction = (century - (century + 8) // 25 + 1) // 3
    epact = (19 * golden + century - leap - correction + 15) % 30
    quarter, left = divmod(rest, 4)
    weekday = (32 + 2 * skipped + 2 * quarter - epact - left) % 7
    shift = (golden + 11 * epact + 22 * weekday) // 451
    month, day = divmod(epact + weekday - 7 * shift + 114, 31)
    return date(year, month, day + 1)


ENGLISH: dict[str, str] = {
    "christmas": "12-25",
    "christmas day": "12-25",
    "xmas": "12-25",
    "christmas eve": "12-24",
    "xmas eve": "12-24",
    "boxing day": "12-26",
    "new year": "1-1",
    "new year's": "1-1",
    "new year's day": "1-1",
    "new year day": "1-1",
    "new years day": "1-1",
    "yuandan": "1-1",
    "new year's eve": "12-31",
    "new year eve": "12-31",
    "new years eve": "12-31",
    "halloween": "10-31",
    "valentine's day": "2-14",
    "valentines day": "2-14",
    "saint patrick's day": "3-17",
    "st patrick's day": "3-17",
    "st. patrick's day": "3-17",
    "saint patrick": "3-17",
    "april fools' day": "4-1",
    "april fools": "4-1",
    "april fools day": "4-1",
    "april fool's day": "4-1",
    "april fool's": "4-1",
    "earth day": "4-22",
    "groundhog day": "2-2",
    "may day": "5-1",
    "international workers' day": "5-1",
    "int'l workers day": "5-1",
    "juneteenth": "6-19",
    "freedom day": "6-19",
    "jubilee day": "6-19",
    "emancipation day": "6-19",
    "mardi gras": "easter-47",
    "fat tuesday": "easter-47",
    "shrove tuesday": "easter-47",
    "pancake day": "easter-47",
    "ash wednesday": "easter-46",
    "palm sunday": "easter-7",
    "maundy thursday": "easter-3",
    "holy thursday": "easter-3",
    "holy saturday": "easter-1",
    "easter saturday": "easter-1",
    "easter eve": "easter-1",
    "ascension day": "easter39",
    "pentecost": "easter49",
    "whit sunday": "easter49",
    "whit monday": "easter50",
    "corpus christi": "easter60",
    "epiphany": "1-6",
    "three kings' day": "1-6",
    "burns night": "1-25",
    "australia day": "1-26",
    "candlemas": "2-2",
    "st david's day": "3-1",
    "international women's day": "3-8",
    "women's day": "3-8",
    "pi day": "3-14",
    "white day": "3-14",
    "st george's day": "4-23",
    "anzac day": "4-25",
    "cinco de mayo": "5-5",
    "canada day": "7-1",
    "all souls' day": "11-2",
    "guy fawkes night": "11-5",
    "bonfire night": "11-5",
    "armistice day": "11-11",
    "remembrance day": "11-11",
    "singles' day": "11-11",
    "st andrew's day": "11-30",
    "st nicholas day": "12-6",
    "human rights day": "12-10",
    "bastille day": "7-14",
    "veterans day": "11-11",
    "veterans' day": "11-11",
    "veteran's day": "11-11",
    "all saints' day": "11-1",
    "thanksgiving": "11w4#4",
    "thanksgiving day": "11w4#4",
    "black friday": "11w4#4+1",
    "cyber monday": "11w4#4+4",
    "labor day": "9w1#1",
    "memorial day": "5w1#-1",
    "martin luther king day": "1w1#3",
    "martin luther king jr day": "1w1#3",
    "martin luther king jr. day": "1w1#3",
    "mlk day": "1w1#3",
    "presidents' day": "2w1#3",
    "presidents day": "2w1#3",
    "president's day": "2w1#3",
    "washington's birthday": "2w1#3",
    "indigenous peoples' day": "10w1#2",
    "columbus day": "10w1#2",
    "father's day": "6w7#3",
    "fathers day": "6w7#3",
    "easter": "easter",
    "easter sunday": "easter",
    "easter monday": "easter1",
    "good friday": "easter-2",
}

CHINESE: dict[str, str] = {
    "元旦节": "1-1",
    "元旦": "1-1",
    "情人节": "2-14",
    "妇女节": "3-8",
    "女生节": "3-7",
    "三八妇女节": "3-8",
    "三八节": "3-8",
    "植树节": "3-12",
    "愚人节": "4-1",
    "劳动节": "5-1",
    "五一劳动节": "5-1",
    "五一节": "5-1",
    "青年节": "5-4",
    "五四青年节": "5-4",
    "儿童节": "6-1",
    "五一": "5-1",
    "六一": "6-1",
    "光棍节": "11-11",
    "六一儿童节": "6-1",
    "建党节": "7-1",
    "建军节": "8-1",
    "教师节": "9-10",
    "国庆节": "10-1",
    "国庆": "10-1",
    "双十一": "11-11",
    "平安夜": "12-24",
    "圣诞节": "12-25",
    "圣诞": "12-25",
    "母亲节": "5w7#2",
    "父亲节": "6w7#3",
    "感恩节": "11w4#4",
    "黑色星期五": "11w4#4+1",
    "复活节": "easter",
    "白色情人节": "3-14",
    "消费者权益日": "3-15",
    "国际妇女节": "3-8",
    "地球日": "4-22",
    "世界读书日": "4-23",
    "国际劳动节": "5-1",
    "五四": "5-4",
    "护士节": "5-12",
    "国际儿童节": "6-1",
    "六一节": "6-1",
    "七一建党节": "7-1",
    "八一建军节": "8-1",
    "国庆日": "10-1",
    "十一": "10-1",
    "十一国庆": "10-1",
    "十一国庆节": "10-1",
    "万圣节": "10-31",
    "万圣夜": "10-31",
    "万圣节前夜": "10-31",
    "记者节": "11-8",
    "双11": "11-11",
    "双十二": "12-12",
    "双12": "12-12",
    "国家公祭日": "12-13",
    "圣诞夜": "12-24",
    "圣诞前夜": "12-24",
    "耶诞节": "12-25",
    "跨年夜": "12-31",
    "网络星期一": "11w4#4+4",
}
