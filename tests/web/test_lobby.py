"""The lobby: what is chosen there is what is played, and one click plays it again.

Whoever sits down by the page does so after the commitment was made and seen: no deal can have been chosen (contract 4).
"""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect

from tests.live import Live, eventually
from tests.web.conftest import Judge, Shoot, watch_console

GAME = re.compile(r"/games/(\w+)$")
BOTS = [{"bot": "uniform", "name": "Una"}, {"bot": "eager", "name": "Edo"}]
SHORT = {"preset": "gato-e-rato", "payoff": 5}


def play(page: Page) -> str:
    """Press Play, and see the table. The id of the game."""
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url(GAME)
    return game_of(page)


def game_of(page: Page) -> str:
    found = GAME.search(page.url)
    assert found is not None
    return found[1]


def kept(page: Page, game: str) -> dict[str, Any]:
    return json.loads(page.evaluate("game => localStorage.getItem(`malice.game.${game}`)", game))


def view(live: Live, game: str) -> dict[str, Any]:
    return live.http.get(f"/v1/games/{game}").json()


def created(live: Live, **asked: Any) -> str:
    """A game made past the page."""
    return live.http.post("/v1/games", json={"rules": SHORT, "seats": BOTS, **asked}).json()["game"]


def ended(live: Live, **asked: Any) -> str:
    """Such a game between bots, played to its end."""
    game = created(live, **asked)
    eventually(lambda: view(live, game)["status"] == "ended")
    return game


def field(page: Page, name: str) -> Locator:
    return page.get_by_role("combobox", name=name)


def test_one_click_plays_and_the_seat_is_taken_after_the_commitment(page: Page, live: Live) -> None:
    page.goto("/")
    game = play(page)
    expect(page.locator("[data-place=stock]")).to_be_visible()
    own, commits = kept(page, game), live.http.get(f"/v1/games/{game}/events").json()["commits"]
    made, (taken, *_) = commits[0]["events"][0], commits[1]["events"]
    assert made["seats"][0]["kind"] == "open"
    assert (made["commitment"], taken["entropy"], taken["seat"]) == (own["commitment"], own["entropy"], own["seat"])
    assert len(own["entropy"]) == 32  # 128 random bits where no line was given
    assert taken["name"] == "Guest"
    assert [seat["kind"] for seat in view(live, game)["seats"]] == ["human", "bot"]


def test_every_knob_that_a_preset_takes_reaches_the_game(page: Page, live: Live, axe: Judge) -> None:
    page.goto("/")
    page.get_by_role("radio", name="Gatto e topo").check()
    page.get_by_label("Your name").fill("Ada")
    page.get_by_text("More choices").click()
    field(page, "Players").select_option("4")
    page.get_by_role("checkbox", name="Partnership").check()
    field(page, "A team wins").select_option("with its first empty payoff")
    field(page, "Playing").select_option("optional")
    field(page, "Seat 2").select_option("Planner")
    field(page, "Time for a turn").select_option("5 minutes")
    field(page, "When it runs out").select_option("the game is lost")
    page.get_by_role("checkbox", name="Show it in the list").uncheck()
    page.get_by_label("Your line for the shuffle").fill("rien ne va plus")
    axe(page)
    game = play(page)
    told = view(live, game)
    knobs = {"seats": 4, "decks": 4, "teams": True, "team_win": "first", "must_play": "never", "top": "K"}
    assert {knob: told["rules"][knob] for knob in knobs} == knobs
    assert [seat["name"] for seat in told["seats"]] == ["Ada", "Planner", "Greedy 3", "Greedy 4"]
    assert (told["clock"]["turn_seconds"], told["clock"]["on_expiry"]) == (300, "forfeit")
    assert kept(page, game)["entropy"] == "rien ne va plus"
    assert game not in [one["game"] for one in live.http.get("/v1/games?limit=100").json()["games"]]


def test_the_fields_are_those_of_the_service(page: Page, live: Live) -> None:
    sets = live.http.get("/v1/rules").json()["presets"]
    page.goto("/")
    page.get_by_text("More choices").click()
    for number, one in enumerate(sets):
        page.locator("input[name=preset]").nth(number).check()
        rules = page.get_by_role("group", name="Variations")
        fields = len(one["changes"]) + (one["rules"]["match"] is not None)  # its length: a game, or a whole match
        expect(rules.get_by_role("combobox").or_(rules.get_by_role("checkbox"))).to_have_count(fields)
        for box in rules.get_by_role("combobox").all():
            assert box.get_by_role("option").count() > 1


def test_what_was_chosen_last_is_played_next(page: Page, live: Live) -> None:
    page.goto("/")
    page.get_by_role("radio", name="Gato e rato").check()
    page.get_by_role("radio", name="Planner").check()
    page.get_by_text("More choices").click()
    field(page, "Payoff cards").select_option("7")
    page.reload()
    expect(page.get_by_text("Gato e rato · against Planner · Payoff cards: 7")).to_be_visible()
    told = view(live, play(page))
    assert (told["rules"]["payoff"], told["seats"][1]["name"]) == (7, "Planner")


def test_bots_alone_are_watched(page: Page, live: Live) -> None:
    page.goto("/")
    page.get_by_text("More choices").click()
    field(page, "Seat 1").select_option("Eager")
    game = play(page)
    assert [seat["kind"] for seat in view(live, game)["seats"]] == ["bot", "bot"]
    assert page.evaluate("localStorage.getItem('malice.game.' + location.pathname.slice(7))") is None


def test_rules_that_do_not_go_together_are_refused_in_place(page: Page, errors: list[str]) -> None:
    page.goto("/")
    page.get_by_role("radio", name="Gatto e topo").check()
    page.get_by_text("More choices").click()
    page.get_by_role("checkbox", name="Partnership").check()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("teams with 2 seats")
    assert page.url.endswith("/")
    page.get_by_role("checkbox", name="Partnership").uncheck()
    expect(page.get_by_role("alert")).to_have_count(0)
    assert all("422" in error for error in errors)
    errors.clear()


def test_an_answer_that_is_lost_makes_no_second_game_and_loses_no_seat(
    page: Page, live: Live, errors: list[str]
) -> None:
    asked: list[str] = []

    def lose(route: Route) -> None:
        asked.append(route.request.url)
        if asked.count(route.request.url) > 1:
            route.continue_()
        else:
            route.fetch()
            route.abort()

    page.goto("/")
    page.route(
        lambda url: "/v1/games" in url,
        lambda route: lose(route) if route.request.method == "POST" else route.continue_(),
    )
    before = len(live.http.get("/v1/games?limit=100").json()["games"])
    game = play(page)
    assert len(asked) == 4
    assert len(live.http.get("/v1/games?limit=100").json()["games"]) == before + 1
    seat = live.http.get(f"/v1/games/{game}", headers={"Authorization": f"Bearer {kept(page, game)['token']}"})
    assert seat.json()["seat"] == 0
    errors.clear()


def test_a_friend_sits_down_by_a_link(browser: Browser, page: Page, live: Live, errors: list[str], axe: Judge) -> None:
    page.goto("/")
    page.get_by_role("radio", name="A friend").check()
    page.get_by_label("Your name").fill("Ada")
    game = play(page)
    link = page.get_by_label("Link for your friend")
    expect(link).to_have_value(f"{live.url}/games/{game}")
    with browser.new_context(locale="it-IT", base_url=live.url) as elsewhere:
        friend = elsewhere.new_page()
        watch_console(friend, errors)
        friend.goto(link.input_value())
        expect(friend.get_by_text("Al tavolo c’è Ada.")).to_be_visible()
        friend.get_by_label("Il tuo nome").fill("Ben")
        axe(friend)
        friend.get_by_role("button", name="Siediti").click()
        for tab in (page, friend):
            expect(tab.locator(".join, .invite")).to_have_count(0)  # dealt
        assert [kept(tab, game)["seat"] for tab in (page, friend)] == [0, 1]
        assert kept(friend, game)["commitment"] == kept(page, game)["commitment"]
    assert [seat["name"] for seat in view(live, game)["seats"]] == ["Ada", "Ben"]


def test_a_seat_that_somebody_else_was_quicker_to_take_is_told(page: Page, live: Live, errors: list[str]) -> None:
    game = created(live, seats=[{"open": True}, {"bot": "eager"}])
    problem = json.dumps({"status": 409, "code": "seat_taken", "detail": "No seat of this game is open."})
    page.route(
        "**/seats", lambda route: route.fulfill(status=409, content_type="application/problem+json", body=problem)
    )
    page.goto(f"/games/{game}")
    page.get_by_role("button", name="Sit down").click()
    expect(page.locator(".join").get_by_role("alert")).to_have_text("That seat has just been taken.")
    assert page.evaluate("game => localStorage.getItem(`malice.game.${game}`)", game) is None
    errors.clear()


def test_where_a_key_is_needed_it_is_asked_for_and_kept(page: Page, errors: list[str], axe: Judge) -> None:
    def keyed(route: Route) -> None:
        given = route.request.headers.get("authorization")
        if route.request.method != "POST" or given == "Bearer open sesame":
            others = {name: value for name, value in route.request.headers.items() if name != "authorization"}
            route.continue_(headers=others)
        else:
            problem = {"status": 401, "code": "bad_token", "detail": "Creating games needs an API key here."}
            route.fulfill(status=401, content_type="application/problem+json", body=json.dumps(problem))

    page.route("**/v1/games", keyed)
    page.goto("/")
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_role("textbox", name="API key").fill("open sesame")
    axe(page)
    page.get_by_role("button", name="Use this key").click()
    page.wait_for_url(GAME)
    page.goto("/")
    play(page)  # and is not asked again
    assert all("401" in error for error in errors)
    errors.clear()


def test_own_games_are_gone_on_with(page: Page) -> None:
    page.goto("/")
    game = play(page)
    page.goto("/")
    own = page.get_by_role("region", name="Your games")
    own.get_by_role("link", name="Guest – Greedy").click()
    page.wait_for_url(f"**/games/{game}")


def test_games_that_the_service_does_not_know_are_forgotten(page: Page, errors: list[str]) -> None:
    page.add_init_script("localStorage.setItem('malice.game.07nothere', JSON.stringify({token: 'x', seat: 0}))")
    page.goto("/")
    eventually(lambda: page.evaluate("localStorage.getItem('malice.game.07nothere')") is None)
    expect(page.get_by_role("region", name="Your games")).to_have_count(0)
    errors.clear()


def test_games_are_found_by_how_they_stand_page_by_page(page: Page, live: Live, axe: Judge, shoot: Shoot) -> None:
    over = [ended(live) for _ in range(6)]
    free = created(live, seats=[{"open": True}, {"bot": "planner", "name": "Pia"}])
    page.goto("/")
    games = page.get_by_role("region", name="All games")
    games.get_by_role("button", name="Finished").click()
    links = games.get_by_role("link")
    expect(links.first).to_have_attribute("href", f"/games/{over[-1]}/replay")
    expect(links.first).to_contain_text("Una – Edo")
    expect(links.first).to_contain_text("Gato e rato, Payoff cards: 5")
    axe(page)
    shoot(page, "lobby-lists")
    expect(links).to_have_count(5)
    games.get_by_role("button", name="Older").click()
    expect(links.first).to_have_attribute("href", f"/games/{over[0]}/replay")
    games.get_by_role("button", name="Newer").click()
    expect(links.first).to_have_attribute("href", f"/games/{over[-1]}/replay")
    games.get_by_role("button", name="Waiting").click()
    games.get_by_role("link", name=re.compile("free seat – Pia")).first.click()
    page.wait_for_url(f"**/games/{free}")
    expect(page.get_by_role("button", name="Sit down")).to_be_visible()


def test_lists_are_read_again_while_one_looks(page: Page, live: Live) -> None:
    page.clock.install()
    page.goto("/")
    games = page.get_by_role("region", name="All games")
    games.get_by_role("button", name="Waiting").click()
    expect(games.get_by_role("button", name="Waiting")).to_have_attribute("aria-pressed", "true")
    game = created(live, seats=[{"open": True}, {"bot": "planner", "name": "Neu"}])
    page.clock.run_for(5000)
    expect(games.get_by_role("link", name=re.compile("Neu")).first).to_have_attribute("href", f"/games/{game}")


def test_arenas_stand_in_the_lobby_with_their_best_bots(page: Page, live: Live) -> None:
    asked = {"bots": ["uniform", "planner"], "games": 2, "rules": SHORT}
    arena = live.http.post("/v1/arenas", json=asked).json()["arena"]
    eventually(lambda: live.http.get(f"/v1/arenas/{arena}").json()["status"] == "ended")
    best = live.http.get(f"/v1/arenas/{arena}").json()["bots"][0]
    page.goto("/")
    link = page.get_by_role("region", name="Arenas").get_by_role("link").first
    expect(link).to_have_attribute("href", f"/arenas/{arena}")
    expect(link).to_contain_text(f"{best['bot']} {best['score']:.0%}")
    expect(link).to_contain_text("2 of 2 games")


@pytest.mark.parametrize(
    ("locale", "language", "button", "rules", "label"),
    [
        ("it-IT", "it", "Gioca", "Gatto e topo · contro Greedy", "Il tuo nome"),
        ("pt-PT", "pt", "Jogar", "Gato e rato · contra Greedy", "O teu nome"),
        ("es-ES", "es", "Jugar", "Spite & Malice · contra Greedy", "Tu nombre"),
        ("fr-FR", "en", "Play", "Spite & Malice · against Greedy", "Your name"),
    ],
)
def test_the_page_speaks_the_language_of_its_browser(
    browser: Browser,
    live: Live,
    errors: list[str],
    locale: str,
    language: str,
    button: str,
    rules: str,
    label: str,
) -> None:
    with browser.new_context(locale=locale, base_url=live.url) as context:
        tab = context.new_page()
        watch_console(tab, errors)
        tab.goto("/")
        expect(tab.locator("html")).to_have_attribute("lang", language)
        expect(tab.get_by_role("button", name=button, exact=True)).to_be_visible()
        expect(tab.get_by_text(rules, exact=True)).to_be_visible()
        expect(tab.get_by_label(label)).to_be_visible()
    assert errors == []


def test_another_language_keeps_what_was_chosen(page: Page) -> None:
    page.goto("/")
    page.get_by_role("radio", name="Planner").check()
    page.get_by_label("Your name").fill("Ada")
    page.get_by_label("Language and speed").click()
    field(page, "Language").select_option("it")
    expect(page.get_by_role("button", name="Gioca", exact=True)).to_be_visible()
    expect(page.get_by_label("Il tuo nome")).to_have_value("Ada")
    expect(page.get_by_role("radio", name="Planner")).to_be_checked()
    page.reload()
    expect(page.get_by_role("button", name="Gioca", exact=True)).to_be_visible()


def test_it_is_played_by_the_keyboard_alone(page: Page) -> None:
    page.goto("/")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == "Play":
            break
    page.keyboard.press("Enter")
    page.wait_for_url(GAME)


def test_nothing_is_wider_than_a_phone(context: BrowserContext, page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    for address in ("/", "/how-to-play"):
        page.goto(address)
        expect(page.locator(".panel").nth(1)).to_be_attached()
        if address == "/":
            page.get_by_text("More choices").click()
        assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_how_to_play_is_told_for_each_rule_set_in_each_language(page: Page, axe: Judge, shoot: Shoot) -> None:
    told: list[str] = []
    page.goto("/how-to-play")
    page.get_by_label("Language and speed").click()
    for language in ("en", "it", "pt", "es"):
        page.locator(".wishes select").first.select_option(language)
        expect(page.locator("html")).to_have_attribute("lang", language)
        for name in ("Gatto e topo", "Gato e rato", "Spite & Malice"):
            page.get_by_role("button", name=name).click()
            expect(page.locator(".rules section")).to_have_count(7)
            told.append(page.locator(".rules").inner_text())
    assert len(set(told)) == 12
    axe(page)
    shoot(page, "howto")


def test_another_rule_set_is_a_click_away_and_in_the_address(page: Page) -> None:
    page.goto("/how-to-play?rules=gato-e-rato")
    expect(page.get_by_text("Kings are wild.")).to_be_visible()
    page.get_by_role("button", name="Gatto e topo").click()
    expect(page.get_by_text("A king is a king")).to_be_visible()
    expect(page.get_by_role("img", name="Centre: three of hearts")).to_be_visible()
    assert page.url.endswith("?rules=gatto-e-topo")
