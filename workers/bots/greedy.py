"""What does a sensible player do without thinking ahead? One glance at the table, and no dice.

- Plays: the own payoff first, then a partner's, then side stacks, then the hand.
- A wild waits until it stands at most two steps below a payoff card of its side, or until the hand holds nothing else;
  it goes sooner only where a play is compulsory and no other is left.
- Discards: onto one rank higher, then onto an equal, then onto an empty stack, then onto the nearest higher top, and
  only then onto a lower one, the highest top first. A wild is the last card to go.

Against a bot that makes any play while there is one, and any discard then (`eager` of the tests), it scores 93.1 ±1.9 %
in `gatto-e-topo`, 99.0 ±0.8 % in `gato-e-rato` and 98.2 ±0.9 % in `spite-and-malice`; against `uniform`, which throws
the stock away, 92, 96 and 59 %. (300 pairs each, 100 against `uniform`; arena seed `measure`; draws count half.)
"""

import random
from typing import Final

from events.game.cards import RANK, Card
from events.game.moves import MOVES, Discard, FromHand, FromPayoff, FromSide, Play
from events.game.rules import Rank
from events.game.views import View

WILD_REACH: Final = 2
"""A wild may stand for the rank just below a payoff card, or for the one below that."""
_OWN, _PARTNER, _SIDE, _HAND = 400, 300, 200, 100
"""What plays are worth by their source; of wilds a little less, by the steps that they leave to a payoff card."""


def choose(view: View, rng: random.Random) -> str:  # noqa: ARG001 - every bot is handed dice
    """The best of the legal moves at a glance, the first of equals; the same view, the same move."""
    plays = [text for text in view.legal if text in _SOURCES]
    worths = [_worth_of_play(view, text) for text in plays]
    most = max(worths, default=0)
    if most > 0:
        return plays[worths.index(most)]
    discards = [text for text in view.legal if text in _DISCARDS]
    if discards:
        return _best_discard(view, discards)
    return plays[worths.index(most)] if plays else view.legal[0]


def _worth_of_play(view: View, text: str) -> int:
    """Above 0 if it is wanted now; else a wild that had better wait, by the steps that it leaves to a payoff card."""
    worth, card, side = _SOURCES[text]
    if worth >= _PARTNER:
        return worth
    if card is None:
        card = view.me.sides[side][-1]
    if not view.rules.is_wild(card):
        return worth
    needed = len(view.piles[int(text[-1])]) + 1
    steps = min((goal - needed for goal in _goals(view) if goal > needed), default=99)
    idle = worth == _HAND and all(view.rules.is_wild(other) for other in view.hand)
    return (worth if steps <= WILD_REACH or idle else 0) - steps


def _goals(view: View) -> list[Rank]:
    """The ranks that the payoff tops of one's side wait for."""
    side = view.rules.party(view.seat) if view.seat is not None else ()
    tops: list[Card | None] = [view.seats[seat].payoff.top for seat in side]
    return [RANK[top] for top in tops if top is not None and not view.rules.is_wild(top)]


def _best_discard(view: View, discards: list[str]) -> str:
    tops = [RANK[stack[-1]] if stack else 0 for stack in view.me.sides]
    wilds = [card for card in view.hand if view.rules.is_wild(card)]
    best, most = "", -1000
    for text in discards:
        card, side = _DISCARDS[text]
        worth = _PLACES[RANK[card]][tops[side]]
        if wilds and card in wilds:
            worth -= 500
        if worth > most:
            best, most = text, worth
    return best


def _worth_of_place(rank: Rank, top: Rank) -> int:
    """What it is worth to discard this rank onto this top; 0 is an empty stack."""
    if top == 0:
        return 300 + rank
    if top == rank + 1:
        return 500 + rank
    if top == rank:
        return 400 + rank
    return 200 - (top - rank) if top > rank else 100 + top


_PLACES: Final = [[_worth_of_place(rank, top) for top in range(15)] for rank in range(15)]


def _sources() -> dict[str, tuple[int, Card | None, int]]:
    """Every play's text: what its source is worth; its card, if from the hand; its stack, if from a side."""
    read: dict[str, tuple[int, Card | None, int]] = {}
    for text, move in MOVES.items():
        match move:
            case Play(FromPayoff(owner)):
                read[text] = (_OWN if owner is None else _PARTNER, None, 0)
            case Play(FromSide(side)):
                read[text] = (_SIDE, None, side)
            case Play(FromHand(card)):
                read[text] = (_HAND, card, 0)
            case _:
                pass
    return read


_SOURCES: Final = _sources()
_DISCARDS: Final[dict[str, tuple[Card, int]]] = {
    text: (move.card, move.side) for text, move in MOVES.items() if isinstance(move, Discard)
}
"""Every discard's text: its card and stack."""
