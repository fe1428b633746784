"""What does an arena say of itself? One report for the API, the command line and a local run (contract, section 6).

Where a sequential test has decided, the games up to the deciding pair are all there is: what was played beyond it is
left out of every figure, so that they do not depend on the number of workers.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations
from statistics import fmean, pstdev

import msgspec

from events.game.rules import Rules
from workers.arena.sprt import Judged, Sprt, Verdict
from workers.arena.standings import Row, Standing, complete_groups, counted, interval, score_of, standings
from workers.arena.terms import Arena, Progress, Status


class Meeting(msgspec.Struct, frozen=True, kw_only=True):
    """Two bots against each other, from the first one's side; games in which neither won count as drawn."""

    bots: tuple[str, str]
    games: int
    wins: int
    draws: int
    losses: int
    score: float
    """Wins and half the draws, per game: 0 to 1."""
    ci95: tuple[float, float] | None
    """The 95 % interval of the score over complete groups of games on one deal."""
    outcomes: tuple[int, int, int, int, int] | None
    """How many pairs of games gave the first bot 0, 1/2, 1, 1 1/2 and 2 points; null where a deal has more games."""


class Spread(msgspec.Struct, frozen=True, kw_only=True):
    """How long the games were."""

    mean: float
    sd: float
    """The standard deviation."""
    least: int
    most: int


class Test(msgspec.Struct, frozen=True, kw_only=True):
    """A sequential test of whether the first bot is the better one, and how far it has come."""

    __test__ = False

    elo0: float
    elo1: float
    alpha: float
    beta: float
    llr: float
    """The logarithm of the likelihood ratio."""
    lower: float
    """At or below it H0 is accepted: the first bot is not better, by more than `elo0`."""
    upper: float
    """At or above it H1 is accepted: the first bot is better, by `elo1` or so."""
    pairs: int
    """Pairs of games judged."""
    outcomes: tuple[int, int, int, int, int]
    """How many of them gave the first bot 0, 1/2, 1, 1 1/2 and 2 points."""
    verdict: Verdict
    """`better` (H1), `no_difference` (H0), or `undecided`: as yet, or because the games ran out."""


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """An arena, how far it has come, and how its bots stand."""

    arena: str | None
    """The arena's id; null for a local run."""
    status: Status
    done: int
    """Games that have ended, up to the pair that decided a sequential test."""
    games: int
    """Games asked for."""
    rules: Rules
    seed: str | None
    """Null while the arena runs: who knows it knows all cards to come."""
    bots: tuple[Standing, ...]
    """The best score first."""
    pairs: tuple[Meeting, ...]
    sprt: Test | None
    """The sequential test, where one was asked for."""
    draws: int
    reasons: dict[str, int]
    """How the games ended."""
    seats: tuple[float, ...]
    """The score of each seat, whoever sat there: wins and half the draws, per game."""
    length: Spread | None
    """Moves a game; null while none has ended."""
    turns: Spread | None
    """Turns a game."""
    margin: float | None
    """Points that the winner of a game got, on average; null where the rules score none, or none was won."""
    moves: int
    seconds: float
    """From the start to now, or to the end."""
    games_per_second: float
    moves_per_second: float


def report(arena: Arena, progress: Progress, rows: Sequence[Row], seconds: float, *, local: bool = False) -> Report:
    """The report of an arena that has these rows, in the order of the schedule."""
    judged = progress.judged
    if judged is not None and judged.counted is not None:
        rows = [row for row in rows if row.number < judged.counted]
    moves = sum(row.moves for row in rows)
    played = [row for row in rows if row.result != "aborted"]
    margins = [max(row.points) for row in played if row.points is not None and row.result == "won"]
    return Report(
        arena=None if local else arena.arena,
        status=progress.status,
        done=len(rows),
        games=arena.games,
        rules=arena.rules,
        seed=arena.seed if local or progress.ended_at is not None else None,
        bots=tuple(standings(arena.labels, rows, arena.group)),
        pairs=meetings(arena.labels, rows, arena.group),
        sprt=None if arena.sprt is None else tested(arena.sprt, judged or Judged()),
        draws=sum(row.result == "drawn" for row in played),
        reasons=counted(row.reason for row in rows),
        seats=_seats(played),
        length=_spread([row.moves for row in played]),
        turns=_spread([row.turns for row in played]),
        margin=fmean(margins) if margins else None,
        moves=moves,
        seconds=round(seconds, 3),
        games_per_second=round(len(rows) / seconds, 1) if seconds else 0.0,
        moves_per_second=round(moves / seconds, 1) if seconds else 0.0,
    )


def tested(test: Sprt, judged: Judged) -> Test:
    """A sequential test as it is told."""
    lower, upper = test.bounds
    return Test(
        elo0=test.elo0,
        elo1=test.elo1,
        alpha=test.alpha,
        beta=test.beta,
        llr=round(judged.llr, 4),
        lower=round(lower, 4),
        upper=round(upper, 4),
        pairs=sum(judged.outcomes),
        outcomes=judged.outcomes,
        verdict=judged.verdict,
    )


def meetings(bots: Sequence[str], rows: Iterable[Row], group: int) -> tuple[Meeting, ...]:
    """Every two bots that have met, in one pass over the rows; `group` games are played on each deal."""
    finished = [row for row in rows if row.result != "aborted"]
    complete = complete_groups(finished, group)
    order = {bot: index for index, bot in enumerate(bots)}
    scores: dict[tuple[str, str], dict[int, list[float]]] = {}
    for row in finished:
        for pair in combinations(sorted(set(row.seats), key=order.__getitem__), 2):
            scores.setdefault(pair, {}).setdefault(row.pair, []).append(_score(row, pair))
    return tuple(_meeting(pair, scores[pair], complete, group) for pair in combinations(bots, 2) if pair in scores)


def _meeting(pair: tuple[str, str], groups: dict[int, list[float]], complete: set[int], group: int) -> Meeting:
    scores = [score for games in groups.values() for score in games]
    whole = [games for deal, games in groups.items() if deal in complete]
    sums = [round(2 * sum(games)) for games in whole]
    return Meeting(
        bots=pair,
        games=len(scores),
        wins=scores.count(1.0),
        draws=scores.count(0.5),
        losses=scores.count(0.0),
        score=fmean(scores),
        ci95=interval([fmean(games) for games in whole]),
        outcomes=(sums.count(0), sums.count(1), sums.count(2), sums.count(3), sums.count(4)) if group == 2 else None,
    )


def _score(row: Row, pair: tuple[str, str]) -> float:
    return (1 + score_of(row, pair[0]) - score_of(row, pair[1])) / 2


def _seats(rows: Sequence[Row]) -> tuple[float, ...]:
    """The score of each seat."""
    scores = [
        [0.5 if row.result == "drawn" else float(seat in row.winners) for seat in range(len(row.seats))] for row in rows
    ]
    return tuple(fmean(of_seat) for of_seat in zip(*scores, strict=True))


def _spread(counts: Sequence[int]) -> Spread | None:
    if not counts:
        return None
    return Spread(mean=round(fmean(counts), 1), sd=round(pstdev(counts), 1), least=min(counts), most=max(counts))
