"""What game does a log tell of? It is folded in numbers while only moves are made, by the reference else.

`evolve` says what each event changes; `follow` is the same for moves, several times as fast, and proved equal.
"""

from typing import Final

from events.errors import Unreadable
from events.game.evolve import fold
from events.game.fast.bridge import game_of, table_of
from events.game.fast.codes import NONE
from events.game.fast.dice import Dice
from events.game.fast.facts import events_of
from events.game.fast.follow import follow
from events.game.fast.table import Table, move_of
from events.game.state import Game
from events.log.entries import Entry, checked
from events.log.packing import read_body

WORTH_A_TABLE: Final = 8
"""Fewer commits are folded by the reference: a table is made and unmade in the time of some."""


class Folding:
    """A game on its way through its log."""

    def __init__(self, game: Game | None, *, quick: bool) -> None:
        self._game = game
        self._quick = quick
        self._table: Table | None = None

    def take(self, kept: bytes, facts: bytes | None, version: int) -> None:
        """One more commit, as the stream keeps it. Raises `Unreadable` and, where it does not follow, ValueError."""
        if self._table is None and self._quick and self._game is not None and _goes_on(self._game):
            self._table = table_of(self._game, Dice())
        if self._table is None or facts is None or move_of(facts) == NONE:
            self._game, self._table = fold(read_body(kept, version).events, self.game), None
        elif follow(self._table, facts):
            self._game, self._table = fold(events_of(facts)[-1:], self.game), None

    @property
    def game(self) -> Game | None:
        """The game as it stands; None before its first commit."""
        return self._game if self._table is None or self._game is None else game_of(self._table, self._game)


def folded(entries: list[Entry], game: Game | None, version: int, digest: str) -> tuple[Game | None, int, str]:
    """The game after these entries, which come after `version` with the hash `digest`; its version and hash.

    Raises `Unreadable`, naming the first version that is missing, wrong, or does not follow from the game before it.
    """
    folding = Folding(game, quick=len(entries) >= WORTH_A_TABLE)
    for kept, facts, now in checked(entries, digest, version):
        version, digest = version + 1, now
        try:
            folding.take(kept, facts, version)
        except (ValueError, LookupError) as error:
            raise Unreadable(version, f"does not follow from the game before it: {error}") from None
    return folding.game, version, digest


def _goes_on(game: Game) -> bool:
    return game.turn is not None and game.result is None
