"""Whatever shape an answer has, what it says is read."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.extraction.wire import Answer, read_answer
from tests.counting import calls

ITEM: dict[str, Any] = {
    "turn": "T1",
    "quote": "I live in Cork",
    "subject": "me",
    "predicate": "lives_in",
    "object": "Cork",
    "polarity": "+",
    "importance": 7,
}
OTHER = {**ITEM, "turn": "T2", "quote": "我会弹钢琴", "predicate": "can_do", "object": "弹钢琴"}
GOOD = json.dumps({"claims": [ITEM, OTHER]}, ensure_ascii=False)


def objects(answer: Answer) -> list[str]:
    return [claim.object for claim in answer.claims]


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"```json\n{GOOD}\n```",
        f"Certainly, see {{below}}:\n{GOOD}\nand shout if {{anything}} is off [1].",
        f'<think>Maybe {{"claims": []}}? No.</think>\n{GOOD}',
        f"maybe {{}} so</think>{GOOD}",
        f'{GOOD}\n<think>was that right? {{"claims": [',
        f"<think>never closed\n{GOOD}",
        json.dumps([ITEM, OTHER]),
        json.dumps({"ExtractedFacts": {"claims": [ITEM, OTHER]}}),
        json.dumps({"result": {"data": {"Facts": [ITEM, OTHER]}}}),
        json.dumps({"whatever": [ITEM, OTHER]}),
        json.dumps([{"claims": [ITEM, OTHER]}]),
        json.dumps({"name": "extract", "arguments": GOOD}),
        json.dumps(GOOD),
        json.dumps(ITEM) + "\n" + json.dumps(OTHER),
        json.dumps({"claims": [ITEM]}) + json.dumps({"claims": [OTHER]}),
        json.dumps({"properties": {"claims": [ITEM, OTHER]}, "type": "object"}),
        GOOD.replace("}]", "},]").replace("7}", "7,}"),
        GOOD.replace("in Cork", "in\nCork", 1),
        GOOD.replace("I live", "I\\'live", 1),
        json.dumps({"claims": [ITEM, ITEM, OTHER, ITEM]}),
        json.dumps({"claims": [ITEM, None, 7, "x", {}, OTHER]}),
    ],
    ids=range(22),
)
def test_both_claims_are_found(text: str) -> None:
    """Fences, thoughts, prose, wrappers and small faults do not hide them."""
    answer = read_answer(text)
    assert objects(answer) == ["Cork", "弹钢琴"]
    assert answer.problem is None


@pytest.mark.parametrize(
    "names",
    [
        {"subject": "source", "predicate": "relation", "object": "target"},
        {"subject": "head", "predicate": "relationship", "object": "tail"},
        {"subject": "Subject", "predicate": "Predicate", "object": "Object", "quote": "Quote"},
        {"subject": "entity_name", "object": "value", "quote": "exact quote"},
        {"subject": "entityName", "predicate": "relationType", "quote": "evidence"},
    ],
)
def test_renamed_keys_are_understood(names: dict[str, str]) -> None:
    """Common other names for the same fields."""
    renamed = {names.get(key, key): value for key, value in ITEM.items()}
    (claim,) = read_answer(json.dumps({"claims": [renamed]})).claims
    assert (claim.subject, claim.predicate, claim.object) == ("me", "lives_in", "Cork")
    assert claim.quote == "I live in Cork"


def test_nested_values_are_reduced_to_their_name() -> None:
    """Objects in place of words give their name; a flag for negation gives the polarity."""
    item = {**ITEM, "object": {"name": "Cork", "type": "city"}, "negated": True}
    del item["polarity"]
    (claim,) = read_answer(
        json.dumps(
            [
                item,
            ]
        )
    ).claims
    assert (claim.object, claim.polarity) == ("Cork", "-")


@pytest.mark.parametrize(
    "value",
    [["when=at weekends"], {"when": "at weekends"}, [{"name": "when", "value": "at weekends"}]],
)
def test_qualifiers_come_in_three_shapes(value: Any) -> None:
    """Pairs as texts, as a table, as a list of tables."""
    (claim,) = read_answer(json.dumps([{**ITEM, "qualifiers": value}])).claims
    assert claim.qualifiers == (("when", "at weekends"),)


@pytest.mark.parametrize(
    "text", ['{"claims": []}', "{}", "[]", "```json\n[]\n```", '{"result": []}', '{"claims": null}',
             '{"claims": [], "entities": [{"name": "Bob"}]}']
)  # fmt: skip
def test_a_well_formed_empty_answer_means_nothing_found(text: str) -> None:
    """No claims, no problem."""
    assert replace(read_answer(text), entities=()) == Answer()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "empty"),
        ("  \n", "empty"),
        ("I found no facts.", "no JSON"),
        ("null", "no JSON"),
        ('{"type": "object", "properties": {"claims": {"type": "array"}}}', "schema"),
        ('{"$defs": {}, "required": ["claims"], "properties": {}}', "schema"),
        ('{"entities": [{"name": "Bob"}]}', "entities"),
        ('{"claims": [{"subject": "me"}]}', "none of its 1"),
        ('{"claims": [', "broken"),
        ('{"error": "cannot comply"}', "no list of claims"),
        ("<think>hm", "no JSON"),
        ('<think>perhaps {"claims": []} or', "does not answer"),
    ],
)
def test_an_answer_that_says_nothing_readable_has_a_problem(text: str, problem: str) -> None:
    """Empty, echoed, or without claims is never "no facts"."""
    answer = read_answer(text)
    assert answer.problem is not None
    assert problem in answer.problem
    assert not answer.claims


@pytest.mark.parametrize("end", range(20, len(GOOD) - 2, 7))
def test_a_cut_answer_keeps_its_whole_items(end: int) -> None:
    """Items before the cut are read, and the cut is noticed."""
    answer = read_answer(GOOD[:end])
    whole = GOOD[:end].count("7}")
    assert objects(answer) == ["Cork", "弹钢琴"][:whole]
    assert answer.cut
    assert answer.broken


def test_one_broken_item_does_not_take_the_others() -> None:
    """The break is reported, so that the answer can be asked for again."""
    text = GOOD.replace('"me"', "me", 1)
    answer = read_answer(text)
    assert objects(answer) == ["弹钢琴"]
    assert answer.broken


def test_a_repetition_loop_is_one_claim() -> None:
    """Two thousand times the same is once, and counted."""
    answer = read_answer('{"claims": [' + ", ".join([json.dumps(ITEM)] * 2000))
    assert objects(answer) == ["Cork"]
    assert answer.repeated == 1999


@given(st.text(alphabet='{}[]",:\\abc null17\n<think>/', max_size=300))
def test_no_text_raises(text: str) -> None:
    """Whatever is written, an answer comes back."""
    answer = read_answer(text)
    assert isinstance(answer, Answer)


@pytest.mark.parametrize(
    "text",
    ['{"a":' * 60_000, "[" * 300_000, '{"a": "' * 40_000, "{'" * 100_000, '{"a" ' * 50_000,
     "<think>" * 40_000, '{"claims": [' + '{"quote": "x", ' * 20_000, '["' * 100_000],
    ids=range(8),
)  # fmt: skip
def test_hostile_texts_take_little_work(text: str) -> None:
    """Half of such a text takes no less than a fair share of the work for all of it."""
    whole, half = (calls(lambda n=n: read_answer(text[:n])) for n in (len(text), len(text) // 2))
    assert whole < 2 * 2 * half + 10_000
