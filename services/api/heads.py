"""How long may a request's head be, and how long may it take to come? Uvicorn sets no bounds to either.

Without them one caller fills the memory with a header that has no end, or holds every connection there may be with
heads that are never finished. What a body may be is judged by `wire.receive`.

`limit_concurrency` of the server stays unset: it counts the watchers of feeds and connections that rest between two
requests, and would refuse a move because many look on. How many connections there may be is a matter of the process's
open files (`process_max_fds` among the metrics).
"""

import http
from asyncio import TimerHandle
from typing import Any, Final

import msgspec
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from services.api.passage import HEADER, new_id
from services.api.problems import MEDIA_TYPE, Problem, problem

LIMIT: Final = 32 << 10
"""Bytes of a method, target and headers."""
SECONDS: Final = 10.0
FRAMING: Final = 8
"""Bytes around each byte of a chunked body, beyond the first `LIMIT`: chunks of one byte take six."""


class BoundedHead(HttpToolsProtocol):
    """A connection on which a head beyond the limit is refused, as is anything that is not HTTP, with a problem.

    Fields behind a chunked body (trailers) are bounded too, and read over: whatever has judged the head has not seen
    them (RFC 9110, section 6.5.1).

    Where a head does not come to its end in time the connection is closed, without a word if nothing had come.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._begun = False
        """A head has begun, and has not come to its end."""
        self._came = 0
        """Bytes of it, in what came after its first piece."""
        self._message = 0
        self._open = False
        """The head of a message has come, and not yet its end."""
        self._body = self._around = 0
        """Bytes of its body, and of all else behind its head: what frames the chunks, and trailers."""
        self._too_long = False
        self._late: TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._late = self.loop.call_later(SECONDS, self._give_up)

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget_time()
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._begun, self._came = True, 0
        self._message += 1
        self._body = self._around = 0

    def on_header(self, name: bytes, value: bytes) -> None:
        """Of the head alone."""
        if self._begun:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Raises `ValueError`, which ends the parsing, where the head is too long."""
        self._begun, self._open = False, True
        self._forget_time()
        if len(self.url) + sum(len(name) + len(value) for name, value in self.headers) > LIMIT:
            self._too_long = True
            raise ValueError("the head is too long")
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._body += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._open = False
        super().on_message_complete()

    def data_received(self, data: bytes) -> None:
        had_begun, had_opened, body = self._begun, self._message if self._open else None, self._body
        super().data_received(data)
        if self._open and had_opened == self._message and not self.transport.is_closing():
            self._around += len(data) - (self._body - body)
            if self._around > LIMIT + FRAMING * self._body:
                self._too_long = True
                self.send_400_response("")
        if not self._begun or self.transport.is_closing():
            return
        if self._late is None:  # the head of a later request on the same connection
            self._late = self.loop.call_later(SECONDS, self._give_up)
        self._came += len(data) if had_begun else 0
        if self._came > LIMIT:
            self._too_long = True
            self.send_400_response("")

    def send_400_response(self, msg: str) -> None:
        """Also the answer to a head that is too long; `msg` is what uvicorn would say."""
        detail = f"The method, target and headers have more than {LIMIT} bytes." if self._too_long else msg
        self._refuse(problem("malformed", detail))

    def _give_up(self) -> None:
        self._late = None
        if self._begun:
            self._refuse(problem("too_slow", f"The headers had not come to their end after {SECONDS:g} seconds."))
        elif not self._cycles():
            self.transport.close()

    def _cycles(self) -> list[RequestResponseCycle]:
        """The last request on this connection, if there was any: uvicorn types what is not there yet as if it were."""
        cycle: Any = self.cycle
        return [] if cycle is None else [cycle]

    def _forget_time(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _refuse(self, told: Problem) -> None:
        if not all(cycle.response_complete for cycle in self._cycles()):
            self.transport.close()  # the answer to an earlier request is under way: nothing may be written into it
            return
        body = msgspec.json.encode(told)
        head = (
            f"HTTP/1.1 {told.status} {http.HTTPStatus(told.status).phrase}\r\n"
            f"content-type: {MEDIA_TYPE}\r\ncontent-length: {len(body)}\r\ncache-control: no-store\r\n"
            f"{HEADER.decode()}: {new_id().decode()}\r\nconnection: close\r\n\r\n"
        )
        self.transport.write(head.encode() + body)
        self.transport.close()
