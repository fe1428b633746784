"""What does a process write for whoever runs it? One line an occasion, `timestamp=… level=… event=…`, and no more.

What belongs to a request bears its id. A store or broker that is away is an occasion, not a fault of the program: it
gets its line without a traceback.
"""

import logging
import sys
from typing import Final

import redis
import structlog
from kombu.exceptions import OperationalError

_ABSENCES: Final = (redis.ConnectionError, redis.TimeoutError, OperationalError, ConnectionError, TimeoutError)

REQUESTS: Final = "malice.requests"
"""The logger of lines about requests, which are no warnings. Whether any are written is decided where they are."""


def set_up() -> None:
    """Send what this process logs, ours and the libraries', to standard output. For an entry point, once."""
    first = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    line = structlog.processors.LogfmtRenderer(key_order=["timestamp", "level", "event"], drop_missing=True)
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=first,
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.format_exc_info,
            line,
        ],
    )
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(formatter)
    handler.addFilter(_in_one_line)
    logging.root.handlers = [handler]
    logging.root.setLevel(logging.WARNING)
    logging.getLogger(REQUESTS).setLevel(logging.INFO)
    structlog.configure(
        processors=[*first, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )


def _in_one_line(record: logging.LogRecord) -> bool:
    """No traceback of what is no fault of the program, and no second line from the libraries."""
    error = record.exc_info[1] if record.exc_info else None
    of_a_library = record.name.startswith(("celery", "kombu"))
    if _is_absence(error, chained=of_a_library):
        record.exc_info = None
        record.exc_text = None
        record.msg, record.args = f"{record.getMessage().strip()} ({error})", None
    if of_a_library:
        # Some of their messages bring a whole stack along as text.
        record.msg, record.args = record.getMessage().strip().partition("\n")[0], None
    return True


def _is_absence(error: BaseException | None, *, chained: bool) -> bool:
    """Is this a store or broker that is away, or does it come of one? Beat wraps what it meets in its own error."""
    while chained and error is not None and not isinstance(error, _ABSENCES):
        error = error.__cause__ or error.__context__
    return isinstance(error, _ABSENCES)
