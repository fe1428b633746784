"""R8, R9, R11, R12: what a king is, when a pile is complete, and where it goes."""

from collections import Counter

import pytest

from events.errors import Reason
from events.game.events import CardDiscarded, CardPlayed, CardsDrawn, PileCompleted, StockShuffled, TurnStarted
from tests.spec import WILD_PRESETS, cards, given, position

king_wild = pytest.mark.parametrize("preset", WILD_PRESETS)


@king_wild
def test_a_king_starts_a_pile_as_an_ace(preset: str) -> None:
    """R9, cases 1 and 2: after it a two fits and an ace does not."""
    (
        given(position(preset, hands=["Kh Ad 2d 9h"]))
        .when(0, "Kh>c0")
        .then(CardPlayed)
        .recording(card="Kh", rank=1)
        .leaves(needs=[2, 1, 1])
        .when(0, "Ad>c0")
        .refused(Reason.DOES_NOT_FIT)
        .when(0, "2d>c0")
        .recording(rank=2)
    )


def test_in_gatto_e_topo_a_king_starts_nothing() -> None:
    """R9, case 1: a king is rank 13."""
    given(position("gatto-e-topo", hands=["Kh 9h"])).when(0, "Kh>c0").refused(Reason.DOES_NOT_FIT)


@king_wild
def test_a_king_may_lie_on_another_king(preset: str) -> None:
    """R9, case 3: on a king that is a five it is a six."""
    start = position(preset, hands=["Kh 9h"], piles=["A-4 Ks"])
    given(start).when(0, "Kh>c0").recording(rank=6).leaves(needs=[7, 1, 1])


@king_wild
def test_on_a_ten_a_king_is_a_jack(preset: str) -> None:
    """R9, case 4: not a queen; the pile is not complete."""
    given(position(preset, hands=["Kh 9h"], piles=["A-T"])).when(0, "Kh>c0").then(CardPlayed).recording(rank=11).leaves(
        needs=[12, 1, 1], stock=30
    )


def test_in_gatto_e_topo_no_king_lies_on_a_ten() -> None:
    """R9, case 4."""
    given(position("gatto-e-topo", hands=["Kh 9h"], piles=["A-T"])).when(0, "Kh>c0").refused(Reason.DOES_NOT_FIT)


@king_wild
def test_a_king_completes_a_pile_as_its_queen(preset: str) -> None:
    """R9, R11, case 5."""
    start = position(preset, hands=["Kh 9h"], piles=["A-J"])
    table = given(start).when(0, "Kh>c0").then(CardPlayed, PileCompleted, StockShuffled).recording(rank=12)
    table.leaves(needs=[1, 1, 1], stock=42, piles=["", "", ""])


def test_in_gatto_e_topo_a_king_is_no_queen() -> None:
    """R9, case 5."""
    given(position("gatto-e-topo", hands=["Kh 9h"], piles=["A-J"])).when(0, "Kh>c0").refused(Reason.DOES_NOT_FIT)


def test_in_gatto_e_topo_the_king_completes_a_pile_and_it_is_set_aside() -> None:
    """R11, R12, case 6: thirteen cards aside, the place is free within the move."""
    table = given(position("gatto-e-topo", hands=["Kh 9h"], piles=["A-Q"])).when(0, "Kh>c0")
    table.then(CardPlayed, PileCompleted).leaves(aside=13, stock=30, needs=[1, 1, 1])
    assert table.commits[-1][1] == PileCompleted(0, cards("A-Q Kh"), "aside")


@king_wild
def test_where_kings_are_wild_no_pile_ever_needs_a_king(preset: str) -> None:
    """R11, case 6: with its queen a pile is gone, so the case cannot arise."""
    from events.errors import BadPosition

    with pytest.raises(BadPosition, match="complete"):
        given(position(preset, piles=["A-Q"]))


@king_wild
def test_the_queen_completes_a_pile_and_it_is_shuffled_into_the_whole_stock(preset: str) -> None:
    """R11, R12, case 7: twelve cards to the stock."""
    table = given(position(preset, hands=["Qh 9h"], piles=["A-J"]))
    stock = Counter(table.game.stock)
    table.when(0, "Qh>c0").then(CardPlayed, PileCompleted, StockShuffled)
    table.leaves(stock=42, aside=0, needs=[1, 1, 1])
    _, completed, shuffled = table.commits[-1]
    assert completed == PileCompleted(0, cards("A-J Qh"), "stock")
    assert isinstance(shuffled, StockShuffled)
    assert shuffled.returned == 12
    assert Counter(shuffled.stock) == stock + Counter(cards("A-J Qh"))


def test_in_gatto_e_topo_a_pile_goes_on_after_its_queen() -> None:
    """R11, case 7: now it needs the king."""
    given(position("gatto-e-topo", hands=["Qh 9h"], piles=["A-J"])).when(0, "Qh>c0").then(CardPlayed).leaves(
        needs=[13, 1, 1], aside=0
    )


@king_wild
def test_a_king_that_was_a_five_is_a_plain_king_again_in_the_stock(preset: str) -> None:
    """R9, R12: the rank lasts while the card lies in the pile."""
    table = given(position(preset, hands=["Qh 9h"], piles=["A-4 Kh 6c 7c 8c 9c Tc Jc"], stock=3)).when(0, "Qh>c0")
    assert "Kh" in table.game.stock
    table.leaves(stock=15)


@king_wild
def test_a_king_on_a_side_stack_is_a_plain_king_and_may_be_played_as_anything(preset: str) -> None:
    """R9: from a side stack and from the payoff too."""
    start = position(preset, hands=["9h"], sides=[["Kd"]], payoffs=["8s 9s Ks"], piles=["A-4"])
    given(start).when(0, "s0>c0").recording(rank=5).when(0, "p>c0").recording(rank=6, turned="9s")


@king_wild
def test_kings_may_go_everywhere_at_once(preset: str) -> None:
    """R9: every pile takes one."""
    given(position(preset, hands=["Kh"], piles=["A-J", "A-4d", ""])).leaves(legal_has=["Kh>c0", "Kh>c1", "Kh>c2"])


def test_the_cards_aside_become_the_new_stock_when_a_draw_needs_them() -> None:
    """R12: two from the stock, then fifteen of seventeen shuffled in give the rest of the draw."""
    table = given(position("gatto-e-topo", hands=["9h", 0], stock="2h 3h", aside=17)).when(0, "9h>s0")
    table.then(CardDiscarded, TurnStarted, CardsDrawn, StockShuffled, CardsDrawn)
    table.leaves(hands=[0, 5], stock=14, aside=0)
    _, _, first, shuffled, second = table.commits[-1]
    assert first == CardsDrawn(1, ("3h", "2h"))
    assert isinstance(shuffled, StockShuffled)
    assert shuffled.returned == 17
    assert second == CardsDrawn(1, shuffled.stock[:-4:-1])


def test_a_draw_that_the_stock_can_serve_leaves_the_cards_aside_alone() -> None:
    """R12: not before a draw needs a card and the stock is empty, and not because the stock became empty."""
    table = given(position("gatto-e-topo", hands=["9h", 2], stock="2h 3h 4h", aside=17)).when(0, "9h>s0")
    table.then(CardDiscarded, TurnStarted, CardsDrawn).leaves(stock=0, aside=17)


def test_an_empty_stock_shuffles_the_cards_aside_first() -> None:
    """R12: no draw of no card is recorded."""
    table = given(position("gatto-e-topo", hands=["9h", 2], stock=0, aside=13)).when(0, "9h>s0")
    table.then(CardDiscarded, TurnStarted, StockShuffled, CardsDrawn).leaves(stock=10, aside=0)
