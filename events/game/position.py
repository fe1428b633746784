"""Can a game go on from here? A position is checked against the rules before it is set (contract, section 2).

It may hold any part of the pack and need not be reachable, but must not be won already and must leave a legal move.
"""

from collections import Counter
from collections.abc import Iterator

from msgspec.structs import asdict

from events.errors import BadPosition
from events.game.cards import RANK, Card, pack
from events.game.events import GameCreated, Position, PositionSet, SeatInfo
from events.game.evolve import fold
from events.game.legality import legal_moves
from events.game.rules import Rules
from events.game.state import Game
from events.game.views import bare_view


def check_position(rules: Rules, position: Position) -> None:
    """Raises `BadPosition` with a sentence that names the values."""
    _check_shape(rules, position)
    _check_cards(rules, position)
    _check_piles(rules, position)
    _check_turn(rules, position)
    seats = (SeatInfo(None, "human", None, ""),) * rules.seats
    game = fold([GameCreated("", rules, seats, "", None, None), PositionSet(**asdict(position))])
    if not legal_moves(bare_view(game, position.seat, name=None, version=0)):
        raise BadPosition(f"Seat {position.seat} is to move and has no legal move.")


def position_of(game: Game) -> Position:
    """The table as a position that a game can go on from: every card, hidden ones too, where it lies.

    Raises ValueError when nobody is to move.
    """
    if game.turn is None or game.result is not None:
        raise ValueError("nobody is to move")
    players = game.players
    return Position(
        payoffs=tuple(player.payoff for player in players),
        hands=tuple(player.hand for player in players),
        sides=tuple(player.sides for player in players),
        piles=game.piles,
        stock=game.stock,
        aside=game.aside,
        seat=game.turn.seat,
        turn=game.turn.number,
        passes=game.passes,
        resigned=tuple(seat for seat, player in enumerate(players) if player.resigned),
    )


def cards_of(position: Position) -> Iterator[Card]:
    """Every card that lies somewhere."""
    for piles in (position.payoffs, position.hands, position.piles, (position.stock, position.aside), *position.sides):
        for pile in piles:
            yield from pile


def _check_shape(rules: Rules, position: Position) -> None:
    for name in ("payoffs", "hands", "sides"):
        if len(getattr(position, name)) != rules.seats:
            raise BadPosition(f"{name} lists {len(getattr(position, name))} seats; the rules have {rules.seats}.")
    for seat, stacks in enumerate(position.sides):
        if len(stacks) != rules.side_stacks:
            raise BadPosition(f"Seat {seat} has {len(stacks)} side stacks; the rules have {rules.side_stacks}.")
    if len(position.piles) != rules.centre_piles:
        raise BadPosition(f"There are {len(position.piles)} centre piles; the rules have {rules.centre_piles}.")


def _check_cards(rules: Rules, position: Position) -> None:
    spare = Counter(pack(rules.decks, rules.jokers))
    spare.subtract(cards_of(position))
    for card, left in spare.items():
        if left < 0:
            raise BadPosition(f"There are {-left} more {card} than the pack of these rules has.")


def _check_piles(rules: Rules, position: Position) -> None:
    for number, pile in enumerate(position.piles):
        if len(pile) >= rules.top_rank:
            raise BadPosition(f"Centre pile {number} is complete; a complete pile never lies on the table.")
        for index, card in enumerate(pile):
            if not rules.is_wild(card) and RANK[card] != index + 1:
                raise BadPosition(
                    f"{card} cannot lie at index {index} of centre pile {number}: it is not of that rank."
                )


def _check_turn(rules: Rules, position: Position) -> None:
    if not 0 <= position.seat < rules.seats:
        raise BadPosition(f"Seat {position.seat} is to move; the seats are 0 to {rules.seats - 1}.")
    if not 1 <= position.turn <= rules.turn_limit:
        raise BadPosition(f"turn is {position.turn}; it can be 1 to {rules.turn_limit}.")
    left = set(position.resigned)
    if len(left) != len(position.resigned) or not left <= set(range(rules.seats)):
        raise BadPosition(
            f"resigned is {list(position.resigned)}; it names seats of 0 to {rules.seats - 1}, each once."
        )
    if position.seat in left:
        raise BadPosition(f"Seat {position.seat} is to move and has resigned.")
    playing = [party for party in rules.parties() if not left.issuperset(party)]
    if len(playing) < 2:
        raise BadPosition("Only one side is left: the game is won already.")
    if not 0 <= position.passes < rules.seats - len(left):
        raise BadPosition(f"passes is {position.passes}; with so many in a row the game is blocked already.")
    for party in rules.parties():
        empty = [not position.payoffs[seat] for seat in party]
        if all(empty) or (any(empty) and rules.team_win == "first"):
            raise BadPosition(f"The payoff of {' and '.join(f'seat {seat}' for seat in party)} is empty: won already.")
