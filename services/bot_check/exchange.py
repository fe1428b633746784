"""What passes between a bot and the service? A request as it was noted, and the ways in which it can be answered.

Law kept: an answer that is delivered is the API's own, to the byte but for what a later version may add to it.
"""

import re
import time
from collections.abc import Awaitable, Callable
from typing import Final, Protocol, TypeAlias

import msgspec
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from services.bot_check.newer import newer, newer_stream

TOLD_BYTES: Final = 1 << 20
"""Of an answer, kept for the judge."""
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

    async def deliver(self, *, half: bool = False, commits: int | None = None) -> None:
        """Ask the API, and send its answer.

        With `half` the connection breaks in the midst of it; if it is a stream of events, behind so many `commits`.
        """
        sender = _Sender(self, half=half, commits=commits)
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
        self.abort()
        while (await self._receive())["type"] != "http.disconnect":
            pass

    def abort(self) -> None:
        """Break the connection, without waiting until it is gone."""
        self.scope["state"]["transport"].abort()

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

    def __init__(self, exchange: Exchange, *, half: bool, commits: int | None) -> None:
        self.broken = False
        self._exchange = exchange
        self._half = half
        self._commits = commits
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
        self.broken = self._breaks(body)
        if self.broken:
            body, more = body[: len(body) // 2], True
        await self._exchange.send({"type": "http.response.body", "body": body, "more_body": more})
        if self.broken:
            self._exchange.abort()  # the API hears that nobody listens any more

    def _breaks(self, body: bytes) -> bool:
        if not self._stream:
            return self._half and bool(body)
        if self._commits is None or b"event: commit" not in body:
            return False
        self._commits -= 1
        return self._commits < 0


Fault: TypeAlias = Callable[[Exchange], Awaitable[None]]
"""What is done with a request instead of just answering it. Its docstring is what a report says of it."""
