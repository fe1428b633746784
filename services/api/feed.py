"""How does somebody hear what happens? One sequence of commits a seat, as pages, long polls or server-sent events.

Law kept: `seen_commit` alone shows a commit, so all forms tell the same. The version is the resume id: whoever comes
back names the last one and misses nothing. Who is too slow to take what comes is cut off, and can resume.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from http import HTTPStatus
from typing import Final, TypeAlias

import msgspec
from fastapi.sse import format_sse_event
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from events.errors import MaliceError, UnknownVersion
from events.game.views import seen_by
from events.log.commit import Commit
from services.api import examples
from services.api.games import Look, eyes, hides, look
from services.api.operation import Operation, Service, Shape
from services.api.problems import told_and_noted
from services.api.schemas import Commits, SeenCommit
from services.api.watching import Watch
from services.api.wire import EVENT_STREAM, JSON, NDJSON, PRIVATE, Ask, answer, lines, whole_number
from services.eyes import Eyes

DEFAULT_LIMIT: Final = 100
LIMIT: Final = 1000
LONGEST_WAIT: Final = 60
SLOW_SECONDS: Final = 20.0
"""Who takes nothing for so long is cut off."""
RETRY_MILLISECONDS: Final = 1000
"""After how long a client whose stream has broken is asked to come back."""


class Sought(msgspec.Struct, frozen=True):
    """What part of a game's sequence is asked for, by whom, and with whose eyes."""

    looked: Look
    eyes: Eyes
    after: int
    limit: int | None
    wait: int

    @property
    def is_over(self) -> bool:
        """Has the game ended, and is nothing left to tell?"""
        return self.looked.loaded.game.result is not None and self.after == self.looked.loaded.version


def read_events(service: Service, ask: Ask) -> Response:
    """What happened, commit by commit, as the caller may know it.

    Beyond version `after`, oldest first; by Accept as one JSON document (also where it wants none of the three), as
    NDJSON (a commit a line), or as server-sent events. With `wait` a page that would be empty waits for a commit.

    A stream has a message `commit` for each commit, whose id is its version, and a comment every 15 seconds in which
    nothing happens. It ends behind the commit with `GameEnded`; who asks for what is beyond gets 204. It may end
    earlier, at a limit, after a message `problem` (data: a problem, no id), or by a broken connection: ask again with
    Last-Event-ID, which counts in all forms, and nothing is missed or told twice.
    """
    media = ask.prefers(JSON, NDJSON, EVENT_STREAM)
    sought = _sought(service, ask)
    if media == EVENT_STREAM:
        if sought.is_over:
            return Response(status_code=HTTPStatus.NO_CONTENT, headers=PRIVATE)
        return Watching(service, sought, stream)
    if sought.wait and sought.after == sought.looked.last and not sought.is_over:
        return Watching(service, sought, long_poll(media))
    return _page(service, sought, media)


def seen_commit(commit: Commit, eyes: Eyes) -> SeenCommit:
    """The commit as these eyes may see it."""
    events = commit.events if eyes == "all" else tuple([seen_by(event, eyes) for event in commit.events])
    return SeenCommit(commit.version, commit.at, commit.by, events)


def _sought(service: Service, ask: Ask) -> Sought:
    looked = look(service, ask)
    query = ask.query("after", "limit", "wait", "as")
    after = whole_number("after", query.get("after", "0"), 0)
    limit = whole_number("limit", query["limit"], 1, LIMIT) if "limit" in query else None
    wait = whole_number("wait", query.get("wait", "0"), 0, LONGEST_WAIT)
    resumed = ask.header("Last-Event-ID")
    if resumed is not None:
        after = whole_number("Last-Event-ID", resumed, 0)
    if after > looked.last:
        raise UnknownVersion(after, looked.last)
    return Sought(looked, eyes(service.store, looked, query.get("as")), after, limit, wait)


def _page(service: Service, sought: Sought, media: str) -> Response:
    limit = min(sought.limit or DEFAULT_LIMIT, sought.looked.last - sought.after)
    commits = service.store.read(sought.looked.name, after=sought.after, limit=limit) if limit else []
    return _written(commits, sought.eyes, media)


def _written(commits: Sequence[Commit], eyes: Eyes, media: str) -> Response:
    told = tuple([seen_commit(commit, eyes) for commit in commits])
    return answer(Commits(told)) if media == JSON else lines(told)


class Watching(Response):
    """An answer that takes its time: it follows the game, until its caller has gone. `tell` says in which form."""

    def __init__(self, service: Service, sought: Sought, tell: "Tell") -> None:
        # No body and headers of its own: nothing of `Response` is needed but that it is one.
        self.service = service
        self.sought = sought
        self.tell = tell
        self.background = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Raises `StoreUnavailable` where too many watch, before anything is sent."""
        looked, feed = self.sought.looked, self.service.feed
        with feed.place():
            watch = Watch(
                self.service.store, feed.follower, looked.name, looked.loaded, self.sought.after, looked.delay
            )
            gone = asyncio.create_task(_until_gone(receive, watch.wake))
            alarm = asyncio.get_running_loop().call_later(self.sought.wait, watch.wake) if self.sought.wait else None
            if scope["method"] == "HEAD":
                watch.wake()
            try:
                async with aclosing(watch.commits()) as commits:
                    await self.tell(commits, self, scope, receive, send)
            finally:
                gone.cancel()
                if alarm is not None:
                    alarm.cancel()


Tell: TypeAlias = Callable[[AsyncGenerator[Commit | None], Watching, Scope, Receive, Send], Awaitable[None]]


async def _until_gone(receive: Receive, then: Callable[[], None]) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    then()


def long_poll(media: str) -> Tell:
    """A page, as soon as there is a commit for it. Raises as `Watch.commits` does: nothing has been sent by then."""

    async def tell(
        commits: AsyncGenerator[Commit | None], one: Watching, scope: Scope, receive: Receive, send: Send
    ) -> None:
        found: tuple[Commit, ...] = ()
        async for commit in commits:
            if commit is not None:
                found = (commit,)
                break
        await _written(found, one.sought.eyes, media)(scope, receive, send)

    return tell


async def stream(
    commits: AsyncGenerator[Commit | None], one: Watching, scope: Scope, _receive: Receive, send: Send
) -> None:
    """Server-sent events (WHATWG HTML, section 9.2)."""
    metrics, left = one.service.metrics, one.sought.limit

    async def put(piece: bytes, *, more: bool = True) -> None:
        async with asyncio.timeout(SLOW_SECONDS):
            await send({"type": "http.response.body", "body": piece, "more_body": more})

    headers = {**PRIVATE, "Content-Type": EVENT_STREAM, "X-Accel-Buffering": "no"}
    start = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": HTTPStatus.OK.value, "headers": start})
    try:
        await put(format_sse_event(retry=RETRY_MILLISECONDS))
        try:
            async for commit in commits:
                if commit is None:
                    await put(format_sse_event(comment="keep-alive"))
                    continue
                await put(_message(commit, one.sought.eyes))
                metrics.sent(1)
                left = left and left - 1
                if left == 0:
                    break
        except MaliceError as error:
            told = msgspec.json.encode(told_and_noted(error, scope)).decode()
            await put(format_sse_event(event="problem", data_str=told))
        await put(b"", more=False)
    except TimeoutError:
        metrics.cut()  # it comes back with the last id that it has
    except OSError:
        pass  # gone


def _message(commit: Commit, eyes: Eyes) -> bytes:
    told = msgspec.json.encode(seen_commit(commit, eyes)).decode()
    return format_sse_event(event="commit", data_str=told, id=str(commit.version))


OPERATIONS: Final = (
    Operation(
        method="GET",
        path="/v1/games/{game}/events",
        handler=read_events,
        answers=(
            Shape(Commits, examples.commits),
            Shape(str, examples.commit_lines, NDJSON, lines=(SeenCommit,)),
            Shape(str, examples.commit_messages, EVENT_STREAM, lines=(SeenCommit,)),
        ),
        parameters=("after", "limit", "wait", "as", "Last-Event-ID"),
        met=lambda: (hides("all"),),
        empty="To an event stream of a game that has ended, when nothing is left to tell: do not come back.",
        problems=(
            "malformed", "bad_token", "forbidden", "unknown_game", "unknown_version", "damaged_log", "unavailable",
        ),
    ),
)  # fmt: skip
