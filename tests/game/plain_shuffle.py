"""The shuffle once more, from the text of the contract (section 4) and as plainly as it can be said.

It shares no line with `events.game.shuffle`: the tests hold one against the other.
"""

import hashlib
import hmac
from collections.abc import Sequence
from typing import Any

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"]
SUITS = ["c", "d", "h", "s"]


def plain_key(seed: bytes, entropies: Sequence[str]) -> bytes:
    """HMAC-SHA512(seed, the entropies joined by U+000A)."""
    joined = ""
    for index, entropy in enumerate(entropies):
        joined += ("\u000a" if index else "") + entropy
    return hmac.new(seed, joined.encode("utf-8"), hashlib.sha512).digest()


def plain_words(key: bytes, number: int, count: int) -> list[int]:
    """The first `count` 32-bit big-endian words of shuffle `number`'s stream."""
    stream = b""
    block = 0
    while len(stream) < 4 * count:
        stream += hmac.new(key, b"shuffle:%d:%d" % (number, block), hashlib.sha512).digest()
        block += 1
    return [
        stream[at] * 0x1000000 + stream[at + 1] * 0x10000 + stream[at + 2] * 0x100 + stream[at + 3]
        for at in range(0, 4 * count, 4)
    ]


def plain_order(card: str) -> tuple[int, int]:
    """By rank A..K, then suit c d h s, jokers last."""
    return (99, 0) if card == "**" else (RANKS.index(card[0]), SUITS.index(card[1]))


def plain_shuffle(key: bytes, number: int, items: Sequence[Any]) -> list[Any]:
    """For k = last … 1: swap k with a number below k + 1. The items are in their order already."""
    pile = list(items)
    words = plain_words(key, number, 2 * len(pile) + 100)
    for k in range(len(pile) - 1, 0, -1):
        m = k + 1
        while words[0] >= (4294967296 // m) * m:
            words.pop(0)
        j = words.pop(0) % m
        pile[k], pile[j] = pile[j], pile[k]
    return pile


def plain_card_shuffle(key: bytes, number: int, cards: Sequence[str]) -> list[str]:
    """The cards sorted, then shuffled: a pile, bottom first."""
    return plain_shuffle(key, number, sorted(cards, key=plain_order))
