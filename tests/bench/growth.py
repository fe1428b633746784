"""Does a move cost more where there are many games? P12: two stores, one with a thousand times the games of the other.

A move goes the way of a person's: judged on the state at hand, appended, marked due, its clock and idle time noted. It
is made in a game drawn by lot, of a hundred that lie anywhere among all; or in one that this process has to load first.
"""

import random
from contextlib import ExitStack
from time import perf_counter
from typing import Any, Final

from events.game.shuffle import deal_seed
from events.log.store import Store
from tests.bench import ours
from tests.bench.peer import in_turns
from tests.bench.storage import own_store
from tests.bench.table import Row
from tests.live import eventually

FEW: Final = 100
MANY: Final = 100_000
KINDS: Final = 50
"""Deals that the games are copies of."""
MOVES: Final = 1000
"""A round's; a fifth of them where the game has to be loaded first."""
ROUNDS: Final = 7


def p12(many: int = MANY) -> list[Row]:
    """A move among few games, and among many; then one that loads its game first."""
    with ExitStack() as stack:
        sides = [Moves(stack.enter_context(own_store()), games) for games in (FEW, many)]
        return [
            _row("a move", many, sides, cold=False),
            _row("a move of a game that is not at hand", many, sides, cold=True),
        ]


def _row(what: str, many: int, sides: list["Moves"], *, cold: bool) -> Row:
    few, (more,) = in_turns(lambda: sides[0].one_round(cold), lambda: sides[1].one_round(cold), rounds=ROUNDS)
    if more is None:
        raise ValueError("the larger store was not measured")
    ratio = few.rate / more.rate
    return Row(
        name="p12",
        what=f"{what}, in a store of {many:,} games, beside one of {FEW:,}",
        ours=f"{1e6 / more.rate:,.0f} µs",
        beside=f"{1e6 / few.rate:,.0f} µs",
        ratio=ratio,
        target="1.15 at most",
        reached=ratio <= 1.15,
    )


class Moves:
    """A store of so many games for people, and moves that are made in a hundred of them."""

    def __init__(self, store: Store, games: int) -> None:
        self._store = store
        self._kinds = [ours.Script(deal_seed(ours.SEED, number)) for number in range(KINDS)]
        names = [self._kinds[number % KINDS].copy(store) for number in range(games)]
        # Bulk makes the server write its log anew, which costs every move something while it lasts.
        eventually(lambda: not store.client.info("persistence")["aof_rewrite_in_progress"])
        self._rng = random.Random(1)
        self._active = [[number, names[number], 0] for number in self._rng.sample(range(games), FEW)]

    def one_round(self, cold: bool) -> dict[str, Any]:
        """So many moves, each in a game by lot."""
        seconds, count = 0.0, MOVES // 5 if cold else MOVES
        for place in self._rng.choices(range(FEW), k=count):
            number, name, made = self._active[place]
            script = self._kinds[number % KINDS]
            if made >= script.length:
                name, made = script.begin(self._store), 0
            if cold:
                self._store.forget()
            began = perf_counter()
            script.move(self._store, name, made)
            seconds += perf_counter() - began
            self._active[place] = [number, name, made + 1]
        return {"count": count, "seconds": seconds}
