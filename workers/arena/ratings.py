"""How strong is each bot, on one scale, and how sure is it? Elo points and their standard errors.

Bradley and Terry's model, fitted game by game in the order of the schedule (openskill, after Weng and Lin): 400 points
are ten to one, and the mean of an arena's bots is 0. Of three and more parties only the winner is compared, with each
other one: that some lost together says nothing of them. The errors are taken over deals, not over games.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations
from math import log, sqrt
from statistics import fmean
from typing import Any, Final, NamedTuple

from openskill.models import BradleyTerryFull

UNIT: Final = 400 / log(10)
"""Elo points of a unit of log odds."""
PRIOR: Final = 200.0
"""The standard deviation of bots of which nothing is known."""


class Contest(NamedTuple):
    """A game, as ratings see it."""

    deal: int
    """Games of one deal hang together."""
    scores: Mapping[str, float]
    """What it gave each bot: 1, 1/2 or 0."""


class Rating(NamedTuple):
    """How strong a bot is."""

    elo: float
    error: float
    """The standard error of `elo`, as the distance from the mean of all."""


def ratings(bots: Sequence[str], contests: Sequence[Contest], group: int) -> dict[str, Rating]:
    """The ratings of an arena's bots from its games in the order of the schedule, `group` games a deal.

    A bot is never compared with itself. One without a game has 0, with the error of knowing nothing.
    """
    model = _model(len(bots))
    table = {bot: model.rating() for bot in bots}
    compared = [
        (contest.deal, pair, contest.scores[pair[0]])
        for contest in contests
        for pair in combinations(contest.scores, 2)
        if contest.scores[pair[0]] + contest.scores[pair[1]] == 1.0
    ]
    for _, (one, other), score in compared:
        [[table[one]], [table[other]]] = model.rate([[table[one]], [table[other]]], ranks=[1 - score, score])
    elo = {bot: table[bot].mu for bot in bots}
    spread = _spread(elo, compared, group)
    known = [elo[bot] for bot in bots if bot in spread]
    middle = fmean(known) if known else 0.0
    own = sqrt(1 - 1 / len(bots))  # the mean that it is measured against moves with it
    return {
        bot: Rating(elo[bot] - middle if bot in spread else 0.0, own * table[bot].sigma * spread.get(bot, 1.0))
        for bot in bots
    }


def _model(bots: int) -> Any:
    # The model keeps an uncertainty a bot and forgets that they hang together: all ratings could rise by the same.
    # What is known of a bot against the mean of k is k / (k - 1) times what it takes it for. No bot changes (`tau`).
    known = bots / (bots - 1) if bots > 1 else 1.0
    return BradleyTerryFull(mu=0.0, sigma=PRIOR, beta=UNIT / sqrt(2), kappa=1e-9, tau=0.0, gamma=lambda *_args: known)


def _spread(
    elo: Mapping[str, float], compared: Sequence[tuple[int, tuple[str, str], float]], group: int
) -> dict[str, float]:
    """By how much more, or less, the results of whole deals vary than those of as many games that know nothing of each
    other would: the factor of a bot's error (Huber's sandwich). Two deals more, one won and one lost, as in `interval`.
    """
    deals: dict[str, dict[int, float]] = defaultdict(lambda: defaultdict(float))
    expected: dict[str, float] = defaultdict(float)
    for deal, (one, other), score in compared:
        chance = 1 / (1 + 10 ** ((elo[other] - elo[one]) / 400))
        for bot, more in ((one, score - chance), (other, chance - score)):
            deals[bot][deal] += more
            expected[bot] += chance * (1 - chance)
    return {
        bot: sqrt((sum(more * more for more in deals[bot].values()) + group * group / 2) / expected[bot])
        for bot in deals
    }
