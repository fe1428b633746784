"""Who sits where? The seats that a new game or match is asked for, judged, its id, and the tokens that they are given.

Law kept: what is asked for is judged here in one way, wherever seats are named; tokens are given for human seats alone.
"""

import re
import secrets
import unicodedata
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec

from events.errors import BadRules, Malformed
from events.game.events import SeatInfo
from events.game.presets import PRESETS, AskedRules
from events.game.rules import Rules
from events.game.shuffle import ENTROPY_LENGTH, SEED_BYTES, check_entropy
from events.game.state import Game
from events.log.keys import spread_id
from services.api.access import Caller
from services.api.operation import Service
from services.api.problems import Forbidden
from services.api.schemas import SeatToken
from services.api.wire import Ask

NAME_LENGTH: Final = 40
SECRET_KEY_LENGTH: Final = 22
"""Characters of an Idempotency-Key that holds 128 random bits."""
_UNSEEN: Final = (
    r"\x00-\x20\x7f-\xa0\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u1680\u180e\u2000-\u200f\u2028-\u202f"
    r"\u205f-\u2064\u2066-\u206f\u3000\ufeff\ufff9-\ufffb"
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0001\U000e0020-\U000e007f"
)
"""What shows nothing, as a part of a regular expression: controls, format characters and spaces (Unicode 15)."""
_SEEN: Final = re.compile(f"[^{_UNSEEN}]")
_STEERING: Final = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
_SEED: Final = re.compile(r"[0-9a-fA-F]{128}")

_NO_CONTROL: Final = r"[^\x00-\x1f\x7f-\x9f"
NAME_PATTERN: Final = _NO_CONTROL + r"\u202a-\u202e\u2066-\u2069]"
"""The characters that a name may hold, as a regular expression: what `check_name` refuses is not among them."""
NAMES: Final = f"^{NAME_PATTERN}*{_SEEN.pattern}{NAME_PATTERN}*$"
"""Names, up to their length."""
# These bounds are for the documentation: the checks below refuse with sentences of their own.
Name: TypeAlias = Annotated[
    str, msgspec.Meta(extra_json_schema={"minLength": 1, "maxLength": NAME_LENGTH, "pattern": NAMES})
]
Entropy: TypeAlias = Annotated[
    str, msgspec.Meta(extra_json_schema={"maxLength": ENTROPY_LENGTH, "pattern": f"^{_NO_CONTROL}]*$"})
]
Seed: TypeAlias = Annotated[str, msgspec.Meta(extra_json_schema={"pattern": f"^{_SEED.pattern}$"})]


Visibility: TypeAlias = Literal["public", "unlisted"]
"""Does `GET /v1/games` name the game? Whoever knows its id may look at it either way."""


class AskedSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A seat: a person's `{name, entropy?}`, a bot's `{bot, name?}`, or `{"open": true}` for somebody else to take."""

    name: Name | None = None
    """1 to 40 characters; a bot without one bears the bot's."""
    entropy: Entropy | None = None
    """What the seat adds to the shuffle, up to 128 characters."""
    bot: str | None = None
    """One of `GET /v1/bots`."""
    open: bool = False
    """True for a seat that somebody else takes: `POST …/seats`."""


_NULL: Final = {"type": "null"}
_SEAT_FORMS: Final = {
    "oneOf": [
        {
            "title": "person",
            "required": ["name"],
            "properties": {"name": {"type": "string"}, "bot": _NULL, "open": {"const": False}},
        },
        {
            "title": "bot",
            "required": ["bot"],
            "properties": {"bot": {"type": "string"}, "entropy": _NULL, "open": {"const": False}},
        },
        {
            "title": "open",
            "required": ["open"],
            "properties": {"open": {"const": True}, "name": _NULL, "bot": _NULL, "entropy": _NULL},
        },
    ]
}
AskedSeats: TypeAlias = Annotated[
    list[Annotated[AskedSeat, msgspec.Meta(extra_json_schema=_SEAT_FORMS)]],
    msgspec.Meta(extra_json_schema={"minItems": 2, "maxItems": 8}),
]


def seats_of(asked: list[AskedSeat]) -> tuple[SeatInfo, ...]:
    """The seats as the log names them. Raises `Malformed`, naming the seat."""
    return tuple(_seat(number, seat) for number, seat in enumerate(asked))


def _seat(number: int, asked: AskedSeat) -> SeatInfo:
    if asked.open:
        if (asked.name, asked.entropy, asked.bot) != (None, None, None):
            raise Malformed(f'Seat {number} is open: {{"open": true}} goes without name, bot and entropy.')
        return SeatInfo(None, "open", None, "")
    if asked.bot is not None:
        if asked.entropy is not None:
            raise Malformed(f"Seat {number} is the bot {asked.bot[:80]!r}: a bot adds no entropy.")
        if asked.name is not None:
            check_name(asked.name)
        return SeatInfo(asked.name or asked.bot[:NAME_LENGTH], "bot", asked.bot, "")
    if asked.name is None:
        raise Malformed(f'Seat {number} needs a name, a bot, or {{"open": true}}.')
    check_name(asked.name)
    check_entropy(asked.entropy or "")
    return SeatInfo(asked.name, "human", None, asked.entropy or "")


def game_seed(text: str | None, caller: Caller, seats: tuple[SeatInfo, ...]) -> bytes:
    """The seed asked for, or one drawn by lot. Raises `Malformed`, and as `check_may_seed`."""
    if text is None:
        return secrets.token_bytes(SEED_BYTES)
    if not _SEED.fullmatch(text):
        raise Malformed(f"The seed has {len(text)} characters; it takes {2 * SEED_BYTES} hex digits.")
    check_may_seed(caller, seats)
    return bytes.fromhex(text)


def check_may_seed(caller: Caller, seats: tuple[SeatInfo, ...]) -> None:
    """Raises `Forbidden` where somebody would play against one who knows all cards."""
    if not caller.admin and any(seat.kind != "bot" for seat in seats):
        raise Forbidden("A seed is for games of bots only: who knows it knows all cards. The admin key may give one.")


def tokens(service: Service, owner: str, game: Game) -> tuple[SeatToken, ...]:
    """The tokens of the human seats of a game, or of the match (`owner`) that it belongs to."""
    return tuple(
        SeatToken(number, player.name or "", service.access.token(owner, number))
        for number, player in enumerate(game.players)
        if player.kind == "human"
    )


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


def new_id(service: Service, kind: str, caller: Caller, key: str | None) -> str:
    """The id of a new game or match (`kind`): derived from the key if there is one, so that a repeat finds it."""
    if key is None:
        return service.store.new_id()
    return spread_id(service.access.derive(f"{kind}:{caller.name}|{key}"), service.store.shards)


def check_name(name: str) -> None:
    """Raises `Malformed` for what is no name: nothing to see, over 40 characters, or steering how text is shown."""
    if not 1 <= len(name) <= NAME_LENGTH or _SEEN.search(name) is None:
        raise Malformed(
            f"The name {name[:80]!r} has {len(name)} characters; it takes 1 to {NAME_LENGTH}, not all blank."
        )
    if any(unicodedata.category(sign) == "Cc" or unicodedata.bidirectional(sign) in _STEERING for sign in name):
        raise Malformed(f"The name {name!r} holds a control character.")


def check_seats(service: Service, asked: AskedRules, rules: Rules, seats: tuple[SeatInfo, ...]) -> None:
    """Raises `BadRules` for another number of seats than the rules have, or a bot that is not known."""
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
        return "Give one for each seat of the rules."
    free = [name for name, one in PRESETS.items() if seats in one.changes.get("seats", ())]
    if not free:
        return f"A game has 2 to 8 seats; {preset} is for 2 unless it takes a change of `seats`."
    name = preset if preset in free else free[0]
    return f'Ask for {{"preset": "{name}", "seats": {seats}}}.'
