"""What did a table look like at a version, and what happened in that commit? Asked with somebody's eyes.

Law kept: a seat's look is made of its view and of what it may see of the events (`events.game.views`), of nothing else.
"""

from collections.abc import Generator
from contextlib import contextmanager

import msgspec

from events.errors import UnknownVersion, Unreadable
from events.game.events import CardsDrawn, Event, GameCreated
from events.game.evolve import evolve
from events.game.state import Game
from events.game.views import SeenEvent, View, seen_by
from events.log.commit import Commit
from events.log.record import Log
from services.cli.words import event_word
from services.eyes import Eyes, seen_with


class Look(msgspec.Struct, frozen=True):
    """A version as somebody may know it: the table, the events of its commit, and these in words."""

    view: View
    events: tuple[Event | SeenEvent, ...]
    told: tuple[str, ...]


class History:
    """The versions of one log, folded as far as somebody has looked."""

    def __init__(self, log: Log) -> None:
        """Raises `Unreadable` for a log that no game begins."""
        self.name = log.head.game
        self._commits = log.commits
        self._games: list[Game] = []
        if not log.commits or not log.commits[0].events or not isinstance(log.commits[0].events[0], GameCreated):
            raise Unreadable(1, "missing: no game is created in this log")
        self.seats = len(log.commits[0].events[0].seats)

    @property
    def last(self) -> int:
        """The last version that the log has."""
        return len(self._commits)

    def look(self, version: int, eyes: Eyes) -> Look:
        """Raises `UnknownVersion`, and `Unreadable` where a commit on the way does not follow."""
        game = self._game(version)
        events = self._commits[version - 1].events
        with naming(version):
            table = seen_with(eyes, game, name=self.name, version=version)
            if eyes != "all":
                seen = tuple(seen_by(event, eyes) for event in events)
                return Look(table, seen, tuple(map(event_word, seen)))
            # Of what an event hides, only a draw is worth words: the rest is drawn, or too long to be told.
            seen = tuple(seen_by(event, event.seat if isinstance(event, CardsDrawn) else None) for event in events)
            return Look(table, events, tuple(map(event_word, seen)))

    def _game(self, version: int) -> Game:
        if not 1 <= version <= self.last:
            raise UnknownVersion(version, self.last)
        while len(self._games) < version:
            self._games.append(_after(self._commits[len(self._games)], self._games))
        return self._games[version - 1]


@contextmanager
def naming(version: int) -> Generator[None]:
    """What cannot be recorded or shown makes the log unreadable at this version: a forged one may say anything."""
    try:
        yield
    except (ValueError, IndexError, KeyError) as error:
        raise Unreadable(version, f"does not follow from the game before it: {error}") from None


def _after(commit: Commit, before: list[Game]) -> Game:
    version = len(before) + 1
    if commit.version != version:
        raise Unreadable(version, f"missing: version {commit.version} stands in its place")
    game = before[-1] if before else None
    with naming(version):
        for event in commit.events:
            game = evolve(game, event)
    if game is None:
        raise Unreadable(version, "it holds no event")
    return game
