"""What does a game look like to whoever asks? `GET /v1/games/{game}`, and who may look with whose eyes.

Law kept: views are built from what their seat may know; every card is shown only when nothing is left to hide.
"""

from typing import Final

import msgspec
from starlette.responses import Response

from events.errors import UnknownGame, UnknownVersion
from events.game.state import Game
from events.game.views import Clock, View, Viewer
from events.log.commit import seconds_between
from events.log.store import Loaded, Store
from services.api import examples
from services.api.access import Caller, viewer
from services.api.operation import Operation, Service, Shape
from services.api.problems import Forbidden
from services.api.wire import PRIVATE, Ask, answer, whole_number
from services.eyes import Eyes, OpenView, seen_with

PAGE: Final = 100
"""Commits looked at at once, to find what a spectator may know."""
MOST_ORIGINS: Final = 100
"""Forks of forks that are followed to their beginning."""


class Look(msgspec.Struct, frozen=True):
    """A game that is known, and who asks about it."""

    name: str
    loaded: Loaded
    caller: Caller
    seat: Viewer
    last: int
    """The newest version that they may know of."""
    delay: int
    """How many seconds late they see what happens; 0 for players, and once the game has ended."""


def look(service: Service, ask: Ask) -> Look:
    """Raises `UnknownGame`, then `BadToken` or `Forbidden`: the order in which requests are judged."""
    loaded = service.store.load(ask.game)
    caller = service.access.caller(ask)
    seat = viewer(caller, ask.game, loaded.game)
    sees_late = seat is None and not caller.admin and loaded.game.result is None
    delay = service.spectator_delay if sees_late else 0
    last = version_before(service.store, ask.game, loaded.version, delay) if delay else loaded.version
    return Look(ask.game, loaded, caller, seat, last, delay)


def version_before(store: Store, name: str, last: int, seconds: int) -> int:
    """The last version up to `last` that is so many seconds old; at the least 1: that a game is there is no secret."""
    now = store.now()
    while last > 1:
        before = max(0, last - PAGE)
        for commit in reversed(store.read(name, after=before, limit=last - before)):
            if seconds_between(commit.at, now) >= seconds:
                return commit.version
        last = before
    return 1


def eyes(store: Store, looked: Look, asked: str | None) -> Eyes:
    """With whose eyes to look, by the query's `as`. Raises `Malformed`, `Forbidden`."""
    if asked is None:
        return looked.seat
    seats = looked.loaded.game.rules.seats
    seat: Eyes = "all" if asked == "all" else whole_number("as", asked, 0, seats - 1)
    if not revealed(store, looked.loaded.game):
        raise hides(asked)
    return seat


def hides(asked: str) -> Forbidden:
    """The refusal of an `as` while there is something to hide."""
    return Forbidden(f"as={asked} is for ended games: this one still has cards to hide.")


def revealed(store: Store, game: Game) -> bool:
    """Is nothing hidden any more? The game has ended, and so has the one whose hidden cards it goes on with.

    Imported logs may name anything as their origin, each other too: only so many steps are gone.
    """
    origins: set[str] = set()
    while game.result is not None and game.forked_from is not None:
        origin = game.forked_from.game
        if origin in origins:
            return True  # round in a circle, and every game on it has ended
        if len(origins) == MOST_ORIGINS:
            return False
        origins.add(origin)
        try:
            game = store.load(origin).game
        except UnknownGame:
            return True  # not of this service: there is nothing here that could be given away
    return game.result is not None


def read_game(service: Service, ask: Ask) -> Response:
    """The game as the caller may see it.

    With a seat's token: as that seat; without one: as a spectator. `at` gives an earlier version; `as` looks at an
    ended game as another seat, or with all cards in a further field `cards`.
    """
    looked = look(service, ask)
    query = ask.query("at", "as")
    last = looked.last
    at = whole_number("at", query["at"], 1) if "at" in query else last
    as_whom = eyes(service.store, looked, query.get("as"))
    if at > last:
        raise UnknownVersion(at, last)
    headers = {"ETag": f'"{at}"'}
    if ask.has(headers["ETag"]):
        return Response(status_code=304, headers={**PRIVATE, **headers})
    loaded = looked.loaded if at == looked.loaded.version else service.store.at(looked.name, at)
    clock = shown_clock(service.store, looked, at)
    return answer(seen_with(as_whom, loaded.game, name=looked.name, version=at, clock=clock), headers=headers)


def shown_clock(store: Store, looked: Look, at: int) -> Clock | None:
    """The game's clock; of a version that is past, and of a game that waits or has ended, without a deadline."""
    loaded = looked.loaded
    if loaded.clock is None:
        return None
    runs = at == loaded.version and loaded.game.status == "playing"
    return loaded.clock.until(store.clocks.deadline(looked.name) if runs else None)


OPERATIONS: Final = (
    Operation(
        method="GET",
        path="/v1/games/{game}",
        handler=read_game,
        answers=(
            Shape(
                (View, OpenView),
                examples.view_of_a_seat,
                more={"spectator": examples.view_of_a_spectator, "as_all": examples.view_of_all},
            ),
        ),
        parameters=("at", "as", "If-None-Match"),
        headers=("ETag",),
        problems=(
            "malformed", "bad_token", "forbidden", "unknown_game", "unknown_version", "damaged_log", "unavailable",
        ),
        met=lambda: (hides("all"),),
    ),
)  # fmt: skip
