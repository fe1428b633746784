"""How does an arena get played by whoever comes, once, and to the end?"""

import time
from collections.abc import Callable
from typing import Any

import pytest

from events.errors import KeyReused
from events.game.presets import resolve
from events.log.keys import SWEEPING_KEY, stream_key, tag
from events.log.record import export
from events.log.store import Store
from events.log.verify import verify
from workers.arena import ledger
from workers.arena.lane import Warm, play_lane
from workers.arena.ledger import LANES, UnknownArena
from workers.arena.local import agreed, play, play_local
from workers.arena.report import Report, report
from workers.arena.results import rows_after
from workers.arena.sprt import Judged, Sprt, until_decided
from workers.arena.standings import Row
from workers.arena.terms import Arena
from workers.bots.registry import find
from workers.sweep import sweep

RULES = resolve({"preset": "gato-e-rato", "payoff": 5})
QUESTION = Sprt(0, 200, alpha=0.2)
BOTS = ("greedy", "uniform")


def begun(store: Store, games: int = 6, seed: str = "x") -> Arena:
    return ledger.start(store, BOTS, games, RULES, seed)


def standing() -> Callable[[], float]:
    return lambda: 0.0


def idle_lanes(store: Store, arena: Arena) -> list[int]:
    return [lane for lane, leased in ledger.lanes_left(store, arena).items() if not leased]


def work(store: Store, arena: Arena, clock: Callable[[], float]) -> int:
    """A worker that takes up every message until none is left; how many messages there were."""
    waiting: list[tuple[int, Any]] = [(lane, None) for lane in idle_lanes(store, arena)]
    count, warm = 0, Warm()
    while waiting:
        lane, lease = waiting.pop(0)
        play_lane(store, arena.arena, lane, lease, find, lambda _, *what: waiting.append(what), clock=clock, warm=warm)
        count += 1
    return count


def slices(store: Store, arena: Arena, lease: str | None, clock: Callable[[], float], lane: int = 0) -> list[Any]:
    """One message of a lane is worked on; the messages that come of it."""
    rung: list[Any] = []
    play_lane(store, arena.arena, lane, lease, find, lambda *what: rung.append(what), clock=clock)
    return rung


def enter(store: Store, arena: Arena, row: Row) -> None:
    """A finished game is entered, as by a worker that plays one game after the other."""
    ledger.record(store, arena, row.number % LANES, [row], row.number + LANES)


def over() -> Callable[[], float]:
    """A clock by which each slice is over after its first round."""
    return iter((0.0, *([9.0] * 1000))).__next__


def swept(store: Store, waiting: int = 0) -> list[Any]:
    """The lanes that a sweep rings while so many messages wait."""
    rung: list[Any] = []
    store.client.delete(SWEEPING_KEY)
    sweep(store, rung.append, rung.append, lambda *what: rung.append(what), lambda queue: waiting)
    return rung


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
    spec = agreed(BOTS, 6, RULES, "x")
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
    messages = work(store, arena, lambda: float(next(seconds)))
    assert messages > LANES
    in_one_go = begun(store, games=4)
    work(store, in_one_go, standing())
    logs = [
        [[commit.events[1:] for commit in store.read(row.game or "")] for row in ledger.rows(store, name)]
        for name in (arena.arena, in_one_go.arena)
    ]
    assert logs[0] == logs[1]


def test_a_worker_that_is_wanted_leaves_its_lane_after_the_round_and_has_it_in_hand_when_it_comes_back(
    store: Store,
) -> None:
    arena, warm, rung = begun(store, games=LANES), Warm(), list[Any]()

    def on(lease: str | None) -> str:
        play_lane(
            *(store, arena.arena, 0, lease, find, lambda *what: rung.append(what)),
            clock=standing(), warm=warm, wanted=lambda: True,
        )  # fmt: skip
        return rung.pop()[2]

    lease = on(None)
    game, version = ledger.game_id(arena, 0), store.version(ledger.game_id(arena, 0))
    assert version > 1
    later = on(lease)
    assert store.version(game) > version
    assert warm.take(lease) is None, "taken, and what is kept now is known by the new lease"
    kept = warm.take(later)
    assert kept is not None
    assert [game.number for game in kept.games.values()] == [0]
    assert kept.games[0].course.version == store.version(game)
    assert warm.take(later) is None


def test_a_doubled_message_finds_the_lane_taken_and_ends(store: Store) -> None:
    arena = begun(store)
    rung = slices(store, arena, None, over())
    assert len(rung) == 1
    version = store.load(ledger.game_id(arena, 0)).version
    assert version > 1, "a slice is never so short that it makes no move"
    assert slices(store, arena, None, standing()) == []
    assert slices(store, arena, "an old lease", standing()) == []
    assert store.load(ledger.game_id(arena, 0)).version == version


def test_a_lane_whose_lease_has_run_out_goes_on_with_whoever_comes_first(store: Store) -> None:
    arena = begun(store)
    ((_, _, waited),) = slices(store, arena, None, over())
    store.client.delete(*store.client.keys("*:lease:0"))
    ((_, _, fresh),) = slices(store, arena, None, over())
    assert slices(store, arena, waited, standing()) == [], "the one that waited so long finds it taken"
    assert slices(store, arena, fresh, standing()) == []
    assert 0 not in idle_lanes(store, arena)


def test_the_sweep_rings_the_lanes_that_nobody_has(store: Store) -> None:
    arena = begun(store, games=LANES + 2)
    lanes = [(arena.arena, lane) for lane in range(LANES)]
    assert swept(store) == lanes
    slices(store, arena, None, over())
    assert swept(store) == lanes[1:]
    slices(store, arena, None, standing(), lane=1)
    assert swept(store) == lanes[2:], "lane 0 is taken, lane 1 is through"
    assert swept(store, waiting=1 + LANES - 2) == [], "a message waits for each of them, and for the one that is taken"
    assert swept(store, waiting=1 + LANES - 3) == lanes[2:]


def test_an_arena_that_nobody_closed_is_closed_by_the_sweep(store: Store) -> None:
    arena = begun(store, games=LANES)
    work(store, arena, standing())
    # As a worker leaves it that was killed after the last game's row and before the end.
    store.client.hdel(f"{tag(arena.arena)}:arena:{arena.arena}", "closed")
    store.client.sadd(f"{tag(arena.arena)}:arenas", arena.arena)
    assert ledger.progress(store, arena.arena).status == "running"
    assert swept(store) == []
    assert ledger.progress(store, arena.arena).status == "ended"
    assert not any(ledger.unsettled(store, shard) for shard in range(store.shards)), "and is looked at no more"


def test_what_a_killed_worker_left_of_an_arena_that_is_over_is_abandoned_by_the_next(store: Store) -> None:
    """Given a lane in the middle of games, cancelled, its worker gone with its lease, then the sweep rings for it."""
    arena = begun(store, games=2 * LANES)
    slices(store, arena, None, over())
    ledger.cancel(store, arena.arena)
    store.client.delete(*store.client.keys("*:lease:0"))
    rung = swept(store)
    assert rung == [(arena.arena, lane) for lane in range(LANES)]
    for _, lane in rung:
        assert slices(store, arena, None, standing(), lane=lane) == []
    assert store.load(ledger.game_id(arena, 0)).game.status == "ended"
    assert swept(store) == []
    assert not any(ledger.unsettled(store, shard) for shard in range(store.shards))


def test_how_an_arena_ended_is_said_once(store: Store) -> None:
    cancelled, ended = begun(store, games=2), begun(store, games=2)
    ledger.cancel(store, cancelled.arena)
    for lane in range(LANES):
        slices(store, cancelled, None, standing(), lane=lane)
    assert ledger.close_if_through(store, cancelled) is False
    assert ledger.progress(store, cancelled.arena).status == "cancelled"
    work(store, ended, standing())
    first = ledger.progress(store, ended.arena)
    assert ledger.cancel(store, ended.arena) == first
    assert first.status == "ended"


def test_the_largest_arena_begins_at_once(store: Store) -> None:
    arena = begun(store, games=ledger.MOST_GAMES)
    began = time.monotonic()
    play_lane(store, arena.arena, 3, None, find, lambda *_: None, clock=time.monotonic)
    assert ledger.progress(store, arena.arena).done > 0 or store.load(ledger.game_id(arena, 3)).version > 1
    assert time.monotonic() - began < 60


def test_an_arenas_games_keep_their_ids_whatever_the_number_of_shards_is_later(store: Store) -> None:
    arena = begun(store)
    later = Store(store.client, shards=1, now=store.now)
    assert ledger.game_id(ledger.find(later, arena.arena), 5) == ledger.game_id(arena, 5)


def test_a_game_whose_log_is_damaged_counts_for_nobody_and_stops_nobody(store: Store) -> None:
    arena = begun(store, games=3 * LANES)
    slices(store, arena, None, over())
    store.forget()
    game = ledger.game_id(arena, 0)
    store.client.xadd(stream_key(game), {"1": b"{}", "h": bytes(32)}, id=f"{store.version(game) + 1}-0")
    store.client.delete(*store.client.keys("*:lease:0"))
    work(store, arena, standing())
    assert ledger.progress(store, arena.arena).status == "ended"
    first, *others = ledger.rows(store, arena.arena)
    assert (first.result, first.winners, first.moves) == ("aborted", (), 0)
    assert all(row.result != "aborted" for row in others)


def test_games_of_an_arena_are_not_marked_due_one_by_one(store: Store) -> None:
    arena = begun(store, games=2)
    work(store, arena, standing())
    assert not any(store.due.games(shard) for shard in range(store.shards))


def test_a_cancelled_arena_is_not_played_on(store: Store) -> None:
    arena = begun(store)
    assert ledger.cancel(store, arena.arena).status == "cancelled"
    assert work(store, arena, standing()) > 0
    assert ledger.progress(store, arena.arena).done == 0
    assert ledger.progress(store, arena.arena).ended_at is not None


def test_the_games_in_the_middle_of_a_cancelled_arena_are_abandoned(store: Store) -> None:
    """Given a lane in the middle of a game, when the arena is cancelled, then its message ends that game alone."""
    arena = begun(store)
    ((_, lane, lease),) = slices(store, arena, None, over())
    ledger.cancel(store, arena.arena)
    game, before = ledger.game_id(arena, lane), store.version(ledger.game_id(arena, lane))
    assert before > 1
    assert slices(store, arena, lease, standing()) == []
    commit = store.read(game)[-1]
    assert (commit.version, commit.by) == (before + 1, "system")
    assert verify(export(store, game)).ok
    result = store.load(game).game.result
    assert result is not None
    assert result.reason == "abandoned"
    assert slices(store, arena, None, standing(), lane=1) == []
    assert store.version(ledger.game_id(arena, 1)) == 0
    assert ledger.progress(store, arena.arena).done == 0, "it is no game of the standings"


def test_an_arena_asked_for_again_under_the_same_key_is_the_same_arena(store: Store) -> None:
    name = store.new_id()
    first = ledger.start(store, BOTS, 4, RULES, "x", arena=name, digest="body")
    assert ledger.start(store, BOTS, 4, RULES, "x", arena=name, digest="body") == first
    with pytest.raises(KeyReused):
        ledger.start(store, BOTS, 6, RULES, "x", arena=name, digest="another body")


def questioned(store: Store, games: int = 200, seed: str = "x") -> Arena:
    """An arena of which the question is answered long before its last game."""
    return ledger.start(store, BOTS, games, RULES, seed, sprt=QUESTION)


def told(store: Store, arena: Arena) -> Report:
    """What is said of an arena."""
    return report(arena, ledger.progress(store, arena.arena), ledger.rows(store, arena.arena), 1.0)


def locally(seed: str = "x") -> tuple[list[Row], Judged | None]:
    """The same without a store."""
    taken = list(until_decided(QUESTION, "greedy", play_local(BOTS, 400, RULES, seed)))
    return [row for row, _ in taken], taken[-1][1]


def test_a_test_ends_its_arena_with_the_pair_that_decides(store: Store) -> None:
    """Given lanes that play on for different times, then the report is the one of a local run, to the last figure."""
    arena = questioned(store)
    seconds = iter(range(10**9))
    work(store, arena, lambda: float(next(seconds)))
    rows, judged = locally()
    progress = ledger.progress(store, arena.arena)
    assert (progress.status, progress.judged) == ("ended", judged)
    assert judged is not None
    assert judged.verdict == "better"
    assert progress.done == len(rows) == judged.counted == 2 * judged.reached
    assert [row.winners for row in ledger.rows(store, arena.arena)] == [row.winners for row in rows]
    spec = agreed(BOTS, 200, RULES, "x", QUESTION)
    assert told(store, arena).bots == report(spec, progress, rows, 1.0, local=True).bots


def test_what_was_played_beyond_the_deciding_pair_is_left_out(store: Store) -> None:
    arena = questioned(store)
    rows, _ = locally()
    for lane in range(LANES - 1, -1, -1):  # the first games come last: the others are far ahead
        for number in range(lane, len(rows) + 2 * LANES, LANES):
            enter(store, arena, play(arena, number).row)
    assert ledger.close_if_through(store, arena)
    assert [row.number for row in ledger.rows(store, arena.arena)] == list(range(len(rows)))
    assert told(store, arena).done == len(rows)
    assert [row.number for row in rows_after(store, arena, ledger.progress(store, arena.arena), 3)] == list(
        range(3, len(rows))
    )


def test_the_games_in_the_middle_of_a_decided_arena_are_abandoned(store: Store) -> None:
    arena = questioned(store)
    rows, _ = locally()
    game = ledger.game_id(arena, len(rows) + LANES)
    lane = (len(rows) + LANES) % LANES
    there = {f"lane {lane}": len(rows) + LANES, f"reach {lane}": len(rows) + LANES}
    store.client.hset(f"{tag(arena.arena)}:arena:{arena.arena}", mapping=there)
    ((_, _, lease),) = slices(store, arena, None, over(), lane=lane)
    for row in rows:
        enter(store, arena, row)
    assert ledger.close_if_through(store, arena)
    store.client.hset(f"{tag(arena.arena)}:arena:{arena.arena}", f"lane {lane}", len(rows) + LANES)
    assert slices(store, arena, lease, standing(), lane=lane) == []
    result = store.load(game).game.result
    assert result is not None
    assert result.reason == "abandoned"


def test_two_workers_who_judge_at_once_come_to_the_same(store: Store) -> None:
    """Given one that is behind and writes last, then the pairs it has not seen are judged again, to the same end."""
    arena = questioned(store)
    rows, judged = locally()
    key = f"{tag(arena.arena)}:arena:{arena.arena}"
    for row in rows[:5]:
        enter(store, arena, row)
    assert ledger.close_if_through(store, arena) is False
    behind = store.client.hget(key, "judged")
    for row in rows[5:]:
        enter(store, arena, row)
    assert ledger.close_if_through(store, arena) is True
    store.client.hset(key, "judged", behind or b"")
    assert ledger.close_if_through(store, arena) is True
    assert ledger.progress(store, arena.arena).judged == judged


def test_a_test_that_its_games_do_not_decide_is_undecided(store: Store) -> None:
    arena = questioned(store, games=5)
    work(store, arena, standing())
    said = told(store, arena)
    assert said.sprt is not None
    assert (said.status, said.done, said.sprt.pairs, said.sprt.verdict) == ("ended", 5, 2, "undecided")


def test_results_of_a_running_arena_go_up_to_the_first_game_that_has_not_ended(store: Store) -> None:
    """Given games 0, 1 and 3, then 3 waits for 2: who asks on after the last row misses none."""
    arena = begun(store)
    for number in (0, 1, 3):
        enter(store, arena, play(arena, number).row)

    def numbers(first: int) -> list[int]:
        return [row.number for row in rows_after(store, arena, ledger.progress(store, arena.arena), first)]

    assert (numbers(0), numbers(1), numbers(2)) == ([0, 1], [1], [])
    enter(store, arena, play(arena, 2).row)
    assert numbers(2) == [2, 3]
    enter(store, arena, play(arena, 5).row)
    ledger.cancel(store, arena.arena)
    assert numbers(2) == [2, 3, 5], "nobody plays 4 any more"


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
