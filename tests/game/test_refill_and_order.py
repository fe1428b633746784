"""R13 and R20: the hand emptied by a play, and in which order the consequences of one play come."""

import pytest

from events.game.events import (
    CardDiscarded,
    CardPlayed,
    CardsDrawn,
    GameEnded,
    PileCompleted,
    StockShuffled,
    TurnStarted,
)
from tests.spec import ALL_PRESETS, WILD_PRESETS, given, position

every_preset = pytest.mark.parametrize("preset", ALL_PRESETS)
king_wild = pytest.mark.parametrize("preset", WILD_PRESETS)


@every_preset
def test_a_hand_emptied_by_a_play_is_refilled_at_once_and_the_turn_goes_on(preset: str) -> None:
    """R13, case 8: H=[A], St=30: five cards, the same turn."""
    given(position(preset, hands=["Ah"], stock=30)).when(0, "Ah>c0").then(CardPlayed, CardsDrawn).leaves(
        hand=5, stock=25, turn=0, turn_number=9, result=None
    )


def test_in_gatto_e_topo_a_short_stock_gives_what_there_is() -> None:
    """R13, case 9: H=[A], St=3, nothing aside: three cards, and the game goes on."""
    given(position("gatto-e-topo", hands=["Ah"], stock=3)).when(0, "Ah>c0").then(CardPlayed, CardsDrawn).leaves(
        hand=3, stock=0, turn=0, result=None
    )


def test_in_gato_e_rato_a_refill_that_takes_the_last_card_ends_the_game_by_fewest() -> None:
    """R13, R18, case 9: three cards are drawn, then the fewest payoff cards win."""
    start = position("gato-e-rato", hands=["Ah"], payoffs=[4, 3], stock=3)
    given(start).when(0, "Ah>c0").then(CardPlayed, CardsDrawn, GameEnded).leaves(
        hand=3, stock=0, result="won", winners=[1], reason="exhausted", points=None
    )


def test_in_spite_and_malice_a_refill_that_takes_the_last_card_draws_the_game() -> None:
    """R13, R18, case 9: without points."""
    start = position("spite-and-malice", hands=["Ah"], payoffs=[4, 3], stock=3)
    given(start).when(0, "Ah>c0").then(CardPlayed, CardsDrawn, GameEnded).leaves(
        hand=3, result="drawn", winners=[], reason="exhausted", points=[0, 0]
    )


def test_a_refill_goes_on_with_the_cards_aside() -> None:
    """R13, R12, case 10: H=[A], St=3, 26 aside: three, 26 shuffled in, two: St=24."""
    given(position("gatto-e-topo", hands=["Ah"], stock=3, aside=26)).when(0, "Ah>c0").then(
        CardPlayed, CardsDrawn, StockShuffled, CardsDrawn
    ).leaves(hand=5, stock=24, aside=0, turn=0)


@king_wild
def test_a_hand_emptied_by_completing_a_pile_is_refilled_from_the_returned_cards(preset: str) -> None:
    """R13, R20, case 11: the pile goes back first, so two cards of stock are enough: St 14, then 9, no end."""
    (
        given(position(preset, hands=["Qh", "2c"], piles=["A-J"], stock="9s 3h"))
        .when(0, "Qh>c0")
        .then(CardPlayed, PileCompleted, StockShuffled, CardsDrawn)
        .leaves(hand=5, stock=9, turn=0, result=None)
    )


def test_in_gatto_e_topo_a_completed_pile_is_recycled_at_once_when_the_refill_needs_it() -> None:
    """R12, R13, R20, case 12: H=[K] completing, St=0: thirteen aside, shuffled, five drawn: St=8."""
    (
        given(position("gatto-e-topo", hands=["Kh"], piles=["A-Q"], stock=0))
        .when(0, "Kh>c0")
        .then(CardPlayed, PileCompleted, StockShuffled, CardsDrawn)
        .leaves(hand=5, stock=8, aside=0, turn=0)
    )


def test_an_empty_hand_is_refilled_after_every_play_not_only_after_one_from_the_hand() -> None:
    """R20: a side card completes a pile, which brings cards back to a hand that had to stay empty."""
    (
        given(position("gatto-e-topo", hands=[0], sides=[["Kh"]], piles=["A-Q"], stock=0))
        .when(0, "s0>c0")
        .then(CardPlayed, PileCompleted, StockShuffled, CardsDrawn)
        .leaves(hand=5, stock=8, aside=0, turn=0)
    )


def test_a_payoff_card_that_completes_a_pile_refills_an_empty_hand_too() -> None:
    """R20: after the next payoff card has been turned."""
    (
        given(position("gatto-e-topo", hands=[0], payoffs=["9s 8s Kh"], piles=["A-Q"], stock=0))
        .when(0, "p>c0")
        .then(CardPlayed, PileCompleted, StockShuffled, CardsDrawn)
        .recording(turned="8s")
        .leaves(hand=5, stock=8, payoff_left=[2, 3])
    )


@every_preset
def test_a_hand_that_still_holds_a_card_is_not_refilled(preset: str) -> None:
    """R13: one card left is not empty."""
    given(position(preset, hands=["Ah 9h"])).when(0, "Ah>c0").then(CardPlayed).leaves(hand=1, stock=30)


@every_preset
def test_a_hand_emptied_by_the_discard_waits_for_the_next_turn(preset: str) -> None:
    """R14, R13: no draw now, five at the seat's next turn."""
    table = given(position(preset, hands=["9h", "8h 8d 8s Ts Th"])).when(0, "9h>s0").leaves(hand=0, stock=30)
    table.when(1, "8h>s0").then(CardDiscarded, TurnStarted, CardsDrawn).leaves(hands=[5, 4], stock=25, turn=0)


@king_wild
def test_a_completed_pile_can_save_the_game_from_the_end_of_the_stock(preset: str) -> None:
    """R18, R20: the refill takes what was the whole stock, and the pile's cards are left."""
    given(position(preset, hands=["Qh"], piles=["A-J"], stock="9s")).when(0, "Qh>c0").leaves(
        stock=8, hand=5, result=None
    )
