"""A server of bots that takes invitations: each starts the good bot as a process of its own."""

import os
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from json import loads
from pathlib import Path
from threading import Thread
from typing import Any

GOOD_BOT = Path(__file__).parent / "good_bot.py"


class Host(ThreadingHTTPServer):
    """The server. `doubles`: an invitation that comes again starts a second bot for the seat. `answer`: its status."""

    def __init__(self, *, doubles: bool, answer: int) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.doubles = doubles
        self.answer = answer
        self.playing: dict[str, list[subprocess.Popen[bytes]]] = {}
        self.url = f"http://127.0.0.1:{self.server_port}/invitations"

    def invite(self, invitation: dict[str, Any]) -> None:
        bots = self.playing.setdefault(invitation["game"], [])
        if not bots or self.doubles:
            own = {f"BOT_{name.upper()}": str(value) for name, value in invitation.items()}
            bots.append(subprocess.Popen([sys.executable, str(GOOD_BOT)], env=os.environ | own))

    def exit_codes(self) -> set[int]:
        """How all its bots have ended."""
        return {bot.wait(20) for bots in self.playing.values() for bot in bots}


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        invitation = loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(_host(self).answer)
        self.send_header("Content-Length", "0")
        self.end_headers()
        _host(self).invite(invitation)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


def _host(handler: BaseHTTPRequestHandler) -> Host:
    assert isinstance(handler.server, Host)
    return handler.server


@contextmanager
def hosting(*, doubles: bool = False, answer: int = 202) -> Generator[Host]:
    """A running server; at the end it and its bots are gone."""
    with Host(doubles=doubles, answer=answer) as host:
        thread = Thread(target=host.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield host
        finally:
            host.shutdown()
            thread.join()
            for bots in host.playing.values():
                for bot in bots:
                    bot.kill()
                    bot.wait()
