"""Do the examples work, on a bad network too? Each is run against a whole service through a proxy that breaks."""

import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread

import pytest

from tests.live import Live

EXAMPLES = Path(__file__).parent.parent / "docs" / "examples"
PROGRAMS = {".py": sys.executable, ".sh": "bash", ".mjs": "node"}
FILES = sorted(path.name for path in EXAMPLES.iterdir() if path.suffix in PROGRAMS)
LINES = 50
FEED_BYTES = 3000
"""After so many a feed is cut, in the middle of a message."""
SPARED = 40
"""Connections between two answers that are lost."""


class Proxy:
    """Hands everything to the service, but cuts each feed after `FEED_BYTES`, and loses some of the other answers.

    The first is lost at the third connection, then one every `SPARED`: after each an example rests, curl for a second.
    """

    def __init__(self, port: int) -> None:
        self.port = port
        self.connections = self.cut = self.lost = 0
        self.next_loss = 3
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.thread = Thread(target=self._serve, daemon=True)
        self.thread.start()

    def _serve(self) -> None:
        with suppress(OSError):  # closed: the test is over
            while True:
                near, _ = self.listener.accept()
                Thread(target=self._pass_on, args=(near,), daemon=True).start()

    def _pass_on(self, near: socket.socket) -> None:
        """One connection: whatever is sent goes there, whatever comes goes back until it is cut."""
        self.connections += 1
        with near, socket.create_connection(("127.0.0.1", self.port)) as far, suppress(OSError):
            Thread(target=_copy, args=(near, far), daemon=True).start()
            self._pass_back(far, near)
            for end in (near, far):  # wakes the copier: until then a closed socket stays open
                end.shutdown(socket.SHUT_RDWR)

    def _pass_back(self, far: socket.socket, near: socket.socket) -> None:
        left: int | None = None
        while piece := far.recv(4096):
            if left is None and b"text/event-stream" in piece:
                left = FEED_BYTES
            if left is None and self.connections >= self.next_loss:
                self.lost += 1
                self.next_loss = self.connections + SPARED
                return
            near.sendall(piece if left is None else piece[:left])
            left = None if left is None else left - len(piece)
            if left is not None and left <= 0:
                self.cut += 1
                return

    def close(self) -> None:
        """No more connections."""
        self.listener.close()


def _copy(near: socket.socket, far: socket.socket) -> None:
    with suppress(OSError):
        while piece := near.recv(4096):
            far.sendall(piece)
    with suppress(OSError):
        far.shutdown(socket.SHUT_WR)


@pytest.fixture
def proxy(live: Live) -> Iterator[Proxy]:
    """A bad way to it."""
    made = Proxy(int(live.url.rpartition(":")[2]))
    yield made
    made.close()


def command(name: str) -> list[str]:
    """How the example is run. Locally a missing program is a skip, in CI a failure."""
    needed = ["bash", "curl"] if name.endswith(".sh") else [PROGRAMS[Path(name).suffix]]
    for program in needed:
        if shutil.which(program) is None:
            (pytest.fail if os.environ.get("CI") else pytest.skip)(f"{program} is not on PATH")
    return [needed[0], str(EXAMPLES / name)]


@pytest.mark.parametrize("name", FILES)
def test_an_example_plays_a_game_to_its_end_and_tells_every_commit_once(name: str, live: Live, proxy: Proxy) -> None:
    """Given feeds that are cut in the middle and answers that are lost, no commit is missing and none is told twice."""
    words = command(name)
    clean = {word: value for word, value in os.environ.items() if "proxy" not in word.lower()}
    played = subprocess.run(
        [*words, proxy.url], capture_output=True, text=True, timeout=100, check=False, env=clean, cwd=EXAMPLES
    )
    assert played.returncode == 0, played.stderr
    *told, result = played.stdout.splitlines()
    versions = [int(line.split()[0]) for line in told]
    assert versions == list(range(1, len(told) + 1))
    assert told[0].startswith("1 GameCreated ")
    assert told[-1].endswith(" GameEnded")
    assert result.startswith("result: ")
    assert proxy.cut
    assert proxy.lost


def test_without_trouble_it_is_the_same(live: Live) -> None:
    played = subprocess.run(
        [sys.executable, EXAMPLES / "client.py", live.url], capture_output=True, text=True, timeout=100, check=False
    )
    assert played.returncode == 0, played.stderr
    assert "result: Result(" in played.stdout


@pytest.mark.parametrize("name", FILES)
def test_an_example_is_short_and_stands_in_the_list(name: str) -> None:
    lines = [line for line in (EXAMPLES / name).read_text().splitlines() if line.strip()]
    assert len(lines) <= LINES
    assert f"]({name})" in (EXAMPLES / "README.md").read_text()


def test_the_bot_of_five_lines_plays_a_game(live: Live) -> None:
    (program,) = re.findall(r"^```python\n(.*?)^```", (EXAMPLES / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    assert len(program.splitlines()) <= 6
    program = program.replace("http://127.0.0.1:8000", live.url)
    played = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert played.returncode == 0, played.stderr
    assert "Result(result=" in played.stdout
