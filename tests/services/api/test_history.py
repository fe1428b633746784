"""Events by version, the log file and its verification: for whom, in which form."""

import json

import pytest

from events.log.keys import stream_key
from events.log.verify import verify
from tests.services.api.table import ADMIN, Api, Table, problem


@pytest.fixture
def table(api: Api) -> Table:
    made = api.marked()
    made.play(0, "Ac>c1")
    made.play(0, "9c>s3")
    return made


def versions(table: Table, query: str = "", **headers: str) -> list[int]:
    answer = table.api.get(f"{table.path}/events{query}", headers)
    assert answer.status_code == 200, answer.text
    return [commit["version"] for commit in answer.json()["commits"]]


def test_events_come_by_commit_oldest_first_and_a_seat_sees_its_own_draws(table: Table):
    commits = table.api.get(f"{table.path}/events", table.tokens[1]).json()["commits"]
    assert [commit["by"] for commit in commits] == ["system", "seat:0", "seat:0"]
    assert commits[2]["events"][-1] == {"type": "CardsDrawn", "seat": 1, "cards": ["Ts", "Th", "Td"]}
    deal = commits[0]["events"][1]
    assert deal["hands"] == [{"count": 3}, ["Td", "Th"]]
    assert deal["payoffs"] == [{"top": "5s", "left": 3}, {"top": "8s", "left": 3}]
    assert (deal["stock"], deal["aside"]) == ({"count": 9}, {"count": 0})


def test_events_can_be_asked_for_in_part(table: Table):
    assert versions(table) == [1, 2, 3]
    assert versions(table, "?after=1") == [2, 3]
    assert versions(table, "?after=0&limit=2") == [1, 2]
    assert versions(table, "?after=3") == []


@pytest.mark.parametrize("query", ["after=-1", "after=x", "limit=0", "limit=1001", "limit=", "since=1"])
def test_a_range_out_of_form_is_malformed(table: Table, query: str):
    problem(table.api.get(f"{table.path}/events?{query}"), 400, "malformed")


def test_events_after_a_version_that_is_not_there_yet_are_unknown(table: Table):
    problem(table.api.get(f"{table.path}/events?after=4"), 404, "unknown_version")
    problem(table.api.get(f"{table.path}/events?after={10**17}"), 404, "unknown_version")


@pytest.mark.parametrize(
    ("accept", "media"),
    [
        ("*/*", "application/json"),
        ("application/json", "application/json"),
        ("image/png", "application/json"),
        ("application/x-ndjson", "application/x-ndjson"),
        ("application/json;q=0.5, application/x-ndjson", "application/x-ndjson"),
        ("application/x-ndjson;q=0.1, */*", "application/json"),
        ("application/x-ndjson;q=high", "application/json"),
    ],
)
def test_accept_chooses_between_one_document_and_a_commit_a_line(table: Table, accept: str, media: str):
    answer = table.api.get(f"{table.path}/events", {"Accept": accept})
    assert answer.headers["content-type"] == media
    if media == "application/x-ndjson":
        lines = [json.loads(line) for line in answer.text.splitlines()]
        assert lines == table.api.get(f"{table.path}/events").json()["commits"]


def test_an_ended_game_shows_its_events_with_any_eyes(table: Table):
    table.resign(0)
    events = [commit["events"] for commit in table.api.get(f"{table.path}/events?as=all").json()["commits"]]
    assert events[0][1]["hands"] == [["Tc", "Ac", "9c"], ["Td", "Th"]]
    mine = table.api.get(f"{table.path}/events?as=1").json()
    assert mine == table.api.get(f"{table.path}/events", table.tokens[1]).json()


def test_the_log_of_a_running_game_is_for_the_admin_key_alone(table: Table):
    for headers in ({}, table.tokens[0]):
        problem(table.api.get(f"{table.path}/log", headers), 403, "forbidden")
        problem(table.api.get(f"{table.path}/verification", headers), 403, "forbidden")
    assert verify(table.api.get(f"{table.path}/log", ADMIN).content).ok
    assert table.api.get(f"{table.path}/verification", ADMIN).json() == {
        "ok": True,
        "game": table.game,
        "versions": 3,
        "complete": False,
        "shuffles": False,
        "joined": [],
        "version": None,
        "why": None,
    }


def test_the_log_of_an_ended_game_is_a_file_for_anybody_that_verifies(table: Table):
    table.resign(0)
    answer = table.api.get(f"{table.path}/log")
    assert answer.headers["content-type"] == "application/x-ndjson"
    assert answer.headers["content-disposition"] == f'attachment; filename="{table.game}.ndjson"'
    assert json.loads(answer.text.splitlines()[0]) == {
        "format": "malice-log/1",
        "game": table.game,
        "complete": True,
    }
    verdict = table.api.get(f"{table.path}/verification").json()
    assert (verdict["ok"], verdict["versions"], verdict["complete"]) == (True, 4, True)


def test_a_log_that_is_damaged_in_the_store_gets_the_verdict_that_it_is(table: Table):
    table.resign(0)
    client, stream = table.api.store.client, stream_key(table.game)
    ((_, fields),) = client.xrange(stream, "2-0", "2-0")
    for entry, kept in client.xrange(stream):
        client.xdel(stream, entry)
        assert kept
    client.delete(stream)
    client.xadd(stream, fields | {b"2": fields[b"2"][:-1] + bytes((fields[b"2"][-1] ^ 1,))}, "1-0")
    table.api.store.forget()
    verdict = table.api.get(f"{table.path}/verification", ADMIN).json()
    assert (verdict["ok"], verdict["version"]) == (False, 1)
    for path in (table.path, f"{table.path}/verification"):
        told = problem(table.api.get(path), 500, "damaged_log")
        assert "hash" not in told["detail"], "why may name a hidden card: it is for the admin key and the log"
