from __future__ import annotations

from pathlib import Path

import anyio

from benchmarks.memorybank import SAMPLE, questions
from benchmarks.people import some_talk
from benchmarks.scale import measure


def test_talk_is_the_same_every_time_and_never_repeats() -> None:
    """Figures can be compared, and a size is a number of facts."""
    talk = some_talk(1500)
    assert talk == some_talk(1500)
    assert len({told for told, _ in talk}) == 1500


def test_a_small_store_is_measured(tmp_path: Path) -> None:
    """Nearly every turn gave a fact, and every figure was taken."""
    figures = anyio.run(measure, tmp_path, 60, 2)
    assert 54 <= figures["facts"] <= 60
    for call in ("add", "search", "facts_100", "history"):
        assert 0 < figures[call]["p50_ms"] <= figures[call]["p95_ms"]
    assert figures["disk_mb"]["graph"] > 0
    assert figures["disk_mb"]["index"] > 0


def test_questions_that_name_a_day_are_found() -> None:
    """In English and Chinese; the others are not counted."""
    english, chinese = questions(SAMPLE, "en"), questions(SAMPLE, "cn")
    days = [(month, day) for _, month, day in (*english["Nora Alder"], *chinese["沈知夏"])]
    assert days == [(5, 6), (5, 7), (5, 6), (5, 7)]
