"""Matches over HTTP: begun once for each key, played with the tokens given at the start, and open to be checked."""

import json
from typing import Any

import httpx2
import msgspec
import pytest

from events.game.commands import Create
from events.game.events import SeatInfo
from events.game.presets import PRESETS
from events.log.keys import match_key, match_terms_key, stream_key
from events.log.submit import create
from events.log.verify_match import verify_match
from tests.services.api.table import ADMIN, MARKED, PEOPLE, Api, Table, problem
from workers.bot_turn import play_bots
from workers.bots.registry import find
from workers.fold import fold_game

RULES: Any = msgspec.to_builtins(PRESETS["spite-and-malice"].rules) | {"payoff": 5, "match": 15}
"""A match of three games, where each is resigned at once."""
BODY: Any = {"rules": RULES, "seats": PEOPLE}
BOTS: Any = {"rules": RULES, "seats": [{"bot": "greedy"}, {"bot": "uniform"}], "seed": "spring"}
WITH_OPEN: Any = {"rules": RULES, "seats": [{"name": "Ada", "entropy": "one"}, {"open": True}]}


class Match:
    """A match, and the tokens of its human seats."""

    def __init__(self, api: Api, answer: httpx2.Response) -> None:
        assert answer.status_code == 201, answer.text
        created = answer.json()
        self.api, self.match = api, created["match"]
        self.path = f"/v1/matches/{self.match}"
        assert answer.headers["location"] == self.path
        self.seats = created["seats"]
        self.tokens = {seat["seat"]: {"Authorization": f"Bearer {seat['token']}"} for seat in self.seats}

    def told(self) -> Any:
        answer = self.api.get(self.path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def current(self) -> str:
        """The game being played."""
        last = self.told()["games"][-1]
        assert last["result"] is None
        return last["game"]

    def table(self, game: str) -> Table:
        """One of its games, with the match's tokens."""
        return Table(self.api, {"game": game, "seats": self.seats})

    def resign(self, seat: int = 0) -> None:
        """The game being played is left by this seat, and the workers see to it."""
        assert self.table(self.current()).resign(seat).status_code == 200
        work(self.api)

    def verification(self) -> Any:
        return self.api.get(f"{self.path}/verification").json()


def begin(api: Api, body: Any = BODY, headers: Any = None, **changes: Any) -> Match:
    return Match(api, api.post("/v1/matches", body | changes, headers))


def work(api: Api) -> None:
    """What workers do until nothing is due."""
    while games := {game for shard in api.store.due.shards() for game in api.store.due.games(shard)}:
        for game in sorted(games):
            fold_game(api.store, game, lambda *_: None)
            play_bots(api.store, game, find, lambda *_: None, clock=lambda: 0.0)


# --------------------------------------------------------------------------------------------------------- beginning


def test_a_match_begins_with_its_first_game_ready_to_be_played(api: Api):
    match = begin(api)
    assert [(seat["seat"], seat["name"]) for seat in match.seats] == [(0, "Ada"), (1, "Ben")]
    first = match.current()
    assert match.told() == {
        "match": match.match, "status": "running", "target": 15, "totals": [0, 0],
        "games": [{"game": first, "result": None, "winners": [], "points": None}], "winner": None,
    }  # fmt: skip
    assert api.woken == [first]
    table = match.table(first)
    assert table.view()["status"] == "playing"
    seat, move = table.any_move()
    assert table.play(seat, move).status_code == 200


def test_the_presets_rules_make_a_match_to_fifty(api: Api):
    """R23."""
    assert begin(api, rules="spite-and-malice").told()["target"] == 50


def test_tokens_are_given_for_human_seats_alone(api: Api):
    match = begin(api, seats=[{"bot": "greedy", "name": "Bot"}, {"name": "Ada"}])
    assert [(seat["seat"], seat["name"]) for seat in match.seats] == [(1, "Ada")]
    assert begin(api, BOTS).seats == []


@pytest.mark.parametrize("rules", ["gato-e-rato", "gatto-e-topo", RULES | {"match": None}])
def test_rules_without_a_match_are_refused_with_a_sentence(api: Api, rules: Any):
    told = problem(api.post("/v1/matches", BODY | {"rules": rules}), 422, "bad_rules")
    assert "null" in told["detail"]


def test_a_match_starts_from_no_position(api: Api):
    """R23: each game is a new deal."""
    told = problem(api.post("/v1/matches", BODY | {"position": MARKED}), 422, "bad_position")
    assert "new deal" in told["detail"]
    assert api.post("/v1/matches", BODY | {"position": None}).status_code == 201


@pytest.mark.parametrize(
    ("changes", "status", "code"),
    [
        ({"rules": "poker"}, 422, "bad_rules"),
        ({"rules": RULES | {"points": None}}, 422, "bad_rules"),
        ({"rules": RULES | {"match": 0}}, 422, "bad_rules"),
        ({"seats": PEOPLE[:1]}, 422, "bad_rules"),
        ({"seats": [{"name": "Ada"}, {"bot": "nobody"}]}, 422, "bad_rules"),
        ({"seats": [{"name": "Ada"}, {"name": ""}]}, 400, "malformed"),
        ({"seats": [{"name": "Ada"}, {}]}, 400, "malformed"),
        ({"games": 3}, 400, "malformed"),
        ({"seed": 5}, 400, "malformed"),
        ({"seed": "s" * 201}, 400, "malformed"),
        ({"seed": "spring"}, 403, "forbidden"),
        ({"seed": "spring", "seats": [{"bot": "greedy"}, {"open": True}]}, 403, "forbidden"),
    ],
)
def test_a_match_that_cannot_be_is_refused_and_changes_nothing(api: Api, changes: Any, status: int, code: str):
    problem(api.post("/v1/matches", BODY | changes), status, code)
    assert api.store.client.keys("{*") == []
    assert api.woken == []


def test_a_seed_is_any_text_for_bots_or_with_the_admin_key(api: Api):
    """Section 4: same seed, same games."""
    for seed in ("", "été 2026", "s" * 200):
        assert begin(api, BOTS, seed=seed).told()["status"] == "running"
    assert begin(api, headers=ADMIN, seed="spring").told()["status"] == "running"
    one, other = begin(api, BOTS), begin(api, BOTS)
    work(api)
    assert [game["points"] for game in one.told()["games"]] == [game["points"] for game in other.told()["games"]]


def test_without_a_seed_no_two_matches_are_alike(api: Api):
    deals = {begin(api).table(begin(api).current()).view()["commitment"] for _ in range(3)}
    assert len(deals) == 3


def test_creating_needs_the_right_to_create():
    keyed = Api(api_keys={"ada": "the key of Ada"})
    problem(keyed.post("/v1/matches", BODY), 401, "bad_token")
    key = {"Authorization": "Bearer the key of Ada"}
    match = begin(keyed, headers=key)
    problem(keyed.post("/v1/matches", BODY, match.tokens[0]), 403, "forbidden")


# ------------------------------------------------------------------------------------------------------ the same again


def test_a_repeat_with_its_key_finds_the_same_match_byte_by_byte(api: Api):
    key = {"Idempotency-Key": "k"}
    first = api.post("/v1/matches", BODY, key)
    match = Match(api, first)
    match.resign()
    again = api.post("/v1/matches", BODY, key)
    assert (again.status_code, again.content) == (201, first.content)
    assert again.headers["idempotent-replayed"] == "true"
    assert again.headers["location"] == match.path
    assert "idempotent-replayed" not in first.headers
    assert [len(game["game"]) for game in match.told()["games"]] == [22, 22]
    told = problem(api.post("/v1/matches", BODY | {"seats": PEOPLE[::-1]}, key), 422, "key_reused")
    assert "'k'" in told["detail"]
    assert begin(api, headers={"Idempotency-Key": "other"}).match != match.match != begin(api).match


def test_a_repeat_is_answered_though_its_bot_is_gone(api: Api):
    """What the first request was allowed, its repeat is told: its seats and rules are judged once."""
    key = {"Idempotency-Key": "k"}
    first = begin(api, BOTS, headers=key)
    del api.bots["uniform"]
    problem(api.post("/v1/matches", BOTS), 422, "bad_rules")
    assert begin(api, BOTS, headers=key).match == first.match


@pytest.mark.parametrize("lost", ["the first game", "the start", "both"])
def test_a_creation_that_broke_off_is_made_good_by_its_repeat(api: Api, lost: str):
    key = {"Idempotency-Key": "k"}
    first = api.post("/v1/matches", BODY, key)
    match, game = Match(api, first), Match(api, first).current()
    commitment = match.table(game).view()["commitment"]
    api.store.forget()
    keys = {"the first game": [stream_key(game)], "the start": [match_key(match.match)]}
    api.store.client.delete(*keys.get(lost, [stream_key(game), match_key(match.match)]))
    assert api.post("/v1/matches", BODY, key).content == first.content
    assert match.current() == game
    assert match.table(game).view()["commitment"] == commitment, "the deal is that of the first attempt"


def test_where_keys_could_be_guessed_they_must_be_long():
    """Whoever repeats the request gets its tokens."""
    shared = Api(open=True)
    problem(shared.post("/v1/matches", BODY, {"Idempotency-Key": "k"}), 400, "malformed")
    assert shared.post("/v1/matches", BODY, {"Idempotency-Key": "0123456789abcdef012345"}).status_code == 201


def test_no_log_of_a_match_shows_a_key_that_gives_its_tokens(api: Api):
    """The match's log is open while it runs, its games' when they have ended: a key in one would give the seat away."""
    match = begin(api, WITH_OPEN, headers={"Idempotency-Key": "key-of-the-creation"})
    game, key = match.current(), {"Idempotency-Key": "key-of-the-sitting"}
    sat = api.post(f"{match.path}/seats", {"name": "Ben"}, key)
    match.resign()
    files = api.get(f"{match.path}/log").text + api.get(f"/v1/games/{game}/log").text
    assert "key-of-the" not in files
    shown = {json.loads(line).get("key") for line in files.splitlines()} - {None}
    assert len(shown) == 1
    for kept in shown:
        again = api.post(f"{match.path}/seats", {"name": "Ben"}, {"Idempotency-Key": kept})
        problem(again, 409, "seat_taken")
    assert api.post(f"{match.path}/seats", {"name": "Ben"}, key).content == sat.content
    reused = api.post(f"{match.path}/seats", {"name": "Eve"}, key)
    assert "'key-of-the-sitting'" in problem(reused, 422, "key_reused")["detail"]
    assert match.verification()["ok"]


# ------------------------------------------------------------------------------------------------------------- playing


def test_a_match_goes_on_game_by_game_with_the_same_tokens_until_a_total_reaches_the_target(api: Api):
    """R22 to R24."""
    match = begin(api)
    games: list[str] = []
    for number, seat in enumerate((0, 1, 0, 0), start=1):
        games.append(match.current())
        match.resign(seat)
        assert [game["game"] for game in match.told()["games"]][:number] == games
    told = match.told()
    assert (told["status"], told["totals"], told["winner"]) == ("ended", [5, 15], 1)
    assert [(game["result"], game["winners"], game["points"]) for game in told["games"]] == [
        ("won", [1], [0, 5]), ("won", [0], [5, 0]), ("won", [1], [0, 5]), ("won", [1], [0, 5]),
    ]  # fmt: skip
    assert len(set(games)) == 4
    assert len({match.table(game).view()["commitment"] for game in games}) == 4, "each is a new deal"
    for game in games:
        problem(match.table(game).play(0, "pass"), 409, "game_over")


def test_the_tokens_of_a_match_hold_in_all_its_games_and_nowhere_else(api: Api):
    match, other, game = begin(api), begin(api), api.game()
    match.resign()
    assert match.table(match.current()).view(1)["seat"] == 1
    for foreign in (other.table(other.current()), game):
        problem(api.get(foreign.path, match.tokens[0]), 403, "forbidden")
        problem(api.http.post(f"{foreign.path}/resign", headers=match.tokens[0]), 403, "forbidden")
    problem(api.get(other.path, match.tokens[0]), 403, "forbidden")
    problem(api.get(match.path, game.tokens[0]), 403, "forbidden")
    problem(api.http.post(f"/v1/games/{match.match}/resign", headers=match.tokens[0]), 404, "unknown_game")
    assert api.get(match.path, match.tokens[0]).status_code == 200
    assert api.get(match.path, ADMIN).status_code == 200
    problem(api.get(match.path, {"Authorization": "Bearer nonsense"}), 401, "bad_token")


@pytest.mark.parametrize("door", ["the match", "its first game"])
def test_who_takes_an_open_seat_is_given_the_token_of_the_match(api: Api, door: str):
    match = begin(api, WITH_OPEN)
    game = match.current()
    assert match.table(game).view()["status"] == "open"
    path = match.path if door == "the match" else f"/v1/games/{game}"
    answer = api.post(f"{path}/seats", {"name": "Ben", "entropy": "two"})
    assert answer.status_code == 201
    sat = answer.json()
    assert (sat["seat"], sat["version"], sat["token"].partition(".")[0]) == (1, 2, match.match)
    match.seats.append({"seat": 1, "name": "Ben", "token": sat["token"]})
    match.resign()
    match.resign()
    view = match.table(match.current()).view(1)
    assert (view["seat"], [seat["name"] for seat in view["seats"]]) == (1, ["Ada", "Ben"])
    assert match.verification()["ok"]


@pytest.mark.parametrize("named", ["a match of here", "00elsewhere", "no id at all"])
def test_a_seat_in_a_game_that_only_names_a_match_is_none_of_the_match(api: Api, named: str):
    """A log from elsewhere may name any match: who sits down there must not be given a token of that match."""
    match = begin(api)
    name = match.match if named == "a match of here" else named
    seats = (SeatInfo("Eve", "human", None, ""), SeatInfo(None, "open", None, ""))
    game, rules = api.store.new_id(), PRESETS["spite-and-malice"].rules
    create(api.store, Create(game=game, rules=rules, seats=seats, match=name), seed=bytes(64), by="system")
    sat = api.post(f"/v1/games/{game}/seats", {"name": "Mal"}, {"Idempotency-Key": "k"}).json()
    assert sat["token"].partition(".")[0] == game
    problem(api.get(match.path, {"Authorization": f"Bearer {sat['token']}"}), 403, "forbidden")


def test_a_match_that_is_full_has_no_seat_whichever_game_is_played(api: Api):
    match = begin(api)
    problem(api.post(f"{match.path}/seats", {"name": "Eve"}), 409, "seat_taken")
    match.resign()
    problem(api.post(f"{match.path}/seats", {"name": "Eve"}), 409, "seat_taken")
    match.resign()
    match.resign()
    problem(api.post(f"{match.path}/seats", {"name": "Eve"}), 409, "game_over")


def test_sitting_is_judged_as_in_a_game(api: Api):
    match = begin(api, WITH_OPEN)
    problem(api.post(f"{match.path}/seats", {"name": ""}), 400, "malformed")
    problem(api.post(f"{match.path}/seats", {"nome": "Ben"}), 400, "malformed")
    problem(api.post("/v1/matches/00nothere/seats", {"name": "Ben"}), 404, "unknown_match")
    problem(api.post(f"{match.path}/seats", {"name": "Ben"}, begin(api).tokens[0]), 403, "forbidden")
    assert match.table(match.current()).version() == 1


def test_bots_alone_play_a_match_to_its_end(api: Api):
    match = begin(api, BOTS)
    work(api)
    told = match.told()
    assert told["status"] == "ended"
    assert told["totals"][told["winner"]] >= 15
    assert [sum(game["points"][seat] for game in told["games"]) for seat in (0, 1)] == told["totals"]


# ---------------------------------------------------------------------------------------------------------- looking


@pytest.mark.parametrize("name", ["00nothere", "x", "%00", "00Match"])
def test_a_match_that_is_not_there_is_unknown(api: Api, name: str):
    for what in ("", "/log", "/verification"):
        problem(api.get(f"/v1/matches/{name}{what}"), 404, "unknown_match")


def test_a_game_is_no_match(api: Api):
    table = api.game()
    problem(api.get(f"/v1/matches/{table.game}"), 404, "unknown_match")


def test_the_log_is_open_while_the_match_runs_and_verifies_with_those_of_its_games(api: Api):
    match = begin(api)
    match.resign()
    match.resign(1)
    answer = api.get(f"{match.path}/log")
    assert answer.headers["content-type"] == "application/x-ndjson"
    assert answer.headers["content-disposition"] == f'attachment; filename="{match.match}.ndjson"'
    head, *commits = [json.loads(line) for line in answer.text.splitlines()]
    assert head == {"format": "malice-match/1", "match": match.match, "complete": False}
    assert [[event["type"] for event in commit["events"]] for commit in commits] == [
        ["MatchStarted"], ["GameScored"], ["GameScored"],
    ]  # fmt: skip
    assert match.current() not in answer.text
    verdict = verify_match(answer.content, lambda game: api.get(f"/v1/games/{game}/log").content)
    assert verdict.ok
    assert match.verification() == msgspec.to_builtins(verdict) | {"games": list(verdict.games), "totals": [5, 5]}
    problem(api.get(f"/v1/games/{match.current()}/log"), 403, "forbidden")


def test_a_match_whose_game_was_damaged_does_not_verify_and_the_game_is_named(api: Api):
    match = begin(api)
    game = match.current()
    match.resign()
    api.store.client.xdel(stream_key(game), "1-0")
    verdict = match.verification()
    assert (verdict["ok"], verdict["version"], verdict["game"], verdict["game_version"]) == (False, 2, game, 1)
    api.store.client.delete(stream_key(game))
    assert "not there" in match.verification()["why"]


def test_a_match_whose_own_log_is_damaged_is_told_as_a_verdict(api: Api):
    match = begin(api)
    match.resign()
    api.store.client.xdel(match_key(match.match), "1-0")
    verdict = match.verification()
    assert (verdict["ok"], verdict["version"], verdict["game"]) == (False, 1, None)
    problem(api.get(match.path), 500, "damaged_log")


def test_nothing_that_is_told_of_a_match_holds_its_secrets(api: Api):
    match = begin(api, BOTS, seed="a seed that nobody is told")
    terms = api.store.matches.terms(match.match)
    told = "".join(api.get(match.path + what).text for what in ("", "/log", "/verification"))
    assert terms.seed not in told
    assert terms.secret not in told
    assert terms.game(1) not in told
    assert api.store.client.exists(match_terms_key(match.match))
