"""What is always true, held after every event and commit of many games: presets, ends of ranges, rules by lot."""

import itertools
import random
from collections import Counter
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

import msgspec
import pytest

from events.errors import Reason
from events.game.decide import MakeMove, decide
from events.game.events import CardsDrawn, Event, GameEnded, PileCompleted, StockShuffled, TurnStarted
from events.game.evolve import evolve
from events.game.legality import legal_moves, objection, view
from events.game.moves import MOVES, move_text
from events.game.position import position_of
from events.game.rules import Rules
from events.game.state import Game, Turn
from events.game.views import View, bare_view
from tests.game.in_numbers import InNumbers
from tests.game.walk_plans import CHOICES, Plan, plans
from tests.spec import ALL_PRESETS, given, position, rules_of
from tests.walks import FULL, Walk, always_true, cards_on, eager, tidy, true_meanwhile, uniform

PLANS: Final = plans()
CHUNKS: Final = 200 if FULL else 20


def play(plan: Plan, sample: int = 37) -> Walk:
    """To the end, with a close look at every so many commits and at the whole log; and its fork to the end too."""
    forks, chance = int(plan.forked), random.Random(str(plan))
    walk = Walk(plan.rules, plan.number, CHOICES[plan.choice], leaving=plan.leaving)
    beside = InNumbers(walk)

    def look(walk: Walk) -> None:
        nonlocal forks
        beside.look(walk)
        if walk.game.result is not None:
            return
        if len(walk.commits) % sample == 0:
            legal_is_what_nothing_speaks_against(walk.view())
        if forks and chance.random() < 0.04:
            forks = 0
            ended(fork(walk, plan).to_the_end())

    return ended(walk.to_the_end(look))


def fork(walk: Walk, plan: Plan) -> Walk:
    """A game that goes on from this table: nothing that its seats could see or do has changed."""
    position = position_of(walk.game)
    forked = Walk(plan.rules, plan.number, walk.choose, leaving=plan.leaving, position=position)
    assert forked.game.start == "fork"
    assert position_of(forked.game) == position
    assert legal_moves(forked.view()) == legal_moves(walk.view())
    return forked


def ended(walk: Walk) -> Walk:
    """The game has ended once, with its last event, and its log gives it again."""
    assert msgspec.json.encode(walk.refold()) == msgspec.json.encode(walk.game)
    end = walk.commits[-1][-1]
    assert isinstance(end, GameEnded)
    assert end.seed == walk.seed.hex()
    assert (end.reason == "turn_limit") <= (walk.turn.number == walk.rules.turn_limit)
    assert [event for events in walk.commits for event in events if isinstance(event, GameEnded)] == [end]
    turns = [event.turn for events in walk.commits for event in events if isinstance(event, TurnStarted)]
    assert turns == list(range(walk.turn.number - len(turns) + 1, walk.turn.number + 1))
    assert walk.game.start == "fork" or turns[0] == 1
    assert walk.turn.number <= walk.rules.turn_limit
    return walk


def legal_is_what_nothing_speaks_against(view: View) -> None:
    """`objection` is None exactly for `legal_moves`, among all moves that can be written."""
    free = {text for text, move in MOVES.items() if objection(view, move) is None}
    legal = [move_text(move) for move in legal_moves(view)]
    assert free == set(legal)
    assert len(free) == len(legal)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_walks(chunk: int) -> None:
    """R1 to R24: after every event the cards are conserved and the log gives the same bytes; after every commit no full
    pile is left, a legal move is there, and the table could be started from. Every game ends; in numbers all is alike.
    """
    for plan in PLANS[chunk::CHUNKS]:
        try:
            play(plan)
        except AssertionError as error:
            error.add_note(str(plan))
            raise


def test_there_are_as_many_walks_as_are_promised() -> None:
    """2,000 games over sixty rules in the full form; both bots, and both ways to start, have a good part in either."""
    assert len({str(plan.rules) for plan in PLANS}) >= 60
    assert len(PLANS) >= (2000 if FULL else 120)
    assert len({(str(plan.rules), plan.number, plan.choice) for plan in PLANS}) == len(PLANS)
    assert min(Counter(plan.choice for plan in PLANS).values()) > len(PLANS) / 5
    assert sum(plan.forked for plan in PLANS) > len(PLANS) / 4


def test_the_walks_reach_every_value_of_every_knob() -> None:
    """Every word, and of numbers both ends; of seats and teams every number that there is."""
    played = [msgspec.to_builtins(plan.rules) for plan in PLANS]
    seen = {knob: {rules[knob] for rules in played} for knob in Rules.__struct_fields__}
    for knob, hint in get_type_hints(Rules).items():
        assert seen[knob] >= words(hint), knob
    for knob, (low, high) in RANGES.items():
        assert (min(seen[knob]), max(seen[knob])) == (low, high), knob
    assert seen["seats"] == set(range(2, 9))
    assert {rules["seats"] for rules in played if rules["teams"]} == {4, 6, 8}
    assert seen["match"] >= {None, 1, 50}


RANGES: Final = {
    "decks": (1, 8),
    "jokers": (0, 16),
    "payoff": (1, 40),
    "hand": (1, 10),
    "centre_piles": (1, 8),
    "side_stacks": (1, 8),
    "turn_limit": (10, 10_000),
}
"""The last column of the table of knobs."""


def words(hint: Any) -> set[Any]:
    """The values that a type lists: those of a Literal, true and false, null."""
    if hint is bool:
        return {True, False}
    if hint is type(None):
        return {None}
    if get_origin(hint) is Literal:
        return set(get_args(hint))
    return {word for part in get_args(hint) for word in words(part)}


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


def test_what_holds_inside_a_commit_is_missed_when_it_does_not() -> None:
    """The check itself can fail: cards, a full pile after another event than its last card's, a hand too large."""
    start = given(position("gato-e-rato", hands=["Qh 9h"], piles=["A-J"])).game
    played, *_ = decide(MakeMove(0, MOVES["Qh>c0"]), start, bytes(64))
    game, pack = evolve(start, played), cards_on(start)
    true_meanwhile(game, played, pack)
    with pytest.raises(AssertionError, match="complete"):
        true_meanwhile(game, TurnStarted(1, 2), pack)
    with pytest.raises(AssertionError, match="lost"):
        true_meanwhile(broken(game, "a card lost"), played, pack)
    large = given(position("gato-e-rato", hands=[6])).game
    with pytest.raises(AssertionError, match="more than 5"):
        true_meanwhile(large, CardsDrawn(0, ("9h",)), cards_on(large))


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
