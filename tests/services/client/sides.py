"""How does one test speak for both clients, and over a network that fails as told?

`Awaited` makes an asynchronous client look like a blocking one, so every test body is run with either. `Network` is
what both send through: by turns, a request is lost, its answer is lost, it is answered as told, or a stream is cut.
"""

import asyncio
import inspect
from collections.abc import AsyncIterator, Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias

import httpx2

from services.client import AsyncClient, AsyncGame, Client

BLOCKING, AWAITED = "blocking", "awaited"


@dataclass(frozen=True)
class Answer:
    """The service, or something on the way, answers this; it is not asked."""

    status: int
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class CutAfter:
    """So many bytes of the answer arrive; then the connection breaks, or ends `cleanly`."""

    size: int
    cleanly: bool = False


LOST = "the request does not arrive"
UNHEARD = "the request arrives, its answer is lost"
FINE = "nothing happens to it"
Fate: TypeAlias = str | Answer | CutAfter


class Network(httpx2.BaseTransport, httpx2.AsyncBaseTransport):
    """Requests meet `fates`, one after another, and then nothing; `asked` has them all, sent or not."""

    def __init__(self, fates: Iterable[Fate] = ()) -> None:
        self.fates = iter(fates)
        self.asked: list[httpx2.Request] = []
        self._blocking = httpx2.HTTPTransport()
        self._awaited = httpx2.AsyncHTTPTransport()

    def sent(self, name: str) -> list[str | None]:
        """This header of every request."""
        return [request.headers.get(name) for request in self.asked]

    def _fate(self, request: httpx2.Request) -> Fate:
        self.asked.append(request)
        fate = next(self.fates, FINE)
        if fate == LOST:
            raise httpx2.ConnectError("the line is dead", request=request)
        return fate

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        fate = self._fate(request)
        if isinstance(fate, Answer):
            return _made(fate)
        response = self._blocking.handle_request(request)
        if fate == UNHEARD:
            response.read()
            response.close()
            raise httpx2.ReadError("the line is dead", request=request)
        return _cut(response, fate) if isinstance(fate, CutAfter) else response

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        fate = self._fate(request)
        if isinstance(fate, Answer):
            return _made(fate)
        response = await self._awaited.handle_async_request(request)
        if fate == UNHEARD:
            await response.aread()
            await response.aclose()
            raise httpx2.ReadError("the line is dead", request=request)
        return _cut(response, fate) if isinstance(fate, CutAfter) else response

    def close(self) -> None:
        self._blocking.close()

    async def aclose(self) -> None:
        await self._awaited.aclose()


def _made(answer: Answer) -> httpx2.Response:
    return httpx2.Response(answer.status, headers=list(answer.headers), content=answer.body)


def _cut(response: httpx2.Response, fate: CutAfter) -> httpx2.Response:
    return httpx2.Response(response.status_code, headers=response.headers, stream=_Cut(response.stream, fate))


class _Cut(httpx2.SyncByteStream, httpx2.AsyncByteStream):
    def __init__(self, stream: Any, fate: CutAfter) -> None:
        self._stream = stream
        self._fate = fate

    def __iter__(self) -> Iterator[bytes]:
        left = self._fate.size
        for chunk in self._stream:
            yield chunk[:left]
            left -= len(chunk)
            if left <= 0:
                return self._end()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = self._fate.size
        async for chunk in self._stream:
            yield chunk[:left]
            left -= len(chunk)
            if left <= 0:
                self._end()
                return

    def _end(self) -> None:
        if not self._fate.cleanly:
            raise httpx2.ReadError("the line is dead")

    def close(self) -> None:
        self._stream.close()

    async def aclose(self) -> None:
        await self._stream.aclose()


class Awaited:
    """An asynchronous client, or game, spoken to as if it were a blocking one."""

    def __init__(self, one: AsyncClient | AsyncGame, runner: asyncio.Runner) -> None:
        self._one = one
        self._runner = runner

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._one, name)
        return self._call(found) if callable(found) else found

    def __repr__(self) -> str:
        return repr(self._one)

    def _call(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            made = method(*args, **kwargs)
            if inspect.iscoroutine(made):
                return self._runner.run(made)
            if inspect.isasyncgen(made):
                return self._items(made)
            return Awaited(made, self._runner) if isinstance(made, AsyncGame) else made

        return call

    def _items(self, made: Any) -> Iterator[Any]:
        try:
            while True:
                try:
                    item = self._runner.run(anext(made))
                except StopAsyncIteration:
                    return
                yield item
        finally:
            self._runner.run(made.aclose())


class Talk:
    """A client of either kind, its network, and how long it has been told to wait: it waits no moment of it."""

    def __init__(self, client: Any, network: Network, waits: list[float], said: list[str]) -> None:
        self.client = client
        self.network = network
        self.waits = waits
        self.said = said


@contextmanager
def talking(kind: str, url: str, fates: Iterable[Fate] = (), **options: Any) -> Generator[Talk]:
    """A client of this kind, closed at the end."""
    network, waits, said = Network(fates), list[float](), list[str]()

    async def pause(seconds: float) -> None:
        waits.append(seconds)

    def on_wait(why: str, _seconds: float) -> None:
        said.append(why)

    if kind == BLOCKING:
        with Client(url, transport=network, pause=waits.append, on_wait=on_wait, **options) as client:
            yield Talk(client, network, waits, said)
    else:
        with asyncio.Runner() as runner:
            one = AsyncClient(url, transport=network, pause=pause, on_wait=on_wait, **options)
            yield Talk(Awaited(one, runner), network, waits, said)
            runner.run(one.aclose())
