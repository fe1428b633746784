"""What can be asked of `malice` on the command line? Each module beside this one registers its commands; nothing else.

Read in this order: errors, then a command's module: serve, arena, bot_check, games, replay (with words and drawing),
logs, catalog.

Law kept: what a command needs it imports itself, so that `malice rules` does not wait for HTTP, Redis or Celery.
"""

import os
import sys
from io import TextIOWrapper
from typing import Annotated

import typer

from services.cli import arena, bot_check, catalog, games, logs, replay, serve
from services.cli.errors import Door

app = typer.Typer(
    name="malice",
    cls=Door,
    help="Spite & Malice: play it, serve it, let bots play it, and check what was played.",
    epilog="Settings are MALICE_* environment variables: `malice up --help` lists them.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def _entrance(  # pyright: ignore[reportUnusedFunction] - Typer calls it
    ctx: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and leave.")] = False,
) -> None:
    from services.settings import read_settings

    read_settings(os.environ)  # an unknown or impossible setting is an error whatever the command
    if version:
        from importlib.metadata import version as version_of

        typer.echo(f"malice {version_of('spite-and-malice')}")
        raise typer.Exit
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())


for commands in (serve, arena, bot_check, games, replay, logs, catalog):
    commands.register(app)


def main() -> None:
    """The console script: run one command and leave with its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal without suits gets their code points
    app(prog_name="malice")
