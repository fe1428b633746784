"""How are cards shuffled so that anybody can check it? The algorithm of contract, section 4, and nothing else.

The seed is secret until the end; its hash (`commitment`) is public from the start. Who knows the seed and the seats'
entropies can repeat every shuffle.
"""

import hashlib
import hmac
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Final, Protocol, TypeVar

import msgspec

from events.errors import Malformed
from events.game.cards import Card, Cards, in_order

T = TypeVar("T")

SEED_BYTES: Final = 64
ENTROPY_LENGTH: Final = 128
_WORDS: Final = 2**32


class Dice(Protocol):
    """Where a decision takes chance from: the game's seed, or, without it, what a log has recorded of it."""

    def commitment(self) -> str:
        """The public promise of the seed."""
        ...

    def reveal(self) -> str:
        """The seed in hex, for the end of the game."""
        ...

    def shuffle(self, entropies: Sequence[str], number: int, cards: Sequence[Card]) -> Cards:
        """Shuffle `number` of these cards, bottom first."""
        ...

    def lot(self, entropies: Sequence[str], number: int, seats: Sequence[int]) -> int:
        """The seat that starts by lot."""
        ...


class SeededDice(msgspec.Struct, frozen=True):
    """Chance as the contract computes it."""

    seed: bytes

    def commitment(self) -> str:
        return commitment(self.seed)

    def reveal(self) -> str:
        return self.seed.hex()

    def shuffle(self, entropies: Sequence[str], number: int, cards: Sequence[Card]) -> Cards:
        return shuffled(game_key(self.seed, entropies), number, cards)

    def lot(self, entropies: Sequence[str], number: int, seats: Sequence[int]) -> int:
        return permuted(game_key(self.seed, entropies), number, seats)[-1]


def commitment(seed: bytes) -> str:
    """The hex SHA-256 of the seed, public from the first event."""
    return hashlib.sha256(seed).hexdigest()


def check_entropy(text: str) -> None:
    """Raises `Malformed` for what no seat may add to the seed: over 128 characters, or a control character."""
    if len(text) > ENTROPY_LENGTH:
        raise Malformed(f"The entropy has {len(text)} characters; it may have {ENTROPY_LENGTH}.")
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in text):
        raise Malformed(f"The entropy {text!r} holds a control character.")


def game_key(seed: bytes, entropies: Sequence[str]) -> bytes:
    """What all shuffles of a game are drawn from: 64 bytes. `entropies` in seat order, "" for none."""
    return _hmac(seed, "\n".join(entropies))


def deal_seed(text: str, deal: int) -> bytes:
    """The seed of the n-th deal (from 0) of an arena or a match that was given `text` as its seed: 64 bytes."""
    return _hmac(text.encode(), f"game:{deal}")


def bot_seed(key: bytes, seat: int, version: int) -> bytes:
    """What a bot's dice are seeded with when it moves at this version: 64 bytes."""
    return _hmac(key, f"bot:{seat}:{version}")


def shuffled(key: bytes, number: int, cards: Sequence[Card]) -> Cards:
    """Shuffle `number` of these cards: a pile, bottom first. The order they come in makes no difference."""
    return tuple(permuted(key, number, in_order(cards)))


def permuted(key: bytes, number: int, items: Sequence[T]) -> list[T]:
    """Fisher-Yates over items that are in their order already, from the last down."""
    pile = list(items)
    words = _words(key, number)
    for last in range(len(pile) - 1, 0, -1):
        other = _below(last + 1, words)
        pile[last], pile[other] = pile[other], pile[last]
    return pile


def _below(limit: int, words: Iterator[int]) -> int:
    fair = _WORDS // limit * limit
    return next(word for word in words if word < fair) % limit


def _words(key: bytes, number: int) -> Iterator[int]:
    for block in count():
        digest = _hmac(key, f"shuffle:{number}:{block}")
        yield from (int.from_bytes(digest[at : at + 4], "big") for at in range(0, len(digest), 4))


def _hmac(key: bytes, message: str) -> bytes:
    return hmac.digest(key, message.encode(), "sha512")
