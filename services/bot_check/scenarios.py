"""What is a bot put through? Each scenario is a game, and what goes wrong in it: data, no code.

Faults are given by the number of the request of their kind, counted from 1 as they come, repeats too: `moves` are POSTs
that act, `feeds` GETs of events, `looks` all other GETs.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import msgspec

from events.log.clocks import ClockTerms
from services.bot_check import faults
from services.bot_check.exchange import Fault

_NO_FAULTS: Final[Mapping[int, Fault]] = MappingProxyType({})
SHORT: Final = 14
"""Turns of a game in which the end is not what it is about."""


class Scenario(msgspec.Struct, frozen=True, kw_only=True):
    """A game, and what goes wrong in it."""

    name: str
    about: str
    turns: int | None = SHORT
    """From this turn on the others resign instead of moving; None: the game is played to its end."""
    moves: Mapping[int, Fault] = _NO_FAULTS
    looks: Mapping[int, Fault] = _NO_FAULTS
    feeds: Mapping[int, Fault] = _NO_FAULTS
    thinking: float = 0.0
    """Seconds that the others take for a turn. From a second on, it is counted what the bot asks for meanwhile."""
    clock: ClockTerms | None = None
    """What is agreed about time. Nobody sweeps here: a turn is over only when a fault says so."""
    newer: bool = False
    """Answers hold fields, and lists of events hold events, that no bot knows."""
    open: bool = False
    """The other seats are taken only after the bot has looked."""
    over: bool = False
    """The game has ended before the bot is started."""


SCENARIOS: Final = (
    Scenario(name="plain", about="A game from the deal to its end; nothing goes wrong.", turns=None),
    Scenario(
        name="dropped",
        about="Connections break before the service has read the request.",
        moves={1: faults.cut, 3: faults.cut, 4: faults.cut},
        looks={1: faults.cut, 3: faults.cut},
        feeds={1: faults.cut, 3: faults.cut},
    ),
    Scenario(
        name="lost",
        about="Moves count, and their answers are lost.",
        moves={1: faults.lose, 3: faults.lose, 5: faults.doubt, 7: faults.lose},
    ),
    Scenario(
        name="torn",
        about="Answers break off in the middle.",
        moves={2: faults.halve},
        looks={1: faults.halve, 3: faults.halve},
        feeds={1: faults.halve, 4: faults.halve},
    ),
    Scenario(
        name="repeated",
        about="The feed breaks off, and delivers again what it had delivered.",
        thinking=0.15,
        feeds={
            1: faults.halve,
            2: faults.rewind,
            3: faults.halve,
            4: faults.rewind,
            5: faults.rewind,
            7: faults.rewind,
        },
    ),
    Scenario(
        name="overtaken",
        about="Turns are over before the bot's move arrives, and have been played for it.",
        moves={2: faults.overtake, 5: faults.overtake},
        clock=ClockTerms(60, "auto"),
    ),
    Scenario(
        name="busy",
        about="The service is away (503), asks for patience (429), or a proxy answers for it (502).",
        moves={1: faults.away, 3: faults.too_many, 5: faults.gateway},
        looks={1: faults.too_many},
    ),
    Scenario(
        name="expired",
        about="The bot's clock runs out while its move is on the way: it has lost.",
        moves={3: faults.expire},
        clock=ClockTerms(60, "forfeit"),
    ),
    Scenario(
        name="newer",
        about="Answers of a later version: unknown fields, events, messages and problem codes.",
        moves={2: faults.unheard_of, 4: faults.unheard_of_trouble},
        newer=True,
    ),
    Scenario(
        name="restarted",
        about="The bot is killed in the midst of the game and started again; a bot with a URL is invited again.",
        thinking=0.15,  # or the game may be over before a second program has begun
        looks={1: faults.start_again},
        moves={2: faults.start_again, 5: faults.start_again},
    ),
    Scenario(name="waiting", about="The others think for a while.", turns=2, thinking=1.2),
    Scenario(name="open", about="The other seats are not taken yet when the bot comes.", open=True),
    Scenario(name="over", about="The game has ended before the bot comes.", over=True),
)
"""All of them, in the order in which they are played."""
