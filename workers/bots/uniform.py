"""What does chance alone play? Any legal move, each as likely as the next.

The weakest yardstick: it throws its hand onto the side stacks wherever playing is not compulsory, so that nearly all of
its games there end with the stock exhausted.
"""

import random

from events.game.fast.sight import Sight, legal


def choose(sight: Sight, rng: random.Random) -> int:
    """Any of the legal moves."""
    moves = legal(sight)
    return moves[int(rng.random() * len(moves))]
