"""Which answer does an error get? One table from error to code, and one from code to status (RFC 9457).

Law kept: an error is turned into an answer here and nowhere else, and a caller's mistake is never a 500.

    MaliceError ← BadToken | Forbidden | NotOver | RateLimited | TooLarge | TooSlow | UnsupportedMedia
                                                                                   what only HTTP knows of
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import msgspec
import structlog
from fastapi import Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Match, Route
from starlette.types import Scope

from events.errors import (
    BadLog,
    BadPosition,
    BadRules,
    Conflict,
    KeyReused,
    Malformed,
    MaliceError,
    Reason,
    Rejected,
    StoreUnavailable,
    UnknownGame,
    UnknownMatch,
    UnknownVersion,
    Unreadable,
)
from events.log.keys import is_id
from workers.arena.keys import UnknownArena

DETAIL_LENGTH: Final = 1000
"""A detail names the caller's values; a value of a megabyte is not sent back whole."""
RETRY_AFTER_SECONDS: Final = 1
MEDIA_TYPE: Final = "application/problem+json"


class BadToken(MaliceError):
    """A Bearer token that this service did not give, or none where one is needed."""


class Forbidden(MaliceError):
    """The caller is known, or needs not be, and may not do this."""


class NotOver(MaliceError):
    """A game that still runs, asked for what follows its end."""

    def __init__(self, game: str) -> None:
        super().__init__(f"Game {game} is not over: a rematch follows its end.")


class RateLimited(MaliceError):
    """More requests than a caller may make in the time."""


class TooLarge(MaliceError):
    """A body beyond the limit."""


class TooSlow(MaliceError):
    """A body that does not come to its end."""


class UnsupportedMedia(MaliceError):
    """A body of another kind than the route takes, or not in UTF-8."""


class Kind(NamedTuple):
    """What a code means: its status, a title, and a detail such as callers meet."""

    status: int
    title: str
    example: str


KINDS: Final[dict[str, Kind]] = {
    "malformed": Kind(400, "Not in the form asked for", "Object contains unknown field `mve`."),
    "bad_token": Kind(401, "Unknown token", "The Bearer token is not one that this service has given."),
    "forbidden": Kind(403, "Not allowed", "A spectator cannot move: send the seat's token."),
    "unknown_game": Kind(404, "No such game", "There is no game '07nothere'."),
    "unknown_arena": Kind(404, "No such arena", "There is no arena '07nothere'."),
    "unknown_match": Kind(404, "No such match", "There is no match '07nothere'."),
    "unknown_version": Kind(404, "No such version", "There is no version 40: the last one is 17."),
    "not_found": Kind(404, "No such route", "There is nothing at /v2/games."),
    "method_not_allowed": Kind(405, "Not this method", "PUT is not a method of /v1/games."),
    "too_slow": Kind(408, "The body did not come", "The body had not come to its end after 10 seconds."),
    "not_your_turn": Kind(409, "Another seat's turn", "It is the turn of seat 1, not of seat 0."),
    "game_over": Kind(409, "The game is over", "The game is over."),
    "not_started": Kind(409, "A seat is still open", "The game has not started: a seat is still open."),
    "not_over": Kind(
        409, "The game is not over", "Game 07q3m8k2v9d4x6r1t5w0zy is not over: a rematch follows its end."
    ),
    "seat_taken": Kind(409, "No seat is open", "No seat is open."),
    "version_conflict": Kind(412, "The game has moved on", "Game 07q3m8k2v9d4x6r1t5w0zy is at version 18, not at 17."),
    "too_large": Kind(413, "Body too large", "The body has more than 1048576 bytes."),
    "unsupported_media": Kind(415, "Not a kind of body taken here", "The body is text/plain; send application/json."),
    "illegal_move": Kind(422, "The rules refuse it", "7h does not fit: centre pile 2 needs 4 (R8)."),
    "bad_rules": Kind(422, "Rules that cannot be", "There is no preset 'poker'; there are gatto-e-topo, …"),
    "bad_position": Kind(422, "A position that cannot be", "Seat 0 is to move and has no legal move."),
    "bad_log": Kind(
        422, "A log that is not taken", "The log is not taken: version 17: its hash does not follow from …"
    ),
    "key_reused": Kind(422, "Key used for another request", "The idempotency key 'k1' was used before …"),
    "rate_limited": Kind(429, "Too many requests", "More than 100 requests in 1 second are not taken."),
    "damaged_log": Kind(500, "The game's log is damaged", "The log of this game cannot be read; the operator is told."),
    "internal": Kind(500, "A fault of the service", "The service failed; it has written down why."),
    "unavailable": Kind(503, "The store is away", "The store does not answer. Repeat with the same key."),
}
"""Every code of this service."""

_CODES: Final[dict[type[MaliceError], str]] = {
    Malformed: "malformed",
    BadToken: "bad_token",
    Forbidden: "forbidden",
    NotOver: "not_over",
    RateLimited: "rate_limited",
    UnknownGame: "unknown_game",
    UnknownArena: "unknown_arena",
    UnknownMatch: "unknown_match",
    UnknownVersion: "unknown_version",
    Conflict: "version_conflict",
    TooLarge: "too_large",
    TooSlow: "too_slow",
    UnsupportedMedia: "unsupported_media",
    Rejected: "illegal_move",
    BadRules: "bad_rules",
    BadPosition: "bad_position",
    BadLog: "bad_log",
    Unreadable: "damaged_log",
    KeyReused: "key_reused",
    StoreUnavailable: "unavailable",
}
_CODES_OF_STATE: Final = {
    Reason.GAME_OVER: "game_over",
    Reason.NOT_STARTED: "not_started",
    Reason.NOT_YOUR_TURN: "not_your_turn",
    Reason.SEAT_TAKEN: "seat_taken",
}
"""Refusals that a legal move would meet too; every other reason is an `illegal_move`."""


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """An error as RFC 9457 writes it; `code` is stable, `type` leads to its paragraph in the documentation."""

    type: str
    """Where the code is described: a path of this service."""
    title: str
    """What the code means, in short."""
    status: int
    """The status of the answer."""
    detail: str
    """What was wrong here, naming the values: for people."""
    code: str
    """What was wrong, as a word that stays: for programs."""
    reason: str | msgspec.UnsetType = msgspec.UNSET
    """Of `illegal_move`: which rule refused, in a word."""
    legal: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    """Of `illegal_move`: the moves that are legal instead."""
    version: int | msgspec.UnsetType = msgspec.UNSET
    """Of `version_conflict`: the version that the game is at. Of `bad_log`: the lowest that is missing or wrong, 0 for
    the file's head."""


def code_of(error: MaliceError) -> str:
    """The code of an error; `internal` for one that no caller should ever meet."""
    if isinstance(error, Rejected) and error.reason in _CODES_OF_STATE:
        return _CODES_OF_STATE[error.reason]
    return next((_CODES[known] for known in type(error).__mro__ if known in _CODES), "internal")


def problem(code: str, detail: str, **more: Any) -> Problem:
    """The problem of this code; `more` are its `reason`, `legal` or `version`."""
    kind = KINDS[code]
    if len(detail) > DETAIL_LENGTH:
        detail = detail[:DETAIL_LENGTH] + "…"
    return Problem(type=f"/docs#{code}", title=kind.title, status=kind.status, detail=detail, code=code, **more)


def answer(told: Problem, headers: Mapping[str, str] | None = None) -> Response:
    """The response of a problem."""
    out = {"Cache-Control": "no-store", "Vary": "Authorization"} | dict(headers or {})
    if told.status == 401:
        out["WWW-Authenticate"] = "Bearer"
    if told.status == 503:
        out["Retry-After"] = str(RETRY_AFTER_SECONDS)
    return Response(msgspec.json.encode(told), told.status, out, MEDIA_TYPE)


def problem_of(error: MaliceError) -> Problem:
    """The problem that an error of the tree becomes."""
    code = code_of(error)
    match error:
        case Rejected() if code == "illegal_move":
            return problem(code, str(error), reason=error.reason.value, legal=error.legal)
        case Conflict():
            return problem(code, str(error), version=error.actual)
        case BadLog():
            return problem(code, str(error), version=error.version)
        case _:
            # A fault of ours is told without its inside, which may name hidden cards.
            return problem(code, KINDS[code].example if KINDS[code].status == 500 else str(error))


async def on_malice_error(request: Request, error: Exception) -> Response:
    """Any error of the tree."""
    if not isinstance(error, MaliceError):
        raise error
    return answer(told_and_noted(error, request.scope))


def told_and_noted(error: MaliceError, scope: Scope) -> Problem:
    """The problem that an error becomes; where it is ours, the log has a line with its cause."""
    told = problem_of(error)
    if told.status >= 500:
        # Not the path as it came: a token that somebody put there stays out of the log.
        route = getattr(scope.get("route"), "path", None)
        ids = {name: value for name, value in scope.get("path_params", {}).items() if is_id(value)}
        why = str(error.__cause__ or error)
        structlog.get_logger().error("not_served", method=scope["method"], route=route, **ids, code=told.code, why=why)
    return told


async def on_http_error(request: Request, error: Exception) -> Response:
    """What the framework refuses by itself: a path or a method that is not there."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    headers = error.headers if isinstance(error, HTTPException) else None
    path = request.url.path
    match status:
        case 404:
            return answer(problem("not_found", f"There is nothing at {path}."))
        case 405:
            told = problem("method_not_allowed", f"{request.method} is not a method of {path}.")
            return answer(told, {"Allow": ", ".join(_methods(request))})
        case _ if status < 500:
            return answer(problem("malformed", f"The request was not understood: {error}."), headers)
        case _:
            return await on_fault(request, error)


def _methods(request: Request) -> list[str]:
    """The methods of a path, of all its routes: each of them by itself knows only its own.

    A path that is written out (`/v1/games/import`) is not one of those that could be meant by a pattern.
    """
    routes = [
        route
        for route in request.app.routes
        if isinstance(route, Route) and route.matches(request.scope)[0] is not Match.NONE
    ]
    exact = [route for route in routes if route.path == request.url.path]
    return sorted({method for route in exact or routes for method in route.methods or ()})


async def on_invalid(_: Request, error: Exception) -> Response:
    """What FastAPI finds wrong with declared parameters."""
    errors = error.errors() if isinstance(error, RequestValidationError) else ()
    said = "; ".join(f"{'.'.join(str(part) for part in one['loc'])}: {one['msg']}" for one in errors)
    return answer(problem("malformed", said or "The request is not in the form asked for."))


async def on_fault(_: Request, __: Exception) -> Response:
    """A fault of ours. Starlette raises it on after this answer, so that the server logs it with its traceback."""
    return answer(problem("internal", KINDS["internal"].example))
