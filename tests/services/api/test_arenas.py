"""Bot leagues over HTTP: started once for each key, counted while they are played, cancelled by who may start them."""

import json
import time
from collections.abc import Callable
from typing import Any

import pytest

from tests.services.api.table import ADMIN, Api, problem
from workers.arena.lane import Warm, play_lane
from workers.arena.ledger import LANES
from workers.bots.registry import find

BODY = {"bots": ["greedy", "uniform"], "games": 4, "rules": {"preset": "gato-e-rato", "payoff": 5}, "seed": "x"}


def start(api: Api, **changes: Any) -> str:
    answer = api.post("/v1/arenas", BODY | changes)
    assert answer.status_code == 201, answer.text
    assert answer.headers["location"] == f"/v1/arenas/{answer.json()['arena']}"
    return answer.headers["location"]


def play(api: Api, path: str, clock: Callable[[], float] = time.monotonic) -> None:
    """Work off the lanes as workers do."""
    arena = path.rpartition("/")[2]
    waiting: list[tuple[str, int, str | None]] = [(arena, lane, None) for lane in range(LANES)]

    def ring(name: str, lane: int, lease: str | None = None, /) -> None:
        waiting.append((name, lane, lease))

    warm = Warm()
    while waiting:
        play_lane(api.store, *waiting.pop(0), find, ring, clock=clock, warm=warm)


def test_an_arena_starts_and_its_lanes_are_rung(api: Api):
    path = start(api)
    told = api.get(path).json()
    assert (told["status"], told["done"], told["games"], told["seed"]) == ("queued", 0, 4, None)
    assert api.lanes == [(told["arena"], lane) for lane in range(LANES)]
    assert api.get(f"{path}/results").content == b""


def test_an_arena_that_is_through_has_standings_and_a_row_for_each_of_its_games(api: Api):
    path = start(api)
    play(api, path)
    told = api.get(path).json()
    assert (told["status"], told["done"]) == ("ended", 4)
    assert {bot["bot"] for bot in told["bots"]} == {"greedy", "uniform"}
    results = api.get(f"{path}/results")
    assert results.headers["content-type"] == "application/x-ndjson"
    rows = [json.loads(line) for line in results.text.splitlines()]
    fields = {"game", "pair", "seats", "result", "winners", "reason", "points", "moves", "turns"}
    assert all(fields <= set(row) for row in rows)
    assert sorted(row["pair"] for row in rows) == [0, 0, 1, 1]
    game = api.get(f"/v1/games/{rows[0]['game']}").json()
    assert (game["status"], game["result"]["reason"]) == ("ended", rows[0]["reason"])


def test_starting_repeated_with_its_key_starts_one_arena(api: Api):
    key = {"Idempotency-Key": "k"}
    first = api.post("/v1/arenas", BODY, key)
    again = api.post("/v1/arenas", BODY, key)
    assert (again.status_code, again.json(), again.headers["idempotent-replayed"]) == (201, first.json(), "true")
    assert "'k'" in problem(api.post("/v1/arenas", BODY | {"games": 6}, key), 422, "key_reused")["detail"]
    assert len(api.lanes) == LANES
    assert start(api) != start(api)


def test_a_cancelled_arena_keeps_what_was_played_and_is_not_cancelled_into_another_state(api: Api):
    path = start(api)
    api.lanes.clear()
    assert api.http.delete(path).json()["status"] == "cancelled"
    assert len(api.lanes) == LANES, "each lane is told, so that its game in the middle is abandoned"
    play(api, path)
    assert api.get(path).json()["done"] == 0
    through = start(api, games=2)
    play(api, through)
    assert api.http.delete(through).json()["status"] == "ended"


def test_a_test_ends_the_arena_as_soon_as_it_is_known_who_is_better(api: Api):
    path = start(api, games=200, sprt={"elo0": 0, "elo1": 200, "alpha": 0.2})
    assert api.get(path).json()["sprt"] == {
        "elo0": 0, "elo1": 200, "alpha": 0.2, "beta": 0.05,
        "llr": 0, "lower": -2.7726, "upper": 1.5581, "pairs": 0, "outcomes": [0, 0, 0, 0, 0], "verdict": "undecided",
    }  # fmt: skip
    looks = iter(range(10**9))
    play(api, path, lambda: float(next(looks)))
    told = api.get(path).json()
    assert (told["status"], told["games"], told["sprt"]["verdict"]) == ("ended", 200, "better")
    assert told["done"] == 2 * told["sprt"]["pairs"] == len(api.get(f"{path}/results").text.splitlines()) < 50
    assert told["sprt"]["llr"] >= told["sprt"]["upper"]


def test_results_are_read_on_from_where_one_was(api: Api):
    path = start(api, games=6)
    play(api, path)
    all_rows = api.get(f"{path}/results").text.splitlines()
    assert api.get(f"{path}/results?after=0").text.splitlines() == all_rows
    assert api.get(f"{path}/results?after=4").text.splitlines() == all_rows[4:]
    assert api.get(f"{path}/results?after=6").text == ""
    for wrong in ("-1", "x", "100001"):
        problem(api.get(f"{path}/results?after={wrong}"), 400, "malformed")


def test_a_report_says_how_long_games_are_how_they_end_and_what_a_seat_is_worth(api: Api):
    path = start(api, games=4, rules="spite-and-malice")
    play(api, path)
    told = api.get(path).json()
    assert sum(told["reasons"].values()) == 4
    assert told["draws"] == sum(row["draws"] for row in told["bots"]) / 2
    assert told["length"]["mean"] == round(told["moves"] / 4, 1)
    assert told["turns"]["least"] <= told["turns"]["mean"] <= told["turns"]["most"]
    assert sum(told["seats"]) == pytest.approx(1)
    for row in told["bots"]:
        assert row["rating_ci95"][0] < row["rating"] < row["rating_ci95"][1]
        assert sum(row["losses_by"].values()) == row["losses"]
    assert sum(row["points"] for row in told["bots"]) * 4 == pytest.approx((told["margin"] or 0) * (4 - told["draws"]))


@pytest.mark.parametrize(
    ("changes", "status", "code"),
    [
        ({"bots": ["greedy"]}, 400, "malformed"),
        ({"bots": ["greedy"] * 65}, 400, "malformed"),
        ({"games": 0}, 400, "malformed"),
        ({"games": 100_001}, 400, "malformed"),
        ({"games": 1.5}, 400, "malformed"),
        ({"seed": "s" * 201}, 400, "malformed"),
        ({"colour": "red"}, 400, "malformed"),
        ({"bots": ["greedy", "os:system"]}, 422, "bad_rules"),
        ({"rules": "poker"}, 422, "bad_rules"),
        ({"sprt": {"elo0": 0}}, 400, "malformed"),
        ({"sprt": {"elo0": 20, "elo1": 0}}, 422, "bad_rules"),
        ({"sprt": {"elo0": 0, "elo1": 1001}}, 400, "malformed"),
        ({"sprt": {"elo0": 0, "elo1": 20, "gamma": 1}}, 400, "malformed"),
        ({"sprt": {"elo0": 0, "elo1": 20, "beta": 0.7}}, 400, "malformed"),
        ({"sprt": {"elo0": 0, "elo1": 20}, "bots": ["greedy"] * 3}, 422, "bad_rules"),
        ({"sprt": {"elo0": 0, "elo1": 20}, "rules": {"preset": "gatto-e-topo", "seats": 3}}, 422, "bad_rules"),
    ],
)
def test_an_arena_that_cannot_be_is_refused(api: Api, changes: dict[str, Any], status: int, code: str):
    problem(api.post("/v1/arenas", BODY | changes), status, code)


@pytest.mark.parametrize("name", ["00nothere", "x", "%00"])
def test_an_arena_that_is_not_there_is_unknown(api: Api, name: str):
    for answer in (api.get(f"/v1/arenas/{name}"), api.get(f"/v1/arenas/{name}/results")):
        problem(answer, 404, "unknown_arena")
    problem(api.http.delete(f"/v1/arenas/{name}"), 404, "unknown_arena")


def test_where_api_keys_are_set_starting_and_cancelling_need_one():
    api = Api(api_keys={"ada": "k3y"})
    problem(api.post("/v1/arenas", BODY), 401, "bad_token")
    path = api.post("/v1/arenas", BODY, {"Authorization": "Bearer k3y"}).headers["location"]
    problem(api.http.delete(path), 401, "bad_token")
    assert api.get(path).status_code == 200
    assert api.http.delete(path, headers=ADMIN).status_code == 200


def lines(api: Api, query: str = "") -> list[Any]:
    """The arenas of all pages behind this query."""
    found: list[Any] = []
    cursor = ""
    while True:
        page = api.get(f"/v1/arenas?limit=2{query}{cursor}").json()
        found += page["arenas"]
        if page["next"] is None:
            return found
        cursor = f"&cursor={page['next']}"


def test_arenas_are_listed_newest_first_as_they_stand_now(api: Api):
    """Given one that ended, one cancelled and two that wait, when they are asked for, then each is told as it is."""
    assert lines(api) == []
    ended, cancelled, waiting, tested = (
        start(api), start(api), start(api, rules="gato-e-rato"), start(api, sprt={"elo0": 0, "elo1": 20})
    )  # fmt: skip
    play(api, ended)
    api.http.delete(cancelled)
    found = lines(api)
    assert [f"/v1/arenas/{line['arena']}" for line in found] == [tested, waiting, cancelled, ended]
    assert [line["status"] for line in found] == ["queued", "queued", "cancelled", "ended"]
    assert [line["verdict"] for line in found] == ["undecided", None, None, None]
    assert found[1]["rules"] == "gato-e-rato"
    assert found[3]["rules"]["payoff"] == 5
    assert (found[3]["done"], found[3]["games"], found[3]["bots"]) == (4, 4, ["greedy", "uniform"])
    assert found[3]["started_at"] < found[3]["ended_at"]
    assert found[0]["ended_at"] is None
    assert set(found[0]) == {
        "arena", "status", "bots", "done", "games", "rules", "started_at", "ended_at", "verdict",
    }, "and no seed, from which all cards to come could be known"  # fmt: skip
    assert [line["arena"] for line in lines(api, "&status=queued")] == [line["arena"] for line in found[:2]]
    assert [line["arena"] for line in lines(api, "&status=ended")] == [found[3]["arena"]]
    assert lines(api, "&status=running") == []


@pytest.mark.parametrize("query", ["status=open", "limit=0", "limit=101", "cursor=x", "cursor=1.zz", "colour=red"])
def test_a_list_that_cannot_be_is_malformed(api: Api, query: str):
    problem(api.get(f"/v1/arenas?{query}"), 400, "malformed")
