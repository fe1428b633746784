"""Whose time is over? The turn of a silent seat is ended or played for it, and a game that nobody moves in is ended.

The sweep finds the games (`events.log.clocks`); here each is looked at again, on its newest state: a move appended
meanwhile has moved the deadline, and one that comes in between makes a conflict, which is the end of it.
"""

from contextlib import suppress

from events.errors import Conflict
from events.game.commands import Abandon, ExpireClock, Forfeit
from events.log.store import Loaded, Store
from events.log.submit import advance
from workers.bot_turn import run
from workers.bots.registry import BOTS, UnknownBot
from workers.fold import Ring, bot_to_move, fold_game
from workers.turn import Find, command_of_bot


def keep_time(store: Store, game: str, ring: Ring, find: Find, *, abandon_seconds: int) -> None:
    """Do what the game's clock asks for, if its time is over, and look after the game as after any commit.

    Raises `UnknownGame`, `Unreadable`, `StoreUnavailable`.
    """
    loaded = store.load(game)
    try:
        if loaded.game.result is None and loaded.clock is not None and store.clocks.is_over(game):
            end_turn(store, game, loaded, find)
        elif loaded.game.result is None and abandon_seconds and store.clocks.is_idle(game, abandon_seconds):
            advance(store, game, loaded, Abandon(), by="system")
        else:
            return
    except Conflict:
        return  # somebody was faster
    fold_game(store, game, ring)


def end_turn(store: Store, game: str, loaded: Loaded, find: Find) -> None:
    """By the terms: the seat to move has lost, or its turn is played to the end as `greedy` would play it.

    A bot that this process has was kept waiting by busy workers, not slow: it moves by itself now.
    """
    turn, clock = loaded.game.turn, loaded.clock
    if turn is None or clock is None:
        raise ValueError(f"no clock runs in game {game}")
    if bot_to_move(loaded.game):
        with suppress(UnknownBot):
            while loaded.game.result is None and loaded.game.turn == turn:
                loaded = run(store, game, loaded, find, lambda moves: moves == 0, mark=True)
            return
    if clock.on_expiry == "forfeit":
        advance(store, game, loaded, ExpireClock(turn.seat), by="system")
        return
    while loaded.game.result is None and loaded.game.turn == turn:
        command = command_of_bot(BOTS["greedy"], loaded.game, loaded.version, loaded.seed)
        if isinstance(command, Forfeit):  # a fault of the substitute is not the seat's own
            command = ExpireClock(turn.seat)
        loaded = advance(store, game, loaded, command, by="system")
