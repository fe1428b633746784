"""What if a bad network doubles requests and loses answers? Each is done once, and both players know the truth.

Two clients play the same games at once, over a real server and a real store. Every request is sent twice with its key,
at the same time; one in five answers is thrown away, and its request is sent a third time. Half of the games have
their two seats played by one client each; in the others both clients hold both seats, and race for every move.
"""

import os
import random
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import msgspec
import pytest

from events.log.verify import verify
from tests.live import running_service

BIG = bool(os.environ.get("MALICE_FULL"))
MOVES = 500 if BIG else 60
"""Each client's, accepted ones, in all its games together."""
GAMES = 16 if BIG else 5
LOST = 0.2
ADMIN_KEY = "the key that reads running logs"
ADMIN = {"Authorization": f"Bearer {ADMIN_KEY}"}
RULES = ("spite-and-malice", {"preset": "gatto-e-topo", "must_play": "never"}, {"preset": "gato-e-rato", "payoff": 5})
REPLAYED = b"idempotent-replayed"
OF_THE_REQUEST = {b"date", b"x-request-id", REPLAYED, b"ratelimit", b"ratelimit-policy"}
"""Headers that say something of this very answer."""

Json = Any


class Games:
    """The games that both clients play; for one that has ended another is begun."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.all: list[dict[str, Json]] = []
        self.playing: list[dict[str, Json]] = []
        self._lock = threading.Lock()
        for _ in range(GAMES):
            self._begin()

    def over(self, game: dict[str, Json]) -> None:
        """Both may find out at the same time."""
        with self._lock:
            if game in self.playing:
                self.playing.remove(game)
                self._begin()

    def _begin(self) -> None:
        """Asked for twice under one key. Every other game is for a race: both clients hold both seats."""
        number = len(self.all)
        body = {"rules": RULES[number % len(RULES)], "seats": [{"name": "Ada"}, {"name": "Ben"}]}
        key = {"Idempotency-Key": f"game-{number}"}
        first, second = (httpx2.post(f"{self.url}/v1/games", json=body, headers=key, trust_env=False) for _ in "12")
        assert plain(first) == plain(second)
        told = first.json()
        seats = [[0, 1], [0, 1]] if number % 2 else [[0], [1]]
        game = {"id": told["game"], "tokens": [seat["token"] for seat in told["seats"]], "seats": seats}
        self.all.append(game)
        self.playing.append(game)


class Client:
    """One of two players. It believes what it was told, and keeps all that it was told."""

    def __init__(self, games: Games, number: int) -> None:
        self.http = httpx2.Client(base_url=games.url, timeout=30, trust_env=False)
        self.number = number
        self.games = games
        self.rng = random.Random(f"client {number}")
        self.keys = 0
        self.accepted: dict[str, tuple[str, str, int]] = {}
        """By key: the game, the move, and the version that it became."""
        self.refused: set[str] = set()
        """Keys whose requests were refused for good."""
        self.lost = 0
        self.believed: dict[str, Json] = {}
        """By game: the newest view that it was shown."""
        self.twice = ThreadPoolExecutor(2)

    def play(self, enough: Callable[[], bool]) -> None:
        """Moves in all the games, in turns."""
        with self.http, self.twice:
            while not enough():
                game = self.rng.choice(self.games.playing)
                seat = self.rng.choice(game["seats"][self.number])
                view = self.http.get(f"/v1/games/{game['id']}", headers=bearer(game, seat)).json()
                if view["status"] == "ended":
                    self.games.over(game)
                elif view["legal"]:
                    self.move(game, seat, view)

    def move(self, game: dict[str, Json], seat: int, view: Json) -> None:
        """A legal move, sent twice at once, and again where the answer is lost, with or without If-Match."""
        self.keys += 1
        key, move = f"client-{self.number}-{self.keys}", self.rng.choice(view["legal"])
        headers = bearer(game, seat) | {"Idempotency-Key": key}
        if self.rng.random() < 0.5:
            headers["If-Match"] = f'"{view["version"]}"'

        def send() -> httpx2.Response:
            return self.http.post(f"/v1/games/{game['id']}/moves", json={"move": move}, headers=headers)

        answers = [answer for answer in self.twice.map(lambda _: send(), range(2)) if not self.is_lost()]
        while not answers:
            answers = [answer for answer in (send(),) if not self.is_lost()]
        done = [answer for answer in answers if answer.status_code == 200]
        if not done:
            # Another has moved meanwhile. A refused request does not use up its key, and nothing came of it.
            assert {answer.status_code for answer in answers} <= {409, 412, 422}, answers[0].text
            self.refused.add(key)
            return
        assert len(done) == len(answers) or "If-Match" not in headers, "refused though its key was used"
        # Sent once more, it is the same again, however much has happened since.
        done.append(send())
        assert {plain(answer) for answer in done} == {plain(done[0])}
        assert done[-1].headers["Idempotent-Replayed"] == "true"
        told = done[0].json()
        self.accepted[key] = (game["id"], move, told["version"])
        self.believed[game["id"]] = told["view"]

    def is_lost(self) -> bool:
        lost = self.rng.random() < LOST
        self.lost += lost
        return lost


def bearer(game: dict[str, Json], seat: int) -> dict[str, str]:
    return {"Authorization": f"Bearer {game['tokens'][seat]}"}


def plain(answer: httpx2.Response) -> tuple[int, tuple[tuple[bytes, bytes], ...], bytes]:
    """All that a repeated request must be answered with again, byte for byte."""
    head = tuple((name.lower(), value) for name, value in answer.headers.raw if name.lower() not in OF_THE_REQUEST)
    return answer.status_code, head, answer.content


@pytest.mark.timeout(600)
def test_each_request_is_done_once_and_both_clients_know_the_truth(tmp_path: Path) -> None:
    with running_service(tmp_path / "data", MALICE_ADMIN_KEY=ADMIN_KEY) as live:
        games = Games(live.url)
        clients = [Client(games, number) for number in (0, 1)]

        def enough() -> bool:
            return all(len(client.accepted) >= MOVES for client in clients)

        with ThreadPoolExecutor(2) as both:
            for done in [both.submit(client.play, enough) for client in clients]:
                done.result()
        assert all(client.lost and len(client.accepted) >= MOVES for client in clients)
        for game in games.all:
            check(live.http, game, clients)
        assert not BIG or sum(len(client.refused) for client in clients), "nobody was ever too late"
        assert "Traceback" not in live.said()


def check(http: httpx2.Client, game: dict[str, Json], clients: list[Client]) -> None:
    """The log verifies, holds each accepted key once and no other, and is what the clients were told."""
    log = http.get(f"/v1/games/{game['id']}/log", headers=ADMIN).content
    verdict = verify(log)
    assert verdict.ok, verdict
    commits = [msgspec.json.decode(line) for line in log.splitlines()[1:]]
    keys = Counter(commit["key"] for commit in commits if commit["key"] is not None)
    told = {key: one for client in clients for key, one in client.accepted.items() if one[0] == game["id"]}
    assert keys == Counter([*told, commits[0]["key"]])
    for key, (_, _, version) in told.items():
        assert commits[version - 1]["key"] == key
    for client in clients:
        for seat in game["seats"][client.number]:
            now = http.get(f"/v1/games/{game['id']}", headers=bearer(game, seat)).json()
            assert now["version"] == len(commits)
        then = client.believed.get(game["id"])
        if then is not None:
            path = f"/v1/games/{game['id']}?at={then['version']}"
            assert http.get(path, headers=bearer(game, then["seat"])).json() == then
