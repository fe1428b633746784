"""How does a game come in from elsewhere? Its log file is verified whole; then its commits are there, all or none.

Law kept: what comes in is believed in nothing. An imported game has ended, so it owes nobody anything: no seed, no due
mark, no request. The chain covers every commit's bytes, so these are kept as they are, the game's first id among them;
the id that it has here stands in the head of its log alone.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import Final, TypeAlias

import msgspec
import redis

from events.errors import BadLog, KeyReused, StoreUnavailable
from events.log.append import Request
from events.log.client import milliseconds, reaching_store
from events.log.commit import Commit, body_of, canonical
from events.log.entries import field_for, kept
from events.log.keys import import_key, is_id, listed_key, match_terms_key, shard_of, spread_id, stream_key
from events.log.match_record import is_of_match
from events.log.packing import pack
from events.log.record import Log, read_log
from events.log.store import Store
from events.log.verify import verify

ATTEMPTS: Final = 8
"""Times a write is tried again because somebody wrote under the same id meanwhile, or its answer was lost."""

Line: TypeAlias = tuple[bytes, bytes, bytes]
"""An entry of a stream: its id, a commit's canonical body and its hash as 32 bytes."""


class Imported(msgspec.Struct, frozen=True):
    """The game that a log has become here, and whether its request was made before."""

    game: str
    replayed: bool


def request_to_import(by: str, key: str, file: bytes) -> Request:
    """The request of this caller as it is known again: by the file's very bytes."""
    return Request(by, key, hashlib.sha256(file).hexdigest())


def import_log(
    store: Store, file: bytes, *, derive: Callable[[str], bytes], request: Request | None = None
) -> Imported:
    """Take in the log file of an ended game, and say which game it is here.

    It has the head's id where that is a possible one and free, else one from `derive`, which gives the deployment's
    secret digest of a text. A log that is here already, under either of them, stays as it is: importing twice changes
    nothing. Raises `KeyReused`, `BadLog`, `StoreUnavailable`.
    """
    if request is not None:
        _same(request, _first(store, request))
    log = _verified(file)
    replayed = request is not None and _same(request, _enter(store, request))
    lines = [_line(commit) for commit in log.commits]
    game = next(name for name in _ids(log, derive, store.shards) if _is_there(store, name, lines))
    return Imported(game, replayed)


def _verified(file: bytes) -> Log:
    """The log in this file. Raises `BadLog` unless it verifies and goes to the end of its game."""
    if is_of_match(file):
        raise BadLog(0, "it is that of a match, which is not taken as a whole: import the logs of its games")
    verdict = verify(file)
    if not verdict.ok:
        raise BadLog(verdict.version or 0, verdict.why or "it does not verify")
    if not verdict.complete:
        raise BadLog(
            verdict.versions + 1,
            "missing: only the whole log of an ended game is taken. The seed of one that goes on is not in it, so "
            "nobody else could go on with it",
        )
    return read_log(file)


def _ids(log: Log, derive: Callable[[str], bytes], shards: int) -> Iterator[str]:
    """The ids that this log may have here, the same for the same commits; those after the head's nobody can guess."""
    if is_id(log.head.game):
        yield log.head.game
    for number in count():
        yield spread_id(derive(f"import:{log.commits[-1].hash}:{number}"), shards)


def _is_there(store: Store, game: str, lines: Sequence[Line]) -> bool:
    """Write these commits where the id is free. False where it has others, or is a match's: one id names one thing."""
    key = stream_key(game)
    store.due.note_shard(game)
    for _ in range(ATTEMPTS):
        try:
            with reaching_store(), store.client.pipeline() as pipeline:
                pipeline.watch(key)
                if pipeline.exists(key):
                    return [_kept(*entry) for entry in pipeline.xrange(key)] == lines
                if pipeline.exists(match_terms_key(game)):
                    return False
                time = pipeline.time()
                pipeline.multi()
                for entry_id, body, digest in lines:
                    pipeline.xadd(key, {field_for(body): body, "h": digest}, id=entry_id)
                pipeline.zadd(listed_key(shard_of(game), "ended"), {game: milliseconds(time)})
                pipeline.execute()
        except redis.WatchError:
            continue  # looked at again, the id has a log: another's, or this one
        return True
    raise StoreUnavailable("The store has not taken the log.")


def _line(commit: Commit) -> Line:
    body = body_of(commit)
    return f"{commit.version}-0".encode(), pack(body, canonical(body)), bytes.fromhex(commit.hash)


def _kept(entry_id: bytes, fields: dict[bytes, bytes]) -> Line:
    return entry_id, kept(fields), fields.get(b"h", b"")


def _first(store: Store, request: Request) -> bytes | None:
    with reaching_store():
        return store.client.get(import_key(request.field))


def _enter(store: Store, request: Request) -> bytes | None:
    """Remember the request; answers what its key was used for before, if it was."""
    with reaching_store():
        return store.client.set(import_key(request.field), request.digest, nx=True, get=True)


def _same(request: Request, first: bytes | None) -> bool:
    if first is not None and first.decode() != request.digest:
        raise KeyReused(request.key)
    return first is not None
