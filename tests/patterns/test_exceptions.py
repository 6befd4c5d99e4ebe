"""Not doing a thing at some times is an exception, and denies nothing of the others."""

from __future__ import annotations

import pytest

from benchmarks.patterns import read
from graphmem.extraction.patterns import PatternExtractor


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("I don't drink beer on Sundays.", "on sundays"),
        ("I don't drink wine in the evening.", "in the evening"),
        ("I don't eat bread at night.", "at night"),
        ("I don't drink coffee at weekends.", "at weekends"),
        ("I don't drink tea before breakfast.", "before breakfast"),
        ("我周末不喝啤酒。", "周末"),
        ("我晚上不喝咖啡。", "晚上"),
        ("我早上不吃面包。", "早上"),
    ],
)
def test_the_times_of_an_exception_are_kept(text: str, when: str) -> None:
    """They stand beside the negative as a qualifier."""
    (draft,) = read(PatternExtractor(), {"text": text})
    assert (draft.polarity.value, draft.qualifiers) == ("-", (("when", when),))


@pytest.mark.parametrize(
    "text",
    ["I don't drink beer.", "I don't drink beer on Sunday.", "我不喝啤酒。", "我平时不喝啤酒。"],
)
def test_a_plain_denial_is_no_exception(text: str) -> None:
    """It is meant for all times, or nearly."""
    (draft,) = read(PatternExtractor(), {"text": text})
    assert (draft.polarity.value, draft.qualifiers) == ("-", ())


@pytest.mark.parametrize("text", ["我还在百川兼职。", "我还在云杉科技兼职做会计。"])
def test_a_second_job_stands_beside_the_first(text: str) -> None:
    """还 with 兼职 is "also", and not "still"."""
    drafts = read(PatternExtractor(), {"text": text})
    assert [draft.beside for draft in drafts if draft.predicate == "works_at"] == [True]
