"""What does a player do who thinks its own turn through? All lines of plays, and the end of each weighed.

A line goes on to what nobody can know yet (the next payoff card, a new hand) or to the discard, and a completed pile
is an empty place. Lines that come to the same position are followed once. An end is weighed (`worth`) by the own way to
the payoff card, the next opponent's chance to play theirs, the wilds kept, the cards to be drawn, the order inside the
side stacks, and by how the game would stand if the stock ran out. Where partners win together their payoff cards are
played too, and what helps them counts as what hurts an opponent does.

Wins and half the draws over 3,000 pairs of games, 95 % interval over pairs; `python3 dev.py bench ladder` (seed
`ladder-2026-11-30`): against `greedy` 71.8 % (70.7 to 72.9) in `gatto-e-topo`, 83.6 % (82.7 to 84.5) in
`gato-e-rato`, 82.5 % (81.6 to 83.4) in `spite-and-malice`.
"""

import random
from typing import Final

from events.game.fast.codes import NONE, PARTNER, PASS, PAYOFF, SIDE, STACKS
from events.game.fast.sight import Sight
from workers.bots.outlook import Outlook
from workers.bots.worth import WILD, rank_of

MOST_POSITIONS: Final = 1500
"""Lines are followed no further when so many positions have been seen."""
WON: Final = 1e6


def choose(sight: Sight, rng: random.Random) -> int:  # noqa: ARG001 - every bot is handed dice
    """The first move of the best line; the same sight, the same move."""
    return Lines(sight).best_move()


class Lines(Outlook):
    """The search from one sight."""

    def __init__(self, sight: Sight) -> None:
        super().__init__(sight)
        self.seen: set[int] = set()
        self.best: float = -WON
        self.move: int = NONE

    def best_move(self) -> int:
        """The first move of the best line. Raises nothing: there is always an end."""
        self._visit(NONE)
        return self.move

    def _visit(self, first: int) -> None:
        """Weigh every end that the position has, and follow every play; `first` is the line's first move."""
        key = self.key()
        if key in self.seen:
            return
        self.seen.add(key)
        held, doubles, wilds, count = self.in_hand()
        weights = self.weights
        stacked, free, soon = 0, wilds, 0
        for index, depth in enumerate(self.depths):
            stack = self.stacks[index]
            stacked |= stack.chains[depth]
            if stack.tops[depth] == WILD:
                free += 1
        windows = weights.windows[self.top - 12]
        for need in self.needs:
            soon |= windows[need]
        kept = self.order + weights.wild * wilds - weights.double * doubles
        kept += weights.draw * (self.sight.knobs.hand - count)
        ranks = weights.kinds * (held | stacked).bit_count() + weights.near * ((held | stacked) & soon).bit_count()
        compelled = self._pay(first, held, kept + ranks)
        if self.best == WON:
            return
        refilled = (
            weights.kinds * stacked.bit_count() + weights.near * (stacked & soon).bit_count() if count == 1 else 0.0
        )
        if self._follow(first, held, free, count, refilled) or compelled:
            return
        kept += self.short_stock(self.returned) - self.danger() + self.run_out(self.next_draw, self.lead)
        chances = weights.chance[self.wilds][self.sight.knobs.hand - count + (1 if count else 0)]
        if kept + ranks + chances[0] + weights.most <= self.best:
            return
        missing = self.missing(held, NONE, NONE)
        kept -= weights.spend * min(missing, free)
        if count:
            self._discard(first, held, free, missing, soon, kept, ranks)
        else:
            self._end(kept + ranks + chances[max(missing - free, 0)], first, PASS)

    def _pay(self, first: int, held: int, kept: float) -> bool:
        """The ends with a payoff card. Does one of the own forbid the discard?"""
        board, weights, knobs = self.sight.board, self.weights, self.sight.knobs
        compelled = False
        for owner in knobs.parties[self.sight.seat]:
            if board.tops[owner] == NONE:
                continue
            own = owner == self.sight.seat
            rank = self.goal if own else rank_of(board.tops[owner], knobs.wild)
            for pile, need in enumerate(self.needs):
                if self.fits(rank, pile):
                    compelled = compelled or (own and rank < self.most)
                    move = (PAYOFF if own else PARTNER + owner) << 5 | pile
                    if board.lefts[owner] == 1 and self.wins():
                        self._end(WON, first, move)
                        return True
                    self.needs[pile] = (need + 1) % self.top
                    worth = (
                        kept
                        - weights.later * self.danger()
                        + self.short_stock(self.returned + self.top * (need + 1 == self.top))
                    )
                    worth += weights.pay + weights.cover * self.cover(held) if own else 0.9 * weights.pay
                    self.needs[pile] = need
                    self._end(worth, first, move)
        return compelled

    def _follow(self, first: int, held: int, free: int, count: int, refilled: float) -> bool:
        """Every line that goes on with a card of the hand or of a side stack. Does one of them forbid the discard?"""
        if len(self.seen) > MOST_POSITIONS:
            return self.compelled()
        compelled = False
        before = NONE
        for index, rank in enumerate(self.ranks):
            if self.used >> index & 1 or rank == before:
                continue
            before = rank
            for pile in self._open(rank):
                compelled = compelled or rank < self.most
                if rank != WILD or self.useful(pile, held, free):
                    self.used |= 1 << index
                    self._lay(rank, pile, first, self.hand[index] << 5 | pile, count == 1, refilled)
                    self.used &= ~(1 << index)
        for index, stack in enumerate(self.stacks):
            depth = self.depths[index]
            rank = stack.tops[depth]
            if rank == NONE:
                continue
            for pile in self._open(rank):
                compelled = compelled or rank < self.most
                if rank != WILD or self.useful(pile, held, free):
                    order = self.order
                    self.depths[index] = depth - 1
                    self.order += stack.worths[depth - 1] - stack.worths[depth]
                    self._lay(rank, pile, first, SIDE + index << 5 | pile, False, 0.0)
                    self.depths[index] = depth
                    self.order = order
        return compelled

    def _open(self, rank: int) -> list[int]:
        """The centre piles that this rank may go on, of piles with the same need the first alone."""
        tried = 0
        piles: list[int] = []
        for pile, need in enumerate(self.needs):
            if (not self.shut[pile] if rank == WILD else need == rank) and not tried >> need & 1:
                tried |= 1 << need
                piles.append(pile)
        return piles

    def _lay(self, rank: int, pile: int, first: int, move: int, last: bool, refilled: float) -> None:
        """The card has left its place: it lies on the pile, and the line goes on or, with the last hand card, ends."""
        need, shut, knobs = self.needs[pile], self.shut[pile], self.sight.knobs
        if need + 1 == self.top:
            self.needs[pile], self.shut[pile] = 0, not knobs.may_start
            self.returned += self.top
        else:
            self.needs[pile], self.shut[pile] = need + 1, rank == WILD and not knobs.on_wild
        if last and knobs.refill and self.sight.board.stock + self.sight.board.aside + self.returned > 0:
            self._refill(first, move, refilled)
        else:
            self._visit(move if first == NONE else first)
        if need + 1 == self.top:
            self.returned -= self.top
        self.needs[pile], self.shut[pile] = need, shut

    def _refill(self, first: int, move: int, ranks: float) -> None:
        """The end with a new hand."""
        weights, hand = self.weights, self.sight.knobs.hand
        missing = self.missing(0, NONE, NONE)
        for index, stack in enumerate(self.stacks):
            if stack.tops[self.depths[index]] == WILD:
                missing -= 1
        worth = self.order + ranks + weights.refill + weights.draw * hand - weights.later * self.danger()
        worth += weights.chance[self.wilds][hand][max(missing, 0)]
        self._end(worth + self.short_stock(self.returned) + self.run_out(hand, self.lead), first, move)

    def _discard(self, first: int, held: int, free: int, missing: int, soon: int, kept: float, ranks: float) -> None:
        """The ends with a discard: every card on every stack."""
        weights, knobs = self.weights, self.sight.knobs
        _, _, wilds, count = self.in_hand()
        chances = weights.chance[self.wilds][knobs.hand - count + 1]
        kept += weights.draw
        lay: list[list[float]] = []
        open_worth = kept + ranks + chances[max(missing - free, 0)]
        waiting = 0
        """The ranks that piles need. A lower card bars the way of such a rank, or of a higher one, under it."""
        if self.most == 99:  # where a play may be left, regard for that gained nothing
            for need in self.needs:
                waiting |= 1 << need
        shut_worth: list[float] = []
        """What it is worth that the stack stays at hand, or is covered by a card that goes later."""
        for index, stack in enumerate(self.stacks):
            lay.append(weights.lay[stack.tops[self.depths[index]] + 1])
            shut_worth.append(WON)
        before = NONE
        for place, rank in enumerate(self.ranks):
            if self.used >> place & 1 or rank == before:
                continue
            before = rank
            if (knobs.keep == 1 and rank == 0 and (held > 1 or wilds)) or (knobs.keep == 2 and rank == WILD and held):
                continue  # R14: what is left in hand by now decides, not the sight's hand
            if rank == WILD:
                card = -weights.wild
            elif place + 1 < len(self.ranks) and self.ranks[place + 1] == rank:
                card = weights.double
            else:
                card = weights.high * rank
            for index, stack in enumerate(self.stacks):
                worth = card + lay[index][rank]
                if worth + open_worth <= self.best:
                    continue  # what is covered is never worth more than what is not
                top = stack.tops[self.depths[index]]
                if NONE < top < rank < WILD:
                    if shut_worth[index] == WON:
                        shut_worth[index] = self._covered(index, held, free, soon, chances) + kept
                    worth += shut_worth[index]
                elif rank < top < WILD and waiting & ((2 << top) - (2 << rank)):
                    worth += kept + ranks + chances[max(self.missing(held, index, rank) - free, 0)]
                else:
                    worth += open_worth
                if worth > self.best:
                    self.best = worth
                    self.move = self.hand[place] << 5 | STACKS | index if first == NONE else first

    def _covered(self, covered: int, held: int, free: int, soon: int, chances: list[float]) -> float:
        """The worth of what is at hand without this stack."""
        at_hand = held
        for index, stack in enumerate(self.stacks):
            if index != covered:
                at_hand |= stack.chains[self.depths[index]]
        worth = self.weights.kinds * at_hand.bit_count() + self.weights.near * (at_hand & soon).bit_count()
        return worth + chances[max(self.missing(held, covered, WILD) - free, 0)]

    def _end(self, worth: float, first: int, move: int) -> None:
        """An end of this worth, reached by `move` last."""
        if worth > self.best:
            self.best = worth
            self.move = move if first == NONE else first
