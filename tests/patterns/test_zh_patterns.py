"""Chinese patterns: precision and recall on the labelled sentences, and what each form gives."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.extraction.normalize import find_times
from graphmem.extraction.patterns.frame import Context, Refusal, SentenceResult, speaker_of
from graphmem.extraction.patterns.sentences import split_sentences
from graphmem.extraction.patterns.zh import ChineseReader
from graphmem.extraction.patterns.zh_text import clauses, simplify
from graphmem.model.claim import Correction, Form, Modality, Polarity
from graphmem.model.draft import Draft, Known
from graphmem.model.episode import Channel, Episode, Reading, Role
from graphmem.model.ontology import default_ontology
from graphmem.model.time import to_micros

LABELLED = Path(__file__).with_name("labelled_zh.jsonl")
Row = dict[str, Any]  # Any: a line of JSON
SAID = 1_715_342_400_000_000  # 2024-05-10T12:00Z


def turn(text: str, role: Role = Role.USER, speaker: str | None = None, at: int = SAID) -> Episode:
    return Episode(
        id="t1",
        key=None,
        session="s",
        agent=None,
        place=0,
        role=role,
        speaker=speaker,
        content=text,
        occurred_at=at,
        zone="UTC",
        time_given=True,
        created_at=at,
        channel=Channel.CHAT,
        digest="",
        reading=Reading.PENDING,
    )


def results(episode: Episode, known: Known | None = None) -> list[SentenceResult]:
    """Read a turn sentence by sentence, as the extractor does."""
    reader, found, drafts = ChineseReader(), list[SentenceResult](), list[Draft]()
    known = known or Known()
    sentences = split_sentences(episode.content).sentences
    for at, sentence in enumerate(sentences):
        context = Context(
            turn=episode,
            me=speaker_of(episode, known),
            known=known,
            drafts=tuple(drafts),
            sentences=tuple(sentences[:at]),
        )
        result = reader.extract_sentence(sentence, context)
        found.append(result)
        drafts.extend(result.drafts)
        if result.opens_fiction:
            break
    return found


def read(text: str, **more: Any) -> list[Draft]:  # Any: the fields of a turn
    return [draft for result in results(turn(text, **more)) for draft in result.drafts]


@cache
def rows() -> tuple[Row, ...]:
    lines = LABELLED.read_text(encoding="utf-8").splitlines()
    return tuple(cast("Row", json.loads(line)) for line in lines)


def gold(row: Row) -> set[tuple[str | None, ...]]:
    names = ("subject", "predicate", "object", "polarity", "modality", "form", "start", "end")
    return {tuple(fact.get(name) for name in names) for fact in row["facts"]}


def drafted(row: Row) -> set[tuple[str | None, ...]]:
    role = Role(row.get("role", "user"))
    if role not in {Role.USER, Role.DOCUMENT}:
        return set()
    day = row.get("at")
    at = to_micros(_noon(day)) if day else SAID
    return {
        (
            "me" if draft.subject.is_self else draft.subject.text,
            draft.predicate,
            draft.object.text if draft.object else None,
            draft.polarity.value,
            draft.modality.value,
            draft.form.value,
            draft.start,
            draft.end,
        )
        for draft in read(row["text"], role=role, speaker=row.get("speaker"), at=at)
    }


def _noon(day: str) -> Any:  # Any: a datetime, made here only
    from datetime import datetime

    return datetime.fromisoformat(f"{day}T12:00:00+00:00")


def test_set_is_large_and_a_third_of_it_says_nothing() -> None:
    """The figures below rest on enough sentences, and on enough that must give nothing."""
    silent = [row for row in rows() if not row["facts"]]
    assert len(rows()) >= 150
    assert len(silent) * 4 >= len(rows())


def test_precision_and_recall_on_the_labelled_sentences() -> None:
    """What is drafted is right, with form, bounds and polarity; most of what is said is drafted."""
    right = wrong = missed = 0
    for row in rows():
        expected, found = gold(row), drafted(row)
        right += len(expected & found)
        wrong += len(found - expected)
        missed += len(expected - found)
    assert right / (right + wrong) >= 0.95
    assert right / (right + missed) >= 0.8


@pytest.mark.parametrize("row", [r for r in rows() if not r["facts"]], ids=lambda r: r["text"][:20])
def test_nothing_comes_of_what_claims_nothing(row: Row) -> None:
    """Questions, conditions, quotations, fiction, instructions and others' words give nothing."""
    assert drafted(row) == set()


@pytest.mark.parametrize("row", [r for r in rows() if r["facts"]], ids=lambda r: r["text"][:20])
def test_drafts_are_grounded_and_use_declared_predicates(row: Row) -> None:
    """Each quote and phrase occurs in the turn, and each predicate in the registry."""
    ontology = default_ontology()
    for draft in read(row["text"], speaker=row.get("speaker")):
        assert draft.quote in row["text"]
        assert ontology.resolve(draft.predicate).known
        assert draft.statement
        assert draft.rule.startswith("zh.")
        for phrase in (draft.start, draft.end):
            assert phrase is None or phrase in row["text"]


def test_every_predicate_has_chinese_words() -> None:
    """Each declared predicate has a label and surfaces, except families, which have the latter."""
    for predicate in cast("list[Any]", list(default_ontology().__iter__())):
        assert predicate.labels.get("zh")
        assert predicate.surfaces.get("zh")


@pytest.mark.parametrize(
    ("text", "form", "modality", "polarity"),
    [
        ("我现在住在龙泉", Form.STATE, Modality.ASSERTED, Polarity.POSITIVE),
        ("我还住在嘉兴", Form.SINCE, Modality.ASSERTED, Polarity.POSITIVE),
        ("我从2021年起住在嘉兴", Form.SINCE, Modality.ASSERTED, Polarity.POSITIVE),
        ("我刚搬到嘉兴", Form.CHANGE, Modality.ASSERTED, Polarity.POSITIVE),
        ("我2011年搬到嘉兴的", Form.CHANGE, Modality.ASSERTED, Polarity.POSITIVE),
        ("上个月我搬到了嘉兴", Form.SINCE, Modality.ASSERTED, Polarity.POSITIVE),
        ("2015年到2017年我住在嘉兴", Form.PAST, Modality.ASSERTED, Polarity.POSITIVE),
        ("我以前住在嘉兴", Form.END, Modality.ASSERTED, Polarity.POSITIVE),
        ("我计划搬到嘉兴", Form.CHANGE, Modality.PLANNED, Polarity.POSITIVE),
        ("下个月我搬到嘉兴", Form.CHANGE, Modality.PLANNED, Polarity.POSITIVE),
        ("我也许会搬到嘉兴", Form.CHANGE, Modality.POSSIBLE, Polarity.POSITIVE),
        ("我不搬到嘉兴了", Form.CANCEL, Modality.PLANNED, Polarity.POSITIVE),
        ("我不再住在嘉兴", Form.STATE, Modality.ASSERTED, Polarity.NEGATIVE),
    ],
)
def test_forms_of_speech(text: str, form: Form, modality: Modality, polarity: Polarity) -> None:
    """How a home is spoken of decides form, modality and polarity."""
    (draft,) = read(text)
    assert (draft.predicate, draft.form, draft.modality) == ("lives_in", form, modality)
    assert draft.polarity is polarity


def test_moving_is_an_end_and_a_beginning() -> None:
    """从A搬到B ends A and begins B, both on the date said."""
    over, begun = read("去年我从嘉兴搬到了龙泉")
    assert (over.object and over.object.text, over.form, over.end) == ("嘉兴", Form.END, "去年")
    assert (begun.object and begun.object.text, begun.start) == ("龙泉", "去年")


def test_correction_names_the_wrong_value() -> None:
    """不是A，是B takes back A, and only B is drafted."""
    (draft,) = read("我不是住在嘉兴，是住在龙泉。")
    assert draft.correction == Correction(value="嘉兴")


def test_correction_reaches_back_a_sentence() -> None:
    """不对，应该是… puts right the value last said, in the same slot."""
    first, second = read("我的生日是5月4号。说错了，应该是5月14号。")
    assert second.predicate == first.predicate == "born_on"
    assert second.object is not None
    assert second.object.text == "5月14号"
    assert second.correction == Correction()


def test_also_holds_beside() -> None:
    """A second value said with 还 or 也 holds beside the first."""
    first, second = read("我是律师，同时也是编剧")
    assert not first.beside
    assert second.beside


def test_role_without_a_name_is_a_role() -> None:
    """我房东 is resolved by its role."""
    (draft,) = read("我房东会拉二胡")
    assert draft.subject.role == "landlord"
    assert not draft.subject.is_self


def test_pronoun_needs_exactly_one_person() -> None:
    """他 is read only where one person was spoken of."""
    certain = read("我表哥叫贺新。他在青禾科技上班。")
    assert [d.subject.text for d in certain if d.predicate == "works_at"] == ["贺新"]
    unsure = read("我表哥叫贺新，我堂弟叫贺远。他在青禾科技上班。")
    assert not [d for d in unsure if d.predicate == "works_at"]


def test_subject_does_not_leak_from_somebody_else() -> None:
    """A clause without a subject after somebody else's is not about the speaker."""
    for text in ("店里的老板人特别好，会说粤语。", "我表妹叫小禾。会说粤语。"):
        assert "speaks" not in [draft.predicate for draft in read(text)]


def test_first_person_of_a_document_without_an_author_is_nobody() -> None:
    """我 says nothing where nobody is known to speak."""
    episode = turn("我住在龙泉。", role=Role.DOCUMENT)
    sentence = split_sentences(episode.content).sentences[0]
    context = Context(turn=episode, me=None, known=Known())
    assert ChineseReader().extract_sentence(sentence, context).drafts == ()


def test_statement_before_a_question_is_read() -> None:
    """What is said before a question in the same sentence stands."""
    (draft,) = read("我对腰果过敏，有什么甜品推荐吗？")
    assert draft.predicate == "allergic_to"


def test_what_is_to_be_remembered_matters_most() -> None:
    """记住 raises importance, and keeps the words where no predicate fits."""
    (known,) = read("请记住，我住在龙泉")
    (free,) = read("帮我记一下：车库的钥匙在花盆下面")
    assert (known.predicate, known.importance) == ("lives_in", 9)
    assert (free.predicate, free.importance) == ("remember", 9)


def test_play_closes_the_rest_of_the_turn() -> None:
    """After an invitation to play nothing more of the turn is the speaker's own account."""
    (result,) = results(turn("我们来玩角色扮演吧。我住在月球上。"))
    assert result.opens_fiction
    assert result.refused is Refusal.FICTION


def test_traditional_characters_are_kept_as_written() -> None:
    """Matching is by simplified characters; quotes and values stay as written."""
    (draft,) = read("我對蝦過敏")
    assert draft.object is not None
    assert (draft.object.text, draft.quote) == ("蝦", "我對蝦過敏")


def test_a_time_inside_a_taste_is_its_value() -> None:
    """喜欢夏天 likes the summer, on no date."""
    (draft,) = read("我喜欢夏天的夜晚")
    assert draft.start is None
    assert not find_times("我喜欢夏天的夜晚")


@given(
    st.text(
        alphabet="我你他不没在住了的是和跟从到搬去有叫喜欢吃，。！？、《》“”2022年月1 aB",
        max_size=60,
    )
)
def test_any_text_is_read_without_error(text: str) -> None:
    """No text breaks the reader, and whatever it drafts is grounded."""
    assert all(draft.quote in text for draft in read(text))


@given(st.text(max_size=80))
def test_simplifying_keeps_places(text: str) -> None:
    """Each character stays one character, and clauses are where they say they are."""
    plain = simplify(text)
    assert len(plain) == len(text)
    assert all(plain[clause.begin : clause.stop] == clause.text for clause in clauses(text))


def test_long_text_is_read_in_linear_time() -> None:
    """A turn of a hundred thousand characters without a full stop is no trap."""
    assert read("我喜欢" * 30_000) == []
