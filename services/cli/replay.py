"""How do I look at a game again? `malice replay`: one version drawn or as JSON, or step by step.

Law kept: what is shown is a `Look`, made with the eyes asked for; with all cards only of a log that is there whole.
"""

import re
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Final, Literal, TypeAlias

import typer

from events.errors import UnknownVersion
from services.cli.errors import Misused
from services.cli.source import STDIN, read_source

if TYPE_CHECKING:
    from services.cli.history import Eyes, History

Key: TypeAlias = Literal["next", "previous", "quit", "unknown"] | int
"""A step, or the number of a version to go to."""
_KEYS: Final[dict[str, Key]] = {
    "": "next", " ": "next", "\r": "next", "\n": "next", "n": "next", "\x1b[C": "next",
    "p": "previous", "\x1b[D": "previous",
    "q": "quit", "\x03": "quit", "\x04": "quit", "\x1b": "quit",
}  # fmt: skip
_STRIDES: Final = {"next": 1, "previous": -1}
_NUMBER: Final = re.compile(r"[0-9]{1,9}")
_BACKSPACE: Final = ("\x7f", "\b")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(replay)


def replay(
    log: Annotated[str, typer.Argument(metavar="GAME|FILE", help="A log file, `-`, or the id of an ended game.")],
    at: Annotated[
        int | None, typer.Option("--at", metavar="V", min=1, help="The version to show. Default: the last.")
    ] = None,
    eyes: Annotated[str, typer.Option("--as", metavar="SEAT|spectator|all", help="With whose eyes to look.")] = "all",
    step: Annotated[bool, typer.Option("--step", help="Go on from there by keys. Default: from version 1.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")] = False,
) -> None:
    """Show a game at a version, and what happened there.

    With --step: Enter, space or n for the next version, p for the previous one, a number and Enter to go to that
    version, q to leave.
    """
    from events.log.match_record import is_of_match, scored_games
    from events.log.record import read_log
    from services.cli.history import History

    if step and as_json:
        raise Misused("--step is for people and --json is for programs: take one of them.")
    file = read_source(log)
    if is_of_match(file):
        scored = ", ".join(scored_games(file)) or "none has ended yet"
        raise Misused(f"{log} is a match, and only a game can be replayed. Its games: {scored}.")
    history = History(read_log(file))
    looking = _eyes(eyes, history.seats)
    if step:
        _step(history, at or 1, looking, _keys(log))
    elif as_json:
        _print_json(history, at or history.last, looking)
    else:
        _draw(history, at or history.last, looking)


def _eyes(text: str, seats: int) -> "Eyes":
    if text == "all":
        return "all"
    if text == "spectator":
        return None
    if not _NUMBER.fullmatch(text) or int(text) >= seats:
        raise Misused(f"--as {text}: it can be a seat of 0 to {seats - 1}, spectator or all.")
    return int(text)


def _print_json(history: "History", version: int, eyes: "Eyes") -> None:
    import msgspec

    look = history.look(version, eyes)
    document = msgspec.to_builtins(look.view, str_keys=True) | {"events": look.events}
    typer.echo(msgspec.json.encode(document))


def _draw(history: "History", version: int, eyes: "Eyes", *, clear: bool = False) -> None:
    from rich.console import Console

    from services.cli.drawing import print_position
    from services.cli.history import naming

    look = history.look(version, eyes)
    console = Console()
    if clear:
        console.clear()
    with naming(version):
        print_position(console, look.view, history.last, look.told)


def _step(history: "History", version: int, eyes: "Eyes", keys: Iterator[Key]) -> None:
    clear = sys.stdout.isatty()
    done: Key = "quit"
    _draw(history, version, eyes, clear=clear)
    while True:
        prompt = f"\n{version} of {history.last} – Enter next, p previous, a number to go there, q quit: "
        typer.echo(prompt, nl=False)
        key = next(keys, done)
        typer.echo()
        if key == "quit":
            return
        if key == "unknown":
            typer.echo("No such key.")
            continue
        wanted = key if isinstance(key, int) else version + _STRIDES[key]
        if not 1 <= wanted <= history.last:
            typer.echo(str(UnknownVersion(wanted, history.last)))
            continue
        version = wanted
        _draw(history, version, eyes, clear=clear)


def _keys(log: str) -> Iterator[Key]:
    """Single keys of a terminal; else a line each, so that a program can step too."""
    if sys.stdout.isatty() and (log == STDIN or sys.stdin.isatty()):
        return _keys_of_terminal()
    if log == STDIN:
        raise Misused("--step reads its keys from standard input: name the log's file.")
    return (_key(line.strip()) for line in sys.stdin)


def _key(text: str) -> Key:
    return int(text) if _NUMBER.fullmatch(text) else _KEYS.get(text.lower(), "unknown")


def _keys_of_terminal() -> Iterator[Key]:
    typed = ""
    while True:
        read = typer.getchar()
        # An arrow comes as one sequence, pasted text as many keys.
        for key in [read] if read.startswith("\x1b") else read:
            if key in _BACKSPACE and typed:
                typed = typed[:-1]
                typer.echo("\b \b", nl=False)
            elif _NUMBER.fullmatch(typed + key):
                typed += key
                typer.echo(key, nl=False)
            else:
                yield int(typed) if typed and key in "\r\n" else _KEYS.get(key) or _KEYS.get(key.lower(), "unknown")
                typed = ""
