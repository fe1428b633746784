"""Open seats: who takes one is given its token, and with the last one the game is dealt."""

from typing import Any

import pytest

from tests.services.api.table import Api, Table, problem

OPEN = [{"name": "Ada"}, {"open": True}, {"open": True}]


@pytest.fixture
def table(api: Api) -> Table:
    return api.game({"preset": "gatto-e-topo", "seats": 3}, OPEN)


def sit(table: Table, name: Any, key: str | None = None, **more: Any):
    headers = {} if key is None else {"Idempotency-Key": key}
    return table.api.post(f"{table.path}/seats", {"name": name, **more}, headers)


def test_seats_are_taken_in_order_and_the_last_one_starts_the_game(api: Api, table: Table):
    assert table.view()["status"] == "open"
    assert set(table.tokens) == {0}
    first = sit(table, "Ben", entropy="one")
    assert (first.status_code, first.json()["seat"], first.json()["version"]) == (201, 1, 2)
    assert table.view()["status"] == "open"
    last = sit(table, "Cleo").json()
    assert (last["seat"], last["version"]) == (2, 3)
    view = api.get(table.path, {"Authorization": f"Bearer {last['token']}"}).json()
    assert (view["status"], view["seat"], len(view["hand"])) == ("playing", 2, 5)
    assert [seat["name"] for seat in view["seats"]] == ["Ada", "Ben", "Cleo"]
    assert api.woken == [table.game] * 3
    by = [commit["by"] for commit in api.get(f"{table.path}/events").json()["commits"]]
    assert by == ["system", "seat:1", "seat:2"]


def test_nobody_moves_or_resigns_before_the_last_seat_is_taken(table: Table):
    problem(table.play(0, "pass"), 409, "not_started")
    problem(table.resign(0), 409, "not_started")


def test_a_table_that_is_full_has_no_seat(table: Table):
    sit(table, "Ben")
    sit(table, "Cleo")
    problem(sit(table, "Dora"), 409, "seat_taken")


def test_sitting_repeated_with_its_key_takes_one_seat(table: Table):
    first = sit(table, "Ben", key="k")
    again = sit(table, "Ben", key="k")
    assert again.json() == first.json()
    assert again.headers["idempotent-replayed"] == "true"
    problem(sit(table, "Cleo", key="k"), 422, "key_reused")
    assert sit(table, "Cleo").json()["seat"] == 2
    assert sit(table, "Ben", key="k").json() == first.json()


def test_who_sits_down_needs_a_name_and_a_fit_entropy(table: Table):
    problem(sit(table, ""), 400, "malformed")
    problem(sit(table, None), 400, "malformed")
    problem(sit(table, "Ben", entropy="e" * 129), 400, "malformed")
    assert table.version() == 1


def test_an_early_version_shows_who_sat_there_later_no_cards(api: Api, table: Table):
    sit(table, "Ben")
    token = sit(table, "Cleo").json()["token"]
    early = api.get(f"{table.path}?at=1", {"Authorization": f"Bearer {token}"}).json()
    assert (early["status"], early["hand"], early["seats"][2]["name"]) == ("open", [], None)
