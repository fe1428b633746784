"""Which bots are there? Every bot of this package by its name, with a line for whoever chooses one."""

import random
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

import msgspec

from events.errors import MaliceError
from events.game.fast.sight import Sight
from workers.bots import eager, greedy, planner, uniform

Strategy: TypeAlias = Callable[[Sight, random.Random], int]
"""From what one's seat may see, and dice, to the number of a legal move (`codes`); the sight is only read."""


class UnknownBot(MaliceError):
    """No bot of this name is registered."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        super().__init__(f"There is no bot {name!r}; there are {', '.join(known)}.")
        self.name = name
        self.known = known


class Bot(msgspec.Struct, frozen=True):
    """A strategy, its name, and a line about it."""

    name: str
    about: str
    choose: Strategy


BOTS: Final[Mapping[str, Bot]] = MappingProxyType(
    {
        bot.name: bot
        for bot in (
            Bot("uniform", "Any legal move, each as likely as the next.", uniform.choose),
            Bot("eager", "Any play while there is one, then any discard.", eager.choose),
            Bot("greedy", "Plays what it can, payoff first; keeps wilds and its side stacks in order.", greedy.choose),
            Bot("planner", "Searches the lines of its own turn; hands nobody a payoff card.", planner.choose),
        )
    }
)


def find(name: str) -> Bot:
    """The bot of this name. Raises `UnknownBot`, which names those that there are."""
    if name not in BOTS:
        raise UnknownBot(name, tuple(BOTS))
    return BOTS[name]
