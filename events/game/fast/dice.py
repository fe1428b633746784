"""Where does a table take chance from? The contract's shuffle over numbers, or what a log has recorded of it.

The same shuffle as `events.game.shuffle`, word for word (contract, section 4), proved equal by a test. HMAC-SHA512 is
taken apart here: the key's two pads are hashed once a game, which saves half of the work of each block (RFC 2104).
"""

import hashlib
from collections.abc import Callable, Sequence
from functools import partial
from struct import unpack
from typing import Any, Final

from events.game.fast.facts import SHUFFLED, size_of
from events.game.shuffle import game_key

_BLOCK: Final = 128
"""Bytes of a block of SHA-512."""
_INNER: Final = bytes([byte ^ 0x36 for byte in range(256)])
_OUTER: Final = bytes([byte ^ 0x5C for byte in range(256)])
_WORDS: Final = 16
"""Words of a block of the stream."""
_FAIR: Final[list[int]] = [2**32] + [2**32 // limit * limit for limit in range(1, 512)]
"""By limit: words from here on are left out, so that each number below the limit is as likely."""
_LARGE: Final = b"\xff\xff"
"""A word that does not begin so is below every one of them."""


class Dice:
    """Chance for one game; what is here is for a game that has none left."""

    def shuffle(self, number: int, cards: list[int]) -> list[int]:
        """Shuffle `number` of these cards, bottom first."""
        raise ValueError(f"nothing tells shuffle {number} of {len(cards)} cards")

    def reveal(self) -> bytes:
        """The seed, for the end of the game."""
        raise ValueError("nothing tells the seed")


class SeededDice(Dice):
    """Chance as the contract computes it from the game's seed and the seats' entropies, in seat order."""

    def __init__(self, seed: bytes, entropies: Sequence[str]) -> None:
        self.seed: bytes = seed
        self.key: bytes = game_key(seed, entropies)
        padded = self.key.ljust(_BLOCK, b"\0")
        self._inner: Any = hashlib.sha512(padded.translate(_INNER))
        self._outer: Any = hashlib.sha512(padded.translate(_OUTER))

    def reveal(self) -> bytes:
        return self.seed

    def hmac(self, message: bytes) -> bytes:
        """HMAC-SHA512 under the game's key."""
        inner = self._inner.copy()
        inner.update(message)
        outer = self._outer.copy()
        outer.update(inner.digest())
        return outer.digest()

    def bot_seed(self, seat: int, version: int) -> bytes:
        """What the dice of the bot at a seat are made from, with so many commits before (contract, section 4)."""
        return self.hmac(b"bot:%d:%d" % (seat, version))

    def shuffle(self, number: int, cards: list[int]) -> list[int]:
        return shuffled(cards, partial(self._blocks, b"shuffle:%d:" % number))

    def _blocks(self, name: bytes, first: int, count: int) -> bytes:
        return b"".join([self.hmac(name + b"%d" % block) for block in range(first, first + count)])


def shuffled(cards: list[int], stream: Callable[[int, int], bytes]) -> list[int]:
    """The contract's shuffle, from a stream of blocks of 64 bytes; it is asked for so many from a first one on."""
    pile = sorted(cards)
    last = len(pile) - 1
    if last < 1:
        return pile
    blocks = (last + _WORDS - 1) // _WORDS
    drawn = stream(0, blocks)
    words: list[int] = list(unpack(f">{_WORDS * blocks}I", drawn))
    if _LARGE in drawn:
        words = _fair(stream, words, last)
    for word in words:
        other = word % (last + 1)
        card = pile[last]
        pile[last] = pile[other]
        pile[other] = card
        last -= 1
        if last == 0:
            break
    return pile


def _fair(stream: Callable[[int, int], bytes], words: list[int], last: int) -> list[int]:
    """The words that are not left out: each is tried on the limit that it would be used for."""
    kept: list[int] = []
    block = len(words) // _WORDS
    while last > 0:
        if not words:
            words = list(unpack(f">{_WORDS}I", stream(block, 1)))
            block += 1
        word = words.pop(0)
        if word < _FAIR[last + 1]:
            kept.append(word)
            last -= 1
    return kept


class RecordedDice(Dice):
    """Chance as a commit has recorded it, for a game whose seed is not known. A shuffle must keep its cards."""

    def __init__(self) -> None:
        self.facts: bytes = b""
        """Of the commit in hand."""

    def shuffle(self, number: int, cards: list[int]) -> list[int]:
        at = 0
        while self.facts[at] != SHUFFLED:
            at += size_of(self.facts, at)
        pile = list(self.facts[at + 5 : at + size_of(self.facts, at)])
        if sorted(pile) != sorted(cards):
            raise ValueError(f"shuffle {number} does not hold the cards that were shuffled")
        return pile
