"""What is a card? A short text: rank `A23456789TJQK` and suit `cdhs`, or `**` for a joker (contract, section 1).

Two equal cards are interchangeable, so the text is all there is. `Card` is a `Literal`: a decoder that reads one has
checked it, and hands out the same interned string each time.
"""

from collections.abc import Iterable
from typing import Final, Literal, TypeAlias, get_args

Card: TypeAlias = Literal[
    "Ac", "2c", "3c", "4c", "5c", "6c", "7c", "8c", "9c", "Tc", "Jc", "Qc", "Kc",
    "Ad", "2d", "3d", "4d", "5d", "6d", "7d", "8d", "9d", "Td", "Jd", "Qd", "Kd",
    "Ah", "2h", "3h", "4h", "5h", "6h", "7h", "8h", "9h", "Th", "Jh", "Qh", "Kh",
    "As", "2s", "3s", "4s", "5s", "6s", "7s", "8s", "9s", "Ts", "Js", "Qs", "Ks",
    "**",
]  # fmt: skip
Cards: TypeAlias = tuple[Card, ...]
"""A pile or a hand: bottom first, top last; a hand in the order dealt or drawn."""

JOKER: Final = "**"
RANKS: Final = "A23456789TJQK"
SUITS: Final = "cdhs"
ALL_CARDS: Final[Cards] = get_args(Card)
RANK: Final[dict[Card, int]] = {card: 14 if card == JOKER else RANKS.index(card[0]) + 1 for card in ALL_CARDS}
"""A=1 … K=13; a joker counts 14 where tops are compared (R4)."""
_PLACE: Final[dict[Card, int]] = {card: RANK[card] * 5 + SUITS.find(card[1]) for card in ALL_CARDS}


def in_order(cards: Iterable[Card]) -> list[Card]:
    """Sorted by rank A..K, then suit c d h s, jokers last: where every shuffle starts (contract, section 4)."""
    return sorted(cards, key=_PLACE.__getitem__)


def pack(decks: int, jokers: int) -> list[Card]:
    """All cards of a game, in order (R1)."""
    suited: list[Card] = [card for card in ALL_CARDS if card != JOKER]
    wild: list[Card] = [JOKER]
    return in_order(suited * decks) + wild * jokers
