"""Acting at a table: what an answer holds, what is judged first, and that a repeat changes nothing."""

import pytest

from events.game.rules import Rules
from tests.services.api.table import ADMIN, Api, Table, problem


def test_a_move_is_answered_with_what_it_caused_and_the_table_after_it(api: Api):
    table = api.marked()
    answer = table.play(0, "9c>s3")
    told = answer.json()
    assert (answer.status_code, told["version"], answer.headers["etag"]) == (200, 2, '"2"')
    assert [event["type"] for event in told["events"]] == ["CardDiscarded", "TurnStarted", "CardsDrawn"]
    assert told["events"][2] == {"type": "CardsDrawn", "seat": 1, "count": 3}
    assert told["view"] == table.view(0)
    assert api.woken == [table.game], "a person is to move: the sweep is soon enough"


def test_resigning_answers_as_a_move_does_and_ends_a_game_of_two(api: Api):
    table = api.marked()
    told = table.resign(1).json()
    assert [event["type"] for event in told["events"]] == ["SeatResigned", "GameEnded"]
    assert told["view"]["result"]["winners"] == [0]
    assert told["view"]["seat"] == 1


def test_an_illegal_move_is_told_why_and_what_is_legal_instead(api: Api):
    table = api.marked()
    told = problem(table.play(0, "9c>c0"), 422, "illegal_move")
    assert (told["reason"], told["detail"]) == ("does_not_fit", "9c does not fit: centre pile 0 needs 3 (R8).")
    assert told["legal"] == table.view(0)["legal"]
    assert problem(table.play(0, "Ac>c9"), 422, "illegal_move")["reason"] == "no_such_place"
    assert table.version() == 1
    assert api.woken == [table.game]


def test_a_version_seen_that_is_not_the_version_is_a_conflict(api: Api):
    table = api.marked()
    told = problem(table.play(0, "9c>s3", If_Match='"7"'), 412, "version_conflict")
    assert told["version"] == 1
    assert table.play(0, "Ac>c1", If_Match='"1"').status_code == 200
    assert problem(table.resign(0, If_Match='"1"'), 412, "version_conflict")["version"] == 2
    assert table.resign(0, If_Match='"2"').status_code == 200


@pytest.mark.parametrize("text", ["17", '"x"', 'W/"1"', "*", '"1", "2"', '""', '"01"', '"-1"', '"' + "9" * 30 + '"'])
def test_if_match_out_of_form_is_malformed(api: Api, text: str):
    table = api.marked()
    assert "If-Match" in problem(table.play(0, "9c>s3", If_Match=text), 400, "malformed")["detail"]


@pytest.mark.parametrize("key", ["", "with blank", "k" * 201, "\u00e9"])
def test_an_idempotency_key_out_of_form_is_malformed(api: Api, key: str):
    table = api.marked()
    headers = [(b"idempotency-key", key.encode()), (b"authorization", table.tokens[0]["Authorization"].encode())]
    answer = api.http.post(f"{table.path}/moves", json={"move": "9c>s3"}, headers=headers)
    assert "Idempotency-Key" in problem(answer, 400, "malformed")["detail"]


def test_a_move_repeated_with_its_key_gets_its_first_answer_whatever_has_happened_since(api: Api):
    table = api.marked()
    first = table.play(0, "9c>s3", Idempotency_Key="k")
    assert "idempotent-replayed" not in first.headers
    assert table.play(1, table.view(1)["legal"][-1]).status_code == 200
    assert table.resign(1).status_code == 200
    again = table.play(0, "9c>s3", Idempotency_Key="k", If_Match='"1"')
    assert (again.status_code, again.json()) == (200, first.json())
    assert again.headers["idempotent-replayed"] == "true"
    assert table.version() == 4
    assert len(api.woken) == 2, "by the creation and the end"


def test_a_resignation_repeated_with_its_key_gets_its_first_answer(api: Api):
    table = api.marked()
    first = table.resign(0, Idempotency_Key="k")
    assert table.resign(0, Idempotency_Key="k").json() == first.json()
    problem(table.resign(0), 409, "game_over")


def test_a_key_used_for_another_request_is_refused(api: Api):
    table = api.marked()
    table.play(0, "Ac>c1", Idempotency_Key="k")
    problem(table.play(0, "9c>s3", Idempotency_Key="k"), 422, "key_reused")
    problem(table.resign(0, Idempotency_Key="k"), 422, "key_reused")


def test_the_same_key_of_another_seat_is_another_key(api: Api):
    table = api.marked()
    table.play(0, "9c>s3", Idempotency_Key="k")
    assert table.resign(1, Idempotency_Key="k").json()["version"] == 3


def test_a_refused_move_does_not_use_up_its_key(api: Api):
    table = api.marked()
    problem(table.play(0, "9c>c0", Idempotency_Key="k"), 422, "illegal_move")
    assert table.play(0, "9c>s3", Idempotency_Key="k").status_code == 200


def test_requests_are_judged_in_the_order_of_the_contract(api: Api):
    table, other = api.marked(), api.marked()
    table.play(0, "9c>s3", Idempotency_Key="used")
    nobody = {"Authorization": "Bearer nobody"}
    foreign = other.tokens[1]
    forms = {"If-Match": "garbled"}
    path, nowhere = f"{table.path}/moves", "/v1/games/00nothere/moves"
    problem(api.post(nowhere, {"mve": 1}, nobody), 400, "malformed")
    problem(api.post(nowhere, {"move": "x"}, nobody | forms), 404, "unknown_game")
    problem(api.post(nowhere, {"move": "x"}, foreign | forms), 404, "unknown_game")
    problem(api.post(path, {"move": "x"}, nobody | forms), 401, "bad_token")
    problem(api.post(path, {"move": "x"}, foreign | forms), 403, "forbidden")
    assert "'x'" in problem(table.play(1, "x"), 400, "malformed")["detail"]
    late = '"1"'
    problem(table.play(0, "Ac>c1", If_Match="garbled", Idempotency_Key="used"), 400, "malformed")
    problem(table.play(0, "Ac>c1", If_Match=late, Idempotency_Key="used"), 422, "key_reused")
    problem(table.play(0, "9c>c0", If_Match=late), 412, "version_conflict")
    problem(table.play(0, "9c>c0"), 409, "not_your_turn")
    problem(table.play(1, "9c>c0"), 422, "illegal_move")
    table.resign(1)
    problem(table.play(0, "9c>c0", If_Match=late), 412, "version_conflict")
    problem(table.play(0, "9c>c0"), 409, "game_over")


def test_spectators_and_the_admin_key_move_no_seat(api: Api):
    table = api.marked()
    problem(table.play(None, "9c>s3"), 403, "forbidden")
    problem(table.resign(None), 403, "forbidden")
    problem(api.post(f"{table.path}/moves", {"move": "9c>s3"}, ADMIN), 403, "forbidden")


def test_a_seat_that_has_left_a_game_of_three_is_told_so(api: Api):
    table: Table = api.game({"preset": "gatto-e-topo", "seats": 3}, [{"name": name} for name in "ABC"])
    assert table.resign(2).status_code == 200
    assert problem(table.resign(2), 422, "illegal_move")["reason"] == "resigned"


def test_a_whole_game_can_be_played(api: Api):
    table = api.game({"preset": "gato-e-rato", "payoff": 5})
    assert set(table.view()["rules"]) == set(Rules.__struct_fields__)
    while (view := table.view())["status"] == "playing":
        seat = view["turn"]["seat"]
        assert table.play(seat, table.view(seat)["legal"][0], If_Match=f'"{view["version"]}"').status_code == 200
    assert view["result"]["result"] in ("won", "drawn")
    assert api.get(f"{table.path}/verification").json()["ok"] is True
