"""Which pages of elsewhere may a browser let use the service? CORS, for the origins that a deployment names.

Law kept: there are no cookies here, so no page acts in somebody's name by being open in a browser; it needs a token.
"""

from collections.abc import Collection
from typing import Final

from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import Response
from starlette.types import ASGIApp

from services.api.problems import Forbidden, answer, problem_of

ANY: Final = "*"
_SENT: Final = (
    "Authorization",
    "Content-Type",
    "Idempotency-Key",
    "If-Match",
    "If-None-Match",
    "Last-Event-ID",
    "X-Request-Id",
)
_READ: Final = (
    "ETag",
    "Idempotent-Replayed",
    "Location",
    "RateLimit",
    "RateLimit-Policy",
    "Retry-After",
    "X-Request-Id",
)
_HOURS_2: Final = 7200
"""For which browsers keep the answer to a preflight; more they do not."""


class Origins(CORSMiddleware):
    """Wraps an application; refuses a preflight with a problem."""

    def __init__(self, app: ASGIApp, origins: Collection[str]) -> None:
        super().__init__(
            app,
            allow_origins=origins,
            allow_methods=("GET", "HEAD", "POST", "DELETE"),
            allow_headers=_SENT,
            expose_headers=_READ,
            max_age=_HOURS_2,
            # From the internet into a private network only pages that were named.
            allow_private_network=ANY not in origins,
        )

    def preflight_response(self, request_headers: Headers) -> Response:
        """What the browser asks before it sends a page's request."""
        response = super().preflight_response(request_headers)
        if response.status_code < 400:
            return response
        told = problem_of(Forbidden(f"{bytes(response.body).decode()}: see MALICE_CORS_ORIGINS."))
        return answer(told, {"Vary": response.headers.get("Vary", "Origin")})
