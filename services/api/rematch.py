"""How do the same players play again? `POST /v1/games/{game}/rematch`: one new game for each that has ended.

Law kept: nobody is given another's token. Where people sat the seats are open, and whoever sits down adds entropy after
the commitment. The id is derived from the ended game's, so all who ask, and a restart, find the same game.
"""

from contextlib import suppress
from secrets import token_bytes
from typing import Final

from starlette.responses import Response

from events.errors import BadRules, Conflict
from events.game.commands import Create
from events.game.events import SeatInfo
from events.game.shuffle import SEED_BYTES
from events.game.state import Player
from events.log.keys import spread_id
from events.log.submit import create
from services.api import examples
from services.api.creation import created
from services.api.games import look
from services.api.operation import Operation, Service, Shape
from services.api.problems import Forbidden, NotOver
from services.api.schemas import Created
from services.api.seating import check_seats
from services.api.wire import Ask, Nothing


def rematch(service: Service, ask: Ask) -> Response:
    """Play again: a new deal under the same rules.

    For a seat of the game that has ended, and for whoever may create games. Clock and visibility are the same, bots sit
    where bots sat, and where people sat the seats are open: each sits down by `POST …/seats`. There is one rematch of a
    game, whoever asks first and however often: who asks later gets the same.
    """
    ask.read_nothing()
    looked = look(service, ask)
    ask.query()
    ask.key()
    if looked.seat is None:
        service.access.check_may_create(looked.caller)
    table, store = looked.loaded.game, service.store
    if table.result is None:
        raise NotOver(looked.name)
    name = spread_id(service.access.derive(f"rematch:{looked.name}"), store.shards)
    if store.version(name) == 0:
        seats = tuple(_again(player) for player in table.players)
        check_seats(service, {}, table.rules, seats)
        command = Create(game=name, rules=table.rules, seats=seats)
        listed = store.listing.holds(looked.name, "ended")
        with suppress(Conflict):  # the other one was faster
            done = create(
                store, command, seed=token_bytes(SEED_BYTES), by="system", clock=looked.loaded.clock, listed=listed
            )
            return created(service, name, done.game, replayed=False)
    return created(service, name, store.at(name, 1).game, replayed=True)


def _again(player: Player) -> SeatInfo:
    return SeatInfo(player.name, "bot", player.bot, "") if player.kind == "bot" else SeatInfo(None, "open", None, "")


OPERATIONS: Final = (
    Operation(
        method="POST",
        path="/v1/games/{game}/rematch",
        handler=rematch,
        status=201,
        body=Shape(Nothing, Nothing),
        body_required=False,
        answers=(Shape(Created, examples.rematch),),
        parameters=("Idempotency-Key",),
        headers=("Location", "Idempotent-Replayed"),
        problems=(
            "malformed", "bad_token", "forbidden", "unknown_game", "not_over", "too_large", "too_slow",
            "unsupported_media", "bad_rules", "damaged_log", "unavailable",
        ),
        met=lambda: (
            Forbidden("A seat's token cannot create games where API keys are set: send an API key."),
            BadRules("Seat 1: there is no bot 'my-bot'; there are greedy, uniform."),
        ),
    ),
)  # fmt: skip
