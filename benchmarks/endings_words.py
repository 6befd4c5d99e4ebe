"""Words for ``endings_pairs``: lists of values, and several ways to say each thing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Qualified = tuple[str, str, tuple[str, str], Sequence[str]]
"""Predicate, qualifier, its two values, and values of the predicate."""
Told = tuple[str, str, str, str]
"""Predicate, how it is said, how its change or ending is, and the list of values."""


@dataclass(frozen=True, slots=True)
class Words:
    """What cases of one language are made of.

    Attributes:
        language: "en" or "zh".
        lists: values by kind. ways: sentences by what they say; "{x}" is the value, "{who}" of
            whom it is told; "i_…" is told of the speaker.
        values: by relation, the list its values are from.
        plain: relations told of somebody. mine: of the speaker. many: those of them that hold
            many values.
        qualified: relations whose values a qualifier tells apart.
        given: single-valued relations given by their parts, with values.
        changes, ends: what has one value, and what can be over: predicate, how it is said, how
            that it changed or is over, and the list of values. roles: who is whose.
    """

    language: str
    lists: Mapping[str, list[str]]
    ways: Mapping[str, list[str]]
    values: Mapping[str, str]
    plain: Sequence[str]
    mine: Sequence[str]
    many: Sequence[str]
    qualified: Sequence[Qualified]
    given: Sequence[tuple[str, Sequence[str]]]
    changes: Sequence[Told]
    ends: Sequence[Told]
    roles: Sequence[str]


_VALUES = {
    "lives": "towns",
    "works": "firms",
    "allergic": "foods",
    "likes": "hobbies",
    "speaks": "tongues",
    "drink": "drinks",
    "favourite": "colours",
}
_MANY = ("allergic", "likes", "speaks")
_PLAIN = ("lives", "works", "allergic", "likes", "speaks")
_MINE = (*_PLAIN, "drink", "favourite")
_CHANGES = (
    ("has_manager", "i_boss", "i_boss_now", "people"),
    ("phone_number", "i_phone", "i_phone_now", "lines"),
    ("works_as", "i_job", "i_job_now", "jobs"),
    ("age", "i_age", "i_age_now", "ages"),
    ("kept_in", "keys", "keys_now", "places"),
    ("follows_diet", "i_diet", "i_diet_now", "diets"),
)
_ENDS = (
    ("married_to", "i_married", "i_divorced", "people"),
    ("drinks", "i_drink", "i_gave_up", "drinks"),
    ("lives_in", "i_lives", "i_lives_no_more", "towns"),
    ("has_pet", "i_pet", "i_pet_gone", "pets"),
)
_ROLES = ("i_boss", "i_dentist", "i_married")
_LINES = ("0171-2044", "0171-9931", "0432-1188", "0432-7005", "0555-6120", "0555-3390")

ENGLISH = Words(
    language="en",
    lists={
        "people": [
            "Nora Alder", "Tilda Birch", "Rune Hazel", "Ines Rowan", "Odo Elm", "Petra Linden",
            "Silas Maple", "Wanda Cedar", "Amos Juniper", "Hedda Sorrel",
        ],
        "towns": [
            "Cork", "Lisbon", "Bergen", "Turin", "Ghent", "Riga", "Porto", "Leeds", "Malmo",
            "Split", "Utrecht", "Galway",
        ],
        "firms": [
            "Larch", "Heron", "Kite Labs", "Ember", "Quarry", "Lantern", "Harbour Foods",
            "Anvil", "Thimble", "Beacon",
        ],
        "foods": ["walnuts", "mango", "peanuts", "shellfish", "sesame", "celery", "kiwi", "soy"],
        "hobbies": ["rowing", "sailing", "pottery", "chess", "gardening", "fencing", "archery"],
        "tongues": ["Welsh", "Frisian", "Basque", "Catalan", "Danish", "Finnish", "Greek"],
        "drinks": ["coffee", "tea", "wine", "beer", "cola"],
        "times": ["after four", "in the evening", "on Sundays", "before breakfast"],
        "colours": ["teal", "red", "green", "yellow", "purple", "orange"],
        "lines": [*_LINES],
        "jobs": ["nurse", "baker", "plumber", "teacher", "carpenter"],
        "ages": ["33", "34", "41", "52"],
        "places": ["blue drawer", "red box", "top shelf", "kitchen cupboard"],
        "diets": ["vegetarian", "vegan", "pescatarian"],
        "pets": ["Biscuit", "Pepper", "Miso", "Juniper"],
        "hotels": ["the Harbour Hotel", "the Crown Inn", "the Grand", "the Old Mill"],
    },
    ways={
        "lives": ["{who} lives in {x}.", "By the way, {who} lives in {x}."],
        "works": ["{who} works at {x}.", "{who} works for {x}."],
        "allergic": ["{who} is allergic to {x}."],
        "likes": ["{who} likes {x}.", "{who} loves {x}."],
        "speaks": ["{who} speaks {x}."],
        "moved": ["{who} has moved to {x}.", "{who} moved to {x} last week.",
                  "{who} lives in {x} now."],
        "i_lives": ["I live in {x}.", "I'm living in {x}.", "We live in {x}."],
        "i_works": ["I work at {x}.", "I'm working at {x}.", "I work for {x}."],
        "i_allergic": ["I'm allergic to {x}.", "I am allergic to {x}."],
        "i_likes": ["I like {x}.", "I love {x}.", "I really enjoy {x}."],
        "i_speaks": ["I speak {x}."],
        "i_drink": ["I drink {x}."],
        "i_favourite": ["My favourite colour is {x}.", "my favorite color is {x}"],
        "relative_lives": ["My sister Tilda lives in {x}.", "My brother lives in {x}.",
                           "My aunt Berit lives in {x}."],
        "relative_works": ["My sister Tilda works at {x}.", "My brother works at {x}."],
        "i_lives_then": ["I lived in {x} from {a} to {b}.",
                         "From {a} to {b} I lived in {x}."],
        "i_works_then": ["I worked at {x} from {a} to {b}."],
        "i_works_also": ["I also work at {x}.", "I also work for {x}."],
        "i_drink_not_then": ["I don't drink {x} {t}."],
        "i_lives_not": ["I don't live in {x}.", "I do not live in {x}."],
        "i_stays": ["I'm staying at {x} until Friday.", "I'm staying at {x} this week."],
        "might_move": ["We might move to {x}, not sure yet.", "I may move to {x} one day."],
        "asks_move": ["Should I move to {x}?", "What would it cost to live in {x}?"],
        "you_live": ["You live in {x}, right?", "So you live in {x}."],
        "i_moved": ["I've moved to {x}.", "I moved to {x} last week.", "We've moved to {x}!"],
        "i_started": ["I've just started at {x}.", "I started at {x} last week.",
                      "I work at {x} now, it's a new job."],
        "i_lives_now": ["I live in {x} now.", "Now I live in {x}."],
        "i_works_now": ["I work at {x} now.", "Now I work at {x}."],
        "i_meant": ["No, I meant {x}.", "Sorry, I live in {x}, not {y}.",
                    "Actually, I live in {x}, not in {y}."],
        "i_moved_dated": ["I moved to {x} on 1 March 2024.", "I moved to {x} on 25 February."],
        "i_favourite_now": ["My favourite colour is now {x}.", "My favourite colour is {x} now."],
        "i_from_to": ["I no longer work at {x}, I work at {y} now.",
                      "I left {x} and started at {y} last week."],
        "i_likes_not_now": ["I don't like {x} any more.", "I no longer like {x}."],
        "i_left": ["I left {x} last week.", "I no longer work at {x}.",
                   "I don't work at {x} any more."],
        "i_quit": ["I quit my job.", "I've quit my job."],
        "mentions": ["{who} set a new audit rule for payroll exports.",
                     "I forwarded the notes to {who}.", "{who} asked about the invoices."],
        "i_visited": ["I visited {x} last week.", "I went to {x} last month."],
        "others_words": ['My friend wrote: "I live in {x}."', "In the film she lives in {x}."],
        "wishes": ["If I lived in {x}, I'd sail every day.", "I wish I lived in {x}."],
        "i_boss": ["My boss is {x}.", "My manager is {x}."],
        "i_boss_now": ["My new boss is {x}.", "My boss is now {x}."],
        "i_dentist": ["My dentist is {x}."],
        "i_married": ["I'm married to {x}.", "My husband's name is {x}."],
        "i_divorced": ["{x} and I divorced last year.", "I got divorced.",
                       "I'm no longer married to {x}."],
        "i_phone": ["My phone number is {x}."],
        "i_phone_now": ["My new phone number is {x}.", "My phone number is now {x}.",
                        "My phone number has changed to {x}."],
        "i_job": ["I'm a {x}.", "I work as a {x}."],
        "i_job_now": ["I'm a {x} now.", "Now I work as a {x}.", "I've become a {x}."],
        "i_age": ["I'm {x}.", "I am {x} years old."],
        "i_age_now": ["I'm {x} now.", "I just turned {x}."],
        "keys": ["The spare keys are in the {x}."],
        "keys_now": ["The spare keys are now in the {x}.", "The spare keys are in the {x} now."],
        "i_diet": ["I'm {x}."],
        "i_diet_now": ["I'm {x} now.", "I've gone {x}.", "I've become {x}."],
        "i_gave_up": ["I've given up {x}.", "I've stopped drinking {x}.",
                      "I don't drink {x} any more."],
        "i_lives_no_more": ["I don't live in {x} any more.", "I no longer live in {x}.",
                            "I used to live in {x}."],
        "i_pet": ["We have a dog called {x}.", "Our dog is called {x}."],
        "i_pet_gone": ["We have no pets any more.", "We don't have {x} any more."],
    },
    values=_VALUES,
    plain=_PLAIN,
    mine=_MINE,
    many=_MANY,
    qualified=(
        ("phone_number", "line", ("work", "home"), _LINES),
        ("lives_in", "when", ("weekdays", "weekends"), ["Cork", "Ghent", "Riga", "Porto"]),
        ("works_as", "job", ("main", "second"), ["baker", "nurse", "clerk", "tutor"]),
    ),
    given=(
        ("lives_in", ["Cork", "Ghent", "Riga", "Porto", "Turin", "Leeds"]),
        ("works_at", ["Larch", "Heron", "Ember", "Anvil", "Beacon"]),
        ("has_manager", ["Marit Fennel", "Gunnar Teasel", "Freda Yarrow", "Egon Clover"]),
        ("phone_number", _LINES),
        ("weight", ["71 kg", "74 kg", "77 kg", "80 kg"]),
        ("favourite_dish", ["leek pie", "fish stew", "dumplings", "risotto"]),
        ("desk", ["B12", "C3", "A7"]),
    ),
    changes=_CHANGES,
    ends=_ENDS,
    roles=_ROLES,
)  # fmt: skip

CHINESE = Words(
    language="zh",
    lists={
        "people": [
            "林若溪", "周牧远", "沈知夏", "顾北辰", "陆思远", "苏晚晴", "程映雪", "叶清和",
            "秦怀瑾", "陈望舒",
        ],
        "towns": [
            "杭州", "成都", "青岛", "厦门", "昆明", "苏州", "大连", "西安", "长沙", "桂林", "绍兴",
        ],
        "firms": [
            "云杉科技", "石桥设计", "白鹭出版社", "星河公司", "百川", "青鸟银行", "北斗实验室",
        ],
        "foods": ["花生", "芒果", "核桃", "虾", "牛奶", "鸡蛋", "芝麻", "桃子"],
        "hobbies": ["爬山", "游泳", "书法", "下棋", "摄影", "钓鱼", "画画"],
        "tongues": ["法语", "日语", "韩语", "德语", "粤语", "俄语"],
        "drinks": ["咖啡", "茶", "啤酒", "可乐", "牛奶"],
        "times": ["早上", "晚上", "周末", "工作日"],
        "colours": ["墨绿色", "红色", "蓝色", "黄色", "紫色", "橙色"],
        "lines": [*_LINES],
        "jobs": ["护士", "编辑", "会计", "老师", "厨师"],
        "ages": ["33岁", "34岁", "41岁", "52岁"],
        "places": ["蓝色抽屉", "红色盒子", "书架", "柜子"],
        "diets": ["吃素", "纯素"],
        "pets": ["饼干", "豆包", "米粒", "阿福"],
        "hotels": ["白鹭酒店", "海港饭店", "云栖宾馆"],
    },
    ways={
        "lives": ["{who}住在{x}。", "{who}现在住在{x}。"],
        "works": ["{who}在{x}上班。", "{who}在{x}工作。"],
        "allergic": ["{who}对{x}过敏。"],
        "likes": ["{who}喜欢{x}。", "{who}很喜欢{x}。"],
        "speaks": ["{who}会说{x}。"],
        "moved": ["{who}搬到{x}了。", "{who}上周搬到{x}了。", "{who}现在住在{x}。"],
        "i_lives": ["我住在{x}。", "我现在住在{x}。", "我家住在{x}。"],
        "i_works": ["我在{x}上班。", "我在{x}工作。", "我现在在{x}上班。"],
        "i_allergic": ["我对{x}过敏。", "我对{x}过敏！"],
        "i_likes": ["我喜欢{x}。", "我很喜欢{x}。"],
        "i_speaks": ["我会说{x}。"],
        "i_drink": ["我每天喝{x}。", "我每天都喝{x}。"],
        "i_favourite": ["我最喜欢的颜色是{x}。"],
        "relative_lives": ["我妹妹住在{x}。", "我哥哥住在{x}。", "我妈住在{x}。"],
        "relative_works": ["我妹妹在{x}上班。", "我哥哥在{x}工作。"],
        "i_lives_then": ["{a}年到{b}年我住在{x}。"],
        "i_works_then": ["{a}年到{b}年我在{x}工作。"],
        "i_works_also": ["我还在{x}兼职。", "我同时也在{x}工作。"],
        "i_drink_not_then": ["我{t}不喝{x}。"],
        "i_lives_not": ["我不住在{x}。"],
        "i_stays": ["这周出差，我暂时住在{x}。", "这两天我住在{x}。"],
        "might_move": ["我可能会搬到{x}，还没定。", "我在考虑搬去{x}。"],
        "asks_move": ["我要不要搬去{x}？", "在{x}生活贵不贵？"],
        "you_live": ["你住在{x}吧？", "原来你住在{x}。"],
        "i_moved": ["我搬到{x}了。", "我刚搬到{x}。", "上周我搬到{x}了。"],
        "i_started": ["我上周入职{x}了。", "我跳槽到{x}了。", "我刚入职{x}。"],
        "i_lives_now": ["我现在住在{x}。", "现在我住在{x}。"],
        "i_works_now": ["我现在在{x}工作。", "我现在在{x}上班。"],
        "i_meant": ["说错了，我住在{x}。", "不对，我住在{x}。", "我不是住在{y}，是住在{x}。"],
        "i_moved_dated": ["我2024年3月1日搬到{x}了。", "我2月25日搬到{x}的。"],
        "i_favourite_now": ["我现在最喜欢的颜色是{x}。", "现在我最喜欢的颜色是{x}。"],
        "i_from_to": ["我从{x}跳槽到{y}了。", "我不在{x}了，在{y}上班。"],
        "i_likes_not_now": ["我不喜欢{x}了。", "我不再喜欢{x}了。"],
        "i_left": ["我从{x}离职了。", "我已经不在{x}工作了。", "我不在{x}上班了。"],
        "i_quit": ["我辞职了。", "我离职了。"],
        "mentions": ["{who}给报销定了新规矩。", "我把会议记录转给{who}了。", "{who}问了发票的事。"],
        "i_visited": ["我上周去了{x}。", "上周末我去了{x}。"],
        "others_words": ["我朋友说：“我住在{x}。”", "电影里她住在{x}。"],
        "wishes": ["如果我住在{x}就好了。", "好想住在{x}。"],
        "i_boss": ["我老板是{x}。", "我的老板是{x}。"],
        "i_boss_now": ["我老板现在是{x}。", "现在我老板是{x}。"],
        "i_dentist": ["我的牙医是{x}。"],
        "i_married": ["我老公叫{x}。", "我和{x}结婚了。"],
        "i_divorced": ["我和{x}离婚了。", "我离婚了。"],
        "i_phone": ["我的手机号是{x}。"],
        "i_phone_now": ["我的手机号现在是{x}。", "我的新手机号是{x}。", "我手机号换成{x}了。"],
        "i_job": ["我是{x}。", "我是一名{x}。"],
        "i_job_now": ["我现在是{x}。", "我转行当{x}了。"],
        "i_age": ["我今年{x}。"],
        "i_age_now": ["我今年{x}了。", "我{x}了。"],
        "keys": ["备用钥匙在{x}里。", "备用钥匙放在{x}里。"],
        "keys_now": ["备用钥匙现在在{x}里。", "备用钥匙换到{x}里了。"],
        "i_diet": ["我{x}。"],
        "i_diet_now": ["我现在{x}了。", "我现在改{x}了。"],
        "i_gave_up": ["我把{x}戒了。", "我不喝{x}了。", "我再也不喝{x}了。"],
        "i_lives_no_more": ["我不住在{x}了。", "我以前住在{x}。", "我已经不在{x}住了。"],
        "i_pet": ["我家狗叫{x}。", "我养了一只狗叫{x}。"],
        "i_pet_gone": ["我现在没有宠物了。", "我家没有宠物了。"],
    },
    values=_VALUES,
    plain=_PLAIN,
    mine=_MINE,
    many=_MANY,
    qualified=(
        ("phone_number", "line", ("工作", "家里"), _LINES),
        ("lives_in", "when", ("平时", "周末"), ["北京", "天津", "苏州", "上海"]),
        ("works_as", "job", ("本职", "兼职"), ["会计", "调酒师", "护士", "编辑"]),
    ),
    given=(
        ("lives_in", ["杭州", "成都", "青岛", "厦门", "昆明"]),
        ("works_at", ["云杉科技", "石桥设计", "百川", "星河公司"]),
        ("has_manager", ["贺松年", "秦令仪", "薛书白", "江予安"]),
        ("phone_number", _LINES),
        ("weight", ["71公斤", "74公斤", "77公斤"]),
        ("favourite_dish", ["宫保鸡丁", "麻婆豆腐", "清蒸鲈鱼", "小笼包"]),
        ("desk", ["B12", "C3", "A7"]),
    ),
    changes=_CHANGES,
    ends=_ENDS,
    roles=_ROLES,
)  # fmt: skip
