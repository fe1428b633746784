"""Where does a log come from? A file, standard input (`-`), or by its game's id from the service at MALICE_URL.

A name that is a path on this machine is a file; one that could be no path but an id is asked for.
"""

import os
import re
import sys
from pathlib import Path
from typing import Final
from urllib.parse import quote

from events.errors import UnknownGame, Unreadable
from services.cli.errors import Misused

STDIN: Final = "-"
_GAME_ID: Final = re.compile(r"[0-9A-Za-z_-]+")


def read_source(name: str) -> bytes:
    """The log file of this name. Raises `Misused`, and as `fetch` does."""
    if name != STDIN and _GAME_ID.fullmatch(name) and not Path(name).exists():
        return fetch(name)
    return read_file(name)


def read_file(name: str) -> bytes:
    """The content of a file, or of standard input. Raises `Misused`."""
    if name == STDIN:
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a null byte
        raise Misused(f"{name[:200]} cannot be read: {_why(error)}.") from None


def fetch(game: str) -> bytes:
    """The log file of a game of the service. Raises `UnknownGame`, `Refused`, `Unreachable`, `BadSetting`."""
    from events.log.record import lines_of, read_head
    from services.cli.service import Refused, Service
    from services.settings import read_settings

    service = Service(read_settings(os.environ))
    try:
        file = service.file(f"/v1/games/{quote(game, safe='')}/log")
    except Refused as refusal:
        match refusal.status, refusal.code:
            case _, "unknown":
                raise service.stranger() from None
            case 404, _:
                raise UnknownGame(game) from None
            case 403, code:
                why = "it, or the game that it was forked from, is still running"
                sentence = f"The log of game {game} is not open yet: {why}. MALICE_ADMIN_KEY opens it."
                raise Refused(403, code, sentence) from None
            case 401, code:
                sentence = f"The service at {service.url} does not know this MALICE_ADMIN_KEY."
                raise Refused(401, code, sentence) from None
            case _:
                raise
    try:
        read_head(lines_of(file)[0])
    except Unreadable:
        raise service.stranger() from None
    return file


def _why(error: OSError | ValueError) -> str:
    return (error.strerror or str(error)).lower() if isinstance(error, OSError) else str(error)
