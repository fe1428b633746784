"""How is one thing asked until it is answered? Requests, idempotency keys, and patience.

Every POST bears a key, made once a call, so it may be sent again when its answer was lost: the service gives the first
answer to it. Tried again is after a lost connection, 408, 429, 502, 503 and 504, ever later and never in step with
others, not before Retry-After; for as long as patience lasts, counted from the first failure in a row.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import uniform
from time import monotonic
from typing import Final, TypeVar
from urllib.parse import quote
from uuid import uuid4

import msgspec

from events.errors import Malformed
from services.client.errors import NoAnswer, Refused, Unreachable, passes, refusal, stranger
from services.client.reading import NotUnderstood, read
from services.client.steps import Lost, Pause, Reply, Request, Send, Steps

T = TypeVar("T")

FIRST_WAIT: Final = 0.2
LONGEST_WAIT: Final = 5.0
ANSWER_SECONDS: Final = 30.0
JUDGING_SECONDS: Final = 120.0
"""Where the service verifies a whole log before it answers."""
JSON: Final = "application/json"


class Waits:
    """What is left of somebody's patience with failures in a row."""

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._since: float | None = None
        self._wait = FIRST_WAIT

    def settled(self) -> None:
        """It went well: the next failure is a first one."""
        self._since, self._wait = None, FIRST_WAIT

    def after(self, error: Refused | Unreachable) -> Steps[None]:
        """Wait before the next try. Raises the error where another try would not help, or patience is at its end."""
        if not passes(error):
            raise error
        now = monotonic()
        self._since = now if self._since is None else self._since
        wait = max(uniform(self._wait / 2, self._wait), error.retry_after or 0.0)
        if now + wait > self._since + self._patience:
            raise error
        self._wait = min(2 * self._wait, LONGEST_WAIT)
        yield Pause(wait, str(error))


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks: a service's address, the Bearer token, and seconds of patience."""

    url: str
    token: str | None = field(repr=False)
    patience: float

    def __post_init__(self) -> None:
        if self.token is not None and not self.token.isprintable():
            raise Malformed("The token holds a control character: it is none that a service gives.")

    def get(self, kind: type[T], path: str, **query: object) -> Steps[T]:
        """The answer to a GET. Raises `Refused`, `Unreachable`."""
        return self.read((yield from self.ask(self.request("GET", path, query=query))), kind)

    def post(
        self,
        kind: type[T],
        path: str,
        body: object = None,
        *,
        key: str | None = None,
        if_version: int | None = None,
    ) -> Steps[T]:
        """The answer to a POST, once for each key. A None in the body is left out. Raises as `get`."""
        sent = {name: value for name, value in body.items() if value is not None} if isinstance(body, dict) else body
        request = self.request(
            "POST",
            path,
            body=None if sent is None else msgspec.json.encode(sent),
            media=None if sent is None else JSON,
            headers=self.keyed(key) | ({} if if_version is None else {"If-Match": f'"{if_version}"'}),
        )
        return self.read((yield from self.ask(request)), kind)

    def ask(self, request: Request) -> Steps[Reply]:
        """The good answer to a request. Raises `Refused`, and `Unreachable` when patience is at its end."""
        waits = Waits(self.patience)
        while True:
            reply = yield Send(request)
            if isinstance(reply, Reply) and reply.good:
                return reply
            yield from waits.after(self.error(request, reply))

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
        media: str | None = None,
        timeout: float = ANSWER_SECONDS,
    ) -> Request:
        """A request of this caller. What is None in the query is left out; `as_` there is `as`."""
        own = {} if self.token is None else {"Authorization": f"Bearer {self.token}"}
        own |= {} if media is None else {"Content-Type": media}
        asked = {name.rstrip("_"): str(value) for name, value in (query or {}).items() if value is not None}
        return Request(method, path, asked, own | dict(headers or {}), body, timeout)

    def keyed(self, key: str | None) -> dict[str, str]:
        """The header of a key: the caller's own, or a new one that nobody can guess. Raises `Malformed`."""
        if key is not None and not (key.isascii() and key.isprintable()):
            raise Malformed(f"The key {key[:80]!r} takes visible ASCII characters only.")
        return {"Idempotency-Key": key or str(uuid4())}

    def read(self, reply: Reply, kind: type[T]) -> T:
        """The body as this type. Raises `Unreachable` for an answer that no service of this game gives."""
        try:
            return read(reply.body, kind)
        except NotUnderstood:
            raise stranger(self.url) from None

    def error(self, request: Request, reply: Reply | Lost) -> Refused | Unreachable:
        """What is wrong with an answer that is not good."""
        key = request.headers.get("Idempotency-Key")
        if isinstance(reply, Lost):
            return NoAnswer(f"No service answers at {self.url}: {reply.why}.", key=key)
        otherwise = f"{request.method} {request.path} was answered with status {reply.status}."
        return refusal(reply.body, otherwise=otherwise, status=reply.status, headers=reply.headers, key=key)


def path_of(*parts: str) -> str:
    """`/v1/…` of these parts, whatever signs they hold."""
    return "/v1/" + "/".join(quote(part, safe="") for part in parts)
