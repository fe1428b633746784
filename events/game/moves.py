"""How is a move written? `7h>c2`, `p>c0`, `p@2>c0`, `s1>c0`, `9c>s3`, `pass` (contract, section 1), and nothing else.

There are finitely many texts, so the notation is a table: reading a move is looking it up.
"""

from typing import Final, TypeAlias

import msgspec

from events.errors import Malformed
from events.game.cards import ALL_CARDS, Card
from events.game.rules import Seat

DIGITS: Final = range(10)
"""An index is one digit; whether the game has such a place is a matter of the rules."""


class FromHand(msgspec.Struct, frozen=True, gc=False):
    """A card of one's own hand."""

    card: Card


class FromPayoff(msgspec.Struct, frozen=True, gc=False):
    """The top of a payoff: one's own (`owner` null) or a partner's (R21)."""

    owner: Seat | None = None


class FromSide(msgspec.Struct, frozen=True, gc=False):
    """The top of one of one's own side stacks."""

    side: int


Source: TypeAlias = FromHand | FromPayoff | FromSide


class Play(msgspec.Struct, frozen=True, gc=False):
    """A card to a centre pile (R7)."""

    source: Source
    pile: int


class Discard(msgspec.Struct, frozen=True, gc=False):
    """A hand card onto one of one's own side stacks, which ends the turn (R14)."""

    card: Card
    side: int


class Pass(msgspec.Struct, frozen=True, gc=False):
    """The end of a turn without a discard (R16)."""


Move: TypeAlias = Play | Discard | Pass


def _notation() -> dict[str, Move]:
    sources: dict[str, Source] = {card: FromHand(card) for card in ALL_CARDS}
    sources["p"] = FromPayoff()
    sources |= {f"p@{seat}": FromPayoff(seat) for seat in DIGITS}
    sources |= {f"s{side}": FromSide(side) for side in DIGITS}
    moves: dict[str, Move] = {
        f"{text}>c{pile}": Play(source, pile) for text, source in sources.items() for pile in DIGITS
    }
    moves |= {f"{card}>s{side}": Discard(card, side) for card in ALL_CARDS for side in DIGITS}
    moves["pass"] = Pass()
    return moves


MOVES: Final = _notation()
"""Every well-formed text and its move."""
PATTERN: Final = r"^(([A2-9TJQK][cdhs]|\*\*)>[cs][0-9]|(p(@[0-9])?|s[0-9])>c[0-9]|pass)$"
"""The same as a regular expression."""
_TEXTS: Final = {move: text for text, move in MOVES.items()}


def parse_move(text: str) -> Move:
    """The move that this text writes. Raises `Malformed` for any other text."""
    try:
        return MOVES[text]
    except KeyError:
        shown = text if len(text) <= 40 else text[:40] + "…"
        raise Malformed(f"{shown!r} is no move; one is written 7h>c2, p>c0, p@2>c0, s1>c0, 9c>s3 or pass.") from None


def move_text(move: Move) -> str:
    """The one text of a move."""
    return _TEXTS[move]
