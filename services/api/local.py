"""May a browser's page of somewhere else reach a service that listens for this machine alone? No.

A page can make its own name point to 127.0.0.1 (DNS rebinding) or post across origins: so Host must be a name of this
machine, and an Origin, where a browser sends one, must be that very host or one that MALICE_CORS_ORIGINS names. `*`
names nobody here: it would open the service to every page, and is refused at start without keys.
"""

import re
from collections.abc import Collection
from typing import Final

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from services.api.problems import Forbidden, answer, problem_of

_LOCAL_HOST: Final = re.compile(r"(localhost|127\.0\.0\.1|\[::1\])(:[0-9]{1,5})?", re.IGNORECASE)


class LocalOnly:
    """Wraps an application; anything but a request from this machine to this machine gets `forbidden`.

    Pages of `origins` may send requests too.
    """

    def __init__(self, app: ASGIApp, origins: Collection[str] = ()) -> None:
        self.app = app
        self._origins = origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            headers = Headers(scope=scope)
            objection = doubled(headers) or foreign(headers.get("host", ""), headers.get("origin"), self._origins)
            if objection is not None:
                await answer(problem_of(Forbidden(objection)))(scope, receive, send)
                return
        await self.app(scope, receive, send)


def doubled(headers: Headers) -> str | None:
    """Why a request with two of these is refused, or None: nobody can say which is meant."""
    return next((f"{name} is there twice." for name in ("Host", "Origin") if len(headers.getlist(name)) > 1), None)


def foreign(host: str, origin: str | None, origins: Collection[str] = ()) -> str | None:
    """Why this Host and Origin are refused, or None."""
    if not _LOCAL_HOST.fullmatch(host):
        return f"Host is {host[:80]!r}: without keys this service answers to localhost, 127.0.0.1 and [::1] alone."
    if origin is not None and origin not in (f"http://{host}", f"https://{host}", *origins):
        return f"Origin is {origin[:80]!r}: without keys this service answers to pages of its own alone."
    return None
