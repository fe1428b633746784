"""Which logs come in, and what is there afterwards? Those that verify to the end of their game, byte for byte."""

import hmac
from concurrent.futures import ThreadPoolExecutor

import fakeredis
import pytest

from events.errors import BadLog, KeyReused, Reason, Rejected, StoreUnavailable
from events.game.commands import Resign
from events.log.append import Request
from events.log.client import connect
from events.log.incoming import Imported, import_log, request_to_import
from events.log.keys import import_key, is_id, stream_key
from events.log.record import export
from events.log.store import Store
from events.log.submit import submit
from events.log.verify import verify
from tests.conftest import SHARDS, Server
from tests.log.arrivals import ARRIVALS, edited, from_another_program, headed
from tests.log.contents import contents
from tests.log.damage import source
from tests.log.damages import DAMAGES
from tests.log.games import SHORT, Book, begin, log_file, move_on, read_file, ticking

GAME = "00book"


def derive(text: str) -> bytes:
    """A secret digest."""
    return hmac.digest(b"the deployment's secret", text.encode(), "sha256")


def take(store: Store, file: bytes, request: Request | None = None) -> Imported:
    return import_log(store, file, derive=derive, request=request)


@pytest.fixture(scope="module")
def ended() -> bytes:
    """The log of `00book`, which has ended."""
    return Book(SHORT, 1).moves().file()


@pytest.fixture(scope="module")
def other() -> bytes:
    """The log of another game of the same id."""
    return Book(SHORT, 2).moves().file()


def elsewhere() -> Store:
    """The store of another service."""
    return Store(fakeredis.FakeRedis(version=(7,), protocol=2, legacy_responses=True), shards=1, now=ticking())


@pytest.mark.parametrize("name", ARRIVALS)
def test_exported_imported_and_exported_again_a_log_is_the_same_to_the_byte(store: Store, name: str) -> None:
    """Section 3, for every way in which a game can begin and end."""
    file = ARRIVALS[name]()
    game = take(store, file).game
    assert game == read_file(file)[0]["game"]
    assert export(store, game) == file


def test_a_game_played_here_comes_back_from_another_service_unchanged(store: Store) -> None:
    """Section 3: given a game of this store, when it goes to another and back, then nothing has changed."""
    begin(store, GAME, SHORT)
    move_on(store, GAME, 1000)
    exported, before = export(store, GAME), contents(store.client)
    there = elsewhere()
    assert take(there, exported) == Imported(GAME, replayed=False)
    assert export(there, GAME) == exported
    assert take(store, export(there, GAME)) == Imported(GAME, replayed=False)
    assert contents(store.client) == before


def test_an_imported_game_is_as_any_that_has_ended(store: Store, ended: bytes) -> None:
    """Section 3: it is loaded, looked at, read, verified and closed as if it had been played here."""
    book = Book(SHORT, 1).moves()
    take(store, ended)
    store.forget()
    loaded = store.load(GAME)
    assert (loaded.game, loaded.version, loaded.seed) == (book.game, len(book.bodies), b"")
    assert store.at(GAME, 9).version == 9
    assert [commit.version for commit in store.read(GAME, after=5, limit=2)] == [6, 7]
    assert store.version(GAME) == loaded.version
    assert verify(export(store, GAME)).ok
    with pytest.raises(Rejected) as rejected:
        submit(store, GAME, Resign(0), by="seat:0")
    assert rejected.value.reason is Reason.GAME_OVER


def test_an_imported_game_owes_nobody_anything(store: Store, ended: bytes) -> None:
    """Given a log, when it is imported, then there is its stream, its place on the list, its shard, no other key."""
    take(store, headed(ended, "c7book"))
    assert set(contents(store.client)) == {b"{sc7}:game:c7book", b"{sc7}:listed:ended", b"malice:shards"}
    assert store.due.shards() == [0xC7]
    ids = [entry_id for entry_id, _ in store.client.xrange("{sc7}:game:c7book")]
    assert ids == [f"{version}-0".encode() for version in range(1, len(ids) + 1)]


def test_importing_twice_changes_nothing(store: Store, ended: bytes) -> None:
    """Given an imported log, when it is sent again, then the answer is the same game and the store is as it was."""
    first = take(store, ended)
    before = contents(store.client)
    assert take(store, ended) == first
    assert contents(store.client) == before


def test_a_log_whose_id_is_taken_gets_another_which_is_the_same_every_time(
    store: Store, ended: bytes, other: bytes
) -> None:
    """Section 3: the header's game id aside, where an import had to rename."""
    assert take(store, ended).game == GAME
    renamed = take(store, other).game
    assert is_id(renamed)
    assert renamed != GAME
    before = contents(store.client)
    assert export(store, renamed) == headed(other, renamed)
    assert verify(export(store, renamed)).ok
    assert take(store, other).game == renamed
    assert take(store, export(store, renamed)).game == renamed
    assert contents(store.client) == before
    assert export(store, GAME) == ended


def test_a_game_that_runs_keeps_its_id(store: Store, ended: bytes) -> None:
    """Given a running game, when a log comes in under its id, then the log is renamed and the game goes on."""
    begin(store, GAME)
    assert take(store, ended).game != GAME
    assert move_on(store, GAME).commit.version == 2


def test_the_beginning_of_a_log_is_another_log(store: Store, other: bytes) -> None:
    """Given a game that ended by resigning, when a log comes that went on from there, then both are kept apart."""
    short = Book(SHORT, 2).moves(6).do(Resign(0), "seat:0").file()
    assert take(store, short).game == GAME
    assert take(store, other).game != GAME
    assert export(store, GAME) == short


def test_a_log_that_is_damaged_here_does_not_stand_for_the_good_one(store: Store, ended: bytes) -> None:
    """Given a stream that has lost an entry, when its log comes in again, then it is there whole, under another id."""
    take(store, ended)
    store.client.xdel(stream_key(GAME), "3-0")
    again = take(store, ended).game
    assert again != GAME
    assert verify(export(store, again)).ok


def test_a_stream_that_was_emptied_is_not_free(store: Store, ended: bytes) -> None:
    """Its last id stays in the store, and would refuse the first commits of another log."""
    store.client.xadd(stream_key(GAME), {"1": b"x"}, id="2-0")
    store.client.xdel(stream_key(GAME), "2-0")
    assert take(store, ended).game != GAME


def test_what_is_known_of_an_id_from_before_is_not_believed(store: Store, ended: bytes) -> None:
    """Given warm states and a snapshot of a game that the store has lost, when a log comes in under its id, then it
    is the imported game that is loaded."""
    begin(store, GAME)
    move_on(store, GAME, 3)
    store.save_snapshot(GAME, store.load(GAME))
    store.client.delete(stream_key(GAME))
    take(store, ended)
    for _ in range(2):
        assert store.at(GAME, 4).hash == read_file(ended)[1][3]["hash"]
        assert store.load(GAME).hash == read_file(ended)[1][-1]["hash"]
        assert export(store, GAME) == ended
        store.forget()


def test_a_log_of_another_implementation_is_taken(store: Store) -> None:
    """Section 3: ids, keys, names and times are any that the contract allows; the id is only not one for here."""
    file = from_another_program()
    game = take(store, file).game
    assert game != "match-7/game 3"
    assert export(store, game) == headed(file, game)
    assert take(store, file).game == game


@pytest.mark.parametrize("name", ["", "x", "0", "ff", "00Book", "../00book", "00book\n", "é", "00{x}", "00" + "b" * 63])
def test_an_id_that_cannot_be_one_here_is_replaced(store: Store, ended: bytes, name: str) -> None:
    """No text of a file becomes part of a key unless it has the form of an id."""
    game = take(store, headed(ended, name)).game
    assert is_id(game)
    assert export(store, game) == headed(ended, game)


def test_a_log_that_goes_on_is_refused_at_the_version_that_is_missing(store: Store) -> None:
    """Nobody could go on with it: its seed is not in it."""
    for moves in (0, 9):
        with pytest.raises(BadLog, match=f"version {moves + 2}: missing: only the whole log of an ended game") as bad:
            take(store, Book(SHORT, 1).moves(moves).file())
        assert bad.value.version == moves + 2
    assert contents(store.client) == {}


def test_no_damaged_log_changes_anything(store: Store, ended: bytes) -> None:
    """Acceptance 5: each is refused with the lowest version that is missing or wrong; the store stays as it was."""
    begin(store, "00other")
    take(store, ended)
    before = contents(store.client)
    for name, damaged in DAMAGES.items():
        file, version = damaged()
        with pytest.raises(BadLog) as bad:
            take(store, file, request_to_import("ip:127.0.0.1", "the same for all", file))
        assert bad.value.version == version, name
    assert contents(store.client) == before


def test_a_key_stands_for_one_file(store: Store, ended: bytes, other: bytes) -> None:
    """Section 5: the same key with another request is `key_reused`; counted by caller."""
    key = "k" * 200
    first = request_to_import("key:ada", key, ended)
    assert take(store, ended, first) == Imported(GAME, replayed=False)
    assert take(store, ended, first) == Imported(GAME, replayed=True)
    before = contents(store.client)
    for file in (other, b"nonsense", headed(ended, "00again")):
        with pytest.raises(KeyReused, match=key):
            take(store, file, request_to_import("key:ada", key, file))
    assert contents(store.client) == before
    assert not take(store, other, request_to_import("key:ben", key, other)).replayed


def test_a_refused_log_does_not_use_up_its_key(store: Store, ended: bytes) -> None:
    """Section 5."""
    assert not take_refused(store, b"nonsense", "k1")
    assert not take(store, ended, request_to_import("ip:1", "k1", ended)).replayed


def take_refused(store: Store, file: bytes, key: str) -> int:
    """How many keys there are after a refusal."""
    with pytest.raises(BadLog):
        take(store, file, request_to_import("ip:1", key, file))
    return store.client.exists(import_key(f"ip:1 {key}"))


def test_of_many_at_once_each_log_is_taken_once(store: Store) -> None:
    """Given four logs of one id, each sent by four at the same time, then there are four games, one of them with it."""
    files = [Book(SHORT, number).moves(9).do(Resign(0), "seat:0").file() for number in range(4)]
    with ThreadPoolExecutor(16) as crowd:
        taken = list(crowd.map(lambda file: take(store, file).game, files * 4))
    assert [len({*taken[number::4]}) for number in range(4)] == [1] * 4
    assert len({*taken}) == 4
    assert GAME in taken
    assert sorted(verify(export(store, game)).ok for game in {*taken}) == [True] * 4
    assert len([key for key in contents(store.client) if b":game:" in key]) == 4


def test_games_may_name_each_other_as_their_origins(store: Store) -> None:
    """Nothing here follows what a log says of other games."""
    file = source("from-a-position")
    for one, two in (("00one", "00two"), ("00two", "00one")):
        assert take(store, edited(file, one, forked_from={"game": two, "version": 1})).game == one


@pytest.mark.parametrize("setting", [("maxmemory", "1"), ("min-replicas-to-write", "1")])
def test_a_store_that_takes_no_writes_takes_nothing_by_halves(
    server: Server, ended: bytes, setting: tuple[str, str]
) -> None:
    """Section 5: 503 for a store that is full; repeated with its key, the import is then made."""
    with connect(server.url, retries=0) as client:
        store = Store(client, shards=SHARDS, now=ticking())
        begin(store, "00other")
        store.due.note_shard(GAME)
        before = contents(client)
        client.config_set(*setting)
        for request in (None, request_to_import("ip:1", "k1", ended)):
            with pytest.raises(StoreUnavailable):
                take(store, ended, request)
        assert contents(client) == before
        client.config_set(setting[0], "0")
        assert take(store, ended, request_to_import("ip:1", "k1", ended)) == Imported(GAME, replayed=False)


def test_a_store_that_is_away_is_unavailable(server: Server, ended: bytes) -> None:
    """Section 5: 503, and all is well when it is back."""
    with connect(server.url, retries=0) as client:
        store = Store(client, shards=SHARDS, now=ticking())
        server.stop()
        with pytest.raises(StoreUnavailable):
            take(store, ended)
        server.start()
        assert take(store, ended).game == GAME


def test_a_head_that_is_not_its_first_commits_game_is_accepted(store: Store, ended: bytes) -> None:
    """Section 3: what `GameCreated` names is what the game was called first, and stays in the chain."""
    renamed = take(store, headed(ended, "01renamed")).game
    assert renamed == "01renamed"
    assert '"game":"00book"' in export(store, renamed).decode().splitlines()[1]
    with pytest.raises(BadLog):
        take(store, log_file(GAME, False, read_file(ended)[1]))
