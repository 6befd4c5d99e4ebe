"""Chinese clauses about what is around one: desks, papers, strikes, visits, what was swapped."""

from __future__ import annotations

import re

from graphmem.extraction.patterns.zh_forms import Placed, Said
from graphmem.extraction.patterns.zh_marks import Mark, Opening
from graphmem.extraction.patterns.zh_objects import is_plain
from graphmem.extraction.patterns.zh_open import in_container
from graphmem.extraction.patterns.zh_people import SURNAME
from graphmem.extraction.patterns.zh_state import State, Topic
from graphmem.extraction.patterns.zh_subject import name_subject, subject_of, topic_of
from graphmem.extraction.patterns.zh_text import Clause, Reduced
from graphmem.extraction.patterns.zh_times import Bearing
from graphmem.extraction.patterns.zh_view import View, written
from graphmem.model.claim import Form, Mention, Modality, Polarity
from graphmem.model.entity import ValueKind

_SEAT = re.compile(
    r"(?:我|我们)的?(?P<s>工位|座位|车位|停车位|储物柜|床位|柜子|宿舍|教室)(?:号)?"
    r"(?:(?:已经|刚)?从(?P<a>[A-Za-z]{0,2}-?\d{1,4}号?))?"
    r"(?:已经|刚|现在|目前|就)*(?P<v>是|在|换(?:到|成)了?|改(?:到|成)了?|搬到了?|挪到了?|调到了?|:)"
    r"(?P<o>[A-Za-z]{0,2}-?\d{1,4}(?:号|室|座|床)?)"
)
"""A place with a number: 我的工位是B12."""
_OWN_PLACE = {
    "工位": "desk",
    "座位": "seat",
    "车位": "parking_space",
    "停车位": "parking_space",
    "储物柜": "locker",
}
"""Places that are relations of whoever has them; other things are told to be somewhere."""
_PAPER = re.compile(
    r"(?P<mine>我们?的?)?(?P<s>签证|护照|居住证|身份证|驾照|通行证|工作许可|合同|劳动合同|租约|"
    r"租房合同|保修|保险|会员|年卡|月卡|健身卡|订阅|聘书|执照|居留许可)(?:的)?(?:有效期限?|期限)?"
    r"(?P<v>(?:就|要|会|将|是|都)*(?:到期|过期|失效|截止)?|(?:有效|能用|可以用|签|续)?(?:的)?)"
)
_EXPIRES = re.compile(r"到期|过期|失效|截止")
_STOPPED = re.compile(
    r"(?P<s>[^的了着过是在我你他她它这那都也没不从去\d正还]{2,10}?)(?:现在|目前)?(?:都|又|还|正|已经)*在?(?:闹)?"
    r"(?P<o>罢工|停业|歇业|停产|停工|停课)(?:中|呢)?"
)
_NOT_STOPPED = re.compile(
    r"^(?:楼下|附近|隔壁|对面|这家|那家)?(?:超市|工厂|学校|公司|餐厅|饭店|地铁|公交|食堂|酒店|商场|药店|医院|银行|机场|火车|铁路|司机|老师|护士)们?$|"
    r"取消|结束|停止|终止|反对|支持|因为?|经历|参加|受|曾|怕|大家|人家|他们|工人们?|有人|员工|同事|老板|今天|明天|昨天|[爸妈哥姐弟妹]|要|准备|打算|计划|可能|[小老阿]."
)
_EXPERT = (
    r"(?P<o>(?:牙科|眼科|皮肤科|骨科|妇科|儿科|家庭|心理)?医生|牙医|中医|心理咨询师|律师|"
    rf"(?:{SURNAME})(?:医生|大夫|律师))"
)
_VISIT = re.compile(
    rf"(?:要|得|有|约了|约好)?(?:去|来)?(?:看|见|约)(?:了|好)?{_EXPERT}|"
    rf"{_EXPERT.replace('<o>', '<w>')}的?(?:预约|号)?(?:约|定|订|排|安排|是)(?:好)?(?:在|是|到|了)*"
)
_CUT_OUT = re.compile(
    r"(?:医生|大夫|牙医|营养师|中医)(?:已经|一直|都)?"
    r"(?:(?:不让|不准|不许|不允许|禁止|不建议)我(?:再)?|(?:让|叫|要|要求|叮嘱|嘱咐|建议)我(?:别|不要|不能)(?:再)?)"
    r"(?:吃|喝|碰|沾|抽)(?P<o>[^的了着过完多太这那我你他她它]{1,6})"
)
_FASTS = re.compile(r"(?:需要|得|要|必须)?忌口(?:的是|:)?(?P<o>[^的了着过这那我你他她它]{1,8})")
_ILL = re.compile(r"(?:又|有点儿?|还在)?(?P<o>宿醉|晕车|晕船|晕机)")
_DRIVES = re.compile(
    r"开(?:着)?(?P<o>渡轮|轮渡|渡船|出租车|公交车?|卡车|货车|大巴|大巴车|火车|地铁|校车|叉车|救护车|网约车|挖掘机|拖拉机|有轨电车)"
)
_KEPT_NOW = re.compile(
    r"(?:它)?(?P<now>现在|目前|如今)?(?:已经)?(?:被)?(?P<v>放|存|收|搁|挪|移|换|搬|转移)?(?:在|到)了?"
    r"(?P<o>.+?)(?:里面?|里头|上面?|下面?|中)?"
)
_SWAPPED = re.compile(
    r"从(?P<a>.+?)(?:换|改|转|切换|调)(?:到|成|去|至|喝|用|看|为)了?(?P<o>.+?)(?:那儿|那里)?"
)
_DRINK = re.compile(
    r"[^的了着过我你他她它从]{0,4}(?:咖啡|茶)|拿铁|美式|可乐|豆浆|[燕麦全脂脱]{0,2}牛?奶|啤酒|红酒|"
    r"白酒|黄酒|果汁|气泡水|苏打水|椰子水"
)
_DEVICE = re.compile(
    r"[^的了着过我你他她它]{1,8}(?:手机|电脑|笔记本|相机|耳机|键盘|编辑器|输入法|浏览器)|"
    r"苹果|安卓|华为|小米|三星|iPhone|Android|Windows|Linux|Mac|macOS"
)
_DOCTOR = re.compile(rf"(?:{SURNAME})(?:医生|大夫)")
_KINDS = ((_DRINK, "drinks"), (_DEVICE, "uses"), (_DOCTOR, "has_doctor"))


def _to_avoid(text: str) -> bool:
    return is_plain(text) and re.search(r"饭$|东西|晚餐|早餐|药$|什么", text) is None


_QUITTABLE = frozenset({"smokes", "drinks_alcohol", "drinks", "eats", "plays", "practises"})
_QUIT = re.compile(r"(?:彻底|终于|就|才|都)?(?:戒|戒掉|不抽|不喝|不吃|不玩)")


def _quit(clause: Clause, opening: Opening, core: str, said: Said, state: State) -> bool:
    """以前抽烟，2020年戒了: when what was just told ended."""
    last = state.drafts[-1] if state.drafts else None
    if last is None or opening.who is not None or _QUIT.fullmatch(core) is None:
        return False
    done = said.closed and not said.has(Mark.PLAN, Mark.MAYBE)
    if last.predicate not in _QUITTABLE or not done or last.polarity is Polarity.NEGATIVE:
        return False
    if last.form not in {Form.STATE, Form.END} or last.end is not None or len(said.times) > 1:
        return False
    when = said.times[0].phrase if said.times else None
    if last.form is Form.END:
        state.drafts.pop()
    state.add(clause, last.subject, last.predicate, last.object, Placed(Form.END, end=when))
    return True


def read_around(
    clause: Clause, reduced: Reduced, opening: Opening, core: str, said: Said, state: State
) -> bool:
    """Add what a clause says of things around the speaker; False if it is none of these."""
    if _quit(clause, opening, core, said, state):
        return True
    view = _View(clause, reduced, opening, core, said, state)
    return any(
        reader()
        for reader in (
            view.seat,
            view.paper,
            view.visit,
            view.cut_out,
            view.fasts,
            view.ill,
            view.drives,
            view.swapped,
            view.kept_now,
            view.stopped,
        )
    )


class _View(View):
    """What is said of things around the speaker, kind by kind."""

    def _words(self, found: re.Match[str], group: str) -> str | None:
        return written(self.reduced, self.opening, self.state, found, group)

    def _plain(self, *allowed: Mark) -> bool:
        """Whether nothing is said of it but that it is so."""
        return not self.opening.marks - {Mark.PLAIN, *allowed}

    def _first(self) -> bool:
        """Whether nothing was taken for a subject or small word, so that all is to be read."""
        return self.opening.core == 0

    def _text(self, found: re.Match[str], group: str = "o") -> Mention | None:
        words = self._words(found, group)
        return None if words is None else Mention(words, kind=ValueKind.TEXT)

    def seat(self) -> bool:
        """我的工位是B12; 我的工位换到C3了."""
        me = self.state.context.me
        found = _SEAT.fullmatch(self.core) if self._first() else None
        if found is None or me is None or not me.is_self or self.said.times:
            return False
        place = self._words(found, "o")
        if place is None:
            return False
        relation = _OWN_PLACE.get(found.group("s"), "located_in")
        subject = me if relation != "located_in" else Mention(f"我的{found.group('s')}")
        new = found.group("v")[0] in "换改搬挪调"
        old = self._words(found, "a") if found.group("a") else None
        if found.group("a") and (not new or old is None):
            return False
        if old is not None:
            self.state.add(self.clause, subject, relation, Mention(old), Placed(Form.END))
        placed = Placed(Form.CHANGE if new else Form.STATE)
        self.state.add(self.clause, subject, relation, Mention(place), placed)
        if subject is not me:
            self.state.topic = Topic(subject, "thing", carried=True)
        return True

    def paper(self) -> bool:
        """我的签证到明年十二月; 合同明年三月到期."""
        me = self.state.context.me
        found = _PAPER.fullmatch(self.core) if self._first() else None
        if found is None or len(self.said.times) != 1 or me is None:
            return False
        time = self.said.times[0]
        ends = _EXPIRES.search(found.group("v")) is not None
        until = time.bearing is Bearing.END or (ends and time.bearing is Bearing.AT)
        if not until or time.ahead is not True or (found.group("mine") and not me.is_self):
            return False
        mine = "我的" if found.group("mine") else ""
        subject = Mention(mine + found.group("s"))
        valid = Mention("有效", kind=ValueKind.TEXT)
        self.state.add(self.clause, subject, "has_status", valid, Placed(end=time.phrase))
        self.state.topic = Topic(subject, "thing", carried=True)
        return True

    def visit(self) -> bool:
        """明天九点看牙医."""
        found = _VISIT.fullmatch(self.core)
        if found is None or not self._plain(Mark.PLAN) or len(self.said.times) != 1:
            return False
        time = self.said.times[0]
        subject = subject_of(self.opening.who, self.reduced, self.state)
        whom = self._text(found, "o" if found.group("o") else "w")
        if time.bearing is not Bearing.AT or not time.ahead or subject is None or whom is None:
            return False
        placed = Placed(modality=Modality.PLANNED, start=time.phrase)
        words = self.state.words(self.clause.begin, self.clause.stop)
        self.state.add(
            self.clause, subject, "has_appointment", whom, placed,
            statement=words if found.group("w") else None,
        )  # fmt: skip
        self.state.topic = topic_of(self.opening.who, subject, self.state)
        return True

    def cut_out(self) -> bool:
        """医生不让我喝酒."""
        me = self.state.context.me
        found = _CUT_OUT.fullmatch(self.core) if self._first() else None
        if found is None or me is None or self.said.times or not _to_avoid(found.group("o")):
            return False
        return self._avoids(me, found)

    def fasts(self) -> bool:
        """我忌口牛羊肉."""
        found = _FASTS.fullmatch(self.core)
        subject = subject_of(self.opening.who, self.reduced, self.state)
        if found is None or subject is None or self.said.times or not self._plain(Mark.NOW):
            return False
        return _to_avoid(found.group("o")) and self._avoids(subject, found)

    def _avoids(self, subject: Mention, found: re.Match[str]) -> bool:
        words = self._words(found, "o")
        if words is None:
            return False
        self.state.add(self.clause, subject, "avoids", Mention(words), Placed())
        self.state.topic = topic_of(self.opening.who, subject, self.state)
        return True

    def ill(self) -> bool:
        """小高宿醉了: for the day, so only if it is said of now."""
        found = _ILL.fullmatch(self.core)
        today = all(re.match(r"今|现在", time.phrase) for time in self.said.times)
        if found is None or not today or not self._plain(Mark.NOW, Mark.DEGREE, Mark.AGAIN):
            return False
        subject = subject_of(self.opening.who, self.reduced, self.state)
        feeling = self._text(found)
        sure = self.said.closed or self.said.has(Mark.NOW, Mark.DEGREE) or self.said.times
        if subject is None or feeling is None or not sure:
            return False
        self.state.add(self.clause, subject, "feels", feeling, Placed())
        self.state.topic = topic_of(self.opening.who, subject, self.state)
        return True

    def drives(self) -> bool:
        """我姑姑开渡轮."""
        found = _DRIVES.fullmatch(self.core)
        who = self.opening.who
        if found is None or who is None or self.said.times or not self._plain():
            return False
        subject = subject_of(who, self.reduced, self.state)
        words = self._words(found, "o")
        if subject is None or words is None or self.said.closed:
            return False
        name_subject(who, self.clause, self.reduced, self.state)
        self.state.add(self.clause, subject, "drives", Mention(words), Placed())
        self.state.topic = topic_of(who, subject, self.state)
        return True

    def swapped(self) -> bool:
        """我从咖啡换成了茶: the old one is over, by what both are."""
        found = _SWAPPED.fullmatch(self.core)
        whose = subject_of(self.opening.who, self.reduced, self.state)
        if found is None or whose is None or self.said.times or not self._plain(Mark.JUST):
            return False
        if not (self.said.perfect or self.said.has(Mark.JUST)):
            return False
        slug = next(
            (s for p, s in _KINDS if all(p.fullmatch(found.group(g)) for g in ("a", "o"))), None
        )
        old, new = self._words(found, "a"), self._words(found, "o")
        if slug is None or old is None or new is None:
            return False
        types = ("person",) if slug == "has_doctor" else ()
        over = Placed(Form.END)
        self.state.add(self.clause, whose, slug, Mention(old, types=types), over)
        self.state.add(self.clause, whose, slug, Mention(new, types=types), Placed(Form.CHANGE))
        self.state.topic = topic_of(self.opening.who, whose, self.state)
        return True

    def kept_now(self) -> bool:
        """现在在4号抽屉, right after the sentence that says where a thing was put."""
        found = _KEPT_NOW.fullmatch(self.reduced.text.rstrip("了啊呀哦")) if self._first() else None
        moved = found is not None and (found.group("now") or found.group("v") in _MOVES)
        if found is None or not moved or self.said.times or not in_container(found.group("o")):
            return False
        thing = self._thing_put()
        where = self._words(found, "o")
        if thing is None or where is None:
            return False
        self.state.add(self.clause, thing, "kept_in", Mention(where), Placed(Form.CHANGE))
        return True

    def _thing_put(self) -> Mention | None:
        """Return the only thing of which the clause or sentence before said where it is."""
        drafts = list(self.state.drafts)
        if not drafts and self.state.context.sentences:
            last = self.state.context.sentences[-1].text
            drafts = [draft for draft in self.state.context.drafts if draft.quote in last]
        things = {draft.subject.text: draft for draft in drafts}
        kept = [draft for draft in things.values() if draft.predicate == "kept_in"]
        return kept[0].subject if len(things) == 1 and kept else None

    def stopped(self) -> bool:
        """磨坊父子在罢工."""
        found = _STOPPED.fullmatch(self.core) if self._first() else None
        if found is None or self.said.times or _NOT_STOPPED.search(found.group("s")):
            return False
        now = self.said.closed or re.search(r"在|中$|呢$|正", self.core[found.end("s") :])
        name, status = self._words(found, "s"), self._text(found)
        if not now or name is None or status is None or not is_plain(found.group("s")):
            return False
        subject = Mention(name, types=("organisation",))
        self.state.add(self.clause, subject, "has_status", status, Placed())
        self.state.topic = Topic(subject, "thing", carried=True)
        return True


_MOVES = frozenset({"挪", "移", "换", "搬", "转移"})
