"""How games begin: rules, seats, seeds, positions, and that creating twice under one key creates once."""

import re
from typing import Any

import msgspec
import pytest

from events.game.presets import PRESETS
from events.game.shuffle import commitment
from tests.services.api.table import ADMIN, MARKED, PEOPLE, Api, problem

OWN_RULES = msgspec.to_builtins(PRESETS["gatto-e-topo"].rules) | {
    "payoff": 3,
    "jokers": 4,
    "wild_may_start": True,
    "wild_on_wild": False,
}
BOTS_ONLY = [{"bot": "greedy"}, {"bot": "uniform", "name": "Uma"}]


def test_whoever_creates_a_game_is_told_where_it_is_and_holds_the_tokens_of_its_human_seats(api: Api):
    answer = api.post("/v1/games", {"rules": "gato-e-rato", "seats": [{"name": "Ada"}, {"bot": "greedy"}]})
    created = answer.json()
    assert answer.status_code == 201
    assert answer.headers["location"] == f"/v1/games/{created['game']}"
    assert created["version"] == 1
    (seat,) = created["seats"]
    assert (seat["seat"], seat["name"]) == (0, "Ada")
    assert re.fullmatch(rf"{created['game']}\.0\.[0-9a-f]{{64}}", seat["token"])
    assert api.woken == [created["game"]]


def test_a_bot_without_a_name_bears_the_bots(api: Api):
    assert [seat["name"] for seat in api.game(seats=BOTS_ONLY).view()["seats"]] == ["greedy", "Uma"]


@pytest.mark.parametrize(
    ("rules", "seats"),
    [
        ("spite-and-malice", 2),
        ({"preset": "gatto-e-topo", "seats": 3}, 3),
        ({"preset": "gatto-e-topo", "seats": 4, "teams": True}, 4),
        ({"preset": "gato-e-rato", "payoff": 7}, 2),
        (OWN_RULES, 2),
    ],
)
def test_rules_are_a_name_or_a_preset_with_changes_or_every_knob(api: Api, rules: Any, seats: int):
    table = api.game(rules, [{"name": f"P{seat}"} for seat in range(seats)])
    told = table.view()["rules"]
    assert told["seats"] == seats
    assert not isinstance(rules, dict) or {name: told.get(name) for name in rules if name != "preset"} == {
        name: value for name, value in rules.items() if name != "preset"
    }


@pytest.mark.parametrize(
    ("rules", "seats", "words"),
    [
        ("poker", PEOPLE, "'poker'"),
        ({"preset": "gato-e-rato", "payoff": 21}, PEOPLE, "21"),
        ({"payoff": 20}, PEOPLE, "seats is missing"),
        ("gatto-e-topo", [*PEOPLE, {"name": "Cleo"}], '{"preset": "gatto-e-topo", "seats": 3}'),
        ("gato-e-rato", [*PEOPLE, {"name": "Cleo"}], '{"preset": "gatto-e-topo", "seats": 3}'),
        ("gato-e-rato", [], "0 seats under rules for 2"),
        ("gato-e-rato", [{"name": "Ada"}, {"bot": "deepblue"}], "no bot 'deepblue'; there are greedy, uniform"),
    ],
)
def test_rules_or_seats_that_cannot_be_are_refused_with_the_values(api: Api, rules: Any, seats: Any, words: str):
    told = problem(api.post("/v1/games", {"rules": rules, "seats": seats}), 422, "bad_rules")
    assert words in told["detail"]


@pytest.mark.parametrize(
    ("seat", "words"),
    [
        ({}, "Seat 1 needs a name"),
        ({"name": ""}, "0 characters"),
        ({"name": "  "}, "not all blank"),
        ({"name": "x" * 41}, "41 characters"),
        ({"name": "a\u0007b"}, "control character"),
        ({"name": "Ben", "entropy": "a\nb"}, "control character"),
        ({"name": "Ben", "entropy": "e" * 129}, "129"),
        ({"bot": "greedy", "entropy": "mine"}, "adds no entropy"),
        ({"open": True, "name": "Ben"}, "goes without name"),
        ({"name": 7}, "`$.seats[1].name`"),
        ({"name": "Ben", "colour": "red"}, "unknown field `colour`"),
    ],
)
def test_a_seat_out_of_form_is_malformed(api: Api, seat: Any, words: str):
    told = problem(api.post("/v1/games", {"rules": "gato-e-rato", "seats": [{"name": "Ada"}, seat]}), 400, "malformed")
    assert words in told["detail"]


def test_a_name_may_be_any_forty_characters(api: Api):
    api.game(seats=[{"name": "Zoë 🃏" + "é" * 34}, {"name": "李"}])


def test_a_seed_makes_a_game_of_bots_reproducible(api: Api):
    first, second = (api.game(seats=BOTS_ONLY, seed="ab" * 64) for _ in range(2))
    assert first.game != second.game
    assert first.view()["commitment"] == second.view()["commitment"] == commitment(bytes.fromhex("ab" * 64))
    assert first.view()["seats"] == second.view()["seats"]


def test_a_seed_where_a_person_plays_is_for_the_admin_key(api: Api):
    body = {"rules": "gato-e-rato", "seats": PEOPLE, "seed": "00" * 64}
    problem(api.post("/v1/games", body), 403, "forbidden")
    assert api.post("/v1/games", body, ADMIN).status_code == 201
    problem(api.post("/v1/games", body | {"seed": "00"}), 400, "malformed")


def test_a_game_may_start_from_a_position(api: Api):
    view = api.marked().view(0)
    assert (view["start"], view["turn"], view["hand"]) == ("position", {"seat": 0, "number": 5}, ["Tc", "Ac", "9c"])


def test_a_position_that_cannot_be_is_refused_and_one_out_of_form_malformed(api: Api):
    body = {"rules": "gato-e-rato", "seats": PEOPLE}
    problem(api.post("/v1/games", body | {"position": MARKED | {"seat": 2}}), 422, "bad_position")
    problem(api.post("/v1/games", body | {"position": MARKED | {"seat": True}}), 400, "malformed")
    problem(api.post("/v1/games", body | {"position": MARKED | {"stock": ["Xx"]}}), 400, "malformed")
    problem(api.post("/v1/games", body | {"position": MARKED | {"extra": 1}}), 400, "malformed")
    seats = [{"name": "Ada"}, {"open": True}]
    problem(api.post("/v1/games", body | {"seats": seats, "position": MARKED}), 422, "bad_position")


def test_a_creation_repeated_with_its_key_gives_the_same_game_and_the_same_tokens(api: Api):
    body = {"rules": "gato-e-rato", "seats": PEOPLE}
    key = {"Idempotency-Key": "k-1"}
    first = api.post("/v1/games", body, key)
    table_seat, move = (table := api.game()).any_move()
    table.play(table_seat, move)
    again = api.post("/v1/games", dict(reversed(body.items())), key)
    assert (again.status_code, again.json()) == (201, first.json())
    assert again.headers["location"] == first.headers["location"]
    assert again.headers["idempotent-replayed"] == "true"
    assert "idempotent-replayed" not in first.headers
    assert api.woken.count(first.json()["game"]) == 1


def test_a_creation_is_found_again_though_the_game_has_gone_on_since(api: Api):
    body = {"rules": "gato-e-rato", "seats": PEOPLE}
    key = {"Idempotency-Key": "k-1"}
    first = api.post("/v1/games", body, key).json()
    token = {"Authorization": f"Bearer {first['seats'][0]['token']}"}
    assert api.post(f"/v1/games/{first['game']}/resign", {}, token).status_code == 200
    assert api.post("/v1/games", body, key).json() == first


def test_a_key_used_for_another_creation_is_refused(api: Api):
    body = {"rules": "gato-e-rato", "seats": PEOPLE}
    key = {"Idempotency-Key": "k-1"}
    api.post("/v1/games", body, key)
    problem(api.post("/v1/games", body | {"rules": "gatto-e-topo"}, key), 422, "key_reused")
    problem(api.post("/v1/games", body | {"rules": "poker"}, key), 422, "key_reused")


def test_a_refused_creation_does_not_use_up_its_key(api: Api):
    key = {"Idempotency-Key": "k-1"}
    problem(api.post("/v1/games", {"rules": "poker", "seats": PEOPLE}, key), 422, "bad_rules")
    assert api.post("/v1/games", {"rules": "gato-e-rato", "seats": PEOPLE}, key).status_code == 201


def test_the_same_key_of_another_caller_is_another_key(api: Api):
    body = {"rules": "gato-e-rato", "seats": PEOPLE}
    key = {"Idempotency-Key": "k-1"}
    assert api.post("/v1/games", body, key).json()["game"] != api.post("/v1/games", body, key | ADMIN).json()["game"]
