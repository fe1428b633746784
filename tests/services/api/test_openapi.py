"""What the service says of itself: every route, every code, examples that are true, and a page for people."""

import re
from collections.abc import Iterator
from typing import Any, Final

import msgspec
import pytest
from starlette.routing import Route

from events.game.moves import parse_move
from services.api import creation, examples, moves
from services.api.app import OPERATIONS
from services.api.operation import Shape
from services.api.problems import KINDS, code_of
from tests.services.api.table import Api

UNDOCUMENTED: Final = {"/openapi.json", "/docs"}


@pytest.fixture
def document(api: Api) -> Any:
    return api.get("/openapi.json").json()


def operations(document: Any) -> Iterator[tuple[str, str, Any]]:
    for path, methods in document["paths"].items():
        for method, told in methods.items():
            yield method.upper(), path, told


def test_every_route_of_the_application_is_in_the_document(api: Api, document: Any):
    told = {(method, path) for method, path, _ in operations(document)}
    assert document["openapi"] == "3.1.0"
    assert told == {(operation.method, operation.path) for operation in OPERATIONS}
    served = {route.path for route in api.app.routes if isinstance(route, Route)}
    assert served - UNDOCUMENTED == {path for _, path in told}


def test_every_operation_has_a_sentence_an_id_of_its_own_and_its_path_parameters(document: Any):
    ids = [told["operationId"] for _, _, told in operations(document)]
    assert len(set(ids)) == len(ids)
    for _, path, told in operations(document):
        assert told["summary"]
        in_path = {one["name"] for one in told["parameters"] if one["in"] == "path"}
        assert in_path == set(re.findall(r"{(\w+)}", path))
        assert all(one["description"] and "example" in one for one in told["parameters"])


def test_every_code_of_a_problem_is_documented_where_it_can_occur(document: Any):
    found: set[str] = set()
    for _, _, told in operations(document):
        for status, response in told["responses"].items():
            for code, example in (
                response.get("content", {}).get("application/problem+json", {"examples": {}})["examples"].items()
            ):
                assert example["value"]["status"] == int(status) == KINDS[code].status
                found.add(code)
    assert found == set(KINDS) - {"not_found", "method_not_allowed"}


def test_every_reference_leads_to_a_schema(document: Any):
    names = set(re.findall(r'"#/components/schemas/(\w+)"', msgspec.json.encode(document).decode()))
    assert names == set(document["components"]["schemas"])


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_every_body_has_an_example_that_is_of_its_type(operation: Any):
    shapes: list[Shape] = [*operation.answers, *([operation.body] if operation.body else [])]
    for shape in shapes:
        kinds = shape.type if isinstance(shape.type, tuple) else (shape.type,)
        example = shape.example()
        assert isinstance(example, kinds)
        written = msgspec.json.encode(example)
        assert msgspec.json.encode(msgspec.json.decode(written, type=type(example))) == written


def test_the_examples_of_a_game_fit_together():
    assert examples.view_of_a_seat().legal
    assert parse_move(examples.first_move())
    assert examples.verification().ok
    assert examples.match_verification().ok
    assert examples.match_state().totals == examples.match_verification().totals
    assert examples.resigned().view.status == "ended"


def test_the_examples_of_requests_are_taken(api: Api, document: Any):
    body = document["paths"]["/v1/games"]["post"]["requestBody"]["content"]["application/json"]["examples"]
    assert api.post("/v1/games", body["example"]["value"]).status_code == 201
    assert msgspec.convert(body["example"]["value"], creation.NewGame)
    asked = document["paths"]["/v1/matches"]["post"]["requestBody"]["content"]["application/json"]["examples"]
    assert api.post("/v1/matches", asked["example"]["value"]).status_code == 201
    sent = document["paths"]["/v1/games/{game}/moves"]["post"]["requestBody"]["content"]["application/json"]
    assert msgspec.convert(sent["examples"]["example"]["value"], moves.AskedMove)


def test_every_error_of_the_tree_has_a_code():
    import events.errors

    kinds = [kind for kind in vars(events.errors).values() if isinstance(kind, type)]
    known = [kind for kind in kinds if issubclass(kind, events.errors.MaliceError)]
    assert len(known) == 13
    for kind in known[1:]:
        arguments = {
            "Rejected": (events.errors.Reason.MUST_PLAY, "no"),
            "Conflict": ("g", 1, 2),
            "UnknownVersion": (4, 2),
            "Unreadable": (1, "x"),
            "BadLog": (1, "x"),
        }
        assert code_of(kind(*arguments.get(kind.__name__, ("text",)))) != "internal"


def test_the_page_lists_every_operation_and_every_problem_and_asks_nobody_else(api: Api, document: Any):
    answer = api.get("/docs")
    assert answer.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    for _, _, told in operations(document):
        assert f'id="{told["operationId"]}"' in answer.text
    for code in KINDS:
        assert f'id="{code}"' in answer.text
    assert not re.findall(r"(?:src|href)=\"(?!#|/openapi\.json)", answer.text)
    assert "<script" not in answer.text
