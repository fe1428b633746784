"""What is lost when a process is killed in the middle? Nothing acknowledged a while ago, and no game stands still.

The whole service runs as `malice up`. The small run is part of the tests; `dev.py check --full` runs the big one.
"""

import os
import time
from pathlib import Path
from typing import Any

import pytest

from events.log.verify import verify
from tests.conftest import Server, Servers
from tests.live import Live, eventually, running_service

BIG = bool(os.environ.get("MALICE_FULL"))
GAMES = 500 if BIG else 150
FEW = 500 if BIG else 40
"""On a store that writes to disk before it answers."""
SAMPLE = 20


def start_arena(live: Live, games: int) -> str:
    body = {"bots": ["greedy", "uniform"], "games": games, "rules": "spite-and-malice", "seed": "faults"}
    return live.http.post("/v1/arenas", json=body).json()["arena"]


def report(live: Live, arena: str) -> dict[str, Any]:
    return live.http.get(f"/v1/arenas/{arena}").json()


def results(live: Live, arena: str) -> list[dict[str, Any]]:
    import msgspec

    lines = live.http.get(f"/v1/arenas/{arena}/results").content.splitlines()
    return [msgspec.json.decode(line) for line in lines]


def played(live: Live, arena: str, games: int) -> bool:
    return live.ready() and report(live, arena)["done"] >= games


def check_whole(live: Live, arena: str, games: int) -> None:
    """The arena has ended, with every game once, and the logs verify."""
    eventually(lambda: live.ready() and report(live, arena)["status"] == "ended", seconds=200)
    rows = results(live, arena)
    assert [row["number"] for row in rows] == list(range(games))
    for row in rows[:: 1 if BIG else games // SAMPLE]:
        verdict = verify(live.http.get(f"/v1/games/{row['game']}/log").content)
        assert verdict.ok, verdict
        assert verdict.versions == row["moves"] + 1


@pytest.mark.timeout(240)
def test_an_arena_ends_by_itself_though_store_worker_and_api_are_killed(tmp_path: Path) -> None:
    with running_service(tmp_path / "data") as live:
        # What a person did is acknowledged, and two seconds older than the first kill.
        seats = {"rules": "gato-e-rato", "seats": [{"name": "Ada"}, {"name": "Ben"}]}
        game = live.http.post("/v1/games", json=seats).json()["game"]
        before = live.http.get(f"/v1/games/{game}").json()
        acknowledged = time.monotonic()
        arena = start_arena(live, GAMES)
        eventually(lambda: played(live, arena, 1) and time.monotonic() > acknowledged + 2)
        for part, noticed in (
            ("valkey-server", "store"),
            ("services.cli worker", "worker-1"),
            ("services.cli api", "api"),
        ):
            live.kill(part)
            eventually(lambda part=part: live.pids(part) and live.ready())
            assert f"{noticed}" in live.said()
            assert "was killed by SIGKILL" in live.said()
        check_whole(live, arena, GAMES)
        assert live.http.get(f"/v1/games/{game}").json() == before
        assert "Traceback" not in live.said()


@pytest.mark.timeout(240)
def test_a_store_of_ones_own_may_go_away_and_come_back(tmp_path: Path, servers: Servers) -> None:
    own = Server(servers.program("valkey"), durable=True)
    own.start()
    try:
        with running_service(tmp_path / "data", MALICE_REDIS_URL=own.url) as live:
            arena = start_arena(live, FEW)
            eventually(lambda: played(live, arena, 1))
            own.stop()
            eventually(lambda: not live.ready())
            assert live.http.get("/healthz").status_code == 200
            refused = live.http.post(
                "/v1/games", json={"rules": "gato-e-rato", "seats": [{"name": "A"}, {"name": "B"}]}
            )
            assert refused.status_code == 503
            assert refused.json()["code"] == "unavailable"
            assert "Retry-After" in refused.headers
            own.start()
            check_whole(live, arena, FEW)
            assert "Traceback" not in live.said()
    finally:
        own.remove()
