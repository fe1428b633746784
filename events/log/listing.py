"""Which games are there? The public ones, newest first, page by page; kept up by the append itself.

Each shard has a list for each status, and a page is merged of them: a move from one to another is one step with the
commit that caused it. A game keeps its place, that of its creation, so pages neither skip nor repeat one that stays.
"""

import re
from collections.abc import Iterable, Sequence
from heapq import nlargest
from typing import Any, Final

import msgspec
import redis

from events.errors import Malformed, Unreadable
from events.game.events import GameCreated, GameEnded, Origin, SeatInfo, SeatTaken
from events.game.rules import Rules
from events.game.state import Result, Status
from events.log.client import reaching_store
from events.log.commit import Body
from events.log.entries import Entry, kept, version_of
from events.log.keys import listed_key, shard_of, stream_key
from events.log.packing import read_body

OPENING: Final = 9
"""Commits in which a table fills: its creation, and a seat taken in each, of eight at the most."""
_CURSOR: Final = re.compile(r"([0-9]{1,15})\.([0-9a-f]{2}[0-9a-z]{1,62})")


class Place(msgspec.Struct, frozen=True, order=True):
    """What is on a list: when it was created, in milliseconds of the store's clock, and its id."""

    since: int
    name: str

    @property
    def cursor(self) -> str:
        """Names the place, for the page that goes on behind it."""
        return f"{self.since}.{self.name}"


def read_cursor(cursor: str) -> Place:
    """The place that a cursor names. Raises `Malformed`."""
    named = _CURSOR.fullmatch(cursor)
    if named is None:
        raise Malformed(f"cursor is {cursor[:80]!r}; it takes what the page before gave as `next`.")
    return Place(int(named[1]), named[2])


class Summary(msgspec.Struct, frozen=True):
    """What can be said of a game without folding it."""

    game: str
    created_at: str
    status: Status
    version: int
    rules: Rules
    seats: tuple[SeatInfo, ...]
    match: str | None
    forked_from: Origin | None
    result: Result | None


class Listing:
    """The list of a store. Every method raises `StoreUnavailable`."""

    def __init__(self, client: redis.Redis) -> None:
        self.client: Any = client

    def page(self, shards: Iterable[int], statuses: Sequence[Status], before: Place | None, limit: int) -> list[Place]:
        """The next games behind `before`, or the first, newest first."""
        return merged(self.client, [listed_key(shard, of) for shard in shards for of in statuses], before, limit)

    def holds(self, game: str, status: Status) -> bool:
        """Is this game on the list, with this status?"""
        with reaching_store():
            return self.client.zscore(listed_key(shard_of(game), status), game) is not None

    def summaries(self, games: Sequence[str]) -> list[Summary]:
        """What these games are, in this order; those that are not there, or cannot be read, are left out."""
        with reaching_store():
            pipeline = self.client.pipeline(transaction=False)
            for game in games:
                pipeline.xrange(stream_key(game), count=OPENING).xrevrange(stream_key(game), count=1)
            answers = pipeline.execute()
        found = (_summary(game, *answers[2 * at : 2 * at + 2]) for at, game in enumerate(games))
        return [summary for summary in found if summary is not None]


def merged(client: Any, keys: Iterable[str], before: Place | None, limit: int) -> list[Place]:
    """The next places behind `before` on all of these lists, or the first, newest first. Raises `StoreUnavailable`."""
    low = before.since if before else "+inf"
    with reaching_store():
        pipeline = client.pipeline(transaction=False)
        for key in keys:
            pipeline.zrevrangebyscore(key, f"({low}" if before else low, "-inf", 0, limit, withscores=True)
            if before is not None:
                # Those of the very millisecond of the place before: some of them may be behind it.
                pipeline.zrangebyscore(key, low, low, withscores=True)
        lists = pipeline.execute()
    places = (Place(int(at), name.decode()) for one in lists for name, at in one)
    return nlargest(limit, (place for place in places if before is None or place < before))


def _summary(game: str, first: list[Entry], last: list[Entry]) -> Summary | None:
    try:
        opening = [_body(entry) for entry in first]
        newest = _body(last[0])
    except (Unreadable, IndexError):
        return None
    created = opening[0].events[0]
    if not isinstance(created, GameCreated):
        return None
    seats = list(created.seats)
    for body in opening[1:]:
        taken = body.events[0]
        if isinstance(taken, SeatTaken):
            seats[taken.seat] = SeatInfo(taken.name, "human", None, taken.entropy)
    end = newest.events[-1]
    result = Result(end.result, end.winners, end.reason, end.points) if isinstance(end, GameEnded) else None
    return Summary(
        game=game,
        created_at=opening[0].at,
        status="ended" if result else "open" if any(seat.kind == "open" for seat in seats) else "playing",
        version=newest.version,
        rules=created.rules,
        seats=tuple(seats),
        match=created.match,
        forked_from=created.forked_from,
        result=result,
    )


def _body(entry: Entry) -> Body:
    entry_id, fields = entry
    return read_body(kept(fields), version_of(entry_id))
