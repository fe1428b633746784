"""How does a command end? One place turns every error into one line on standard error and an exit code.

Law kept (contract, section 6): 0 done, 1 the answer is no, 2 usage, 3 service or store not reachable; and what a user
did wrong prints no traceback. 130 stands for Ctrl-C, 141 for a reader that went away, as in any other program.
"""

import errno
import os
import sys
from typing import Any, Final

import typer
from typer.core import TyperGroup

from events.errors import (
    BadLog,
    BadPosition,
    BadRules,
    Conflict,
    KeyReused,
    Malformed,
    MaliceError,
    Rejected,
    StoreUnavailable,
    UnknownGame,
    UnknownMatch,
    UnknownVersion,
    Unreadable,
)

DONE: Final = 0
NO: Final = 1
USAGE: Final = 2
UNREACHABLE: Final = 3
INTERRUPTED: Final = 130
NO_READER: Final = 141
_NOT_NOW: Final = (429, 500, 502, 503, 504)
"""HTTP statuses of a service that is there and cannot serve."""
_MISASKED: Final = ("malformed", "bad_rules", "bad_position")


class Misused(MaliceError):
    """What was asked for on the command line cannot be: a file that is not there, one that would be overwritten."""


class Door(TyperGroup):
    """The group of all commands: whatever they raise ends here. What a command returns, if an int, is its exit code."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run and leave: always raises SystemExit."""
        code: object = DONE
        try:
            code = super().main(*args, **kwargs | {"standalone_mode": False})
        except MaliceError as error:
            code = exit_code(error)
            complain(_hinted(error) if code == UNREACHABLE else str(error))
        except typer.TyperException as error:
            complain(_usage(error))
            code = error.exit_code
        except typer.Abort:
            code = INTERRUPTED
        sys.exit(code if isinstance(code, int) else DONE)

    def invoke(self, ctx: Any) -> Any:
        """Run the command, and see its output out of the house: a buffer that is written at exit fails too late."""
        try:
            answer = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            _write_into_nothing()
            raise typer.Exit(NO_READER) from None
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
            _write_into_nothing()
            complain(f"There is no room for the output: {error.strerror}.")
            raise typer.Exit(NO) from None
        return answer


def _write_into_nothing() -> None:
    """What is still in the buffer goes nowhere, instead of failing again at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def exit_code(error: MaliceError) -> int:
    """The code of this error, subclasses included; an error that this table does not know is a plain no."""
    match error:
        case StoreUnavailable():
            return UNREACHABLE
        case Misused() | Malformed() | BadRules() | BadPosition():
            return USAGE
        case UnknownGame() | UnknownMatch() | UnknownVersion() | Unreadable() | BadLog():
            return NO
        case Rejected() | Conflict() | KeyReused():
            return NO
        case _:
            return _exit_code_of_services(error)


def _exit_code_of_services(error: MaliceError) -> int:
    """Imported here, once such an error is there: `malice rules` shall not wait for settings and an HTTP client."""
    from services.bot_check.player import BadTarget, NotStarted
    from services.cli.serve import CannotServe
    from services.client.errors import Refused, Unreachable
    from services.embedded import DataInUse, NoServer, StoreFailed
    from services.settings import BadSetting
    from workers.bots.registry import UnknownBot
    from workers.own_bots.naming import BadBot
    from workers.own_bots.template import CannotLoad

    match error:
        case Unreachable() | NoServer() | DataInUse() | StoreFailed() | NotStarted():
            return UNREACHABLE
        case BadSetting() | UnknownBot() | BadBot() | CannotLoad() | CannotServe() | BadTarget():
            return USAGE
        case Refused(status=status, code=code):
            return UNREACHABLE if status in _NOT_NOW else USAGE if code in _MISASKED else NO
        case _:
            return NO


def _hinted(error: MaliceError) -> str:
    from services.client.errors import NoAnswer

    return f"{error} Start one with `malice up`." if isinstance(error, NoAnswer) else str(error)


def printable(text: str) -> str:
    """The text without control characters: a name in somebody's log must not steer the terminal."""
    return "".join(sign if sign.isprintable() else "·" for sign in text)


def complain(sentence: str) -> None:
    """One line on standard error, `malice: …`; further lines of the sentence follow indented."""
    first, *more = map(printable, sentence.splitlines() or [""])
    typer.echo("\n".join([f"malice: {first}", *(f"        {line}" for line in more)]), err=True)


def _usage(error: typer.TyperException) -> str:
    """With the way to help, where the error knows its command."""
    path = getattr(getattr(error, "ctx", None), "command_path", "")
    hint = f" (see `{path} --help`)" if path else ""
    sentence = error.format_message()
    return sentence + ("" if sentence.endswith((".", "?")) else ".") + hint
