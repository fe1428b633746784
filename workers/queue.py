"""How does work wait for a worker? The Celery application, and the messages that wake it: ids, never state.

A message may be lost or doubled: the log is the outbox, and the sweep wakes again what is due.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, TypeAlias

from celery import Celery
from kombu.exceptions import OperationalError

from events.errors import StoreUnavailable

FOLD: Final = "malice.fold"
BOT_TURN: Final = "malice.bot_turn"
SWEEP: Final = "malice.sweep"
ARENA_LANE: Final = "malice.arena_lane"
KEEP_TIME: Final = "malice.keep_time"

SWEEPS: Final = "sweeps"
"""The queue of the sweep, taken up before all others: it is short, and what it mends must not wait behind a crowd."""
PEOPLE: Final = "people"
"""The queue of games that a person may be waiting in."""
CLOCKS: Final = "clocks"
"""The queue of games whose time is over, behind those that are played: ten thousand may be late at once."""
LEAGUE: Final = "league"
"""The queue of arenas and of games between bots, taken up when no person waits."""
QUEUES: Final = (SWEEPS, PEOPLE, CLOCKS, LEAGUE)
"""In the order in which a worker looks."""

SWEEP_SECONDS: Final = 1.0
ASK_SECONDS: Final = 0.02
"""How often a worker in the middle of a league looks whether people wait: so long may they."""

Wake: TypeAlias = Callable[[str], object]
"""Says that something has happened in a game."""


def celery_app(broker_url: str) -> Celery:
    """The application, without tasks yet: enough to send messages.

    Delivered at least once: acknowledged after the work, given to another worker 60 s after its own has died.
    """
    app = Celery("malice", broker=broker_url, set_as_current=False)
    app.conf.update(
        task_serializer="json",
        accept_content=["json"],
        task_ignore_result=True,
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        task_default_queue=PEOPLE,
        task_create_missing_queues=True,
        worker_prefetch_multiplier=1,
        worker_disable_prefetch=True,
        worker_hijack_root_logger=False,
        worker_enable_remote_control=False,
        worker_send_task_events=False,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_transport_options={
            "visibility_timeout": 60,
            "unacked_restore_interval": 5,
            "unacked_restore_throttle": 1,
            "queue_order_strategy": "priority",
            # A message that cannot be sent now is given up at once, not after seconds: the sweep makes it good.
            "max_retries": 1,
            "interval_start": 0,
            "interval_step": 0.05,
            "interval_max": 0.05,
            "socket_timeout": 5,
            "socket_connect_timeout": 5,
            "socket_keepalive": True,
        },
        beat_schedule={
            "sweep": {
                "task": SWEEP,
                "schedule": SWEEP_SECONDS,
                # Sweeps that waited for a worker are worth no more than one: old ones expire unread. A minute, because
                # the hour of birth is by another machine's clock.
                "options": {"queue": SWEEPS, "expires": 60.0},
            }
        },
    )
    return app


def send(app: Celery, task: str, *args: Any, queue: str = PEOPLE) -> bool:
    """Send a message; False when the broker cannot be reached, which the sweep makes good."""
    try:
        app.send_task(task, args=args, queue=queue, retry=False, ignore_result=True)
    except OperationalError:
        return False
    return True


def waiting(app: Celery, queue: str) -> int:
    """How many messages of a queue no worker has taken up yet. Raises `StoreUnavailable` when the broker is away."""
    try:
        with app.connection_for_write() as connection:
            try:
                return connection.default_channel.queue_declare(queue, passive=True).message_count
            except connection.channel_errors:
                return 0  # nobody has used it yet
    except OperationalError as error:
        raise StoreUnavailable("The broker does not answer.") from error


class People:
    """Does a person's game wait for a worker? For one that plays a league and looks up now and then."""

    def __init__(self, app: Celery, clock: Callable[[], float]) -> None:
        self._connection = app.connection_for_write()
        self._clock = clock
        self._asked = float("-inf")

    def wait(self) -> bool:
        """Is there a message of theirs? False too while the broker is away, or was asked a moment ago."""
        if self._clock() < self._asked + ASK_SECONDS:
            return False
        self._asked = self._clock()
        try:
            return self._connection.default_channel.queue_declare(PEOPLE, passive=True).message_count > 0
        except self._connection.channel_errors:
            return False  # nobody has used it yet
        except (OperationalError, *self._connection.connection_errors):
            self._connection.close()
            return False


def forget(app: Celery, queue: str) -> None:
    """Take away a queue that nobody works on any more, with the messages in it. A broker that is away keeps it."""
    with suppress(OperationalError), app.connection_for_write() as connection:
        mine = app.amqp.queues[queue](connection.default_channel)
        mine.declare()  # kombu takes away what its own connection has made
        mine.delete()
