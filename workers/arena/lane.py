"""How does a worker play an arena? It takes a lane, plays its games in order, and gives up its place in time.

The message that continues a lane carries the lease that it had: a doubled message finds the lane taken and ends. What
was played is in the games' logs; a worker that comes after a crash goes on from there.
"""

from collections.abc import Callable
from typing import Final, Protocol

from events.errors import Conflict, UnknownGame
from events.game.state import Game
from events.log.store import Loaded, Store
from events.log.submit import create
from workers.arena import ledger
from workers.arena.ledger import Arena
from workers.arena.standings import Row
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
    deadline = clock() + SLICE_SECONDS
    arena = ledger.find(store, name)
    if ledger.progress(store, name).status not in ("queued", "running"):
        return
    mine = ledger.take_lane(store, name, lane, lease)
    if mine is None:
        return
    numbers = list(ledger.lane_numbers(arena, lane))
    finished = ledger.finished(store, name, numbers)
    for number in numbers:
        if number in finished:
            continue
        if clock() >= deadline or not _play(store, arena, number, find, lambda: clock() < deadline):
            ring(name, lane, mine)
            return
    ledger.leave_lane(store, arena, lane)


def _play(store: Store, arena: Arena, number: int, find: Find, in_time: Callable[[], bool]) -> bool:
    """Play game `number` on from where its log stands; True when it is through and in the ledger."""
    game = ledger.game_id(store, arena, number)
    try:
        loaded = _begun(store, arena, number, game)
        loaded = run(store, game, loaded, find, lambda _: in_time(), mark=False)
    except Conflict:
        return False  # two workers in one lane, after a lease ran out: both are right, the other was faster
    if loaded.game.result is None:
        return False
    ledger.record(store, arena, row(arena, number, game, loaded.game, loaded.version))
    return True


def _begun(store: Store, arena: Arena, number: int, game: str) -> Loaded:
    try:
        return store.load(game)
    except UnknownGame:
        command, seed = ledger.creation(arena, number, game)
        return create(store, command, seed=seed, by="system", mark=False).after


def row(arena: Arena, number: int, game_id: str | None, game: Game, version: int) -> Row:
    """The line of results for an ended game of `version` commits, creation and forfeits counted."""
    if game.result is None or game.turn is None:
        raise ValueError(f"game {number} has not ended")
    meeting = arena.fixture(number)
    forfeits = sum(player.resigned for player in game.players)
    return Row(
        number=number,
        game=game_id,
        pair=meeting.pair,
        seats=tuple(arena.labels[bot] for bot in meeting.seats),
        result=game.result.result,
        winners=game.result.winners,
        reason=game.result.reason,
        points=game.result.points,
        moves=version - 1 - forfeits,
        turns=game.turn.number,
    )
