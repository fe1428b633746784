"""Where is a match kept? A stream of its own, in the form of a game's, and beside it what was agreed and is secret.

All games of a match lie on its own shard: they are one after another, and what a crash takes from the end of one it
takes from the ends of all, so that nothing is scored of a game that is not there.
"""

import hmac
from typing import Any, Final, TypeAlias

import msgspec
import redis

from events.errors import UnknownMatch, Unreadable
from events.game.events import SeatInfo
from events.game.match import Match, MatchEvent, MatchEvents, fold_match
from events.game.rules import Rules
from events.game.shuffle import deal_seed
from events.log.append import Appender, Line
from events.log.client import reaching_store
from events.log.clocks import ClockTerms
from events.log.commit import GENESIS, BodyOf, CommitOf, decoded, decoded_line, seal
from events.log.entries import unpacked
from events.log.keys import derived_id, match_key, match_terms_key, shard_of

MatchCommit: TypeAlias = CommitOf[MatchEvent]
_BODIES: Final = msgspec.json.Decoder(BodyOf[MatchEvent])
_COMMITS: Final = msgspec.json.Decoder(CommitOf[MatchEvent])


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """What was agreed for a match and stands in no event."""

    match: str
    rules: Rules
    seats: tuple[SeatInfo, ...]
    """As they are when the first game is created: open ones too."""
    seed: str
    """Any text; the seed of the n-th deal is derived from it (contract, section 4)."""
    secret: str
    """What the ids of its games are derived from, in hex."""
    digest: str
    """Of the request that asked for it, "" where that had no key."""
    clock: ClockTerms | None = None
    """The turn clock of all its games."""
    listed: bool = True
    """Are its games on the list of games?"""

    def game(self, number: int) -> str:
        """The id of game `number`, counted from 0: the same whoever asks, so that none is created twice."""
        digest = hmac.digest(bytes.fromhex(self.secret), str(number).encode(), "sha256")
        return derived_id(digest, shard_of(self.match))

    def deal(self, number: int) -> bytes:
        """The seed of game `number`: 64 bytes."""
        return deal_seed(self.seed, number)


_TERMS: Final = msgspec.json.Decoder(Terms)


class LoadedMatch(msgspec.Struct, frozen=True):
    """A match as of a version, with what the next commit is chained to."""

    match: Match
    version: int
    hash: str


class Matches:
    """The matches of a store. Every method raises `StoreUnavailable`."""

    def __init__(self, client: redis.Redis) -> None:
        self.client: Any = client
        self._appender = Appender(client)

    def agree(self, terms: Terms) -> Terms:
        """Keep these terms if the match has none; the terms that stand."""
        with reaching_store():
            self.client.set(match_terms_key(terms.match), msgspec.json.encode(terms), nx=True)
        return self.terms(terms.match)

    def terms(self, match: str) -> Terms:
        """Raises `UnknownMatch`."""
        with reaching_store():
            packed = self.client.get(match_terms_key(match))
        if packed is None:
            raise UnknownMatch(match)
        return _TERMS.decode(packed)

    def append(self, before: LoadedMatch | None, match: str, events: MatchEvents, *, at: str) -> LoadedMatch:
        """Append one commit, by the system, to the match as it was `before`, or begin its log.

        Raises `Conflict` when somebody else has appended, ValueError for events that do not go with the match.
        """
        after = fold_match(events, before.match if before else None)
        version, previous = (before.version, before.hash) if before else (0, GENESIS)
        # No key: who knows that of the creation gets the tokens of its seats, and this log is open while they are good.
        body = BodyOf(version=version + 1, at=at, by="system", key=None, events=events)
        commit, packed = seal(previous, body)
        self._appender.match(match, Line(commit.version, packed, commit.hash, previous))
        return LoadedMatch(after, commit.version, commit.hash)

    def read(self, match: str) -> list[MatchCommit]:
        """All commits, oldest first. Raises `UnknownMatch`, `Unreadable`."""
        with reaching_store():
            entries = self.client.xrange(match_key(match))
        if not entries:
            raise UnknownMatch(match)
        return list(unpacked(entries, GENESIS, 0, _read_body))

    def load(self, match: str) -> LoadedMatch:
        """The match as of its last commit. Raises `UnknownMatch`, `Unreadable`."""
        folded: Match | None = None
        commits = self.read(match)
        for commit in commits:
            try:
                folded = fold_match(commit.events, folded)
            except ValueError as error:
                raise Unreadable(commit.version, f"does not follow from the match before it: {error}") from None
        if folded is None:
            raise UnknownMatch(match)
        return LoadedMatch(folded, commits[-1].version, commits[-1].hash)


def read_match_line(line: bytes, version: int) -> MatchCommit:
    """Decode a line of a match's log file. Raises `Unreadable`, naming `version`."""
    return decoded_line(_COMMITS, line, version)


def _read_body(packed: bytes, version: int) -> BodyOf[MatchEvent]:
    return decoded(_BODIES, packed, version)
