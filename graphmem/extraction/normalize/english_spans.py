"""The English time grammar: lengths in other words, and spans beside the present."""

from __future__ import annotations

from graphmem.extraction.normalize.derived import Amount, Offset
from graphmem.extraction.normalize.english import year_period
from graphmem.extraction.normalize.grammar import Grammar
from graphmem.extraction.normalize.nodes import Node, Now, Then, Unit, YearLike
from graphmem.extraction.normalize.phrases import After, At, Before, Length, Since, Until
from graphmem.extraction.normalize.present import Recent, SoFar

_WHOLE = "day|week|weekend|month|year|quarter|decade|century"
_UNITS = "day|week|month|quarter|year|decade"


def add_lengths(g: Grammar) -> None:
    """Add lengths: "all week", "two nights", "an hour and a half", "twenty-four hours"."""
    g.rule("whole", f"{{{_WHOLE}}}", to=lambda unit: (1.0, unit))
    g.rule(
        "length",
        "all|whole|full|entire -? <whole>",
        "the|a|an whole|full|entire <whole>",
        "all the <whole>",
        to=lambda amount: (amount,),
    )
    g.rule("length", "<count> full|whole|entire|more <unit>", to=lambda n, u: ((float(n), u),))
    g.rule("length", "<count> nights|night", to=lambda n: ((float(n), "day"),))
    g.rule("length", "{twenty|thirty|forty|fifty} and <one> <unit>", to=_twenty_and)
    g.rule(
        "length",
        "<count> <unit> and a? {half|quarter}",
        "a|an <unit> and a? {half|quarter}",
        to=_and_part,
    )
    g.rule(
        "length",
        "<count> and a|one {half|quarter} <unit>",
        "<count> and three {quarters} <unit>",
        to=lambda n, part, unit: ((n + _PARTS[part], unit),),
    )


_PARTS = {"half": 0.5, "quarter": 0.25, "quarters": 0.75}
_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50}


def _twenty_and(tens: str, ones: int, unit: str) -> tuple[Amount, ...] | None:
    return ((float(_TENS[tens] + ones), unit),) if ones < 10 else None


def _and_part(*said: object) -> tuple[Amount, ...]:
    *count, unit, part = said
    first = count[0] if count else 1
    number = first if isinstance(first, int | float) else 1
    return ((number + _PARTS[str(part)], str(unit)),)


def add_spans(g: Grammar) -> None:
    """Add spans beside the present, comparisons, and what has no unit of its own."""
    g.rule("phrase", "for? <length>", to=Length)
    unit = f"{{{_UNITS}}}"
    g.rule(
        "rest",
        f"the? rest|remainder|remaining of? the|this|my? {unit}",
        f"what_is|what's left of the|this {unit}",
        to=Unit,
    )
    g.rule("phrase", "in|for|during|over|through|throughout? <rest>", to=_rest)
    g.rule(
        "phrase",
        f"earlier this|in_the|in_this {unit}",
        "earlier {today}",
        to=lambda word: At(SoFar(Unit("day" if word == "today" else word))),
    )
    g.rule(
        "phrase", f"so far this {unit}", f"this {unit} so far", to=lambda word: Since(Unit(word))
    )
    for words in ("to date", "till date", "until now", "till now", "up to now", "up until now",
                  "until today", "so far", "to this day"):  # fmt: skip
        g.words("phrase", {words: Until(Now())})
    g.rule(
        "phrase",
        "on_or_after|not_before|not_earlier_than|no_earlier_than|no_sooner_than <point>",
        "<point> or|and onward|onwards|beyond",
        to=Since,
    )
    g.rule("phrase", "on_or_before <point>", "<point> or|and earlier|before|prior", to=_through)
    for words in ("since then", "ever since then", "ever since", "from then on", "since that time",
                  "since that day", "from that time on", "from that day on",
                  "from that point on"):  # fmt: skip
        g.words("phrase", {words: Since(Then(), past=True)})
    _add_more_and_less(g)
    _add_signs(g)
    g.rule(
        "phrase",
        "any_time|anytime|sometime|some_time from|after|since <point>",
        to=Since,
    )
    g.rule("phrase", "any_time|anytime|sometime|some_time before <point>", to=Before)


def _rest(unit: Unit) -> At:
    return At(SoFar(unit, rest=True))


def _add_more_and_less(g: Grammar) -> None:
    """ "More than two weeks before today": up to then; "less than": from the day to there."""
    g.rule("anchor", "<day>", to=lambda node: node)
    g.rule(
        "phrase",
        "more_than|over|at_least <amounts> before|prior_to <anchor>",
        to=lambda amounts, day: Before(Offset(amounts, -1, day)),
    )
    g.rule(
        "phrase",
        "more_than|over|at_least <amounts> after|from <anchor>",
        to=lambda amounts, day: Since(Offset(amounts, 1, day)),
    )
    g.rule(
        "phrase",
        "less_than|under|within <amounts> after|from|of <anchor>",
        to=lambda amounts, day: At(Recent(amounts, 1, base=day)),
    )
    g.rule(
        "phrase",
        "less_than|under|within <amounts> before <anchor>",
        to=lambda amounts, day: At(Recent(amounts, -1, base=day)),
    )
    g.rule("phrase", "less than <amounts> ago", to=lambda amounts: At(Recent(amounts, -1)))


def _add_signs(g: Grammar) -> None:
    """Add comparisons: "> 2015", "greater than 2015", "2016 or greater"."""
    g.rule("phrase", "=|== <point>", to=At)
    g.rule("phrase", "> = <point>", "<point> and|or greater|more|newer", to=Since)
    g.rule("phrase", "<point> and|or less|fewer|older", to=_through)
    g.rule("phrase", "{<} = <point>", to=lambda sign, node: _through(node))
    g.rule("phrase", ">|greater_than|newer_than <point>", "year greater than <point>", to=After)
    g.rule("phrase", "less_than|older_than|< <year_like>", "year less than <year_like>", to=_before)


def _through(node: Node) -> Until:
    return Until(node, through=True)


def _before(year: YearLike) -> Before:
    return Before(year_period(year))
