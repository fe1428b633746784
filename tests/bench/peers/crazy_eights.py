"""How fast is OpenSpiel through Python? Its crazy eights for two, any legal move; cards are drawn by the same lot.

The cards of a draw are all as likely, so that asking for their probabilities, which takes twice as long, is spared.
Counted are the players' moves alone.
"""

# pyright: reportMissingImports=false
import random
from time import perf_counter
from typing import Any, Final

import pyspiel
from rounds import rounds

GAMES: Final = 2000


def main() -> None:
    game: Any = pyspiel.load_game("crazy_eights(players=2)")
    choice = random.Random(1).choice

    def one_round() -> dict[str, Any]:
        moves, began = 0, perf_counter()
        for _ in range(GAMES):
            state = game.new_initial_state()
            while not state.is_terminal():
                if not state.is_chance_node():
                    moves += 1
                state.apply_action(choice(state.legal_actions()))
        return {"count": moves, "seconds": perf_counter() - began, "games": GAMES}

    rounds("open_spiel", one_round)


if __name__ == "__main__":
    main()
