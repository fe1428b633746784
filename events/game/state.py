"""What is true now? `Game`: the whole table as one frozen value, hidden cards included. Only `evolve` makes new ones.

No bot and no reader of the API is ever handed a `Game`: they get a view of it.
"""

from typing import Final, Literal, TypeAlias, get_args

import msgspec

from events.game.cards import Card, Cards
from events.game.events import EndReason, Kind, Origin, Outcome
from events.game.rules import Party, Rules, Seat

Start: TypeAlias = Literal["dealt", "position", "fork"]
Status: TypeAlias = Literal["open", "playing", "ended"]
STATUSES: Final[tuple[Status, ...]] = get_args(Status)


class Turn(msgspec.Struct, frozen=True, gc=False):
    """Whose turn it is, and its number from 1."""

    seat: Seat
    number: int


class Result(msgspec.Struct, frozen=True, gc=False):
    """How the game ended: `winners` is empty for a draw; `points` is null where the rules score none."""

    result: Outcome
    winners: tuple[Seat, ...]
    reason: EndReason
    points: tuple[int, ...] | None


class Player(msgspec.Struct, frozen=True, gc=False):
    """A seat and the cards that lie at it."""

    name: str | None
    kind: Kind
    bot: str | None
    entropy: str
    payoff: Cards = ()
    hand: Cards = ()
    sides: tuple[Cards, ...] = ()
    resigned: bool = False

    @property
    def payoff_top(self) -> Card | None:
        """The only payoff card that anybody knows (R3)."""
        return self.payoff[-1] if self.payoff else None


class Game(msgspec.Struct, frozen=True, kw_only=True):
    """The table. Piles, stacks, stock and aside are listed bottom first; pile index i holds rank i+1."""

    rules: Rules
    commitment: str
    start: Start
    match: str | None
    forked_from: Origin | None
    players: tuple[Player, ...]
    piles: tuple[Cards, ...]
    stock: Cards = ()
    aside: Cards = ()
    turn: Turn | None = None
    passes: int = 0
    """Passes in a row, up to now (R19)."""
    shuffles: int = 0
    """Shuffles recorded so far: the number of the next one, but for a starter drawn by lot (contract, section 4)."""
    result: Result | None = None

    @property
    def status(self) -> Status:
        """Waiting for seats, playing, or ended."""
        if self.result is not None:
            return "ended"
        return "open" if self.turn is None else "playing"

    @property
    def to_move(self) -> Player | None:
        """The player whose turn it is, while the game goes on."""
        return self.players[self.turn.seat] if self.turn is not None and self.result is None else None

    def has_people(self) -> bool:
        """Does anybody play in it but bots? An open seat waits for a person."""
        return any(player.kind != "bot" for player in self.players)

    def playing(self) -> list[Seat]:
        """The seats that have not left (R24)."""
        return [seat for seat, player in enumerate(self.players) if not player.resigned]

    def parties_playing(self) -> list[Party]:
        """The sides of which at least one seat has not left."""
        return [party for party in self.rules.parties() if any(not self.players[seat].resigned for seat in party)]
