"""What becomes of a silent seat? Its turn ends at the deadline: by forfeit, or played on; a game left by all ends."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from events.errors import Conflict
from events.game.commands import Command, Create, MakeMove
from events.game.events import CardDiscarded, ClockExpired, GameEnded, SeatInfo
from events.game.presets import resolve
from events.game.state import Turn
from events.log.clocks import ClockTerms
from events.log.keys import SWEEPING_KEY, SWEPT_KEY
from events.log.record import export
from events.log.store import Store
from events.log.submit import advance, create, submit
from events.log.verify import verify
from tests.log.games import SHORT, let_pass, people, seed_of, steady
from workers import clocks
from workers.bots.registry import find
from workers.clocks import keep_time
from workers.fold import bot_to_move
from workers.queue import CLOCKS, PEOPLE, QUEUES
from workers.sweep import sweep

FORFEIT, AUTO = ClockTerms(60, "forfeit"), ClockTerms(60, "auto")
PERSON = SeatInfo("Ada", "human", None, "")
OPEN = SeatInfo(None, "open", None, "")
WEEK = 604800
NONE_WAITS: dict[str, int] = dict.fromkeys(QUEUES, 0)


def begun(store: Store, clock: ClockTerms | None, rules: Any = SHORT, *seats: SeatInfo) -> str:
    agreed = resolve(rules)
    command = Create(game=store.new_id(), rules=agreed, seats=seats or people(agreed))
    create(store, command, seed=seed_of(1), by="system", clock=clock)
    store.due.note_sweep()
    return command.game


def kept(store: Store, game: str, abandon_seconds: int = WEEK) -> list[str]:
    """The game, if its clock was over and something was done."""
    before = store.version(game)
    keep_time(store, game, lambda game, table: None, find, abandon_seconds=abandon_seconds)
    return [game] if store.version(game) > before else []


def swept(store: Store, abandon_seconds: int = WEEK, waiting: Mapping[str, int] = NONE_WAITS) -> list[str]:
    """Whose clocks a sweep rings."""
    late: list[str] = []
    store.client.delete(SWEEPING_KEY)
    sweep(
        store,
        lambda game: None,
        late.append,
        lambda arena, lane: None,
        waiting.__getitem__,
        abandon_seconds=abandon_seconds,
    )
    return late


def to_move_is_a_bot(store: Store, game: str) -> Turn:
    """Play on for the person until a bot is to move: whose turn it is."""
    while not bot_to_move((table := store.load(game)).game):
        command = steady(table.game)
        assert isinstance(command, MakeMove)
        submit(store, game, command, by=f"seat:{command.seat}")
    assert table.game.turn is not None
    return table.game.turn


def test_a_silent_seat_loses_when_the_terms_say_so(store: Store) -> None:
    """R24: as after a resignation; the commit is the system's."""
    game = begun(store, FORFEIT)
    to_move = store.load(game).game.turn
    assert to_move is not None
    assert kept(store, game) == []
    let_pass(store, game, 60)
    assert kept(store, game) == [game]
    commit = store.read(game)[-1]
    assert (commit.by, commit.events[0]) == ("system", ClockExpired(to_move.seat))
    end = commit.events[1]
    assert isinstance(end, GameEnded)
    assert (end.reason, end.winners) == ("clock", (1 - to_move.seat,))
    assert kept(store, game) == [], "an ended game owes nothing"
    assert verify(export(store, game)).ok


def test_at_a_table_of_three_the_others_play_on_with_a_turn_of_their_own(store: Store) -> None:
    game = begun(store, FORFEIT, {"preset": "gatto-e-topo", "seats": 3})
    before = store.load(game).game.turn
    assert before is not None
    let_pass(store, game, 61)
    kept(store, game)
    after = store.load(game).game
    assert after.turn is not None
    assert after.turn.seat == (before.seat + 1) % 3
    assert after.players[before.seat].resigned
    assert not store.clocks.is_over(game)


@pytest.mark.parametrize("preset", ["gatto-e-topo", "gato-e-rato", "spite-and-malice"])
def test_or_its_turn_is_played_to_the_end_as_greedy_would(store: Store, preset: str) -> None:
    """Section 6: by system, to the end of the turn and no further."""
    game = begun(store, AUTO, preset)
    for _ in range(6):
        before = store.load(game)
        assert before.game.turn is not None
        let_pass(store, game, 60)
        assert kept(store, game) == [game]
        commits = store.read(game, after=before.version)
        assert {commit.by for commit in commits} == {"system"}
        *plays, last = [type(commit.events[0]) for commit in commits]
        assert last is CardDiscarded
        assert CardDiscarded not in plays
        after = store.load(game).game
        assert after.turn is not None
        assert after.turn.number == before.game.turn.number + 1
        assert not store.clocks.is_over(game)
    assert verify(export(store, game)).ok


def test_a_game_that_everybody_has_left_to_the_clock_comes_to_its_end(store: Store) -> None:
    game = begun(store, AUTO)
    while store.load(game).game.result is None:
        let_pass(store, game, 60)
        assert kept(store, game) == [game]
    assert verify(export(store, game)).ok


def test_a_move_that_comes_first_counts(store: Store) -> None:
    """Section 6: a move appended before expiry counts, however late it is."""
    game = begun(store, FORFEIT)
    let_pass(store, game, 3600)
    loaded = store.load(game)
    command = steady(loaded.game)
    while store.load(game).game.turn == loaded.game.turn:
        command = steady(store.load(game).game)
        submit(store, game, command, by=f"seat:{command.seat}")
    assert kept(store, game) == []
    assert store.load(game).game.result is None


@pytest.mark.parametrize("clock", [FORFEIT, AUTO], ids=lambda clock: clock.on_expiry)
def test_a_move_that_comes_in_between_makes_the_clock_give_way(
    store: Store, clock: ClockTerms, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The state that was judged is not the newest any more: nothing is written."""
    game = begun(store, clock)
    let_pass(store, game, 60)
    before = store.version(game)

    def slow(store: Store, name: str, loaded: Any, command: Command, *, by: str) -> Any:
        other = steady(store.load(name).game)
        submit(store, name, other, by=f"seat:{other.seat}")
        return advance(store, name, loaded, command, by=by)

    monkeypatch.setattr(clocks, "advance", slow)
    kept(store, game)
    assert [commit.by[:5] for commit in store.read(game, after=before)] == ["seat:"]


def test_two_keepers_at_once_end_a_turn_once(store: Store) -> None:
    """A doubled message: the second finds the turn ended, or makes a conflict."""
    game = begun(store, FORFEIT, {"preset": "gatto-e-topo", "seats": 3})
    let_pass(store, game, 60)
    other = Store(store.client, shards=4, now=store.now)
    stale = other.load(game)
    assert stale.game.turn is not None
    kept(store, game)
    with pytest.raises(Conflict):
        clocks.end_turn(other, game, stale, find)
    assert kept(other, game) == []
    assert store.version(game) == stale.version + 1


@pytest.mark.parametrize("seats", [(PERSON, PERSON), (PERSON, OPEN)], ids=["playing", "open"])
def test_a_game_that_nobody_moves_in_is_ended_without_a_winner(store: Store, seats: tuple[SeatInfo, ...]) -> None:
    game = begun(store, None, SHORT, *seats)
    let_pass(store, game, WEEK - 60)
    assert kept(store, game) == []
    let_pass(store, game, 60)
    assert kept(store, game, abandon_seconds=0) == [], "0 is never"
    assert kept(store, game) == [game]
    commit = store.read(game)[-1]
    (end,) = commit.events
    assert isinstance(end, GameEnded)
    assert (commit.by, end.result, end.reason, end.winners) == ("system", "aborted", "abandoned", ())
    assert verify(export(store, game)).ok


def test_the_sweep_rings_the_games_whose_time_is_over_and_no_others(store: Store) -> None:
    late, idle = begun(store, FORFEIT), begun(store, None)
    both, fresh = begun(store, AUTO), begun(store, FORFEIT)
    swept(store)
    for game, seconds in ((late, 60), (idle, WEEK), (both, WEEK), (fresh, 50)):
        let_pass(store, game, seconds)
    assert sorted(swept(store)) == sorted([late, idle, both])
    assert sorted(swept(store, abandon_seconds=0)) == sorted([late, both])


def test_the_sweep_sends_no_second_message_while_as_many_wait(store: Store) -> None:
    games = [begun(store, FORFEIT) for _ in range(4)]
    for game in games:
        let_pass(store, game, 60)
    assert swept(store, waiting={**NONE_WAITS, CLOCKS: 4}) == []
    assert sorted(swept(store, waiting={**NONE_WAITS, CLOCKS: 3, PEOPLE: 100})) == sorted(games)


@pytest.mark.parametrize("outage", [True, False])
def test_after_an_outage_the_first_sweep_gives_everybody_a_whole_turn(store: Store, outage: bool) -> None:
    """Section 6. What the clock keeper is told before that sweep counts for nothing."""
    game = begun(store, FORFEIT)
    let_pass(store, game, 3600)
    if outage:
        store.client.set(SWEPT_KEY, 1)
        assert kept(store, game) == []
    assert swept(store) == ([] if outage else [game])
    assert kept(store, game) == ([] if outage else [game])


def test_a_sweep_that_breaks_off_has_watched_nobody(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the shards that it did not come to would count the outage as time."""
    begun(store, FORFEIT)
    store.clocks.restart()

    def breaks(*_: Any) -> int:
        raise ConnectionError

    watch: Callable[[], bool] = store.clocks.stopped
    with pytest.raises(ConnectionError):
        sweep(store, lambda game: None, lambda game: None, lambda arena, lane: None, breaks)
    assert watch()
    store.client.delete(SWEEPING_KEY)
    swept(store)
    assert not watch()


@pytest.mark.parametrize("clock", [FORFEIT, AUTO])
@pytest.mark.parametrize("other", [PERSON, SeatInfo("Rui", "bot", "uniform", "")])
def test_a_bot_that_no_worker_has_come_to_moves_by_itself_and_loses_nothing(
    store: Store, clock: ClockTerms, other: SeatInfo
) -> None:
    """Workers that are busy are no fault of its own: it plays its turn, and no more than that."""
    game = begun(store, clock, SHORT, other, SeatInfo("Leo", "bot", "uniform", ""))
    turn = to_move_is_a_bot(store, game)
    before = store.load(game).version
    let_pass(store, game, 3600)
    assert kept(store, game) == [game]
    assert {commit.by for commit in store.read(game, after=before)} == {f"bot:{turn.seat}"}
    after = store.load(game).game
    assert after.turn is not None
    assert after.turn.number == turn.number + 1
    assert not store.clocks.is_over(game)
    assert verify(export(store, game)).ok


def test_a_bot_that_nobody_here_has_has_no_more_time_than_a_person(store: Store) -> None:
    game = begun(store, FORFEIT, SHORT, PERSON, SeatInfo("lost", "bot", "lost", ""))
    to_move_is_a_bot(store, game)
    let_pass(store, game, 60)
    kept(store, game)
    result = store.load(game).game.result
    assert result is not None
    assert (result.reason, result.winners) == ("clock", (0,))


def test_whoever_is_next_is_rung_and_the_match_goes_on(store: Store) -> None:
    """The clock's commit is looked after like any other."""
    rung: list[str] = []
    game = begun(store, AUTO, SHORT, PERSON, SeatInfo("greedy", "bot", "greedy", ""))
    while (turn := store.load(game).game.turn) is None or turn.seat == 1:
        command = steady(store.load(game).game)
        submit(store, game, command, by="bot:1")
    let_pass(store, game, 60)
    keep_time(store, game, lambda game, table: rung.append(game), find, abandon_seconds=0)
    assert rung == [game]


def test_one_sweep_rings_for_no_more_clocks_than_a_worker_keeps_in_a_second(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that wait longest come first, and the next sweep brings the others."""
    monkeypatch.setattr("workers.sweep.MOST_LATE", 2)
    single = Store(store.client, shards=1, now=store.now)
    games = [begun(single, FORFEIT) for _ in range(5)]
    for number, game in enumerate(games):
        let_pass(store, game, 100 - number)
    assert swept(store) == games[:2]
    for game in games[:2]:
        kept(store, game)
    assert swept(store) == games[2:4]


def test_where_the_stores_time_goes_back_no_clock_waits_for_the_old_time_to_come_again(store: Store) -> None:
    """Given a clock that runs and a sweep, when the store's time goes back by an hour, then a sweep gets through all
    the same, the turn begins anew, and it is over after its seconds and not an hour later.

    All that the store keeps of the time before is an hour ahead then.
    """
    hour = 3600
    game = begun(store, FORFEIT)
    let_pass(store, game, -hour)
    seconds, _ = store.client.time()
    store.client.set(SWEPT_KEY, 1000 * (seconds + hour))
    store.client.set(SWEEPING_KEY, 1, px=1000 * hour)
    assert store.due.seconds_since_sweep() in (hour - 1, hour)
    assert not store.due.may_sweep()
    assert store.due.may_sweep()
    assert swept(store) == []
    deadline = store.clocks.deadline(game)
    assert deadline is not None
    assert seconds + 60 <= deadline / 1000 < seconds + 120
    assert store.due.seconds_since_sweep() in (0, 1)
    let_pass(store, game, 61)
    assert swept(store) == [game]
    assert kept(store, game) == [game]
    assert store.load(game).game.players[0].resigned or store.load(game).game.players[1].resigned


def test_one_sweep_a_second_is_not_hurried(store: Store) -> None:
    assert store.due.may_sweep()
    assert not store.due.may_sweep()
    assert not store.due.may_sweep()
