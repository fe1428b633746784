"""How does a test get a whole service? `malice up` in a directory of its own: all parts as processes."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2

from services.children import dies_with_parent

DEADLINE_SECONDS = 60.0
ADMIN_KEY = "the admin's own key"


class Live:
    """A running service: its address, its output so far, and its processes."""

    def __init__(self, process: "subprocess.Popen[bytes]", url: str, output: Path) -> None:
        self.process = process
        self.url = url
        self.output = output
        self.http = httpx2.Client(base_url=url, timeout=10, trust_env=False)

    def said(self) -> str:
        """Everything that the processes printed."""
        return self.output.read_text()

    def ready(self) -> bool:
        """Does it answer that it can serve?"""
        try:
            return self.http.get("/readyz").status_code == 200
        except httpx2.RequestError:
            return False

    def pids(self, word: str) -> list[int]:
        """The children whose command line holds this word: `valkey-server`, `worker`, `api`, `beat`."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return [int(pid) for pid in children if word in _command_line(int(pid))]

    def kill(self, word: str) -> None:
        """kill -9 of one child. Returns when that process is gone."""
        (pid,) = self.pids(word)
        os.kill(pid, signal.SIGKILL)
        eventually(lambda: pid not in self.pids(word))


def _command_line(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


@contextmanager
def running_service(folder: Path, *, workers: int = 1, port: int | None = None, **environ: str) -> Generator[Live]:
    """`malice up` over the data in `folder`, ready; stopped at the end as by Ctrl-C."""
    port = port or free_port()
    output = folder.parent / f"{folder.name}.out"
    command = [sys.executable, "-m", "services.cli", "up", "--port", str(port), "--workers", str(workers)]
    clean = {name: value for name, value in os.environ.items() if not name.startswith("MALICE_")}
    with output.open("ab") as written:
        process = subprocess.Popen(
            [*command, "--data", str(folder)],
            stdin=subprocess.DEVNULL,
            stdout=written,
            stderr=subprocess.STDOUT,
            env=clean | environ,
            preexec_fn=dies_with_parent(signal.SIGTERM),  # noqa: PLW1509 - it calls prctl and getppid alone
        )
    live = Live(process, f"http://127.0.0.1:{port}", output)
    try:
        eventually(lambda: live.ready() or process.poll() is not None)
        assert process.poll() is None, live.said()
        yield live
    finally:
        live.http.close()
        process.send_signal(signal.SIGINT)
        process.wait(30)


def eventually(holds: Callable[[], Any], seconds: float = DEADLINE_SECONDS) -> None:
    """Returns when it holds; fails when it does not in time."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)  # other processes work: there is no event to wait for


def free_port() -> int:
    """A port that nobody listens on just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
