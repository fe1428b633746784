"""How does an ordinary program talk to a service? `Client` and `Game`: every call waits for its result.

Law kept: what is asked, and how often, the core says (`calls`, `games`, `feed`, `playing`); here it is carried out.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import wraps
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar, cast

import httpx2

from services.client.asking import Asker
from services.client.calls import Calls
from services.client.games import GameCalls
from services.client.playing import play
from services.client.steps import (
    Choose,
    Close,
    Lost,
    Message,
    Next,
    Open,
    Pause,
    Reply,
    Request,
    Send,
    Step,
    Steps,
    Tell,
    Telling,
)
from services.client.wire import SERVICE_URL, answered, is_stream, lost, opened, told, written

P = ParamSpec("P")
T = TypeVar("T")


class Driver:
    """Carries out the steps of calls. `pause` waits so many seconds; `on_wait` hears why, where something is wrong."""

    def __init__(
        self, http: httpx2.Client, pause: Callable[[float], object], on_wait: Callable[[str, float], object]
    ) -> None:
        self.http = http
        self.pause = pause
        self.on_wait = on_wait

    def run(self, steps: Steps[T]) -> T:
        """The result of a call."""
        outcome: object = None
        with closing(steps), closing(_Run(self)) as run:
            while True:
                try:
                    step = steps.send(outcome)
                except StopIteration as end:
                    return end.value
                outcome = run.do(step)

    def items(self, steps: Telling[T]) -> Iterator[T]:
        """The items of a call, as they come."""
        outcome: object = None
        with closing(steps), closing(_Run(self)) as run:
            while True:
                try:
                    step = steps.send(outcome)
                except StopIteration:
                    return
                if isinstance(step, Tell):
                    yield step.item
                    outcome = None
                else:
                    outcome = run.do(step)


class _Run:
    """One call: the stream that it has open, if any."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self._response: httpx2.Response | None = None
        self._events: Iterator[httpx2.ServerSentEvent] = iter(())

    def do(self, step: Step) -> object:
        match step:
            case Send(request) | Open(request):
                return self._ask(request, keep=isinstance(step, Open))
            case Next():
                return self._next()
            case Close():
                self.close()
            case Pause(seconds, why):
                if why:
                    self._driver.on_wait(why, seconds)
                self._driver.pause(seconds)
            case Choose(strategy, view):
                return strategy(view)
        return None

    def _ask(self, request: Request, *, keep: bool) -> Reply | Lost:
        http = self._driver.http
        try:
            response = http.send(http.build_request(**written(request)), stream=True)
        except httpx2.RequestError as error:
            return lost(error)
        self._response = response
        if keep and is_stream(answered(response)):
            self._events = iter(httpx2.EventSource(response))
            return answered(response)
        try:
            return answered(response, response.read())
        except httpx2.RequestError as error:
            return lost(error)
        finally:
            self.close()

    def _next(self) -> Message | Lost | None:
        try:
            return told(next(self._events, None))
        except httpx2.RequestError as error:
            return lost(error)

    def close(self) -> None:
        """Close the stream, if one is open."""
        if self._response is not None:
            self._response.close()
        self._response, self._events = None, iter(())


class _Asked:
    """What has calls, and a driver for them."""

    def __init__(self, driver: Driver, calls: object) -> None:
        self.driver = driver
        self.calls = calls


class result(Generic[P, T]):
    """A call of the core as a method that returns its result."""

    def __init__(self, of: Callable[Concatenate[Any, P], Steps[T]]) -> None:
        self._of = of

    def __get__(self, one: _Asked | None, _: type) -> Callable[P, T]:
        if one is None:
            return cast("Callable[P, T]", self._of)  # for help()

        @wraps(self._of)
        def method(*args: P.args, **kwargs: P.kwargs) -> T:
            return one.driver.run(self._of(one.calls, *args, **kwargs))

        return method


class items(Generic[P, T]):
    """A call of the core as a method that returns an iterator."""

    def __init__(self, of: Callable[Concatenate[Any, P], Telling[T]]) -> None:
        self._of = of

    def __get__(self, one: _Asked | None, _: type) -> Callable[P, Iterator[T]]:
        if one is None:
            return cast("Callable[P, Iterator[T]]", self._of)

        @wraps(self._of)
        def method(*args: P.args, **kwargs: P.kwargs) -> Iterator[T]:
            return one.driver.items(self._of(one.calls, *args, **kwargs))

        return method


class Game(_Asked):
    """A game, seen by the seat whose token this is, or by a spectator."""

    calls: GameCalls

    view = result(GameCalls.view)
    open_view = result(GameCalls.open_view)
    newer_view = result(GameCalls.newer_view)
    sit = result(GameCalls.sit)
    move = result(GameCalls.move)
    resign = result(GameCalls.resign)
    events = result(GameCalls.events)
    feed = items(GameCalls.feed)
    fork = result(GameCalls.fork)
    rematch = result(GameCalls.rematch)
    log = result(GameCalls.log)
    verification = result(GameCalls.verification)
    play = result(play)

    @property
    def id(self) -> str:
        """The game's id."""
        return self.calls.game

    def __repr__(self) -> str:
        return f"Game({self.id!r})"


class Client(_Asked):
    """A service at `url`, asked with an API key or the admin key where one is needed.

    `patience`: for how many seconds a call goes on while the service is away; `on_wait(why, seconds)` hears each time
    that it waits. `transport` and `pause` are for tests. Close it, or use it as a context manager.
    """

    calls: Calls

    def __init__(
        self,
        url: str = SERVICE_URL,
        *,
        api_key: str | None = None,
        patience: float = 30.0,
        on_wait: Callable[[str, float], object] = lambda _why, _seconds: None,
        transport: httpx2.BaseTransport | None = None,
        pause: Callable[[float], object] = time.sleep,
    ) -> None:
        self.url = url
        self._http = httpx2.Client(transport=transport, **opened(url))
        super().__init__(Driver(self._http, pause, on_wait), Calls(Asker(url, api_key, patience)))

    def game(self, game: str, token: str | None = None) -> Game:
        """A game, to be asked with the token of a seat; without one, as a spectator. Nothing is sent."""
        asker = self.calls.asker
        return Game(self.driver, GameCalls(game, Asker(asker.url, token or asker.token, asker.patience)))

    create_game = result(Calls.create_game)
    games = result(Calls.games)
    import_log = result(Calls.import_log)
    create_match = result(Calls.create_match)
    sit_in_match = result(Calls.sit_in_match)
    match = result(Calls.match)
    match_log = result(Calls.match_log)
    match_verification = result(Calls.match_verification)
    start_arena = result(Calls.start_arena)
    arenas = result(Calls.arenas)
    arena = result(Calls.arena)
    arena_results = items(Calls.arena_results)
    cancel_arena = result(Calls.cancel_arena)
    wait_for_arena = result(Calls.wait_for_arena)
    rules = result(Calls.rules)
    bots = result(Calls.bots)
    alive = result(Calls.alive)
    ready = result(Calls.ready)

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_failure: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Client({self.url!r})"
