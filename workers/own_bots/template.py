"""How does a worker get a process for a game of a bot? From a template: an interpreter that has imported the bot.

Law kept: nothing is left behind. A template is ended with its games when it is closed, forgotten, or its worker ends.
"""

import os
import signal
import socket
import subprocess
import sys
import weakref
from contextlib import suppress
from typing import Final

import msgspec

from events.errors import MaliceError
from workers.own_bots.frames import ORDER, Loaded, Loading, framed, read

IMPORT_SECONDS: Final = 10.0
"""How long the import of a bot may take."""
FORK_SECONDS: Final = 2.0
"""How long a template may take for a fork, and for its end: milliseconds, unless the bot has harmed it."""
_START: Final = "import sys; sys.path[:] = sys.argv[3:]; from workers.own_bots.child import main; main()"


class CannotLoad(MaliceError):
    """A bot that cannot be imported here, and why."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"The bot {path!r} cannot be loaded: {why}")
        self.path = path
        self.why = why


class Template:
    """A running template. `output` is where the bot's prints go: a file's number, or `subprocess.DEVNULL`.

    For the main thread: on Linux a template ends with the thread that started it. Raises `CannotLoad`.
    """

    def __init__(self, path: str, *, memory: int, output: int) -> None:
        self.path = path
        self._control, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-s", "-P", "-u", "-c", _START, str(theirs.fileno()), str(os.getpid()), *sys.path],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                # Empty, but for this: sets of texts have the same order in every process, and so the same games.
                env={"PYTHONHASHSEED": "0"},
                pass_fds=(theirs.fileno(),),
                start_new_session=True,  # a terminal's Ctrl-C is not for it, and it can be ended with all it started
            )
        self.close = weakref.finalize(self, _close, self._process, self._control)
        try:
            self.about = self._loaded(Loading(path, os.getcwd(), memory))
        except BaseException:  # an interrupt too must leave no process behind
            _kill(self._process)  # it may be busy with the import for ever, and hear nothing
            self.close()
            raise

    def _loaded(self, order: Loading) -> str:
        self._control.settimeout(IMPORT_SECONDS)
        try:
            self._control.sendall(framed(order))
            answer = read(self._control, msgspec.msgpack.Decoder(Loaded))
        except TimeoutError:
            raise CannotLoad(self.path, f"its import has not ended within {IMPORT_SECONDS:g} s.") from None
        except (OSError, msgspec.DecodeError):
            answer = None
        if answer is None:
            raise CannotLoad(self.path, "its process ended while it was imported.")
        if answer.failure is not None:
            raise CannotLoad(self.path, answer.failure)
        self._control.settimeout(FORK_SECONDS)
        return answer.about

    def fork(self) -> tuple[int, socket.socket]:
        """A process for a game, and the socket to speak with it. Raises OSError where the template is harmed."""
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                socket.send_fds(self._control, [ORDER.pack(0)], [theirs.fileno()])
            answer = self._control.recv(ORDER.size)
            if len(answer) < ORDER.size:
                raise ConnectionError("the template has ended")
        except OSError:
            ours.close()
            raise
        ours.setblocking(False)
        return ORDER.unpack(answer)[0], ours

    def end(self, pid: int) -> None:
        """End the process of a game. A template that is gone has taken it along."""
        with suppress(OSError):
            self._control.sendall(ORDER.pack(pid))


def _close(process: "subprocess.Popen[bytes]", control: socket.socket) -> None:
    """The template hears that nobody asks any more, ends its games, and itself; by force if it does not."""
    with control, suppress(OSError):
        control.settimeout(FORK_SECONDS)
        control.shutdown(socket.SHUT_WR)
        while control.recv(4096):
            pass
    _kill(process)
    process.wait()


def _kill(process: "subprocess.Popen[bytes]") -> None:
    """With its group. It is not waited for yet, so that the number is still its own."""
    with suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
