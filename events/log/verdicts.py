"""What is said of a log that was judged? The two verdicts, apart from the judges, which know the store.

Law kept: nothing here knows Redis, so that a verdict can be read where no store is.
"""

import msgspec

from events.game.rules import Seat


class Verification(msgspec.Struct, frozen=True):
    """What `malice verify` says. `version` is the lowest that is missing or wrong, null when all is well."""

    ok: bool
    game: str
    versions: int
    """Commits that are there and right, from the first on."""
    complete: bool
    shuffles: bool
    """Were the shuffles checked against the seed? Only an ended game has shown it."""
    joined: tuple[int, ...]
    """Seats that added entropy after the seed was promised, and so know that the deal was not chosen. Where there are
    none, nothing shows it (contract, section 4)."""
    version: int | None
    why: str | None


class MatchVerification(msgspec.Struct, frozen=True):
    """The verdict on a match's log. `version` is the lowest that is missing or wrong, null when all is well."""

    ok: bool
    match: str
    versions: int
    """Commits that are there and right, from the first on."""
    complete: bool
    games: tuple[str, ...]
    """The games scored whose own logs verify too, shuffles included."""
    totals: tuple[int, ...]
    winner: Seat | None
    version: int | None
    why: str | None
    game: str | None = None
    """The game scored at `version`, where its own log is to blame …"""
    game_version: int | None = None
    """… and the lowest version of that log which is missing or wrong, if it is one."""
