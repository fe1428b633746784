"""Where is history kept, and how is it read? A store of games: append one commit atomically, read forward, load.

A game is loaded from the nearest known state (kept warm here, or a snapshot) and what the stream has beyond it. The
known state's own entry is read too: after a crash that took the log's end with it, a state ahead of the log is dropped.
"""

import secrets
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from threading import Lock
from typing import Any, Final, TypeAlias

import msgspec
import redis

from events.errors import Conflict, StoreUnavailable, UnknownGame, UnknownVersion, Unreadable
from events.game.events import GameCreated, GameEnded, PositionSet, SeatTaken, TurnStarted
from events.game.state import Game
from events.log.append import Appended, Appender, Company, Line, Request, Sent, Stretch, repeated
from events.log.client import reaching_store
from events.log.clocks import Clocks, ClockTerms, read_terms
from events.log.commit import GENESIS, Commit, time_text
from events.log.due import Due
from events.log.entries import Entry, unpacked, version_of
from events.log.folding import folded
from events.log.keys import (
    SECRET_KEY,
    clock_terms_key,
    new_id,
    requests_key,
    seed_key,
    shard_of,
    snapshot_key,
    stream_key,
)
from events.log.listing import Listing
from events.log.matches import Matches
from events.log.packing import read_body
from events.log.snapshots import pack, unpack

Beside: TypeAlias = tuple[bytes, ClockTerms | None]
"""What is kept beside a log: the seed, empty once the game has ended, and the clock's terms."""

WARM_GAMES: Final = 1024
"""States kept in memory by a process."""


class Loaded(msgspec.Struct, frozen=True):
    """A game as of a version, with what the next commit is chained to."""

    game: Game
    version: int
    hash: str
    seed: bytes
    """The game's secret; empty once the game has ended."""
    clock: ClockTerms | None = None
    """What was agreed about time, beside the log."""


class Store:
    """The history of many games, over one Redis client. `now` gives the time as the log writes it."""

    def __init__(self, client: redis.Redis, *, shards: int, now: Callable[[], str]) -> None:
        self.client: Any = client  # its replies are typed as if they could be text; here they are bytes
        self.shards = shards
        self.now = now
        self.due = Due(client)
        self.clocks = Clocks(client)
        self.listing = Listing(client)
        self.matches = Matches(client)
        self._appender = Appender(client)
        self._warm: dict[str, Loaded] = {}
        self._warming = Lock()

    def new_id(self) -> str:
        """An id for a new game, on a shard drawn by lot."""
        return new_id(self.shards)

    def append(
        self,
        game: str,
        commit: Commit,
        packed: bytes,
        *,
        previous: str,
        request: Request | None,
        after: Loaded,
        mark: bool,
        listed: bool = True,
    ) -> Appended:
        """Append this commit (`packed`: its body as kept) if the one before it is the last.

        `after` is the game as the commit leaves it, with its seed, which is stored at creation and deleted at the end;
        `mark` says whether the game becomes due, for whoever plays its bots and folds it, and may be called idle. Such
        a game is on the list of games too, if it is `listed` when it begins.
        `previous` is the hash that the commit is chained to.
        Raises `Conflict`, `KeyReused`, `StoreUnavailable`.
        """
        if commit.version == 1:
            self.due.note_shard(game)
        company = Company(
            request=request,
            mark=mark,
            bots=not after.game.has_people(),
            seed=after.seed,
            ended=after.game.result is not None,
            clock=after.clock,
            turn_begins=after.clock is not None
            and any(isinstance(event, TurnStarted | PositionSet) for event in commit.events),
            status=after.game.status if isinstance(commit.events[-1], GameEnded) or _begins(commit) else None,
            listed=listed,
        )
        try:
            done = self._appender.game(game, Line(commit.version, packed, commit.hash, previous), company)
        except Conflict:
            self._drop(game)
            raise
        if not done.replayed:
            self._keep(game, after)
        return done

    def send(self, stretches: Sequence[Stretch]) -> Sent:
        """Append commits of many games that nobody waits for, without waiting. Raises `StoreUnavailable`."""
        return self._appender.send(stretches)

    def recorded(self, game: str, request: Request) -> Appended | None:
        """What became of this request at first, or None. Raises `KeyReused` when the request differs."""
        with reaching_store():
            first = self.client.hget(requests_key(game), request.field)
        if first is None:
            return None
        placed, _, digest = first.partition(b" ")
        version, _, deadline = placed.partition(b":")
        return repeated(request, int(version), digest, deadline)

    def warm(self, game: str) -> Loaded | None:
        """The game as this process saw it last, if it has it still: the store is not asked, so it may be old."""
        return self._warm.get(game)

    def load(self, game: str) -> Loaded:
        """The game as of its last commit. Raises `UnknownGame`, `Unreadable`, `StoreUnavailable`."""
        known, beside = self._warm.get(game), None
        if known is None:
            known, beside = self._kept(game)
        entries = self._entries(game, known.version if known else 0)
        if known is not None:
            if not entries or entries[0][1].get(b"h") != bytes.fromhex(known.hash):
                # The log lost its end in a crash, or was replaced: what is known of it is not true any more.
                self._drop(game)
                known, entries = None, self._entries(game, 0)
            else:
                entries = entries[1:]
        if known is None and not entries:
            raise UnknownGame(game)
        loaded = self._folded(game, known, entries, beside)
        if loaded.game.result is None and not loaded.seed:
            loaded = self._ended_meanwhile(game, loaded)
        self._keep(game, loaded)
        return loaded

    def at(self, game: str, version: int) -> Loaded:
        """The game as of an earlier version. Raises `UnknownVersion` too, for one that is not there."""
        if version < 1:
            raise UnknownVersion(version, self.load(game).version)
        known = self._warm.get(game)
        if known is not None and known.version == version:
            entries = self._entries(game, version, version)
            if entries and entries[0][1].get(b"h") == bytes.fromhex(known.hash):
                return known
        entries = self._entries(game, 0, version)
        if not entries:
            raise UnknownGame(game)
        loaded = self._folded(game, None, entries)
        if loaded.version != version:
            raise UnknownVersion(version, loaded.version)
        return loaded

    def read(self, game: str, *, after: int = 0, limit: int | None = None) -> list[Commit]:
        """The commits beyond version `after`, oldest first. Raises `UnknownGame`, `UnknownVersion`, `Unreadable`."""
        # One entry more than asked for: the one at `after`, or one that tells an empty page from an unknown game.
        entries = self._entries(game, after, count=None if limit is None else limit + 1)
        if after and not entries:
            raise UnknownVersion(after, self.load(game).version)
        if not entries:
            raise UnknownGame(game)
        if after and version_of(entries[0][0]) != after:
            raise Unreadable(after, f"missing: the stream goes on with {entries[0][0].decode()}")
        previous = entries[0][1].get(b"h", b"").hex() if after else GENESIS
        return list(unpacked(entries[1:] if after else entries[:limit], previous, after, read_body))

    def version(self, game: str) -> int:
        """The last version; 0 when there is no such game."""
        with reaching_store():
            entries = self.client.xrevrange(stream_key(game), count=1)
        return version_of(entries[0][0]) if entries else 0

    def save_snapshot(self, game: str, loaded: Loaded) -> None:
        """Keep the folded game; of an ended one nothing is kept, its log is read from the start."""
        with reaching_store():
            if loaded.game.result is None:
                fields = {"version": loaded.version, "snapshot": pack(loaded.version, loaded.hash, loaded.game)}
                self.client.hset(snapshot_key(game), mapping=fields)
            else:
                self.client.delete(snapshot_key(game))

    def snapshot_version(self, game: str) -> int:
        """The version of the kept snapshot, 0 for none."""
        with reaching_store():
            return int(self.client.hget(snapshot_key(game), "version") or 0)

    def secret(self) -> bytes:
        """The deployment's secret, from which tokens are derived: made at the first call, the same for ever after."""
        with reaching_store():
            self.client.set(SECRET_KEY, secrets.token_hex(32), nx=True)
            secret = self.client.get(SECRET_KEY)
        if not secret:
            raise StoreUnavailable("The store does not keep the deployment's secret.")
        return secret

    def forget(self) -> None:
        """Drop every warm state; the next load reads the store."""
        self._warm.clear()

    def _entries(self, game: str, first: int, last: int | None = None, count: int | None = None) -> list[Entry]:
        low, high = f"{first}-0" if first else "-", f"{last}-0" if last is not None else "+"
        with reaching_store():
            return self.client.xrange(stream_key(game), min=low, max=high, count=count)

    def _kept(self, game: str) -> tuple[Loaded | None, Beside]:
        """The game as its snapshot has it, if there is one, and what is kept beside the log."""
        terms_key = clock_terms_key(shard_of(game))
        with reaching_store():
            pipeline = self.client.pipeline(transaction=False).hget(snapshot_key(game), "snapshot")
            packed, seed, terms = pipeline.get(seed_key(game)).hget(terms_key, game).execute()
        beside = (seed or b"", read_terms(terms))
        snapshot = unpack(packed) if packed is not None else None
        return snapshot and Loaded(snapshot.game, snapshot.version, snapshot.hash, *beside), beside

    def _folded(self, game: str, known: Loaded | None, entries: list[Entry], beside: Beside | None = None) -> Loaded:
        table, version, digest = (known.game, known.version, known.hash) if known else (None, 0, GENESIS)
        table, version, digest = folded(entries, table, version, digest)
        if table is None:
            raise UnknownGame(game)
        seed, clock = (known.seed, known.clock) if known else beside or self._beside(game)
        if not seed and known is None and table.result is None:
            seed, clock = self._beside(game)  # it has begun since that was read
        return Loaded(table, version, digest, b"" if table.result is not None else seed, clock)

    def _ended_meanwhile(self, game: str, loaded: Loaded) -> Loaded:
        """A running game without its seed: it has ended since it was read, or the seed is lost."""
        later = self._folded(game, None, self._entries(game, 0))
        if later.game.result is None:
            raise Unreadable(loaded.version + 1, "cannot be made: the seed of the game is gone")
        return later

    def _beside(self, game: str) -> Beside:
        terms_key = clock_terms_key(shard_of(game))
        with reaching_store():
            seed, terms = self.client.pipeline().get(seed_key(game)).hget(terms_key, game).execute()
        return seed or b"", read_terms(terms)

    def _keep(self, game: str, loaded: Loaded) -> None:
        with self._warming:
            self._warm.pop(game, None)
            self._warm[game] = loaded
            while len(self._warm) > WARM_GAMES:
                del self._warm[next(iter(self._warm))]

    def _drop(self, game: str) -> None:
        with self._warming:
            self._warm.pop(game, None)


def _begins(commit: Commit) -> bool:
    """Is it created here, or dealt when its last seat was taken?"""
    return isinstance(commit.events[0], GameCreated | SeatTaken)


def utc_now() -> str:
    """The time as the log writes it: RFC 3339, UTC, milliseconds."""
    return time_text(datetime.now(UTC))
