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
    people: list[str] = []
    bots: list[str] = []
    idle: list[tuple[str, int]] = []
    taken = 0
    for shard in store.due.shards():
        people += store.due.of_people(shard)
        bots += store.due.of_bots(shard)
        for name in ledger.running(store, shard):
            arena = ledger.find(store, name)
            if not ledger.close_if_through(store, arena):
                lanes = ledger.lanes_left(store, arena)
                taken += sum(lanes.values())
                idle += ((name, lane) for lane, leased in lanes.items() if not leased)
    if waiting(PEOPLE) < len(people):
        _all(wake, people)
    # A lane that is taken may have its message in the queue too: only what is beyond those can be for the others.
    if waiting(LEAGUE) - taken < len(bots) + len(idle):
        _all(wake, bots)
        for name, lane in idle:
            ring_lane(name, lane)


def _all(wake: Wake, games: list[str]) -> None:
    for game in games:
        wake(game)
