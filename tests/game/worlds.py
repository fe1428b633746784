"""Two worlds that look the same to somebody: how the tests find out that nothing hidden is ever told.

`other_world` lays every card that the viewer cannot know anew, at random, and touches nothing that is public.
"""

import random
from collections.abc import Callable, Iterable
from typing import TypeAlias

import msgspec

from events.errors import Rejected
from events.game.cards import Card, Cards
from events.game.decide import MakeMove, Resign, decide
from events.game.legality import view
from events.game.moves import MOVES
from events.game.rules import Seat
from events.game.state import Game
from events.game.views import Viewer, seen_by

Look: TypeAlias = Callable[[Game, Viewer], bytes]
"""What a viewer is shown of a game, as bytes."""


def honest(game: Game, viewer: Viewer) -> bytes:
    """The view as the service gives it."""
    return msgspec.json.encode(view(game, viewer, name="g", version=7))


def other_world(
    game: Game, viewer: Viewer, rng: random.Random, *, known: Iterable[Seat] = (), under: int = 0, drawn: int = 0
) -> Game:
    """The same public table with other hidden cards: those of other hands, payoffs below the tops, stock and aside.

    The hands of the seats `known` stay, and so do `under` payoff cards below each top (what a move may turn up) and the
    `drawn` cards on top of the stock.
    """
    kept = {viewer, *known}
    deep = max(len(game.stock) - drawn, 0)
    hidden: list[Card] = [*game.stock[:deep], *game.aside]
    for seat, player in enumerate(game.players):
        hidden += player.payoff[: max(len(player.payoff) - 1 - under, 0)]
        hidden += () if seat in kept else player.hand
    rng.shuffle(hidden)

    def lay(count: int) -> Cards:
        taken = tuple(hidden[:count])
        del hidden[:count]
        return taken

    players = tuple(
        msgspec.structs.replace(
            player,
            payoff=lay(below := max(len(player.payoff) - 1 - under, 0)) + player.payoff[below:],
            hand=player.hand if seat in kept else lay(len(player.hand)),
        )
        for seat, player in enumerate(game.players)
    )
    stock = lay(deep) + game.stock[deep:]
    return msgspec.structs.replace(game, players=players, stock=stock, aside=lay(len(game.aside)))


def answers(game: Game, seat: Seat, seed: bytes) -> list[tuple[str, object]]:
    """What each move that can be written comes to for this seat: the refusal in full, or that it is done."""
    told: list[tuple[str, object]] = []
    for text, move in MOVES.items():
        try:
            decide(MakeMove(seat, move), game, seed)
        except Rejected as refusal:
            told.append((text, (refusal.reason, str(refusal), refusal.legal)))
        else:
            told.append((text, "done"))
    return told


def resigning(game: Game, seat: Seat, viewer: Viewer, seed: bytes) -> bytes:
    """What a viewer sees when this seat resigns."""
    return msgspec.json.encode([seen_by(event, viewer) for event in decide(Resign(seat), game, seed)])


def same_in_both(game: Game, other: Game, viewer: Viewer, look: Look = honest) -> None:
    """Raises AssertionError when the viewer could tell the two worlds apart by what it is shown."""
    first, second = look(game, viewer), look(other, viewer)
    if first != second:
        raise AssertionError(f"viewer {viewer} can tell two worlds apart:\n  {first.decode()}\n  {second.decode()}")
