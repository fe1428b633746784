"""How the page reaches a browser, and what it may do there."""

from playwright.sync_api import Page, expect

from tests.web.conftest import Shoot


def test_the_page_opens_in_the_lobby(page: Page, shoot: Shoot) -> None:
    page.goto("/")
    expect(page.get_by_role("main")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    shoot(page, "lobby")


def test_who_goes_to_another_screen_goes_on_at_its_beginning(page: Page) -> None:
    """Given keys alone, when a link is followed, then the focus is not lost with the link."""
    page.goto("/")
    page.get_by_role("link", name="How to play").press("Enter")
    expect(page.get_by_role("heading", level=1, name="How to play")).to_be_visible()
    expect(page.get_by_role("main")).to_be_focused()
