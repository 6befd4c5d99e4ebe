"""Chromium with Neo4j Browser in it, as somebody uses it who types, drops files and looks."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
from base64 import b64encode
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Locator, Page, Route, sync_playwright

from tests.services.neo4j_server import Address

CHROMIUM_VARIABLE = "GRAPHMEM_TEST_CHROMIUM"
_COMMANDS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
_SIZE = (1300, 900)
_PATIENCE = 60_000.0  # milliseconds; a busy machine draws slowly
_DROP = """([name, content]) => {
  const bytes = Uint8Array.from(atob(content), c => c.charCodeAt(0));
  const carried = new DataTransfer();
  carried.items.add(new File([bytes], name));
  const target = document.querySelector('[data-testid=main]');
  for (const kind of ['dragenter', 'dragover', 'drop'])
    target.dispatchEvent(
      new DragEvent(kind, {dataTransfer: carried, bubbles: true, cancelable: true}));
}"""
_PLACES = "nodes => nodes.map(node => node.getAttribute('transform')).join()"


def chromium() -> str | None:
    """Return the Chromium of this machine, or None."""
    named = os.environ.get(CHROMIUM_VARIABLE)
    found = [shutil.which(name) for name in ((named,) if named else _COMMANDS)]
    return next((path for path in found if path), None)


@dataclass(frozen=True)
class Drawn:
    """What a picture shows: the captions of its nodes, and how many there are of each relationship
    type and label."""

    captions: list[str]
    types: dict[str, int]
    labels: dict[str, int]


class Window:
    """A window in which somebody is signed in."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.asked_outside: set[str] = set()

    def sign_in(self, address: Address) -> None:
        """Open Browser and sign in as its first page asks."""
        page = self.page
        page.set_default_timeout(_PATIENCE)
        page.route("**/*", self._let_pass)
        page.goto(address.browser)
        page.get_by_test_id("boltaddress").fill(address.url.partition("//")[2])
        page.get_by_test_id("username").fill(address.user)
        page.get_by_test_id("password").fill(address.password)
        page.get_by_test_id("connect").click()
        page.get_by_text("You are connected as user").wait_for()

    def _let_pass(self, route: Route) -> None:
        """Keep to this machine, as on one without a way out: Browser must do without."""
        if urlsplit(route.request.url).hostname in ("127.0.0.1", None):
            route.continue_()
        else:
            self.asked_outside.add(str(urlsplit(route.request.url).hostname))
            route.abort()

    def drop(self, name: str, content: bytes) -> None:
        """Drag a file onto the page and let it go."""
        self.page.evaluate(_DROP, [name, b64encode(content).decode()])

    def type(self, text: str) -> Locator:
        """Type a command into the editor, run it, and return the frame it opens."""
        self._clear()
        self.page.get_by_test_id("activeEditor").locator(".monaco-editor").first.click()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(text)
        self.page.keyboard.press("Control+Enter")
        self.frame.wait_for()
        return self.frame

    def open_favorites(self, folder: str) -> list[str]:
        """Open the drawer of favorites and in it a folder; return the titles of what is there."""
        self.page.get_by_test_id("navigationFavorites").click()
        self.page.get_by_test_id(f"expandFolder-{folder}").click()
        self._favorites.first.wait_for()
        inside = self.page.get_by_test_id(f"savedScriptsFolder-{folder}")
        titles = inside.locator('[data-testid^="scriptTitle-"]')
        return titles.all_text_contents()

    def run(self, title: str) -> Locator:
        """Run a favorite and return the frame it opens."""
        self._clear()
        item = self._favorites.filter(has=self.page.get_by_test_id(f"scriptTitle-{title}"))
        item.hover()
        item.get_by_test_id("savedScriptsButton-Run").click()
        self.frame.wait_for()
        return self.frame

    @property
    def frame(self) -> Locator:
        """The newest frame on the page."""
        return self.page.get_by_test_id("frame").first

    @property
    def _favorites(self) -> Locator:
        return self.page.get_by_test_id("savedScriptListItem")

    def _clear(self) -> None:
        """Close every frame."""
        while self.frame.count():
            self.frame.get_by_title("Close", exact=True).click()

    def drawn(self) -> Drawn:
        """Wait for a picture and return what it shows."""
        self._nodes.first.wait_for()
        self.page.get_by_text(re.compile(r"^Displaying \d+ nodes, \d+ relationships\.$")).wait_for()
        return Drawn(
            captions=sorted(text.strip() for text in self._nodes.all_text_contents()),
            types=self._counts("relationship-type"),
            labels=self._counts("node-label"),
        )

    def captions_of_relationships(self) -> list[str]:
        """Return what stands at the relationships; what is too long for one ends in "…"."""
        return self.page.locator("svg.neod3viz g.relationship text").all_text_contents()

    @property
    def _nodes(self) -> Locator:
        return self.page.locator("svg.neod3viz g.node")

    def _counts(self, of: str) -> dict[str, int]:
        pills = self.page.locator(f'[data-testid^="property-details-overview-{of}-"]')
        found = [re.fullmatch(r"(\S+) \((\d+)\)", text) for text in pills.all_text_contents()]
        return {one[1]: int(one[2]) for one in found if one is not None and one[1] != "*"}

    def picture(self, file: Path) -> None:
        """Let the frame fill the window, wait until all stands still, and write what is seen."""
        frame = self.frame
        frame.get_by_title("Fullscreen").click()
        fit = frame.get_by_role("button", name="zoom-to-fit")
        overview = frame.get_by_title(re.compile("the node properties display$"))
        if fit.count():
            overview.click()  # it lies over the right of the graph
            self._settle()
            fit.click()
            self._settle()
        self.page.screenshot(path=file)
        if fit.count():
            overview.click()
        frame.get_by_title("Close fullscreen").click()

    def photograph(self, file: Path) -> None:
        """Write what is seen once frames have opened and a notice is put away."""
        notice = self.page.locator("span", has_text="we collect information on product usage")
        if notice.count():
            notice.locator("xpath=following-sibling::*").click()
        self.page.wait_for_timeout(500)
        self.page.screenshot(path=file)

    def _settle(self) -> None:
        before = ""
        for _ in range(40):
            self.page.wait_for_timeout(250)
            now = self.page.locator("svg.neod3viz g").evaluate_all(_PLACES)
            if now == before:
                return
            before = now


@contextlib.contextmanager
def window(program: str) -> Generator[Window]:
    """Yield a window of a new Chromium that nobody used before."""
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=program, args=_FLAGS)
        try:
            width, height = _SIZE
            yield Window(running.new_page(viewport={"width": width, "height": height}))
        finally:
            running.close()
