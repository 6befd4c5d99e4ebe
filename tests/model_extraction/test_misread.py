"""Words that were said, put together as no sentence said them, become no memory."""

import asyncio
from collections import Counter

import pytest

from graphmem.extraction.model import ModelExtractor
from graphmem.model.draft import Extraction
from graphmem.model.episode import Episode, Role
from graphmem.model.ontology import default_ontology
from graphmem.testing.models import ScriptedModel

from .kit import a_batch, a_claim, a_turn, an_answer, shown

Said = tuple[str, str, str, str]
"""Quote, subject, predicate, object."""


def read(turns: list[str | Episode], *said: Said) -> Extraction:
    """Read turns; what is claimed is of the last one."""
    claims = [
        a_claim(quote, predicate, target, subject=subject, turn=f"T{len(turns)}")
        for quote, subject, predicate, target in said
    ]
    extractor = ModelExtractor(ScriptedModel([an_answer(*claims)]), default_ontology())
    return asyncio.run(extractor.extract(a_batch(*turns)))


def refused(turns: list[str | Episode], said: Said) -> str | None:
    """Return why a claim of the last turn is refused, or None if it is kept."""
    result = read(turns, said)
    assert len(result.drafts) + sum(result.refused.values()) == 1
    return next(iter(result.refused), None)


@pytest.mark.parametrize(
    ("turns", "said"),
    [
        (["She adopted a lizard named Zig."], ("She adopted a lizard", "me", "has_pet", "Zig")),
        (["And they moved to Turku."], ("they moved to Turku", "me", "lives_in", "Turku")),
        (["他在泉州开了家店。"], ("他在泉州开了家店", "我", "lives_in", "泉州")),
        (["我姐来了，她会说粤语。"], ("她会说粤语", "我", "speaks", "粤语")),
    ],
)
def test_what_is_told_of_others_is_not_the_speakers(turns: list[str | Episode], said: Said) -> None:
    """A clause of him, her or them that never speaks of me says nothing of me."""
    assert refused(turns, said) == "unresolved"


@pytest.mark.parametrize(
    ("turns", "said"),
    [
        (["She got me a lizard named Zig."], ("She got me a lizard", "me", "has_pet", "Zig")),
        (["They moved to Turku, so did I."], ("They moved to Turku", "me", "lives_in", "Turku")),
        (["He lives in Turku. Me too."], ("He lives in Turku", "me", "lives_in", "Turku")),
        (
            ["I have a brother. He's called Ruud."],
            ("He's called Ruud", "me", "has_sibling", "Ruud"),
        ),
        (["我有个弟弟。他叫阿柯。"], ("他叫阿柯", "我", "has_sibling", "阿柯")),
        (["他把小橘送给了我。"], ("他把小橘送给了我", "我", "has_pet", "小橘")),
    ],
)
def test_others_may_be_told_of_with_the_speaker(turns: list[str | Episode], said: Said) -> None:
    """Where I am spoken of too, or somebody of mine gets a name, it stays."""
    assert refused(turns, said) is None


@pytest.mark.parametrize(
    ("turns", "said"),
    [
        (["Hello, Brisa! I need help."], ("Hello, Brisa", "me", "has_name", "Brisa")),
        (
            ["I'm glad to meet you, Brisa."],
            ("I'm glad to meet you, Brisa", "me", "has_name", "Brisa"),
        ),
        (["谢谢你，阿岚。"], ("谢谢你，阿岚", "我", "has_name", "阿岚")),
        (["Brisa sings well."], ("Brisa sings well", "me", "has_name", "Brisa")),
    ],
)
def test_a_name_that_is_spoken_to_is_not_the_speakers(
    turns: list[str | Episode], said: Said
) -> None:
    """To greet somebody by name gives oneself none."""
    assert refused(turns, said) == "address"


@pytest.mark.parametrize(
    ("turns", "said"),
    [
        (["Hi, Brisa here."], ("Brisa here", "me", "has_name", "Brisa")),
        (["Hello, I'm Brisa."], ("I'm Brisa", "me", "has_name", "Brisa")),
        (["你好，我叫阿岚。"], ("我叫阿岚", "我", "has_name", "阿岚")),
        (["你好，我是阿岚。"], ("我是阿岚", "我", "has_name", "阿岚")),
        (
            [a_turn("What is your name?", 1, Role.ASSISTANT), a_turn("Brisa", 2)],
            ("Brisa", "me", "has_name", "Brisa"),
        ),
        (["See you on Monday.\nBrisa"], ("Brisa", "me", "has_name", "Brisa")),
        (["Thanks for that,\nBrisa"], ("Thanks for that,\nBrisa", "me", "has_name", "Brisa")),
        (["Everybody calls me Brisa."], ("Everybody calls me Brisa", "me", "has_name", "Brisa")),
    ],
)
def test_who_gives_their_name_has_it(turns: list[str | Episode], said: Said) -> None:
    """By words of naming, in answer, or as a signature."""
    assert refused(turns, said) is None


@pytest.mark.parametrize(
    ("turns", "said"),
    [
        (["Is Turku far? I love tea."], ("I love tea", "me", "lives_in", "Turku")),
        (["泉州远吗？我爱喝茶。"], ("我爱喝茶", "我", "lives_in", "泉州")),
        (["Ruud moved to Turku.", "I baked bread."], ("I baked bread", "me", "lives_in", "Turku")),
        (
            [
                a_turn("I'm allergic to kiwi.", 1, speaker="Ruud"),
                a_turn("I eat fish daily.", 2, speaker="Brisa"),
            ],
            ("I eat fish daily", "me", "allergic_to", "kiwi"),
        ),
    ],
)
def test_a_value_of_another_sentence_is_not_of_this_one(
    turns: list[str | Episode], said: Said
) -> None:
    """What neither stands in the quoted sentence nor is referred to there was not said there."""
    assert refused(turns, said) == "unsaid"


@pytest.mark.parametrize(
    ("turns", "said"),
    [
        (["Turku is cold.", "I live there."], ("I live there", "me", "lives_in", "Turku")),
        (
            [a_turn("I like kiwi.", 1, speaker="Ruud"), a_turn("I do too.", 2, speaker="Brisa")],
            ("I do too", "me", "likes", "kiwi"),
        ),
        (
            [a_turn("Any pets? A cat?", 1, Role.ASSISTANT), a_turn("Two.", 2)],
            ("Two", "me", "has_pet", "cat"),
        ),
        (["I keep two birds. Zig and Zag."], ("I keep two birds", "me", "has_pet", "Zig")),
        (["I love these:\n- chess\n- tea"], ("I love these:", "me", "likes", "tea")),
        (
            ["Fernhill hired me. I start in May."],
            ("I start in May", "me", "works_at", "Fernhill"),
        ),
        (["我弹三弦。", "每天练。"], ("每天练", "我", "practises", "三弦")),
        (["泉州很美。", "我住那里。"], ("我住那里", "我", "lives_in", "泉州")),
    ],
)
def test_a_value_may_be_referred_to(turns: list[str | Episode], said: Said) -> None:
    """By a pronoun, a short answer, or left out after it was told."""
    assert refused(turns, said) is None


@pytest.mark.parametrize(
    ("text", "said", "reason"),
    [
        ("Say I live in Turku.", ("I live in Turku", "me", "lives_in", "Turku"), "conditional"),
        (
            "For instance, my name is Brisa.",
            ("my name is Brisa", "me", "has_name", "Brisa"),
            "conditional",
        ),
        ("例如，我叫阿岚。", ("我叫阿岚", "我", "has_name", "阿岚"), "conditional"),
        ("For example, I love jazz.", ("I love jazz", "me", "likes", "jazz"), None),
        ("比如我喜欢三弦。", ("我喜欢三弦", "我", "likes", "三弦"), None),
    ],
)
def test_an_example_is_no_fact(text: str, said: Said, reason: str | None) -> None:
    """A name made up for an example is nobody's; an example of one's tastes is one's own."""
    assert refused([text], said) == reason


@pytest.mark.parametrize(
    ("text", "style", "reason"),
    [
        ("Please rewrite this in Welsh: good day", "Welsh", "instruction"),
        ("Can you translate the following into Welsh? Thanks.", "Welsh", "instruction"),
        ("把下面这段翻译成泰语。", "泰语", "instruction"),
        ("Only for today, use tables.", "tables", "instruction"),
        ("Always answer in Welsh.", "Welsh", None),
        ("以后都用泰语回答。", "泰语", None),
    ],
)
def test_what_to_do_with_one_text_is_no_standing_wish(
    text: str, style: str, reason: str | None
) -> None:
    """A job is done once; how to answer always is a wish."""
    said = (text.rstrip(".。"), "me", "wants_style", style)
    assert refused([text], said) in ({reason} if reason is None else {reason, "question"})


@pytest.mark.parametrize(
    ("text", "said", "reason"),
    [
        ("However, the door is green.", ("", "However", "colour", "green"), "unresolved"),
        ("反正门修好了。", ("", "反正", "has_status", "修好了"), "unresolved"),
        ("I am myself.", ("", "me", "also_known_as", "myself"), "self"),
        ("My band is a band.", ("", "My band", "is_a", "band"), "self"),
    ],
)
def test_what_names_nothing_new_is_refused(text: str, said: Said, reason: str) -> None:
    """Words that only join sentences are no things, and a thing is not told to be itself."""
    assert refused([text], (text, *said[1:])) == reason


@pytest.mark.parametrize(
    ("text", "wrong", "right"),
    [
        (
            "The fire was caused by a heater.",
            ("fire", "causes", "heater"),
            ("heater", "causes", "fire"),
        ),
        (
            "The song was composed by Ruud.",
            ("song", "composed", "Ruud"),
            ("song", "created_by", "Ruud"),
        ),
        (
            "Ruud is Brisa's boss.",
            ("Ruud", "has_manager", "Brisa"),
            ("Brisa", "has_manager", "Ruud"),
        ),
        ("Ruud is my boss.", ("Ruud", "has_manager", "me"), ("me", "has_manager", "Ruud")),
        ("阿柯是阿岚的经理。", ("阿柯", "has_manager", "阿岚"), ("阿岚", "has_manager", "阿柯")),
        ("I was hired by Ruud.", ("me", "employs", "Ruud"), ("Ruud", "employs", "me")),
        ("我被阿柯雇了。", ("我", "employs", "阿柯"), ("阿柯", "employs", "我")),
    ],
)
def test_who_did_it_is_not_turned_round(
    text: str, wrong: tuple[str, str, str], right: tuple[str, str, str]
) -> None:
    """A passive, and a relation told from its other side, have the direction of their words."""
    result = read([text], (text, *wrong), (text, *right))
    assert result.refused == Counter(direction=1)
    (draft,) = result.drafts
    assert shown(draft)[1] == right[1]
    assert shown(draft)[0] == ("me" if right[0] == "我" else right[0])
