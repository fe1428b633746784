"""What do the parts cost by themselves? No target hangs on these: they show where a move's time goes."""

from collections.abc import Callable
from statistics import median
from time import perf_counter

import msgspec

from events.game.commands import Create
from events.game.decide import decide
from events.game.events import SeatInfo
from events.game.evolve import fold
from events.game.legality import view
from events.game.views import View
from events.log.record import export
from events.log.verify import verify
from tests.bench import ours
from tests.bench.peer import ROUNDS
from tests.bench.storage import own_store
from tests.bench.table import Row


def reference() -> list[Row]:
    """The rulebook itself, which the numbers are held to: moves decided and folded on the immutable table."""
    script = ours.Script(bytes(64))
    games = ours.games_of(20)
    logs = [[event for commit in game for event in commit] for game in games]
    decided, folded = _median(script.decide_all), _median(lambda: [fold(log) for log in logs])
    return [
        Row(
            name="reference",
            what=f"decide on the immutable table, a game of {script.length + 1} known moves",
            ours=f"{(script.length + 1) / decided:,.0f} moves/s",
        ),
        Row(name="reference", what="fold of 20 games", ours=f"{sum(map(len, logs)) / folded:,.0f} events/s"),
    ]


def seen() -> Row:
    """The view of the seat to move, built from a warm state; and the same bytes read from the store instead."""
    seats = (SeatInfo("a", "human", None, ""),) * 2
    game, count = fold(decide(Create(game="b", rules=ours.RULES, seats=seats), None, b"s" * 64)), 2000
    seat = game.turn.seat if game.turn is not None else 0
    with own_store() as store:
        store.client.set("bench:view", msgspec.json.encode(view(game, seat, name="b", version=1)))
        built = _median(lambda: [view(game, seat, name="b", version=1) for _ in range(count)])
        read = _median(lambda: [msgspec.json.decode(store.client.get("bench:view"), type=View) for _ in range(count)])
    return Row(
        name="view",
        what="a view built from a warm state, beside one read from the store",
        ours=f"{1e6 * built / count:.0f} µs",
        beside=f"{1e6 * read / count:.0f} µs",
    )


def verification() -> Row:
    """Verifying the log of a game, shuffles and hash chain included."""
    with own_store() as store:
        _, (row,) = ours.play_arena(store, 1)
        file = export(store, row.game or "")
    seconds = _median(lambda: verify(file))
    return Row(
        name="verify",
        what=f"verify of a log of {row.moves} moves, {len(file) / 1000:,.0f} kB",
        ours=f"{(row.moves + 1) / seconds:,.0f} commits/s",
    )


def _median(run: Callable[[], object]) -> float:
    seconds: list[float] = []
    for _ in range(ROUNDS):
        began = perf_counter()
        run()
        seconds.append(perf_counter() - began)
    return median(seconds)
