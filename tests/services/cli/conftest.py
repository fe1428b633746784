"""What do the tests of the command line share? A way to call it, log files, and a small service that answers as told.

malice     call the program in this process: `malice("verify", path)`; nothing answers at its MALICE_URL
ended      the file of a game that was played to its end (52 versions), `running` of one that was not
service    a server whose answers a test sets; `malice` given `MALICE_URL=service.url` talks to it
"""

import json
import socket
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, TypeAlias

import pytest
from typer.testing import CliRunner, Result

from services.cli import app
from tests.log.games import SHORT, Book

Malice: TypeAlias = Callable[..., Result]


@pytest.fixture(scope="session")
def nowhere() -> Iterator[str]:
    """The URL of a port that nobody listens on, and nobody else can take."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{taken.getsockname()[1]}"


@pytest.fixture
def malice(nowhere: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Malice:
    """Call `malice` in an empty directory, 80 columns wide, without colour. Whatever it does, it raises nothing."""
    monkeypatch.chdir(tmp_path)
    plain = {"COLUMNS": "80", "NO_COLOR": "1", "FORCE_COLOR": None, "MALICE_URL": nowhere, "MALICE_ADMIN_KEY": None}

    def call(*words: object, stdin: str | bytes | None = None, **environ: str) -> Result:
        result = CliRunner().invoke(app, [str(word) for word in words], input=stdin, env=plain | environ)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert "Traceback" not in result.output
        return result

    return call


@pytest.fixture(scope="session")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with `ended.log` and `running.log`, of the game `00book`."""
    folder = tmp_path_factory.mktemp("logs")
    (folder / "ended.log").write_bytes(Book(SHORT, 1).moves().file())
    (folder / "running.log").write_bytes(Book(SHORT, 1).moves(30).file())
    return folder


@pytest.fixture
def ended(logs: Path) -> Path:
    """The log file of a game that has ended."""
    return logs / "ended.log"


@pytest.fixture
def running(logs: Path) -> Path:
    """The log file of a game of 31 versions that goes on."""
    return logs / "running.log"


class Stub:
    """A server: `answers` by path; what is not there is an unknown game. `asked` has (path, Authorization).

    `sent` has the bodies of POSTs.
    """

    def __init__(self) -> None:
        self.answers: dict[str, tuple[int, bytes]] = {}
        self.asked: list[tuple[str, str | None]] = []
        self.sent: list[bytes] = []
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def refuses(self, path: str, status: int, code: str) -> None:
        """Answer with a problem."""
        self.answers[path] = status, _problem(status, code)


def _handler(stub: Stub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            stub.asked.append((self.path, self.headers["Authorization"]))
            status, body = stub.answers.get(self.path, (404, _problem(404, "unknown_game")))
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self) -> None:
            stub.sent.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.do_GET()

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    return Handler


def _problem(status: int, code: str) -> bytes:
    return json.dumps({"status": status, "code": code, "title": code, "detail": f"the service says {code}"}).encode()


@pytest.fixture
def service() -> Iterator[Stub]:
    """A running stub."""
    stub = Stub()
    thread = Thread(target=stub.server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield stub
    stub.server.shutdown()
    thread.join()
    stub.server.server_close()
