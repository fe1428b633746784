"""How do the bots play? Legally under any rules, by their view alone, and `greedy` as a sensible player would."""

import os
import random
from collections.abc import Iterator, Sequence

import msgspec
import pytest
from msgspec.structs import replace

from events.game.cards import Card, Cards
from events.game.decide import MakeMove, decide_by
from events.game.events import SeatForfeited
from events.game.evolve import fold
from events.game.fast.bridge import table_of
from events.game.fast.codes import MOVE_TEXTS
from events.game.fast.dice import SeededDice
from events.game.fast.sight import Sight, legal, sight_of
from events.game.legality import view
from events.game.moves import parse_move
from events.game.presets import PRESETS
from events.game.rules import Rules
from events.game.shuffle import SeededDice as ReferenceDice
from events.game.shuffle import deal_seed
from events.game.state import Game
from tests.bench import ladder
from tests.bench.ladder import climb
from tests.game.in_numbers import parts
from tests.spec import ALL_PRESETS, SEED, WILD_PRESETS, Setup, given, position, rules_of
from tests.walks import FULL, always_true, cards_on, drawn_rules
from workers.arena.local import agreed, play
from workers.arena.terms import Arena
from workers.bots.registry import BOTS, UnknownBot, find
from workers.turn import LazyRandom, bot_command

TABLES = {
    **{name: preset.rules for name, preset in PRESETS.items()},
    "three seats": rules_of("gatto-e-topo", seats=3),
    "teams of two": rules_of("gatto-e-topo", seats=4, teams=True),
    "teams, the first payoff wins": rules_of("gatto-e-topo", seats=4, teams=True, team_win="first"),
    "three seats, wild kings": rules_of("gato-e-rato", seats=3, payoff=12),
    "wild kings, play compulsory": rules_of("spite-and-malice", must_play="always"),
    "optional play": rules_of("gatto-e-topo", must_play="never"),
    "jokers that may not start": rules_of("gatto-e-topo", jokers=8, wild_may_start=False, wild_on_wild=False),
    "aces must, none is discarded": rules_of("gato-e-rato", must_play="aces", discard="no_aces"),
    "no refill": rules_of("gato-e-rato", refill=False, discard="no_wilds", exhaustion_at="short"),
}


def plays(setup: Setup, move: str, bot: str = "greedy") -> None:
    """Fails unless the bot makes this move here."""
    assert chosen(setup, bot) == move


def chosen(setup: Setup, bot: str) -> str:
    """The bot's move at this table."""
    return chosen_at(given(setup).game, bot)


def chosen_at(game: Game, bot: str) -> str:
    assert game.turn is not None
    seen = view(game, game.turn.seat, name=None, version=9)
    return MOVE_TEXTS[find(bot).choose(sight_of(seen), random.Random(1))]


def arena_of(bots: Sequence[str], rules: Rules, seed: str) -> Arena:
    return agreed(bots, 8, rules, seed)


def check_whole_game(arena: Arena, number: int) -> None:
    played = play(arena, number)
    assert not [event for events in played.commits for event in events if isinstance(event, SeatForfeited)]
    assert played.row.result in {"won", "drawn"}


@pytest.mark.parametrize("table", TABLES)
def test_bots_play_legal_moves_to_the_end(table: str) -> None:
    for number in range(3 if FULL else 1):
        for bots in (("greedy", "uniform"), ("planner", "eager")):
            check_whole_game(arena_of(bots, TABLES[table], f"legal {table}"), number)


@pytest.mark.parametrize("number", range(80 if FULL else 24))
def test_bots_play_legal_moves_under_rules_drawn_by_lot(number: int) -> None:
    rules = msgspec.structs.replace(drawn_rules(number), turn_limit=120)
    check_whole_game(arena_of(("planner", "greedy", "eager", "uniform"), rules, "drawn"), 0)


@pytest.mark.parametrize("number", range(60 if FULL else 12))
def test_a_bot_chooses_alike_by_the_tables_own_sight_and_by_its_view(number: int) -> None:
    rules = PRESETS[ALL_PRESETS[number]].rules if number < 3 else drawn_rules(number + 100)
    game = given(Setup(rules, None)).game
    dice = SeededDice(SEED, [player.entropy for player in game.players])
    table, rng = table_of(game, dice), random.Random(number)
    for turn in range(120):
        assert game.turn is not None
        seat = game.turn.seat
        live, seen = table.sights[seat], sight_of(view(game, seat, name=None, version=9))
        before = told(live)
        moves = [bot.choose(live, random.Random(turn)) for bot in BOTS.values()]
        assert [bot.choose(seen, random.Random(turn)) for bot in BOTS.values()] == moves
        assert told(live) == before
        assert set(moves) <= set(legal(live))
        move = rng.choice(moves)
        game = decide_by(MakeMove(seat, parse_move(MOVE_TEXTS[move])), game, ReferenceDice(SEED)).game
        table.play(move)
        if game.result is not None:
            break


def told(sight: Sight) -> str:
    """All that a sight tells, to see that it has not changed."""
    return repr(parts(sight))


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("preset", ALL_PRESETS)
def test_a_move_does_not_hang_on_hidden_cards(preset: str, name: str) -> None:
    seats = ((name, "greedy"), (name, "uniform"))[name == "greedy"]
    for game, version, seed in middle_games(arena_of(seats, PRESETS[preset].rules, "two worlds")):
        pack = cards_on(game)
        first = bot_command(game, version, seed, find=find)
        for other in range(3):
            world = reshuffled(game, random.Random(f"{version} {other}"))
            always_true(world, pack)
            assert bot_command(world, version, seed, find=find) == first


def middle_games(arena: Arena) -> Iterator[tuple[Game, int, bytes]]:
    """Every eleventh table of two games, as (game, version, seed)."""
    for number in (0, 1):
        commits = play(arena, number).commits
        game = None
        for version, events in enumerate(commits[:-1], 1):
            game = fold(events, game)
            if version % 11 == 1:
                yield game, version, deal_seed(arena.seed, 0)


def reshuffled(game: Game, rng: random.Random) -> Game:
    """The same table for the seat to move; every card that it cannot see lies elsewhere."""
    assert game.turn is not None
    me = game.turn.seat
    hidden: list[Card] = []
    hidden.extend(card for player in game.players for card in player.payoff[:-1])
    hidden.extend(card for seat, player in enumerate(game.players) if seat != me for card in player.hand)
    hidden.extend([*game.stock, *game.aside])
    rng.shuffle(hidden)

    def take(count: int) -> Cards:
        return tuple(hidden.pop() for _ in range(count))

    players = tuple(
        replace(
            player,
            payoff=take(max(len(player.payoff) - 1, 0)) + player.payoff[-1:],
            hand=player.hand if seat == me else take(len(player.hand)),
        )
        for seat, player in enumerate(game.players)
    )
    return replace(game, players=players, stock=take(len(game.stock)), aside=take(len(game.aside)))


@pytest.mark.parametrize("name", BOTS)
def test_the_same_view_and_dice_give_the_same_move(name: str) -> None:
    for game, version, seed in middle_games(arena_of((name, name), PRESETS["gato-e-rato"].rules, "again")):
        assert bot_command(game, version, seed, find=find) == bot_command(game, version, seed, find=find)


LADDER = [
    ("eager", "uniform", "gato-e-rato", 0.7, 0.85),
    ("greedy", "eager", "gatto-e-topo", 0.75, 0.91),
    ("greedy", "eager", "gato-e-rato", 0.8, 0.96),
    ("greedy", "eager", "spite-and-malice", 0.8, 0.95),
    ("planner", "greedy", "gatto-e-topo", 0.5, 0.69),
    ("planner", "greedy", "gato-e-rato", 0.6, 0.81),
    ("planner", "greedy", "spite-and-malice", 0.6, 0.79),
]
"""Pair, preset, and what the first scores at least: over ten pairs of games, and over 3,000."""


@pytest.mark.parametrize(("better", "other", "preset", "few", "many"), LADDER)
def test_each_bot_beats_the_one_below_it(better: str, other: str, preset: str, few: float, many: float) -> None:
    steps = climb(10, "ladder", steps=[(better, other)], presets=[preset])
    assert next(steps).score > few


@pytest.mark.timeout(3600)
@pytest.mark.skipif(not FULL, reason="3,000 pairs of games a row; MALICE_FULL=1")
@pytest.mark.parametrize(("better", "other", "preset", "few", "many"), LADDER)
def test_the_ladder_is_as_steep_as_it_says(better: str, other: str, preset: str, few: float, many: float) -> None:
    steps = climb(ladder.PAIRS, ladder.SEED, steps=[(better, other)], presets=[preset], processes=os.cpu_count() or 1)
    assert next(steps).score >= many


@pytest.mark.parametrize("preset", ALL_PRESETS)
def test_planner_wins_when_it_can(preset: str) -> None:
    setup = position(preset, payoffs=["5h", "9c 8d"], hands=["3c 4c 3d"], sides=[["9d", "4d"]], piles=["A-2", "Ah"])
    table = given(setup)
    while table.game.result is None:
        assert table.turn.seat == 0
        table.when(0, chosen_at(table.game, "planner"))
    assert table.game.result.winners == (0,)


@pytest.mark.parametrize("preset", WILD_PRESETS)
def test_planner_does_not_put_a_pile_below_the_payoff_card_of_its_opponent(preset: str) -> None:
    def table(other: str) -> Setup:
        return position(
            preset, payoffs=["9c Jh", f"9d {other}"], hands=["6c 9h Qd"], sides=[["Ts", "3s"], ["Qh"]], piles=["A-5"]
        )

    assert not chosen(table("7d"), "planner").startswith("6c>c")
    assert chosen(position(preset, payoffs=["9c 7h", "9d 7d"], hands=["6c 9h Qd"], piles=["A-5"]), "planner") == "6c>c0"


@pytest.mark.parametrize("preset", WILD_PRESETS)
def test_planner_plays_a_king_that_reaches_its_payoff_card_and_keeps_one_that_does_not(preset: str) -> None:
    def table(payoff: str) -> Setup:
        return position(preset, payoffs=[f"9c {payoff}"], hands=["Kc Td 9s"], sides=[["Jd"]], piles=["A-4", "A-4d"])

    assert chosen(table("6h"), "planner") in {"Kc>c0", "Kc>c1"}
    assert chosen(table("Qh"), "planner") == "Td>s0"


def test_planner_helps_its_partner() -> None:
    setup = position(
        seats=4, teams=True, rules="gatto-e-topo", payoffs=["9c Jh", None, "8c 5h"], hands=["4c Qd"], piles=["A-3"]
    )
    plays(setup, "4c>c0", "planner")
    assert chosen_at(given(setup).when(0, "4c>c0").game, "planner") == "p@2>c0"


def test_planner_has_no_regard_for_a_seat_that_has_left() -> None:
    def table(resigned: tuple[int, ...]) -> Setup:
        return position(
            "gato-e-rato",
            seats=3,
            payoffs=["9c Qh", "9d 7d", "9h Jd"],
            hands=["6c 9h Td Ts"],
            sides=[["Js"], ["Jh"]],
            piles=["A-5"],
            resigned=resigned,
        )

    assert chosen(table(()), "planner") != "6c>c0"
    assert chosen(table((1,)), "planner") == "6c>c0"


@pytest.mark.parametrize("preset", ALL_PRESETS)
def test_greedy_plays_its_payoff_before_anything_else(preset: str) -> None:
    plays(position(preset, payoffs=["9c 3h"], hands=["3c 7d 8d"], sides=[["3d"]], piles=["A-2"]), "p>c0")


@pytest.mark.parametrize("preset", ALL_PRESETS)
def test_greedy_plays_from_a_side_stack_before_the_hand(preset: str) -> None:
    plays(position(preset, payoffs=["9c Jh"], hands=["3c 7d 8d"], sides=[["9d", "3d"]], piles=["A-2"]), "s1>c0")


def test_greedy_helps_its_partner_after_itself() -> None:
    for own, move in (("9c Jh", "p@2>c0"), ("9c 5d", "p>c0")):
        setup = position(
            seats=4, teams=True, rules="gatto-e-topo", payoffs=[own, None, "8c 5h"], hands=["5c 9d"], piles=["A-4"]
        )
        plays(setup, move)


@pytest.mark.parametrize("preset", WILD_PRESETS)
def test_greedy_spends_a_wild_within_two_steps_of_its_payoff_card(preset: str) -> None:
    def table(payoff: str, *piles: str) -> Setup:
        return position(preset, payoffs=[f"9c {payoff}"], hands=["Kc Td"], sides=[["Jd"]], piles=piles)

    plays(table("5h", "A-2"), "Kc>c0")
    plays(table("5h", "A-3"), "Kc>c0")
    plays(table("6h", "A-2"), "Td>s0")
    plays(table("6h", "A-3", "A-4d", "A-2h"), "Kc>c1")


@pytest.mark.parametrize("preset", WILD_PRESETS)
def test_greedy_spends_a_wild_when_its_hand_holds_nothing_else(preset: str) -> None:
    plays(position(preset, payoffs=["9c 9h"], hands=["Kc"], piles=["A-2"]), "Kc>c0")


def test_greedy_spends_a_wild_that_it_would_rather_keep_where_play_is_compulsory() -> None:
    setup = position("gato-e-rato", must_play="always", payoffs=["9c 9h"], hands=["Kc Td"], piles=["A-2", "A-4d", "Ah"])
    plays(setup, "Kc>c1")


@pytest.mark.parametrize("preset", ALL_PRESETS)
def test_greedy_discards_onto_one_rank_higher_then_an_equal_then_an_empty_stack(preset: str) -> None:

    def table(*tops: str) -> Setup:
        return position(preset, payoffs=["9c Jh"], hands=["7c 8c"], piles=["A-2"], sides=[tops])

    plays(table("8d", "7d", "Qd", "4d"), "7c>s0")
    plays(table("7d", "Qd", "", "4d"), "7c>s0")
    plays(table("Td", "Qd", "", "4d"), "8c>s2")
    plays(table("Td", "Qd", "Jd", "4d"), "8c>s0")
    plays(table("4d", "6d", "5d", "4d"), "7c>s1")


@pytest.mark.parametrize("preset", WILD_PRESETS)
def test_greedy_discards_a_wild_last(preset: str) -> None:
    plays(position(preset, payoffs=["9c 9h"], hands=["Kc 8c"], sides=[["", "4d", "4h", "4s"]]), "8c>s0")
    plays(position(preset, payoffs=["9c 9h"], hands=["Kc 8c"], sides=[["4c", "4d", "4h", "4s"]]), "8c>s0")


def test_greedy_passes_when_nothing_else_is_left() -> None:
    plays(position("gatto-e-topo", payoffs=["9c 9h"], hands=[""], stock=0), "pass")


def test_a_bot_is_found_by_its_name() -> None:
    assert [find(name).name for name in BOTS] == list(BOTS)


def test_an_unknown_bot_is_refused_with_the_names_that_there_are() -> None:
    with pytest.raises(UnknownBot, match=r"'fred'.*uniform, eager, greedy, planner"):
        find("fred")


def test_dice_are_those_of_the_standard_library_and_cost_nothing_unthrown() -> None:
    seeds = []

    def seed() -> bytes:
        seeds.append(b"seed")
        return b"seed"

    dice, known = LazyRandom(seed), random.Random(b"seed")
    assert seeds == []
    assert [dice.random(), dice.choice("abc"), dice.randrange(99)] == [
        known.random(),
        known.choice("abc"),
        known.randrange(99),
    ]
    assert seeds == [b"seed"]
