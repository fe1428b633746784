"""How long may a turn take, and whose time is over? Turn clocks and idle games, beside the log, by the store's time.

A deadline is set in the same atomic step as the commit that begins the turn (`append.lua`), and only a sweep finds that
it is over: a move that is appended before counts. Nothing is kept in memory, so a restart loses no clock. Where no
sweep has come by for `OUTAGE_SECONDS`, nobody's time has run: every turn begins anew with the next sweep.
"""

from datetime import UTC, datetime
from typing import Annotated, Any, Final, Literal

import msgspec
import redis

from events.game.views import Clock
from events.log.client import milliseconds, reaching_store
from events.log.commit import time_text
from events.log.keys import SWEPT_KEY, clock_terms_key, clocks_key, idle_key, shard_of
from events.log.scripts import script

OUTAGE_SECONDS: Final = 3.0
"""Without a sweep for so long the service was away: players could not be sure to reach it."""
LONGEST_TURN: Final = 30 * 24 * 3600


class ClockTerms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is agreed about time: seconds a turn may take, and what happens then.

    `forfeit`: the seat has lost, as by resigning. `auto`: the turn is played to its end as `greedy` would.
    """

    turn_seconds: Annotated[int, msgspec.Meta(ge=1, le=LONGEST_TURN)]
    """For a whole turn, from its start."""
    on_expiry: Literal["forfeit", "auto"]
    """`forfeit`: the seat leaves the game. `auto`: its turn is played to the end for it."""

    def until(self, deadline: int | None) -> Clock:
        """The clock as a view shows it; `deadline` in milliseconds of the epoch, None where no turn runs."""
        told = None if deadline is None else _told(deadline)
        return Clock(self.turn_seconds, self.on_expiry, told)


class Over(msgspec.Struct, frozen=True):
    """The games of a shard whose time is over: those whose turn is, and those that nobody has moved in."""

    turns: list[str]
    idle: list[str]


_TERMS: Final = msgspec.json.Decoder(ClockTerms)


class Clocks:
    """The clocks of a store. Every method raises `StoreUnavailable`."""

    def __init__(self, client: redis.Redis) -> None:
        self.client: Any = client
        self._over = client.register_script(script("over.lua"))

    def stopped(self) -> bool:
        """Has nobody swept for so long that the service was away? Or was the store's clock set to another time?"""
        with reaching_store():
            swept, time = self.client.pipeline(transaction=False).get(SWEPT_KEY).time().execute()
        return swept is None or abs(milliseconds(time) - int(swept)) > OUTAGE_SECONDS * 1000

    def restart(self) -> None:
        """Say that the service was away: every turn that runs begins anew with the next sweep."""
        with reaching_store():
            self.client.delete(SWEPT_KEY)

    def over(self, shard: int, idle_seconds: int, *, anew: bool, limit: int = 1000) -> Over:
        """The games of a shard whose time is over, up to `limit` of each kind, those that wait longest.

        With `anew` every turn begins anew first, and nobody has been idle. Games are idle after `idle_seconds`; 0 for
        never.
        """
        with reaching_store():
            turns, idle = self._over(
                keys=[clocks_key(shard), idle_key(shard), clock_terms_key(shard)],
                args=[int(anew), idle_seconds * 1000, limit],
            )
        return Over([game.decode() for game in turns], [game.decode() for game in idle])

    def deadline(self, game: str) -> int | None:
        """When the turn that runs is over, in milliseconds of the epoch; None where none runs."""
        with reaching_store():
            score = self.client.zscore(clocks_key(shard_of(game)), game)
        return None if score is None else int(score)

    def is_over(self, game: str) -> bool:
        """Is the turn's time over, by a clock that somebody has watched all along?"""
        deadline = self.deadline(game)
        return deadline is not None and not self.stopped() and deadline <= self._now()

    def is_idle(self, game: str, seconds: int) -> bool:
        """Has nobody moved for so long, while the service was there?"""
        with reaching_store():
            since = self.client.zscore(idle_key(shard_of(game)), game)
        return since is not None and not self.stopped() and int(since) + seconds * 1000 <= self._now()

    def terms(self, game: str) -> ClockTerms | None:
        """What was agreed about time; None for a game without a clock."""
        with reaching_store():
            return read_terms(self.client.hget(clock_terms_key(shard_of(game)), game))

    def _now(self) -> int:
        with reaching_store():
            return milliseconds(self.client.time())


def read_terms(packed: bytes | None) -> ClockTerms | None:
    """The terms as they are stored."""
    return None if packed is None else _TERMS.decode(packed)


def _told(deadline: int) -> str:
    return time_text(datetime.fromtimestamp(deadline / 1000, UTC))
