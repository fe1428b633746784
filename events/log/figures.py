"""How does a store stand, in numbers? For whoever watches over it: a few counts, asked for without reading any game."""

from typing import Any

import msgspec
import redis

from events.log.client import milliseconds, reaching_store
from events.log.due import Due
from events.log.keys import SWEPT_KEY, broken_key, clocks_key, due_key, idle_key


class Figures(msgspec.Struct, frozen=True):
    """Counts over all shards."""

    due_of_people: int
    """Games with a person in them that somebody has to look at."""
    due_of_bots: int
    """The same of games between bots."""
    broken: int
    """Games and matches whose logs cannot be read."""
    running: int
    """Games that have not ended."""
    clocks: int
    """Turns whose clock runs."""
    sweep_age: float | None
    """Seconds since the last sweep, by the store's clock; None before the first."""


def figures(client: redis.Redis) -> Figures:
    """Two requests: which shards there are, and all their counts. Raises `StoreUnavailable`."""
    shards = Due(client).shards()
    asked: Any = client.pipeline(transaction=False)
    asked.get(SWEPT_KEY).time()
    for shard in shards:
        asked.hlen(due_key(shard)).hlen(due_key(shard, bots=True)).hlen(broken_key(shard))
        asked.zcard(idle_key(shard)).zcard(clocks_key(shard))
    with reaching_store():
        swept, time, *counts = asked.execute()
    age = None if swept is None else abs(milliseconds(time) - int(swept)) / 1000
    people, bots, broken, running, clocks = (sum(counts[kind::5]) for kind in range(5))
    return Figures(people, bots, broken, running, clocks, age)
