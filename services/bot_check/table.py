"""Who sits across from the bot? The kit itself: it plays the other seats, lets clocks run out, and keeps the requests.

Law kept: everything that happens in the game goes through the one write path, with the bots that the service has.
"""

import asyncio
import hashlib
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress

from starlette.types import Scope

from events.errors import Conflict
from events.game.commands import Create, ExpireClock, Resign, Sit
from events.game.events import SeatInfo
from events.game.rules import Rules, Seat
from events.log.store import Loaded, Store
from events.log.submit import advance, create
from services.bot_check import faults
from services.bot_check.exchange import Asked, Fault
from services.bot_check.scenarios import Scenario
from workers.bots.registry import BOTS, find
from workers.clocks import end_turn
from workers.turn import command_of_bot

SITTING_SECONDS = 0.3
"""How long the others let the bot wait at an open table."""


class Table:
    """A game under test. `changed` is set whenever anything has happened that somebody may wait for.

    The same scenario, rules and seat are the same deal. `restart` kills the bot and starts it again.
    """

    def __init__(self, store: Store, scenario: Scenario, rules: Rules, seat: Seat) -> None:
        self.scenario = scenario
        self.newer = scenario.newer
        self.seat = seat
        self.others = [other for other in range(rules.seats) if other != seat]
        self.requests: list[Asked] = []
        self.changed = asyncio.Event()
        self._over = False
        self.told_at: float | None = None
        """When the bot was told that the game is over."""
        self.pauses: list[tuple[float, float]] = []
        """From when to when the others thought."""
        self.life = 0
        self.restart: Callable[[], Awaitable[None]] | None = None
        self._store = store
        self._overtaken_at: float | None = None
        self._moved = asyncio.Event()
        self._looked = asyncio.Event()
        self._counts = {"moves": 0, "looks": 0, "feeds": 0}
        self.game = store.new_id()
        self._create(rules)

    def _create(self, rules: Rules) -> None:
        away = SeatInfo(None, "open", None, "") if self.scenario.open else SeatInfo("bot-check", "human", None, "")
        seats = tuple(SeatInfo("bot", "human", None, "") if n == self.seat else away for n in range(rules.seats))
        seed = hashlib.sha512(f"bot-check:{self.scenario.name}".encode()).digest()
        command = Create(game=self.game, rules=rules, seats=seats)
        create(self._store, command, seed=seed, by="system", clock=self.scenario.clock)
        if self.scenario.over:
            self._leave(self._store.load(self.game))

    # ------------------------------------------------------------------ what the layer of faults asks for

    def arrival(self, scope: Scope, body: bytes) -> Asked:
        """The request as a record."""
        now = time.monotonic()
        return Asked(
            at=now,
            life=self.life,
            method=scope["method"],
            path=scope["path"],
            query=scope["query_string"].decode("latin-1"),
            headers={name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]},
            body=body,
            after_end=None if self.told_at is None else now - self.told_at,
            overtaken=self._overtaken_at is not None,
        )

    def note(self, asked: Asked) -> Fault:
        """Keep the request, and say what is to happen to it."""
        self.requests.append(asked)
        self.changed.set()
        kind = "moves" if asked.is_move else "feeds" if asked.is_feed else "looks"
        self._counts[kind] += 1
        self._looked.set()
        planned = {"moves": self.scenario.moves, "looks": self.scenario.looks, "feeds": self.scenario.feeds}
        return planned[kind].get(self._counts[kind], faults.none)

    def is_over(self) -> bool:
        """Is the game over? The bot may be told before the others have looked."""
        return self._over or self.told_at is not None

    def answered(self, asked: Asked) -> None:
        """Something of an answer was sent, or never will be."""
        if asked.is_move:
            self._moved.set()
        if self._overtaken_at is not None and asked.status == 200 and asked.sent_at and asked.at > self._overtaken_at:
            self._overtaken_at = None
        if self.told_at is None and asked.tells_the_end():
            self.told_at = time.monotonic()
        self.changed.set()

    async def overtake(self) -> None:
        """The bot's turn is played to its end, as when a clock with `auto` has run out."""
        await asyncio.to_thread(self._overtake)

    async def expire(self) -> None:
        """The bot's time has run out: it has lost."""
        await asyncio.to_thread(self._expire)

    async def start_again(self) -> None:
        """Kill the bot, and start it again."""
        if self.restart is not None:
            self.life += 1
            await self.restart()

    # ------------------------------------------------------------------ the other seats

    async def play_others(self) -> None:
        """Move the other seats whenever it is their turn, until the game is over."""
        if self.scenario.open:
            await self._looked.wait()
            await asyncio.sleep(SITTING_SECONDS)  # that the bot has to wait is what is tested
            await asyncio.to_thread(self._sit)
        while True:
            loaded = await asyncio.to_thread(self._store.load, self.game)
            if loaded.game.result is not None:
                self._finish()
                return
            if self.scenario.thinking and loaded.game.turn is not None and loaded.game.turn.seat != self.seat:
                began = time.monotonic()
                self.pauses.append((began, began + self.scenario.thinking))
                await asyncio.sleep(self.scenario.thinking)  # as above
            if not await asyncio.to_thread(self._move_others, loaded):
                await self._moved.wait()
                self._moved.clear()

    def _finish(self) -> None:
        self._over = True
        self.changed.set()

    def _move_others(self, loaded: Loaded) -> bool:
        """Play one turn of the others, if it is theirs; whether it was."""
        turn = loaded.game.turn
        if loaded.game.result is not None or turn is None or turn.seat == self.seat:
            return False
        with suppress(Conflict):  # the bot has resigned meanwhile
            if self.scenario.turns is not None and turn.number >= self.scenario.turns:
                self._leave(loaded)
                return True
            while loaded.game.result is None and loaded.game.turn == turn:
                command = command_of_bot(BOTS["greedy"], loaded.game, loaded.version, loaded.seed)
                loaded = advance(self._store, self.game, loaded, command, by=f"seat:{turn.seat}")
        return True

    def _leave(self, loaded: Loaded) -> None:
        for seat in self.others:
            if loaded.game.result is None:
                loaded = advance(self._store, self.game, loaded, Resign(seat), by=f"seat:{seat}")

    def _sit(self) -> None:
        loaded = self._store.load(self.game)
        for seat in self.others:
            loaded = advance(self._store, self.game, loaded, Sit("bot-check", ""), by=f"seat:{seat}")

    def _overtake(self) -> None:
        loaded = self._store.load(self.game)
        if loaded.game.turn is not None and loaded.game.turn.seat == self.seat:
            end_turn(self._store, self.game, loaded, find)
            self._overtaken_at = time.monotonic()

    def _expire(self) -> None:
        loaded = self._store.load(self.game)
        if loaded.game.turn is not None and loaded.game.turn.seat == self.seat:
            advance(self._store, self.game, loaded, ExpireClock(self.seat), by="system")
