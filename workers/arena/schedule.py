"""Which bots meet, on which deal, at which seats? Game `number` of an arena, computed from the number alone.

So a longer schedule begins with the shorter one, and a worker needs no list to know its games. Bots are indices into
the arena's list; a group is one deal with one lineup of bots, played with every seating. Where there are more than
`MOST_SEATINGS` of them, a few stand for all: every bot sits at every seat equally often in them, in an order that
changes from deal to deal. Partners (R21) are one bot.
"""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from math import comb, gcd
from typing import Final

import msgspec

MOST_SEATINGS: Final = 120
"""So many games at most are played on one deal: all orders of five bots."""


class Fixture(msgspec.Struct, frozen=True, gc=False):
    """One game to be played."""

    number: int
    pair: int
    """The number of its group; with two seats a group is the pair of games with seats swapped."""
    seats: tuple[int, ...]
    """The index of the bot at each seat, or in each team."""

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


@lru_cache(maxsize=512)
def fixture(number: int, bots: int, seats: int) -> Fixture:
    """Game `number` (from 0) of an arena of so many bots at so many seats, or teams.

    With more seats than bots all of them sit down, some at several seats; else the lineups take turns, deal by deal, so
    that after any number of games all bots have played about as many.
    """
    pair, index = divmod(number, group_size(bots, seats))
    sitting = min(bots, seats)
    if sitting == 2 < bots:
        lineup = _opponents(pair % comb(bots, 2), bots)
    else:
        lineup = _lineup(_spread(pair, comb(bots, sitting)), bots, sitting)
    if _all_seatings(sitting, seats):
        seating = _seating(index, sitting, seats)
    else:
        seating = _turned(_spread(pair, _ways(seats, sitting, sitting)), index, sitting, seats)
    return Fixture(number, pair, tuple(lineup[bot] for bot in seating))


def group_size(bots: int, seats: int) -> int:
    """How many games a group has: the ways to seat its lineup so that each bot sits at least once.

    Beyond `MOST_SEATINGS` one of them, turned round the table, with the bots changing places where they are fewer.
    """
    sitting = min(bots, seats)
    if _all_seatings(sitting, seats):
        return _ways(seats, sitting, sitting)
    return seats if sitting == seats else seats * sitting


def shards(games: int, size: int, group: int) -> Iterator[range]:
    """The numbers below `games` in ranges of about `size` that never split a group of `group` games."""
    step = max(size // group, 1) * group
    return (range(start, min(start + step, games)) for start in range(0, games, step))


def _spread(index: int, count: int) -> int:
    """The `index`-th of 0 … `count`-1, over and over, each once in a round and neighbours far apart."""
    return index * _stride(count) % count


@cache
def _stride(count: int) -> int:
    """A step round a circle of `count` places that comes to all of them: about the golden section of it."""
    step = max(round(count * 0.6180339887498949), 1)
    while gcd(step, count) != 1:
        step += 1
    return step


def _opponents(index: int, bots: int) -> list[int]:
    """The `index`-th two of a tournament in rounds, in each of which every bot plays once (one rests if they are odd).

    One bot stays where it is, or is nobody, and the others go round it (the circle method).
    """
    circle = bots - 1 + bots % 2
    turn, place = divmod(index, bots // 2)
    place += bots % 2
    if place == 0:
        return [turn, circle]
    return sorted(((turn + place) % circle, (turn - place) % circle))


def _lineup(index: int, bots: int, sitting: int) -> list[int]:
    """The `index`-th choice, in dictionary order, of `sitting` out of so many bots."""
    chosen: list[int] = []
    for bot in range(bots):
        with_it = comb(bots - bot - 1, sitting - len(chosen) - 1) if len(chosen) < sitting else 0
        if index < with_it:
            chosen.append(bot)
        else:
            index -= with_it
    return chosen


def _all_seatings(sitting: int, seats: int) -> bool:
    return _ways(seats, sitting, sitting) <= MOST_SEATINGS


def _turned(first: int, index: int, sitting: int, seats: int) -> list[int]:
    """The `first`-th seating, turned `index` places round the table; after each round the bots change places."""
    seating = list(_seating(first, sitting, seats))
    change, turn = divmod(index, seats)
    return [(seating[(seat - turn) % seats] + change) % sitting for seat in range(seats)]


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


@cache
def _ways(free: int, sitting: int, waiting: int) -> int:
    """The ways to fill `free` seats from `sitting` bots when `waiting` of them have none yet: inclusion, exclusion."""
    return sum((-1) ** out * comb(waiting, out) * (sitting - out) ** free for out in range(waiting + 1))
