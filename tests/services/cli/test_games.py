"""`malice games`: the list of a service."""

import json

from services.client import Client
from tests.live import Live
from tests.services.cli.conftest import Malice, Stub

GAME = {
    "game": "07q3m8k2",
    "created_at": "2026-01-31T12:00:00.123Z",
    "status": "playing",
    "version": 17,
    "rules": "gato-e-rato",
    "seats": [
        {"name": "Ada\x1b[31m", "kind": "human", "bot": None},
        {"name": "greedy", "kind": "bot", "bot": "greedy"},
    ],
    "match": None,
    "forked_from": None,
    "result": None,
}
ENDED = GAME | {
    "game": "07q3m8k1",
    "status": "ended",
    "result": {"result": "won", "winners": [1], "reason": "payoff", "points": None},
    "seats": [{"name": "[b]Bob", "kind": "bot", "bot": "uniform"}, {"name": None, "kind": "open", "bot": None}],
}


def page(*games: object, next: str | None = None) -> tuple[int, bytes]:
    return 200, json.dumps({"games": games, "next": next}).encode()


def test_games_stand_in_a_table_newest_first_and_no_name_steers_the_terminal(malice: Malice, service: Stub):
    service.answers["/v1/games?limit=20"] = page(GAME, ENDED)
    result = malice("games", MALICE_URL=service.url)
    assert (result.exit_code, result.stderr) == (0, "")
    head, first, second = (line.rstrip() for line in result.stdout.splitlines())
    assert head.split() == ["game", "created", "stands", "rules", "seats"]
    assert first.startswith("07q3m8k2  2026-01-31 12:00  version 17  gato-e-rato  Ada·[31m, greedy")
    assert second.startswith("07q3m8k1  2026-01-31 12:00  won by 1    gato-e-rato  [b]Bob (uniform), (open)")


def test_what_is_asked_for_is_passed_on_page_by_page(malice: Malice, service: Stub):
    service.answers["/v1/games?status=ended&limit=100&arena=07a"] = page(*[ENDED] * 100, next="c1")
    service.answers["/v1/games?status=ended&limit=50&cursor=c1&arena=07a"] = page(*[ENDED] * 50, next="c2")
    words = ("games", "--status", "ended", "--limit", 150, "--arena", "07a", "--json")
    result = malice(*words, MALICE_URL=service.url)
    assert result.exit_code == 0, (result.stderr, service.asked)
    told = json.loads(result.stdout)
    assert (len(told["games"]), told["next"]) == (150, "c2")
    assert told["games"][0] == ENDED


def test_where_there_are_none_it_says_so(malice: Malice, service: Stub):
    service.answers["/v1/games?limit=20"] = page()
    assert malice("games", MALICE_URL=service.url).stdout == "There are no games.\n"
    assert json.loads(malice("games", "--json", MALICE_URL=service.url).stdout) == {"games": [], "next": None}


def test_an_arena_that_is_not_there_is_a_no_and_a_status_that_is_none_is_misuse(malice: Malice, service: Stub):
    service.refuses("/v1/games?limit=20&arena=07a", 404, "unknown_arena")
    assert malice("games", "--arena", "07a", MALICE_URL=service.url).exit_code == 1
    assert malice("games", "--status", "lost", MALICE_URL=service.url).exit_code == 2
    assert malice("games").exit_code == 3


def test_the_list_of_a_whole_service(malice: Malice, live: Live):
    with Client(live.url) as client:
        made = client.create_game("gato-e-rato", [{"name": "Ada"}, {"open": True}]).game
    assert malice("games", "--status", "open", MALICE_URL=live.url).stdout.splitlines()[1].startswith(made)
