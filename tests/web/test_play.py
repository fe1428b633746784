"""Playing on the page: by mouse, by finger, by keys alone. What is refused is told, with its rule."""

import re
from collections.abc import Generator
from contextlib import contextmanager

from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect

from tests.live import Live
from tests.web.conftest import SCREENS, Judge, Shoot, watch_console
from tests.web.playing import ANN, BEN, BOT, POSITION, SHORT, Game, place, settled, shown


def best(page: Page) -> tuple[str, str]:
    """A card that can be played and where to, or a discard: from the table as the page marks it."""
    movable = page.locator("button.movable")
    source = movable.first if movable.count() else page.locator("button.held").first
    return source.get_attribute(
        "data-place"
    ) or "", "button.target[data-place^=c]" if movable.count() else "button.target"


def test_a_whole_game_by_mouse(page: Page, live: Live, axe: Judge) -> None:
    game = Game(live, ANN, BOT, position=POSITION | {"payoffs": [["5h", "3s"], ["Jh", "8s"]]})
    game.sit(page, 0)
    page.goto(game.address)
    while settled(page) == "turn":
        source, target = best(page)
        place(page, source).click()
        expect(place(page, source)).to_have_class(re.compile("chosen"))
        page.locator(target).first.click()
        expect(page.locator(".chosen")).to_have_count(0)
    view = game.view(0)
    shown(page, view["version"])
    assert view["status"] == "ended"
    winner = "You have won." if 0 in view["result"]["winners"] else "Greedy has won."
    expect(page.get_by_role("heading", name=winner)).to_be_focused()
    expect(page.get_by_role("link", name="Replay")).to_have_attribute("href", f"{game.address}/replay")
    axe(page)


def test_a_whole_game_by_keys_alone(page: Page, live: Live) -> None:
    game = Game(live, ANN, BOT, position=POSITION | {"payoffs": [["5h", "3s"], ["Jh", "8s"]]})
    game.sit(page, 0)
    page.goto(game.address)

    def reach(selector: str) -> None:
        for _ in range(80):
            if page.evaluate("wanted => document.activeElement.matches(wanted)", selector):
                return
            page.keyboard.press("Tab")
        raise AssertionError(f"no Tab leads to {selector}")

    while settled(page) == "turn":
        source, target = best(page)
        reach(f'[data-place="{source}"]')
        page.keyboard.press("Enter")
        reach(target)
        page.keyboard.press("Enter")
        expect(page.locator(".chosen")).to_have_count(0)
    assert game.view()["status"] == "ended"
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Play again")).to_be_focused()


def test_arrows_go_from_place_to_place_as_they_lie_and_escape_lets_go(page: Page, live: Live) -> None:
    game = Game(live, ANN, BEN, position=POSITION)
    game.sit(page, 0)
    page.goto(game.address)
    shown(page, 1)
    place(page, "h0.0").focus()
    for key, there in (
        ("ArrowRight", "h0.1"),
        ("ArrowUp", "s0.0"),
        ("ArrowLeft", "p0"),
        ("ArrowUp", "c0"),
        ("ArrowRight", "c1"),
    ):
        page.keyboard.press(key)
        expect(place(page, there)).to_be_focused()
    place(page, "p0").focus()
    page.keyboard.press("Enter")
    expect(place(page, "p0")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    expect(page.locator(".chosen")).to_have_count(0)
    page.keyboard.press("Enter")
    place(page, "c0").focus()
    page.keyboard.press("Enter")
    shown(page, 2)
    expect(place(page, "p0")).to_be_focused()  # the next card may come from where the last one came


def test_a_whole_game_by_finger_on_a_phone(browser: Browser, live: Live, axe: Judge, shoot: Shoot) -> None:
    game = Game(live, ANN, BOT, position=POSITION | {"payoffs": [["5h", "3s"], ["Jh", "8s"]]})
    with on_a_phone(browser, live) as context:
        game.sit(context, 0)
        page, errors = context.new_page(), list[str]()
        watch_console(page, errors)
        page.goto(game.address)
        assert settled(page) == "turn"
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        axe(page)
        shoot(page, "play")
        while settled(page) == "turn":
            source, target = best(page)
            place(page, source).tap()
            page.locator(target).first.tap()
            expect(page.locator(".chosen")).to_have_count(0)
        assert game.view()["status"] == "ended"
        assert errors == []


def test_the_widest_rules_find_room_on_a_small_phone(browser: Browser, live: Live, shoot: Shoot) -> None:
    rules = SHORT | {"decks": 4, "hand": 10, "centre_piles": 8, "side_stacks": 8, "completed": "aside"}
    game = Game(live, ANN, BEN, rules=rules)
    with on_a_phone(browser, live) as context:
        game.sit(context, 0)
        page = context.new_page()
        page.set_viewport_size({"width": 320, "height": 640})
        page.goto(game.address)
        shown(page, 1)
        assert page.evaluate("document.documentElement.scrollWidth") == 320
        assert page.locator("button.place").count() == 1 + 8 + 8 + 10
        small = (
            "places => places.filter(({ offsetWidth, offsetHeight }) => offsetWidth < 44 || offsetHeight < 44).length"
        )
        assert page.locator("button.place").evaluate_all(small) == 0
        shoot(page, "widest")


def test_a_card_is_dragged_by_a_finger_and_the_page_stays_where_it_is(browser: Browser, live: Live) -> None:
    game = Game(live, ANN, BEN, position=POSITION)
    with on_a_phone(browser, live) as context:
        game.sit(context, 0)
        page = context.new_page()
        page.goto(game.address)
        shown(page, 1)
        drag_by_finger(page, "p0", "c0")
        shown(page, 2)
        assert page.evaluate("scrollY") == 0


@contextmanager
def on_a_phone(browser: Browser, live: Live) -> Generator[BrowserContext]:
    size = ViewportSize(width=390, height=844)
    context = browser.new_context(base_url=live.url, viewport=size, has_touch=True, is_mobile=True, locale="en-GB")
    yield context
    context.close()


def drag_by_finger(page: Page, source: str, target: str) -> None:
    finger = page.context.new_cdp_session(page)
    start, end = middle(page, source), middle(page, target)
    for step in range(6):
        x, y = (a + (b - a) * step / 5 for a, b in zip(start, end, strict=True))
        kind = "touchStart" if step == 0 else "touchMove"
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def middle(page: Page, name: str) -> tuple[float, float]:
    box = place(page, name).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + 30


def drag(page: Page, source: str, target: str) -> None:
    page.mouse.move(*middle(page, source))
    page.mouse.down()
    page.mouse.move(*middle(page, target), steps=4)
    page.mouse.up()


def test_a_card_is_dragged_and_a_card_for_one_pile_goes_there_by_two_clicks(page: Page, live: Live) -> None:
    game = Game(live, ANN, BEN, position=POSITION)
    game.sit(page, 0)
    page.goto(game.address)
    shown(page, 1)
    drag(page, "p0", "c0")
    shown(page, 2)
    place(page, "h0.0").dblclick()  # the four: only the first pile needs it
    shown(page, 3)
    drag(page, "h0.0", "s0.1")  # a discard ends the turn
    shown(page, 4)
    view = game.view(0)
    assert (view["piles"][0], view["seats"][0]["sides"][1], view["turn"]["seat"]) == (
        ["Ah", "2h", "3s", "4c"],
        ["9c"],
        1,
    )
    expect(page.locator(".ghost")).to_have_count(0)


def test_a_card_let_go_while_something_else_happens_goes_back(page: Page, live: Live) -> None:
    """Given a card in the air, when the seat plays by another tab, then no move is tried and it comes down again."""
    game = Game(live, ANN, BEN, position=POSITION)
    game.sit(page, 0, speed="slow")
    page.goto(game.address)
    shown(page, 1)
    page.mouse.move(*middle(page, "h0.0"))
    page.mouse.down()
    page.mouse.move(*middle(page, "c0"), steps=4)
    expect(page.locator(".held-up")).to_have_count(1)
    game.move(0, "p>c0")
    expect(page.locator(".play[data-busy]")).to_be_visible()
    page.mouse.up()
    shown(page, 2)
    expect(page.locator(".ghost")).to_have_count(0)


def test_whatever_is_no_move_is_told_with_its_rule_and_changes_nothing(
    page: Page, live: Live, shoot: Shoot, errors: list[str]
) -> None:
    game = Game(live, ANN, BEN, position=POSITION)
    game.sit(page, 0)
    page.goto(game.address)
    shown(page, 1)
    told = page.get_by_role("alert")
    for source, target, sentence in (
        ("h0.1", "c1", "The nine of clubs does not fit: centre pile 2 needs an ace (R8)."),
        ("p0", "c2", "The three of spades does not fit: centre pile 3 needs a two (R8)."),
        ("s0.3", "s0.1", "A side stack’s card does not go onto another side stack: only to a centre pile (R15)."),
        ("p0", "s0.1", "A payoff card goes to a centre pile only, never onto a side stack (R15)."),
        ("h0.1", "p0", "No card goes onto a payoff (R15)."),
        ("c0", "c1", "A card stays where it lies in a centre pile (R15)."),
        ("p1", "c1", "Only a partner’s payoff may be played (R21)."),
        ("h0.1", "stock", "A card goes to a centre pile, or from the hand onto one of your own side stacks (R15)."),
    ):
        drag(page, source, target)
        expect(told).to_have_text(sentence)
        page.keyboard.press("Escape")
    place(page, "s0.2").click()
    expect(told).to_have_text("Nothing lies there.")
    place(page, "c1").click()
    expect(told).to_have_text("Choose a card first, then the pile it goes to.")
    shoot(page, "refused")
    assert game.view()["version"] == 1
    assert all("422" in error for error in errors)
    errors.clear()
    place(page, "p0").click()
    expect(told).to_have_text("")
    place(page, "c0").click()
    shown(page, 2)


def test_a_move_out_of_turn_is_refused_by_the_service_and_told(page: Page, live: Live, errors: list[str]) -> None:
    game = Game(live, ANN, BEN, position=POSITION | {"seat": 1})
    game.sit(page, 0)
    page.goto(game.address)
    expect(page.get_by_text("Ben is playing.")).to_be_visible()
    place(page, "p0").click()
    place(page, "c0").click()
    expect(page.get_by_role("alert")).to_have_text("It is not your turn.")
    assert all("409" in error for error in errors)
    errors.clear()


def test_resigning_is_asked_twice_and_the_next_game_is_with_the_same(
    page: Page, live: Live, shoot: Shoot, axe: Judge
) -> None:
    game = Game(live, ANN, BOT, rules=SHORT | {"payoff": 20})  # not won before anybody looks
    game.sit(page, 0)
    page.goto(game.address)
    settled(page)
    page.get_by_role("button", name="Resign").click()
    dialog = page.get_by_role("dialog", name="Resign this game?")
    axe(page)
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_have_count(0)
    assert game.view()["status"] == "playing"
    page.get_by_role("button", name="Resign").click()
    dialog.get_by_role("button", name="Resign").click()
    expect(page.get_by_role("heading", name="Greedy has won.")).to_be_visible()
    shoot(page, "over")
    page.get_by_role("button", name="Play again").click()
    page.wait_for_url(lambda url: "/games/" in url and game.id not in url)
    expect(page.locator('.play[data-status="playing"]')).to_be_visible()
    expect(page.get_by_role("region", name="Ann (you)")).to_be_visible()
    again = live.http.post(f"/v1{game.address}/rematch", headers=game.headers(0)).json()["game"]
    assert page.url.endswith(again)


def test_where_the_system_chooses_the_colours_a_table_can_still_be_read(page: Page, live: Live, shoot: Shoot) -> None:
    game = Game(live, ANN, BEN, position=POSITION)
    game.sit(page, 0)
    page.emulate_media(forced_colors="active")
    page.goto(game.address)
    shown(page, 1)
    place(page, "p0").click()
    mark = "place => getComputedStyle(place.querySelector('.stack'), '::after').outlineStyle"
    assert [place(page, one).evaluate(mark) for one in ("p0", "c0", "h0.1")] == ["solid", "solid", "none"]
    edge = "cards => new Set(cards.map(card => getComputedStyle(card).borderStyle))"
    assert page.locator(".card:not(.none)").evaluate_all(f"cards => [...({edge})(cards)]") == ["solid"]
    shoot(page, "forced")


def test_a_phone_on_its_side_shows_the_whole_table(browser: Browser, live: Live) -> None:
    game = Game(live, ANN, BEN, position=POSITION)
    with on_a_phone(browser, live) as context:
        game.sit(context, 0)
        page = context.new_page()
        page.set_viewport_size({"width": 844, "height": 390})
        page.goto(game.address)
        shown(page, 1)
        below = "places => places.filter((place) => place.getBoundingClientRect().bottom > innerHeight).length"
        assert page.locator("button.place").evaluate_all(below) == 0
        assert page.evaluate("document.documentElement.scrollWidth") == 844
        page.screenshot(path=SCREENS / "play-844.png")
