"""Where does a game live? Its shard is part of its id, and all its keys carry the shard's hash tag.

So an append touches one slot of a Redis Cluster, and changing the number of shards strands nobody.
"""

import hashlib
import re
import secrets
from typing import Final

from events.errors import UnknownGame, UnknownMatch
from events.game.state import Status

ID_PATTERN: Final = "[0-9a-f]{2}[0-9a-z]{1,62}"
_ID: Final = re.compile(ID_PATTERN)
_ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"
ID_LENGTH: Final = 20
SECRET_KEY: Final = "malice:secret"
"""What tokens are derived from."""
SHARDS_KEY: Final = "malice:shards"
"""Set: the shards that anything was ever put on, as ids write them."""
SWEEPING_KEY: Final = "malice:sweeping"
"""There while a sweep is fresh enough."""
SWEPT_KEY: Final = "malice:swept"
"""When the last sweep was through, in milliseconds of the store's clock."""

LIMIT_PREFIX: Final = "malice:limit"
"""Before the counts of a caller's requests, each of which ends by itself."""


def new_id(shards: int) -> str:
    """A fresh game id: two hex digits of its shard (of 1 to 256), then 100 random bits."""
    return shard_prefix(secrets.randbelow(shards)) + "".join(secrets.choice(_ALPHABET) for _ in range(ID_LENGTH))


def derived_id(digest: bytes, shard: int) -> str:
    """An id made from a secret digest, for games that a restart must not create twice."""
    return shard_prefix(shard) + "".join(_ALPHABET[byte % 32] for byte in digest[:ID_LENGTH])


def spread_id(digest: bytes, shards: int) -> str:
    """The same on one of so many shards, which the digest draws too."""
    return derived_id(digest, digest[-1] % shards)


def is_id(text: str) -> bool:
    """Could this be the id of a game here?"""
    return _ID.fullmatch(text) is not None


def shard_prefix(shard: int) -> str:
    """How a shard (0 to 255) is written in an id."""
    return f"{shard:02x}"


def shard_of(owner: str) -> int:
    """The shard (0 to 255) of what has this id. Raises `UnknownGame` for text that can be no id."""
    if not is_id(owner):
        raise UnknownGame(owner[:80])
    return int(owner[:2], 16)


def shard_tag(shard: int) -> str:
    """The hash tag of all keys of a shard."""
    return "{s" + shard_prefix(shard) + "}"


def tag(owner: str) -> str:
    """The hash tag of what has this id. Raises as `shard_of` does."""
    return shard_tag(shard_of(owner))


def stream_key(game: str) -> str:
    """The game's history."""
    return f"{tag(game)}:game:{game}"


def requests_key(game: str) -> str:
    """Hash: actor and idempotency key → version of the commit, the deadline then told, and digest of the request."""
    return f"{tag(game)}:requests:{game}"


def seed_key(game: str) -> str:
    """The game's secret until its end."""
    return f"{tag(game)}:seed:{game}"


def snapshot_key(game: str) -> str:
    """The last snapshot; may be deleted at any time."""
    return f"{tag(game)}:snapshot:{game}"


def match_key(match: str) -> str:
    """The history of a match: which of its games brought what points. Raises `UnknownMatch` for what can be no id."""
    return f"{_tag_of_match(match)}:match:{match}"


def match_terms_key(match: str) -> str:
    """What was agreed for a match, with the secrets that its games are made from. Raises as `match_key` does."""
    return f"{_tag_of_match(match)}:match-terms:{match}"


def _tag_of_match(match: str) -> str:
    try:
        return tag(match)
    except UnknownGame:
        raise UnknownMatch(match) from None


def due_key(shard: int, *, bots: bool = False) -> str:
    """Hash: games of a shard that somebody has to look at → version at which they were marked.

    Those that `bots` play among themselves have a hash of their own: they wait in another queue.
    """
    return f"{shard_tag(shard)}:due" + (":bots" if bots else "")


def clocks_key(shard: int) -> str:
    """Sorted set: games of a shard whose turn clock runs → when it is over, in milliseconds of the store's clock."""
    return f"{shard_tag(shard)}:clocks"


def clock_terms_key(shard: int) -> str:
    """Hash: games of a shard that have a turn clock → what was agreed about it."""
    return f"{shard_tag(shard)}:clocks:terms"


def idle_key(shard: int) -> str:
    """Sorted set: games of a shard that have not ended → when the last move was, as `clocks_key` counts."""
    return f"{shard_tag(shard)}:idle"


def listed_key(shard: int, status: Status) -> str:
    """Sorted set: public games of a shard with this status → when they were created, as `clocks_key` counts."""
    return f"{shard_tag(shard)}:listed:{status}"


def broken_key(shard: int) -> str:
    """Hash: games and matches of a shard whose logs cannot be read → why."""
    return f"{shard_tag(shard)}:broken"


def import_key(request: str) -> str:
    """The digest of the log file sent with this request; on no game's shard, since it is known before the game is."""
    return "malice:import:" + hashlib.sha256(request.encode()).hexdigest()
