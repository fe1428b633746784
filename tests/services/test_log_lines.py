"""Is every occasion one line that a person and a machine can read?"""

import logging
from collections.abc import Iterator

import pytest
import redis
import structlog

from services import log_lines


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """The test process's own logging comes back."""
    handlers, level = logging.root.handlers, logging.root.level
    yield
    logging.root.handlers, logging.root.level = handlers, level
    structlog.reset_defaults()


def lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().out.splitlines()


def test_ours_and_the_libraries_lines_have_one_form(capsys: pytest.CaptureFixture[str]) -> None:
    log_lines.set_up()
    structlog.get_logger().warning("task_ended", task="fold", why="the store is away")
    logging.getLogger("celery.worker").warning("lost %s", "it")
    ours, theirs = lines(capsys)
    assert "level=warning event=task_ended" in ours
    assert 'why="the store is away"' in ours
    assert ours.startswith("timestamp=20")
    assert theirs.startswith("timestamp=20")
    assert 'level=warning event="lost it"' in theirs


def test_a_store_that_is_away_is_a_line_and_no_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    log_lines.set_up()
    try:
        raise redis.ConnectionError("Connection refused")
    except redis.ConnectionError:
        logging.getLogger("celery.beat").exception("Message Error: %s\n%s", "refused", ["a", "whole", "stack"])
    (line,) = lines(capsys)
    assert "Message Error: refused" in line
    assert "stack" not in line
    assert "Traceback" not in line


def test_a_broker_that_is_away_is_a_line_also_where_beat_wraps_it(capsys: pytest.CaptureFixture[str]) -> None:
    """And a fault of ours that is met on the way keeps its traceback."""
    log_lines.set_up()
    for logger in ("celery.beat", "services.api"):
        try:
            try:
                raise redis.ConnectionError("Connection refused")
            except redis.ConnectionError:
                raise RuntimeError("Couldn't apply scheduled task sweep")  # noqa: B904 - as beat does
        except RuntimeError:
            logging.getLogger(logger).exception("not sent")
    theirs, ours = lines(capsys)
    assert "Traceback" not in theirs
    assert "Couldn't apply" in theirs
    assert "Traceback" in ours


def test_a_fault_of_the_program_keeps_its_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    log_lines.set_up()
    try:
        raise PermissionError("not yours")
    except PermissionError:
        logging.getLogger("services").exception("failed")
    (line,) = lines(capsys)
    assert "Traceback" in line
    assert "not yours" in line
