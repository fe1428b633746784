"""Which benchmark is to run? `dev.py bench [engine fold view append lane verify memory http]`; all without names.

Each runs five times in this process, with the store as its neighbour; the median is quoted, and the workload is named.
"""

import platform
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter

import msgspec

from events.game.commands import Create
from events.game.decide import decide
from events.game.events import SeatInfo
from events.game.evolve import fold
from events.game.legality import view
from events.game.presets import PRESETS
from events.game.rules import Rules
from events.game.views import View
from events.log.client import connect
from events.log.commit import GENESIS, Body, seal
from events.log.keys import stream_key
from events.log.record import export
from events.log.store import Loaded, Store, utc_now
from events.log.verify import verify
from services.embedded import EmbeddedStore
from tests.bench import http
from workers.arena import ledger
from workers.arena.lane import play_lane
from workers.arena.local import agreed, play, play_local
from workers.bots.registry import find

ROUNDS = 5
RULES: Rules = PRESETS["gato-e-rato"].rules


def engine() -> str:
    """Local games of greedy against greedy, through views and all checks, one process."""
    games = 20
    moves: list[int] = []

    def run() -> None:
        moves.append(sum(row.moves for row in play_local(["greedy", "greedy"], games, RULES, "bench")))

    seconds = _median(run)
    return f"{moves[0] / seconds:,.0f} moves/s ({games} games of gato-e-rato, greedy v greedy)"


def folding() -> str:
    """The events of twenty such games, folded."""
    arena = agreed(("greedy", "greedy"), 20, RULES, "bench")
    logs = [[event for commit in play(arena, number).commits for event in commit] for number in range(20)]
    seconds = _median(lambda: [fold(log) for log in logs])
    return f"{sum(map(len, logs)) / seconds:,.0f} events/s (20 games)"


def view_or_read(store: Store) -> str:
    """The view of the seat to move, built from a warm state; and the same bytes read from the store instead."""
    created = decide(Create(game="b", rules=RULES, seats=(SeatInfo("a", "human", None, ""),) * 2), None, b"s" * 64)
    game, count = fold(created), 2000
    seat = game.turn.seat if game.turn is not None else 0
    kept = msgspec.json.encode(view(game, seat, name="b", version=1))
    store.client.set("bench:view", kept)
    built = _median(lambda: [view(game, seat, name="b", version=1) for _ in range(count)])
    read = _median(lambda: [msgspec.json.decode(store.client.get("bench:view"), type=View) for _ in range(count)])
    return f"{1e6 * built / count:.0f} µs to build a view, {1e6 * read / count:.0f} µs to read one from the store"


def append(store: Store) -> str:
    """Appending commits that are known, one call each, by the script that every move goes through."""
    position = play(agreed(("greedy", "greedy"), 1, RULES, "bench"), 0).commits
    calls: list[int] = []

    def run() -> None:
        game = store.new_id()
        before, table = GENESIS, None
        for version, events in enumerate(position, start=1):
            table = fold(events, table)
            body = Body(version=version, at=store.now(), by="system", key=None, events=events)
            commit, packed = seal(before, body)
            after = Loaded(table, version, commit.hash, b"s" * 64)
            store.append(game, commit, packed, previous=before, request=None, after=after, mark=True)
            before = commit.hash
        calls.append(len(position))

    seconds = _median(run)
    return f"{calls[0] / seconds:,.0f} appends/s (one client, a game of {calls[0]} commits, sealed and folded)"


def lane(store: Store) -> str:
    """A worker's arena lanes, every move durable, without Celery between."""
    moves: list[int] = []

    def run() -> None:
        arena = ledger.start(store, ("greedy", "greedy"), 16, RULES, "bench")
        for number in range(ledger.LANES):
            play_lane(store, arena.arena, number, None, find, lambda *_: None, clock=lambda: 0.0)
        moves.append(sum(row.moves for row in ledger.rows(store, arena.arena)))

    seconds = _median(run)
    return f"{moves[0] / seconds:,.0f} durable moves/s (16 games of greedy v greedy)"


def verification(store: Store) -> str:
    """Verifying a log of such a game, shuffles and hash chain included."""
    arena = ledger.start(store, ("greedy", "greedy"), 1, RULES, "bench")
    for number in range(ledger.LANES):
        play_lane(store, arena.arena, number, None, find, lambda *_: None, clock=lambda: 0.0)
    (row,) = ledger.rows(store, arena.arena)
    file = export(store, row.game or "")
    seconds = _median(lambda: verify(file))
    return f"{(row.moves + 1) / seconds:,.0f} commits/s (a game of {row.moves} moves, {len(file):,} bytes)"


def memory(store: Store) -> str:
    """What a commit of a running game takes in the store."""
    arena = ledger.start(store, ("greedy", "greedy"), 1, RULES, "memory")
    for number in range(ledger.LANES):
        play_lane(store, arena.arena, number, None, find, lambda *_: None, clock=lambda: 0.0)
    (row,) = ledger.rows(store, arena.arena)
    used = store.client.memory_usage(stream_key(row.game or ""), samples=0)
    return f"{used / (row.moves + 1):,.0f} bytes a commit, {used:,} a game of {row.moves} moves (stream alone)"


def _median(run: Callable[[], object]) -> float:
    seconds: list[float] = []
    for _ in range(ROUNDS):
        began = perf_counter()
        run()
        seconds.append(perf_counter() - began)
    return median(seconds)


ALONE: dict[str, Callable[[], str]] = {"engine": engine, "fold": folding}
WITH_STORE: dict[str, Callable[[Store], str]] = {
    "view": view_or_read,
    "append": append,
    "lane": lane,
    "verify": verification,
    "memory": memory,
}


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in (*ALONE, *WITH_STORE, "http")]
    if unknown:
        print(f"no benchmark {unknown[0]!r}; there are {', '.join((*ALONE, *WITH_STORE))}, http", file=sys.stderr)
        return 2
    print(f"CPython {platform.python_version()}, {platform.machine()}; median of {ROUNDS}")
    for name, bench in ALONE.items():
        if not names or name in names:
            print(f"{name:<8} {bench()}", flush=True)
    wanted = [name for name in WITH_STORE if not names or name in names]
    if wanted:
        with (
            tempfile.TemporaryDirectory() as folder,
            EmbeddedStore(Path(folder)) as server,
            connect(server.url) as client,
        ):
            store = Store(client, shards=16, now=utc_now)
            for name in wanted:
                print(f"{name:<8} {WITH_STORE[name](store)}", flush=True)
    if not names or "http" in names:
        for line in http.compare():
            print(f"http     {line}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
