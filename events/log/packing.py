"""How is a commit kept in a stream? In few bytes, from which its canonical JSON, which is hashed, can be written again.

A kept body is a byte 1, the time (milliseconds since 1970, 6 bytes), who did it (a byte), the idempotency key (a byte
of length, and the text) and the facts (`events.game.fast.facts`): some 25 bytes for a move, where its JSON has 250. The
version is the entry's id. What does not fit this form is kept as its canonical JSON, as all commits were before
(schema 1); the first byte tells which. Decision 0012.
"""

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from hashlib import sha256
from typing import Final

import msgspec

from events.errors import Unreadable
from events.game.fast.facts import events_of, packed
from events.game.fast.telling import told
from events.log.commit import Body, BodyOf, chained, read_json

FORM: Final = 1
_HEAD: Final = 9
"""Bytes before the key's text."""
_SEATS: Final = 100
_SYSTEM: Final = 255
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)
_LONGEST_KEY: Final = 254


def pack(body: Body, text: bytes) -> bytes:
    """What the stream keeps of this body, whose canonical JSON is `text`."""
    head = _head(body)
    return text if head is None else head + packed(body.events)


def head_of(at: str, by: str) -> bytes:
    """The beginning of a kept body without a key. Raises ValueError for a time or an actor that have no short form."""
    return heads_of(at, [by])[0]


def heads_of(at: str, actors: list[str]) -> list[bytes]:
    """The same for several at one time."""
    begun = bytes((FORM,)) + _moment(at)
    return [begun + bytes((_actor(by), 0)) for by in actors]


def text_of(kept: bytes, version: int) -> bytes:
    """The canonical JSON of a kept body. Raises `Unreadable`, naming `version`, for what is none."""
    return kept if kept[:1] == b"{" else _written_out(kept, version)[0].encode()


def opened(previous: str, kept: bytes, version: int) -> tuple[str, bytes | None]:
    """The hash of a kept body after one with the hash `previous` (`commit.chained`), and its facts.

    The facts are None where it is kept as JSON. Raises as `text_of`.
    """
    if kept[:1] == b"{":
        return chained(previous, kept), None
    text, facts = _written_out(kept, version)
    return sha256((previous + text).encode()).hexdigest(), facts


def _written_out(kept: bytes, version: int) -> tuple[str, bytes]:
    """The canonical JSON, and the facts."""
    try:
        key, facts = _key(kept)
        keyed = "null" if key is None else msgspec.json.encode(key).decode()
        return f'{_opening(kept[1:8])}{told(facts)}],"key":{keyed},"version":{version}}}', facts
    except (ValueError, LookupError, OverflowError) as error:
        raise Unreadable(version, f"no commit: {error!r}") from None


def read_body(kept: bytes, version: int) -> Body:
    """Decode what a game's stream keeps. Raises `Unreadable`, naming `version`."""
    if kept[:1] == b"{":
        return read_json(kept, version)
    try:
        key, facts = _key(kept)
        events = events_of(facts)
        return BodyOf(version=version, at=time_of(kept), by=by_of(kept), key=key, events=events)
    except (ValueError, LookupError, OverflowError) as error:
        raise Unreadable(version, f"no commit: {error!r}") from None


def time_of(kept: bytes) -> str:
    """When it was, as the log writes it."""
    return _written(kept[1:7])


def _written(moment: bytes) -> str:
    total = int.from_bytes(moment, "big")
    return f"{_second(total // 1000)}.{str(1000 + total % 1000)[1:]}Z"


@lru_cache(maxsize=4096)
def _second(seconds: int) -> str:
    """A second as the log writes it; many commits are of one, and writing it takes longer than all else of them."""
    return (_EPOCH + timedelta(seconds=seconds)).isoformat()[:19]


def by_of(kept: bytes) -> str:
    """Who did it, as the log writes it."""
    actor = kept[7]
    return "system" if actor == _SYSTEM else f"bot:{actor - _SEATS}" if actor >= _SEATS else f"seat:{actor}"


@lru_cache(maxsize=4096)
def _opening(said: bytes) -> str:
    """How the canonical JSON begins, by time and actor: in a league many commits are of one batch."""
    head = bytes((FORM,)) + said
    return f'{{"at":"{time_of(head)}","by":"{by_of(head)}","events":['


def _key(kept: bytes) -> tuple[str | None, bytes]:
    length = kept[8]
    if kept[0] != FORM or len(kept) < _HEAD + length - 1:
        raise ValueError("the body breaks off, or begins with another byte than 1")
    if not length:
        return None, kept[_HEAD:]
    return kept[_HEAD : _HEAD + length - 1].decode(), kept[_HEAD + length - 1 :]


def _head(body: Body) -> bytes | None:
    """The beginning of the kept body, or None where it has no short form."""
    try:
        if body.key is None:
            return head_of(body.at, body.by)
        key = body.key.encode()
        if len(key) > _LONGEST_KEY:
            return None
        return bytes((FORM,)) + _moment(body.at) + bytes((_actor(body.by), len(key) + 1)) + key
    except (ValueError, TypeError, OverflowError):  # a time without a zone is a TypeError here
        return None


def _moment(at: str) -> bytes:
    moment = ((datetime.fromisoformat(at) - _EPOCH) // _MILLISECOND).to_bytes(6, "big")
    if _written(moment) != at:
        raise ValueError(f"{at!r} is not written as the log writes times")
    return moment


def _actor(by: str) -> int:
    if by == "system":
        return _SYSTEM
    kind, _, number = by.partition(":")
    seat = int(number)
    if kind not in ("seat", "bot") or not 0 <= seat < _SEATS or str(seat) != number:
        raise ValueError(f"nobody is {by!r}")
    return seat + _SEATS if kind == "bot" else seat
