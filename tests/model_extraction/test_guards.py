"""What a model claims is checked against what was said."""

import asyncio
from typing import Any

import pytest

from graphmem.extraction.model import ModelExtractor
from graphmem.model.claim import Correction, Form, Mention, Modality, Polarity
from graphmem.model.draft import Batch, Draft, Extraction, Known
from graphmem.model.entity import ValueKind
from graphmem.model.episode import Episode, Role
from graphmem.model.ontology import default_ontology
from graphmem.testing.models import ScriptedModel

from .kit import a_batch, a_claim, a_turn, an_answer, shown


def read(batch: Batch, *claims: dict[str, Any]) -> Extraction:
    # Any: some tests put in the wrong type.
    extractor = ModelExtractor(ScriptedModel([an_answer(*claims)]), default_ontology())
    return asyncio.run(extractor.extract(batch))


def refused(text: str | Episode, claim: dict[str, Any], known: Known | None = None) -> str | None:
    """Return why a claim is refused, or None if it becomes a draft."""
    result = read(a_batch(text, known=known), claim)
    assert len(result.drafts) + sum(result.refused.values()) == 1
    assert result.failed == {}
    return next(iter(result.refused), None)


def draft_of(text: str | Episode, claim: dict[str, Any], known: Known | None = None) -> Draft:
    (draft,) = read(a_batch(text, known=known), claim).drafts
    return draft


# --- Quotes


@pytest.mark.parametrize(
    ("text", "quote", "own"),
    [
        ("Well, I  live\nin Cork now.", "i live in cork", "I  live\nin Cork"),
        ("I’m from “Cork”.", 'I\'m from "Cork"', "I’m from “Cork"),
        ("我住在 ＣＯＲＫ 市", "我住在CORK市", "我住在 ＣＯＲＫ 市"),
        ("I live, as you know, in Cork.", "I live … in Cork", "I live, as you know, in Cork"),
        ("I live in Cork.", '"I live in Cork."', "I live in Cork"),
        ("I live in Cafe\u0301 Cork.", "I live in Café Cork", "I live in Cafe\u0301 Cork"),
    ],
)
def test_the_stored_quote_is_the_turns_own(text: str, quote: str, own: str) -> None:
    """Spacing, case and width may differ; what is kept is what was said."""
    assert draft_of(text, a_claim(quote, "lives_in", "Cork")).quote == own


@pytest.mark.parametrize("quote", ["I moved to Cork", "in Cor", "live", "…", "I", "ive in Cork"])
def test_words_that_were_not_said_are_no_quote(quote: str) -> None:
    """Made up, parts of words, or of another turn."""
    claim = a_claim(quote, "lives_in", "Dublin")
    assert refused("I live in Cork.", claim) == "ungrounded"


# --- Names


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("I like hiking.", "hiking"),
        ("I like dogs.", "dog"),
        ("I grew up in São Paulo.", "Sao Paulo"),
        ("我喜欢喝茶", "茶"),
        ("我在杭州开了一家手工的皮具店", "手工皮具店"),
        ("I like GUAVA-7 and tea.", "guava-7"),
    ],
)
def test_what_was_said_is_grounded(text: str, name: str) -> None:
    """Endings, accents and particles do not matter."""
    assert refused(text, a_claim(text, "likes", name)) is None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("I like hiking.", "skiing"),
        ("我对芒果过敏", "mango"),
        ("I like tea from DGX7.", "DGX8"),
        ("I said hello to Bo.", "Bob"),
        ("我喜欢喝茶", "咖啡"),
    ],
)
def test_what_was_not_said_is_refused(text: str, name: str) -> None:
    """Translations, other codes, longer names."""
    assert refused(text, a_claim(text, "likes", name)) == "ungrounded"


def test_a_name_may_stand_in_a_turn_before() -> None:
    """ "She hired Mo": her name is in the turn before."""
    batch = a_batch("My aunt Berit runs a ferry.", "She hired a deckhand called Mo.")
    claim = a_claim("She hired a deckhand called Mo", "employs", "Mo", subject="Berit", turn="T2")
    assert [shown(d) for d in read(batch, claim).drafts] == [("Berit", "employs", "Mo")]


def test_a_pasted_block_grounds_nothing() -> None:
    """Recalled memory in a turn does not lend its names to what the speaker says."""
    text = "<memory>The user loves opera.</memory> I like tea."
    assert refused(text, a_claim("I like tea", "likes", "opera")) == "ungrounded"


@pytest.mark.parametrize(
    ("turns", "hint"),
    [
        (
            ["I moved to Ely in 2021.", "Since then I have worked at Larch."],
            "2021-01-01/2022-01-01",
        ),
        (["我2021年5月搬到杭州。从那以后我在Larch上班。"], "2021-05-01/2021-06-01"),
        (["In May I moved, and since then I have worked at Larch."], "2024-05-01/2024-06-01"),
        (["We got a cat.", "Since then I have worked at Larch."], None),
    ],
)
def test_since_then_is_the_date_told_before(turns: list[str], hint: str | None) -> None:
    """What a model says began "since then" gets the date that was told right before it."""
    quote = turns[-1]
    phrase = next(word for word in ("Since then", "since then", "从那以后") if word in quote)
    label = f"T{len(turns)}"
    claim = a_claim(quote, "works_at", "Larch", turn=label, form="since", start=phrase)
    (draft,) = read(a_batch(*turns), claim).drafts
    assert (draft.start, draft.start_hint) == (phrase, hint)


def test_a_name_may_not_stand_in_a_turn_after() -> None:
    """What nobody had heard yet cannot be meant."""
    batch = a_batch("She hired a deckhand called Mo.", "My aunt Berit runs a ferry.")
    claim = a_claim("She hired a deckhand called Mo", "employs", "Mo", subject="Berit")
    assert read(batch, claim).refused == {"ungrounded": 1}


def test_a_name_may_be_known() -> None:
    """From the memory's people."""
    claim = a_claim("She quit", "works_at", subject="Berit", form="end")
    assert refused("She quit.", claim, Known(people={"Berit": "aunt"})) is None


@pytest.mark.parametrize(
    ("text", "people", "wanted"),
    [
        ("I like tea.", {"Berit": None}, "ungrounded"),
        ("我喜欢茶。", {"Berit": "aunt"}, "ungrounded"),
        ("My aunt likes tea.", {"Berit": "aunt"}, None),
        ("我姑姑喜欢 tea。", {"Berit": "aunt"}, None),
        ("Berit likes tea.", {}, None),
        ("The company likes tea.", {"Berit": "organisation"}, None),
        ("公司喜欢 tea。", {"Berit": "organisation"}, None),
        ("The company likes tea.", {"Berit": "person"}, "ungrounded"),
        ("She likes tea.", {"Berit": None}, None),
    ],
)
def test_a_known_name_must_be_meant(
    text: str, people: dict[str, str | None], wanted: str | None
) -> None:
    """By a pronoun or a role; that a name is known is not that somebody spoke of it."""
    value = "茶" if "茶" in text else "tea"
    claim = a_claim(text, "likes", value, subject="Berit")
    assert refused(text, claim, Known(people=people)) == wanted


@pytest.mark.parametrize(
    "subject", ["She", "it", "this", "someone", "unknown", "她", "某人", "you"]
)
def test_a_pronoun_or_placeholder_is_refused(subject: str) -> None:
    """Rather nothing than a guess."""
    claim = a_claim("She likes tea", "likes", "tea", subject=subject)
    assert (
        refused("She likes tea, it is so. 她 某人 you someone unknown this", claim) == "unresolved"
    )


@pytest.mark.parametrize("word", ["me", "I", "user", "The user", "我", "用户", "Ana"])
def test_the_user_is_self(word: str) -> None:
    """Whatever the model calls a speaker without a name, or with one of the user's names."""
    turn = a_turn("I like tea.", speaker="Ana")
    draft = draft_of(turn, a_claim("I like tea", "likes", "tea", subject=word), Known(me=("ana",)))
    assert draft.subject.is_self


def test_another_speaker_is_not_the_user() -> None:
    """ "I" of a named speaker is that speaker."""
    turn = a_turn("I like tea.", speaker="Per")
    draft = draft_of(turn, a_claim("I like tea", "likes", "tea"), Known(me=("Ana",)))
    assert (draft.subject.text, draft.subject.is_self) == ("Per", False)


def test_nobody_is_i_in_a_document() -> None:
    """A document without an author has no "me"."""
    turn = a_turn("I like tea.", role=Role.DOCUMENT)
    assert refused(turn, a_claim("I like tea", "likes", "tea")) == "unresolved"


def test_a_role_is_marked() -> None:
    """ "my landlord" is a role, to be found through the user's relations."""
    claim = a_claim("My landlord plays the tuba", "plays", "tuba", subject="my landlord")
    assert draft_of("My landlord plays the tuba.", claim).subject == Mention(
        "My landlord", role="landlord"
    )


def test_a_role_with_a_name_is_the_name() -> None:
    """ "my sister Tilda" is Tilda."""
    claim = a_claim("My sister Tilda likes tea", "likes", "tea", subject="my sister Tilda")
    assert draft_of("My sister Tilda likes tea.", claim).subject.text == "Tilda"


@pytest.mark.parametrize(("subject", "target"), [("me", "me"), ("choir", "Choir"), ("user", "I")])
def test_a_thing_is_not_related_to_itself(subject: str, target: str) -> None:
    """Edges from a node to itself."""
    claim = a_claim("I am me and the choir", "is_a", target, subject=subject)
    assert refused("I am me and the choir.", claim) == "self"


def test_oversize_names_are_refused() -> None:
    """Over two hundred characters is no name."""
    text = "I like " + "very " * 60 + "sweet tea."
    assert refused(text, a_claim("I like", "likes", text[7:-1])) == "oversize"


@pytest.mark.parametrize("predicate", ["related_to", "!!!", "x" * 200, "mentions"])
def test_empty_and_vague_predicates_are_refused(predicate: str) -> None:
    """One relation for everything says nothing."""
    assert refused("I like tea.", a_claim("I like tea", predicate, "tea")) == "predicate"


@pytest.mark.parametrize("predicate", ["brews daily", "spricht-über", "爱喝", "half-brother-of"])
def test_unknown_predicates_are_accepted(predicate: str) -> None:
    """As a slug of their own."""
    assert refused("I like tea.", a_claim("I like tea", predicate, "tea")) is None


@pytest.mark.parametrize(
    ("predicate", "fields", "wanted"),
    [
        ("lives_in", {}, "empty"),
        ("lives_in", {"form": "end"}, None),
        ("smokes", {}, None),
        ("smokes", {"object": "yes"}, None),
        ("has_pet", {"object": "none", "polarity": "-"}, None),
    ],
)
def test_only_some_claims_need_no_object(
    predicate: str, fields: dict[str, Any], wanted: str | None
) -> None:
    """Endings, negatives, and predicates that have none."""
    assert refused("I quit, no more.", a_claim("I quit", predicate, **fields)) == wanted


# --- Who speaks, and what is asserted


@pytest.mark.parametrize("role", [Role.ASSISTANT, Role.SYSTEM, Role.TOOL])
def test_words_of_the_machine_claim_nothing(role: Role) -> None:
    """A quote from its turn is refused, whoever the subject is."""
    batch = a_batch("Hi, tea?", a_turn("我是小帆，一个机器人。 I like tea.", 2, role))
    result = read(batch, a_claim("I like tea", "likes", "tea"))
    assert result.drafts == ()
    assert result.refused == {f"{role.value}_words": 1}


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("<memory>\nThe user likes tea.\n</memory>\nHi there", "The user likes tea"),
        ("<graphmem-context>\nI like tea.\n</graphmem-context>\nGood", "I like tea"),
        ("Look:\n> I like tea.\nYes", "I like tea"),
        ("See\n```\nI like tea\n```\nthere", "I like tea"),
        ('My boss said: "I like tea very much." So.', "I like tea"),
        ("她说：“我喜欢喝 tea，每天都喝。”", "我喜欢喝 tea"),
    ],
)
def test_pasted_and_quoted_words_claim_nothing(text: str, quote: str) -> None:
    """Recalled memory, quotations and code are not the speaker's own."""
    assert refused(text, a_claim(quote, "likes", "tea")) in {"injected", "quotation", "code"}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Do I like tea?", "question"),
        ("When does Ann like tea on Mondays?", "question"),
        ("Do you think, by the way, that I like tea, or not?", "question"),
        ("我喜欢喝 tea 吗", "question"),
        ("你知道我喜欢喝 tea 吗？", "question"),
        ("If I like tea, I'll buy a pot.", "conditional"),
        ("I wish I could like tea.", "conditional"),
        ("要是我喜欢喝 tea 就好了", "conditional"),
        ("Let's play: I run a zoo and I like tea.", "fiction"),
        ("Let's pretend. You are a waiter. I like tea.", "fiction"),
        ("我们来玩角色扮演。我喜欢喝 tea。", "fiction"),
        ("I like tea this time, please.", "instruction"),
        ("这次我喜欢 tea", "instruction"),
        ("Please translate into French: I like tea.", "quotation"),
        ("帮我润色这段话：我喜欢喝 tea。", "quotation"),
        ("Apparently I like tea.", "hearsay"),
        ("听说我喜欢喝 tea", "hearsay"),
        ("Yeah right, I like tea.", "sarcasm"),
        ("我是不是喜欢喝 tea", "question"),
        ("I almost liked tea.", "conditional"),
    ],
)
def test_what_is_not_asserted_is_refused(text: str, kind: str) -> None:
    """Questions, conditions, fiction and one-turn instructions."""
    assert refused(text, a_claim(text, "likes", "tea")) == kind


@pytest.mark.parametrize(
    "text",
    [
        "I like tea, can you suggest a shop?",
        "Can you suggest a shop, since I like tea?",
        "Is it far? I like tea.",
        "I like tea. What if it rains?",
        "I like tea, let me know if that's fine.",
        "我喜欢喝 tea，有什么推荐吗？",
        "I read a story and I like tea.",
        "I write novels.\nI like tea.",
        "I love role-playing games. I like tea.",
        "Let's play tennis tomorrow. I like tea.",
        "I act as treasurer of the club. I like tea.",
    ],
)
def test_what_is_asserted_beside_a_question_passes(text: str) -> None:
    """Only the words in question are refused."""
    assert refused(text, a_claim(text, "likes", "tea")) is None


# --- Polarity, modality, form


@pytest.mark.parametrize(
    ("text", "predicate", "target"),
    [
        ("I don't live in Paris.", "lives_in", "Paris"),
        ("I do not really like opera.", "likes", "opera"),
        ("我不喜欢歌剧", "likes", "歌剧"),
        ("I'm not allergic to nuts.", "allergic_to", "nuts"),
    ],
)
def test_a_plain_negation_wins_over_the_model(text: str, predicate: str, target: str) -> None:
    """The verb itself stands behind "not"."""
    assert draft_of(text, a_claim(text, predicate, target)).polarity is Polarity.NEGATIVE


@pytest.mark.parametrize(
    ("text", "predicate", "target"),
    [
        ("I don't like opera.", "dislikes", "opera"),
        ("I don't smoke but I like opera.", "likes", "opera"),
        ("I not only sing, I like opera.", "likes", "opera"),
    ],
)
def test_a_negation_elsewhere_changes_nothing(text: str, predicate: str, target: str) -> None:
    """A predicate that says no by itself, or another clause."""
    assert draft_of(text, a_claim(text, predicate, target)).polarity is Polarity.POSITIVE


def test_a_negative_without_a_word_for_it_is_refused() -> None:
    """Nothing in the turn denies anything."""
    claim = a_claim("I live in Paris", "lives_in", "Paris", polarity="-")
    assert refused("I live in Paris.", claim) == "polarity"


def test_an_ending_said_as_a_negative_is_an_ending() -> None:
    """ "I left" ends; "I no longer live" holds as a negative."""
    left = a_claim("I left Acme", "works_at", "Acme", polarity="-", form="end")
    draft = draft_of("I left Acme.", left)
    assert (draft.form, draft.polarity) == (Form.END, Polarity.POSITIVE)
    gone = a_claim("I no longer live in Paris", "lives_in", "Paris", polarity="-", form="end")
    draft = draft_of("I no longer live in Paris.", gone)
    assert (draft.form, draft.polarity) == (Form.STATE, Polarity.NEGATIVE)


@pytest.mark.parametrize(
    ("text", "modality"),
    [
        ("I'm going to move to York next month.", Modality.PLANNED),
        ("我打算搬到 York", Modality.PLANNED),
        ("Maybe I live in York soon.", Modality.POSSIBLE),
        ("I moved to York.", Modality.ASSERTED),
    ],
)
def test_plain_words_decide_the_modality(text: str, modality: Modality) -> None:
    """A plan is a plan even if the model asserts it."""
    assert draft_of(text, a_claim(text, "lives_in", "York", form="change")).modality is modality


@pytest.mark.parametrize(
    ("fields", "wanted"),
    [
        ({"polarity": "positive", "modality": "FACT", "form": "current"}, None),
        ({"polarity": "", "modality": "", "form": ""}, None),
        ({"polarity": "sometimes"}, "malformed"),
        ({"modality": "hypothetical"}, "malformed"),
        ({"form": "pluperfect"}, "malformed"),
        ({"object_kind": "banana", "importance": "high"}, None),
    ],
)
def test_values_outside_the_lists(fields: dict[str, Any], wanted: str | None) -> None:
    """Other words for the same are understood; what cannot be told is refused."""
    assert refused("I like tea.", a_claim("I like tea", "likes", "tea", **fields)) == wanted


def test_time_phrases_are_the_turns_own() -> None:
    """A date that the model computed is dropped; words of the turn are kept."""
    text = "I've lived in York since  May."
    said = draft_of(text, a_claim(text, "lives_in", "York", form="since", start="since May"))
    assert said.start == "since  May"
    made = draft_of(text, a_claim(text, "lives_in", "York", form="since", start="2024-05-01"))
    assert made.start is None


def test_a_look_back_without_a_date_is_an_ending() -> None:
    """All it says is that it is over."""
    claim = a_claim("I used to live in York", "lives_in", "York", form="past")
    assert draft_of("I used to live in York.", claim).form is Form.END


# --- The rest


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("No, not Riga, I live in Cesis.", Correction(value="Riga")),
        ("Sorry, I live in Cesis.", Correction()),
        ("I live in Cesis, which I like more than Riga.", None),
    ],
)
def test_a_correction_needs_words_for_it(text: str, wanted: Correction | None) -> None:
    """To say that something never was takes more than the model's word."""
    claim = a_claim("I live in Cesis", "lives_in", "Cesis", corrects="Riga")
    assert draft_of(text, claim).correction == wanted


@pytest.mark.parametrize(
    ("statement", "kept"),
    [
        ("The user drinks tea.", True),
        ("用户喝茶。", False),
        ("The user drinks coffee.", False),
        ("The user drinks 3 cups of tea.", False),
        ("tea " * 200, False),
    ],
)
def test_a_statement_says_no_more_than_was_said(statement: str, kept: bool) -> None:
    """Otherwise code makes one."""
    claim = a_claim("I drink tea", "drinks", "tea", statement=statement)
    assert bool(draft_of("I drink tea.", claim).statement) is kept


def test_qualifiers_are_grounded() -> None:
    """What was not said narrows nothing."""
    claim = a_claim("tea", "drinks", "tea", qualifiers=["When=at weekends", "where=at home"])
    assert draft_of("At weekends I drink tea.", claim).qualifiers == (("when", "at weekends"),)


@pytest.mark.parametrize(
    ("text", "qualifiers", "role"),
    [
        ("My sister Tilda called.", [], "sister"),
        ("My older sister Tilda called.", ["role=sister"], "sister"),
        ("我妹妹 Tilda 打电话来了", [], "sister"),
        ("我妹妹 Tilda 打电话来了", ["role=妹妹"], "sister"),
        ("Tilda called.", [], None),
        ("My brother and my sister Tilda called.", [], None),
    ],
)
def test_a_relation_keeps_the_role_it_was_told_by(
    text: str, qualifiers: list[str], role: str | None
) -> None:
    """So that "my sister" is Tilda later, even where the model left the role out."""
    claim = a_claim(text, "has_sibling", "Tilda", qualifiers=qualifiers)
    assert dict(draft_of(text, claim).qualifiers).get("role") == role


@pytest.mark.parametrize(("given", "kept"), [(99, 10), (-3, 1), (7, 7), (True, 9), ("8", 8)])
def test_importance_is_bounded(given: object, kept: int) -> None:
    """One to ten; without one the predicate's own."""
    claim = a_claim("I'm allergic to nuts", "allergic_to", "nuts", importance=given)
    assert draft_of("I'm allergic to nuts.", claim).importance == kept


def test_the_registry_decides_what_an_object_is() -> None:
    """A name is a text even if the model calls it an entity."""
    claim = a_claim("My name is Ana", "has_name", "Ana", object_kind="entity")
    draft = draft_of("My name is Ana.", claim)
    assert draft.object == Mention("Ana", ValueKind.TEXT)
