"""Many games at once: is what they write what `submit` would have written?"""

import random
from typing import Any

import pytest
import redis

from events.game.commands import Create, Forfeit
from events.game.events import SeatInfo
from events.game.presets import PRESETS
from events.game.rules import Rules
from events.log.course import Course, Moment, begun, resumed
from events.log.keys import seed_key, stream_key
from events.log.record import export
from events.log.store import Store
from events.log.submit import advance, create
from events.log.verify import verify
from tests.conftest import SHARDS
from tests.log.games import seed_of
from tests.spec import rules_of
from workers.bots.registry import find
from workers.turn import command_of_bot

GAME = "00course"
AT = "2026-01-31T12:00:00.123Z"
MOMENT = Moment(AT)
BOTS = ("greedy", "uniform", "eager")
CASES = {
    **{name: preset.rules for name, preset in PRESETS.items()},
    "three at a table": rules_of("gatto-e-topo", seats=3, payoff=4),
    "partners": rules_of("gatto-e-topo", seats=4, teams=True, payoff=3),
    "by lot, with jokers": rules_of("gato-e-rato", payoff=5, jokers=4, starter="random"),
}


def creation(rules: Rules) -> Create:
    names = [BOTS[seat % len(BOTS)] for seat in range(rules.seats)]
    seats = tuple(SeatInfo(f"{name} {seat}", "bot", name, "") for seat, name in enumerate(names))
    return Create(game=GAME, rules=rules, seats=seats)


@pytest.fixture
def still(client: redis.Redis) -> Store:
    """A store whose clock stands."""
    return Store(client, shards=SHARDS, now=lambda: AT)


def sent(store: Store, *courses: Course) -> list[bool]:
    return store.send([course.stretch() for course in courses]).answers()


def all_of(store: Store) -> list[Any]:
    """Every key and what it holds, the list of shards aside."""
    dump = {key: store.client.xrange(key) for key in store.client.scan_iter("*:game:*")}
    return [dump, sorted(store.client.scan_iter("{s*"))]


@pytest.mark.parametrize("name", CASES)
def test_a_game_played_in_numbers_is_to_the_byte_the_one_that_submit_writes(still: Store, name: str) -> None:
    """Given one seed, when a game is played move by move and again in stretches, then the streams are equal."""
    command, seed = creation(CASES[name]), seed_of(7)
    loaded = create(still, command, seed=seed, by="system", mark=False).after
    course, chance = begun(command, seed, MOMENT), random.Random(name)
    moves: list[Any] = []
    while loaded.game.result is None:
        bot = find(command.seats[course.table.board.seat].bot or "")
        decided = command_of_bot(bot, loaded.game, loaded.version, seed)
        moves.append(decided)
        loaded = advance(still, GAME, loaded, decided, by=f"bot:{decided.seat}", mark=False)
        dice = random.Random(course.dice.bot_seed(course.table.board.seat, course.version))
        course.move(bot.choose(course.table.sights[course.table.board.seat], dice), MOMENT)
    assert course.result == loaded.game.result
    assert course.version == loaded.version
    once = all_of(still)
    still.client.flushdb()
    again = begun(command, seed, MOMENT)
    for index in range(len(moves)):
        bot = find(command.seats[again.table.board.seat].bot or "")
        dice = random.Random(again.dice.bot_seed(again.table.board.seat, again.version))
        again.move(bot.choose(again.table.sights[again.table.board.seat], dice), MOMENT)
        if chance.random() < 0.1 or index == len(moves) - 1:
            assert sent(still, again) == [True]
    assert all_of(still) == once
    assert still.load(GAME).game == loaded.game
    assert verify(export(still, GAME)).ok


def test_a_forfeit_in_the_middle_is_written_as_submit_writes_it(still: Store) -> None:
    """R24: with three at the table the game goes on, without the seat that failed."""
    command, seed = creation(CASES["three at a table"]), seed_of(8)
    course = begun(command, seed, MOMENT)
    sent(still, course)
    loaded = still.load(GAME)
    failed = course.table.board.seat
    course.command(Forfeit(failed, "timeout"), f"bot:{failed}", MOMENT)
    after = advance(
        Store(still.client, shards=SHARDS, now=still.now),
        GAME,
        loaded,
        Forfeit(failed, "timeout"),
        by=f"bot:{failed}",
        mark=False,
    )
    assert course.game() == after.game
    assert sent(still, course) == [True], "the same commit: it is there already"
    assert course.table.board.seat != failed
    course.move(find("greedy").choose(course.table.sights[course.table.board.seat], random.Random()), MOMENT)
    assert sent(still, course) == [True]
    assert still.load(GAME).game == course.game()


def test_a_course_goes_on_from_the_log(still: Store) -> None:
    command, seed = creation(CASES["gato-e-rato"]), seed_of(9)
    first = begun(command, seed, MOMENT)
    greedy = find("greedy")
    for _ in range(30):
        first.move(greedy.choose(first.table.sights[first.table.board.seat], random.Random()), MOMENT)
    sent(still, first)
    second = resumed(GAME, Store(still.client, shards=SHARDS, now=still.now).load(GAME))
    for course in (first, second):
        course.move(greedy.choose(course.table.sights[course.table.board.seat], random.Random()), MOMENT)
    assert first.stretch() == second.stretch()
    assert first.game() == second.game()


def test_of_two_who_play_one_game_one_is_told_that_the_other_was_faster(still: Store) -> None:
    """Both play on from one commit: nothing of the second's is written, not even the part that would fit."""
    command, seed = creation(CASES["gato-e-rato"]), seed_of(10)
    sent(still, begun(command, seed, MOMENT))
    loaded = still.load(GAME)
    first, second = resumed(GAME, loaded), resumed(GAME, loaded)
    plays = find("greedy").choose(first.table.sights[first.table.board.seat], random.Random())
    other = next(move for move in range(1 << 12) if move != plays and first.table.allows(move))
    first.move(plays, MOMENT)
    second.move(other, MOMENT)
    other_game = begun(renamed(command), seed, MOMENT)
    assert sent(still, first, second, other_game) == [True, False, True]
    assert still.version(GAME) == 2
    assert still.load("00other").version == 1


def renamed(command: Create) -> Create:
    return Create(game="00other", rules=command.rules, seats=command.seats)


def test_a_script_that_the_store_has_forgotten_is_loaded_again(still: Store) -> None:
    """As after a restart of the store, which keeps no scripts."""
    command = creation(CASES["gato-e-rato"])
    still.client.script_flush()
    assert sent(still, begun(command, seed_of(11), MOMENT)) == [True]


def test_answers_that_nobody_waits_for_are_not_taken_for_others(still: Store) -> None:
    """Given commits on their way, dropped, then they may be in; what is asked after that is answered by itself."""
    command = creation(CASES["gato-e-rato"])
    dropped = still.send([begun(command, seed_of(14), MOMENT).stretch()])
    dropped.drop()
    dropped.drop()
    assert still.client.ping()
    assert sent(still, begun(renamed(command), seed_of(14), MOMENT)) == [True]
    assert still.version("00other") == 1


def test_the_seed_is_kept_until_the_last_commit_of_a_course(still: Store) -> None:
    command, seed = creation(CASES["gato-e-rato"]), seed_of(12)
    course = begun(command, seed, MOMENT)
    sent(still, course)
    assert still.client.get(seed_key(GAME)) == seed
    while course.result is None:
        seat = course.table.board.seat
        course.move(find("greedy").choose(course.table.sights[seat], random.Random()), MOMENT)
    sent(still, course)
    assert still.client.get(seed_key(GAME)) is None
    assert still.client.exists(stream_key(GAME))
    with pytest.raises(ValueError, match="read from its log"):
        course.game()


def test_an_illegal_move_changes_nothing_of_a_course(still: Store) -> None:
    course = begun(creation(CASES["gato-e-rato"]), seed_of(13), MOMENT)
    sent(still, course)
    before = course.game()
    with pytest.raises(ValueError, match="may not make"):
        course.move(10**6, MOMENT)
    assert course.game() == before
    assert course.stretch().lines == []
