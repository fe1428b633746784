"""How does a test come by a match's log? Played here, and written down a second time, with the standard library alone.

Points are added up here by themselves: what the program says of a match is held against them.

`python -m tests.log.match_books` writes the golden match's files that are missing; one that is there stays for ever.
"""

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from events.game.commands import Abandon, Resign
from events.game.events import SeatInfo
from events.game.presets import PRESETS
from events.game.rules import Rules
from tests.log.games import Book, Json, chained, plain, read_file, ticking

GOLDEN: Final = Path(__file__).parent / "golden_match"
MATCH: Final = "00match"
TARGET: Final = 15
SHORT_MATCH: Final[Rules] = msgspec.structs.replace(
    PRESETS["spite-and-malice"].rules, payoff=5, match=TARGET, turn_limit=24
)
"""Rules of a match that is over after a few games, some of them drawn."""
ADA: Final = SeatInfo("Ada", "human", None, "dés")
BEN: Final = SeatInfo("Ben", "human", None, "dados")
OPEN: Final = SeatInfo(None, "open", None, "")
GUEST: Final = SeatInfo("guest 1", "human", None, "mine")
"""Who takes the open seat of a book."""
END: Final = "MatchEnded"


class MatchBook:
    """A match in the making: its bodies, and the logs of its games."""

    def __init__(self, seats: tuple[SeatInfo, ...] = (ADA, BEN), rules: Rules = SHORT_MATCH) -> None:
        self.rules, self.seats, self.now = rules, seats, ticking()
        self.totals = [0] * len(seats)
        self.bodies: list[Json] = []
        self.games: dict[str, bytes] = {}
        self.ended = False
        told = [msgspec.to_builtins(seat) for seat in seats]
        self.write({"type": "MatchStarted", "match": MATCH, "target": rules.match, "seats": told})

    def begin(self, number: int) -> Book:
        """The next game, begun; an open seat is taken."""
        name = f"00game{len(self.games)}"
        book = Book(self.rules, number, game=name, seats=self.seats, match=MATCH)
        if OPEN in self.seats:
            book.sit(self.seats.index(OPEN), GUEST.entropy)
            self.seats = tuple(GUEST if seat == OPEN else seat for seat in self.seats)
        return book

    def score(self, book: Book) -> "MatchBook":
        """Enter a game that has ended."""
        self.games[book.name] = book.file()
        end = book.bodies[-1]["events"][-1]
        self.totals = [total + more for total, more in zip(self.totals, end["points"], strict=True)]
        told = {name: end[name] for name in ("result", "winners", "points")}
        events: list[Json] = [{"type": "GameScored", "game": book.name, **told, "totals": self.totals}]
        winner = next((seat for seat, total in enumerate(self.totals) if total >= (self.rules.match or 0)), None)
        if winner is not None or end["result"] == "aborted":
            events.append({"type": END, "winner": winner, "totals": self.totals})
            self.ended = True
        return self.write(*events)

    def play(self, number: int) -> "MatchBook":
        """A game played to its end."""
        return self.score(self.begin(number).moves())

    def resign(self, number: int, seat: int) -> "MatchBook":
        """A game that this seat leaves after a few moves."""
        return self.score(self.begin(number).moves(4).do(Resign(seat), f"seat:{seat}"))

    def abandon(self, number: int) -> "MatchBook":
        """A game that nobody goes on with."""
        return self.score(self.begin(number).moves(4).do(Abandon(), "system"))

    def write(self, *events: Json) -> "MatchBook":
        """One more commit."""
        version = len(self.bodies) + 1
        self.bodies.append({"version": version, "at": self.now(), "by": "system", "key": None, "events": list(events)})
        return self

    def file(self) -> bytes:
        """The log file."""
        return match_file(self.ended, chained(self.bodies))


def match_file(complete: bool, commits: Sequence[Json], match: str = MATCH) -> bytes:
    """A match's log file with these lines."""
    head = {"format": "malice-match/1", "match": match, "complete": complete}
    return b"".join(plain(line) + b"\n" for line in (head, *commits))


@functools.cache
def played() -> MatchBook:
    """A match to its end: games that are played, drawn or left, and a seat that was open at first."""
    book = MatchBook((ADA, OPEN))
    for number in (1, 2):
        book.play(number)
    book.resign(3, 0)
    number = 4
    while not book.ended:
        book.play(number)
        number += 1
    return book


def commits_of(file: bytes) -> list[Json]:
    """The commits of a file."""
    return read_file(file)[1]


def golden() -> dict[Path, bytes]:
    """The files of the golden match of schema 1: its own log and those of its two games."""
    book = MatchBook((ADA, OPEN), msgspec.structs.replace(SHORT_MATCH, match=5)).play(1).resign(2, 0)
    files = {"match": book.file()} | book.games
    return {GOLDEN / f"{name}.1.ndjson": file for name, file in files.items()}


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for path, written in golden().items():
        if not path.exists():
            path.write_bytes(written)
