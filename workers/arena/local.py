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

from events.game.decide import Create, MakeMove, decide
from events.game.events import Events, SeatInfo
from events.game.evolve import fold
from events.game.rules import Rules
from events.game.shuffle import deal_seed
from workers.arena.schedule import fixture, group_size, labels, shards
from workers.arena.standings import Row
from workers.bots import registry
from workers.turn import Find, bot_command

SHARD_GAMES: Final = 16
"""Games a process is handed at a time: about a second's work, so that an interrupted arena ends soon."""


class Played(msgspec.Struct, frozen=True):
    """A finished game: its row of the results, and the events of every commit."""

    row: Row
    commits: list[Events]


class Arena(msgspec.Struct, frozen=True):
    """What is agreed before the first game: enough for any process to play any of the games."""

    bots: tuple[str, ...]
    rules: Rules
    seed: str
    find: Find = registry.find


def play_local(
    bots: Sequence[str], games: int, rules: Rules, seed: str, *, processes: int = 1, find: Find = registry.find
) -> Iterator[Row]:
    """The rows of an arena's first `games` games, in the order of the schedule.

    Raises `UnknownBot` before any game. With more than one process, `find` is a function that another process can
    import by its name.
    """
    for name in bots:
        find(name)
    arena = Arena(tuple(bots), rules, seed, find)
    if processes == 1:
        return (play(arena, number).row for number in range(games))
    return _spread(arena, shards(games, SHARD_GAMES, group_size(len(bots), rules.seats)), processes)


def play(arena: Arena, number: int) -> Played:
    """Game `number` of an arena, from the deal to its end."""
    meeting = fixture(number, len(arena.bots), arena.rules.seats)
    names = labels(arena.bots)
    seats = tuple(SeatInfo(names[bot], "bot", arena.bots[bot], "") for bot in meeting.seats)
    seed = deal_seed(arena.seed, meeting.deal)
    commits = [decide(Create(game=f"local-{number}", rules=arena.rules, seats=seats), None, seed)]
    game = fold(commits[0])
    moves = 0
    while game.result is None:
        command = bot_command(game, len(commits), seed, find=arena.find)
        moves += isinstance(command, MakeMove)
        commits.append(decide(command, game, seed))
        game = fold(commits[-1], game)
    row = Row(
        number=number,
        game=None,
        pair=meeting.pair,
        seats=tuple(names[bot] for bot in meeting.seats),
        result=game.result.result,
        winners=game.result.winners,
        reason=game.result.reason,
        points=game.result.points,
        moves=moves,
        turns=game.turn.number if game.turn is not None else 0,
    )
    return Played(row, commits)


def _spread(arena: Arena, ranges: Iterator[range], processes: int) -> Iterator[Row]:
    """The rows in order, from several processes; a few ranges are handed out ahead, so that none of them waits."""
    pool = ProcessPoolExecutor(processes, get_context("spawn"), initializer=_end_with_the_parent)
    try:
        ahead: deque[Future[list[Row]]] = deque()
        for numbers in islice(ranges, 2 * processes):
            ahead.append(pool.submit(_play_range, arena, numbers))
        while ahead:
            yield from ahead.popleft().result()
            for numbers in islice(ranges, 1):
                ahead.append(pool.submit(_play_range, arena, numbers))
    finally:
        pool.shutdown(cancel_futures=True)


def _play_range(arena: Arena, numbers: range) -> list[Row]:
    return [play(arena, number).row for number in numbers]


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
