"""What a model says beside its claims: kinds and other names, whose words they are, how long."""

import asyncio
import json
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, cast
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.extraction.claims import claim_of
from graphmem.extraction.model import ModelExtractor
from graphmem.extraction.pieces import halves, plan, readable
from graphmem.extraction.prompts import system_message
from graphmem.model.claim import Form
from graphmem.model.draft import Draft, Extraction, Known
from graphmem.model.episode import Episode, Role
from graphmem.model.ontology import default_ontology
from graphmem.model.time import Stated, from_micros
from graphmem.model.tokens import estimate
from graphmem.testing.models import Asked, Scripted, ScriptedModel

from .kit import RIGA, a_batch, a_claim, a_turn, an_answer, shown


def read(answer: object, *turns: str | Episode, known: Known | None = None) -> Extraction:
    model = ScriptedModel([json.dumps(answer, ensure_ascii=False)])
    return asyncio.run(
        ModelExtractor(model, default_ontology()).extract(a_batch(*turns, known=known))
    )


def naming(text: str, claims: list[dict[str, Any]], *entities: dict[str, Any]) -> Extraction:
    # Any: items as a model writes them.
    return read({"claims": claims, "entities": list(entities)}, text)


# --- Kinds and other names


@pytest.mark.parametrize(
    ("kind", "kept"),
    [
        ("organisation", ("organisation",)),
        ("Company", ("organisation",)),
        ("公司", ("organisation",)),
        ("spaceship", ()),
        ("", ()),
    ],
)
def test_a_kind_is_one_of_the_registry(kind: str, kept: tuple[str, ...]) -> None:
    """Other words for it are understood; what is no kind is left out."""
    claims = [a_claim("I like Larch", "likes", "Larch")]
    (draft,) = naming("I like Larch.", claims, {"name": "larch", "type": kind}).drafts
    assert draft.object is not None
    assert draft.object.types == kept


@pytest.mark.parametrize(
    "entities", [None, "Larch", [None, 3, "Larch", {}, {"type": "place"}], {"name": "Larch"}]
)
def test_entities_that_cannot_be_read_are_left_out(entities: object) -> None:
    """They are no reason to ask again, or to lose a claim."""
    claim = a_claim("I like Larch", "likes", "Larch")
    result = read({"claims": [claim], "entities": entities}, "I like Larch.")
    assert [shown(d) for d in result.drafts] == [("me", "likes", "Larch")]
    assert (result.usage.calls, result.refused) == (1, {})


@pytest.mark.parametrize(
    ("text", "name", "alias"),
    [
        ("Bo, whose full name is Robert Ng, likes tea.", "Bo", "Robert Ng"),
        ("Robert Ng (Bo) likes tea.", "Robert Ng", "Bo"),
        ("Robert Ng likes tea, everybody calls him Bo.", "Robert Ng", "Bo"),
        ("Robbie (that's Robert Ng) likes tea.", "Robbie", "Robert Ng"),
        ("Robert Ng, Bo for short, likes tea.", "Robert Ng", "Bo"),
        ("立立（就是程立群）喜欢 tea。", "立立", "程立群"),
        ("翠鸟项目简称CN，我喜欢 tea。", "翠鸟项目", "CN"),
        ("程立群小名叫立立，喜欢 tea。", "程立群", "立立"),
    ],
)
def test_another_name_is_claimed_where_a_sentence_gives_it(
    text: str, name: str, alias: str
) -> None:
    """It becomes a claim of the usual predicate, quoted from that sentence."""
    claims = [a_claim(text, "likes", "tea", subject=name)]
    result = naming(text, claims, {"name": name, "type": "", "aliases": [alias]})
    (named,) = (d for d in result.drafts if d.predicate == "also_known_as")
    assert shown(named) == (name, "also_known_as", alias)
    assert named.quote == text
    assert result.refused == {}


@pytest.mark.parametrize(
    ("text", "name", "alias"),
    [
        ("Bo and Robert Ng like tea.", "Bo", "Robert Ng"),
        ("Bo likes tea. Robert Ng likes milk.", "Bo", "Robert Ng"),
        ("Bo likes tea.", "Bo", "Robert Ng"),
        ("Is Bo also called Robert Ng? Bo likes tea.", "Bo", "Robert Ng"),
        ("GUAVA-7, also called GUAVA-8, is here, and Bo likes tea.", "GUAVA-7", "GUAVA-8"),
        ("Bo called Robert Ng about tea.", "Bo", "Robert Ng"),
        ("Bo also knows Robert Ng.", "Bo", "Robert Ng"),
        ("Bo has a cat that Robert Ng calls Zo, likes tea, Zo for short.", "Bo", "Zo"),
        ("立立和程立群喜欢 tea。", "立立", "程立群"),
        ("立立叫程立群来喝 tea。", "立立", "程立群"),
    ],
)
def test_two_names_are_two_things_by_the_models_word_alone(
    text: str, name: str, alias: str
) -> None:
    """Unless one sentence calls them one, nothing is merged."""
    result = naming(text, [], {"name": name, "type": "person", "aliases": [alias]})
    assert [d for d in result.drafts if d.predicate == "also_known_as"] == []
    assert sum(result.refused.values()) == 1


def test_the_name_that_is_known_gets_the_other() -> None:
    """Whichever way round the model says it."""
    entity = {"name": "Robert Ng", "type": "person", "aliases": ["Bo"]}
    text = "Bo, whose full name is Robert Ng, left."
    result = read({"claims": [], "entities": [entity]}, text, known=Known(people={"Bo": None}))
    assert [shown(d) for d in result.drafts] == [("Bo", "also_known_as", "Robert Ng")]


# --- Whose words


def test_what_somebody_else_said_is_surer_from_them() -> None:
    """It is kept with their name, and weighs less than what the speaker says."""
    claim = a_claim("Tom says he lives in Oslo", "lives_in", "Oslo", subject="Tom", said_by="Tom")
    turn = a_turn("Tom says he lives in Oslo.")
    (draft,) = read({"claims": [claim]}, turn).drafts
    assert (shown(draft), draft.said_by) == (("Tom", "lives_in", "Oslo"), "Tom")
    assert draft.confidence < 0.9
    assert claim_of(draft, turn, 0, {}).authority == 100
    assert claim_of(draft, turn, 0, {"Tom": 30}).authority == 30


@pytest.mark.parametrize("teller", ["me", "user", "我", "Nobody You Know", "none", ""])
def test_the_speakers_own_words_are_the_speakers(teller: str) -> None:
    """Also if the model names somebody the turn does not."""
    claim = a_claim("I live in Oslo", "lives_in", "Oslo", said_by=teller)
    (draft,) = read({"claims": [claim]}, "I live in Oslo.").drafts
    assert (draft.said_by, draft.confidence) == (None, 0.9)


@pytest.mark.parametrize("teller", ["assistant", "you", "你"])
def test_what_the_assistant_said_is_no_claim(teller: str) -> None:
    """ "You said I live in Oslo" claims nothing."""
    claim = a_claim("You said I live in Oslo", "lives_in", "Oslo", said_by=teller)
    assert read({"claims": [claim]}, "You said I live in Oslo.").refused == {"hearsay": 1}


# --- When, and how long


def days(bound: Stated | None) -> str | None:
    """The first day of a bound."""
    if bound is None or bound.span is None:
        return None
    return f"{from_micros(bound.span.first).astimezone(ZoneInfo('Asia/Shanghai')):%F}"


@pytest.mark.parametrize(
    ("text", "fields", "form", "start", "end"),
    [
        (
            "I lived in Oslo in 2018.", {"form": "past", "at": "in 2018"},
            "state", "2018-01-01", None,
        ),
        ("I lived in Oslo as a boy.", {"form": "past", "at": "as a boy"}, "end", None, None),
        (
            "After the flood in May I lived in Oslo.",
            {"form": "past", "at": "After the flood in May"}, "state", "2024-05-01", None,
        ),
        (
            "I lived in Oslo for the whole of March 2019.",
            {"form": "past", "at": "March 2019", "duration": "for the whole of March 2019"},
            "state", "2019-03-01", None,
        ),
        ("I moved to Oslo in 2018.", {"form": "happened", "at": "in 2018"}, "change", "2018-01-01",
         None),
        (
            "I moved to Oslo in 2018 and lived there for three years.",
            {"form": "past", "start": "in 2018", "duration": "for three years"},
            "past", "2018-01-01", "2021-01-01",
        ),
        (
            "I've lived in Oslo for three years.", {"duration": "for three years"},
            "since", "2021-01-01", None,
        ),
        ("我在 Oslo 住了三年了。", {"duration": "三年"}, "since", "2021-01-01", None),
        ("I left Oslo in May.", {"form": "end", "at": "in May"}, "end", None, "2024-05-01"),
        (
            "I lived in Oslo for three years until 2021.",
            {"form": "past", "duration": "for three years", "end": "until 2021"},
            "past", "2018-01-01", "2021-01-01",
        ),
        ("I lived in Oslo for three years.", {"form": "end", "duration": "for three years"},
         "end", None, None),
        ("I live in Oslo.", {"at": "in 2018", "duration": "three years"}, "state", None, None),
    ],
)  # fmt: skip
def test_time_phrases_give_the_bounds(
    text: str, fields: dict[str, str], form: str, start: str | None, end: str | None
) -> None:
    """When something was so, and how long, become its start and end; dates are made in code."""
    turn = a_turn(text)
    (draft,) = read({"claims": [a_claim(text, "lives_in", "Oslo", **fields)]}, turn).drafts
    claim = claim_of(draft, turn, 0, {})
    assert (claim.form, days(claim.start), days(claim.end)) == (Form(form), start, end)


@pytest.mark.parametrize("form", ["happened", "past", "event", "change"])
def test_what_took_place_once_happened_whatever_its_form_is_called(form: str) -> None:
    """Going somewhere once is no state that is over."""
    claim = a_claim("去过银川", "visited", "银川", form=form)
    (draft,) = read({"claims": [claim]}, "我去过银川。").drafts
    assert draft.form is Form.CHANGE


@pytest.mark.parametrize("name", ["kind", "Type", "line", "用途"])
def test_a_qualifier_keeps_values_apart_under_the_name_of_the_predicate(name: str) -> None:
    """A work phone stands beside the private one, whatever a model calls the difference."""
    said = "My work phone is 555-0300."
    claim = a_claim(said, "phone_number", "555-0300", qualifiers=[f"{name}=work"])
    (draft,) = read({"claims": [claim]}, said).drafts
    assert draft.qualifiers == ((("line" if name.isascii() else name), "work"),)


# --- Languages


def statement(text: str, sentence: str, language: str | None) -> str:
    """What is kept of a model's sentence about Oslo."""
    answer = an_answer(a_claim(text, "lives_in", "Oslo", statement=sentence))
    model = ScriptedModel([answer])
    reader = ModelExtractor(model, default_ontology(), statement_language=language)
    (draft,) = asyncio.run(reader.extract(a_batch(text))).drafts
    return draft.statement


@pytest.mark.parametrize(("language", "kept"), [(None, {"zh"}), ("zh", {"zh"}), ("en", {"en"})])
def test_statements_are_in_the_language_that_is_set(language: str | None, kept: set[str]) -> None:
    """The speaker's by default; names may be in any letters."""
    sentences = {"zh": "用户住在Oslo。", "en": "The user lives in Oslo."}
    for name, sentence in sentences.items():
        wanted = sentence if name in kept else ""
        assert statement("我住在 Oslo。", sentence, language) == wanted


def test_the_language_is_asked_for() -> None:
    """By its name; the rest of the prompt is the same."""
    whose, english = (system_message(default_ontology(), (), code).content for code in (None, "en"))
    assert "in the language of the turn" in whose
    assert english == whose.replace("in the language of the turn", "in English")


# --- The prompt's own examples


def _json_values(text: str) -> Iterator[Any]:  # Any: JSON
    decoder, at = json.JSONDecoder(), 0
    while (found := re.compile(r"[{\[]").search(text, at)) is not None:
        try:
            value, at = decoder.raw_decode(text, found.start())
            yield value
        except json.JSONDecodeError:
            at = found.end()


def examples() -> tuple[list[dict[str, Any]], list[dict[str, Any]], list[str]]:
    """Claims, entities and turns that the prompt shows."""
    system = system_message(default_ontology(), ("person",)).content
    # Any: JSON.
    values = [cast("dict[str, Any]", v) for v in _json_values(system) if isinstance(v, dict)]
    answers = [v for v in values if v.get("claims")]
    claims = [claim for answer in answers for claim in answer["claims"]]
    entities = [entity for answer in answers for entity in answer.get("entities", [])]
    turns = [cast("str", v["text"]) for v in values if "text" in v]
    return claims, entities, turns


@pytest.mark.parametrize(
    "text", ["I drink tea.", "你好，我在看书。", "I can't stand it. I quit. My sister moved."]
)
def test_an_echo_of_the_examples_stores_nothing(text: str) -> None:
    """Whatever of the prompt a model gives back, no turn says it."""
    claims, entities, _ = examples()
    assert (len(claims), len(entities)) == (6, 4)
    known = Known(me=("Ana",), facts={"F1": RIGA, "F2": RIGA})
    result = read({"claims": claims, "entities": entities}, text, known=known)
    assert result.drafts == ()
    assert result.refused["ungrounded"] == len(claims)


def test_the_examples_are_no_plausible_turns() -> None:
    """Their names are invented, so that no real turn can ground them."""
    claims, entities, turns = examples()
    names = {entity["name"] for entity in entities} | {"Orlith Glassworks", "glimroot", "Vumbo"}
    assert {c["object"] for c in claims} | {c["subject"] for c in claims} == {
        "me", *names - {"Vumbo"},
    }  # fmt: skip
    assert all(any(name in turn for name in names) for turn in turns)
    common = {"Riga", "Cork", "London", "Alice", "Bob", "北京", "小明"}
    assert not names & common


# --- Long turns


def test_a_sentence_at_a_cut_is_read_with_both_pieces() -> None:
    """What is said across a cut is found, and what is read twice is one claim."""
    content = " ".join(f"I visited Town{n} once." for n in range(200))

    def answer(asked: Asked) -> Scripted:
        rows = [json.loads(row) for row in asked.messages[1].content.splitlines() if "label" in row]
        names = re.findall(r"Town\d+", rows[0]["text"])
        return an_answer(*(a_claim(f"I visited {name}", "visited", name) for name in names))

    model = ScriptedModel(answer)
    reader = ModelExtractor(model, default_ontology(), budget=300)
    result = asyncio.run(reader.extract(a_batch(content)))
    assert (len(result.drafts), result.refused) == (200, {})
    parts = [piece for group in plan(readable([a_turn(content)]), 300) for piece in group]
    for one, other in pairwise(parts):
        assert content[other.begin : one.stop].strip().startswith("I visited Town")
        assert other.begin < one.stop < other.stop


@given(st.text(alphabet="ab. \n。，", min_size=1, max_size=400), st.integers(5, 30))
def test_pieces_leave_nothing_out(content: str, most: int) -> None:
    """Every character is in a piece, each piece has room, and halves shrink."""
    turn = a_turn(content + "word.", role=Role.USER)
    groups = plan(readable([turn]), most)
    covered = 0
    for piece in (piece for group in groups for piece in group):
        assert piece.begin <= covered < piece.stop
        assert estimate(piece.text) <= most
        covered = piece.stop
    assert not groups or covered == len(turn.content)


@pytest.mark.parametrize("text", ["I water the lemons on Mondays. ", "我每个星期一给柠檬浇水。"])
def test_a_call_reads_as_many_tokens_in_any_language(text: str) -> None:
    """Turns stay whole, and as many go together as the budget holds."""
    groups = plan(readable([a_turn(text * 3) for _ in range(60)]), 300)
    costs = [sum(estimate(piece.text) for piece in group) for group in groups]
    assert sum(map(len, groups)) == 60
    assert all(200 < cost <= 300 for cost in costs[:-1])


def test_halves_are_smaller() -> None:
    """A piece read again after a cut does not come back whole."""
    (piece,) = readable([a_turn("I like tea. " * 200)])
    for (half,) in halves([piece]):
        assert half.stop - half.begin < 0.75 * (piece.stop - piece.begin)


# --- What was refused wrongly


@pytest.mark.parametrize("text", ["我哪儿有游艇。", "我哪有游艇啊", "我哪儿有游艇？"])
def test_a_rhetorical_question_denies(text: str) -> None:
    """我哪儿有游艇 says that there is none."""
    claims = [a_claim(text, "owns", "游艇", polarity="-")]
    assert [d.polarity.value for d in naming(text, claims).drafts] == ["-"]


def test_a_real_question_still_denies_nothing() -> None:
    """你有没有游艇 asks."""
    claims = [a_claim("我有没有游艇", "owns", "游艇", polarity="-")]
    assert naming("我有没有游艇？", claims).refused == {"question": 1}


def the_draft(text: str, claim: dict[str, Any]) -> Draft:
    (draft,) = naming(text, [claim]).drafts
    return draft


def test_a_negative_keeps_only_what_narrows_it() -> None:
    """An added role makes no exception; a time of day does."""
    text = "No coffee after four, for health reasons."
    claim = a_claim(
        "No coffee after four", "drinks", "coffee", polarity="-",
        qualifiers=["role=health", "reason=health reasons", "when=after four"],
    )  # fmt: skip
    assert the_draft(text, claim).qualifiers == (("when", "after four"),)


def test_a_role_is_of_a_person() -> None:
    """What somebody is at a firm is not the firm's role."""
    claim = a_claim("I'm a welder at Larch", "works_at", "Larch", qualifiers=["role=welder"])
    assert the_draft("I'm a welder at Larch.", claim).qualifiers == (("as", "welder"),)
    claim = a_claim("My sister Juno", "has_sibling", "Juno", qualifiers=["role=sister"])
    assert the_draft("My sister Juno came.", claim).qualifiers == (("role", "sister"),)


def test_everything_is_a_value() -> None:
    """ "I eat everything" says something, though it names nothing."""
    claim = a_claim("I eat everything", "eats", "everything")
    assert shown(the_draft("I eat everything.", claim)) == ("me", "eats", "everything")


@pytest.mark.parametrize("subject", ["Per", "me", "Per (me)", "user (Per)", "Per（user）"])
def test_a_speaker_may_be_called_by_name(subject: str) -> None:
    """In a group, "I" and the name are one."""
    claim = a_claim("I like tea", "likes", "tea", subject=subject)
    result = read({"claims": [claim]}, a_turn("I like tea.", speaker="Per"))
    assert [shown(d) for d in result.drafts] == [("Per", "likes", "tea")]
