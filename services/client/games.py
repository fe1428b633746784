"""What may be asked of one game? Its calls, apart from who carries them out.

Contract, section 5, says what each of them does. All raise `Refused`, and `Unreachable` when patience is at its end.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, TypedDict

import msgspec

from events.game.rules import Rules
from events.game.views import View
from events.log.verdicts import Verification
from services.api.schemas import Created, Moved, Sat, SeenCommit
from services.client import feed
from services.client.asking import JUDGING_SECONDS, Asker, path_of
from services.client.reading import read_events
from services.client.steps import Steps, Telling
from services.eyes import OpenView

RulesAsked: TypeAlias = str | Mapping[str, Any] | Rules
"""Rules as they are asked for: a preset's name, `{"preset": name, change: value}`, or every knob."""
Visibility: TypeAlias = Literal["public", "unlisted"]


class SeatAsked(TypedDict, total=False):
    """A seat as it is asked for: `{name, entropy?}`, `{bot, name?}` or `{"open": True}`."""

    name: str
    entropy: str
    bot: str
    open: bool


class ClockAsked(TypedDict):
    """A turn clock as it is asked for."""

    turn_seconds: int
    on_expiry: Literal["forfeit", "auto"]


@dataclass(frozen=True, slots=True)
class GameCalls:
    """A game, and the token of the seat that asks; without one, a spectator."""

    game: str
    asker: Asker

    def view(self, *, at: int | None = None, as_: int | None = None) -> Steps[View]:
        """The table; at an earlier version, or of an ended game as another seat saw it."""
        return (yield from self.asker.get(View, self._path(), at=at, as_=as_))

    def open_view(self, *, at: int | None = None) -> Steps[OpenView]:
        """The table of an ended game with all its cards."""
        return (yield from self.asker.get(OpenView, self._path(), at=at, as_="all"))

    def newer_view(self, than: int) -> Steps[View | None]:
        """The table, or None while the game is still at this version."""
        request = self.asker.request("GET", self._path(), headers={"If-None-Match": f'"{than}"'})
        reply = yield from self.asker.ask(request)
        return None if reply.status == 304 else self.asker.read(reply, View)

    def sit(self, name: str, entropy: str | None = None, *, key: str | None = None) -> Steps[Sat]:
        """Take the first open seat. The answer holds its token."""
        body = {"name": name, "entropy": entropy}
        return (yield from self.asker.post(Sat, self._path("seats"), body, key=key))

    def move(self, move: str, *, if_version: int | None = None, key: str | None = None) -> Steps[Moved]:
        """Play, discard or pass; with `if_version`, only while the game is still at it (`MovedOn` else)."""
        path = self._path("moves")
        return _seen((yield from self.asker.post(Moved, path, {"move": move}, key=key, if_version=if_version)))

    def resign(self, *, if_version: int | None = None, key: str | None = None) -> Steps[Moved]:
        """Leave the game."""
        return _seen((yield from self.asker.post(Moved, self._path("resign"), key=key, if_version=if_version)))

    def events(
        self,
        *,
        after: int = 0,
        limit: int | None = None,
        wait: int | None = None,
        as_: int | Literal["all"] | None = None,
    ) -> Steps[tuple[SeenCommit, ...]]:
        """A page of commits beyond `after`; with `wait`, up to so many seconds for the first one."""
        return (yield from feed.events(self.asker, self.game, after=after, limit=limit, wait=wait, as_=as_))

    def feed(self, *, after: int = 0, as_: int | Literal["all"] | None = None) -> Telling[SeenCommit]:
        """Every commit beyond `after` as it comes, once each and without a gap, to the end of the game.

        It comes back by itself after a cut. What it does not know of an event is left out; an event that it does not
        know at all is a dict.
        """
        return feed.follow(self.asker, self.game, after=after, as_=as_)

    def fork(
        self,
        at: int,
        seats: Sequence[SeatAsked],
        *,
        seed: str | None = None,
        clock: ClockAsked | None = None,
        visibility: Visibility | None = None,
        key: str | None = None,
    ) -> Steps[Created]:
        """A new game that goes on from version `at` of this one, which has ended."""
        body = {"at": at, "seats": seats, "seed": seed, "clock": clock, "visibility": visibility}
        return (yield from self.asker.post(Created, self._path("fork"), body, key=key))

    def rematch(self, *, key: str | None = None) -> Steps[Created]:
        """The game that follows this one, which has ended: the same for all who ask. People's seats in it are open."""
        return (yield from self.asker.post(Created, self._path("rematch"), key=key))

    def log(self) -> Steps[bytes]:
        """The log file, of a game that has ended."""
        return (yield from self.asker.ask(self.asker.request("GET", self._path("log")))).body

    def verification(self) -> Steps[Verification]:
        """What the service says of the log. `malice verify` trusts nobody and judges it here."""
        request = self.asker.request("GET", self._path("verification"), timeout=JUDGING_SECONDS)
        return self.asker.read((yield from self.asker.ask(request)), Verification)

    def _path(self, *parts: str) -> str:
        return path_of("games", self.game, *parts)


def _seen(moved: Moved) -> Moved:
    return msgspec.structs.replace(moved, events=read_events(moved.events))
