"""How is the application served? One uvicorn process over a store, a broker to wake the workers, and the bots.

Law kept: this is the edge; settings come in as an argument, and below it every part is handed what it works with.
"""

import gc
import resource
import socket
from collections.abc import Callable
from functools import partial
from typing import Final

import uvicorn
from fastapi import FastAPI
from starlette.types import ASGIApp

from events.errors import StoreUnavailable
from events.log.client import connect
from events.log.figures import figures
from events.log.follow import Follower
from events.log.store import Store, utc_now
from services.api.access import access_of
from services.api.app import create_app
from services.api.edge import Edge
from services.api.heads import BoundedHead
from services.api.limiting import Limits
from services.own_bots import roster_of
from services.settings import Settings
from workers.queue import ARENA_LANE, FOLD, LEAGUE, celery_app, send

LAG_SECONDS: Final = 60
MOST_FILES: Final = 65_536
GRACE_SECONDS: Final = 2
"""For requests under way when the server is asked to stop."""


def serve(
    settings: Settings, *, store_url: str, broker_url: str, host: str, port: int, say: Callable[[str], object]
) -> None:
    """Serve until SIGINT or SIGTERM; `say` is told once where. Whether `host` is allowed is checked before."""
    app = application(settings, store_url=store_url, broker_url=broker_url)
    config = config_of(app, host=host, port=port)
    config.load()
    spare_the_collector()
    open_many_files()
    _Announced(config, say).run()


def config_of(app: ASGIApp, *, host: str, port: int) -> uvicorn.Config:
    """How uvicorn serves the application."""
    return uvicorn.Config(
        app,
        host=host,
        port=port,
        http=BoundedHead,
        lifespan="on",
        log_config=None,
        ws="none",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )


class _Announced(uvicorn.Server):
    """A server that says where it can be reached, once it can be."""

    def __init__(self, config: uvicorn.Config, say: Callable[[str], object]) -> None:
        super().__init__(config)
        self._say = say

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            host = f"[{self.config.host}]" if ":" in self.config.host else self.config.host
            self._say(f"serving http://{host}:{self.config.port}, described at /docs")


def application(settings: Settings, *, store_url: str, broker_url: str) -> FastAPI:
    """The API over a real store and a real queue. Neither is asked for anything yet."""
    client = connect(store_url)
    store = Store(client, shards=settings.shards, now=utc_now)
    impatient = connect(store_url, retries=0, timeout=1)
    queue = celery_app(broker_url)
    limits = settings.rate_limit
    with roster_of(settings) as roster:
        bots = roster.lines()
    return create_app(
        store,
        access=access_of(settings, store),
        wake=partial(send, queue, FOLD),
        ring_lane=partial(send, queue, ARENA_LANE, queue=LEAGUE),
        ready=partial(check_ready, Store(impatient, shards=1, now=utc_now)),
        bots=bots,
        follower=Follower(partial(connect, store_url, retries=0), client),
        spectator_delay=settings.spectator_delay,
        figures=partial(figures, impatient),
        edge=Edge(
            origins=settings.cors_origins,
            limits=Limits.in_store(limits, store_url) if limits else None,
            log_requests=settings.log_requests,
        ),
    )


def check_ready(store: Store) -> None:
    """Raises `StoreUnavailable` where the store does not answer within a second, or nobody works on what is due."""
    lag = store.due.seconds_since_sweep()
    if lag is not None and lag > LAG_SECONDS:
        raise StoreUnavailable(f"Nobody has looked after the games for {lag} s: do workers and beat run?")


def open_many_files() -> None:
    """Take as many open files as the system grants: each watcher is one, and 1,024, the usual, is soon used up."""
    granted = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    most = MOST_FILES if granted == resource.RLIM_INFINITY else min(granted, MOST_FILES)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, granted))


def spare_the_collector() -> None:
    """Keep the garbage collector away from what lives as long as the process.

    A full pass looks at every object of every imported module, and held up one request in a hundred for 33 to 50 ms.
    What start-up has made is frozen out of it, and passes come rarer: a request leaves next to no cycles behind.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 50, 100)
