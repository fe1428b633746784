"""How do the routes become one application? `create_app`: state comes in as arguments and goes to each handler.

Law kept: no module-level state. Handlers are plain functions that may wait for the store, so they run in threads, and
the event loop is never held up.
"""

from asyncio import Semaphore
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from functools import cache
from typing import Final

import msgspec
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response
from starlette.routing import Match, Route
from starlette.types import Scope

from events.errors import MaliceError
from events.log.figures import Figures
from events.log.follow import Follower
from events.log.store import Store
from services.api import (
    about,
    arenas,
    creation,
    docs,
    feed,
    forking,
    games,
    history,
    importing,
    listing,
    matches,
    moves,
    page,
    problems,
    rematch,
)
from services.api.access import Access
from services.api.edge import Edge, around
from services.api.introduction import ABOUT
from services.api.metrics import Metrics
from services.api.openapi import document
from services.api.operation import Operation, Service
from services.api.watching import Feed
from services.api.wire import JSON, receive

TITLE: Final = "Spite & Malice"
VERSION: Final = "1"
"""Of the API: the 1 of /v1."""
LONG_REQUESTS: Final = 2
"""Of those that verify whole logs, how many are worked on at once; the others wait their turn."""
OPERATIONS: Final[tuple[Operation, ...]] = (
    *creation.OPERATIONS,
    *listing.OPERATIONS,
    *games.OPERATIONS,
    *moves.OPERATIONS,
    *feed.OPERATIONS,
    *history.OPERATIONS,
    *forking.OPERATIONS,
    *rematch.OPERATIONS,
    *importing.OPERATIONS,
    *matches.OPERATIONS,
    *arenas.OPERATIONS,
    *about.OPERATIONS,
)
"""Every route, in the order of the documentation."""


def create_app(
    store: Store,
    *,
    access: Access,
    wake: Callable[[str], object],
    ring_lane: Callable[[str, int], object],
    ready: Callable[[], None],
    bots: Mapping[str, str],
    follower: Follower,
    spectator_delay: int = 0,
    figures: Callable[[], Figures],
    edge: Edge = Edge(),  # noqa: B008 - frozen
) -> FastAPI:
    """The HTTP API over a store.

    `wake(game)` is called after the answer to every accepted commit, `ring_lane(arena, lane)` for each lane of a new
    arena; both keep to themselves that nobody was reached. `ready` raises `StoreUnavailable` while this
    process should be sent no requests; `bots` are those that may be seated, by name, with a line each. `follower` reads
    for all who watch; spectators of a running game see it `spectator_delay` seconds late. `figures` says how the store
    stands, raising `StoreUnavailable`; `edge` is what lies around the routes.
    """

    @asynccontextmanager
    async def while_served(_: FastAPI) -> AsyncGenerator[None]:
        yield
        await edge.close()

    metrics = Metrics(figures)
    feed = Feed(follower, metrics)
    service = Service(store, access, wake, ring_lane, ready, bots, metrics, feed, spectator_delay)
    app = FastAPI(
        title=TITLE,
        version=VERSION,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=while_served,
    )
    long = Semaphore(LONG_REQUESTS)
    for operation in OPERATIONS:
        app.routes.append(_Route(operation.path, _endpoint(operation, service, long), methods=[operation.method]))
    _describe(app)
    _show(app)
    app.add_exception_handler(MaliceError, problems.on_malice_error)
    app.add_exception_handler(HTTPException, problems.on_http_error)
    app.add_exception_handler(RequestValidationError, problems.on_invalid)
    app.add_exception_handler(Exception, problems.on_fault)
    # Around the framework's own layers, not between them: an answer of 500 is made by the outermost of those.
    app.middleware_stack = around(app.build_middleware_stack(), edge, access, metrics)
    return app


class _Route(Route):
    """Starlette's own route, which names itself in the scope as FastAPI's do.

    Those resolve what a handler's signature depends on, at each request. Here `wire` decodes, and they would find
    nothing to do.
    """

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        match, child = super().matches(scope)
        if match is not Match.NONE:
            child["route"] = self
        return match, child


def _endpoint(operation: Operation, service: Service, long: Semaphore) -> Callable[[Request], Awaitable[Response]]:
    handler, limit = operation.handler, operation.body_limit

    async def waiting(request: Request) -> Response:
        return await run_in_threadpool(handler, service, await receive(request, limit))

    async def in_turn(request: Request) -> Response:
        ask = await receive(request, limit)
        async with long:  # outside of the threads: who waits here takes none
            return await run_in_threadpool(handler, service, ask)

    async def at_once(request: Request) -> Response:
        return handler(service, await receive(request, limit))

    if operation.long:
        return in_turn
    return waiting if operation.waits else at_once


def _describe(app: FastAPI) -> None:
    """`/openapi.json` and `/docs`, made when they are first asked for."""

    @cache
    def described() -> tuple[bytes, str]:
        told = document(OPERATIONS, title=TITLE, version=app.version, about=ABOUT)
        return msgspec.json.encode(told), docs.page(told)

    async def openapi(_: Request) -> Response:
        return Response(described()[0], media_type=JSON)

    async def read_docs(_: Request) -> Response:
        return HTMLResponse(described()[1], headers=docs.POLICY)

    app.routes.extend([_Route("/openapi.json", openapi), _Route("/docs", read_docs)])


def _show(app: FastAPI) -> None:
    """The page, at every address that it has a screen for, and its files; read and packed when first asked for."""
    shown = cache(page.Page)

    async def document(request: Request) -> Response:
        return await shown().document(request)

    async def file(request: Request) -> Response:
        return await shown().file(request)

    app.routes.extend([_Route(path, document) for path in page.SCREENS])
    app.routes.append(_Route(page.FILES, file))
