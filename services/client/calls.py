"""What may be asked of a service beside its single games? Its calls, apart from who carries them out.

Contract, section 5, says what each of them does. All raise `Refused`, and `Unreachable` when patience is at its end.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from events.game.events import Position
from events.log.verdicts import MatchVerification
from services.api.schemas import (
    ArenaList,
    BotLine,
    BotList,
    Created,
    CreatedMatch,
    GameList,
    MatchState,
    RuleSet,
    RuleSets,
    Sat,
    StartedArena,
    Taken,
)
from services.client.asking import ANSWER_SECONDS, JUDGING_SECONDS, Asker, path_of
from services.client.games import ClockAsked, RulesAsked, SeatAsked, Visibility
from services.client.steps import Pause, Reply, Send, Steps, Tell, Telling
from workers.arena.report import Report
from workers.arena.sprt import Sprt
from workers.arena.standings import Row
from workers.arena.terms import Status as ArenaStatus

LOOK_SECONDS: Final = (0.2, 1.0)
"""Between two looks at something that takes its time: at first, and at most."""


@dataclass(frozen=True, slots=True)
class Calls:
    """A service, and who asks: the holder of an API key or the admin key, or anybody."""

    asker: Asker

    def create_game(
        self,
        rules: RulesAsked,
        seats: Sequence[SeatAsked],
        *,
        seed: str | None = None,
        position: Position | None = None,
        clock: ClockAsked | None = None,
        visibility: Visibility | None = None,
        key: str | None = None,
    ) -> Steps[Created]:
        """Create a game. The answer holds the tokens of its human seats, which are shown nowhere else."""
        body = {"rules": rules, "seats": seats, "seed": seed, "position": position}
        body |= {"clock": clock, "visibility": visibility}
        return (yield from self.asker.post(Created, path_of("games"), body, key=key))

    def games(
        self,
        *,
        status: Literal["open", "playing", "ended"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        arena: str | None = None,
    ) -> Steps[GameList]:
        """A page of games, newest first; `next` is the cursor of the page after it."""
        query = {"status": status, "limit": limit, "cursor": cursor, "arena": arena}
        return (yield from self.asker.get(GameList, path_of("games"), **query))

    def import_log(self, file: bytes, *, key: str | None = None) -> Steps[Taken]:
        """Send the log file of an ended game. The same file again is the same game."""
        return (yield from self._send(path_of("games", "import"), file, key))

    def create_match(
        self,
        rules: RulesAsked,
        seats: Sequence[SeatAsked],
        *,
        seed: str | None = None,
        clock: ClockAsked | None = None,
        visibility: Visibility | None = None,
        key: str | None = None,
    ) -> Steps[CreatedMatch]:
        """Start a match. The tokens in the answer hold for their seats in all its games."""
        body = {"rules": rules, "seats": seats, "seed": seed, "clock": clock, "visibility": visibility}
        return (yield from self.asker.post(CreatedMatch, path_of("matches"), body, key=key))

    def sit_in_match(self, match: str, name: str, entropy: str | None = None, *, key: str | None = None) -> Steps[Sat]:
        """Take the first open seat of a match."""
        body = {"name": name, "entropy": entropy}
        return (yield from self.asker.post(Sat, path_of("matches", match, "seats"), body, key=key))

    def match(self, match: str) -> Steps[MatchState]:
        """How a match stands; the last of its games is the one being played."""
        return (yield from self.asker.get(MatchState, path_of("matches", match)))

    def match_log(self, match: str) -> Steps[bytes]:
        """The log file of a match, as far as it has come."""
        return (yield from self.asker.ask(self.asker.request("GET", path_of("matches", match, "log")))).body

    def match_verification(self, match: str) -> Steps[MatchVerification]:
        """What the service says of a match's log and those of its games."""
        path = path_of("matches", match, "verification")
        request = self.asker.request("GET", path, timeout=JUDGING_SECONDS)
        return self.asker.read((yield from self.asker.ask(request)), MatchVerification)

    def start_arena(
        self,
        bots: Sequence[str],
        games: int,
        rules: RulesAsked,
        *,
        seed: str | None = None,
        sprt: Sprt | None = None,
        key: str | None = None,
    ) -> Steps[str]:
        """Start an arena, and return its id. With `sprt` it ends as soon as its two bots are told apart, or are not."""
        body = {"bots": bots, "games": games, "rules": rules, "seed": seed, "sprt": sprt}
        return (yield from self.asker.post(StartedArena, path_of("arenas"), body, key=key)).arena

    def arenas(
        self, *, status: ArenaStatus | None = None, limit: int | None = None, cursor: str | None = None
    ) -> Steps[ArenaList]:
        """A page of arenas, newest first; `next` is the cursor of the page after it."""
        return (yield from self.asker.get(ArenaList, path_of("arenas"), status=status, limit=limit, cursor=cursor))

    def arena(self, arena: str) -> Steps[Report]:
        """How far an arena has come, and how its bots stand."""
        return (yield from self.asker.get(Report, path_of("arenas", arena)))

    def arena_results(self, arena: str, *, after: int | None = None) -> Telling[Row]:
        """The games of an arena that have ended, in the order of the schedule.

        With `after` those after the first so many; of a running arena then up to the first that has not ended, so that
        the last row's number + 1 is where to go on.
        """
        request = self.asker.request("GET", path_of("arenas", arena, "results"), query={"after": after})
        reply = yield from self.asker.ask(request)
        for line in reply.body.splitlines():
            yield Tell(self.asker.read(Reply(reply.status, reply.headers, line), Row))

    def cancel_arena(self, arena: str) -> Steps[Report]:
        """End an arena before its time. What has been played stays."""
        request = self.asker.request("DELETE", path_of("arenas", arena))
        return self.asker.read((yield from self.asker.ask(request)), Report)

    def wait_for_arena(self, arena: str, progress: Callable[[Report], object] | None = None) -> Steps[Report]:
        """The report of an arena that has ended or was cancelled; `progress` is shown each report on the way."""
        wait, longest = LOOK_SECONDS
        while True:
            report = yield from self.arena(arena)
            if progress is not None:
                progress(report)
            if report.status in ("ended", "cancelled"):
                return report
            # All rows are counted anew for each look, some tenths of a second for ten thousand: so not often, and again
            # when it ought to have ended.
            left = (report.games - report.done) / report.games_per_second if report.games_per_second else wait
            yield Pause(min(wait, max(left, LOOK_SECONDS[0])))
            wait = min(1.5 * wait, max(longest, report.done / 5000))

    def rules(self) -> Steps[tuple[RuleSet, ...]]:
        """The presets with every knob, and what may be changed of each."""
        return (yield from self.asker.get(RuleSets, path_of("rules"))).presets

    def bots(self) -> Steps[tuple[BotLine, ...]]:
        """The bots that may be seated, with a line each."""
        return (yield from self.asker.get(BotList, path_of("bots"))).bots

    def alive(self) -> Steps[bool]:
        """Does a service answer there, ready to serve or not? Asked once."""
        return (yield from self._well("/healthz"))

    def ready(self) -> Steps[bool]:
        """Does a service answer there that can serve? Asked once."""
        return (yield from self._well("/readyz"))

    def _well(self, path: str) -> Steps[bool]:
        reply = yield Send(self.asker.request("GET", path, timeout=ANSWER_SECONDS / 3))
        return isinstance(reply, Reply) and reply.good

    def _send(self, path: str, file: bytes, key: str | None) -> Steps[Taken]:
        request = self.asker.request(
            "POST",
            path,
            body=file,
            media="application/x-ndjson",
            headers=self.asker.keyed(key),
            timeout=JUDGING_SECONDS,
        )
        return self.asker.read((yield from self.asker.ask(request)), Taken)
