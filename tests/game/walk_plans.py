"""Which games are walked through? All presets, every end of every range, and rules drawn by lot: a plan a game.

With `MALICE_FULL=1` they are 2,000 and more, over more than sixty rules.
"""

from typing import Any, Final, NamedTuple

from events.game.presets import PRESETS
from events.game.rules import Rules
from tests.spec import rules_of
from tests.walks import FULL, Choice, bot, drawn_rules, eager, tidy

CHOICES: Final[dict[str, Choice]] = {"greedy": bot("greedy"), "uniform": bot("uniform"), "eager": eager, "tidy": tidy}
"""The two real bots, and two choosers of the tests."""
CHANGES: Final[list[dict[str, Any]]] = [
    {"must_play": "never"},
    {"seats": 3},
    {"seats": 4, "teams": True, "payoff": 10},
    {"seats": 5},
    {"seats": 6, "teams": True, "team_win": "first"},
    {"seats": 7, "payoff": 12},
    {"seats": 8, "payoff": 8},
    {"seats": 8, "teams": True},
]
"""What `gatto-e-topo` takes, some of it with smaller payoffs."""
ENDS: Final[list[dict[str, Any]]] = [
    {"decks": 1, "payoff": 10},
    {"decks": 8},
    {"jokers": 16, "wild_may_start": True, "wild_on_wild": True},
    {"payoff": 1},
    {"payoff": 40, "decks": 3},
    {"hand": 1},
    {"hand": 10},
    {"centre_piles": 1},
    {"centre_piles": 8},
    {"side_stacks": 1},
    {"side_stacks": 8},
    {"turn_limit": 10},
    {"turn_limit": 10_000},
    {"points": "left", "match": 1},
    {"points": "left", "match": 2**53 - 1},
    {"seats": 8, "decks": 8, "payoff": 40, "hand": 10, "centre_piles": 8, "side_stacks": 8, "turn_limit": 10_000},
    {"decks": 1, "payoff": 1, "hand": 1, "centre_piles": 1, "side_stacks": 1, "turn_limit": 10},
]
"""Both ends of every range, for each preset; the last two all at once. (The presets have no jokers.)"""
DRAWN: Final = 80 if FULL else 60
"""How many rules are drawn, from number 0 on."""


class Plan(NamedTuple):
    """A game to be played: under which rules, by whom, how likely a seat leaves, and whether it forks on the way."""

    rules: Rules
    number: int
    choice: str
    leaving: float = 0.0
    forked: bool = False


def plans() -> list[Plan]:
    """All games of this run."""
    names = list(CHOICES)
    made = [
        Plan(PRESETS[preset].rules, number, choice, forked=number % 2 == 0)
        for preset in PRESETS
        for choice in CHOICES
        for number in range(40 if FULL else 2)
    ]
    for place, knobs in enumerate(CHANGES):
        made += [
            Plan(rules_of("gatto-e-topo", **knobs), number, names[(place + number) % 4], 0.002 * (number % 2), True)
            for number in range(20 if FULL else 1)
        ]
    for place, (preset, knobs) in enumerate((preset, knobs) for preset in PRESETS for knobs in ENDS):
        made += [
            Plan(rules_of(preset, **knobs), number, names[(place + number) % 4], forked=place % 2 == 0)
            for number in range(4 if FULL else 1)
        ]
    for number in range(DRAWN):
        made += [
            Plan(
                drawn_rules(number),
                1000 * number + game,
                names[(number + game) % 4],
                0.003 * ((number + game) // 4 % 2),
                (number + game) % 3 == 0,
            )
            for game in range(16 if FULL else 1)
        ]
    return made
