"""How is a bot of one's own named? By its import path, or by a name that stands for one and is nobody else's.

Law kept: nothing is imported to know it.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from events.errors import MaliceError

LONGEST: Final = 200
"""Characters of an import path."""
IMPORT_PATH: Final = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*(\.[A-Za-z_]\w*)*", re.ASCII)
NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}", re.ASCII)


class BadBot(MaliceError):
    """A bot that cannot be named so, or is not to be found so."""


def is_path(text: str) -> bool:
    """Is it in the form `package.module:function`?"""
    return len(text) <= LONGEST and IMPORT_PATH.fullmatch(text) is not None


def read_entry(text: str) -> tuple[str, str]:
    """Name and import path from `name=package.module:function`, or from the path alone, which is then the name too.

    Raises ValueError, which names what is wrong.
    """
    name, named, path = text.partition("=")
    name, path = (name.strip(), path.strip()) if named else (text, text)
    if not is_path(path):
        raise ValueError(f"names {text[:80]!r}, which is not an import path such as mypackage.mybot:choose")
    if named and not NAME.fullmatch(name):
        raise ValueError(f"gives the name {name[:80]!r}; a name has 1 to 40 letters, digits and . _ -")
    return name, path


def gathered(entries: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Import paths by name, in alphabetical order. Raises `BadBot` for a name that means two functions."""
    paths: dict[str, str] = {}
    for name, path in sorted(entries):
        if paths.setdefault(name, path) != path:
            raise BadBot(f"Two bots have the name {name!r}: {paths[name]} and {path}.")
    return paths


def check_names(own: Mapping[str, str], taken: Iterable[str]) -> None:
    """Raises `BadBot` where a bot has the name of one that comes with this program."""
    for name in taken:
        if name in own:
            raise BadBot(f"The bot {own[name]} has the name {name!r}, which one of this program's own has already.")
