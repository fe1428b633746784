"""How is the service started? `up` for everything on this machine; `api`, `worker` and `beat` for a part each.

Settings are read here, once, and passed down.
"""

import os
import signal
import socket
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from events.errors import MaliceError, StoreUnavailable
from services.settings import Settings, broker_of, describe, read_settings

Port = Annotated[int, typer.Option(min=0, max=65535, help="Port of the API; 0 takes a free one.")]
Host = Annotated[str, typer.Option(help="Address to bind; other than this machine's own needs keys or MALICE_OPEN=1.")]

LOOPBACK = ("127.0.0.1", "::1", "localhost")


class CannotServe(MaliceError):
    """Something about the start is not as it must be."""


def register(app: typer.Typer) -> None:
    """Add the commands."""
    settings_table = "\n\n".join(f"{name} ({default}): {about}" for name, default, about in describe())
    app.command(epilog=f"Settings are environment variables.\n\n{settings_table}")(up)
    app.command()(api)
    app.command()(worker)
    app.command()(beat)


def up(
    port: Port = 8000,
    host: Host = "127.0.0.1",
    data: Annotated[Path | None, typer.Option(help="Directory of the embedded store; MALICE_DATA.")] = None,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Worker processes.")] = 1,
) -> None:
    """Run everything on this machine: store, API, workers, sweep. Ctrl-C stops it."""
    from services import up as supervisor
    from services.embedded import EmbeddedStore

    settings = settings_here()
    if data is not None:
        settings = settings.model_copy(update={"data": data})
    check_binding(settings, host)
    port = port or _free_port(host)
    _check_port(host, port)
    store = EmbeddedStore(settings.data) if settings.redis_url is None else None
    store_url = settings.redis_url or (store.url if store else "")
    parts = supervisor.parts(
        settings,
        host=host,
        port=port,
        workers=workers,
        store_url=store_url,
        broker_url=settings.broker_url or broker_of(store_url),
    )
    raise typer.Exit(supervisor.run(parts, store, typer.echo))


def api(port: Port = 8000, host: Host = "127.0.0.1") -> None:
    """Run the HTTP API alone, on the store at MALICE_REDIS_URL."""
    from services import log_lines
    from services.api.server import serve

    settings = settings_here()
    log_lines.set_up()
    check_binding(settings, host)
    serve(
        settings, store_url=_store_url(settings), broker_url=_broker_url(settings), host=host, port=port, say=typer.echo
    )


def worker(
    name: Annotated[str, typer.Option(help="Name in the log.")] = "worker",
    queue: Annotated[str, typer.Option(help="Work on this arena's own queue alone.", hidden=True)] = "",
) -> None:
    """Run a worker alone: it folds games, plays bots and arenas."""
    import warnings

    from celery.apps.worker import Worker
    from celery.exceptions import CPendingDeprecationWarning, SecurityWarning
    from celery.signals import setup_logging

    from events.log.client import connect
    from events.log.store import Store, utc_now
    from services import log_lines
    from services.own_bots import roster_of
    from workers.queue import LEAGUE, QUEUES, celery_app
    from workers.tasks import register as register_tasks

    settings = settings_here()
    log_lines.set_up()
    setup_logging.connect(_leave_logging_alone)
    # Celery warns root of messages that run as code when read; here messages are JSON and nothing else is accepted.
    warnings.simplefilter("ignore", SecurityWarning)
    # It explains at each lost connection that late acknowledgement delivers twice, which is what is meant here.
    warnings.simplefilter("ignore", CPendingDeprecationWarning)
    app = celery_app(_broker_url(settings))
    store = Store(connect(_store_url(settings)), shards=settings.shards, now=utc_now)
    part = Worker(
        app=app,
        hostname=f"{name}@{socket.gethostname()}",
        queues=[queue] if queue else list(QUEUES),
        pool_cls="solo",
        loglevel="WARNING",
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
        quiet=True,
    )
    with roster_of(settings) as roster:
        # Whoever names a bot wants it played: a worker that cannot says so at once, and imports nothing in mid-game.
        for bot in settings.bots:
            roster.guests.about(bot.path)
        register_tasks(app, store, roster.find, abandon_seconds=settings.abandon_seconds, league=queue or LEAGUE)
        part.start()
    raise typer.Exit(part.exitcode or 0)


def beat() -> None:
    """Run the clock that sends the sweep, once a second. One is enough; two do no harm."""
    from celery.apps.beat import Beat
    from celery.signals import setup_logging

    from events.log.client import connect
    from events.log.clocks import Clocks
    from services import log_lines
    from workers.queue import celery_app

    settings = settings_here()
    log_lines.set_up()
    setup_logging.connect(_leave_logging_alone)
    app = celery_app(_broker_url(settings))
    # Before it, nobody swept: whoever is to move has a whole turn from here. A store that is away now is an outage that
    # the next sweep finds by itself.
    with suppress(StoreUnavailable):
        Clocks(connect(_store_url(settings))).restart()
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    Beat(app=app, scheduler_cls="workers.beat:SteadyScheduler", loglevel="WARNING", quiet=True).run()


def _leave_logging_alone(**_: object) -> None:
    """Connected to Celery's signal: with a receiver there, Celery sets up no logging of its own."""


def settings_here() -> Settings:
    """The settings of this process's environment; those that this version knows and cannot follow are refused."""
    settings = read_settings(os.environ)
    if settings.archive_url:
        raise CannotServe("MALICE_ARCHIVE_URL is set, and this version does not follow it yet: unset it.")
    return settings


def check_binding(settings: Settings, host: str) -> None:
    """Contract, section 8: without keys only this machine is served, unless MALICE_OPEN says that anybody may.

    Nor is a page of anywhere: it would act from this machine, and nobody who opened it would know.
    """
    if host not in LOOPBACK and settings.api_keys is None and not settings.open:
        raise CannotServe(
            f"Binding {host} lets others create games: set MALICE_API_KEYS, or MALICE_OPEN=1 to allow all."
        )
    if "*" in settings.cors_origins and settings.api_keys is None and not settings.open:
        raise CannotServe(
            "MALICE_CORS_ORIGINS=* lets every page that is opened on this machine create games: name the origins, set "
            "MALICE_API_KEYS, or MALICE_OPEN=1 to allow all."
        )


def _store_url(settings: Settings) -> str:
    if settings.redis_url is None:
        raise CannotServe("MALICE_REDIS_URL is not set: name the store, or run `malice up`, which brings its own.")
    return settings.redis_url


def _broker_url(settings: Settings) -> str:
    return settings.broker_url or broker_of(_store_url(settings))


def _check_port(host: str, port: int) -> None:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise CannotServe(f"Port {port} on {host} cannot be taken: {error.strerror}. Try --port.") from None


def _free_port(host: str) -> int:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.bind((host, 0))
        return probe.getsockname()[1]
