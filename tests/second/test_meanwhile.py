"""What happens while a model thinks about what is open goes before its answer; and there is an end
to what it is asked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from graphmem import Memory
from graphmem.extraction.second import MOST_QUESTIONS
from tests.second.kit import USER, Endpoint, Shown, a_claim, an_answer, choosing, held, memory

EN = "I live in Riga. I live in Cesis."
TWO = an_answer(
    a_claim("I live in Riga", "lives_in", "Riga", statement="Riga"),
    a_claim("I live in Cesis", "lives_in", "Cesis", statement="Cesis"),
)
PILARS = an_answer(
    a_claim("My dentist Pilar", "has_dentist", "Pilar", qualifiers=["role=dentist"]),
    a_claim("My niece Pilar", "has_relative", "Pilar", qualifiers=["role=niece"]),
)
CHESS = an_answer(a_claim("Pilar plays chess", "plays", "chess", subject="Pilar"))


def meanwhile(do: Callable[[Memory], object], choice: str) -> Callable[[Memory, Endpoint], None]:
    """Let something be done while the decision is asked for."""

    def ready(mem: Memory, endpoint: Endpoint) -> None:
        def answer(shown: Shown) -> str:
            do(mem)
            return choosing(choice)(shown)

        endpoint.decide = answer

    return ready


def fact_of(mem: Memory, statement: str) -> str:
    return next(f.id for f in mem.facts(user=USER).items if f.statement == statement)


def erase_turn(mem: Memory) -> None:
    claim = mem.explain(fact_of(mem, "Cesis"), user=USER).claims[0].claim
    mem.erase(user=USER, episode=claim.episode)


CHANGES: dict[str, tuple[Callable[[Memory], object], set[str]]] = {
    "erased": (erase_turn, set()),
    "user erased": (lambda mem: mem.erase(user=USER), set()),
    "retracted": (lambda mem: mem.retract(fact_of(mem, "Cesis"), user=USER), {"Riga"}),
    "corrected": (
        lambda mem: mem.correct(fact_of(mem, "Cesis"), object="Ogre", user=USER, statement="Ogre"),
        {"Ogre"},
    ),
}


@pytest.mark.parametrize("choice", ["a", "both"])
@pytest.mark.parametrize("name", CHANGES)
def test_what_was_done_meanwhile_stands(tmp_path: Path, name: str, choice: str) -> None:
    """An answer about what is no more, or was changed by hand, changes nothing."""
    do, left = CHANGES[name]
    endpoint = Endpoint([TWO])
    with memory(tmp_path, endpoint) as mem:
        meanwhile(do, choice)(mem, endpoint)
        mem.add(EN, user=USER)
        assert held(mem) == left
        assert not mem.verify().findings
    assert endpoint.asked == ["extract", "decide"]


def test_a_claim_of_an_erased_turn_is_not_brought_back(tmp_path: Path) -> None:
    """Whom a name means is of no account once the turn is gone."""
    endpoint = Endpoint([PILARS, CHESS])
    with memory(tmp_path, endpoint) as mem:
        mem.add("My dentist Pilar is kind. My niece Pilar is six.", user=USER)
        meanwhile(lambda m: m.erase(user=USER), "a")(mem, endpoint)
        mem.add("Pilar plays chess.", user=USER)
        assert held(mem) == set()


def test_a_pair_that_was_decided_meanwhile_stays_so(tmp_path: Path) -> None:
    """A person's word goes before the model's."""
    first = an_answer(a_claim("Amara Obi paints", "paints", "", subject="Amara Obi"))
    second = an_answer(a_claim("Amara sings", "sings", "", subject="Amara"))
    endpoint = Endpoint([first, second])
    with memory(tmp_path, endpoint) as mem:
        mem.add("Amara Obi paints.", user=USER)

        def merge(m: Memory) -> None:
            (found,) = m.suggestions(user=USER)
            m.confirm(found.id, user=USER)

        meanwhile(merge, "different")(mem, endpoint)
        receipt = mem.add("Amara sings.", user=USER)
        names = {v.entity.name for v in mem.entities(user=USER).items}
    assert names == {"Amara Obi"}
    assert any("was confirmed" in note for note in receipt.notes)


def test_there_is_an_end_to_what_is_asked(tmp_path: Path) -> None:
    """One call however much is open; what is more stays as the rules have it, and is told of."""
    things = [f"thing{number}" for number in range(MOST_QUESTIONS + 3)]
    claims = [
        a_claim(f"my favourite {thing} is {value}", f"favourite_{thing}", value, statement=value)
        for thing in things
        for value in (f"{thing}x", f"{thing}y")
    ]
    turn = " ".join(f"{claim['quote']}." for claim in claims)
    endpoint = Endpoint([an_answer(*claims)], decide=choosing(*["a"] * MOST_QUESTIONS))
    with memory(tmp_path, endpoint) as mem:
        receipt = mem.add(turn, user=USER)
        first = {value for value in held(mem) if value.endswith("x")}
        assert len(first) == MOST_QUESTIONS
        assert len(held(mem)) == len(things)
    assert endpoint.asked == ["extract", "decide"]
    assert any("3 open questions more were not asked" in note for note in receipt.notes)
