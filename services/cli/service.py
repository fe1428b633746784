"""How does the command line talk to a service? HTTP to MALICE_URL, patient where the service is away.

A POST carries an idempotency key, or changes nothing when it is made twice, so trying again is safe.
"""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from http import HTTPStatus
from typing import IO, Any

import httpx2

from events.errors import MaliceError
from services.children import dies_with_parent
from services.settings import Settings

READY_SECONDS = 60.0
JUDGING_SECONDS = 120.0
"""For a log file that is sent: the service verifies it before it answers."""


class Unreachable(MaliceError):
    """No service answers there, or it says that it cannot serve."""


class Refused(MaliceError):
    """The service refuses what was asked: its own sentence, its code and status."""

    def __init__(self, status: int, code: str, detail: str) -> None:
        super().__init__(detail)
        self.status = status
        self.code = code


class Service:
    """A service at `settings.url`, asked with the admin key, or the first API key, where one is set."""

    def __init__(self, settings: Settings, url: str | None = None) -> None:
        self.url = url or settings.url
        key = settings.admin_key or (settings.api_keys[0].secret if settings.api_keys else None)
        headers = {"Authorization": f"Bearer {key.get_secret_value()}"} if key is not None else {}
        # No proxy of the environment: most services asked here are on this machine.
        self._client = httpx2.Client(base_url=self.url, headers=headers, timeout=10, trust_env=False)

    def answers(self) -> bool:
        """Is somebody there, ready to serve or not?"""
        return self._status("/healthz") == HTTPStatus.OK

    def ready(self) -> bool:
        """Is somebody there, ready to serve?"""
        return self._status("/readyz") == HTTPStatus.OK

    def _status(self, path: str) -> int | None:
        try:
            return self._client.get(path).status_code
        except httpx2.RequestError:
            return None

    def get(self, path: str, *, patience: float = 0.0, waiting: Callable[[], None] = lambda: None) -> Any:
        """The answer to a GET. Raises `Refused`, and `Unreachable` after `patience` seconds without one."""
        return self._json("GET", path, patience, waiting)

    def file(self, path: str) -> bytes:
        """The body of a GET as it comes. Raises as `get` does."""
        return self._ask("GET", path).content

    def post(self, path: str, body: Any, *, key: str, patience: float = 0.0) -> Any:
        """The answer to a POST, once for each key. Raises as `get` does."""
        return self._json("POST", path, patience, json=body, headers={"Idempotency-Key": key})

    def send(self, path: str, file: bytes, media: str) -> Any:
        """The answer to a POST of a file of this media type. Raises as `get` does."""
        return self._json("POST", path, content=file, headers={"Content-Type": media}, timeout=JUDGING_SECONDS)

    def delete(self, path: str, *, patience: float = 0.0) -> Any:
        """The answer to a DELETE. Raises as `get` does."""
        return self._json("DELETE", path, patience)

    def stranger(self) -> Unreachable:
        """The error for what answers there and is another program."""
        return Unreachable(f"What answers at {self.url} is no service of this game.")

    def pause(self, seconds: float) -> None:
        """Wait between two looks at something that takes its time."""
        time.sleep(seconds)  # polling another process: there is no event to wait for

    def _json(self, *asked: Any, **sent: Any) -> Any:
        try:
            return self._ask(*asked, **sent).json()
        except ValueError:
            raise self.stranger() from None

    def _ask(
        self,
        method: str,
        path: str,
        patience: float = 0.0,
        waiting: Callable[[], None] = lambda: None,
        **sent: Any,
    ) -> httpx2.Response:
        deadline = time.monotonic() + patience
        while True:
            answer = self._once(method, path, **sent)
            if isinstance(answer, httpx2.Response):
                return answer
            if time.monotonic() >= deadline:
                raise answer
            waiting()
            self.pause(0.3)

    def _once(self, method: str, path: str, **sent: Any) -> httpx2.Response | Unreachable:
        try:
            answer = self._client.request(method, path, **sent)
        except httpx2.RequestError as error:
            return Unreachable(f"No service answers at {self.url}: {error}. Start one with `malice up`.")
        if answer.is_success:
            return answer
        try:
            problem = answer.json()
        except ValueError:
            problem = {}
        problem = problem if isinstance(problem, dict) else {}
        detail = problem.get("detail") or f"{method} {path} was answered with status {answer.status_code}."
        if answer.status_code == HTTPStatus.SERVICE_UNAVAILABLE:
            return Unreachable(detail)
        raise Refused(answer.status_code, problem.get("code", "unknown"), detail)


@contextmanager
def own_service(settings: Settings, workers: int, say: Callable[[str], object]) -> Generator[Service]:
    """A service of one's own on the usual data directory and a free port, stopped at the end."""
    port = _free_port()
    command = [sys.executable, "-m", "services.cli", "up", "--port", str(port), "--workers", str(workers)]
    say(f"no service at {settings.url}: starting one for this arena, data in {settings.data}")
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env={**os.environ, "MALICE_DATA": str(settings.data)},
            start_new_session=True,  # a Ctrl-C is for this command, which then stops the service itself
            preexec_fn=dies_with_parent(signal.SIGTERM),  # noqa: PLW1509 - it calls prctl and getppid alone
        )
        try:
            service = Service(settings, f"http://127.0.0.1:{port}")
            _wait_ready(service, process, output)
            yield service
        finally:
            process.terminate()
            process.wait()


def _wait_ready(service: Service, process: "subprocess.Popen[bytes]", output: IO[bytes]) -> None:
    deadline = time.monotonic() + READY_SECONDS
    while not service.ready():
        if process.poll() is not None or time.monotonic() > deadline:
            output.seek(0)
            said = output.read().decode(errors="replace").strip().splitlines()
            raise Unreachable("No service could be started: " + (said[-1] if said else "it said nothing."))
        service.pause(0.1)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
