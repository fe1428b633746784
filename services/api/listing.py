"""Which games can be found here? `GET /v1/games`: the public ones, or those of one arena, newest first.

Law kept: a line says nothing that a spectator of its game could not see, and not earlier.
"""

from collections.abc import Sequence
from typing import Final

from starlette.responses import Response

from events.errors import Malformed
from events.game.presets import named
from events.game.state import STATUSES, Status
from events.log.listing import Summary, read_cursor
from services.api import examples
from services.api.games import version_before
from services.api.operation import Operation, Service, Shape
from services.api.schemas import GameList, ListedGame, ListedSeat
from services.api.wire import Ask, answer, whole_number
from workers.arena import ledger

DEFAULT_LIMIT: Final = 20
LIMIT: Final = 100


def list_games(service: Service, ask: Ask) -> Response:
    """The games that can be watched, newest first.

    All public games that are not an arena's; with `arena` the games of that one, which have begun. The order is that
    of creation, so that pages neither skip nor repeat a game; `next` is what `cursor` takes for the page behind.
    """
    service.access.caller(ask)
    query = ask.query("status", "limit", "cursor", "arena")
    asked = query.get("status")
    if asked is not None and asked not in STATUSES:
        raise Malformed(f"status is {asked[:40]!r}; it takes {' or '.join(STATUSES)}.")
    statuses: tuple[Status, ...] = tuple(status for status in STATUSES if asked in (None, status))
    limit = whole_number("limit", query.get("limit", str(DEFAULT_LIMIT)), 1, LIMIT)
    if "arena" in query:
        return answer(_of_arena(service, query["arena"], statuses, query.get("cursor"), limit))
    before = read_cursor(query["cursor"]) if "cursor" in query else None
    places = service.store.listing.page(service.store.due.shards(), statuses, before, limit + 1)
    shown = places[:limit]
    summaries = service.store.listing.summaries([place.name for place in shown])
    # A game that has moved on since it was found is told as it is, where its new status was asked for.
    told = tuple([_line(service, one) for one in summaries if one.status in statuses])
    return answer(GameList(told, shown[-1].cursor if len(places) > limit else None))


def _of_arena(service: Service, name: str, statuses: Sequence[Status], cursor: str | None, limit: int) -> GameList:
    arena = ledger.find(service.store, name)
    before = arena.games if cursor is None else whole_number("cursor", cursor, 0)
    told: list[ListedGame] = []
    unfinished = "ended" not in statuses  # not one by one through all that have ended
    while numbers := ledger.begun(service.store, arena, before, LIMIT, unfinished=unfinished):
        before = numbers[-1]
        ids = {ledger.game_id(arena, number): number for number in numbers}
        for one in service.store.listing.summaries(list(ids)):
            if one.status in statuses:
                told.append(_line(service, one))
                if len(told) == limit:
                    return GameList(tuple(told), str(ids[one.game]))
    return GameList(tuple(told), None)


def _line(service: Service, one: Summary) -> ListedGame:
    version, delay = one.version, service.spectator_delay
    if delay and one.status != "ended":
        version = version_before(service.store, one.game, version, delay)
    seats = tuple([ListedSeat(seat.name, seat.kind, seat.bot) for seat in one.seats])
    return ListedGame(
        one.game, one.created_at, one.status, version, named(one.rules), seats, one.match, one.forked_from, one.result
    )


OPERATIONS: Final = (
    Operation(
        method="GET",
        path="/v1/games",
        handler=list_games,
        answers=(Shape(GameList, examples.game_list),),
        parameters=("status", "games.limit", "cursor", "games.arena"),
        problems=("malformed", "bad_token", "unknown_arena", "unavailable"),
    ),
)
