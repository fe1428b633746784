"""What if a message was lost, a worker died, or a seat is silent? The sweep finds what is due and wakes it again.

It wakes only where fewer messages wait than things are due: then some have none. So whatever is due is woken in the
end, and no queue grows with the sweeps.
"""

from collections.abc import Callable
from typing import Final

from events.log.store import Store
from workers.arena import ledger
from workers.queue import CLOCKS, LEAGUE, PEOPLE, Wake

MOST_LATE: Final = 400
"""Clocks that one sweep rings for, over all shards: about what a worker does in a second. The others come with the next
sweep, so that it is short, and its queue too, when thousands of turns are over at the same time."""


def sweep(
    store: Store,
    wake: Wake,
    ring_clock: Wake,
    ring_lane: Callable[[str, int], object],
    waiting: Callable[[str], int],
    *,
    abandon_seconds: int = 0,
) -> None:
    """Wake every game that is due, every game whose time is over, and every lane of an arena that nobody has.

    `waiting` counts the messages of a queue. Sweeps within a second of one another are one. Raises `StoreUnavailable`.
    """
    if not store.due.may_sweep():
        return
    anew = store.clocks.stopped()
    late: list[str] = []
    people: list[str] = []
    bots: list[str] = []
    idle: list[tuple[str, int]] = []
    taken = 0
    shards = store.due.shards()
    for shard in shards:
        expired = store.clocks.over(shard, abandon_seconds, anew=anew, limit=max(MOST_LATE // len(shards), 1))
        late += dict.fromkeys(expired.turns + expired.idle)
        people += store.due.of_people(shard)
        bots += store.due.of_bots(shard)
        for name in ledger.unsettled(store, shard):
            arena = ledger.find(store, name)
            over = ledger.close_if_through(store, arena) or ledger.progress(store, name).ended_at is not None
            lanes = ledger.lanes_left(store, arena)
            if over and not lanes:
                ledger.settle(store, arena)
            elif over or not arena.private:  # what is left of a private one that is over, anybody can abandon
                taken += sum(lanes.values())
                idle += ((name, lane) for lane, leased in lanes.items() if not leased)
    if waiting(PEOPLE) < len(people):
        _all(wake, people)
    if waiting(CLOCKS) < len(late):
        _all(ring_clock, late)
    # A lane that is taken may have its message in the queue too: only what is beyond those can be for the others.
    if waiting(LEAGUE) - taken < len(bots) + len(idle):
        _all(wake, bots)
        for name, lane in idle:
            ring_lane(name, lane)
    # Last: a sweep that broke off has not watched, and the next one lets the clocks begin anew on every shard.
    store.due.note_sweep()


def _all(wake: Wake, games: list[str]) -> None:
    for game in games:
        wake(game)
