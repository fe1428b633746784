"""What does chance play that keeps the piles moving? Any play while there is one, then any discard.

The fair random opponent: it never throws away what it can play, so its games go on to an emptied payoff.

Wins and half the draws over 3,000 pairs of games, 95 % interval over pairs; `python3 dev.py bench ladder` (seed
`ladder-2026-11-30`): 87.5 % (86.8 to 88.1) against `uniform` in `gato-e-rato`.
"""

import random

from events.game.fast.codes import PASS
from events.game.fast.sight import Sight, discards, plays


def choose(sight: Sight, rng: random.Random) -> int:
    """Any of the plays, each as likely; without one any of the discards; else the pass."""
    moves = plays(sight) or discards(sight)
    return moves[int(rng.random() * len(moves))] if moves else PASS
