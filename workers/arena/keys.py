"""Under which keys does an arena lie in the store? All of an arena on one shard, that of its id."""

from events.errors import MaliceError, UnknownGame
from events.log.keys import shard_tag, tag


class UnknownArena(MaliceError):
    """No arena of this id is in the store."""

    def __init__(self, arena: str) -> None:
        super().__init__(f"There is no arena {arena[:80]!r}.")


def arena_key(arena: str) -> str:
    """Its record: spec, lanes, how it ended. Raises `UnknownArena` for what is no id."""
    try:
        return f"{tag(arena)}:arena:{arena}"
    except UnknownGame:
        raise UnknownArena(arena) from None


def results_key(arena: str) -> str:
    """Its rows, by the number of the game."""
    return f"{arena_key(arena)}:results"


def lease_key(arena: str, lane: int) -> str:
    """Who works on a lane."""
    return f"{arena_key(arena)}:lease:{lane}"


def running_key(shard: int) -> str:
    """The arenas of a shard that have games to play."""
    return f"{shard_tag(shard)}:arenas"


def listed_key(shard: int) -> str:
    """Sorted set: arenas of a shard that anybody may find → when they were started, in milliseconds of the epoch."""
    return f"{shard_tag(shard)}:arenas:listed"
