"""Which bots do installed packages offer? Entry points of the group `malice.bots`, each a name and a function's path.

Law kept: their metadata is read, their code is not imported.
"""

from importlib.metadata import EntryPoint, entry_points
from typing import Final

from workers.own_bots.naming import NAME, BadBot, gathered, is_path

GROUP: Final = "malice.bots"


def installed() -> dict[str, str]:
    """Import paths by name. Raises `BadBot`, naming the package, for what cannot be a bot."""
    return gathered((entry.name, _path(entry)) for entry in entry_points(group=GROUP))


def _path(entry: EntryPoint) -> str:
    path = f"{entry.module}:{entry.attr or ''}"
    if NAME.fullmatch(entry.name) and is_path(path):
        return path
    source = f"The package {entry.dist.name}" if entry.dist else "An installed package"
    raise BadBot(
        f"{source} offers the bot {entry.name[:80]!r} as {entry.value[:80]!r}: a name has 1 to 40 letters, digits and "
        ". _ -, and stands for package.module:function."
    )
