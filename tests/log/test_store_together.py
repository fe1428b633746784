"""Many hands on one game: exactly one makes each version, and every answer is true."""

import threading
from collections.abc import Callable

import pytest

from events.errors import Conflict, MaliceError, Rejected
from events.game.commands import MakeMove
from events.log.append import Request
from events.log.record import export
from events.log.store import Store
from events.log.submit import Submitted, advance, submit
from events.log.verify import verify
from tests.conftest import SHARDS
from tests.log.games import begin, steady

GAME = "00table"


def asked(store: Store, key: str, digest: str = "digest") -> tuple[MakeMove, Request]:
    """The next move of the game, as a request."""
    command = steady(store.load(GAME).game)
    return command, Request(f"seat:{command.seat}", key, digest)


def ask(store: Store, command: MakeMove, request: Request, seen: int | None = None) -> Submitted:
    return submit(store, GAME, command, by=request.by, request=request, seen=seen)


def again(store: Store) -> Store:
    """Another process on the same store."""
    return Store(store.client, shards=SHARDS, now=store.now)


def together(work: Callable[[int], None], hands: int = 4) -> None:
    """Does the work in so many threads at once; raises what any of them raised."""
    start, failures = threading.Barrier(hands), list[BaseException]()

    def one(hand: int) -> None:
        try:
            start.wait(10)
            work(hand)
        except BaseException as error:  # noqa: BLE001 - raised again below, in the test's own thread
            failures.append(error)

    threads = [threading.Thread(target=one, args=(hand,)) for hand in range(hands)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    if failures:
        raise failures[0]


@pytest.mark.parametrize("shared", [True, False], ids=["one store", "a store each"])
def test_of_many_hands_on_one_game_exactly_one_wins_each_version(store: Store, shared: bool) -> None:
    """Section 2: versions without a gap, one commit each, whoever wrote it."""
    begin(store, GAME)
    rounds, meeting = 15, threading.Barrier(4, timeout=20)
    won: list[int] = []
    lost: list[int] = []

    def play(hand: int) -> None:
        own = store if shared else again(store)
        for _ in range(rounds):
            loaded = own.load(GAME)
            meeting.wait()  # all of them know the same version now
            command = steady(loaded.game, hand)
            try:
                won.append(advance(own, GAME, loaded, command, by=f"seat:{command.seat}").version)
            except Conflict as conflict:
                lost.append(conflict.actual)
            meeting.wait()  # nobody looks again before all have tried

    together(play)
    assert won == list(range(2, rounds + 2))
    assert lost == sorted(won * 3)
    assert [commit.version for commit in again(store).read(GAME)] == [1, *won]
    assert verify(export(store, GAME)).ok
    assert store.load(GAME).hash == again(store).load(GAME).hash


def test_of_many_that_send_the_same_request_one_makes_the_commit_and_all_are_told_of_it(store: Store) -> None:
    """Section 5: the key is recorded in the same atomic step as the commit."""
    begin(store, GAME)
    for version in range(2, 12):
        command, request = asked(store, f"key-{version}")
        told: list[Submitted] = []

        def repeat(_: int, said: list[Submitted] = told, what: MakeMove = command, how: Request = request) -> None:
            said.append(ask(again(store), what, how))

        together(repeat)
        assert [one.commit for one in told] == [store.read(GAME)[-1]] * 4
        assert [one.replayed for one in told].count(False) == 1
        assert store.version(GAME) == version


def test_players_who_submit_at_once_play_one_game(store: Store) -> None:
    """Section 2: whoever's turn it is not is refused, whoever is late conflicts or is judged again."""
    begin(store, GAME)
    done: list[int] = []
    late: list[MaliceError] = []

    def play(hand: int) -> None:
        own = again(store)
        while own.load(GAME).version < 40:
            command = steady(own.load(GAME).game)
            try:
                done.append(submit(own, GAME, command, by=f"seat:{command.seat}").commit.version)
            except (Rejected, Conflict) as refused:
                late.append(refused)

    together(play)
    assert sorted(done) == list(range(2, len(done) + 2))
    assert verify(export(again(store), GAME)).ok
