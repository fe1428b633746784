"""How is an arena played without a store? Each game from `Create` to its end in this process, or in a few of them.

The same bots, rules and seed give the same games, move by move, as through the service: deals come from the seed and
the number of the deal, a bot's dice from key, seat and version, and versions count commits from 1, the creation.
"""

import os
import signal
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context, parent_process
from typing import Final

import msgspec

from events.game.events import Events
from events.game.fast.facts import events_of
from events.game.rules import Rules
from events.log.course import Course, Moment, begun
from workers.arena.ledger import creation
from workers.arena.playing import Playing, play_round
from workers.arena.rows import row
from workers.arena.schedule import shards
from workers.arena.sprt import Sprt
from workers.arena.standings import Row
from workers.arena.terms import Arena
from workers.bots import registry
from workers.turn import Find

SHARD_GAMES: Final = 16
"""Games a process is handed at a time: well under a second's work, so that an interrupted arena ends soon."""
TURNS: Final = 400
"""Turns of a round: a game of built-in bots is played in one go."""
NO_TIME: Final = Moment("1970-01-01T00:00:00.000Z")
"""What is kept nowhere bears no time."""


class Played(msgspec.Struct, frozen=True):
    """A finished game: its row of the results, and the facts of every commit (`events.game.fast.facts`)."""

    row: Row
    facts: list[bytes]

    @property
    def commits(self) -> list[Events]:
        """The events of every commit."""
        return [events_of(facts) for facts in self.facts]


def play_local(
    bots: Sequence[str], games: int, rules: Rules, seed: str, *, processes: int = 1, find: Find = registry.find
) -> Iterator[Row]:
    """The rows of an arena's first `games` games, in the order of the schedule.

    Raises `UnknownBot` before any game. With more than one process, `find` is a function that another process can
    import by its name.
    """
    for name in bots:
        find(name)
    arena = agreed(bots, games, rules, seed)
    if processes > 1:
        return _spread(arena, find, processes)
    return (game.row for numbers in _ranges(arena) for game in _played(arena, numbers, find))


def agreed(bots: Sequence[str], games: int, rules: Rules, seed: str, sprt: Sprt | None = None) -> Arena:
    """An arena that no store knows: enough for any process to play any of its games."""
    return Arena(arena="", bots=tuple(bots), games=games, rules=rules, seed=seed, secret="", shards=1, sprt=sprt)


def play(arena: Arena, number: int, find: Find = registry.find) -> Played:
    """Game `number` of an arena, from the deal to its end."""
    return _played(arena, range(number, number + 1), find)[0]


def _played(arena: Arena, numbers: range, find: Find) -> list[Played]:
    """Some games, in lockstep."""
    bots = [find(name) for name in arena.bots]
    courses: dict[int, Course] = {}
    games: list[Playing] = []
    for number in numbers:
        command, seed = creation(arena, number, f"local-{number}")
        courses[number] = begun(command, seed, NO_TIME, logged=False)
        games.append(Playing(number, courses[number], [bots[bot] for bot in arena.fixture(number).seats]))
    try:
        going = games
        while going:
            play_round(going, TURNS, NO_TIME)
            for game in going:
                if game.course.result is not None:
                    game.close()
            going = [game for game in going if game.course.result is None]
    finally:
        for game in games:
            game.close()
    return [Played(row(arena, number, None, course), course.facts) for number, course in courses.items()]


def _ranges(arena: Arena) -> Iterator[range]:
    return shards(arena.games, SHARD_GAMES, arena.group)


def _spread(arena: Arena, find: Find, processes: int) -> Iterator[Row]:
    """The rows in order, from several processes; a few ranges are handed out ahead, so that none of them waits."""
    ranges = _ranges(arena)
    pool = ProcessPoolExecutor(processes, get_context("spawn"), initializer=_end_with_the_parent)
    try:
        ahead: deque[Future[list[Row]]] = deque()
        for numbers in islice(ranges, 2 * processes):
            ahead.append(pool.submit(_play_range, arena, numbers, find))
        while ahead:
            yield from ahead.popleft().result()
            for numbers in islice(ranges, 1):
                ahead.append(pool.submit(_play_range, arena, numbers, find))
    finally:
        pool.shutdown(cancel_futures=True)


def _play_range(arena: Arena, numbers: range, find: Find) -> list[Row]:
    return [game.row for game in _played(arena, numbers, find)]


def _end_with_the_parent() -> None:
    # Ctrl-C reaches every process of a terminal: this one ends without a word, the parent reports it. (Where the
    # parent ignores the signal, this process has inherited that.)
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    # A parent that is killed tells nobody, and a pool's process would wait for its next range for ever.
    threading.Thread(target=_wait_for_the_parent, daemon=True).start()


def _wait_for_the_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
