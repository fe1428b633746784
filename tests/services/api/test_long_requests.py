"""Who waits for whom? Requests that verify whole logs take seconds: however many come, nobody else waits for them."""

import asyncio
import threading
from typing import Any

import httpx2
import pytest

from services.api import app, history, importing, matches
from tests.services.api.table import ADMIN, LOCAL, PEOPLE, Api

LONG = {
    "a match": (matches, "verify_match", "GET", "/v1/matches/{match}/verification"),
    "a game": (history, "verify", "GET", "/v1/games/{game}/verification"),
    "a log that comes in": (importing, "import_log", "POST", "/v1/games/import"),
}
CROWD = 60
"""More than there are threads."""


@pytest.mark.parametrize("what", LONG)
def test_a_look_at_the_table_does_not_wait_for_a_crowd_of_verifications(
    what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, name, method, path = LONG[what]
    api, done, busy, most = Api(), threading.Event(), 0, 0
    lock = threading.Lock()
    judge = getattr(module, name)

    def slow(*given: Any, **more: Any) -> Any:
        nonlocal busy, most
        with lock:
            busy += 1
            most = max(most, busy)
        done.wait(30)
        with lock:
            busy -= 1
        return judge(*given, **more)

    monkeypatch.setattr(module, name, slow)
    table = api.game()
    match = api.post("/v1/matches", {"rules": "spite-and-malice", "seats": PEOPLE}).json()["match"]
    target = path.format(match=match, game=table.game)

    async def all_at_once() -> tuple[int, set[int]]:
        transport = httpx2.ASGITransport(app=api.app, client=("127.0.0.1", 40000))
        async with httpx2.AsyncClient(transport=transport, base_url=LOCAL) as http:
            crowd = [asyncio.create_task(http.request(method, target, headers=ADMIN)) for _ in range(CROWD)]
            try:
                while not busy:
                    await asyncio.sleep(0)  # the others' turn: they share this event loop
                look = await asyncio.wait_for(http.get(table.path), 10)
            finally:
                done.set()
            return look.status_code, {(await one).status_code for one in crowd}

    look, judged = asyncio.run(all_at_once())
    assert look == 200
    assert judged <= {200, 422}
    assert most <= app.LONG_REQUESTS
