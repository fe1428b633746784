"""Where does a log come from? A file, standard input (`-`), or, by the id of its game or match, the service.

A name that is a path on this machine is a file; one that could be no path but an id is asked for.
"""

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from events.errors import UnknownGame, Unreadable
from services.cli.errors import Misused

if TYPE_CHECKING:
    from services.client import Client

STDIN: Final = "-"
_ID: Final = re.compile(r"[0-9A-Za-z_-]+")


def read_source(name: str) -> bytes:
    """The log file of this name. Raises `Misused`, and as `fetch` does."""
    return fetch(name) if is_asked_for(name) else read_file(name)


def read_file(name: str) -> bytes:
    """The content of a file, or of standard input. Raises `Misused`."""
    if name == STDIN:
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a null byte
        raise Misused(f"{name[:200]} cannot be read: {_why(error)}.") from None


def is_asked_for(name: str) -> bool:
    """Is this the id of a log that the service has to be asked for?"""
    return name != STDIN and _ID.fullmatch(name) is not None and not Path(name).exists()


def fetch(name: str) -> bytes:
    """The log file of a game, or else a match, of the service.

    Raises `UnknownGame`, `Refused`, `Unreachable`, `BadSetting`.
    """
    from services.cli.service import service_at
    from services.settings import read_settings

    with service_at(read_settings(os.environ)) as client:
        file = _asked(client, "games", name) or _asked(client, "matches", name)
    if file is None:
        raise UnknownGame(name)
    return file


def _asked(client: "Client", kind: Literal["games", "matches"], name: str) -> bytes | None:
    """None where the service has no such game or match."""
    from events.log.match_record import read_match_head
    from events.log.record import lines_of, read_head
    from services.client.errors import Refused, stranger

    try:
        file = client.game(name).log() if kind == "games" else client.match_log(name)
    except Refused as refusal:
        match refusal.status, refusal.code:
            case _, "unknown":
                raise stranger(client.url) from None
            case 404, _:
                return None
            case 403, code:
                why = "it, or the game that it was forked from, is still running"
                sentence = f"The log of game {name} is not open yet: {why}. MALICE_ADMIN_KEY opens it."
                raise Refused(403, code, sentence) from None
            case 401, code:
                sentence = f"The service at {client.url} does not know this MALICE_ADMIN_KEY."
                raise Refused(401, code, sentence) from None
            case _:
                raise
    try:
        (read_head if kind == "games" else read_match_head)(lines_of(file)[0])
    except Unreadable:
        raise stranger(client.url) from None
    return file


def _why(error: OSError | ValueError) -> str:
    return (error.strerror or str(error)).lower() if isinstance(error, OSError) else str(error)
