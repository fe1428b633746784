"""A server that is away, slow, full or started again: `StoreUnavailable`, and nothing lost or doubled."""

import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from events.errors import StoreUnavailable
from events.game.commands import Resign
from events.log.append import Request
from events.log.client import connect
from events.log.record import export
from events.log.store import Store
from events.log.submit import submit
from events.log.verify import verify
from tests.conftest import SHARDS, Server
from tests.log.games import begin, move_on, steady, ticking

GAME = "00table"


@pytest.fixture
def live(server: Server) -> Iterator[Store]:
    """A store on a server of its own, that does not repeat what fails."""
    with connect(server.url, retries=0) as client:
        yield Store(client, shards=SHARDS, now=ticking())


def questions(store: Store) -> list[Callable[[], object]]:
    """Everything that a store can be asked."""
    return [
        lambda: begin(store, "01other"),
        lambda: move_on(store, GAME),
        lambda: submit(store, GAME, Resign(0), by="seat:0", request=Request("seat:0", "key-1", "digest")),
        lambda: store.load(GAME),
        lambda: store.at(GAME, 1),
        lambda: store.read(GAME),
        lambda: store.version(GAME),
        lambda: store.save_snapshot(GAME, store.load(GAME)),
        lambda: store.snapshot_version(GAME),
        lambda: store.due.games(0),
        lambda: store.due.settle(GAME, 1),
        store.secret,
        lambda: export(store, GAME),
    ]


def test_a_store_that_is_away_is_unavailable_and_all_is_well_when_it_is_back(live: Store, server: Server) -> None:
    """Section 5: 503 `unavailable`; what was answered before is still there."""
    begin(live, GAME)
    submitted = move_on(live, GAME, 4)
    server.stop()
    for ask in questions(live):
        with pytest.raises(StoreUnavailable):
            ask()
    server.start()
    assert live.load(GAME).game == submitted.game
    assert move_on(live, GAME).commit.version == 6
    assert verify(export(live, GAME)).ok


def test_a_client_waits_for_a_store_that_is_started_again(server: Server) -> None:
    """A restart between two commands is nobody's business: the connection is made anew."""
    with connect(server.url) as client:
        store = Store(client, shards=SHARDS, now=ticking())
        begin(store, GAME)
        server.stop()
        server.start()
        assert move_on(store, GAME).commit.version == 2


def test_scripts_that_the_server_has_forgotten_are_sent_again(store: Store) -> None:
    """A restarted server knows no script."""
    begin(store, GAME)
    store.client.script_flush()
    assert move_on(store, GAME).commit.version == 2
    store.client.script_flush()
    store.due.settle(GAME, 2)
    assert store.due.games(0) == {}


def test_a_full_store_is_unavailable_takes_nothing_by_halves_and_works_again(live: Store) -> None:
    """Section 5: 503 for a store that is full; reads go on."""
    begin(live, GAME)
    game = move_on(live, GAME, 3).game
    before = {key: live.client.dump(key) for key in live.client.keys("*")}
    command = steady(game)
    request = Request(f"seat:{command.seat}", "key-1", "digest")
    live.client.config_set("maxmemory", 1)
    for ask in (
        lambda: submit(live, GAME, command, by=request.by, request=request),
        lambda: begin(live, "01other"),
        lambda: live.save_snapshot(GAME, live.load(GAME)),
        live.secret,
    ):
        with pytest.raises(StoreUnavailable):
            ask()
    assert live.load(GAME).game == game
    assert {key: live.client.dump(key) for key in live.client.keys("*")} == before
    live.client.config_set("maxmemory", 0)
    assert submit(live, GAME, command, by=request.by, request=request).commit.version == 5
    assert verify(export(live, GAME)).ok


def test_a_store_that_misses_its_replicas_is_unavailable(live: Store) -> None:
    """Section 5: a server that takes no writes is away, whatever its reason."""
    begin(live, GAME)
    live.client.config_set("min-replicas-to-write", 1)
    with pytest.raises(StoreUnavailable):
        move_on(live, GAME)
    live.client.config_set("min-replicas-to-write", 0)
    assert move_on(live, GAME).commit.version == 2


def test_a_store_that_cannot_write_its_disk_is_unavailable(live: Store, server: Server) -> None:
    """Section 5: a full or failing disk too (the server answers MISCONF)."""
    begin(live, GAME)
    live.client.config_set("save", "3600 1000")
    (server.folder / "dump.rdb").mkdir()  # no file can be written over a directory
    live.client.bgsave()
    deadline = time.monotonic() + 10
    while live.client.info("persistence")["rdb_last_bgsave_status"] != "err":
        assert time.monotonic() < deadline
    with pytest.raises(StoreUnavailable):
        move_on(live, GAME)
    live.client.config_set("save", "")
    assert move_on(live, GAME).commit.version == 2


def test_a_replica_takes_no_writes(live: Store) -> None:
    """Section 5: after a failover the old address may be read-only for a while."""
    begin(live, GAME)
    live.client.replicaof("127.0.0.1", "1")
    with pytest.raises(StoreUnavailable):
        move_on(live, GAME)
    live.client.replicaof("NO", "ONE")
    assert move_on(live, GAME).commit.version == 2


def test_what_a_slow_store_did_in_the_end_is_found_by_its_key(live: Store, server: Server) -> None:
    """Section 5: the outcome may be unknown: repeat with the same key, and it has happened once."""
    begin(live, GAME)
    command = steady(live.load(GAME).game)
    request = Request(f"seat:{command.seat}", "key-1", "digest")
    process = server.process
    assert process is not None
    with connect(server.url + "?socket_timeout=0.1", retries=0) as client:
        impatient = Store(client, shards=SHARDS, now=freezing(process.send_signal))
        with pytest.raises(StoreUnavailable):
            submit(impatient, GAME, command, by=request.by, request=request)
        process.send_signal(signal.SIGCONT)
        for _ in range(3):
            assert submit(live, GAME, command, by=request.by, request=request).commit.version == 2
    assert live.version(GAME) == 2
    assert verify(export(live, GAME)).ok


def freezing(send: Callable[[int], None]) -> Callable[[], str]:
    """A clock at whose look the server is stopped in its tracks: after the reading, before the append."""

    def now() -> str:
        send(signal.SIGSTOP)
        return "2026-01-31T12:00:00.000Z"

    return now


def test_a_killed_server_loses_nothing_that_it_wrote_before_it_answered(server: Server) -> None:
    """A log on disk survives its server; nobody's warm state is needed."""
    with connect(server.url, retries=0) as client:
        store = Store(client, shards=SHARDS, now=ticking())
        begin(store, GAME)
        submitted = move_on(store, GAME, 5)
        assert server.process is not None
        server.process.kill()
        server.process.wait(10)
        server.start()
        assert Store(client, shards=SHARDS, now=ticking()).load(GAME).game == submitted.game
        assert Path(server.folder, "appendonlydir").is_dir()
