"""How does a bot move? A run of bot turns in one task: view, strategy, append, until a person is to move or time is up.

A conflict means that somebody was faster, and is the end of the run.
"""

from collections.abc import Callable
from typing import Final

from events.errors import Conflict
from events.log.store import Loaded, Store
from events.log.submit import advance
from workers.fold import Ring, bot_to_move, settle
from workers.turn import Find, Seated

RUN_MOVES: Final = 400
"""Moves a run makes at the most before it gives up its place: a game of two bots is about two hundred."""
RUN_SECONDS: Final = 0.5


def play_bots(store: Store, game: str, find: Find, ring: Ring, *, clock: Callable[[], float]) -> None:
    """Move the bots of a game; ring again when the run ends before they are through.

    Raises `UnknownGame`, `UnknownBot`, `Unreadable`, `StoreUnavailable`.
    """
    deadline = clock() + RUN_SECONDS
    loaded = store.load(game)
    try:
        loaded = run(store, game, loaded, find, lambda moves: moves < RUN_MOVES and clock() < deadline, mark=True)
    except Conflict:
        return
    if bot_to_move(loaded.game):
        ring(game, loaded.game)
    else:
        settle(store, game, loaded, ring)


def run(store: Store, game: str, loaded: Loaded, find: Find, may_go_on: Callable[[int], bool], *, mark: bool) -> Loaded:
    """The game after a run of bot moves, each in the log. `may_go_on` is asked before each, with the moves so far.

    Raises `Conflict`, `UnknownBot`, `StoreUnavailable`.
    """
    moves = 0
    with Seated(find) as bots:
        while bot_to_move(loaded.game) and may_go_on(moves):
            command = bots.command(loaded.game, loaded.version, loaded.seed)
            loaded = advance(store, game, loaded, command, by=f"bot:{command.seat}", mark=mark)
            moves += 1
    return loaded
