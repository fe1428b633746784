"""How does a game begin? The deal and the choice of the starter (R1-R5), written into a draft of the commit."""

from typing import Final

from events.game.cards import RANK, Card, Cards, pack
from events.game.events import CardsDealt, Event, PayoffsReshuffled, TurnStarted
from events.game.evolve import evolve
from events.game.rules import Seat
from events.game.shuffle import Dice
from events.game.state import Game

TIE_ROUNDS: Final = 16
"""R4: after so many reshuffles of tied payoffs the lowest tied seat starts."""


class Draft:
    """A commit in the making: the events so far, and the game as they leave it."""

    def __init__(self, game: Game, dice: Dice) -> None:
        self.game = game
        self.dice = dice
        self.events: list[Event] = []

    def add(self, event: Event) -> None:
        self.game = evolve(self.game, event)
        self.events.append(event)

    def shuffle(self, cards: Cards | list[Card], ahead: int = 0) -> Cards:
        """The next shuffle; `ahead` counts those that the event in hand brings before it."""
        return self.dice.shuffle(self.entropies(), next_shuffle(self.game) + ahead, cards)

    def entropies(self) -> list[str]:
        return [player.entropy for player in self.game.players]


def next_shuffle(game: Game) -> int:
    """The number of the next shuffle. A starter drawn by lot took one that no event records (contract, section 4)."""
    by_lot = game.rules.starter == "random" and game.start == "dealt" and game.turn is not None
    return game.shuffles + by_lot


def deal(draft: Draft) -> None:
    """R1-R5, from the top of shuffle 0: the payoffs seat by seat, then the hands seat by seat."""
    rules = draft.game.rules
    cards = list(draft.shuffle(pack(rules.decks, rules.jokers)))
    payoffs: tuple[Cards, ...] = tuple(tuple(cards.pop() for _ in range(rules.payoff)) for _ in range(rules.seats))
    hands: tuple[Cards, ...] = tuple(tuple(cards.pop() for _ in range(rules.hand)) for _ in range(rules.seats))
    draft.add(CardsDealt(payoffs, hands, tuple(cards)))
    draft.add(TurnStarted(_starter(draft), 1))


def _starter(draft: Draft) -> Seat:
    """R4: the seat that starts; every tie reshuffles the tied payoffs, and only they are compared again."""
    rules = draft.game.rules
    seats = list(range(rules.seats))
    if rules.starter == "first":
        return 0
    if rules.starter == "random":
        return draft.dice.lot(draft.entropies(), next_shuffle(draft.game), seats)
    best = max if rules.starter == "highest" else min
    for reshuffles in range(TIE_ROUNDS + 1):
        tops = {seat: RANK[draft.game.players[seat].payoff[-1]] for seat in seats}
        seats = [seat for seat in seats if tops[seat] == best(tops.values())]
        if len(seats) == 1 or reshuffles == TIE_ROUNDS:
            break
        draft.add(
            PayoffsReshuffled(
                {str(seat): draft.shuffle(draft.game.players[seat].payoff, ahead) for ahead, seat in enumerate(seats)}
            )
        )
    return seats[0]
