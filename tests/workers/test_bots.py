"""How do the bots play? Legally under any rules, by their view alone, and `greedy` as a sensible player would."""

import random
from collections.abc import Iterator, Sequence

import pytest
from msgspec.structs import replace

from events.game.cards import Card, Cards
from events.game.events import SeatForfeited
from events.game.evolve import fold
from events.game.fast.codes import MOVE_TEXTS
from events.game.fast.sight import sight_of
from events.game.legality import view
from events.game.presets import PRESETS
from events.game.rules import Rules
from events.game.shuffle import deal_seed
from events.game.state import Game
from tests.spec import ALL_PRESETS, WILD_PRESETS, Setup, given, position, rules_of
from tests.walks import always_true, cards_on, drawn_rules
from workers.arena.local import agreed, play, play_local
from workers.arena.standings import standings
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
    game = given(setup).game
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
    rules = TABLES[table]
    bots = ("greedy", "uniform") if rules.seats == 2 else ("greedy", "uniform", "greedy")
    for number in range(4):
        check_whole_game(arena_of(bots, rules, f"legal {table}"), number)


@pytest.mark.parametrize("number", range(24))
def test_bots_play_legal_moves_under_rules_drawn_by_lot(number: int) -> None:
    check_whole_game(arena_of(("greedy", "uniform"), drawn_rules(number), "drawn"), 0)


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


@pytest.mark.parametrize("preset", ALL_PRESETS)
def test_greedy_beats_a_bot_that_plays_whatever_it_can(preset: str) -> None:
    rows = play_local(("greedy", "eager"), 40, PRESETS[preset].rules, "strength")
    scores = {each.bot: each.score for each in standings(("greedy", "eager"), rows, 2)}
    assert scores["greedy"] > 0.8


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
