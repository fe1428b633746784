"""What may stand in a path, a query and a header? Each parameter of a request and header of an answer, described once.

A name with a dot (`games.limit`) is a parameter of the name behind it, for operations that ask for it in other bounds.
"""

from collections.abc import Iterable
from typing import Any, Final

from events.log.keys import ID_LENGTH, ID_PATTERN
from services.api.examples import ARENA, GAME, MATCH
from services.api.operation import Operation

_ID: Final = {"type": "string", "pattern": f"^{ID_PATTERN}$", "maxLength": 64}
_VERSION: Final = {"type": "integer", "minimum": 1, "maximum": 10**18 - 1}
_ID_TEXT: Final = f"two hex digits, then up to 62 of [0-9a-z]; ids made here have {ID_LENGTH + 2} characters."

PARAMETERS: Final[dict[str, dict[str, Any]]] = {
    "game": {"in": "path", "schema": _ID, "example": GAME, "description": f"The game's id: {_ID_TEXT}"},
    "arena": {"in": "path", "schema": _ID, "example": ARENA, "description": f"The arena's id: {_ID_TEXT}"},
    "match": {"in": "path", "schema": _ID, "example": MATCH, "description": f"The match's id: {_ID_TEXT}"},
    "at": {"in": "query", "schema": _VERSION, "example": 1, "description": "The view as one saw it at this version."},
    "as": {
        "in": "query",
        "schema": {"type": "string", "pattern": "^([0-7]|all)$"},
        "example": "all",
        "description": "Of an ended game: look as this seat, or see all cards.",
    },
    "after": {
        "in": "query",
        "schema": {"type": "integer", "minimum": 0, "maximum": 10**18 - 1, "default": 0},
        "example": 1,
        "description": "Only commits beyond this version; one beyond the last is `unknown_version`.",
    },
    "results.after": {
        "in": "query",
        "schema": {"type": "integer", "minimum": 0, "maximum": 100_000},
        "example": 0,
        "description": "Only games after the first so many of the schedule; of a running arena up to the first that "
        "has not ended. Without it all that have ended.",
    },
    "limit": {
        "in": "query",
        "schema": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 100},
        "example": 100,
        "description": "At most so many commits. An event stream has no limit unless it is asked for one; after so "
        "many it ends.",
    },
    "wait": {
        "in": "query",
        "schema": {"type": "integer", "minimum": 0, "maximum": 60},
        "example": 0,
        "description": "Seconds. Of a page: wait so long for the first commit beyond `after`; without one the page is "
        "empty. Of an event stream: it ends after so long; without it the stream ends with the game.",
    },
    "Last-Event-ID": {
        "in": "header",
        "schema": {"type": "string", "pattern": "^(0|[1-9][0-9]{0,17})$"},
        "example": "1",
        "description": "The id of the last message that one has: the stream goes on beyond it. It wins over `after`. "
        "A browser's EventSource sends it by itself, but no token: with one, read the stream with fetch.",
    },
    "status": {
        "in": "query",
        "schema": {"type": "string", "enum": ["open", "playing", "ended"]},
        "example": "playing",
        "description": "Only games that stand so: `open` have a seat to take.",
    },
    "cursor": {
        "in": "query",
        "schema": {"type": "string", "minLength": 1, "maxLength": 200},
        "example": f"1769860800123.{GAME}",
        "description": "`next` of the page before: the games that follow.",
    },
    "games.limit": {
        "in": "query",
        "schema": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20},
        "example": 20,
        "description": "At most so many games.",
    },
    "games.arena": {
        "in": "query",
        "schema": _ID,
        "example": ARENA,
        "description": "Only the games of this arena, which are in no other list.",
    },
    "arenas.status": {
        "in": "query",
        "schema": {"type": "string", "enum": ["queued", "running", "ended", "cancelled"]},
        "example": "running",
        "description": "Only arenas that stand so: of a `queued` one no game has ended yet.",
    },
    "arenas.limit": {
        "in": "query",
        "schema": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20},
        "example": 20,
        "description": "At most so many arenas. With `status` a page may be shorter, even empty, and still have a "
        "`next`: each looks at a thousand arenas at the most.",
    },
    "arenas.cursor": {
        "in": "query",
        "schema": {"type": "string", "minLength": 1, "maxLength": 200},
        "example": f"1769860800123.{ARENA}",
        "description": "`next` of the page before: the arenas that follow.",
    },
    "If-Match": {
        "in": "header",
        "schema": {"type": "string", "pattern": '^"(0|[1-9][0-9]{0,17})"$'},
        "example": '"1"',
        "description": "Act only if the game is at this version; else 412. Without it the newest state is judged.",
    },
    "If-None-Match": {
        "in": "header",
        "schema": {"type": "string"},
        "example": '"1"',
        "description": "The ETag that one has: 304 while the game is at that version.",
    },
    "Idempotency-Key": {
        "in": "header",
        "schema": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]+$"},
        "example": "b7c1d3e0-52a8-4f0e-9f31-move-1",
        "description": "Repeating a request with its key returns the first answer, whatever has happened since. On "
        "routes that give out tokens a caller without an API key takes 22 characters or more, that nobody can guess, "
        "unless the service is for this machine alone.",
    },
}
HEADERS: Final[dict[str, dict[str, Any]]] = {
    "Location": {"schema": {"type": "string"}, "required": True, "description": "Where it is."},
    "ETag": {
        "schema": {"type": "string", "pattern": '^"[1-9][0-9]*"$'},
        "required": True,
        "description": "The version, in quotes: for If-Match and If-None-Match.",
    },
    "Vary": {
        "schema": {"type": "string"},
        "required": True,
        "example": "Authorization",
        "description": "What one may see differs by token.",
    },
    "Cache-Control": {
        "schema": {"type": "string"},
        "required": True,
        "example": "no-store",
        "description": "No cache may keep an answer.",
    },
    "X-Request-Id": {
        "schema": {"type": "string", "pattern": "^[A-Za-z0-9._-]{1,64}$"},
        "required": True,
        "example": "01f3c6a2d4e84b7c",
        "description": "The caller's own X-Request-Id, when that is 1 to 64 of [A-Za-z0-9._-], else a new one: name it "
        "when you report trouble.",
    },
    "RateLimit-Policy": {
        "schema": {"type": "string"},
        "example": '"second";q=100;w=1, "minute";q=2000;w=60',
        "description": "Where a limit is set: the requests (q) that a window of seconds (w) holds "
        "(draft-ietf-httpapi-ratelimit-headers).",
    },
    "RateLimit": {
        "schema": {"type": "string"},
        "example": '"second";r=99;t=1, "minute";r=1731;t=42',
        "description": "Where a limit is set: the requests left (r) in its window, and the seconds (t) until more are.",
    },
    "Retry-After": {
        "schema": {"type": "integer", "minimum": 0},
        "required": True,
        "example": 1,
        "description": "Seconds to wait before the request is repeated, with the same Idempotency-Key.",
    },
    "WWW-Authenticate": {
        "schema": {"type": "string"},
        "required": True,
        "example": "Bearer",
        "description": "How to say who one is.",
    },
    "Idempotent-Replayed": {
        "schema": {"type": "string", "enum": ["true"]},
        "example": "true",
        "description": "Present when this is the first answer to a key, sent again.",
    },
    "Content-Disposition": {"schema": {"type": "string"}, "required": True, "description": "A name for the file."},
}
_ALWAYS: Final = ("Vary", "Cache-Control", "X-Request-Id")
_LIMITED: Final = ("RateLimit-Policy", "RateLimit")
_OF_STATUS: Final = {401: ("WWW-Authenticate",), 429: ("Retry-After",), 503: ("Retry-After",)}


def parameter(name: str) -> dict[str, Any]:
    """A parameter as the document has it."""
    told = PARAMETERS[name]
    return {"name": name.rpartition(".")[2], "required": told["in"] == "path"} | told


def headers(operation: Operation, names: Iterable[str] = (), status: int = 200) -> dict[str, dict[str, Any]]:
    """The headers of an answer with this status: those named, and those that every answer has."""
    limited = _LIMITED if operation.path.startswith("/v1/") else ()
    given = dict.fromkeys((*names, *_OF_STATUS.get(status, ()), *_ALWAYS, *limited))
    return {name: _fitting(name, operation) for name in given}


def shared_headers() -> dict[str, Any]:
    """The headers that are the same wherever they stand, by name."""
    return {name: told for name, told in HEADERS.items() if "example" in told}


def _fitting(name: str, operation: Operation) -> dict[str, Any]:
    """The header, with an example that fits the operation's own."""
    kind, made = next((one for one in _MADE if one[0] in operation.path), _MADE[0])
    match name:
        case "Location":
            example = f"/v1{kind}/{made}"
        case "Content-Disposition":
            example = f'attachment; filename="{made}.ndjson"'
        case "ETag":
            example = f'"{getattr(operation.answers[0].example(), "version", 1)}"'
        case _:
            return {"$ref": f"#/components/headers/{name}"}
    return HEADERS[name] | {"example": example}


_MADE: Final = (("/games", GAME), ("/matches", MATCH), ("/arenas", ARENA))
