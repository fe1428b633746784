"""An arena without a store: the same seed gives the same games, in any number of processes, whatever the bots do."""

import random
from collections.abc import Callable, Generator
from itertools import islice
from typing import Any

import msgspec
import pytest

from events.game.events import GameCreated, SeatForfeited
from events.game.evolve import fold
from events.game.fast.codes import MOVE_CODES
from events.game.fast.sight import Sight, legal
from events.game.presets import PRESETS, resolve
from events.game.rules import Rules
from events.game.shuffle import bot_seed, deal_seed, game_key
from tests.spec import ALL_PRESETS, deal, given, rules_of
from workers.arena.local import agreed, play, play_local
from workers.arena.terms import Arena
from workers.bots.registry import Bot, UnknownBot, find
from workers.turn import bot_command

SHORT = rules_of("gato-e-rato", payoff=5)


def raises(sight: Sight, rng: random.Random) -> int:
    raise RuntimeError("a bot's own fault")


BAD: dict[str, Callable[[Sight, random.Random], Any]] = {
    "raises": raises,
    "mute": lambda sight, rng: None,
    "babbles": lambda sight, rng: "please discard the seven",
    "cheats": lambda sight, rng: MOVE_CODES["p@1>c0"],
    "overshoots": lambda sight, rng: 10**6,
    "lists": lambda sight, rng: legal(sight),
}


def arena_of(bots: tuple[str, ...], rules: Rules, seed: str) -> Arena:
    return agreed(bots, 8, rules, seed)


def find_bad(name: str) -> Bot:
    return Bot(name, "", BAD[name]) if name in BAD else find(name)


@pytest.mark.parametrize("preset", ALL_PRESETS)
def test_the_same_seed_gives_the_same_games_move_by_move(preset: str) -> None:
    for number in range(2):
        first, second = (play(arena_of(("greedy", "uniform"), PRESETS[preset].rules, "s"), number) for _ in range(2))
        assert first == second


def test_another_seed_gives_other_games() -> None:
    first, second = (play(arena_of(("greedy", "uniform"), SHORT, seed), 0) for seed in ("s", "t"))
    assert first.commits != second.commits


def test_a_game_is_the_same_alone_and_in_its_arena() -> None:
    rows = list(play_local(("greedy", "uniform"), 4, SHORT, "s"))
    assert play(arena_of(("greedy", "uniform"), SHORT, "s"), 3).row == rows[3]


def test_one_process_and_two_give_the_same_rows_in_the_order_of_the_schedule() -> None:
    bots = ("greedy", "uniform", "greedy")
    alone = list(play_local(bots, 70, SHORT, "s", processes=1))
    assert list(play_local(bots, 70, SHORT, "s", processes=2)) == alone
    assert [row.number for row in alone] == list(range(70))


def test_an_arena_of_processes_may_be_left_early() -> None:
    rows = play_local(("greedy", "uniform"), 10_000, SHORT, "s", processes=2)
    assert [row.number for row in islice(rows, 3)] == [0, 1, 2]
    assert isinstance(rows, Generator)
    rows.close()


def test_both_games_of_a_pair_are_played_on_one_deal_with_seats_swapped() -> None:
    first, second = (play(arena_of(("greedy", "uniform"), SHORT, "s"), number) for number in (0, 1))
    assert first.commits[0][1] == second.commits[0][1]
    assert first.row.seats == second.row.seats[::-1] == ("greedy", "uniform")
    assert first.row.pair == second.row.pair == 0


def test_partners_are_one_bot_and_both_sides_get_each_deal() -> None:
    rules = resolve({"preset": "gatto-e-topo", "seats": 4, "teams": True})
    spec = agreed(("greedy", "uniform"), 4, rules, "s")
    assert [spec.fixture(number).seats for number in range(4)] == [(0, 1, 0, 1), (1, 0, 1, 0)] * 2
    assert [spec.fixture(number).pair for number in range(4)] == [0, 0, 1, 1]
    assert spec.group == 2
    assert play(spec, 0).row.winners in ((0, 2), (1, 3))


def test_a_row_says_how_the_game_went() -> None:
    played = play(arena_of(("greedy", "greedy"), PRESETS["spite-and-malice"].rules, "s"), 0)
    game = fold(event for events in played.commits for event in events)
    row = played.row
    assert row.seats == ("greedy", "greedy#2")
    assert game.result is not None
    assert game.turn is not None
    assert (row.result, row.winners, row.reason, row.points) == msgspec.structs.astuple(game.result)
    assert row.moves == len(played.commits) - 1
    assert row.turns == game.turn.number
    assert row.game is None


def test_seats_carry_the_label_and_the_bot() -> None:
    created = play(arena_of(("greedy", "greedy"), SHORT, "s"), 1).commits[0][0]
    assert isinstance(created, GameCreated)
    assert [(seat.name, seat.kind, seat.bot, seat.entropy) for seat in created.seats] == [
        ("greedy#2", "bot", "greedy", ""),
        ("greedy", "bot", "greedy", ""),
    ]


def test_the_dice_of_a_bot_hang_on_key_seat_and_version_alone() -> None:
    seen: list[tuple[int, int, float]] = []

    def look(sight: Sight, rng: random.Random) -> int:
        seen.append((sight.seat, sight.board.seat, rng.random()))
        return legal(sight)[0]

    play(arena_of(("looks", "looks"), SHORT, "s"), 0, lambda name: Bot(name, "", look))
    key = game_key(deal_seed("s", 0), ["", ""])
    assert len(seen) > 20
    for version, (seat, to_move, dice) in enumerate(seen, 1):
        assert seat == to_move
        assert dice == random.Random(bot_seed(key, seat, version)).random()


@pytest.mark.parametrize("bot", BAD)
def test_a_bot_that_fails_forfeits_and_the_other_wins(bot: str) -> None:
    played = play(arena_of((bot, "greedy"), SHORT, "s"), 0, find_bad)
    forfeit = next(event for event in played.commits[-1] if isinstance(event, SeatForfeited))
    assert (forfeit.seat, forfeit.cause) == (0, "error" if bot == "raises" else "illegal_move")
    assert (played.row.result, played.row.winners, played.row.reason) == ("won", (1,), "forfeit")
    assert played.row.moves == len(played.commits) - 2


def test_with_three_seats_the_game_goes_on_after_a_forfeit() -> None:
    rules = rules_of("gato-e-rato", seats=3, payoff=5)
    played = play(arena_of(("raises", "greedy", "greedy"), rules, "s"), 0, find_bad)
    assert played.row.reason in {"payoff", "exhausted"}
    assert played.row.winners != (0,)


def test_an_unknown_bot_is_refused_before_the_first_game() -> None:
    with pytest.raises(UnknownBot):
        play_local(("greedy", "fred"), 10, SHORT, "s")


def test_no_bot_is_asked_to_move_for_a_person() -> None:
    game = given(deal("gato-e-rato")).game
    with pytest.raises(ValueError, match="no bot"):
        bot_command(game, 1, bytes(64), find=find)
