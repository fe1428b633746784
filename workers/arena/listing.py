"""Which arenas are there? All but the private ones, newest first, page by page.

Each shard has a list, written in one step with the arena. Law kept: nothing is counted anew for it; what is told of an
arena stands in its record.
"""

from collections.abc import Container, Sequence
from typing import Final

import msgspec

from events.log.client import reaching_store
from events.log.listing import Place, merged
from events.log.store import Store
from workers.arena.keys import arena_key, listed_key, results_key
from workers.arena.ledger import progress_of
from workers.arena.terms import Arena, Progress, Status

CHUNK: Final = 100
"""Arenas that are read at a time."""
MOST_READ: Final = 1000
"""A page looks at no more of them, however few stand as is asked for: nobody is kept waiting for it."""
_ARENAS: Final = msgspec.json.Decoder(Arena)


def page(
    store: Store, statuses: Container[Status], before: Place | None, limit: int
) -> tuple[list[tuple[Arena, Progress]], Place | None]:
    """The next arenas behind `before`, or the first, that stand so; and the place that the page after goes on from.

    That is null behind the last one. Raises `StoreUnavailable`.
    """
    keys = [listed_key(shard) for shard in store.due.shards()]
    found: list[tuple[Arena, Progress]] = []
    for _ in range(0, MOST_READ, CHUNK):
        places = merged(store.client, keys, before, CHUNK + 1)
        for place, one in zip(places, _read(store, places[:CHUNK]), strict=False):
            if one is not None and one[1].status in statuses:
                if len(found) == limit:
                    return found, before
                found.append(one)
            before = place
        if len(places) <= CHUNK:
            return found, None
    return found, before


def _read(store: Store, places: Sequence[Place]) -> list[tuple[Arena, Progress] | None]:
    """What these arenas are and how far they have come; null for one whose record is gone."""
    with reaching_store():
        pipeline = store.client.pipeline(transaction=False)
        for place in places:
            pipeline.hgetall(arena_key(place.name)).hlen(results_key(place.name))
        answers = pipeline.execute()
    records = zip(answers[::2], answers[1::2], strict=True)
    return [
        (_ARENAS.decode(record[b"spec"]), progress_of(record, done)) if record else None for record, done in records
    ]
