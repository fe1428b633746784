"""What does the client's core ask of the one who drives it? A handful of steps; it does none of them itself.

A call is a generator: it yields a step and is sent what came of it, until it returns its result. So what is asked, how
often, and what is made of the answers is written once; `blocking` and `awaiting` are two short ways to carry it out.

Law kept: no input or output, no waiting, no clock to wait by. A token is in no step's text.
"""

from collections.abc import Awaitable, Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeAlias, TypeVar

from events.game.views import View

T = TypeVar("T")

Strategy: TypeAlias = Callable[[View], str | Awaitable[str]]
"""Chooses one of `view.legal`. With the client that blocks it gives the move, with the other it may be a coroutine."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request; `path` is that after the service's address."""

    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict[str, str])
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    body: bytes | None = field(default=None, repr=False)
    timeout: float = 30.0
    """Seconds without a byte of the answer."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer, whatever its status. The names of `headers` are found in any case."""

    status: int
    headers: Mapping[str, str]
    body: bytes = field(repr=False)

    @property
    def good(self) -> bool:
        """Was it done, or has nothing changed since (304)?"""
        return 200 <= self.status < 300 or self.status == 304


@dataclass(frozen=True, slots=True)
class Lost:
    """No answer, or not to its end: whether the request was carried out is not known."""

    why: str


@dataclass(frozen=True, slots=True)
class Message:
    """A server-sent event."""

    event: str
    data: str
    retry: int | None
    """Milliseconds, where the service says how long to wait before one comes again."""


@dataclass(frozen=True, slots=True)
class Send:
    """Send it and read the whole answer → `Reply` or `Lost`."""

    request: Request


@dataclass(frozen=True, slots=True)
class Open:
    """Send it and keep the answer open where it is a stream of events → `Reply`, then with an empty body, or `Lost`."""

    request: Request


@dataclass(frozen=True, slots=True)
class Next:
    """The next event of the stream that is open → `Message`, None at its end, or `Lost`."""


@dataclass(frozen=True, slots=True)
class Close:
    """Close the stream that is open → None."""


@dataclass(frozen=True, slots=True)
class Pause:
    """Wait → None. `why` is said where something went wrong, and is empty where this is the way of things."""

    seconds: float
    why: str = ""


@dataclass(frozen=True, slots=True)
class Choose:
    """Ask for a move → its text."""

    strategy: Strategy
    view: View


@dataclass(frozen=True, slots=True)
class Tell(Generic[T]):
    """Hand an item to whoever iterates → None."""

    item: T


Step: TypeAlias = Send | Open | Next | Close | Pause | Choose
Steps: TypeAlias = Generator[Step, Any, T]
"""A call that returns a value."""
Telling: TypeAlias = Generator[Step | Tell[T], Any, None]
"""A call that hands out items one by one."""
EVENT_STREAM = "text/event-stream"


def media_of(reply: Reply) -> str:
    """The media type of a body, without its parameters."""
    return reply.headers.get("content-type", "").partition(";")[0].strip().lower()
