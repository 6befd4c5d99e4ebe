"""The labelled snippets: how they are read, what is refused, and of what shape the set is."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from benchmarks.extraction_gold import FILES, KINDS, GoldError, Shape, load
from benchmarks.extraction_judge import plain
from benchmarks.running import SAMPLES
from graphmem.model.ontology import default_ontology
from graphmem.model.time import DAY

SET = load(SAMPLES / "extraction")
ROW: Mapping[str, Any] = {  # Any: JSON
    "id": "one",
    "lang": "en",
    "kinds": ["update"],
    "zone": "Asia/Tokyo",
    "turns": [{"role": "user", "at": "2025-05-14T18:20+09:00", "content": "I moved to York."}],
    "known": [
        {"id": "k1", "subject": "me", "predicate": "lives_in", "object": "Hull",
         "said": "2025-01-10", "after": "ended", "ended": "2025-05"},
    ],
    "gold": [{"subject": "me", "predicate": "lives_in|moved_to", "object": "York|~city of York"}],
}  # fmt: skip


def written(folder: Path, *rows: Mapping[str, Any]) -> Path:  # Any: JSON
    """Write English rows, and no Chinese ones."""
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    (folder / FILES[0]).write_text("\n".join(lines), "utf-8")
    (folder / FILES[1]).write_text("", "utf-8")
    return folder


def test_a_row_is_read(tmp_path: Path) -> None:
    """Wordings are split, spans are in the snippet's zone, and what is not given is the usual."""
    (snippet,) = load(written(tmp_path, ROW))
    assert snippet.gold[0].predicates == ("lives_in", "moved_to")
    assert (snippet.gold[0].polarities, snippet.gold[0].modalities) == (("+",), ("asserted",))
    ((first, after),) = snippet.known[0].ended[0].spans
    assert after - first == 31 * DAY
    assert snippet.said - first == 13 * DAY + (18 * 60 + 20) * 60_000_000


TURN = ROW["turns"][0]
BAD: Mapping[str, tuple[Mapping[str, Any], str]] = {  # Any: JSON
    "unknown field": ({"golden": []}, "golden"),
    "unknown kind": ({"kinds": ["updating"]}, "updating"),
    "no zone": ({"zone": "Asia/Nowhere"}, "Asia/Nowhere"),
    "another zone": ({"turns": [{**TURN, "at": "2025-05-14T18:20+02:00"}]}, "Asia/Tokyo"),
    "no role": ({"turns": [{**TURN, "role": "narrator"}]}, "narrator"),
    "no turn": ({"turns": []}, "turns"),
    "turns out of order": ({"turns": [TURN, TURN]}, "follow"),
    "gold without object": ({"gold": [{"subject": "me", "predicate": "likes"}]}, "object"),
    "an empty wording": ({"gold": [{**ROW["gold"][0], "object": "York|"}]}, "York|"),
    "a wrong polarity": ({"gold": [{**ROW["gold"][0], "polarity": "no"}]}, "no"),
    "a wrong modality": ({"gold": [{**ROW["gold"][0], "modality": "wished"}]}, "wished"),
    "a wrong date": ({"gold": [{**ROW["gold"][0], "from": "last May"}]}, "last May"),
    "a span that ends first": ({"gold": [{**ROW["gold"][0], "to": "2025/2024"}]}, "2025/2024"),
    "an importance of none": ({"gold": [{**ROW["gold"][0], "importance": [0, 3]}]}, "importance"),
    "forbidden without a reason": ({"forbidden": [ROW["gold"][0]]}, "why"),
    "known twice": ({"known": [*ROW["known"], *ROW["known"]]}, "twice"),
    "an end of what stays": ({"known": [{**ROW["known"][0], "after": "kept"}]}, "does not end"),
    "no such fate": ({"known": [{**ROW["known"][0], "after": "lost"}]}, "lost"),
    "nothing to judge": ({"known": [], "gold": []}, "judges nothing"),
    "another language": ({"lang": "zh"}, "zh"),
}


@pytest.mark.parametrize("fault", BAD)
def test_a_bad_row_is_refused(fault: str, tmp_path: Path) -> None:
    """The error names the file, the line and what is wrong."""
    changes, word = BAD[fault]
    with pytest.raises(GoldError) as caught:
        load(written(tmp_path, {**ROW, "id": "two"}, {**ROW, **changes}))
    assert str(caught.value).startswith("en.jsonl:2: ")
    assert word in str(caught.value)


def test_an_id_is_there_once(tmp_path: Path) -> None:
    """Two snippets of one name would share a memory."""
    with pytest.raises(GoldError, match=r"en\.jsonl:2: .*twice"):
        load(written(tmp_path, ROW, ROW))


def test_a_line_that_is_no_json_is_named(tmp_path: Path) -> None:
    """A broken line is told like a wrong one."""
    written(tmp_path)
    (tmp_path / FILES[1]).write_text('{"id": ', "utf-8")
    with pytest.raises(GoldError, match=r"^zh\.jsonl:1: "):
        load(tmp_path)


def test_the_set_is_large_and_half_chinese() -> None:
    """Neither language is an afterthought."""
    languages = Counter(snippet.lang for snippet in SET)
    assert len(SET) >= 220
    assert min(languages["en"], languages["zh"]) >= 0.45 * len(SET)


def test_every_kind_is_there_in_both_languages() -> None:
    """Of each kind at least four, and one in each language."""
    found = Counter(kind for snippet in SET for kind in snippet.kinds)
    both = {kind: {s.lang for s in SET if kind in s.kinds} for kind in KINDS}
    assert {kind: found[kind] for kind in KINDS if found[kind] < 4} == {}
    assert [kind for kind, languages in both.items() if languages != {"en", "zh"}] == []


def test_no_conversation_is_there_twice() -> None:
    """Each snippet tells something else."""
    said = Counter(tuple(t.content for t in (*s.earlier, *s.turns)) for s in SET)
    assert [texts for texts, count in said.items() if count > 1] == []


def test_gold_predicates_are_of_the_registry() -> None:
    """A label of nothing but words of its own would be met by luck only."""
    ontology = default_ontology()
    unknown = [
        f"{snippet.id}: {shape}"
        for snippet in SET
        for shape in snippet.gold
        if not any(name == "*" or ontology.resolve(name).known for name in shape.predicates)
    ]
    assert unknown == []


def test_known_predicates_are_of_the_registry() -> None:
    """What becomes of a fact depends on how many values its predicate has."""
    ontology = default_ontology()
    predicates = {known.predicate for snippet in SET for known in snippet.known}
    assert [name for name in predicates if not ontology.resolve(name).known] == []


def grounded(shape: Shape, said: str) -> bool:
    """Whether one wording of the object is in what was said, or none is needed."""
    for wording in shape.objects:
        words = plain(wording).removeprefix("~").split()
        if wording in ("*", "-") or all(word in said for word in words):
            return True
    return any(grounded(other, said) for other in shape.others)


def test_gold_is_grounded_in_the_conversation() -> None:
    """No label asks for words that nobody said; a list mark or a spelt number aside."""
    loose = [
        f"{snippet.id}: {shape}"
        for snippet in SET
        for shape in snippet.gold
        if not grounded(
            shape, plain(" ".join(t.content for t in (*snippet.earlier, *snippet.turns)))
        )
    ]
    assert loose == []


def test_gold_and_forbidden_do_not_meet() -> None:
    """What must be stored is not what must not: no forbidden shape repeats a gold one."""
    clashes = [
        f"{snippet.id}: {bad}"
        for snippet in SET
        for good in snippet.gold
        for bad in snippet.forbidden
        if (good.subjects, good.predicates, good.objects)
        == (bad.subjects, bad.predicates, bad.objects)
        and not (bad.polarities or bad.modalities or bad.start or bad.end)
    ]
    assert clashes == []


def test_turns_hold_no_address_or_key() -> None:
    """Everything is invented, and nothing in it leads anywhere."""
    told = "\n".join(turn.content for snippet in SET for turn in (*snippet.earlier, *snippet.turns))
    assert re.findall(r"https?://|www\.|@\w+\.\w+|sk-\w{8}", told) == []
