"""What can be asked of a game? Every command as a value; `decide` judges it."""

from typing import TypeAlias

import msgspec

from events.game.events import Cause, Origin, Position, SeatInfo
from events.game.moves import Move
from events.game.rules import Rules, Seat


class Create(msgspec.Struct, frozen=True, kw_only=True):
    """Agree on a game; with no seat open it is dealt, or set to `position`, at once."""

    game: str
    rules: Rules
    seats: tuple[SeatInfo, ...]
    match: str | None = None
    forked_from: Origin | None = None
    position: Position | None = None


class Sit(msgspec.Struct, frozen=True):
    """Take an open seat; with the last one the game is dealt."""

    name: str
    entropy: str
    seat: Seat | None = None
    """Which one; null for the first that is open. The contract names no order: another program's log may have any."""


class MakeMove(msgspec.Struct, frozen=True):
    """A seat plays, discards or passes."""

    seat: Seat
    move: Move


class Resign(msgspec.Struct, frozen=True):
    """A seat leaves the game, whoever's turn it is (R24)."""

    seat: Seat


class ExpireClock(msgspec.Struct, frozen=True):
    """The seat to move has run out of time."""

    seat: Seat


class Forfeit(msgspec.Struct, frozen=True):
    """The bot to move has failed."""

    seat: Seat
    cause: Cause


class Abandon(msgspec.Struct, frozen=True):
    """Nobody moves any more."""


Command: TypeAlias = Create | Sit | MakeMove | Resign | ExpireClock | Forfeit | Abandon
