"""Every way in which a server answers, from the request to the facts, over real HTTP."""

from __future__ import annotations

import pytest

from graphmem.testing.endpoints import CASES, SERVERS, Case
from graphmem.testing.model_server import ScriptedServer
from tests.models.kit import BATCH, FACTS, a_model, answer, facts, read

MOST_REQUESTS = 24
"""What the worst of them may cost, refused ways of asking and tries again included."""


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_servers_answer(case: Case) -> None:
    """The facts are read, or the turns stay pending with a reason; nothing in between."""
    with ScriptedServer(case.play(answer)) as played:
        result = read(a_model(played, case.server))
    if case.reads:
        assert facts(result) == FACTS
        assert result.failed == {}
    else:
        assert result.drafts == ()
        assert set(result.failed) == {turn.id for turn in BATCH.turns}
        assert all(reason.strip() for reason in result.failed.values())
    assert len(played.requests) <= MOST_REQUESTS
    for request in played.requests:
        assert all(request.headers[name] == value for name, value in case.server.headers.items())
        assert all(f"{name}={value}" in request.path for name, value in case.server.query.items())


def test_the_table_is_whole() -> None:
    """Each server has the common cases and some of its own, under names of their own."""
    names = [str(case) for case in CASES]
    assert len(set(names)) == len(names)
    assert {case.server.name for case in CASES} == {server.name for server in SERVERS}
