"""How does a request of the core become one of the HTTP library, and an answer the core's? What both drivers share."""

from collections.abc import Mapping
from typing import Any, Final

import httpx2

from services.client.steps import EVENT_STREAM, Lost, Message, Reply, Request, media_of

CONNECT_SECONDS: Final = 5.0
SERVICE_URL: Final = "http://127.0.0.1:8000"


def opened(url: str) -> dict[str, Any]:
    """How a connection to a service is opened."""
    # No proxy of the environment: most services asked are on this machine.
    return {"base_url": url, "trust_env": False}


def written(request: Request) -> dict[str, Any]:
    """A request in the library's words."""
    return {
        "method": request.method,
        "url": request.path,
        "params": dict(request.query),
        # As bytes, since a key may be in UTF-8, and the library takes text in ASCII alone.
        "headers": [(name.encode(), value.encode()) for name, value in request.headers.items()],
        "content": request.body,
        "timeout": httpx2.Timeout(request.timeout, connect=CONNECT_SECONDS),
    }


def answered(response: httpx2.Response, body: bytes = b"") -> Reply:
    """An answer in the core's words."""
    headers: Mapping[str, str] = response.headers
    return Reply(response.status_code, headers, body)


def is_stream(reply: Reply) -> bool:
    """Is this one to be read event by event?"""
    return reply.status == 200 and media_of(reply) == EVENT_STREAM


def lost(error: httpx2.RequestError) -> Lost:
    """What became of an answer that did not come."""
    return Lost(str(error) or type(error).__name__)


def told(event: httpx2.ServerSentEvent | None) -> Message | None:
    """A server-sent event in the core's words."""
    return None if event is None else Message(event.event, event.data, event.retry)
