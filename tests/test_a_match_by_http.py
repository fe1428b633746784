"""A match, from outside: the whole service runs as `malice up`, and only what HTTP says is known."""

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from events.log.verify_match import verify_match
from services.api.schemas import MatchState
from services.client import Client, Game
from tests.live import Live, eventually

MOVES = 6
"""So many moves a game the person plays before leaving it."""


@pytest.fixture
def client(live: Live) -> Iterator[Client]:
    """Who speaks to it."""
    with Client(live.url) as made:
        yield made


def assert_verifies(client: Client, name: str) -> None:
    """Here, from the logs alone, and by the service's own word."""
    verdict = verify_match(client.match_log(name), lambda game: client.game(game).log())
    assert verdict.ok, verdict
    assert verdict.complete
    told = client.match(name)
    assert (verdict.totals, verdict.winner) == (told.totals, told.winner)
    assert list(verdict.games) == [game.game for game in told.games]
    assert client.match_verification(name).ok


def assert_adds_up(told: MatchState) -> None:
    """R22, R23: totals are the sums, the winner alone has reached fifty, with the last game."""
    points = [game.points or () for game in told.games]
    assert told.winner is not None
    assert told.totals == tuple(sum(seat) for seat in zip(*points, strict=True))
    assert told.totals[told.winner] >= told.target == 50
    before = [sum(seat) for seat in zip(*points[:-1], strict=True)]
    assert max(before, default=0) < 50


def test_two_bots_play_a_match_to_fifty_and_it_verifies(live: Live, client: Client) -> None:
    """Nobody but the workers does anything; `malice verify` fetches the match and its games."""
    name = client.create_match("spite-and-malice", [{"bot": "greedy"}, {"bot": "uniform"}]).match
    eventually(lambda: client.match(name).status == "ended")
    told = client.match(name)
    assert_adds_up(told)
    assert_verifies(client, name)
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
    assert f"seat {told.winner} has won" in judged.stdout


def test_a_person_leaves_games_and_the_match_goes_on_with_the_same_token_until_it_ends(client: Client) -> None:
    """R24, R23: given a person who plays some moves and resigns, the next game is there by itself."""
    created = client.create_match("spite-and-malice", [{"name": "Ada"}, {"bot": "greedy"}])
    name, (seat,) = created.match, created.seats
    games: list[str] = []
    while (told := client.match(name)).status == "running":
        game = told.games[-1].game
        assert told.games[-1].result is None
        assert game not in games
        games.append(game)
        leave_after_a_little(client.game(game, token=seat.token))
        eventually(lambda: gone_on(client.match(name), len(games)))
    assert_adds_up(told)
    assert [game.game for game in told.games] == games
    assert (told.winner, told.totals[0]) == (1, 0)
    assert_verifies(client, name)


def gone_on(told: MatchState, games: int) -> bool:
    """Is there a further game after so many, or is the match over?"""
    return told.status == "ended" or len(told.games) > games


def leave_after_a_little(game: Game) -> None:
    """Some moves, each when it is the person's turn; then no more."""
    for _ in range(MOVES):
        while not (view := game.view()).legal:
            game.events(after=view.version, limit=1, wait=25)
        game.move(view.legal[-1])
    game.resign()
