"""The cases of `tests/cases` over HTTP: the same answers as the pure game's, and a log that verifies after each."""

import msgspec
import pytest

from events.log.store import Store
from events.log.verify import verify
from tests.cases import GAMES, Case, check, play
from tests.cases.core import Core
from tests.cases.http import Http
from tests.services.api.table import ADMIN, Api
from workers.fold import fold_game


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in GAMES])
def test_a_case_over_http(api: Api, case: Case) -> None:
    """The rulebook's cases at the door; where a move is refused, no seat's view has changed by a byte."""
    http, core = Http(api), Core()
    outcome, expected = play(case, http), play(case, core)
    check(case, outcome, http)
    if outcome.refusal is not None and outcome.refusal.code == "illegal_move":
        assert expected.refusal is not None
        assert outcome.refusal.told() == expected.refusal.told()
        assert outcome.refusal.reason
    if http.game is None:
        return
    as_in_the_core(http, core)
    if outcome.refusal is None and len(core.commits) > 1:
        assert outcome.events == expected.events
    the_log_is_true(http, core)


def as_in_the_core(http: Http, core: Core) -> None:
    """Every seat sees what the pure game holds for it."""
    for seat in http.table.tokens:
        assert http.facts(seat) == {name: fact for name, fact in core.facts(seat).items() if name != "passes"}


def the_log_is_true(http: Http, core: Core) -> None:
    """It verifies, holds the events of the pure game, and whoever folds it gets the pure game to the byte."""
    store, name = http.api.store, http.table.game
    answer = http.api.get(f"{http.table.path}/log", ADMIN)
    assert answer.status_code == 200, answer.text
    verdict = verify(answer.content)
    assert (verdict.ok, verdict.versions, verdict.why) == (True, len(core.commits), None)
    assert verdict.complete == verdict.shuffles == (core.table.result is not None)
    commits = [commit.events for commit in store.read(name)]
    created, *rest = commits[0]
    assert msgspec.structs.replace(created, game="case") == core.commits[0][0]
    assert [tuple(rest), *commits[1:]] == [core.commits[0][1:], *core.commits[1:]]
    for _ in range(2):
        fold_game(store, name, lambda game, _: pytest.fail(f"no bot is to move in {game}"))
        cold = Store(store.client, shards=store.shards, now=store.now)
        assert msgspec.json.encode(cold.load(name).game) == msgspec.json.encode(core.game)
