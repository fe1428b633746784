"""How is the store reached? The one place that makes Redis clients, and turns their failures into `StoreUnavailable`.

Written to the Redis 7.0 command set. A write that lost its answer is safe to repeat: the append script knows it again.
"""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Final

import redis
from redis.asyncio import BlockingConnectionPool
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import ExponentialWithJitterBackoff, NoBackoff
from redis.exceptions import ExecAbortError
from redis.retry import Retry

from events.errors import StoreUnavailable

TIMEOUT_SECONDS: Final = 5.0
RETRIES: Final = 3
_UNWILLING: Final = ("MISCONF", "NOREPLICAS", "CLUSTERDOWN", "MASTERDOWN", "TRYAGAIN")
"""Answers that the client has no error of its own for: a disk that is full, replicas or slots that are away."""
_IN_A_PIPELINE: Final = " of pipeline caused error: "


def connect(url: str, *, retries: int = RETRIES, timeout: float = TIMEOUT_SECONDS) -> redis.Redis:
    """A client for `redis://`, `rediss://` or `unix://`; no connection is made yet.

    RESP2 and plain replies on every server; bytes in, bytes out. A call is repeated `retries` times on a lost
    connection, within about a second; a store that is there and does not answer within `timeout` seconds is given up.
    """
    return redis.Redis.from_url(  # pyright: ignore[reportUnknownMemberType] - untyped keyword arguments
        url,
        protocol=2,
        legacy_responses=True,
        socket_timeout=timeout,
        socket_connect_timeout=timeout,
        health_check_interval=30,
        retry=Retry(ExponentialWithJitterBackoff(cap=0.5, base=0.05), retries, (redis.ConnectionError,)),
    )


def few_connections(url: str, *, at_most: int = 32, timeout: float = 1.0) -> BlockingConnectionPool:
    """Connections for an event loop, for what is not worth waiting for: no second try, and no more than `at_most`.

    URLs as for `connect`; whoever cannot have one within `timeout` seconds meets a `redis.ConnectionError`.
    """
    return BlockingConnectionPool.from_url(
        url,
        max_connections=at_most,
        timeout=timeout,
        protocol=2,
        socket_timeout=timeout,
        socket_connect_timeout=timeout,
        retry=AsyncRetry(NoBackoff(), 0),
    )


def milliseconds(time: Sequence[int]) -> int:
    """The store's clock, as it tells the time in seconds and microseconds, in milliseconds of the epoch."""
    return time[0] * 1000 + time[1] // 1000


@contextmanager
def reaching_store() -> Generator[None]:
    """Turns what a client raises when the store is away, loading or full into `StoreUnavailable`.

    Its sentence is for whoever asks, and names no address; the client's own error is its cause, for the log.
    """
    try:
        yield
    except (redis.ConnectionError, redis.TimeoutError, redis.BusyLoadingError) as error:
        raise StoreUnavailable("The store does not answer.") from error
    except (redis.OutOfMemoryError, redis.ReadOnlyError, ExecAbortError) as error:
        raise StoreUnavailable("The store takes no writes.") from error
    except redis.ResponseError as error:
        # Of one command in a pipeline the client tells at the end, behind the command.
        if not str(error).rpartition(_IN_A_PIPELINE)[2].startswith(_UNWILLING):
            raise
        raise StoreUnavailable("The store takes no writes.") from error
