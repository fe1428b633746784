"""How do two deals come to look the same to somebody? Many are dealt until two show the watcher the same (a birthday).

Two of n deals agree in k cards with good hope when n² is 52^k: the tops of two payoffs take some sixty deals.
"""

from collections.abc import Callable
from typing import Any, Final

from events.game.decide import Create, decide
from events.game.events import SeatInfo
from events.game.rules import Rules
from events.game.views import Viewer
from tests.services.secrecy.playing import told

MOST: Final = 20_000


def two_deals(rules: Rules, watcher: Viewer, seed: Callable[[int], bytes]) -> tuple[int, int]:
    """Two numbers whose seeds deal the watcher the same, and others not. Nobody adds to these seeds."""
    seats = tuple(SeatInfo(f"seat {seat}", "human", None, "") for seat in range(rules.seats))
    seen: dict[str, tuple[int, Any]] = {}
    for number in range(MOST):
        events = decide(Create(game="deal", rules=rules, seats=seats), None, seed(number))[1:]
        first, dealt = seen.setdefault(repr(told(events, watcher)), (number, events))
        if dealt != events:
            return first, number
    raise AssertionError(f"no two of {MOST} deals look the same")
