"""How does a test speak to the API? `Api`: the application over a store in memory, and a client of this machine.

`MARKED` is a position in which every hidden card, and no card that is public, is a jack or a ten.
"""

import re
from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar, Final

import fakeredis
import httpx2
from anyio.from_thread import BlockingPortal
from starlette.testclient import TestClient

from events.errors import StoreUnavailable
from events.log.figures import figures
from events.log.follow import Follower
from events.log.store import Store
from services.api.access import Access
from services.api.app import create_app
from services.api.edge import Edge
from tests.log.games import ticking

BOTS: Final = {"greedy": "Plays what it can.", "uniform": "Any legal move."}
LOCAL: Final = "http://localhost:8000"
ADMIN: Final = {"Authorization": "Bearer the admin's own key"}
PEOPLE: Final = [{"name": "Ada"}, {"name": "Ben"}]
HIDDEN: Final = re.compile(r"\b[TJ][cdhs]\b|\*\*")
MARKED: Final[dict[str, Any]] = {
    "payoffs": [["Jc", "Jd", "5s"], ["Jh", "Js", "8s"]],
    "hands": [["Tc", "Ac", "9c"], ["Td", "Th"]],
    "sides": [[[], [], [], ["6h"]], [[], [], [], []]],
    "piles": [["Ah", "2h"], [], []],
    "stock": ["Ts", "Jc", "Jd", "Jh", "Js", "Tc", "Td", "Th", "Ts"],
    "aside": [],
    "seat": 0,
    "turn": 5,
    "passes": 0,
    "resigned": [],
}


class Api:
    """The API in one process, over a store of its own, or that of another (`server`). `away` makes `ready` refuse."""

    portal: ClassVar[BlockingPortal | None] = None
    """The event loop of all requests. Without one each starts its own, which takes longer than most answers."""

    def __init__(
        self,
        *,
        admin_key: str | None = "the admin's own key",
        api_keys: Mapping[str, str] | None = None,
        open: bool = False,
        spectator_delay: int = 0,
        base_url: str = LOCAL,
        edge: Edge | None = None,
        server: fakeredis.FakeServer | None = None,
    ) -> None:
        self.server = server or fakeredis.FakeServer()
        self.store = Store(self._redis(), shards=4, now=ticking())
        self.woken: list[str] = []
        self.lanes: list[tuple[str, int]] = []
        self.away = False
        self.bots = dict(BOTS)
        self.access = Access(self.store.secret, admin_key=admin_key, api_keys=api_keys, open=open)
        self.follower = Follower(self._redis, self._redis())
        self.app = create_app(
            self.store,
            access=self.access,
            wake=self.woken.append,
            ring_lane=lambda arena, lane: self.lanes.append((arena, lane)),
            ready=self._ready,
            bots=self.bots,
            follower=self.follower,
            spectator_delay=spectator_delay,
            figures=partial(figures, self._redis()),
            edge=edge or Edge(),
        )
        self.http = TestClient(self.app, base_url=base_url, client=("127.0.0.1", 40000), raise_server_exceptions=False)
        self.http.portal = self.portal

    def _redis(self) -> fakeredis.FakeRedis:
        return fakeredis.FakeRedis(server=self.server, version=(7,), protocol=2, legacy_responses=True)

    def _ready(self) -> None:
        self.store.due.seconds_since_sweep()
        if self.away:
            raise StoreUnavailable("The queue is 90 s behind.")

    def get(self, path: str, headers: Mapping[str, str] | None = None) -> httpx2.Response:
        return self.http.get(path, headers=headers)

    def post(self, path: str, body: Any = None, headers: Mapping[str, str] | None = None) -> httpx2.Response:
        return self.http.post(path, json=body, headers=headers)

    def game(self, rules: Any = "gato-e-rato", seats: Any = PEOPLE, **more: Any) -> "Table":
        """A new game, by whoever may create it."""
        answer = self.post("/v1/games", {"rules": rules, "seats": seats, **more})
        assert answer.status_code == 201, answer.text
        return Table(self, answer.json())

    def marked(self) -> "Table":
        """A game from `MARKED`, seat 0 to move."""
        return self.game(position=MARKED)


class Table:
    """A game, and the tokens of its human seats."""

    def __init__(self, api: Api, created: Any) -> None:
        self.api = api
        self.game: str = created["game"]
        self.path = f"/v1/games/{self.game}"
        self.tokens = {seat["seat"]: {"Authorization": f"Bearer {seat['token']}"} for seat in created["seats"]}

    def view(self, seat: int | None = None, query: str = "") -> Any:
        answer = self.api.get(self.path + query, self.headers(seat))
        assert answer.status_code == 200, answer.text
        return answer.json()

    def headers(self, seat: int | None, **more: str) -> dict[str, str]:
        """The seat's token, and further headers written with `_` for `-`."""
        written = {name.replace("_", "-"): value for name, value in more.items()}
        return (self.tokens[seat] if seat is not None else {}) | written

    def play(self, seat: int | None, move: str, **headers: str) -> httpx2.Response:
        return self.api.post(f"{self.path}/moves", {"move": move}, self.headers(seat, **headers))

    def resign(self, seat: int | None, **headers: str) -> httpx2.Response:
        return self.api.http.post(f"{self.path}/resign", headers=self.headers(seat, **headers))

    def any_move(self) -> tuple[int, str]:
        """The seat to move, and its last legal move: a discard."""
        seat = self.view(next(iter(self.tokens), None))["turn"]["seat"]
        return seat, self.view(seat)["legal"][-1]

    def version(self) -> int:
        return self.view()["version"]


def problem(answer: httpx2.Response, status: int, code: str) -> Any:
    """The problem that an answer must be, as JSON."""
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json"), answer.text
    told = answer.json()
    assert told["code"] == code, told
    assert told["status"] == status
    assert told["title"]
    assert told["detail"]
    assert told["type"] == f"/docs#{code}"
    return told
