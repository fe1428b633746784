"""What is kept of a folded game beside its log? A snapshot: a shortcut, which may be deleted at any time."""

import hashlib
import zlib
from typing import Final

import msgspec

from events.game.state import Game


class Snapshot(msgspec.Struct, frozen=True):
    """A game as of a version, and the hash of that version's commit."""

    schema: str
    version: int
    hash: str
    game: Game


SCHEMA: Final = hashlib.sha256(msgspec.json.encode(msgspec.json.schema(Snapshot))).hexdigest()[:8]
"""Another one with every change of the shape of `Game`: a snapshot of another shape is not read."""
_SNAPSHOTS: Final = msgspec.msgpack.Decoder(Snapshot)


def pack(version: int, digest: str, game: Game) -> bytes:
    """The snapshot as it is stored: compressed to a third, in 20 µs, since there is one of every running game."""
    return zlib.compress(msgspec.msgpack.encode(Snapshot(SCHEMA, version, digest, game)), 1)


def unpack(packed: bytes) -> Snapshot | None:
    """The stored snapshot, or None for one that another version of this program wrote: the log says it all."""
    try:
        snapshot = _SNAPSHOTS.decode(zlib.decompress(packed))
    except (msgspec.DecodeError, zlib.error):
        return None
    return snapshot if snapshot.schema == SCHEMA else None
