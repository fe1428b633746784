"""A game goes on from a version of another: every card where it lay, and nothing shown that was hidden."""

from typing import Any

import pytest

from events.game.presets import PRESETS
from events.log.verify import verify
from tests.services.api.table import ADMIN, HIDDEN, MARKED, PEOPLE, Api, Table, problem

SEATS = [{"name": "Cid"}, {"name": "Dot"}]
GUESSED = {"Authorization": "Bearer 07q3m8k2v9d4x6r1t5w0zy.0." + "0" * 64}


def played(api: Api, moves: int = 8, **more: Any) -> Table:
    """A game of some moves that has ended by a resignation."""
    table = api.game(**more)
    for _ in range(moves):
        table.play(*table.any_move())
    assert table.resign(0).status_code == 200
    return table


def fork(table: Table, at: int, seats: Any = SEATS, headers: Any = None, **more: Any) -> Any:
    return table.api.post(f"{table.path}/fork", {"at": at, "seats": seats, **more}, headers)


def forked(table: Table, at: int, **more: Any) -> Table:
    answer = fork(table, at, **more)
    assert answer.status_code == 201, answer.text
    assert answer.headers["Location"] == f"/v1/games/{answer.json()['game']}"
    return Table(table.api, answer.json())


@pytest.mark.parametrize("preset", PRESETS)
def test_a_fork_begins_with_the_table_as_it_lay(api: Api, preset: str) -> None:
    """Section 5: hidden cards stay as they were."""
    table = played(api, rules=preset)
    fork = forked(table, 5)
    origin, now = table.view(query="?at=5&as=all"), fork.view()
    for field in ("turn", "piles", "needs", "stock", "aside", "rules"):
        assert now[field] == origin[field], field
    for seat in (0, 1):
        assert fork.view(seat)["hand"] == origin["cards"]["hands"][seat]
        assert now["seats"][seat]["sides"] == origin["seats"][seat]["sides"]
        assert now["seats"][seat]["payoff"] == origin["seats"][seat]["payoff"]
    assert (now["start"], now["version"], [seat["name"] for seat in now["seats"]]) == ("fork", 1, ["Cid", "Dot"])
    assert now["commitment"] != origin["commitment"], "the shuffles to come are its own"


def test_its_log_names_its_origin_and_verifies(api: Api) -> None:
    table = played(api)
    fork = forked(table, 6)
    for _ in range(5):
        fork.play(*fork.any_move())
    fork.resign(1)
    log = api.get(f"{fork.path}/log")
    assert verify(log.content).ok
    created = api.get(f"{fork.path}/events").json()["commits"][0]["events"]
    assert [event["type"] for event in created] == ["GameCreated", "PositionSet"]
    assert created[0]["forked_from"] == {"game": table.game, "version": 6}
    assert created[0]["match"] is None


def test_it_may_have_other_people_bots_and_a_clock(api: Api) -> None:
    table = played(api)
    clock = {"turn_seconds": 60, "on_expiry": "forfeit"}
    answer = fork(table, 3, seats=[{"bot": "greedy"}, {"name": "Eva", "entropy": "mine"}], clock=clock)
    assert [seat["name"] for seat in answer.json()["seats"]] == ["Eva"], "tokens for human seats only"
    view = Table(api, answer.json()).view()
    assert view["clock"]["turn_seconds"] == 60
    assert [seat["kind"] for seat in view["seats"]] == ["bot", "human"]
    assert answer.json()["game"] in api.woken


def test_a_fork_of_a_fork_goes_on_from_the_fork(api: Api) -> None:
    first = forked(played(api), 4)
    first.play(*first.any_move())
    first.resign(0)
    second = forked(first, 2)
    assert second.view()["turn"] == first.view(query="?at=2")["turn"]


def test_a_seat_that_had_left_stays_away(api: Api) -> None:
    """R24: the others go on; whoever takes its place has nothing to do."""
    table = api.game({"preset": "gatto-e-topo", "seats": 3}, [*PEOPLE, {"name": "Cid"}])
    away = (table.view()["turn"]["seat"] + 1) % 3
    table.resign(away)
    table.resign((away + 1) % 3)
    fork = forked(table, 2, seats=[*SEATS, {"name": "Eva"}])
    assert [seat["resigned"] for seat in fork.view()["seats"]] == [seat == away for seat in range(3)]


def test_of_a_running_game_the_admin_key_alone_may_make_one(api: Api) -> None:
    table = api.game()
    for headers in (None, table.headers(0)):
        told = problem(fork(table, 1, headers=headers), 403, "forbidden")
        assert not HIDDEN.search(told["detail"])
    assert fork(table, 1, headers=ADMIN).status_code == 201


def test_what_such_a_fork_would_reveal_stays_closed_until_its_origin_has_ended(api: Api) -> None:
    """Section 5: its log, its verification, its views with open cards, and forks of it."""
    origin = api.marked()
    fork_of_it = Table(api, fork(origin, 1, headers=ADMIN).json())
    fork_of_it.resign(0)
    for path in ("/log", "/verification", "?as=all", "?as=1", "/events?as=all"):
        problem(api.get(fork_of_it.path + path), 403, "forbidden")
        assert api.get(fork_of_it.path + path, ADMIN).status_code == (403 if "as=" in path else 200)
    problem(fork(fork_of_it, 1), 403, "forbidden")
    origin.resign(1)
    for path in ("/log", "/verification", "?as=all", "/events?as=all"):
        assert api.get(fork_of_it.path + path).status_code == 200
    assert fork(fork_of_it, 1).status_code == 201


def test_its_spectators_see_no_more_than_those_of_any_game(api: Api) -> None:
    table = api.marked()
    table.resign(0)
    fork = forked(table, 1)
    for path in ("", "/events"):
        assert not HIDDEN.search(api.get(fork.path + path).text)


@pytest.mark.parametrize("at", [0, -1, 99])
def test_it_begins_at_a_version_that_is_there(api: Api, at: int) -> None:
    assert str(at) in problem(fork(played(api), at), 404, "unknown_version")["detail"]


def test_it_begins_where_somebody_is_to_move(api: Api) -> None:
    table = played(api)
    problem(fork(table, table.version()), 409, "game_over")
    waiting = api.game(seats=[{"name": "Ada"}, {"open": True}])
    api.post(f"{waiting.path}/seats", {"name": "Ben"})
    waiting.resign(0)
    problem(fork(waiting, 1), 409, "not_started")


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"at": 3}, 400, "malformed"),
        ({"seats": SEATS}, 400, "malformed"),
        ({"at": "3", "seats": SEATS}, 400, "malformed"),
        ({"at": 3, "seats": SEATS, "position": MARKED}, 400, "malformed"),
        ({"at": 3, "seats": SEATS, "rules": "gato-e-rato"}, 400, "malformed"),
        ({"at": 3, "seats": [{"name": ""}, {"name": "Dot"}]}, 400, "malformed"),
        ({"at": 3, "seats": SEATS[:1]}, 422, "bad_rules"),
        ({"at": 3, "seats": [*SEATS, {"name": "Eva"}]}, 422, "bad_rules"),
        ({"at": 3, "seats": [{"bot": "hal"}, {"name": "Dot"}]}, 422, "bad_rules"),
        ({"at": 3, "seats": [{"open": True}, {"name": "Dot"}]}, 422, "bad_position"),
        ({"at": 3, "seats": SEATS, "seed": "ab" * 64}, 403, "forbidden"),
    ],
    ids=str,
)
def test_a_fork_that_cannot_be_is_refused(api: Api, body: Any, status: int, code: str) -> None:
    table = played(api)
    before = set(api.store.client.keys())
    problem(api.post(f"{table.path}/fork", body), status, code)
    assert set(api.store.client.keys()) == before


def test_who_asks_is_judged_as_for_any_game(api: Api) -> None:
    problem(api.post("/v1/games/07nothere/fork", {"at": 1, "seats": SEATS}), 404, "unknown_game")
    problem(fork(played(api), 1, headers=GUESSED), 401, "bad_token")


def test_a_seeded_fork_of_bots_can_be_made_again(api: Api) -> None:
    bots = [{"bot": "greedy"}, {"bot": "uniform"}]
    table = played(api)
    made = [fork(table, 3, seats=bots, seed="ab" * 64).json()["game"] for _ in range(2)]
    assert made[0] != made[1]
    assert len({api.get(f"/v1/games/{game}").json()["commitment"] for game in made}) == 1


def test_repeated_with_its_key_it_is_the_same_fork_with_the_same_tokens(api: Api) -> None:
    table, key = played(api), {"Idempotency-Key": "fork-1"}
    first, again = fork(table, 3, headers=key), fork(table, 3, headers=key)
    assert (again.content, again.headers["Idempotent-Replayed"]) == (first.content, "true")
    problem(fork(table, 4, headers=key), 422, "key_reused")
    problem(fork(played(api), 3, headers=key), 422, "key_reused")


def test_every_version_of_a_game_can_be_forked(api: Api) -> None:
    """What real play reaches is a position (section 2)."""
    table = played(api, 20)
    for at in range(1, table.version()):
        assert fork(table, at).status_code == 201
