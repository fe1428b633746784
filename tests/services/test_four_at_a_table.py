"""R21 by HTTP alone: two people and two bots, each a team with the one opposite, from an open seat to the end."""

import re
from typing import Any

import pytest

from events.log.verify import verify
from tests.live import Live, eventually


def worth(move: str) -> int:
    """A payoff card first, a partner's too, then any other play, then whatever ends the turn."""
    return 2 if move.startswith("p") and ">" in move else 1 if ">c" in move else 0


class Person:
    """Somebody with a token, who plays what can be played."""

    def __init__(self, live: Live, game: str, token: str) -> None:
        self.live = live
        self.path = f"/v1/games/{game}"
        self.token = {"Authorization": f"Bearer {token}"}

    def view(self) -> Any:
        return self.live.http.get(self.path, headers=self.token).json()

    def turn(self) -> Any:
        """The whole turn; the view after it."""
        view = self.view()
        while view["legal"]:
            move = max(view["legal"], key=worth)
            version = {"If-Match": f'"{view["version"]}"'}
            answer = self.live.http.post(f"{self.path}/moves", json={"move": move}, headers=self.token | version)
            assert answer.status_code == 200, answer.text
            view = answer.json()["view"]
        return view


@pytest.mark.timeout(180)
@pytest.mark.parametrize("team_win", ["all", "first"])
def test_two_people_and_two_bots_play_in_teams_to_the_end(live: Live, team_win: str) -> None:
    rules = {"preset": "gatto-e-topo", "seats": 4, "teams": True, "team_win": team_win}
    seats = [{"name": "Ada", "entropy": "a"}, {"bot": "greedy"}, {"open": True}, {"bot": "uniform"}]
    created = live.http.post("/v1/games", json={"rules": rules, "seats": seats}).json()
    game = created["game"]
    (ada,) = [Person(live, game, seat["token"]) for seat in created["seats"]]
    assert ada.view()["status"] == "open"
    sat = live.http.post(f"/v1/games/{game}/seats", json={"name": "Ben", "entropy": "b"})
    ben = Person(live, game, sat.json()["token"])
    assert (sat.status_code, sat.json()["seat"]) == (201, 2)
    people = {0: ada, 2: ben}
    while (view := ada.view())["result"] is None:
        assert (view["seat"], ben.view()["seat"]) == (0, 2)
        if view["turn"]["seat"] in people:
            view = people[view["turn"]["seat"]].turn()
        eventually(lambda: (now := ada.view())["result"] or now["turn"]["seat"] in people)
    assert view["result"]["winners"] in ([0, 2], [1, 3])
    assert view["result"]["reason"] == "payoff"
    left = [seat["payoff"]["left"] for seat in view["seats"]]
    empty = [seat for seat in view["result"]["winners"] if left[seat] == 0]
    assert len(empty) == 2 if team_win == "all" else empty
    log = live.http.get(f"/v1/games/{game}/log").content
    verdict = verify(log)
    assert (verdict.ok, verdict.complete, verdict.joined) == (True, True, (2,))
    assert live.http.get(f"/v1/games/{game}/verification").json()["ok"]
    plays = re.findall(rb'"owner":(\d),"pile":\d,"rank":\d+,"seat":(\d)', log)
    assert {(int(owner) - int(seat)) % 4 for owner, seat in plays} == {0, 2}, "one's own payoff, and the partner's"
