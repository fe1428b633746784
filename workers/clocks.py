"""Whose time is over? The turn of a silent seat is ended or played for it, and a game that nobody moves in is ended.

The sweep finds the games (`events.log.clocks`); here each is looked at again, on its newest state: a move appended
meanwhile has moved the deadline, and one that comes in between makes a conflict, which is the end of it.
"""

from events.errors import Conflict
from events.game.commands import Abandon, ExpireClock, Forfeit
from events.log.store import Loaded, Store
from events.log.submit import advance
from workers.bots.registry import find
from workers.fold import Ring, fold_game
from workers.turn import command_of_bot


def keep_time(store: Store, game: str, ring: Ring, *, abandon_seconds: int) -> None:
    """Do what the game's clock asks for, if its time is over, and look after the game as after any commit.

    Raises `UnknownGame`, `Unreadable`, `StoreUnavailable`.
    """
    loaded = store.load(game)
    try:
        if loaded.game.result is None and loaded.clock is not None and store.clocks.is_over(game):
            end_turn(store, game, loaded)
        elif loaded.game.result is None and abandon_seconds and store.clocks.is_idle(game, abandon_seconds):
            advance(store, game, loaded, Abandon(), by="system")
        else:
            return
    except Conflict:
        return  # somebody was faster
    fold_game(store, game, ring)


def end_turn(store: Store, game: str, loaded: Loaded) -> None:
    """By the terms: the seat to move has lost, or its turn is played to the end as `greedy` would play it."""
    turn = loaded.game.turn
    if turn is None or loaded.clock is None:
        raise ValueError(f"no clock runs in game {game}")
    if loaded.clock.on_expiry == "forfeit":
        advance(store, game, loaded, ExpireClock(turn.seat), by="system")
        return
    while loaded.game.result is None and loaded.game.turn == turn:
        command = command_of_bot(find("greedy"), loaded.game, loaded.version, loaded.seed)
        if isinstance(command, Forfeit):  # a fault of the substitute is not the seat's own
            command = ExpireClock(turn.seat)
        loaded = advance(store, game, loaded, command, by="system")
