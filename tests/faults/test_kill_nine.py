"""What is lost when a process is killed in the middle? Nothing acknowledged a while ago, and no game stands still.

The whole service runs as `malice up`. The small run is part of the tests; `dev.py check --full` runs the big one.
"""

import os
import secrets
import threading
import time
from pathlib import Path
from typing import Any

import httpx2
import pytest

from events.log.verify import verify
from tests.conftest import Server, Servers
from tests.live import Live, eventually, running_service

BIG = bool(os.environ.get("MALICE_FULL"))
GAMES = 20_000 if BIG else 1_200
FEW = 2_000 if BIG else 400
"""On a store that writes to disk before it answers."""
SAMPLE = 20


class Mover(threading.Thread):
    """Two people who play on whatever happens, and remember what was acknowledged, and when."""

    def __init__(self, live: Live) -> None:
        super().__init__()
        self.live = live
        self.acknowledged: list[tuple[float, str, int, Any]] = []
        """When, which game, which version, and what the mover was told of the events."""
        self.enough = threading.Event()

    def run(self) -> None:
        while not self.enough.is_set():
            seats = {"rules": "gatto-e-topo", "seats": [{"name": "Ada"}, {"name": "Ben"}]}
            created = self.ask("POST", "/v1/games", json=seats)
            tokens = [{"Authorization": f"Bearer {seat['token']}"} for seat in created.get("seats", [])]
            while not self.enough.wait(0.01) and self.move(created["game"], tokens):
                pass

    def move(self, game: str, tokens: list[dict[str, str]]) -> bool:
        """One move of whoever's turn it is; False when the game is over or gone with the store's last second."""
        path = f"/v1/games/{game}"
        turn = self.ask("GET", path).get("turn")
        if turn is None:
            return False
        view = self.ask("GET", path, headers=tokens[turn["seat"]])
        if not view.get("legal"):
            return view.get("status") == "playing"
        told = self.ask("POST", f"{path}/moves", headers=tokens[turn["seat"]], json={"move": view["legal"][0]})
        if "version" in told:
            self.acknowledged.append((time.monotonic(), game, told["version"], told["events"]))
        return True

    def ask(self, method: str, path: str, **more: Any) -> dict[str, Any]:
        """The answer's JSON; asked again, with the same key, while nobody answers."""
        more["headers"] = more.get("headers", {}) | (
            {"Idempotency-Key": secrets.token_hex(8)} if "json" in more else {}
        )
        while not self.enough.is_set():
            try:
                answer = self.live.http.request(method, path, **more)
            except httpx2.RequestError:
                continue
            if answer.status_code < 500:
                return answer.json()
        return {}


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
    for row in rows[:: games // (500 if BIG else SAMPLE)]:
        verdict = verify(live.http.get(f"/v1/games/{row['game']}/log").content)
        assert verdict.ok, verdict
        assert verdict.versions == row["moves"] + 1


@pytest.mark.timeout(240)
def test_an_arena_ends_by_itself_though_store_worker_and_api_are_killed(tmp_path: Path) -> None:
    with running_service(tmp_path / "data") as live:
        people = Mover(live)
        people.start()
        # For longer than the store may lose, so that something must be there.
        eventually(lambda: people.acknowledged and time.monotonic() > people.acknowledged[0][0] + 2.5)
        arena = start_arena(live, GAMES)
        kills: list[float] = []
        for part, name in (
            ("valkey-server", "store"),
            ("services.cli worker", "worker-1"),
            ("services.cli api", "api"),
        ):
            before = report(live, arena)
            eventually(lambda before=before: report(live, arena)["done"] > before["done"])
            assert before["status"] != "ended", "nothing is left to be disturbed"
            kills.append(time.monotonic())
            live.kill(part)
            eventually(lambda part=part: live.pids(part) and live.ready())
            assert f"{name} was killed by SIGKILL; starting it again" in live.said()
        settled = len(people.acknowledged) + 20
        eventually(lambda: len(people.acknowledged) > settled)
        people.enough.set()
        people.join(30)
        check_whole(live, arena, GAMES)
        check_acknowledged(live, people, lost_at=kills[0])
        assert "Traceback" not in live.said()


def check_acknowledged(live: Live, people: Mover, *, lost_at: float) -> None:
    """All that was acknowledged is there, but for what the store may lose: its last two seconds before `lost_at`."""
    durable = [told for told in people.acknowledged if not lost_at - 2 <= told[0] <= lost_at]
    assert len(durable) > 50
    assert durable[0][0] < lost_at - 2
    logs: dict[str, list[Any]] = {}
    for _, game, version, events in durable:
        if game not in logs:
            seen: list[Any] = []
            while page := live.http.get(f"/v1/games/{game}/events", params={"after": len(seen)}).json()["commits"]:
                seen += page
            logs[game] = seen
        public = logs[game][version - 1]["events"]
        assert [event["type"] for event in public] == [event["type"] for event in events]
        assert public[0] == events[0]


@pytest.mark.timeout(240)
def test_a_store_of_ones_own_may_go_away_and_come_back(tmp_path: Path, servers: Servers) -> None:
    own = Server(servers.program("valkey"), durable=True)
    own.start()
    try:
        with running_service(tmp_path / "data", MALICE_REDIS_URL=own.url) as live:
            arena = start_arena(live, FEW)
            eventually(lambda: played(live, arena, 1))
            own.stop()
            back_at = time.monotonic() + (10 if BIG else 1)
            eventually(lambda: not live.ready())
            assert live.http.get("/healthz").status_code == 200
            refused = live.http.post(
                "/v1/games", json={"rules": "gato-e-rato", "seats": [{"name": "A"}, {"name": "B"}]}
            )
            assert refused.status_code == 503
            assert refused.json()["code"] == "unavailable"
            assert "Retry-After" in refused.headers
            eventually(lambda: time.monotonic() > back_at)
            own.start()
            check_whole(live, arena, FEW)
            assert "Traceback" not in live.said(), live.said().partition("Traceback")[2][:4000]
    finally:
        own.remove()
