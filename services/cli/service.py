"""Which service does the command line talk to? The one at MALICE_URL, or one of its own.

Law kept: what is asked, and how often, is the client's (`services.client`): nothing here knows HTTP.
"""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from typing import IO

from services.children import dies_with_parent
from services.client import Client, Unreachable
from services.own_bots import as_setting
from services.settings import NamedBot, Settings
from workers.own_bots.guests import FORFEITS

READY_SECONDS = 60.0


def service_at(
    settings: Settings,
    url: str | None = None,
    *,
    patience: float = 0.0,
    on_wait: Callable[[str, float], object] = lambda _why, _seconds: None,
) -> Client:
    """A client of the service at `settings.url`, with the admin key, or the first API key, where one is set.

    It asks once, unless it is given patience: who sits at a terminal can repeat a command.
    """
    key = settings.admin_key or (settings.api_keys[0].secret if settings.api_keys else None)
    secret = None if key is None else key.get_secret_value()
    return Client(url or settings.url, api_key=secret, patience=patience, on_wait=on_wait)


@contextmanager
def own_service(
    settings: Settings, workers: int, say: Callable[[str], object], further: Iterable[NamedBot] = ()
) -> Generator[str]:
    """The URL of a service of one's own on the usual data directory and a free port, stopped at the end.

    It knows the bots of the settings, and `further` ones.
    """
    bots = as_setting(dict.fromkeys([*settings.bots, *further]))
    port = _free_port()
    url = f"http://127.0.0.1:{port}"
    say(f"no service at {settings.url}: starting one for this arena, data in {settings.data}")
    environ = {"MALICE_DATA": str(settings.data), "MALICE_BOTS": bots}
    with tempfile.TemporaryFile() as output:
        process = started(["up", "--port", str(port), "--workers", str(workers)], environ, output)
        try:
            with service_at(settings, url) as client:
                _wait_ready(client, process, output)
            yield url
        finally:
            process.terminate()
            process.wait()
            tell_forfeits(output, say)


def started(words: list[str], environ: Mapping[str, str], output: IO[bytes]) -> "subprocess.Popen[bytes]":
    """A running `malice` of these words, which ends with this process, and with a Ctrl-C only when it is told to."""
    return subprocess.Popen(
        [sys.executable, "-m", "services.cli", *words],
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        env={**os.environ, **environ},
        start_new_session=True,  # a Ctrl-C is for this command, which then stops the process itself
        preexec_fn=dies_with_parent(signal.SIGTERM),  # noqa: PLW1509 - it calls prctl and getppid alone
    )


def tell_forfeits(output: IO[bytes], say: Callable[[str], object]) -> None:
    """What workers said about bots that failed, for the bots' author."""
    output.seek(0)
    for line in output:
        _, found, forfeit = line.decode(errors="replace").strip().partition(f"event={FORFEITS} ")
        if found:
            say(forfeit)


def _wait_ready(client: Client, process: "subprocess.Popen[bytes]", output: IO[bytes]) -> None:
    deadline = time.monotonic() + READY_SECONDS
    while not client.ready():
        if process.poll() is not None or time.monotonic() > deadline:
            output.seek(0)
            said = output.read().decode(errors="replace").strip().splitlines()
            raise Unreachable("No service could be started: " + (said[-1] if said else "it said nothing."))
        time.sleep(0.1)  # another process starts: there is no event to wait for


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
