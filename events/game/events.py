"""What can happen? Every event, as it is stored: names and fields are the public format (contract, section 2).

An event is a fact that already holds its consequences: folding consults no rule and no dice. A field that does not
apply is null, never left out.
"""

from typing import Literal, TypeAlias

import msgspec

from events.game.cards import Card, Cards
from events.game.rules import Rank, Rules, Seat

Kind: TypeAlias = Literal["human", "bot", "open"]
Outcome: TypeAlias = Literal["won", "drawn", "aborted"]
EndReason: TypeAlias = Literal[
    "payoff", "exhausted", "blocked", "turn_limit", "resigned", "clock", "forfeit", "abandoned"
]  # fmt: skip
Cause: TypeAlias = Literal["illegal_move", "error", "timeout"]
Destination: TypeAlias = Literal["stock", "aside"]


class Fact(msgspec.Struct, frozen=True, gc=False, tag_field="type", forbid_unknown_fields=True):
    """What all events share: `{"type": "CardPlayed", …}`, frozen."""


class SeatInfo(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Who sits at a seat when the game is created."""

    name: str | None
    """Null for an open seat."""
    kind: Kind
    bot: str | None
    """The bot's name; null for a person."""
    entropy: str
    """What the seat adds to the shuffle; "" for nothing."""


class Origin(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The game and version that a fork goes on from."""

    game: str
    version: int


class GameCreated(Fact, frozen=True, gc=False, tag=True):
    """The agreement: rules, seats, and the promise of a seed (`commitment`, section 4)."""

    game: str
    rules: Rules
    """Every knob, whatever preset was asked for."""
    seats: tuple[SeatInfo, ...]
    commitment: str
    """Hex SHA-256 of the 64 bytes of the seed, which `GameEnded` reveals."""
    """SHA-256 of the seed, in hex."""
    match: str | None
    """The match that it belongs to."""
    forked_from: Origin | None


class SeatTaken(Fact, frozen=True, gc=False, tag=True):
    """Somebody sat down at an open seat."""

    seat: Seat
    name: str
    entropy: str


class Position(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where all cards lie and whose turn it is. Hidden: payoffs below the top, other hands, stock, aside."""

    payoffs: tuple[Cards, ...]
    """By seat, bottom first: the last card is the top."""
    hands: tuple[Cards, ...]
    """By seat, after the draw of the seat to move."""
    sides: tuple[tuple[Cards, ...], ...]
    """By seat: each side stack, bottom first."""
    piles: tuple[Cards, ...]
    """Each centre place; a card's index + 1 is its rank there."""
    stock: Cards
    """Bottom first."""
    aside: Cards
    """Cards of completed piles that have left the table."""
    seat: Seat
    """Who is to move."""
    turn: int
    """The number of this turn, from 1."""
    passes: int
    """In a row, so far."""
    resigned: tuple[Seat, ...]
    """Seats that have left the game."""


class PositionSet(Position, frozen=True, tag_field="type", tag=True):
    """A game that starts from a position instead of a deal."""


class CardsDealt(Fact, frozen=True, gc=False, tag=True):
    """R2, R3. Hidden: everything but the payoff tops and the counts."""

    payoffs: tuple[Cards, ...]
    hands: tuple[Cards, ...]
    stock: Cards


class PayoffsReshuffled(Fact, frozen=True, gc=False, tag=True):
    """R4: the tied seats' payoffs, by seat number as text. Hidden: all but the new tops."""

    payoffs: dict[str, Cards]


class TurnStarted(Fact, frozen=True, gc=False, tag=True):
    """R5: the seat to move, and the number of its turn, counted from 1 over all seats."""

    seat: Seat
    turn: int


class CardsDrawn(Fact, frozen=True, gc=False, tag=True):
    """R6, R13: from the top of the stock into the hand, in this order. Hidden: others learn only how many."""

    seat: Seat
    cards: Cards


class CardPlayed(Fact, frozen=True, gc=False, tag=True):
    """R7-R10: a card to a centre pile as `rank`; `turned` is the next payoff card when one came up."""

    seat: Seat
    source: Literal["hand", "payoff", "side"]
    owner: Seat | None
    """Whose payoff, the seat's own or its partner's; null for another source."""
    side: int | None
    """Which side stack; null for another source."""
    card: Card
    pile: int
    """The centre pile, from 0."""
    rank: Rank
    """What the card counts there, 1 to 13."""
    turned: Card | None
    """The payoff's next top; null where none came up."""


class PileCompleted(Fact, frozen=True, gc=False, tag=True):
    """R11, R12: a full pile leaves the table, towards the stock or aside."""

    pile: int
    cards: Cards
    to: Destination


class StockShuffled(Fact, frozen=True, gc=False, tag=True):
    """R12: the whole new stock, after `returned` cards were put in. Hidden from all: they get the count."""

    stock: Cards
    returned: int


class CardDiscarded(Fact, frozen=True, gc=False, tag=True):
    """R14: a hand card onto an own side stack; the turn is over."""

    seat: Seat
    card: Card
    side: int


class TurnPassed(Fact, frozen=True, gc=False, tag=True):
    """R16: a turn that ended without a discard."""

    seat: Seat


class SeatResigned(Fact, frozen=True, gc=False, tag=True):
    """R24."""

    seat: Seat


class ClockExpired(Fact, frozen=True, gc=False, tag=True):
    """The seat to move let its time run out; it leaves as by resigning (R24)."""

    seat: Seat


class SeatForfeited(Fact, frozen=True, gc=False, tag=True):
    """The bot to move failed; it leaves as by resigning (R24)."""

    seat: Seat
    cause: Cause


class GameEnded(Fact, frozen=True, gc=False, tag=True):
    """R17-R19, R22, R24: who won and why, the points of every seat where points count, and the seed, revealed."""

    result: Outcome
    winners: tuple[Seat, ...]
    """None of them for a draw or an abandoned game."""
    reason: EndReason
    points: tuple[int, ...] | None
    """By seat; null where the rules score none."""
    seed: str
    """In hex: what the commitment promised."""


Event: TypeAlias = (
    GameCreated
    | SeatTaken
    | PositionSet
    | CardsDealt
    | PayoffsReshuffled
    | TurnStarted
    | CardsDrawn
    | CardPlayed
    | PileCompleted
    | StockShuffled
    | CardDiscarded
    | TurnPassed
    | SeatResigned
    | ClockExpired
    | SeatForfeited
    | GameEnded
)
Events: TypeAlias = tuple[Event, ...]
