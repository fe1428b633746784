"""What may a connection cost before there is a request? Heads without end, heads that never come, and no HTTP."""

import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from typing import Any
from urllib.parse import urlsplit

import pytest

from services.api import heads
from tests.live import eventually
from tests.services.api.serving import serving
from tests.services.api.table import Api

START = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
LONG = b"a" * heads.LIMIT


@pytest.fixture
def address(api: Api) -> Iterator[tuple[str, int]]:
    """Where the API listens."""
    with serving(api.app) as url:
        where = urlsplit(url)
        assert where.hostname
        assert where.port
        yield where.hostname, where.port


def heard(connection: socket.socket) -> bytes:
    """What comes until the other side closes."""
    found = b""
    with suppress(ConnectionResetError):  # it has not read all that was sent
        while piece := connection.recv(65536):
            found += piece
    return found


def said(address: tuple[str, int], *sent: bytes) -> tuple[int, Any]:
    """Status and JSON that come back for these bytes."""
    with socket.create_connection(address, timeout=10) as connection:
        with suppress(ConnectionError):
            for piece in sent:
                connection.sendall(piece)
        head, _, body = heard(connection).partition(b"\r\n\r\n")
    assert b"x-request-id: " in head.lower()
    return int(head.split()[1]), json.loads(body)


@pytest.mark.parametrize(
    "sent",
    [
        START + b"X-A: " + LONG + b"\r\n\r\n",
        START + b"".join(b"X-%d: a\r\n" % number for number in range(heads.LIMIT // 4)) + b"\r\n",
        b"GET /healthz?" + LONG + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        START + b"X-A: " + b"a" * 2_000_000,
    ],
    ids=["a long header", "many headers", "a long query", "a header without end"],
)
def test_given_a_head_beyond_the_limit_then_it_is_refused_and_not_kept(address: tuple[str, int], sent: bytes) -> None:
    status, told = said(address, sent)
    assert (status, told["code"]) == (400, "malformed")
    assert "32768 bytes" in told["detail"]


def test_given_a_head_within_the_limit_in_pieces_then_it_is_served(address: tuple[str, int]) -> None:
    pieces = [START, b"X-A: ", *([LONG[: heads.LIMIT // 8]] * 7), b"\r\nConnection: close\r\n", b"\r\n"]
    assert said(address, *pieces) == (200, {"status": "ok"})


def test_given_large_bodies_on_one_connection_then_they_are_not_taken_for_heads(address: tuple[str, int]) -> None:
    body = b" " * (3 * heads.LIMIT)
    post = b"POST /v1/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(body) + body
    with socket.create_connection(address, timeout=10) as connection:
        connection.sendall(post * 3 + START + b"Connection: close\r\n\r\n")
        answers = heard(connection)
    assert answers.count(b"HTTP/1.1 415") == 3
    assert answers.count(b"HTTP/1.1 200") == 1


@pytest.mark.parametrize("sent", [b"\x16\x03\x01\x02\x00\x01\r\n\r\n", b"GET / HTTP/9\r\n\r\n", b"hello\r\n\r\n"])
def test_given_what_is_not_http_then_the_answer_is_a_problem(address: tuple[str, int], sent: bytes) -> None:
    status, told = said(address, sent)
    assert (status, told["code"]) == (400, "malformed")


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """A service that waits for a head only shortly."""
    monkeypatch.setattr(heads, "SECONDS", 0.2)


@pytest.mark.usefixtures("hasty")
def test_given_a_head_that_does_not_come_to_its_end_then_it_is_given_up(address: tuple[str, int]) -> None:
    status, told = said(address, START + b"X-Slow: ")
    assert (status, told["code"]) == (408, "too_slow")


@pytest.mark.usefixtures("hasty")
def test_given_a_connection_on_which_nothing_comes_then_it_is_closed_without_a_word(address: tuple[str, int]) -> None:
    with socket.create_connection(address, timeout=10) as connection:
        assert heard(connection) == b""


@pytest.mark.usefixtures("hasty")
def test_given_a_second_head_that_does_not_come_to_its_end_then_it_is_given_up_too(address: tuple[str, int]) -> None:
    with socket.create_connection(address, timeout=10) as connection:
        connection.sendall(START + b"\r\n" + START)
        answers = heard(connection)
    assert answers.index(b"HTTP/1.1 200") < answers.index(b"HTTP/1.1 408")


@pytest.mark.usefixtures("hasty")
def test_given_many_connections_with_half_a_head_then_others_are_served_and_they_are_let_go(
    address: tuple[str, int],
) -> None:
    """Else whoever opens as many as there may be shuts out everybody."""
    with ExitStack() as stack:
        half_open = [stack.enter_context(socket.create_connection(address, timeout=10)) for _ in range(200)]
        for connection in half_open:
            connection.sendall(START)
        assert said(address, START + b"Connection: close\r\n\r\n")[0] == 200
        eventually(lambda: all(connection.recv(1) for connection in half_open))
