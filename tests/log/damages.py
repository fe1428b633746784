"""Which damages are there? All of them, by name, whatever table they stand in: for whoever must refuse them all."""

from collections.abc import Callable
from functools import partial
from typing import Final

from tests.log import forged_cards, forged_moves, forged_people, forged_terms, misprints
from tests.log.damage import BROKEN, FORGED, MISPRINTED, source

TABLES: Final = (forged_cards, forged_moves, forged_people, forged_terms, misprints)
"""Imported for the damages that they enter."""

DAMAGES: Final[dict[str, Callable[[], tuple[bytes, int]]]] = {
    **{name: partial(damage.done, rehashed=True) for name, damage in FORGED.items()},
    **{name: partial(damage.done, rehashed=False) for name, damage in BROKEN.items()},
    **{name: partial(lambda misprint: misprint(source("short")), misprint) for name, misprint in MISPRINTED.items()},
}
"""Each makes a damaged log file, and the lowest version that is missing or wrong in it (0 is the head)."""
