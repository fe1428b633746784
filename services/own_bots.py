"""Which bots does a process of this service know, by its settings? This program's own, MALICE_BOTS, installed ones.

Law kept: their code is never imported here (`workers.own_bots`).
"""

import subprocess
from collections.abc import Iterable

from services.settings import NamedBot, Settings
from workers.own_bots.guests import Guests, Limits, Told, log_forfeit
from workers.own_bots.roster import Roster, own_bots


def roster_of(
    settings: Settings,
    further: Iterable[NamedBot] = (),
    *,
    output: int = subprocess.DEVNULL,
    tell: Told = log_forfeit,
) -> Roster:
    """The bots by name, `further` ones too. `output` is where they print, `tell` hears of forfeits. Raises `BadBot`."""
    limits = Limits(seconds=settings.bot_seconds, memory_mb=settings.bot_memory_mb)
    return Roster(own_bots([*settings.bots, *further]), Guests(limits, output=output, tell=tell))


def as_setting(bots: Iterable[NamedBot]) -> str:
    """The bots as MALICE_BOTS takes them."""
    return ",".join(bot.path if bot.name == bot.path else f"{bot.name}={bot.path}" for bot in bots)
