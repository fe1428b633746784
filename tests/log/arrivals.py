"""Which logs come in from elsewhere? Ended games of every kind, and some as another implementation writes them."""

from collections.abc import Callable
from typing import Any, Final

import msgspec

from events.game.commands import Abandon, ExpireClock, Forfeit, Resign
from events.game.events import SeatInfo
from events.game.presets import PRESETS, resolve
from tests.log.damage import source
from tests.log.games import SHORT, Book, chained, log_file, read_file
from tests.log.recipes import ODD_TEXT, RECIPES

OPEN: Final = (SeatInfo("Ana", "human", None, "dés"), SeatInfo(None, "open", None, ""))
BOTS: Final = tuple(SeatInfo(f"bot {seat}", "bot", "greedy", "") for seat in range(2))


def teams() -> bytes:
    """Four seats in two teams."""
    return Book(resolve({"preset": "gatto-e-topo", "seats": 4, "teams": True}), 6).moves().file()


def forked() -> bytes:
    """A game that goes on from another one's position."""
    return edited(source("from-a-position"), forked_from={"game": "00elsewhere", "version": 12})


def of_a_match() -> bytes:
    """A game of a match of the service that it comes from."""
    return edited(Book("spite-and-malice", 3).moves().file(), match="07match")


def clock() -> bytes:
    """Somebody's time is up."""
    book = Book("gatto-e-topo", 4).moves(9)
    return book.do(ExpireClock(book.game.turn.seat if book.game.turn else 0), "system").file()


def forfeited() -> bytes:
    """A bot fails."""
    book = Book("gatto-e-topo", 4, seats=BOTS).moves(9)
    seat = book.game.turn.seat if book.game.turn else 0
    return book.do(Forfeit(seat, "error"), f"bot:{seat}").file()


def from_another_program() -> bytes:
    """Other ids, keys and times than this program writes: the contract says nothing against them."""
    head, commits = read_file(source("short"))
    for commit in commits:
        commit["at"] = f"1999-12-31T23:59:{commit['version'] % 60:02}.000Z"
        commit["key"] = [None, "", ODD_TEXT, "x" * 300][commit["version"] % 4]
    commits[0]["events"][0] |= {"game": "match-7/game 3", "match": "../7"}
    commits[0]["events"][0]["seats"][0]["name"] = ODD_TEXT * 9
    return log_file("match-7/game 3", head["complete"], chained(commits))


def edited(file: bytes, game: str | None = None, **created: Any) -> bytes:
    """The log with these fields of `GameCreated`, under another head where one is given; chained anew."""
    head, commits = read_file(file)
    commits[0]["events"][0] |= created
    return log_file(game or head["game"], head["complete"], chained(commits))


def headed(file: bytes, game: str) -> bytes:
    """The same log under another id: the chain stays."""
    head, commits = read_file(file)
    return log_file(game, head["complete"], commits)


ARRIVALS: Final[dict[str, Callable[[], bytes]]] = {
    **{f"golden {name}": lambda name=name: source(name) for name in RECIPES},
    **{f"{preset}, fresh": lambda preset=preset: Book(preset, 33).moves().file() for preset in PRESETS},
    "teams": teams,
    "seats by lot": lambda: (
        Book(msgspec.structs.replace(PRESETS["gatto-e-topo"].rules, starter="random", payoff=4), 3).moves().file()
    ),
    "bots": lambda: source("bots"),
    "an open seat taken with entropy": lambda: Book(SHORT, 3, seats=OPEN).sit(1, "dados").moves().file(),
    "resigned": lambda: Book("gato-e-rato", 5).moves(4).do(Resign(1), "seat:1").file(),
    "clock expired": clock,
    "forfeited": forfeited,
    "abandoned": lambda: Book("gato-e-rato", 5).moves(4).do(Abandon(), "system").file(),
    "abandoned before all have sat down": lambda: Book(SHORT, 3, seats=OPEN).do(Abandon(), "system").file(),
    "forked": forked,
    "of a match": of_a_match,
}
"""Logs whose ids are possible ones here."""
