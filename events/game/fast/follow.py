"""What does a fact change, in numbers? `evolve` of the facts of moves: it only records, and asks no rule.

Equal to the reference on every commit of every walk (`tests/game/in_numbers.py`).
"""

from events.game.fast.codes import NONE
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
from events.game.fast.table import Table


def follow(table: Table, facts: bytes) -> bool:
    """Record these facts of a move, whatever the rules say (`evolve`); True for the last of a game.

    Raises ValueError or IndexError where they cannot be: then the table is of no use any more.
    """
    board = table.board
    at = 0
    through = 0
    end = len(facts)
    while at < end:
        kind = facts[at]
        seat = facts[at + 1]
        if kind <= FROM_PAYOFF:
            card = facts[at + 2]
            place = facts[at + 3 : at + 5]
            if kind == FROM_HAND:
                table.hands[seat].remove(card)
                board.hands[seat] -= 1
                at += 5
            elif kind == FROM_SIDE:
                if board.sides[seat][facts[at + 5]].pop() != card:
                    raise ValueError("the card played is not on top")
                at += 6
            elif kind == FROM_PAYOFF:
                if table.turn_up(facts[at + 5]) != card:
                    raise ValueError("the card played is not on top")
                if board.tops[facts[at + 5]] != (NONE if facts[at + 6] == NULL else facts[at + 6]):
                    raise ValueError("another card is turned up")
                at += 7
            else:
                raise ValueError(f"{kind} is no fact of a move")
            pile = place[0]
            board.piles[pile].append(card)
            board.needs[pile] += 1
            if board.needs[pile] != place[1]:
                raise ValueError(f"no card lies as rank {place[1]} on centre pile {pile}")
            table.passes = 0
        elif kind == DISCARDED:
            table.hands[seat].remove(facts[at + 2])
            board.hands[seat] -= 1
            board.sides[seat][facts[at + 3]].append(facts[at + 2])
            table.passes = 0
            at += 4
        elif kind == TURN:
            board.seat = seat
            board.turn = facts[at + 2] << 8 | facts[at + 3]
            at += 4
        elif kind == DREW:
            count = facts[at + 2]
            if count > board.stock or list(facts[at + 3 : at + 3 + count]) != table.stock[: -count - 1 : -1]:
                raise ValueError(f"the cards drawn by seat {seat} are not the top of the stock")
            table.take(seat, count, [])
            at += 3 + count
        elif kind == COMPLETED:
            count = facts[at + 3]
            through = 0 if facts[at + 2] else count
            cards = board.piles[seat]
            if list(facts[at + 4 : at + 4 + count]) != cards:
                raise ValueError(f"the cards completed are not those of centre pile {seat}")
            board.piles[seat] = []
            board.needs[seat] = 0
            if facts[at + 2]:
                table.aside += cards
                board.aside += count
            at += 4 + count
        elif kind == SHUFFLED:
            count = facts[at + 3] << 8 | facts[at + 4]
            table.stock = list(facts[at + 5 : at + 5 + count])
            board.stock = count
            # A pile that has just gone to the stock lay aside for no moment.
            back = (facts[at + 1] << 8 | facts[at + 2]) - through
            if back > 0:
                del table.aside[-back:]
                board.aside = len(table.aside)
            table.shuffles += 1
            at += 5 + count
        elif kind == PASSED:
            table.passes += 1
            at += 2
        elif kind == ENDED:
            board.over = True
            return True
        else:
            raise ValueError(f"{kind} is no fact of a move")
    return False
