"""What can a message ask for? Five tasks, each a line that calls what does the work.

A store that is away ends a task with one line in the log: what was due stays due, and the sweep comes back to it.
"""

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial, wraps
from typing import Any, ParamSpec

import structlog
from celery import Celery

from events.errors import MaliceError, UnknownGame, Unreadable
from events.game.state import Game
from events.log.store import Store
from workers.arena.lane import Warm, play_lane
from workers.bot_turn import play_bots
from workers.clocks import keep_time
from workers.fold import fold_game, queue_of
from workers.queue import ARENA_LANE, BOT_TURN, CLOCKS, FOLD, KEEP_TIME, LEAGUE, SWEEP, People, send, waiting
from workers.sweep import sweep
from workers.turn import Find

P = ParamSpec("P")


def register(app: Celery, store: Store, find: Find, *, abandon_seconds: int = 0, league: str = LEAGUE) -> None:
    """Teach the application its tasks, over this store and these bots. `shared=False`: this application, no other.

    A game that nobody has moved in for `abandon_seconds` is ended; 0 for never. Lanes go on in the queue `league`.
    """
    wake = partial(send, app, FOLD)

    def ring_bot(game: str, table: Game) -> None:
        send(app, BOT_TURN, game, queue=queue_of(table))

    ring_clock = partial(send, app, KEEP_TIME, queue=CLOCKS)
    ring_lane = partial(send, app, ARENA_LANE, queue=league)
    warm, people = Warm(), People(app, time.monotonic)

    @app.task(name=FOLD, shared=False)
    @_told
    def fold(game: str) -> None:
        with _setting_aside(store, game):
            fold_game(store, game, ring_bot)

    @app.task(name=BOT_TURN, shared=False)
    @_told
    def bot_turn(game: str) -> None:
        with _setting_aside(store, game):
            play_bots(store, game, find, ring_bot, clock=time.monotonic)

    @app.task(name=SWEEP, shared=False)
    @_told
    def sweep_due() -> None:
        sweep(store, wake, ring_clock, ring_lane, partial(waiting, app), abandon_seconds=abandon_seconds)

    @app.task(name=KEEP_TIME, shared=False)
    @_told
    def keep_clock(game: str) -> None:
        with _setting_aside(store, game):
            keep_time(store, game, ring_bot, find, abandon_seconds=abandon_seconds)

    @app.task(name=ARENA_LANE, shared=False)
    @_told
    def arena_lane(arena: str, lane: int, lease: str | None = None) -> None:
        play_lane(store, arena, lane, lease, find, ring_lane, clock=time.monotonic, warm=warm, wanted=people.wait)


@contextmanager
def _setting_aside(store: Store, game: str) -> Generator[None]:
    """A game that is not there or cannot be read would be due for ever: it is put among the broken, and told once."""
    try:
        yield
    except (UnknownGame, Unreadable) as error:
        store.due.set_aside(game, str(error))
        raise


def _told(task: Callable[P, Any]) -> Callable[P, None]:
    """A task whose expected failures become a line in the log instead of a traceback and a retry."""

    @wraps(task)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            task(*args, **kwargs)
        except MaliceError as error:
            structlog.get_logger().warning(
                "task_ended",
                task=task.__name__,
                args=args,
                error=type(error).__name__,
                why=str(error.__cause__ or error),
            )

    return run
