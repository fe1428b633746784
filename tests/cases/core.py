"""The cases on the pure game: `decide` and `fold`."""

from typing import Any

import msgspec

from events.errors import Malformed, MaliceError, Rejected
from events.game.decide import Command, Create, MakeMove, Resign, decide
from events.game.events import Events, Position, SeatInfo
from events.game.evolve import fold
from events.game.moves import parse_move
from events.game.presets import resolve
from events.game.rules import Seat
from events.game.state import Game
from events.game.views import seen_by
from services.api.problems import code_of
from tests.cases import Case, Refusal
from tests.spec import SEED, facts
from tests.walks import always_true, cards_on


class Core:
    """A game under a case, and its commits so far."""

    def __init__(self) -> None:
        self.commits: list[Events] = []
        self.game: Game | None = None

    @property
    def table(self) -> Game:
        """The game, which has been created."""
        assert self.game is not None, "there is no game yet"
        return self.game

    def create(self, case: Case, seats: int) -> list[Any]:
        """Create the game."""
        try:
            rules = resolve(case["rules"])
            position = msgspec.convert(case["position"], Position) if "position" in case else None
        except MaliceError as error:
            raise Refusal(code_of(error), str(error)) from error
        except msgspec.ValidationError as error:
            raise Refusal(code_of(Malformed()), str(error)) from error
        people = tuple(SeatInfo(f"seat {seat}", "human", None, "") for seat in range(seats))
        events = self._commit(Create(game="case", rules=rules, seats=people, position=position))
        return as_json(events, self.to_move())

    def move(self, seat: Seat, move: Any) -> list[Any]:
        """This seat asks for this move."""
        try:
            if not isinstance(move, str):
                raise Malformed(f"{move!r} is no text.")
            parsed = parse_move(move)
        except Malformed as error:
            raise Refusal(code_of(error), str(error)) from error
        return as_json(self._commit(MakeMove(seat, parsed)), seat)

    def resign(self, seat: Seat) -> list[Any]:
        """This seat leaves."""
        return as_json(self._commit(Resign(seat)), seat)

    def to_move(self) -> Seat:
        """Whose turn it is."""
        assert self.table.turn is not None
        return self.table.turn.seat

    def state(self) -> object:
        """The number of commits, and the game to the byte."""
        return len(self.commits), msgspec.json.encode(self.game)

    def facts(self, seat: Seat) -> dict[str, Any]:
        """The table."""
        return facts(self.table, seat)

    def _commit(self, command: Command) -> Events:
        try:
            events = decide(command, self.game, SEED)
        except Rejected as error:
            code = code_of(error)
            if code != "illegal_move":
                raise Refusal(code, str(error)) from error
            raise Refusal(code, str(error), error.reason.value, error.legal) from error
        except MaliceError as error:
            raise Refusal(code_of(error), str(error)) from error
        self.game = fold(events, self.game)
        self.commits.append(events)
        always_true(self.game, cards_on(self.game))
        return events


def as_json(events: Events, seat: Seat) -> list[Any]:
    """The events as this seat may know them."""
    return msgspec.json.decode(msgspec.json.encode([seen_by(event, seat) for event in events]))
