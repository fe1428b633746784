"""What is done when a game has moved on? It is folded, its snapshot kept, and a bot rung whose turn it is.

Twice, late or at the same time as another: no difference. The due mark is cleared only when nothing is owed.
"""

from typing import Final

from events.game.state import Game
from events.log.store import Loaded, Store
from workers.queue import Wake

SNAPSHOT_EVERY: Final = 32
"""Commits between snapshots: what a cold load folds at the most, about half a millisecond's work."""


def fold_game(store: Store, game: str, ring: Wake) -> None:
    """Look after a game that is due. Raises `UnknownGame`, `Unreadable`, `StoreUnavailable`."""
    loaded = store.load(game)
    if bot_to_move(loaded.game):
        ring(game)
    else:
        settle(store, game, loaded)


def settle(store: Store, game: str, loaded: Loaded) -> None:
    """Nothing is owed to the game at this version: keep a snapshot when it is time, and clear the mark."""
    ended = loaded.game.result is not None
    if ended or loaded.version >= store.snapshot_version(game) + SNAPSHOT_EVERY:
        store.save_snapshot(game, loaded)
    store.settle(game, loaded.version)


def bot_to_move(game: Game) -> bool:
    """Is a bot's move owed?"""
    player = game.to_move
    return player is not None and player.kind == "bot"
