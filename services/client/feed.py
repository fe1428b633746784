"""How does one follow a game? Every commit once, in order, to the last, over however many connections.

Law kept: no gap and no repeat. What counts is the version of the last commit handed out: a stream that breaks off is
opened again behind it, a commit that was had before is dropped, and one that does not follow is not believed.
"""

from random import uniform
from typing import Final

import msgspec

from services.api.schemas import SeenCommit
from services.client.asking import Asker, Waits, path_of
from services.client.errors import Refused, Unreachable, refusal, stranger
from services.client.reading import NotUnderstood, ends, read_commit, read_commits
from services.client.steps import EVENT_STREAM, Close, Message, Next, Open, Pause, Reply, Steps, Tell, Telling, media_of

QUIET_SECONDS: Final = 45.0
"""A stream says something every 15 seconds; one that is silent for so long is dead, whatever the network says."""
REST_SECONDS: Final = 1.0
"""Between two connections, where the service names no time of its own."""
POLL_SECONDS: Final = 25
POLL_LIMIT: Final = 1000


class _Answered(msgspec.Struct):
    """What matters of a view here."""

    version: int
    status: str


def follow(asker: Asker, game: str, *, after: int = 0, as_: int | str | None = None) -> Telling[SeenCommit]:
    """The commits beyond `after`, to the end of the game. Raises `Refused`, and `Unreachable` when patience is out."""
    waits, last, rest = Waits(asker.patience), after, REST_SECONDS
    while True:
        request = asker.request(
            "GET",
            path_of("games", game, "events"),
            query={"after": last, "as_": as_},
            headers={"Accept": EVENT_STREAM, "Cache-Control": "no-store"} | _resuming(last),
            timeout=QUIET_SECONDS,
        )
        reply = yield Open(request)
        if not isinstance(reply, Reply) or not reply.good:
            yield from waits.after(asker.error(request, reply))
            continue
        if reply.status == 204:
            return
        if media_of(reply) != EVENT_STREAM:
            yield Close()
            yield from _polled(asker, game, after=last, as_=as_)
            return
        trouble: Refused | Unreachable | None = None
        while trouble is None and isinstance(message := (yield Next()), Message):
            rest = rest if message.retry is None else message.retry / 1000
            match message.event:
                case "commit":
                    commit = _commit(asker, message, last)
                    if isinstance(commit, Unreachable):
                        trouble = commit
                    elif commit.version > last:
                        last = commit.version
                        waits.settled()
                        yield Tell(commit)
                        if ends(commit):
                            yield Close()
                            return
                case "problem":
                    trouble = _trouble(message)
                case _:
                    pass  # of a service that says more than this client knows
        yield Close()
        if trouble is None:
            waits.settled()  # it is there: the stream was cut, or ended by itself
            yield Pause(uniform(rest / 2, rest))
        else:
            yield from waits.after(trouble)


def _resuming(last: int) -> dict[str, str]:
    return {"Last-Event-ID": str(last)} if last else {}


def _commit(asker: Asker, message: Message, last: int) -> SeenCommit | Unreachable:
    """The commit, or why it is not believed. One of `last` or before was had already."""
    try:
        commit = read_commit(message.data)
    except NotUnderstood:
        return stranger(asker.url)
    if commit.version > last + 1:
        return Unreachable(f"The feed goes on with version {commit.version} after {last}.")
    return commit


def _trouble(message: Message) -> Refused | Unreachable:
    """What the service says instead of a commit. That it failed is no refusal: asked again, it answers as it must."""
    error = refusal(message.data.encode(), otherwise="The feed broke off.", headers={})
    failed = isinstance(error, Refused) and (error.status >= 500 or error.status == 0)
    return Unreachable(str(error)) if failed else error


def _polled(asker: Asker, game: str, *, after: int, as_: int | str | None) -> Telling[SeenCommit]:
    """The same by pages, where something on the way does not let a stream through."""
    last = after
    while True:
        page = yield from events(asker, game, after=last, limit=POLL_LIMIT, wait=POLL_SECONDS, as_=as_)
        for commit in page:
            if commit.version > last + 1:
                raise Unreachable(f"The feed goes on with version {commit.version} after {last}.")
            if commit.version == last + 1:
                last = commit.version
                yield Tell(commit)
                if ends(commit):
                    return
        if not page:
            now = yield from asker.get(_Answered, path_of("games", game))
            if now.status == "ended" and now.version <= last:
                return
            yield Pause(uniform(REST_SECONDS / 2, REST_SECONDS))


def events(
    asker: Asker,
    game: str,
    *,
    after: int = 0,
    limit: int | None = None,
    wait: int | None = None,
    as_: int | str | None = None,
) -> Steps[tuple[SeenCommit, ...]]:
    """A page of commits beyond `after`; `wait`: for the first one, up to so many seconds."""
    request = asker.request(
        "GET",
        path_of("games", game, "events"),
        query={"after": after, "limit": limit, "wait": wait, "as_": as_},
        headers={"Accept": "application/json"},
        timeout=QUIET_SECONDS + (wait or 0),
    )
    reply = yield from asker.ask(request)
    try:
        return read_commits(reply.body)
    except NotUnderstood:
        raise stranger(asker.url) from None
