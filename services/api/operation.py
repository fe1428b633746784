"""What is a route? One `Operation`: its handler, and all that the documentation says of it.

Law kept: no module-level state; what handlers work with is one frozen value, `Service`, handed to each of them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from starlette.responses import Response

from events.errors import MaliceError
from events.log.store import Store
from services.api.access import Access
from services.api.metrics import Metrics
from services.api.watching import Feed
from services.api.wire import BODY_LIMIT, JSON, Ask


@dataclass(frozen=True, slots=True)
class Service:
    """What a handler needs of the world."""

    store: Store
    access: Access
    wake: Callable[[str], object]
    """Says that a game has moved on. It keeps to itself that it reached nobody: the sweep finds the game."""
    ring_lane: Callable[[str, int], object]
    """Asks a worker to play on in a lane of an arena; as silent about failures as `wake`."""
    ready: Callable[[], None]
    """Raises `StoreUnavailable`, with a sentence, while this process should be sent no requests."""
    bots: Mapping[str, str]
    """The bots that may be seated, by name, and a line about each."""
    metrics: Metrics
    feed: Feed
    """Whoever watches here."""
    spectator_delay: int = 0
    """How many seconds late a game that runs is seen by who has no seat in it."""


Handler: TypeAlias = Callable[[Service, Ask], Response]
Examples: TypeAlias = Mapping[str, Callable[[], object]]
EVERYWHERE: Final = ("malformed", "forbidden", "internal")
"""Codes that every operation may answer: a query it does not know, a page of elsewhere at a service for this machine
alone, and a fault."""


COUNTED: Final = "/v1/"
"""What lies under it is limited; health, figures and documentation are for everybody, always."""


class Shape(NamedTuple):
    """A body: its type (or types), an example of it, made when the documentation is, and how it is written."""

    type: Any
    example: Callable[[], object]
    media: str = JSON
    also: tuple[str, ...] = ()
    """Further media types that the same body may have."""
    lines: tuple[Any, ...] = ()
    """Of text made of lines or messages: the types that one of them may be, as JSON."""
    more: Examples = MappingProxyType({})
    """Further examples, by their names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """A method of a path. The handler's docstring is its description, the first line the summary."""

    method: Literal["GET", "POST", "DELETE"]
    path: str
    handler: Handler
    answers: tuple[Shape, ...]
    """What a success is answered with, by Accept; the first is the usual one."""
    status: int = 200
    body: Shape | None = None
    body_required: bool = True
    body_limit: int = BODY_LIMIT
    """Bytes; a larger body is not read."""
    parameters: tuple[str, ...] = ()
    """Query parameters and headers, by their names in `parameters.PARAMETERS`."""
    headers: tuple[str, ...] = ()
    """Headers of the answer, by their names in `parameters.HEADERS`, beside those that every answer has."""
    empty: str = ""
    """When is the answer a 204 without a body? A sentence; "" for never."""
    problems: tuple[str, ...] = ()
    """Codes beside those of `codes` that every operation has."""
    met: Callable[[], Sequence[MaliceError]] = tuple
    """Problems as callers of this operation meet them, where the code's own example would not fit."""
    secured: bool = True
    """Does a Bearer token make a difference?"""
    waits: bool = True
    """Does it ask the store? Then it runs in a thread, so that nobody else waits with it."""
    long: bool = False
    """Does it verify whole logs, for seconds? Then few are worked on at once, so that no move waits for them."""
    more: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Anything further for its entry in the OpenAPI document."""

    @property
    def name(self) -> str:
        """`play`: the handler's name is the operation's id."""
        return self.handler.__name__

    @property
    def codes(self) -> tuple[str, ...]:
        """All codes of problems that it may answer."""
        limited = ("rate_limited",) if self.path.startswith(COUNTED) else ()
        return tuple(dict.fromkeys((*self.problems, *EVERYWHERE, *limited)))
