"""What does `docs/reference.md` say? It is written from the code: `python -m tests.reference > docs/reference.md`.

A test holds the file to what this prints, so a setting, route, event or command cannot be there and not described.
"""

import inspect
import sys
from collections.abc import Iterator
from typing import cast, get_args

import msgspec
import typer.main
from typer.core import TyperGroup

from events.errors import Reason
from events.game.events import Event
from events.game.match import MatchEvent
from services.api.app import OPERATIONS
from services.api.openapi import document
from services.cli import app
from services.settings import describe

HEAD = """# Reference

Written from the code by `python -m tests.reference > docs/reference.md`; a test fails when it is not up to date. The
API is described in full, with bodies and examples, by a running service at `/docs` and `/openapi.json`."""


def reference() -> str:
    """The whole file."""
    parts = (HEAD, *_commands(), *_settings(), *_routes(), *_events(), *_reasons())
    return "\n".join(parts).rstrip() + "\n"


def _commands() -> Iterator[str]:
    yield "\n## Commands\n\n| command | does |\n|---|---|"
    group = typer.main.get_command(app)
    for name, command in sorted(cast(TyperGroup, group).commands.items()):
        words = [name]
        for parameter in command.params:
            if parameter.name == "help":
                continue
            if parameter.param_type_name == "option":
                words.append(f"[{max(parameter.opts, key=len)}]")
            else:
                word = (parameter.name or "").upper() + ("…" if parameter.nargs == -1 else "")
                words.append(word if parameter.required else f"[{word}]")
        yield f"| `malice {_cell(' '.join(words))}` | {_cell(command.help or '')} |"


def _settings() -> Iterator[str]:
    yield "\n## Settings\n\nEnvironment variables; an unknown `MALICE_` name is an error.\n"
    yield "| name | default | meaning |\n|---|---|---|"
    for name, default, about in describe():
        yield f"| `{name}` | {_cell(default)} | {_cell(about)} |"


def _routes() -> Iterator[str]:
    yield "\n## Routes\n\n| route | does | answers with | problem codes |\n|---|---|---|---|"
    told = document(OPERATIONS, title="", version="", about="")["paths"]
    for operation in OPERATIONS:
        summary = told[operation.path][operation.method.lower()]["summary"]
        codes = " ".join(f"`{code}`" for code in operation.problems)
        yield f"| `{operation.method} {operation.path}` | {_cell(summary)} | {operation.status} | {codes} |"


def _events() -> Iterator[str]:
    yield "\n## Events\n\n| type | fields | meaning |\n|---|---|---|"
    for event in (*get_args(Event), *get_args(MatchEvent)):
        fields = ", ".join(f"`{field.name}`" for field in msgspec.structs.fields(event))
        yield f"| `{event.__name__}` | {fields} | {_cell(inspect.getdoc(event) or '')} |"


def _reasons() -> Iterator[str]:
    yield "\n## Reasons\n\nWhy the rules refuse a move: the `reason` of an `illegal_move`.\n"
    yield ", ".join(f"`{reason.value}`" for reason in Reason) + "."


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    sys.stdout.write(reference())
