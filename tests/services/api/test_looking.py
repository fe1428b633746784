"""What each caller sees of a game: its own hand and no other, at every version; everything only when it has ended."""

import pytest

from tests.services.api.table import ADMIN, HIDDEN, MARKED, Api, Table, problem


def test_a_seat_sees_its_hand_and_its_moves_and_a_spectator_neither(api: Api):
    table = api.marked()
    mine, theirs, spectator = table.view(0), table.view(1), table.view()
    assert (mine["seat"], mine["hand"], len(mine["legal"])) == (0, ["Tc", "Ac", "9c"], 14)
    assert (theirs["seat"], theirs["hand"], theirs["legal"]) == (1, ["Td", "Th"], [])
    assert (spectator["seat"], spectator["hand"], spectator["legal"]) == (None, [], [])
    assert [seat["hand"] for seat in spectator["seats"]] == [3, 2]
    assert spectator["game"] == table.game


def test_no_answer_of_a_running_game_shows_a_card_that_its_caller_may_not_know(api: Api):
    """Every hidden card of this position is a ten or a jack; seat 0 knows one ten of its own."""
    table = api.marked()
    bodies: dict[int | None, list[str]] = {None: [], 0: [], 1: []}

    def look_around(version: int) -> None:
        for seat, seen in bodies.items():
            paths = ("", f"?at={version}", "/events", f"/events?after={version - 1}")
            seen += [api.get(table.path + path, table.headers(seat)).text for path in paths]
            lines = table.headers(seat, Accept="application/x-ndjson")
            seen.append(api.get(f"{table.path}/events", lines).text)

    look_around(1)
    bodies[0] += [table.play(0, move).text for move in ("p>c0", "Ac>c1", "9c>s3", "Tc>s0")]
    bodies[1].append(table.play(1, "7h>c0").text)
    bodies[None] += [table.play(None, "pass").text, api.post(f"{table.path}/seats", {"name": "Eve"}).text]
    look_around(3)
    assert len(bodies[None]) == 12
    for body in bodies[None]:
        assert not HIDDEN.findall(body), body
    for body in bodies[0]:
        assert set(HIDDEN.findall(body)) <= {"Tc"}, body
    for body in bodies[1]:
        assert set(HIDDEN.findall(body)) <= {"Td", "Th", "Ts"}, body
    problem(api.get(f"{table.path}/log"), 403, "forbidden")
    problem(api.get(f"{table.path}?as=all"), 403, "forbidden")


def test_no_hash_and_no_key_of_a_running_game_leaves_the_service(api: Api):
    table = api.marked()
    table.play(0, "9c>s3", Idempotency_Key="secret-key")
    for seat in (None, 0, 1):
        text = api.get(f"{table.path}/events", table.headers(seat)).text
        assert "hash" not in text
        assert "secret-key" not in text
        assert set(api.get(f"{table.path}/events").json()["commits"][0]) == {"version", "at", "by", "events"}


def test_an_earlier_version_is_seen_as_that_caller_saw_it_then(api: Api):
    table = api.marked()
    before = table.view(0)
    after = table.play(0, "9c>s3").json()["view"]
    assert table.view(0, "?at=1") == before
    assert table.view(0, "?at=2") == after
    assert table.view(1, "?at=1")["hand"] == ["Td", "Th"]


@pytest.mark.parametrize("at", ["0", "-1", "1.5", "NaN", "", "+1", "01", "9" * 30, "null"])
def test_a_version_out_of_form_is_malformed(api: Api, at: str):
    problem(api.http.get(api.marked().path, params={"at": at}), 400, "malformed")


def test_a_version_beyond_the_last_is_unknown(api: Api):
    table = api.marked()
    assert "the last one is 1" in problem(api.get(f"{table.path}?at=2"), 404, "unknown_version")["detail"]
    problem(api.get(f"{table.path}?at={10**17}"), 404, "unknown_version")


def test_a_query_that_the_route_does_not_know_or_given_twice_is_malformed(api: Api):
    table = api.marked()
    assert "'att'" in problem(api.get(f"{table.path}?att=1"), 400, "malformed")["detail"]
    problem(api.get(f"{table.path}?at=1&at=1"), 400, "malformed")


@pytest.mark.parametrize("game", ["00nothere", "x", "0" * 300, "%00", "..%2e", "{s00}:due"])
def test_a_game_that_is_not_there_is_unknown(api: Api, game: str):
    problem(api.get(f"/v1/games/{game}"), 404, "unknown_game")


@pytest.fixture
def ended(api: Api) -> Table:
    table = api.marked()
    table.play(0, "9c>s3")
    table.resign(1)
    return table


def test_an_ended_game_can_be_looked_at_as_any_seat(ended: Table):
    seen = ended.view(None, "?as=1&at=1")
    assert (seen["seat"], seen["hand"]) == (1, ["Td", "Th"])
    assert ended.view(0, "?as=1")["hand"] == ended.view(1)["hand"]


def test_an_ended_game_can_be_looked_at_with_all_cards(ended: Table):
    seen = ended.view(None, "?as=all&at=1")
    cards = seen.pop("cards")
    assert seen == ended.view(None, "?at=1")
    assert cards == {name: MARKED[name] for name in ("payoffs", "hands", "stock", "aside")}


@pytest.mark.parametrize("eyes", ["2", "-1", "ALL", "", "spectator", "0,1"])
def test_eyes_that_the_game_does_not_have_are_malformed(ended: Table, eyes: str):
    problem(ended.api.http.get(ended.path, params={"as": eyes}), 400, "malformed")


def test_nobody_sees_with_other_eyes_while_the_game_runs(api: Api):
    table = api.marked()
    for eyes in ("0", "1", "all"):
        for headers in ({}, table.tokens[0], ADMIN):
            problem(api.get(f"{table.path}?as={eyes}", headers), 403, "forbidden")
            problem(api.get(f"{table.path}/events?as={eyes}", headers), 403, "forbidden")


def test_the_version_is_the_etag_and_asking_again_for_it_costs_no_body(api: Api):
    table = api.marked()
    answer = api.get(table.path)
    assert answer.headers["etag"] == '"1"'
    assert "Authorization" in answer.headers["vary"]
    assert answer.headers["cache-control"] == "no-store"
    for known in ('"1"', 'W/"1"', '"0", "1"', "*"):
        again = api.get(table.path, {"If-None-Match": known})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", '"1"')
        assert "Authorization" in again.headers["vary"]
    for unknown in ('"2"', '"11"', "1", "garbled"):
        assert api.get(table.path, {"If-None-Match": unknown}).status_code == 200
    table.play(0, "9c>s3")
    assert api.get(table.path, {"If-None-Match": '"1"'}).headers["etag"] == '"2"'
