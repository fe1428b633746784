"""What is in a list of games? A page, newest first (`GET /v1/games`)."""

import msgspec

from events.game.events import Kind, Origin
from events.game.rules import Rules
from events.game.state import Result, Status


class SeatLine(msgspec.Struct, frozen=True):
    """Who sits at a seat."""

    name: str | None
    kind: Kind
    bot: str | None


class GameLine(msgspec.Struct, frozen=True):
    """A game of the list."""

    game: str
    created_at: str
    status: Status
    version: int
    rules: str | Rules
    """A preset's name where they are one, else every knob."""
    seats: tuple[SeatLine, ...]
    match: str | None
    forked_from: Origin | None
    result: Result | None


class GameList(msgspec.Struct, frozen=True):
    """A page of games; `next` is the cursor of the one after it, null where there is none."""

    games: tuple[GameLine, ...]
    next: str | None
