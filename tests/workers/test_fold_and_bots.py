"""What do workers owe a game, and when is nothing owed any more?"""

from collections.abc import Callable
from typing import Any

import pytest

from events.errors import StoreUnavailable
from events.game.commands import Create, MakeMove, Resign
from events.game.events import SeatInfo
from events.game.legality import view
from events.game.moves import parse_move
from events.game.presets import resolve
from events.log.clocks import ClockTerms
from events.log.keys import SWEEPING_KEY, broken_key, shard_of, snapshot_key, stream_key
from events.log.store import Loaded, Store
from events.log.submit import create, submit
from workers.bot_turn import RUN_MOVES, play_bots
from workers.bots.registry import UnknownBot, find
from workers.fold import SNAPSHOT_EVERY, fold_game, queue_of
from workers.queue import CLOCKS, FOLD, LEAGUE, PEOPLE, celery_app
from workers.sweep import sweep
from workers.tasks import register

SEED = bytes(range(64))
PERSON = SeatInfo("Ada", "human", None, "")
BOT = SeatInfo("greedy", "bot", "greedy", "")


class Rings(list[Any]):
    """Records who was rung, instead of sending a message."""

    def ring(self, game: str, table: Any = None) -> None:
        self.append(game)


@pytest.fixture
def rings() -> Rings:
    return Rings()


def begun(store: Store, *seats: SeatInfo, payoff: int = 5, clock: ClockTerms | None = None) -> str:
    rules = resolve({"preset": "gato-e-rato", "payoff": payoff})
    command = Create(game=store.new_id(), rules=rules, seats=seats)
    create(store, command, seed=SEED, by="system", clock=clock)
    return command.game


def stopped() -> Callable[[], float]:
    """A clock that stands still."""
    return lambda: 0.0


def mark(store: Store, game: str) -> int | None:
    return store.due.games(int(game[:2], 16)).get(game)


def move(store: Store, game: str) -> Loaded:
    """The first legal move of whoever's turn it is."""
    loaded = store.load(game)
    assert loaded.game.turn is not None
    seat = loaded.game.turn.seat
    legal = view(loaded.game, seat, name=game, version=loaded.version).legal
    return submit(store, game, MakeMove(seat, parse_move(legal[0])), by=f"seat:{seat}").after


def test_a_game_of_people_is_settled_by_its_fold(store: Store, rings: Rings) -> None:
    game = begun(store, PERSON, PERSON)
    assert mark(store, game) == 1
    fold_game(store, game, rings.ring)
    assert mark(store, game) is None
    assert rings == []


def test_a_bot_to_move_is_rung_and_the_game_stays_due(store: Store, rings: Rings) -> None:
    game = begun(store, BOT, BOT)
    fold_game(store, game, rings.ring)
    assert rings == [game]
    assert mark(store, game) == 1, "a lost message must be found by the sweep"


def test_a_run_of_bots_goes_on_to_the_end_of_the_game_and_settles_it(store: Store, rings: Rings) -> None:
    game = begun(store, BOT, BOT)
    while mark(store, game) is not None:
        play_bots(store, game, find, rings.ring, clock=stopped())
    assert store.load(game).game.status == "ended"
    assert all(rung == game for rung in rings)


def test_a_run_gives_up_its_place_when_its_time_is_over_and_asks_to_go_on(store: Store, rings: Rings) -> None:
    game = begun(store, BOT, BOT)
    ticks = iter(range(1000))
    play_bots(store, game, find, rings.ring, clock=lambda: 0.3 * next(ticks))
    assert 1 <= store.load(game).version - 1 < RUN_MOVES
    assert rings == [game]
    assert mark(store, game) == store.load(game).version


def test_a_bot_moves_until_the_person_is_to_move(store: Store, rings: Rings) -> None:
    game = begun(store, PERSON, BOT)
    for _ in range(6):
        play_bots(store, game, find, rings.ring, clock=stopped())
        player = store.load(game).game.to_move
        assert player is not None
        assert player.kind == "human"
        assert mark(store, game) is None
        move(store, game)
    assert {commit.by for commit in store.read(game)} == {"system", "seat:0", "bot:1"}


def test_a_run_repeated_late_or_by_two_workers_plays_the_same_game(store: Store, rings: Rings) -> None:
    game = begun(store, BOT, BOT)
    other = Store(store.client, shards=store.shards, now=store.now)
    ticks = iter(range(100_000))

    def meddling() -> float:
        """While one worker is in its run, another takes the same turn."""
        if next(ticks) % 7 == 3:
            play_bots(other, game, find, rings.ring, clock=iter((0.0, 0.0, 9.0)).__next__)
        return 0.0

    while mark(store, game) is not None:
        play_bots(store, game, find, rings.ring, clock=meddling)
    lonely = begun(other, BOT, BOT)
    while mark(other, lonely) is not None:
        play_bots(other, lonely, find, rings.ring, clock=stopped())
    assert [commit.events for commit in store.read(game)][1:] == [commit.events for commit in other.read(lonely)][1:]


def test_a_bot_unknown_to_this_worker_loses_nothing_and_stays_due(store: Store, rings: Rings) -> None:
    stranger = SeatInfo("stranger", "bot", "nobody", "")
    game = begun(store, stranger, stranger)
    with pytest.raises(UnknownBot, match="nobody"):
        play_bots(store, game, find, rings.ring, clock=stopped())
    assert mark(store, game) is not None


def test_a_snapshot_is_kept_every_so_often_and_none_of_an_ended_game(store: Store, rings: Rings) -> None:
    game = begun(store, PERSON, PERSON)
    while store.load(game).version < SNAPSHOT_EVERY:
        move(store, game)
    fold_game(store, game, rings.ring)
    assert store.snapshot_version(game) == store.load(game).version
    submit(store, game, Resign(0), by="seat:0")
    fold_game(store, game, rings.ring)
    assert not store.client.exists(snapshot_key(game))
    assert mark(store, game) is None


def test_the_sweep_wakes_every_game_that_is_due_and_no_other(store: Store, rings: Rings) -> None:
    games = [begun(store, PERSON, BOT) for _ in range(6)]
    fold_game(store, games[0], rings.ring)
    settled = begun(store, PERSON, PERSON)
    fold_game(store, settled, rings.ring)
    rings.clear()
    sweep(store, rings.ring, rings.ring, rings.ring, lambda queue: 0)
    owed = [game for game in games if mark(store, game) is not None]
    assert sorted(rings) == sorted(owed)
    assert settled not in rings


def test_the_sweep_sends_no_second_message_where_as_many_wait_as_games_are_due(store: Store, rings: Rings) -> None:
    games = [begun(store, PERSON, BOT) for _ in range(6)]
    sweep(store, rings.ring, rings.ring, rings.ring, {PEOPLE: 6, CLOCKS: 0, LEAGUE: 0}.__getitem__)
    assert rings == []
    store.client.delete(SWEEPING_KEY)
    sweep(store, rings.ring, rings.ring, rings.ring, {PEOPLE: 5, CLOCKS: 0, LEAGUE: 0}.__getitem__)
    assert sorted(rings) == sorted(games), "one of the six has no message"


def test_bots_that_wait_behind_a_league_are_not_rung_again_and_again(store: Store, rings: Rings) -> None:
    games = [begun(store, BOT, BOT) for _ in range(5)]
    person = begun(store, PERSON, BOT)
    sweep(store, rings.ring, rings.ring, rings.ring, {PEOPLE: 0, CLOCKS: 0, LEAGUE: 5}.__getitem__)
    assert rings == [person], "a league's messages say nothing of a person's game"
    store.client.delete(SWEEPING_KEY)
    sweep(store, rings.ring, rings.ring, rings.ring, {PEOPLE: 1, CLOCKS: 0, LEAGUE: 4}.__getitem__)
    assert sorted(rings[1:]) == sorted(games)


def test_two_sweeps_within_a_second_are_one(store: Store, rings: Rings) -> None:
    begun(store, PERSON, BOT)
    assert store.due.seconds_since_sweep() is None
    for _ in range(2):
        sweep(store, rings.ring, rings.ring, rings.ring, lambda queue: 0)
    assert len(rings) == 1
    assert store.due.seconds_since_sweep() in range(3)


def test_the_sweep_finds_what_is_due_on_shards_that_new_games_do_not_use_any_more(store: Store, rings: Rings) -> None:
    games = [begun(store, PERSON, BOT) for _ in range(12)]
    smaller = Store(store.client, shards=1, now=store.now)
    sweep(smaller, rings.ring, rings.ring, rings.ring, lambda queue: 0)
    assert sorted(rings) == sorted(games)


def test_a_due_game_that_cannot_be_read_is_set_aside_and_not_woken_for_ever(store: Store, rings: Rings) -> None:
    game, lost = begun(store, PERSON, BOT), begun(store, PERSON, BOT)
    store.client.xadd(stream_key(game), {"1": b"{}", "h": bytes(32), "n": b""}, id="2-0")
    store.client.delete(stream_key(lost))
    app = celery_app("memory://")
    register(app, Store(store.client, shards=store.shards, now=store.now), find)
    for name in (game, lost):
        app.tasks[FOLD](name)
        assert mark(store, name) is None
        assert store.client.hget(broken_key(shard_of(name)), name)
    app.close()


def test_bots_among_themselves_wait_behind_people(store: Store) -> None:
    assert queue_of(store.load(begun(store, BOT, BOT)).game) == LEAGUE
    assert queue_of(store.load(begun(store, PERSON, BOT)).game) == PEOPLE


def test_a_store_that_is_away_ends_the_task_and_the_game_stays_due(server: Any, rings: Rings) -> None:
    from events.log.client import connect
    from events.log.store import utc_now

    with connect(server.url, retries=0) as client:
        store = Store(client, shards=4, now=utc_now)
        game = begun(store, BOT, BOT)
        server.stop()
        with pytest.raises(StoreUnavailable):
            play_bots(store, game, find, rings.ring, clock=stopped())
        server.start()
        assert mark(store, game) == 1
        play_bots(store, game, find, rings.ring, clock=stopped())
        assert store.load(game).version > 1
