"""The cases over HTTP: `POST /v1/games`, moves and resignations with the seats' tokens, and every seat's own view."""

from typing import Any

import httpx2

from events.game.rules import Seat
from services.api.problems import KINDS
from tests.cases import Case, Refusal
from tests.services.api.table import ADMIN, Api, Table
from tests.spec import SEED


class Http:
    """A game under a case, with the shuffles of `tests.cases.core`: the admin key gives it the same seed."""

    def __init__(self, api: Api) -> None:
        self.api = api
        self.game: Table | None = None

    @property
    def table(self) -> Table:
        """The game, which has been created."""
        assert self.game is not None, "there is no game yet"
        return self.game

    def create(self, case: Case, seats: int) -> list[Any]:
        """Create the game."""
        people = [{"name": f"seat {seat}"} for seat in range(seats)]
        body = {"rules": case["rules"], "seats": people, "seed": SEED.hex()}
        if "position" in case:
            body["position"] = case["position"]
        self.game = Table(self.api, self._done(self.api.post("/v1/games", body, ADMIN), 201))
        return self._happened(self.to_move())

    def move(self, seat: Seat, move: Any) -> list[Any]:
        """This seat asks for this move, whatever JSON it is."""
        answer = self.api.post(f"{self.table.path}/moves", {"move": move}, self.table.headers(seat))
        return self._acted(seat, answer)

    def resign(self, seat: Seat) -> list[Any]:
        """This seat leaves."""
        return self._acted(seat, self.table.resign(seat))

    def to_move(self) -> Seat:
        """Whose turn it is."""
        return self.table.view()["turn"]["seat"]

    def state(self) -> object:
        """Every seat's view and the spectator's, to the byte; before there is a game, whatever the store holds."""
        if self.game is None:
            return sorted(self.api.store.client.keys())
        looks = [self.api.get(self.game.path, self.game.headers(seat)) for seat in (None, *self.game.tokens)]
        return [(look.status_code, look.headers["etag"], look.content) for look in looks]

    def facts(self, seat: Seat) -> dict[str, Any]:
        """What the seats see together. A hand is asked of its owner alone, and the moves of the seat to move."""
        views = [self.table.view(who) for who in self.table.tokens]
        mine, seats, to_move = views[seat], views[seat]["seats"], views[seat]["turn"]["seat"]
        assert [len(view["hand"]) for view in views] == [who["hand"] for who in seats]
        assert [view["seat"] for view in views if view["legal"]] == ([] if mine["result"] else [to_move])
        result = mine["result"] or dict.fromkeys(("result", "winners", "reason", "points"))
        return result | {
            "hand": len(mine["hand"]),
            "holds": sorted(mine["hand"]),
            "sides": seats[seat]["sides"],
            "hands": [who["hand"] for who in seats],
            "payoff_left": [who["payoff"]["left"] for who in seats],
            "payoff_tops": [who["payoff"]["top"] for who in seats],
            "stock": mine["stock"],
            "aside": mine["aside"],
            "piles": mine["piles"],
            "needs": mine["needs"],
            "turn": to_move,
            "turn_number": mine["turn"]["number"],
            "resigned": [who for who, one in enumerate(seats) if one["resigned"]],
            "legal": sorted(views[to_move]["legal"]),
        }

    def _acted(self, seat: Seat, answer: httpx2.Response) -> list[Any]:
        told = self._done(answer, 200)
        assert told["view"] == self.table.view(seat)
        assert told["events"] == self._happened(seat)
        return told["events"]

    def _happened(self, seat: Seat) -> list[Any]:
        """The events of the last commit, as this seat may know them."""
        query = f"/events?after={self.table.version() - 1}"
        (commit,) = self._done(self.api.get(self.table.path + query, self.table.headers(seat)), 200)["commits"]
        return commit["events"]

    @staticmethod
    def _done(answer: httpx2.Response, status: int) -> Any:
        told = answer.json()
        if answer.status_code != status:
            assert answer.status_code == told["status"] == KINDS[told["code"]].status
            raise Refusal(told["code"], told["detail"], told.get("reason"), tuple(told.get("legal", ())))
        return told
