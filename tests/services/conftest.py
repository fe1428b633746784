"""What do the tests of the services share? An event loop, and the log as an entry point writes it."""

import logging
from collections.abc import Callable, Iterator
from io import StringIO
from typing import TypeAlias

import pytest
import structlog
from anyio.from_thread import start_blocking_portal

from services import log_lines
from tests.services.api.table import Api

Said: TypeAlias = Callable[[], list[str]]


@pytest.fixture(scope="session", autouse=True)
def event_loop_of_all_requests() -> Iterator[None]:
    """Every `Api` that this process makes uses it."""
    with start_blocking_portal() as Api.portal:
        yield
    Api.portal = None


@pytest.fixture
def said() -> Iterator[Said]:
    """The log as `malice api` writes it: its lines since they were last asked for."""
    handlers, level = logging.root.handlers, logging.root.level
    log_lines.set_up()
    (handler,) = logging.root.handlers
    assert isinstance(handler, logging.StreamHandler)

    written = StringIO()
    handler.setStream(written)

    def lines() -> list[str]:
        found = written.getvalue().splitlines()
        written.seek(0)
        written.truncate()
        return found

    yield lines
    logging.root.handlers, logging.root.level = handlers, level
    structlog.reset_defaults()
