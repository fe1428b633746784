"""Who is ahead, and how sure is it? Standings from the rows of finished games, recounted from the rows each time.

A bot is counted once for every seat that it holds. Games on one deal hang together, so the interval is taken over
complete groups of them (pairs, with two seats), never over single games. Aborted games count for nothing.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from math import log10, sqrt
from statistics import fmean, variance
from typing import Final

import msgspec

from events.game.events import EndReason, Outcome
from workers.arena.schedule import group_size

NORMAL_95: Final = 1.959964
RATING_CAP: Final = 1200.0
"""Elo of a score of 99.9 %; beyond it, all wins or no win at all say no more."""


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A finished game of an arena (contract, section 5)."""

    number: int
    game: str | None
    """The game's id; null where it was played without a store."""
    pair: int
    """The number of its deal: games of one number had the same cards, each with another seating."""
    seats: tuple[str, ...]
    """The label of the bot at each seat."""
    result: Outcome
    winners: tuple[int, ...]
    reason: EndReason
    points: tuple[int, ...] | None
    moves: int
    turns: int


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """How one bot of an arena stands (contract, section 6)."""

    bot: str
    games: int
    wins: int
    draws: int
    losses: int
    score: float
    """Wins and half the draws, per game: 0 to 1; 0 while there is none."""
    ci95: tuple[float, float] | None
    """Where 95 of 100 such intervals hold the true score; null with fewer than two complete groups."""
    rating: float
    """Elo points above (or below) the field."""
    reasons: dict[str, int]
    """How its games ended."""


def standings(bots: Sequence[str], rows: Iterable[Row]) -> list[Standing]:
    """The best score first, equals in the order of `bots`, which are the arena's labels."""
    finished = [row for row in rows if row.result != "aborted"]
    complete = _complete_groups(len(bots), finished)
    scores: dict[str, dict[int, list[float]]] = {bot: defaultdict(list) for bot in bots}
    reasons: dict[str, Counter[str]] = {bot: Counter() for bot in bots}
    for row in finished:
        for seat, bot in enumerate(row.seats):
            scores[bot][row.pair].append(_score(row, seat))
            reasons[bot][row.reason] += 1
    field = [score for groups in scores.values() for group in groups.values() for score in group]
    par = fmean(field) if field else 0.5
    table = [_standing(bot, scores[bot], complete, par, reasons[bot]) for bot in bots]
    return sorted(table, key=lambda standing: -standing.score)


def _score(row: Row, seat: int) -> float:
    if row.result == "drawn":
        return 0.5
    return 1.0 if seat in row.winners else 0.0


def _complete_groups(bots: int, rows: Iterable[Row]) -> set[int]:
    """The groups of which every game is there."""
    games: Counter[int] = Counter()
    seats = 2
    for row in rows:
        games[row.pair] += 1
        seats = len(row.seats)
    size = group_size(bots, seats)
    return {pair for pair, count in games.items() if count == size}


def _standing(
    bot: str, groups: dict[int, list[float]], complete: set[int], par: float, reasons: Counter[str]
) -> Standing:
    scores = [score for group in groups.values() for score in group]
    score = fmean(scores) if scores else 0.0
    return Standing(
        bot=bot,
        games=len(scores),
        wins=scores.count(1.0),
        draws=scores.count(0.5),
        losses=scores.count(0.0),
        score=score,
        ci95=interval([fmean(group) for pair, group in groups.items() if pair in complete]),
        rating=rating(score, par) if scores else 0.0,
        reasons=dict(sorted(reasons.items())),
    )


def interval(means: Sequence[float]) -> tuple[float, float] | None:
    """The 95 % interval of a score from the means of independent groups, cut to 0 … 1; null below two groups.

    Normal, over the groups and two more, one won and one lost (as Agresti and Coull do it for proportions): a few
    groups that all went one way say little, and get no interval of width zero. With many the two make no difference.
    """
    if len(means) < 2:
        return None
    widened = [*means, 0.0, 1.0]
    middle = fmean(widened)
    reach = NORMAL_95 * sqrt(variance(widened, middle) / len(widened))
    return max(middle - reach, 0.0), min(middle + reach, 1.0)


def rating(score: float, par: float) -> float:
    """Elo of a score against a field whose mean score is `par` (1/2 with two seats or parties): 400 a factor of ten.

    The difference of the log odds, cut to `RATING_CAP` on either side; 0 for the mean itself.
    """
    if score in {0.0, 1.0}:
        return RATING_CAP if score else -RATING_CAP
    if not 0.0 < par < 1.0:
        return 0.0
    elo = 400 * (log10(score / (1 - score)) - log10(par / (1 - par)))
    return max(-RATING_CAP, min(elo, RATING_CAP))
