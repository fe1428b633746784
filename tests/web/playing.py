"""How does a test sit down at a table of the page? Games made past it, whose seats are put where a browser keeps them.

Movements are off unless a test asks for them: what is drawn is then the service's view and nothing else.
"""

import json
from typing import Any, Final

from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.live import Live

SHORT: Final = {
    "seats": 2, "decks": 2, "jokers": 0, "payoff": 2, "hand": 5, "centre_piles": 3, "side_stacks": 4, "top": "Q",
    "wild": "K", "wild_may_start": True, "wild_on_wild": True, "completed": "stock", "starter": "highest",
    "refill": True, "must_play": "never", "discard": "any", "exhaustion": "fewest", "exhaustion_at": "zero",
    "teams": False, "team_win": None, "points": None, "match": None, "turn_limit": 2000,
}  # fmt: skip
"""`gato-e-rato` with a payoff of two cards."""
BOT: Final = {"bot": "greedy", "name": "Greedy"}
ANN: Final = {"name": "Ann"}
BEN: Final = {"name": "Ben"}
POSITION: Final[dict[str, Any]] = {
    "payoffs": [["8c", "3s"], ["Jh", "Js", "8s"]],
    "hands": [["4c", "9c", "7d", "Qs", "Jd"], ["Td", "Th"]],
    "sides": [[["2d"], [], [], ["6h", "9h"]], [[], [], [], []]],
    "piles": [["Ah", "2h"], [], ["As"]],
    "stock": ["Ts", "Jc", "Ad", "Jh", "Js", "Tc", "Td", "Th", "Ts", "5d", "6d", "Qd", "2c"],
    "aside": [],
    "seat": 0,
    "turn": 5,
    "passes": 0,
    "resigned": [],
}
"""Seat 0 has an 8 below its payoff's 3: with 3, 4 and whatever comes it may win soon."""


class Game:
    """A game, and the tokens of its people."""

    def __init__(self, live: Live, *seats: dict[str, Any], rules: Any = SHORT, **asked: Any) -> None:
        made = live.http.post("/v1/games", json={"rules": rules, "seats": list(seats), **asked}).json()
        self.live, self.id = live, made["game"]
        self.tokens: dict[int, str] = {seat["seat"]: seat["token"] for seat in made["seats"]}

    @property
    def address(self) -> str:
        return f"/games/{self.id}"

    def headers(self, seat: int) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.tokens[seat]}"}

    def view(self, seat: int | None = None) -> dict[str, Any]:
        headers = {} if seat is None else self.headers(seat)
        return self.live.http.get(f"/v1{self.address}", headers=headers).json()

    def move(self, seat: int, text: str) -> dict[str, Any]:
        """A move made past the page; the view after it."""
        answer = self.live.http.post(f"/v1{self.address}/moves", json={"move": text}, headers=self.headers(seat))
        assert answer.status_code == 200, answer.text
        return answer.json()["view"]

    def sit(self, browser: BrowserContext | Page, seat: int, *, speed: str = "off") -> None:
        """From its next page on this browser holds the seat."""
        prefer(browser, speed=speed)
        name = json.dumps(f"malice.game.{self.id}")
        held = json.dumps(json.dumps({"token": self.tokens[seat], "seat": seat, "name": "Ann"}))
        browser.add_init_script(f"localStorage.getItem({name}) ?? localStorage.setItem({name}, {held})")


def prefer(browser: BrowserContext | Page, *, speed: str) -> None:
    """How fast cards move in this browser from its next page on."""
    browser.add_init_script(f"localStorage.setItem('malice.wish.speed', '\"{speed}\"')")


def place(page: Page, name: str) -> Locator:
    """A place on the table."""
    return page.locator(f'[data-place="{name}"]')


def shown(page: Page, version: int) -> None:
    """Returns when the table stands at this version, and may be played on."""
    expect(page.locator(f'.play:not([data-busy]) .table[data-version="{version}"]')).to_be_visible()


def settled(page: Page) -> str:
    """Waits until one may play, or the game is over; answers with which: "turn" or "over"."""
    ready = page.locator(".play:not([data-busy])").filter(
        has=page.get_by_text("Your turn.", exact=True).or_(page.locator(".result"))
    )
    expect(ready.first).to_be_visible()
    return "over" if page.locator(".result").count() else "turn"
