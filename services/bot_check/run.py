"""How is a bot put through the scenarios? One after the other, against a service that is there for this alone."""

import asyncio
import secrets
import socket
import tempfile
import time
from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import asynccontextmanager, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Final

import msgspec
import uvicorn

from events.game.rules import Rules
from events.log.client import connect
from events.log.figures import figures
from events.log.follow import Follower
from events.log.store import Store, utc_now
from services.api.access import Access
from services.api.app import create_app
from services.bot_check.judge import Ending, Finding, judge
from services.bot_check.layer import Breakable, Faults
from services.bot_check.player import BadTarget, Guest, NotStarted, Player, Program, words_of
from services.bot_check.scenarios import SCENARIOS, Scenario
from services.bot_check.table import Table
from services.embedded import EmbeddedStore

QUIET_SECONDS: Final = 0.5
"""A guest that has been told of the end and is silent for so long has left."""
FLOOD: Final = 20
"""Requests after the end after which nobody needs to wait for more."""


class Limits(msgspec.Struct, frozen=True):
    """How long a bot has: `seconds` for a game, `ending` to leave when it is over."""

    seconds: float = 20.0
    ending: float = 5.0


class Outcome(msgspec.Struct, frozen=True):
    """What came of a scenario."""

    scenario: str
    about: str
    moves: int
    """Moves of the bot that the service took."""
    requests: int
    seconds: float
    findings: list[Finding]

    @property
    def clean(self) -> bool:
        """Nothing but hints."""
        return all(finding.hint for finding in self.findings)


def chosen(names: Sequence[str]) -> tuple[Scenario, ...]:
    """The scenarios of these names, all when there is none. Raises `BadTarget`."""
    known = {scenario.name: scenario for scenario in SCENARIOS}
    for name in names:
        if name not in known:
            raise BadTarget(f"There is no scenario {name!r}; there are {', '.join(known)}.")
    return tuple(known[name] for name in dict.fromkeys(names)) or SCENARIOS


async def check(target: str, scenarios: Sequence[Scenario], rules: Rules, limits: Limits) -> AsyncGenerator[Outcome]:
    """Play the scenarios with the bot, and yield what came of each. In the main thread alone.

    Raises `BadTarget`, `NotStarted`, and what `EmbeddedStore` raises.
    """
    words = words_of(target)
    with _store() as (store, follower):
        async with _service(store, follower) as service:
            for number, scenario in enumerate(scenarios):
                seat = number % rules.seats
                outcome, started = await service.play(
                    words, target, scenario, Table(store, scenario, rules, seat), limits
                )
                if not started and number == 0 and outcome.findings:
                    raise NotStarted(f"The bot never asked for its game. {outcome.findings[0].seen}")
                yield outcome


class Service:
    """The API behind its faults, on a port of this machine."""

    def __init__(self, store: Store, follower: Follower, url: str) -> None:
        self.url = url
        self._access = Access(store.secret, admin_key=None, api_keys={"bot-check": secrets.token_hex(16)}, open=False)
        self.layer = Faults(
            create_app(
                store,
                access=self._access,
                wake=lambda _game: None,  # no workers: the table plays the other seats
                ring_lane=lambda _arena, _lane: None,
                ready=lambda: None,
                bots={},
                follower=follower,
                figures=partial(figures, store.client),
            )
        )

    async def play(
        self, words: Sequence[str] | None, target: str, scenario: Scenario, table: Table, limits: Limits
    ) -> tuple[Outcome, bool]:
        """One scenario, and whether the bot has asked for anything or was invited. Raises `NotStarted`."""
        began = time.monotonic()
        invitation = {
            "url": self.url,
            "game": table.game,
            "seat": str(table.seat),
            "token": await asyncio.to_thread(self._access.token, table.game, table.seat),
        }
        player = Guest(target, invitation) if words is None else Program(words, invitation, table.changed.set)
        table.restart = player.start_again
        self.layer.table = table
        others = asyncio.create_task(table.play_others())
        try:
            await player.start()
            running = await _until_left(player, table, limits, others)
        finally:
            await player.stop()
            others.cancel()
            self.layer.left.add(f"/v1/games/{table.game}")
        requests = table.requests
        last = requests[-1].at if requests else began
        ending = Ending(
            over=table.is_over(),
            running=running,
            exit_code=player.exit_code,
            last_words=tuple(player.last_words),
            refused=player.refused,
            seconds=limits.ending if table.is_over() else limits.seconds,
            silent=time.monotonic() - last,
        )
        outcome = Outcome(
            scenario=scenario.name,
            about=scenario.about,
            moves=sum(asked.is_move and asked.status == 200 for asked in requests),
            requests=len(requests),
            seconds=round(time.monotonic() - began, 3),
            findings=judge(requests, table.pauses, ending),
        )
        return outcome, bool(requests) or words is None


async def _until_left(player: Player, table: Table, limits: Limits, others: "asyncio.Task[None]") -> bool:
    """Returns when the bot has left, or had its time; whether it is still there."""
    late = time.monotonic() + limits.seconds
    over_at: float | None = None
    while True:
        if others.done():
            others.result()  # a fault of the kit is raised
        now = time.monotonic()
        if over_at is None and table.is_over() and table.requests:  # a bot may take its time to start
            over_at = now
        limit = late if over_at is None else over_at + limits.ending
        if player.can_end:
            if player.exit_code is not None:
                return False
        elif table.told_at is not None:
            limit = min(limit, max(table.told_at, table.requests[-1].at) + QUIET_SECONDS)
        after_end = sum(asked.after_end is not None for asked in table.requests)
        if now >= limit or after_end > FLOOD:
            return player.can_end or table.told_at is None or after_end > FLOOD
        try:
            async with asyncio.timeout(limit - now):
                await table.changed.wait()
        except TimeoutError:
            continue
        table.changed.clear()


class _Server(uvicorn.Server):
    """A server inside somebody else's loop: signals are not its business."""

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        yield


@contextmanager
def _store() -> Generator[tuple[Store, Follower]]:
    with (
        tempfile.TemporaryDirectory(prefix="malice-") as folder,
        EmbeddedStore(Path(folder) / "data") as embedded,
        closing(connect(embedded.url)) as client,
    ):
        follower = Follower(partial(connect, embedded.url, retries=0), client)
        yield Store(client, shards=1, now=utc_now), follower


@asynccontextmanager
async def _service(store: Store, follower: Follower) -> AsyncGenerator[Service]:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        service = Service(store, follower, f"http://127.0.0.1:{listening.getsockname()[1]}")
        config = uvicorn.Config(
            service.layer,
            http=Breakable,
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            timeout_graceful_shutdown=1,
        )
        server = _Server(config)
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        try:
            yield service
        finally:
            server.should_exit = True
            await serving
