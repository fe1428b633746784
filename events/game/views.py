"""What may a seat see? `View` and the seen events are built from what is public, never filtered out of what is hidden.

An opponent's hand is an `int`, a payoff `(top, left)`, for its owner too. What others see of an event is an exhaustive
match: a new event does not type-check until somebody decides what may be seen of it.
"""

from typing import Literal, TypeAlias, assert_never

import msgspec

from events.game.cards import Card, Cards
from events.game.events import (
    CardDiscarded,
    CardPlayed,
    CardsDealt,
    CardsDrawn,
    ClockExpired,
    Event,
    GameCreated,
    GameEnded,
    Kind,
    PayoffsReshuffled,
    PileCompleted,
    PositionSet,
    SeatForfeited,
    SeatResigned,
    SeatTaken,
    StockShuffled,
    TurnPassed,
    TurnStarted,
)
from events.game.rules import Rank, Rules, Seat
from events.game.state import Game, Player, Result, Start, Status, Turn

Viewer: TypeAlias = Seat | None
"""Who looks: a seat, or None for a spectator."""


class PayoffView(msgspec.Struct, frozen=True, gc=False):
    """A payoff pile as everybody sees it, its owner included (R3)."""

    top: Card | None
    left: int


class Count(msgspec.Struct, frozen=True, gc=False):
    """Cards that one may count and not see."""

    count: int


class SeatView(msgspec.Struct, frozen=True, gc=False):
    """A seat as everybody sees it: side stacks are public, of the hand there is a number."""

    name: str | None
    kind: Kind
    payoff: PayoffView
    hand: int
    """How many cards."""
    sides: tuple[Cards, ...]
    """Its side stacks, bottom first: the last card is the top."""
    resigned: bool
    """Has it left the game?"""


class Clock(msgspec.Struct, frozen=True, gc=False):
    """The turn clock: seconds a turn, what happens when they run out, and when that is (RFC 3339, UTC)."""

    turn_seconds: int
    on_expiry: Literal["forfeit", "auto"]
    deadline: str | None
    """When the turn that runs is over; null where none runs."""


class View(msgspec.Struct, frozen=True, kw_only=True):
    """The table as one seat, or a spectator, may see it: what may not be known has no place in it."""

    game: str | None
    """The game's id; null where a bot may not know it."""
    version: int
    """Commits so far."""
    status: Status
    start: Start
    """How it began: with a deal, from a position, or as a fork."""
    rules: Rules
    seat: Seat | None
    """Who looks; null for a spectator."""
    turn: Turn | None
    """Whose it is; null before the deal. Of a game that has ended: the last one."""
    hand: Cards
    """One's own hand, in the order dealt or drawn; empty for a spectator."""
    seats: tuple[SeatView, ...]
    piles: tuple[Cards, ...]
    """The centre piles, bottom first."""
    needs: tuple[Rank | None, ...]
    """The rank that each centre pile needs next; null for a full pile after a win."""
    stock: int
    """How many cards are in the stock."""
    aside: int
    """How many lie aside, and come into the stock when it is used up."""
    legal: tuple[str, ...]
    """The moves one may make now; empty unless it is one's own turn."""
    result: Result | None
    """Null while the game is not over."""
    commitment: str | None
    """SHA-256 of the seed; null where a bot may not know it."""
    clock: Clock | None

    @property
    def me(self) -> SeatView:
        """One's own seat. Raises TypeError for a spectator."""
        if self.seat is None:
            raise TypeError("a spectator has no seat")
        return self.seats[self.seat]


def bare_view(game: Game, seat: Viewer, *, name: str | None, version: int, clock: Clock | None = None) -> View:
    """The view without its legal moves, which `legality.view` adds. `name` is the game's id."""
    top = game.rules.top_rank
    return View(
        game=name,
        version=version,
        status=game.status,
        start=game.start,
        rules=game.rules,
        seat=seat,
        turn=game.turn,
        hand=game.players[seat].hand if seat is not None else (),
        seats=tuple([_seat_view(player) for player in game.players]),
        piles=game.piles,
        needs=tuple([len(pile) + 1 if len(pile) < top else None for pile in game.piles]),
        stock=len(game.stock),
        aside=len(game.aside),
        legal=(),
        result=game.result,
        commitment=game.commitment if name is not None else None,
        clock=clock,
    )


def _seat_view(player: Player) -> SeatView:
    return SeatView(
        player.name,
        player.kind,
        PayoffView(player.payoff_top, len(player.payoff)),
        len(player.hand),
        player.sides,
        player.resigned,
    )


class Seen(msgspec.Struct, frozen=True, gc=False, tag_field="type"):
    """What the seen forms of events share: they carry the type of the event that they stand for."""


class SawPosition(Seen, frozen=True, tag="PositionSet"):
    """`PositionSet` with counts for what is hidden."""

    payoffs: tuple[PayoffView, ...]
    hands: tuple[Cards | Count, ...]
    sides: tuple[tuple[Cards, ...], ...]
    piles: tuple[Cards, ...]
    stock: Count
    aside: Count
    seat: Seat
    turn: int
    passes: int
    resigned: tuple[Seat, ...]


class SawDeal(Seen, frozen=True, tag="CardsDealt"):
    """`CardsDealt`: the payoff tops, one's own hand, and counts."""

    payoffs: tuple[PayoffView, ...]
    hands: tuple[Cards | Count, ...]
    stock: Count


class SawPayoffs(Seen, frozen=True, tag="PayoffsReshuffled"):
    """`PayoffsReshuffled`: the new tops."""

    payoffs: dict[str, PayoffView]


class SawDraw(Seen, frozen=True, tag="CardsDrawn"):
    """`CardsDrawn` of another seat: how many."""

    seat: Seat
    count: int


class SawShuffle(Seen, frozen=True, tag="StockShuffled"):
    """`StockShuffled`: how many cards the stock has now, and how many of them came back."""

    count: int
    returned: int


Open: TypeAlias = (
    GameCreated
    | SeatTaken
    | TurnStarted
    | CardPlayed
    | PileCompleted
    | CardDiscarded
    | TurnPassed
    | SeatResigned
    | ClockExpired
    | SeatForfeited
    | GameEnded
)
"""Events that hide nothing."""
SeenEvent: TypeAlias = Open | CardsDrawn | SawPosition | SawDeal | SawPayoffs | SawDraw | SawShuffle
"""An event as somebody may know it."""


def seen_by(event: Event, seat: Viewer) -> SeenEvent:
    """The event as this seat (None: a spectator) may know it."""
    match event:
        case (
            GameCreated()
            | SeatTaken()
            | TurnStarted()
            | CardPlayed()
            | PileCompleted()
            | CardDiscarded()
            | TurnPassed()
            | SeatResigned()
            | ClockExpired()
            | SeatForfeited()
            | GameEnded()
        ):
            return event
        case CardsDrawn(who, cards):
            return event if who == seat else SawDraw(who, len(cards))
        case StockShuffled(stock, returned):
            return SawShuffle(len(stock), returned)
        case CardsDealt(payoffs, hands, stock):
            return SawDeal(_tops(payoffs), _hands(hands, seat), Count(len(stock)))
        case PayoffsReshuffled(payoffs):
            return SawPayoffs({who: _top(payoff) for who, payoff in payoffs.items()})
        case PositionSet():
            return SawPosition(
                _tops(event.payoffs),
                _hands(event.hands, seat),
                event.sides,
                event.piles,
                Count(len(event.stock)),
                Count(len(event.aside)),
                event.seat,
                event.turn,
                event.passes,
                event.resigned,
            )
        case _:
            assert_never(event)


def _top(payoff: Cards) -> PayoffView:
    return PayoffView(payoff[-1] if payoff else None, len(payoff))


def _tops(payoffs: tuple[Cards, ...]) -> tuple[PayoffView, ...]:
    return tuple(_top(payoff) for payoff in payoffs)


def _hands(hands: tuple[Cards, ...], seat: Viewer) -> tuple[Cards | Count, ...]:
    return tuple(hand if who == seat else Count(len(hand)) for who, hand in enumerate(hands))
