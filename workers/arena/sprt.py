"""Is the first bot the better one? A sequential test over pairs, which ends as soon as the answer is known.

The generalised sequential probability ratio test of chess engine testers: the unit is the pair, two games on one deal
with seats swapped, and its five outcomes (0, ½, 1, 1½ or 2 points of the first bot) have whatever chances they have;
only their mean is in question. H0 is that it is the score of `elo0`, H1 that of `elo1`. The likelihood of a mean is the
greatest that chances of this mean give the pairs seen; the test ends when the logarithm of the ratio leaves the bounds
of Wald, ln(β / (1 - α)) and ln((1 - β) / α).

Pairs are judged one by one in the order of the schedule, and none after the deciding one. So what has been judged is a
function of the first rows alone, whoever judges, and whatever has been played beyond.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import exp, isfinite, log
from typing import Annotated, Final, Literal, TypeAlias

import msgspec

from events.errors import BadRules, Malformed
from events.game.rules import Rules
from workers.arena.standings import Row, score_of

Verdict: TypeAlias = Literal["better", "no_difference", "undecided"]

SCORES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The five outcomes of a pair, a game's share."""
DOUBT: Final = 2.0
"""So many pairs, won and lost in the proportion that speaks for neither mean, are added before any is seen: the first
few pairs are never the whole truth. Found by simulation: without them, tests of bots that split nearly every deal were
decided by a handful of pairs, too often wrongly."""
UNSEEN: Final = 1e-3
"""So much of a pair is added to each outcome: one that has not happened may."""
MOST_ELO: Final = 1000.0
LEAST_RISK: Final = 1e-6
Elo: TypeAlias = Annotated[float, msgspec.Meta(extra_json_schema={"minimum": -MOST_ELO, "maximum": MOST_ELO})]
Risk: TypeAlias = Annotated[float, msgspec.Meta(extra_json_schema={"minimum": LEAST_RISK, "maximum": 0.5})]


class Sprt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A test of whether the first of two bots is the better one, in Elo (400 points: ten to one)."""

    elo0: Elo
    """H0: the first bot is no more than this better."""
    elo1: Elo
    """H1: it is at least this better; above `elo0`."""
    alpha: Risk = 0.05
    """The chance of accepting H1 although H0 holds; at most a half."""
    beta: Risk = 0.05
    """The chance of accepting H0 although H1 holds; at most a half."""

    @property
    def bounds(self) -> tuple[float, float]:
        """At or below the first H0 is accepted, at or above the second H1."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)


class Judged(msgspec.Struct, frozen=True):
    """How far a test has come."""

    reached: int = 0
    """Pairs of the schedule that have been looked at, from its beginning."""
    outcomes: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)
    """Of these, how many gave the first bot 0, ½, 1, 1½ and 2 points. One with a lost game is in none."""
    llr: float = 0.0
    verdict: Verdict = "undecided"

    @property
    def decided(self) -> bool:
        """Is the answer known?"""
        return self.verdict != "undecided"

    @property
    def counted(self) -> int | None:
        """So many games of the schedule make up the result; null while all do."""
        return 2 * self.reached if self.decided else None


def check(test: Sprt, bots: Sequence[str], rules: Rules) -> None:
    """Raises `Malformed` or `BadRules`, naming the value, for a test that cannot be."""
    for name, elo in (("elo0", test.elo0), ("elo1", test.elo1)):
        if not isfinite(elo) or abs(elo) > MOST_ELO:
            raise Malformed(f"{name} is {elo:g}; it takes {-MOST_ELO:g} to {MOST_ELO:g} Elo.")
    for name, risk in (("alpha", test.alpha), ("beta", test.beta)):
        if not LEAST_RISK <= risk <= 0.5:
            raise Malformed(f"{name} is {risk:g}; it takes {LEAST_RISK:g} to 0.5.")
    if test.elo0 >= test.elo1:
        raise BadRules(f"elo0 is {test.elo0:g} and elo1 {test.elo1:g}; the first is below the second.")
    if len(bots) != 2:
        raise BadRules(f"A sequential test is between two bots; {len(bots)} are named.")
    if len(rules.parties()) != 2:
        raise BadRules(
            f"A sequential test needs two seats or two teams; the rules have {len(rules.parties())} of them."
        )


def judge(test: Sprt, judged: Judged, bot: str, pairs: Iterable[Sequence[Row]]) -> Judged:
    """Judge further pairs, those of the schedule after `judged.reached`, until one decides.

    `bot` is the label of the first bot.
    """
    for pair in pairs:
        if judged.decided:
            break
        judged = judged_next(test, judged, [score_of(row, bot) for row in pair if row.result != "aborted"])
    return judged


def until_decided(test: Sprt | None, bot: str, rows: Iterable[Row]) -> Iterator[tuple[Row, Judged | None]]:
    """Rows that come in the order of the schedule, each with how far the test is then, up to the one that decides it.

    Without a test all of them, with null.
    """
    judged = None if test is None else Judged()
    pair: list[Row] = []
    for row in rows:
        pair.append(row)
        if test is not None and judged is not None and len(pair) == 2:
            judged = judge(test, judged, bot, [pair])
            pair = []
        yield row, judged
        if judged is not None and judged.decided:
            return


def judged_next(test: Sprt, judged: Judged, scores: Sequence[float]) -> Judged:
    """The test after one more pair, of these results of the first bot; fewer than two count for nothing."""
    if len(scores) < 2:
        return msgspec.structs.replace(judged, reached=judged.reached + 1)
    seen = list(judged.outcomes)
    seen[round(2 * sum(scores))] += 1
    outcomes = (seen[0], seen[1], seen[2], seen[3], seen[4])
    llr = log_likelihood_ratio(outcomes, expected(test.elo0), expected(test.elo1))
    lower, upper = test.bounds
    verdict: Verdict = "better" if llr >= upper else "no_difference" if llr <= lower else "undecided"
    return Judged(judged.reached + 1, outcomes, llr, verdict)


def expected(elo: float) -> float:
    """The score of a bot that is so much better, 0 to 1: the logistic curve."""
    return 1 / (1 + exp(-elo * log(10) / 400))


def log_likelihood_ratio(outcomes: Sequence[int], mean0: float, mean1: float) -> float:
    """How much likelier the pairs are under the best chances of mean `mean1` than under the best of mean `mean0`.

    The best chances of mean m are those seen, each divided by 1 + t(a - m), a being the outcome's score and t what
    makes the mean right (Owen's empirical likelihood).
    """
    middle = (mean0 + mean1) / 2
    counts = [count + UNSEEN for count in outcomes]
    counts[0] += DOUBT * (1 - middle)
    counts[-1] += DOUBT * middle
    tilt0, tilt1 = _tilt(counts, mean0), _tilt(counts, mean1)
    return sum(
        count * log((1 + tilt0 * (score - mean0)) / (1 + tilt1 * (score - mean1)))
        for count, score in zip(counts, SCORES, strict=True)
    )


def _tilt(counts: Sequence[float], mean: float) -> float:
    """The root of Σ count (a - mean) / (1 + t(a - mean)), which falls in t: Newton's steps, halving where one leaps."""
    low, high = -1 / (1 - mean), 1 / mean
    tilt = 0.0
    for _ in range(100):
        value = slope = 0.0
        for count, score in zip(counts, SCORES, strict=True):
            part = (score - mean) / (1 + tilt * (score - mean))
            value += count * part
            slope += count * part * part
        if value > 0:
            low = tilt
        else:
            high = tilt
        following = tilt + value / slope
        if not low < following < high:
            following = (low + high) / 2
        if abs(following - tilt) < 1e-12:
            break
        tilt = following
    return tilt
