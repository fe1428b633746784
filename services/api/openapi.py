"""What does the service say of itself? The OpenAPI 3.1 document, made from the operations and the wire types.

Law kept: nothing is described twice. Schemas come from the msgspec types (`components`), summaries from the handlers'
docstrings, examples from a real game (`examples`), problems from the one table of codes and the errors themselves.
"""

import inspect
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import msgspec
from starlette.requests import Request

from events.errors import Malformed
from services.api.components import reference, schema_of, schemas
from services.api.links import links
from services.api.local import foreign
from services.api.operation import Operation, Shape
from services.api.parameters import PARAMETERS, headers, parameter, shared_headers
from services.api.problems import KINDS, MEDIA_TYPE, Problem, code_of, problem, problem_of
from services.api.wire import JSON, Ask, decoded

TAGS: Final[dict[str, tuple[str, str]]] = {
    "Games": (r"/v1/games(/{game}(/seats|/rematch)?)?", "Begin a game, find one, sit down, look, play again."),
    "Moves": (r"/v1/games/{game}/(moves|resign)", "What a seat does, with its token."),
    "History": (r"/v1/games/.*", "What happened: live, as a file, again."),
    "Matches": (r"/v1/matches.*", "Games between the same seats, to a number of points."),
    "Arenas": (r"/v1/arenas.*", "Bots against each other, many games over the same deals."),
    "Service": (r".*", "What can be played, by whom, and whether all is well."),
}
"""By the path: the first that fits."""
_MORE: Final[dict[str, dict[str, Any]]] = {
    "version_conflict": {"version": 18},  # as the sentences in `problems.KINDS` have them
    "bad_log": {"version": 17},
}


def document(operations: Sequence[Operation], *, title: str, version: str, about: str) -> dict[str, Any]:
    """The whole document, as values that JSON knows."""
    known = {operation.name for operation in operations}
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _described(operation, known)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": title,
            "version": version,
            "summary": about.partition("\n")[0],
            "description": about,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/", "description": "This service."}],
        "tags": [{"name": name, "description": told} for name, (_, told) in TAGS.items()],
        "paths": paths,
        "components": {
            "schemas": schemas(operations),
            "headers": shared_headers(),
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
    for error in operation.met():
        if code_of(error) == code:
            return problem_of(error)
    if code == "forbidden" and code not in operation.problems:
        return problem(code, foreign("games.example", None) or KINDS[code].example)
    details = {
        "malformed": _malformed,
        "too_large": _too_large,
        "unsupported_media": _unsupported,
        "unavailable": _away,
    }
    detail = details[code](operation) if code in details else KINDS[code].example
    return problem(code, detail, **_MORE.get(code, {}))


def _malformed(operation: Operation) -> str:
    """What it really says of a body, or else of a query, that it does not know."""
    try:
        if operation.body is not None and operation.body.type is not str:
            decoded(b'{"colour": "red"}', msgspec.json.Decoder(operation.body.type))
        query = [parameter(name)["name"] for name in operation.parameters if PARAMETERS[name]["in"] == "query"]
        Ask(Request({"type": "http", "query_string": b"colour=red", "headers": []}), b"").query(*query)
    except Malformed as error:
        return str(error)
    raise ValueError(f"{operation.name} takes what it does not know")


def _too_large(operation: Operation) -> str:
    return f"The body has more than {operation.body_limit} bytes."


def _unsupported(operation: Operation) -> str:
    taken = (operation.body.media, *operation.body.also) if operation.body is not None else (JSON,)
    return f"The body is text/plain; send {' or '.join(taken)}."


def _away(operation: Operation) -> str:
    keyed = "Idempotency-Key" in operation.parameters
    return KINDS["unavailable"].example if keyed else "The store does not answer. Ask again."


def _described(operation: Operation, known: set[str]) -> dict[str, Any]:
    summary, _, description = (inspect.getdoc(operation.handler) or operation.name).partition("\n")
    names = (*re.findall(r"{(\w+)}", operation.path), *operation.parameters)
    told: dict[str, Any] = {
        "operationId": operation.name,
        "tags": [next(name for name, (path, _) in TAGS.items() if re.fullmatch(path, operation.path))],
        "summary": summary.rstrip("."),
        "description": description.strip(),
        "parameters": [parameter(name) for name in names],
        "responses": dict(_responses(operation, known)),
    }
    if operation.body is not None:
        content = _content([operation.body], asked=True)
        told["requestBody"] = {"required": operation.body_required, "content": content}
    if operation.secured:
        told["security"] = [{}, {"bearer": []}]
    return told | dict(operation.more)


def _responses(operation: Operation, known: set[str]) -> Iterable[tuple[str, dict[str, Any]]]:
    done = {
        "description": "Done.",
        "headers": headers(operation, operation.headers),
        "content": _content(operation.answers),
    }
    onward = links(operation.name, known)
    yield str(operation.status), done | ({"links": onward} if onward else {})
    if operation.empty:
        yield "204", {"description": operation.empty, "headers": headers(operation)}
    if "If-None-Match" in operation.parameters:
        yield "304", {"description": "Nothing has happened since.", "headers": headers(operation, operation.headers)}
    for status in sorted({KINDS[code].status for code in operation.codes if code in KINDS}):
        told = {code: example_problem(code, operation) for code in operation.codes if KINDS[code].status == status}
        yield (
            str(status),
            {
                "description": "; ".join(f"`{code}`: {problem.title}" for code, problem in told.items()),
                "headers": headers(operation, (), status),
                "content": {
                    MEDIA_TYPE: {
                        "schema": reference(Problem),
                        "examples": {code: {"value": msgspec.to_builtins(problem)} for code, problem in told.items()},
                    }
                },
            },
        )


def _content(shapes: Iterable[Shape], *, asked: bool = False) -> dict[str, Any]:
    return {
        media: {
            "schema": schema_of(shape, asked=asked),
            "examples": {
                name: {"value": msgspec.to_builtins(made())} | _said(made)
                for name, made in {"example": shape.example, **shape.more}.items()
            },
        }
        | ({"x-itemSchema": {"anyOf": [reference(kind) for kind in shape.lines]}} if shape.lines else {})
        for shape in shapes
        for media in (shape.media, *shape.also)
    }


def _said(made: Callable[[], object]) -> dict[str, str]:
    said = inspect.getdoc(made) if inspect.isfunction(made) else None
    return {"summary": said.partition("\n")[0]} if said else {}
