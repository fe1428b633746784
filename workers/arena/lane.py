"""How does a worker play an arena? It takes a lane, plays its games in order, and gives up its place in time.

The message that continues a lane carries the lease that it had: a doubled message finds the lane taken and ends. What
was played is in the games' logs; a worker that comes after a crash goes on from there.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Final, Protocol

import structlog

from events.errors import Conflict, UnknownGame, Unreadable
from events.game.commands import Abandon
from events.log.store import Loaded, Store
from events.log.submit import advance, create
from workers.arena import ledger
from workers.arena.ledger import LANES
from workers.arena.rows import lost_row, row
from workers.arena.terms import Arena
from workers.bot_turn import run
from workers.turn import Find

SLICE_SECONDS: Final = 0.5
"""How long a worker stays with a lane, so that a person's bot and other arenas get their turn."""


class RingLane(Protocol):
    """Sends the message that goes on with a lane."""

    def __call__(self, arena: str, lane: int, lease: str | None = None, /) -> object: ...


def play_lane(
    store: Store, name: str, lane: int, lease: str | None, find: Find, ring: RingLane, *, clock: Callable[[], float]
) -> None:
    """Play on in a lane for a while. Raises `UnknownArena`, `UnknownBot`, `StoreUnavailable`."""
    arena = ledger.find(store, name)
    mine = ledger.take_lane(store, name, lane, lease)
    if mine is None:
        return
    number = ledger.next_number(store, arena, lane)
    deadline = clock() + SLICE_SECONDS
    while number < arena.games:
        if ledger.progress(store, name).ended_at is not None:
            _abandon(store, ledger.game_id(arena, number))
            break
        if not _play(store, arena, lane, number, find, lambda: clock() < deadline):
            ledger.close_if_through(store, arena)  # where a test has decided, the next message finds the arena closed
            ring(name, lane, mine)
            return
        number += LANES
    ledger.leave_lane(store, arena, lane)
    ledger.close_if_through(store, arena)


def _play(store: Store, arena: Arena, lane: int, number: int, find: Find, in_time: Callable[[], bool]) -> bool:
    """Play game `number` on from where its log stands; True when it is through, and time is left for another."""
    game = ledger.game_id(arena, number)
    try:
        loaded = _begun(store, arena, number, game)
        loaded = run(store, game, loaded, find, lambda moves: not moves or in_time(), mark=False)
    except Conflict:
        return False  # two workers in one lane, after a lease ran out: both are right, the other was faster
    except Unreadable as damage:
        structlog.get_logger().error("game_unreadable", game=game, arena=arena.arena, why=str(damage))
        ledger.record(store, arena, lane, lost_row(arena, number, game))
        return in_time()
    if loaded.game.result is None:
        return False
    ledger.record(store, arena, lane, row(arena, number, game, loaded.game, loaded.version))
    return in_time()


def _abandon(store: Store, game: str) -> None:
    """The arena was cancelled in the middle of this game: nobody will play it on."""
    with suppress(UnknownGame, Unreadable, Conflict):
        loaded = store.load(game)
        if loaded.game.result is None:
            advance(store, game, loaded, Abandon(), by="system", mark=False)


def _begun(store: Store, arena: Arena, number: int, game: str) -> Loaded:
    try:
        return store.load(game)
    except UnknownGame:
        command, seed = ledger.creation(arena, number, game)
        return create(store, command, seed=seed, by="system", mark=False).after
