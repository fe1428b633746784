"""What can somebody ask who wants to know more? Every route, in every form, and every way to be refused.

`look_around` asks all of it in both worlds and raises `ToldApart` where the two answers differ by a byte.
"""

import random
from collections.abc import Iterator
from typing import Any, Final

from events.game.cards import ALL_CARDS
from events.game.moves import MOVES
from events.game.state import Game
from events.game.views import Viewer
from tests.services.secrecy.twins import Pair

STREAM: Final = {"Accept": "text/event-stream"}
LINES: Final = {"Accept": "application/x-ndjson"}
GARBAGE: Final = b'{"format":"malice-log/1","game":"00x","complete":true}\n{}\n'
WELL: Final = "/v1/games/{id}"


def look_around(pair: Pair, watcher: Viewer, rng: random.Random) -> None:
    """Every route of this game, asked as this seat, or as a spectator."""
    last = glance(pair, watcher)
    read(pair, watcher, last, rng.randint(1, last))
    be_refused(pair, watcher, last)
    act(pair, watcher, rng)


def glance(pair: Pair, watcher: Viewer) -> int:
    """What a client asks all the time: the view, and what is new. The last version that the watcher may know of."""
    last: int = pair.ask(watcher, "GET", WELL).json()["version"]
    pair.ask(watcher, "GET", f"{WELL}/events?after={last - 1}")
    return last


def read(pair: Pair, watcher: Viewer, last: int, at: int) -> None:
    """Views and events in all forms."""
    for query in (f"?at={at}", f"?at={last}", f"?at={last + 1}", "?at=0", "?as=0", "?as=all", "?as=9", "?x=1"):
        pair.ask(watcher, "GET", WELL + query)
    for query in ("", f"?after={at - 1}", "?limit=1", f"?after={last}", f"?after={last + 1}", "?as=0", "?as=all"):
        pair.ask(watcher, "GET", f"{WELL}/events{query}")
        pair.ask(watcher, "GET", f"{WELL}/events{query}", headers=LINES)
    for query, resumed in ((f"?limit={last}", "0"), ("?limit=1", str(at - 1)), ("", str(last + 1)), ("?as=all", "0")):
        pair.ask(watcher, "GET", f"{WELL}/events{query}", headers=STREAM | {"Last-Event-ID": resumed})
    for query in (
        "?limit=1",
        "?status=playing&limit=3",
        "?status=ended",
        "?status=dealt",
        "?cursor=1.{id}",
        "?arena={id}",
    ):
        pair.ask(watcher, "GET", f"/v1/games{query}")
    pair.ask(watcher, "GET", f"{WELL}/events?wait=60&after={at - 1}")
    for path in ("", "/events", "/log", "/verification"):
        pair.ask(watcher, "HEAD", WELL + path)
        pair.ask(watcher, "HEAD", WELL + path, headers=STREAM)
    for tag in (f'"{last}"', "*", f'"{last + 1}"'):
        pair.ask(watcher, "GET", WELL, headers={"If-None-Match": tag})


def be_refused(pair: Pair, watcher: Viewer, last: int) -> None:
    """What is for others, and what no form allows."""
    table = pair.games()[0]
    seats = [{"name": f"cheat {seat}"} for seat in range(len(table.players))]
    if table.status != "open":
        pair.ask(watcher, "POST", f"{WELL}/seats", {"name": "Eve"})
    for method, path, body in (
        ("GET", "/log", None),
        ("GET", "/verification", None),
        ("GET", "/nothing", None),
        ("PUT", "", None),
        ("POST", "/fork", {"at": last, "seats": seats}),
        ("POST", "/fork", {"at": 10**9, "seats": seats}),
        ("POST", "/fork", {"at": last, "seats": seats, "seed": "0" * 128}),
        ("POST", "/fork", {}),
        ("POST", "/seats", {"name": ""}),
        ("POST", "/moves", {"move": "no move"}),
        ("POST", "/moves", {"move": "pass", "all": True}),
        ("POST", "/moves", b'{"move": '),
        ("POST", "/moves", b"[" * 5000),
        ("POST", "/resign", {"seat": 0}),
    ):
        pair.ask(watcher, method, WELL + path, body)
    if table.result is None:
        pair.ask(watcher, "POST", f"{WELL}/rematch")
    for headers in (
        {"Authorization": "Bearer {id}.0." + "0" * 64},
        {"Authorization": "Basic YTpi"},
        {"If-Match": '"999"'},
        {"If-Match": "1"},
        {"Idempotency-Key": "k" * 201},
        {"Content-Type": "text/plain"},
    ):
        pair.ask(watcher, "POST", f"{WELL}/moves", {"move": "pass"}, headers)
    pair.ask(watcher, "POST", f"{WELL}/resign", headers={"If-Match": '"999"'})
    pair.ask(None, "POST", f"{WELL}/resign")
    pair.ask(None, "POST", "/v1/games/import", GARBAGE, {"Content-Type": "application/x-ndjson"})


def act(pair: Pair, watcher: Viewer, rng: random.Random) -> None:
    """Moves that the rules refuse: by lot, and such as ask for a card that lies somewhere hidden."""
    here, there = pair.games()
    asked = {*rng.sample(sorted(MOVES), 4), *oracles(here, rng), *oracles(there, rng)}
    legal = pair.ask(watcher, "GET", WELL).json()["legal"]
    for number, move in enumerate(sorted(asked - set(legal))):
        headers = {"Idempotency-Key": f"try {number}"[:4]} if number % 2 else {}
        pair.ask(watcher, "POST", f"{WELL}/moves", {"move": move}, headers)


def oracles(game: Game, rng: random.Random) -> Iterator[str]:
    """Moves with cards that the asker would like to know the place of."""
    for pile in (*(player.hand for player in game.players), *(player.payoff[:-1] for player in game.players)):
        if pile:
            yield f"{rng.choice(pile)}>c{rng.randrange(len(game.piles))}"
    if game.stock:
        yield f"{game.stock[-1]}>s0"
    yield f"p@{rng.randrange(10)}>c0"
    yield f"{rng.choice(ALL_CARDS)}>s1"
    yield "pass"


def ask_nothing_of_a_game(pair: Pair) -> Iterator[Any]:
    """The routes without a game: they are the same for everybody."""
    for path in (
        "/v1/rules",
        "/v1/bots",
        "/v1/arenas",
        "/healthz",
        "/readyz",
        "/openapi.json",
        "/docs",
        "/v1/games/00nowhere",
        "/x",
    ):
        yield pair.ask(None, "GET", path)


def look_at_match(match: Pair) -> None:
    """Every route of a match, by a spectator and by both seats."""
    well = "/v1/matches/{id}"
    for watcher in (None, *match.tokens[0]):
        for path in ("", "/log", "/verification", "/nothing"):
            match.ask(watcher, "GET", well + path)
            match.ask(watcher, "HEAD", well + path)
        match.ask(watcher, "POST", f"{well}/seats", {"name": "Eve"})
        match.ask(watcher, "POST", f"{well}/seats", b"{")
    match.ask(None, "GET", well, headers={"Authorization": "Bearer {id}.0." + "0" * 64})
