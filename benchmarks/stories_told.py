"""The stories read from their sentences: what a memory believes that was only told them.

Each sentence is added as a turn of its day, to a memory of its own; a check "known" is answered
from what was told by then. A fact answers with the value of the story that its object or qualifiers
speak of, else its predicate, else its subject; a fact that speaks of none is not looked at, nor is
an event. Where nothing is wanted, a denial is as right; and what only an assistant said need not be
believed. Who likes what they do not eat or drink does not have it: that they like it is not asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import anyio

from benchmarks.readers import Chosen, Cost, reading, tell_each
from benchmarks.running import Figures, Json, share
from graphmem import AsyncMemory
from graphmem.model.claim import Modality, Polarity
from graphmem.model.fact import Fact, Status
from graphmem.model.text import normal_key
from graphmem.model.time import Certainty, to_micros

Story = Json

USER = "user"
WORDS: Mapping[str, Sequence[str]] = {
    "烟": ("烟", "smokes"),
    "smoke": ("smok",),
    "running": ("running", "runs"),
    "吃素": ("素",),
    "吃肉": ("肉",),
    "2": ("2", "两", "二"),
    "3": ("3", "三"),
    "4": ("4", "four"),
    "+50mg": ("50",),
    "+100mg": ("100",),
    "team": ("team",),
}
"""How a value may be put, where it is not by its own words."""
ABOUT: Mapping[str, str] = {"H25": "tom", "W01": "heron", "W02": "heron", "W10": "heron"}
"""Whom or what a story is about, where its values are told of other things too."""
RELATION: Mapping[str, str] = {"R06": "partner"}
"""Which relation a story is about, where its words tell others of the same value."""
ASSISTANT = 50
"""The authority of what only an assistant said, which a reader is not to claim."""
LIKING = frozenset({"likes", "loves", "enjoys", "prefers"})
"""Predicates of taste: who does not eat what they like is asked what they eat."""
AGAINST = frozenset({"opposes", "against", "is_against", "反对"})
"""Predicates of no registry that deny."""
NO_VALUE = "(none)"
_ASIDE = re.compile(r"^\((?P<aside>[^)]+)\)\s*")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One turn of a story."""

    role: str
    at: datetime
    text: str


def sentences(story: Story) -> list[Sentence]:
    """Return a story's turns; "(assistant) …" is the assistant's, "(an invoice) …" a document."""
    found: list[Sentence] = []
    for turn in story["turns"]:
        match = _ASIDE.match(turn["text"])
        aside = match["aside"] if match else ""
        role = "user" if not aside or aside.startswith("turn") else "document"
        role = "assistant" if aside == "assistant" else role
        at = _moment(turn["at"])
        if role == "document":
            # It counts from its own date.
            at = next(_moment(c["said"]) for c in story["claims"] if c["authority"] == 80)
        elif found and at <= found[-1].at:
            at = found[-1].at + timedelta(minutes=1)
        found.append(Sentence(role, at, turn["text"][match.end() if match else 0 :]))
    return found


def _moment(text: str) -> datetime:
    shape = "%Y-%m-%dT%H:%M" if ":" in text else "%Y-%m-%dT%H" if "T" in text else "%Y-%m-%d"
    moment = datetime.strptime(text, shape).replace(tzinfo=UTC)
    return moment if "T" in text else moment.replace(hour=12)


async def faults(memory: AsyncMemory, story: Story, cost: Cost) -> list[str]:
    """Tell a story to a memory, and return what is wrong with its answers, in words."""
    tenant = story["id"]
    wrong: list[str] = []
    waiting = [check for check in story["checks"] if check["as"] == "known"]
    told = sentences(story)
    for place, sentence in enumerate(told):
        due = [check for check in waiting if place and to_micros(told[place].at) > _end(check)]
        wrong += _wrong(story, await _facts(memory, tenant), due) if due else ()
        waiting = [check for check in waiting if check not in due]
        message = {"role": sentence.role, "content": sentence.text, "occurred_at": sentence.at}
        with reading(f"{tenant}/{place}"):
            cost.add(await memory.add(message, user=USER, tenant=tenant, session="s"))
    rest = [check for check in story["checks"] if check["as"] != "known" or check in waiting]
    return [*wrong, *_wrong(story, await _facts(memory, tenant), rest)]


async def _facts(memory: AsyncMemory, tenant: str) -> Sequence[Fact]:
    page = await memory.facts(user=USER, tenant=tenant, include_ended=True, limit=1000)
    return page.items


def _end(check: Json) -> int:
    """Return the last instant whose sentences count for a check."""
    when = check["when"]
    start = to_micros(_moment(when if "T" in when else when + "T00"))
    return start if "T" in when else start + 86_400 * 10**6 - 1


def _wrong(story: Story, facts: Sequence[Fact], checks: Sequence[Json]) -> Iterator[str]:
    for check in checks:
        when = check["when"]
        at = to_micros(_moment(when if "T" in when else when + "T20"))
        found = answer(story, facts, at)
        plain = {each for each in found if not each.startswith("-")}
        wants = [_wanted(want) for want in check["want"]]
        if _only_assistant(story, check):
            wants.append(set())
        if found not in wants and plain not in wants:
            shown = sorted(found) or "nothing"
            yield f"{check['as']} {when}: {shown}, want {check['want']}"


def _only_assistant(story: Story, check: Json) -> bool:
    """Say whether nobody but an assistant has said anything by the time of a check."""
    if check["as"] != "known" or all(c.get("authority") != ASSISTANT for c in story["claims"]):
        return False
    heard = [c for c in story["claims"] if to_micros(_moment(c["said"])) <= _end(check)]
    return bool(heard) and all(c["authority"] == ASSISTANT for c in heard)


def _wanted(want: str) -> set[str]:
    return {each for each in want.split(" & ") if each not in ("nothing", NO_VALUE)}


def answer(story: Story, facts: Sequence[Fact], at: int) -> set[str]:
    """Return what is believed at an instant, as the story's checks write it."""
    yes_no = all(c["value"] in ("+", "-") for c in story["claims"] if c.get("slot") != "*")
    values = {c.get("slot", "") if yes_no else c["value"] for c in story["claims"]}
    about = ABOUT.get(story["id"], "")
    relation = RELATION.get(story["id"], "")
    found: set[str] = set()
    liked: set[str] = set()
    for fact in facts:
        if fact.event or fact.status is not Status.HELD or fact.modality is Modality.POSSIBLE:
            continue
        if fact.interval.over(at, at) not in (Certainty.HOLDS, Certainty.LIKELY):
            continue
        value = spoken(fact, values)
        ends = (fact.subject, fact.object)
        named = any(about in normal_key(end.text) for end in ends if end is not None)
        if value is None or not named or relation not in fact.predicate:
            continue
        polarity = fact.polarity
        if fact.predicate in AGAINST:
            polarity = polarity.flipped
        denied = polarity is Polarity.NEGATIVE
        words = polarity.value + value if yes_no or denied else value
        if fact.predicate in LIKING and not denied:
            liked.add(words)
            continue
        found.add(words + "?" if fact.modality is Modality.PLANNED else words)
    return found | {words for words in liked if f"-{words.removeprefix('+')}" not in found}


def spoken(fact: Fact, values: set[str]) -> str | None:
    """Return the value of the story that a fact speaks of: the longest one its words hold."""
    text = "" if fact.object is None else fact.object.text
    more = " ".join(word for pair in fact.qualifiers for word in pair)
    for words in (f"{text} {more}", fact.predicate, fact.subject.text):
        held = [v for v in values if v not in ("*", NO_VALUE) and _holds(normal_key(words), v)]
        if held:
            return max(held, key=len)
    return "*" if fact.object is None and fact.polarity is Polarity.NEGATIVE else None


def _holds(words: str, value: str) -> bool:
    for wording in WORDS.get(value, (value,)):
        key = normal_key(wording)
        if key.isdigit() and re.search(rf"(?<!\d){key}(?!\d)", words):
            return True
        if not key.isdigit() and all(word in words for word in key.split()):
            return True
    return False


def measure(stories: Sequence[Story], chosen: Chosen) -> tuple[dict[str, list[str]], Figures]:
    """Return what is wrong with each story, in words, and what is counted only here."""
    latest = max(sentence.at for story in stories for sentence in sentences(story))
    now = to_micros(latest + timedelta(days=1))
    wrong, cost = anyio.run(tell_each, chosen, {one["id"]: one for one in stories}, now, faults)
    counted = [story for story in stories if "unsure" not in story]
    checks = sum(len(story["checks"]) for story in counted)
    failed = sum(len(wrong[story["id"]]) for story in counted)
    figures: Figures = {
        "checks": checks,
        "checks_right": share(checks - failed, checks),
        **chosen.figures(),
        **cost.figures(),
    }
    return wrong, figures
