"""Does a real Celery worker, on a real broker, do what the messages ask for?"""

import base64
import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from celery import Celery
from celery.contrib.testing.worker import start_worker

from events.game.presets import resolve
from events.log.client import connect
from events.log.clocks import ClockTerms
from events.log.store import Store, utc_now
from services.settings import broker_of
from tests.log.games import let_pass
from tests.workers.test_fold_and_bots import BOT, PERSON, begun, mark, move
from workers.arena import ledger
from workers.bots.registry import find
from workers.queue import FOLD, LEAGUE, PEOPLE, QUEUES, SWEEP, SWEEPS, People, celery_app, forget, send
from workers.tasks import register

DEADLINE_SECONDS = 30.0


def eventually(holds: Callable[[], Any]) -> None:
    """Returns when it holds; fails when it does not within the deadline."""
    deadline = time.monotonic() + DEADLINE_SECONDS
    while not holds():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.01)  # another thread works; there is no event to wait for


@pytest.fixture
def live(server: Any) -> Iterator[tuple[Celery, Store]]:
    """A worker that takes up messages, and the store that it works on."""
    app = celery_app(broker_of(server.url))
    with connect(server.url) as client, connect(server.url) as own:
        register(app, Store(own, shards=4, now=utc_now), find)
        worker: Any = start_worker(app, pool="solo", perform_ping_check=False, queues=list(QUEUES), shutdown_timeout=20)
        with worker:
            yield app, Store(client, shards=4, now=utc_now)
        app.close()


def test_one_wake_is_enough_for_a_whole_game_of_bots(live: tuple[Celery, Store]) -> None:
    app, store = live
    game = begun(store, BOT, BOT)
    assert send(app, FOLD, game)
    eventually(lambda: store.load(game).game.status == "ended")
    eventually(lambda: mark(store, game) is None)


def test_a_bot_answers_a_persons_turn(live: tuple[Celery, Store]) -> None:
    app, store = live
    game = begun(store, PERSON, BOT)
    for _ in range(4):
        send(app, FOLD, game)
        eventually(lambda: (player := store.load(game).game.to_move) and player.kind == "human")
        move(store, game)


def test_a_lost_wake_is_made_good_by_the_sweep(live: tuple[Celery, Store]) -> None:
    app, store = live
    game = begun(store, BOT, BOT)
    arena = ledger.start(store, ("greedy", "greedy"), 4, resolve({"preset": "gato-e-rato", "payoff": 5}), "x")
    assert send(app, SWEEP)
    eventually(lambda: store.load(game).game.status == "ended")
    eventually(lambda: ledger.progress(store, arena.arena).status == "ended")


def test_an_unknown_game_is_a_line_in_the_log_and_the_worker_goes_on(live: tuple[Celery, Store]) -> None:
    app, store = live
    send(app, FOLD, "00nothing")
    send(app, FOLD, "../..")
    game = begun(store, BOT, BOT)
    send(app, FOLD, game)
    eventually(lambda: store.load(game).game.status == "ended")


def test_a_crowd_whose_time_is_over_keeps_no_bot_from_answering(live: tuple[Celery, Store]) -> None:
    """Given fifty games that a sweep finds late, when a person's bot is to move then, it does not wait for them all."""
    app, store = live
    crowd = [begun(store, PERSON, PERSON, clock=ClockTerms(60, "forfeit")) for _ in range(50)]
    for game in crowd:
        let_pass(store, game, 60)
        store.due.settle(game, 1)
    game = begun(store, PERSON, BOT)
    while (player := store.load(game).game.to_move) is not None and player.kind == "human":
        move(store, game)
    moved = store.version(game)
    store.due.note_sweep()
    send(app, SWEEP, queue=SWEEPS)
    send(app, FOLD, game)
    eventually(lambda: all(store.load(late).game.result for late in crowd))
    answer = store.read(game, after=moved, limit=1)[0]
    assert sum(store.read(late)[-1].at < answer.at for late in crowd) < 25


def test_a_worker_that_plays_a_league_sees_that_a_person_waits(server: Any) -> None:
    """Given messages for other queues and none for people, then one for them, then it sees that one."""
    app = celery_app(broker_of(server.url))
    seconds = iter(range(100))
    people = People(app, lambda: float(next(seconds)))
    assert people.wait() is False, "nobody has used the queue yet"
    send(app, FOLD, "00game", queue=LEAGUE)
    assert people.wait() is False
    send(app, FOLD, "00game", queue=PEOPLE)
    assert people.wait() is True
    standing = People(app, lambda: 0.0)
    assert (standing.wait(), standing.wait()) == (True, False), "it does not ask twice in a moment"
    for queue in (LEAGUE, PEOPLE):
        forget(app, queue)
    assert people.wait() is False
    away = celery_app("redis://127.0.0.1:1/0")
    assert People(away, lambda: 0.0).wait() is False
    app.close()


def test_a_message_carries_ids_and_nothing_else(server: Any) -> None:
    app = celery_app(broker_of(server.url))
    with connect(server.url) as client:
        store = Store(client, shards=4, now=utc_now)
        game = begun(store, PERSON, BOT)
        send(app, FOLD, game)
        (message,) = client.lrange(PEOPLE, 0, -1)
        args, kwargs, _ = json.loads(base64.b64decode(json.loads(message)["body"]))
        assert (args, kwargs) == ([game], {})
    app.close()


def test_a_wake_does_not_fail_where_the_broker_is_away(server: Any) -> None:
    app = celery_app(broker_of(server.url))
    server.stop()
    assert send(app, FOLD, "00game") is False
    app.close()
