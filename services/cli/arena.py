"""How does a league run from the terminal? Through the service, with a bar and a table; or `--local`, without any.

Without a service at MALICE_URL one is started for the arena and stopped after it. Where a service runs, a bot that is
named by its import path plays in workers of this command's own. The same bots, rules and seed give the same games
whichever way.
"""

import json
import secrets
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from events.errors import Malformed
from events.game.presets import resolve
from services.cli.serve import settings_here
from services.settings import NamedBot, Settings

if TYPE_CHECKING:
    from services.client import Client
    from workers.arena.report import Report
    from workers.arena.terms import Arena
    from workers.own_bots.roster import Roster

PATIENCE_SECONDS = 120.0
"""How long a service that was there may be away before the command gives up; the arena goes on without it."""
CANCELLING_SECONDS = 5.0
STANDARD_ERROR = 2
"""Where a bot prints that plays here: standard output is the table's."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(arena)


def arena(
    bots: Annotated[
        list[str],
        typer.Argument(help="Two or more bots: names (`malice bots`), or functions, as package.module:function."),
    ],
    games: Annotated[int | None, typer.Option(min=1, help="Games; default 100, with --sprt at most 20000.")] = None,
    rules: Annotated[str, typer.Option(help="A preset's name, or rules as JSON.")] = "gato-e-rato",
    seed: Annotated[str, typer.Option(help="Any text; the same seed gives the same games. Default: by chance.")] = "",
    sprt: Annotated[
        tuple[float, float] | None,
        typer.Option(metavar="ELO0 ELO1", help="End when the first bot is known to be ELO1 better, or not above ELO0."),
    ] = None,
    local: Annotated[bool, typer.Option("--local", help="In this process, without a service or a log.")] = False,
    processes: Annotated[int, typer.Option(min=1, max=256, help="Processes of --local, or workers started.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")] = False,
) -> None:
    """Let bots play each other over paired deals, and count."""
    from rich.console import Console

    from services.own_bots import roster_of
    from workers.arena.ledger import check_size
    from workers.arena.local import agreed
    from workers.arena.sprt import Sprt, check

    settings = settings_here()
    asked = asked_rules(rules)
    resolved = resolve(asked)
    seed = seed or secrets.token_hex(8)
    games = games or (20_000 if sprt else 100)
    check_size(bots, games, seed)
    test = None if sprt is None else Sprt(*sprt)
    if test is not None:
        check(test, bots, resolved)
    errors = Console(stderr=True)
    with roster_of(settings, by_path(bots), output=STANDARD_ERROR, tell=partial(_tell_forfeit, errors)) as roster:
        for name in dict.fromkeys(bots):
            _ = roster.find(name).about  # before any game: is it there, and can it be loaded?
        result = _local(errors, agreed(bots, games, resolved, seed, test), processes, roster) if local else None
    if result is None:
        body = {"bots": bots, "games": games, "rules": asked, "seed": seed, "sprt": test}
        result = _through_service(errors, settings, body, processes)
    if as_json:
        sys.stdout.write(msgspec.json.encode(result).decode() + "\n")
    else:
        from services.cli.tables import print_report

        print_report(Console(), result)
    if result["status"] != "ended":
        raise typer.Exit(1)


def by_path(bots: list[str]) -> tuple[NamedBot, ...]:
    """Those that are named by their import path. Raises `BadBot` for what looks like one and is none."""
    from workers.own_bots.naming import BadBot, is_path

    paths = tuple(dict.fromkeys(bot for bot in bots if ":" in bot))
    for path in paths:
        if not is_path(path):
            raise BadBot(f"{path[:80]!r} is not an import path such as mypackage.mybot:choose.")
    return tuple(NamedBot(path, path) for path in paths)


def _tell_forfeit(errors: Any, path: str, cause: str, why: str) -> None:
    from services.cli.errors import printable

    errors.print(printable(f"{path} forfeits ({cause}): {why}"), markup=False, highlight=False, soft_wrap=True)


def asked_rules(text: str) -> Any:
    """Rules as a request asks for them, from a preset's name or JSON. Raises `Malformed`."""
    if not text.startswith("{"):
        return text
    try:
        return json.loads(text)
    except ValueError as error:
        raise Malformed(f"--rules {text[:60]!r} is not JSON: {error}.") from None


def _local(errors: Any, spec: "Arena", processes: int, roster: "Roster") -> dict[str, Any]:
    from workers.arena.local import play_local
    from workers.arena.report import report
    from workers.arena.sprt import until_decided
    from workers.arena.terms import Progress

    began = monotonic()
    rows = []
    judged = None
    playing = play_local(spec.bots, spec.games, spec.rules, spec.seed, processes=processes, find=roster.find)
    with _bar(errors, spec.games) as show:
        for row, judged in until_decided(spec.sprt, spec.labels[0], playing):
            rows.append(row)
            show(len(rows), "" if judged is None else f"LLR {judged.llr:+.2f}")
    progress = Progress(status="ended", done=len(rows), started_at="", ended_at=None, judged=judged)
    return msgspec.to_builtins(report(spec, progress, rows, monotonic() - began, local=True))


def _through_service(errors: Any, settings: Settings, body: dict[str, Any], workers: int) -> dict[str, Any]:
    from services.cli.private import private_arena
    from services.cli.service import own_service, service_at

    def start(client: "Client") -> str:
        return client.start_arena(**body)

    own = by_path(body["bots"])
    with service_at(settings) as client:
        alive = client.alive()
        strangers = {bot.name for bot in own} - {bot.name for bot in client.bots()} if alive and own else set()
        if strangers:
            with private_arena(
                settings, client, body, workers, partial(errors.print, markup=False, soft_wrap=True)
            ) as (name, look_after):
                return _run(errors, settings, settings.url, body["games"], lambda _client: name, look_after)
    if alive:
        return _run(errors, settings, settings.url, body["games"], start)
    with own_service(settings, workers, partial(errors.print, markup=False, soft_wrap=True), own) as url:
        return _run(errors, settings, url, body["games"], start)


def _run(
    errors: Any,
    settings: Settings,
    url: str,
    games: int,
    start: "Callable[[Client], str]",
    look_after: Callable[[], object] = lambda: None,
) -> dict[str, Any]:
    """Begin an arena, and wait for its end; `look_after` is called now and then meanwhile."""
    from services.cli.service import service_at

    with _bar(errors, games) as show:

        def follow(report: "Report") -> None:
            show(report.done, _note(report))
            look_after()

        away = service_at(settings, url, patience=PATIENCE_SECONDS, on_wait=lambda *_: show(None, "service away"))
        with away as client:
            name = start(client)
            try:
                told = client.wait_for_arena(name, follow)
            except KeyboardInterrupt:
                errors.print("cancelled; what has been played stays")
                with service_at(settings, url, patience=CANCELLING_SECONDS) as other:
                    told = other.cancel_arena(name)
    return msgspec.to_builtins(told)


def _note(report: "Report") -> str:
    test = "" if report.sprt is None else f"LLR {report.sprt.llr:+.2f} of {report.sprt.upper:.2f}, "
    return f"{test}{report.moves_per_second:,.0f} moves/s"


@contextmanager
def _bar(console: Any, games: int) -> Generator[Any]:
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        BarColumn(None),
        MofNCompleteColumn(),
        TextColumn("{task.fields[note]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("games", total=games, note="")

        def show(done: int | None, note: str) -> None:
            progress.update(task, note=note, completed=done)

        yield show
