"""What does chance alone play? Any legal move, each as likely as the next.

The weakest yardstick: it throws its hand onto the side stacks wherever playing is not compulsory, so that nearly all of
its games there end with the stock exhausted.
"""

import random

from events.game.views import View


def choose(view: View, rng: random.Random) -> str:
    """Any of the legal moves."""
    return rng.choice(view.legal)
