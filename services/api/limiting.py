"""How many requests may a caller make? Limits counted in the store, so that several API processes share the counts.

Law kept: who is meant is judged by `Access`, as in the handlers. A token that does not verify counts for the address it
comes from, so that making tokens up brings nobody a fresh count; the admin is not counted.

The strategy is the sliding window counter: two numbers a caller and limit, however high the limit is.
"""

import asyncio
import ipaddress
from collections.abc import Awaitable, Callable
from math import ceil
from time import time
from typing import Any, NamedTuple, Self

from limits import RateLimitItem, WindowStats, parse_many
from limits.aio.storage import RedisStorage, Storage
from limits.aio.strategies import SlidingWindowCounterRateLimiter
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from events.errors import StoreUnavailable
from events.log.client import few_connections, reaching_store
from events.log.keys import LIMIT_PREFIX
from services.api.access import Access, Caller
from services.api.operation import COUNTED
from services.api.problems import RateLimited, answer, problem_of


class Count(NamedTuple):
    """What a request was told: granted or not, and how its caller stands with each limit."""

    granted: bool
    stands: tuple[WindowStats, ...]


class Limits:
    """Limits in the notation of the `limits` library (`100/second;2000/minute`), counted in `storage`.

    `close` lets go of what the storage holds.
    """

    def __init__(self, notation: str, storage: Storage, close: Callable[[], Awaitable[object]] | None = None) -> None:
        self._close = close
        self.items: tuple[RateLimitItem, ...] = tuple(sorted(parse_many(notation), key=RateLimitItem.get_expiry))
        self._window = SlidingWindowCounterRateLimiter(storage)
        self.policy = ", ".join(f'"{_name(item)}";q={item.amount};w={item.get_expiry()}' for item in self.items)
        """The RateLimit-Policy header."""

    def __str__(self) -> str:
        return " or ".join(f"{one.amount} requests in {one.multiples} {one.GRANULARITY.name}" for one in self.items)

    @classmethod
    def in_store(cls, notation: str, url: str) -> Self:
        """Counted at `redis://`, `rediss://` or `unix://`; nothing is asked of it yet.

        A request that cannot be counted within a second or so is let through uncounted.
        """
        pool = few_connections(url)
        # The library passes options on to the client, and types them as what a URL could say.
        options: Any = {"connection_pool": pool}
        storage = RedisStorage("async+redis://", implementation="redispy", key_prefix=LIMIT_PREFIX, **options)
        return cls(notation, storage, pool.aclose)

    async def close(self) -> None:
        """For the end of the event loop that has counted."""
        if self._close is not None:
            await self._close()

    async def count(self, bucket: str) -> Count:
        """Count a request in this bucket. A limit that refuses it leaves the wider ones uncounted.

        Raises what the storage raises.
        """
        granted = True
        for item in self.items:
            if not await self._window.hit(item, bucket):
                granted = False
                break
        stands = await asyncio.gather(*(self._window.get_window_stats(item, bucket) for item in self.items))
        return Count(granted, tuple(stands))

    def standing(self, stands: tuple[WindowStats, ...]) -> str:
        """The RateLimit header: `r` requests are left, and in `t` seconds some come back."""
        return ", ".join(
            f'"{_name(item)}";r={stats.remaining};t={_seconds_until(stats)}'
            for item, stats in zip(self.items, stands, strict=True)
        )

    def wait(self, stands: tuple[WindowStats, ...]) -> int:
        """Retry-After of a refusal: whole seconds, 1 or more, until every limit that is used up has something left."""
        return max((_seconds_until(stats) for stats in stands if stats.remaining < 1), default=1)


class Limiting:
    """Wraps an application: whoever asks for more than the limits allow gets `rate_limited`."""

    def __init__(self, app: ASGIApp, limits: Limits, access: Access) -> None:
        self.app = app
        self._limits = limits
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].startswith(COUNTED):
            await self.app(scope, receive, send)
            return
        caller = await self._access.whoever(scope)
        if caller.admin:
            await self.app(scope, receive, send)
            return
        try:
            with reaching_store():
                granted, stands = await self._limits.count(bucket(caller))
        except StoreUnavailable:
            # Away or full: the handler finds out by itself, and answers better than a limit that cannot be known.
            # A full store is still read from.
            await self.app(scope, receive, send)
            return
        told = {"RateLimit-Policy": self._limits.policy, "RateLimit": self._limits.standing(stands)}
        if not granted:
            refusal = problem_of(RateLimited(f"More than {self._limits} are not taken."))
            await answer(refusal, told | {"Retry-After": str(self._limits.wait(stands))})(scope, receive, send)
            return
        headers = [(name.lower().encode(), value.encode()) for name, value in told.items()]

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *headers]
            await send(message)

        await self.app(scope, receive, with_headers)


def bucket(caller: Caller) -> str:
    """What a caller's requests are counted under: the seat, the API key's name, or the address.

    A network hands out IPv6 addresses by the 2^64: those of one such net count as one.
    """
    if caller.seat is not None:
        return f"seat:{caller.owner}:{caller.seat}"
    kind, _, host = caller.name.partition(":")
    if kind == "ip" and ":" in host:
        try:
            return f"ip:{ipaddress.ip_network((host.partition('%')[0], 64), strict=False)}"
        except ValueError:
            return caller.name
    return caller.name


def _name(item: RateLimitItem) -> str:
    """`second`, or `10-second`."""
    unit = item.GRANULARITY.name
    return unit if item.multiples == 1 else f"{item.multiples}-{unit}"


def _seconds_until(stats: WindowStats) -> int:
    return max(1, ceil(stats.reset_time - time()))
