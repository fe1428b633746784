"""What has been played of an arena, and what does its test say of it? The rows in the store, read some at a time.

Law kept: what has been judged is a function of the first rows, which never change once they are entered. So of two
workers who judge at once both are right, and the one that is behind at worst leaves some pairs to be judged again.
"""

from collections.abc import Iterator
from typing import Final

import msgspec

from events.log.client import reaching_store
from events.log.store import Store
from workers.arena.keys import arena_key, results_key
from workers.arena.sprt import Judged, judge
from workers.arena.standings import Row
from workers.arena.terms import Arena, Progress

CHUNK: Final = 500
"""Rows that are read at a time: few enough to keep nobody else of the store waiting."""
_ROWS: Final = msgspec.json.Decoder(Row)
_JUDGED: Final = msgspec.json.Decoder(Judged)


def rows_after(store: Store, arena: Arena, now: Progress, first: int) -> Iterator[Row]:
    """The finished games from number `first` on, in the order of the schedule.

    While the arena runs, up to the first that has not ended: whoever goes on after the last one misses none. Raises
    `StoreUnavailable`, also on the way.
    """
    games = arena.games if now.judged is None or now.judged.counted is None else now.judged.counted
    for start in range(first, games, CHUNK):
        for row in _read(store, arena, range(start, min(start + CHUNK, games))):
            if row is not None:
                yield row
            elif now.ended_at is None:
                return


def go_on_judging(store: Store, arena: Arena) -> Judged | None:
    """Go on with the arena's sequential test as far as its rows go; null when it has none.

    Each pair is judged once, so this is cheap enough for every slice of every lane.
    """
    if arena.sprt is None:
        return None
    with reaching_store():
        before = decoded(store.client.hget(arena_key(arena.arena), "judged")) or Judged()
    judged = judge(arena.sprt, before, arena.labels[0], _pairs(store, arena, before.reached))
    if judged != before:
        with reaching_store():
            store.client.hset(arena_key(arena.arena), "judged", msgspec.json.encode(judged))
    return judged


def _pairs(store: Store, arena: Arena, first: int) -> Iterator[tuple[Row, Row]]:
    """The pairs from number `first` on, up to the first of which a game has not been entered."""
    for start in range(2 * first, arena.games - 1, CHUNK):
        rows = _read(store, arena, range(start, min(start + CHUNK, arena.games - arena.games % 2)))
        for one, other in zip(rows[::2], rows[1::2], strict=True):
            if one is None or other is None:
                return
            yield one, other


def _read(store: Store, arena: Arena, numbers: range) -> list[Row | None]:
    with reaching_store():
        packed = store.client.hmget(results_key(arena.arena), [str(number) for number in numbers])
    return [None if row is None else _ROWS.decode(row) for row in packed]


def decoded(packed: bytes | None) -> Judged | None:
    """How far a test has come, as the record of the arena has it."""
    return None if packed is None else _JUDGED.decode(packed)
