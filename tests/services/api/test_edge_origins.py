"""Which pages may use the API in a browser: those of the origins that are named, also at a service of this machine."""

from typing import Any

import httpx2
import pytest

from services.api.edge import Edge
from services.cli.serve import CannotServe, check_binding
from services.settings import read_settings
from tests.services.api.table import ADMIN, PEOPLE, Api, problem

PAGE = "https://play.example"
BODY = {"rules": "gato-e-rato", "seats": PEOPLE}


@pytest.fixture
def named() -> Api:
    """A service on the net that names two origins."""
    return Api(open=True, base_url="https://malice.example", edge=Edge(origins=(PAGE, "http://localhost:3000")))


def preflight(api: Api, origin: str, method: str = "POST", **more: str) -> httpx2.Response:
    headers = {"Origin": origin, "Access-Control-Request-Method": method} | {
        name.replace("_", "-"): value for name, value in more.items()
    }
    return api.http.request("OPTIONS", "/v1/games", headers=headers)


@pytest.mark.parametrize("origin", [PAGE, "http://localhost:3000"])
def test_given_a_named_origin_when_its_page_asks_then_it_may_read_the_answer_and_its_headers(
    named: Api, origin: str
) -> None:
    answer = named.post("/v1/games", BODY, {"Origin": origin})
    assert answer.status_code == 201
    assert answer.headers["Access-Control-Allow-Origin"] == origin
    assert answer.headers["Vary"] == "Authorization, Origin"
    assert set(answer.headers["Access-Control-Expose-Headers"].split(", ")) == {
        "ETag",
        "Idempotent-Replayed",
        "Location",
        "RateLimit",
        "RateLimit-Policy",
        "Retry-After",
        "X-Request-Id",
    }
    assert "Access-Control-Allow-Credentials" not in answer.headers


def test_errors_too_can_be_read_by_the_page_even_faults(named: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise RuntimeError("inside")

    monkeypatch.setattr(named.store.due, "seconds_since_sweep", fail)
    for path, status in (("/v1/games/00nothere", 404), ("/nowhere", 404), ("/readyz", 500)):
        answer = named.get(path, {"Origin": PAGE})
        assert answer.status_code == status
        assert answer.headers["Access-Control-Allow-Origin"] == PAGE


def test_before_it_sends_them_a_page_is_told_that_it_may_send_the_headers_of_the_api(named: Api) -> None:
    wanted = "authorization, content-type, idempotency-key, if-match, if-none-match, last-event-id, x-request-id"
    answer = preflight(named, PAGE, Access_Control_Request_Headers=wanted)
    assert answer.status_code == 200
    assert answer.headers["Access-Control-Allow-Origin"] == PAGE
    assert set(wanted.split(", ")) <= set(answer.headers["Access-Control-Allow-Headers"].lower().split(", "))
    assert preflight(named, PAGE, "DELETE").status_code == 200


@pytest.mark.parametrize("origin", ["https://evil.example", "http://play.example", "https://play.example:8443", "null"])
def test_given_another_origin_then_the_browser_keeps_the_answer_from_its_page(named: Api, origin: str) -> None:
    assert "Access-Control-Allow-Origin" not in named.get("/v1/rules", {"Origin": origin}).headers
    refused = preflight(named, origin)
    assert "origin" in problem(refused, 403, "forbidden")["detail"]
    assert "Access-Control-Allow-Origin" not in refused.headers


def test_given_a_header_that_is_not_the_apis_then_the_preflight_is_refused(named: Api) -> None:
    assert problem(preflight(named, PAGE, Access_Control_Request_Headers="X-Other"), 403, "forbidden")


def test_without_the_setting_no_page_of_elsewhere_is_told_anything(api: Api) -> None:
    public = Api(open=True, base_url="https://malice.example")
    assert "Access-Control-Allow-Origin" not in public.get("/v1/rules", {"Origin": PAGE}).headers
    problem(preflight(public, PAGE), 405, "method_not_allowed")


def test_given_all_origins_then_any_page_may_ask_and_none_is_named() -> None:
    anybody = Api(open=True, edge=Edge(origins=("*",)))
    answer = anybody.get("/v1/rules", {"Origin": "https://evil.example"})
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert preflight(anybody, "https://evil.example").status_code == 200


@pytest.fixture
def local() -> Api:
    """A service for this machine alone that names an origin."""
    return Api(edge=Edge(origins=(PAGE,)))


def test_given_a_service_of_this_machine_then_a_named_page_may_use_it_and_no_other(local: Api) -> None:
    assert local.post("/v1/games", BODY, {"Origin": PAGE}).headers["Access-Control-Allow-Origin"] == PAGE
    assert preflight(local, PAGE).status_code == 200
    problem(local.post("/v1/games", BODY, {"Origin": "https://evil.example"}), 403, "forbidden")
    problem(preflight(local, "https://evil.example"), 403, "forbidden")


def test_given_a_named_page_when_its_own_name_leads_to_this_machine_then_it_is_refused_all_the_same(
    local: Api,
) -> None:
    """DNS rebinding: whoever holds the name's DNS would speak to the service as if it were theirs."""
    problem(local.post("/v1/games", BODY, {"Origin": PAGE, "Host": "play.example"}), 403, "forbidden")


def test_given_a_page_from_the_internet_when_its_browser_asks_whether_this_machine_knows_it_then_only_named_ones_are(
    local: Api,
) -> None:
    asks: dict[str, Any] = {"Access_Control_Request_Private_Network": "true"}
    assert preflight(local, PAGE, **asks).headers["Access-Control-Allow-Private-Network"] == "true"
    problem(preflight(Api(open=True, edge=Edge(origins=("*",))), PAGE, **asks), 403, "forbidden")


def test_given_all_origins_at_a_service_without_keys_then_still_no_page_of_elsewhere_is_served() -> None:
    """`malice api` and `malice up` refuse to start so; should an application be made so, nothing is opened."""
    api = Api(edge=Edge(origins=("*",)))
    for origin in ("https://evil.example", "*"):
        problem(api.post("/v1/games", BODY, ADMIN | {"Origin": origin}), 403, "forbidden")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1"])
def test_given_all_origins_and_no_keys_then_the_service_does_not_start(host: str) -> None:
    with pytest.raises(CannotServe, match=r"MALICE_CORS_ORIGINS=\* .* name the origins"):
        check_binding(read_settings({"HOME": "/home/ada", "MALICE_CORS_ORIGINS": "*"}), host)


@pytest.mark.parametrize(
    "environ",
    [
        {"MALICE_CORS_ORIGINS": "*", "MALICE_API_KEYS": "k3y"},
        {"MALICE_CORS_ORIGINS": "*", "MALICE_OPEN": "1"},
        {"MALICE_CORS_ORIGINS": PAGE},
    ],
)
def test_given_keys_or_leave_for_all_or_a_name_then_it_starts(environ: dict[str, str]) -> None:
    check_binding(read_settings({"HOME": "/home/ada"} | environ), "127.0.0.1")
