"""What does an event change? `evolve` only records: it asks no rule, since facts already hold the consequences."""

from collections.abc import Iterable
from typing import TypeVar, assert_never

from msgspec.structs import replace

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
from events.game.state import Game, Player, Result, Turn

T = TypeVar("T")


def fold(events: Iterable[Event], game: Game | None = None) -> Game:
    """The game after these events. The first event of all is `GameCreated`."""
    for event in events:
        game = evolve(game, event)
    if game is None:
        raise ValueError("no events: a game begins with GameCreated")
    return game


def evolve(game: Game | None, event: Event) -> Game:
    """The game after one more event. Raises ValueError or IndexError when the event does not go with the game."""
    if game is None:
        return _created(event)
    match event:
        case CardPlayed():
            return _played(game, event)
        case CardDiscarded(seat, card, side):
            player = game.players[seat]
            sides = _put(player.sides, side, (*player.sides[side], card))
            return _seat(game, seat, replace(player, hand=_without(player.hand, card), sides=sides), passes=0)
        case TurnStarted(seat, number):
            return replace(game, turn=Turn(seat, number))
        case CardsDrawn(seat, cards):
            player = game.players[seat]
            left = len(game.stock) - len(cards)
            if left < 0 or game.stock[left:] != cards[::-1]:
                raise ValueError(f"the cards drawn by seat {seat} are not the top of the stock")
            return _seat(game, seat, replace(player, hand=player.hand + cards), stock=game.stock[:left])
        case PileCompleted(pile, cards, _):
            if game.piles[pile] != cards:
                raise ValueError(f"the cards completed are not those of centre pile {pile}")
            # Towards the stock the cards only pass through here: the shuffle of the same commit takes them out again.
            return replace(game, piles=_put(game.piles, pile, ()), aside=game.aside + cards)
        case StockShuffled(stock, returned):
            return replace(
                game, stock=stock, aside=game.aside[: len(game.aside) - returned], shuffles=game.shuffles + 1
            )
        case TurnPassed():
            return replace(game, passes=game.passes + 1)
        case SeatResigned(seat) | ClockExpired(seat) | SeatForfeited(seat):
            return _seat(game, seat, replace(game.players[seat], resigned=True), passes=0)
        case GameEnded(result, winners, reason, points, _):
            return replace(game, result=Result(result, winners, reason, points))
        case SeatTaken(seat, name, entropy):
            return _seat(game, seat, replace(game.players[seat], name=name, kind="human", entropy=entropy))
        case CardsDealt(payoffs, hands, stock):
            players = tuple(
                replace(player, payoff=payoff, hand=hand)
                for player, payoff, hand in zip(game.players, payoffs, hands, strict=True)
            )
            return replace(game, players=players, stock=stock, shuffles=1)
        case PayoffsReshuffled(payoffs):
            for seat, payoff in payoffs.items():
                game = _seat(game, int(seat), replace(game.players[int(seat)], payoff=payoff))
            return replace(game, shuffles=game.shuffles + len(payoffs))
        case PositionSet():
            return _placed(game, event)
        case GameCreated():
            raise ValueError("a game is created once")
        case _:
            assert_never(event)


def _created(event: Event) -> Game:
    if not isinstance(event, GameCreated):
        raise ValueError(f"a game begins with GameCreated, not with {type(event).__name__}")
    rules = event.rules
    sides: tuple[Cards, ...] = ((),) * rules.side_stacks
    return Game(
        rules=rules,
        commitment=event.commitment,
        start="dealt",
        match=event.match,
        forked_from=event.forked_from,
        players=tuple(Player(who.name, who.kind, who.bot, who.entropy, sides=sides) for who in event.seats),
        piles=((),) * rules.centre_piles,
    )


def _placed(game: Game, event: PositionSet) -> Game:
    players = tuple(
        replace(player, payoff=payoff, hand=hand, sides=sides, resigned=seat in event.resigned)
        for seat, (player, payoff, hand, sides) in enumerate(
            zip(game.players, event.payoffs, event.hands, event.sides, strict=True)
        )
    )
    return replace(
        game,
        start="position" if game.forked_from is None else "fork",
        players=players,
        piles=event.piles,
        stock=event.stock,
        aside=event.aside,
        turn=Turn(event.seat, event.turn),
        passes=event.passes,
        shuffles=1,
    )


def _played(game: Game, event: CardPlayed) -> Game:
    who = event.seat if event.owner is None else event.owner
    player = game.players[who]
    if event.source == "hand":
        player = replace(player, hand=_without(player.hand, event.card))
    elif event.source == "payoff":
        player = replace(player, payoff=_untopped(player.payoff, event.card))
        if player.payoff_top != event.turned:
            raise ValueError(f"the payoff of seat {who} does not turn up {event.turned}")
    elif event.side is None:
        raise ValueError("a play from a side stack names the stack")
    else:
        stack = _untopped(player.sides[event.side], event.card)
        player = replace(player, sides=_put(player.sides, event.side, stack))
    piles = _put(game.piles, event.pile, (*game.piles[event.pile], event.card))
    if len(piles[event.pile]) != event.rank:
        raise ValueError(f"{event.card} does not lie as rank {event.rank} on centre pile {event.pile}")
    return _seat(game, who, player, piles=piles, passes=0)


def _seat(game: Game, seat: int, player: Player, **changes: object) -> Game:
    return replace(game, players=_put(game.players, seat, player), **changes)


def _put(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    if not 0 <= index < len(values):
        raise IndexError(f"there is no place {index} of {len(values)}")
    return (*values[:index], value, *values[index + 1 :])


def _without(hand: Cards, card: Card) -> Cards:
    index = hand.index(card)
    return hand[:index] + hand[index + 1 :]


def _untopped(pile: Cards, card: Card) -> Cards:
    if not pile or pile[-1] != card:
        raise ValueError(f"{card} is not on top")
    return pile[:-1]
