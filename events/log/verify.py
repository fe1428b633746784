"""Is a log true? Every line in form and in the chain, every move legal, every consequence and every shuffle right.

The lowest version that is missing or wrong is named. Only an ended game has shown its seed, so only there are the
shuffles themselves repeated.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final, TypeVar

from events.errors import Unreadable
from events.game.events import GameCreated, GameEnded, SeatTaken
from events.game.fast.bridge import game_of, table_of
from events.game.fast.codes import NONE
from events.game.fast.dice import RecordedDice, SeededDice
from events.game.fast.facts import packed
from events.game.fast.table import move_of
from events.game.state import Game
from events.log.commit import GENESIS, Commit, CommitOf, body_of, canonical, chained, read_line
from events.log.judge import actor, judge, keeps_promise
from events.log.record import lines_of, read_head
from events.log.verdicts import Verification

E = TypeVar("E")

_AT: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII)


def verify(file: bytes) -> Verification:
    """Judge a whole log file; never raises for what it holds.

    Moves are judged in numbers first (`Table.checked`); what that has anything against the rulebook judges, and names.
    """
    quick = _verified(file, quick=True)
    return quick if quick.ok else _verified(file, quick=False)


def _verified(file: bytes, *, quick: bool) -> Verification:
    first, rest = lines_of(file)
    good, ended = 0, False
    game, complete, seed = "", False, None
    joined: list[int] = []
    try:
        head = read_head(first)
        game, complete = head.game, head.complete
        seed = promised_seed(rest)
        for commit in _judged(rest, seed, quick=quick):
            good, ended = commit.version, isinstance(commit.events[-1], GameEnded)
            joined += [event.seat for event in commit.events if isinstance(event, SeatTaken) and event.entropy]
        if good == 0 or (complete and not ended):
            raise Unreadable(good + 1, "missing: the head says that the log goes to the end of the game")
        if ended and not complete:
            raise Unreadable(0, "the head says that the game goes on, and it has ended")
    except Unreadable as error:
        return Verification(False, game, good, complete, seed is not None, tuple(joined), error.version, error.why)
    return Verification(True, game, good, complete, seed is not None, tuple(joined), None, None)


def unreadable(game: str, error: Unreadable) -> Verification:
    """The verdict on a log that the store itself cannot read."""
    return Verification(False, game, max(error.version - 1, 0), False, False, (), error.version, error.why)


def _judged(lines: Sequence[bytes], seed: bytes | None, *, quick: bool) -> Iterator[Commit]:
    previous, game = GENESIS, None
    moved: Moved | None = None
    for version, line in enumerate(lines, start=1):
        commit = read_line(line, version)
        check_line(commit, version, previous)
        if moved is None or not moved.takes(commit):
            game = judge(commit, moved.game() if moved else game, seed)
            moved = Moved(game, seed) if quick and game.turn is not None and game.result is None else None
        previous = commit.hash
        yield commit


class Moved:
    """A game in numbers, which takes the moves of a log one after the other; the last is the rulebook's to judge."""

    def __init__(self, began: Game, seed: bytes | None) -> None:
        entropies = [player.entropy for player in began.players]
        self._recorded = RecordedDice()
        self._table = table_of(began, self._recorded if seed is None else SeededDice(seed, entropies))
        self._began = began

    def takes(self, commit: Commit) -> bool:
        """Is it a move, with all that the rules bring about? Raises `Unreadable` for another, without saying why."""
        facts = self._recorded.facts = packed(commit.events)
        if not commit.events or isinstance(commit.events[-1], GameEnded) or move_of(facts) == NONE:
            return False
        seat = self._table.board.seat
        if commit.by not in (actor(self._began, seat), "system") or not self._table.checked(facts):
            raise Unreadable(commit.version, "against the rules")
        return True

    def game(self) -> Game:
        """As a frozen value."""
        return game_of(self._table, self._began)


def check_line(commit: CommitOf[E], version: int, previous: str) -> None:
    """Raises `Unreadable` for a commit, of a game or a match, that is not the one after the hash `previous`."""
    if commit.version != version:
        raise Unreadable(version, f"missing: version {commit.version} stands in its place")
    if chained(previous, canonical(body_of(commit))) != commit.hash:
        raise Unreadable(version, "its hash does not follow from its content and the hash before it")
    if not _is_time(commit.at):
        raise Unreadable(version, f"at is {commit.at!r}, not a time such as 2026-01-31T12:00:00.123Z")


def _is_time(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return _AT.fullmatch(text) is not None


def promised_seed(lines: Sequence[bytes]) -> bytes | None:
    """The seed that the log's last commit reveals, if it is the one that its first commit promised."""
    if not lines:
        return None
    try:
        first, last = read_line(lines[0], 1), read_line(lines[-1], len(lines))
    except Unreadable:
        return None
    created = next((event for event in first.events if isinstance(event, GameCreated)), None)
    ended = next((event for event in last.events if isinstance(event, GameEnded)), None)
    if created is None or ended is None or not keeps_promise(ended.seed, created.commitment):
        return None
    return bytes.fromhex(ended.seed)
