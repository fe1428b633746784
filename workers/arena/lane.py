"""How does a worker play an arena? It takes a lane, plays its games in lockstep, and gives up its place in time.

The message that continues a lane carries the lease that it had: a doubled message finds the lane taken and ends. What
was played is in the games' logs; a worker that comes after a crash goes on from there, and one that comes back to its
own lane has its games still in hand.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Final, Protocol

import msgspec
import structlog

from events.errors import Conflict, UnknownGame, Unreadable
from events.game.commands import Abandon
from events.log.append import Sent
from events.log.course import Course, Moment, begun, resumed
from events.log.keys import shard_of
from events.log.store import Loaded, Store
from events.log.submit import advance
from workers.arena import ledger
from workers.arena.ledger import LANES
from workers.arena.playing import Playing, play_round
from workers.arena.rows import lost_row, row, row_of
from workers.arena.standings import Row
from workers.arena.terms import Arena
from workers.turn import Find

SLICE_SECONDS: Final = 1.0
"""How long a worker stays with a lane, so that other arenas get their turn; less while people wait."""
TOGETHER: Final = 40
"""Games of a lane that go on at once: half of them are played while the store writes the moves of the others."""
TURNS: Final = 8
"""Turns that each of them goes on by before its moves are sent."""
ROWS: Final = 16
"""Ended games that are entered at once, or what there is of them at the end of a slice."""
WARM_LANES: Final = 8
"""Lanes in hand: one that another worker has taken up meanwhile is given up when it has become the oldest."""


class RingLane(Protocol):
    """Sends the message that goes on with a lane."""

    def __call__(self, arena: str, lane: int, lease: str | None = None, /) -> object: ...


class Cohort:
    """The games of a lane that go on at once, by number."""

    def __init__(self, arena: Arena, lane: int, find: Find, low: int, reach: int) -> None:
        self.arena = arena
        self.lane = lane
        self.bots = [find(name) for name in arena.bots]
        for bot in self.bots:
            _ = bot.about  # one that cannot be loaded here plays elsewhere, or later: it loses nothing by it
        self.low = low
        """No game of the lane below this number is unfinished."""
        self.high = low
        """The next game to take in hand."""
        self.known = self.reach = reach
        """Games of the lane from `reach` on have not begun; some below `known` have, by an earlier hand."""
        self.games: dict[int, Playing] = {}
        self.ended: list[Row] = []
        """Games that have ended and are not entered yet: their logs say so, whatever becomes of this hand."""
        self.shards: set[int] = set()
        """Those that are known to hold games."""

    @property
    def through(self) -> bool:
        """Has its last game ended?"""
        return not self.games and self.high >= self.arena.games

    def close(self) -> None:
        """Give up what is in hand: the logs have it."""
        for game in self.games.values():
            game.close()
        self.games.clear()


class Flight(msgspec.Struct, frozen=True):
    """Games whose moves are on their way to the store."""

    sent: Sent | None
    games: list[Playing]

    def drop(self) -> None:
        """Let go of them; safe after they have landed."""
        if self.sent is not None:
            self.sent.drop()


class Warm:
    """The lanes that this worker has in hand between two messages, by the lease that keeps all others away."""

    def __init__(self) -> None:
        self._cohorts: dict[str, Cohort] = {}

    def take(self, lease: str) -> Cohort | None:
        """What was kept under this lease, once."""
        return self._cohorts.pop(lease, None)

    def keep(self, lease: str, cohort: Cohort) -> None:
        """Keep it until the lane's next message; those kept longest give way."""
        self._cohorts[lease] = cohort
        while len(self._cohorts) > WARM_LANES:
            self._cohorts.pop(next(iter(self._cohorts))).close()

    def close(self) -> None:
        """Give up all of them."""
        while self._cohorts:
            self._cohorts.popitem()[1].close()


def play_lane(
    store: Store,
    name: str,
    lane: int,
    lease: str | None,
    find: Find,
    ring: RingLane,
    *,
    clock: Callable[[], float],
    warm: Warm | None = None,
    wanted: Callable[[], bool] = lambda: False,
) -> None:
    """Play on in a lane for a while, less if the worker is `wanted` by somebody who waits.

    Raises `UnknownArena`, `UnknownBot`, `CannotLoad`, `StoreUnavailable`.
    """
    arena = ledger.find(store, name)
    mine = ledger.take_lane(store, name, lane, lease)
    if mine is None:
        return
    cohort = warm.take(lease) if warm is not None and lease is not None else None
    if ledger.progress(store, name).ended_at is not None:
        if cohort is not None:
            cohort.close()
        _abandon(store, arena, lane)
        return
    if cohort is None:
        cohort = Cohort(arena, lane, find, *ledger.reached(store, arena, lane))
    going_on = False
    try:
        deadline = clock() + SLICE_SECONDS
        going_on = _play_on(store, cohort, lambda: clock() < deadline and not wanted())
    finally:
        if warm is not None and going_on and cohort.games:
            warm.keep(mine, cohort)
        else:
            cohort.close()
    if going_on:
        ring(name, lane, mine)


def _play_on(store: Store, cohort: Cohort, in_time: Callable[[], bool]) -> bool:
    """Some rounds, one at least. False when the lane is through, or its arena over: then it is left."""
    arena = cohort.arena
    flight = Flight(None, [])
    try:
        _fill(store, cohort, Moment(store.now()))
        while not cohort.through:
            moment = Moment(store.now())
            games = _half(cohort, flight)
            play_round(games, TURNS, moment)
            # Not before: what was sent has been written meanwhile, and the store is free for what is asked of it now.
            if not _land(store, cohort, flight):
                return True
            _fill(store, cohort, moment)
            flight = Flight(store.send([game.course.stretch() for game in games]) if games else None, games)
            if not in_time():
                break
        if not _land(store, cohort, flight):
            return True
        _enter(store, cohort)
    finally:
        flight.drop()
    if ledger.close_if_through(store, arena):
        _abandon(store, arena, cohort.lane)
        return False
    if cohort.through:
        ledger.leave_lane(store, arena, cohort.lane)
    return not cohort.through


def _fill(store: Store, cohort: Cohort, moment: Moment) -> None:
    """Take further games in hand: such as an earlier hand began from their logs, others from their deals."""
    arena = cohort.arena
    while len(cohort.games) < TOGETHER and cohort.high < arena.games:
        number, cohort.high = cohort.high, cohort.high + LANES
        if number >= cohort.reach:
            cohort.reach = number + TOGETHER * LANES
            ledger.reach(store, arena, cohort.lane, cohort.reach)
        name = ledger.game_id(arena, number)
        loaded: Loaded | None = None
        if number < cohort.known:
            if ledger.is_recorded(store, arena, number):
                continue
            try:
                loaded = store.load(name)
            except UnknownGame:
                pass  # its turn had not come
            except Unreadable as damage:
                structlog.get_logger().error("game_unreadable", game=name, arena=arena.arena, why=str(damage))
                cohort.ended.append(lost_row(arena, number, name))
                continue
        if loaded is not None and loaded.game.result is not None:
            cohort.ended.append(row_of(arena, number, name, loaded.game, loaded.version))
            continue
        course = resumed(name, loaded) if loaded is not None else _begun(store, cohort, number, name, moment)
        seats = arena.fixture(number).seats
        cohort.games[number] = Playing(number, course, [cohort.bots[bot] for bot in seats])


def _begun(store: Store, cohort: Cohort, number: int, name: str, moment: Moment) -> Course:
    command, seed = ledger.creation(cohort.arena, number, name)
    if shard_of(name) not in cohort.shards:
        store.due.note_shard(name)
        cohort.shards.add(shard_of(name))
    return begun(command, seed, moment)


def _half(cohort: Cohort, flight: Flight) -> list[Playing]:
    """Half of the games, none of which is on its way."""
    return [game for game in cohort.games.values() if game not in flight.games][: (len(cohort.games) + 1) // 2]


def _land(store: Store, cohort: Cohort, flight: Flight) -> bool:
    """Wait until the moves are in, and enter the games that have ended. False when somebody else plays in this lane."""
    if flight.sent is not None and not all(flight.sent.answers()):
        cohort.close()  # after a lease that ran out: both are right, the other was faster
        return False
    ended = [game for game in flight.games if game.course.result is not None]
    for game in ended:
        game.close()
        del cohort.games[game.number]
        cohort.ended.append(row(cohort.arena, game.number, game.course.name, game.course))
    if len(cohort.ended) >= ROWS:
        _enter(store, cohort)
    return True


def _enter(store: Store, cohort: Cohort) -> None:
    """Enter the games that have ended in the arena's record."""
    if cohort.ended:
        cohort.low = min(cohort.games, default=cohort.high)
        ledger.record(store, cohort.arena, cohort.lane, cohort.ended, cohort.low)
        cohort.ended = []


def _abandon(store: Store, arena: Arena, lane: int) -> None:
    """The arena is over, maybe in the middle of some games of this lane: nobody will play them on."""
    low, reach = ledger.reached(store, arena, lane)
    for number in range(low, min(reach, arena.games), LANES):
        if ledger.is_recorded(store, arena, number):
            continue
        game = ledger.game_id(arena, number)
        with suppress(UnknownGame, Unreadable, Conflict):
            loaded = store.load(game)
            if loaded.game.result is None:
                advance(store, game, loaded, Abandon(), by="system", mark=False)
    ledger.leave_lane(store, arena, lane)
