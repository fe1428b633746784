"""Who is ahead, and how sure is it? Standings from the rows of finished games, recounted from the rows each time.

A game gives a bot one result, however many seats it holds: it has won when one of them has (every seating is played, so
each bot holds as many seats as any other). Games on one deal hang together, so intervals are taken over complete groups
of them (pairs, with two seats), never over single games. Aborted games count for nothing.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from math import sqrt
from statistics import fmean, variance
from typing import Final

import msgspec

from events.game.events import EndReason, Outcome
from workers.arena.ratings import Contest, Rating, ratings

NORMAL_95: Final = 1.959964


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
    """Where 95 of 100 such intervals hold the true score; null with fewer than two complete groups (pairs)."""
    rating: float
    """Elo points above (or below) the mean of the arena's bots: 400 are ten to one."""
    rating_ci95: tuple[float, float] | None
    """The 95 % interval of the rating; null like `ci95`."""
    points: float | None
    """Points scored, per game; null where the rules score none, or no game has ended."""
    reasons: dict[str, int]
    """How its games ended."""
    losses_by: dict[str, int]
    """How those ended that it lost."""


def standings(bots: Sequence[str], rows: Iterable[Row], group: int) -> list[Standing]:
    """The best score first, equals in the order of `bots`, which are the arena's labels.

    `rows` are in the order of the schedule, `group` games on each deal.
    """
    finished = [row for row in rows if row.result != "aborted"]
    complete = complete_groups(finished, group)
    played: dict[str, list[tuple[Row, float]]] = {bot: [] for bot in bots}
    contests: list[Contest] = []
    for row in finished:
        scores = {bot: score_of(row, bot) for bot in row.seats}
        contests.append(Contest(row.pair, scores))
        for bot, score in scores.items():
            played[bot].append((row, score))
    rated = ratings(bots, contests, group)
    table = [_standing(bot, played[bot], complete, rated[bot]) for bot in bots]
    return sorted(table, key=lambda standing: -standing.score)


def score_of(row: Row, bot: str) -> float:
    """What a game gave a bot that sat in it: 1, 1/2 or 0."""
    if row.result == "drawn":
        return 0.5
    return float(any(row.seats[seat] == bot for seat in row.winners))


def complete_groups(rows: Iterable[Row], group: int) -> set[int]:
    """The deals of which every game is there."""
    return {pair for pair, count in Counter(row.pair for row in rows).items() if count == group}


def _standing(bot: str, played: Sequence[tuple[Row, float]], complete: set[int], rated: Rating) -> Standing:
    groups: dict[int, list[float]] = defaultdict(list)
    for row, score in played:
        groups[row.pair].append(score)
    scores = [score for _, score in played]
    ci95 = interval([fmean(group) for pair, group in groups.items() if pair in complete])
    reach = NORMAL_95 * rated.error
    points = [_points(row, bot) for row, _ in played if row.points is not None]
    return Standing(
        bot=bot,
        games=len(scores),
        wins=scores.count(1.0),
        draws=scores.count(0.5),
        losses=scores.count(0.0),
        score=fmean(scores) if scores else 0.0,
        ci95=ci95,
        rating=round(rated.elo, 1),
        rating_ci95=None if ci95 is None else (round(rated.elo - reach, 1), round(rated.elo + reach, 1)),
        points=fmean(points) if points else None,
        reasons=counted(row.reason for row, _ in played),
        losses_by=counted(row.reason for row, score in played if score == 0.0),
    )


def counted(reasons: Iterable[str]) -> dict[str, int]:
    """How often each is there, in the order of their names."""
    return dict(sorted(Counter(reasons).items()))


def _points(row: Row, bot: str) -> int:
    return sum(points for seat, points in zip(row.seats, row.points or (), strict=True) if seat == bot)


def interval(means: Sequence[float]) -> tuple[float, float] | None:
    """The 95 % interval of a score from the means of independent groups, cut to 0 … 1; null below two groups.

    Normal, over the groups and two more, one won and one lost (as Agresti and Coull do it for proportions): a few
    groups that all went one way say little, and get no interval of width zero. In simulations, from 2 groups to 100 and
    for scores of 50 % to 98 %, it held the true score at least 95 times in 100; with many groups the two make no
    difference.
    """
    if len(means) < 2:
        return None
    widened = [*means, 0.0, 1.0]
    middle = fmean(widened)
    reach = NORMAL_95 * sqrt(variance(widened, middle) / len(widened))
    return max(middle - reach, 0.0), min(middle + reach, 1.0)
