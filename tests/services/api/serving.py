"""How does a test speak to the API over a socket? The server of `malice api`, in a thread, on a port of its own."""

import socket
import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import uvicorn

from services.api.server import config_of
from tests.live import eventually


@contextmanager
def serving(app: Any) -> Generator[str]:
    """The application's URL."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        server = uvicorn.Server(config_of(app, host="127.0.0.1", port=0))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            eventually(lambda: server.started)
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(10)
