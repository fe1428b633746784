"""How a match goes on by itself: scored once, continued once, whoever crashes, comes late or comes at the same time."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import msgspec
import pytest

from events.errors import StoreUnavailable
from events.game.commands import Abandon, Command, Create, Resign, Sit
from events.game.events import GameCreated, SeatInfo
from events.game.match import GameScored, MatchEnded
from events.game.shuffle import commitment
from events.log.keys import broken_key, match_key, shard_of, stream_key
from events.log.match_record import export_match
from events.log.matches import Terms
from events.log.record import export
from events.log.store import Loaded, Store
from events.log.submit import create, submit
from events.log.verify_match import verify_match
from tests.log.match_books import ADA, BEN, GUEST, OPEN, SHORT_MATCH
from workers.bot_turn import play_bots
from workers.bots.registry import find
from workers.fold import fold_game, settle
from workers.matches import agree, begin, go_on
from workers.queue import FOLD, celery_app
from workers.tasks import register

BOTS = tuple(SeatInfo(name, "bot", name, "") for name in ("greedy", "uniform"))
PERSON_AND_BOT = (ADA, BOTS[0])
R = TypeVar("R")


def started(store: Store, seats: tuple[SeatInfo, ...] = (ADA, BEN), **knobs: Any) -> Terms:
    rules = msgspec.structs.replace(SHORT_MATCH, **knobs)
    terms = agree(store, store.new_id(), rules, seats, seed="spring")
    begin(store, terms)
    return terms


def do(store: Store, game: str, command: Command, by: str) -> Loaded:
    return submit(store, game, command, by=by).after


def ring(game: str, table: object) -> None:
    """Nobody is rung: the sweep is played by `work`."""


def due(store: Store) -> list[str]:
    return sorted({game for shard in store.due.shards() for game in store.due.games(shard)})


def work(store: Store) -> None:
    """What workers do until nothing is due: fold, and move the bots."""
    while games := due(store):
        for game in games:
            fold_game(store, game, ring)
            play_bots(store, game, find, ring, clock=lambda: 0.0)


def games_of(store: Store, terms: Terms) -> list[str]:
    """The games of the match that are there, in order."""
    ids = [terms.game(number) for number in range(60)]
    there = [game for game in ids if store.version(game)]
    assert there == ids[: len(there)], "none is left out"
    return there


def ended(store: Store, terms: Terms) -> MatchEnded | None:
    last = store.matches.read(terms.match)[-1].events[-1]
    return last if isinstance(last, MatchEnded) else None


def assert_true(store: Store, terms: Terms) -> None:
    """Its log verifies, with those of its games."""
    verdict = verify_match(export_match(store, terms.match), lambda game: export(store, game))
    assert verdict.ok, verdict


def test_bots_play_a_match_to_its_end_without_anybody_else(store: Store) -> None:
    """R23: games until a total reaches the target."""
    terms = started(store, BOTS, match=20)
    work(store)
    end = ended(store, terms)
    assert end is not None
    assert end.winner is not None
    assert end.totals[end.winner] >= 20 > min(end.totals)
    assert len(games_of(store, terms)) == len(store.matches.load(terms.match).match.games) > 2
    assert_true(store, terms)


def test_the_games_are_those_of_the_seed_whoever_plays_them(store: Store) -> None:
    """Section 4: same seed, bots and rules: the same games, move by move."""
    first, second = started(store, BOTS), started(store, BOTS)
    work(store)
    one, other = (
        [[commit.events for commit in store.read(game)][1:] for game in games_of(store, terms)]
        for terms in (first, second)
    )
    assert one == other


def test_a_game_that_somebody_leaves_is_scored_and_the_next_begins(store: Store) -> None:
    """R24, R22, R23: given a game of two people, when one resigns, then the other scores and a new deal lies there."""
    terms = started(store)
    first, second = terms.game(0), terms.game(1)
    do(store, first, Resign(0), "seat:0")
    assert games_of(store, terms) == [first]
    work(store)
    assert games_of(store, terms) == [first, second]
    (scored,) = store.matches.load(terms.match).match.games
    assert (scored.game, scored.winners, scored.points) == (first, (1,), (0, 5))
    created = store.read(second)[0].events[0]
    assert isinstance(created, GameCreated)
    assert (created.match, created.seats, created.rules) == (terms.match, (ADA, BEN), terms.rules)
    assert created.commitment == commitment(terms.deal(1))
    assert store.load(second).game.status == "playing"


def test_who_takes_an_open_seat_has_it_in_all_games(store: Store) -> None:
    """Name and entropy carry on; no seat is open any more."""
    terms = started(store, (ADA, OPEN))
    work(store)
    assert store.load(terms.game(0)).game.status == "open"
    do(store, terms.game(0), Sit("guest 1", "mine"), "seat:1")
    for number in range(2):
        do(store, terms.game(number), Resign(0), "seat:0")
        work(store)
        created = store.read(terms.game(number + 1))[0].events[0]
        assert isinstance(created, GameCreated)
        assert created.seats == (ADA, GUEST)
    assert_true(store, terms)


def test_the_game_that_reaches_the_target_is_the_last(store: Store) -> None:
    """R23: nothing can be played after the end; points are five a game here."""
    terms = started(store, match=10)
    for number in range(2):
        do(store, terms.game(number), Resign(1), "seat:1")
        work(store)
    assert ended(store, terms) == MatchEnded(0, (10, 0))
    assert len(games_of(store, terms)) == 2
    assert go_on(store, terms.match) is None
    assert len(games_of(store, terms)) == 2


def test_an_abandoned_game_ends_the_match(store: Store) -> None:
    """R23, read so: else a silent match would deal abandoned games for ever."""
    terms = started(store)
    do(store, terms.game(0), Abandon(), "system")
    work(store)
    assert ended(store, terms) == MatchEnded(None, (0, 0))
    assert len(games_of(store, terms)) == 1
    assert_true(store, terms)


def test_a_bot_that_is_to_move_in_the_next_game_is_rung_at_once(store: Store) -> None:
    """The next game does not wait for the sweep; the one before owes nothing any more."""
    rung: list[str] = []
    terms = started(store, BOTS)
    while not rung:
        play_bots(store, terms.game(0), find, lambda game, _: rung.append(game), clock=lambda: 0.0)
    assert rung == [terms.game(1)]
    assert due(store) == [terms.game(1)]


def test_going_on_twice_late_or_too_early_changes_nothing(store: Store) -> None:
    """At every point of a match, whoever calls."""
    terms = started(store)
    first = do(store, terms.game(0), Resign(0), "seat:0")
    assert go_on(store, terms.match) == terms.game(1)
    before = export_match(store, terms.match), store.version(terms.game(1))
    for _ in range(3):
        assert go_on(store, terms.match) is None
        settle(store, terms.game(0), first, ring)
        begin(store, terms)
    assert (export_match(store, terms.match), store.version(terms.game(1))) == before
    do(store, terms.game(1), Resign(0), "seat:0")
    settle(store, terms.game(0), first, ring)
    assert len(games_of(store, terms)) == 3, "a late look at an earlier game finds what is owed now"


def test_many_workers_at_once_score_and_create_once(store: Store) -> None:
    """Conflicts mean that somebody was faster."""
    terms = started(store, match=25)
    others = [Store(store.client, shards=store.shards, now=store.now) for _ in range(6)]
    with ThreadPoolExecutor(len(others)) as pool:
        for number in range(5):
            do(store, terms.game(number), Resign(0), "seat:0")
            made = list(pool.map(lambda other: go_on(other, terms.match), others))
            assert [game for game in made if game] == ([terms.game(number + 1)] if number < 4 else [])
    assert ended(store, terms) == MatchEnded(1, (0, 25))
    assert len(store.matches.read(terms.match)) == 6
    assert_true(store, terms)


class Killed(BaseException):
    """A process that is no more."""


class Dying(Store):
    """A store whose process dies at its `die_at`-th write: before it, or after it."""

    def __init__(self, store: Store, die_at: int, *, after: bool) -> None:
        super().__init__(store.client, shards=store.shards, now=store.now)
        self.left, self.after = die_at, after
        self.matches.append = self.once(self.matches.append)
        self.matches.agree = self.once(self.matches.agree)
        self.due.settle = self.once(self.due.settle)
        self.append = self.once(self.append)
        self.save_snapshot = self.once(self.save_snapshot)

    def once(self, act: Callable[..., R]) -> Callable[..., R]:
        def acted(*args: Any, **kwargs: Any) -> R:
            self.left -= 1
            if self.left == 0 and not self.after:
                raise Killed
            done = act(*args, **kwargs)
            if self.left == 0:
                raise Killed
            return done

        return acted


@pytest.mark.parametrize("after", [False, True])
def test_a_worker_killed_between_any_two_writes_leaves_a_match_that_goes_on(store: Store, after: bool) -> None:
    """The mark outlives it: the sweep comes back, finds what is there, and does the rest."""
    for die_at in range(1, 40):
        terms = started(store, match=10)
        do(store, terms.game(0), Resign(0), "seat:0")
        dying = Dying(store, die_at, after=after)
        try:
            fold_game(dying, terms.game(0), ring)
            died = False
        except Killed:
            died = True
        work(store)
        assert games_of(store, terms) == [terms.game(0), terms.game(1)]
        assert len(store.matches.read(terms.match)) == 2
        if not died:
            assert die_at > 4, "snapshot, score, next game and mark are four writes"
            return
    raise AssertionError("it never came to an end")


@pytest.mark.parametrize("after", [False, True])
def test_a_creation_killed_between_any_two_writes_is_made_good_by_its_repeat(store: Store, after: bool) -> None:
    """The terms that stand are those of the first attempt; its deals are dealt."""
    for die_at in range(1, 5):
        name = store.new_id()
        dying = Dying(store, die_at, after=after)
        died = False
        try:
            begin(dying, agree(dying, name, SHORT_MATCH, (ADA, BEN)))
        except Killed:
            died = True
        terms = agree(store, name, SHORT_MATCH, (ADA, BEN))
        begin(store, terms)
        assert store.matches.load(name).version == 1
        assert store.version(terms.game(0)) == 1
        assert store.load(terms.game(0)).seed == terms.deal(0)
        assert died == (die_at < 4), "terms, start and first game are three writes"


def test_the_mark_stays_while_the_store_is_away(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is owed to a match is owed to the game that has ended."""
    terms = started(store)
    do(store, terms.game(0), Resign(0), "seat:0")

    def away(*_: object) -> None:
        raise StoreUnavailable("away")

    with monkeypatch.context() as patch:
        patch.setattr(store.matches, "load", away)
        with pytest.raises(StoreUnavailable):
            fold_game(store, terms.game(0), ring)
    assert due(store) == [terms.game(0)]


@pytest.mark.parametrize("match", ["00nothere", "a match of elsewhere", "", "{s00}:x", "é" * 300])
def test_a_game_of_a_match_that_is_not_here_is_an_ordinary_game(store: Store, match: str) -> None:
    """A log from elsewhere may name any match."""
    game = store.new_id()
    create(store, Create(game=game, rules=SHORT_MATCH, seats=(ADA, BEN), match=match), seed=bytes(64), by="system")
    do(store, game, Resign(0), "seat:0")
    work(store)
    assert due(store) == []
    assert not store.client.exists(broken_key(shard_of(game)))


def test_a_game_that_only_names_a_match_is_not_scored_in_it(store: Store) -> None:
    """Which games a match has, its own terms say."""
    terms = started(store)
    game = store.new_id()
    create(
        store, Create(game=game, rules=SHORT_MATCH, seats=(ADA, BEN), match=terms.match), seed=bytes(64), by="system"
    )
    do(store, game, Resign(0), "seat:0")
    work(store)
    assert store.matches.load(terms.match).match.games == ()
    assert games_of(store, terms) == [terms.game(0)]


def broken(store: Store, owner: str) -> bytes | None:
    return store.client.hget(broken_key(shard_of(owner)), owner)


def test_a_match_that_cannot_be_read_is_put_among_the_broken_and_wedges_nobody(store: Store) -> None:
    """Its games stay whole and playable."""
    terms = started(store)
    do(store, terms.game(0), Resign(0), "seat:0")
    store.client.xadd(match_key(terms.match), {"1": b"{}", "h": bytes(32), "n": b""}, id="2-0")
    work(store)
    assert due(store) == []
    assert b"version 2" in (broken(store, terms.match) or b"")
    assert broken(store, terms.game(0)) is None
    assert store.load(terms.game(0)).game.status == "ended"


def test_a_next_game_that_cannot_be_read_is_not_played_over(store: Store) -> None:
    """No second game under its id; an operator finds the match and the reason."""
    terms = started(store)
    do(store, terms.game(0), Resign(0), "seat:0")
    store.client.xadd(stream_key(terms.game(1)), {"1": b"{}", "h": bytes(32), "n": b""}, id="1-0")
    work(store)
    assert due(store) == []
    assert broken(store, terms.match)
    assert store.matches.load(terms.match).version == 2


def test_a_match_whose_last_game_is_gone_stands_still_and_wedges_nobody(store: Store) -> None:
    """Who sat there cannot be known any more."""
    terms = started(store)
    first = do(store, terms.game(0), Resign(0), "seat:0")
    store.matches.append(
        store.matches.load(terms.match),
        terms.match,
        (GameScored(terms.game(0), "won", (1,), (0, 5), (0, 5)),),
        at=store.now(),
    )
    store.client.delete(stream_key(terms.game(0)))
    settle(store, terms.game(0), first, ring)
    assert broken(store, terms.match)
    assert games_of(store, terms) == []


def test_the_task_that_folds_a_game_goes_on_with_its_match(store: Store) -> None:
    """As workers do it: by the message that a game has moved on."""
    terms = started(store)
    do(store, terms.game(0), Resign(0), "seat:0")
    app = celery_app("memory://")
    register(app, store, find)
    app.tasks[FOLD](terms.game(0))
    app.close()
    assert games_of(store, terms) == [terms.game(0), terms.game(1)]
    assert due(store) == []


def test_a_person_and_a_bot_play_on_with_the_same_seats(store: Store) -> None:
    """R5: the bot moves as soon as it is its turn, in every game."""
    terms = started(store, PERSON_AND_BOT, match=10)
    for number in range(2):
        work(store)
        loaded = store.load(terms.game(number))
        assert loaded.game.to_move is not None
        assert loaded.game.to_move.kind == "human"
        do(store, terms.game(number), Resign(0), "seat:0")
    work(store)
    assert ended(store, terms) == MatchEnded(1, (0, 10))
    assert_true(store, terms)


def test_rules_without_a_target_begin_no_match(store: Store) -> None:
    """R23: whoever asks has been refused before."""
    terms = agree(store, store.new_id(), msgspec.structs.replace(SHORT_MATCH, match=None), (ADA, BEN))
    with pytest.raises(ValueError, match="target"):
        begin(store, terms)
