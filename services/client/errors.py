"""What can go wrong for who asks a service? One small tree; each error holds the service's own sentence and code.

    MaliceError
    ├── Unreachable     it cannot serve now, or what answers there is another program
    │   └── NoAnswer    nobody answers at all
    └── Refused         the service says no: `status` and `code` are those of the problem (contract, section 5)
        ├── NotAllowed  401, 403   no token, or one that may not do this
        ├── NotThere    404        no such game, match, arena or version
        ├── NotNow      409        another seat's turn, a seat still open or none open any more, a game that is over
        ├── MovedOn     412        the game is not at the version that was judged on; `version` is where it is
        └── Illegal     422        the rules say no: `reason` says which, `legal` what may be done instead

Law kept: no error holds a token.
"""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from events.errors import MaliceError


class Unreachable(MaliceError):
    """No service answers there, or it says that it cannot serve."""

    def __init__(self, detail: str, *, retry_after: float | None = None, key: str | None = None) -> None:
        super().__init__(detail)
        self.retry_after = retry_after
        """Seconds after which the service wants to be asked again, if it said so."""
        self.key = key
        """Of a POST: it may have been carried out. The same call with this `key` gets the first answer, or makes it."""


class NoAnswer(Unreachable):
    """No answer came, or not the whole of it."""


def stranger(url: str) -> Unreachable:
    """The error for what answers there and is another program."""
    return Unreachable(f"What answers at {url} is no service of this game.")


class Refused(MaliceError):
    """The service refuses what was asked, and nothing has changed: its own sentence, its code and status."""

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        *,
        reason: str | None = None,
        legal: tuple[str, ...] = (),
        version: int | None = None,
        retry_after: float | None = None,
        request_id: str | None = None,
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.code = code
        self.reason = reason
        self.legal = legal
        self.version = version
        """Where the game is, of `version_conflict`; the first bad version, of `bad_log`."""
        self.retry_after = retry_after
        self.request_id = request_id
        """What the service calls this request in its logs."""


class NotAllowed(Refused):
    """The token is not known, or may not do this."""


class NotThere(Refused):
    """No such game, match, arena or version."""


class NotNow(Refused):
    """A right request at the wrong time."""


class MovedOn(Refused):
    """The game is at another version than the one that the request was made for."""


class Illegal(Refused):
    """The rules refuse the move."""


_KINDS: Final[Mapping[int, type[Refused]]] = {
    401: NotAllowed,
    403: NotAllowed,
    404: NotThere,
    409: NotNow,
    412: MovedOn,
}
"""By status, so that a code still to come is told apart as well as one that is known."""
_SERVER_AWAY: Final = (502, 503, 504)
_PASSING: Final = (408, 429)


class _Problem(msgspec.Struct):
    """What matters of a problem document, wherever it comes from."""

    detail: str = ""
    code: str = "unknown"
    status: int = 0
    reason: str | None = None
    legal: tuple[str, ...] = ()
    version: int | None = None


def refusal(
    body: bytes, *, otherwise: str, status: int | None = None, headers: Mapping[str, str], key: str | None = None
) -> Refused | Unreachable:
    """The error that a problem document becomes; `otherwise` is its sentence where the body is no such document."""
    try:
        problem = msgspec.json.decode(body, type=_Problem)
    except (msgspec.DecodeError, UnicodeDecodeError):
        problem = _Problem()
    status = status or problem.status
    detail = problem.detail or otherwise
    retry_after = _seconds(headers.get("retry-after"))
    if status in _SERVER_AWAY:
        return Unreachable(detail, retry_after=retry_after, key=key)
    more: dict[str, Any] = {
        "reason": problem.reason,
        "legal": problem.legal,
        "version": problem.version,
        "retry_after": retry_after,
        "request_id": headers.get("x-request-id"),
    }
    kind = Illegal if problem.code == "illegal_move" else _KINDS.get(status, Refused)
    return kind(status, problem.code, detail, **more)


def passes(error: Refused | Unreachable) -> bool:
    """May the same request be answered otherwise a little later?"""
    return isinstance(error, Unreachable) or error.status in _PASSING


def _seconds(header: str | None) -> float | None:
    """Of a Retry-After; None for a date too: who sends one is no service of this game, and is waited for as usual."""
    return float(header) if header is not None and header.isascii() and header.isdigit() and len(header) < 10 else None
