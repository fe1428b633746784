"""Is this log true, and how do I get it out and in? `malice verify`, `malice export` and `malice import`.

Law kept: verifying trusts nobody. The log file is fetched whole and judged here, never by the service it came from; and
a service that a log is sent to judges it by itself.
"""

import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from events.errors import MaliceError, UnknownGame, Unreadable
from services.cli.errors import DONE, NO, Misused, complain, exit_code, printable
from services.cli.source import STDIN, fetch, is_asked_for, read_file, read_source

if TYPE_CHECKING:
    from events.log.verdicts import MatchVerification, Verification
    from events.log.verify_match import LogOf
    from services.client import Client


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(verify)
    app.command()(export)
    app.command("import")(import_)


def verify(
    logs: Annotated[
        list[str],
        typer.Argument(metavar="FILE|GAME|MATCH...", help="Log files, `-`, or ids of ended games and of matches."),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")] = False,
) -> int:
    """Judge logs: every hash, move, consequence and shuffle.

    A match is judged with the logs of its games: those named beside its own, or, by its id, the service's.
    Exit code 0 when all verify, 1 when one does not.
    """
    import msgspec

    from events.log.match_record import is_of_match
    from events.log.verify import verify as judge
    from events.log.verify_match import verify_match

    _check_stdin(logs)
    worst, judged, files = DONE, list[dict[str, Any]](), dict[str, bytes]()
    for name in logs:
        try:
            files[name] = read_source(name)
        except MaliceError as error:
            if len(logs) == 1:
                raise
            complain(str(error))
            worst = max(worst, exit_code(error))
    log_of = _named_games(files.values())
    for name, file in files.items():
        if is_of_match(file):
            found = verify_match(file, _or_fetched(log_of) if is_asked_for(name) else log_of)
        else:
            found = judge(file)
        worst = worst if found.ok else max(worst, NO)
        judged.append({"source": name, **msgspec.to_builtins(found)})
        if not as_json:
            _print_verification(found, name if len(logs) > 1 else None)
    if as_json:
        one = len(logs) == 1
        typer.echo(msgspec.json.encode(_without_source(judged[0]) if one else judged))
    return worst


def export(
    game: Annotated[
        str,
        typer.Argument(metavar="GAME|MATCH", help="The id of an ended game (any game to MALICE_ADMIN_KEY) or a match."),
    ],
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write there.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite FILE where it exists.")] = False,
) -> None:
    """Write the log file of a game or match, to standard output or FILE."""
    taken = Misused(f"{output} exists: take another name, or --force.")
    if output is None or str(output) == STDIN:
        sys.stdout.buffer.write(fetch(game))
        return
    if output.exists() and not force:
        raise taken
    file = fetch(game)
    try:
        with open(output, "wb" if force else "xb") as target:
            target.write(file)
    except FileExistsError:
        raise taken from None
    except OSError as error:
        raise Misused(f"{output} cannot be written: {(error.strerror or str(error)).lower()}.") from None


def import_(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Log files of ended games, or `-`.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")] = False,
) -> int:
    """Send logs of ended games to the service, and print the ids that they have there.

    The service verifies each and takes it whole or not at all. Exit code 0 when all are taken, 1 when one is not.
    """
    import msgspec

    from services.cli.service import service_at
    from services.settings import read_settings

    _check_stdin(files)
    client = service_at(read_settings(os.environ))
    worst, taken = DONE, list[dict[str, Any]]()
    for name in files:
        try:
            file = read_file(name)
            told = _taken(client, file)
        except MaliceError as error:
            if len(files) == 1:
                raise
            complain(str(error) if isinstance(error, Misused) else f"{name}: {error}")
            worst = max(worst, exit_code(error))
            continue
        taken.append({"source": name, **told})
        if not as_json:
            typer.echo(f"{name}: {told['game']}" if len(files) > 1 else told["game"])
            if told["renamed"]:
                complain(f"{name}: its own id, {told['was'][:80]!r}, is taken there or is none of that service.")
    if as_json:
        typer.echo(msgspec.json.encode(_without_source(taken[0]) if len(files) == 1 else taken))
    return worst


def _taken(client: "Client", file: bytes) -> dict[str, Any]:
    from events.log.record import lines_of, read_head
    from services.client.errors import Refused, stranger

    try:
        game = client.import_log(file).game
    except Refused as refusal:
        raise stranger(client.url) if refusal.code == "unknown" else refusal from None
    was = read_head(lines_of(file)[0]).game
    return {"game": game, "was": was, "renamed": game != was}


def _check_stdin(names: Sequence[str]) -> None:
    if names.count(STDIN) > 1:
        raise Misused("Standard input holds one log: `-` can be named once.")


def _named_games(files: Iterable[bytes]) -> "LogOf":
    """The logs among these files, by the games that they tell of."""
    from events.game.events import GameCreated
    from events.log.commit import read_line
    from events.log.record import lines_of

    games: dict[str, bytes] = {}
    for file in files:
        try:
            created = read_line(lines_of(file)[1][0], 1).events[0]
        except (Unreadable, IndexError):
            continue  # what is no game's log is judged, and told of, as itself
        if isinstance(created, GameCreated):
            games[created.game] = file
    return games.get


def _or_fetched(log_of: "LogOf") -> "LogOf":
    def found(game: str) -> bytes | None:
        try:
            return log_of(game) or fetch(game)
        except UnknownGame:
            return None

    return found


def _print_verification(found: "Verification | MatchVerification", name: str | None) -> None:
    from events.log.verdicts import MatchVerification

    prefix = f"{name}: " if name is not None else ""
    if not found.ok:
        where = f"version {found.version}: " if found.version else ""
        typer.echo(f"{prefix}NOT ok: {where}{printable(found.why or '')}")
        return
    versions = f"{found.versions} version{'' if found.versions == 1 else 's'}"
    if isinstance(found, MatchVerification):
        typer.echo(f"{prefix}ok: match {printable(found.match)}, {versions}, {_about_the_match(found)}")
        return
    complete = "complete" if found.complete else "not ended yet"
    shuffles = "checked against the seed" if found.shuffles else "not checked: the seed is not shown yet"
    typer.echo(f"{prefix}ok: {printable(found.game)}, {versions}, {complete}, shuffles {shuffles}")
    if found.shuffles:
        typer.echo(f"{' ' * len(prefix)}{_about_the_deal(found)}")


def _about_the_match(found: "MatchVerification") -> str:
    games = f"{len(found.games)} game{'' if len(found.games) == 1 else 's'} verified"
    totals = "totals " + ":".join(map(str, found.totals))
    won = "nobody has won" if found.winner is None else f"seat {found.winner} has won"
    return (
        f"{'complete' if found.complete else 'not ended yet'}, {games}, {totals}{f', {won}' if found.complete else ''}"
    )


def _about_the_deal(found: "Verification") -> str:
    """What the proof does not show must be said where it is shown (contract, section 4)."""
    if found.joined:
        return f"(The deal was not chosen: {_seats(found.joined)} added to the seed after it was promised.)"
    return "(Nothing shows that the deal was not chosen: no seat added to the seed later.)"


def _seats(seats: Sequence[int]) -> str:
    return " and ".join(f"seat {seat}" for seat in seats)


def _without_source(told: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in told.items() if name != "source"}
