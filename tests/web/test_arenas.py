"""Leagues on the page: begun, watched to their end, read with their doubts, cancelled."""

import re
from typing import Any

from playwright.sync_api import Page, expect

from tests.live import Live, eventually
from tests.web.conftest import Judge, Shoot

SHORT = {"preset": "gato-e-rato", "payoff": 5}


def begun(live: Live, **changes: Any) -> str:
    body = {"bots": ["greedy", "uniform", "eager"], "games": 30, "rules": SHORT, "seed": "spring"} | changes
    return live.http.post("/v1/arenas", json=body).json()["arena"]


def ended(live: Live, arena: str) -> Any:
    """The report of an arena that is over."""
    eventually(lambda: live.http.get(f"/v1/arenas/{arena}").json()["status"] in ("ended", "cancelled"))
    return live.http.get(f"/v1/arenas/{arena}").json()


def percent(share: float) -> str:
    return f"{round(100 * share, 1):g}%"


def test_a_league_is_begun_from_the_page_and_seen_to_its_end(page: Page, live: Live, axe: Judge, shoot: Shoot) -> None:
    page.goto("/arenas")
    page.get_by_label("planner").uncheck()
    page.get_by_role("spinbutton", name="Games").fill("12")
    page.get_by_role("combobox", name="Rules").select_option("gato-e-rato")
    page.get_by_role("combobox", name="Payoff").select_option(label="5")
    axe(page)
    shoot(page, "arenas")
    page.get_by_role("button", name="Begin").click()
    expect(page).to_have_url(re.compile("/arenas/[0-9a-z]+$"))
    expect(page.get_by_text("Ended", exact=True).first).to_be_visible()
    told = live.http.get(f"/v1{page.url.removeprefix(live.url)}").json()
    assert (told["games"], told["rules"]["payoff"]) == (12, 5)
    assert {bot["bot"] for bot in told["bots"]} == {"uniform", "eager", "greedy"}
    expect(page.get_by_text("12 of 12 games")).to_be_visible()


def test_what_the_page_says_of_a_league_is_what_its_report_says(
    page: Page, live: Live, axe: Judge, shoot: Shoot
) -> None:
    arena = begun(live)
    told = ended(live, arena)
    page.goto(f"/arenas/{arena}")
    table = page.get_by_role("group", name="Standings").get_by_role("row")
    expect(table).to_have_count(4)
    for row, bot in zip(table.all()[1:], told["bots"], strict=True):
        expect(row.get_by_role("rowheader")).to_have_text(bot["bot"])
        low, high = bot["ci95"]
        expect(row).to_contain_text(f"{percent(bot['score'])}{percent(low)} to {percent(high)}")
        expect(row).to_contain_text(f"{bot['games']}{bot['wins']}{bot['draws']}{bot['losses']}")
    for pair in told["pairs"]:
        one, other = pair["bots"]
        row = page.get_by_role("group", name="Against each other").get_by_role("row", name=one).first
        cell = page.locator(f'td[title^="{one} against {other}, {pair["games"]} games: {pair["wins"]} won"]')
        expect(cell).to_contain_text(percent(pair["score"]))
        expect(row).to_be_visible()
    for name in ("Score", "Rating"):
        picture = page.get_by_role("img", name=re.compile(f"^{name}"))
        expect(picture.locator("circle")).to_have_count(3)
        assert all(bot["bot"] in (picture.get_attribute("aria-label") or "") for bot in told["bots"])
    expect(page.get_by_text(f"Seed: {told['seed']}.")).to_be_visible()
    axe(page)
    shoot(page, "arena")


def test_the_games_of_a_league_lead_to_their_replays(page: Page, live: Live) -> None:
    arena = begun(live, games=12)
    ended(live, arena)
    page.goto(f"/arenas/{arena}")
    games = [one["game"] for one in live.http.get(f"/v1/games?arena={arena}").json()["games"]]
    links = page.locator("a[href$='/replay']")
    older = page.get_by_role("button", name="Older")
    for first in range(0, 12, 5):
        if first:
            older.click()
        expect(links.first).to_have_attribute("href", f"/games/{games[first]}/replay")
        shown = [link.get_attribute("href") for link in links.all()]
        assert shown == [f"/games/{game}/replay" for game in games[first : first + 5]]
    expect(older).to_be_disabled()


def test_a_league_is_cancelled_when_one_is_sure(page: Page, live: Live) -> None:
    arena = begun(live, games=100_000)
    page.goto(f"/arenas/{arena}")
    page.get_by_role("button", name="Cancel the league").click()
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("button", name="Cancel the league")).to_be_focused()
    page.get_by_role("button", name="Cancel the league").click()
    expect(page.get_by_role("button", name="Yes, cancel")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Cancelled", exact=True)).to_be_visible()
    assert live.http.get(f"/v1/arenas/{arena}").json()["status"] == "cancelled"


def test_a_test_says_its_verdict_in_words(page: Page, live: Live) -> None:
    arena = begun(live, bots=["greedy", "uniform"], games=60, sprt={"elo0": 0, "elo1": 200, "alpha": 0.2})
    assert ended(live, arena)["sprt"]["verdict"] == "better"
    page.goto(f"/arenas/{arena}")
    expect(page.get_by_text("greedy is better than uniform, by 200 Elo or so.")).to_be_visible()
    page.goto("/arenas")
    expect(page.get_by_role("link", name=re.compile("the first is better"))).to_be_visible()


def test_a_league_that_is_not_there_is_said_to_be_none(page: Page, errors: list[str]) -> None:
    page.goto("/arenas/00nothere")
    expect(page.get_by_text("There is no league at this address.")).to_be_visible()
    errors.clear()  # the browser notes the 404


def test_what_the_service_refuses_of_a_league_is_said_and_the_form_stays(
    page: Page, live: Live, axe: Judge, errors: list[str]
) -> None:
    """Given a question whose bounds are the wrong way round, then the sentence names them, and one may mend it."""
    page.goto("/arenas")
    page.get_by_label("uniform").uncheck()
    page.get_by_label("eager").uncheck()
    page.get_by_text("Seed and test").click()
    page.get_by_label("Stop when the answer is known").check()
    expect(page.get_by_text("Is greedy better than planner?")).to_be_visible()
    page.get_by_label("Not better than").fill("50")
    page.get_by_label("Better by").fill("20")
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_role("alert")).to_contain_text("elo0 is 50 and elo1 20")
    errors.clear()  # the browser notes the 422
    axe(page)
    page.get_by_label("Better by").fill("90")
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_label("planner").uncheck()
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_role("alert")).to_have_text("Choose at least two bots.")
    assert page.url == f"{live.url}/arenas"
