"""Which number is a card, and which a move? The two tables between the texts of contract, section 1, and numbers."""

from typing import Final

from events.game.cards import ALL_CARDS, JOKER, RANKS, SUITS, Card, Cards
from events.game.moves import MOVES, Discard, FromHand, FromPayoff, FromSide, Move, Pass, Play

WILD_KING: Final = 48
"""The first king: with kings wild, every card from here on is wild."""
JOKER_CODE: Final = 52
"""The joker, the highest card: numbers sort as shuffles begin (contract, section 4)."""
NONE: Final = -1
"""No card: the top of an empty payoff."""

CARDS: Final[Cards] = (
    *sorted((c for c in ALL_CARDS if c != JOKER), key=lambda c: (RANKS.index(c[0]), SUITS.index(c[1]))),
    JOKER,
)
"""A card's text by its number, `4 * (rank - 1) + suit`."""
CODES: Final[dict[Card, int]] = {card: code for code, card in enumerate(CARDS)}
"""A card's number by its text."""

SIDE: Final = 53
"""The source of a move is a hand card's number; from here on a side stack; then one's own payoff, then a partner's."""
PAYOFF: Final = 63
PARTNER: Final = 64
STACKS: Final = 16
"""The target of a move is a centre pile; from here on a side stack."""
PASS: Final = 75 << 5
"""The one move without source and target."""


def play(source: int, pile: int) -> int:
    """A card to a centre pile."""
    return source << 5 | pile


def discard(card: int, side: int) -> int:
    """A hand card onto one's own side stack."""
    return card << 5 | STACKS | side


def move_code(move: Move) -> int:
    """The number of a move: source times 32, plus target."""
    match move:
        case Play(FromHand(card), pile):
            return play(CODES[card], pile)
        case Play(FromSide(side), pile):
            return play(SIDE + side, pile)
        case Play(FromPayoff(None), pile):
            return play(PAYOFF, pile)
        case Play(FromPayoff(owner), pile):
            return play(PARTNER + (owner or 0), pile)
        case Discard(card, side):
            return discard(CODES[card], side)
        case Pass():
            return PASS
        case _:
            raise TypeError(f"{move!r} is no move")


MOVE_CODES: Final[dict[str, int]] = {text: move_code(move) for text, move in MOVES.items()}
"""A move's number by its text."""
MOVE_TEXTS: Final[dict[int, str]] = {code: text for text, code in MOVE_CODES.items()}
"""A move's text by its number."""
