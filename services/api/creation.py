"""How does a game begin? `POST /v1/games`, and `POST /v1/games/{game}/seats` for whoever takes an open seat.

Law kept: who creates a game is given the tokens of its human seats and nobody else's. Creation under a key gets an id
derived from it, so that a repeat, by whichever process, finds the same game.
"""

from collections.abc import Callable
from typing import Final

import msgspec
from starlette.background import BackgroundTask
from starlette.responses import Response

from events.errors import Conflict, KeyReused, UnknownMatch
from events.game.commands import Create, Sit
from events.game.events import Position, SeatTaken
from events.game.presets import resolve
from events.game.shuffle import check_entropy
from events.game.state import Game
from events.log.clocks import ClockTerms
from events.log.submit import ATTEMPTS, create, submit
from services.api import examples
from services.api.access import Caller
from services.api.games import look
from services.api.moves import request_of
from services.api.operation import Operation, Service, Shape
from services.api.problems import Forbidden
from services.api.schemas import Created, Sat, WantedRules
from services.api.seating import (
    AskedSeat,
    AskedSeats,
    Entropy,
    Name,
    Seed,
    Visibility,
    check_name,
    check_seats,
    game_seed,
    new_id,
    seats_of,
    token_key,
    tokens,
)
from services.api.wire import Ask, answer


class NewGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is agreed before a game. `seed` (128 hex digits) is for games of bots only, or for the admin key."""

    rules: WantedRules
    """A preset's name, `{"preset": name, change: value}`, or every knob."""
    seats: AskedSeats
    """One for each seat of the rules, in their order."""
    seed: Seed | None = None
    """128 hex digits that make the game reproducible: for games of bots only, or with the admin key."""
    position: Position | None = None
    """Where to start from, instead of a deal. It may hold any part of the pack, and must leave a legal move."""
    clock: ClockTerms | None = None
    """How long a turn may take, by the store's time, and what happens then; null for no clock."""
    visibility: Visibility = "public"
    """`unlisted` keeps it off the list of games."""


class AskedSitting(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Who sits down, and what they add to the shuffle."""

    name: Name
    """1 to 40 characters."""
    entropy: Entropy = ""
    """What the seat adds to the shuffle, up to 128 characters."""


_GAMES: Final = msgspec.json.Decoder(NewGame)
_SITTINGS: Final = msgspec.json.Decoder(AskedSitting)


def create_game(service: Service, ask: Ask) -> Response:
    """Create a game.

    It is dealt at once, unless a seat is open: then with the last seat taken. The tokens in the answer are the only
    way to move the human seats, and are never shown again but to a repeat of this request with the same key.
    """
    body = ask.read(_GAMES)
    caller = service.access.caller(ask)
    service.access.check_may_create(caller)
    ask.query()
    seats = seats_of(body.seats)
    seed = game_seed(body.seed, caller, seats)

    def command(name: str) -> Create:
        rules = resolve(body.rules)
        check_seats(service, body.rules, rules, seats)
        return Create(game=name, rules=rules, seats=seats, position=body.position)

    asked = f"create {msgspec.json.encode(body, order='sorted').decode()}"
    return begin(service, caller, token_key(service, caller, ask), asked, command, seed, body.clock, body.visibility)


def begin(
    service: Service,
    caller: Caller,
    key: str | None,
    asked: str,
    command: Callable[[str], Create],
    seed: bytes,
    clock: ClockTerms | None,
    visibility: Visibility,
) -> Response:
    """The answer to a creation, once for each key. `command` is asked only where the key is new: it judges the rest."""
    name, request = new_id(service, "game", caller, key), request_of(caller.name, key, asked)
    if request is not None and service.store.recorded(name, request) is not None:
        return created(service, name, service.store.at(name, 1).game, replayed=True)
    listed = visibility == "public"
    done = create(service.store, command(name), seed=seed, by="system", request=request, clock=clock, listed=listed)
    return created(service, name, done.game, replayed=done.replayed)


def take_seat(service: Service, ask: Ask) -> Response:
    """Take the first open seat of a game.

    With the last one the game is dealt. The token in the answer is the only way to move the seat.
    """
    body = ask.read(_SITTINGS)
    looked = look(service, ask)
    ask.query()
    return sit_down(service, ask, looked.name, looked.caller, body)


def sit_down(service: Service, ask: Ask, name: str, caller: Caller, body: AskedSitting) -> Response:
    """The first open seat of this game for the caller. A seat in a game of a match is one in all its games."""
    check_name(body.name)
    check_entropy(body.entropy)
    key = token_key(service, caller, ask)
    owner, kept = _owner(service, name), key
    if key is not None and owner != name:
        # Whoever knows the key gets the token again, and this log is open before the match is over: it keeps a digest.
        kept = service.access.derive(f"sit:{name}|{key}").hex()
    request = request_of(caller.name, kept, f"sit {msgspec.json.encode(body).decode()}")
    seen = 0
    for _ in range(ATTEMPTS):
        # Which seat it is depends on who was faster, so each try is for the version that it was judged on.
        loaded = service.store.load(name)
        seen = loaded.version
        seat = next((number for number, player in enumerate(loaded.game.players) if player.kind == "open"), 0)
        command = Sit(body.name, body.entropy)
        try:
            done = submit(service.store, name, command, by=f"seat:{seat}", request=request, seen=seen)
        except Conflict:
            continue
        except KeyReused:
            raise KeyReused(key or "") from None
        taken = next(event.seat for event in done.commit.events if isinstance(event, SeatTaken))
        token = service.access.token(owner, taken)
        told = Sat(taken, token, done.commit.version)
        if done.replayed:
            return answer(told, 201, {"Idempotent-Replayed": "true"})
        return answer(told, 201, then=BackgroundTask(service.wake, name))
    raise Conflict(name, seen, service.store.version(name))


def _owner(service: Service, name: str) -> str:
    """What a seat taken in this game is a seat of: the match that it opens, else the game alone.

    That a game names a match is not enough: a log from elsewhere may name any.
    """
    match = service.store.load(name).game.match
    if match is None:
        return name
    try:
        return match if service.store.matches.terms(match).game(0) == name else name
    except UnknownMatch:
        return name


def created(service: Service, name: str, game: Game, *, replayed: bool) -> Response:
    """The answer to a creation; `game` is as its first commit left it."""
    headers = {"Location": f"/v1/games/{name}"}
    told = Created(name, 1, tokens(service, name, game))
    if replayed:
        return answer(told, 201, headers | {"Idempotent-Replayed": "true"})
    return answer(told, 201, headers, then=BackgroundTask(service.wake, name))


def _example() -> NewGame:
    return NewGame("gato-e-rato", [AskedSeat(name="Ada", entropy="my own line"), AskedSeat(bot="greedy")])


def _open_seat() -> NewGame:
    """Ada invites: whoever takes the other seat gets its token. A turn may take two minutes."""
    return NewGame("gatto-e-topo", [AskedSeat(name="Ada"), AskedSeat(open=True)], clock=ClockTerms(120, "auto"))


def _own_rules() -> NewGame:
    """A preset with a change that it allows."""
    return NewGame({"preset": "gato-e-rato", "payoff": 5}, [AskedSeat(name="Ada"), AskedSeat(bot="greedy")])


def _bots() -> NewGame:
    """Two bots, and a seed that gives the same game each time."""
    return NewGame("gato-e-rato", [AskedSeat(bot="greedy"), AskedSeat(bot="uniform")], seed="0c" * 64)


OPERATIONS: Final = (
    Operation(
        method="POST",
        path="/v1/games",
        handler=create_game,
        status=201,
        body=Shape(NewGame, _example, more={"open_seat": _open_seat, "own_rules": _own_rules, "bots": _bots}),
        answers=(Shape(Created, examples.created),),
        parameters=("Idempotency-Key",),
        headers=("Location", "Idempotent-Replayed"),
        problems=(
            "malformed", "bad_token", "forbidden", "too_large", "too_slow", "unsupported_media", "bad_rules",
            "bad_position", "key_reused", "unavailable",
        ),
        met=lambda: (Forbidden("A seed is for games of bots only: who knows it knows all cards."),),
    ),
    Operation(
        method="POST",
        path="/v1/games/{game}/seats",
        handler=take_seat,
        status=201,
        body=Shape(AskedSitting, lambda: AskedSitting("Ben", "a line of mine")),
        answers=(Shape(Sat, examples.sat),),
        parameters=("Idempotency-Key",),
        headers=("Idempotent-Replayed",),
        problems=(
            "malformed", "bad_token", "forbidden", "unknown_game", "game_over", "seat_taken", "version_conflict",
            "too_large", "too_slow", "unsupported_media", "key_reused", "damaged_log", "unavailable",
        ),
        met=lambda: (Forbidden(f"This token is for a seat of game {examples.ANOTHER}, not of {examples.GAME}."),),
    ),
)  # fmt: skip
