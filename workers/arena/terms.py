"""What is agreed for an arena, and how far has it come? The two values, apart from the store that keeps them.

Law kept: nothing here knows Redis, so that a report can be read where no store is.
"""

from typing import Final, Literal, TypeAlias, get_args

import msgspec

from events.game.rules import Rules
from workers.arena.schedule import Fixture, fixture, group_size, labels
from workers.arena.sprt import Judged, Sprt

Status: TypeAlias = Literal["queued", "running", "ended", "cancelled"]
STATUSES: Final[tuple[Status, ...]] = get_args(Status)


class Arena(msgspec.Struct, frozen=True, kw_only=True):
    """What an arena is: who plays how many games under which rules, from which seed."""

    arena: str
    bots: tuple[str, ...]
    games: int
    rules: Rules
    seed: str
    """Any text; the seed of the n-th deal is derived from it (contract, section 4)."""
    secret: str
    """What game ids are derived from."""
    shards: int
    """How many shards its games are spread over: those of its first day, whatever the setting says later."""
    sprt: Sprt | None = None
    """The test that may end it before its last game."""
    private: bool = False
    """Do only workers of its own play it, which know its bots? Who began it rings for its lanes, on `queue`."""

    @property
    def queue(self) -> str:
        """The queue of its own that a private arena's lanes are rung on."""
        return f"arena.{self.arena}"

    @property
    def labels(self) -> tuple[str, ...]:
        """The bots as the standings name them."""
        return labels(self.bots)

    def fixture(self, number: int) -> Fixture:
        """Who sits where in game `number`, on which deal. Partners are one bot (R21)."""
        meeting = fixture(number, len(self.bots), len(self.rules.parties()))
        if not self.rules.teams:
            return meeting
        seats = tuple(meeting.seats[seat % 2] for seat in range(self.rules.seats))
        return Fixture(meeting.number, meeting.pair, seats)

    @property
    def group(self) -> int:
        """How many games are played on each deal."""
        return group_size(len(self.bots), len(self.rules.parties()))


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """How far an arena has come; times are RFC 3339, `ended_at` is null until then."""

    status: Status
    done: int
    started_at: str
    ended_at: str | None
    judged: Judged | None = None
    """How far its sequential test has come; null without one."""
