"""How the page reaches a browser, and what it may do there."""

from playwright.sync_api import Page, Route, expect

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


def test_a_screen_that_cannot_be_loaded_is_asked_for_once_more_and_then_told(page: Page, errors: list[str]) -> None:
    asked: list[str] = []

    def broken(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(content_type="text/javascript", body="<<<<")

    page.route("**/arenas.js", broken)
    page.goto("/arenas")
    expect(page.get_by_role("alert")).to_have_text(
        "This page could not be loaded. Try again later, or with a newer browser."
    )
    assert len(asked) == 2
    page.unroute("**/arenas.js")
    page.get_by_role("link", name="How to play").click()  # the rest of the page is there
    expect(page.get_by_role("heading", name="How to play")).to_be_visible()
    page.goto("/arenas")
    expect(page.get_by_role("heading", name="A new league")).to_be_visible()
    errors.clear()
