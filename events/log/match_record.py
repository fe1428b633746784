"""What is a match's log file? NDJSON as a game's: a head, then one commit a line (section 3).

It holds no hidden card, so it may be read while the match goes on.
"""

from typing import Final, Literal

import msgspec

from events.errors import Unreadable
from events.game.match import GameScored, MatchEnded
from events.log.matches import read_match_line
from events.log.record import decoded_head, lines_of, written
from events.log.store import Store

MATCH_FORMAT: Final = "malice-match/1"


class MatchHead(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line: which match, and whether the log goes up to its end."""

    format: Literal["malice-match/1"]
    match: str
    complete: bool


_HEADS: Final = msgspec.json.Decoder(MatchHead)


def export_match(store: Store, match: str) -> bytes:
    """The log file of a match, as far as it has come. Raises `UnknownMatch`, `Unreadable`, `StoreUnavailable`."""
    commits = store.matches.read(match)
    complete = isinstance(commits[-1].events[-1], MatchEnded)
    return written(MatchHead(MATCH_FORMAT, match, complete), *commits)


def read_match_head(line: bytes) -> MatchHead:
    """Raises `Unreadable` at version 0 where this is not the first line of a match's log file."""
    return decoded_head(_HEADS, line, MATCH_FORMAT)


def is_of_match(file: bytes) -> bool:
    """Does this file begin as a match's log does?"""
    try:
        read_match_head(lines_of(file)[0])
    except Unreadable:
        return False
    return True


def scored_games(file: bytes) -> list[str]:
    """The games that a match's log scores, unjudged. Raises `Unreadable` at the first line out of form."""
    commits = [read_match_line(line, version) for version, line in enumerate(lines_of(file)[1], start=1)]
    return [event.game for commit in commits for event in commit.events if isinstance(event, GameScored)]
