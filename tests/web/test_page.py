"""How the page reaches a browser, and what it may do there."""

from playwright.sync_api import Page, expect

from tests.web.conftest import Shoot


def test_the_page_opens_in_the_lobby(page: Page, shoot: Shoot) -> None:
    page.goto("/")
    expect(page.get_by_role("main")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    shoot(page, "lobby")
