"""R6 to R8, R10, R14, R15: from the draw to the discard."""

from typing import Any

import pytest

from events.errors import Malformed, Reason
from events.game.events import CardDiscarded, CardPlayed, CardsDrawn, TurnStarted
from events.game.moves import parse_move
from tests.spec import ALL_PRESETS, WILD_PRESETS, given, position

every_preset = pytest.mark.parametrize("preset", ALL_PRESETS)
king_wild = pytest.mark.parametrize("preset", WILD_PRESETS)


@every_preset
def test_at_the_start_of_its_turn_a_seat_draws_until_it_holds_five(preset: str) -> None:
    """R6: a hand of two draws three."""
    table = given(position(preset, hands=["9h 8h", 2], stock="2h 3h 4h 5h 6h")).when(0, "9h>s0")
    table.then(CardDiscarded, TurnStarted, CardsDrawn).leaves(hands=[1, 5], stock=2, turn=1)
    assert table.commits[-1][2] == CardsDrawn(1, ("6h", "5h", "4h"))


@every_preset
def test_a_full_hand_draws_nothing(preset: str) -> None:
    """R6: five are five."""
    given(position(preset, hands=["9h", 5])).when(0, "9h>s0").then(CardDiscarded, TurnStarted).leaves(hands=[0, 5])


@every_preset
def test_a_hand_a_payoff_top_and_a_side_top_may_go_to_the_centre_any_number_of_times(preset: str) -> None:
    """R7: three plays from three sources in one turn."""
    (
        given(position(preset, hands=["5h 9h"], payoffs=["9s 6h"], sides=[["8c 7h"]], piles=["A-4"]))
        .when(0, "5h>c0")
        .then(CardPlayed)
        .recording(seat=0, source="hand", owner=None, side=None, card="5h", pile=0, rank=5, turned=None)
        .when(0, "p>c0")
        .recording(source="payoff", owner=0, side=None, card="6h", rank=6, turned="9s")
        .when(0, "s0>c0")
        .recording(source="side", owner=None, side=0, card="7h", rank=7, turned=None)
        .leaves(turn=0, turn_number=9, hand=1, needs=[8, 1, 1], sides=["8c", "", "", ""])
    )


@every_preset
def test_the_source_of_equal_cards_is_named(preset: str) -> None:
    """R7, case 16: the same 7 in hand, on a side stack and on the payoff are three different moves."""
    start = position(preset, hands=["7h 9h"], payoffs=["9s 7h"], sides=[["", "7d"]], piles=["A-6"])
    given(start).leaves(legal_has=["7h>c0", "s1>c0", "p>c0"])
    given(start).when(0, "7h>c0").recording(source="hand").leaves(hand=1, payoff_left=[2, 3], sides=["", "7d", "", ""])
    given(start).when(0, "s1>c0").recording(source="side").leaves(hand=2, payoff_left=[2, 3], sides=["", "", "", ""])
    given(start).when(0, "p>c0").recording(source="payoff").leaves(hand=2, payoff_left=[1, 3])


@every_preset
def test_of_two_equal_cards_in_hand_one_is_left(preset: str) -> None:
    """R7, case 17."""
    table = given(position(preset, hands=["7h 7h 9h"], piles=["A-6"])).when(0, "7h>c0").leaves(holds="7h 9h")
    table.when(0, "7h>c0").refused(Reason.DOES_NOT_FIT)


@king_wild
@pytest.mark.parametrize("move", ["4c>s0", "9c>s0"])
def test_playing_is_not_compulsory_where_the_text_says_may(preset: str, move: str) -> None:
    """R7, case 27a: the nine could be played; the four, or the nine itself, may be discarded."""
    given(position(preset, hands=["9c 4c"], piles=["A-8"])).when(0, move).then(CardDiscarded, TurnStarted)


@pytest.mark.parametrize("move", ["4c>s0", "9c>s0"])
def test_in_gatto_e_topo_a_seat_goes_on_until_it_can_play_no_further_card(move: str) -> None:
    """R7, case 27a: the nine must be played before the discard."""
    table = given(position("gatto-e-topo", hands=["9c 4c"], piles=["A-8"])).when(0, move).refused(Reason.MUST_PLAY)
    table.when(0, "9c>c0").when(0, "4c>s0").then(CardDiscarded, TurnStarted)


def test_which_card_is_played_is_the_seats_choice() -> None:
    """R7: of two plays either is legal, and no discard."""
    given(position("gatto-e-topo", hands=["9c 4c 9d"], piles=["A-8", "A-3"])).leaves(
        legal=["9c>c0", "9d>c0", "4c>c1"], turn=0
    )


@pytest.mark.parametrize("setup", [{"payoffs": ["8s 9d"]}, {"sides": [["9d"]]}], ids=["payoff", "side stack"])
def test_a_playable_payoff_or_side_top_compels_too(setup: dict[str, Any]) -> None:
    """R7: any card that can be played is one."""
    start = position("gatto-e-topo", hands=["4c"], piles=["A-8"], **setup)
    given(start).when(0, "4c>s1").refused(Reason.MUST_PLAY)


@every_preset
def test_a_pile_starts_with_an_ace(preset: str) -> None:
    """R8."""
    table = given(position(preset, hands=["Ah 2h 9h"])).when(0, "2h>c0").refused(Reason.DOES_NOT_FIT)
    table.when(0, "Ah>c0").leaves(needs=[2, 1, 1])


@every_preset
def test_a_pile_grows_by_exactly_one_rank(preset: str) -> None:
    """R8: on a four neither another four, nor a six, only a five."""
    table = given(position(preset, hands=["4h 6h 3h 5h"], piles=["A-4"]))
    for move in ("4h>c0", "6h>c0", "3h>c0"):
        table.when(0, move).refused(Reason.DOES_NOT_FIT)
    table.when(0, "5h>c0").leaves(needs=[6, 1, 1])


@every_preset
@pytest.mark.parametrize("suit", "cdhs")
def test_suits_do_not_matter(preset: str, suit: str) -> None:
    """R8."""
    given(position(preset, hands=[f"5{suit} 9h"], piles=["A-4"])).when(0, f"5{suit}>c0").then(CardPlayed)


@every_preset
def test_at_most_three_piles_stand_at_any_time(preset: str) -> None:
    """R8: an ace finds no fourth place."""
    start = position(preset, hands=["Ah 9h"], piles=["A-2", "A-2d", "A-2h"])
    given(start).when(0, "Ah>c3").refused(Reason.NO_SUCH_PLACE)


@every_preset
def test_the_player_names_the_pile(preset: str) -> None:
    """R8: two piles need a five; it goes where it is sent."""
    given(position(preset, hands=["5h 9h"], piles=["A-4", "A-4d"])).when(0, "5h>c1").leaves(needs=[5, 6, 1])


@every_preset
def test_after_a_payoff_card_the_next_is_turned_up_at_once(preset: str) -> None:
    """R10, case 20: a 3 over a 4, the pile needs 3: two moves."""
    start = position(preset, payoffs=["9s " * 2 + "8s 8d 7s 7d 6s 6d Js Ts 4h 3h"], piles=["A-2"])
    (
        given(start)
        .when(0, "p>c0")
        .then(CardPlayed)
        .recording(turned="4h")
        .leaves(payoff_tops=["4h", given(start).game.players[1].payoff_top], payoff_left=[11, 3])
        .when(0, "p>c0")
        .recording(turned="Ts")
        .leaves(payoff_left=[10, 3], needs=[5, 1, 1])
    )


@every_preset
def test_only_the_top_of_a_side_stack_is_playable(preset: str) -> None:
    """R7, case 15: the five lies under a nine."""
    table = given(position(preset, hands=["8h"], sides=[["5h 9h"]], piles=["A-4"]))
    table.when(0, "s0>c0").refused(Reason.DOES_NOT_FIT)
    table.when(0, "5h>c0").refused(Reason.NOT_IN_HAND)


@every_preset
def test_a_discard_ends_the_turn_and_draws_nothing_for_an_emptied_hand(preset: str) -> None:
    """R14, R13, case 13."""
    table = given(position(preset, hands=["9h", 5])).when(0, "9h>s3").then(CardDiscarded, TurnStarted)
    table.leaves(hand=0, turn=1, turn_number=10, stock=30, sides=["", "", "", "9h"])


@every_preset
@pytest.mark.parametrize("stack", range(4))
def test_any_card_may_go_on_any_own_stack(preset: str, stack: int) -> None:
    """R14: a nine on a two, a queen, a nine or an empty place."""
    given(position(preset, hands=["9h 8h"], sides=[["2h", "Qh", "9h", ""]])).when(0, f"9h>s{stack}").then(
        CardDiscarded, TurnStarted
    )


@every_preset
def test_there_are_four_side_stacks(preset: str) -> None:
    """R14, case 28: s4 is well written and does not exist."""
    given(position(preset, hands=["9h"])).when(0, "9h>s4").refused(Reason.NO_SUCH_PLACE)


@pytest.mark.parametrize(
    "move", ["s0>s1", "s0>p", "p>s0", "9h>p", "c0>s0", "c0>c1", "c0>p", "9h>p@1", "s@1>c0", "h@1>c0", "s0>h", "p>h"]
)
def test_no_other_pair_of_places_can_even_be_written(move: str) -> None:
    """R15, case 26: side to side, side to payoff, payoff to side, hand to payoff, anything from a centre pile."""
    with pytest.raises(Malformed, match="is no move"):
        parse_move(move)


@every_preset
def test_nothing_is_taken_from_another_seat(preset: str) -> None:
    """R15, case 26: not its payoff, not its hand, not its side stacks (`s0` is always one's own)."""
    start = position(preset, hands=["8h", "5d 9d"], payoffs=[None, "8s 5h"], sides=[[], ["5s"]], piles=["A-4"])
    given(start).when(0, "p@1>c0").refused(Reason.NOT_A_PARTNER)
    given(start).when(0, "5d>c0").refused(Reason.NOT_IN_HAND)
    given(start).when(0, "s0>c0").refused(Reason.NOTHING_THERE)


@every_preset
def test_after_the_discard_the_turn_is_over(preset: str) -> None:
    """R14, case 27: neither a second discard nor a play."""
    table = given(position(preset, hands=["9h 8h 5h"], piles=["A-3"])).when(0, "9h>s0").leaves(turn=1)
    table.when(0, "8h>s0").refused(Reason.NOT_YOUR_TURN)
    table.when(0, "s0>c0").refused(Reason.NOT_YOUR_TURN)
    table.when(0, "pass").refused(Reason.NOT_YOUR_TURN)


@every_preset
@pytest.mark.parametrize("text", ["5h>c-1", "5h>c1.5", "5h>cNaN", "5h>cnull", "null", "5h>c10", "5x>c0"])
def test_a_place_that_is_no_digit_is_malformed(preset: str, text: str) -> None:
    """R8, case 28: the message names the value."""
    with pytest.raises(Malformed, match="is no move") as error:
        given(position(preset, hands=["5h 9h"], piles=["A-4"])).when(0, text)
    assert text in str(error.value)


@every_preset
def test_a_place_or_card_that_is_not_there_is_refused_with_its_name(preset: str) -> None:
    """R8, case 28: pile 3 of 3, stack 9, seat 7, a card not held, an empty stack."""
    table = given(position(preset, hands=["5h 9h"], piles=["A-4"]))
    table.when(0, "5h>c3").refused(Reason.NO_SUCH_PLACE)
    table.when(0, "s9>c0").refused(Reason.NO_SUCH_PLACE)
    table.when(0, "p@7>c0").refused(Reason.NO_SUCH_PLACE)
    table.when(0, "5d>c0").refused(Reason.NOT_IN_HAND)
    table.when(0, "s1>c0").refused(Reason.NOTHING_THERE)
