"""What the service says of itself: every route, every code, examples that are true, and a page for people."""

import re
import time
import unicodedata
from collections.abc import Iterator
from typing import Any, Final, get_args

import jsonschema_rs
import msgspec
import pytest
from schemathesis.specs.openapi.definitions import OPENAPI_31
from starlette.routing import Route

from events.errors import Malformed
from events.game import moves as moves_notation
from events.game.events import Event
from events.game.moves import parse_move
from events.game.views import seen_by
from events.log.record import read_log
from services.api import creation, examples, moves, page
from services.api.app import OPERATIONS
from services.api.links import LINKS
from services.api.openapi import document as described
from services.api.operation import Operation, Shape
from services.api.problems import KINDS, code_of
from services.api.seating import NAME_PATTERN, NAMES, check_name
from tests.log.recipes import RECIPES, golden
from tests.services.api.table import Api, problem

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
UNDOCUMENTED: Final = {"/openapi.json", "/docs", *page.SCREENS, page.FILES}
"""For people: the document is of what programs ask."""


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
    for part in ("schemas", "headers"):
        names = set(re.findall(rf'"#/components/{part}/([\w-]+)"', msgspec.json.encode(document).decode()))
        assert names == set(document["components"][part])


def test_the_document_is_in_the_form_of_openapi_3_1_and_its_schemas_are_schemas(document: Any):
    jsonschema_rs.validate(OPENAPI_31, document)
    for schema in document["components"]["schemas"].values():
        jsonschema_rs.meta.validate(schema | {"$schema": DIALECT})


def validator(document: Any, schema: Any) -> Any:
    """A validator of a schema that stands somewhere in the document."""
    whole = {"$schema": DIALECT, "allOf": [schema], "components": document["components"]}
    return jsonschema_rs.validator_for(whole)


def contents(told: Any) -> Iterator[tuple[str, Any]]:
    for holder in (told.get("requestBody", {}), *told["responses"].values()):
        yield from holder.get("content", {}).items()


def test_every_example_is_of_its_schema(document: Any):
    for _, _, told in operations(document):
        for one in told["parameters"]:
            validator(document, one["schema"]).validate(one["example"])
        for _, content in contents(told):
            for example in content["examples"].values():
                validator(document, content["schema"]).validate(example["value"])
        for response in told["responses"].values():
            for header in response["headers"].values():
                name = header.get("$ref", "").rpartition("/")[2]
                whole = document["components"]["headers"][name] if name else header
                validator(document, whole["schema"]).validate(whole["example"])


def test_every_line_and_message_of_an_example_is_of_the_shape_that_the_document_names(document: Any):
    found = 0
    for _, _, told in operations(document):
        for _, content in contents(told):
            if content["schema"].get("type") == "string":
                for line in content["examples"]["example"]["value"].splitlines():
                    text = line.removeprefix("data: ")
                    if text.startswith("{"):
                        validator(document, content["x-itemSchema"]).validate(msgspec.json.decode(text))
                        found += 1
    assert found > 15


def test_a_request_takes_no_unknown_field_and_an_answer_may_gain_one(document: Any):
    def schemas_of(content: Any) -> set[str]:
        names: set[str] = set()
        waiting = [content]
        while waiting:
            for name in re.findall(r'"#/components/schemas/(\w+)"', msgspec.json.encode(waiting.pop()).decode()):
                if name not in names:
                    names.add(name)
                    waiting.append(document["components"]["schemas"][name])
        return names

    asked = {
        name for *_, told in operations(document) for name in schemas_of(told.get("requestBody", {}).get("content", {}))
    }
    answered = {name for *_, told in operations(document) for name in schemas_of(told["responses"])}
    lines = schemas_of(document["paths"]["/v1/games/import"]["post"]["requestBody"])
    for name, schema in document["components"]["schemas"].items():
        closed = schema.get("additionalProperties") is False
        if name in answered:
            assert b'"additionalProperties":false' not in msgspec.json.encode(schema), name
        elif name in asked - lines and "properties" in schema:
            assert closed, name


def test_the_union_of_events_names_the_shape_of_every_type(document: Any):
    """Where others see less of an event, its type leads to the forms that it has; each of them bears that type."""
    schemas = document["components"]["schemas"]
    union = schemas["SeenEvent"]
    mapping = union["discriminator"]["mapping"]
    assert set(mapping) == {kind.__name__ for kind in get_args(Event)}
    assert [one["$ref"] for one in union["oneOf"]] == list(mapping.values())
    twice = set()
    for tag, target in mapping.items():
        one = schemas[target.rpartition("/")[2]]
        forms = [schemas[form["$ref"].rpartition("/")[2]] for form in one.get("oneOf", [])] or [one]
        assert [form["properties"]["type"]["enum"] for form in forms] == [[tag]] * len(forms)
        twice |= {tag} if len(forms) > 1 else set()
    assert twice == {"CardsDealt", "CardsDrawn", "PayoffsReshuffled", "PositionSet", "StockShuffled"}


def test_every_event_is_of_exactly_one_of_its_shapes_for_whoever_looks(document: Any):
    whole = validator(document, {"$ref": "#/components/schemas/SeenEvent"})
    for event in golden_events():
        for seen in (event, seen_by(event, None), seen_by(event, 0), seen_by(event, 1)):
            whole.validate(msgspec.to_builtins(seen))


def golden_events() -> list[Event]:
    """Of every type one, at the least."""
    found: dict[str, Event] = {}
    for name in RECIPES:
        for commit in read_log(golden(name).read_bytes()).commits:
            found |= {type(event).__name__: event for event in commit.events}
    assert set(found) == {kind.__name__ for kind in get_args(Event)}
    return list(found.values())


def test_every_operation_has_tags_that_are_described_and_links_that_lead_somewhere(document: Any):
    tags = {tag["name"] for tag in document["tags"]}
    ids = {told["operationId"] for _, _, told in operations(document)}
    used: set[str] = set()
    for _, _, told in operations(document):
        assert len(told["tags"]) == 1
        used |= set(told["tags"])
        for response in told["responses"].values():
            assert {link["operationId"] for link in response.get("links", {}).values()} <= ids
    assert used == tags
    assert set(LINKS) <= ids


def test_the_examples_of_an_operation_are_its_own(document: Any):
    """No game stands where there is none, and a refusal says what this operation refuses."""
    for method, path, told in operations(document):
        problems = [
            example["value"]
            for response in told["responses"].values()
            for example in response.get("content", {})
            .get("application/problem+json", {"examples": {}})["examples"]
            .values()
        ]
        details = {one["code"]: one["detail"] for one in problems}
        assert "mve" not in details["malformed"]
        if path.startswith(("/v1/arenas", "/v1/rules", "/v1/bots", "/healthz", "/readyz")):
            assert "spectator" not in details["forbidden"]
            assert "Game " not in " ".join(details.values())
        if "too_large" in details and path.endswith("import"):
            assert "16777216" in details["too_large"]
            assert "ndjson" in details["unsupported_media"]
        if method == "GET" and "unavailable" in details:
            assert "key" not in details["unavailable"]


def test_the_name_of_a_seat_may_hold_what_the_document_says():
    """The pattern stands for the check, character by character."""
    pattern = re.compile(NAME_PATTERN)
    for code in (*range(0xD800), *range(0xE000, 0x10000), 0x1F0A1):
        try:
            check_name(f"A{chr(code)}")
        except Malformed:
            assert not pattern.fullmatch(chr(code)), hex(code)
        else:
            assert pattern.fullmatch(chr(code)), hex(code)


def test_a_name_that_shows_nothing_is_none_by_the_document_too():
    """Category by category: what is no letter to anybody, alone and with others of the kind."""
    pattern = re.compile(NAMES)
    for code in (*range(0xD800), *range(0xE000, 0x10000)):
        sign = chr(code)
        unseen = unicodedata.category(sign) in ("Cc", "Cf", "Zs", "Zl", "Zp")
        assert bool(pattern.fullmatch(sign)) == bool(re.fullmatch(NAME_PATTERN, sign) and not unseen), hex(code)
    for name in ("", " ", "\u00a0", "\u200b\u2003", "\U000e0041", "A\u202e", " A ", "Ä\u00a0B", "\U0001f0a1"):
        try:
            check_name(name)
        except Malformed:
            assert not pattern.fullmatch(name), name
        else:
            assert pattern.fullmatch(name), name


def test_the_pattern_of_a_move_is_its_notation():
    pattern = re.compile(moves_notation.PATTERN)
    assert all(pattern.fullmatch(text) for text in moves_notation.MOVES)
    for text in ("", "Pass", "7h>c", "7h>c10", "1h>c0", "p>s0", "s1>s0", "p@12>c0", "*>c0", "7h>d0", "7h>c2\n"):
        assert not pattern.fullmatch(text)


def test_the_document_is_made_fast_enough_for_a_first_request():
    started = time.process_time()
    document = described(OPERATIONS, title="x", version="1", about="x")
    assert document["paths"]
    assert time.process_time() - started < 1


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


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_a_query_that_an_operation_does_not_know_is_refused_by_name(api: Api, operation: Operation):
    """Everywhere in the same way, and before anything is done."""
    table = api.game()
    match = api.post("/v1/matches", {"rules": "spite-and-malice", "seats": [{"name": "Ada"}, {"open": True}]}).json()
    arena = api.post("/v1/arenas", {"bots": ["greedy", "uniform"], "games": 2, "rules": "gato-e-rato"}).json()
    path = operation.path.format(game=table.game, match=match["match"], arena=arena["arena"])
    if operation.name in ("read_log", "read_verification", "fork_game", "rematch"):
        assert table.resign(0).status_code == 200
    body = operation.body.example() if operation.body is not None else b""
    written = body.encode() if isinstance(body, str) else msgspec.json.encode(body) if body else b""
    headers = {"Content-Type": operation.body.media} if operation.body is not None else {}
    if operation.name in ("play", "resign"):
        headers |= table.tokens[0]
    before = api.store.version(table.game)
    answer = api.http.request(operation.method, f"{path}?colour=red", content=written, headers=headers)
    assert "colour" in problem(answer, 400, "malformed")["detail"]
    assert api.store.version(table.game) == before
    assert api.get(f"/v1/arenas/{arena['arena']}").json()["status"] == "queued"


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PUT", "/v1/games", "GET, HEAD, POST"),
        ("DELETE", "/v1/games/import", "POST"),
        ("POST", "/v1/arenas/0", "DELETE, GET, HEAD"),
        ("PATCH", "/healthz", "GET, HEAD"),
    ],
)
def test_a_method_that_a_path_has_not_is_answered_with_those_that_it_has(
    api: Api, method: str, path: str, allowed: str
):
    answer = api.http.request(method, path)
    problem(answer, 405, "method_not_allowed")
    assert answer.headers["allow"] == allowed
