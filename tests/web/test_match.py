"""A match on the page: game after game to a number of points, one seat in all of them (R23)."""

import re

from playwright.sync_api import Page, expect

from tests.live import Live, eventually
from tests.web.conftest import Judge
from tests.web.test_lobby import game_of, kept, play


def test_a_match_is_begun_in_the_lobby_and_goes_on_from_game_to_game(page: Page, live: Live, axe: Judge) -> None:
    page.goto("/")
    page.get_by_role("radio", name="Spite & Malice").check()
    page.get_by_text("More choices").click()
    page.get_by_role("combobox", name="Length").select_option(label="a match to 50 points")
    first = play(page)
    panel = page.get_by_role("region", name="Match to 50 points")
    expect(panel).to_contain_text("Guest 0 · Greedy 0")
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(panel).to_contain_text("Greedy 20")
    expect(page.get_by_role("button", name="Play again")).to_have_count(0)
    axe(page)
    panel.get_by_role("link", name="Play game 2").click()
    page.wait_for_url(lambda url: not url.endswith(first))
    second = game_of(page)
    expect(page.get_by_role("region", name=re.compile(r"Guest \(you\)"))).to_be_visible()
    expect(panel).to_contain_text("Guest 0 · Greedy 20")
    view = live.http.get(
        f"/v1/games/{second}", headers={"Authorization": f"Bearer {kept(page, second)['token']}"}
    ).json()
    assert (view["seat"], view["status"]) == (0, "playing")
    eventually(lambda: kept(page, second).get("commitment") == view["commitment"])
    expect(panel.get_by_role("link", name="Game 1")).to_have_attribute("href", f"/games/{first}")
