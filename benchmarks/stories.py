"""What is believed when, on lives told in English and Chinese, from claims made by hand.

``python -m benchmarks.stories [--data FOLDER] [--json] [--from claims|sentences]``; the folder
holds ``stories.jsonl``. Without one, the copy among the tests is read. Stories marked unsure run
and are not counted. From sentences, a memory is told each sentence in turn and reads it by the
patterns or by a model, as ``benchmarks.extraction`` does, with the same options.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks import stories_told
from benchmarks.readers import Chosen, add_options, choose
from benchmarks.running import Figures, Json, lines, options, share, source, tell
from graphmem.model.claim import Claim, Form, Link, LinkedClaim, Mention, Modality, Polarity, Said
from graphmem.model.entity import Value, ValueKind
from graphmem.model.fact import Fact, Status
from graphmem.model.predicate import Cardinality, Predicate
from graphmem.model.time import Certainty, Grain, Span, Stated, to_micros
from graphmem.resolution.slots import resolve

NAME = "stories"
FILE = "stories.jsonl"
SAMPLE = Path(__file__).resolve().parent.parent / "tests" / "resolution"

Story = Json


def instant(text: str) -> int:
    """Read "2024-05-10", "2024-05-10T12" or "…T12:00" as microseconds UTC."""
    for pattern in ("%Y-%m-%dT%H:%M", "%Y-%m-%dT%H", "%Y-%m-%d"):
        try:
            return to_micros(datetime.strptime(text, pattern).replace(tzinfo=UTC))
        except ValueError:
            continue
    raise ValueError(f"not an instant: {text!r}")


def _stated(pair: Sequence[str] | None) -> Stated | None:
    if pair is None:
        return None
    first, after = instant(pair[0]), instant(pair[1])
    grain = Grain.INSTANT if first == after else Grain.SPAN
    return Stated(" to ".join(pair), Span(first, after, grain))


ME = Value(ValueKind.ENTITY, "me", "me")


def linked(claim: Mapping[str, Any], index: int, *, yes_no: bool) -> LinkedClaim:
    """Read one claim of a story as the engine has it."""
    form, value, slot = claim["form"], claim["value"], claim.get("slot", "")
    negative = form == "not" or (yes_no and value == "-")
    words = slot if yes_no else value
    thing = None if "*" in (slot, value) else Value.literal(words)
    qualifiers = () if yes_no or slot in ("", "*") else (("slot", slot),)
    start, end = _stated(claim.get("start")), _stated(claim.get("end"))
    said = Said(instant(claim["said"]), 0, claim.get("place", 0))
    told = Claim(
        id=f"c{index:03}",
        episode="e",
        session=None,
        subject=Mention("me", is_self=True),
        predicate="p",
        object=Mention(words) if thing else None,
        polarity=Polarity.NEGATIVE if negative else Polarity.POSITIVE,
        modality=Modality(claim["modality"]),
        form=Form.STATE if form == "not" else Form(form),
        start=start,
        end=end,
        qualifiers=qualifiers,
        quote=words,
        said=said,
        authority=claim["authority"],
        statement=words,
    )
    return LinkedClaim(told, Link(told.id, ME.key, "p", thing, told.polarity))


def believed(story: Story, until: int | None = None) -> list[Fact]:
    """Compute what a story's claims, said up to ``until``, give."""
    yes_no = all(c["value"] in ("+", "-") for c in story["claims"] if c.get("slot") != "*")
    predicate = Predicate(
        slug="p",
        cardinality=Cardinality.MANY if yes_no else Cardinality.ONE,
        discriminators=("slot",),
    )
    claims = [linked(claim, index, yes_no=yes_no) for index, claim in enumerate(story["claims"])]
    heard = [c for c in claims if until is None or c.claim.said.at <= until]
    return resolve(ME, heard, predicate)


def answer(story: Story, at: int, until: int | None) -> set[str]:
    """Return what is believed at an instant, as the story's checks write it."""
    yes_no = all(c["value"] in ("+", "-") for c in story["claims"] if c.get("slot") != "*")
    found: set[str] = set()
    for fact in believed(story, until):
        if fact.status is not Status.HELD or fact.modality is Modality.POSSIBLE:
            continue
        if fact.interval.over(at, at) not in (Certainty.HOLDS, Certainty.LIKELY):
            continue
        words = fact.object.text if fact.object else "*"
        if yes_no or fact.polarity is Polarity.NEGATIVE:
            words = fact.polarity.value + words
        found.add(words + "?" if fact.modality is Modality.PLANNED else words)
    return found


def _matches(found: set[str], wants: Sequence[str]) -> bool:
    wanted = [set[str]() if want == "nothing" else set(want.split(" & ")) for want in wants]
    return found in wanted


def faults(story: Story) -> list[str]:
    """Return what is wrong with the answers to a story, in words; empty if all is right."""
    wrong: list[str] = []
    for check in story["checks"]:
        when, day_only = check["when"], "T" not in check["when"]
        at = instant(when) + (int(timedelta(hours=20).total_seconds()) * 10**6 if day_only else 0)
        until = None
        if check["as"] == "known":
            until = instant(when) + 86_400 * 10**6 - 1 if day_only else at
        found = answer(story, at, until)
        if not _matches(found, check["want"]):
            wrong.append(
                f"{check['as']} {when}: {sorted(found) or 'nothing'}, want {check['want']}"
            )
    return wrong + _also(story.get("also", {}), believed(story))


def _also(also: Mapping[str, Any], facts: Sequence[Fact]) -> list[str]:
    wrong: list[str] = []
    held = [f for f in facts if f.status is Status.HELD]
    if "facts" in also and len(held) != also["facts"]:
        wrong.append(f"{len(held)} facts, want {also['facts']}")
    if "start" in also:
        value, day = also["start"]
        starts = [f.interval.may_from for f in held if _words(f) == value]
        if instant(day) not in starts:
            wrong.append(f"start of {value} is not {day}")
    if "kept" in also and not any(_words(f) == also["kept"] for f in held):
        wrong.append(f"{also['kept']} is not kept")
    if "not_void" in also:
        gone = [f for f in facts if f.cause and f.cause.rule == "plan_void"]
        if any(_words(f) == also["not_void"] or not also["not_void"] for f in gone):
            wrong.append("the plan is void")
    if "no_plans" in also:
        open_plans = [f for f in held if f.modality is not Modality.ASSERTED and not f.interval.end]
        if open_plans:
            wrong.append("a plan is left standing")
    if "no_zero" in also:
        empty = [f for f in held if f.interval.may_until <= f.interval.may_from]
        if empty:
            wrong.append("an empty fact")
    return wrong


def _words(fact: Fact) -> str:
    return fact.object.text if fact.object else ""


def read(folder: Path | None = None) -> list[Story]:
    """Read the stories of a folder, or our own copy."""
    return lines((folder or SAMPLE) / FILE)


def measure(folder: Path, chosen: Chosen | None = None) -> tuple[Figures, list[str]]:
    """Return the figures, and what is wrong, in words.

    Args:
        folder: where the stories are.
        chosen: what reads their sentences; without it their claims are taken.
    """
    began = time.perf_counter()
    stories = read(folder)
    of_sentences: Figures = {}
    if chosen is None:
        wrong = {story["id"]: faults(story) for story in stories}
    else:
        wrong, of_sentences = stories_told.measure(stories, chosen)
    counted = [story for story in stories if "unsure" not in story]
    unsure = [story for story in stories if "unsure" in story]
    figures: Figures = {
        "n": len(counted),
        "seconds": round(time.perf_counter() - began, 1),
        "right": share(sum(not wrong[story["id"]] for story in counted), len(counted)),
        "unsure": len(unsure),
        "unsure_right": share(sum(not wrong[story["id"]] for story in unsure), len(unsure)),
        **of_sentences,
    }
    told = [
        f"{story['id']}{' (unsure)' if 'unsure' in story else ''}: {story['topic']}: {fault}"
        for story in stories
        for fault in wrong[story["id"]]
    ]
    return figures, told


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = options(NAME, __doc__)
    parser.add_argument(
        "--from", dest="source", choices=["claims", "sentences"], default="claims",
        help="what is read: claims made by hand (default), or the sentences themselves",
    )  # fmt: skip
    add_options(parser)
    given = parser.parse_args(arguments)
    found = source(
        parser, given, name=NAME, corpus="timeline_stories", sample=SAMPLE, files=(FILE,)
    )
    if given.source == "claims" and any((given.base_url, given.model, given.record, given.replay)):
        parser.error("claims are not read: a model or a record of one needs --from sentences")
    chosen = choose(parser, given) if given.source == "sentences" else None
    figures, told = measure(found.folder, chosen)
    rows = [
        ["", "n", "right"],
        ["stories", figures["n"], figures["right"]],
        ["unsure, not counted", figures["unsure"], figures["unsure_right"]],
    ]
    if given.source == "sentences":
        rows.append(["checks", figures["checks"], figures["checks_right"]])
        rows += [[name, figures[name], ""] for name in ("unread", "calls")]
    tell({"corpus": found.corpus, **figures}, rows, as_json=given.json)
    if not given.json:
        print(*told, sep="\n")


if __name__ == "__main__":
    main()
