"""Which commits does a watcher get, and when? Those that are there, then those that come: in order, each once.

Law kept: nothing is kept for a slow watcher but a bounded list; of more than that, it reads again what the store has. A
gap is never skipped: whatever does not follow the last version sent is read from the store first.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import contextmanager, suppress
from typing import Final

from starlette.concurrency import run_in_threadpool

from events.errors import StoreUnavailable, Unreadable
from events.game.events import GameEnded
from events.log.commit import Commit, seconds_between
from events.log.follow import Follower
from events.log.store import Loaded, Store
from services.api.metrics import Metrics

KEEP_ALIVE_SECONDS: Final = 15.0
PAGE: Final = 200
"""Commits read from the store at once."""
BEHIND: Final = 1000
"""Commits kept for a watcher that has not taken them yet."""
MOST_WATCHERS: Final = 4000
"""In a process, at once."""
LOST_END: Final = "The log has lost its end in a crash of the store: look at the game anew."


class Feed:
    """The watchers of a process: their one reader, how many they are, and how late a spectator is told."""

    def __init__(self, follower: Follower, metrics: Metrics) -> None:
        self.follower = follower
        self.metrics = metrics
        self.watchers = 0

    @contextmanager
    def place(self) -> Generator[None]:
        """Room for one more. Raises `StoreUnavailable` where there is none."""
        if self.watchers >= MOST_WATCHERS:
            raise StoreUnavailable(f"{self.watchers} watch here already: come back later, or ask another process.")
        self.watchers += 1
        self.metrics.watchers.inc()
        try:
            yield
        finally:
            self.watchers -= 1
            self.metrics.watchers.dec()


class Watch:
    """One watcher of a game, from the version `after` on; `delay` is how many seconds late it is told while it runs."""

    def __init__(self, store: Store, follower: Follower, game: str, known: Loaded, after: int, delay: int) -> None:
        self._store = store
        self._game = game
        self._delay = delay
        self._news = _News(asyncio.get_running_loop())
        self._following = follower.follow(game, known, self._news.tell)
        self._ended = known.game.result is not None
        self.version = after
        """The last one that was given out."""

    async def commits(self) -> AsyncGenerator[Commit | None]:
        """Commits as they come, and None where nothing has for `KEEP_ALIVE_SECONDS`. Ends with the game, or on `wake`.

        Raises `Unreadable`, and `StoreUnavailable` where the store is away while it is read from.
        """
        try:
            await run_in_threadpool(self._following.join)
            behind = True
            while not self._news.closed:
                if self._news.broken:
                    await self._page()  # raises, where it is the log that cannot be read
                    raise StoreUnavailable(LOST_END)  # else what was told of it is not in it any more
                fresh = await self._page() if behind else self._news.take(self.version)
                for commit in fresh:
                    if commit.version <= self.version:
                        continue  # read from the store before the reader told of it
                    async for _ in self._until_due(commit):
                        yield None
                    if self._news.closed:
                        return
                    self.version = commit.version
                    yield commit
                    if _ends(commit):
                        return
                if behind:
                    behind = len(fresh) == PAGE
                elif self._news.is_missing(self.version):
                    behind = True
                elif not fresh and not await self._news.wait(KEEP_ALIVE_SECONDS):
                    yield None
        finally:
            self._following.leave()

    def wake(self) -> None:
        """End it: the watcher has gone."""
        self._news.close()

    async def _page(self) -> Sequence[Commit]:
        was_told = self._news.is_missing(self.version)  # asked before: what comes while the store is read is no gap
        page = await run_in_threadpool(self._store.read, self._game, after=self.version, limit=PAGE)
        if not page and was_told:
            raise StoreUnavailable(LOST_END)
        self._ended = self._ended or bool(page and _ends(page[-1]))
        return page

    async def _until_due(self, commit: Commit) -> AsyncGenerator[None]:
        """Nothing, as often as it is time to keep the connection alive, until this commit may be told."""
        # That a game is there, its first commit, is told at once, as pages do (`games.version_before`).
        while self._delay and commit.version > 1 and not (self._ended or self._news.ended or self._news.closed):
            left = seconds_between(commit.at, self._store.now())
            if left >= self._delay:
                return
            if not await self._news.wait_end(min(self._delay - left, KEEP_ALIVE_SECONDS)):
                yield


class _News:
    """What the reader told and the watcher has not taken: in the watcher's own loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._kept: deque[Commit] = deque()
        self._rung = asyncio.Event()
        self._over = asyncio.Event()
        self._newest = 0
        self.broken = False
        """Could the reader not read on from what it has told?"""
        self.closed = False

    @property
    def ended(self) -> bool:
        """Has the game ended, as far as was told?"""
        return self._over.is_set()

    def tell(self, told: Sequence[Commit] | Unreadable) -> None:
        """Called by the reader, in its thread."""
        with suppress(RuntimeError):  # the loop has closed, and with it all that watched there
            self._loop.call_soon_threadsafe(self._take_in, told)

    def _take_in(self, told: Sequence[Commit] | Unreadable) -> None:
        if isinstance(told, Unreadable):
            self.broken = True
        else:
            self._newest = told[-1].version
            self._kept.extend(told)
            if len(self._kept) > BEHIND:
                self._kept.clear()
            if _ends(told[-1]):
                self._over.set()
        self._rung.set()

    def take(self, version: int) -> Sequence[Commit]:
        """What follows this version without a gap."""
        self._rung.clear()
        fresh: list[Commit] = []
        while self._kept and self._kept[0].version <= version + 1:
            commit = self._kept.popleft()
            version = max(version, commit.version)
            fresh.append(commit)
        return fresh

    def is_missing(self, version: int) -> bool:
        """Is there more than was kept in order?"""
        return self._newest > version

    def close(self) -> None:
        self.closed = True
        self._rung.set()
        self._over.set()

    async def wait(self, seconds: float) -> bool:
        """True once there is news, False when there was none for so long."""
        return await _is_set(self._rung, seconds)

    async def wait_end(self, seconds: float) -> bool:
        """True once the game has ended, False when it has not for so long."""
        return await _is_set(self._over, seconds)


async def _is_set(event: asyncio.Event, seconds: float) -> bool:
    try:
        async with asyncio.timeout(seconds):
            return await event.wait()
    except TimeoutError:
        return False


def _ends(commit: Commit) -> bool:
    return isinstance(commit.events[-1], GameEnded)
