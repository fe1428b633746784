"""What is always true, held after every commit of many games: all presets, and rules drawn over every knob."""

import itertools
from collections import Counter
from typing import Final

import msgspec
import pytest

from events.errors import Reason
from events.game.events import Event, GameEnded, PileCompleted, StockShuffled, TurnStarted
from events.game.legality import legal_moves, objection, view
from events.game.moves import MOVES, move_text
from events.game.state import Game, Turn
from events.game.views import View, bare_view
from tests.spec import ALL_PRESETS, given, position, rules_of
from tests.walks import FULL, Choice, Walk, always_true, cards_on, drawn_rules, eager, tidy, uniform

RULES: Final = 80 if FULL else 60
"""How many rules are drawn, from number 0 on."""
CHUNKS: Final = 20
EACH: Final = 20 if FULL else 1
"""Games under each of them."""


def play(walk: Walk, sample: int = 37) -> Walk:
    """To the end, with a close look at every so many commits, and at the log as a whole."""

    def look(walk: Walk) -> None:
        if len(walk.commits) % sample == 0 and walk.game.result is None:
            legal_is_what_nothing_speaks_against(walk.view())

    walk.to_the_end(look)
    assert msgspec.json.encode(walk.refold()) == msgspec.json.encode(walk.game)
    end = walk.commits[-1][-1]
    assert isinstance(end, GameEnded)
    assert end.seed == walk.seed.hex()
    assert (end.reason == "turn_limit") <= (walk.turn.number == walk.rules.turn_limit)
    assert [event for events in walk.commits for event in events if isinstance(event, GameEnded)] == [end]
    turns = [event.turn for events in walk.commits for event in events if isinstance(event, TurnStarted)]
    assert turns == list(range(1, len(turns) + 1))
    assert turns[-1] <= walk.rules.turn_limit
    return walk


def legal_is_what_nothing_speaks_against(view: View) -> None:
    """`objection` is None exactly for `legal_moves`, among all moves that can be written."""
    free = {text for text, move in MOVES.items() if objection(view, move) is None}
    legal = [move_text(move) for move in legal_moves(view)]
    assert free == set(legal)
    assert len(free) == len(legal)


@pytest.mark.parametrize("number", range(40 if FULL else 2))
@pytest.mark.parametrize("choose", [uniform, eager, tidy], ids=lambda choose: choose.__name__)
@pytest.mark.parametrize("preset", ALL_PRESETS)
def test_a_walk_of_a_preset(preset: str, choose: Choice, number: int) -> None:
    """R1 to R20: conserved cards, no full pile left, a legal move always, the same bytes from the log, an end."""
    play(Walk(rules_of(preset), number, choose))


@pytest.mark.parametrize("number", range(20 if FULL else 1))
@pytest.mark.parametrize(
    "knobs",
    [
        {"must_play": "never"},
        {"seats": 3},
        {"seats": 8, "payoff": 8},
        {"seats": 4, "teams": True, "payoff": 10},
        {"seats": 6, "teams": True, "team_win": "first"},
    ],
    ids=str,
)
def test_a_walk_of_gatto_e_topo_with_its_changes(knobs: dict[str, object], number: int) -> None:
    """R1, R5, R21: more seats, partners, optional play; now and then a seat leaves."""
    play(Walk(rules_of("gatto-e-topo", **knobs, turn_limit=400), number, eager, leaving=0.002))


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_walks_of_rules_drawn_by_lot(chunk: int) -> None:
    """Every knob: what is always true depends on none of them."""
    for number in range(chunk, RULES, CHUNKS):
        rules = drawn_rules(number)
        for game in range(EACH):
            choose = (eager, uniform, tidy)[(number // CHUNKS + game) % 3]
            play(Walk(rules, 1000 * number + game, choose, leaving=0.003 * (game % 2 or number % 2)))


def test_the_rules_drawn_reach_every_value_of_every_knob() -> None:
    """Else the walks above would say less than they seem to."""
    drawn = [msgspec.to_builtins(drawn_rules(number)) for number in range(RULES)]
    seen = {knob: {rules[knob] for rules in drawn} for knob in drawn[0]}
    assert seen["seats"] == set(range(2, 9))
    assert seen["must_play"] == {"never", "aces", "aces_and_twos", "always"}
    assert seen["discard"] == {"any", "no_aces", "no_wilds"}
    assert seen["exhaustion"] == {"blocked", "fewest", "draw"}
    assert seen["exhaustion_at"] == {None, "zero", "short"}
    assert seen["starter"] == {"highest", "lowest", "random", "first"}
    assert seen["team_win"] == {None, "all", "first"}
    for knob in ("wild_may_start", "wild_on_wild"):
        assert seen[knob] == {None, True, False}
    for knob in ("refill", "teams"):
        assert seen[knob] == {True, False}
    for knob, values in {"top": {"Q", "K"}, "completed": {"stock", "aside"}, "points": {None, "left"}}.items():
        assert seen[knob] == values
    assert {0 in seen["jokers"], max(seen["jokers"]) > 4} == {True}
    assert len({str(rules) for rules in drawn}) == RULES


def test_the_walks_come_to_every_kind_of_event_and_end() -> None:
    """A few games together hold piles completed, stocks shuffled, passes, and seats that leave in each way."""
    types, reasons = Counter[str](), set[str | None]()
    plans = [(rules_of(preset), eager, 0.0) for preset in ALL_PRESETS]
    plans += [(rules_of("gatto-e-topo", must_play="never", payoff=40), tidy, 0.0)]
    plans += [(rules_of("gatto-e-topo", seats=8, payoff=10, turn_limit=200), eager, 0.02)]
    plans += [(rules_of("gato-e-rato", turn_limit=limit), uniform, 0.0) for limit in (20, 2000)]
    for rules, choose, leaving in plans:
        for number in range(2):
            walk = Walk(rules, number, choose, leaving=leaving).to_the_end()
            types.update(type(event).__name__ for events in walk.commits for event in events)
            reasons.add(walk.game.result.reason if walk.game.result else None)
    never = {"SeatTaken", "PositionSet", "PayoffsReshuffled"}
    assert types.keys() >= {kind.__name__ for kind in Event.__args__} - never
    assert reasons >= {"payoff", "exhausted", "blocked", "turn_limit"}


def broken(game: Game, how: str) -> Game:
    """A game that has gone wrong in one way."""
    first, *others = game.players
    match how:
        case "a card twice":
            return msgspec.structs.replace(game, stock=(*game.stock, game.stock[0]))
        case "a card lost":
            return msgspec.structs.replace(game, players=(msgspec.structs.replace(first, hand=()), *others))
        case "a seat that has left to move":
            return msgspec.structs.replace(game, players=(msgspec.structs.replace(first, resigned=True), *others))
        case _:
            return msgspec.structs.replace(game, turn=Turn(0, 2001))


@pytest.mark.parametrize("how", ["a card twice", "a card lost", "a seat that has left to move", "a turn too many"])
def test_what_is_always_true_is_missed_when_it_is_not(how: str) -> None:
    """The check itself can fail."""
    game = given(position("gato-e-rato")).game
    always_true(game, cards_on(game))
    with pytest.raises(AssertionError):
        always_true(broken(game, how), cards_on(game))


def test_a_complete_pile_on_the_table_and_a_seat_without_a_move_are_missed_too() -> None:
    """The check itself can fail: R11, and the legal move that there always is."""
    game = given(position("gato-e-rato", hands=["9h"], piles=["A-J"])).game
    full = msgspec.structs.replace(game, piles=((*game.piles[0], "Qh"), (), ()))
    with pytest.raises(AssertionError, match="complete"):
        always_true(full, cards_on(full))
    stuck = given(position("gato-e-rato", hands=[0], sides=[["5h"]], piles=["A-4"])).game
    stuck = msgspec.structs.replace(stuck, piles=((), (), ()))
    with pytest.raises(AssertionError, match="no legal move"):
        always_true(stuck, cards_on(stuck))


def test_the_view_lists_the_legal_moves_of_the_seat_to_move_and_of_no_other() -> None:
    """R7: all as texts that can be sent; each is done by `decide`, and gives events."""
    walk = Walk(rules_of("gatto-e-topo", seats=3), 3, eager)
    for _ in range(60):
        for seat in (0, 1, 2, None):
            shown = view(walk.game, seat, name="g", version=1)
            mine = seat == walk.turn.seat
            assert list(shown.legal) == ([move_text(move) for move in legal_moves(walk.view())] if mine else [])
        walk.step()


def test_whoever_is_not_to_move_is_told_so_whatever_the_move() -> None:
    """R5: and a spectator too; after the end it is the end that is told."""
    walk = Walk(rules_of("gato-e-rato"), 1, eager)
    away = 1 - walk.turn.seat
    for seat in (away, None):
        seen = bare_view(walk.game, seat, name=None, version=1)
        assert {objection(seen, move) for move in MOVES.values()} == {Reason.NOT_YOUR_TURN}
    walk.to_the_end()
    for seat in (0, 1, None):
        seen = bare_view(walk.game, seat, name=None, version=1)
        assert {objection(seen, move) for move in MOVES.values()} == {Reason.GAME_OVER}


def test_a_completed_pile_never_stays_a_moment_longer_than_its_commit() -> None:
    """R11, R12: where the pile goes to the stock, the shuffle follows in the same commit and brings all of it back."""
    walk = Walk(rules_of("spite-and-malice"), 5, eager).to_the_end()
    found = 0
    for events in walk.commits:
        for event, following in itertools.pairwise(events):
            if isinstance(event, PileCompleted):
                assert isinstance(following, StockShuffled)
                assert following.returned == len(event.cards) == 12
                found += 1
    assert found
