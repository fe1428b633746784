"""How does one hear that games go on? One reader for a whole process: one connection, one thread, however many follow.

It waits in a single blocking XREAD over all games that anybody here follows, decodes each commit once, and tells it to
everybody who follows its game. Whoever is told does no work in the reader's thread beyond passing it on.
"""

import time
from collections.abc import Callable, Sequence
from threading import Condition, Thread
from typing import Any, Final, TypeAlias

import redis
import structlog

from events.errors import StoreUnavailable, Unreadable
from events.log.client import reaching_store
from events.log.commit import Commit
from events.log.entries import Entry, unpacked
from events.log.keys import stream_key
from events.log.packing import read_body
from events.log.store import Loaded

Tell: TypeAlias = Callable[[Sequence[Commit] | Unreadable], object]
"""Told of commits in their order, each once; or, last of all, that the log cannot be read on."""

BLOCK_SECONDS: Final = 1.0
"""How long a read waits. A game that joins interrupts it."""
PAUSE_SECONDS: Final = 0.004
"""Between two reads: what comes meanwhile is read together, or busy games would be read commit by commit."""
AWAY_SECONDS: Final = 0.5
"""Between two tries to reach a store that is away."""
LINGER_SECONDS: Final = 5.0
PAGE: Final = 200
"""Commits of a game that are read at once."""
TRIES: Final = 20
"""Times that a read which is just about to wait is interrupted."""


class _Stream:
    """A game that somebody follows: how far it was read, and who is told."""

    def __init__(self, version: int, digest: str, tell: Tell) -> None:
        self.version = version
        self.hash = digest
        self.told = [tell]


class Follower:
    """The reader of a process. `connect` makes its client, which must not try again by itself; `bell` is another's.

    `linger` is how many seconds the connection is kept when nobody follows anything.
    """

    def __init__(
        self, connect: Callable[[], redis.Redis], bell: redis.Redis, *, linger: float = LINGER_SECONDS
    ) -> None:
        self._linger = linger
        self._connect = connect
        self._bell: Any = bell
        self._streams: dict[str, _Stream] = {}
        self._changed = Condition()
        self._stale = False
        """Has a game joined since the reader last looked?"""
        self._waiting: int | None = None
        """The id of the reader's connection."""
        self._reader: Thread | None = None

    def follow(self, game: str, known: Loaded, tell: Tell) -> "Following":
        """To tell of every commit of the game that comes once `join` was called; of what came before, perhaps again.

        `known` is where the reader begins if nobody else follows the game. `tell` is called in the reader's thread.
        """
        return Following(self, game, known, tell)

    def games(self) -> int:
        """How many games are followed."""
        return len(self._streams)

    def join(self, one: "Following") -> None:
        """Let it be told from now on."""
        with self._changed:
            if one.left:
                return
            stream = self._streams.get(one.game)
            if stream is not None:
                stream.told.append(one.tell)
                return
            self._streams[one.game] = _Stream(one.known.version, one.known.hash, one.tell)
            self._stale = True
            if self._reader is None or not self._reader.is_alive():  # one that a fault has ended is replaced
                self._reader = Thread(target=self._read_on, name="follower", daemon=True)
                self._reader.start()
            self._changed.notify_all()
        self._interrupt()

    def leave(self, one: "Following") -> None:
        """Tell it no more."""
        with self._changed:
            one.left = True
            stream = self._streams.get(one.game)
            if stream is not None and one.tell in stream.told:
                stream.told.remove(one.tell)
                if not stream.told:
                    del self._streams[one.game]

    def _interrupt(self) -> None:
        """End the wait of the reader, so that it takes a new game in. One that is just beginning is tried again."""
        for _ in range(TRIES):
            waiting = self._waiting
            if not self._stale or waiting is None:
                return
            try:
                with reaching_store():
                    if self._bell.client_unblock(waiting):
                        return
            except StoreUnavailable:
                return  # the reader meets the same, and looks again by itself
            time.sleep(0.001)  # the reader has looked and not yet begun to wait: there is no event for that

    def _read_on(self) -> None:
        """The thread: until nobody has followed anything for a while."""
        client: Any = None
        away = False
        while (asked := self._followed()) is not None:
            try:
                if client is None:
                    client = self._connect()
                    with reaching_store():
                        self._waiting = client.client_id()
                with reaching_store():
                    streams = {key: f"{stream.version}-0" for key, (_, stream) in asked.items()}
                    read = client.xread(streams, count=PAGE, block=int(BLOCK_SECONDS * 1000))
            except StoreUnavailable as error:
                if not away:
                    structlog.get_logger().error("feed_waits", why=str(error.__cause__ or error))
                if client is not None:
                    client.close()
                client, self._waiting, away = None, None, True
                time.sleep(AWAY_SECONDS)  # nobody tells when a store is back
                continue
            away = False
            if read:
                for key, entries in read:
                    self._tell(*asked[key], entries)
                time.sleep(PAUSE_SECONDS)  # see there: on purpose, what comes meanwhile is read together
        if client is not None:
            client.close()

    def _followed(self) -> dict[bytes, tuple[str, _Stream]] | None:
        """What to read, by key. Waits while there is nothing; None when it is time to go."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._streams, self._linger):
                self._reader = self._waiting = None
                return None
            self._stale = False
            return {stream_key(game).encode(): (game, stream) for game, stream in self._streams.items()}

    def _tell(self, game: str, stream: _Stream, entries: list[Entry]) -> None:
        try:
            told: Sequence[Commit] | Unreadable = list(unpacked(entries, stream.hash, stream.version, read_body))
        except Unreadable as damage:
            told = damage
        with self._changed:
            if self._streams.get(game) is not stream:
                return  # left meanwhile; whoever has joined anew is read for from where they begin
            if isinstance(told, Unreadable):
                del self._streams[game]
            else:
                stream.version, stream.hash = told[-1].version, told[-1].hash
            tellers = list(stream.told)
        for tell in tellers:
            tell(told)


class Following:
    """Somebody who follows a game, or is about to. Joining and leaving may cross: who has left stays away."""

    def __init__(self, follower: Follower, game: str, known: Loaded, tell: Tell) -> None:
        self._follower = follower
        self.game = game
        self.known = known
        self.tell = tell
        self.left = False

    def join(self) -> None:
        """Be told. May block for milliseconds; what is there by now is to be read once, afterwards."""
        self._follower.join(self)

    def leave(self) -> None:
        """Be told no more."""
        self._follower.leave(self)
