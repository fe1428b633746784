"""What comes by itself: moves card by card, interruptions, a clock; and a game that is only watched."""

import os
import signal

from playwright.sync_api import BrowserContext, Page, expect

from tests.live import Live
from tests.web.conftest import Judge, Shoot
from tests.web.playing import ANN, BEN, BOT, POSITION, SHORT, Game, place, prefer, settled, shown

FLOWN = """() => {
  window.flown = [];
  const note = (node) => node.className === "ghost" && window.flown.push(node.querySelector(".corner")?.textContent);
  const seen = (all) => all.forEach(({ addedNodes }) => addedNodes.forEach(note));
  new MutationObserver(seen).observe(document.body, { childList: true });
}"""
"""Notes every card that flies: its corner, null for a back."""


def test_the_cards_of_a_turn_move_one_by_one_and_all_come_down(page: Page, live: Live) -> None:
    game = Game(live, ANN, BEN, position=POSITION)
    game.sit(page, 0, speed="fast")
    page.goto(game.address)
    shown(page, 1)
    page.evaluate(FLOWN)
    place(page, "p0").click()
    place(page, "c0").click()
    shown(page, 2)
    place(page, "h0.1").click()
    place(page, "s0.1").click()  # the end of the turn: Ben draws three
    shown(page, 3)
    assert page.evaluate("window.flown") == ["3♠", "9♣", None, None, None]
    expect(page.locator(".ghost")).to_have_count(0)
    expect(place(page, "p0")).to_have_accessible_name("Your payoff: eight of clubs, the last one")
    assert page.evaluate("[...document.querySelectorAll('.play .card')].every((card) => !card.style.visibility)")


def test_who_has_just_sat_down_sees_the_deal_once(page: Page, live: Live) -> None:
    game = Game(live, {"open": True}, BOT, rules=SHORT | {"payoff": 20})  # not won before anybody looks
    seat = live.http.post(f"/v1{game.address}/seats", json=ANN).json()
    game.tokens[seat["seat"]] = seat["token"]
    game.sit(page, 0, speed="fast")
    page.add_init_script(f"addEventListener('DOMContentLoaded', {FLOWN})")
    page.goto(game.address)
    assert settled(page) == "turn"
    dealt = page.evaluate("window.flown")
    assert dealt[:2] == [None, None]  # the payoffs; then the hands, of which one is seen
    assert {card[-1] for card in dealt[2:12] if card} <= set("♣♦♥♠")
    assert sum(card is not None for card in dealt[2:12]) == 5
    page.reload()
    assert settled(page) == "turn"
    assert page.evaluate("window.flown") == []


def test_a_completed_pile_is_swept_back_and_an_empty_hand_refilled(page: Page, live: Live) -> None:
    rest = {
        "piles": [["Ac", "2c", "3c", "4c", "5c", "6c", "7c", "8c", "9c", "Tc", "Js"], [], []],
        "stock": ["2h", "3h", "4h"],
    }
    game = Game(live, ANN, BEN, position=POSITION | rest | {"hands": [["Qh"], ["Td"]]})
    game.sit(page, 0, speed="fast")
    page.goto(game.address)
    shown(page, 1)
    place(page, "h0.0").click()
    place(page, "c0").click()
    shown(page, 2)
    expect(place(page, "c0")).to_have_accessible_name("Centre pile 1, empty, needs an ace")
    expect(place(page, "stock")).to_have_accessible_name("Stock, 10 cards")
    expect(page.locator("button.held")).to_have_count(5)
    expect(page.locator(".ghost")).to_have_count(0)
    last = page.locator("[aria-live] p").last
    expect(last).to_contain_text(
        "You play the queen of hearts from the hand onto centre pile 1. Centre pile 1 is complete"
    )
    expect(last).to_contain_text("The stock is shuffled: 15 cards. You draw 5 cards:")


def test_two_tabs_of_a_seat_and_somebody_who_watches_see_the_same(
    context: BrowserContext, page: Page, live: Live
) -> None:
    game = Game(live, ANN, BEN, position=POSITION)
    game.sit(context, 0)
    other = context.new_page()
    for tab in (page, other):
        tab.goto(game.address)
        shown(tab, 1)
    place(page, "p0").click()
    place(page, "c0").click()
    shown(page, 2)
    shown(other, 2)
    assert other.locator(".table").inner_text() == page.locator(".table").inner_text()


def test_who_watches_has_nothing_to_choose_and_sees_no_hand(page: Page, live: Live, axe: Judge, shoot: Shoot) -> None:
    game = Game(live, ANN, BEN, position=POSITION)
    prefer(page, speed="off")
    page.goto(game.address)
    shown(page, 1)
    game.move(0, "p>c0")
    shown(page, 2)
    expect(page.locator("button[data-place]")).to_have_count(0)
    expect(page.get_by_role("button", name="Resign")).to_have_count(0)
    expect(place(page, "h0")).to_have_accessible_name("Hand, 5 hidden cards")
    axe(page)
    shoot(page, "watch")


def test_in_a_storm_of_moves_the_page_leaves_out_views_and_comes_to_the_last(page: Page, live: Live) -> None:
    game = Game(live, ANN, BEN)
    prefer(page, speed="slow")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(game.address)
    shown(page, 1)
    view, moves = game.view(0), 0
    seat = view["turn"]["seat"]
    view = game.view(seat)
    while moves < 90 and view["status"] == "playing":
        view = game.move(seat, view["legal"][-1])
        moves += 1
        if view["status"] == "playing" and view["turn"]["seat"] != seat:
            seat = view["turn"]["seat"]
            view = game.view(seat)
    shown(page, view["version"])
    assert len([url for url in asked if f"/v1{game.address}" in url]) < moves / 2


def test_a_broken_connection_is_told_and_caught_up_with(
    context: BrowserContext, page: Page, live: Live, errors: list[str]
) -> None:
    game = Game(live, ANN, BEN, position=POSITION | {"seat": 1})
    game.sit(page, 0)
    page.goto(game.address)
    shown(page, 1)
    live.kill("api")
    expect(page.get_by_text("The service cannot be reached.")).to_be_visible()
    expect(page.get_by_text("The service cannot be reached.")).to_have_count(0)
    game.move(1, "Th>s0")
    shown(page, 2)
    place(page, "p0").click()
    place(page, "c0").click()
    shown(page, 3)
    errors.clear()


def test_a_move_made_while_the_service_is_away_counts_once_it_is_back(
    context: BrowserContext, page: Page, live: Live, errors: list[str]
) -> None:
    game = Game(live, ANN, BEN, position=POSITION)
    game.sit(page, 0)
    page.goto(game.address)
    shown(page, 1)
    context.set_offline(True)
    place(page, "p0").click()
    place(page, "c0").click()
    expect(page.get_by_text("The service cannot be reached.")).to_be_visible()
    context.set_offline(False)
    shown(page, 2)
    assert game.view()["version"] == 2
    errors.clear()


def test_a_bot_whose_worker_has_stopped_is_said_to_be_away(page: Page, live: Live) -> None:
    (worker,) = live.pids("worker")
    game = Game(live, ANN, BOT, position=POSITION)
    game.sit(page, 0)
    page.clock.install()
    page.goto(game.address)
    shown(page, 1)
    os.kill(worker, signal.SIGSTOP)
    try:
        place(page, "h0.0").click()
        place(page, "s0.1").click()
        expect(page.get_by_text("Greedy is playing.")).to_be_visible()
        page.clock.fast_forward(5000)
        expect(page.get_by_text("Greedy does not answer just now.")).to_be_visible()
    finally:
        os.kill(worker, signal.SIGCONT)
    settled(page)
    expect(page.get_by_text("does not answer")).to_have_count(0)


def test_a_turn_clock_counts_down_by_the_services_time(page: Page, live: Live) -> None:
    game = Game(live, ANN, BEN, position=POSITION, clock={"turn_seconds": 90, "on_expiry": "auto"})
    game.sit(page, 0)
    page.clock.install(time=1_000_000_000)  # a browser whose own clock is far from right
    page.goto(game.address)
    expect(page.get_by_role("timer")).to_have_text("1:29")
    page.clock.fast_forward(5000)
    expect(page.get_by_role("timer")).to_have_text("1:24")
    page.clock.fast_forward(75_000)
    expect(page.get_by_role("alert")).to_have_text("9 seconds left.")


def test_a_seat_whose_token_is_not_known_any_more_watches(page: Page, live: Live, errors: list[str]) -> None:
    game = Game(live, ANN, BEN, position=POSITION)
    game.tokens[0] = game.tokens[0][:-4] + "0000"
    game.sit(page, 0)
    page.goto(game.address)
    expect(page.get_by_text("you are watching")).to_be_visible()
    shown(page, 1)
    errors.clear()


def test_a_game_that_is_not_there_is_said_to_be_so(page: Page, errors: list[str]) -> None:
    page.goto("/games/07nothere")
    expect(page.get_by_role("alert")).to_have_text("There is no such game here.")
    errors.clear()


def test_rules_of_no_preset_are_told_one_by_one(page: Page, live: Live) -> None:
    game = Game(live, ANN, BEN)
    page.goto(game.address)
    page.get_by_role("button", name="Rules").click()
    dialog = page.get_by_role("dialog", name="Rules of its own")
    for line in ("Payoff cards: 2", "Wild: king", "A complete pile: goes into the stock"):
        expect(dialog.get_by_text(line, exact=True)).to_be_visible()


def test_who_cannot_see_the_table_is_told_it_and_can_play(page: Page, live: Live, axe: Judge) -> None:
    game = Game(live, ANN, BEN, position=POSITION)
    game.sit(page, 0)
    page.goto(game.address)
    shown(page, 1)
    page.get_by_role("button", name="In words").press("Enter")
    dialog = page.get_by_role("dialog", name="The table in words")
    axe(page)
    told = dialog.aria_snapshot()
    for line in (
        "Your turn. Kings are wild",
        "Centre pile 1: two of hearts on top, 2 cards, needs a three.",
        "Centre pile 2: empty, needs an ace.",
        "Stock, 13 cards.",
        "Payoff: three of spades, 2 left.",
        "Hand: four of clubs, nine of clubs, seven of diamonds, queen of spades, jack of diamonds.",
        "Side stack 4: nine of hearts; below it six of hearts.",
        "Hand, 2 hidden cards.",
    ):
        assert line in told
    dialog.get_by_role("button", name="Three of spades from the payoff to centre pile 1").press("Enter")
    shown(page, 2)
    expect(page.locator("[aria-live] p")).to_have_text(
        "You play the three of spades from the payoff onto centre pile 1. The next payoff card is the eight of clubs."
    )
    snapshot = page.get_by_role("main").aria_snapshot()
    assert 'button "four of clubs. Can be played"' in snapshot
    assert 'button "Centre pile 1, three of spades on top, 3 cards, needs a four"' in snapshot


def test_a_browser_that_keeps_nothing_is_told_what_that_means(page: Page, live: Live) -> None:
    page.add_init_script("Storage.prototype.setItem = () => { throw new Error('storage is forbidden') }")
    page.goto("/")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("status").filter(has_text="your seat is lost")).to_be_visible()
    expect(page.locator("button.held").first).to_be_visible()
