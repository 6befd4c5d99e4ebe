"""What a turn means where its words alone mislead: denials of denials, habits, names apart."""

import asyncio
from typing import Any

import pytest

from graphmem.extraction.claims import claim_of
from graphmem.extraction.model import ModelExtractor
from graphmem.model.claim import Form, Polarity
from graphmem.model.draft import Extraction, Known
from graphmem.model.episode import Episode, Role
from graphmem.model.ontology import default_ontology
from graphmem.model.roles import role_slug
from graphmem.model.time import Span, from_micros
from graphmem.testing.models import ScriptedModel

from .kit import a_batch, a_claim, a_known, a_turn, an_answer, shown


def read(
    turns: list[str | Episode], *claims: dict[str, Any], known: Known | None = None
) -> Extraction:
    # Any: claims as a model writes them.
    model = ScriptedModel([an_answer(*claims)])
    batch = a_batch(*turns, known=known)
    return asyncio.run(ModelExtractor(model, default_ontology()).extract(batch))


# --- Denials


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("It isn't because I don't like Oslo.", "Oslo"),
        ("Not that I don't like tennis, I'm just busy.", "tennis"),
        ("I can't say I don't like olives.", "olives"),
        ("我不是不喜欢爵士乐。", "爵士乐"),
        ("不能说我不喜欢爵士乐。", "爵士乐"),
    ],
)
def test_a_denial_that_is_denied_makes_no_negative(text: str, target: str) -> None:
    """Neither the model's negative nor the words' own counts there."""
    claims = [a_claim(text, "likes", target, polarity=sign) for sign in "+-"]
    found = read([text], *claims)
    assert [draft.polarity for draft in found.drafts] == [Polarity.POSITIVE]
    assert found.refused == {"polarity": 1}


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("I don't believe in luck and I don't like bingo.", "bingo"),
        ("I'm not from here, I don't like herring.", "herring"),
        ("我不是本地人，我不喜欢鲱鱼。", "鲱鱼"),
    ],
)
def test_two_denials_are_two(text: str, target: str) -> None:
    """A "not" of something else takes nothing back."""
    (draft,) = read([text], a_claim(text, "likes", target, polarity="-")).drafts
    assert draft.polarity is Polarity.NEGATIVE


def test_a_must_is_no_denial() -> None:
    """不得不 stands before what is done."""
    said = "我不得不吃海鲜。"
    (draft,) = read([said], a_claim(said, "eats", "海鲜")).drafts
    assert draft.polarity is Polarity.POSITIVE


@pytest.mark.parametrize(
    "text",
    [
        "Forget what I told you about Ines living in Faro, I mixed the two of them up.",
        "之前说Ines住在Faro，是我记混了。",
        "It turns out Ines doesn't live in Faro.",
        "原来Ines并不住在Faro。",
    ],
)
def test_what_is_taken_back_may_be_denied(text: str) -> None:
    """Words that take something back stand for the "not"."""
    known = Known(facts={"F1": a_known("lives_in", "Faro", "Ines")}, people={"Ines": "person"})
    claim = a_claim(text, "lives_in", "Faro", subject="Ines", polarity="-", corrects="F1")
    (draft,) = read([text], claim, known=known).drafts
    assert draft.polarity is Polarity.NEGATIVE
    assert draft.correction is not None


MAY = ("2024-05-01", "2024-06-01")


@pytest.mark.parametrize(
    "fields",
    [
        {"form": "past", "at": "五月份一整个月"},
        {"form": "past", "at": "五月份", "duration": "一整个月"},
        {"form": "state", "at": "五月份"},
        {"form": "state", "start": "五月份一整个月"},
        {"form": "happened", "at": "五月份"},
    ],
)
def test_what_was_not_so_for_a_while_is_not_so_for_that_while(fields: dict[str, str]) -> None:
    """Not a word of the time after it, whatever a model calls the form."""
    said = "我五月份一整个月没抽烟。"
    turn = a_turn(said)
    (draft,) = read([turn], a_claim(said, "smokes", polarity="-", **fields)).drafts
    claim = claim_of(draft, turn, 0, {})
    assert (claim.form, claim.polarity) == (Form.PAST, Polarity.NEGATIVE)
    assert claim.end is not None
    assert claim.start is not None
    first, last = _days(claim.start.span), _days(claim.end.span)
    assert first is not None
    assert last is not None
    assert (first[0], last[0]) == MAY


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("I don't smoke since May.", {"form": "since", "start": "since May"}),
        ("I went without cigarettes this month.", {"form": "state", "at": "this month"}),
        ("No cigarettes from May on.", {"form": "change", "start": "from May on"}),
    ],
)
def test_what_goes_on_has_no_end(text: str, fields: dict[str, str]) -> None:
    """A start, or a span that is not over, bounds nothing."""
    turn = a_turn(text)
    (draft,) = read([turn], a_claim(text, "smokes", polarity="-", **fields)).drafts
    assert claim_of(draft, turn, 0, {}).end is None


def _days(span: Span | None) -> tuple[str, str] | None:
    if span is None:
        return None
    hours = 8 * 3_600_000_000  # the turn's zone
    first, after = (from_micros(moment + hours).date() for moment in (span.first, span.after))
    return str(first), str(after)


# --- Habits


@pytest.mark.parametrize(
    "text",
    [
        "If I eat walnuts my throat swells up.",
        "If I have walnuts, I come out in hives.",
        "要是我吃了walnuts就喘不上气。",
    ],
)
def test_a_condition_in_the_present_tells_of_an_allergy(text: str) -> None:
    """What always happens is so."""
    assert read([text], a_claim(text, "allergic_to", "walnuts")).drafts


@pytest.mark.parametrize(
    ("text", "predicate"),
    [
        ("If I ate walnuts my throat would swell up.", "allergic_to"),
        ("If I were allergic to walnuts, I'd know.", "allergic_to"),
        ("If I eat walnuts, do I get hives?", "allergic_to"),
        ("If I buy walnuts I cook them.", "cooks"),
        ("要是我当初吃了walnuts就过敏了。", "allergic_to"),
    ],
)
def test_other_conditions_tell_nothing(text: str, predicate: str) -> None:
    """What is only supposed, or no matter of health, is not so."""
    assert not read([text], a_claim(text, predicate, "walnuts")).drafts


# --- Names


@pytest.mark.parametrize(
    ("before", "text", "name", "trait"),
    [
        ("Petra came by.", "Her dad is a glazier.", "Petra's dad", "glazier"),
        ("我室友叫何苗。", "她妈是裁缝。", "何苗的妈", "裁缝"),
        ("I own a green kayak.", "The green one leaks.", "green kayak", "leaks"),
        ("旧的那辆单车和新的那辆，骑哪辆？", "旧的那辆漏气。", "旧的那辆单车", "漏气"),
    ],
)
def test_a_name_may_be_put_together_of_words_said_apart(
    before: str, text: str, name: str, trait: str
) -> None:
    """Whose it is, or what it is, may have been said in a turn before."""
    claim = a_claim(text, "has_trait", trait, turn="T2", subject=name, object_kind="text")
    (draft,) = read([before, text], claim).drafts
    assert draft.subject.text == name


@pytest.mark.parametrize(
    ("before", "text", "name"),
    [
        ("Petra came by.", "Her dad is a glazier.", "Petra's mum"),
        ("Petra came by.", "Her dad is a glazier.", "Otto's dad"),
        ("我室友叫何苗。", "她妈是裁缝。", "何苗的爸"),
        ("I own a kayak.", "The green one leaks.", "green canoe"),
    ],
)
def test_both_parts_must_have_been_said(before: str, text: str, name: str) -> None:
    """A part that nobody said is made up."""
    claim = a_claim(text, "works_as", text.split()[-1].strip("."), turn="T2", subject=name)
    assert read([before, text], claim).refused == {"ungrounded": 1}


@pytest.mark.parametrize(
    ("text", "name", "wanted"),
    [
        ("My mum and dad live in Ghent.", "my mum and dad", "my parents"),
        ("My parents live in Ghent.", "My parents", "my parents"),
        ("我爸妈住在Ghent。", "我爸妈", "父母"),
        ("我父母住在Ghent。", "父母", "父母"),
    ],
)
def test_both_parents_are_neither_of_them(text: str, name: str, wanted: str) -> None:
    """They are one thing of its own, however they are called."""
    (draft,) = read([text], a_claim(text, "lives_in", "Ghent", subject=name)).drafts
    assert shown(draft) == (wanted, "lives_in", "Ghent")
    assert draft.subject.role is None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("My aunt and uncle live in Ghent.", "My aunt and uncle"),
        ("My boss at work lives in Ghent.", "My boss at work"),
        ("我哥的同事住在Ghent。", "我哥的同事"),
    ],
)
def test_what_follows_a_role_may_be_no_name(text: str, name: str) -> None:
    """Nobody is called "and uncle"."""
    (draft,) = read([text], a_claim(text, "lives_in", "Ghent", subject=name)).drafts
    assert draft.subject.text == name


# --- Answers


def test_a_short_answer_has_the_date_of_what_was_asked() -> None:
    """ "Exactly" says when, too."""
    asked = a_turn("Ilse moves to Ghent on 3 August, doesn't she?", role=Role.ASSISTANT)
    claim = a_claim(
        "Exactly", "lives_in", "Ghent", turn="T1", subject="Ilse", modality="planned",
        form="change", at="on 3 August",
    )  # fmt: skip
    (draft,) = read([asked, a_turn("Exactly.", 2)], claim).drafts
    assert draft.start == "on 3 August"


def test_another_turn_has_its_own_dates_only() -> None:
    """A user who speaks of other things takes no date from what was asked."""
    asked = a_turn("Shall we talk on 3 August?", role=Role.ASSISTANT)
    said = "I've moved to Ghent with my sister Ilse and her two cats, by the way."
    claim = a_claim(said, "lives_in", "Ghent", turn="T1", form="change", at="on 3 August")
    (draft,) = read([asked, a_turn(said, 2)], claim).drafts
    assert draft.start is None


@pytest.mark.parametrize(
    ("asked", "name", "wanted"),
    [
        ("令尊八月三号到Ghent，对吗？", "父亲", "father"),
        ("您父亲八月三号到Ghent，对吗？", "我爸", "father"),
        ("尊夫人八月三号到Ghent，对吗？", "我妻子", "wife"),
    ],
)
def test_who_was_asked_of_politely_is_the_speakers_own(asked: str, name: str, wanted: str) -> None:
    """令尊 is the father of whoever answers."""
    turns = [a_turn(asked, role=Role.ASSISTANT), a_turn("没错。", 2)]
    claim = a_claim("没错", "visited", "Ghent", turn="T1", subject=name, modality="planned")
    (draft,) = read([*turns], claim).drafts
    assert draft.subject.role is not None
    assert role_slug(draft.subject.role) == wanted


def test_nobody_is_meant_who_was_not_asked_of() -> None:
    """A mother is no father."""
    asked = a_turn("令尊八月三号到Ghent，对吗？", role=Role.ASSISTANT)
    claim = a_claim("没错", "visited", "Ghent", turn="T1", subject="母亲", modality="planned")
    assert read([asked, a_turn("没错。", 2)], claim).refused == {"ungrounded": 1}


# --- What says nothing


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("My dad waved at me.", {"predicate": "has_parent", "object": "My dad"}),
        ("我妈在等我。", {"predicate": "has_parent", "object": "我妈"}),
        ("My dad waved at me.", {"predicate": "has_child", "subject": "My dad", "object": "me"}),
        ("Still sweeping up.", {"predicate": "sweeps_up", "importance": 1}),
        ("My dad waved at me.", {"predicate": "waves_at", "subject": "My dad", "object": "me",
                                 "importance": 2}),
    ],
)  # fmt: skip
def test_what_says_nothing_is_left_out(text: str, claim: dict[str, Any]) -> None:
    """Everybody has a father, and sweeps now and then."""
    fields = {"object_kind": "entity" if claim.get("object") else "none", **claim}
    assert read([text], a_claim(text, fields.pop("predicate"), **fields)).refused == {"trivia": 1}


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("My dad is Otto.", {"predicate": "has_parent", "object": "Otto"}),
        ("I have a sister.", {"predicate": "has_sibling", "object": "sister"}),
        ("Otto sculls.", {"predicate": "sculls", "subject": "Otto", "importance": 4}),
        ("I have never skied.", {"predicate": "skis", "polarity": "-", "importance": 2}),
        ("I smoke.", {"predicate": "smokes", "importance": 1}),
    ],
)
def test_what_says_something_stays(text: str, claim: dict[str, Any]) -> None:
    """A name, a thing one does, a negative, and what the registry knows."""
    fields = {"object_kind": "entity" if claim.get("object") else "none", **claim}
    assert read([text], a_claim(text, fields.pop("predicate"), **fields)).drafts


# --- Known facts


@pytest.mark.parametrize(
    ("text", "quote", "ended"),
    [
        ("My new email is zo@example.org. The old address is dead.", "The old address is dead", 1),
        ("我的新邮箱是 zo@example.org，旧邮箱不再用了。", "旧邮箱不再用了", 1),
        ("My new email is zo@example.org. I like it.", "I like it", 0),
    ],
)
def test_a_known_value_that_ended_needs_no_label(text: str, quote: str, ended: int) -> None:
    """The value stands for its fact, if the words tell of an end."""
    known = Known(facts={"F1": a_known("email_address", "bo@example.org")})
    claim = a_claim(quote, "email_address", "bo@example.org", form="end")
    found = read([text], claim, known=known)
    assert [draft.form for draft in found.drafts] == [Form.END] * ended
    assert bool(found.refused) is not bool(ended)
