"""Once and only once: repeated requests, lost answers, and many hands on one game."""

import threading
from collections.abc import Callable
from importlib import resources
from typing import Any

import pytest
import redis

from events.errors import Conflict, KeyReused, Reason, Rejected
from events.game.commands import Create, MakeMove, Resign
from events.game.moves import Pass
from events.game.presets import resolve
from events.log.append import Appended, Request
from events.log.client import connect
from events.log.keys import due_key, requests_key, seed_key, stream_key
from events.log.record import export
from events.log.store import Loaded, Store
from events.log.submit import Ready, Submitted, create, prepare, submit
from events.log.verify import verify
from tests.conftest import SHARDS, Server
from tests.log.games import begin, move_on, people, seed_of, steady, ticking

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


def begin_as(store: Store, number: int, request: Request | None) -> Submitted:
    """Create the game with the seed of this number."""
    rules = resolve("gato-e-rato")
    return create(
        store,
        Create(game=GAME, rules=rules, seats=people(rules)),
        seed=seed_of(number),
        by="system",
        request=request,
    )


def test_a_repeated_request_is_answered_with_its_first_commit_whatever_happened_since(store: Store) -> None:
    """Section 5, Idempotency: also by another process, on a stale If-Match, and after the end of the game."""
    begin(store, GAME)
    command, request = asked(store, "key-1")
    first = ask(store, command, request, seen=1)
    assert (first.replayed, first.commit.key) == (False, "key-1")
    move_on(store, GAME, 4)
    submit(store, GAME, Resign(0), by="seat:0")
    for reader in (store, again(store)):
        repeated = ask(reader, command, request, seen=1)
        assert repeated.replayed
        assert (repeated.commit, repeated.game) == (first.commit, first.game)
    assert store.version(GAME) == 7


def test_a_key_with_another_request_is_refused(store: Store) -> None:
    """Section 5: `key_reused`, before anything else about the request is judged."""
    begin(store, GAME)
    command, request = asked(store, "key-1")
    ask(store, command, request)
    for reader in (store, again(store)):
        with pytest.raises(KeyReused) as reused:
            ask(reader, command, Request(request.by, "key-1", "another digest"), seen=99)
        assert reused.value.key == "key-1"
    assert store.version(GAME) == 2


def test_a_refused_command_does_not_use_up_its_key(store: Store) -> None:
    """Section 5: a refused request changes nothing and does not use up its key."""
    begin(store, GAME)
    command, request = asked(store, "key-1")
    with pytest.raises(Rejected) as rejected:
        submit(store, GAME, MakeMove(command.seat, Pass()), by=request.by, request=Request(request.by, "key-1", "pass"))
    assert rejected.value.reason is Reason.CARDS_IN_HAND
    with pytest.raises(Conflict):
        ask(store, command, Request(request.by, "key-1", "stale"), seen=7)
    assert store.recorded(GAME, request) is None
    assert not ask(store, command, request).replayed
    assert store.recorded(GAME, request) == Appended(2, replayed=True, deadline=None)


def test_keys_are_counted_for_each_actor(store: Store) -> None:
    """Section 5: counted per game and seat: two seats may use the same key."""
    begin(store, GAME)
    actors = set()
    for _ in range(6):
        command, request = asked(store, f"key of turn {store.load(GAME).game.turn}")
        move_on(store, GAME)
    for version in range(8, 30):
        command, request = asked(store, "the same key")
        if request.by in actors:
            move_on(store, GAME)
            continue
        actors.add(request.by)
        assert ask(store, command, request).commit.version == version
        if len(actors) == 2:
            break
    assert actors == {"seat:0", "seat:1"}


def test_keys_are_counted_for_each_game(store: Store) -> None:
    """Section 5: the same key in another game is another key."""
    begin(store, GAME)
    begin(store, "01other")
    command, request = asked(store, "key-1")
    ask(store, command, request)
    submitted = submit(store, "01other", command, by=request.by, request=request)
    assert not submitted.replayed
    assert (store.version(GAME), store.version("01other")) == (2, 2)


@pytest.mark.parametrize("key", ["", "two words", "3 digest", "líne\nfeed", "x" * 300])
def test_any_text_can_be_a_key(store: Store, key: str) -> None:
    """Section 5: the key is the caller's; what separates fields in the store cannot be forged with it."""
    begin(store, GAME)
    command, request = asked(store, key, "4 a digest\nof two lines")
    first = ask(store, command, request)
    assert first.commit.key == key
    assert store.recorded(GAME, request) == Appended(2, replayed=True, deadline=None)
    assert ask(again(store), command, request).commit == first.commit


def test_a_repeated_creation_finds_its_game(store: Store) -> None:
    """Section 5: Idempotency-Key holds on every POST; a new seed of the repetition is thrown away."""
    request = Request("caller", "key-1", "digest")
    first = begin_as(store, 0, request)
    move_on(store, GAME, 2)
    repeated = begin_as(again(store), 1, request)
    assert repeated.replayed
    assert (repeated.commit, repeated.game) == (first.commit, first.game)
    assert store.client.get(seed_key(GAME)) == seed_of(0)


def test_two_creations_at_once_with_one_key_are_both_told_of_the_same_game(store: Store) -> None:
    """Section 5: repeating a request returns the first result, also when the two cross on the way."""
    request = Request("caller", "key-1", "digest")
    told: list[Submitted] = []

    def while_the_other_is_appending() -> str:
        told.append(begin_as(again(store), 0, request))
        return "2026-01-31T13:00:00.000Z"

    crossing = Store(store.client, shards=SHARDS, now=while_the_other_is_appending)
    late = begin_as(crossing, 1, request)
    assert late.commit == told[0].commit == store.read(GAME)[0]
    assert late.game == told[0].game
    assert late.replayed


def test_two_moves_at_once_with_one_key_are_both_told_of_the_same_commit(store: Store) -> None:
    """Section 5: as above; the later one's time and hash are not those in the log."""
    begin(store, GAME)
    command, request = asked(store, "key-1")
    told: list[Submitted] = []

    def while_the_other_is_appending() -> str:
        told.append(ask(again(store), command, request))
        return "2026-01-31T13:00:00.000Z"

    late = ask(Store(store.client, shards=SHARDS, now=while_the_other_is_appending), command, request)
    assert late.commit == told[0].commit == store.read(GAME)[-1]
    assert late.replayed


class Crossing(Store):
    """A store whose first look at a game is followed at once by what another process does."""

    def __init__(self, store: Store, other: Callable[[], Submitted]) -> None:
        super().__init__(store.client, shards=SHARDS, now=store.now)
        self.others = [other]
        self.told: list[Submitted] = []

    def recorded(self, game: str, request: Request) -> Appended | None:
        try:
            return super().recorded(game, request)
        finally:
            self.told += [self.others.pop()() for _ in self.others]

    def load(self, game: str) -> Loaded:
        try:
            return super().load(game)
        finally:
            self.told += [self.others.pop()() for _ in self.others]


@pytest.mark.parametrize("seen", [None, 1])
def test_a_request_that_crosses_its_own_repetition_is_not_judged_on_what_that_did(
    store: Store, seen: int | None
) -> None:
    """Section 5: the key is judged before If-Match and legality, whatever the other of the two does meanwhile."""
    begin(store, GAME)
    command, request = asked(store, "key-1")
    late = Crossing(store, lambda: ask(again(store), command, request))
    assert ask(late, command, request, seen=seen).commit == late.told[0].commit == store.read(GAME)[-1]
    assert store.version(GAME) == 2


def test_a_command_is_judged_again_when_somebody_was_faster(store: Store) -> None:
    """Section 5: a move without If-Match is judged on the newest state; one with If-Match conflicts."""
    begin(store, GAME)

    def while_somebody_moves() -> str:
        move_on(again(store), GAME)
        return "2026-01-31T13:00:00.000Z"

    slow = Store(store.client, shards=SHARDS, now=iter_once(while_somebody_moves, store.now))
    assert submit(slow, GAME, Resign(0), by="seat:0").commit.version == 3

    def other_moves() -> str:
        return move_on(again(store), "00other").commit.at

    begin(store, "00other")
    slow = Store(store.client, shards=SHARDS, now=iter_once(other_moves, store.now))
    with pytest.raises(Conflict) as conflict:
        submit(slow, "00other", Resign(0), by="seat:0", seen=1)
    assert (conflict.value.expected, conflict.value.actual) == (1, 2)


def iter_once(first: Callable[[], str], then: Callable[[], str]) -> Callable[[], str]:
    """A clock that does something at its first look."""
    looks = iter([first])

    def now() -> str:
        return next(looks, then)()

    return now


def test_an_append_whose_answer_was_lost_is_known_again_and_not_doubled(store: Store) -> None:
    """An append is known by its hash: tried again it is done, also after others followed."""
    begin(store, GAME)
    script = store.client.register_script(resources.files("events.log").joinpath("append.lua").read_text())
    keys = [stream_key(GAME), requests_key(GAME), due_key(0), seed_key(GAME)]

    def made() -> tuple[bytes, Ready]:
        loaded = store.load(GAME)
        command = steady(loaded.game)
        draft = prepare(loaded, command, at=store.now(), by=f"seat:{command.seat}", key=None)
        return bytes.fromhex(loaded.hash), draft

    def append(expected: int, before: bytes, draft: Ready) -> list[Any]:
        digest = bytes.fromhex(draft.commit.hash)
        return script(keys=keys, args=[expected, before, 1, "", "", GAME, b"", 0, draft.packed, digest])

    one, other = made(), made()
    assert append(1, *one) == [b"done", 2, b""]
    assert append(1, *one) == [b"done", 2, b""]
    two = made()
    assert append(2, *two) == [b"done", 3, b""]
    assert append(1, *one) == [b"done", 2, b""]
    assert append(1, *other) == [b"conflict", 3]
    assert append(0, *one) == [b"conflict", 3]
    assert append(9, *one) == [b"conflict", 3]
    assert store.client.xlen(stream_key(GAME)) == 3
    assert verify(export(store, GAME)).ok


class Losing(redis.UnixDomainSocketConnection):
    """A connection that can break after the server has run a script, and before it says so."""

    lose = threading.Event()
    asked: object = None

    def send_command(self, *args: Any, **options: Any) -> None:
        self.asked = args[0]
        super().send_command(*args, **options)

    def read_response(self, *args: Any, **options: Any) -> Any:
        answer = super().read_response(*args, **options)
        if self.asked == "EVALSHA" and self.lose.is_set():
            self.lose.clear()
            self.disconnect()
            raise redis.ConnectionError("the answer was lost")
        return answer


@pytest.mark.parametrize("key", [None, "key-1"])
def test_a_connection_that_breaks_before_the_answer_makes_no_second_commit(server: Server, key: str | None) -> None:
    """Section 5: the outcome is settled by the client's own repetition, with a key and without."""
    with connect(server.url) as client:
        vars(client.connection_pool)["connection_class"] = Losing
        store = Store(client, shards=SHARDS, now=ticking())
        begin(store, GAME)
        command, request = asked(store, key or "")
        Losing.lose.set()
        submitted = submit(store, GAME, command, by=request.by, request=request if key is not None else None)
        assert not Losing.lose.is_set()
        assert submitted.commit == store.read(GAME)[-1]
        assert store.version(GAME) == 2
        assert verify(export(store, GAME)).ok
