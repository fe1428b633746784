"""How does a program with an event loop talk to a service? `AsyncClient` and `AsyncGame`: every call is awaited.

Law kept: what is asked, and how often, the core says (`calls`, `games`, `feed`, `playing`); here it is carried out.
"""

import asyncio
import inspect
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import aclosing, closing
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
        self,
        http: httpx2.AsyncClient,
        pause: Callable[[float], Awaitable[object]],
        on_wait: Callable[[str, float], object],
    ) -> None:
        self.http = http
        self.pause = pause
        self.on_wait = on_wait

    async def run(self, steps: Steps[T]) -> T:
        """The result of a call."""
        outcome: object = None
        with closing(steps):
            async with aclosing(_Run(self)) as run:
                while True:
                    try:
                        step = steps.send(outcome)
                    except StopIteration as end:
                        return end.value
                    outcome = await run.do(step)

    async def items(self, steps: Telling[T]) -> AsyncGenerator[T]:
        """The items of a call, as they come."""
        outcome: object = None
        with closing(steps):
            async with aclosing(_Run(self)) as run:
                while True:
                    try:
                        step = steps.send(outcome)
                    except StopIteration:
                        return
                    if isinstance(step, Tell):
                        yield step.item
                        outcome = None
                    else:
                        outcome = await run.do(step)


class _Run:
    """One call: the stream that it has open, if any."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self._response: httpx2.Response | None = None
        self._events: AsyncIterator[httpx2.ServerSentEvent] | None = None

    async def do(self, step: Step) -> object:
        match step:
            case Send(request) | Open(request):
                return await self._ask(request, keep=isinstance(step, Open))
            case Next():
                return await self._next()
            case Close():
                await self.aclose()
            case Pause(seconds, why):
                if why:
                    self._driver.on_wait(why, seconds)
                await self._driver.pause(seconds)
            case Choose(strategy, view):
                chosen = strategy(view)
                return await chosen if inspect.isawaitable(chosen) else chosen
        return None

    async def _ask(self, request: Request, *, keep: bool) -> Reply | Lost:
        http = self._driver.http
        try:
            response = await http.send(http.build_request(**written(request)), stream=True)
        except httpx2.RequestError as error:
            return lost(error)
        self._response = response
        if keep and is_stream(answered(response)):
            self._events = aiter(httpx2.EventSource(response))
            return answered(response)
        try:
            return answered(response, await response.aread())
        except httpx2.RequestError as error:
            return lost(error)
        finally:
            await self.aclose()

    async def _next(self) -> Message | Lost | None:
        try:
            return None if self._events is None else told(await anext(self._events, None))
        except httpx2.RequestError as error:
            return lost(error)

    async def aclose(self) -> None:
        """Close the stream, if one is open."""
        if self._response is not None:
            await self._response.aclose()
        self._response, self._events = None, None


class _Asked:
    """What has calls, and a driver for them."""

    def __init__(self, driver: Driver, calls: object) -> None:
        self.driver = driver
        self.calls = calls


class result(Generic[P, T]):
    """A call of the core as a method whose result is awaited."""

    def __init__(self, of: Callable[Concatenate[Any, P], Steps[T]]) -> None:
        self._of = of

    def __get__(self, one: _Asked | None, _: type) -> Callable[P, Coroutine[Any, Any, T]]:
        if one is None:
            return cast("Callable[P, Coroutine[Any, Any, T]]", self._of)  # for help()

        @wraps(self._of)
        async def method(*args: P.args, **kwargs: P.kwargs) -> T:
            return await one.driver.run(self._of(one.calls, *args, **kwargs))

        return method


class items(Generic[P, T]):
    """A call of the core as a method that returns an asynchronous iterator."""

    def __init__(self, of: Callable[Concatenate[Any, P], Telling[T]]) -> None:
        self._of = of

    def __get__(self, one: _Asked | None, _: type) -> Callable[P, AsyncGenerator[T]]:
        if one is None:
            return cast("Callable[P, AsyncGenerator[T]]", self._of)

        @wraps(self._of)
        def method(*args: P.args, **kwargs: P.kwargs) -> AsyncGenerator[T]:
            return one.driver.items(self._of(one.calls, *args, **kwargs))

        return method


class AsyncGame(_Asked):
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
        return f"AsyncGame({self.id!r})"


class AsyncClient(_Asked):
    """A service at `url`, asked with an API key or the admin key where one is needed.

    `patience`: for how many seconds a call goes on while the service is away; `on_wait(why, seconds)` hears each time
    that it waits. `transport` and `pause` are for tests. Close it, or use it as a context manager. Who leaves a feed
    before its end closes it with `contextlib.aclosing`.
    """

    calls: Calls

    def __init__(
        self,
        url: str = SERVICE_URL,
        *,
        api_key: str | None = None,
        patience: float = 30.0,
        on_wait: Callable[[str, float], object] = lambda _why, _seconds: None,
        transport: httpx2.AsyncBaseTransport | None = None,
        pause: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self.url = url
        self._http = httpx2.AsyncClient(transport=transport, **opened(url))
        super().__init__(Driver(self._http, pause, on_wait), Calls(Asker(url, api_key, patience)))

    def game(self, game: str, token: str | None = None) -> AsyncGame:
        """A game, to be asked with the token of a seat; without one, as a spectator. Nothing is sent."""
        asker = self.calls.asker
        return AsyncGame(self.driver, GameCalls(game, Asker(asker.url, token or asker.token, asker.patience)))

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

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_failure: object) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return f"AsyncClient({self.url!r})"
