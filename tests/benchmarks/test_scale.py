from __future__ import annotations

from pathlib import Path

import anyio

from benchmarks.memorybank import SAMPLE, questions
from benchmarks.people import some_talk
from benchmarks.scale import TIMED, equal_share, growth, measure, slots
from benchmarks.served import Server
from tests.services.neo4j_server import Address
from tests.services.stores import settings_of


def test_talk_is_the_same_every_time_and_never_repeats() -> None:
    """Figures can be compared, and a size is a number of facts."""
    talk = some_talk(1500)
    assert talk == some_talk(1500)
    assert len({told for told, _ in talk}) == 1500


def test_a_small_store_is_measured(tmp_path: Path) -> None:
    """Nearly every turn gave a fact, and every figure was taken."""
    figures = anyio.run(measure, tmp_path, 40, 3, 6)
    assert 36 <= figures["n"] <= 46
    for call in TIMED:
        assert 0 < figures[call]["p50"] <= figures[call]["p95"]
    assert figures["ingest"] > 0
    graph = sum(file.stat().st_blocks * 512 for file in tmp_path.glob("memory/graph.sqlite3*"))
    assert figures["disk_mb"]["graph"] == round(graph / 1e6, 2) > 0
    assert figures["disk_mb"]["index"] > 0


def test_a_server_is_measured_beside_it(tmp_path: Path, neo4j: Address) -> None:
    """The same facts and calls, how often each asked the server; and nothing is left there."""
    server = Server(neo4j.url, settings_of(neo4j))
    figures = anyio.run(measure, tmp_path, 20, 2, 3, server)
    assert figures["import"] > 0
    served = figures["served"]
    assert served["import"] > 0
    for call in TIMED:
        assert 0 < served[call]["p50"] <= served[call]["p95"]
        assert served[call]["trips"] >= 1
        assert "trips" not in figures[call]
    assert anyio.run(server.is_empty)


def test_a_slot_is_filled_in_both_ways(tmp_path: Path) -> None:
    """A turn more is timed where one thing was said again, and where another took its place."""
    figures = anyio.run(slots, tmp_path, 40, 2)
    assert figures["claims"] == 40
    for how in ("again", "changed", "ended", "beside"):
        assert figures[how]["p50"] > 0


def test_growth_is_the_largest_over_the_smallest() -> None:
    """By users and by call."""
    sizes = {"10": 2.0, "100": 9.0, "1000": 3.0}
    figures = {
        size: {"users_1": {call: {"p50": p50} for call in TIMED}} for size, p50 in sizes.items()
    }
    assert growth(figures, [10, 100, 1000], [1]) == {"users_1": dict.fromkeys(TIMED, 1.5)}


def test_an_equal_share_is_beside_fewer_users() -> None:
    """Where each user has as much at the smallest size, and that comes out even."""

    def taking(users: int, p50: float) -> dict[str, dict[str, dict[str, float]]]:
        return {f"users_{users}": {call: {"p50": p50} for call in TIMED}}

    figures = {
        "10": taking(1, 1.0) | taking(2, 2.0),
        "1000": taking(1, 9.0) | taking(30, 9.0) | taking(200, 3.0),
    }
    assert equal_share(figures, [10, 1000], [1, 30, 200]) == {
        "users_200": {"beside": 2, **dict.fromkeys(TIMED, 1.5)}
    }
    assert equal_share(figures, [10], [1]) == {}


def test_questions_that_name_a_day_are_found() -> None:
    """In English and Chinese; the others are not counted."""
    english, chinese = questions(SAMPLE, "en"), questions(SAMPLE, "cn")
    days = [(month, day) for _, month, day in (*english["Nora Alder"], *chinese["沈知夏"])]
    assert days == [(5, 6), (5, 7), (5, 6), (5, 7)]
