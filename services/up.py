"""How does one command keep the store, the API, the workers and the clock running, and stop them in good order?

Laws kept: one part's death stops nothing else, it is started again; what is started here ends here, in the order API,
workers, beat, store; the store outlives everyone who might still have to write.

No process manager from the shelf: honcho, the nearest, stops all when one dies and knows no order of stopping; the
prefixed lines that it would save are the small part. One thread, so that forking is safe; everything waits for one kind
of news, a signal: a child's death (SIGCHLD), or somebody who asks to stop.
"""

import asyncio
import contextlib
import itertools
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from events.errors import MaliceError
from services.children import Child, ending
from services.embedded import EmbeddedStore
from services.settings import Settings

PAUSES = (
    0.0,
    0.5,
    1.0,
    2.0,
    5.0,
)  # seconds before the next start, by deaths in a row; the last one for all further ones
SETTLED = 10.0  # seconds of life after which a death is the first one again
COLOURS = (36, 32, 33, 35, 34, 96, 92, 93, 95, 94)


@dataclass(frozen=True, slots=True)
class Part:
    """One child process: `env` is added to this process's own, `grace` is how many seconds it has for a clean stop."""

    name: str
    argv: Sequence[str]
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    grace: float = 8.0


def parts(settings: Settings, *, host: str, port: int, workers: int, store_url: str, broker_url: str) -> list[Part]:
    """API, workers and beat, in the order in which they are stopped."""
    malice = [sys.executable, "-m", "services.cli"]
    env = {
        "MALICE_REDIS_URL": store_url,
        "MALICE_BROKER_URL": broker_url,
        "MALICE_DATA": str(settings.data),
        "PYTHONUNBUFFERED": "1",
    }
    return [
        Part("api", [*malice, "api", "--host", host, "--port", str(port)], env, grace=3.0),
        *(Part(f"worker-{n}", [*malice, "worker", "--name", f"worker-{n}"], env) for n in range(1, workers + 1)),
        Part("beat", [*malice, "beat"], env, grace=3.0),
    ]


def run(
    parts: Sequence[Part], store: EmbeddedStore | None, say: Callable[[str], None], *, colour: bool | None = None
) -> int:
    """Run `parts` until SIGINT, SIGTERM or SIGHUP; 0 after a clean stop, 130 when a second Ctrl-C cut it short.

    `say` takes finished lines; `colour` None means on a terminal, unless NO_COLOR is set. Call from the main thread.
    Raises `MaliceError` when the store does not start; once it has, its death is a part's death like any other.
    """
    on_a_terminal = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    return asyncio.run(_Run(parts, store, say, on_a_terminal if colour is None else colour).until_stopped())


class _Patience:
    """How long to wait before the next start."""

    def __init__(self) -> None:
        self.deaths = 0  # in a row, each before SETTLED

    def after(self, lived: float) -> float:
        self.deaths = 1 if lived >= SETTLED else self.deaths + 1
        return PAUSES[min(self.deaths, len(PAUSES)) - 1]


class _Run:
    """One run of `malice up`."""

    def __init__(
        self, parts: Sequence[Part], store: EmbeddedStore | None, say: Callable[[str], None], colour: bool
    ) -> None:
        self.parts, self.store, self._say, self._colour = parts, store, say, colour
        self.children: dict[str, Child] = {}
        self.stopping: float | None = None  # since when
        self.at_once = False
        self._news = asyncio.Event()
        self._names = ["up", *(part.name for part in parts)]
        self._width = max(map(len, self._names))

    async def until_stopped(self) -> int:
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGCHLD, self._wake)
        for asked in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(asked, self._asked_to_stop, asked)
        keepers: list[asyncio.Task[None]] = []
        try:
            if self.store:
                await self._start_store(self.store)
                keepers.append(asyncio.create_task(self._keep_store(self.store)))
            keepers += [asyncio.create_task(self._keep(part)) for part in self.parts]
            # A keeper ends only when all stop, or by a fault of its own: then all stop too, and the fault is raised.
            ended = asyncio.gather(*keepers)
            ended.add_done_callback(lambda _: self._wake())
            await self._until(lambda: self.stopping is not None or ended.done())
            self.stopping = self.stopping or time.monotonic()
            await self._stop_parts()
            if self.store:
                await self._stop_store(self.store)
            await ended
        finally:
            for child in self.children.values():
                child.kill()
            if self.store:
                self.store.stop(grace=2)  # never cut off at once: it may hold answers that are not written yet
        self._tell("up", "stopped")
        return 130 if self.at_once else 0

    # ---------------------------------------------------------------- news

    def _wake(self) -> None:
        self._news.set()
        self._news.clear()

    async def _until(self, done: Callable[[], bool], limit: float | None = None) -> None:
        """Wait until a signal has made `done` true, `limit` seconds at the most."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(limit):
                while not done():
                    await self._news.wait()

    def _asked_to_stop(self, asked: signal.Signals) -> None:
        now = time.monotonic()
        if self.stopping is None:
            self.stopping = now
            self._tell("up", "stopping; Ctrl-C again stops at once" if asked == signal.SIGINT else "stopping")
        elif asked == signal.SIGINT and now - self.stopping > 0.5:  # one Ctrl-C may arrive twice, passed on by a parent
            self.at_once = True
        self._wake()

    def _tell(self, name: str, line: str) -> None:
        prefix = f"{name:<{self._width}} |"
        if self._colour:
            prefix = f"\x1b[{COLOURS[self._names.index(name) % len(COLOURS)]}m{prefix}\x1b[0m"
        with contextlib.suppress(OSError):  # a terminal or a pipe that has gone takes no service with it
            self._say(f"{prefix} {line}")

    # --------------------------------------------------------------- parts

    async def _keep(self, part: Part) -> None:
        patience = _Patience()
        while self.stopping is None:
            began = time.monotonic()
            last_words: Sequence[str] = ()
            try:
                child = self.children[part.name] = Child(part.argv, part.env, partial(self._tell, part.name))
            except OSError as problem:
                how = f"could not be started ({problem})"
            else:
                await self._until(lambda child=child: child.process.poll() is not None)
                child.close()
                how, last_words = ending(child.process.returncode), child.last_words
                del self.children[part.name]
            if self.stopping is None:
                await self._pause(part.name, how, patience, began, last_words)

    async def _pause(self, name: str, how: str, patience: _Patience, began: float, last_words: Sequence[str]) -> None:
        pause = patience.after(time.monotonic() - began)
        self._tell("up", f"{name} {how}; starting it again {f'in {pause:g} s' if pause else 'at once'}")
        if patience.deaths == len(PAUSES):
            self._tell("up", f"{name} keeps dying; it is tried again every {PAUSES[-1]:g} s. Its last words:")
            for line in last_words or ["(none)"]:
                self._tell("up", f"    {line}")
        await self._until(lambda: self.stopping is not None, pause)

    async def _stop_parts(self) -> None:
        for _, group in itertools.groupby(self.parts, key=lambda part: part.name.partition("-")[0]):
            members = [(part, self.children[part.name]) for part in group if part.name in self.children]
            for _, child in members:
                child.process.terminate()
            grace = max((part.grace for part, _ in members), default=0)
            await self._until(lambda m=members: self.at_once or all(c.process.poll() is not None for _, c in m), grace)
            for part, child in members:
                if child.process.poll() is None:
                    self._tell(
                        "up", f"{part.name} killed" if self.at_once else f"{part.name} did not stop in time; killed"
                    )
                    child.kill()

    # --------------------------------------------------------------- store

    async def _start_store(self, store: EmbeddedStore) -> None:
        origin = store.start()
        for pause in store.until_ready(say=lambda line: self._tell("up", f"store {line}")):
            await self._until(lambda: self.stopping is not None, pause)
            if self.stopping is not None:
                return
        self._tell("up", f"store ready: {origin}, data in {store.data}")

    async def _keep_store(self, store: EmbeddedStore) -> None:
        patience = _Patience()
        while self.stopping is None:
            began = time.monotonic()
            await self._until(lambda: store.returncode is not None)
            if self.stopping is not None:
                return
            await self._pause("store", ending(store.returncode or 0), patience, began, store.last_words())
            if self.stopping is None:
                try:
                    await self._start_store(store)
                except MaliceError as failure:
                    for line in str(failure).splitlines():
                        self._tell("up", line)

    async def _stop_store(self, store: EmbeddedStore) -> None:
        store.terminate()
        await self._until(lambda: self.at_once or not store.alive(), 10)
