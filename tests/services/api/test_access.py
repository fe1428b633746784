"""Who may do what: seat tokens, API keys, the admin key, and pages of somewhere else."""

import pytest

from tests.services.api.table import ADMIN, PEOPLE, Api, problem

BODY = {"rules": "gato-e-rato", "seats": PEOPLE}
KEY = {"Authorization": "Bearer k3y"}


@pytest.fixture
def keyed() -> Api:
    """A deployment with two API keys."""
    return Api(api_keys={"ada": "k3y", "ben": "schlüssel"}, base_url="https://malice.example")


def test_a_token_is_derived_and_stored_nowhere(api: Api):
    table = api.marked()
    token = table.tokens[0]["Authorization"].removeprefix("Bearer ")
    assert token == api.access.token(table.game, 0)
    dump = b"".join(api.store.client.dump(key) for key in api.store.client.scan_iter())
    assert token.rpartition(".")[2].encode() not in dump


@pytest.mark.parametrize(
    "header",
    [
        "Bearer garbled",
        "Bearer",
        "Bearer ",
        "Basic YTpi",
        "Bearer {game}.0.{zeros}",
        "Bearer {game}.1.{mac}",
        "Bearer {game}.7.{mac}",
        "Bearer {game}.0.{mac}0",
        "bearer {game}.00.{mac}",
        "Bearer \u00e9",
    ],
)
def test_a_token_that_the_service_did_not_give_is_bad_everywhere(api: Api, header: str):
    table = api.marked()
    mac = api.access.token(table.game, 0).rpartition(".")[2]
    text = header.format(game=table.game, mac=mac, zeros="0" * 64)
    headers = [(b"authorization", text.encode("latin-1"))]
    answers = [api.http.get(table.path + path, headers=headers) for path in ("", "/events", "/log", "/verification")]
    answers.append(api.http.post(f"{table.path}/moves", json={"move": "9c>s3"}, headers=headers))
    answers.append(api.http.post("/v1/games", json=BODY, headers=headers))
    for answer in answers:
        problem(answer, 401, "bad_token")
        assert answer.headers["www-authenticate"] == "Bearer"


def test_the_scheme_of_a_token_may_be_written_in_any_case(api: Api):
    table = api.marked()
    text = table.tokens[0]["Authorization"].replace("Bearer", "bEARER")
    assert api.get(table.path, {"Authorization": text}).json()["seat"] == 0


def test_a_token_of_another_game_is_forbidden_whatever_is_asked(api: Api):
    table, other = api.marked(), api.marked()
    for path in ("", "/events", "/log", "/verification"):
        problem(api.get(table.path + path, other.tokens[0]), 403, "forbidden")
    problem(api.post(f"{table.path}/moves", {"move": "9c>s3"}, other.tokens[0]), 403, "forbidden")
    problem(api.post(f"{table.path}/resign", {}, other.tokens[0]), 403, "forbidden")
    problem(api.post(f"{table.path}/seats", {"name": "Eve"}, other.tokens[0]), 403, "forbidden")


def test_where_api_keys_are_set_creating_needs_one_or_the_admin_key(keyed: Api):
    problem(keyed.post("/v1/games", BODY), 401, "bad_token")
    problem(keyed.post("/v1/games", BODY, {"Authorization": "Bearer nobody"}), 401, "bad_token")
    made = keyed.post("/v1/games", BODY, KEY)
    assert made.status_code == 201
    assert keyed.post("/v1/games", BODY, ADMIN).status_code == 201
    utf8 = [(b"authorization", "Bearer schlüssel".encode())]
    assert keyed.http.post("/v1/games", json=BODY, headers=utf8).status_code == 201
    seat = {"Authorization": f"Bearer {made.json()['seats'][0]['token']}"}
    problem(keyed.post("/v1/games", BODY, seat), 403, "forbidden")


def test_an_api_key_watches_a_game_and_moves_nobody_in_it(keyed: Api):
    path = keyed.post("/v1/games", BODY, KEY).headers["location"]
    assert keyed.get(path, KEY).json()["seat"] is None
    assert keyed.get(path).status_code == 200
    problem(keyed.post(f"{path}/moves", {"move": "pass"}, KEY), 403, "forbidden")
    problem(keyed.get(f"{path}/log", KEY), 403, "forbidden")


def test_keys_of_two_callers_are_two(keyed: Api):
    key = {"Idempotency-Key": "k"}
    first = keyed.post("/v1/games", BODY, KEY | key).json()
    assert keyed.post("/v1/games", BODY, ADMIN | key).json() != first
    assert keyed.post("/v1/games", BODY, KEY | key).json() == first


def test_without_an_admin_key_nobody_is_the_admin():
    api = Api(admin_key=None)
    table = api.game()
    problem(api.get(f"{table.path}/log", ADMIN), 401, "bad_token")
    problem(api.get(f"{table.path}/log", {"Authorization": "Bearer None"}), 401, "bad_token")


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8000", "127.0.0.1:9", "[::1]:8000", "[::1]"])
def test_without_keys_the_service_answers_to_names_of_this_machine(api: Api, host: str):
    assert api.get("/v1/rules", {"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "localhost.evil.example:8000",
        "127.0.0.1.evil.example",
        "",
        "evil@localhost",
        "localhost/",
        "::1",
    ],
)
def test_without_keys_another_host_is_refused_everywhere(api: Api, host: str):
    for path in ("/v1/rules", "/docs", "/openapi.json", "/nowhere"):
        problem(api.get(path, {"Host": host}), 403, "forbidden")


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://localhost:3000", "http://127.0.0.1:8000", ""]
)
def test_without_keys_a_page_of_another_origin_is_refused(api: Api, origin: str):
    problem(api.post("/v1/games", BODY, {"Origin": origin}), 403, "forbidden")


def test_without_keys_a_page_of_the_service_itself_is_served(api: Api):
    assert api.post("/v1/games", BODY, {"Origin": "http://localhost:8000"}).status_code == 201


def test_with_keys_or_open_any_host_is_served(keyed: Api):
    elsewhere = {"Origin": "https://elsewhere.example"}
    assert keyed.post("/v1/games", BODY, elsewhere | KEY).status_code == 201
    public = Api(open=True, base_url="https://malice.example")
    assert public.post("/v1/games", BODY, elsewhere).status_code == 201
