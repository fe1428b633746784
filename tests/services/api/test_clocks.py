"""Turn clocks over HTTP: asked for with the game, shown in every view, told with every move."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.log.games import let_pass
from tests.services.api.table import MARKED, PEOPLE, Api, Table, problem
from workers.bots.registry import find
from workers.clocks import keep_time

CLOCK = {"turn_seconds": 60, "on_expiry": "auto"}
BOT = [{"name": "Ada"}, {"bot": "greedy"}]


@pytest.fixture
def table(api: Api) -> Table:
    return api.game(clock=CLOCK)


def time(text: str) -> datetime:
    return datetime.fromisoformat(text)


def test_a_game_without_a_clock_says_so(api: Api) -> None:
    assert api.game().view()["clock"] is None


def test_everybody_sees_the_terms_and_when_the_turn_is_over(api: Api, table: Table) -> None:
    seconds, _ = api.store.client.time()
    shown = [table.view(seat)["clock"] for seat in (0, 1, None)]
    assert shown[0] == shown[1] == shown[2]
    assert shown[0].keys() == {"turn_seconds", "on_expiry", "deadline"}
    assert {name: shown[0][name] for name in CLOCK} == CLOCK
    left = time(shown[0]["deadline"]) - datetime.fromtimestamp(seconds, time(shown[0]["deadline"]).tzinfo)
    assert timedelta(seconds=55) < left < timedelta(seconds=62)
    assert shown[0]["deadline"].endswith("Z")


def test_a_move_is_answered_with_the_deadline_that_it_leaves(table: Table) -> None:
    let_pass(table.api.store, table.game, 30)
    before = table.view()["clock"]["deadline"]
    told = table.play(*table.any_move()).json()["view"]["clock"]
    assert time(told["deadline"]) >= time(before) + timedelta(seconds=30)
    assert table.view()["clock"] == told


def test_a_move_repeated_with_its_key_is_told_the_first_deadline(table: Table) -> None:
    seat, move = table.any_move()
    first = table.play(seat, move, Idempotency_Key="k")
    table.play(*table.any_move())
    let_pass(table.api.store, table.game, 30)
    again = table.play(seat, move, Idempotency_Key="k")
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.content == first.content
    table.resign(0)
    assert table.play(seat, move, Idempotency_Key="k").content == first.content


def test_a_version_that_is_past_shows_the_terms_alone(table: Table) -> None:
    table.play(*table.any_move())
    assert table.view(query="?at=1")["clock"] == CLOCK | {"deadline": None}
    assert table.view(query="?at=2")["clock"]["deadline"] is not None
    table.resign(0)
    assert table.view()["clock"] == CLOCK | {"deadline": None}


def test_a_clock_waits_for_the_last_seat(api: Api) -> None:
    table = api.game(seats=[{"name": "Ada"}, {"open": True}], clock=CLOCK)
    assert table.view()["clock"] == CLOCK | {"deadline": None}
    api.post(f"{table.path}/seats", {"name": "Ben"})
    assert table.view()["clock"]["deadline"] is not None


def test_a_clock_beside_a_position_runs_at_once(api: Api) -> None:
    assert api.game(position=MARKED, clock=CLOCK).view()["clock"]["deadline"] is not None


@pytest.mark.parametrize(
    ("clock", "named"),
    [
        ({"turn_seconds": 0, "on_expiry": "auto"}, "turn_seconds"),
        ({"turn_seconds": -1, "on_expiry": "auto"}, "turn_seconds"),
        ({"turn_seconds": 2592001, "on_expiry": "auto"}, "turn_seconds"),
        ({"turn_seconds": 1.5, "on_expiry": "auto"}, "turn_seconds"),
        ({"turn_seconds": "60", "on_expiry": "auto"}, "turn_seconds"),
        ({"turn_seconds": 60, "on_expiry": "lose"}, "on_expiry"),
        ({"turn_seconds": 60}, "on_expiry"),
        ({"on_expiry": "auto"}, "turn_seconds"),
        ({"turn_seconds": 60, "on_expiry": "auto", "deadline": None}, "deadline"),
        (60, "clock"),
    ],
)
def test_a_clock_that_cannot_be_is_refused(api: Api, clock: Any, named: str) -> None:
    answer = api.post("/v1/games", {"rules": "gato-e-rato", "seats": PEOPLE, "clock": clock})
    assert named in problem(answer, 400, "malformed")["detail"]


def test_the_clock_is_part_of_what_a_key_stands_for(api: Api) -> None:
    body = {"rules": "gato-e-rato", "seats": BOT, "clock": CLOCK}
    key = {"Idempotency-Key": "k"}
    first = api.post("/v1/games", body, key)
    assert api.post("/v1/games", body, key).content == first.content
    problem(api.post("/v1/games", body | {"clock": CLOCK | {"turn_seconds": 61}}, key), 422, "key_reused")


def test_no_event_speaks_of_a_clock(api: Api, table: Table) -> None:
    """Section 2: kept beside the log, in no event."""
    table.play(*table.any_move())
    assert b"turn_seconds" not in api.get(f"{table.path}/events").content


def test_every_game_of_a_match_has_the_clock_of_the_match(api: Api) -> None:
    """Its silent seat loses a game by the clock, and the next game has a clock of its own."""
    body = {"rules": "spite-and-malice", "seats": PEOPLE, "clock": CLOCK | {"on_expiry": "forfeit"}}
    path = f"/v1/matches/{api.post('/v1/matches', body).json()['match']}"
    api.store.due.note_sweep()
    for number in range(1, 3):
        games = [game["game"] for game in api.get(path).json()["games"]]
        assert len(games) == number
        assert api.get(f"/v1/games/{games[-1]}").json()["clock"]["deadline"] is not None
        let_pass(api.store, games[-1], 60)
        keep_time(api.store, games[-1], lambda game, table: None, find, abandon_seconds=0)
    scored, points = api.get(path).json()["games"][0], api.get(path).json()["totals"]
    assert (scored["result"], sum(points) > 0) == ("won", True)
