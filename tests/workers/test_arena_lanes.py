"""How does an arena get played by whoever comes, once, and to the end?"""

from collections.abc import Callable
from typing import Any

import pytest

from events.errors import KeyReused
from events.game.presets import resolve
from events.log.record import export
from events.log.store import Store
from events.log.verify import verify
from workers.arena import ledger
from workers.arena.lane import play_lane
from workers.arena.ledger import LANES, Arena, UnknownArena
from workers.arena.local import Arena as LocalArena
from workers.arena.local import play, play_local
from workers.arena.report import report
from workers.bots.registry import find
from workers.sweep import sweep

RULES = resolve({"preset": "gato-e-rato", "payoff": 5})
BOTS = ("greedy", "uniform")


def begun(store: Store, games: int = 6, seed: str = "x") -> Arena:
    return ledger.start(store, BOTS, games, RULES, seed)


def standing() -> Callable[[], float]:
    return lambda: 0.0


def work(store: Store, arena: Arena, clock: Callable[[], float]) -> int:
    """A worker that takes up every message until none is left; how many messages there were."""
    waiting: list[tuple[int, Any]] = [(lane, None) for lane in ledger.idle_lanes(store, arena.arena)]
    count = 0
    while waiting:
        lane, lease = waiting.pop(0)
        play_lane(store, arena.arena, lane, lease, find, lambda _, *what: waiting.append(what), clock=clock)
        count += 1
    return count


def test_an_arena_ends_by_itself_and_its_rows_are_those_of_a_local_one(store: Store) -> None:
    arena = begun(store)
    work(store, arena, standing())
    assert ledger.progress(store, arena.arena).status == "ended"
    rows = ledger.rows(store, arena.arena)
    expected = list(play_local(BOTS, 6, RULES, "x"))
    games = [row.game for row in rows]
    assert all(games)
    assert len(set(games)) == 6
    assert [(row.number, row.seats, row.winners, row.moves, row.turns) for row in rows] == [
        (row.number, row.seats, row.winners, row.moves, row.turns) for row in expected
    ]


def test_the_logs_of_an_arena_say_event_by_event_what_a_local_one_plays(store: Store) -> None:
    arena = begun(store)
    work(store, arena, standing())
    spec = LocalArena(BOTS, RULES, "x")
    for row in ledger.rows(store, arena.arena):
        logged = [commit.events for commit in store.read(row.game or "")]
        played = play(spec, row.number).commits
        assert logged[0][1:] == played[0][1:], "the same deal; the creation names the game"
        assert logged[1:] == played[1:]


def test_every_game_of_an_arena_is_an_ordinary_game_whose_log_verifies(store: Store) -> None:
    arena = begun(store, games=4)
    work(store, arena, standing())
    for row in ledger.rows(store, arena.arena):
        assert row.game is not None
        verdict = verify(export(store, row.game))
        assert verdict.ok, verdict
        assert verdict.shuffles
        assert verdict.versions == row.moves + 1


def test_a_worker_gives_up_its_place_in_time_and_goes_on_from_the_log(store: Store) -> None:
    arena = begun(store, games=4)
    seconds = iter(range(10**9))
    messages = work(store, arena, lambda: 0.05 * next(seconds))
    assert messages > 2 * LANES
    in_one_go = begun(store, games=4)
    work(store, in_one_go, standing())
    logs = [
        [[commit.events[1:] for commit in store.read(row.game or "")] for row in ledger.rows(store, name)]
        for name in (arena.arena, in_one_go.arena)
    ]
    assert logs[0] == logs[1]


def test_a_doubled_message_finds_the_lane_taken_and_ends(store: Store) -> None:
    arena = begun(store)
    rung: list[Any] = []
    clock = iter((0.0, 9.0)).__next__
    play_lane(store, arena.arena, 0, None, find, lambda *what: rung.append(what), clock=clock)
    assert len(rung) == 1
    play_lane(store, arena.arena, 0, None, find, lambda *what: rung.append(what), clock=standing())
    play_lane(store, arena.arena, 0, "an old lease", find, lambda *what: rung.append(what), clock=standing())
    assert len(rung) == 1
    assert ledger.progress(store, arena.arena).done == 0


def test_the_sweep_rings_the_lanes_that_nobody_has_until_they_are_through(store: Store) -> None:
    arena = begun(store)
    rung: list[Any] = []
    sweep(store, rung.append, lambda *what: rung.append(what))
    assert rung == [(arena.arena, lane) for lane in range(LANES)]
    play_lane(store, arena.arena, 0, None, find, lambda *_: None, clock=iter((0.0, 9.0)).__next__)
    rung.clear()
    sweep(store, rung.append, lambda *what: rung.append(what))
    assert (arena.arena, 0) not in rung
    work(store, arena, standing())
    ledger.leave_lane(store, arena, 0)
    rung.clear()
    sweep(store, rung.append, lambda *what: rung.append(what))
    assert rung == []


def test_games_of_an_arena_are_not_marked_due_one_by_one(store: Store) -> None:
    arena = begun(store, games=2)
    work(store, arena, standing())
    assert not any(store.due(shard) for shard in range(store.shards))


def test_a_cancelled_arena_is_not_played_on(store: Store) -> None:
    arena = begun(store)
    assert ledger.cancel(store, arena.arena).status == "cancelled"
    assert work(store, arena, standing()) == LANES
    assert ledger.progress(store, arena.arena).done == 0
    assert ledger.progress(store, arena.arena).ended_at is not None


def test_an_arena_asked_for_again_under_the_same_key_is_the_same_arena(store: Store) -> None:
    name = store.new_id()
    first = ledger.start(store, BOTS, 4, RULES, "x", arena=name, digest="body")
    assert ledger.start(store, BOTS, 4, RULES, "x", arena=name, digest="body") == first
    with pytest.raises(KeyReused):
        ledger.start(store, BOTS, 6, RULES, "x", arena=name, digest="another body")


@pytest.mark.parametrize("name", ["", "../x", "00nothing", "{s00}:game", "x" * 500])
def test_an_unknown_arena_is_named(store: Store, name: str) -> None:
    with pytest.raises(UnknownArena, match=r"There is no arena"):
        ledger.find(store, name)


def test_the_report_counts_what_the_rows_say(store: Store) -> None:
    arena = begun(store, games=6)
    work(store, arena, standing())
    rows = ledger.rows(store, arena.arena)
    said = report(arena, ledger.progress(store, arena.arena), rows, 2.0)
    assert said.done == said.games == 6
    assert said.moves == sum(row.moves for row in rows)
    assert said.moves_per_second == said.moves / 2
    assert sum(said.reasons.values()) == 6
    (meeting,) = said.pairs
    greedy = next(standing for standing in said.bots if standing.bot == "greedy")
    assert (meeting.wins, meeting.draws, meeting.losses) == (greedy.wins, greedy.draws, greedy.losses)
    assert meeting.score == greedy.score
