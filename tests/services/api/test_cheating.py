"""What a cheat tries on the wire: smuggled fields, paths that mean another, bodies that explode, keys of another seat.

Each is refused in a known form, or means what it says; nothing is told that is hidden and no game changes by it.
"""

import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import pytest

from services.api import heads
from tests.services.api.serving import serving
from tests.services.api.table import ADMIN, HIDDEN, MARKED, PEOPLE, Api, Table, problem

MOVE = b'{"move":"9c>s3"}'
LAST = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
TYPED = b"Content-Type: application/json\r\n"


class Wire:
    """A table, and bytes sent to its service as they are; `{path}`, `{token}` and `{host}` stand for its own."""

    def __init__(self, table: Table, url: str) -> None:
        self.table = table
        self.host = url.removeprefix("http://")
        self.token = table.tokens[0]["Authorization"].removeprefix("Bearer ")

    def send(self, sent: bytes, *more: bytes) -> tuple[list[int], bytes]:
        """The statuses of all answers that come, and all that came; a last request closes the connection."""
        name, _, port = self.host.partition(":")
        own = {b"{path}": self.table.path, b"{token}": self.token, b"{host}": self.host}
        for word, text in own.items():
            sent = sent.replace(word, text.encode())
        came = b""
        with socket.create_connection((name, int(port)), timeout=10) as connection, suppress(ConnectionError):
            for piece in (sent, *more, LAST):
                connection.sendall(piece)
            while piece := connection.recv(65536):
                came += piece
        answers = came.split(b"HTTP/1.1 ")[1:]
        if answers and answers[-1].endswith(b'{"status":"ok"}'):
            answers.pop()
        return [int(one[:3]) for one in answers], b"".join(answers)


@pytest.fixture
def wire(api: Api) -> Iterator[Wire]:
    """A running game of marked cards behind a real server."""
    table = api.marked()
    with serving(api.app) as url:
        yield Wire(table, url)


POST = b"POST {path}/moves HTTP/1.1\r\nHost: {host}\r\n" + TYPED
SIGNED = POST + b"Authorization: Bearer {token}\r\n"
CHUNKS = b"Transfer-Encoding: chunked\r\n\r\n10\r\n" + MOVE + b"\r\n0\r\n"
HIDING = b"0\r\n\r\nGET {path}/log HTTP/1.1\r\nHost: {host}\r\n\r\n"


@pytest.mark.parametrize(
    "sent",
    [
        SIGNED + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n" + HIDING,
        SIGNED + b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n" + HIDING,
        SIGNED + b"Transfer-Encoding: chunked, identity\r\n\r\n" + HIDING,
        SIGNED + b"Transfer-Encoding : chunked\r\n\r\n" + HIDING,
        SIGNED + b"Transfer-Encoding: xchunked\r\n\r\n" + MOVE,
        SIGNED + b"Content-Length: 5\r\nContent-Length: 16\r\n\r\n" + MOVE,
        SIGNED + b"Content-Length: +16\r\n\r\n" + MOVE,
        SIGNED + b"Content-Length: -1\r\n\r\n" + MOVE,
        SIGNED + b"Content-Length: 0x10\r\n\r\n" + MOVE,
        POST + b"Authorization: Bearer\r\n {token}\r\nContent-Length: 16\r\n\r\n" + MOVE,
        POST + b"Authorization: Bearer {token}\x00\r\nContent-Length: 16\r\n\r\n" + MOVE,
        SIGNED.replace(b"\r\n", b"\n") + b"Content-Length: 16\n\n" + MOVE,
    ],
)
def test_a_request_whose_end_could_be_taken_for_another_is_refused_and_nothing_is_done(wire: Wire, sent: bytes) -> None:
    """Length and encoding both, doubled, or misspelt; folded lines, NUL, bare line feeds."""
    statuses, came = wire.send(sent)
    assert statuses in ([], [400])
    assert not HIDDEN.search(came.decode("latin-1"))
    assert wire.table.version() == 1


@pytest.mark.parametrize(
    "field",
    [b"Authorization: Bearer {token}\r\n", b'If-Match: "99"\r\n', b"Idempotency-Key: behind\r\n", b"Host: evil\r\n"],
)
def test_a_field_behind_the_body_asks_for_nothing(wire: Wire, field: bytes) -> None:
    """RFC 9110, section 6.5.1: whatever stood before the service has not seen it."""
    signed = b"Authorization" not in field
    statuses, _ = wire.send((SIGNED if signed else POST) + CHUNKS + field + b"\r\n")
    assert statuses == [200 if signed else 403]
    assert wire.table.version() == 1 + signed
    if signed:
        (commit,) = wire.table.api.store.read(wire.table.game, after=1)
        assert commit.key is None


@pytest.mark.parametrize(
    "endless", [(b"X: " + b"a" * (heads.LIMIT * 40),), (b"X: 1\r\n" * heads.LIMIT,), (b"X: 1\r\n",) * 40_000]
)
def test_fields_behind_the_body_are_not_kept_without_bound(wire: Wire, endless: tuple[bytes, ...]) -> None:
    """The connection is closed, and other callers are served."""
    statuses, _ = wire.send(SIGNED + CHUNKS, *endless)
    assert statuses in ([], [400])
    assert wire.table.view()["status"] == "playing"


def test_a_body_in_the_smallest_chunks_is_none_of_those(wire: Wire) -> None:
    chunks = b"".join(b"1;why=not\r\n%c\r\n" % byte for byte in b" " * 9_000 + MOVE)
    assert wire.send(SIGNED + b"Transfer-Encoding: chunked\r\n\r\n" + chunks + b"0\r\n\r\n")[0] == [200]


@pytest.mark.parametrize("name", ["Host", "Origin"])
def test_a_host_or_origin_that_is_there_twice_is_refused_where_it_counts(wire: Wire, name: str) -> None:
    """The first is this machine's own, the second another's: nobody knows which a layer in between has judged."""
    own = {"Host": "{host}", "Origin": "http://{host}"}
    head = "".join(f"{field}: {value}\r\n" for field, value in own.items()) + f"{name}: https://evil.example\r\n\r\n"
    statuses, came = wire.send(b"GET /v1/games HTTP/1.1\r\n" + head.encode())
    assert (statuses, f"{name} is there twice".encode() in came) == ([403], True)


@pytest.mark.parametrize(
    "path",
    [
        "/{game}%2flog", "/{game}/%6cog", "/{game}/LOG", "/{game}/log/", "/{game}//log", "/{game}/./log",
        "/{game};/log",
        "/{game}%00", "/{game}%3fas=all", "/{game}?as=%61ll", "/{game}?as=all%00", "/{game}?AS=all", "/{game}?as[]=all",
        "/{game}?as=0&as=all", "/{game}?as=0;as=all", "/{game}?at=%EF%BC%91", "/{game}?at=0x1", "/{game}?at=1_0",
        "/{game}?at=%2B1", "/../games/{game}/log", "/{game}/../{game}/log", "/import/log", "//{game}?as=all",
        "/{game}/events?as=all", "/{game}/events?after=-1", "/{game}/events?after=1%0d%0aX:y", "/{upper}", "/{arabic}",
        "/{game}%E2%80%8B", "?arena={game}", "?arena=../{game}", "?cursor={game}", "?cursor=1.{s00}:game",
    ],
)  # fmt: skip
def test_no_way_to_write_a_path_leads_past_a_check(wire: Wire, path: str) -> None:
    """Escaped, doubled, in other letters and digits, or with what belongs elsewhere."""
    game = wire.table.game
    written = path.replace("{game}", game).replace("{upper}", game.upper()).replace("{arabic}", "\u0660" + game[1:])
    statuses, came = wire.send(f"GET /v1/games{written} HTTP/1.1\r\nHost: {{host}}\r\n\r\n".encode())
    assert statuses[0] in (400, 403, 404)
    assert not HIDDEN.search(came.decode("latin-1"))


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 500_000, b'{"move":' * 100_000, b'{"move":NaN}', b'{"move":1e999}', b'{"move":' + b"9" * 100_000 + b"}",
        b'\xef\xbb\xbf{"move":"pass"}', '{"move":"pass"}'.encode("utf-16"), b'{"move":"\\ud800"}', b'{"move":"\xff"}',
        b'{"move":"9c>s3\\u0000"}', b'{"move":"9c>s3"}{}', b'{"move":"9c>s3",}', b'{"move":"9c>s\xd9\xa3"}',
        b'{"rules":' + b'{"preset":' * 2_000 + b"1" + b"}" * 2_000 + b',"seats":[]}',
        b'{"rules":{"preset":"gatto-e-topo","seats":' + b"9" * 99_999 + b'},"seats":[]}',
        b'{"rules":"gato-e-rato","seats":[' + b'{"name":"a"},' * 60_000 + b'{"name":"a"}]}',
        b'{"at":1' + b"0" * 60 + b',"seats":[{"name":"a"},{"name":"b"}]}', b'{"at":-0.0,"seats":[]}',
    ],
    ids=range(18),
)  # fmt: skip
def test_no_body_explodes(api: Api, body: bytes) -> None:
    """Nested, endless, not a number, not UTF-8: refused at every route that takes one, without a fault."""
    table = api.marked()
    for path in (
        "/v1/games",
        "/v1/matches",
        "/v1/arenas",
        *(f"{table.path}/{of}" for of in ("moves", "seats", "fork")),
    ):
        headers = (ADMIN if path.endswith("fork") else table.tokens[0]) | {"Content-Type": "application/json"}
        assert 400 <= api.http.post(path, content=body, headers=headers).status_code < 500
    assert table.version() == 1


def test_a_key_of_another_seat_or_game_is_no_key(api: Api) -> None:
    """Contract 5: counted per game and seat. Nobody is given another's answer by guessing the key it was asked with."""
    table, other = api.marked(), api.marked()
    assert table.play(0, "9c>s3", Idempotency_Key="mine").status_code == 200
    told = problem(table.play(1, "9c>s3", Idempotency_Key="mine"), 422, "illegal_move")
    assert told["reason"] == "not_in_hand"
    problem(table.play(None, "9c>s3", Idempotency_Key="mine"), 403, "forbidden")
    problem(
        api.post(f"{table.path}/moves", {"move": "9c>s3"}, other.headers(0, Idempotency_Key="mine")), 403, "forbidden"
    )
    problem(table.resign(0, Idempotency_Key="mine"), 422, "key_reused")
    first = other.play(0, "9c>s2", Idempotency_Key="mine")
    assert (first.status_code, first.headers.get("Idempotent-Replayed")) == (200, None)


def test_whoever_asks_while_a_game_ends_is_told_all_or_nothing(api: Api) -> None:
    """A log, a verification and all cards are given of the ended game, and not of the one that is just ending."""
    for _ in range(5):
        table = api.game(position=MARKED, seats=PEOPLE)
        asked = ("/log", "?as=all", "/verification", "/events?as=all")

        def ask(path: str, table: Table = table) -> list[Any]:
            answers: list[Any] = []
            while not answers or answers[-1].status_code != 200:
                answers.append(api.get(table.path + path))
            return answers

        with ThreadPoolExecutor(len(asked)) as readers:
            found = [readers.submit(ask, path) for path in asked]
            table.play(0, "9c>s3")
            table.resign(1)
            log, seen, verdict, events = (one.result() for one in found)
        for one in (log, seen, verdict, events):
            assert {answer.status_code for answer in one[:-1]} <= {403}
            assert not [answer for answer in one[:-1] if HIDDEN.search(answer.text)]
        assert log[-1].text.splitlines()[0].find('"complete":true') > 0
        assert (seen[-1].json()["status"], verdict[-1].json()["ok"]) == ("ended", True)
        assert events[-1].json()["commits"][-1]["events"][-1]["type"] == "GameEnded"
