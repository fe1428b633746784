"""Snapshots and warm states: what is known of a game beside its log, and when it is not true any more."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec
import pytest

from events.errors import Conflict, UnknownGame, UnknownVersion, Unreadable
from events.game.commands import Resign
from events.log.keys import seed_key, snapshot_key, stream_key
from events.log.record import export
from events.log.store import WARM_GAMES, Loaded, Store
from events.log.submit import advance, submit
from events.log.verify import verify
from tests.conftest import SHARDS
from tests.log.games import begin, move_on, steady

GAME = "00table"
Entries = list[tuple[bytes, dict[bytes, bytes]]]


def cold(store: Store) -> Store:
    """Another process on the same store, which knows nothing yet."""
    return Store(store.client, shards=SHARDS, now=store.now)


def rewrite(store: Store, entries: Entries) -> None:
    """Put these entries in the place of the stream's."""
    store.client.delete(stream_key(GAME))
    for entry, fields in entries:
        fields_: Any = fields
        store.client.xadd(stream_key(GAME), fields_, id=entry)


def entries_of(store: Store) -> Entries:
    return store.client.xrange(stream_key(GAME))


def lose_all_after(store: Store, version: int) -> None:
    """What a crash can do to a log that is written to disk every second."""
    rewrite(store, entries_of(store)[:version])


def log_of(store: Store) -> Loaded:
    """The game as the log alone tells it."""
    snapshot = store.client.dump(snapshot_key(GAME))
    store.client.delete(snapshot_key(GAME))
    loaded = cold(store).load(GAME)
    if snapshot is not None:
        store.client.restore(snapshot_key(GAME), 0, snapshot)
    return loaded


def test_a_game_from_its_snapshot_and_tail_is_the_game_from_its_log(store: Store) -> None:
    """A snapshot is a shortcut: whatever version it is of, the loaded game is the same."""
    begin(store, GAME)
    for tail in range(4):
        store.save_snapshot(GAME, store.load(GAME))
        assert store.snapshot_version(GAME) == store.version(GAME)
        if tail:
            move_on(store, GAME, tail)
        assert cold(store).load(GAME) == log_of(store) == store.load(GAME)


def test_a_snapshot_may_be_deleted_at_any_time(store: Store) -> None:
    """No answer depends on it."""
    begin(store, GAME)
    move_on(store, GAME, 5)
    store.save_snapshot(GAME, store.load(GAME))
    submitted = move_on(store, GAME, 2)
    reader = cold(store)
    for _ in range(2):
        store.client.delete(snapshot_key(GAME))
        assert store.snapshot_version(GAME) == 0
        assert reader.load(GAME).game == submitted.game == store.load(GAME).game == cold(store).load(GAME).game
        submitted = move_on(reader, GAME)
    assert verify(export(store, GAME)).ok


def test_a_snapshot_spares_the_log_before_it(store: Store) -> None:
    """Loading reads the entry of the snapshot and what follows: damage before it is verification's business."""
    begin(store, GAME)
    move_on(store, GAME, 5)
    store.save_snapshot(GAME, store.load(GAME))
    submitted = move_on(store, GAME, 2)
    store.client.xdel(stream_key(GAME), "2-0")
    assert cold(store).load(GAME).game == submitted.game
    with pytest.raises(Unreadable):
        log_of(store)


@pytest.mark.parametrize("kept", [b"", b"\xff\xfe", b"{}", msgspec.msgpack.encode({"version": 3, "hash": "\u0000"})])
def test_an_unreadable_snapshot_is_ignored(store: Store, kept: bytes) -> None:
    """It may be of another version of this program: the log says it all."""
    begin(store, GAME)
    move_on(store, GAME, 3)
    store.save_snapshot(GAME, store.load(GAME))
    store.client.hset(snapshot_key(GAME), "snapshot", kept)
    assert cold(store).load(GAME) == store.load(GAME) == log_of(store)


def test_a_snapshot_ahead_of_a_log_that_lost_its_end_is_dropped(store: Store) -> None:
    """The log is the truth, also when it knows less than was known."""
    begin(store, GAME)
    move_on(store, GAME, 5)
    store.save_snapshot(GAME, store.load(GAME))
    lose_all_after(store, 3)
    reader = cold(store)
    assert reader.load(GAME).version == 3
    assert reader.load(GAME) == log_of(store)
    assert move_on(reader, GAME, number=1).commit.version == 4
    assert verify(export(store, GAME)).ok


def test_no_snapshot_is_kept_of_an_ended_game(store: Store) -> None:
    """Its log is read from the start; no copy of hidden cards is left over."""
    begin(store, GAME)
    store.save_snapshot(GAME, store.load(GAME))
    submit(store, GAME, Resign(0), by="seat:0")
    store.save_snapshot(GAME, store.load(GAME))
    assert not store.client.exists(snapshot_key(GAME))
    assert store.snapshot_version(GAME) == 0
    assert cold(store).load(GAME).game == store.load(GAME).game


def test_every_process_sees_the_commits_of_the_others(store: Store) -> None:
    """A warm state is completed from the log at each load."""
    begin(store, GAME)
    other = cold(store)
    for _ in range(4):
        assert move_on(other, GAME).commit.version == store.load(GAME).version
        assert move_on(store, GAME).commit.version == other.load(GAME).version
    assert store.load(GAME) == other.load(GAME) == log_of(store)


def test_a_forgotten_warm_state_is_read_anew(store: Store) -> None:
    """`forget` drops what is known, not what is stored."""
    begin(store, GAME)
    loaded = store.load(GAME)
    store.forget()
    assert store.load(GAME) == loaded
    assert store.load(GAME) is not loaded


def test_warm_states_do_not_pile_up(store: Store) -> None:
    """At most `WARM_GAMES` are kept, and a game that was dropped loads as before."""
    loaded = [begin(store, GAME).after]
    for number in range(WARM_GAMES + 5):
        store._keep(f"00{number}", loaded[0])
    assert len(store._warm) == WARM_GAMES
    assert GAME not in store._warm
    assert store.load(GAME).game == loaded[0].game


def test_a_warm_state_ahead_of_a_log_that_lost_its_end_is_dropped(store: Store) -> None:
    """A process that lived through the crash of its store goes on from what the log still holds."""
    begin(store, GAME)
    move_on(store, GAME, 5)
    lose_all_after(store, 3)
    assert store.load(GAME) == log_of(store)
    assert store.load(GAME).version == 3
    move_on(store, GAME, 2)
    assert verify(export(store, GAME)).ok


def lost_and_rewritten(store: Store, versions: int) -> None:
    """This process knows version 6; the log lost all after 3, and another process made so many versions of it again."""
    begin(store, GAME)
    move_on(store, GAME, 5)
    lose_all_after(store, 3)
    other = cold(store)
    submit(other, GAME, Resign(0), by="seat:0") if versions == 4 else move_on(other, GAME, versions - 3, number=1)
    assert store.version(GAME) == versions


@pytest.mark.parametrize("versions", [4, 5, 6, 8])
def test_a_warm_state_of_a_log_that_went_another_way_is_dropped(store: Store, versions: int) -> None:
    """What lost its end and grew again, shorter, as long or longer, is noticed by the hash."""
    lost_and_rewritten(store, versions)
    assert store.load(GAME) == log_of(store)
    assert store.load(GAME).version == versions
    assert store.at(GAME, versions) == log_of(store)


def test_an_earlier_version_of_a_log_that_went_another_way_is_read_from_the_log(store: Store) -> None:
    """`?at=V` shows what the log says, also for the version that this process remembers otherwise."""
    lost_and_rewritten(store, 6)
    assert store.at(GAME, 6) == log_of(store)


def test_nothing_is_appended_to_a_log_that_went_another_way(store: Store) -> None:
    """Section 3: a commit is chained to the one before it, and not to one that is no longer there."""
    begin(store, GAME)
    move_on(store, GAME, 5)
    known = store.load(GAME)
    lose_all_after(store, 3)
    move_on(cold(store), GAME, 3, number=1)
    with pytest.raises(Conflict):
        advance(store, GAME, known, steady(known.game), by=f"seat:{steady(known.game).seat}")
    assert verify(export(cold(store), GAME)).ok
    move_on(store, GAME)
    assert verify(export(cold(store), GAME)).ok


def test_a_log_that_is_gone_is_unknown_whatever_is_remembered(store: Store) -> None:
    """A deleted game is no game, warm or not, snapshot or not."""
    begin(store, GAME)
    store.save_snapshot(GAME, store.load(GAME))
    store.client.delete(stream_key(GAME))
    for reader in (store, cold(store)):
        with pytest.raises(UnknownGame):
            reader.load(GAME)
        with pytest.raises(UnknownGame):
            reader.at(GAME, 1)


def damaged(store: Store, version: int, **fields: bytes) -> None:
    """Replace fields of one entry."""
    entries = entries_of(store)
    entries[version - 1][1].update({name.encode(): value for name, value in fields.items()})
    rewrite(store, entries)


@pytest.mark.parametrize("version", [1, 3, 6])
@pytest.mark.parametrize("how", ["body", "hash", "no body", "no hash", "gap"])
def test_a_damaged_entry_is_unreadable_and_named(store: Store, version: int, how: str) -> None:
    """Section 3: the chain tells of any change; the error names the lowest version missing or wrong."""
    begin(store, GAME)
    move_on(store, GAME, 6)
    entries = entries_of(store)
    fields = entries[version - 1][1]
    match how:
        case "body":
            fields[b"2"] = fields[b"2"][:6] + bytes((fields[b"2"][6] ^ 1,)) + fields[b"2"][7:]
        case "hash":
            fields[b"h"] = bytes(32)
        case "no body":
            del fields[b"2"]
        case "no hash":
            del fields[b"h"]
        case _:
            del entries[version - 1]
    rewrite(store, entries)
    reader = cold(store)
    asks = [
        lambda: reader.load(GAME),
        lambda: reader.read(GAME),
        lambda: reader.read(GAME, after=max(version - 1, 0), limit=1),
        lambda: reader.at(GAME, 7),
        lambda: export(reader, GAME),
        lambda: submit(reader, GAME, Resign(0), by="seat:0"),
    ]
    for ask in asks:
        with pytest.raises(Unreadable) as unreadable:
            ask()
        assert unreadable.value.version == version
    if version > 1:
        assert reader.at(GAME, version - 1).version == version - 1


def test_reading_on_after_a_missing_version_says_that_it_is_missing(store: Store) -> None:
    """A watcher that resumes after a version which is not there is not told that nothing follows."""
    begin(store, GAME)
    move_on(store, GAME, 3)
    store.client.xdel(stream_key(GAME), "3-0")
    with pytest.raises(Unreadable) as unreadable:
        store.read(GAME, after=3)
    assert unreadable.value.version == 3


def test_a_log_without_its_last_entry_ends_before_it(store: Store) -> None:
    """What is not there cannot be told from what was never there."""
    begin(store, GAME)
    move_on(store, GAME, 3)
    store.client.xdel(stream_key(GAME), "4-0")
    assert store.load(GAME).version == 3
    with pytest.raises(UnknownVersion):
        store.at(GAME, 4)


def test_a_running_game_whose_seed_is_gone_is_not_played_on(store: Store) -> None:
    """Section 4: without it no shuffle could be made that the commitment promised, and the log would be ruined."""
    begin(store, GAME)
    move_on(store, GAME)
    store.client.delete(seed_key(GAME))
    reader = cold(store)
    with pytest.raises(Unreadable, match="seed"):
        reader.load(GAME)
    assert verify(export(reader, GAME)).ok


def test_many_threads_may_fill_the_warm_states_at_once(store: Store) -> None:
    """What is appended is answered as appended, however full the memory is."""
    loaded = begin(store, GAME).after
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda number: store._keep(f"00{number}", loaded), range(20_000)))
    assert len(store._warm) == WARM_GAMES
