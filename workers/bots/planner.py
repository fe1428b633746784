"""What does a player do who thinks its own turn through? All lines of plays, and the end of each weighed.

A line goes on to what nobody can know yet (the next payoff card, a new hand) or to the discard, and a completed pile
is an empty place. Lines that come to the same position are followed once. An end is weighed (`worth`) by the own way to
the payoff card, the next opponent's chance to play theirs, the wilds kept, the cards to be drawn, the order inside the
side stacks, and by how the game would stand if the stock ran out. Where partners win together their payoff cards are
played too, and what helps them counts as what hurts an opponent does.
"""

import random
from typing import Final

from events.game.fast.codes import NONE, PARTNER, PASS, PAYOFF, SIDE, STACKS
from events.game.fast.sight import Sight, may_discard
from workers.bots.worth import COMPULSORY, FAR, OPTIONAL, WAYS, WILD, Stack, Weights, has_wilds, rank_of, threats

MOST_POSITIONS: Final = 1500
WON: Final = 1e6
SHORT_STOCK: Final = 40
RUN_OUT: Final = 20.0


def choose(sight: Sight, rng: random.Random) -> int:  # noqa: ARG001 - every bot is handed dice
    """The first move of the best line; the same sight, the same move."""
    return Lines(sight).best_move()


class Lines:
    """The search from one sight. The position is changed in place and put back."""

    def __init__(self, sight: Sight) -> None:
        knobs, board, seat = sight.knobs, sight.board, sight.seat
        self.sight: Sight = sight
        self.weights: Weights = COMPULSORY if knobs.must_play == 99 else OPTIONAL
        self.top: int = knobs.top
        self.most: int = knobs.must_play
        self.wilds: int = has_wilds(knobs)
        self.needs: list[int] = [len(pile) for pile in board.piles]
        self.shut: list[bool] = [
            (pile[-1] >= knobs.wild and not knobs.on_wild) if pile else not knobs.may_start for pile in board.piles
        ]
        """Does the pile refuse a wild?"""
        self.hand: list[int] = sorted(sight.hand)
        self.ranks: list[int] = [rank_of(card, knobs.wild) for card in self.hand]
        self.used: int = 0
        """The hand cards played, a bit each."""
        self.hands: dict[int, tuple[int, int, int, int]] = {}
        """By `used`: the ranks in hand, how many cards double one, how many are wild, how many there are."""
        self.depths: list[int] = [len(stack) for stack in board.sides[seat]]
        self.stacks: list[Stack] = [Stack(stack, knobs.wild, self.weights) for stack in board.sides[seat]]
        self.order: float = 0.0
        """The worth of the side stacks as they lie."""
        for index, stack in enumerate(self.stacks):
            self.order += stack.worths[self.depths[index]]
        self.goal: int = rank_of(board.tops[seat], knobs.wild)
        self.way: list[int] = [row[self.goal] for row in WAYS[self.top - 12]] if 0 <= self.goal < WILD else []
        self.returned: int = 0
        """Cards of piles completed in this line."""
        self.prices: list[float] = []
        self.likely: list[list[float]] = []
        self.lead: int = 0
        self.next_draw: int = 0
        self._look_round()
        self.seen: set[int] = set()
        self.best: float = -WON
        self.move: int = NONE

    def _look_round(self) -> None:
        """The other seats that still play: what it costs if they can play their payoff cards, and who leads."""
        knobs, board, seat = self.sight.knobs, self.sight.board, self.sight.seat
        left, least, price, first = board.lefts[seat], 99, 1.0, True
        for step in range(1, knobs.seats):
            who = (seat + step) % knobs.seats
            if board.resigned[who]:
                continue
            if first:
                self.next_draw, first = max(knobs.hand - board.hands[who], 0), False
            friend = who in knobs.parties[seat]
            if not friend:
                least = min(least, board.lefts[who])
            if board.tops[who] != NONE:
                pressing = max(0.4, min(2.5, (left + 3) / (board.lefts[who] + 3)))
                self.prices.append(price * (-0.5 if friend else self.weights.threat * pressing))
                self.likely.append(threats(knobs, board, who, self.wilds))
            price /= 2
        self.lead = least - left

    def best_move(self) -> int:
        """The first move of the best line. Raises nothing: there is always an end."""
        self._visit(NONE)
        return self.move

    def _visit(self, first: int) -> None:
        """Weigh every end that the position has, and follow every play; `first` is the line's first move."""
        key = self._key()
        if key in self.seen:
            return
        self.seen.add(key)
        held, doubles, wilds, count = self._hand()
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
        missing = self._missing(held, NONE)
        kept += self._stock(self.returned) - weights.spend * min(missing, free) - self._danger()
        kept += self._run_out(self.next_draw, self.lead)
        if count:
            self._discard(first, held, free, missing, soon, kept, ranks)
        else:
            chance = weights.chance[self.wilds][self.sight.knobs.hand][max(missing - free, 0)]
            self._end(kept + ranks + chance, first, PASS)

    def _key(self) -> int:
        """The position as a number, the same whichever pile needs a rank."""
        key = 0
        for depth in self.depths:
            key = key << 9 | depth
        key = key << 10 | self.used
        piles = 0
        for index, need in enumerate(self.needs):
            piles += 1 << 4 * (need + 14 if self.shut[index] else need)
        return key << 112 | piles

    def _hand(self) -> tuple[int, int, int, int]:
        """What is in hand (`hands`)."""
        known = self.hands.get(self.used)
        if known is not None:
            return known
        held = doubles = wilds = count = 0
        for index, rank in enumerate(self.ranks):
            if not self.used >> index & 1:
                count += 1
                if rank == WILD:
                    wilds += 1
                elif held >> rank & 1:
                    doubles += 1
                else:
                    held |= 1 << rank
        self.hands[self.used] = held, doubles, wilds, count
        return held, doubles, wilds, count

    def _end(self, worth: float, first: int, move: int) -> None:
        """An end of this worth, reached by `move` last."""
        if worth > self.best:
            self.best = worth
            self.move = move if first == NONE else first

    def _fits(self, rank: int, pile: int) -> bool:
        return not self.shut[pile] if rank == WILD else self.needs[pile] == rank

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
                if self._fits(rank, pile):
                    compelled = compelled or (own and rank < self.most)
                    move = (PAYOFF if own else PARTNER + owner) << 5 | pile
                    if board.lefts[owner] == 1 and self._wins():
                        self._end(WON, first, move)
                        return True
                    self.needs[pile] = (need + 1) % self.top
                    worth = (
                        kept
                        - weights.later * self._danger()
                        + self._stock(self.returned + self.top * (need + 1 == self.top))
                    )
                    worth += weights.pay + weights.cover * self._cover(held) if own else 0.9 * weights.pay
                    self.needs[pile] = need
                    self._end(worth, first, move)
        return compelled

    def _wins(self) -> bool:
        """Does a party's payoff, emptied by its last card, win? (R21)"""
        knobs = self.sight.knobs
        if knobs.rules.team_win != "all":
            return True
        return sum([self.sight.board.lefts[seat] for seat in knobs.parties[self.sight.seat]]) == 1

    def _follow(self, first: int, held: int, free: int, count: int, refilled: float) -> bool:
        """Every line that goes on with a card of the hand or of a side stack. Does one of them forbid the discard?"""
        if len(self.seen) > MOST_POSITIONS:
            return self._compelled()
        compelled = False
        before = NONE
        for index, rank in enumerate(self.ranks):
            if self.used >> index & 1 or rank == before:
                continue
            before = rank
            tried = 0
            for pile, need in enumerate(self.needs):
                if (not self.shut[pile] if rank == WILD else need == rank) and not tried >> need & 1:
                    tried |= 1 << need
                    compelled = compelled or rank < self.most
                    if rank == WILD and not self._useful(pile, held, free):
                        continue
                    self.used |= 1 << index
                    self._lay(rank, pile, first, self.hand[index] << 5 | pile, count == 1, refilled)
                    self.used &= ~(1 << index)
        for index, stack in enumerate(self.stacks):
            depth = self.depths[index]
            rank = stack.tops[depth]
            if rank == NONE:
                continue
            tried = 0
            for pile, need in enumerate(self.needs):
                if (not self.shut[pile] if rank == WILD else need == rank) and not tried >> need & 1:
                    tried |= 1 << need
                    compelled = compelled or rank < self.most
                    if rank == WILD and not self._useful(pile, held, free):
                        continue
                    order = self.order
                    self.depths[index] = depth - 1
                    self.order += stack.worths[depth - 1] - stack.worths[depth]
                    self._lay(rank, pile, first, SIDE + index << 5 | pile, False, 0.0)
                    self.depths[index] = depth
                    self.order = order
        return compelled

    def _compelled(self) -> bool:
        """Does a card of the hand or of a side stack forbid the discard?"""
        ranks = [rank for index, rank in enumerate(self.ranks) if not self.used >> index & 1]
        ranks += [stack.tops[self.depths[index]] for index, stack in enumerate(self.stacks)]
        for rank in ranks:
            if NONE < rank < self.most:
                for pile in range(len(self.needs)):
                    if self._fits(rank, pile):
                        return True
        return False

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
        missing = self._missing(0, NONE)
        for index, stack in enumerate(self.stacks):
            if stack.tops[self.depths[index]] == WILD:
                missing -= 1
        worth = self.order + ranks + weights.refill + weights.draw * hand - weights.later * self._danger()
        worth += weights.chance[self.wilds][hand][max(missing, 0)]
        self._end(worth + self._stock(self.returned) + self._run_out(hand, self.lead), first, move)

    def _discard(self, first: int, held: int, free: int, missing: int, soon: int, kept: float, ranks: float) -> None:
        """The ends with a discard: every card on every stack."""
        weights, knobs = self.weights, self.sight.knobs
        count = self._hand()[3]
        chances = weights.chance[self.wilds][knobs.hand - count + 1]
        kept += weights.draw
        lay: list[list[float]] = []
        open_worth = kept + ranks + chances[max(missing - free, 0)]
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
            if knobs.keep and not may_discard(self.hand[place], self.sight):
                continue
            if rank == WILD:
                card = -weights.wild
            elif place + 1 < len(self.ranks) and self.ranks[place + 1] == rank:
                card = weights.double
            else:
                card = weights.high * rank
            for index, stack in enumerate(self.stacks):
                worth = card + lay[index][rank]
                if NONE < stack.tops[self.depths[index]] < rank < WILD:
                    if shut_worth[index] == WON:
                        shut_worth[index] = self._covered(index, held, free, soon, chances) + kept
                    worth += shut_worth[index]
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
        return worth + chances[max(self._missing(held, covered) - free, 0)]

    def _missing(self, held: int, covered: int) -> int:
        """How many ranks are missing on the shortest way to the own payoff card; `covered` is a stack to leave out."""
        goal = self.goal
        if goal == WILD:
            return 0
        if goal == NONE:
            return FAR
        least = FAR
        for need in self.needs:
            missing = (self.way[need] & ~self._at_hand(need, held, covered)).bit_count()
            least = min(least, missing)
        return least

    def _at_hand(self, need: int, held: int, covered: int) -> int:
        """The ranks at hand for a pile that needs this one: a side stack whose top is below it is no help."""
        for index, stack in enumerate(self.stacks):
            if index != covered:
                depth = self.depths[index]
                if need <= stack.tops[depth] < WILD or need > self.goal:
                    held |= stack.chains[depth]
        return held

    def _useful(self, pile: int, held: int, free: int) -> bool:
        """May a wild go here now? On the way to the payoff card, for want of another; or from a hand all wild."""
        if self.most == 99 or held == 0:
            return True
        if not NONE < self.goal < WILD:
            return False
        need = self.needs[pile]
        at_hand = self._at_hand(need, held, NONE)
        return not at_hand >> need & 1 and (self.way[need] & ~at_hand).bit_count() <= free

    def _cover(self, held: int) -> float:
        """How likely an unknown payoff card can be played at once."""
        reached = 0
        for need in self.needs:
            reached |= 1 << need
            at_hand = held
            for index, stack in enumerate(self.stacks):
                depth = self.depths[index]
                if need <= stack.tops[depth] < WILD:
                    at_hand |= stack.chains[depth]
            rank = need
            while at_hand >> rank & 1 and rank < self.top - 1:
                rank += 1
                reached |= 1 << rank
        return reached.bit_count() / 13

    def _danger(self) -> float:
        """What it costs that the others may play their payoff cards on these piles."""
        cost = 0.0
        for index, price in enumerate(self.prices):
            likely = self.likely[index]
            most = 0.0
            for need in self.needs:
                most = max(most, likely[need])
            cost += price * most
        return cost

    def _run_out(self, drawn: int, lead: int) -> float:
        """What it is worth that the next draw ends the game (R18); 0 if it does not."""
        rules, board = self.sight.knobs.rules, self.sight.board
        if rules.exhaustion == "blocked":
            return 0.0
        cards = board.stock + board.aside + self.returned
        if cards > drawn or (rules.exhaustion_at == "short" and cards == drawn):
            return 0.0
        if rules.exhaustion == "fewest":
            return RUN_OUT * (lead > 0) - RUN_OUT * (lead < 0) - 0.3
        return -0.3 * lead - 0.5

    def _stock(self, returned: int) -> float:
        """What a short stock's growing is worth: good for who is behind where its end wins for the leader."""
        rules, board = self.sight.knobs.rules, self.sight.board
        if returned == 0 or rules.exhaustion == "blocked" or board.stock + board.aside > SHORT_STOCK or self.lead == 0:
            return 0.0
        worth = self.weights.steer * returned / 12
        return worth if (self.lead > 0) == (rules.exhaustion == "draw") else -worth
