"""What is one entry of a game's history? A commit: what one command caused, sealed into a hash chain.

Its canonical JSON (keys sorted, no spaces) is at once a line of the log file and what is hashed (contract, section 3);
what a stream keeps is `packing`'s affair. A match's history has the same form, with events of its own.
"""

import hashlib
from datetime import datetime
from typing import Final, Generic, TypeAlias, TypeVar

import msgspec

from events.errors import Unreadable
from events.game.events import Event

E = TypeVar("E")
T = TypeVar("T")

GENESIS: Final = "0" * 64
"""The hash before the first commit."""

_ENCODER: Final = msgspec.json.Encoder(order="sorted")


class BodyOf(msgspec.Struct, Generic[E], frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A commit without its hash; `E` is what its events may be."""

    version: int
    """Counts 1, 2, 3 … without a gap."""
    at: str
    """RFC 3339 in UTC with milliseconds: `2026-01-31T12:00:00.123Z`."""
    by: str
    """`seat:N`, `bot:N` or `system`."""
    key: str | None
    """The idempotency key of the request, if it had one."""
    events: tuple[E, ...]
    """What was done, then its consequences."""


class CommitOf(BodyOf[E], frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A commit with its place in the chain."""

    hash: str
    """Hex SHA-256 of the previous commit's hash, as ASCII, and the canonical body."""


Body: TypeAlias = BodyOf[Event]
"""Of a game."""
Commit: TypeAlias = CommitOf[Event]
"""Of a game."""

_BODIES: Final = msgspec.json.Decoder(Body)
_COMMITS: Final = msgspec.json.Decoder(Commit)


def time_text(time: datetime) -> str:
    """A time in UTC as the log writes it: RFC 3339, milliseconds."""
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def seconds_between(earlier: str, later: str) -> float:
    """Between two times as the log writes them."""
    return (datetime.fromisoformat(later) - datetime.fromisoformat(earlier)).total_seconds()


def milliseconds_of(time: str) -> int:
    """Such a time in milliseconds of the epoch."""
    return round(1000 * datetime.fromisoformat(time).timestamp())


def canonical(value: msgspec.Struct) -> bytes:
    """The one JSON form of the log file: keys sorted, no spaces, escapes only where JSON needs them."""
    return _ENCODER.encode(value)


def chained(previous: str, body: bytes) -> str:
    """The hash of a commit with this canonical body after one with the hash `previous`."""
    return hashlib.sha256(previous.encode() + body).hexdigest()


def seal(previous: str, body: BodyOf[E]) -> tuple[CommitOf[E], bytes]:
    """The commit that this body becomes after `previous`, and its canonical body."""
    packed = canonical(body)
    return with_hash(body, chained(previous, packed)), packed


def with_hash(body: BodyOf[E], digest: str) -> CommitOf[E]:
    """The commit of a body whose hash is known."""
    return CommitOf(version=body.version, at=body.at, by=body.by, key=body.key, events=body.events, hash=digest)


def body_of(commit: CommitOf[E]) -> BodyOf[E]:
    """The commit without its hash."""
    return BodyOf(version=commit.version, at=commit.at, by=commit.by, key=commit.key, events=commit.events)


def read_json(packed: bytes, version: int) -> Body:
    """Decode a game's canonical body. Raises as `decoded` does."""
    return decoded(_BODIES, packed, version)


def read_line(line: bytes, version: int) -> Commit:
    """Decode a line of a game's log file. Raises as `decoded_line` does."""
    return decoded_line(_COMMITS, line, version)


def decoded(decoder: msgspec.json.Decoder[T], packed: bytes, version: int) -> T:
    """A body or commit. Raises `Unreadable`, naming `version`, where it is none."""
    try:
        return decoder.decode(packed)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Unreadable(version, f"no commit: {error}") from None


def decoded_line(decoder: msgspec.json.Decoder[CommitOf[E]], line: bytes, version: int) -> CommitOf[E]:
    """A commit that stands in a log file, in canonical form. Raises `Unreadable`, naming `version`."""
    commit = decoded(decoder, line, version)
    if canonical(commit) != line:
        raise Unreadable(version, "not in canonical form (keys sorted, no spaces)")
    return commit
