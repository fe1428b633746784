"""Which bots meet, on which deal, at which seats? Game `number` of an arena, computed from the number alone.

So a longer schedule begins with the shorter one, and a worker needs no list to know its games. Bots are indices into
the arena's list; a group is one deal with one lineup of bots, played once with every seating.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from math import comb

import msgspec


class Fixture(msgspec.Struct, frozen=True, gc=False):
    """One game to be played."""

    number: int
    pair: int
    """The number of its group; with two seats a group is the pair of games with seats swapped."""
    seats: tuple[int, ...]
    """The index of the bot at each seat."""

    @property
    def deal(self) -> int:
        """The number of its deal, for `deal_seed`: every group has a deal of its own."""
        return self.pair


def labels(bots: Sequence[str]) -> tuple[str, ...]:
    """What the bots of an arena are called in it: by name, and the second of a name `greedy#2`."""
    return tuple(
        name if name not in bots[:index] else f"{name}#{bots[:index].count(name) + 1}"
        for index, name in enumerate(bots)
    )


def fixture(number: int, bots: int, seats: int) -> Fixture:
    """Game `number` (from 0) of an arena of so many bots at so many seats.

    With more seats than bots all of them sit down, some at several seats; else the lineups take turns, group by group.
    """
    pair, seating = divmod(number, group_size(bots, seats))
    sitting = min(bots, seats)
    lineup = next(islice(combinations(range(bots), sitting), pair % comb(bots, sitting), None))
    return Fixture(number, pair, tuple(lineup[index] for index in _seating(seating, sitting, seats)))


def group_size(bots: int, seats: int) -> int:
    """How many games a group has: the ways to seat its lineup so that each bot sits at least once."""
    sitting = min(bots, seats)
    return _ways(seats, sitting, sitting)


def shards(games: int, size: int, group: int) -> Iterator[range]:
    """The numbers below `games` in ranges of about `size` that never split a group of `group` games."""
    step = max(size // group, 1) * group
    return (range(start, min(start + step, games)) for start in range(0, games, step))


def _seating(index: int, sitting: int, seats: int) -> Iterator[int]:
    """The `index`-th way, in dictionary order, to seat bots 0 … `sitting`-1 so that each sits at least once."""
    waiting = set(range(sitting))
    for free in range(seats - 1, -1, -1):
        for bot in range(sitting):
            ways = _ways(free, sitting, len(waiting - {bot}))
            if index < ways:
                waiting.discard(bot)
                yield bot
                break
            index -= ways


def _ways(free: int, sitting: int, waiting: int) -> int:
    """The ways to fill `free` seats from `sitting` bots when `waiting` of them have none yet: inclusion, exclusion."""
    return sum((-1) ** out * comb(waiting, out) * (sitting - out) ** free for out in range(waiting + 1))
