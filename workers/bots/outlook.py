"""What does `planner` know of the position that a line of plays has come to? The position, and what is told from it.

It begins as the sight is, and is changed in place along a line and put back. Cards are ranks here, as in `worth`.
"""

from typing import Final

from events.game.fast.codes import NONE
from events.game.fast.sight import Sight
from workers.bots.worth import COMPULSORY, FAR, OPTIONAL, WAYS, WILD, Stack, Weights, has_wilds, rank_of, threats

SHORT_STOCK: Final = 40
"""With more cards left, how the stock ends is far away."""
RUN_OUT: Final = 20.0
"""What it is worth to lead when the stock runs out, where who leads wins."""


class Outlook:
    """The position, and what can be told of it."""

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

    def key(self) -> int:
        """The position as a number, the same whichever pile needs a rank."""
        key = 0
        for depth in self.depths:
            key = key << 9 | depth
        key = key << 10 | self.used
        piles = 0
        for index, need in enumerate(self.needs):
            piles += 1 << 4 * (need + 14 if self.shut[index] else need)
        return key << 112 | piles

    def in_hand(self) -> tuple[int, int, int, int]:
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

    def fits(self, rank: int, pile: int) -> bool:
        return not self.shut[pile] if rank == WILD else self.needs[pile] == rank

    def compelled(self) -> bool:
        """Does a card of the hand or of a side stack forbid the discard?"""
        ranks = [rank for index, rank in enumerate(self.ranks) if not self.used >> index & 1]
        ranks += [stack.tops[self.depths[index]] for index, stack in enumerate(self.stacks)]
        for rank in ranks:
            if NONE < rank < self.most:
                for pile in range(len(self.needs)):
                    if self.fits(rank, pile):
                        return True
        return False

    def wins(self) -> bool:
        """Does a party's payoff, emptied by its last card, win? (R21)"""
        knobs = self.sight.knobs
        if knobs.rules.team_win != "all":
            return True
        return sum([self.sight.board.lefts[seat] for seat in knobs.parties[self.sight.seat]]) == 1

    def missing(self, held: int, covered: int, rank: int) -> int:
        """How many ranks are missing on the shortest way to the own payoff card, with this rank laid on that stack.

        A side stack whose top is below what the pile needs is no help, and one under a higher card is none at all.
        """
        goal = self.goal
        if goal == WILD:
            return 0
        if goal == NONE:
            return FAR
        tops: list[int] = []
        chains: list[int] = []
        for index, stack in enumerate(self.stacks):
            top = stack.tops[self.depths[index]]
            if index == covered:
                top = rank if rank <= top else NONE
            if NONE < top < WILD:
                tops.append(top)
                chains.append(stack.chains[self.depths[index]])
        least = FAR
        for need in self.needs:
            at_hand = held
            for index, top in enumerate(tops):
                if top >= need or need > goal:
                    at_hand |= chains[index]
            missing = (self.way[need] & ~at_hand).bit_count()
            least = min(least, missing)
        return least

    def _at_hand(self, need: int, held: int) -> int:
        """The ranks at hand for a pile that needs this one: a side stack whose top is below it is no help."""
        for index, stack in enumerate(self.stacks):
            depth = self.depths[index]
            if need <= stack.tops[depth] < WILD or need > self.goal:
                held |= stack.chains[depth]
        return held

    def useful(self, pile: int, held: int, free: int) -> bool:
        """May a wild go here now? On the way to the payoff card, for want of another; or from a hand all wild."""
        if self.most == 99 or held == 0:
            return True
        if not NONE < self.goal < WILD:
            return False
        need = self.needs[pile]
        at_hand = self._at_hand(need, held)
        return not at_hand >> need & 1 and (self.way[need] & ~at_hand).bit_count() <= free

    def cover(self, held: int) -> float:
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

    def danger(self) -> float:
        """What it costs that the others may play their payoff cards on these piles."""
        cost = 0.0
        for index, price in enumerate(self.prices):
            likely = self.likely[index]
            most = 0.0
            for need in self.needs:
                most = max(most, likely[need])
            cost += price * most
        return cost

    def run_out(self, drawn: int, lead: int) -> float:
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

    def short_stock(self, returned: int) -> float:
        """What a short stock's growing is worth: good for who is behind where its end wins for the leader."""
        rules, board = self.sight.knobs.rules, self.sight.board
        if returned == 0 or rules.exhaustion == "blocked" or board.stock + board.aside > SHORT_STOCK or self.lead == 0:
            return 0.0
        worth = self.weights.steer * returned / 12
        return worth if (self.lead > 0) == (rules.exhaustion == "draw") else -worth
