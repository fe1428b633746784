"""`POST /v1/games/import`: what is taken, what is refused and why, and what nobody gets by it."""

from collections.abc import Mapping

import httpx2
import msgspec
import pytest

from events.game.presets import PRESETS
from events.log.verify import verify
from services.api.importing import LOG_LIMIT
from services.api.wire import BODY_LIMIT
from tests.log.arrivals import ARRIVALS, edited, from_another_program, headed
from tests.log.contents import contents
from tests.log.damage import source
from tests.log.damages import DAMAGES
from tests.log.games import SHORT, Book
from tests.services.api.table import ADMIN, LOCAL, PEOPLE, Api, Table, problem

PATH = "/v1/games/import"
NDJSON = {"Content-Type": "application/x-ndjson"}
KEY = {"Authorization": "Bearer k3y"}


@pytest.fixture(scope="module")
def ended() -> bytes:
    """The log of `00book`, which has ended."""
    return Book(SHORT, 1).moves().file()


@pytest.fixture(scope="module")
def other() -> bytes:
    """The log of another game of the same id."""
    return Book(SHORT, 2).moves().file()


def send(api: Api, file: bytes, headers: Mapping[str, str] | None = None) -> httpx2.Response:
    return api.http.post(PATH, content=file, headers=NDJSON | dict(headers or {}))


def take(api: Api, file: bytes) -> str:
    """The game that the log has become."""
    answer = send(api, file)
    assert answer.status_code == 201, answer.text
    assert answer.headers["location"] == f"/v1/games/{answer.json()['game']}"
    return answer.json()["game"]


@pytest.mark.parametrize("name", ARRIVALS)
def test_a_log_goes_in_and_comes_out_the_same(api: Api, name: str):
    """Section 3: to the byte."""
    file = ARRIVALS[name]()
    path = f"/v1/games/{take(api, file)}"
    assert api.get(f"{path}/log").content == file
    assert api.get(f"{path}/verification").json()["ok"]


def test_a_game_played_at_one_service_is_at_home_at_another(api: Api):
    """Given a log of this service, when another has taken it, then that shows what this one shows."""
    table = api.game(SHORT)
    for _ in range(5):
        table.play(*table.any_move())
    table.resign(0)
    there = Api()
    assert take(there, api.get(f"{table.path}/log").content) == table.game
    for query in ("", "?as=0", "?as=all", "?at=3"):
        assert there.get(table.path + query).json() == api.get(table.path + query).json()
    assert there.get(f"{table.path}/events?as=all").json() == api.get(f"{table.path}/events?as=all").json()


def test_a_log_comes_back_to_its_service_and_changes_nothing(api: Api):
    table = api.marked()
    table.resign(0)
    file, before = api.get(f"{table.path}/log").content, contents(api.store.client)
    assert take(api, file) == table.game
    assert contents(api.store.client) == before


def test_where_the_id_is_taken_or_none_the_game_gets_another(api: Api, ended: bytes, other: bytes):
    assert take(api, ended) == "00book"
    for file in (other, from_another_program()):
        game = take(api, file)
        exported = api.get(f"/v1/games/{game}/log").content
        assert exported == headed(file, game)
        assert verify(exported).ok
        assert take(api, file) == take(api, exported) == game
        assert api.get(f"/v1/games/{game}").json()["game"] == game


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_log_is_refused_whole(api: Api, name: str):
    """Acceptance 5: 422 `bad_log` with the lowest version that is missing or wrong, the same that `verify` names."""
    api.marked()
    before = contents(api.store.client)
    file, version = DAMAGES[name]()
    told = problem(send(api, file, {"Idempotency-Key": "k1"}), 422, "bad_log")
    assert told["version"] == verify(file).version == version
    where = f"version {version}" if version else "its head"
    assert told["detail"].startswith(f"The log is not taken: {where}: ")
    assert contents(api.store.client) == before


def test_a_log_that_goes_on_is_refused_at_the_version_that_is_missing(api: Api):
    told = problem(send(api, source("running")), 422, "bad_log")
    assert told["version"] == source("running").count(b"\n")
    assert "only the whole log of an ended game is taken" in told["detail"]


@pytest.mark.parametrize("body", [b"", b"\n", b"{}", b"\x00\xff" * 500, b"[" * 100_000, b'{"rules": "gato-e-rato"}'])
def test_what_is_no_log_is_refused_at_its_head(api: Api, body: bytes):
    assert problem(send(api, body), 422, "bad_log")["version"] == 0


@pytest.mark.parametrize(
    "media", ["application/json", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""]
)
def test_another_media_type_is_refused_and_those_that_are_taken_are_named(api: Api, ended: bytes, media: str):
    """Among them those that a page of another site could send unasked."""
    told = problem(send(api, ended, {"Content-Type": media}), 415, "unsupported_media")
    assert "application/x-ndjson or application/octet-stream" in told["detail"]


@pytest.mark.parametrize("media", ["application/octet-stream", "Application/X-NDJSON; charset=utf-8"])
def test_a_log_may_be_sent_as_any_file(api: Api, ended: bytes, media: str):
    assert send(api, ended, {"Content-Type": media}).status_code == 201


def test_a_log_of_no_stated_type_is_a_file_too(api: Api, ended: bytes):
    """As many clients send bytes (RFC 9110, section 8.3)."""
    answer = api.http.post("/v1/games/import", content=ended)
    assert "content-type" not in answer.request.headers
    assert answer.status_code == 201


def test_a_log_may_be_larger_than_other_bodies(api: Api):
    """Given a log of more than a mebibyte, when it is sent, then it is judged; 16 are too many."""
    name = "Ana" * BODY_LIMIT
    file = edited(source("short"), seats=[{"name": name, "kind": "human", "bot": None, "entropy": ""}] * 2)
    assert problem(send(api, file), 422, "bad_log")["version"] == 1
    told = problem(send(api, b" " * (LOG_LIMIT + 1)), 413, "too_large")
    assert str(LOG_LIMIT) in told["detail"]
    big = b'{"rules": "' + b"x" * BODY_LIMIT + b'"}'
    problem(api.http.post("/v1/games", content=big, headers={"Content-Type": "application/json"}), 413, "too_large")


def test_a_key_stands_for_one_file(api: Api, ended: bytes, other: bytes):
    """Section 5: the first answer again; another file, damaged or not, is `key_reused`."""
    key = {"Idempotency-Key": "k1"}
    problem(send(api, other[:-9], key), 422, "bad_log")
    first, again = send(api, ended, key), send(api, ended, key)
    assert (first.status_code, first.json()) == (again.status_code, again.json()) == (201, {"game": "00book"})
    assert first.headers["location"] == again.headers["location"]
    assert "idempotent-replayed" not in first.headers
    assert again.headers["idempotent-replayed"] == "true"
    assert "idempotent-replayed" not in send(api, ended, {"Idempotency-Key": "k2"}).headers
    before = contents(api.store.client)
    for file in (other, b"nonsense"):
        problem(send(api, file, key), 422, "key_reused")
    assert contents(api.store.client) == before
    assert send(api, other, key | ADMIN).status_code == 201, "keys are counted by caller"


def test_where_creating_takes_a_key_importing_does_too(ended: bytes):
    keyed = Api(api_keys={"ada": "k3y"}, base_url="https://malice.example")
    problem(send(keyed, ended), 401, "bad_token")
    table = Table(keyed, keyed.post("/v1/games", {"rules": SHORT, "seats": [{"name": "A"}, {"name": "B"}]}, KEY).json())
    problem(send(keyed, ended, table.tokens[0]), 403, "forbidden")
    assert send(keyed, ended, KEY).status_code == 201
    assert send(keyed, ended, ADMIN).status_code == 201


def test_requests_are_judged_in_the_contracts_order(ended: bytes):
    """Section 5: body, token, header forms, key, and what the file says last."""
    keyed = Api(api_keys={"ada": "k3y"}, base_url="https://malice.example")
    bad = {"Idempotency-Key": "no key"}
    problem(send(keyed, b"", {"Content-Type": "text/plain"} | bad), 415, "unsupported_media")
    problem(send(keyed, b"", bad), 401, "bad_token")
    problem(send(keyed, b"", KEY | bad), 400, "malformed")
    problem(send(keyed, b"", KEY | {"Idempotency-Key": "k1"}), 422, "bad_log")
    assert send(keyed, ended, KEY | {"Idempotency-Key": "k1"}).status_code == 201


def test_a_page_of_another_site_cannot_import(api: Api, ended: bytes):
    problem(send(api, ended, {"Origin": "https://evil.example"}), 403, "forbidden")
    assert send(api, ended, {"Origin": LOCAL}).status_code == 201


def test_an_imported_game_is_over_for_everybody(api: Api, ended: bytes):
    """Given a log that says it is of the match of a running game here, when the token of that is used on it, then it
    moves nothing, and the running game is as it was."""
    table = api.marked()
    game = take(api, edited(ended, match=table.game))
    before = contents(api.store.client)
    for path, body in (("moves", {"move": "9c>s3"}), ("resign", {}), ("seats", {"name": "Eve"})):
        problem(api.post(f"/v1/games/{game}/{path}", body, table.tokens[0]), 409, "game_over")
    assert contents(api.store.client) == before
    assert (api.woken, table.version()) == ([table.game], 1)


def test_a_token_of_a_seat_that_the_game_has_not_is_for_no_seat_of_it(api: Api, ended: bytes):
    """Given a match of three, when a log of two seats says that it is of that, then the third's token is refused there
    at every door, and those of the others are good for looking, as they were."""
    rules = msgspec.structs.replace(PRESETS["spite-and-malice"].rules, seats=3)
    asked = {"rules": msgspec.to_builtins(rules), "seats": [{"name": name} for name in ("Ada", "Ben", "Cid")]}
    match = api.post("/v1/matches", asked).json()
    game = take(api, edited(ended, match=match["match"]))
    path = f"/v1/games/{game}"
    for seat, token in enumerate({"Authorization": f"Bearer {seat['token']}"} for seat in match["seats"]):
        for answer in (api.get(path, token), api.get(f"{path}/events", token)):
            assert answer.status_code == 200 if seat < 2 else problem(answer, 403, "forbidden")
        if seat == 2:
            problem(api.get(f"{path}?as=0", token), 403, "forbidden")
            problem(api.get(f"{path}/log", token), 403, "forbidden")
            problem(api.post(f"{path}/resign", None, token), 403, "forbidden")


def test_a_log_never_gets_the_id_of_a_match(api: Api, ended: bytes):
    """Given a match, when a log comes under its id, then that goes on naming the match alone; the log has another, the
    same each time."""
    match = api.post("/v1/matches", {"rules": "spite-and-malice", "seats": PEOPLE}).json()["match"]
    game = take(api, headed(ended, match))
    assert game != match
    problem(api.get(f"/v1/games/{match}"), 404, "unknown_game")
    assert take(api, headed(ended, match)) == game
    assert api.get(f"/v1/games/{game}/log").content == headed(ended, game)


def test_a_log_that_names_a_running_game_here_opens_nothing_of_it(api: Api):
    """Given a running game, when a log comes that calls it its origin and its match, then its cards stay hidden."""
    table = api.marked()
    origin = {"game": table.game, "version": 1}
    take(api, edited(source("from-a-position"), "00evil", forked_from=origin, match=table.game))
    for path in (f"{table.path}?as=all", f"{table.path}/log", f"{table.path}/verification"):
        problem(api.get(path), 403, "forbidden")
    assert api.get("/v1/games/00evil").status_code == 200


def test_logs_that_name_each_other_as_origins_are_looked_at_without_end(api: Api):
    """Given imported games in a circle, when one is asked for with all cards, then there is an answer."""
    file = source("from-a-position")
    for game, origin in (("00one", "00two"), ("00two", "00three"), ("00three", "00two"), ("00self", "00self")):
        take(api, edited(file, game, forked_from={"game": origin, "version": 1}))
    for game in ("00one", "00two", "00three", "00self"):
        assert api.get(f"/v1/games/{game}?as=all").status_code == 200
        assert api.get(f"/v1/games/{game}/log").status_code == 200


def test_a_row_of_origins_is_followed_only_so_far(api: Api):
    """Given a very long row of forks, when its end is asked for, then nothing is shown."""
    file = source("from-a-position")
    for number in range(103):
        take(api, edited(file, f"00row{number}", forked_from={"game": f"00row{number - 1}", "version": 1}))
    assert api.get("/v1/games/00row99/log").status_code == 200
    problem(api.get("/v1/games/00row102/log"), 403, "forbidden")


def test_a_log_of_a_match_is_told_that_its_games_are_what_is_taken(api: Api):
    match = api.post("/v1/matches", {"rules": "spite-and-malice", "seats": PEOPLE}).json()["match"]
    told = problem(send(api, api.get(f"/v1/matches/{match}/log").content), 422, "bad_log")
    assert told["version"] == 0
    assert "import the logs of its games" in told["detail"]
