"""What is noted of every request? An id that all its answers and log lines bear, figures, and a line where asked for.

Law kept: nothing a caller sends goes into the log but an id of a known form. Paths are noted as the routes' templates,
queries and headers not at all: a token that somebody puts where it does not belong stays out.

A plain ASGI wrapper around everything else, so that refusals and faults pass it too, and streams pass unbuffered.
"""

import re
import secrets
from time import perf_counter
from typing import Any, Final

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from services.api.access import Access
from services.api.metrics import Metrics
from services.log_lines import REQUESTS

HEADER: Final = b"x-request-id"
NO_ROUTE: Final = "none"
"""Stands for the route of what no route was found for; a label may not be whatever somebody asks for."""
_GIVEN: Final = re.compile(rb"[A-Za-z0-9._-]{1,64}")


class Passage:
    """Wraps an application. `access` is asked who calls, for the log alone; None: no line a request is written."""

    def __init__(self, app: ASGIApp, metrics: Metrics, access: Access | None) -> None:
        self.app = app
        self._metrics = metrics
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request_id = id_of(scope)
        # Never taken back: what the server logs of a fault, after this has returned, is to bear it too. The server runs
        # each request in a task, and so in a context, of its own.
        structlog.contextvars.bind_contextvars(request_id=request_id.decode())
        began = perf_counter()
        status, first, last = 500, 0.0, 0.0

        async def noted(message: Message) -> None:
            nonlocal status, first, last
            if message["type"] == "http.response.start":
                status, first = message["status"], perf_counter()
                message["headers"] = [*message.get("headers", ()), (HEADER, request_id)]
            elif not message.get("more_body"):
                last = perf_counter()
            await send(message)

        self._metrics.in_flight.inc()
        try:
            await self.app(scope, receive, noted)
        finally:
            self._metrics.in_flight.dec()
            route = route_of(scope)
            self._metrics.answered(scope["method"], route, status, (first or perf_counter()) - began)
            if self._access is not None:
                spent = (last or perf_counter()) - began
                await self._write(self._access, scope, route, status, spent)

    async def _write(self, access: Access, scope: Scope, route: str, status: int, spent: float) -> None:
        caller = await access.whoever(scope)
        structlog.get_logger(REQUESTS).info(
            "request",
            method=scope["method"],
            route=route,
            status=status,
            milliseconds=round(spent * 1000, 1),
            caller="seat" if caller.seat is not None else caller.name,
        )


def id_of(scope: Scope) -> bytes:
    """The caller's own X-Request-Id, where there is one and it is 1 to 64 of `A-Za-z0-9._-`; else a new one."""
    given = [value for name, value in scope["headers"] if name == HEADER]
    if len(given) == 1 and _GIVEN.fullmatch(given[0]):
        return given[0]
    return new_id()


def new_id() -> bytes:
    """A fresh one."""
    return secrets.token_hex(8).encode()


def route_of(scope: Scope) -> str:
    """The template of the route that a request went to, such as `/v1/games/{game}`."""
    route: Any = scope.get("route")
    return NO_ROUTE if route is None else route.path
