"""What does history cost to read, to append and to keep? P7, P10, and appends beside `eventsourcing`."""

import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import msgspec

from events.game.shuffle import deal_seed
from events.log.client import connect
from events.log.store import Store, utc_now
from services.embedded import EmbeddedStore
from tests.bench import ours
from tests.bench.peer import compared, in_turns, peer
from tests.bench.table import Row

GAMES: Final = 60
RUNNING: Final = 300
MOVES: Final = 200
A_GIB: Final = 60_000


def p7() -> Row:
    """Games from the store to their states, beside the same games in `eventsourcing` on SQLite."""
    games = ours.games_of(GAMES)
    events = sum(len(commit) for game in games for commit in game)
    with own_store() as store, facts(games) as file, peer("aggregate.py", "replay", file) as other:
        _, rows = ours.play_arena(store, GAMES)
        names = [row.game or "" for row in rows]

        def replay() -> dict[str, Any]:
            began = perf_counter()
            for name in names:
                store.forget()
                store.load(name)
            return {"count": events, "seconds": perf_counter() - began}

        mine, (theirs,) = in_turns(replay, other.ask if other else None)
        notes = [f"{other.what}, the same events"] if other else []
        what = f"replay of {GAMES} games from the store: read, decode, fold to the state"
        return compared("p7", what, mine, theirs, unit="events/s", times=8, notes=notes)


def append() -> Row:
    """Commits that are known, one call each, beside `eventsourcing`, which is given four events a save."""
    games = ours.games_of(GAMES)
    events = sum(len(commit) for game in games for commit in game)
    with own_store() as store, facts(games) as file, peer("aggregate.py", "append", file) as other:

        def one_round() -> dict[str, Any]:
            began = perf_counter()
            for game in games:
                ours.append_game(store, game)
            return {"count": events, "seconds": perf_counter() - began}

        mine, (theirs,) = in_turns(one_round, other.ask if other else None)
        commits = sum(map(len, games))
        notes = [
            f"{mine.rate * commits / events:,.0f} commits/s, one a call, sealed, folded, and answered before the next"
        ]
        if other:
            notes.append(f"{other.what}, four events a save")
        what = f"append of {GAMES} games, one client"
        return compared("append", what, mine, theirs, unit="events/s", times=1, notes=notes)


def p10() -> Row:
    """What running games take of the store's memory: all their keys, by what the server says it uses."""
    with own_store() as store:
        seeds = [deal_seed(ours.SEED, number) for number in ours.deals_of_length(RUNNING, MOVES)]
        before = _used(store)
        for seed in seeds:
            ours.run_game(store, seed, MOVES)
        taken = (_used(store) - before) / RUNNING
        keys = int(store.client.dbsize())
    fit = 2**30 / taken
    return Row(
        name="p10",
        what=f"running games of {MOVES} moves in a GiB of store memory ({RUNNING} of them built)",
        ours=f"{fit:,.0f} games",
        ratio=fit / A_GIB,
        target=f"{A_GIB:,}",
        reached=fit >= A_GIB,
        notes=(
            f"{taken:,.0f} bytes a game, {taken / (MOVES + 1):,.0f} a commit, {keys} keys in all, every key counted",
        ),
    )


def _used(store: Store) -> int:
    return int(store.client.info("memory")["used_memory"])


@contextmanager
def own_store() -> Generator[Store]:
    """A store with a server of its own, gone at the end."""
    with tempfile.TemporaryDirectory() as folder, EmbeddedStore(Path(folder)) as server, connect(server.url) as client:
        yield Store(client, shards=16, now=utc_now)


@contextmanager
def facts(games: list[Any]) -> Generator[str]:
    """A file of the events of these games, for a peer to keep."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        file.write(msgspec.json.encode([[event for commit in game for event in commit] for game in games]))
        file.flush()
        yield file.name
