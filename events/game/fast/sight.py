"""What may a seat see, in numbers? `Sight`: a view that a table keeps up to date, and what is legal by it.

It holds what `views.View` holds, and can be made from one alone (`sight_of`): there is no way from a sight to a hidden
card. Bots read it and must not write to it. `legal` is `legality.legal_moves` over numbers, in the same order.
"""

from functools import lru_cache
from typing import Final

from events.game.fast.codes import CODES, JOKER_CODE, NONE, PARTNER, PASS, PAYOFF, SIDE, STACKS, WILD_KING
from events.game.rules import Rules
from events.game.views import View

_MUST_PLAY: Final = {"never": 0, "aces": 1, "aces_and_twos": 2, "always": 99}
_DISCARDS: Final[list[list[list[int]]]] = [
    [[card << 5 | STACKS | side for side in range(stacks)] for card in range(SIDE)] for stacks in range(STACKS)
]
"""By number of stacks and by card: its discards."""
_WILDS: Final[list[int]] = [2 ** (JOKER_CODE + 1) - 2**wild for wild in range(JOKER_CODE + 1)]
"""By the first wild card: a bit for every wild, at the card's number."""
_KEEP: Final = {"any": 0, "no_aces": 1, "no_wilds": 2}


class Knobs:
    """The rules that a move's legality and consequences ask for, as numbers."""

    def __init__(self, rules: Rules) -> None:
        self.rules: Rules = rules
        self.seats: int = rules.seats
        self.pack: list[int] = [card for card in range(JOKER_CODE) for _ in range(rules.decks)]
        """All cards, jokers last: as a shuffle begins with them."""
        self.pack += [JOKER_CODE] * rules.jokers
        self.payoff: int = rules.payoff
        self.hand: int = rules.hand
        self.top: int = rules.top_rank
        self.wild: int = WILD_KING if rules.wild is not None else JOKER_CODE
        """Cards from this number on are wild (R9)."""
        self.may_start: bool = bool(rules.wild_may_start)
        self.on_wild: bool = bool(rules.wild_on_wild)
        self.stacks: int = rules.side_stacks
        self.piles: int = rules.centre_piles
        self.must_play: int = _MUST_PLAY[rules.must_play]
        """Plays of cards up to this rank forbid the discard (R7); 99: of any."""
        self.keep: int = _KEEP[rules.discard]
        """0: any card may be discarded; 1: no ace, 2: no wild, unless the hand holds nothing else (R14)."""
        self.refill: bool = rules.refill
        self.aside: bool = rules.completed == "aside"
        """Do completed piles go aside, not into the stock? (R12)"""
        self.exhausts: bool = rules.exhaustion_at is not None
        self.exhausted_short: bool = rules.exhaustion_at == "short"
        """Exhausted when a draw falls short, not when no card is left (R18)."""
        self.turn_limit: int = rules.turn_limit
        self.parties: list[list[int]] = [list(rules.party(seat)) for seat in range(rules.seats)]
        """The seats that win with each seat (R21), itself among them."""
        self.partners: list[list[int]] = [[s for s in rules.party(seat) if s != seat] for seat in range(rules.seats)]


@lru_cache(maxsize=256)
def knobs_of(rules: Rules) -> Knobs:
    """The knobs of these rules, made once: nothing writes to them."""
    return Knobs(rules)


class Board:
    """What everybody sees of a table. Cards are numbers (`codes`), every list is bottom first."""

    def __init__(self, knobs: Knobs) -> None:
        seats = range(knobs.seats)
        self.tops: list[int] = [NONE for _ in seats]
        """The payoff tops by seat; `NONE` for an empty payoff."""
        self.lefts: list[int] = [0 for _ in seats]
        """The payoff cards left by seat."""
        self.hands: list[int] = [0 for _ in seats]
        """The hand cards by seat."""
        self.sides: list[list[list[int]]] = [[[] for _ in range(knobs.stacks)] for _ in seats]
        self.resigned: list[bool] = [False for _ in seats]
        self.piles: list[list[int]] = [[] for _ in range(knobs.piles)]
        self.needs: list[int] = [0 for _ in range(knobs.piles)]
        """How many cards each pile has: a card fits whose number, divided by four, is that (wilds aside)."""
        self.stock: int = 0
        self.aside: int = 0
        self.seat: int = 0
        """The seat to move."""
        self.turn: int = 0
        self.over: bool = False


class Sight:
    """A board, and one seat's own hand."""

    def __init__(self, knobs: Knobs, board: Board, seat: int, hand: list[int]) -> None:
        self.knobs: Knobs = knobs
        self.board: Board = board
        self.seat: int = seat
        self.hand: list[int] = hand
        """In the order dealt or drawn."""


def sight_of(view: View) -> Sight:
    """The sight that a seat's view tells. Raises ValueError for a spectator's view, or before the deal."""
    if view.seat is None or view.turn is None:
        raise ValueError("a sight is a seat's, in a game that has begun")
    knobs = knobs_of(view.rules)
    board = Board(knobs)
    for seat, seen in enumerate(view.seats):
        board.tops[seat] = NONE if seen.payoff.top is None else CODES[seen.payoff.top]
        board.lefts[seat] = seen.payoff.left
        board.hands[seat] = seen.hand
        board.sides[seat] = [[CODES[card] for card in stack] for stack in seen.sides]
        board.resigned[seat] = seen.resigned
    board.piles = [[CODES[card] for card in pile] for pile in view.piles]
    board.needs = [len(pile) for pile in view.piles]
    board.stock, board.aside = view.stock, view.aside
    board.seat, board.turn, board.over = view.turn.seat, view.turn.number, view.result is not None
    return Sight(knobs, board, view.seat, [CODES[card] for card in view.hand])


def fits(card: int, pile: list[int], knobs: Knobs) -> bool:
    """May this card go on this centre pile? (R8, R9; `legality.misfit`)"""
    if card < knobs.wild:
        return card >> 2 == len(pile)
    if not pile:
        return knobs.may_start
    return knobs.on_wild or pile[-1] < knobs.wild


def compelled(sight: Sight) -> bool:
    """Does a play exist that forbids the discard and the pass? (R7; `legality.compelled`)"""
    knobs, board = sight.knobs, sight.board
    most = knobs.must_play
    if most == 0:
        return False
    top = board.tops[sight.seat]
    if top != NONE and top >> 2 < most and _fits_somewhere(top, sight):
        return True
    for card in sight.hand:
        if card >> 2 < most and _fits_somewhere(card, sight):
            return True
    for stack in board.sides[sight.seat]:
        if stack and stack[-1] >> 2 < most and _fits_somewhere(stack[-1], sight):
            return True
    return False


def _fits_somewhere(card: int, sight: Sight) -> bool:
    if card < sight.knobs.wild:
        return card >> 2 in sight.board.needs
    return any(fits(card, pile, sight.knobs) for pile in sight.board.piles)


def may_discard(card: int, sight: Sight) -> bool:
    """May this hand card be discarded, compulsory play aside? (R14; `legality._keepsake`)"""
    knobs = sight.knobs
    if knobs.keep == 0:
        return True
    for other in sight.hand:
        if not (other < 4 if knobs.keep == 1 else other >= knobs.wild):
            return not (card < 4 if knobs.keep == 1 else card >= knobs.wild)
    return True


def may_pass(sight: Sight) -> bool:
    """R16, compulsory play aside."""
    if sight.hand:
        return False
    return not (sight.knobs.refill and sight.board.stock + sight.board.aside > 0)


def plays(sight: Sight) -> list[int]:
    """Every legal play as its number: from the hand, equal cards once, from side stacks, own payoff, partners'."""
    board, seat, wild = sight.board, sight.seat, sight.knobs.wild
    wanted = _WILDS[wild]
    for need in board.needs:
        wanted |= 15 << 4 * need
    seen = 0
    moves: list[int] = []
    for card in sight.hand:
        bit = 1 << card
        if wanted & bit and not seen & bit:
            _add_plays(card, card, sight, moves)
        seen |= bit
    source = SIDE
    for stack in board.sides[seat]:
        if stack:
            card = stack[-1]
            if wanted & 1 << card:
                _add_plays(card, source, sight, moves)
        source += 1
    card = board.tops[seat]
    if card != NONE and wanted & 1 << card:
        _add_plays(card, PAYOFF, sight, moves)
    for partner in sight.knobs.partners[seat]:
        card = board.tops[partner]
        if card != NONE and wanted & 1 << card:
            _add_plays(card, PARTNER + partner, sight, moves)
    return moves


def _add_plays(card: int, source: int, sight: Sight, moves: list[int]) -> None:
    move = source << 5
    for pile in sight.board.piles:
        if fits(card, pile, sight.knobs):
            moves.append(move)
        move += 1


def discards(sight: Sight) -> list[int]:
    """Every legal discard as its number, compulsory play aside: equal cards once."""
    moves: list[int] = []
    _add_discards(sight, moves)
    return moves


def _add_discards(sight: Sight, moves: list[int]) -> None:
    of_card = _DISCARDS[sight.knobs.stacks]
    limited = sight.knobs.keep != 0
    seen = 0
    for card in sight.hand:
        bit = 1 << card
        if not (seen & bit or (limited and not may_discard(card, sight))):
            moves += of_card[card]
        seen |= bit


def legal(sight: Sight) -> list[int]:
    """Every legal move as its number, in the order of `legality.legal_moves`; empty unless it is the seat's turn."""
    board = sight.board
    if board.over or board.seat != sight.seat:
        return []
    moves = plays(sight)
    if compelled(sight):
        return moves
    _add_discards(sight, moves)
    if may_pass(sight):
        moves.append(PASS)
    return moves
