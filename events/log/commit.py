"""What is one entry of a game's history? A commit: what one command caused, sealed into a hash chain.

Its canonical JSON (keys sorted, no spaces) is at once a line of the log file, what is hashed, and what the stream keeps
(contract, section 3; `docs/decisions/0003`).
"""

import hashlib
from typing import Final

import msgspec

from events.errors import Unreadable
from events.game.events import Events

GENESIS: Final = "0" * 64
"""The hash before the first commit."""

_ENCODER: Final = msgspec.json.Encoder(order="sorted")


class Body(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A commit without its hash."""

    version: int
    """Counts 1, 2, 3 … without a gap."""
    at: str
    """RFC 3339 in UTC with milliseconds: `2026-01-31T12:00:00.123Z`."""
    by: str
    """`seat:N`, `bot:N` or `system`."""
    key: str | None
    """The idempotency key of the request, if it had one."""
    events: Events
    """What was done, then its consequences."""


class Commit(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A commit with its place in the chain."""

    hash: str
    """Hex SHA-256 of the previous commit's hash, as ASCII, and the canonical body."""


_BODIES: Final = msgspec.json.Decoder(Body)
_COMMITS: Final = msgspec.json.Decoder(Commit)


def canonical(value: msgspec.Struct) -> bytes:
    """The one JSON form of the log file: keys sorted, no spaces, escapes only where JSON needs them."""
    return _ENCODER.encode(value)


def chained(previous: str, body: bytes) -> str:
    """The hash of a commit with this canonical body after one with the hash `previous`."""
    return hashlib.sha256(previous.encode() + body).hexdigest()


def seal(previous: str, body: Body) -> tuple[Commit, bytes]:
    """The commit that this body becomes after `previous`, and its canonical body."""
    packed = canonical(body)
    return with_hash(body, chained(previous, packed)), packed


def with_hash(body: Body, digest: str) -> Commit:
    """The commit of a body whose hash is known."""
    return Commit(version=body.version, at=body.at, by=body.by, key=body.key, events=body.events, hash=digest)


def body_of(commit: Commit) -> Body:
    """The commit without its hash."""
    return Body(version=commit.version, at=commit.at, by=commit.by, key=commit.key, events=commit.events)


def read_body(packed: bytes, version: int) -> Body:
    """Decode what the stream keeps. Raises `Unreadable`, naming `version`, where it is no commit."""
    try:
        return _BODIES.decode(packed)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Unreadable(version, f"no commit: {error}") from None


def read_line(line: bytes, version: int) -> Commit:
    """Decode a line of a log file, which must be in canonical form. Raises `Unreadable`, naming `version`."""
    try:
        commit = _COMMITS.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Unreadable(version, f"no commit: {error}") from None
    if canonical(commit) != line:
        raise Unreadable(version, "not in canonical form (keys sorted, no spaces)")
    return commit
