"""The replay: every version of an ended game, with anybody's eyes; on from there; and the check that it was fair.

The games here are imported logs, so that each test knows what has to be seen at which version.
"""

import hashlib
import re
from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from events.game.commands import Resign
from events.game.events import SeatInfo
from tests.live import Live
from tests.log.games import SHORT, Book
from tests.web.conftest import Judge, Shoot, watch_console

LOG: Final = re.compile(r"/log$")


@pytest.fixture(scope="module")
def game(live: Live) -> str:
    """A short game that has ended: Ana sat from the start, and guest 1 sat down after the seal, with a line."""
    return imported(live, book())


@pytest.fixture
def still(page: Page) -> Page:
    """A tab whose cards do not move."""
    page.emulate_media(reduced_motion="reduce")
    return page


def book(entropy: str = "dados") -> Book:
    seats = (SeatInfo("Ana", "human", None, ""), SeatInfo(None, "open", None, ""))
    return Book(SHORT, 3, game="00book", seats=seats).sit(1, entropy).moves()


def imported(live: Live, made: Book) -> str:
    """The id under which the service has taken this game in."""
    headers = {"Content-Type": "application/x-ndjson"}
    answer = live.http.post("/v1/games/import", content=made.file(), headers=headers)
    assert answer.status_code == 201, answer.text
    return answer.json()["game"]


def view(live: Live, game: str, **query: Any) -> dict[str, Any]:
    return live.http.get(f"/v1/games/{game}", params=query).json()


def opened(page: Page, game: str, query: str = "") -> None:
    page.goto(f"/games/{game}/replay{query}")
    expect(page.get_by_role("slider")).to_be_visible()


def hold(page: Page, game: str, own: dict[str, Any]) -> None:
    """As if this browser had taken a seat of the game, and kept this of it."""
    page.goto("/how-to-play")
    page.evaluate("([game, own]) => localStorage.setItem(`malice.game.${game}`, JSON.stringify(own))", [game, own])


def at(page: Page, version: int) -> None:
    """The table, the slider and the list all stand at this version."""
    expect(page.locator(f".table[data-version='{version}']")).to_be_visible()
    expect(page.get_by_role("slider")).to_have_value(str(version))
    expect(page.locator("[aria-current=step]")).to_have_attribute("data-version", str(version))


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def test_steps_turns_ends_slider_and_list_all_go_through_the_versions(still: Page, live: Live, game: str) -> None:
    last = view(live, game)["version"]
    opened(still, game)
    at(still, 2)  # where the cards have been dealt
    for name, version in [
        ("Last version", last),
        ("One step back", last - 1),
        ("First version", 1),
        ("One step forward", 2),
    ]:
        button(still, name).click()
        at(still, version)
    turns = [
        commit["version"] + 1
        for commit in live.http.get(f"/v1/games/{game}/events").json()["commits"]
        if any(event["type"] == "TurnStarted" for event in commit["events"])
    ]
    for name, version in [("Next turn", turns[0]), ("Next turn", turns[1]), ("Previous turn", turns[0])]:
        button(still, name).click()
        at(still, version)
    still.get_by_role("slider").fill("9")
    at(still, 9)
    still.locator("[data-version='5']").click()
    at(still, 5)


def test_keys_alone_are_enough(still: Page, live: Live, game: str) -> None:
    last = view(live, game)["version"]
    opened(still, game)
    for key, version in [("End", last), ("ArrowLeft", last - 1), ("Home", 1), ("ArrowRight", 2), ("ArrowRight", 3)]:
        still.keyboard.press(key)
        at(still, version)
    still.keyboard.press("PageDown")
    still.keyboard.press("PageUp")
    at(still, 3)
    still.keyboard.press("Space")
    expect(button(still, "Pause")).to_be_visible()
    expect(still.locator(".table[data-version='4']")).to_be_visible()
    still.keyboard.press("Space")
    expect(button(still, "Play")).to_be_visible()


FLOWN = """() => {
  window.flown = 0;
  const ghosts = ({ addedNodes }) => [...addedNodes].filter((node) => node.className === "ghost").length;
  const count = (list) => list.forEach((one) => (window.flown += ghosts(one)));
  new MutationObserver(count).observe(document.body, { childList: true });
}"""
"""Counts the cards that fly from now on."""


def test_it_plays_by_itself_to_the_end_with_cards_that_move(page: Page, live: Live, game: str) -> None:
    last = view(live, game)["version"]
    opened(page, game, f"?at={last - 3}&as=all")
    page.get_by_role("combobox", name="Speed", exact=True).select_option("8")
    page.evaluate(FLOWN)
    button(page, "Play").click()
    at(page, last)
    expect(button(page, "Play")).to_be_visible()
    expect(page.locator(".ghost")).to_have_count(0)
    assert page.evaluate("window.flown") > 0


def test_the_table_is_the_services_view_for_those_eyes(still: Page, live: Live, game: str) -> None:
    """Given a version, when the eyes are changed, then what is shown is what the service says that they saw."""
    opened(still, game, "?at=7")
    hand = still.locator(".mine [data-place^='h0.']")
    expect(still.get_by_label("Seen by")).to_have_value("")
    expect(hand).to_have_count(0)
    still.get_by_label("Seen by").select_option(label="Ana")
    expect(hand).to_have_count(len(view(live, game, at=7, **{"as": 0})["hand"]))
    still.get_by_label("Seen by").select_option(label="guest 1")
    mine = still.locator(".mine [data-place^='h1.']")
    expect(mine).to_have_count(len(view(live, game, at=7, **{"as": 1})["hand"]))
    still.get_by_label("Seen by").select_option("all")
    cards = view(live, game, at=7, **{"as": "all"})["cards"]
    expect(hand).to_have_count(len(cards["hands"][0]))
    expect(still.locator("[data-place=h1] .card:not(.back)")).to_have_count(len(cards["hands"][1]))


def test_the_address_links_to_what_is_seen(still: Page, game: str) -> None:
    """Given a link to a version and to eyes, when it is opened, then that is seen; and it follows what one does."""
    still.context.grant_permissions(["clipboard-read", "clipboard-write"])
    opened(still, game, "?at=7&as=1")
    at(still, 7)
    expect(still.get_by_label("Seen by")).to_have_value("1")
    button(still, "One step forward").click()
    still.wait_for_url(re.compile(r"\?at=8&as=1$"))
    button(still, "Copy link").click()
    expect(button(still, "Copied")).to_be_visible()
    assert still.evaluate("navigator.clipboard.readText()") == still.url


def test_a_bad_version_or_eyes_in_a_link_are_put_right(still: Page, live: Live, game: str) -> None:
    last = view(live, game)["version"]
    for query, version in [("?at=99999", last), ("?at=-3", 1), ("?at=x", 2), ("?at=2.7&as=9", 2)]:
        opened(still, game, query)
        at(still, version)
        expect(still.get_by_label("Seen by")).to_have_value("")


def test_who_held_a_seat_looks_with_its_eyes(still: Page, game: str) -> None:
    hold(still, game, {"seat": 1})
    opened(still, game)
    expect(still.get_by_label("Seen by")).to_have_value("1")


def test_one_plays_on_from_a_version(still: Page, live: Live, game: str) -> None:
    """Given version 7, when seat 1 is taken to play on, then a new game goes on from that table."""
    opened(still, game, "?at=7&as=1")
    at(still, 7)
    button(still, "Play on from here").click()
    dialog = still.get_by_role("dialog")
    expect(dialog.get_by_label("Seat of guest 1")).to_have_value("")
    dialog.get_by_label("Your name").fill("Zoe")
    dialog.get_by_role("button", name="Begin").click()
    still.wait_for_url(re.compile(r"/games/\w+$"))
    fork = still.url.rpartition("/")[2]
    commits = live.http.get(f"/v1/games/{fork}/events").json()["commits"]
    assert commits[0]["events"][0]["forked_from"] == {"game": game, "version": 7}
    assert [seat["name"] for seat in view(live, fork)["seats"]][1] == "Zoe"
    expect(still.locator(".mine [data-place^='h1.']").first).to_be_visible()


def test_at_the_end_nobody_can_play_on(still: Page, live: Live, game: str) -> None:
    opened(still, game, f"?at={view(live, game)['version']}")
    expect(button(still, "Play on from here")).to_have_attribute("aria-disabled", "true")
    button(still, "Play on from here").click(force=True)
    expect(still.get_by_role("dialog")).to_have_count(0)


def test_the_log_that_is_downloaded_is_the_services(still: Page, live: Live, game: str) -> None:
    opened(still, game)
    with still.expect_download() as download:
        still.get_by_role("link", name="Download log").first.click()
    assert download.value.suggested_filename == f"{game}.ndjson"
    assert download.value.path().read_bytes() == live.http.get(f"/v1/games/{game}/log").content


def test_a_game_that_runs_or_is_not_there_is_said_so(still: Page, live: Live, errors: list[str]) -> None:
    seats = [{"name": "Ana"}, {"name": "Eva"}]
    running = live.http.post("/v1/games", json={"rules": SHORT, "seats": seats}).json()["game"]
    still.goto(f"/games/{running}/replay")
    expect(still.get_by_text("This game is not over.")).to_be_visible()
    expect(still.get_by_role("link", name="Watch it")).to_have_attribute("href", f"/games/{running}")
    still.goto("/games/0000000000000000000000/replay")
    expect(still.get_by_text("There is no such game here.")).to_be_visible()
    errors.clear()  # the browser notes the 404


def check(page: Page) -> None:
    page.locator(".fair summary").click()
    button(page, "Check this game").click()


def test_a_game_that_was_fair_is_found_so(still: Page, live: Live, game: str, axe: Judge, shoot: Shoot) -> None:
    """Section 4: every check in plain words, and what the check cannot show: who added a line after the seal."""
    opened(still, game, "?at=12&as=all")
    at(still, 12)
    axe(still)
    shoot(still, "replay")
    check(still)
    expect(still.get_by_text("All is in order")).to_be_visible()
    expect(still.locator(".checks .no")).to_have_count(0)
    expect(still.locator(".checks .yes")).to_have_count(9)  # all but the seal and the line that this browser never had
    expect(still.locator(".limit")).to_contain_text("guest 1 did, and so knows that this deal was not chosen.")
    axe(still)
    shoot(still, "fair")


def test_a_game_of_bots_leaves_something_to_believe(still: Page, live: Live) -> None:
    bots = tuple(SeatInfo(f"bot {seat}", "bot", "greedy", "") for seat in range(2))
    opened(still, imported(live, Book(SHORT, 5, seats=bots).moves()))
    check(still)
    expect(still.locator(".limit")).to_contain_text("Nobody did in this game")


def tampered(change: Callable[[str], str]) -> Callable[[Route], None]:
    """Answer with the service's log, changed."""

    def handle(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=change(answer.text()))

    return handle


def test_a_tampered_log_is_found_and_its_version_named(still: Page, game: str, axe: Judge, shoot: Shoot) -> None:
    """Given one card of version 9 changed on the way, when it is checked, then the page says so, loudly."""

    def swap(log: str) -> str:
        lines = log.split("\n")
        lines[9] = re.sub(
            r'"card":"(.)(.)"', lambda found: f'"card":"{found[1]}{"c" if found[2] != "c" else "d"}"', lines[9]
        )
        assert lines[9] != log.split("\n")[9]
        return "\n".join(lines)

    still.route(LOG, tampered(swap))
    opened(still, game)
    check(still)
    alert = still.get_by_role("alert")
    expect(alert).to_contain_text("This log is not true. Version 9 is the first that does not hold.")
    axe(still)
    shoot(still, "unfair")
    alert.get_by_role("link").click()
    at(still, 9)


def test_a_game_dealt_anew_is_found_by_who_saw_the_seal(still: Page, live: Live, game: str) -> None:
    """Section 4: given the seal seen at the start and a line of one's own, a sound log of another deal is refused."""
    own = {"seat": 1, "commitment": hashlib.sha256(book().seed).hexdigest(), "entropy": "dados"}
    other = imported(live, book("loaded dice"))
    for one, text in [
        (game, "You did: this deal cannot have been chosen."),
        (other, "What you added is not in the shuffle."),
    ]:
        hold(still, one, own)
        opened(still, one)
        check(still)
        expect(still.get_by_text(text)).to_be_visible()
    hold(still, other, own | {"commitment": "00" * 32})
    opened(still, other)
    check(still)
    expect(still.get_by_text("It is not the one that this browser saw before the end.")).to_be_visible()


def test_who_watches_sees_the_seal_before_the_end_and_it_is_held_to(still: Page, live: Live) -> None:
    """Given a game that runs, when it is watched to its end in this tab, then the seal seen first is checked."""
    seats = [{"name": "Ana"}, {"name": "Eva"}]
    made = live.http.post("/v1/games", json={"rules": SHORT, "seats": seats}).json()
    still.goto(f"/games/{made['game']}")
    still.locator(".fair summary").click()
    expect(still.locator(".fair")).to_contain_text(view(live, made["game"])["commitment"])
    expect(still.get_by_text("When the game is over you can check all of it here")).to_be_visible()
    token = {"Authorization": f"Bearer {made['seats'][0]['token']}"}
    assert live.http.post(f"/v1/games/{made['game']}/resign", headers=token).status_code == 200
    expect(still.get_by_text("Was it fair?")).to_be_visible()
    check(still)
    expect(still.get_by_text("It is the one that this browser saw before the end.")).to_be_visible()


def test_without_hashing_the_page_says_that_it_cannot_check(still: Page, game: str) -> None:
    """Given a browser that offers no cryptography here (http, elsewhere), then that is said, and the log is there."""
    still.add_init_script("Object.defineProperty(crypto, 'subtle', { value: undefined })")
    opened(still, game)
    still.locator(".fair summary").click()
    expect(still.get_by_text("This browser can check nothing here")).to_be_visible()
    expect(button(still, "Check this game")).to_have_count(0)


def test_a_change_of_language_changes_all_of_it(still: Page, game: str) -> None:
    opened(still, game, "?at=5")
    check(still)
    expect(still.get_by_text("All is in order")).to_be_visible()
    still.get_by_label("Language and speed").click()
    still.get_by_role("combobox", name="Language").select_option("it")
    expect(still.get_by_role("heading", name="Rivedi: Ana – guest 1")).to_be_visible()
    expect(button(still, "Un passo avanti")).to_be_visible()
    still.locator(".fair summary").click()
    expect(still.get_by_text("Tutto in ordine")).to_be_visible()  # what was found is not lost


@pytest.mark.parametrize(("locale", "word"), [("it-IT", "Rivedi"), ("pt-PT", "Rever"), ("es-ES", "Repetición")])
def test_it_speaks_the_browsers_language(browser: Browser, live: Live, game: str, locale: str, word: str) -> None:
    page = browser.new_page(base_url=live.url, locale=locale, viewport={"width": 390, "height": 844})
    said: list[str] = []
    watch_console(page, said)
    opened(page, game, "?at=5")
    expect(page.get_by_role("heading", level=1)).to_contain_text(word)
    page.locator(".fair summary").click()
    page.locator(".checking button").click()
    expect(page.locator(".verdict.good")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert said == []
    page.close()


def test_names_of_a_log_that_was_brought_in_leave_the_page_as_it_is(still: Page, live: Live) -> None:
    given = ["\u202eevil", "W" * 4000, "a" + "\u0301" * 400, "\0", "\u05d0\u05d1", "Ann 7", "Ann", "Ann"]
    rules = {"preset": "gatto-e-topo", "seats": 8, "must_play": "never"}
    book = Book(rules, 3, game="00names", seats=tuple(SeatInfo(name, "human", None, "") for name in given))
    for seat in range(7):
        book.do(Resign(seat), f"seat:{seat}")
    still.set_viewport_size({"width": 390, "height": 844})
    opened(still, imported(live, book))
    shown = still.locator(".who .name").all_inner_texts()
    told = [
        "evil 1",
        "W" * 40 + "… 2",
        "a\u0301\u0301\u0301 3",
        "– 4",
        "\u2068\u05d0\u05d1\u2069 5",
        "Ann 7 6",
        "Ann 7",
        "Ann 8",
    ]
    assert sorted(shown) == sorted(told)
    assert still.evaluate("document.documentElement.scrollWidth") == 390
