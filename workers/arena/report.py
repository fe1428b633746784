"""What does an arena say of itself? One report for the API, the command line and a local run (contract, section 6)."""

from collections.abc import Sequence
from itertools import combinations
from statistics import fmean

import msgspec

from events.game.rules import Rules
from workers.arena.schedule import group_size
from workers.arena.standings import Row, Standing, interval, standings
from workers.arena.terms import Arena, Progress, Status


class Meeting(msgspec.Struct, frozen=True, kw_only=True):
    """Two bots against each other, from the first one's side; games in which both or neither won count as drawn."""

    bots: tuple[str, str]
    games: int
    wins: int
    draws: int
    losses: int
    score: float
    """Wins and half the draws, per game: 0 to 1."""
    ci95: tuple[float, float] | None
    """The normal 95 % interval of the score over complete groups of games on one deal."""


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """An arena, how far it has come, and how its bots stand."""

    arena: str | None
    """The arena's id; null for a local run."""
    status: Status
    done: int
    """Games that have ended."""
    games: int
    """Games asked for."""
    rules: Rules
    seed: str | None
    """Null while the arena runs: who knows it knows all cards to come."""
    bots: tuple[Standing, ...]
    """The best score first."""
    pairs: tuple[Meeting, ...]
    reasons: dict[str, int]
    """How the games ended."""
    moves: int
    seconds: float
    """From the start to now, or to the end."""
    games_per_second: float
    moves_per_second: float


def report(arena: Arena, progress: Progress, rows: Sequence[Row], seconds: float, *, local: bool = False) -> Report:
    """The report of an arena that has these rows."""
    moves = sum(row.moves for row in rows)
    reasons = [row.reason for row in rows]
    return Report(
        arena=None if local else arena.arena,
        status=progress.status,
        done=len(rows),
        games=arena.games,
        rules=arena.rules,
        seed=arena.seed if local or progress.ended_at is not None else None,
        bots=tuple(standings(arena.labels, rows)),
        pairs=meetings(arena.labels, rows),
        reasons={reason: reasons.count(reason) for reason in sorted(set(reasons))},
        moves=moves,
        seconds=round(seconds, 3),
        games_per_second=round(len(rows) / seconds, 1) if seconds else 0.0,
        moves_per_second=round(moves / seconds, 1) if seconds else 0.0,
    )


def meetings(bots: Sequence[str], rows: Sequence[Row]) -> tuple[Meeting, ...]:
    """Every two bots that have met, in one pass over the rows."""
    order = {bot: index for index, bot in enumerate(bots)}
    scores: dict[tuple[str, str], dict[int, list[float]]] = {}
    for row in rows:
        if row.result == "aborted":
            continue
        for pair in combinations(sorted(set(row.seats), key=order.__getitem__), 2):
            scores.setdefault(pair, {}).setdefault(row.pair, []).append(_score(row, pair))
    size = group_size(len(bots), len(rows[0].seats)) if rows else 0
    return tuple(_meeting(pair, scores[pair], size) for pair in combinations(bots, 2) if pair in scores)


def _meeting(pair: tuple[str, str], groups: dict[int, list[float]], size: int) -> Meeting:
    scores = [score for group in groups.values() for score in group]
    return Meeting(
        bots=pair,
        games=len(scores),
        wins=scores.count(1.0),
        draws=scores.count(0.5),
        losses=scores.count(0.0),
        score=fmean(scores),
        ci95=interval([fmean(group) for group in groups.values() if len(group) == size]),
    )


def _score(row: Row, pair: tuple[str, str]) -> float:
    mine, theirs = (any(row.seats[seat] == bot for seat in row.winners) for bot in pair)
    return 0.5 if mine == theirs else float(mine)
