"""What if a message was lost, or a worker died? The sweep finds what is due and wakes it again.

It wakes only where fewer messages wait than things are due: then some have none. So whatever is due is woken in the
end, and no queue grows with the sweeps.
"""

from collections.abc import Callable

from events.log.store import Store
from workers.arena import ledger
from workers.queue import LEAGUE, PEOPLE, Wake


def sweep(store: Store, wake: Wake, ring_lane: Callable[[str, int], object], waiting: Callable[[str], int]) -> None:
    """Wake every game that is due and every lane of a running arena that nobody has.

    `waiting` counts the messages of a queue. Sweeps within a second of one another are one. Raises `StoreUnavailable`.
    """
    if not store.due.may_sweep():
        return
    due: list[str] = []
    lanes: list[tuple[str, int]] = []
    for shard in store.due.shards():
        due += store.due.games(shard)
        for name in ledger.running(store, shard):
            arena = ledger.find(store, name)
            if not ledger.close_if_through(store, arena):
                lanes += ((name, lane) for lane in ledger.idle_lanes(store, arena))
    if waiting(PEOPLE) < len(due):
        for game in due:
            wake(game)
    if waiting(LEAGUE) < len(lanes):
        for name, lane in lanes:
            ring_lane(name, lane)
