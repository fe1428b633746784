"""Every request has an id, in its answer and in every line that is logged of it; and no line holds a secret."""

import logging
import re

import httpx2
import pytest

from services.api.edge import Edge
from tests.services.api.serving import serving
from tests.services.api.table import ADMIN, PEOPLE, Api, problem
from tests.services.conftest import Said

FRESH = re.compile(r"[0-9a-f]{16}")


@pytest.mark.parametrize("given", ["a", "07.b_C-9", "x" * 64])
def test_given_an_id_of_its_own_when_a_caller_asks_then_the_answer_bears_it(api: Api, given: str) -> None:
    assert api.get("/healthz", {"X-Request-Id": given}).headers.get_list("X-Request-Id") == [given]


@pytest.mark.parametrize("given", ["", "x" * 65, "a b", "a=b", "ü", "a;level=error"])
def test_given_an_id_that_could_mislead_a_reader_of_the_log_when_a_caller_asks_then_there_is_a_new_one(
    api: Api, given: str
) -> None:
    answer = api.http.get("/healthz", headers=[(b"x-request-id", given.encode())])
    assert FRESH.fullmatch(answer.headers["X-Request-Id"])


def test_given_two_ids_or_none_when_a_caller_asks_then_there_is_a_new_one_each_time(api: Api) -> None:
    twice = [("X-Request-Id", "a"), ("X-Request-Id", "b")]
    answers = [api.http.get("/healthz", headers=twice), api.get("/healthz"), api.get("/healthz")]
    ids = {answer.headers["X-Request-Id"] for answer in answers}
    assert len(ids) == 3
    assert all(map(FRESH.fullmatch, ids))


def test_refusals_and_faults_bear_an_id_too(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise RuntimeError("inside")

    monkeypatch.setattr(api.store.due, "seconds_since_sweep", fail)
    answers = {
        404: api.get("/nowhere"),
        405: api.http.put("/v1/games"),
        400: api.post("/v1/games", {"rules": 1}),
        401: api.get(api.game().path, {"Authorization": "Bearer nobody"}),
        403: api.get("/v1/rules", {"Host": "evil.example"}),
        500: api.get("/readyz"),
    }
    for status, answer in answers.items():
        assert answer.status_code == status
        assert FRESH.fullmatch(answer.headers["X-Request-Id"])


def test_a_problem_of_the_same_cause_is_the_same_to_the_byte_whatever_its_id(api: Api) -> None:
    """The id stands in a header alone: two bodies can be compared."""
    first, second = api.get("/v1/games/00nothere"), api.get("/v1/games/00nothere", {"X-Request-Id": "mine"})
    assert first.content == second.content


def test_given_a_store_that_is_away_then_the_line_about_it_bears_the_id_and_the_route(api: Api, said: Said) -> None:
    table = api.game()
    api.server.connected = False
    problem(api.get(table.path, {"X-Request-Id": "mine-1"}), 503, "unavailable")
    (line,) = said()
    api.server.connected = True
    assert "event=not_served" in line
    assert "request_id=mine-1" in line
    assert "route=/v1/games/{game}" in line
    assert f"game={table.game}" in line


def test_the_traceback_of_a_fault_bears_the_id(api: Api, said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server writes it, after the answer, when the application is through."""

    def fail() -> None:
        raise RuntimeError("a fault in a thread")

    monkeypatch.setattr(api.store.due, "seconds_since_sweep", fail)
    with serving(api.app) as url:
        problem(httpx2.get(f"{url}/readyz", headers={"X-Request-Id": "mine-2"}), 500, "internal")
    (line,) = [line for line in said() if "Traceback" in line]
    assert "a fault in a thread" in line
    assert "request_id=mine-2" in line


def test_nothing_is_written_of_requests_that_are_served_unless_it_is_asked_for(api: Api, said: Said) -> None:
    api.game()
    assert not said()


def test_given_a_request_log_then_there_is_a_line_a_request_that_says_who_asked_for_what(
    said: Said,
) -> None:
    api = Api(edge=Edge(log_requests=True), api_keys={"league": "k3y"}, admin_key=ADMIN["Authorization"][7:])
    key = {"Authorization": "Bearer k3y"}
    made = api.post("/v1/games", {"rules": "gato-e-rato", "seats": PEOPLE}, key).json()
    path = f"/v1/games/{made['game']}"
    api.get(f"{path}?at=1", {"Authorization": f"Bearer {made['seats'][0]['token']}", "X-Request-Id": "mine"})
    api.get(f"{path}/log", ADMIN)
    api.get("/nowhere/k3y")
    api.get(path, {"Authorization": "Bearer made.0.up"})
    lines = said()
    assert [re.sub(r"^timestamp=\S+ | milliseconds=[0-9.]+| request_id=[0-9a-f]{16}", "", line) for line in lines] == [
        "level=info event=request method=POST route=/v1/games status=201 caller=key:league",
        "level=info event=request method=GET route=/v1/games/{game} status=200 caller=seat request_id=mine",
        "level=info event=request method=GET route=/v1/games/{game}/log status=200 caller=admin",
        "level=info event=request method=GET route=none status=404 caller=ip:127.0.0.1",
        "level=info event=request method=GET route=/v1/games/{game} status=401 caller=ip:127.0.0.1",
    ]
    assert all(re.search(r" milliseconds=[0-9]+\.[0-9]", line) for line in lines)


def test_given_everything_is_logged_that_can_be_when_a_game_is_played_then_no_secret_of_it_is(
    said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tokens of seats, API key, admin key, seed: not in the right places, not in wrong ones, and not when all fails."""
    api = Api(edge=Edge(log_requests=True), api_keys={"league": "a-secret-key"}, admin_key="the-admin-key")
    logging.root.setLevel(logging.DEBUG)
    for client in ("httpx2", "httpcore2"):  # which runs in this process too
        monkeypatch.setattr(logging.getLogger(client), "disabled", True)
    key, admin = {"Authorization": "Bearer a-secret-key"}, {"Authorization": "Bearer the-admin-key"}
    seed = "5eed" * 32
    with serving(api.app) as url, httpx2.Client(base_url=url) as http:
        body = {"rules": "gato-e-rato", "seats": PEOPLE, "seed": seed}
        made = http.post("/v1/games", json=body, headers=admin).json()
        http.post("/v1/games", json={"rules": "gato-e-rato", "seats": PEOPLE}, headers=key)
        path = f"/v1/games/{made['game']}"
        tokens = [seat["token"] for seat in made["seats"]]
        for _ in range(4):
            seat = http.get(path).json()["turn"]["seat"]
            own = {"Authorization": f"Bearer {tokens[seat]}"}
            move = http.get(path, headers=own).json()["legal"][-1]
            assert http.post(f"{path}/moves", json={"move": move}, headers=own).status_code == 200
        secrets = [*tokens, "a-secret-key", "the-admin-key", seed]
        for store_is_there in (True, False):
            api.server.connected = store_is_there
            for secret in secrets:
                for misplaced in (f"{path}?token={secret}", f"/v1/games/{secret}", f"/{secret}", f"{path}/{secret}"):
                    http.get(misplaced)
                http.get(path, headers={"Authorization": f"Bearer {secret}x", "X-Request-Id": f"{secret}!"})
                http.post(f"{path}/moves", json={"move": secret}, headers={"Idempotency-Key": secret, "Cookie": secret})
                http.post(f"{path}/moves", content=secret)
    log = "\n".join(said())
    assert log.count("event=request ") > 50
    assert "event=not_served" in log
    for secret in secrets:
        assert secret not in log
        assert secret.rpartition(".")[2] not in log
