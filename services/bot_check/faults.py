"""What can go wrong between a bot and the service? A layer around the real API that notes every request and spoils some.

Law kept: answers are the API's own. A fault loses them, repeats them, delays them or puts beside them what a later
version of the service may put there; it never makes up a rule.
"""

import re
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final, Protocol, TypeAlias
from urllib.parse import parse_qsl, urlencode

import msgspec
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from services.bot_check.newer import newer, newer_stream

REWOUND: Final = 4
"""Commits that are delivered again."""
TOLD_BYTES: Final = 1 << 20
_TELLS_THE_END: Final = re.compile(rb'"GameEnded"|"status": ?"ended"|"game_over"')


class Asked(msgspec.Struct, kw_only=True):
    """A request as it came, and what became of it. Times are in seconds of a clock that never goes back."""

    at: float
    life: int
    """How often the bot had been started when it came."""
    method: str
    path: str
    query: str
    headers: dict[str, str]
    body: bytes
    after_end: float | None
    """Seconds since the bot was told that the game is over; None while it was not."""
    overtaken: bool = False
    """The game was moved on behind the bot's back, and it had not been told yet."""
    fault: str = ""
    status: int | None = None
    """Of the answer that was sent; None where none was."""
    sent_at: float | None = None
    """When the answer was sent to its end; None where it was not."""
    retry_after: float | None = None
    told: bytearray = msgspec.field(default_factory=bytearray)

    @property
    def is_move(self) -> bool:
        """Does it act in the game?"""
        return self.method == "POST" and self.path.endswith(("/moves", "/resign"))

    @property
    def is_feed(self) -> bool:
        """Does it ask for events?"""
        return self.method == "GET" and self.path.endswith("/events")

    @property
    def key(self) -> str | None:
        """Its Idempotency-Key."""
        return self.headers.get("idempotency-key")

    @property
    def code(self) -> str:
        """The `code` of the problem that it was answered with; "" for any other answer."""
        try:
            told = msgspec.json.decode(bytes(self.told))
        except msgspec.DecodeError:
            return ""
        return str(told.get("code", "")) if isinstance(told, dict) and (self.status or 0) >= 400 else ""

    def tells_the_end(self) -> bool:
        """Has its answer told that the game is over?"""
        return bool(_TELLS_THE_END.search(self.told)) or (self.is_feed and self.status == 204)


class Meddler(Protocol):
    """Whoever sits at the table: what a fault may have done there."""

    newer: bool
    """Answers are as a later version of the service may write them."""

    def note(self, asked: Asked) -> "Fault":
        """A request has come: what is to happen to it?"""
        ...

    def answered(self, asked: Asked) -> None:
        """Its exchange is over."""
        ...

    async def overtake(self) -> None:
        """The turn of the bot is played by somebody else."""
        ...

    async def expire(self) -> None:
        """The bot has run out of time and lost."""
        ...

    def wake(self) -> None:
        """The game has moved on: the others may be to move."""
        ...

    async def start_again(self) -> None:
        """The bot is killed and started again, or invited again."""
        ...

    def arrival(self, scope: Scope, body: bytes) -> Asked:
        """The request as a record."""
        ...


class Exchange:
    """One request on its way, and the ways to answer it."""

    def __init__(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send, asked: Asked, table: Meddler) -> None:
        self.app = app
        self.scope = scope
        self.asked = asked
        self.table = table
        self._receive = receive
        self._send = send

    async def deliver(self, *, half: bool = False) -> None:
        """Ask the API, and send its answer; with `half` the connection breaks in the midst of it."""
        sender = _Sender(self, half=half)
        await self.app(self.scope, self._body(), sender.send)
        if sender.broken:
            await self.drop()

    async def process(self) -> None:
        """Ask the API, and send its answer nowhere."""

        async def nowhere(_: Message) -> None:
            pass

        await self.app(self.scope, self._body(), nowhere)

    async def drop(self) -> None:
        """Break the connection."""
        self.scope["state"]["transport"].abort()
        while (await self._receive())["type"] != "http.disconnect":
            pass

    async def refuse(self, status: int, body: bytes, media: str, retry_after: int | None = None) -> None:
        """Answer in the service's place."""
        headers = [(b"content-type", media.encode()), (b"content-length", str(len(body)).encode())]
        if retry_after is not None:
            headers.append((b"retry-after", str(retry_after).encode()))
        await self.send({"type": "http.response.start", "status": status, "headers": headers})
        await self.send({"type": "http.response.body", "body": body, "more_body": False})

    async def send(self, message: Message) -> None:
        """Pass a part of an answer on to the bot, and note it."""
        asked = self.asked
        if message["type"] == "http.response.start":
            asked.status = message["status"]
            stated = dict(message["headers"]).get(b"retry-after")
            asked.retry_after = float(stated) if stated is not None else None
        else:
            if len(asked.told) < TOLD_BYTES:
                asked.told += message.get("body", b"")
            if not message.get("more_body", False):
                asked.sent_at = time.monotonic()
        await self._send(message)
        self.table.answered(asked)

    def _body(self) -> Receive:
        given = False

        async def receive() -> Message:
            nonlocal given
            if given:
                return await self._receive()
            given = True
            return {"type": "http.request", "body": self.asked.body, "more_body": False}

        return receive


class _Sender:
    """The answer of the API on its way back."""

    def __init__(self, exchange: Exchange, *, half: bool) -> None:
        self.broken = False
        self._exchange = exchange
        self._half = half
        self._start: Message | None = None
        self._kept = b""
        self._stream = False

    async def send(self, message: Message) -> None:
        if self.broken:
            return
        if message["type"] == "http.response.start":
            self._start = message  # its length is known when the body is
            return
        body, more = message.get("body", b""), message.get("more_body", False)
        start, self._start = self._start, None
        if start is not None:
            self._stream = more
            if self._exchange.table.newer and not more and body:
                body = newer(body)
                length = (b"content-length", str(len(body)).encode())
                headers = [header for header in start["headers"] if header[0] != b"content-length"]
                start = {**start, "headers": [*headers, length]}
            await self._exchange.send(start)
        if self._exchange.table.newer and self._stream:
            body, self._kept = newer_stream(self._kept + body, last=not more)
        if self._half and body:
            self.broken = True
            body, more = body[: len(body) // 2], True
        await self._exchange.send({"type": "http.response.body", "body": body, "more_body": more})


Fault: TypeAlias = Callable[[Exchange], Awaitable[None]]


async def none(exchange: Exchange) -> None:
    """Nothing goes wrong."""
    await exchange.deliver()


async def cut(exchange: Exchange) -> None:
    """The connection breaks before the service has read the request."""
    await exchange.drop()


async def lose(exchange: Exchange) -> None:
    """The service does what was asked, and the connection breaks before its answer is sent."""
    await exchange.process()
    await exchange.drop()


async def halve(exchange: Exchange) -> None:
    """The connection breaks in the midst of the answer."""
    await exchange.deliver(half=True)


async def doubt(exchange: Exchange) -> None:
    """The service does what was asked, and something on the way answers 503: the outcome is unknown."""
    await exchange.process()
    await _refuse(exchange, 503, "unavailable", retry_after=1)


async def away(exchange: Exchange) -> None:
    """503 with Retry-After; nothing was done."""
    await _refuse(exchange, 503, "unavailable", retry_after=1)


async def too_many(exchange: Exchange) -> None:
    """429 with Retry-After; nothing was done."""
    await _refuse(exchange, 429, "rate_limited", retry_after=1)


async def gateway(exchange: Exchange) -> None:
    """502 from a proxy, a page in HTML; whether anything was done is not known."""
    page = b"<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>"
    await exchange.refuse(502, page, "text/html")


async def unheard_of(exchange: Exchange) -> None:
    """409 with a code that no bot knows."""
    await _refuse(exchange, 409, "table_being_wiped")


async def unheard_of_trouble(exchange: Exchange) -> None:
    """503 with a code that no bot knows."""
    await _refuse(exchange, 503, "tea_break", retry_after=1)


async def rewind(exchange: Exchange) -> None:
    """The feed begins some commits earlier than asked for: they are delivered again."""
    query = dict(parse_qsl(exchange.scope["query_string"].decode("latin-1")))
    headers: list[tuple[bytes, bytes]] = []
    for name, value in exchange.scope["headers"]:
        headers.append((name, _earlier(value.decode()).encode()) if name == b"last-event-id" else (name, value))
    if "after" in query:
        query["after"] = _earlier(query["after"])
    exchange.scope = {**exchange.scope, "query_string": urlencode(query).encode(), "headers": headers}
    await exchange.deliver()


async def overtake(exchange: Exchange) -> None:
    """Before the request is read, the bot's turn has been played to its end for it."""
    await exchange.table.overtake()
    exchange.asked.overtaken = True
    await exchange.deliver()
    exchange.table.wake()


async def expire(exchange: Exchange) -> None:
    """Before the request is read, the bot's time has run out, and the game is over."""
    await exchange.table.expire()
    exchange.asked.overtaken = True
    await exchange.deliver()
    exchange.table.wake()


async def start_again(exchange: Exchange) -> None:
    """The service does what was asked; before it has answered, the bot is killed and started again."""
    await exchange.process()
    await exchange.table.start_again()
    await exchange.drop()


class Faults:
    """The layer. `table` is where the game under test is played; other games are left alone."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.table: Meddler | None = None
        self.left: set[str] = set()
        """Paths of games that were played before: a bot may not have heard of their end."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        table = self.table
        if scope["type"] != "http" or table is None or "/".join(scope["path"].split("/")[:4]) in self.left:
            await self.app(scope, receive, send)
            return
        asked = table.arrival(scope, await _whole(receive))
        fault = table.note(asked)
        asked.fault = "" if fault is none else (fault.__doc__ or "").strip()
        try:
            await fault(Exchange(self.app, scope, receive, send, asked, table))
        finally:
            table.answered(asked)


class Breakable(HttpToolsProtocol):
    """A connection that an application can break: its transport is in the scope's state."""

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.scope["state"]["transport"] = self.transport  # pyright: ignore[reportTypedDictNotRequiredAccess]


async def _whole(receive: Receive) -> bytes:
    body = bytearray()
    while (message := await receive())["type"] == "http.request":
        body += message.get("body", b"")
        if not message.get("more_body", False):
            break
    return bytes(body)


async def _refuse(exchange: Exchange, status: int, code: str, retry_after: int | None = None) -> None:
    told: dict[str, Any] = {
        "type": f"/docs#{code}",
        "title": code.replace("_", " ").capitalize(),
        "status": status,
        "detail": "Not now.",
        "code": code,
    }
    await exchange.refuse(status, msgspec.json.encode(told), "application/problem+json", retry_after)


def _earlier(version: str) -> str:
    return str(max(int(version) - REWOUND, 0)) if version.isdigit() else version
