"""What can a message ask for? Four tasks, each a line that calls what does the work.

A store that is away ends a task with one line in the log: what was due stays due, and the sweep comes back to it.
"""

import time
from collections.abc import Callable
from functools import partial, wraps
from typing import Any, ParamSpec

import structlog
from celery import Celery

from events.errors import MaliceError
from events.log.store import Store
from workers.arena.lane import play_lane
from workers.bot_turn import play_bots
from workers.fold import fold_game
from workers.queue import ARENA_LANE, BOT_TURN, FOLD, LEAGUE, SWEEP, send
from workers.sweep import sweep
from workers.turn import Find

P = ParamSpec("P")


def register(app: Celery, store: Store, find: Find) -> None:
    """Teach the application its tasks, over this store and these bots. `shared=False`: this application, no other."""
    wake = partial(send, app, FOLD)
    ring_bot = partial(send, app, BOT_TURN)
    ring_lane = partial(send, app, ARENA_LANE, queue=LEAGUE)

    @app.task(name=FOLD, shared=False)
    @_told
    def fold(game: str) -> None:
        fold_game(store, game, ring_bot)

    @app.task(name=BOT_TURN, shared=False)
    @_told
    def bot_turn(game: str) -> None:
        play_bots(store, game, find, ring_bot, clock=time.monotonic)

    @app.task(name=SWEEP, shared=False)
    @_told
    def sweep_due() -> None:
        sweep(store, wake, ring_lane)

    @app.task(name=ARENA_LANE, shared=False)
    @_told
    def arena_lane(arena: str, lane: int, lease: str | None = None) -> None:
        play_lane(store, arena, lane, lease, find, ring_lane, clock=time.monotonic)


def _told(task: Callable[P, Any]) -> Callable[P, None]:
    """A task whose expected failures become a line in the log instead of a traceback and a retry."""

    @wraps(task)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            task(*args, **kwargs)
        except MaliceError as error:
            structlog.get_logger().warning(
                "task_ended", task=task.__name__, args=args, error=type(error).__name__, why=str(error)
            )

    return run
