"""Turn clocks and idle games beside the log: set with the commit, told with the answer, never kept in memory."""

import pytest

from events.game.commands import Create, MakeMove, Resign, Sit
from events.game.events import SeatInfo
from events.game.legality import view
from events.game.moves import parse_move
from events.game.presets import resolve
from events.log.append import Request
from events.log.clocks import OUTAGE_SECONDS, ClockTerms
from events.log.keys import SWEPT_KEY, clock_terms_key, clocks_key, idle_key
from events.log.store import Store, utc_now
from events.log.submit import Submitted, create, submit
from tests.log.games import SHORT, let_pass, people, seed_of

GAME = "01clocked"
SHARD = 1
MINUTE = ClockTerms(60, "forfeit")
OPEN = SeatInfo(None, "open", None, "")


def begun(
    store: Store, *, clock: ClockTerms | None = MINUTE, game: str = GAME, opened: int = 0, mark: bool = True
) -> Submitted:
    rules = resolve(SHORT)
    seats = people(rules)[: 2 - opened] + (OPEN,) * opened
    return create(
        store, Create(game=game, rules=rules, seats=seats), seed=seed_of(1), by="system", clock=clock, mark=mark
    )


def moved(store: Store, kind: str, key: str | None = None) -> Submitted:
    """A discard (ends the turn), or a play (does not) by the seat to move."""
    loaded = store.load(GAME)
    assert loaded.game.turn is not None
    seat = loaded.game.turn.seat
    legal = view(loaded.game, seat, name=GAME, version=loaded.version).legal
    text = next(move for move in legal if (">s" in move) == (kind == "discard"))
    request = None if key is None else Request(f"seat:{seat}", key, "digest")
    return submit(store, GAME, MakeMove(seat, parse_move(text)), by=f"seat:{seat}", request=request)


def now(store: Store) -> int:
    seconds, microseconds = store.client.time()
    return seconds * 1000 + microseconds // 1000


def until_a_play(store: Store) -> None:
    """Discards until the seat to move can play to the centre."""
    while True:
        loaded = store.load(GAME)
        assert loaded.game.turn is not None
        legal = view(loaded.game, loaded.game.turn.seat, name=GAME, version=loaded.version).legal
        if any(">c" in move for move in legal):
            return
        moved(store, "discard")


def test_a_turn_has_its_deadline_from_the_deal_by_the_time_of_the_store(store: Store) -> None:
    before = now(store)
    done = begun(store)
    assert done.deadline is not None
    assert before + 60_000 <= done.deadline <= now(store) + 60_000
    assert store.clocks.deadline(GAME) == done.deadline
    assert store.clocks.terms(GAME) == store.load(GAME).clock == MINUTE


def test_a_play_leaves_the_deadline_and_a_new_turn_sets_it_anew(store: Store) -> None:
    begun(store)
    until_a_play(store)
    let_pass(store, GAME, 10)
    before = store.clocks.deadline(GAME)
    assert moved(store, "play").deadline == before
    after = moved(store, "discard").deadline
    assert after is not None
    assert before is not None
    assert after >= before + 10_000


def test_no_clock_runs_while_a_seat_is_open(store: Store) -> None:
    assert begun(store, opened=1).deadline is None
    assert store.clocks.deadline(GAME) is None
    done = submit(store, GAME, Sit("Ben", ""), by="seat:1")
    assert done.deadline is not None
    assert store.clocks.deadline(GAME) == done.deadline


def test_the_end_stops_the_clock_and_what_was_agreed_stays_known(store: Store) -> None:
    begun(store)
    assert submit(store, GAME, Resign(0), by="seat:0").deadline is None
    assert not store.client.exists(clocks_key(1), idle_key(1))
    assert Store(store.client, shards=4, now=utc_now).load(GAME).clock == MINUTE


def test_a_repeated_request_is_told_the_deadline_that_it_was_told_first(store: Store) -> None:
    """Section 5: the first result, whatever has happened since."""
    begun(store)
    until_a_play(store)
    loaded = store.load(GAME)
    assert loaded.game.turn is not None
    seat = loaded.game.turn.seat
    request = Request(f"seat:{seat}", "k", "digest")
    first = moved(store, "play", key="k")
    moved(store, "discard")
    let_pass(store, GAME, 30)
    again = submit(store, GAME, Resign(seat), by=f"seat:{seat}", request=request)
    assert again.replayed
    assert first.deadline is not None
    assert (again.commit, again.deadline, again.after.clock) == (first.commit, first.deadline, MINUTE)


def test_a_game_without_a_clock_is_only_known_to_be_idle(store: Store) -> None:
    assert begun(store, clock=None).deadline is None
    assert store.load(GAME).clock is None
    assert store.client.zrange(idle_key(1), 0, -1) == [GAME.encode()]
    assert not store.client.exists(clocks_key(1), clock_terms_key(1))


def test_a_game_of_an_arena_has_no_clock_and_is_never_idle(store: Store) -> None:
    begun(store, clock=None, mark=False)
    assert not store.client.exists(clocks_key(1), idle_key(1), clock_terms_key(1))


def test_a_turn_is_over_at_its_deadline_and_not_before(store: Store) -> None:
    begun(store)
    store.due.note_sweep()
    let_pass(store, GAME, 50)
    assert not store.clocks.is_over(GAME)
    assert store.clocks.over(SHARD, 0, anew=False).turns == []
    let_pass(store, GAME, 10)
    assert store.clocks.is_over(GAME)
    assert store.clocks.over(SHARD, 0, anew=False).turns == [GAME]
    assert store.clocks.over(SHARD + 1, 0, anew=False).turns == []


def test_a_move_before_the_deadline_is_noticed_saves_the_turn(store: Store) -> None:
    """Section 6: a move appended before expiry counts."""
    begun(store)
    store.due.note_sweep()
    let_pass(store, GAME, 61)
    moved(store, "discard")
    assert not store.clocks.is_over(GAME)
    assert store.clocks.over(SHARD, 0, anew=False).turns == []


@pytest.mark.parametrize("how", ["never swept", "swept long ago", "restarted", "clock set back"])
def test_while_nobody_sweeps_no_time_runs_out(store: Store, how: str) -> None:
    """Section 6: after an outage each running clock starts its turn anew."""
    begun(store)
    begun(store, clock=None, game="01plain")
    store.due.note_sweep()
    let_pass(store, GAME, 3600)
    let_pass(store, "01plain", 3600)
    assert store.clocks.is_over(GAME)
    assert store.clocks.is_idle("01plain", 1800)
    if how == "restarted":
        store.clocks.restart()
    elif how == "never swept":
        store.client.delete(SWEPT_KEY)
    else:
        way = 1 if how == "clock set back" else -1
        store.client.set(SWEPT_KEY, now(store) + way * (int(OUTAGE_SECONDS * 1000) + 1000))
    assert store.clocks.stopped()
    assert not store.clocks.is_over(GAME)
    assert not store.clocks.is_idle("01plain", 1800)
    over = store.clocks.over(SHARD, 1800, anew=True)
    assert (over.turns, over.idle) == ([], [])
    store.due.note_sweep()
    deadline = store.clocks.deadline(GAME)
    assert deadline is not None
    assert now(store) + 50_000 < deadline <= now(store) + 60_000
    assert not store.clocks.is_over(GAME)
    assert not store.clocks.is_idle("01plain", 1800)


def test_a_game_is_idle_when_nobody_has_moved_for_so_long(store: Store) -> None:
    begun(store, opened=1, clock=None)
    store.due.note_sweep()
    let_pass(store, GAME, 100)
    assert store.clocks.over(SHARD, 101, anew=False).idle == []
    assert store.clocks.over(SHARD, 99, anew=False).idle == [GAME]
    assert store.clocks.over(SHARD, 0, anew=False).idle == [], "0 is never"
    assert (store.clocks.is_idle(GAME, 99), store.clocks.is_idle(GAME, 101)) == (True, False)
    submit(store, GAME, Sit("Ben", ""), by="seat:1")
    assert store.clocks.over(SHARD, 99, anew=False).idle == []


def test_a_game_set_aside_is_not_found_again(store: Store) -> None:
    begun(store)
    store.due.note_sweep()
    let_pass(store, GAME, 100)
    store.due.set_aside(GAME, "its log is damaged")
    over = store.clocks.over(SHARD, 99, anew=False)
    assert (over.turns, over.idle) == ([], [])
