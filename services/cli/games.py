"""Which games are there? `malice games`: those that anybody may watch, newest first, or those of an arena."""

import os
import sys
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import typer

from services.cli.errors import printable

if TYPE_CHECKING:
    from services.api.schemas import GameList, ListedGame, ListedSeat
    from services.client import Client

PAGE: Final = 100
"""What the service gives at once."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(games)


def games(
    status: Annotated[
        Literal["open", "playing", "ended"] | None, typer.Option(help="Only these; open: with a seat to take.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="At most so many.")] = 20,
    arena: Annotated[str | None, typer.Option(metavar="ID", help="The games of this arena.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")] = False,
) -> None:
    """List the games of the service, newest first."""
    import msgspec

    from services.cli.service import service_at
    from services.settings import read_settings

    with service_at(read_settings(os.environ)) as client:
        found = _found(client, limit, {"status": status, "arena": arena})
    if as_json:
        sys.stdout.write(msgspec.json.encode(found).decode() + "\n")
    elif found.games:
        _print(found)
    else:
        typer.echo("There are no such games." if status or arena else "There are no games.")


def _found(client: "Client", limit: int, asked: dict[str, Any]) -> "GameList":
    """So many games, page by page."""
    from services.api.schemas import GameList

    page = client.games(limit=min(limit, PAGE), **asked)
    lines = list(page.games)
    while page.next is not None and len(lines) < limit:
        page = client.games(limit=min(limit - len(lines), PAGE), cursor=page.next, **asked)
        lines += page.games
    return GameList(tuple(lines), page.next)


def _print(found: "GameList") -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column("game", no_wrap=True)
    table.add_column("created", no_wrap=True)
    for head in ("stands", "rules", "seats"):
        table.add_column(head, overflow="fold")
    for line in found.games:
        created = line.created_at[:16].replace("T", " ")
        rules = line.rules if isinstance(line.rules, str) else "own rules"
        cells = (line.game, created, _stands(line), rules, ", ".join(map(_seat, line.seats)))
        table.add_row(*(Text(printable(cell)) for cell in cells))
    Console().print(table)


def _stands(line: "ListedGame") -> str:
    if line.result is None:
        return "open" if line.status == "open" else f"version {line.version}"
    if line.result.result != "won":
        return line.result.result
    return f"won by {' and '.join(map(str, line.result.winners))}"


def _seat(seat: "ListedSeat") -> str:
    if seat.kind == "open":
        return "(open)"
    return f"{seat.name} ({seat.bot})" if seat.bot is not None and seat.bot != seat.name else str(seat.name)
