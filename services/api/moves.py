"""How does a seat act? `POST …/moves` and `POST …/resign`, through the one write path.

Law kept: requests are judged in the contract's order, which is the order of the lines of `play`: body, game known,
token, notation and header forms; then, inside `submit`, key, If-Match, game over, turn, legality.
"""

import hashlib
from typing import Annotated, Final

import msgspec
from starlette.background import BackgroundTask
from starlette.responses import Response

from events.game.commands import MakeMove, Resign
from events.game.legality import view
from events.game.moves import PATTERN, parse_move
from events.game.rules import Seat
from events.game.state import Game
from events.game.views import seen_by
from events.log.append import Request
from events.log.submit import Submitted, submit
from services.api import examples
from services.api.access import viewer
from services.api.operation import Operation, Service, Shape
from services.api.problems import BadToken, Forbidden
from services.api.schemas import Moved
from services.api.wire import Ask, Nothing, answer


class AskedMove(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A move, in the notation of contract section 1."""

    move: Annotated[
        str,
        msgspec.Meta(
            description="`7h>c2` a hand card to centre pile 2, `p>c0` the payoff's top, `p@2>c0` seat 2's, the "
            "partner's, `s1>c0` the top of side stack 1, `9c>s3` a hand card onto side stack 3, which ends the turn, "
            "`pass`: indices begin at 0. The view's `legal` lists those that may be made now.",
            examples=["7h>c2", "p>c0", "p@2>c0", "s1>c0", "9c>s3", "pass"],
            extra_json_schema={"pattern": PATTERN},
        ),
    ]


_MOVES: Final = msgspec.json.Decoder(AskedMove)


def play(service: Service, ask: Ask) -> Response:
    """Play, discard or pass.

    The answer holds what the move caused, and the table after it, as the seat may see them. With If-Match the move
    counts only if the game is still at that version; with Idempotency-Key a repeat gets the first answer again.
    """
    body = ask.read(_MOVES)
    seat = mover(service, ask)
    move = parse_move(body.move)
    ask.query()
    seen = ask.seen()
    request = request_of(f"seat:{seat}", ask.key(), f"move {body.move}")
    command = MakeMove(seat, move)
    done = submit(service.store, ask.game, command, by=f"seat:{seat}", request=request, seen=seen)
    return acted(service, ask.game, seat, done)


def resign(service: Service, ask: Ask) -> Response:
    """Leave the game, whoever's turn it is.

    Answers as a move does.
    """
    ask.read_nothing()
    seat = mover(service, ask)
    ask.query()
    seen = ask.seen()
    request = request_of(f"seat:{seat}", ask.key(), "resign")
    done = submit(service.store, ask.game, Resign(seat), by=f"seat:{seat}", request=request, seen=seen)
    return acted(service, ask.game, seat, done)


def mover(service: Service, ask: Ask) -> Seat:
    """The seat that the caller acts for. Raises `UnknownGame`, then `BadToken` or `Forbidden`."""
    store, name = service.store, ask.game
    try:
        caller = service.access.caller(ask)
    except BadToken:
        store.load(name)
        raise
    if caller.owner == name and caller.seat is not None:
        # This token was given for a game that is there: the store need not be asked.
        return caller.seat
    seat = viewer(caller, name, store.load(name).game)
    if seat is None:
        who = "The admin key is no seat's" if caller.admin else "A spectator cannot move"
        raise Forbidden(f"{who}: send the token that the seat was given.")
    return seat


def request_of(by: str, key: str | None, what: str) -> Request | None:
    """The request as it is known again: by whom, under which key, and a digest of what was asked for."""
    return None if key is None else Request(by, key, hashlib.sha256(what.encode()).hexdigest())


def acted(service: Service, name: str, seat: Seat, done: Submitted) -> Response:
    """The answer to a command, and the waking of whoever has to go on."""
    commit, clock = done.commit, done.after.clock
    told = Moved(
        commit.version,
        tuple(seen_by(event, seat) for event in commit.events),
        view(done.game, seat, name=name, version=commit.version, clock=clock.until(done.deadline) if clock else None),
    )
    headers = {"ETag": f'"{commit.version}"'}
    if done.replayed:
        return answer(told, headers=headers | {"Idempotent-Replayed": "true"})
    return answer(told, headers=headers, then=BackgroundTask(service.wake, name) if _waits(done.game) else None)


def _waits(game: Game) -> bool:
    """Does somebody wait for a worker? Else the sweep is soon enough: it finds every game that is due."""
    return game.turn is None or game.result is not None or game.players[game.turn.seat].kind == "bot"


_PROBLEMS: Final = (
    "malformed", "bad_token", "forbidden", "unknown_game", "not_your_turn", "game_over", "not_started",
    "version_conflict", "too_large", "too_slow", "unsupported_media", "illegal_move", "key_reused", "damaged_log",
    "unavailable",
)  # fmt: skip
OPERATIONS: Final = (
    Operation(
        method="POST",
        path="/v1/games/{game}/moves",
        handler=play,
        body=Shape(AskedMove, lambda: AskedMove(examples.first_move())),
        answers=(Shape(Moved, examples.moved),),
        parameters=("If-Match", "Idempotency-Key"),
        headers=("ETag", "Idempotent-Replayed"),
        problems=_PROBLEMS,
        met=lambda: (examples.refused_move(),),
    ),
    Operation(
        method="POST",
        path="/v1/games/{game}/resign",
        handler=resign,
        body=Shape(Nothing, Nothing),
        body_required=False,
        answers=(Shape(Moved, examples.resigned),),
        parameters=("If-Match", "Idempotency-Key"),
        headers=("ETag", "Idempotent-Replayed"),
        problems=tuple(code for code in _PROBLEMS if code != "not_your_turn"),
        met=lambda: (
            examples.refused_resignation(),
            Forbidden("A spectator cannot resign: send the token that the seat was given."),
        ),
    ),
)
