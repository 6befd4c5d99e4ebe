"""Neo4j Browser, in Chromium, on a real server: what somebody sees who looks at the story of the
demo with the style sheet and the saved queries."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Locator

from graphmem.entrypoints.browser import ARCHIVE, FOLDER, STYLE, archive, queries, style
from graphmem.model.scope import Scope
from graphmem.usecases.owed import OWED
from tests.browser.story import ANA, IN_STEP, ODD, opened, saved, tell
from tests.browser.window import CHROMIUM_VARIABLE, Drawn, Window, chromium, window
from tests.services.plugin import BROWSER_VARIABLE, Emptied, left_out

DOCS = Path(__file__).parents[2] / "docs"
PICTURES_VARIABLE = "GRAPHMEM_TEST_PICTURES"
SMALL = 300_000  # bytes of a picture in the documentation
HOME = "I've moved to Porto."


@pytest.fixture(scope="module")
def shown(request: pytest.FixtureRequest) -> Iterator[Window]:
    """Return a window on the story, with the style sheet and the queries dropped onto it."""
    program = chromium()
    if program is None:
        how = f"install chromium, or name its program in {CHROMIUM_VARIABLE}"
        left_out(f"tests on Neo4j Browser are left out: {how}")
    neo4j_lts: Emptied = request.getfixturevalue("neo4j_lts")
    address = neo4j_lts.address
    if not address.browser:
        left_out(f"tests on Neo4j Browser are left out: name its address in {BROWSER_VARIABLE}")
    neo4j_lts.wipe()
    with opened(address) as memory:
        tell(memory)
        memory.add_fact("me", "plays_chess_with", f"{ODD} junior", user=ODD)
        memory.add_fact("me", "hums", user=ODD, statement="la " * 400)
    neo4j_lts.run(IN_STEP, owed=OWED)
    with window(str(program)) as browser:
        browser.sign_in(address)
        browser.drop(STYLE, style().encode())
        browser.frame.filter(has_text="node.Entity").wait_for()
        browser.drop(ARCHIVE, archive(ANA))
        titles = browser.open_favorites(FOLDER)
        assert titles == [title(text) for text in queries(ANA).values()]
        yield browser
    neo4j_lts.wipe()


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder for pictures, a passing one unless the environment names another."""
    folder = Path(os.environ.get(PICTURES_VARIABLE) or tmp_path_factory.mktemp("pictures"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


class Seen(NamedTuple):
    """What a picture must show: some captions, some that it must not, and relationship types."""

    captions: set[str]
    hidden: set[str]
    types: dict[str, int]
    labels: set[str]


THINGS = {"ana", "mango", "杨枝甘露", "芒果糯米饭"}
EXPECTED = {
    "world_now": Seen(
        {*THINGS, "Porto", "coffee", "I'm 35 years old (by 2 June 2025)"},
        {"Hangzhou", "Lisbon", "Madrid", "ben", "Riga"},
        {"LIVES_IN": 1, "ALLERGIC_TO": 1, "CONTAINS": 2, "NOT_LIKES": 1, "SUBJECT_OF": 1},
        {"Person", "Place", "Entity", "Fact"},
    ),
    "timeline": Seen(
        {
            "ana",
            "I live in Hangzhou (by 10 January 2025, ended by 2 June 2025)",
            f"{HOME} (by 2 June 2025)",
        },
        {"I've moved to Lisbon. (by 2 June 2025, retracted)", "Porto"},
        {"SUBJECT_OF": 5, "SUPERSEDES": 1},
        {"Person", "Fact"},
    ),
    "why_this_fact": Seen(
        {
            HOME,
            f"{HOME} (by 2 June 2025)",
            "I live in Hangzhou (by 10 January 2025, ended by 2 June 2025)",
            "I've moved to Lisbon. (by 2 June 2025, retracted)",
        },
        {"ana", "ben"},
        {"RESTS_ON": 2, "SAID_IN": 2, "SUPERSEDES": 2, "REVISION_OF": 1},
        {"Claim", "Episode", "Fact", "Revision"},
    ),
    "changed_this_week": Seen(
        {"ana", "杨枝甘露", "Ana lives in Madrid. (by", "I live in Hangzhou (by 10 January 2025)"},
        {"ben", "Riga"},
        {"SUPERSEDES": 2},
        {"Revision", "Fact", "Entity"},
    ),
    "disputed": Seen(
        {"ana", "Ana lives in Madrid.", f"{HOME} (by 2 June 2025)"},
        {"Madrid", "Porto"},
        {"SUBJECT_OF": 2, "RESTS_ON": 1, "SAID_IN": 1},
        {"Claim", "Episode", "Fact"},
    ),
    "two_hops": Seen(
        {*THINGS, "Porto", "coffee"},
        {"芒果", "Hangzhou", "ben"},
        {"LIVES_IN": 1, "ALLERGIC_TO": 1, "NOT_LIKES": 1, "CONTAINS": 2},
        {"Person", "Place", "Entity"},
    ),
    "world_at_a_date": Seen(
        {*THINGS, "Hangzhou"},
        {"Porto", "coffee", "Riga"},
        {"LIVES_IN": 1, "ALLERGIC_TO": 1, "CONTAINS": 2},
        {"Person", "Place", "Entity"},
    ),
}


def check(drawn: Drawn, seen: Seen) -> None:
    """Compare a picture with what it must show."""
    shown = set(drawn.captions) | {caption[:24] for caption in drawn.captions}
    assert {caption for caption in seen.captions if caption not in shown} == set()
    assert shown & seen.hidden == set()
    assert {kind: drawn.types.get(kind) for kind in seen.types} == seen.types
    assert seen.labels <= drawn.labels.keys()


@pytest.mark.parametrize("name", EXPECTED)
def test_a_query_is_drawn(shown: Window, pictures: Path, name: str) -> None:
    """Its nodes carry readable captions and its relationships their types; nobody else is there."""
    ask(shown, name)
    check(shown.drawn(), EXPECTED[name])
    file = pictures / f"{name}.png"
    shown.picture(file)
    assert 20_000 < file.stat().st_size < SMALL


def title(text: str) -> str:
    """Return the title that Browser gives a query."""
    return text.splitlines()[0].removeprefix("// ")


def ask(shown: Window, name: str) -> Locator:
    """Set the parameters and run a query, both from among the favorites."""
    parameters = queries(ANA)["0_parameters.cypher"]
    shown.run(title(parameters)).get_by_text("Successfully set").wait_for()
    return shown.run(title(saved()[name]))


def test_where_all_is_well_nothing_is_drawn(shown: Window) -> None:
    """No orphan, no drift: the frame says so."""
    frame = ask(shown, "orphans_and_drift")
    frame.get_by_text("(no changes, no records)").wait_for()


def test_drift_is_drawn(shown: Window, neo4j_lts: Emptied, pictures: Path) -> None:
    """What waits for the index is seen, and the table says what is wrong with it."""
    neo4j_lts.run(
        "MATCH (s:Scope {key: $key}) "
        "CREATE (:Outbox {sid: s.id, seq: -1, kind: 'fact', id: 'fact_1'}), "
        "(:Entity {sid: s.id, id: 'entity_1', key: 'opera', name: 'opera', caption: 'opera'})",
        key=ANA.key,
    )
    try:
        frame = ask(shown, "orphans_and_drift")
        assert shown.drawn().captions == ["fact", "opera"]
        frame.get_by_test_id("cypherFrameSidebarTable").click()
        table = frame.get_by_test_id("frame-loaded-contents")
        table.get_by_text("waits for the vector index").wait_for()
        shown.picture(pictures / "orphans_and_drift.png")
        frame.get_by_test_id("cypherFrameSidebarVisualization").click()
    finally:
        neo4j_lts.run("MATCH (n:Outbox|Entity) WHERE n.seq = -1 OR n.id = 'entity_1' DELETE n")


def test_each_kind_has_its_colour(shown: Window) -> None:
    """The style sheet counts, and not what Browser would choose."""
    ask(shown, "world_now")
    shown.drawn()
    circles = shown.page.locator("svg.neod3viz g.node circle.b-outline")
    fills = {circle.get_attribute("fill") for circle in circles.all()}
    #                 person     place      thing      fact
    assert fills == {"#f6b26b", "#a8d5a2", "#a9c8e8", "#fdeaa8"}


def test_queries_are_among_the_favorites(shown: Window, pictures: Path) -> None:
    """They stand in a folder of their own, in order, and setting the parameters shows them."""
    parameters = queries(ANA)["0_parameters.cypher"]
    frame = shown.run(title(parameters))
    frame.get_by_test_id("rawParamData").get_by_text('"user": "ana"').wait_for()
    shown.photograph(pictures / "favorites.png")


def test_odd_names_are_drawn(shown: Window) -> None:
    """Quotes, backticks, semicolons and Cypher in names are captions; a long statement is cut."""
    command = queries(Scope("default", ODD))["0_parameters.cypher"].splitlines()[-1]
    shown.type(command).get_by_text("Successfully set").wait_for()
    shown.run(title(saved()["world_now"]))
    captions = shown.drawn().captions
    assert any(caption.startswith("o'Neil") for caption in captions)
    assert "plays chess with" in shown.captions_of_relationships()
    assert any(caption.startswith("la la la") and "…" in caption for caption in captions)


def test_nothing_of_ours_asks_outside(shown: Window) -> None:
    """All that was drawn was drawn without an answer from outside; who is asked is Browser's own
    choice, which the page tells."""
    told = (DOCS / "neo4j-browser.md").read_text("utf-8")
    hosts = {".".join(host.split(".")[-2:]) for host in shown.asked_outside}
    assert {host for host in hosts if f"`{host}`" not in told} == set()
