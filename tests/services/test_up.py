"""`malice up`: one command, many processes; what dies comes back, and all of it ends together, in order."""

import json
import os
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from services.settings import Settings
from services.up import parts

SUPERVISOR = """
import json, sys
from pathlib import Path
from events.errors import MaliceError
from services.embedded import EmbeddedStore
from services.up import Part, run
wish = json.loads(sys.argv[1])
store = EmbeddedStore(Path(wish["data"])) if wish["data"] else None
grace = wish.get("grace", 5)
parts = [Part(name, [sys.executable, "-uc", code], {"WORD": "hello"}, grace) for name, code in wish["parts"]]
try:
    sys.exit(run(parts, store, lambda line: print(line, flush=True), colour=wish.get("colour")))
except MaliceError as problem:
    sys.exit(str(problem))
"""
STAYS = "import os, signal; print('pid', os.getpid()); signal.pause()"
POLITE = "import signal, sys; signal.signal(15, lambda *_: sys.exit('bye')); print('here'); signal.pause()"
DEAF = "import signal; signal.signal(15, signal.SIG_IGN); print('here')\nwhile True: signal.pause()"
FAILS_ONCE = """
import os, pathlib, signal
first = pathlib.Path({first!r})
if not first.exists():
    first.touch()
    os.kill(os.getpid(), signal.SIGKILL)
print('here')
signal.pause()
"""
ASKS_STORE = """
import redis, signal, sys
store = redis.Redis(unix_socket_path={socket!r})
signal.signal(15, lambda *_: sys.exit('store says ' + str(store.ping())))
print('here')
signal.pause()
"""


class Up:
    """A supervisor of dummy parts, and the lines it has said."""

    def __init__(self, wish: dict[str, Any]) -> None:
        argv = [sys.executable, "-c", SUPERVISOR, json.dumps(wish)]
        self.process = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.lines: list[str] = []

    def hears(self, *words: str) -> str:
        """Read on until every one of `words` has been said; the line with the last of them."""
        missing = {word for word in words if not any(word in line for line in self.lines)}
        assert self.process.stdout
        while missing:
            line = self.process.stdout.readline()
            assert line, f"ended without {missing}; said {self.lines}"
            self.lines.append(line.rstrip("\n"))
            missing = {word for word in missing if word not in line}
        return self.lines[-1]

    def stops(self, asked: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(asked)
        return self.ends()

    def ends(self) -> int:
        assert self.process.stdout
        self.lines += self.process.stdout.read().splitlines()
        return self.process.wait()

    def place(self, words: str) -> int:
        return next(n for n, line in enumerate(self.lines) if words in line)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()  # and its children with it
            self.ends()
        assert self.process.stdout
        self.process.stdout.close()


Start = Callable[..., Up]


@pytest.fixture
def data() -> Iterator[Path]:  # short enough for a socket, whatever the test is called
    with tempfile.TemporaryDirectory(prefix="m-") as folder:
        yield Path(folder)


@pytest.fixture
def up() -> Iterator[Start]:
    with ExitStack() as running:

        def start(*parts: tuple[str, str], data: Path | None = None, **wish: float) -> Up:
            return running.enter_context(closing(Up({"parts": parts, "data": data and str(data), **wish})))

        yield start


def gone(pid: int) -> bool:
    """Wait for the end of a process that is not our child."""
    try:
        with open(os.pidfd_open(pid), "rb") as watch:
            return bool(select.select([watch], [], [], 10)[0])
    except ProcessLookupError:
        return True


def store_pid(data: Path) -> int:
    return int((data / "lock").read_text().split()[1])


def test_every_line_of_a_part_carries_its_name_whichever_way_it_was_said(up: Start):
    talks = "import os, sys; print(os.environ['WORD']); sys.stderr.write('no newline'); sys.stderr.flush(); " + STAYS
    running = up(("api", talks), ("worker-1", STAYS))
    running.hears("api      | hello", "api      | no newlinepid", "worker-1 | pid")


def test_names_are_coloured_on_a_terminal_alone(up: Start):
    plain, coloured = up(("api", STAYS)), up(("api", STAYS), colour=True)
    plain.hears("api | pid")
    assert coloured.hears("pid").startswith("\x1b[32mapi |\x1b[0m pid")
    assert not any("\x1b" in line for line in plain.lines)


def test_a_part_that_dies_is_started_again_and_the_others_notice_nothing(up: Start, tmp_path: Path):
    running = up(("api", STAYS), ("worker-1", FAILS_ONCE.format(first=str(tmp_path / "first"))))
    running.hears(
        "up       | worker-1 was killed by SIGKILL; starting it again at once", "worker-1 | here", "api      | pid"
    )
    assert running.stops() == 0
    assert sum("api      | pid" in line for line in running.lines) == 1


def test_what_a_dead_part_had_started_is_ended_with_it(up: Start):
    leaves = "import os, subprocess, sys; print('left', subprocess.Popen(['sleep', '60']).pid); sys.exit(7)"
    running = up(("worker-1", leaves))
    left = int(running.hears("| left").split()[-1])
    running.hears("worker-1 ended with exit code 7")
    assert gone(left)


def test_a_part_that_keeps_dying_is_reported_with_its_last_words_and_tried_on(up: Start):
    running = up(("beat", "import sys; sys.exit('no such schedule')"))
    running.hears("beat keeps dying; it is tried again every 5 s", "up   |     no such schedule")
    pauses = [line.rpartition("again ")[2] for line in running.lines if "starting it again" in line]
    assert pauses == ["at once", "in 0.5 s", "in 1 s", "in 2 s", "in 5 s"]
    assert running.stops() == 0


@pytest.mark.parametrize("asked", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_all_stop_in_order_api_workers_beat(up: Start, asked: signal.Signals):
    names = ["api", "worker-1", "worker-2", "beat"]
    running = up(*((name, POLITE) for name in names))
    running.hears(*(f"{name:<8} | here" for name in names))
    assert running.stops(asked) == 0
    api, one, two, beat = (running.place(f"{name:<8} | bye") for name in names)
    assert api < min(one, two) < max(one, two) < beat
    assert running.lines[-1] == "up       | stopped"


def test_the_store_stops_last(up: Start, data: Path):
    running = up(("beat", ASKS_STORE.format(socket=str(data / "store.sock"))), data=data)
    running.hears("up   | store ready: ", "beat | here")
    store = store_pid(data)
    assert running.stops() == 0
    assert "beat | store says True" in running.lines
    assert gone(store)


def test_a_part_that_does_not_stop_in_time_is_killed(up: Start):
    running = up(("worker-1", DEAF), grace=0.2)
    running.hears("worker-1 | here")
    assert running.stops() == 0
    assert "up       | worker-1 did not stop in time; killed" in running.lines


def test_a_second_interrupt_stops_at_once(up: Start):
    running = up(("worker-1", DEAF), grace=600)
    running.hears("worker-1 | here")
    running.process.send_signal(signal.SIGINT)
    running.hears("stopping; Ctrl-C again stops at once")
    assert running.process.stdout
    while not select.select([running.process.stdout], [], [], 0.1)[0]:
        running.process.send_signal(signal.SIGINT)  # within half a second it is taken for an echo of the first
    assert running.ends() == 130
    assert "up       | worker-1 killed" in running.lines


def test_a_store_that_is_killed_comes_back_at_the_same_address_under_running_parts(up: Start, data: Path):
    running = up(("api", ASKS_STORE.format(socket=str(data / "store.sock"))), data=data)
    running.hears("store ready", "api | here")
    running.lines.clear()
    os.kill(store_pid(data), signal.SIGKILL)
    running.hears("up  | store was killed by SIGKILL; starting it again at once", "up  | store ready")
    assert running.stops() == 0
    assert "api | store says True" in running.lines


def test_a_second_start_on_the_same_data_says_who_is_there_and_starts_nothing(up: Start, data: Path):
    first = up(("api", STAYS), data=data)
    first.hears("api | pid")
    second = up(("api", STAYS), data=data)
    assert second.ends() == 1
    assert second.lines == [f"{data} is in use by process {first.process.pid}: stop it, or choose another directory"]
    assert first.stops() == 0


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a child with its parent")
def test_nothing_outlives_a_supervisor_that_is_killed(up: Start, data: Path):
    running = up(("api", DEAF), ("beat", STAYS), data=data)
    beat = int(running.hears("beat | pid").split()[-1])
    running.hears("api  | here")
    store = store_pid(data)
    running.process.kill()
    running.ends()  # at the end of the pipe that all of them held
    assert gone(beat)
    assert gone(store)


def test_the_parts_of_the_service_are_given_their_addresses(tmp_path: Path):
    api, one, two, beat = parts(
        Settings(data=tmp_path), host="::1", port=8001, workers=2, store_url="unix:///s", broker_url="redis+socket:///s"
    )
    malice = [sys.executable, "-m", "services.cli"]
    assert api.argv == [*malice, "api", "--host", "::1", "--port", "8001"]
    assert one.argv == [*malice, "worker", "--name", "worker-1"]
    assert two.name == "worker-2"
    assert beat.argv == [*malice, "beat"]
    urls = {"MALICE_REDIS_URL": "unix:///s", "MALICE_BROKER_URL": "redis+socket:///s"}
    assert all(part.env.items() >= urls.items() for part in (api, one, two, beat))
