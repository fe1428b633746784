"""Bodies and paths out of form: each gets a problem that says what is wrong, and none is a fault of the service."""

from collections.abc import Iterator

import pytest

from services.api.wire import BODY_LIMIT
from tests.services.api.table import PEOPLE, Api, problem

JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"nonsense",
        b"[]",
        b"null",
        b'"7h>c2"',
        b"{}",
        b'{"move": 7}',
        b'{"move": null}',
        b'{"move": "7h>c2", "mve": 1}',
        b'{"move": "7h>c2"} {}',
        b'{"move": "\xff"}',
        b'{"move": "\\ud800"}',
        b'\xef\xbb\xbf{"move": "pass"}',
        b'{"move": NaN}',
        b'{"move": "' + b"x" * 100_000 + b'"}',
        b"[" * 100_000,
    ],
)
def test_a_move_out_of_form_is_malformed(api: Api, body: bytes):
    table = api.marked()
    told = problem(api.http.post(f"{table.path}/moves", content=body, headers=table.tokens[0] | JSON), 400, "malformed")
    assert len(told["detail"]) < 1100


@pytest.mark.parametrize(
    "text", ["7H>c2", "10h>c2", "7h>c10", " pass", "pass ", "7h>C2", "7h>p", "s1>s2", "", "😀", "7h>c٣"]
)
def test_a_text_that_is_no_move_is_malformed(api: Api, text: str):
    problem(api.marked().play(0, text), 400, "malformed")


@pytest.mark.parametrize(
    "rules",
    [
        b'{"a": ' + b"[" * 5000 + b"]" * 5000 + b"}",
        b'{"preset": "gato-e-rato", "payoff": ' + b"9" * 4000 + b"}",
        b'{"preset": "gato-e-rato", "payoff": 1e400}',
        b'{"preset": {"a": 1}, "payoff": [1]}',
        b'{"preset": "gato-e-rato", "payoff": true}',
        b"7",
        b'"' + b"x" * 500_000 + b'"',
    ],
)
def test_rules_of_any_shape_are_refused_by_name_and_not_by_a_fault(api: Api, rules: bytes):
    body = b'{"seats": [{"name": "A"}, {"name": "B"}], "rules": ' + rules + b"}"
    answer = api.http.post("/v1/games", content=body, headers=JSON)
    assert answer.json()["code"] in ("malformed", "bad_rules"), answer.text
    assert len(answer.content) < 1500


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Content-Type": "text/plain"},
        {"Content-Type": "application/x-www-form-urlencoded"},
        {"Content-Type": "application/jsonp"},
        {"Content-Type": "application/json; charset=latin-1"},
        {"Content-Type": "application/json", "Content-Encoding": "gzip"},
    ],
)
def test_a_body_that_is_not_json_in_utf8_by_its_headers_is_unsupported(api: Api, headers: dict[str, str]):
    table = api.marked()
    answer = api.http.post(f"{table.path}/moves", content=b'{"move": "9c>s3"}', headers=table.tokens[0] | headers)
    problem(answer, 415, "unsupported_media")


@pytest.mark.parametrize("media", ["application/json; charset=utf-8", "Application/JSON;charset=UTF-8"])
def test_json_may_say_that_it_is_in_utf8(api: Api, media: str):
    table = api.marked()
    headers = table.tokens[0] | {"Content-Type": media}
    assert api.http.post(f"{table.path}/moves", content=b'{"move": "9c>s3"}', headers=headers).status_code == 200


def test_a_body_beyond_the_limit_is_too_large_stated_or_chunked(api: Api):
    big = b'{"move": "' + b"x" * BODY_LIMIT + b'"}'

    def chunks() -> Iterator[bytes]:
        for at in range(0, len(big), 65536):
            yield big[at : at + 65536]

    path = f"{api.marked().path}/moves"
    for content in (big, chunks()):
        problem(api.http.post(path, content=content, headers=JSON), 413, "too_large")


def test_resigning_takes_no_body_or_an_empty_object(api: Api):
    table = api.marked()
    problem(api.post(f"{table.path}/resign", {"sure": True}, table.tokens[0]), 400, "malformed")
    assert api.post(f"{table.path}/resign", {}, table.tokens[0]).status_code == 200


def test_a_new_game_needs_rules_and_seats_and_knows_no_further_field(api: Api):
    body = {"rules": "gato-e-rato", "seats": PEOPLE}
    for missing in body:
        told = problem(api.post("/v1/games", {k: v for k, v in body.items() if k != missing}), 400, "malformed")
        assert f"`{missing}`" in told["detail"]
    for unknown in ("visible", "nonsense"):
        told = problem(api.post("/v1/games", body | {unknown: None}), 400, "malformed")
        assert f"`{unknown}`" in told["detail"]


def test_paths_and_methods_that_are_not_there_get_problems_too(api: Api):
    problem(api.get("/v2/games"), 404, "not_found")
    problem(api.get("/v1/games/a/b/c"), 404, "not_found")
    answer = api.http.put("/v1/rules")
    problem(answer, 405, "method_not_allowed")
    assert sorted(answer.headers["allow"].split(", ")) == ["GET", "HEAD"]
    assert api.http.head("/v1/rules").status_code == 200


def test_a_fault_of_the_service_says_nothing_of_its_inside(api: Api, monkeypatch: pytest.MonkeyPatch):
    def fail(_game: str) -> None:
        raise RuntimeError("the password is xyzzy")

    monkeypatch.setattr(api.store, "load", fail)
    told = problem(api.get("/v1/games/00abc"), 500, "internal")
    assert "xyzzy" not in str(told)
