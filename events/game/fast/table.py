"""How does a game go, in numbers? `Table`: the whole table, changed in place by a move, which gives back its facts.

`play` is `decide` and `evolve` of a move in one (R6-R24); `checked` is what a log is judged by. Equal to the reference,
move by move and byte by byte: `tests/game/in_numbers.py`.
"""

from typing import Final

from events.game.fast.codes import NONE, PARTNER, PASS, PAYOFF, SIDE, STACKS
from events.game.fast.dice import Dice
from events.game.fast.facts import (
    COMPLETED,
    DISCARDED,
    DREW,
    ENDED,
    FROM_HAND,
    FROM_PAYOFF,
    FROM_SIDE,
    NULL,
    PASSED,
    SHUFFLED,
    TURN,
)
from events.game.fast.sight import Board, Knobs, Sight, compelled, fits, may_discard, may_pass

WON: Final = 0
DRAWN: Final = 1
BY_PAYOFF: Final = 0
EXHAUSTED: Final = 1
BLOCKED: Final = 2
TURN_LIMIT: Final = 3
"""Results and reasons as `facts` numbers them."""


class Table:
    """The whole table, hidden cards included. Cards are numbers, every list is bottom first.

    What a move brings about is added to its facts, one list that becomes bytes at the end.
    """

    def __init__(self, knobs: Knobs, dice: Dice) -> None:
        self.knobs: Knobs = knobs
        self.dice: Dice = dice
        self.board: Board = Board(knobs)
        self.hands: list[list[int]] = [[] for _ in range(knobs.seats)]
        self.payoffs: list[list[int]] = [[] for _ in range(knobs.seats)]
        self.stock: list[int] = []
        self.aside: list[int] = []
        self.passes: int = 0
        self.shuffles: int = 0
        """The number of the next shuffle."""
        self.sights: list[Sight] = [Sight(knobs, self.board, seat, self.hands[seat]) for seat in range(knobs.seats)]
        """What each seat may see, always as the table is now."""

    def allows(self, move: int) -> bool:
        """Is this move legal for the seat to move? (`legality.objection`)"""
        board, knobs = self.board, self.knobs
        if board.over:
            return False
        seat = board.seat
        source, target = move >> 5, move & 31
        sight = self.sights[seat]
        if move == PASS:
            return may_pass(sight) and not compelled(sight)
        if target >= STACKS:
            if target - STACKS >= knobs.stacks or source not in sight.hand:
                return False
            if knobs.keep and not may_discard(source, sight):
                return False
            return not (knobs.must_play and compelled(sight))
        if target >= knobs.piles:
            return False
        card = NONE
        if source < SIDE:
            if source not in sight.hand:
                return False
            card = source
        elif source < PAYOFF:
            sides = board.sides[seat]
            if source - SIDE >= len(sides) or not sides[source - SIDE]:
                return False
            card = sides[source - SIDE][-1]
        elif source == PAYOFF:
            card = board.tops[seat]
        elif source - PARTNER in knobs.partners[seat]:
            card = board.tops[source - PARTNER]
        return card != NONE and fits(card, board.piles[target], knobs)

    def play(self, move: int) -> bytes:
        """Make this move for the seat to move; its facts, consequences included. Raises ValueError if it is illegal."""
        if not self.allows(move):
            raise ValueError(f"seat {self.board.seat} may not make move {move}")
        board = self.board
        seat = board.seat
        source, target = move >> 5, move & 31
        if move == PASS:
            self.passes += 1
            facts = [PASSED, seat]
            if self.passes >= board.resigned.count(False):
                self._end_by_count(BLOCKED, facts)
            else:
                self._next_turn(facts)
            return bytes(facts)
        self.passes = 0
        if target >= STACKS:
            self.hands[seat].remove(source)
            board.hands[seat] -= 1
            board.sides[seat][target - STACKS].append(source)
            facts = [DISCARDED, seat, source, target - STACKS]
            self._next_turn(facts)
        else:
            facts = self._play(seat, source, target)
        return bytes(facts)

    def _play(self, seat: int, source: int, pile: int) -> list[int]:
        """R20: move; last payoff card? turn the next; complete and recycle the pile; refill; exhaustion."""
        board, knobs = self.board, self.knobs
        cards = board.piles[pile]
        rank = board.needs[pile] = board.needs[pile] + 1
        if source < SIDE:
            self.hands[seat].remove(source)
            board.hands[seat] -= 1
            cards.append(source)
            facts = [FROM_HAND, seat, source, pile, rank]
        elif source < PAYOFF:
            card = board.sides[seat][source - SIDE].pop()
            cards.append(card)
            facts = [FROM_SIDE, seat, card, pile, rank, source - SIDE]
        else:
            owner = seat if source == PAYOFF else source - PARTNER
            card = self.turn_up(owner)
            cards.append(card)
            top = board.tops[owner]
            facts = [FROM_PAYOFF, seat, card, pile, rank, owner, NULL if top == NONE else top]
            if top == NONE and self._emptied(owner):
                self._end(knobs.parties[seat], BY_PAYOFF, facts)
                return facts
        if rank == knobs.top:
            self._complete(pile, facts)
        if not board.hands[seat] and knobs.refill:
            self._draw(seat, facts)
        return facts

    def turn_up(self, owner: int) -> int:
        """Take the top of a payoff, and turn the next card (R10)."""
        board = self.board
        payoff = self.payoffs[owner]
        card = payoff.pop()
        board.tops[owner] = payoff[-1] if payoff else NONE
        board.lefts[owner] -= 1
        return card

    def _emptied(self, owner: int) -> bool:
        """R17, R21: has this seat's party won with the payoff card just played?"""
        if self.knobs.rules.team_win != "all":
            return True
        return all(not self.board.lefts[seat] for seat in self.knobs.parties[owner])

    def _complete(self, pile: int, facts: list[int]) -> None:
        """R11, R12: the place is free again, and the cards go into the stock or aside."""
        board = self.board
        cards = board.piles[pile]
        board.piles[pile] = []
        board.needs[pile] = 0
        aside = self.knobs.aside
        facts += [COMPLETED, pile, int(aside), len(cards), *cards]
        if aside:
            self.aside += cards
            board.aside += len(cards)
        else:
            self._shuffle(self.stock + cards, len(cards), facts)

    def _shuffle(self, cards: list[int], returned: int, facts: list[int]) -> None:
        self.stock = stock = self.dice.shuffle(self.shuffles, cards)
        self.shuffles += 1
        self.board.stock = count = len(stock)
        facts += [SHUFFLED, returned >> 8, returned & 255, count >> 8, count & 255, *stock]

    def _draw(self, seat: int, facts: list[int]) -> None:
        """R6, R12, R13: fill the hand from the stock, then from the cards aside; then look for exhaustion (R18)."""
        board, knobs = self.board, self.knobs
        wanted = knobs.hand - board.hands[seat]
        if wanted > 0:
            took = min(wanted, board.stock)
            if took:
                self.take(seat, took, facts)
                wanted -= took
            if wanted and board.aside:
                aside = self.aside
                self.aside = []
                board.aside = 0
                self._shuffle(aside, len(aside), facts)
                took = min(wanted, board.stock)
                self.take(seat, took, facts)
                wanted -= took
        short = knobs.exhausted_short
        if (wanted > 0 and short) or (knobs.exhausts and not short and not board.stock and not board.aside):
            self._end_by_count(EXHAUSTED, facts)

    def take(self, seat: int, count: int, facts: list[int]) -> None:
        """So many cards from the top of the stock into the hand, each told at once: a list for them would cost more."""
        stock, board = self.stock, self.board
        hand = self.hands[seat]
        board.stock -= count
        board.hands[seat] += count
        facts.append(DREW)
        facts.append(seat)
        facts.append(count)
        for _ in range(count):
            card = stock.pop()
            hand.append(card)
            facts.append(card)

    def _next_turn(self, facts: list[int]) -> None:
        """R5, R6, R19: the next seat that has not left, and its draw; or the end by the turn limit."""
        board, knobs = self.board, self.knobs
        if board.turn >= knobs.turn_limit:
            self._end_by_count(TURN_LIMIT, facts)
            return
        seat = (board.seat + 1) % knobs.seats
        while board.resigned[seat]:
            seat = (seat + 1) % knobs.seats
        turn = board.turn + 1
        board.seat = seat
        board.turn = turn
        facts.append(TURN)
        facts.append(seat)
        facts.append(turn >> 8)
        facts.append(turn & 255)
        self._draw(seat, facts)

    def _end_by_count(self, reason: int, facts: list[int]) -> None:
        """R18, R19: fewest payoff cards win, partners' added; a draw where equal, or where the rules say so."""
        board = self.board
        lowest = -1
        winners: list[int] = []
        for seat, party in enumerate(self.knobs.parties):
            if seat == party[0] and not all(board.resigned[one] for one in party):
                left = sum([board.lefts[one] for one in party])
                if lowest < 0 or left < lowest:
                    lowest = left
                    winners = party
                elif left == lowest:
                    winners = []
        self._end([] if self.knobs.rules.exhaustion == "draw" else winners, reason, facts)

    def _end(self, winners: list[int], reason: int, facts: list[int]) -> None:
        board = self.board
        board.over = True
        facts += [ENDED, WON if winners else DRAWN, reason, len(winners), *winners]
        if self.knobs.rules.points is None:
            facts.append(NULL)
        else:
            left = sum(board.lefts)
            points = [left - board.lefts[seat] if seat in winners else 0 for seat in range(self.knobs.seats)]
            facts += [len(points)] + [part for score in points for part in (score >> 8, score & 255)]
        facts += self.dice.reveal()

    def checked(self, facts: bytes) -> bool:
        """Make the move that these facts begin with; do the rules bring about just these? A no leaves it of no use."""
        try:
            move = move_of(facts)
            return move != NONE and facts[1] == self.board.seat and self.play(move) == facts
        except (ValueError, IndexError):
            return False


def move_of(facts: bytes) -> int:
    """The move that these facts tell of, by its number; `NONE` where they begin with another command's."""
    kind = facts[0]
    if kind == FROM_HAND:
        return facts[2] << 5 | facts[3]
    if kind == FROM_SIDE:
        return SIDE + facts[5] << 5 | facts[3]
    if kind == FROM_PAYOFF:
        return (PAYOFF if facts[5] == facts[1] else PARTNER + facts[5]) << 5 | facts[3]
    if kind == DISCARDED:
        return facts[2] << 5 | STACKS | facts[3]
    return PASS if kind == PASSED else NONE
