"""Many watch many games, and lose the connection again and again: each ends with the same sequence, gapless."""

import asyncio
import json
import os
import random
import resource
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2

from events.log.client import connect
from services.api.server import MOST_FILES
from services.embedded import EmbeddedStore
from tests.live import Live, running_service

FULL = bool(os.environ.get("MALICE_FULL"))
GAMES, WATCHERS, CUTS = (50, 200, 20) if FULL else (8, 24, 6)
RULES = "spite-and-malice"


def resident(live: Live) -> int:
    """The API's memory in KiB."""
    (pid,) = live.pids(" api ")
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0])


def open_files(live: Live) -> int:
    """How many files the API may open: a watcher is one."""
    (pid,) = live.pids(" api ")
    (line,) = (one for one in Path(f"/proc/{pid}/limits").read_text().splitlines() if one.startswith("Max open files"))
    return int(line.split()[3])


def readers(url: str) -> int:
    """Connections that wait in a read of streams, in the store."""
    with connect(url) as client:
        clients: Any = client.client_list()
        return sum(one["cmd"] == "xread" for one in clients)


async def watch(
    http: httpx2.AsyncClient, path: str, chance: random.Random, there: Callable[[], None]
) -> tuple[list[Any], int]:
    """All messages of a game, cut off at random `CUTS` times, and how often the stream was opened."""
    seen: list[Any] = []
    cuts, opened = CUTS, 0
    while True:
        headers = {"Accept": "text/event-stream"} | ({"Last-Event-ID": str(seen[-1]["version"])} if seen else {})
        left = chance.randint(1, 2) if cuts else None
        opened += 1
        async with http.stream("GET", f"{path}/events", headers=headers) as answer:
            if answer.status_code == 204:
                return seen, opened
            assert answer.status_code == 200
            there()
            fields: dict[str, str] = {}
            async for line in answer.aiter_lines():
                if line:
                    name, _, value = line.partition(": ")
                    fields[name] = value
                    continue
                if fields.get("event") == "commit":
                    seen.append(json.loads(fields["data"]))
                    assert fields["id"] == str(seen[-1]["version"])
                    left = left and left - 1
                fields = {}
                if left == 0:
                    cuts -= 1
                    break
            else:
                return seen, opened


def test_watchers_that_are_cut_off_again_and_again_get_every_commit_once(tmp_path: Path) -> None:
    """Given many bot games under way, when each of many watchers is cut at random, then none misses or sees twice."""

    with running_service(tmp_path / "data") as live:
        (worker,) = live.pids(" worker ")
        os.kill(worker, signal.SIGSTOP)
        try:
            asyncio.run(watched(live, EmbeddedStore(tmp_path / "data").url, worker))
        finally:
            os.kill(worker, signal.SIGCONT)


async def watched(live: Live, store: str, worker: int) -> None:
    seats = [{"bot": "uniform"}, {"bot": "uniform"}]
    created = [live.http.post("/v1/games", json={"rules": RULES, "seats": seats}) for _ in range(GAMES)]
    paths = [answer.headers["location"] for answer in created]
    waiting = WATCHERS

    def there() -> None:
        """All watch: the bots may begin."""
        nonlocal waiting
        waiting -= 1
        if waiting == 0:
            os.kill(worker, signal.SIGCONT)

    before = resident(live)
    limits = httpx2.Limits(max_connections=WATCHERS, max_keepalive_connections=0)
    async with httpx2.AsyncClient(base_url=live.url, timeout=60, trust_env=False, limits=limits) as http:
        watchers = [
            asyncio.create_task(watch(http, paths[n % GAMES], random.Random(n), there)) for n in range(WATCHERS)
        ]
        most = 0
        while not all(one.done() for one in watchers):
            most = max(most, await asyncio.to_thread(readers, store))
            await asyncio.wait(watchers, timeout=0.1)
    after = resident(live)
    for number, (seen, opened) in enumerate([one.result() for one in watchers]):
        path = paths[number % GAMES]
        told: list[Any] = []
        while page := live.http.get(f"{path}/events?limit=1000&after={len(told)}").json()["commits"]:
            told += page
        assert seen == told, path
        assert [one["version"] for one in seen] == list(range(1, len(seen) + 1))
        assert seen[-1]["events"][-1]["type"] == "GameEnded"
        assert opened > CUTS
    said = f"{WATCHERS} watchers, {GAMES} games, {CUTS} cuts; {before} -> {after} KiB; {most} reader"
    sys.stdout.write(f"{said}\n")
    assert most == 1
    assert open_files(live) == min(resource.getrlimit(resource.RLIMIT_NOFILE)[1], MOST_FILES)
