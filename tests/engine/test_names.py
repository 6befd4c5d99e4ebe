"""Which names mean one thing: linking, roles, namesakes, merging, splitting, suggestions."""

from __future__ import annotations

import pytest

from graphmem import Memory
from graphmem.errors import InputError, NotFoundError, RefusedError
from graphmem.model.changes import Snapshot
from graphmem.model.entity import Entity, Suggestion
from graphmem.testing.builders import an_entity
from graphmem.usecases.suggest import suggest
from tests.engine.kit import the, triples, values


def _things(mem: Memory, user: str = "ana") -> dict[str, Entity]:
    """Return what facts are about, by name, the user apart."""
    return {v.entity.name: v.entity for v in mem.entities(user=user).items if not v.entity.is_self}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("PixelOwl", "pixelowl"),
        ("ＡＢＣ", "abc"),
        ("straße", "STRASSE"),
        ("Front Desk", "FrontDesk"),
        ("Dr. Amara Obi", "Amara Obi"),
        ("amara obi", "Prof. Amara Obi"),
        ("the Oslo shop", "Oslo shop"),
        ("Jean-Luc", "Jean Luc"),
        ("Tilda  Berg", "Tilda Berg"),
    ],
)
def test_spellings_of_one_name_are_one_thing(mem: Memory, first: str, second: str) -> None:
    """Case, width, titles, gaps and hyphens do not make two things; the first spelling shows."""
    mem.add_fact(first, "visited", "Cork", user="ana")
    mem.add_fact(second, "visited", "Riga", user="ana")
    assert set(_things(mem)) == {first, "Cork", "Riga"}
    assert mem.facts(user="ana", subject=second).total == 2


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("DGX7", "DGX8"),
        ("Room 12", "Room 21"),
        ("3f2504e04f8941d39a0c0305e82c3301", "3f2504e04f8941d39a0c0305e82c3302"),
        ("Jo Ng", "Jong"),
        ("ana-1", "ana-11"),
        ("Team A", "Team B"),
    ],
)
def test_other_digits_and_codes_are_other_things(mem: Memory, first: str, second: str) -> None:
    """Likeness is no identity, and is not even suggested where codes differ."""
    mem.add_fact(first, "visited", "Cork", user="ana")
    mem.add_fact(second, "visited", "Cork", user="ana")
    assert {first, second} <= set(_things(mem))
    assert mem.suggestions(user="ana") == []


def test_a_type_is_no_identity(mem: Memory) -> None:
    """One name spoken of as a person and as a place is one thing with both types."""
    mem.add_fact("me", "lives_in", "Mercury", user="ana")
    mem.add_fact("me", "knows", "Mercury", user="ana")
    assert set(_things(mem)["Mercury"].types) >= {"place", "person"}


def test_a_mention_without_type_wipes_nothing(mem: Memory) -> None:
    """What was known of a thing stays when it is only mentioned."""
    mem.add_fact("me", "knows", "Ines", user="ana")
    mem.add_fact("Ines", "lives_in", "Porto", user="ana")
    mem.add_fact("Ines", "fermented_with", "koji", user="ana")
    assert "person" in _things(mem)["Ines"].types
    assert mem.facts(user="ana", subject="Ines").total == 2 + 1  # known from either side


_NAMED, _PLAYS = "My landlord is Mr. Reyes.", "My landlord plays the tuba."


@pytest.mark.parametrize("turns", [(_NAMED, _PLAYS), (_PLAYS, _NAMED)])
@pytest.mark.parametrize("batch", [True, False])
def test_a_role_means_who_holds_it(mem: Memory, turns: tuple[str, str], batch: bool) -> None:
    """The landlord and Mr. Reyes are one, in either order, told together or apart."""
    if batch:
        mem.add(list(turns), user="ana", session="s1")
    else:
        for turn in turns:
            mem.add(turn, user="ana", session="s1")
    plays = mem.facts(user="ana", subject="Mr. Reyes", predicate="plays_instrument")
    assert len(values(plays)) == 1
    assert mem.facts(user="ana", subject="Reyes").total >= 1
    people = [e for e in _things(mem).values() if "person" in e.types]
    assert len(people) == 1


def test_the_next_holder_of_a_role_is_somebody_else(mem: Memory) -> None:
    """After a change of landlord the role means the new one."""
    mem.add(_PLAYS, user="ana", occurred_at="2024-01-01")
    mem.add(_NAMED, user="ana", occurred_at="2024-02-01")
    mem.add("My landlord is Ms. Kimura.", user="ana", occurred_at="2024-06-01")
    mem.add("My landlord plays the harp.", user="ana", occurred_at="2024-07-01")
    assert mem.facts(user="ana", subject="Kimura", predicate="plays_instrument").total == 1
    assert mem.facts(user="ana", subject="Reyes", predicate="plays_instrument").total == 1


def test_namesakes_with_roles_nobody_has_at_once_are_two(mem: Memory) -> None:
    """My dentist Pilar and my niece Pilar are two, shown apart."""
    mem.add("My dentist is Pilar.", user="ana")
    mem.add("My niece is Pilar.", user="ana")
    namesakes = [
        v.entity for v in mem.entities(user="ana").items if v.entity.name.startswith("Pilar")
    ]
    assert sorted(e.name for e in namesakes) == ["Pilar", "Pilar (niece)"]
    assert len({e.id for e in namesakes}) == len({e.key for e in namesakes}) == 2
    assert mem.suggestions(user="ana") == []


def test_a_bare_name_of_namesakes_is_not_guessed(mem: Memory) -> None:
    """Who is meant by a name that two have is asked for, with the ids that would say it."""
    mem.add("My dentist is Pilar.", user="ana")
    mem.add("My niece is Pilar.", user="ana")
    with pytest.raises(InputError, match="Pilar"):
        mem.add_fact("Pilar", "lives_in", "Cadiz", user="ana")
    ids = [v.entity.id for v in mem.entities(user="ana").items if v.entity.name == "Pilar (niece)"]
    fact = the(mem.add_fact(ids[0], "lives_in", "Cadiz", user="ana"))
    assert fact.subject.key == ids[0]


def test_the_users_stated_name_means_the_user(mem: Memory) -> None:
    """A name the user gave is an alias, and a turn under it is the user's own."""
    mem.add("My name is Tove.", user="ana")
    receipt = mem.add({"role": "user", "name": "Tove", "content": "I live in Riga."}, user="ana")
    assert triples(receipt.added) == {("ana", "lives_in", "Riga", "+")}
    assert mem.facts(user="ana", subject="Tove", predicate="lives_in").total == 1
    assert not [note for note in receipt.notes if "not the user" in note]


def test_another_speaker_is_somebody_else_and_it_is_said_once(mem: Memory) -> None:
    """Another name's "I" is theirs; the receipt says so the first time."""
    first = mem.add({"role": "user", "name": "Ida", "content": "I'm vegan."}, user="ana")
    second = mem.add({"role": "user", "name": "Ida", "content": "I live in Riga."}, user="ana")
    assert [n for n in first.notes if "'Ida'" in n]
    assert not [n for n in second.notes if "'Ida'" in n]
    assert {f.subject.text for f in mem.facts(user="ana").items} == {"Ida"}


def test_a_declared_name_is_the_user(mem: Memory) -> None:
    """A name declared for a call is the user's."""
    receipt = mem.add(
        {"role": "user", "name": "Ida", "content": "I live in Riga."}, user="ana", me="Ida"
    )
    assert triples(receipt.added) == {("ana", "lives_in", "Riga", "+")}


def test_merging_into_one_of_the_names(mem: Memory) -> None:
    """One thing is left, with every name and every fact."""
    mem.add_fact("Bob", "visited", "Cork", user="ana")
    mem.add_fact("Robert", "visited", "Riga", user="ana")
    mem.merge(["Bob", "Robert"], into="Bob", user="ana")
    things = _things(mem)
    assert set(things) == {"Bob", "Cork", "Riga"}
    assert things["Bob"].aliases == ("Robert",)
    assert values(mem.facts(user="ana", subject="Robert")) == {"Cork", "Riga"}
    mem.add_fact("Robert", "visited", "Oslo", user="ana")
    assert mem.facts(user="ana", subject="Bob").total == 3


def test_merging_into_a_new_name(mem: Memory) -> None:
    """The new name is one more name of the one that is left."""
    mem.add_fact("Bob", "visited", "Cork", user="ana")
    mem.add_fact("Rob", "visited", "Riga", user="ana")
    mem.merge(["Bob", "Rob"], into="Robert", user="ana")
    for name in ("Bob", "Rob", "Robert"):
        assert mem.facts(user="ana", subject=name).total == 2


def test_merging_drops_facts_of_a_thing_with_itself(mem: Memory) -> None:
    """Bob knows Robert says nothing once they are one; splitting brings it back."""
    mem.add_fact("Bob", "knows", "Robert", user="ana")
    mem.add_fact("Bob", "visited", "Cork", user="ana")
    mem.merge(["Bob", "Robert"], into="Bob", user="ana")
    assert triples(mem.facts(user="ana")) == {("Bob", "visited", "Cork", "+")}
    assert mem.verify().findings == ()
    (gone,) = mem.facts(user="ana", predicate="knows", include_retracted=True).items
    with pytest.raises(RefusedError, match="split"):
        mem.restore(gone.id, user="ana")
    mem.split("Robert", out_of="Bob", user="ana")
    (back,) = mem.facts(user="ana", predicate="knows").items
    assert back.id == gone.id


def test_merging_recomputes_what_can_have_one_value(mem: Memory) -> None:
    """Two homes of what is one person become a move."""
    mem.add_fact("Bob", "lives_in", "Cork", user="ana", occurred_at="2024-01-01")
    mem.add_fact("Robert", "lives_in", "Riga", user="ana", occurred_at="2024-06-01")
    mem.merge(["Robert", "Bob"], into="Bob", user="ana")
    assert values(mem.facts(user="ana", subject="Bob")) == {"Riga"}
    assert values(mem.facts(user="ana", subject="Bob", valid_at="2024-03")) == {"Cork"}


def test_splitting_undoes_a_merge(mem: Memory) -> None:
    """Each has its own facts again, and so its old view."""
    mem.add_fact("Bob", "lives_in", "Cork", user="ana", occurred_at="2024-01-01")
    mem.add_fact("Robert", "lives_in", "Riga", user="ana", occurred_at="2024-06-01")
    before = triples(mem.facts(user="ana"))
    ids = {name: e.id for name, e in _things(mem).items()}
    mem.merge(["Robert", "Bob"], into="Bob", user="ana")
    mem.split("Robert", out_of="Bob", user="ana")
    assert triples(mem.facts(user="ana")) == before
    assert {name: e.id for name, e in _things(mem).items()} == ids
    assert _things(mem)["Bob"].aliases == ()


def test_past_views_keep_two_that_were_merged_later(mem: Memory) -> None:
    """As known before the merge there were two."""
    mem.add_fact("Bob", "visited", "Cork", user="ana")
    last = the(mem.add_fact("Robert", "visited", "Riga", user="ana"))
    mem.merge(["Bob", "Robert"], into="Bob", user="ana")
    record = mem.history(last.id, user="ana").items[-1]
    assert record.subject.text == "Robert"


def test_the_user_is_merged_into_nobody(mem: Memory) -> None:
    """A name can become the user's, not the user somebody else."""
    mem.add_fact("me", "visited", "Cork", user="ana")
    mem.add_fact("Annie", "visited", "Riga", user="ana")
    with pytest.raises(RefusedError):
        mem.merge(["me", "Annie"], into="Annie", user="ana")
    mem.merge(["Annie"], into="me", user="ana")
    assert values(mem.facts(user="ana", subject="me")) == {"Cork", "Riga"}


@pytest.mark.parametrize(
    ("names", "into", "error"),
    [
        (["Bob", "Nobody"], "Bob", NotFoundError),
        (["Bob"], "Bob", InputError),
        ([], "Bob", InputError),
        (["Bob", ""], "Bob", InputError),
        (["Bob", "Cork"], " ", InputError),
    ],
)
def test_a_merge_that_makes_no_sense_is_refused(
    mem: Memory, names: list[str], into: str, error: type[Exception]
) -> None:
    """Nothing changes, and the message names the value."""
    mem.add_fact("Bob", "visited", "Cork", user="ana")
    with pytest.raises(error):
        mem.merge(names, into=into, user="ana")
    assert set(_things(mem)) == {"Bob", "Cork"}


@pytest.mark.parametrize(
    ("name", "out_of", "error"),
    [
        ("Bobby", "Bob", NotFoundError),
        ("Bob", "Nobody", NotFoundError),
        ("Bob", "Bob", InputError),
    ],
)
def test_a_split_that_makes_no_sense_is_refused(
    mem: Memory, name: str, out_of: str, error: type[Exception]
) -> None:
    """There must be a name to split off."""
    mem.add_fact("Bob", "visited", "Cork", user="ana")
    with pytest.raises(error):
        mem.split(name, out_of=out_of, user="ana")


def _suggested(mem: Memory) -> Suggestion:
    (suggestion,) = mem.suggestions(user="ana")
    return suggestion


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Amara Obi", "Amara"),
        ("Amara", "Amara Obi"),
        ("Amara Obi", "A. Obi"),
        ("Los Angeles", "LA"),
        ("LA", "Los Angeles"),
        ("José Ruiz", "Jose Ruiz"),
        ("王小明", "小明"),
        ("杭州", "杭州市"),
    ],
)
def test_likely_duplicates_are_suggested_once(mem: Memory, first: str, second: str) -> None:
    """Parts, initials, abbreviations and accents are kept apart and listed for review."""
    mem.add_fact("me", "knows", first, user="ana")
    receipt = mem.add_fact("me", "knows", second, user="ana")
    suggestion = _suggested(mem)
    ids = {name: e.id for name, e in _things(mem).items()}
    assert (suggestion.first, suggestion.second) == (ids[first], ids[second])
    assert [n for n in receipt.notes if suggestion.id in n]
    mem.add_fact("me", "knows", second, user="ana")
    assert _suggested(mem) == suggestion


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("tea", "green tea"),
        ("Amara", "Amira"),
        ("DGX 7", "DGX"),
        ("Vitamin C", "Vitamin D"),
        ("Cork", "Corking"),
        ("小明", "小红"),
        ("蛋糕", "芒果蛋糕"),
    ],
)
def test_other_things_are_not_suggested(mem: Memory, first: str, second: str) -> None:
    """Likeness of sound, other codes and plain words are no reason."""
    mem.add_fact("me", "mentioned", first, user="ana")
    mem.add_fact("me", "mentioned", second, user="ana")
    assert mem.suggestions(user="ana") == []


@pytest.mark.storeless
@pytest.mark.parametrize(("others", "found"), [(3, 3), (20, 10)])
def test_a_new_thing_is_compared_with_few_others_of_its_change(others: int, found: int) -> None:
    """Those of one change that share words with it are looked at like those that are stored."""
    names = [*(f"Birch {chr(ord('A') + n)}son" for n in range(others)), "Birch"]
    things = {f"e{n}": an_entity(f"e{n}", name) for n, name in enumerate(names)}
    finding = suggest(things, [f"e{others}"])
    next(finding)
    finding.send(Snapshot(now=1, number=1, alike=((),)))
    with pytest.raises(StopIteration) as ended:
        finding.send(Snapshot(now=1, number=1))
    suggested: tuple[Suggestion, ...] = ended.value.value
    assert len({s.first for s in suggested}) == len(suggested) == found


def test_turns_suggest_too(mem: Memory) -> None:
    """What is read from turns is looked at like what is stated."""
    mem.add("My sister is Tilda Berg.", user="ana")
    mem.add("My sister Tilda lives in Cork.", user="ana")
    assert len(_things(mem)) >= 2 or mem.suggestions(user="ana")


def test_confirming_merges_and_undoing_parts_again(mem: Memory) -> None:
    """A decision can be taken back as if it had not been taken."""
    mem.add_fact("Amara Obi", "visited", "Cork", user="ana")
    mem.add_fact("Amara", "visited", "Riga", user="ana")
    suggestion = _suggested(mem)
    mem.confirm(suggestion.id, user="ana")
    assert values(mem.facts(user="ana", subject="Amara")) == {"Cork", "Riga"}
    assert _suggested(mem).state.value == "confirmed"
    assert not mem.confirm(suggestion.id, user="ana").outcomes
    with pytest.raises(RefusedError):
        mem.reject(suggestion.id, user="ana")
    mem.undo(suggestion.id, user="ana")
    assert values(mem.facts(user="ana", subject="Amara")) == {"Riga"}
    assert values(mem.facts(user="ana", subject="Amara Obi")) == {"Cork"}
    assert _suggested(mem).state.value == "open"


def test_a_rejected_pair_is_never_suggested_again(mem: Memory) -> None:
    """Two that were told apart stay apart, until that is undone."""
    mem.add_fact("Amara Obi", "visited", "Cork", user="ana")
    mem.add_fact("Amara", "visited", "Riga", user="ana")
    suggestion = _suggested(mem)
    mem.reject(suggestion.id, user="ana")
    mem.add_fact("Amara", "visited", "Oslo", user="ana")
    assert _suggested(mem).state.value == "rejected"
    mem.undo(suggestion.id, user="ana")
    assert _suggested(mem).state.value == "open"
    mem.confirm(suggestion.id, user="ana")
    assert values(mem.facts(user="ana", subject="Amara")) == {"Cork", "Riga", "Oslo"}


def test_confirming_what_was_merged_by_name_meanwhile(mem: Memory) -> None:
    """Nothing breaks if a pair is one already."""
    mem.add_fact("Amara Obi", "visited", "Cork", user="ana")
    mem.add_fact("Amara", "visited", "Riga", user="ana")
    mem.merge(["Amara"], into="Amara Obi", user="ana")
    mem.confirm(_suggested(mem).id, user="ana")
    assert values(mem.facts(user="ana", subject="Amara")) == {"Cork", "Riga"}


@pytest.mark.parametrize("words", ["me", "Me", "I", "user", "我", "ana"])
def test_words_for_the_user_mean_the_user(mem: Memory, words: str) -> None:
    """In direct calls, as subject, as object and in listings."""
    mem.add_fact(words, "visited", "Cork", user="ana")
    mem.add_fact("Odo Elm", "knows", words, user="ana")
    assert set(_things(mem)) == {"Cork", "Odo Elm"}
    assert mem.facts(user="ana", subject=words, predicate="visited").total == 1


def test_a_code_in_capitals_is_not_the_user(mem: Memory) -> None:
    """ME is a state, and a country's mark."""
    mem.add_fact("Odo Elm", "senator_for", "ME", user="ana")
    assert set(_things(mem)) == {"Odo Elm", "ME"}
    assert mem.facts(user="ana", object="ME").total == 1
    assert mem.facts(user="ana", subject="me").total == 0
