"""Is the log of a match true? It verifies when its games do and their results fold to its totals (section 5).

Judged as a game's log is, commit by commit: form, chain, and what follows by the rules; and of each game scored its own
log, which must be the next game of this match, whole, on a deal of its own, between the same seats.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

import msgspec

from events.errors import Rejected, Unreadable
from events.game.events import GameCreated, GameEnded, PositionSet, SeatInfo, SeatTaken
from events.game.match import GameScored, Match, MatchEvents, MatchStarted, fold_match, score, start
from events.game.state import Result
from events.log.commit import GENESIS
from events.log.match_record import MatchHead, read_match_head
from events.log.matches import MatchCommit, read_match_line
from events.log.record import lines_of, read_log
from events.log.verdicts import MatchVerification
from events.log.verify import check_line, verify

LogOf: TypeAlias = Callable[[str], bytes | None]
"""The log file of a game by its id, None where there is none. May raise `Unreadable` for one that is damaged."""


class Played(msgspec.Struct, frozen=True):
    """What matters of a game's log that verifies."""

    created: GameCreated
    seats: tuple[SeatInfo, ...]
    """Who sat there at the end."""
    ended: GameEnded


class GameIsWrong(Unreadable):
    """The log of a game is to blame. `version` is that of the match's log."""

    def __init__(self, version: int, game: str, why: str, game_version: int | None = None) -> None:
        where = f"version {game_version}: " if game_version else ""
        super().__init__(version, f"game {game}: {where}{why}")
        self.game = game
        self.game_version = game_version


def verify_match(file: bytes, log_of: LogOf) -> MatchVerification:
    """Judge a whole log file of a match, and the logs of all games that it scores; never raises for what they hold."""
    first, rest = lines_of(file)
    name, complete, good = "", False, 0
    match: Match | None = None
    try:
        head = read_match_head(first)
        name, complete = head.match, head.complete
        for commit, folded in _judged(rest, head, log_of):
            good, match = commit.version, folded
        if match is None or (complete and not match.ended):
            raise Unreadable(good + 1, "missing: the head says that the log goes to the end of the match")
        if match.ended and not complete:
            raise Unreadable(0, "the head says that the match goes on, and it has ended")
    except Unreadable as error:
        return _verdict(name, good, complete, match, error)
    return _verdict(name, good, complete, match, None)


def unreadable_match(match: str, error: Unreadable) -> MatchVerification:
    """The verdict on a log that the store itself cannot read."""
    return _verdict(match, max(error.version - 1, 0), False, None, error)


def _verdict(name: str, good: int, complete: bool, match: Match | None, error: Unreadable | None) -> MatchVerification:
    wrong = error if isinstance(error, GameIsWrong) else None
    return MatchVerification(
        ok=error is None,
        match=name,
        versions=good,
        complete=complete,
        games=tuple(scored.game for scored in match.games) if match else (),
        totals=match.totals if match else (),
        winner=match.winner if match else None,
        version=error.version if error else None,
        why=error.why if error else None,
        game=wrong.game if wrong else None,
        game_version=wrong.game_version if wrong else None,
    )


def _judged(lines: Sequence[bytes], head: MatchHead, log_of: LogOf) -> Iterator[tuple[MatchCommit, Match]]:
    previous, match = GENESIS, None
    played: list[Played] = []
    for version, line in enumerate(lines, start=1):
        commit = read_match_line(line, version)
        check_line(commit, version, previous)
        if (commit.by, commit.key) != ("system", None):
            raise Unreadable(version, f"by is {commit.by!r} and key {commit.key!r}: it is system's work, without a key")
        _check_events(commit, match)
        match = fold_match(commit.events, match)
        if match.match != head.match:
            raise Unreadable(0, f"the head names match {head.match!r}, and the log is of {match.match!r}")
        if version > 1:
            game = _played(version, match.games[-1].game, log_of)
            _check_game(version, match, game, played)
            played.append(game)
        previous = commit.hash
        yield commit, match


def _check_events(commit: MatchCommit, match: Match | None) -> None:
    """Raises `Unreadable` where these are not just the events that follow from the first of them."""
    version, events = commit.version, commit.events
    expected: MatchEvents = ()
    try:
        match events[:1]:
            case (MatchStarted(name, target, seats),) if match is None:
                expected = start(name, target, seats)
            case (GameScored(game, result, winners, points, _),) if match is not None:
                expected = score(match, game, Result(result, winners, "payoff", points))
            case _:
                raise Unreadable(version, f"a match cannot go on with {_types(events[:1])} here")
    except (Rejected, ValueError) as error:
        raise Unreadable(version, f"against the rules: {error}") from None
    if events != expected:
        raise Unreadable(version, f"{_types(events)} is not what follows by the rules ({_types(expected)})")


def _played(version: int, game: str, log_of: LogOf) -> Played:
    """The game of this id, judged. Raises `GameIsWrong`."""
    try:
        file = log_of(game)
    except Unreadable as error:
        raise GameIsWrong(version, game, error.why, error.version) from None
    if file is None:
        raise GameIsWrong(version, game, "its log is not there")
    verdict = verify(file)
    if not verdict.ok:
        raise GameIsWrong(version, game, verdict.why or "", verdict.version)
    if not verdict.complete:
        raise GameIsWrong(version, game, "it has not ended", verdict.versions + 1)
    events = [event for commit in read_log(file).commits for event in commit.events]
    created, ended = events[0], events[-1]
    if not isinstance(created, GameCreated) or not isinstance(ended, GameEnded):
        raise GameIsWrong(version, game, "it has no beginning and end")
    if any(isinstance(event, PositionSet) for event in events):
        raise GameIsWrong(version, game, "it starts from a position, not from a deal (R23)")
    seats = list(created.seats)
    for event in events:
        if isinstance(event, SeatTaken):
            seats[event.seat] = SeatInfo(event.name, "human", None, event.entropy)
    return Played(created, tuple(seats), ended)


def _check_game(version: int, match: Match, game: Played, before: Sequence[Played]) -> None:
    """Raises `GameIsWrong` where a true game is not the next one of this match, or has ended otherwise."""
    scored, created = match.games[-1], game.created
    told = (scored.result, scored.winners, scored.points)
    if told != (game.ended.result, game.ended.winners, game.ended.points):
        raise GameIsWrong(version, scored.game, "its own log says that it ended otherwise")
    if (created.game, created.match) != (scored.game, match.match):
        where = f"it is game {created.game!r} of match {created.match!r}"
        raise GameIsWrong(version, scored.game, f"its log is not of this match: {where}")
    if any(other.created.game == created.game for other in before):
        raise GameIsWrong(version, scored.game, "it is scored twice")
    if any(other.ended.seed == game.ended.seed for other in before):
        raise GameIsWrong(version, scored.game, "its deal is that of an earlier game (R23: each is a new deal)")
    rules = before[0].created.rules if before else created.rules
    if created.rules != rules or rules.match != match.target:
        raise GameIsWrong(version, scored.game, "it is played under other rules than the match")
    if created.seats != (before[0].seats if before else match.seats):
        raise GameIsWrong(version, scored.game, "others sit there than in the match")


def _types(events: MatchEvents) -> str:
    return " and ".join(type(event).__name__ for event in events) or "nothing"
