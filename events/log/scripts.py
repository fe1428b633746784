"""Where are the Lua scripts? Beside this file; each is one atomic step in the store."""

from importlib import resources


def script(name: str) -> str:
    """The text of a script of this package."""
    return resources.files("events.log").joinpath(name).read_text()
