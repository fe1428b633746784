"""What do the tests of the services share? The log as an entry point writes it."""

import logging
from collections.abc import Callable, Iterator
from io import StringIO
from typing import TypeAlias

import pytest
import structlog

from services import log_lines

Said: TypeAlias = Callable[[], list[str]]


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
