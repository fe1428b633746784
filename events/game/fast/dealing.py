"""How does a game begin, in numbers? A new table is dealt, and the seat that starts is found (`deal.deal`)."""

from events.game.deal import TIE_ROUNDS
from events.game.fast.facts import DEALT, RESHUFFLED, TURN
from events.game.fast.table import Table


def deal(table: Table) -> bytes:
    """Deal a new game on an empty table (R1-R5); its facts."""
    board, knobs = table.board, table.knobs
    cards = table.dice.shuffle(0, knobs.pack)
    table.shuffles = 1
    facts = [DEALT, knobs.seats]
    for seat in range(knobs.seats):
        table.payoffs[seat] = _dealt(cards, knobs.payoff)
        board.tops[seat] = table.payoffs[seat][-1]
        board.lefts[seat] = knobs.payoff
        facts += [knobs.payoff, *table.payoffs[seat]]
    for seat in range(knobs.seats):
        table.hands[seat] += _dealt(cards, knobs.hand)  # the sight holds this very list
        board.hands[seat] = knobs.hand
        facts += [knobs.hand, *table.hands[seat]]
    table.stock = cards
    board.stock = count = len(cards)
    facts += [count >> 8, count & 255, *cards]
    board.seat = _starter(table, facts)
    board.turn = 1
    facts += [TURN, board.seat, 0, 1]
    return bytes(facts)


def _starter(table: Table, facts: list[int]) -> int:
    """R4: the seat that starts; every tie reshuffles the tied payoffs, and only they are compared again."""
    board = table.board
    seats = list(range(table.knobs.seats))
    starter = table.knobs.rules.starter
    if starter == "random":
        seats = [table.dice.shuffle(table.shuffles, seats)[-1]]
        table.shuffles += 1
    elif starter != "first":
        for reshuffles in range(TIE_ROUNDS + 1):
            ranks = [board.tops[seat] >> 2 for seat in seats]
            best = max(ranks) if starter == "highest" else min(ranks)
            seats = [seat for seat in seats if board.tops[seat] >> 2 == best]
            if len(seats) == 1 or reshuffles == TIE_ROUNDS:
                break
            facts += [RESHUFFLED, len(seats)]
            for seat in seats:
                payoff = table.dice.shuffle(table.shuffles, table.payoffs[seat])
                table.shuffles += 1
                table.payoffs[seat] = payoff
                board.tops[seat] = payoff[-1]
                facts += [seat, len(payoff), *payoff]
    return seats[0]


def _dealt(cards: list[int], count: int) -> list[int]:
    """So many cards from the top, each laid on the pile."""
    pile = cards[-count:]
    pile.reverse()
    del cards[-count:]
    return pile
