"""A conflict between equals: one call more, and what is answered holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from graphmem import Memory
from graphmem.model.fact import Status
from graphmem.model.receipt import Receipt
from graphmem.model.time import from_micros
from tests.second.kit import (
    USER,
    Endpoint,
    Shown,
    a_claim,
    an_answer,
    choosing,
    held,
    memory,
)

EN = "I live in Riga. I live in Cesis."
ZH = "我住在杭州。我住在苏州。"


def two_homes(turn: str) -> str:
    """The answer that reads two homes in one turn."""
    if turn == ZH:
        return an_answer(
            a_claim("我住在杭州", "lives_in", "杭州", statement="用户住在杭州。"),
            a_claim("我住在苏州", "lives_in", "苏州", statement="用户住在苏州。"),
        )
    return an_answer(
        a_claim("I live in Riga", "lives_in", "Riga", statement="The user lives in Riga."),
        a_claim("I live in Cesis", "lives_in", "Cesis", statement="The user lives in Cesis."),
    )


BOTH_OF = {
    EN: ("The user lives in Riga.", "The user lives in Cesis."),
    ZH: ("用户住在杭州。", "用户住在苏州。"),
}


def told(folder: Path, turn: str, choice: str) -> tuple[Endpoint, set[str], Receipt]:
    """Return what is held after a turn with two homes and a decision."""
    endpoint = Endpoint([two_homes(turn)], decide=choosing(choice))
    with memory(folder, endpoint) as mem:
        receipt = mem.add(turn, user=USER)
        return endpoint, held(mem, "lives_in"), receipt


@pytest.mark.parametrize("turn", [EN, ZH])
@pytest.mark.parametrize("choice", ["a", "b", "both", "unclear"])
def test_what_is_chosen_holds(tmp_path: Path, stores: str, turn: str, choice: str) -> None:
    """The first, the second, or both; "unclear" leaves what the rules have, the last one said."""
    first, last = BOTH_OF[turn]
    wanted = {"a": {first}, "b": {last}, "both": {first, last}, "unclear": {last}}[choice]
    endpoint, found, receipt = told(tmp_path, turn, choice)
    assert found == wanted
    assert endpoint.asked == ["extract", "decide"]
    assert receipt.usage.calls == 2
    assert set(receipt.steps) == {"extract", "decide"}


def test_the_receipt_tells_what_came_of_each_fact(tmp_path: Path) -> None:
    """Once each, as it stands after the decision."""
    first, last = BOTH_OF[EN]
    _, _, receipt = told(tmp_path, EN, "a")
    assert [f.statement for f in receipt.added] == [first]
    assert [f.statement for f in receipt.retracted] == [last]
    assert len({o.fact.id for o in receipt.outcomes}) == len(receipt.outcomes) == 2


def test_facts_are_committed_before_anything_is_asked(tmp_path: Path) -> None:
    """While the model thinks about what is open, what the rules gave is there for everybody."""
    _, last = BOTH_OF[EN]
    seen: list[set[str]] = []
    with memory(tmp_path, endpoint := Endpoint([two_homes(EN)])) as mem:

        def answer(shown: Shown) -> str:
            seen.append(held(mem))
            return choosing("unclear")(shown)

        endpoint.decide = answer
        mem.add(EN, user=USER)
    assert seen == [{last}]


@pytest.mark.parametrize("choice", ["a", "both"])
def test_a_decision_can_be_undone(tmp_path: Path, choice: str) -> None:
    """One call undoes it, and then the rules' own answer stands."""
    first, last = BOTH_OF[EN]
    endpoint = Endpoint([two_homes(EN)], decide=choosing(choice))
    with memory(tmp_path, endpoint) as mem:
        mem.add(EN, user=USER)
        if choice == "a":
            lost = mem.facts(user=USER, include_retracted=True, predicate="lives_in").items
            (fact,) = [f for f in lost if f.status is Status.RETRACTED]
            assert fact.cause is not None
            assert "settled by the model" in (fact.cause.reason or "")
            mem.restore(fact.id, user=USER)
        else:
            (fact,) = [f for f in mem.facts(user=USER).items if f.statement == last]
            mem.retract(fact.id, user=USER)
        assert held(mem, "lives_in") == {last}
        assert first not in held(mem, "lives_in")


def test_what_was_known_before_the_decision_stays_known(tmp_path: Path) -> None:
    """The axis of records has both: what the rules gave, and what was decided right after."""
    first, last = BOTH_OF[EN]
    endpoint = Endpoint([two_homes(EN)], decide=choosing("a"))
    with memory(tmp_path, endpoint) as mem:
        receipt = mem.add(EN, user=USER)
        fact = next(o.fact for o in receipt.outcomes if o.fact.statement == last)
        history = sorted(mem.history(fact.id, user=USER).items, key=lambda r: r.created_at)
        records = [record for record in history if record.id == fact.id]
        assert [r.status for r in records] == [Status.HELD, Status.RETRACTED]
        before = mem.facts(user=USER, known_at=from_micros(records[0].created_at).isoformat()).items
        assert {f.statement for f in before} == {last}
        assert held(mem) == {first}
        assert not mem.verify().findings


@pytest.mark.parametrize("status", [Status.HELD, Status.RETRACTED])
def test_what_was_put_side_by_side_is_erased_whole(
    tmp_path: Path, stores: str, status: Status
) -> None:
    """As it was first read, and as it was decided: no word of it is left, and the other stays."""
    first, last = BOTH_OF[EN]
    endpoint = Endpoint([two_homes(EN)], decide=choosing("both"))
    with memory(tmp_path, endpoint) as mem:
        mem.add(EN, user=USER)
        listed = mem.facts(user=USER, include_retracted=True).items
        (fact,) = [f for f in listed if f.statement == last and f.status is status]
        mem.erase(user=USER, fact=fact.id)
        left = mem.facts(user=USER, include_retracted=True, include_ended=True).items
        assert [f.statement for f in left] == [first]
        assert not mem.verify().findings


Told = tuple[str, list[tuple[str, str, dict[str, Any]]]]
"""A turn, and of its claims quote, value and what else; Any: fields of the wire."""

NOT_OPEN: dict[str, Told] = {
    "words of change": (
        "I live in Riga. Now I live in Cesis.",
        [("I live in Riga", "Riga", {}), ("I live in Cesis", "Cesis", {})],
    ),
    "a change": (
        "I live in Riga. I have gone to Cesis for good.",
        [
            ("I live in Riga", "Riga", {}),
            ("I have gone to Cesis for good", "Cesis", {"form": "change"}),
        ],
    ),
    "an ending": (
        "I left Riga. I live in Cesis.",
        [("I left Riga", "Riga", {"form": "end"}), ("I live in Cesis", "Cesis", {})],
    ),
    "one value twice": (
        "I live in Riga. I live in Riga.",
        [("I live in Riga", "Riga", {}), ("I live in Riga", "Riga", {"importance": 6})],
    ),
    "beside": (
        "I live in Riga and also in Cesis.",
        [("I live in Riga", "Riga", {}), ("also in Cesis", "Cesis", {"beside": True})],
    ),
    "a plan": (
        "I live in Riga. I will live in Cesis.",
        [
            ("I live in Riga", "Riga", {}),
            ("I will live in Cesis", "Cesis", {"modality": "planned"}),
        ],
    ),
    "词语说变了": (
        "我住在杭州。现在我住在苏州。",
        [("我住在杭州", "杭州", {}), ("我住在苏州", "苏州", {})],
    ),
}


@pytest.mark.parametrize("name", NOT_OPEN)
def test_what_the_rules_decide_is_not_asked(tmp_path: Path, name: str) -> None:
    """One call, if a word, a date or a form says how two values stand."""
    turn, claims = NOT_OPEN[name]
    answer = an_answer(*(a_claim(q, "lives_in", value, **more) for q, value, more in claims))
    endpoint = Endpoint([answer])
    with memory(tmp_path, endpoint) as mem:
        mem.add(turn, user=USER)
    assert endpoint.asked == ["extract"]


def test_turns_of_one_call_without_times_are_equals(tmp_path: Path) -> None:
    """Nothing says how much time lies between them."""
    endpoint = Endpoint(
        [
            an_answer(
                a_claim("I live in Riga", "lives_in", "Riga"),
                a_claim("I live in Cesis", "lives_in", "Cesis", turn="T2"),
            )
        ],
        decide=choosing("unclear"),
    )
    turns = [{"role": "user", "content": c} for c in ("I live in Riga.", "I live in Cesis.")]
    with memory(tmp_path, endpoint) as mem:
        mem.add(turns, user=USER)
    assert endpoint.asked == ["extract", "decide"]


def at(content: str, when: str | None) -> dict[str, str]:
    """A message with a time of its own."""
    return {"role": "user", "content": content} | ({"occurred_at": when} if when else {})


def one_by_one(mem: Memory, *messages: dict[str, str]) -> None:
    for message in messages:
        mem.add([message], user=USER)


@pytest.mark.parametrize(
    ("first", "second", "asked"),
    [
        ("2025-05-01", "2025-05-01", True),
        ("2025-05-01", "2025-05-02", False),
        (None, None, False),
    ],
)
def test_of_two_calls_only_one_given_instant_is_open(
    tmp_path: Path, first: str | None, second: str | None, asked: bool
) -> None:
    """Then the order of arrival decides; where clocks or dates tell an order, they do."""
    answers = [
        an_answer(a_claim("I live in Riga", "lives_in", "Riga")),
        an_answer(a_claim("I live in Cesis", "lives_in", "Cesis")),
    ]
    endpoint = Endpoint(answers, decide=choosing("unclear"))
    with memory(tmp_path, endpoint) as mem:
        one_by_one(mem, at("I live in Riga.", first), at("I live in Cesis.", second))
    assert ("decide" in endpoint.asked) is asked


def test_a_weaker_source_opens_nothing(tmp_path: Path) -> None:
    """Unequal weights are settled by rule."""
    answer = an_answer(
        a_claim("I live in Riga", "lives_in", "Riga"),
        a_claim("Ana lives in Cesis", "lives_in", "Cesis", turn="T2", subject="Ana"),
    )
    endpoint = Endpoint([answer])
    turns = [
        {"role": "user", "content": "I live in Riga."},
        {"role": "document", "content": "Ana lives in Cesis."},
    ]
    with memory(tmp_path, endpoint) as mem:
        mem.add(turns, user=USER, me="Ana")
        assert len(mem.facts(user=USER, include_ended=True).items) == 2
    assert endpoint.asked == ["extract"]


def test_yes_and_no_in_one_breath(tmp_path: Path) -> None:
    """One of them can hold, never both."""
    answer = an_answer(
        a_claim("I like opera", "likes", "opera", statement="The user likes opera."),
        a_claim("I don't like opera", "likes", "opera", polarity="-", statement="no"),
    )
    endpoint = Endpoint([answer], decide=choosing("a"))
    with memory(tmp_path, endpoint) as mem:
        mem.add("I like opera. I don't like opera.", user=USER)
        assert held(mem) == {"The user likes opera."}
    (row,) = endpoint.shown["decide"][0].rows.values()
    assert row["answers"] == ["a", "b", "unclear"]


def test_three_values_are_one_question(tmp_path: Path) -> None:
    """All of one slot is asked together, and one of them holds."""
    names = ("Riga", "Cesis", "Ogre")
    answer = an_answer(*(a_claim(f"I live in {n}", "lives_in", n, statement=n) for n in names))
    endpoint = Endpoint([answer], decide=choosing("a"))
    with memory(tmp_path, endpoint) as mem:
        mem.add(" ".join(f"I live in {n}." for n in names), user=USER)
        (fact,) = mem.facts(user=USER, predicate="lives_in").items
        assert fact.object is not None
        assert fact.object.text == "Riga"
    (row,) = endpoint.shown["decide"][0].rows.values()
    assert [c["choice"] for c in row["between"]] == ["a", "b", "c"]


def test_the_model_is_shown_words_and_no_ids(tmp_path: Path) -> None:
    """Labels of this call, statements, quotes and dates in words."""
    endpoint, _, _ = told(tmp_path, EN, "unclear")
    (seen,) = endpoint.shown["decide"]
    (row,) = seen.rows.values()
    assert row["about"].startswith("the user: ")
    assert [c["quote"] for c in row["between"]] == ["I live in Riga", "I live in Cesis"]
    assert "2025-10-01 Wednesday" in seen.text
    for prefix in ("ep_", "cl_", "fa_", "en_", "re_"):
        assert prefix not in seen.text


FIVE = (
    "I moved from Heron to Kite in May. I'm allergic to mango. My sister Tilda lives in Cork. "
    "I speak Latvian. I have a cat called Miso."
)


def test_five_facts_one_of_them_an_update_are_one_call(tmp_path: Path) -> None:
    """The rules decide an update; nobody is asked."""
    answers = [
        an_answer(a_claim("I work at Heron", "works_at", "Heron")),
        an_answer(*five()),
    ]
    endpoint = Endpoint(answers)
    with memory(tmp_path, endpoint) as mem:
        mem.add("I work at Heron.", user=USER, occurred_at="2024-01-01")
        receipt = mem.add(FIVE, user=USER, occurred_at="2025-06-01")
        (job,) = mem.facts(user=USER, predicate="works_at").items
        assert job.object is not None
        assert job.object.text == "Kite"
    assert endpoint.asked == ["extract", "extract"]
    assert receipt.usage.calls == 1
    assert len(receipt.added) >= 5


def test_five_facts_with_a_conflict_are_two_calls(tmp_path: Path) -> None:
    """One more, however many questions there are."""
    more = [
        a_claim("I live in Riga", "lives_in", "Riga"),
        a_claim("I live in Cesis", "lives_in", "Cesis"),
        a_claim("My favourite tea is oolong", "favourite_tea", "oolong"),
        a_claim("My favourite tea is sencha", "favourite_tea", "sencha"),
    ]
    endpoint = Endpoint([an_answer(*five(), *more)], decide=choosing("a", "unclear"))
    said = f"{FIVE} {EN} My favourite tea is oolong. My favourite tea is sencha."
    with memory(tmp_path, endpoint) as mem:
        receipt = mem.add(said, user=USER)
    assert endpoint.asked == ["extract", "decide"]
    assert receipt.usage.calls == 2


def five() -> list[dict[str, object]]:
    """What ``FIVE`` says."""
    return [
        a_claim(
            "I moved from Heron to Kite in May",
            "works_at",
            "Kite",
            form="since",
            start="in May",
            replaces="Heron",
        ),
        a_claim("I'm allergic to mango", "allergic_to", "mango", importance=9),
        a_claim("My sister Tilda", "has_sibling", "Tilda", qualifiers=["role=sister"]),
        a_claim("Tilda lives in Cork", "lives_in", "Cork", subject="Tilda"),
        a_claim("I speak Latvian", "speaks", "Latvian"),
        a_claim("I have a cat called Miso", "has_pet", "Miso"),
    ]
