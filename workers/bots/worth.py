"""What is the end of a line of plays worth to `planner`? Weights, and the tables that are made from them once.

The unit is a card of one's own payoff. Ranks are 0 (ace) to 12 here, `WILD` stands for any wild card, and a pile of n
cards needs rank n. Masks have a bit a rank.
"""

from typing import Final

from events.game.fast.codes import JOKER_CODE, NONE
from events.game.fast.sight import Board, Knobs

WILD: Final = 13
"""The rank of a wild that lies in no pile."""
FAR: Final = 15
"""The most missing ranks that are told apart."""


class Weights:
    """What counts how much."""

    def __init__(self) -> None:
        self.pay: float = 1.3
        """A payoff card played, the unknown one turned up with it."""
        self.cover: float = 0.5
        """That the next payoff card can be played as well, times the chance of it."""
        self.luck: float = 0.6
        """The own payoff card within reach, times the chance to draw every rank that is missing."""
        self.reach: float = 0.3
        """The same, times `decay` for every rank that is missing."""
        self.decay: float = 0.6
        self.spend: float = 0.02
        """A wild that the way to the payoff card will take."""
        self.threat: float = 1.0
        """The next opponent's payoff card within their reach, at the end of the turn."""
        self.later: float = 0.5
        """The same while the turn goes on."""
        self.wild: float = 0.3
        """A wild in hand."""
        self.wild_side: float = 0.25
        """A wild on top of a side stack."""
        self.wild_buried: float = 0.9
        """The loss of a wild by a card laid on it."""
        self.draw: float = 0.05
        """A card to be drawn."""
        self.refill: float = 0.25
        """A new hand in the same turn."""
        self.empty: float = 0.0
        """An empty side stack."""
        self.base: float = 0.0
        """The lowest card of a side stack, by each rank."""
        self.card: float = 0.0
        """A side card."""
        self.equal: float = 0.02
        """A side card on an equal one."""
        self.step: float = 0.07
        """A side card on one rank higher."""
        self.gap: float = 0.012
        """The loss by each rank that a side card lies lower than the one below it."""
        self.over: float = 0.1
        """The loss by a side card on a lower one, and by each rank of the difference."""
        self.over_rank: float = 0.01
        self.kinds: float = 0.0
        """A rank at hand: in the hand, or in a side stack under nothing that goes later."""
        self.near: float = 0.03
        """A rank at hand that is one of the next `window` of some pile."""
        self.window: int = 3
        self.double: float = 0.06
        """The loss by each hand card whose rank the hand has already."""
        self.high: float = 0.004
        """That a discard is of a high rank, by each rank."""
        self.steer: float = 0.0
        """A completed pile's cards for the stock, when it is short: to who is behind, if the leader wins then."""
        self.tables()

    def tables(self) -> None:
        """Make the tables anew from the weights."""
        self.lay: list[list[float]] = [[self._lay(below - 1, rank) for rank in range(14)] for below in range(15)]
        """What it is worth that a card of this rank lies on that one: `lay[0]` on an empty stack, `lay[1 + rank]`."""
        self.most: float = max(max(row) for row in self.lay) + max(self.double, 12 * self.high, 0.0) + self.draw
        """No discard is worth more than that beyond the position that it is made in."""
        self.chance: list[list[list[float]]] = [
            [[self._chance(fitting, draws, missing) for missing in range(FAR + 1)] for draws in range(11)]
            for fitting in (1, 2)
        ]
        """The payoff card within reach: by wilds (0 or 1), draws to come, and missing ranks."""
        self.windows: list[list[int]] = [
            [sum({1 << (need + step) % top for step in range(self.window)}) for need in range(top)] for top in (12, 13)
        ]
        """The ranks that a pile waits for next, by top rank less 12 and need."""

    def _lay(self, below: int, rank: int) -> float:
        if below < 0:
            return (self.wild_side if rank == WILD else self.base * rank) - self.empty
        if below == WILD:
            return self.card - self.wild_buried - (0.0 if rank == WILD else self.wild_side)
        if rank == WILD:
            return self.card + self.wild_side - self.over / 2
        if rank == below - 1:
            return self.card + self.step
        if rank == below:
            return self.card + self.equal
        if rank < below:
            return self.card - self.gap * (below - rank)
        return self.card - self.over - self.over_rank * (rank - below)

    def _chance(self, fitting: int, draws: int, missing: int) -> float:
        drawn = 1 - (1 - fitting / 13) ** draws
        return self.luck * drawn**missing + self.reach * self.decay**missing


def rank_of(card: int, wild: int) -> int:
    """A card's rank; `NONE` stays as it is."""
    return WILD if card >= wild else card >> 2 if card >= 0 else NONE


class Stack:
    """One side stack with fewer and fewer of its cards: every list has an entry for each number of cards left."""

    def __init__(self, cards: list[int], wild: int, weights: Weights) -> None:
        self.tops: list[int] = [NONE]
        """The rank on top."""
        self.chains: list[int] = [0]
        """The ranks that can be had one after the other as a pile rises: from the top down while they do not fall."""
        self.worths: list[float] = [0.0]
        worth, below, chain = 0.0, NONE, 0
        for card in cards:
            rank = rank_of(card, wild)
            worth += weights.lay[below + 1][rank]
            if rank != WILD:
                chain = (chain if below != WILD and below >= rank else 0) | 1 << rank
            self.tops.append(rank)
            self.chains.append(chain)
            self.worths.append(worth)
            below = rank


def ways(top: int) -> list[list[int]]:
    """By what a pile needs and by the rank it is wanted for: the ranks before that, through completion if need be."""
    whole = (1 << top) - 1
    return [
        [(1 << goal) - (1 << need) if need <= goal else whole - (1 << need) + (1 << goal) for goal in range(top)]
        for need in range(top)
    ]


WAYS: Final = [ways(12), ways(13)]
"""By top rank less 12."""
BY_HAND: Final = [[1.0, 0.33, 0.1, 0.03, 0.01] + [0.0] * 9, [1.0, 0.55, 0.22, 0.08, 0.03, 0.01] + [0.0] * 8]
"""How likely somebody's unseen hand bridges so many missing ranks; without wilds, and with them."""


def threats(knobs: Knobs, board: Board, seat: int, wilds: int) -> list[float]:
    """How likely this seat can play its payoff card next, by the rank that a pile needs; `wilds` is 1 or 0."""
    goal, top = rank_of(board.tops[seat], knobs.wild), knobs.top
    if goal == WILD:
        return [1.0] * top
    tops: list[int] = []
    chains: list[int] = []
    free = 0
    for stack in board.sides[seat]:
        if stack:
            last, chain = -1, 0
            for card in reversed(stack):
                if card >= knobs.wild or card >> 2 < last:
                    break
                last = card >> 2
                chain |= 1 << last
            if last < 0:
                free += 1
            else:
                tops.append(stack[-1] >> 2)
                chains.append(chain)
    likely: list[float] = []
    for need in range(top):
        held = 0
        for index, lowest in enumerate(tops):
            if lowest >= need or need > goal:
                held |= chains[index]
        missing = (WAYS[top - 12][need][goal] & ~held).bit_count() - free
        likely.append(BY_HAND[wilds][max(missing, 0)])
    return likely


def has_wilds(knobs: Knobs) -> int:
    """1 if any card is wild under these rules, else 0."""
    return 1 if knobs.wild < JOKER_CODE or knobs.rules.jokers > 0 else 0


def _compulsory() -> Weights:
    """Where every play must be made, cards go anyway: what counts is what is at hand, and that it is of many ranks.

    The way a stack lies is worth little by itself: a card on a lower one costs what it takes out of reach, no more.
    From a regression: ends of the same position, each played on for 24 turns against `greedy` on the same four deals.
    """
    weights = Weights()
    weights.pay = 1.5
    weights.cover = 1.0
    weights.reach = 1.0
    weights.luck = 0.0
    weights.decay = 0.5
    weights.threat = 0.85
    weights.later = 0.4
    weights.draw = 0.0
    weights.empty = -0.09
    weights.base = 0.007
    weights.card = 0.085
    weights.equal = -0.045
    weights.step = 0.02
    weights.gap = 0.004
    weights.over = 0.085
    weights.over_rank = -0.016
    weights.kinds = 0.07
    weights.near = 0.015
    weights.window = 6
    weights.double = 0.05
    weights.high = 0.0
    weights.tables()
    return weights


OPTIONAL: Final = Weights()
"""Where a play may be left."""
COMPULSORY: Final = _compulsory()
"""Where every play must be made."""
