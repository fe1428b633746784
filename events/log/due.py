"""Who has to be looked at? Games marked due by an append, the shards they are on, and when somebody last looked."""

from typing import Any, Final

import redis

from events.log.client import milliseconds, reaching_store
from events.log.keys import (
    SHARDS_KEY,
    SWEEPING_KEY,
    SWEPT_KEY,
    broken_key,
    clocks_key,
    due_key,
    idle_key,
    shard_of,
)
from events.log.scripts import script

SWEEP_MILLISECONDS: Final = 900
"""One sweep in so long."""


class Due:
    """The due marks of a store. Every method raises `StoreUnavailable`."""

    def __init__(self, client: redis.Redis) -> None:
        self.client: Any = client
        self._settle = client.register_script(script("settle.lua"))
        self._noted: set[str] = set()

    def of_people(self, shard: int) -> dict[str, int]:
        """The due games of a shard that a person plays in, and the versions at which they were marked."""
        return self._marks(due_key(shard))

    def of_bots(self, shard: int) -> dict[str, int]:
        """The same of games between bots."""
        return self._marks(due_key(shard, bots=True))

    def games(self, shard: int) -> dict[str, int]:
        """All due games of a shard."""
        return self.of_people(shard) | self.of_bots(shard)

    def settle(self, game: str, version: int) -> None:
        """Say that nothing is owed to the game at this version. A later mark stays."""
        shard = shard_of(game)
        with reaching_store():
            self._settle(keys=[due_key(shard), due_key(shard, bots=True)], args=[game, version])

    def set_aside(self, game: str, why: str) -> None:
        """Take a game that cannot be read off the due ones, and put it among the broken, where an operator looks."""
        shard = shard_of(game)
        with reaching_store():
            pipeline = self.client.pipeline().hset(broken_key(shard), game, why)
            pipeline.hdel(due_key(shard), game).hdel(due_key(shard, bots=True), game)
            pipeline.zrem(clocks_key(shard), game).zrem(idle_key(shard), game).execute()

    def note_shard(self, owner: str) -> None:
        """Remember the shard of a new game or arena, so that the sweep finds it whatever `MALICE_SHARDS` is later."""
        shard = owner[:2]
        if shard not in self._noted:
            with reaching_store():
                self.client.sadd(SHARDS_KEY, shard)
            self._noted.add(shard)

    def shards(self) -> list[int]:
        """Every shard that anything was ever put on."""
        with reaching_store():
            return sorted(int(shard, 16) for shard in self.client.smembers(SHARDS_KEY))

    def may_sweep(self) -> bool:
        """True for one caller in a second."""
        with reaching_store():
            if self.client.set(SWEEPING_KEY, 1, nx=True, px=SWEEP_MILLISECONDS):
                return True
            # A key expires at an hour of the store's clock: where that has gone back, this one would bar all sweeps
            # until the hour has come again.
            if self.client.pttl(SWEEPING_KEY) > SWEEP_MILLISECONDS:
                self.client.delete(SWEEPING_KEY)
            return False

    def note_sweep(self) -> None:
        """Say that a sweep is through: somebody watches."""
        with reaching_store():
            self.client.set(SWEPT_KEY, milliseconds(self.client.time()))

    def seconds_since_sweep(self) -> int | None:
        """How long ago the last sweep was, by the store's clock, or how far that has gone back since; None before the
        first.
        """
        with reaching_store():
            swept = self.client.get(SWEPT_KEY)
            return None if swept is None else abs(int(self.client.time()[0]) - int(swept) // 1000)

    def _marks(self, key: str) -> dict[str, int]:
        with reaching_store():
            marks = self.client.hgetall(key)
        return {game.decode(): int(version) for game, version in marks.items()}
