"""With whose eyes is a game looked at? A seat's, a spectator's, or, once nothing is hidden, those that see all cards.

Law kept: views are built from what their seat may know. The API and the replay in a terminal look through here.
"""

from typing import Literal, TypeAlias

import msgspec

from events.game.cards import Cards
from events.game.legality import view
from events.game.state import Game
from events.game.views import Clock, View, Viewer

Eyes: TypeAlias = Viewer | Literal["all"]
"""A seat's, a spectator's (None), or those of somebody who sees all cards."""


class AllCards(msgspec.Struct, frozen=True):
    """What a view hides, of a game that has nothing left to hide."""

    payoffs: tuple[Cards, ...]
    hands: tuple[Cards, ...]
    stock: Cards
    aside: Cards


class OpenView(View, frozen=True, kw_only=True):
    """A spectator's view, and all the cards."""

    cards: AllCards


def seen_with(eyes: Eyes, game: Game, *, name: str, version: int, clock: Clock | None = None) -> View:
    """The table as these eyes see it; an `OpenView` for "all". `name` is the game's id."""
    if eyes != "all":
        return view(game, eyes, name=name, version=version, clock=clock)
    cards = AllCards(
        payoffs=tuple(player.payoff for player in game.players),
        hands=tuple(player.hand for player in game.players),
        stock=game.stock,
        aside=game.aside,
    )
    return OpenView(**msgspec.structs.asdict(view(game, None, name=name, version=version, clock=clock)), cards=cards)
