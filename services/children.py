"""How is a child process tied to this one, what does it say, and how did it end?

Law kept: nothing that this process starts outlives it, not even after a kill -9. Elsewhere than on Linux the kernel has
no such promise to give; there a store that was left behind is found by the lock on its data directory.
"""

import asyncio
import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence

PR_SET_PDEATHSIG = 1
LONGEST_LINE = 64 * 1024


def dies_with_parent(last_signal: signal.Signals) -> Callable[[], None] | None:
    """For Popen's `preexec_fn`: the kernel sends `last_signal` to the child when this process dies. Linux only."""
    if sys.platform != "linux":
        return None
    if threading.current_thread() is not threading.main_thread():
        # The kernel means the thread that forked: the child would die with it, in the midst of its work.
        raise RuntimeError("child processes are started by the main thread: they die with the thread that started them")
    parent, prctl = os.getpid(), ctypes.CDLL(None).prctl

    def ask() -> None:
        prctl(PR_SET_PDEATHSIG, int(last_signal))
        if os.getppid() != parent:  # it died before the line above
            os._exit(1)

    return ask


def ending(returncode: int) -> str:
    """How a process ended, as the end of a sentence."""
    if returncode >= 0:
        return f"ended with exit code {returncode}"
    try:
        return f"was killed by {signal.Signals(-returncode).name}"
    except ValueError:  # a real-time signal has no name
        return f"was killed by signal {-returncode}"


class Child:
    """A running program that leads a group of its own, and the lines it says, each given to `heard`.

    It adds `env` to this process's environment. For the main thread, inside a running event loop. Raises OSError.
    """

    def __init__(self, argv: Sequence[str], env: Mapping[str, str], heard: Callable[[str], None]) -> None:
        self.last_words: deque[str] = deque(maxlen=5)
        self._heard = heard
        self._rest = b""
        self.process = subprocess.Popen(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, **env},
            start_new_session=True,  # a terminal's Ctrl-C is not for it; and it can be ended with all it started
            preexec_fn=dies_with_parent(signal.SIGKILL),  # noqa: PLW1509 - it calls prctl and getppid alone
        )
        assert self.process.stdout
        self._pipe = self.process.stdout.fileno()
        os.set_blocking(self._pipe, False)
        asyncio.get_running_loop().add_reader(self._pipe, self._read)

    def _read(self) -> bool:
        """Pass on the lines that have come; False when there is nothing to read, now or ever."""
        try:
            chunk = os.read(self._pipe, LONGEST_LINE)
        except BlockingIOError:
            return False
        if not chunk:  # closed by the child, which may live on: its death is another matter
            asyncio.get_running_loop().remove_reader(self._pipe)
            return False
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        if len(self._rest) >= LONGEST_LINE:
            lines, self._rest = [*lines, self._rest], b""
        for line in lines:
            self._line(line)
        return True

    def _line(self, line: bytes) -> None:
        text = line.decode(errors="replace").rstrip("\r")
        self.last_words.append(text)
        self._heard(text)

    def kill(self) -> None:
        """The process and whatever it started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):  # macOS says EPERM of a group of zombies
            os.killpg(self.process.pid, signal.SIGKILL)

    def close(self) -> None:
        """After its death: end what it left behind, and hear it out."""
        self.kill()
        while self._read():
            pass
        if self._rest:
            self._line(self._rest)
        asyncio.get_running_loop().remove_reader(self._pipe)
        assert self.process.stdout
        self.process.stdout.close()
