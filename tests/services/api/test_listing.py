"""Which games can be found: public ones, newest first, page by page, as they stand now."""

import json
import random
from typing import Any

import pytest

from events.log.keys import ID_PATTERN
from events.log.submit import create
from tests.services.api.table import ADMIN, BOTS, PEOPLE, Api, problem
from workers.arena import ledger
from workers.arena.lane import play_lane
from workers.bots.registry import find

OPEN = [{"name": "Ada"}, {"open": True}]
SHORT = {"preset": "gato-e-rato", "payoff": 5}


def listed(api: Api, query: str = "") -> list[Any]:
    """All pages behind this query."""
    found: list[Any] = []
    cursor = ""
    while True:
        page = api.get(f"/v1/games?limit=100{query}{cursor}").json()
        found += page["games"]
        if page["next"] is None:
            return found
        cursor = f"&cursor={page['next']}"


def test_a_game_stands_in_the_list_as_it_is_now(api: Api):
    table = api.game(SHORT, OPEN)
    (line,) = listed(api)
    assert set(line) == {
        "game", "created_at", "status", "version", "rules", "seats", "match", "forked_from", "result",
    }  # fmt: skip
    assert (line["game"], line["status"], line["version"]) == (table.game, "open", 1)
    assert line["rules"]["payoff"] == 5
    assert line["seats"] == [
        {"name": "Ada", "kind": "human", "bot": None},
        {"name": None, "kind": "open", "bot": None},
    ]
    api.post(f"{table.path}/seats", {"name": "Ben"})
    (line,) = listed(api)
    assert (line["status"], line["seats"][1]["name"], line["version"]) == ("playing", "Ben", 2)
    table.resign(0)
    (line,) = listed(api)
    assert (line["status"], line["version"]) == ("ended", 3)
    assert line["result"]["reason"] == "resigned"


def test_rules_that_are_a_preset_are_told_by_its_name(api: Api):
    api.game("gatto-e-topo", [{"bot": "greedy"}, {"bot": "uniform"}])
    (line,) = listed(api)
    assert line["rules"] == "gatto-e-topo"
    assert [seat["bot"] for seat in line["seats"]] == ["greedy", "uniform"]


def test_status_asks_for_some_of_them_and_each_game_has_one(api: Api):
    waiting, running, over = api.game("gato-e-rato", OPEN), api.game(), api.game()
    over.resign(1)
    for status, table in (("open", waiting), ("playing", running), ("ended", over)):
        assert [line["game"] for line in listed(api, f"&status={status}")] == [table.game]
    assert len(listed(api)) == 3


def test_pages_are_newest_first_and_neither_skip_nor_repeat_while_games_move_on(api: Api):
    tables = [api.game() for _ in range(23)]
    chance = random.Random(4)
    seen: list[str] = []
    cursor, times = "", []
    while True:
        page = api.get(f"/v1/games?limit=5{cursor}").json()
        assert len(page["games"]) <= 5
        seen += [line["game"] for line in page["games"]]
        times += [line["created_at"] for line in page["games"]]
        if page["next"] is None:
            break
        cursor = f"&cursor={page['next']}"
        chance.choice(tables).resign(0)
        api.game()  # a newer one, which belongs to a page that is read already
    assert sorted(seen) == sorted(table.game for table in tables)
    # Games of one millisecond have no order among themselves; the store's clock counts in milliseconds.
    assert [line["created_at"] for line in listed(api)][-1] == min(times)


def test_games_of_one_millisecond_are_all_found(api: Api):
    """Given more games at one place of the list than a page holds, then every page goes on within it."""
    for number in range(12):
        api.store.client.zadd("{s00}:listed:playing", {f"00game{number}": 1_769_860_800_000})
        api.store.client.sadd("malice:shards", "00")
    found: list[str] = []
    before = None
    while places := api.store.listing.page([0], ("playing",), before, 5):
        found += [place.name for place in places]
        before = places[-1]
    assert sorted(found) == sorted(f"00game{number}" for number in range(12))


def test_unlisted_games_are_found_by_who_knows_their_id_alone(api: Api):
    hidden = api.game(visibility="unlisted")
    shown = api.game(visibility="public")
    assert [line["game"] for line in listed(api)] == [shown.game]
    assert hidden.view()["status"] == "playing"
    hidden.resign(0)
    shown.resign(0)
    assert [line["game"] for line in listed(api)] == [shown.game]
    ended = hidden.version() - 1
    fork = api.post(f"{hidden.path}/fork", {"at": ended, "seats": PEOPLE, "visibility": "unlisted"})
    assert fork.status_code == 201
    assert len(listed(api)) == 1
    problem(api.post("/v1/games", {"rules": "gato-e-rato", "seats": PEOPLE, "visibility": "secret"}), 400, "malformed")


def test_the_games_of_an_unlisted_match_are_unlisted(api: Api):
    body = {"rules": "spite-and-malice", "seats": PEOPLE}
    shown = api.post("/v1/matches", body).json()["match"]
    api.post("/v1/matches", body | {"visibility": "unlisted"})
    assert [line["match"] for line in listed(api)] == [shown]


def test_games_of_an_arena_stand_in_its_own_list_alone(api: Api):
    api.game()
    started = api.post("/v1/arenas", {"bots": list(BOTS), "games": 12, "rules": SHORT, "seed": "s"}).json()["arena"]
    path = f"&arena={started}"
    assert listed(api, path) == []
    for lane in range(ledger.LANES):
        play_lane(api.store, started, lane, None, find, lambda *_: None, clock=lambda: 0.0)
    assert len(listed(api)) == 1
    lines = listed(api, path)
    assert len(lines) == 12
    rows = [line["game"] for line in map(json.loads, api.get(f"/v1/arenas/{started}/results").text.splitlines())]
    assert [line["game"] for line in lines] == rows[::-1], "the latest of the schedule first"
    assert listed(api, f"{path}&status=playing") == []
    first = api.get(f"/v1/games?limit=5{path}").json()
    second = api.get(f"/v1/games?limit=100{path}&cursor={first['next']}").json()
    assert [line["game"] for line in first["games"] + second["games"]] == rows[::-1]
    problem(api.get("/v1/games?arena=00nothere"), 404, "unknown_arena")
    problem(api.get(f"/v1/games?cursor=x{path}"), 400, "malformed")


def test_of_an_arena_the_games_that_run_are_found_without_those_that_have_ended(api: Api):
    """Given two games of which the second has ended, when running games are asked for, then it is the first."""
    started = api.post("/v1/arenas", {"bots": list(BOTS), "games": 2, "rules": SHORT, "seed": "s"}).json()["arena"]
    arena = ledger.find(api.store, started)
    first, second = ledger.game_id(arena, 0), ledger.game_id(arena, 1)
    play_lane(api.store, started, 1, None, find, lambda *_: None, clock=lambda: 0.0)
    command, seed = ledger.creation(arena, 0, first)
    ledger.reach(api.store, arena, 0, 1)
    create(api.store, command, seed=seed, by="system", mark=False)
    path = f"&arena={started}"
    assert [line["game"] for line in listed(api, f"{path}&status=playing")] == [first]
    assert [line["game"] for line in listed(api, f"{path}&status=ended")] == [second]
    assert [line["game"] for line in listed(api, path)] == [second, first]
    assert ledger.begun(api.store, arena, arena.games, 100, unfinished=True) == [0]


def test_an_imported_game_is_on_the_list(api: Api):
    table = api.game(SHORT)
    table.resign(0)
    file = api.get(f"{table.path}/log").content.replace(table.game.encode(), b"00elsewhere", 1)
    taken = api.http.post("/v1/games/import", content=file, headers={"Content-Type": "application/x-ndjson"})
    assert taken.status_code == 201, taken.text
    assert {line["game"] for line in listed(api, "&status=ended")} == {table.game, taken.json()["game"]}


@pytest.mark.parametrize(
    "query",
    [
        "limit=0",
        "limit=101",
        "limit=x",
        "status=over",
        "cursor=",
        "cursor=x",
        "cursor=1.zz",
        "cursor=1.00a%0A",
        "page=2",
    ],
)
def test_a_query_out_of_form_is_malformed(api: Api, query: str):
    problem(api.get(f"/v1/games?{query}"), 400, "malformed")


def test_the_list_takes_the_tokens_that_any_route_takes(api: Api):
    table = api.game()
    assert api.get("/v1/games", table.tokens[0]).status_code == 200
    assert api.get("/v1/games", ADMIN).status_code == 200
    problem(api.get("/v1/games", {"Authorization": "Bearer nobody's"}), 401, "bad_token")
    assert ID_PATTERN in api.get("/openapi.json").text


def test_a_game_whose_log_cannot_be_read_is_left_out(api: Api):
    table, other = api.game(), api.game()
    api.store.client.delete(f"{{s{table.game[:2]}}}:game:{table.game}")
    assert [line["game"] for line in listed(api)] == [other.game]
