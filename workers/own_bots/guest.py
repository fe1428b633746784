"""What is a bot of one's own at a table? Somebody who is asked, answers in time or fails, and leaves.

When it is asked, heard and judged is the affair of `guests`, which knows all of them.
"""

from typing import TYPE_CHECKING

from events.game.events import Cause
from events.game.views import View
from workers.own_bots.frames import Question, framed
from workers.own_bots.template import Template

if TYPE_CHECKING:
    from workers.own_bots.guests import Guests


class Guest:
    """A seat of one game at which a bot plays, in a process that is there from the first question on."""

    def __init__(self, guests: "Guests", path: str) -> None:
        self._guests = guests
        self.path = path
        self.process: Process | None = None
        self.legal: tuple[str, ...] = ()
        self.question = b""
        self.deadline = 0.0
        self.asked = False
        self.verdict: str | None = None
        self.failure: Cause | None = None

    def ask(self, view: View, seed: bytes) -> None:
        """Send the question without waiting. After a failure nothing is sent: the answer is that failure again."""
        if self.failure is not None:
            self.verdict = self.failure
            return
        self.verdict = None
        self.legal = view.legal
        self.question = framed(Question(seed, view))
        self._guests.queue(self)

    def answer(self) -> str:
        """A legal move's text, or one of `CAUSES`; waits as long as the limit allows. A cause has ended the process."""
        if self.verdict is None and not self.asked:
            raise ValueError("it was not asked")
        while self.verdict is None:
            self._guests.pump(wait=True)
        return self.verdict

    def close(self) -> None:
        """End the process; safe to call twice. Its last verdict stays."""
        self.failure = self.failure or "error"
        self.verdict = self.verdict or self.failure
        self.asked = False
        self._guests.forget(self)


class Process:
    """The process of a guest, the socket to speak with it, and what of an answer has come."""

    def __init__(self, template: Template) -> None:
        """Raises OSError where the template is harmed."""
        self._template = template
        self._pid, self.line = template.fork()
        self.got = bytearray()

    def end(self) -> None:
        """End it."""
        self.line.close()
        self._template.end(self._pid)
