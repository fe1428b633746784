"""Who wins a match? Games are played until a total reaches the target; totals are not capped (R23).

Law kept: `start` and `score` judge and say what follows, `evolve_match` only records. The readings that the rulebook
leaves open are settled in `docs/decisions/0008`.
"""

from collections.abc import Iterable
from typing import Final, TypeAlias, assert_never

import msgspec
from msgspec.structs import replace

from events.errors import Reason, Rejected
from events.game.events import Fact, Outcome, SeatInfo
from events.game.rules import Seat
from events.game.state import Result

MOST_GAMES: Final = 1000
"""A match that nobody has won after so many games is over: a target may be out of reach, and bots never tire."""


class MatchStarted(Fact, frozen=True, gc=False, tag=True):
    """The agreement: who meets, as they sit when the first game is created, and the points that win (R23)."""

    match: str
    target: int
    seats: tuple[SeatInfo, ...]


class GameScored(Fact, frozen=True, gc=False, tag=True):
    """A game has ended so; `points` are its own (R22), `totals` the match's with them."""

    game: str
    result: Outcome
    winners: tuple[Seat, ...]
    points: tuple[int, ...]
    totals: tuple[int, ...]


class MatchEnded(Fact, frozen=True, gc=False, tag=True):
    """R23: the seat whose total has reached the target; null for a match that was given up."""

    winner: Seat | None
    totals: tuple[int, ...]


MatchEvent: TypeAlias = MatchStarted | GameScored | MatchEnded
MatchEvents: TypeAlias = tuple[MatchEvent, ...]


class Match(msgspec.Struct, frozen=True):
    """A match as it stands: its agreement, the games scored so far in order, and whether it is over."""

    match: str
    target: int
    seats: tuple[SeatInfo, ...]
    totals: tuple[int, ...]
    games: tuple[GameScored, ...] = ()
    ended: bool = False
    winner: Seat | None = None


def start(match: str, target: int, seats: tuple[SeatInfo, ...]) -> MatchEvents:
    """A match begins. Raises ValueError for a target that nobody can miss, or fewer than two seats."""
    if target < 1 or len(seats) < 2:
        raise ValueError(f"no match is played by {len(seats)} seats to {target} points")
    return (MatchStarted(match, target, seats),)


def score(match: Match, game: str, result: Result) -> MatchEvents:
    """What the end of its game means for a match (R22, R23).

    A drawn game scores nothing, and another follows. An abandoned one ends the match without a winner: nobody is there
    to play another. Raises `Rejected` when the match is over, ValueError where the result has no points.
    """
    if match.ended:
        raise Rejected(Reason.GAME_OVER, "The match is over.")
    if result.points is None:
        raise ValueError("a game of a match scores points")
    totals, winner = add_points(match.totals, result.points, match.target)
    scored = GameScored(game, result.result, result.winners, result.points, totals)
    over = winner is not None or result.result == "aborted" or len(match.games) + 1 >= MOST_GAMES
    return (scored, MatchEnded(winner, totals)) if over else (scored,)


def add_points(totals: tuple[int, ...], points: tuple[int, ...], target: int) -> tuple[tuple[int, ...], Seat | None]:
    """The totals after a game and the seat that has won the match with it, or None while it goes on."""
    after = tuple(total + more for total, more in zip(totals, points, strict=True))
    winner = next((seat for seat, total in enumerate(after) if total >= target), None)
    return after, winner


def evolve_match(match: Match | None, event: MatchEvent) -> Match:
    """The match after one more event. Raises ValueError when the event does not go with it."""
    if match is None:
        return _started(event)
    match event:
        case GameScored():
            return replace(match, totals=event.totals, games=(*match.games, event))
        case MatchEnded(winner, totals):
            return replace(match, ended=True, winner=winner, totals=totals)
        case MatchStarted():
            raise ValueError("a match starts once")
        case _:
            assert_never(event)


def fold_match(events: Iterable[MatchEvent], match: Match | None = None) -> Match:
    """The match after all these events. Raises as `evolve_match` does, and ValueError for none."""
    for event in events:
        match = evolve_match(match, event)
    if match is None:
        raise ValueError("a match has at least one event")
    return match


def _started(event: MatchEvent) -> Match:
    if not isinstance(event, MatchStarted):
        raise ValueError(f"a match begins with MatchStarted, not with {type(event).__name__}")
    return Match(event.match, event.target, event.seats, totals=(0,) * len(event.seats))
