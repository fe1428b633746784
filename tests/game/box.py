"""How do the tests write cards, and where do those come from that a position does not name?"""

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from events.game.cards import ALL_CARDS, RANK, RANKS, Card, Cards, pack
from events.game.rules import Rules

Pile: TypeAlias = str | Sequence[str]
"""Cards as text, bottom first: `"Qh 2c"`, a run `"A-J"` (clubs) or `"A-Jd"`, both mixed `"A-4 Kh"`, or a list."""


def cards(text: Pile) -> Cards:
    """The cards of a text or list, runs written out."""
    words = text.split() if isinstance(text, str) else text
    return tuple(card for word in words for card in _written(word))


def _written(word: str) -> Sequence[Card]:
    if word in ALL_CARDS:
        return [ALL_CARDS[ALL_CARDS.index(word)]]
    low, dash, high = word.partition("-")
    if not dash or low not in RANKS or high[:1] not in RANKS or len(high) > 2:
        raise AssertionError(f"{word!r} is neither a card nor a run such as A-J or A-Jd")
    suit = high[1:] or "c"
    return [ALL_CARDS[ALL_CARDS.index(f"{rank}{suit}")] for rank in RANKS[RANKS.index(low) : RANKS.index(high[0]) + 1]]


class Box:
    """The cards that the position does not name: those that fit nowhere come out first."""

    def __init__(self, rules: Rules, named: Iterable[Card], piles: Sequence[Cards]) -> None:
        needs = {len(pile) + 1 for pile in piles}
        left = sorted((Counter(pack(rules.decks, rules.jokers)) - Counter(named)).elements())
        random.Random(0).shuffle(left)
        self.cards = sorted(left, key=lambda card: rules.is_wild(card) or RANK[card] in needs)

    def take(self, count: int) -> Cards:
        taken, self.cards = self.cards[:count], self.cards[count:]
        assert len(taken) == count, "the pack has not so many cards"
        return tuple(taken)
