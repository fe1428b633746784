"""What is agreed for an arena, and what has come of it? Its record in the store: spec, results, status, leases.

Every game of an arena is an ordinary game with a log of its own; the ledger holds a row for each that has ended. Game
ids are derived from the arena's secret, so that a restart creates no game twice.
"""

import hmac
import secrets
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, Final

import msgspec
from redis import WatchError

from events.errors import KeyReused, Malformed
from events.game.commands import Create
from events.game.events import SeatInfo
from events.game.rules import Rules
from events.game.shuffle import deal_seed
from events.log.client import reaching_store
from events.log.commit import milliseconds_of
from events.log.keys import shard_of, spread_id
from events.log.store import Store
from workers.arena.keys import UnknownArena, arena_key, lease_key, listed_key, results_key, running_key
from workers.arena.results import decoded, go_on_judging
from workers.arena.sprt import Sprt
from workers.arena.standings import Row
from workers.arena.terms import Arena, Progress, Status

LANES: Final = 8
"""Into so many parts an arena's games are dealt, game by game; a part is worked on by one worker at a time."""
LEASE_SECONDS: Final = 15
"""A lane untouched for so long may be taken by another worker: its own has died, or waits very long in the queue."""
MOST_GAMES: Final = 100_000
MOST_BOTS: Final = 64
SEED_LENGTH: Final = 200


_ARENAS: Final = msgspec.json.Decoder(Arena)
_ROWS: Final = msgspec.json.Decoder(Row)


def check_size(bots: Sequence[str], games: int, seed: str) -> None:
    """Raises `Malformed`, naming the value, for an arena larger than this program takes on."""
    if not 2 <= len(bots) <= MOST_BOTS:
        raise Malformed(f"An arena has 2 to {MOST_BOTS} bots, some of them the same; {len(bots)} are named.")
    if not 1 <= games <= MOST_GAMES:
        raise Malformed(f"An arena has 1 to {MOST_GAMES:,} games; {games} are asked for.")
    if len(seed) > SEED_LENGTH:
        raise Malformed(f"The seed of an arena may have {SEED_LENGTH} characters; this one has {len(seed)}.")


def start(
    store: Store,
    bots: tuple[str, ...],
    games: int,
    rules: Rules,
    seed: str,
    *,
    sprt: Sprt | None = None,
    arena: str | None = None,
    digest: str = "",
    private: bool = False,
) -> Arena:
    """Begin an arena. With an id of the caller's own, derived from an idempotency key, once for each `digest`.

    A `private` one is left alone by all workers but those that are started for it, and is on no list.

    Raises `KeyReused`, `StoreUnavailable`.
    """
    name = arena or store.new_id()
    spec = Arena(
        arena=name,
        bots=bots,
        games=games,
        rules=rules,
        seed=seed,
        secret=secrets.token_hex(32),
        shards=store.shards,
        sprt=sprt,
        private=private,
    )
    started_at = store.now()
    record = {"digest": digest, "started_at": started_at}
    with reaching_store():
        first = store.client.hget(arena_key(name), "digest")
        if first is None:
            # All or nothing; where two ask at once, the first one's spec stands.
            pipeline = store.client.pipeline().hsetnx(arena_key(name), "spec", msgspec.json.encode(spec))
            for field, value in record.items():
                pipeline.hsetnx(arena_key(name), field, value)
            if not private:
                pipeline.zadd(listed_key(shard_of(name)), {name: milliseconds_of(started_at)}, nx=True)
            store.due.note_shard(name)
            pipeline.sadd(running_key(shard_of(name)), name).execute()
            first = store.client.hget(arena_key(name), "digest")
    if first != digest.encode():
        raise KeyReused(name)
    return find(store, name)


def find(store: Store, arena: str) -> Arena:
    """Raises `UnknownArena`, `StoreUnavailable`."""
    with reaching_store():
        packed = store.client.hget(arena_key(arena), "spec")
    if packed is None:
        raise UnknownArena(arena)
    return _ARENAS.decode(packed)


def progress(store: Store, arena: str) -> Progress:
    """Raises `UnknownArena`, `StoreUnavailable`."""
    with reaching_store():
        record, done = store.client.pipeline().hgetall(arena_key(arena)).hlen(results_key(arena)).execute()
    if not record:
        raise UnknownArena(arena)
    return progress_of(record, done)


def progress_of(record: Mapping[bytes, Any], done: int) -> Progress:
    """How far an arena with this record, and so many rows, has come."""
    status, _, ended_at = record.get(b"closed", b"running ").decode().partition(" ")
    judged = decoded(record.get(b"judged"))
    return Progress(
        status="queued" if status == "running" and not done else status,
        done=done if judged is None or judged.counted is None else judged.counted,
        started_at=record.get(b"started_at", b"").decode(),
        ended_at=ended_at or None,
        judged=judged,
    )


def rows(store: Store, arena: str) -> list[Row]:
    """The finished games in the order of the schedule; where a sequential test has decided, up to that pair."""
    with reaching_store():
        packed, told = store.client.pipeline().hvals(results_key(arena)).hget(arena_key(arena), "judged").execute()
    found = sorted((_ROWS.decode(row) for row in packed), key=lambda row: row.number)
    judged = decoded(told)
    return found if judged is None else found[: judged.counted]


def record(store: Store, arena: Arena, lane: int, rows: Sequence[Row], low: int) -> None:
    """Enter finished games, and that the lane has none unfinished below `low`. Entering again changes nothing."""
    with reaching_store():
        pipeline = store.client.pipeline()
        for row in rows:
            pipeline.hsetnx(results_key(arena.arena), str(row.number), msgspec.json.encode(row))
        pipeline.hset(arena_key(arena.arena), f"lane {lane}", low).execute()


def is_recorded(store: Store, arena: Arena, number: int) -> bool:
    """Has this game been entered as finished?"""
    with reaching_store():
        return bool(store.client.hexists(results_key(arena.arena), str(number)))


def cancel(store: Store, arena: str) -> Progress:
    """End an arena before its time; its lanes then abandon the games that run. One that has ended stays ended."""
    _close(store, arena, "cancelled")
    return progress(store, arena)


def unsettled(store: Store, shard: int) -> list[str]:
    """The arenas of a shard of the store with lanes that somebody has yet to play, or, where it is over, to leave."""
    with reaching_store():
        return sorted(name.decode() for name in store.client.smembers(running_key(shard)))


def reached(store: Store, arena: Arena, lane: int) -> tuple[int, int]:
    """Where a lane stands: below the first number all of its games have ended, from the second on none has begun."""
    with reaching_store():
        low, reach = store.client.hmget(arena_key(arena.arena), [f"lane {lane}", f"reach {lane}"])
    return int(low or lane), int(reach or lane)


def reach(store: Store, arena: Arena, lane: int, number: int) -> None:
    """Games of the lane below this number may begin from now on."""
    with reaching_store():
        store.client.hset(arena_key(arena.arena), f"reach {lane}", number)


def begun(store: Store, arena: Arena, before: int, limit: int, *, unfinished: bool = False) -> list[int]:
    """The games below number `before` that have begun, or are about to: up to `limit`, the latest numbers first.

    With `unfinished` without those below which a lane has none: few are left, however large the arena is.
    """
    with reaching_store():
        fields = [f"{name} {lane}" for name in ("lane", "reach") for lane in range(LANES)]
        found = [int(number or 0) for number in store.client.hmget(arena_key(arena.arena), fields)]
    first, last = found[:LANES] if unfinished else [0] * LANES, found[LANES:]
    highest = min(before, arena.games, max(last)) - 1
    numbers = (number for number in range(highest, -1, -1) if first[number % LANES] <= number < last[number % LANES])
    return list(islice(numbers, limit))


def lanes_left(store: Store, arena: Arena) -> dict[int, bool]:
    """The lanes that are not through, and whether somebody has a lease on them."""
    with reaching_store():
        pipeline = store.client.pipeline()
        for lane in range(LANES):
            pipeline.hget(arena_key(arena.arena), f"lane {lane}").exists(lease_key(arena.arena, lane))
        answers = pipeline.execute()
    reached = [int(number or lane) for lane, number in enumerate(answers[::2])]
    return {lane: bool(answers[2 * lane + 1]) for lane in range(LANES) if reached[lane] < arena.games}


def take_lane(store: Store, arena: str, lane: int, lease: str | None) -> str | None:
    """A lease on a lane, a new one each time: instead of the caller's own, or where there is none. None when taken.

    What another hand has kept under the old one is known by that to be old.
    """
    key, fresh = lease_key(arena, lane), secrets.token_hex(8)
    with reaching_store():
        try:
            with store.client.pipeline() as pipeline:
                pipeline.watch(key)
                held = pipeline.get(key)
                if held is not None and (lease is None or held != lease.encode()):
                    return None
                pipeline.multi()
                pipeline.set(key, fresh, ex=LEASE_SECONDS)
                pipeline.execute()
        except WatchError:
            return None  # somebody else has just taken it
    return fresh


def leave_lane(store: Store, arena: Arena, lane: int) -> None:
    """All games of the lane have ended, or have been abandoned with the arena: nobody works on it any more."""
    with reaching_store():
        pipeline = store.client.pipeline().hset(arena_key(arena.arena), f"lane {lane}", arena.games)
        pipeline.delete(lease_key(arena.arena, lane)).execute()


def settle(store: Store, arena: Arena) -> None:
    """The arena is over and all of its lanes are left: nobody is to be woken for it any more."""
    with reaching_store():
        store.client.srem(running_key(shard_of(arena.arena)), arena.arena)


def close_if_through(store: Store, arena: Arena) -> bool:
    """End an arena whose last game is entered, or whose test has decided. True when it is over, now or before.

    Judges, once each, the pairs that have been entered since this was last asked: cheap enough for every slice.
    """
    judged = go_on_judging(store, arena)
    with reaching_store():
        entered = store.client.hlen(results_key(arena.arena))
    through = entered >= arena.games or (judged is not None and judged.decided)
    if through:
        _close(store, arena.arena, "ended")
    return through


def game_id(arena: Arena, number: int) -> str:
    """The id of game `number`."""
    digest = hmac.digest(bytes.fromhex(arena.secret), str(number).encode(), "sha256")
    return spread_id(digest, arena.shards)


def creation(arena: Arena, number: int, game: str) -> tuple[Create, bytes]:
    """The command that begins game `number` under this id, and its seed."""
    meeting = arena.fixture(number)
    seats = tuple(SeatInfo(arena.labels[bot], "bot", arena.bots[bot], "") for bot in meeting.seats)
    return Create(game=game, rules=arena.rules, seats=seats), deal_seed(arena.seed, meeting.deal)


def _close(store: Store, arena: str, status: Status) -> None:
    """The first to close an arena says how it ended."""
    with reaching_store():
        store.client.hsetnx(arena_key(arena), "closed", f"{status} {store.now()}")
