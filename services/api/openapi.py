"""What does the service say of itself? The OpenAPI 3.1 document, made from the operations and the wire types.

Law kept: nothing is described twice. Schemas come from the msgspec types, summaries from the handlers' docstrings,
examples from a real game (`examples`), problems from the one table of codes.
"""

import inspect
import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec

from services.api.examples import GAME, MATCH
from services.api.operation import Operation, Shape
from services.api.problems import KINDS, MEDIA_TYPE, Problem, problem
from services.api.schemas import SEEN_EVENTS

_REF: Final = "#/components/schemas/{name}"
_VERSION: Final = {"type": "integer", "minimum": 1}

PARAMETERS: Final[dict[str, dict[str, Any]]] = {
    "game": {"in": "path", "schema": {"type": "string"}, "example": GAME, "description": "The game's id."},
    "arena": {"in": "path", "schema": {"type": "string"}, "example": GAME, "description": "The arena's id."},
    "match": {"in": "path", "schema": {"type": "string"}, "example": MATCH, "description": "The match's id."},
    "at": {"in": "query", "schema": _VERSION, "example": 1, "description": "The view as one saw it at this version."},
    "as": {
        "in": "query",
        "schema": {"type": "string", "pattern": "^([0-7]|all)$"},
        "example": "all",
        "description": "Of an ended game: look as this seat, or see all cards.",
    },
    "after": {
        "in": "query",
        "schema": {"type": "integer", "minimum": 0, "default": 0},
        "example": 1,
        "description": "Only commits beyond this version.",
    },
    "limit": {
        "in": "query",
        "schema": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 100},
        "example": 100,
        "description": "At most so many commits.",
    },
    "wait": {
        "in": "query",
        "schema": {"type": "integer", "minimum": 0, "maximum": 60, "default": 0},
        "example": 0,
        "description": "Seconds that a page which would be empty waits for its first commit; a stream ends after them.",
    },
    "Last-Event-ID": {
        "in": "header",
        "schema": {"type": "integer", "minimum": 0},
        "example": 1,
        "description": "Where a stream broke off: it goes on beyond this version. Stands above `after`.",
    },
    "If-Match": {
        "in": "header",
        "schema": {"type": "string", "pattern": '^"[0-9]+"$'},
        "example": '"17"',
        "description": "Act only if the game is at this version; else 412. Without it the newest state is judged.",
    },
    "If-None-Match": {
        "in": "header",
        "schema": {"type": "string"},
        "example": '"17"',
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
    "Location": {
        "schema": {"type": "string"},
        "example": f"/v1/games/{GAME}",
        "description": "Where it is.",
    },
    "ETag": {"schema": {"type": "string"}, "example": '"17"', "description": "The version, in quotes."},
    "Vary": {"schema": {"type": "string"}, "example": "Authorization", "description": "Views differ by seat."},
    "Idempotent-Replayed": {
        "schema": {"type": "string"},
        "example": "true",
        "description": "Present when this is the first answer to a key, sent again.",
    },
    "Content-Disposition": {
        "schema": {"type": "string"},
        "example": f'attachment; filename="{GAME}.ndjson"',
        "description": "A name for the file.",
    },
}
_PROBLEM_HEADERS: Final[dict[int, dict[str, Any]]] = {
    401: {"WWW-Authenticate": {"schema": {"type": "string"}, "example": "Bearer"}},
    503: {"Retry-After": {"schema": {"type": "integer"}, "example": 1}},
}
_MORE: Final[dict[str, dict[str, Any]]] = {
    "illegal_move": {"reason": "does_not_fit", "legal": ("p>c0", "9c>s3")},
    "version_conflict": {"version": 18},
    "bad_log": {"version": 17},
}


def document(operations: Sequence[Operation], *, title: str, version: str, about: str) -> dict[str, Any]:
    """The whole document, as values that JSON knows."""
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _described(operation)
    return {
        "openapi": "3.1.0",
        "info": {"title": title, "version": version, "description": about},
        "paths": paths,
        "components": {
            "schemas": _schemas(operations),
            "securitySchemes": {
                "bearer": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "A seat's token, an API key or the admin key. Without one, one is a spectator.",
                }
            },
        },
    }


def example_problem(code: str, operation: Operation) -> Problem:
    """A problem such as callers of this operation meet."""
    detail = f"The body has more than {operation.body_limit} bytes." if code == "too_large" else KINDS[code].example
    return problem(code, detail, **_MORE.get(code, {}))


def _described(operation: Operation) -> dict[str, Any]:
    summary, _, description = (inspect.getdoc(operation.handler) or operation.name).partition("\n")
    names = (*re.findall(r"{(\w+)}", operation.path), *operation.parameters)
    told: dict[str, Any] = {
        "operationId": operation.name,
        "summary": summary.rstrip("."),
        "description": description.strip(),
        "parameters": [_parameter(name) for name in names],
        "responses": dict(_responses(operation)),
    }
    if operation.body is not None:
        told["requestBody"] = {"required": operation.body_required, "content": _content([operation.body])}
    if operation.secured:
        told["security"] = [{}, {"bearer": []}]
    return told | dict(operation.more)


def _parameter(name: str) -> dict[str, Any]:
    told = PARAMETERS[name]
    return {"name": name, "required": told["in"] == "path"} | told


def _responses(operation: Operation) -> Iterable[tuple[str, dict[str, Any]]]:
    headers = {name: HEADERS[name] for name in operation.headers}
    yield str(operation.status), {"description": "Done.", "headers": headers, "content": _content(operation.answers)}
    if "If-None-Match" in operation.parameters:
        yield "304", {"description": "Nothing has happened since.", "headers": headers}
    codes = (*operation.problems, "internal")
    for status in sorted({KINDS[code].status for code in codes}):
        told = {code: example_problem(code, operation) for code in codes if KINDS[code].status == status}
        yield (
            str(status),
            {
                "description": "; ".join(f"`{code}`: {problem.title}" for code, problem in told.items()),
                "headers": _PROBLEM_HEADERS.get(status, {}),
                "content": {
                    MEDIA_TYPE: {
                        "schema": {"$ref": _REF.format(name="Problem")},
                        "examples": {code: {"value": msgspec.to_builtins(problem)} for code, problem in told.items()},
                    }
                },
            },
        )


def _content(shapes: Iterable[Shape]) -> dict[str, Any]:
    return {
        media: {
            "schema": _schema(shape),
            "examples": {"example": {"value": msgspec.to_builtins(shape.example())}},
        }
        for shape in shapes
        for media in (shape.media, *shape.also)
    }


def _schema(shape: Shape) -> dict[str, Any]:
    refs = [{"$ref": _REF.format(name=kind.__name__)} for kind in _structs(shape)]
    return {"type": "string"} if not refs else refs[0] if len(refs) == 1 else {"anyOf": refs}


def _structs(shape: Shape) -> tuple[type[msgspec.Struct], ...]:
    """The types of a body; of lines of text there is none."""
    kinds = shape.type if isinstance(shape.type, tuple) else (shape.type,)
    return tuple(kind for kind in kinds if kind is not str)


def _schemas(operations: Sequence[Operation]) -> dict[str, Any]:
    shapes = [shape for one in operations for shape in (*one.answers, one.body) if shape is not None]
    types = dict.fromkeys(kind for shape in shapes for kind in _structs(shape))
    # One by one: forms of one event share its tag, so that no union of all of them can be made.
    schemas: dict[str, Any] = {}
    for type_ in (*types, Problem, *SEEN_EVENTS):
        schemas |= msgspec.json.schema_components([type_], ref_template=_REF)[1]
    return schemas
