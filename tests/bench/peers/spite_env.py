"""How fast is TextArena's Spite & Malice? Its environment alone; an agent reads what it is shown, as it must.

`random` takes any move that is offered; `greedy` its payoff card, then a side stack, then the hand. Most games come to
a place that they cannot leave: none is played longer than `MOST` moves, and it is said how many ended.
"""

# pyright: reportMissingImports=false
import random
import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any, Final

from rounds import rounds
from textarena.envs.SpiteAndMalice.env import SpiteAndMaliceEnv

GAMES: Final = 60
MOST: Final = 300
OFFERED: Final = "Available Moves: "
PAYOFF: Final = "(Top Card): "


def by_chance(text: str, drawn: bool, rng: random.Random) -> str:
    """Any of the moves that are offered."""
    return rng.choice(text[text.rindex(OFFERED) + len(OFFERED) :].split(", "))


def greedy(text: str, drawn: bool, rng: random.Random) -> str:
    """Draw once a turn; then the best play, a pile's side stacks being named after the hand; then any discard."""
    offered = text[text.rindex(OFFERED) + len(OFFERED) :].split(", ")
    at = text.index(PAYOFF) + len(PAYOFF)
    own = f"[play {text[at : text.index(',', at)]}"
    if not drawn or len(offered) == 1:
        return "[draw]"
    plays = [move for move in offered if move.startswith("[play")]
    if not plays:
        return rng.choice(offered[1:])
    return next((move for move in plays if move.startswith(own)), plays[-1])


def play(choose: Callable[[str, bool, random.Random], str], rng: random.Random) -> tuple[int, bool]:
    """A game: its moves, and whether it came to an end."""
    env: Any = SpiteAndMaliceEnv()
    env.reset(2)
    moves, done, drawn = 0, False, False
    while not done and moves < MOST:
        _, shown = env.get_observation()
        move = choose(shown[-1][1], drawn, rng)
        drawn = not move.startswith("[discard")
        done, _ = env.step(move)
        moves += 1
    return moves, done


def main(name: str) -> None:
    choose = {"random": by_chance, "greedy": greedy}[name]
    rng = random.Random(1)
    random.seed(1)

    def one_round() -> dict[str, Any]:
        began = perf_counter()
        games = [play(choose, rng) for _ in range(GAMES)]
        seconds = perf_counter() - began
        ended = sum(done for _, done in games)
        return {"count": sum(moves for moves, _ in games), "seconds": seconds, "games": GAMES, "ended": ended}

    rounds("textarena", one_round)


if __name__ == "__main__":
    main(sys.argv[1])
