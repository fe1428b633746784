"""How does a commit get into a stream? In one atomic step, `append.lua`, whose arguments this file alone puts in order.

A game's commit has company: the request it came of, the due mark, the seed, the turn clock. A match's comes alone.
"""

from collections.abc import Sequence
from typing import Any

import msgspec
import redis
from hiredis import pack_command
from redis.exceptions import NoScriptError

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
    """Its body as the stream keeps it (`packing`)."""
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


def keys_of(game: str) -> tuple[str, ...]:
    """The keys that the script takes for a game that nobody waits for."""
    return stream_key(game), requests_key(game), due_key(shard_of(game), bots=True), seed_key(game)


class Stretch(msgspec.Struct, frozen=True, gc=False):
    """Commits of a game that nobody waits for, one after the other: they go in together or not at all."""

    keys: tuple[str, ...]
    """Of its game: see `keys_of`."""
    version: int
    """Of the commit before the first of them."""
    before: bytes
    """The hash of that commit; nothing before the first of all."""
    lines: list[bytes]
    """Body as the stream keeps it, hash, body, hash …"""
    seed: bytes
    """Kept from the first commit of all on; else nothing."""
    ended: bool


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
        self._pool: Any = client.connection_pool

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

    def send(self, stretches: Sequence[Stretch]) -> "Sent":
        """Send the commits of many games without waiting, so that the caller goes on while the store writes them."""
        commands: list[Any] = [
            (
                *("EVALSHA", self._script.sha, 4, *stretch.keys),
                *(stretch.version, stretch.before, len(stretch.lines) // 2, "", "", "", stretch.seed),
                *(int(stretch.ended), *stretch.lines),
            )
            for stretch in stretches
        ]
        with reaching_store():
            connection = self._pool.get_connection()
            try:
                # Packed here, not by the connection, which looks at every argument three times.
                packed = [pack_command(command) for command in commands]
                connection.send_packed_command([b"".join(packed)])
            except BaseException:  # an interrupt too: what was half sent leaves no connection to use again
                self._give_back(connection, broken=True)
                raise
        return Sent(self, connection, stretches)

    def answers(self, sent: "Sent") -> list[bool]:
        """Of each stretch, in order: is it in? False where the commit before its first is not the last."""
        answers: list[Any] = []
        connection, sent.connection = sent.connection, None
        broken = True
        with reaching_store():
            try:
                for _ in sent.stretches:
                    try:
                        answers.append(connection.read_response())
                    except redis.ResponseError as error:
                        answers.append(error)  # the answers to the others are to be read all the same
                broken = False
            finally:
                self._give_back(connection, broken=broken)
            if any(isinstance(answer, NoScriptError) for answer in answers):
                # A store that has started again; what is in already is known by its hash.
                self._script.registered_client.script_load(self._script.script)
                return self.answers(self.send(sent.stretches))
            for answer in answers:
                if isinstance(answer, Exception):
                    raise answer
        return [answer[0] == b"done" for answer in answers]

    def drop(self, sent: "Sent") -> None:
        """Nobody will wait for these answers: what is in is in."""
        connection, sent.connection = sent.connection, None
        if connection is not None:
            self._give_back(connection, broken=True)

    def _give_back(self, connection: Any, *, broken: bool) -> None:
        if broken:
            connection.disconnect()  # answers that nobody has read would be taken for those of the next command
        self._pool.release(connection)

    def _run(self, owner: str, keys: list[str], line: Line, more: list[Any], timed: list[Any]) -> list[Any]:
        before = b"" if line.previous == GENESIS else bytes.fromhex(line.previous)
        arguments = [line.version - 1, before, 1, *more, *timed, line.packed, bytes.fromhex(line.hash)]
        with reaching_store():
            answer = self._script(keys=keys, args=arguments)
        if answer[0] == b"conflict":
            raise Conflict(owner, expected=line.version - 1, actual=int(answer[1]))
        return answer


class Sent:
    """Commits on their way to the store."""

    def __init__(self, appender: Appender, connection: Any, stretches: Sequence[Stretch]) -> None:
        self.connection: Any = connection
        self.stretches = stretches
        self._appender = appender

    def answers(self) -> list[bool]:
        """Wait, and see which are in (`Appender.answers`)."""
        return self._appender.answers(self)

    def drop(self) -> None:
        """Do not wait; safe to call after waiting too."""
        self._appender.drop(self)


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
