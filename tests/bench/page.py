"""How soon is the page there, and does it stay awake? Debian's Chromium on a first visit, and while a game storms on.

The figures are the browser's own: largest contentful paint, the bytes that came over the wire, and how long input would
have had to wait while sixty commits a second arrive.
"""

import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any, Final

from playwright.sync_api import Browser, Page, sync_playwright

from tests.bench.table import Row
from tests.live import Live, running_service
from tests.web.conftest import QUIET
from tests.web.playing import ANN, BEN, Game, prefer, shown

VISITS: Final = 5
LATEST_PAINT: Final = 1000.0
MOST_BYTES: Final = 150_000
RATE: Final = 60
"""Commits a second."""
STORM: Final = 300
"""Commits in all, through as many games as it takes."""
FREEZE: Final = 100.0
"""Milliseconds after which a click is felt to be late (RAIL)."""
PAINT: Final = """() => new Promise((done) => {
  new PerformanceObserver((list) => done(list.getEntries().at(-1).startTime))
    .observe({ type: "largest-contentful-paint", buffered: true });
})"""
AWAKE: Final = """() => {
  const asked = (window.gaps = []);
  let last = performance.now();
  const channel = new MessageChannel();
  channel.port1.onmessage = () => {
    const now = performance.now();
    asked.push(now - last);
    last = now;
    setTimeout(() => channel.port2.postMessage(0), 4);
  };
  channel.port2.postMessage(0);
}"""
"""Notes how long each of many small tasks had to wait for its turn, as input would."""


def page() -> list[Row]:
    """First visits, and a storm."""
    with (
        tempfile.TemporaryDirectory(prefix="m-") as folder,
        running_service(Path(folder) / "data") as live,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=QUIET)
        try:
            return [*_visits(browser, live), _storm(browser, live)]
        finally:
            browser.close()


def _visits(browser: Browser, live: Live) -> list[Row]:
    paints: list[float] = []
    sizes: list[int] = []
    for _ in range(VISITS):
        with browser.new_context(base_url=live.url) as fresh:
            tab = fresh.new_page()
            came = _bytes_of(tab)
            tab.goto("/", wait_until="networkidle")
            paints.append(tab.evaluate(PAINT))
            sizes.append(sum(came))
    about = f"{VISITS} first visits of the lobby, in browsers that have never been here"
    return [
        Row(
            name="page",
            what=f"largest contentful paint, {about}",
            ours=f"{median(paints):,.0f} ms",
            target="1,000 ms at most",
            reached=max(paints) < LATEST_PAINT,
            notes=(f"largest contentful paint {min(paints):,.0f} to {max(paints):,.0f} ms",),
        ),
        Row(
            name="page",
            what="bytes over the wire, heads included, of such a visit",
            ours=f"{max(sizes) / 1000:,.1f} kB",
            target="150 kB at most",
            reached=max(sizes) < MOST_BYTES,
        ),
    ]


def _bytes_of(tab: Page) -> list[int]:
    """The bytes of each answer that comes, as the browser counts them."""
    came: list[int] = []

    def finished(event: dict[str, Any]) -> None:
        came.append(int(event["encodedDataLength"]))

    session = tab.context.new_cdp_session(tab)
    session.send("Network.enable")
    session.on("Network.loadingFinished", finished)
    return came


def _storm(browser: Browser, live: Live) -> Row:
    gaps: list[float] = []
    done, spent = 0, 0.0
    while done < STORM:
        game = Game(live, ANN, BEN, rules="gato-e-rato")
        with browser.new_context(base_url=live.url, viewport={"width": 1440, "height": 900}) as fresh:
            tab = fresh.new_page()
            prefer(tab, speed="normal")
            tab.goto(game.address)
            shown(tab, 1)
            tab.evaluate(AWAKE)
            began = time.monotonic()
            made = _rain(game, STORM - done, began)
            spent += time.monotonic() - began
            shown(tab, 1 + made)
            gaps += tab.evaluate("window.gaps")
            done += made
    gaps.sort()
    late = sum(gap > FREEZE for gap in gaps)
    return Row(
        name="page",
        what=f"wait of a task while a watched game has {done / spent:.0f} commits a second ({done} of them)",
        ours=f"{gaps[int(len(gaps) * 0.99)]:.0f} ms (p99)",
        target="100 ms at most",
        reached=gaps[int(len(gaps) * 0.99)] < FREEZE,
        notes=(f"longest wait {gaps[-1]:.0f} ms; {late} of {len(gaps):,} beyond {FREEZE:.0f} ms",),
    )


def _rain(game: Game, most: int, began: float) -> int:
    """Moves at `RATE`, until the game ends: how many."""
    seat = game.view()["turn"]["seat"]
    view, made = game.view(seat), 0
    while made < most and view["status"] == "playing":
        early = began + made / RATE - time.monotonic()
        if early > 0:
            time.sleep(early)  # the rate is what is measured: the benchmark is the clock here
        view = game.move(seat, view["legal"][-1])
        made += 1
        if view["status"] == "playing" and view["turn"]["seat"] != seat:
            seat = view["turn"]["seat"]
            view = game.view(seat)
    return made
