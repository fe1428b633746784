"""How do the two representations meet? A table from a frozen game, and the game that a table has become."""

from msgspec.structs import replace

from events.game.cards import Cards
from events.game.deal import next_shuffle
from events.game.fast.codes import CARDS, CODES, NONE
from events.game.fast.dice import Dice
from events.game.fast.sight import knobs_of
from events.game.fast.table import Table
from events.game.state import Game, Turn


def table_of(game: Game, dice: Dice) -> Table:
    """The table of a game that has begun and goes on. Raises ValueError for another."""
    if game.turn is None or game.result is not None:
        raise ValueError("a table is of a game that goes on")
    table = Table(knobs_of(game.rules), dice)
    board = table.board
    for seat, player in enumerate(game.players):
        table.payoffs[seat] = _codes(player.payoff)
        table.hands[seat] += _codes(player.hand)  # the sight holds this very list
        board.tops[seat] = table.payoffs[seat][-1] if player.payoff else NONE
        board.lefts[seat] = len(player.payoff)
        board.hands[seat] = len(player.hand)
        board.sides[seat] = [_codes(stack) for stack in player.sides]
        board.resigned[seat] = player.resigned
    board.piles = [_codes(pile) for pile in game.piles]
    board.needs = [len(pile) for pile in game.piles]
    table.stock, table.aside = _codes(game.stock), _codes(game.aside)
    board.stock, board.aside = len(table.stock), len(table.aside)
    board.seat, board.turn = game.turn.seat, game.turn.number
    table.passes, table.shuffles = game.passes, next_shuffle(game)
    return table


def game_of(table: Table, began: Game) -> Game:
    """The game that `began` has become on this table, while it goes on."""
    board = table.board
    players = tuple(
        replace(
            player,
            payoff=_cards(table.payoffs[seat]),
            hand=_cards(table.hands[seat]),
            sides=tuple([_cards(stack) for stack in board.sides[seat]]),
            resigned=board.resigned[seat],
        )
        for seat, player in enumerate(began.players)
    )
    return replace(
        began,
        players=players,
        piles=tuple([_cards(pile) for pile in board.piles]),
        stock=_cards(table.stock),
        aside=_cards(table.aside),
        turn=Turn(board.seat, board.turn),
        passes=table.passes,
        # A starter drawn by lot took a shuffle that no event records.
        shuffles=table.shuffles - (began.rules.starter == "random" and began.start == "dealt"),
    )


def _codes(cards: Cards) -> list[int]:
    return [CODES[card] for card in cards]


def _cards(codes: list[int]) -> Cards:
    return tuple([CARDS[code] for code in codes])
