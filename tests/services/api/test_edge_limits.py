"""How many requests a caller may make: who is counted as whom, what they are told, and what is never counted."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import httpx2
import pytest
import redis
from limits.aio.storage import MemoryStorage

from services.api.access import Caller
from services.api.edge import Edge
from services.api.limiting import Limits, bucket
from tests.conftest import Server
from tests.live import eventually
from tests.services.api.serving import serving
from tests.services.api.table import ADMIN, PEOPLE, Api, problem

BODY = {"rules": "gato-e-rato", "seats": PEOPLE}
KEYS = {"ada": "k3y", "ben": "k4y"}


@pytest.fixture
def limited() -> Iterator[Callable[..., Api]]:
    """Makes an API with these limits, counted in memory; all its requests run in one event loop."""
    made: list[Api] = []

    def make(notation: str, **more: Any) -> Api:
        made.append(Api(edge=Edge(limits=Limits(notation, MemoryStorage()), origins=("https://p.example",)), **more))
        made[-1].http.__enter__()
        return made[-1]

    yield make
    for api in made:
        api.http.__exit__(None, None, None)


def test_given_a_limit_when_it_is_used_up_then_the_next_request_is_refused_and_told_when_to_come_again(
    limited: Callable[..., Api],
) -> None:
    api = limited("2/hour")
    assert [api.get("/v1/rules").status_code for _ in range(2)] == [200, 200]
    refused = api.get("/v1/rules")
    told = problem(refused, 429, "rate_limited")
    assert "2 requests in 1 hour" in told["detail"]
    assert 1 <= int(refused.headers["Retry-After"]) <= 3600
    assert refused.headers["RateLimit-Policy"] == '"hour";q=2;w=3600'
    assert refused.headers["RateLimit"] == f'"hour";r=0;t={refused.headers["Retry-After"]}'
    assert refused.headers["X-Request-Id"]
    assert refused.headers["Cache-Control"] == "no-store"


def test_every_counted_answer_says_what_is_left(limited: Callable[..., Api]) -> None:
    """Also of requests that fail: they are work too."""
    api = limited("20/hour")
    answers = [api.get("/v1/rules"), api.get("/v1/nowhere"), api.http.put("/v1/games"), api.post("/v1/games", {})]
    left = [re.fullmatch(r'"hour";r=(\d+);t=([1-9]\d*)', answer.headers["RateLimit"]) for answer in answers]
    assert [one and int(one[1]) for one in left] == [19, 18, 17, 16]
    assert {answer.headers["RateLimit-Policy"] for answer in answers} == {'"hour";q=20;w=3600'}


def test_given_several_limits_then_each_is_told_the_narrowest_first(limited: Callable[..., Api]) -> None:
    api = limited("2000/5 minute;100/hour")
    answer = api.get("/v1/rules")
    assert answer.headers["RateLimit-Policy"] == '"5-minute";q=2000;w=300, "hour";q=100;w=3600'
    assert re.fullmatch(r'"5-minute";r=1999;t=\d+, "hour";r=99;t=\d+', answer.headers["RateLimit"])


def test_given_several_limits_when_a_wider_one_is_used_up_then_it_refuses(limited: Callable[..., Api]) -> None:
    api = limited("100/second;2/hour")
    assert [api.get("/v1/rules").status_code for _ in range(3)] == [200, 200, 429]


def test_given_a_refusal_of_a_narrow_limit_then_the_wider_one_is_not_counted(limited: Callable[..., Api]) -> None:
    """Else a client that asks on in vain would use up its hour within a minute."""
    api = limited("2/minute;5/hour")
    answers = [api.get("/v1/rules") for _ in range(9)]
    assert answers[-1].status_code == 429
    assert re.search(r'"hour";r=3;', answers[-1].headers["RateLimit"])


def test_health_figures_and_documentation_are_for_everybody_always(limited: Callable[..., Api]) -> None:
    api = limited("1/hour")
    api.get("/v1/rules")
    problem(api.get("/v1/rules"), 429, "rate_limited")
    for path in ("/healthz", "/readyz", "/metrics", "/docs", "/openapi.json"):
        answer = api.get(path)
        assert answer.status_code == 200
        assert "RateLimit" not in answer.headers


def test_the_admin_is_not_counted(limited: Callable[..., Api]) -> None:
    api = limited("1/hour")
    for _ in range(3):
        answer = api.get("/v1/rules", ADMIN)
        assert answer.status_code == 200
        assert "RateLimit" not in answer.headers
    assert api.get("/v1/rules").status_code == 200


def test_api_keys_are_counted_by_their_name_each_for_itself_and_not_with_the_address(
    limited: Callable[..., Api],
) -> None:
    api = limited("1/hour", api_keys=KEYS, base_url="https://malice.example")
    for key in KEYS.values():
        assert api.get("/v1/rules", {"Authorization": f"Bearer {key}"}).status_code == 200
    assert api.get("/v1/rules").status_code == 200
    for headers in ({"Authorization": "Bearer k3y"}, {"Authorization": "Bearer k4y"}, {}):
        problem(api.get("/v1/rules", headers), 429, "rate_limited")


def test_seats_are_counted_each_for_itself(limited: Callable[..., Api]) -> None:
    """Many play behind one address."""
    api = limited("2/hour")
    table = api.game()
    for seat in (0, 1):
        assert [api.get(table.path, table.tokens[seat]).status_code for _ in range(3)] == [200, 200, 429]
    assert api.get(table.path).status_code == 200  # the second of the address, after the creation


@pytest.mark.parametrize(
    "token", ["Bearer made-up-{n}", "Bearer {game}.0.{n:064x}", "Basic {n}", "Bearer", "Bearer {n:02x}x.1.{mac}"]
)
def test_a_made_up_token_brings_no_fresh_count(limited: Callable[..., Api], token: str) -> None:
    api = limited("5/hour")
    game = api.game().game
    mac = api.access.token(game, 0).rpartition(".")[2]
    headers = [{"Authorization": token.format(n=n, game=game, mac=mac)} for n in range(5)]
    assert [api.get(f"/v1/games/{game}", one).status_code for one in headers] == [401, 401, 401, 401, 429]


def test_an_authorization_that_is_there_twice_brings_no_fresh_count(limited: Callable[..., Api]) -> None:
    api = limited("2/hour")
    table = api.game()
    twice = [("Authorization", text["Authorization"]) for text in table.tokens.values()]
    assert [api.http.get(table.path, headers=twice).status_code for _ in range(2)] == [400, 429]


@pytest.mark.parametrize(
    ("caller", "counted_as"),
    [
        (Caller("ip:192.0.2.7"), "ip:192.0.2.7"),
        (Caller("ip:2001:db8:1:2:3:4:5:6"), "ip:2001:db8:1:2::/64"),
        (Caller("ip:fe80::1%eth0"), "ip:fe80::/64"),
        (Caller("ip:unknown"), "ip:unknown"),
        (Caller("key:ada", keyed=True), "key:ada"),
        (Caller("ip:192.0.2.7", owner="00abc", seat=1), "seat:00abc:1"),
    ],
)
def test_a_network_of_ipv6_counts_as_one_address(caller: Caller, counted_as: str) -> None:
    """Whoever has one has 2^64."""
    assert bucket(caller) == counted_as


def test_a_page_of_another_origin_can_read_the_refusal(limited: Callable[..., Api]) -> None:
    api = limited("1/hour")
    page = {"Origin": "https://p.example"}
    api.get("/v1/rules", page)
    refused = api.get("/v1/rules", page)
    problem(refused, 429, "rate_limited")
    assert refused.headers["Access-Control-Allow-Origin"] == "https://p.example"


def test_what_a_browser_asks_before_a_request_is_not_counted(limited: Callable[..., Api]) -> None:
    api = limited("1/hour")
    asks = {"Origin": "https://p.example", "Access-Control-Request-Method": "GET"}
    for _ in range(3):
        assert api.http.request("OPTIONS", "/v1/rules", headers=asks).status_code == 200
    assert api.get("/v1/rules").status_code == 200


def test_without_the_setting_answers_say_nothing_of_limits(api: Api) -> None:
    assert "RateLimit" not in api.get("/v1/rules").headers


def counting(api: Api, url: str, notation: str) -> Any:
    """A process of the API that counts in the store at this URL."""
    return Api(edge=Edge(limits=Limits.in_store(notation, url))).app


def test_several_processes_count_together_in_the_store_and_what_they_keep_there_ends_by_itself(
    api: Api, server: Server
) -> None:
    notation = "3/hour"
    with serving(counting(api, server.url, notation)) as one, serving(counting(api, server.url, notation)) as other:
        answers = [httpx2.get(f"{url}/v1/rules") for url in (one, other, one, other)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert 1 <= int(answers[-1].headers["Retry-After"]) <= 3600
    with redis.Redis.from_url(server.url) as client:
        keys = list(client.scan_iter())
        assert keys
        for key in keys:
            assert re.fullmatch(rb"malice:limit:\{LIMITER/ip:127\.0\.0\.1/3/1/hour\}(/-1)?", key)
            assert client.ttl(key) > 0


def test_a_limit_that_was_used_up_comes_back(api: Api, server: Server) -> None:
    with serving(counting(api, server.url, "2/second")) as url, httpx2.Client(base_url=url) as http:
        eventually(lambda: http.get("/v1/rules").status_code == 429)
        eventually(lambda: http.get("/v1/rules").status_code == 200)


def test_given_a_store_that_cannot_count_then_requests_are_let_through(api: Api, server: Server) -> None:
    """The handler finds out by itself that the store is away, and some need no store; a full one is still read from."""
    with serving(counting(api, server.url, "2/hour")) as url, httpx2.Client(base_url=url) as http:
        assert "RateLimit" in http.get("/v1/rules").headers
        with redis.Redis.from_url(server.url) as client:
            client.config_set("maxmemory", 1)
        answers = [http.get("/v1/rules") for _ in range(3)]
        server.stop()
        answers += [http.get("/v1/rules") for _ in range(3)]
        assert {answer.status_code for answer in answers} == {200}
        assert not any("RateLimit" in answer.headers for answer in answers)
        server.start()
        assert [http.get("/v1/rules").status_code for _ in range(2)] == [200, 429]
