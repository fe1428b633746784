"""What do the tests of the page share? One Chromium a process, a new browser context a test; the service is `live`.

    browser     Chromium: Debian's, on PATH. Locally a missing one is a skip; in CI it is a failure
    context     a browser that has never been here; its person reads English, at a desk
    page        a tab of it, which fails the test for any error on its console
    axe         fails for what axe finds wrong on a screen, for people who do not see it
    shoot       keeps pictures of a screen at 390, 768 and 1440 pixels in `.screens`, for people to look at

Playwright's event loop stays in the thread that started it, and no asynchronous test can run there beside it: so it is
stopped with the last test of this folder.
"""

import os
import shutil
from collections.abc import Callable, Generator
from pathlib import Path
from typing import TypeAlias

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from tests.live import Live

SCREENS = Path(__file__).parent.parent.parent / ".screens"
WIDTHS = {390: 844, 768: 1024, 1440: 900}
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--renderer-process-limit=1",
]
"""Chromium speaks to the service under test and to nobody else, also as root, and starts few processes."""

Judge: TypeAlias = Callable[[Page], None]
expect.set_options(timeout=20_000)  # two cores may have more to do than this; what is right is there at once

Shoot: TypeAlias = Callable[[Page, str], None]


@pytest.fixture(scope="package")
def browser() -> Generator[Browser]:
    """A Chromium for the tests of this folder."""
    found = shutil.which("chromium")
    if found is None:
        # A developer may go without it; CI installs it, so there its lack is a fault.
        (pytest.fail if os.environ.get("CI") else pytest.skip)("chromium is not on PATH")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=found, args=QUIET)
        yield started
        started.close()


@pytest.fixture
def context(browser: Browser, live: Live) -> Generator[BrowserContext]:
    """A browser that has never been here."""
    fresh = browser.new_context(base_url=live.url, locale="en-GB", viewport={"width": 1440, "height": WIDTHS[1440]})
    fresh.set_default_timeout(20_000)
    yield fresh
    fresh.close()


@pytest.fixture
def errors() -> list[str]:
    """What the console of `page` has said of errors. A test that breaks something on purpose clears what it expects."""
    return []


@pytest.fixture
def page(context: BrowserContext, errors: list[str]) -> Generator[Page]:
    """A tab whose console stays clean."""
    tab = context.new_page()
    watch_console(tab, errors)
    yield tab
    assert errors == []


def watch_console(tab: Page, errors: list[str]) -> None:
    """Collect whatever a tab says of errors."""

    def note(message: ConsoleMessage) -> None:
        if message.type == "error":
            errors.append(f"{message.text} ({message.location.get('url', '')})")

    tab.on("console", note)
    tab.on("pageerror", lambda error: errors.append(str(error)))


@pytest.fixture(scope="session")
def axe() -> Judge:
    """`axe(page)` judges the screen as it is now."""

    def judge(page: Page) -> None:
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()

    return judge


@pytest.fixture
def shoot() -> Shoot:
    """`shoot(page, "lobby")` writes `.screens/lobby-390.png` and the like."""
    SCREENS.mkdir(exist_ok=True)

    def take(page: Page, name: str) -> None:
        before = page.viewport_size
        assert before is not None
        for width, height in WIDTHS.items():
            page.set_viewport_size({"width": width, "height": height})
            page.screenshot(path=SCREENS / f"{name}-{width}.png", full_page=True)
        page.set_viewport_size(before)

    return take
