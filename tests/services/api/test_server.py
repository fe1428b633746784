"""The server around the application: its keys, its garbage collector, and that it answers over a real socket."""

import gc
import warnings
from collections.abc import Iterator

import httpx2
import pytest
from starlette.testclient import TestClient

from events.errors import StoreUnavailable
from events.log.keys import SWEPT_KEY
from services.api.access import access_of
from services.api.server import LAG_SECONDS, application, check_ready, spare_the_collector
from services.settings import read_settings
from tests.conftest import Server
from tests.services.api.serving import serving
from tests.services.api.table import PEOPLE, Api

HOME = {"HOME": "/home/ada"}


def test_the_settings_name_the_keys(api: Api):
    environ = {"MALICE_API_KEYS": "ada=k3y", "MALICE_ADMIN_KEY": "boss"}
    access = access_of(read_settings(HOME | environ), api.store)
    assert access.token("00abc", 0) == api.access.token("00abc", 0)
    assert not access.local_only


def test_the_application_of_the_settings_starts_without_its_store_and_says_that_it_is_away():
    nowhere = "unix:///nowhere/store.sock"
    app = application(read_settings(HOME | {"MALICE_OPEN": "1"}), store_url=nowhere, broker_url="memory://")
    http = TestClient(app, raise_server_exceptions=False)
    assert http.get("/healthz").status_code == 200
    assert {bot["name"] for bot in http.get("/v1/bots").json()["bots"]} >= {"uniform", "greedy"}
    assert http.get("/readyz").status_code == 503


def test_the_settings_shape_the_edge(server: Server):
    environ = {"MALICE_RATE_LIMIT": "5/hour", "MALICE_CORS_ORIGINS": "https://play.example"}
    app = application(read_settings(HOME | environ), store_url=server.url, broker_url="memory://")
    with serving(app) as url, httpx2.Client(base_url=url) as http:
        answer = http.get("/v1/rules", headers={"Origin": "https://play.example"})
        assert answer.headers["RateLimit-Policy"] == '"hour";q=5;w=3600'
        assert answer.headers["Access-Control-Allow-Origin"] == "https://play.example"
        assert "malice_store_up 1.0" in http.get("/metrics").text


def test_the_collector_is_kept_from_what_lives_long():
    with warnings.catch_warnings(action="ignore"):
        gc.collect()  # connections of applications that ended with their test, and would be warned of in this one
    thresholds = gc.get_threshold()
    gc.set_threshold(700, 10, 10)  # Python's own: libraries of the tests raise them too
    try:
        spare_the_collector()
        assert gc.get_freeze_count() > 0
        assert gc.get_threshold()[0] > 700
    finally:
        gc.unfreeze()
        gc.set_threshold(*thresholds)


@pytest.fixture
def url(api: Api) -> Iterator[str]:
    """The API on a port of this machine."""
    with serving(api.app) as url:
        yield url


def test_a_game_is_created_and_moved_over_a_socket_and_the_wake_comes_after_the_answer(api: Api, url: str):
    with httpx2.Client(base_url=url) as client:
        made = client.post("/v1/games", json={"rules": "gato-e-rato", "seats": PEOPLE}).json()
        path = f"/v1/games/{made['game']}"
        token = {"Authorization": f"Bearer {made['seats'][1]['token']}"}
        assert client.post(f"{path}/resign", headers=token).json()["version"] == 2
        assert client.get(path).json()["status"] == "ended"
        assert client.post("/v1/games", content=b"x" * 2_000_000).status_code == 413
    assert api.woken == [made["game"]] * 2


def test_it_is_not_ready_while_nobody_looks_after_the_games(api: Api) -> None:
    """Workers or beat are gone: bots would not answer."""
    check_ready(api.store)
    api.store.due.note_sweep()
    check_ready(api.store)
    long_ago = (int(api.store.client.time()[0]) - LAG_SECONDS - 5) * 1000
    api.store.client.set(SWEPT_KEY, long_ago)
    with pytest.raises(StoreUnavailable, match=r"6\d s"):
        check_ready(api.store)
