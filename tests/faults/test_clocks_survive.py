"""A silent seat loses its turn in time, also when everything was killed in between: no clock lives in a process."""

import os
import signal
import time
from pathlib import Path
from typing import Any

from tests.live import Live, eventually, free_port, running_service

TURN = 1
LATEST = 6.0
"""Seconds within which an expiry must be seen: three at leisure, and as many again for a machine that checks types."""
PEOPLE = [{"name": "Ada"}, {"name": "Ben"}]


def begun(live: Live, **clock: Any) -> str:
    body = {"rules": "gatto-e-topo", "seats": PEOPLE, "clock": clock}
    return live.http.post("/v1/games", json=body).json()["game"]


def seen(live: Live, game: str) -> Any:
    return live.http.get(f"/v1/games/{game}").json()


def seconds_until(live: Live, game: str, what: str) -> float:
    """How long it takes until the game's last commit tells of this."""
    began = time.monotonic()
    events = f"/v1/games/{game}/events"
    eventually(lambda: what in live.http.get(events).text)
    return time.monotonic() - began


def test_a_turn_of_one_second_is_over_by_itself_within_moments(tmp_path: Path) -> None:
    """By forfeit, and by playing on; a game without a clock waits."""
    with running_service(tmp_path / "data") as live:
        game, auto = (begun(live, turn_seconds=TURN, on_expiry=how) for how in ("forfeit", "auto"))
        took = [seconds_until(live, game, "ClockExpired"), seconds_until(live, auto, "CardDiscarded")]
        assert took[0] >= TURN - 0.2
        assert sum(took) <= LATEST
        assert seen(live, game)["result"]["reason"] == "clock"
        commits = live.http.get(f"/v1/games/{auto}/events").json()["commits"]
        assert {commit["by"] for commit in commits} == {"system"}
        assert live.http.get(f"/v1/games/{game}/verification").json()["ok"]


def test_killed_and_started_again_everybody_has_a_whole_turn_and_no_more(tmp_path: Path) -> None:
    """Section 6: kill -9 of the supervisor, the store and all parts in the middle of a turn."""
    port, folder = free_port(), tmp_path / "data"
    with running_service(folder, port=port) as live:
        game = begun(live, turn_seconds=4, on_expiry="forfeit")
        # Half of the turn goes by; with what the start takes, its deadline is over before the service is there again.
        half = time.monotonic() + 2
        eventually(lambda: time.monotonic() > half)
        assert seen(live, game)["status"] == "playing"
        killed = [pid for word in ("valkey", "worker", "api", "beat") for pid in live.pids(word)]
        for pid in (live.process.pid, *killed):
            os.kill(pid, signal.SIGKILL)
        live.process.wait()
        eventually(lambda: not any(Path(f"/proc/{pid}").exists() for pid in killed))
    with running_service(folder, port=port) as live:
        took = seconds_until(live, game, "ClockExpired")
        assert 4 - 1.5 <= took <= 4 + LATEST, "a whole turn from about when the service was there again"
        assert seen(live, game)["result"]["reason"] == "clock"
