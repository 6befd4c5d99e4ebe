"""English verb forms: from what is written to the base form."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from functools import cache

from graphmem.extraction.patterns.sentences import words


class VerbForm(StrEnum):
    """A form of a verb; one word may be several."""

    BASE = "base"
    THIRD = "third"
    PAST = "past"
    PARTICIPLE = "participle"
    ING = "ing"


# base past participle
_IRREGULAR = """
be was been|have had had|do did done|go went gone|get got got|make made made|take took taken
come came come|see saw seen|know knew known|give gave given|find found found|think thought thought
tell told told|become became become|leave left left|feel felt felt|bring brought brought
begin began begun|keep kept kept|hold held held|write wrote written|stand stood stood
hear heard heard|let let let|mean meant meant|set set set|meet met met|run ran run|pay paid paid
sit sat sat|speak spoke spoken|lie lay lain|lead led led|read read read|grow grew grown
lose lost lost|fall fell fallen|send sent sent|build built built|buy bought bought
spend spent spent|cut cut cut|drive drove driven|break broke broken|teach taught taught
wear wore worn|catch caught caught|choose chose chosen|drink drank drunk|eat ate eaten
win won won|sell sold sold|sing sang sung|swim swam swum|sleep slept slept|ride rode ridden
fly flew flown|draw drew drawn|quit quit quit|put put put|cost cost cost|hurt hurt hurt
bear bore borne|forget forgot forgotten|wake woke woken|throw threw thrown|show showed shown
steal stole stolen|undergo underwent undergone|outgrow outgrew outgrown|say said said
have had had|bite bit bitten|sew sewed sewn|knit knitted knitted|hit hit hit|rent rented rented
upset upset upset|spread spread spread|bet bet bet|split split split|shut shut shut
"""
_REGULAR = """
abhor accept adopt adore bust die wreck
agree aim allocate apply appreciate arrange arrive ask assign assist
attend avoid bake be based believe belong book breed bring call cancel carry cause celebrate change
check clean climb close coach collect commute compete complete compose consider contain continue
cook cooperate crave create cycle dance date decide deliver despise detest develop diagnose direct
discover discuss dislike divorce dread dream earn employ end enjoy enrol enroll enter exercise
expect expire
fail fear finish fix follow forgive found freelance garden graduate hail happen hate head help hike
hire hope include injure inherit intend intern interview invest join jog juggle kayak kick knit
land last launch learn like limit listen live loathe look love maintain major manage manufacture
marry mentor mind miss move name need nickname offer open operate order organise organize own
paint park partner participate plan plant play possess practice practise prefer prescribe produce
promise promote purchase qualify raise react receive recommend record recover refuse relocate
remain remember renovate repair report reside resign respect retire return root run sail save
serve settle share ship shop sign skate skateboard ski smoke snore source start stay stop stream
study struggle subscribe suffer supply support surf switch talk tend tolerate train translate travel
trigger try turn use vaccinate visit volunteer vote walk want wash watch weigh wish work worry
yell cofound co-found own operate rejoin retrain steer swap tutor translate commission fund
emigrate immigrate name adopt foster lease lend borrow donate explain mention notice offer pass
pick plan prove pull
push reach realise realize relax rely remind repeat reply rest rule rush scare seem sound stick
suggest suppose surprise taste thank touch treat trust wait wonder wrap
"""
_DOUBLED = words(
    "stop plan ship shop jog swap chat hug drop grab skip step trip admit commit prefer refer abhor"
    " rub tap knit cut get run sit swim win set put let hit begin quit upset bet split shut forget"
)
_VOWELS = "aeiou"


def _third(base: str) -> str:
    if base.endswith(("s", "x", "z", "ch", "sh", "o")):
        return base + "es"
    if base.endswith("y") and base[-2] not in _VOWELS:
        return base[:-1] + "ies"
    return base + "s"


def _past(base: str) -> str:
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2] not in _VOWELS:
        return base[:-1] + "ied"
    return base + (base[-1] + "ed" if base in _DOUBLED else "ed")


def _ing(base: str) -> str:
    if base.endswith("ie"):
        return base[:-2] + "ying"
    if base.endswith("e") and not base.endswith(("ee", "oe", "ye")) and base != "be":
        return base[:-1] + "ing"
    return base + (base[-1] + "ing" if base in _DOUBLED else "ing")


class Verbs:
    """Finds the base and forms of a written verb, among the verbs it was made with."""

    def __init__(self, more: Iterable[str] = ()) -> None:
        self._forms: dict[str, dict[str, set[VerbForm]]] = {}
        for base in (*_REGULAR.split(), *more):
            self._add(base, _third(base), _past(base), _past(base))
        for line in _IRREGULAR.replace("\n", "|").split("|"):
            if line.strip():
                base, past, participle = line.split()
                self._drop(_past(base), base)
                self._add(base, _third(base), past, participle)
        for form, base, kind in (
            ("has", "have", VerbForm.THIRD),
            ("is", "be", VerbForm.THIRD),
            ("am", "be", VerbForm.BASE),
            ("are", "be", VerbForm.BASE),
            ("were", "be", VerbForm.PAST),
            ("learnt", "learn", VerbForm.PAST),
            ("learnt", "learn", VerbForm.PARTICIPLE),
            ("gotten", "get", VerbForm.PARTICIPLE),
            ("travelled", "travel", VerbForm.PAST),
            ("travelled", "travel", VerbForm.PARTICIPLE),
            ("travelling", "travel", VerbForm.ING),
            ("enrolled", "enrol", VerbForm.PARTICIPLE),
            ("dreamt", "dream", VerbForm.PAST),
        ):
            self._forms.setdefault(form, {}).setdefault(base, set()).add(kind)

    def _add(self, base: str, third: str, past: str, participle: str) -> None:
        for form, kind in (
            (base, VerbForm.BASE),
            (third, VerbForm.THIRD),
            (past, VerbForm.PAST),
            (participle, VerbForm.PARTICIPLE),
            (_ing(base), VerbForm.ING),
        ):
            self._forms.setdefault(form, {}).setdefault(base, set()).add(kind)

    def _drop(self, form: str, base: str) -> None:
        self._forms.get(form, {}).pop(base, None)

    def base(self, form: str, *kinds: VerbForm) -> str | None:
        """Return the base of ``form`` if it can be one of ``kinds`` (any, if none is given)."""
        for base, possible in self._forms.get(form, {}).items():
            if not kinds or possible & set(kinds):
                return base
        return None

    def is_finite(self, form: str) -> bool:
        """Whether ``form`` can be the verb of a clause whose subject is somebody else."""
        return self.base(form, VerbForm.THIRD, VerbForm.PAST) is not None


@cache
def _known() -> Verbs:
    """Return the verbs known without a registry."""
    return Verbs()


def ing_form(base: str) -> str | None:
    """Return the gerund of a base form ("swim": "swimming"); None if it is no known verb."""
    if _known().base(base, VerbForm.BASE) is None:
        return None
    return _ing(base)


def is_done(form: str) -> bool:
    """Whether a form can only say what was done ("narrated", "written"), unlike "set"."""
    participle = _known().base(form, VerbForm.PARTICIPLE) is not None
    return form.endswith("ed") or (participle and _known().base(form, VerbForm.BASE) is None)
