"""R21: partnership, in gatto-e-topo with an even number of seats from four."""

from typing import Any

import pytest

from events.errors import BadRules, Reason
from events.game.events import CardPlayed, CardsDrawn, GameEnded, PileCompleted, SeatResigned, TurnPassed
from tests.spec import Setup, given, position, rules_of


def fours(**facts: Any) -> Setup:
    """Four seats, 0 and 2 against 1 and 3."""
    return position("gatto-e-topo", seats=4, teams=True, **facts)


def test_a_seat_may_play_its_partners_payoff_top_and_it_is_still_its_turn() -> None:
    """R21, case 24: partner's P 5(6), C needs 5: the partner's next card is turned."""
    (
        given(fours(payoffs=[None, None, "9s 8s 9d 8d Ts 5h"], piles=["A-4"]))
        .when(0, "p@2>c0")
        .then(CardPlayed)
        .recording(seat=0, source="payoff", owner=2, card="5h", turned="Ts")
        .leaves(payoff_left=[3, 3, 5, 3], turn=0, turn_number=9)
    )


@pytest.mark.parametrize("owner", [0, 1, 3])
def test_only_a_partners_payoff_is_reached_so(owner: int) -> None:
    """R21, R15, case 26: neither an opponent's, nor one's own, which is `p`."""
    start = fours(payoffs=["8s 5h", "8d 5d", "8c 5c", "8h 5s"], piles=["A-4"])
    given(start).when(0, f"p@{owner}>c0").refused(Reason.NOT_A_PARTNER)


def test_without_teams_nobody_is_a_partner() -> None:
    """R21, R15."""
    start = position("gatto-e-topo", seats=4, payoffs=[None, None, "8s 5h"], piles=["A-4"])
    given(start).when(0, "p@2>c0").refused(Reason.NOT_A_PARTNER)


def test_of_six_seats_those_of_equal_parity_are_partners() -> None:
    """R21: 1, 3 and 5."""
    start = position(
        "gatto-e-topo",
        seats=6,
        teams=True,
        seat=1,
        payoffs=["8s 5h", None, None, "8s 5h", "8d 5d", "8c 5c"],
        piles=["A-4"],
    )
    given(start).leaves(legal_has=["p@3>c0", "p@5>c0"], legal_lacks=["p@0>c0", "p@4>c0", "p@2>c0"])


def test_hands_and_side_stacks_stay_ones_own() -> None:
    """R21, R15: what the partner holds is not in the hand, what lies on its stacks is not on one's own."""
    start = fours(hands=["9h", None, "5h 9d"], sides=[[], [], ["5s"]], piles=["A-4"])
    given(start).when(0, "5h>c0").refused(Reason.NOT_IN_HAND).when(0, "s0>c0").refused(Reason.NOTHING_THERE)


def test_the_partners_last_payoff_card_wins_nothing_while_ones_own_is_not_empty() -> None:
    """R21, case 25: plays on."""
    given(fours(payoffs=[3, 3, "5h", 3], piles=["A-4"])).when(0, "p@2>c0").then(CardPlayed).recording(
        turned=None
    ).leaves(result=None, payoff_left=[3, 3, 0, 3], turn=0)


def test_ones_own_last_payoff_card_wins_nothing_while_the_partners_is_not_empty() -> None:
    """R21: a seat with an empty payoff plays on, and its pile is completed and its hand refilled as ever."""
    start = fours(hands=[0], payoffs=["Kh"], piles=["A-Q"])
    given(start).when(0, "p>c0").then(CardPlayed, PileCompleted, CardsDrawn).leaves(result=None, hand=5, aside=13)


@pytest.mark.parametrize(("payoffs", "move"), [(["5h", 3, ""], "p>c0"), (["", 3, "5h"], "p@2>c0")])
def test_the_team_wins_when_all_its_payoffs_are_empty(payoffs: list[str], move: str) -> None:
    """R21, R17: whoever of the two plays the card."""
    given(fours(payoffs=payoffs, piles=["A-4"])).when(0, move).then(CardPlayed, GameEnded).leaves(
        result="won", winners=[0, 2], reason="payoff", points=None
    )


@pytest.mark.parametrize(("payoffs", "move"), [(["5h"], "p>c0"), ([3, 3, "5h"], "p@2>c0")])
def test_where_the_first_empty_payoff_wins_the_whole_team_has_won(payoffs: list[str | int], move: str) -> None:
    """R21: knob `team_win` first."""
    given(fours(team_win="first", payoffs=payoffs, piles=["A-4"])).when(0, move).then(CardPlayed, GameEnded).leaves(
        winners=[0, 2], reason="payoff"
    )


def test_a_partners_payoff_card_is_never_compulsory() -> None:
    """R21, R7: it may be played or left."""
    start = fours(hands=["9h 8h"], payoffs=[None, None, "8s 5h"], piles=["A-4"])
    given(start).leaves(legal_has=["p@2>c0", "9h>s0"]).when(0, "9h>s0").leaves(turn=1)


def test_in_a_blocked_game_partners_add_their_cards() -> None:
    """R19, R21: 2 + 6 against 3 + 4."""
    table = given(fours(hands=[0] * 4, payoffs=[2, 3, 6, 4], stock=0, passes=3)).when(0, "pass")
    table.then(TurnPassed, GameEnded).leaves(result="won", winners=[1, 3], reason="blocked")


def test_a_resigned_partners_cards_count_with_the_team() -> None:
    """R19, R24: only a resigned seat without partners does not count."""
    table = given(fours(hands=[0] * 4, payoffs=[2, 3, 6, 4], stock=0, passes=2, resigned=(2,))).when(0, "pass")
    table.leaves(winners=[1, 3], reason="blocked")


def test_a_team_falls_when_all_its_seats_have_resigned() -> None:
    """R24: one of them is skipped, and its payoff stays playable."""
    table = given(fours(payoffs=[None, None, "8s 5h"], piles=["A-4"])).resigns(2).then(SeatResigned)
    table.leaves(legal_has=["p@2>c0"], result=None)
    table.resigns(0).then(SeatResigned, GameEnded).leaves(winners=[1, 3], reason="resigned")


@pytest.mark.parametrize("seats", [2, 3, 5, 7])
def test_partnership_needs_an_even_number_of_seats_from_four(seats: int) -> None:
    """R21."""
    with pytest.raises(BadRules, match=f"teams with {seats} seats"):
        rules_of("gatto-e-topo", seats=seats, teams=True)
