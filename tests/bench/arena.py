"""How fast is a worker's arena, every move durable? P4, P5: beside a server that keeps nothing, and beside its floor.

The worker is a process of its own with Celery's solo pool, as `malice up` starts it, over a store of its own. The floor
appends the very bytes that such an arena appends, in the same batches, with no game played.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import redis

from events.log.append import Sent, Stretch
from events.log.client import connect
from events.log.commit import seconds_between
from events.log.store import Store, utc_now
from services.embedded import EmbeddedStore
from tests.bench import ours
from tests.bench.peer import compared, in_turns, peer
from tests.bench.table import Row
from tests.live import eventually
from workers.arena import ledger
from workers.arena.report import report
from workers.queue import ARENA_LANE, LEAGUE, celery_app, send

SECONDS: Final = 3.0
"""What a round of an arena is sized for."""
FLOOR_GAMES: Final = 400


def p4() -> Row:
    """One worker's arena, beside boardgame.io's server with matches in memory."""
    with service() as (_, arena), peer("server.cjs") as board:
        mine, (theirs,) = in_turns(sized(arena), board.ask if board else None)
        notes = [f"an arena of {mine.rounds[0]['games']} games of gato-e-rato a round"]
        if board and theirs:
            notes.append(
                f"{board.what}: {theirs.rounds[0]['matches']} matches over sockets, nothing kept, answers after "
                f"{theirs.middle('p50'):.1f} ms (p50), {theirs.middle('p99'):.1f} ms (p99)"
            )
        what = "arena of greedy v greedy, one Celery worker, every move in its stream"
        return compared("p4", what, mine, theirs, unit="moves/s", times=12, notes=notes)


def p5() -> Row:
    """The same arena, beside the bare appends of it."""
    with service() as (store, arena), floor(store) as (append, notes):
        mine, (theirs,) = in_turns(sized(arena), append)
        what = "the same arena, beside the same bytes appended in the same batches and no game played"
        return compared("p5", what, mine, theirs, unit="moves/s", times=0.6, notes=notes)


@contextmanager
def service() -> Generator[tuple[Store, Callable[[int], dict[str, Any]]]]:
    """A store, and one worker beside it that plays arenas of so many games; figures as the arena's report has them."""
    with tempfile.TemporaryDirectory() as folder, EmbeddedStore(Path(folder)) as server, connect(server.url) as client:
        store = Store(client, shards=16, now=utc_now)
        app = celery_app(server.broker_url)
        clean = {name: value for name, value in os.environ.items() if not name.startswith("MALICE_")}
        log = Path(folder, "worker.log")
        with log.open("wb") as written:
            worker = subprocess.Popen(
                [sys.executable, "-m", "services.cli", "worker"],
                env=clean | {"MALICE_REDIS_URL": server.url, "MALICE_DATA": folder},
                stdout=written,
                stderr=subprocess.STDOUT,
            )

        def arena(games: int) -> dict[str, Any]:
            spec = ledger.start(store, ours.GREEDY, games, ours.RULES, ours.SEED)
            for lane in range(ledger.LANES):
                send(app, ARENA_LANE, spec.arena, lane, queue=LEAGUE)
            eventually(lambda: ledger.progress(store, spec.arena).ended_at or worker.poll() is not None, 600)
            done = ledger.progress(store, spec.arena)
            if done.ended_at is None:
                raise RuntimeError(f"the worker ended: {log.read_text()}")
            told = report(spec, done, ledger.rows(store, spec.arena), seconds_between(done.started_at, done.ended_at))
            return {"count": told.moves, "seconds": told.seconds, "games": games}

        try:
            yield store, arena
        finally:
            worker.terminate()
            worker.wait()
            app.close()


def sized(arena: Callable[[int], dict[str, Any]]) -> Callable[[], dict[str, Any]]:
    """Arenas of a size that takes a few seconds, by the speed of two smaller ones, the first of which warms up."""
    arena(2 * ledger.LANES)
    tried = arena(100 * ledger.LANES)
    lanes = round(SECONDS / tried["seconds"] * tried["games"] / ledger.LANES)
    games = ledger.LANES * min(max(lanes, 2), 500)
    return lambda: arena(games)


class Watched(Store):
    """A store that keeps what is sent to it, batch by batch."""

    def __init__(self, client: redis.Redis, *, shards: int, now: Callable[[], str]) -> None:
        super().__init__(client, shards=shards, now=now)
        self.batches: list[list[Stretch]] = []

    def send(self, stretches: Sequence[Stretch]) -> Sent:
        self.batches.append(list(stretches))
        return super().send(stretches)


@contextmanager
def floor(store: Store) -> Generator[tuple[Callable[[], dict[str, Any]], list[str]]]:
    """What appends an arena's bytes again, in a second database of the same server; and a note on the batches.

    As in the arena, a batch is sent before the answers to the one before it are read.
    """
    pool = store.client.connection_pool
    settings: dict[str, Any] = {**pool.connection_kwargs, "db": 1}
    with redis.Redis(
        connection_pool=redis.ConnectionPool(connection_class=pool.connection_class, **settings)
    ) as client:
        watched = Watched(client, shards=store.shards, now=utc_now)
        _, rows = ours.play_arena(watched, FLOOR_GAMES)
        moves, commits = sum(row.moves for row in rows), sum(row.moves + 1 for row in rows)
        bare = Store(client, shards=store.shards, now=utc_now)

        def append() -> dict[str, Any]:
            seconds, count = 0.0, 0
            while seconds < SECONDS / 2:
                client.flushdb()
                began = perf_counter()
                flying: Sent | None = None
                for batch in watched.batches:
                    sent = bare.send(batch)
                    if flying is not None:
                        flying.answers()
                    flying = sent
                if flying is None or not all(flying.answers()):
                    raise RuntimeError("the floor's appends were refused")
                seconds += perf_counter() - began
                count += moves
            return {"count": count, "seconds": seconds}

        batches = len(watched.batches)
        yield append, [f"{commits / batches:,.0f} commits of {len(watched.batches[0])} games a batch"]
