"""How does a game go on from a version of another? `POST /v1/games/{game}/fork`: it begins with the table as it lay.

Law kept: hidden cards stay as they were, so only what is revealed may be forked by anybody. A fork of a running game is
the admin key's to make, and what it would reveal stays closed until its origin has ended.
"""

from typing import Final

import msgspec
from starlette.responses import Response

from events.errors import BadRules, Reason, Rejected, UnknownVersion
from events.game.commands import Create
from events.game.events import Origin
from events.game.position import position_of
from events.log.clocks import ClockTerms
from services.api import examples
from services.api.creation import begin
from services.api.games import look, revealed
from services.api.operation import Operation, Service, Shape
from services.api.problems import Forbidden
from services.api.schemas import Created
from services.api.seating import AskedSeat, AskedSeats, Seed, Visibility, check_seats, game_seed, seats_of, token_key
from services.api.wire import Ask


class NewFork(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """From which version to go on, and who sits at the table now. `seed` as for a new game."""

    at: int
    """A version at which somebody was to move."""
    seats: AskedSeats
    """As many as the rules have; none of them open."""
    seed: Seed | None = None
    """128 hex digits, for what is shuffled from here on: for bots only, or with the admin key."""
    clock: ClockTerms | None = None
    """Of the new game: it does not inherit its origin's."""
    visibility: Visibility = "public"
    """`unlisted` keeps it off the list of games."""


_RUNS: Final = "This game, or the one that it goes on from, still runs: the admin key alone may fork it."
_FORKS: Final = msgspec.json.Decoder(NewFork)


def fork_game(service: Service, ask: Ask) -> Response:
    """Go on from a version of an ended game, as a new game.

    Every card lies where it lay, hidden ones too; what is shuffled from here on comes from a seed of its own. A running
    game may be forked with the admin key alone, and the fork's log stays with that key until its origin has ended.
    """
    body = ask.read(_FORKS)
    looked = look(service, ask)
    service.access.check_may_create(looked.caller)
    ask.query()
    seats = seats_of(body.seats)
    seed = game_seed(body.seed, looked.caller, seats)
    if not looked.caller.admin and not revealed(service.store, looked.loaded.game):
        raise Forbidden(_RUNS)

    def command(name: str) -> Create:
        if not 1 <= body.at <= looked.loaded.version:
            raise UnknownVersion(body.at, looked.loaded.version)
        table = service.store.at(looked.name, body.at).game
        if table.result is not None:
            raise _over(body.at)
        if table.turn is None:
            raise _not_started(body.at)
        check_seats(service, {}, table.rules, seats)
        origin = Origin(looked.name, body.at)
        return Create(game=name, rules=table.rules, seats=seats, forked_from=origin, position=position_of(table))

    asked = f"fork {looked.name} {msgspec.json.encode(body, order='sorted').decode()}"
    key = token_key(service, looked.caller, ask)
    return begin(service, looked.caller, key, asked, command, seed, body.clock, body.visibility)


def _over(at: int) -> Rejected:
    return Rejected(Reason.GAME_OVER, f"At version {at} the game is over: fork it at an earlier one.")


def _not_started(at: int) -> Rejected:
    return Rejected(Reason.NOT_STARTED, f"At version {at} a seat is still open: fork it at a later one.")


def _example() -> NewFork:
    return NewFork(9, [AskedSeat(name="Ada"), AskedSeat(bot="greedy")])


OPERATIONS: Final = (
    Operation(
        method="POST",
        path="/v1/games/{game}/fork",
        handler=fork_game,
        status=201,
        body=Shape(NewFork, _example),
        answers=(Shape(Created, examples.created),),
        parameters=("Idempotency-Key",),
        headers=("Location", "Idempotent-Replayed"),
        problems=(
            "malformed", "bad_token", "forbidden", "unknown_game", "unknown_version", "game_over", "not_started",
            "too_large", "too_slow", "unsupported_media", "bad_rules", "bad_position", "key_reused", "damaged_log",
            "unavailable",
        ),
        met=lambda: (
            Forbidden(_RUNS),
            _over(18),
            _not_started(1),
            BadRules("3 seats under rules for 2. Give one for each seat of the rules."),
        ),
    ),
)  # fmt: skip
