"""How strong are the bots, each against the next below it, and how long do they take? Paired deals under every preset.

`python3 dev.py bench ladder [--pairs N] [--seed TEXT] [--processes N]` prints a Markdown table: wins and half the draws
in % with their 95 % interval over pairs, and the time of a move of either bot. The seed is named before a run; tuning
used others (`tune-…`).
"""

import argparse
import random
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from statistics import fmean
from time import perf_counter_ns
from typing import Final, NamedTuple

from events.game.fast.sight import Sight
from events.game.presets import PRESETS
from workers.arena.local import agreed, play
from workers.arena.standings import Row, standings
from workers.bots.registry import Bot, find

STEPS: Final = (("eager", "uniform"), ("greedy", "eager"), ("planner", "greedy"))
SEED: Final = "ladder-2026-11-30"
PAIRS: Final = 3000
RANGE: Final = 50
"""Pairs that a process is handed at a time."""


class Step(NamedTuple):
    """How the first bot did against the second."""

    first: str
    second: str
    preset: str
    score: float
    ci95: tuple[float, float]
    drawn: float
    """The share of games drawn."""
    length: float
    """Moves a game."""
    times: tuple[list[int], list[int]]
    """Nanoseconds of every move, of either bot."""


class Played(NamedTuple):
    """Some pairs of games."""

    rows: list[Row]
    times: tuple[list[int], list[int]]


def climb(
    pairs: int,
    seed: str,
    *,
    steps: Sequence[tuple[str, str]] = STEPS,
    presets: Sequence[str] = tuple(PRESETS),
    processes: int = 1,
) -> Iterator[Step]:
    """Every step of the ladder under every preset, as soon as it is measured."""
    ranges = [range(start, min(start + RANGE, pairs)) for start in range(0, pairs, RANGE)]
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        for first, second in steps:
            for preset in presets:
                # `uniform` is met under one preset alone: where play is compulsory it is the same bot as `eager`, and
                # where an exhausted stock is a draw it draws nearly always.
                if second == "uniform" and preset != "gato-e-rato":
                    continue
                parts = (map if processes == 1 else pool.map)(partial(_play, first, second, preset, seed), ranges)
                yield _step(first, second, preset, list(parts))


def _play(first: str, second: str, preset: str, seed: str, pairs: range) -> Played:
    times: tuple[list[int], list[int]] = ([], [])
    bots = {first: _timed(find(first), times[0]), second: _timed(find(second), times[1])}
    arena = agreed((first, second), 2 * pairs.stop, PRESETS[preset].rules, seed)
    return Played(
        [play(arena, number, bots.__getitem__).row for number in range(2 * pairs.start, 2 * pairs.stop)], times
    )


def _timed(bot: Bot, times: list[int]) -> Bot:
    def choose(sight: Sight, rng: random.Random) -> int:
        began = perf_counter_ns()
        move = bot.choose(sight, rng)
        times.append(perf_counter_ns() - began)
        return move

    return Bot(bot.name, bot.about, choose)


def _step(first: str, second: str, preset: str, parts: Sequence[Played]) -> Step:
    rows = [row for part in parts for row in part.rows]
    (standing,) = [standing for standing in standings((first, second), rows) if standing.bot == first]
    times = tuple(sorted(time for part in parts for time in part.times[bot]) for bot in (0, 1))
    return Step(
        first,
        second,
        preset,
        standing.score,
        standing.ci95 or (0.0, 1.0),
        standing.draws / standing.games,
        fmean(row.moves for row in rows),
        (times[0], times[1]),
    )


def line(step: Step) -> str:
    """A row of the table."""
    low, high = step.ci95
    cells = [
        f"`{step.first}` v `{step.second}`",
        step.preset,
        f"{100 * step.score:.1f} ({100 * low:.1f} to {100 * high:.1f})",
        f"{100 * step.drawn:.1f}",
        f"{step.length:.0f}",
        *(_milliseconds(times) for times in step.times),
    ]
    return "| " + " | ".join(cells) + " |"


def _milliseconds(times: Sequence[int]) -> str:
    return f"{fmean(times) / 1e6:.3f} ({times[len(times) * 99 // 100] / 1e6:.3f})"


HEAD: Final = (
    "| pair | preset | score, % (95 %) | drawn, % | moves | first: ms a move (p99) | second: ms a move (p99) |\n"
    "|---|---|---|---|---|---|---|"
)


def run(pairs: int = PAIRS, seed: str = SEED, processes: int = 1) -> None:
    """Print the table, a row as soon as it is measured."""
    print(f"{pairs:,} pairs of games a row, seed {seed}\n\n{HEAD}", flush=True)
    for step in climb(pairs, seed, processes=processes):
        print(line(step), flush=True)


def main(words: Sequence[str] | None = None) -> int:
    said = argparse.ArgumentParser(prog="python3 dev.py bench ladder", description=__doc__)
    said.add_argument("--pairs", type=int, default=PAIRS, help="pairs of games a row (default: %(default)s)")
    said.add_argument("--seed", default=SEED, help="(default: %(default)s)")
    said.add_argument("--processes", type=int, default=1, help="(default: %(default)s; times are truest with one)")
    asked = said.parse_args(words)
    run(asked.pairs, asked.seed, asked.processes)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
