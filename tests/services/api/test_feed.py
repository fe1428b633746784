"""What happens in a game is told in one sequence: as pages, as a long poll, as a stream; resumable, and never twice."""

import asyncio
import json
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any, Final

import httpx2
import pytest

from events.log.store import utc_now
from services.api import feed, watching
from tests.live import eventually
from tests.services.api.serving import serving
from tests.services.api.table import ADMIN, Api, Table, problem

STREAM: Final = {"Accept": "text/event-stream"}
LINES: Final = {"Accept": "application/x-ndjson"}


def messages(text: str) -> list[tuple[str, str, Any]]:
    """The messages of a stream: type, id and data; its comments and its retry are left out."""
    found: list[tuple[str, str, Any]] = []
    for block in text.split("\n\n"):
        fields: dict[str, str] = {}
        for line in block.splitlines():
            name, _, value = line.partition(": ")
            fields[name] = value
        if "data" in fields:
            found.append((fields["event"], fields.get("id", ""), json.loads(fields["data"])))
    return found


def played(api: Api, moves: int) -> Table:
    """A game some moves old."""
    table = api.game()
    for _ in range(moves):
        seat, move = table.any_move()
        assert table.play(seat, move).status_code == 200
    return table


@contextmanager
def meanwhile(api: Api, then: Callable[[], object]) -> Generator[None]:
    """Does `then` in another thread, once somebody watches."""

    def wait_and_do() -> None:
        eventually(lambda: "malice_feed_watchers 1.0" in api.get("/metrics").text)
        then()

    thread = threading.Thread(target=wait_and_do)
    thread.start()
    yield
    thread.join(10)
    assert not thread.is_alive()


@pytest.mark.parametrize("seat", [0, 1, None])
def test_pages_lines_and_stream_tell_the_same_to_the_same_seat(api: Api, seat: int | None):
    table = played(api, 6)
    table.resign(0)
    path, headers = f"{table.path}/events", table.headers(seat)
    page = api.get(path, headers).json()["commits"]
    lines = [json.loads(line) for line in api.get(path, headers | LINES).text.splitlines()]
    streamed = api.get(path, headers | STREAM)
    assert streamed.headers["content-type"].startswith("text/event-stream")
    assert streamed.text.startswith("retry: 1000\n\n")
    told = messages(streamed.text)
    assert [kind for kind, _, _ in told] == ["commit"] * 8
    assert [name for _, name, _ in told] == [str(version) for version in range(1, 9)]
    assert page == lines == [data for _, _, data in told]


def test_a_stream_goes_on_beyond_the_last_id_which_stands_above_after(api: Api):
    table = played(api, 4)
    table.resign(1)
    for headers, query in (({"Last-Event-ID": "3"}, "?after=5"), ({}, "?after=3"), ({"Last-Event-ID": "3"}, "")):
        told = messages(api.get(f"{table.path}/events{query}", STREAM | headers).text)
        assert [version for _, version, _ in told] == ["4", "5", "6"]


def test_who_has_the_whole_of_an_ended_game_is_told_not_to_come_back(api: Api):
    table = api.game()
    table.resign(0)
    answer = api.get(f"{table.path}/events", STREAM | {"Last-Event-ID": "2"})
    assert (answer.status_code, answer.content) == (204, b"")
    assert api.get(f"{table.path}/events?after=2").json() == {"commits": []}


def test_limit_and_wait_end_a_stream_early(api: Api):
    table = played(api, 4)
    assert [name for _, name, _ in messages(api.get(f"{table.path}/events?limit=2", STREAM).text)] == ["1", "2"]
    assert len(messages(api.get(f"{table.path}/events?wait=1", STREAM).text)) == 5


@pytest.mark.parametrize("text", ["x", "-1", "1.5", "01", "٣", " ", "9" * 19])
def test_a_last_event_id_that_is_no_version_is_malformed(api: Api, text: str):
    table = api.game()
    headers = STREAM | {"Last-Event-ID": text}
    told = problem(
        api.http.get(f"{table.path}/events", headers=httpx2.Headers(list(headers.items()), encoding="utf-8")),
        400,
        "malformed",
    )
    assert "Last-Event-ID" in told["detail"]


def test_a_stream_from_beyond_the_log_is_refused_as_a_page_is(api: Api):
    table = api.game()
    for headers in ({}, LINES, STREAM):
        problem(api.get(f"{table.path}/events?after=2", headers), 404, "unknown_version")
    for wait in ("61", "-1", "x"):
        problem(api.get(f"{table.path}/events?wait={wait}", STREAM), 400, "malformed")


@pytest.mark.parametrize("form", [{}, LINES])
def test_a_long_poll_is_answered_with_the_first_commit_that_comes(api: Api, form: dict[str, str]):
    table = api.game()
    seat, move = table.any_move()
    with meanwhile(api, lambda: table.play(seat, move)):
        answer = api.get(f"{table.path}/events?after=1&wait=30", table.headers(0) | form)
    commits = [json.loads(answer.text)] if form else answer.json()["commits"]
    assert [commit["version"] for commit in commits] == [2]
    assert commits == api.get(f"{table.path}/events?after=1", table.headers(0)).json()["commits"]


def test_a_long_poll_without_news_is_an_empty_page_and_one_with_news_does_not_wait(api: Api):
    table = api.game()
    assert api.get(f"{table.path}/events?after=1&wait=1").json() == {"commits": []}
    assert len(api.get(f"{table.path}/events?wait=60").json()["commits"]) == 1
    table.resign(0)
    assert api.get(f"{table.path}/events?after=2&wait=60").json() == {"commits": []}


def test_a_stream_is_told_what_comes_and_ends_with_the_game(api: Api):
    table = played(api, 2)

    def play_on() -> None:
        seat, move = table.any_move()
        table.play(seat, move)
        table.resign(0)

    with meanwhile(api, play_on):
        told = messages(api.get(f"{table.path}/events?after=1", table.headers(1) | STREAM).text)
    assert [data for _, _, data in told] == api.get(f"{table.path}/events?after=1", table.headers(1)).json()["commits"]
    assert told[-1][2]["events"][-1]["type"] == "GameEnded"


def test_a_stream_over_a_socket_is_kept_alive_and_left(api: Api, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(watching, "KEEP_ALIVE_SECONDS", 0.05)
    table = api.game()
    with (
        serving(api.app) as url,
        httpx2.Client(trust_env=False) as http,
        http.stream("GET", f"{url}{table.path}/events", headers=STREAM | {"Host": "localhost"}) as answer,
    ):
        lines = answer.iter_lines()
        assert next(line for line in lines if line.startswith(":")) == ": keep-alive"
        answer.close()
        eventually(lambda: "malice_feed_watchers 0.0" in http.get(f"{url}/metrics").text)


def test_who_takes_nothing_is_cut_off_and_can_resume(api: Api, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(feed, "SLOW_SECONDS", 0.05)
    table = played(api, 3)
    taken: list[bytes] = []

    async def receive() -> dict[str, Any]:
        await asyncio.sleep(3600)  # nothing comes, and nobody leaves
        return {}

    async def send(message: Any) -> None:
        if len(taken) == 3:
            await asyncio.Event().wait()
        taken.append(message.get("body", b""))

    headers = [(b"host", b"localhost"), (b"accept", b"text/event-stream")]
    scope = {"type": "http", "method": "GET", "path": f"{table.path}/events", "query_string": b"", "headers": headers}
    asyncio.run(api.app(scope, receive, send))
    assert [name for _, name, _ in messages(b"".join(taken).decode())] == ["1"]
    assert "malice_feed_readers_cut_total 1.0" in api.get("/metrics").text
    assert "malice_feed_watchers 0.0" in api.get("/metrics").text
    table.resign(0)
    rest = api.get(f"{table.path}/events", STREAM | {"Last-Event-ID": "1"})
    assert [name for _, name, _ in messages(rest.text)] == ["2", "3", "4", "5"]


def test_where_too_many_watch_one_more_is_unavailable(api: Api, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(watching, "MOST_WATCHERS", 0)
    table = api.game()
    told = api.get(f"{table.path}/events", STREAM)
    assert problem(told, 503, "unavailable")["detail"].startswith("0 watch here already")
    assert told.headers["retry-after"] == "1"


def test_asking_for_the_head_of_a_stream_does_not_watch(api: Api):
    table = api.game()
    answer = api.http.head(f"{table.path}/events", headers=STREAM)
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["content-type"].startswith("text/event-stream")


def test_a_damaged_log_ends_a_stream_with_a_problem_and_a_line_in_the_log(api: Api, said: Callable[[], list[str]]):
    table = played(api, 3)
    key = f"{{s{table.game[:2]}}}:game:{table.game}"
    told = api.store.client.xrange(key)
    api.store.client.xdel(key, told[2][0])
    text = api.get(f"{table.path}/events", STREAM).text
    kind, _, data = messages(text)[-1]
    assert (kind, data["code"]) == ("problem", "damaged_log")
    (line,) = said()
    assert "event=not_served" in line
    assert f"game={table.game} code=damaged_log" in line


def test_a_spectator_of_a_running_game_is_told_late_and_all_at_once_when_it_ends():
    """The store's clock ticks 137 ms at every look; a move of the tests takes some looks."""
    api = Api(spectator_delay=3)
    table = played(api, 8)
    late = table.view()["version"]
    assert 1 <= late < 9 == table.view(0)["version"]
    assert table.view()["hand"] == []
    assert api.get(table.path, ADMIN).json()["version"] == 9
    problem(api.get(f"{table.path}?at=9"), 404, "unknown_version")
    assert len(api.get(f"{table.path}/events", table.headers(1)).json()["commits"]) == 9
    told = api.get(f"{table.path}/events").json()["commits"]
    assert late <= len(told) < 9
    line = api.get("/v1/games").json()["games"][0]
    assert line["version"] < 9
    with meanwhile(api, lambda: table.resign(0)):
        streamed = messages(api.get(f"{table.path}/events", STREAM).text)
    assert len(streamed) == 10
    assert table.view()["version"] == 10


def test_a_late_long_poll_waits_for_what_is_old_enough():
    api = Api(spectator_delay=1)
    api.store.now = utc_now
    table = played(api, 1)
    told = api.get(f"{table.path}/events?after=1&wait=30").json()["commits"]
    assert [commit["version"] for commit in told] == [2]
