"""How does a bot that a running service does not know play there? In workers of this command's own, beside the store.

Law kept: over HTTP only registered names are taken, never an import path. So the arena is begun in the store itself,
which takes the right to write there, and its lanes are rung on a queue that the service's workers do not listen to.
"""

import tempfile
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote

from celery import Celery

from events.errors import StoreUnavailable
from events.game.presets import resolve
from events.log.client import connect
from events.log.store import Store, utc_now
from services.cli.arena import by_path
from services.cli.serve import CannotServe
from services.cli.service import started, tell_forfeits
from services.client import Client, Refused
from services.own_bots import as_setting
from services.settings import Settings, broker_of
from workers.arena import ledger
from workers.arena.terms import Arena
from workers.queue import ARENA_LANE, celery_app, forget, send, waiting

LOOK_SECONDS = 1.0
"""How often lanes and workers are looked after."""
SETTLING_SECONDS = 5.0


@contextmanager
def private_arena(
    settings: Settings, client: Client, body: dict[str, Any], workers: int, say: Callable[[str], object]
) -> Generator[tuple[str, Callable[[], None]]]:
    """An arena that has begun, and who looks after its workers and lanes when called; the workers end with the context.

    `client` asks the service whose store it is. Raises `CannotServe` where that store is not to be reached.
    """
    url = _store_url(settings)
    broker_url = settings.broker_url or broker_of(url)
    store = Store(connect(url), shards=settings.shards, now=utc_now)
    bots = as_setting(dict.fromkeys([*settings.bots, *by_path(body["bots"])]))
    environ = {"MALICE_REDIS_URL": url, "MALICE_BROKER_URL": broker_url, "MALICE_BOTS": bots}
    arena = _begin(store, client, body)
    say("a bot here is not registered there: it plays in workers of this command's own")
    queue = celery_app(broker_url)
    looked = 0.0
    with tempfile.TemporaryFile() as output:
        words = ["worker", "--queue", arena.queue, "--name"]
        running = {name: started([*words, name], environ, output) for name in _names(workers)}

        def look_after() -> None:
            nonlocal looked
            if time.monotonic() < looked + LOOK_SECONDS:
                return
            looked = time.monotonic()
            for name, process in running.items():
                if process.poll() is not None:
                    running[name] = started([*words, name], environ, output)
            _ring(store, queue, arena)

        try:
            yield arena.arena, look_after
        finally:
            try:
                _settle(store, queue, arena)
            finally:
                for process in running.values():
                    process.terminate()
                for process in running.values():
                    process.wait()
                forget(queue, arena.queue)
                tell_forfeits(output, say)


def _ring(store: Store, queue: Celery, arena: Arena) -> None:
    """Ring for the lanes that nobody has, where fewer messages wait than those are."""
    idle = [lane for lane, taken in ledger.lanes_left(store, arena).items() if not taken]
    if waiting(queue, arena.queue) < len(idle):
        for lane in idle:
            send(queue, ARENA_LANE, arena.arena, lane, queue=arena.queue)


def _settle(store: Store, queue: Celery, arena: Arena) -> None:
    """Nobody else will play it on: it is cancelled if it has not ended, and its games in the midst are abandoned.

    The workers do that, in the lanes that they have, within moments; one that does not is waited for in vain.
    """
    if ledger.progress(store, arena.arena).ended_at is None:
        ledger.cancel(store, arena.arena)
        _ring(store, queue, arena)
    deadline = time.monotonic() + SETTLING_SECONDS
    while time.monotonic() < deadline:
        if not waiting(queue, arena.queue) and not any(ledger.lanes_left(store, arena).values()):
            break
        time.sleep(0.05)  # other processes work: there is no event to wait for


def _begin(store: Store, client: Client, body: dict[str, Any]) -> Arena:
    """The arena, which the service sees too: else its store is another one."""
    try:
        arena = ledger.start(
            store,
            tuple(body["bots"]),
            body["games"],
            resolve(body["rules"]),
            body["seed"],
            sprt=body["sprt"],
            private=True,
        )
    except StoreUnavailable as error:
        raise CannotServe(f"{_HINT} The store there does not answer: {error}") from error
    try:
        client.arena(arena.arena)
    except Refused:
        ledger.cancel(store, arena.arena)
        raise CannotServe(f"{_HINT} The store that is named is not that service's.") from None
    return arena


_HINT = (
    "A service runs at MALICE_URL and does not know a bot of this arena, which therefore plays in workers of this "
    "command's own; they need the service's store: name it in MALICE_REDIS_URL, or its directory in MALICE_DATA. Or "
    "play with --local."
)


def _store_url(settings: Settings) -> str:
    """The store that is named, or the one that a `malice up` over the same directory has."""
    if settings.redis_url is not None:
        return settings.redis_url
    place = settings.data / "store.sock"
    if not place.exists():
        raise CannotServe(f"{_HINT} There is no store in {settings.data}.")
    return f"unix://{quote(str(place))}"


def _names(workers: int) -> list[str]:
    return [f"own-{number}" for number in range(1, workers + 1)]
