"""Keyword terms."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.terms import (
    TERM_LIMIT,
    document_weights,
    idf,
    query_terms,
    sparse,
    term_hash,
    terms,
)
from tests.counting import calls


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("dishes", "dish"),
        ("allergies", "Allergy"),
        ("allergic", "allergy"),
        ("movies", "movie"),
        ("houses", "house"),
        ("boxes", "box"),
        ("lives living lived", "live live live"),
        ("running runs", "run run"),
        ("hoping", "hope"),
        ("hopping", "hop"),
        ("stopped", "stop"),
        ("potatoes", "potato"),
        ("agreed", "agree"),
        ("used", "use"),
        ("cities", "city"),
        ("Tilda's", "Tilda"),
        ("Tilda’s", "tilda"),
        ("don’t", "don't"),
        ("café", "CAFE"),
        ("Malmö Łódź", "malmo lodz"),
        ("Ελλάδα", "ελλαδα"),
        ("ёлка", "елка"),
        ("Straße", "STRASSE"),
        ("ＶＰＮ１２", "vpn12"),
        ("1,250,000", "1250000"),
        ("man\u200bgo", "mango"),
        ("works_at", "work at"),
    ],
)
def test_forms_of_one_word_give_one_term(first: str, second: str) -> None:
    """What people write in more than one way is found by each of them."""
    assert terms(first) == terms(second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("hop", "hope"),
        ("hat", "hate"),
        ("evening", "even"),
        ("B12", "B6"),
        ("1.82", "1.28"),
        ("が", "か"),
        ("パン", "バン"),
        ("강", "간"),
        ("神戸", "神"),
        ("हिन्दी", "हन्द"),
    ],
)
def test_different_words_stay_apart(first: str, second: str) -> None:
    """Folding and stemming never make one word of two."""
    assert terms(first) != terms(second)


@pytest.mark.parametrize("code", ["dgx7", "b12", "1.82", "10.0.0.1", "70kg", "5g"])
def test_codes_and_numbers_stay_whole(code: str) -> None:
    """Digits are neither cut nor stemmed."""
    assert list(terms(f"it is {code}, yes"))[2] == code


def test_mixed_script_gives_the_latin_word_and_the_han_characters_and_bigrams() -> None:
    """A word of another script inside Chinese is a term of its own."""
    assert set(terms("VPN配置已完成")) == {"vpn", *"配置已完成", "配置", "置已", "已完", "完成"}


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("我会弹钢琴", "钢琴"),
        ("张伟的猫叫咪咪", "猫"),
        ("我喜欢喝茶", "茶"),
        ("東京でピアノを弾く", "ピアノ"),
        ("저는 서울에 살아요", "서울"),
    ],
)
def test_a_word_is_found_whatever_stands_around_it(text: str, word: str) -> None:
    """Scripts without spaces are found by any part."""
    assert terms(word).keys() <= terms(text).keys()


@pytest.mark.parametrize(
    "text", ["a/b", '-x +y "z', "foo AND (bar OR -baz)", "col:* ~2 ^3 \\", "%_'"]
)
def test_punctuation_is_never_part_of_a_term(text: str) -> None:
    """What a search language would take as an operator only parts words."""
    assert all(term.isalnum() for term in terms(text))


@pytest.mark.parametrize("text", ["", "  ", "🥭🎉", "!?…", "\u200b\u2066\ufeff", "\ud800", "、。"])
def test_a_text_without_words_gives_no_terms(text: str) -> None:
    """Nothing to find by is no error."""
    assert not terms(text)


def test_hebrew_and_arabic_words_are_kept() -> None:
    """Right-to-left text gives its words, marks of direction dropped."""
    assert list(terms("\u2067שלום\u2069 مرحبا")) == ["שלום", "مرحبا"]


def test_counts_say_how_often() -> None:
    """A term said twice counts twice."""
    assert terms("tea and more tea")["tea"] == 2


def test_stop_words_are_left_out_of_questions() -> None:
    """Only telling words are searched for."""
    assert set(query_terms("what is the user allergic to?")) == {"user", "allergi"}
    assert set(query_terms("你的猫叫什么")) == {"猫", "叫", "的猫", "猫叫", "叫什"}


def test_a_question_of_stop_words_keeps_them() -> None:
    """ "Who am I" still searches for something."""
    assert set(query_terms("Who am I?")) == {"who", "am", "i"}


@given(st.text())
def test_terms_take_any_text_and_are_stable(text: str) -> None:
    """Whatever comes in, terms are short, hold no space, and do not depend on composition."""
    counts = terms(text)
    assert all(term and len(term) <= TERM_LIMIT and not term.isspace() for term in counts)
    assert terms(unicodedata.normalize("NFC", text)) == terms(unicodedata.normalize("NFD", text))


def test_a_long_word_is_shortened_and_still_told_apart() -> None:
    """Blobs become terms an index can hold."""
    first, second = terms("x" * 5000 + "1"), terms("x" * 5000 + "2")
    assert len(next(iter(first))) == TERM_LIMIT
    assert first != second


@pytest.mark.parametrize(
    "piece", ["a", "中", "\u0301\u0316", "1.", "1,", "1,111", "'", "n't", "x\u0301", "word ", "🥭"]
)
def test_long_texts_take_linear_time(piece: str) -> None:
    """No text makes the tokenizer slow: ten times the text takes about ten times the work."""
    short, long = (calls(lambda n=n: terms(piece * (n // len(piece)))) for n in (20_000, 200_000))
    assert long < 10 * 2 * short


def test_weights_saturate_and_fall_with_length() -> None:
    """A term said often counts a little more; in a long document a little less."""
    once, often = document_weights({"tea": 1}), document_weights({"tea": 9})
    long = document_weights({"tea": 1, "other": 200})
    assert long["tea"] < once["tea"] < often["tea"] < 2.2


def test_a_rare_term_tells_more() -> None:
    """IDF falls with frequency and is never negative."""
    assert idf(100, 1) > idf(100, 50) > idf(100, 100) > 0
    assert idf(0, 0) > 0
    assert idf(5, 9) > 0


def test_hashes_are_unsigned_32_bits_and_fixed() -> None:
    """A term has one number for ever; an index on disk depends on it."""
    assert term_hash("mango") == 794541322
    assert all(0 <= term_hash(str(n)) < 2**32 for n in range(100))


def test_sparse_keeps_weights_by_hash() -> None:
    """A sparse vector holds the same weights under the terms' numbers."""
    assert sparse({"mango": 1.5, "tea": 0.5}) == {term_hash("mango"): 1.5, term_hash("tea"): 0.5}
