"""What is done when a game has moved on? It is folded, its snapshot kept, and a bot rung whose turn it is.

Twice, late or at the same time as another: no difference. The due mark is cleared only when nothing is owed.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

from events.game.state import Game
from events.log.store import Loaded, Store
from workers.matches import go_on_after
from workers.queue import LEAGUE, PEOPLE

SNAPSHOT_EVERY: Final = 32
"""Commits between snapshots: what a cold load folds at the most."""


Ring: TypeAlias = Callable[[str, Game], object]
"""Says that a bot's move is owed in a game, which looks like this."""


def fold_game(store: Store, game: str, ring: Ring) -> None:
    """Look after a game that is due. Raises `UnknownGame`, `Unreadable`, `StoreUnavailable`."""
    loaded = store.load(game)
    if bot_to_move(loaded.game):
        ring(game, loaded.game)
    else:
        settle(store, game, loaded, ring)


def queue_of(game: Game) -> str:
    """Where a game's bots wait for a worker: no person waits behind games that nobody plays in."""
    return PEOPLE if game.has_people() else LEAGUE


def settle(store: Store, game: str, loaded: Loaded, ring: Ring) -> None:
    """Nothing is owed to the game at this version: keep a snapshot when it is time, and clear the mark.

    The match of a game that has ended goes on first: the mark outlives a crash in between.
    """
    ended = loaded.game.result is not None
    if ended or loaded.version >= store.snapshot_version(game) + SNAPSHOT_EVERY:
        store.save_snapshot(game, loaded)
    next_game = go_on_after(store, game, loaded)
    store.due.settle(game, loaded.version)
    if next_game is not None:
        fold_game(store, next_game, ring)


def bot_to_move(game: Game) -> bool:
    """Is a bot's move owed?"""
    player = game.to_move
    return player is not None and player.kind == "bot"
