"""Who plays next, and who has thought too long? All bots of one's own that a worker has at its tables.

Many may be asked before one is waited for. So many think at a time as there are processors, each against its own clock:
a slow one makes no other late. Where a bot has stalled twice in a row the rest of its games think together, so that
fifty stalling games cost a few limits, not fifty.
"""

import os
import selectors
import socket
import subprocess
import time
from collections import Counter, deque
from collections.abc import Callable
from typing import Final, Self

import msgspec
import structlog

from events.game.events import Cause
from events.game.views import View
from workers.own_bots.frames import LENGTH, LONGEST_ANSWER, Answer, Question, framed
from workers.own_bots.template import CannotLoad, Template

SECONDS: Final = 2.0
MEMORY_MB: Final = 512
STALLS: Final = 2
"""Time-outs in a row, after which a bot's games no longer wait for one another."""
REST_SECONDS: Final = 60.0
"""How long a bot that could not be loaded is not tried again: an import may take seconds, and others wait."""
CAUSES: Final[frozenset[str]] = frozenset(("illegal_move", "error", "timeout"))
"""What stands for a move where there is none."""


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What a bot may take: seconds a move, by the clock on the wall, and memory for each game, beyond its import's."""

    seconds: float = SECONDS
    memory_mb: int = MEMORY_MB


Told = Callable[[str, Cause, str], object]
"""Is told of a forfeit: the bot's path, the cause, and a sentence for its author."""


def log_forfeit(path: str, cause: Cause, why: str) -> None:
    """For workers: a line in the log."""
    structlog.get_logger().warning("bot_forfeits", bot=path, cause=cause, why=why)


class Guest:
    """A process that plays one seat of one game."""

    def __init__(self, guests: "Guests", template: Template, pid: int, line: socket.socket) -> None:
        self._guests = guests
        self.path = template.path
        self.template = template
        self.pid = pid
        self.line = line
        self.got = bytearray()
        self.legal: tuple[str, ...] = ()
        self.question = b""
        self.deadline = 0.0
        self.verdict: str | None = None
        self.failure: Cause = "error"
        self.open = True

    def ask(self, view: View, seed: bytes) -> None:
        """Send the question without waiting. After a failure nothing is sent: the answer is that failure again."""
        if not self.open:
            self.verdict = self.failure
            return
        self.verdict = None
        self.legal = view.legal
        self.question = framed(Question(seed, view))
        self._guests.queue(self)

    def answer(self) -> str:
        """A legal move's text, or one of `CAUSES`; waits as long as the limit allows. A cause has ended the process."""
        while self.verdict is None:
            self._guests.pump(wait=True)
        return self.verdict

    def close(self) -> None:
        """End the process; safe to call twice. Its last verdict stays."""
        if self.open:
            self.open = False
            self._guests.forget(self)
            self.line.close()
            self.template.end(self.pid)


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
        for key in list(self._selector.get_map().values()):
            key.data.close()
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
        for _ in range(2):
            template = self._template(path)
            try:
                pid, line = template.fork()
            except OSError:  # one of its games has ended it, or holds it up
                self._templates.pop(path).close()
                continue
            guest = Guest(self, template, pid, line)
            self._selector.register(line, selectors.EVENT_READ, guest)
            return guest
        raise CannotLoad(path, "its template starts no processes.")

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
        self._waiting.append(guest)
        self.pump(wait=False)

    def forget(self, guest: Guest) -> None:
        """The guest is closed: nothing more is heard from it."""
        self._selector.unregister(guest.line)
        self._thinking.pop(guest, None)
        if guest in self._waiting:
            self._waiting.remove(guest)

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
            sent = guest.line.send(guest.question)
        except OSError:
            sent = 0
        if sent < len(guest.question):  # the buffer was empty, and larger than any view
            self._fail(guest, "error", "Its process has ended.")

    def _hear(self, guest: Guest) -> None:
        try:
            got = guest.line.recv(LONGEST_ANSWER)
        except OSError:
            got = b""
        guest.got += got
        if not got:
            return self._fail(guest, "error", "Its process has ended.")
        if guest not in self._thinking:
            return self._fail(guest, "error", "It spoke without being asked.")
        if len(guest.got) < LENGTH.size:
            return None
        size = LENGTH.size + LENGTH.unpack_from(guest.got)[0]
        if size > LONGEST_ANSWER or len(guest.got) > size:
            return self._fail(guest, "error", "What its process said is no answer.")
        return self._judge(guest) if len(guest.got) == size else None

    def _judge(self, guest: Guest) -> None:
        try:
            answer = _ANSWERS.decode(bytes(guest.got[LENGTH.size :]))
        except msgspec.DecodeError:
            return self._fail(guest, "error", "What its process said is no answer.")
        guest.got.clear()
        self._stalls.pop(guest.path, None)
        if answer.cause is not None:
            return self._fail(guest, answer.cause, answer.why)
        if answer.text not in guest.legal:
            return self._fail(guest, "illegal_move", f"It answered {answer.text}, which is not legal there.")
        del self._thinking[guest]
        guest.verdict = answer.text
        return None

    def _fail(self, guest: Guest, cause: Cause, why: str) -> None:
        guest.failure = cause
        if guest.verdict is None:  # else it has answered, and counts as failed when it is asked again
            guest.verdict = cause
        guest.close()
        if (guest.path, cause) not in self._told:
            self._told.add((guest.path, cause))
            self._tell(guest.path, cause, why)


_ANSWERS: Final = msgspec.msgpack.Decoder(Answer)


def processors() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
