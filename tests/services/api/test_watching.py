"""What a watcher gets when commits come at an awkward moment: while it reads the store, or faster than it takes."""

import asyncio
from collections.abc import Callable

import pytest

from events.errors import StoreUnavailable, Unreadable
from events.log.commit import Commit
from events.log.store import Store, utc_now
from services.api import watching
from services.api.watching import Watch
from tests.live import eventually
from tests.log.games import begin, move_on
from tests.services.api.table import Api

GAME = "00table"


class Busy(Store):
    """A store in which something happens behind each page that is read."""

    then: Callable[[], None]

    def read(self, game: str, *, after: int = 0, limit: int | None = None) -> list[Commit]:
        page = super().read(game, after=after, limit=limit)
        self.then()
        return page


async def versions(store: Store, api: Api, after: int, upto: int) -> list[int]:
    """What is given out, until this version."""
    watch = Watch(store, api.follower, GAME, store.load(GAME), after, 0)
    found: list[int] = []
    async for commit in watch.commits():
        if commit is not None:
            found.append(commit.version)
            if commit.version == upto:
                watch.wake()
    return found


@pytest.fixture
def busy(api: Api) -> Busy:
    store = Busy(api.store.client, shards=4, now=utc_now)
    store.then = lambda: None
    begin(store, GAME)
    return store


def test_what_comes_while_the_store_is_read_is_told_next(api: Api, busy: Busy) -> None:
    """Given a watcher that reads an empty page, when a commit comes meanwhile, then it is told and all is well."""
    heard: list[int] = []
    other = api.follower.follow(GAME, busy.load(GAME), lambda told: heard.append(1))

    def then() -> None:
        if not heard:
            move_on(busy, GAME)
            eventually(lambda: heard)

    busy.then = then
    other.join()
    assert asyncio.run(versions(busy, api, after=1, upto=2)) == [2]
    other.leave()


def test_a_watcher_that_takes_slowly_reads_again_what_was_not_kept_for_it(
    api: Api, busy: Busy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given room for three commits, when twenty come while the first page is read, then all are told in order."""
    monkeypatch.setattr(watching, "BEHIND", 3)
    heard: list[int] = []
    other = api.follower.follow(
        GAME, busy.load(GAME), lambda told: heard.append(0 if isinstance(told, Unreadable) else len(told))
    )

    def then() -> None:
        if not heard:
            for _ in range(20):
                move_on(busy, GAME)
            eventually(lambda: sum(heard) == 20)

    busy.then = then
    other.join()
    assert asyncio.run(versions(busy, api, after=0, upto=21)) == list(range(1, 22))
    other.leave()


def test_a_log_that_has_lost_its_end_ends_the_stream(api: Api, busy: Busy) -> None:
    """A store that crashed may have lost its last second: what was told already is then not there any more."""
    for _ in range(3):
        move_on(busy, GAME)

    async def watch_on() -> None:
        watch = Watch(busy, api.follower, GAME, busy.load(GAME), 4, 0)
        commits = watch.commits()
        told = asyncio.ensure_future(anext(commits))
        await asyncio.to_thread(eventually, lambda: api.follower.games() == 1)
        last = await asyncio.to_thread(busy.read, GAME, after=3)
        # The reader tells of what nobody finds in the store.
        for one in range(2):
            watch._news.tell([_later(last[0], 6 + one)])
        with pytest.raises(StoreUnavailable, match="lost its end"):
            await told

    asyncio.run(watch_on())
    assert api.follower.games() == 0


@pytest.mark.parametrize("damaged", [True, False])
def test_where_the_reader_cannot_read_on_the_log_says_whether_it_is_damaged(
    api: Api, busy: Busy, damaged: bool
) -> None:
    """A log that lost its end in a crash and went on otherwise is none that an operator has to see to."""

    async def watch_on() -> None:
        watch = Watch(busy, api.follower, GAME, busy.load(GAME), 1, 0)
        told = asyncio.ensure_future(anext(watch.commits()))
        await asyncio.to_thread(eventually, lambda: api.follower.games() == 1)
        if damaged:
            busy.client.xadd("{s00}:game:" + GAME, {"1": b"{}", "h": b"x"}, id="2-0")
        else:
            watch._news.tell(Unreadable(2, "its hash is not that of its content"))
        with pytest.raises(Unreadable if damaged else StoreUnavailable):
            await told

    asyncio.run(watch_on())


def _later(commit: Commit, version: int) -> Commit:
    return Commit(version=version, at=commit.at, by=commit.by, key=None, events=commit.events, hash=commit.hash)
