"""How does a game begin? `POST /v1/games`, and `POST /v1/games/{game}/seats` for whoever takes an open seat.

Law kept: who creates a game is given the tokens of its human seats and nobody else's. Creation under a key gets an id
derived from it, so that a repeat, by whichever process, finds the same game.
"""

import re
import secrets
import unicodedata
from typing import Annotated, Any, Final, TypeAlias

import msgspec
from starlette.background import BackgroundTask
from starlette.responses import Response

from events.errors import BadRules, Conflict, Malformed
from events.game.commands import Create, Sit
from events.game.events import Position, SeatInfo, SeatTaken
from events.game.presets import PRESETS, AskedRules, resolve
from events.game.rules import Rules
from events.game.shuffle import ENTROPY_LENGTH, SEED_BYTES, check_entropy
from events.game.state import Game
from events.log.keys import derived_id
from events.log.store import Request
from events.log.submit import ATTEMPTS, create, submit
from services.api import examples
from services.api.access import Caller
from services.api.games import look
from services.api.moves import request_of
from services.api.operation import Operation, Service, Shape
from services.api.problems import Forbidden
from services.api.schemas import Created, Sat, SeatToken
from services.api.wire import Ask, answer

NAME_LENGTH: Final = 40
SECRET_KEY_LENGTH: Final = 22
"""Characters of an Idempotency-Key that holds 128 random bits."""
_UNSEEN: Final = ("Cc", "Cf", "Zs", "Zl", "Zp")
_STEERING: Final = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
_SEED: Final = re.compile(r"[0-9a-fA-F]{128}")

# These bounds are for the documentation: the checks below refuse with sentences of their own.
Name: TypeAlias = Annotated[str, msgspec.Meta(extra_json_schema={"minLength": 1, "maxLength": NAME_LENGTH})]
Entropy: TypeAlias = Annotated[str, msgspec.Meta(extra_json_schema={"maxLength": ENTROPY_LENGTH})]
Seed: TypeAlias = Annotated[str, msgspec.Meta(extra_json_schema={"pattern": f"^{_SEED.pattern}$"})]


class AskedSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A seat: a person's `{name, entropy?}`, a bot's `{bot, name?}`, or `{"open": true}` for somebody else to take."""

    name: Name | None = None
    """1 to 40 characters; a bot without one bears the bot's."""
    entropy: Entropy | None = None
    """What the seat adds to the shuffle, up to 128 characters."""
    bot: str | None = None
    """One of `GET /v1/bots`."""
    open: bool = False


class NewGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is agreed before a game. `seed` (128 hex digits) is for games of bots only, or for the admin key."""

    rules: AskedRules
    """A preset's name, `{"preset": name, change: value}`, or every knob."""
    seats: list[AskedSeat]
    seed: Seed | None = None
    position: Position | None = None
    """Where to start from, instead of a deal."""


class AskedSitting(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Who sits down, and what they add to the shuffle."""

    name: Name
    entropy: Entropy = ""


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
    seats = tuple(_seat(number, seat) for number, seat in enumerate(body.seats))
    seed = _seed(body.seed)
    name, request = _place(service, caller, token_key(service, caller, ask), body)
    if request is not None and service.store.recorded(name, request) is not None:
        return _created(service, name, service.store.at(name, 1).game, replayed=True)
    rules = resolve(body.rules)
    _check_seats(service, body.rules, rules, seats)
    if body.seed is not None and not caller.admin and any(seat.kind != "bot" for seat in seats):
        raise Forbidden("A seed is for games of bots only: who knows it knows all cards. The admin key may give one.")
    command = Create(game=name, rules=rules, seats=seats, position=body.position)
    done = create(service.store, command, seed=seed, by="system", request=request)
    return _created(service, name, done.game, replayed=done.replayed)


def take_seat(service: Service, ask: Ask) -> Response:
    """Take the first open seat of a game.

    With the last one the game is dealt. The token in the answer is the only way to move the seat.
    """
    body = ask.read(_SITTINGS)
    looked = look(service, ask)
    check_name(body.name)
    check_entropy(body.entropy)
    key = token_key(service, looked.caller, ask)
    request = request_of(looked.caller.name, key, f"sit {msgspec.json.encode(body).decode()}")
    for attempt in range(ATTEMPTS):
        # Which seat it is depends on who was faster, so each try is for the version that it was judged on.
        loaded = service.store.load(looked.name) if attempt else looked.loaded
        seat = next((number for number, player in enumerate(loaded.game.players) if player.kind == "open"), 0)
        try:
            done = submit(
                service.store,
                looked.name,
                Sit(body.name, body.entropy),
                by=f"seat:{seat}",
                request=request,
                seen=loaded.version,
            )
        except Conflict:
            continue
        taken = next(event.seat for event in done.commit.events if isinstance(event, SeatTaken))
        told = Sat(taken, service.access.token(looked.name, taken), done.commit.version)
        if done.replayed:
            return answer(told, 201, {"Idempotent-Replayed": "true"})
        return answer(told, 201, then=BackgroundTask(service.wake, looked.name))
    raise Conflict(looked.name, looked.loaded.version, service.store.version(looked.name))


def token_key(service: Service, caller: Caller, ask: Ask) -> str | None:
    """The Idempotency-Key of a request that is answered with tokens. Raises `Malformed`.

    Who repeats it gets the tokens again, and callers that are known by their address alone may share it with strangers,
    behind a proxy with all: there the key must be one that nobody can guess.
    """
    key = ask.key()
    if key is None or len(key) >= SECRET_KEY_LENGTH or caller.keyed or caller.admin or service.access.local_only:
        return key
    raise Malformed(
        f"Idempotency-Key has {len(key)} characters. Whoever repeats this request gets its tokens, so without an "
        f"API key it takes {SECRET_KEY_LENGTH} or more that nobody can guess, such as a random UUID."
    )


def check_name(name: str) -> None:
    """Raises `Malformed` for what is no name: nothing to see, over 40 characters, or steering how text is shown."""
    if not 1 <= len(name) <= NAME_LENGTH or all(unicodedata.category(sign) in _UNSEEN for sign in name):
        raise Malformed(
            f"The name {name[:80]!r} has {len(name)} characters; it takes 1 to {NAME_LENGTH}, not all blank."
        )
    if any(unicodedata.category(sign) == "Cc" or unicodedata.bidirectional(sign) in _STEERING for sign in name):
        raise Malformed(f"The name {name!r} holds a control character.")


def _seat(number: int, asked: AskedSeat) -> SeatInfo:
    if asked.open:
        if (asked.name, asked.entropy, asked.bot) != (None, None, None):
            raise Malformed(f'Seat {number} is open: {{"open": true}} goes without name, bot and entropy.')
        return SeatInfo(None, "open", None, "")
    if asked.bot is not None:
        if asked.entropy is not None:
            raise Malformed(f"Seat {number} is the bot {asked.bot[:80]!r}: a bot adds no entropy.")
        name = asked.bot[:NAME_LENGTH] if asked.name is None else asked.name
        check_name(name)
        return SeatInfo(name, "bot", asked.bot, "")
    if asked.name is None:
        raise Malformed(f'Seat {number} needs a name, a bot, or {{"open": true}}.')
    check_name(asked.name)
    check_entropy(asked.entropy or "")
    return SeatInfo(asked.name, "human", None, asked.entropy or "")


def _seed(text: str | None) -> bytes:
    if text is None:
        return secrets.token_bytes(SEED_BYTES)
    if not _SEED.fullmatch(text):
        raise Malformed(f"The seed has {len(text)} characters; it takes {2 * SEED_BYTES} hex digits.")
    return bytes.fromhex(text)


def _place(service: Service, caller: Caller, key: str | None, body: NewGame) -> tuple[str, Request | None]:
    """The new game's id, and its request if there is a key."""
    if key is None:
        return service.store.new_id(), None
    digest = service.access.derive(f"game:{caller.name}|{key}")
    name = derived_id(digest, digest[-1] % service.store.shards)
    return name, request_of(caller.name, key, f"create {msgspec.json.encode(body, order='sorted').decode()}")


def _check_seats(service: Service, asked: AskedRules, rules: Rules, seats: tuple[SeatInfo, ...]) -> None:
    if len(seats) != rules.seats:
        raise BadRules(f"{len(seats)} seats under rules for {rules.seats}. {_how_to_ask(asked, len(seats))}")
    for number, seat in enumerate(seats):
        if seat.bot is not None and seat.bot not in service.bots:
            known = ", ".join(service.bots) or "none"
            raise BadRules(f"Seat {number}: there is no bot {seat.bot[:80]!r}; there are {known}.")


def _how_to_ask(asked: Any, seats: int) -> str:
    """The rules that would have had room for so many."""
    preset = asked.get("preset") if isinstance(asked, dict) else asked
    if preset is None:
        return "Give as many as `seats` says."
    free = [name for name, one in PRESETS.items() if seats in one.changes.get("seats", ())]
    if not free:
        return f"A game has 2 to 8 seats; {preset} is for 2 unless it takes a change of `seats`."
    name = preset if preset in free else free[0]
    return f'Ask for {{"preset": "{name}", "seats": {seats}}}.'


def _created(service: Service, name: str, game: Game, *, replayed: bool) -> Response:
    seats = tuple(
        SeatToken(number, player.name or "", service.access.token(name, number))
        for number, player in enumerate(game.players)
        if player.kind == "human"
    )
    headers = {"Location": f"/v1/games/{name}"}
    told = Created(name, 1, seats)
    if replayed:
        return answer(told, 201, headers | {"Idempotent-Replayed": "true"})
    return answer(told, 201, headers, then=BackgroundTask(service.wake, name))


def _example() -> NewGame:
    return NewGame("gato-e-rato", [AskedSeat(name="Ada", entropy="my own line"), AskedSeat(bot="greedy")])


OPERATIONS: Final = (
    Operation(
        method="POST",
        path="/v1/games",
        handler=create_game,
        status=201,
        body=Shape(NewGame, _example),
        answers=(Shape(Created, examples.created),),
        parameters=("Idempotency-Key",),
        headers=("Location", "Vary", "Idempotent-Replayed"),
        problems=(
            "malformed", "bad_token", "forbidden", "too_large", "too_slow", "unsupported_media", "bad_rules",
            "bad_position", "key_reused", "unavailable",
        ),
    ),
    Operation(
        method="POST",
        path="/v1/games/{game}/seats",
        handler=take_seat,
        status=201,
        body=Shape(AskedSitting, lambda: AskedSitting("Ben", "a line of mine")),
        answers=(Shape(Sat, examples.sat),),
        parameters=("Idempotency-Key",),
        headers=("Vary", "Idempotent-Replayed"),
        problems=(
            "malformed", "bad_token", "forbidden", "unknown_game", "game_over", "seat_taken", "version_conflict",
            "too_large", "too_slow", "unsupported_media", "key_reused", "damaged_log", "unavailable",
        ),
    ),
)  # fmt: skip
