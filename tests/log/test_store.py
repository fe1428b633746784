"""The store, the same on the fake and on real servers: what is appended, read and refused, and what keys are made."""

import json

import pytest

from events.errors import Conflict, Reason, Rejected, UnknownGame, UnknownVersion
from events.game.commands import Abandon, Create, MakeMove, Resign
from events.game.events import CardDiscarded, CardPlayed, GameEnded
from events.game.moves import Pass
from events.game.presets import resolve
from events.log.append import Request
from events.log.keys import seed_key, stream_key
from events.log.packing import text_of
from events.log.record import export
from events.log.store import Store
from events.log.submit import create, submit
from events.log.verify import verify
from tests.log.games import SHORT, begin, chained, log_file, move_on, people, plain, read_file, seed_of, steady

GAME = "00table"
GARBAGE = ["", "0", "00", "zz1", "00Table", "00/..", "00table\n", "00tåble", "00 {x}", "*", "00" + "x" * 63]


def versions(store: Store) -> list[int]:
    return [commit.version for commit in store.read(GAME)]


def test_what_was_submitted_is_what_is_loaded(store: Store) -> None:
    """Section 2: a game is its commits, folded."""
    created = begin(store, GAME)
    assert created.commit.version == 1
    submitted = move_on(store, GAME, 12)
    again = Store(store.client, shards=4, now=store.now)
    assert again.load(GAME).game == submitted.game == store.load(GAME).game
    assert again.load(GAME).version == submitted.commit.version == 13
    assert again.load(GAME).hash == submitted.commit.hash


def test_a_submitted_commit_is_answered_as_it_is_stored(store: Store) -> None:
    """Section 2: what the caller is told is what is in the log."""
    begin(store, GAME)
    submitted = move_on(store, GAME)
    assert store.read(GAME, after=1) == [submitted.commit]
    done = submitted.commit.events[0]
    assert isinstance(done, CardPlayed | CardDiscarded)
    assert submitted.commit.by == f"seat:{done.seat}"
    assert submitted.commit.key is None
    assert not submitted.replayed


def test_entry_ids_are_versions_without_a_gap(store: Store) -> None:
    """Section 2: the stream id of a commit is `<version>-0`; versions count 1, 2, 3 …"""
    begin(store, GAME)
    move_on(store, GAME, 9)
    entries = store.client.xrange(stream_key(GAME))
    assert [entry for entry, _ in entries] == [f"{version}-0".encode() for version in range(1, 11)]
    assert versions(store) == list(range(1, 11))
    assert store.version(GAME) == 10


def test_from_what_the_stream_keeps_the_bytes_that_are_hashed_can_be_written(store: Store) -> None:
    """Section 3: a log file of plain JSON and plain SHA-256 is, to the byte, what is exported from the stream."""
    begin(store, GAME, SHORT)
    move_on(store, GAME, 1000)
    exported = export(store, GAME)
    _, commits = read_file(exported)
    assert exported == log_file(GAME, True, chained(commits))
    kept = [fields[b"2"] for _, fields in store.client.xrange(stream_key(GAME))]
    bodies = [plain({name: value for name, value in commit.items() if name != "hash"}) for commit in commits]
    assert [text_of(body, version) for version, body in enumerate(kept, 1)] == bodies
    assert sum(map(len, kept)) < sum(map(len, bodies)) / 5
    assert verify(exported).ok


def test_a_running_game_is_exported_as_incomplete(store: Store) -> None:
    """Section 3: `complete` says whether the log goes up to the end of the game."""
    begin(store, GAME)
    assert json.loads(export(store, GAME).splitlines()[0])["complete"] is False
    submit(store, GAME, Abandon(), by="system")
    assert json.loads(export(store, GAME).splitlines()[0])["complete"] is True


def test_times_are_those_of_the_clock_given(store: Store) -> None:
    """Section 3: `at` in UTC with milliseconds; the store takes it from `now` alone."""
    begin(store, GAME)
    move_on(store, GAME)
    assert [commit.at for commit in store.read(GAME)] == ["2026-01-31T12:00:00.137Z", "2026-01-31T12:00:00.274Z"]


def test_a_command_on_a_stale_version_conflicts_and_changes_nothing(store: Store) -> None:
    """Section 5: If-Match is not the current version; the error carries the version there is."""
    begin(store, GAME)
    move_on(store, GAME, 3)
    before = store.client.xrange(stream_key(GAME))
    command = steady(store.load(GAME).game)
    for seen in (1, 3, 5):
        with pytest.raises(Conflict) as conflict:
            submit(store, GAME, command, by=f"seat:{command.seat}", seen=seen)
        assert (conflict.value.expected, conflict.value.actual) == (seen, 4)
    assert store.client.xrange(stream_key(GAME)) == before
    assert submit(store, GAME, command, by=f"seat:{command.seat}", seen=4).commit.version == 5


def test_a_refused_command_changes_nothing(store: Store) -> None:
    """Section 5: a refused request changes nothing: no entry, no mark, no key."""
    begin(store, GAME)
    store.due.settle(GAME, 1)
    before = {key: store.client.type(key) for key in store.client.scan_iter()}
    turn = store.load(GAME).game.turn
    assert turn is not None
    request = Request(f"seat:{turn.seat}", "key-1", "pass")
    with pytest.raises(Rejected) as rejected:
        submit(store, GAME, MakeMove(turn.seat, Pass()), by=f"seat:{turn.seat}", request=request)
    assert rejected.value.reason is Reason.CARDS_IN_HAND
    assert versions(store) == [1]
    assert {key: store.client.type(key) for key in store.client.scan_iter()} == before


def test_nothing_follows_the_end(store: Store) -> None:
    """Section 5: `game_over`."""
    begin(store, GAME)
    submit(store, GAME, Resign(0), by="seat:0")
    with pytest.raises(Rejected) as rejected:
        submit(store, GAME, Resign(1), by="seat:1")
    assert rejected.value.reason is Reason.GAME_OVER
    assert versions(store) == [1, 2]


def test_every_append_marks_the_game_as_due_and_only_what_was_seen_is_settled(store: Store) -> None:
    """The sweep finds a game for as long as nobody has settled its newest version."""
    assert store.due.games(0) == {}
    begin(store, GAME)
    assert store.due.games(0) == {GAME: 1}
    move_on(store, GAME, 2)
    assert store.due.games(0) == {GAME: 3}
    store.due.settle(GAME, 2)
    assert store.due.games(0) == {GAME: 3}, "a mark newer than what was looked at must stay"
    store.due.settle(GAME, 3)
    assert store.due.games(0) == {}
    store.due.settle(GAME, 3)
    move_on(store, GAME)
    assert store.due.games(0) == {GAME: 4}
    assert store.due.games(1) == {}


def test_a_game_that_its_maker_answers_for_is_not_marked(store: Store) -> None:
    """A run of bots that is played by its own worker wakes nobody."""
    rules = resolve(SHORT)
    command = Create(game=GAME, rules=rules, seats=people(rules))
    create(store, command, seed=seed_of(0), by="system", mark=False)
    assert versions(store) == [1]
    assert store.due.games(0) == {}


def test_the_seed_is_kept_beside_the_log_until_the_end_and_then_gone(store: Store) -> None:
    """Section 4: in no event until `GameEnded` reveals it."""
    begin(store, GAME, SHORT)
    other = Store(store.client, shards=4, now=store.now)
    while store.load(GAME).game.result is None:
        assert store.client.get(seed_key(GAME)) == seed_of(0)
        assert store.load(GAME).seed == seed_of(0) == other.load(GAME).seed
        assert seed_of(0).hex() not in export(store, GAME).decode()
        move_on(store, GAME)
    assert not store.client.exists(seed_key(GAME))
    ended = store.read(GAME)[-1].events[-1]
    assert isinstance(ended, GameEnded)
    assert ended.seed == seed_of(0).hex()
    assert Store(store.client, shards=4, now=store.now).load(GAME).seed == b""
    assert store.load(GAME).seed == b"", "`Loaded.seed` is empty once the game has ended, whoever asks"


def test_games_of_the_same_name_do_not_overwrite_one_another(store: Store) -> None:
    """Section 5: an id that is taken stays with its game."""
    begin(store, GAME)
    first = store.read(GAME)
    with pytest.raises(Conflict):
        begin(store, GAME, number=1)
    assert store.read(GAME) == first
    assert store.client.get(seed_key(GAME)) == seed_of(0)


def test_reading_goes_forward_from_a_version(store: Store) -> None:
    """Section 5: `?after=V&limit=N`."""
    begin(store, GAME)
    move_on(store, GAME, 5)
    whole = store.read(GAME)
    assert store.read(GAME, after=2) == whole[2:]
    assert store.read(GAME, after=2, limit=3) == whole[2:5]
    assert store.read(GAME, limit=2) == whole[:2]
    assert store.read(GAME, limit=100) == whole
    assert store.read(GAME, after=6) == []
    assert store.read(GAME, after=6, limit=1) == []
    assert store.read(GAME, after=2, limit=0) == store.read(GAME, limit=0) == []


def test_reading_beyond_the_log_is_an_unknown_version(store: Store) -> None:
    """Section 5: `after` beyond the log: `unknown_version`, which names the last."""
    begin(store, GAME)
    move_on(store, GAME)
    for after in (3, 99):
        with pytest.raises(UnknownVersion) as unknown:
            store.read(GAME, after=after)
        assert unknown.value.last == 2


def test_a_game_is_shown_as_of_any_version(store: Store) -> None:
    """Section 5: `?at=V`; beyond the last, and before the first, `unknown_version`."""
    tables = [begin(store, GAME).game]
    tables += [move_on(store, GAME).game for _ in range(5)]
    for reader in (store, Store(store.client, shards=4, now=store.now)):
        for version, table in enumerate(tables, start=1):
            loaded = reader.at(GAME, version)
            assert (loaded.game, loaded.version) == (table, version)
            assert loaded.hash == store.read(GAME)[version - 1].hash
        for version in (7, 99):
            with pytest.raises(UnknownVersion) as unknown:
                reader.at(GAME, version)
            assert unknown.value.last == 6


@pytest.mark.parametrize("version", [0, -1])
def test_there_is_no_version_before_the_first(store: Store, version: int) -> None:
    """Section 2: versions count from 1."""
    begin(store, GAME)
    with pytest.raises(UnknownVersion):
        store.at(GAME, version)


@pytest.mark.parametrize("game", [*GARBAGE, "00nobody"])
def test_an_unknown_game_is_unknown_to_every_question(store: Store, game: str) -> None:
    """Section 5: `unknown_game`; no key is made, or asked for, of text that is no id."""
    asks = [
        lambda: store.load(game),
        lambda: store.read(game),
        lambda: store.read(game, after=3),
        lambda: store.at(game, 1),
        lambda: export(store, game),
        lambda: submit(store, game, Resign(0), by="seat:0"),
        lambda: submit(store, game, Resign(0), by="seat:0", request=Request("seat:0", "key-1", "x")),
    ]
    for ask in asks:
        with pytest.raises(UnknownGame):
            ask()
    assert store.client.keys("*") == []


def test_a_version_is_zero_where_there_is_no_game(store: Store) -> None:
    """Nothing has happened yet."""
    assert store.version(GAME) == 0
