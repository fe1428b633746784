"""How does a whole league go? P6: one command, two workers, and what it takes of memory and processors.

Memory is that of the worker processes when a tenth of the games has been played, and at the end: what grows with the
games would show. The store's grows by the games' logs, which it keeps.
"""

import os
import pty
import select
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Final

import msgspec

from tests.bench.table import Row
from tests.live import Live, running_service
from workers.bots.registry import BOTS

GAMES: Final = 1000
BOTS_OF: Final = ("greedy", "planner")
WORKERS: Final = 2
TICKS: Final = os.sysconf("SC_CLK_TCK")
GROWTH: Final = 1.1
BUSY: Final = 0.85


class Use(msgspec.Struct, frozen=True):
    """What has been used so far: seconds of processors, and bytes of memory."""

    at: float
    machine: float
    """Busy seconds of all processors."""
    workers: float
    store: float
    worker_memory: int
    store_memory: int


def p6(games: int = GAMES) -> Row:
    """`malice arena greedy planner --games N` on two workers."""
    bots = [bot if bot in BOTS else "greedy" for bot in BOTS_OF]
    with (
        tempfile.TemporaryDirectory() as folder,
        running_service(Path(folder) / "data", workers=WORKERS) as live,
    ):
        start, tenth, end, bar = _watched(live, bots, games)
    seconds = end.at - start.at
    cores = os.cpu_count() or 1
    busy, grown = (end.machine - start.machine) / seconds / cores, end.worker_memory / tenth.worker_memory
    kept = (end.store_memory - start.store_memory) / games
    return Row(
        name="p6",
        what=f"malice arena {' '.join(bots)} --games {games}, {WORKERS} workers",
        ours=f"{games / seconds:,.1f} games/s",
        target="bar within 1 s, memory flat, processors busy",
        reached=bar < 1.0 and grown <= GROWTH and busy >= BUSY,
        notes=(
            f"{seconds:,.0f} s; the bar stands after {bar:.1f} s",
            f"workers: {_mb(start.worker_memory)} before, {_mb(tenth.worker_memory)} after a tenth, "
            f"{_mb(end.worker_memory)} at the end; store: {_mb(start.store_memory)} before, "
            f"{_mb(end.store_memory)} at the end, {kept / 1000:,.1f} kB a game that it keeps",
            f"processors: {busy:.0%} busy, workers {(end.workers - start.workers) / seconds / cores:.0%}, "
            f"store {(end.store - start.store) / seconds / cores:.0%}",
        ),
    )


def _watched(live: Live, bots: list[str], games: int) -> tuple[Use, Use, Use, float]:
    """Run the command at a terminal of its own: use before, after a tenth and at the end; and when the bar came."""
    mine, its = pty.openpty()
    start = _use(live)
    command = [sys.executable, "-m", "services.cli", "arena", *bots, "--games", str(games), "--seed", "bench"]
    environ = os.environ | {"MALICE_URL": live.url, "TERM": "xterm", "COLUMNS": "100"}
    process = subprocess.Popen(command, stdin=its, stdout=its, stderr=its, env=environ)
    os.close(its)
    bar, tenth = 0.0, None
    for text in _read(mine, lambda: process.poll() is None):
        if not bar and f"/{games}" in text:
            bar = monotonic() - start.at
        if tenth is None and _done(text, games) >= games / 10:
            tenth = _use(live)
    end = _use(live)
    os.close(mine)
    if process.wait() or tenth is None:
        raise RuntimeError(f"the command ended with {process.returncode}: {live.said()}")
    return start, tenth, end, bar


def _read(terminal: int, lives: Callable[[], bool]):
    """What is written to a terminal, piece by piece, while its writer lives."""
    while lives():
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                yield os.read(terminal, 65536).decode(errors="replace")
            except OSError:  # nobody holds its other end any more
                return


def _done(text: str, games: int) -> int:
    """The games that the bar says have ended; 0 where it says nothing."""
    before, found, _ = text.rpartition(f"/{games}")
    digits = before[len(before.rstrip("0123456789")) :]
    return int(digits) if found and digits else 0


def _use(live: Live) -> Use:
    workers, (store,) = live.pids("worker"), live.pids("valkey-server") or live.pids("redis-server")
    return Use(
        at=monotonic(),
        machine=_machine(),
        workers=sum(map(_seconds, workers)),
        store=_seconds(store),
        worker_memory=sum(map(_memory, workers)),
        store_memory=_memory(store),
    )


def _machine() -> float:
    user, nice, system, _, _, irq, soft, *_ = map(int, Path("/proc/stat").read_text().split("\n")[0].split()[1:])
    return (user + nice + system + irq + soft) / TICKS


def _seconds(pid: int) -> float:
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / TICKS


def _memory(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _mb(size: int) -> str:
    return f"{size / 1e6:,.0f} MB"
