"""What if a message was lost, or a worker died? The sweep finds what is due and wakes it again.

It is itself a message in the same queue: where workers fall behind it comes later, and floods nobody.
"""

from collections.abc import Callable

from events.log.store import Store
from workers.arena import ledger
from workers.queue import Wake


def sweep(store: Store, wake: Wake, ring_lane: Callable[[str, int], object]) -> None:
    """Wake every game that is due, and every lane of a running arena that nobody has. Raises `StoreUnavailable`."""
    for shard in range(store.shards):
        for game in store.due(shard):
            wake(game)
        for arena in ledger.running(store, shard):
            for lane in ledger.idle_lanes(store, arena):
                ring_lane(arena, lane)
