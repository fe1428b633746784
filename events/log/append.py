"""How does a commit get into a stream? In one atomic step, `append.lua`, whose arguments this file alone puts in order.

A game's commit has company: the request it came of, the due mark, the seed, the turn clock. A match's comes alone.
"""

import secrets
from typing import Any

import msgspec
import redis

from events.errors import Conflict, KeyReused
from events.game.state import STATUSES, Status
from events.log.client import reaching_store
from events.log.clocks import ClockTerms
from events.log.commit import GENESIS
from events.log.keys import (
    clock_terms_key,
    clocks_key,
    due_key,
    idle_key,
    listed_key,
    match_key,
    requests_key,
    seed_key,
    shard_of,
    stream_key,
)
from events.log.scripts import script


class Request(msgspec.Struct, frozen=True):
    """Who asked for what, under which key: what makes a repeated request known again."""

    by: str
    key: str
    digest: str

    @property
    def field(self) -> str:
        return f"{self.by} {self.key}"


class Line(msgspec.Struct, frozen=True):
    """A commit as it goes into a stream."""

    version: int
    packed: bytes
    """Its canonical body."""
    hash: str
    previous: str
    """The hash that it is chained to."""


class Company(msgspec.Struct, frozen=True, kw_only=True):
    """What is written beside a game's log in the same step."""

    request: Request | None
    mark: bool
    """Does the game become due, for whoever plays its bots and folds it? Then it may be called idle too."""
    bots: bool
    """Do bots alone play in it?"""
    seed: bytes
    """Kept from the first commit on, deleted with the last; looked at only then."""
    ended: bool
    clock: ClockTerms | None
    turn_begins: bool
    status: Status | None
    """What the game is from this commit on; None where that has not changed."""
    listed: bool
    """Is it put on the list of games? Looked at only with the first commit."""


class Appended(msgspec.Struct, frozen=True):
    """What became of a commit: its version, or that of the first commit of a repeated request."""

    version: int
    replayed: bool
    deadline: int | None
    """When the turn that runs after it is over, in milliseconds; None where no clock runs."""


class Appender:
    """The script, over one client. Raises `StoreUnavailable`; `Conflict` where the commit before is not the last."""

    def __init__(self, client: redis.Redis) -> None:
        self._script = client.register_script(script("append.lua"))

    def game(self, game: str, line: Line, company: Company) -> Appended:
        """Append a commit of a game, once for each request. Raises `KeyReused` too."""
        shard, request, clock = shard_of(game), company.request, company.clock
        keys = [stream_key(game), requests_key(game), due_key(shard, bots=company.bots), seed_key(game)]
        more: list[Any] = [
            request.field if request else "",
            request.digest if request else "",
            game if company.mark else "",
            company.seed if line.version == 1 else b"",
            int(company.ended),
        ]
        timed: list[Any] = []
        if company.mark:
            keys += [clocks_key(shard), idle_key(shard), clock_terms_key(shard)]
            place = _place(line.version, company)
            if place[0]:
                keys += [listed_key(shard, status) for status in STATUSES]
            seconds = clock.turn_seconds if clock else ""
            terms = msgspec.json.encode(clock) if clock and line.version == 1 else b""
            timed = [game, seconds, int(company.turn_begins), terms, *place]
        word, version, *rest = self._run(game, keys, line, more, timed)
        if word == b"seen":
            digest, deadline = rest
            return repeated(request, version, digest, deadline)
        return Appended(version, replayed=False, deadline=_whole(rest[0]))

    def match(self, match: str, line: Line) -> None:
        """Append a commit of a match."""
        self._run(match, [match_key(match)] * 4, line, ["", "", "", "", 0], [])

    def _run(self, owner: str, keys: list[str], line: Line, more: list[Any], timed: list[Any]) -> list[Any]:
        before = b"" if line.previous == GENESIS else bytes.fromhex(line.previous)
        first = [line.version - 1, line.packed, bytes.fromhex(line.hash), secrets.token_urlsafe(6)]
        with reaching_store():
            answer = self._script(keys=keys, args=[*first, *more, before, *timed])
        if answer[0] == b"conflict":
            raise Conflict(owner, expected=line.version - 1, actual=int(answer[1]))
        return answer


def _place(version: int, company: Company) -> tuple[int | str, int]:
    """In which list the game stands from now on, counted from 1, and whether it comes there from none."""
    if company.status is None or (version == 1 and not company.listed):
        return "", 0
    return STATUSES.index(company.status) + 1, int(version == 1)


def repeated(request: Request | None, version: int, digest: bytes, deadline: bytes) -> Appended:
    """What became of this request at first. Raises `KeyReused` when its key was used with another `digest`."""
    if request is None or digest.decode() != request.digest:
        raise KeyReused(request.key if request else "")
    return Appended(version, replayed=True, deadline=_whole(deadline))


def _whole(number: bytes) -> int | None:
    return int(number) if number else None
