"""One reader tells whoever follows: each commit once, in order, by one connection; and on after the store was away."""

from collections.abc import Sequence
from functools import partial
from queue import Queue
from typing import Any

import fakeredis
import pytest
import redis

from events.errors import Unreadable
from events.log.client import connect
from events.log.commit import Commit
from events.log.follow import Follower
from events.log.store import Store, utc_now
from tests.conftest import SHARDS, Server
from tests.live import eventually
from tests.log.games import begin, move_on


class Told:
    """What somebody who follows was told."""

    def __init__(self) -> None:
        self.news: Queue[Sequence[Commit] | Unreadable] = Queue()

    def versions(self, upto: int) -> list[int]:
        """Those that come until this one."""
        found: list[int] = []
        while not found or found[-1] < upto:
            told = self.news.get(timeout=20)
            assert not isinstance(told, Unreadable), told
            found += [commit.version for commit in told]
        return found


def follower_of(client: redis.Redis) -> Follower:
    """A reader of its own connection to the same store."""
    if isinstance(client, fakeredis.FakeRedis):
        server = client.connection_pool.connection_kwargs["server"]
        return Follower(lambda: fakeredis.FakeRedis(server=server, protocol=2, legacy_responses=True), client)
    path: Any = client.connection_pool.connection_kwargs["path"]
    return Follower(partial(connect, f"unix://{path}", retries=0), client)


@pytest.fixture
def follower(client: redis.Redis) -> Follower:
    return follower_of(client)


def test_each_commit_is_told_once_and_in_order_to_all_who_follow_its_game(store: Store, follower: Follower) -> None:
    """Given two who follow a game and one who follows another, when both go on, then each hears of theirs."""
    for game in ("00one", "01two"):
        begin(store, game)
    first, second, other = Told(), Told(), Told()
    following = [
        follower.follow("00one", store.load("00one"), first.news.put),
        follower.follow("00one", store.load("00one"), second.news.put),
        follower.follow("01two", store.load("01two"), other.news.put),
    ]
    for one in following:
        one.join()
    for _ in range(5):
        move_on(store, "00one")
    move_on(store, "01two")
    assert first.versions(6) == second.versions(6) == [2, 3, 4, 5, 6]
    assert other.versions(2) == [2]
    for one in following:
        one.leave()
    assert follower.games() == 0


def test_who_joins_later_hears_of_what_comes_then(store: Store, follower: Follower) -> None:
    """Given a reader that waits already, when another game is followed, then its wait is cut short."""
    for game in ("00one", "01two"):
        begin(store, game)
    first, second = Told(), Told()
    one = follower.follow("00one", store.load("00one"), first.news.put)
    one.join()
    move_on(store, "00one")
    assert first.versions(2) == [2]
    two = follower.follow("01two", store.load("01two"), second.news.put)
    two.join()
    move_on(store, "01two")
    assert second.versions(2) == [2]
    one.leave()
    move_on(store, "00one")
    move_on(store, "01two")
    assert second.versions(3) == [3]
    assert first.news.empty(), "who has left is told nothing"
    two.leave()


def test_who_has_left_before_joining_stays_away(store: Store, follower: Follower) -> None:
    """Joining blocks and leaving does not: where they cross, nobody is told for ever."""
    begin(store, "00one")
    one = follower.follow("00one", store.load("00one"), Told().news.put)
    one.leave()
    one.join()
    assert follower.games() == 0


def test_a_log_that_cannot_be_read_on_is_told_once_and_followed_no_more(store: Store, follower: Follower) -> None:
    begin(store, "00one")
    told = Told()
    one = follower.follow("00one", store.load("00one"), told.news.put)
    one.join()
    store.client.xadd("{s00}:game:00one", {"1": b"{}", "h": b"x"}, id="2-0")
    damage = told.news.get(timeout=20)
    assert isinstance(damage, Unreadable)
    assert damage.version == 2
    assert follower.games() == 0
    one.leave()


def test_the_reader_takes_one_connection_and_gives_it_up(server: Server) -> None:
    """However many follow; and after a while without any, none."""
    with connect(server.url) as client:
        store = Store(client, shards=SHARDS, now=utc_now)
        follower = Follower(partial(connect, server.url, retries=0), client, linger=0.1)
        names = [f"0{number % 4}game{number}" for number in range(20)]
        told = [Told() for _ in names]
        following = []
        for name, one in zip(names, told, strict=True):
            begin(store, name)
            following.append(follower.follow(name, store.load(name), one.news.put))
            following[-1].join()
        for name, one in zip(names, told, strict=True):
            move_on(store, name)
            assert one.versions(2) == [2]
        waiting: Any = client.client_list()
        assert len(waiting) == 2, "this client's and the reader's"
        for one in following:
            one.leave()
        eventually(lambda: len(client.client_list()) == 1)


def test_after_the_store_was_away_the_reader_goes_on_where_it_was(server: Server) -> None:
    """Given a follower, when the store is stopped and started again and the game goes on, then nothing is missed."""
    with connect(server.url) as client:
        store = Store(client, shards=SHARDS, now=utc_now)
        begin(store, "00one")
        told = Told()
        one = Follower(partial(connect, server.url, retries=0), client).follow(
            "00one", store.load("00one"), told.news.put
        )
        one.join()
        move_on(store, "00one")
        assert told.versions(2) == [2]
        server.stop()
        server.start()
        for _ in range(3):
            move_on(store, "00one")
        assert told.versions(5) == [3, 4, 5]
        one.leave()
