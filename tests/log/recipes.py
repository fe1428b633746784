"""Which games do the golden logs tell of? One of each preset, and what those lack: a tie, leaving, a position, jokers.

`python -m tests.log.recipes` writes the golden files that are missing. One that is there is never written again: it
stands for the logs of its schema that people have (contract, section 2).
"""

from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from events.game.commands import ExpireClock, Forfeit, Resign
from events.game.events import Position, SeatInfo
from events.game.presets import resolve
from events.game.rules import check
from tests.log.games import SHORT, Book

GOLDEN: Final = Path(__file__).parent / "golden"
ODD_TEXT: Final = '"\\/ é\u2028😀 \x7f \b\t\n\f\r \x00\x01\x1f</script>'
"""Everything that JSON may or must not escape."""


def whole(preset: str, number: int) -> Book:
    """A game of this preset, from the deal to the last payoff card."""
    return Book(preset, number, game="00golden").moves()


def tie() -> Book:
    """R4: the payoff tops are equal, and are shuffled again."""
    return Book(SHORT, 21, game="00golden").moves()


def leaving() -> Book:
    """Six seats in two teams, people and bots and open seats, who leave one after the other in every way there is."""
    rules = resolve({"preset": "gatto-e-topo", "seats": 6, "teams": True})
    seats = (
        SeatInfo(f"Ana {ODD_TEXT}", "human", None, "été\u2028"),
        SeatInfo(None, "open", None, ""),
        SeatInfo("Rui", "bot", "greedy", ""),
        SeatInfo(None, "open", None, ""),
        SeatInfo("Eva", "human", None, ""),
        SeatInfo("Leo", "bot", "planner", ""),
    )
    book = Book(rules, 2, game="00golden", seats=seats).sit(1, "dés").sit(3).moves(40)
    book.do(Resign(4), "seat:4", ODD_TEXT).moves(20)
    for _ in range(12):
        seat = book.game.turn.seat if book.game.turn else 0
        if book.game.result is None and seat in (2, 5):
            book.do(Forfeit(seat, "timeout" if seat == 2 else "illegal_move"), f"bot:{seat}")
        elif book.game.result is None and seat in (1, 3):
            book.do(ExpireClock(seat), "system")
        book.moves(7)
    return book.do(Resign(0), "seat:0") if book.game.result is None else book


def position() -> Book:
    """A table with few cards left: they run out, the cards aside come back, and both pass until it is blocked."""
    start = Position(
        payoffs=(("9d", "Kc"), ("8d", "Kd")),
        hands=(("Ac", "2c", "Jh"), ("3h", "Th")),
        sides=((("4h",), (), (), ()), (("Qs", "5s"), (), (), ())),
        piles=((), ("Ad", "2d"), ("Ah", "2h", "3d", "4d", "5d", "6d", "7d", "8h", "9h", "Td", "Jd", "Qd")),
        stock=("4c",),
        aside=("As", "2s", "7s"),
        seat=1,
        turn=31,
        passes=0,
        resigned=(),
    )
    return Book("gatto-e-topo", 4, game="00golden", position=start).moves()


def jokers() -> Book:
    """Rules of one's own: three seats, jokers, a starter by lot, no refill, aces and twos that must be played."""
    rules = msgspec.structs.replace(
        resolve("spite-and-malice"),
        seats=3,
        jokers=7,
        payoff=6,
        hand=4,
        centre_piles=4,
        side_stacks=3,
        wild_may_start=False,
        wild_on_wild=False,
        starter="random",
        refill=False,
        must_play="aces_and_twos",
        discard="no_wilds",
        exhaustion="fewest",
        exhaustion_at="short",
    )
    return Book(check(rules), 5, game="00golden").moves()


RECIPES: Final[dict[str, Callable[[], Book]]] = {
    "gatto-e-topo": lambda: whole("gatto-e-topo", 1),
    "gato-e-rato": lambda: whole("gato-e-rato", 1),
    "spite-and-malice": lambda: whole("spite-and-malice", 8),
    "tie-at-the-deal": tie,
    "sitting-and-leaving": leaving,
    "from-a-position": position,
    "jokers-by-lot": jokers,
}


def golden(name: str) -> Path:
    """Where the golden log of schema 1 of this name lies."""
    return GOLDEN / f"{name}.1.ndjson"


if __name__ == "__main__":
    for each, recipe in RECIPES.items():
        if not golden(each).exists():
            golden(each).write_bytes(recipe().file())
