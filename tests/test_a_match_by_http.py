"""A match, from outside: the whole service runs as `malice up`, and only what HTTP says is known."""

import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from events.log.verify_match import verify_match
from tests.live import Live, eventually, running_service

MOVES = 6
"""So many moves a game the person plays before leaving it."""


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """One service for all tests of this file."""
    with running_service(tmp_path_factory.mktemp("match") / "data") as running:
        yield running


def start(live: Live, seats: list[dict[str, str]]) -> Any:
    answer = live.http.post("/v1/matches", json={"rules": "spite-and-malice", "seats": seats})
    assert answer.status_code == 201, answer.text
    return answer.json()


def match_of(live: Live, name: str) -> Any:
    answer = live.http.get(f"/v1/matches/{name}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def assert_verifies(live: Live, name: str) -> None:
    """Here, from the logs alone, and by the service's own word."""
    log = live.http.get(f"/v1/matches/{name}/log").content
    verdict = verify_match(log, lambda game: live.http.get(f"/v1/games/{game}/log").content)
    assert verdict.ok, verdict
    assert verdict.complete
    told = match_of(live, name)
    assert (list(verdict.totals), verdict.winner) == (told["totals"], told["winner"])
    assert list(verdict.games) == [game["game"] for game in told["games"]]
    assert live.http.get(f"/v1/matches/{name}/verification").json()["ok"]


def assert_adds_up(told: Any) -> None:
    """R22, R23: totals are the sums, the winner alone has reached fifty, with the last game."""
    points = [game["points"] for game in told["games"]]
    assert told["totals"] == [sum(seat) for seat in zip(*points, strict=True)]
    assert told["totals"][told["winner"]] >= told["target"] == 50
    before = [sum(seat) for seat in zip(*points[:-1], strict=True)]
    assert max(before, default=0) < 50


def test_two_bots_play_a_match_to_fifty_and_it_verifies(live: Live) -> None:
    """Nobody but the workers does anything; `malice verify` fetches the match and its games."""
    name = start(live, [{"bot": "greedy"}, {"bot": "uniform"}])["match"]
    eventually(lambda: match_of(live, name)["status"] == "ended")
    told = match_of(live, name)
    assert_adds_up(told)
    assert_verifies(live, name)
    judged = subprocess.run(
        [sys.executable, "-m", "services.cli", "verify", name],
        capture_output=True,
        text=True,
        check=False,
        env={word: value for word, value in os.environ.items() if not word.startswith("MALICE_")}
        | {"MALICE_URL": live.url},
    )
    assert judged.returncode == 0, judged.stdout + judged.stderr
    assert judged.stdout.startswith(f"ok: match {name}, ")
    assert f"seat {told['winner']} has won" in judged.stdout


def test_a_person_leaves_games_and_the_match_goes_on_with_the_same_token_until_it_ends(live: Live) -> None:
    """R24, R23: given a person who plays some moves and resigns, the next game is there by itself."""
    created = start(live, [{"name": "Ada"}, {"bot": "greedy"}])
    name, (seat,) = created["match"], created["seats"]
    token = {"Authorization": f"Bearer {seat['token']}"}
    games: list[str] = []
    while (told := match_of(live, name))["status"] == "running":
        game = told["games"][-1]["game"]
        assert told["games"][-1]["result"] is None
        assert game not in games
        games.append(game)
        play_a_little(live, game, token)
        live.http.post(f"/v1/games/{game}/resign", headers=token).raise_for_status()
        eventually(lambda: gone_on(match_of(live, name), len(games)))
    assert_adds_up(told)
    assert [game["game"] for game in told["games"]] == games
    assert (told["winner"], told["totals"][0]) == (1, 0)
    assert_verifies(live, name)


def gone_on(told: Any, games: int) -> bool:
    """Is there a further game after so many, or is the match over?"""
    return told["status"] == "ended" or len(told["games"]) > games


def play_a_little(live: Live, game: str, token: dict[str, str]) -> None:
    """Some moves, each when it is the person's turn."""
    path = f"/v1/games/{game}"
    for _ in range(MOVES):
        eventually(lambda: live.http.get(path, headers=token).json()["legal"])
        move = live.http.get(path, headers=token).json()["legal"][-1]
        live.http.post(f"{path}/moves", json={"move": move}, headers=token).raise_for_status()
