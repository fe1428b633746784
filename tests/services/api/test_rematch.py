"""Those who have played play again: one new game for each that has ended, whoever asks and however often."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.services.api.table import ADMIN, MARKED, PEOPLE, Api, Table, problem
from workers.arena import ledger
from workers.arena.lane import play_lane
from workers.bots.registry import find

BOT = [{"name": "Ada", "entropy": "hers"}, {"bot": "greedy", "name": "Gina"}]
SHORT = {"preset": "gato-e-rato", "payoff": 5}
OPEN = ("open", None, None)


def ended(api: Api, **more: Any) -> Table:
    """A game that somebody has left."""
    table = api.game(**more)
    assert table.resign(0).status_code == 200
    return table


def again(table: Table, headers: Any = None) -> Any:
    """The rematch, as the answer tells it."""
    answer = table.api.post(f"{table.path}/rematch", headers=headers)
    assert answer.status_code == 201, answer.text
    told = answer.json()
    assert answer.headers["Location"] == f"/v1/games/{told['game']}"
    assert (told["version"], told["seats"]) == (1, []), "nobody is given the token of another"
    return told


def seats(view: Any) -> list[tuple[str, str | None, str | None]]:
    return [(seat["kind"], seat["name"], seat.get("bot")) for seat in view["seats"]]


def test_two_who_both_ask_meet_at_one_table_and_are_dealt_in(api: Api) -> None:
    """Given a game that has ended, when both seats ask and sit down, then they play, each with a token of its own."""
    table = ended(api)
    told = again(table, table.tokens[0])
    assert again(table, table.tokens[1]) == told
    rematch = Table(api, told)
    assert (rematch.view()["status"], seats(rematch.view())) == ("open", [OPEN, OPEN])
    commitment = rematch.view()["commitment"]
    for seat, name in enumerate(("Ben", "Ada")):
        sat = api.post(f"{rematch.path}/seats", {"name": name, "entropy": f"{name}'s"}).json()
        rematch.tokens[seat] = {"Authorization": f"Bearer {sat['token']}"}
    view = rematch.view(0)
    assert (view["status"], view["start"], len(view["hand"])) == ("playing", "dealt", 5)
    assert view["commitment"] == commitment, "their entropy came after it"
    assert commitment != table.view()["commitment"]


def test_those_who_ask_at_the_same_moment_meet_too(api: Api) -> None:
    table = ended(api)
    with ThreadPoolExecutor(6) as people:
        asked = [people.submit(again, table, table.tokens[number % 2]) for number in range(6)]
    assert len({one.result()["game"] for one in asked}) == 1


def test_the_second_is_told_that_it_was_there(api: Api) -> None:
    table = ended(api)
    path = f"{table.path}/rematch"
    assert "Idempotent-Replayed" not in api.post(path, headers=table.tokens[0]).headers
    assert api.post(path, headers=table.tokens[1]).headers["Idempotent-Replayed"] == "true"
    told = api.post(path, {}, table.tokens[0] | {"Idempotency-Key": "k"})
    assert told.json() == api.post(path).json()


def test_another_process_finds_the_same_game(api: Api) -> None:
    """Given a service that was started anew over the store, when somebody asks again, then no second game begins."""
    table = ended(api)
    first = again(table)
    restarted = Api(server=api.server)
    answer = restarted.post(f"{table.path}/rematch", headers=table.tokens[1])
    assert answer.json() == first
    assert Table(restarted, first).view()["status"] == "open"


def test_it_has_the_rules_the_clock_and_the_bots_of_the_first(api: Api) -> None:
    clock = {"turn_seconds": 60, "on_expiry": "forfeit"}
    rules = {"preset": "gatto-e-topo", "seats": 3, "must_play": "never"}
    table = ended(api, rules=rules, seats=[*BOT, {"name": "Cid"}], clock=clock)
    api.post(f"{table.path}/resign", headers=table.tokens[2])
    view = Table(api, again(table)).view()
    assert view["rules"] == table.view()["rules"]
    assert view["clock"] == clock | {"deadline": None}
    assert seats(view) == [OPEN, ("bot", "Gina", None), OPEN]


@pytest.mark.parametrize("visibility", ["public", "unlisted"])
def test_it_is_on_the_list_where_the_first_was(api: Api, visibility: str) -> None:
    game = again(ended(api, visibility=visibility))["game"]
    listed = [line["game"] for line in api.get("/v1/games?status=open").json()["games"]]
    assert listed == ([game] if visibility == "public" else [])


def test_bots_alone_are_dealt_at_once(api: Api) -> None:
    """An arena's game too; its rematch is no game of the arena, and on no list."""
    body = {"bots": ["greedy", "uniform"], "games": 2, "rules": SHORT, "seed": "s"}
    name = api.post("/v1/arenas", body).json()["arena"]
    arena = ledger.find(api.store, name)
    for lane in range(ledger.LANES):
        play_lane(api.store, name, lane, None, find, lambda *_: None, clock=lambda: 0.0)
    first = Table(api, {"game": ledger.game_id(arena, 0), "seats": []})
    told = again(first)
    view = Table(api, told).view()
    assert (view["status"], [seat["kind"] for seat in view["seats"]]) == ("playing", ["bot", "bot"])
    assert told["game"] in api.woken
    assert told["game"] not in api.get("/v1/games").text
    assert len(api.get(f"/v1/games?arena={name}").json()["games"]) == 2


def test_a_game_that_began_from_a_position_or_was_forked_is_dealt_anew(api: Api) -> None:
    table = ended(api, position=MARKED)
    view = Table(api, again(table)).view()
    assert (view["start"], view["status"]) == ("dealt", "open")
    fork = Table(api, api.post(f"{table.path}/fork", {"at": 1, "seats": PEOPLE}).json())
    fork.resign(1)
    assert Table(api, again(fork)).view()["start"] == "dealt"


def test_a_rematch_may_have_a_rematch(api: Api) -> None:
    table = ended(api)
    games = {table.game}
    for _ in range(3):
        told = again(table)
        table = Table(api, told)
        for seat in (0, 1):
            token = api.post(f"{table.path}/seats", {"name": "Ada"}).json()["token"]
            table.tokens[seat] = {"Authorization": f"Bearer {token}"}
        table.resign(1)
        games.add(table.game)
    assert len(games) == 4


def test_a_game_that_runs_or_waits_has_none(api: Api) -> None:
    """To nobody, and it says which game."""
    running, waiting = api.game(), api.game(seats=[{"name": "Ada"}, {"open": True}])
    for table in (running, waiting):
        for headers in (table.tokens[0], ADMIN, None):
            told = problem(api.post(f"{table.path}/rematch", headers=headers), 409, "not_over")
            assert table.game in told["detail"]
    running.resign(1)
    again(running, running.tokens[0])


def test_where_keys_are_set_it_is_for_those_who_played_and_those_who_may_create() -> None:
    api = Api(api_keys={"ada": "k3y"}, base_url="https://malice.example")
    key = {"Authorization": "Bearer k3y"}
    made = [api.post("/v1/games", {"rules": SHORT, "seats": PEOPLE}, key).json() for _ in range(3)]
    table, other, third = (Table(api, one) for one in made)
    for one in (table, other, third):
        one.resign(0)
    path, before = f"{table.path}/rematch", set(api.store.client.keys())
    problem(api.post(path), 401, "bad_token")
    problem(api.post(path, headers=other.tokens[0]), 403, "forbidden")
    problem(api.post(path, headers={"Authorization": f"Bearer {table.game}.0.{'0' * 64}"}), 401, "bad_token")
    assert set(api.store.client.keys()) == before
    told = [again(one, headers) for one, headers in ((table, table.tokens[1]), (other, key), (third, ADMIN))]
    assert again(table, key) == told[0]


def test_a_bot_that_is_not_here_any_more_is_named(api: Api) -> None:
    table = ended(api, seats=BOT)
    del api.bots["greedy"]
    assert "greedy" in problem(api.post(f"{table.path}/rematch"), 422, "bad_rules")["detail"]
    api.bots["greedy"] = "It is back."
    told = again(table)
    del api.bots["greedy"]
    assert again(table) == told, "what has begun is found"


@pytest.mark.parametrize(
    ("path", "body", "headers", "status", "code"),
    [
        ("{path}/rematch", {"seats": 2}, {}, 400, "malformed"),
        ("{path}/rematch", None, {"Idempotency-Key": "k k"}, 400, "malformed"),
        ("{path}/rematch?colour=red", None, {}, 400, "malformed"),
        ("/v1/games/07nothere/rematch", None, {}, 404, "unknown_game"),
    ],
)
def test_what_is_out_of_form_is_refused(
    api: Api, path: str, body: Any, headers: dict[str, str], status: int, code: str
) -> None:
    table = ended(api)
    before = set(api.store.client.keys())
    problem(api.post(path.format(path=table.path), body, headers), status, code)
    assert set(api.store.client.keys()) == before
