"""Who plays next, and who has thought too long? All bots of one's own that a worker has at its tables.

Many may be asked before one is waited for. So many think at a time as there are processors, each against its own clock:
a slow one makes no other late. Where a bot has stalled twice in a row the rest of its games think together, so that
fifty stalling games cost a few limits, not fifty.
"""

import os
import selectors
import subprocess
import time
from collections import Counter, deque
from collections.abc import Callable
from typing import Final, Self

import msgspec
import structlog

from events.game.events import Cause
from workers.own_bots.frames import LENGTH, LONGEST_ANSWER, Answer
from workers.own_bots.guest import Guest, Process
from workers.own_bots.template import CannotLoad, Template

SECONDS: Final = 2.0
MEMORY_MB: Final = 512
STALLS: Final = 2
"""Time-outs in a row, after which a bot's games no longer wait for one another."""
REST_SECONDS: Final = 60.0
"""How long a bot that could not be loaded is not tried again: an import may take seconds, and others wait."""
MOST_AWAKE: Final = 128
"""Processes of games at a time, of some 2 MB each: beyond it a guest that waits for its turn gets a new one for it."""
CAUSES: Final[frozenset[str]] = frozenset(("illegal_move", "error", "timeout"))
"""What stands for a move where there is none."""


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What a bot may take: seconds a move, by the clock on the wall, and memory for each game, beyond its import's."""

    seconds: float = SECONDS
    memory_mb: int = MEMORY_MB


Told = Callable[[str, Cause, str], object]
"""Is told of a forfeit: the bot's path, the cause, and a sentence for its author."""


FORFEITS: Final = "bot_forfeits"


def log_forfeit(path: str, cause: Cause, why: str) -> None:
    """For workers: a line in the log, of the event `FORFEITS`."""
    structlog.get_logger().warning(FORFEITS, bot=path, cause=cause, why=why)


class Guests:
    """The processes of bots that this process has: templates by import path, and games. For the main thread.

    A context: at its end all of them are ended. `output` is where the bots' prints go; `tell` hears of each bot's first
    forfeit of every cause.
    """

    def __init__(
        self,
        limits: Limits,
        *,
        output: int = subprocess.DEVNULL,
        tell: Told = log_forfeit,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.limits = limits
        self._output = output
        self._tell = tell
        self._told: set[tuple[str, Cause]] = set()
        self._clock = clock
        self._templates: dict[str, Template] = {}
        self._resting: dict[str, tuple[float, CannotLoad]] = {}
        self._selector = selectors.DefaultSelector()
        self._awake: dict[Guest, None] = {}
        """Those that have a process, the one that was longest without a question first."""
        self._waiting: deque[Guest] = deque()
        self._thinking: dict[Guest, None] = {}
        self._stalls: Counter[str] = Counter()
        self._processors = processors()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_failure: object) -> None:
        self.close()

    def close(self) -> None:
        """End every process. The object may be used again."""
        for guest in list(self._awake):
            guest.close()
        for template in self._templates.values():
            template.close()
        self._templates.clear()
        self._selector.close()
        self._selector = selectors.DefaultSelector()

    def about(self, path: str) -> str:
        """A bot's line. Raises `CannotLoad`."""
        return self._template(path).about

    def game(self, path: str) -> Guest:
        """A process of its own for one seat of one game. Raises `CannotLoad`."""
        self._template(path)
        return Guest(self, path)

    def _template(self, path: str) -> Template:
        if path in self._templates:
            return self._templates[path]
        since, failure = self._resting.get(path, (0.0, None))
        if failure is not None and self._clock() < since + REST_SECONDS:
            raise CannotLoad(path, failure.why)
        try:
            template = Template(path, memory=self.limits.memory_mb * 2**20, output=self._output)
        except CannotLoad as failure:
            self._resting[path] = self._clock(), failure
            raise
        self._templates[path] = template
        return template

    # ------------------------------------------------------------------------------------------ what a guest asks for

    def queue(self, guest: Guest) -> None:
        """The guest has a question; it is put to it when it is its turn to think."""
        guest.asked = True
        try:
            if guest.process is None:
                self._wake(guest)
        except CannotLoad as failure:
            return self._fail(guest, "error", failure.why)
        self._waiting.append(guest)
        return self.pump(wait=False)

    def forget(self, guest: Guest) -> None:
        """The guest is closed: nothing more is heard from it."""
        self._thinking.pop(guest, None)
        if guest in self._waiting:
            self._waiting.remove(guest)
        self._sleep(guest)

    def _wake(self, guest: Guest) -> None:
        """Give the guest a process; where there are many, one that is not asked anything just now gives its own up."""
        while len(self._awake) >= MOST_AWAKE:
            idle = next((other for other in self._awake if not other.asked), None)
            if idle is None:
                break
            self._sleep(idle)
        for _ in range(2):
            template = self._template(guest.path)
            try:
                guest.process = Process(template)
            except OSError:  # one of its games has ended it, or holds it up
                self._templates.pop(guest.path).close()
                continue
            self._awake[guest] = None
            self._selector.register(guest.process.line, selectors.EVENT_READ, guest)
            return
        raise CannotLoad(guest.path, "its template starts no processes.")

    def _sleep(self, guest: Guest) -> None:
        if guest.process is not None:
            self._selector.unregister(guest.process.line)
            guest.process.end()
            guest.process = None
            del self._awake[guest]

    def pump(self, *, wait: bool) -> None:
        """Put questions, hear answers, and judge who is late; with `wait` not before one of these has happened."""
        while self._waiting and (
            len(self._thinking) < self._processors or self._stalls[self._waiting[0].path] >= STALLS
        ):
            self._put(self._waiting.popleft())
        first = next(iter(self._thinking), None)
        patience = max(first.deadline - self._clock(), 0.0) if wait and first is not None else 0.0
        for key, _ in self._selector.select(patience):
            self._hear(key.data)
        now = self._clock()
        # All have the same limit: who was asked first is late first.
        while (first := next(iter(self._thinking), None)) is not None and first.deadline <= now:
            self._stalls[first.path] += 1
            self._fail(first, "timeout", f"It has not answered within {self.limits.seconds:g} s.")

    def _put(self, guest: Guest) -> None:
        guest.deadline = self._clock() + self.limits.seconds
        self._thinking[guest] = None
        try:
            sent = guest.process.line.send(guest.question) if guest.process is not None else 0
        except OSError:
            sent = 0
        if sent < len(guest.question):  # the buffer was empty, and larger than any view
            self._fail(guest, "error", "Its process has ended.")

    def _hear(self, guest: Guest) -> None:
        process = guest.process
        if process is None:
            return
        try:
            got = process.line.recv(LONGEST_ANSWER)
        except OSError:
            got = b""
        process.got += got
        if not got:
            self._fail(guest, "error", "Its process has ended.")
        elif guest not in self._thinking:
            self._fail(guest, "error", "It spoke without being asked.")
        elif len(process.got) >= LENGTH.size:
            size = LENGTH.size + LENGTH.unpack_from(process.got)[0]
            if size > LONGEST_ANSWER or len(process.got) > size:
                self._fail(guest, "error", "What its process said is no answer.")
            elif len(process.got) == size:
                packed = bytes(process.got[LENGTH.size :])
                process.got.clear()
                self._judge(guest, packed)

    def _judge(self, guest: Guest, packed: bytes) -> None:
        try:
            answer = _ANSWERS.decode(packed)
        except msgspec.DecodeError:
            return self._fail(guest, "error", "What its process said is no answer.")
        self._stalls.pop(guest.path, None)
        if answer.cause is not None:
            return self._fail(guest, answer.cause, answer.why)
        if answer.text not in guest.legal:
            return self._fail(guest, "illegal_move", f"It answered {answer.text}, which is not legal there.")
        del self._thinking[guest]
        del self._awake[guest]
        self._awake[guest] = None  # the last to give its process up
        guest.asked = False
        guest.verdict = answer.text
        return None

    def _fail(self, guest: Guest, cause: Cause, why: str) -> None:
        guest.failure = cause
        if guest.asked:  # else it has answered, and counts as failed when it is asked again
            guest.verdict = cause
            guest.asked = False
        self.forget(guest)
        if (guest.path, cause) not in self._told:
            self._told.add((guest.path, cause))
            self._tell(guest.path, cause, why)


_ANSWERS: Final = msgspec.msgpack.Decoder(Answer)


def processors() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
