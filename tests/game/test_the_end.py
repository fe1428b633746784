"""R16 to R19, R22 to R24: passing, winning, exhaustion, blocked games, points, matches, leaving."""

from typing import Any

import pytest

from events.errors import Reason
from events.game.events import (
    CardDiscarded,
    CardPlayed,
    CardsDrawn,
    ClockExpired,
    GameEnded,
    SeatForfeited,
    SeatResigned,
    TurnPassed,
    TurnStarted,
)
from events.game.match import add_points
from tests.spec import ALL_PRESETS, SEED, WILD_PRESETS, Table, deal, given, position

every_preset = pytest.mark.parametrize("preset", ALL_PRESETS)
king_wild = pytest.mark.parametrize("preset", WILD_PRESETS)


def test_passing_needs_an_empty_hand_and_nothing_left_to_draw() -> None:
    """R16."""
    start = position("gatto-e-topo", hands=[0, 5], stock=0)
    given(start).when(0, "pass").then(TurnPassed, TurnStarted).leaves(turn=1, turn_number=10, passes=1, result=None)


@every_preset
def test_nobody_passes_with_cards_in_hand(preset: str) -> None:
    """R16."""
    given(position(preset, hands=["9h"])).when(0, "pass").refused(Reason.CARDS_IN_HAND)


@pytest.mark.parametrize("left", [{"stock": 1}, {"stock": 0, "aside": 1}], ids=["stock", "aside"])
def test_nobody_passes_while_a_card_can_be_drawn(left: dict[str, Any]) -> None:
    """R16: a position with an empty hand in mid-turn; a play exists, so it can be set."""
    start = position("gatto-e-topo", hands=[0], sides=[["5h"]], piles=["A-4"], **left)
    given(start).when(0, "pass").refused(Reason.CARDS_TO_DRAW)


def test_under_compulsory_play_nobody_passes_while_a_play_exists() -> None:
    """R16, R7, case 27b: S top 7, the pile needs 7."""
    start = position("gatto-e-topo", hands=[0], sides=[["7h"]], piles=["A-6"], stock=0)
    given(start).when(0, "pass").refused(Reason.MUST_PLAY).when(0, "s0>c0").when(0, "pass").then(
        TurnPassed, TurnStarted
    )


def test_where_playing_is_optional_passing_is_legal_even_if_a_play_exists() -> None:
    """R16."""
    start = position("gatto-e-topo", must_play="never", hands=[0], sides=[["7h"]], piles=["A-6"], stock=0)
    given(start).leaves(legal=["s0>c0", "pass"]).when(0, "pass").then(TurnPassed, TurnStarted)


@king_wild
def test_where_exhaustion_ends_the_game_no_pass_can_arise(preset: str) -> None:
    """R16, R18, case 27b: a seat that could draw nothing has seen the end of the game."""
    given(position(preset, hands=["9h", 0], stock=2)).when(0, "9h>s0").then(
        CardDiscarded, TurnStarted, CardsDrawn, GameEnded
    )


def test_who_plays_the_last_payoff_card_wins_at_once() -> None:
    """R17: no points in gato-e-rato."""
    given(position("gato-e-rato", payoffs=["5h"], piles=["A-4"])).when(0, "p>c0").then(CardPlayed, GameEnded).leaves(
        result="won", winners=[0], reason="payoff", points=None, payoff_left=[0, 3]
    )


@king_wild
def test_a_winning_play_resolves_nothing_else(preset: str) -> None:
    """R17, R20, case 18: P K(1), C needs Q: the full pile stays, the empty hand too, stock 0 ends nothing."""
    start = position(preset, hands=[0], payoffs=["Kh"], piles=["A-J"], stock=0)
    given(start).when(0, "p>c0").then(CardPlayed, GameEnded).recording(rank=12, turned=None).leaves(
        reason="payoff", winners=[0], needs=[None, 1, 1], piles=["A-J Kh", "", ""], stock=0, hand=0
    )


def test_in_gatto_e_topo_a_king_does_not_win_on_a_jack() -> None:
    """R17, case 18."""
    given(position("gatto-e-topo", payoffs=["Kh"], piles=["A-J"])).when(0, "p>c0").refused(Reason.DOES_NOT_FIT)


@every_preset
def test_the_last_payoff_card_wins_even_without_a_stock(preset: str) -> None:
    """R17, case 19: St=0; points where there are points."""
    start = position(preset, payoffs=["5h", 7], piles=["A-4"], stock=0)
    points = [7, 0] if preset == "spite-and-malice" else None
    given(start).when(0, "p>c0").then(CardPlayed, GameEnded).leaves(
        result="won", winners=[0], reason="payoff", points=points
    )


@every_preset
def test_nothing_can_be_played_after_the_end(preset: str) -> None:
    """R17, R23."""
    table = given(position(preset, payoffs=["5h"], piles=["A-4"])).when(0, "p>c0").leaves(result="won")
    table.when(1, f"{table.game.players[1].hand[0]}>s0").refused(Reason.GAME_OVER)
    table.when(0, "pass").refused(Reason.GAME_OVER)
    table.resigns(1).refused(Reason.GAME_OVER)


def test_the_end_reveals_the_seed() -> None:
    """R17, contract section 4."""
    table = given(position("gato-e-rato", payoffs=["5h"], piles=["A-4"])).when(0, "p>c0")
    assert table.commits[-1][-1] == GameEnded("won", (0,), "payoff", None, SEED.hex())


def test_in_gatto_e_topo_an_empty_stock_ends_nothing() -> None:
    """R18, R19, case 14: a hand of three, St=2: two are drawn, play goes on."""
    given(position("gatto-e-topo", hands=["9h", 3], stock=2)).when(0, "9h>s0").then(
        CardDiscarded, TurnStarted, CardsDrawn
    ).leaves(hands=[0, 5], stock=0, turn=1, result=None)


@pytest.mark.parametrize(("left", "winners"), [((4, 3), [1]), ((3, 4), [0]), ((3, 3), [])])
def test_in_gato_e_rato_an_exhausted_stock_ends_the_game_by_fewest_cards(
    left: tuple[int, int], winners: list[int]
) -> None:
    """R18, case 14: before the seat plays; equal is a draw."""
    given(position("gato-e-rato", hands=["9h", 3], payoffs=left, stock=2)).when(0, "9h>s0").then(
        CardDiscarded, TurnStarted, CardsDrawn, GameEnded
    ).leaves(winners=winners, result="won" if winners else "drawn", reason="exhausted", hands=[0, 5], turn=1)


def test_in_spite_and_malice_an_exhausted_stock_is_a_draw_without_points() -> None:
    """R18, R22, case 14."""
    given(position("spite-and-malice", hands=["9h", 3], payoffs=[9, 3], stock=2)).when(0, "9h>s0").leaves(
        result="drawn", winners=[], reason="exhausted", points=[0, 0]
    )


@king_wild
def test_the_stock_is_looked_at_even_when_the_turns_draw_took_no_card(preset: str) -> None:
    """R18: a full hand at the turn's start and an empty stock end the game."""
    given(position(preset, hands=["9h", 5], stock=0)).when(0, "9h>s0").then(CardDiscarded, TurnStarted, GameEnded)


@king_wild
def test_one_card_left_goes_on(preset: str) -> None:
    """R18: the game ends at zero, not before."""
    given(position(preset, hands=["9h", 3], stock=3)).when(0, "9h>s0").leaves(stock=1, result=None)


def test_when_every_seat_in_turn_passes_the_fewest_payoff_cards_win() -> None:
    """R19."""
    table = given(position("gatto-e-topo", hands=[0, 0], payoffs=[4, 3], stock=0)).when(0, "pass")
    table.when(1, "pass").then(TurnPassed, GameEnded).leaves(result="won", winners=[1], reason="blocked", points=None)


def test_a_blocked_game_with_equal_payoffs_is_drawn() -> None:
    """R19."""
    table = given(position("gatto-e-topo", hands=[0, 0], payoffs=[3, 3], stock=0)).when(0, "pass").when(1, "pass")
    table.leaves(result="drawn", winners=[], reason="blocked")


def test_a_play_breaks_the_row_of_passes() -> None:
    """R19: pass, play and pass, pass: the second pass of seat 1 follows a pass of seat 0."""
    start = position("gatto-e-topo", hands=[0, 0], sides=[[], ["5h"]], piles=["A-4"], stock=0)
    table = given(start).when(0, "pass").when(1, "s0>c0").leaves(passes=0).when(1, "pass")
    table.then(TurnPassed, TurnStarted).when(0, "pass").then(TurnPassed, GameEnded)


def test_a_discard_and_a_seat_that_leaves_break_the_row_of_passes() -> None:
    """R19, contract section 2: the row is counted anew, for as many as still play."""
    table = given(position("gatto-e-topo", hands=[0, "9h"], stock=0)).when(0, "pass").leaves(passes=1)
    table.when(1, "9h>s0").leaves(passes=0).when(0, "pass").leaves(result=None).when(1, "pass").leaves(reason="blocked")
    table = given(position("gatto-e-topo", seats=3, hands=[0, 0, 0], stock=0)).when(0, "pass").resigns(2)
    table.leaves(passes=0).when(1, "pass").leaves(result=None).when(0, "pass").leaves(reason="blocked")


def test_all_three_seats_must_pass() -> None:
    """R19: and a seat that has resigned neither passes nor counts."""
    start = position("gatto-e-topo", seats=3, hands=[0, 0, 0], payoffs=[4, 3, 5], stock=0)
    given(start).when(0, "pass").when(1, "pass").leaves(result=None).when(2, "pass").leaves(winners=[1])
    start = position("gatto-e-topo", seats=3, hands=[0, 0, 0], payoffs=[4, 3, 5], stock=0, resigned=(1,))
    given(start).when(0, "pass").leaves(turn=2).when(2, "pass").leaves(result="won", winners=[0])


@pytest.mark.parametrize("preset", ALL_PRESETS)
def test_a_game_in_which_nobody_ever_plays(preset: str) -> None:
    """R19, R18, case 23: the stock is 0 after turn 56's draw; turns 65 and 66 pass; always a draw."""
    knobs: dict[str, Any] = {"must_play": "never"} if preset == "gatto-e-topo" else {}
    table = given(deal(preset, **knobs))
    empty_at, passed_at = 0, list[int]()
    while table.game.result is None:
        seat, number = table.turn.seat, table.turn.number
        hand = table.game.players[seat].hand
        table.when(seat, f"{hand[0]}>s0" if hand else "pass")
        if not hand:
            passed_at.append(number)
        if not table.game.stock and not empty_at:
            empty_at = table.turn.number
    assert empty_at == 56
    if preset == "gatto-e-topo":
        assert passed_at == [65, 66]
        table.leaves(result="drawn", reason="blocked", turn_number=66)
    else:
        table.leaves(result="drawn", reason="exhausted", turn_number=56)


@pytest.mark.parametrize(
    ("preset", "winners", "points"),
    [("gatto-e-topo", [1], None), ("gato-e-rato", [1], None), ("spite-and-malice", [], [0, 0])],
)
def test_a_game_of_two_thousand_turns_ends(preset: str, winners: list[int], points: list[int] | None) -> None:
    """R19: fewest cards, in spite-and-malice a draw; whatever would start turn 2,001 ends the game instead."""
    table = given(position(preset, hands=["9h"], payoffs=[4, 3], turn=2000)).when(0, "9h>s0")
    table.then(CardDiscarded, GameEnded).leaves(reason="turn_limit", winners=winners, points=points, turn_number=2000)
    given(position(preset, hands=["9h"], payoffs=[4, 3], turn=1999)).when(0, "9h>s0").leaves(result=None)


def test_blocked_comes_before_the_turn_limit() -> None:
    """R19: the last pass of the last turn."""
    start = position("gatto-e-topo", hands=[0, 0], stock=0, passes=1, turn=2000)
    given(start).when(0, "pass").leaves(reason="blocked")


@pytest.mark.parametrize("left", [1, 7, 20])
def test_the_winner_scores_the_cards_left_in_the_losers_payoff(left: int) -> None:
    """R22."""
    start = position("spite-and-malice", payoffs=["5h", left], piles=["A-4"])
    given(start).when(0, "p>c0").leaves(points=[left, 0])


def test_in_custom_rules_the_winner_scores_those_of_all_other_seats() -> None:
    """R22."""
    start = position("gatto-e-topo", seats=3, points="left", payoffs=["5h", 4, 7], piles=["A-4"])
    given(start).when(0, "p>c0").leaves(points=[11, 0, 0])


@pytest.mark.parametrize(
    ("totals", "points", "after", "winner"),
    [
        ((48, 49), (20, 0), (68, 49), 0),
        ((40, 40), (0, 0), (40, 40), None),
        ((30, 49), (0, 1), (30, 50), 1),
        ((30, 48), (0, 1), (30, 49), None),
    ],
)
def test_a_match_goes_to_fifty_and_totals_are_not_capped(
    totals: tuple[int, ...], points: tuple[int, ...], after: tuple[int, ...], winner: int | None
) -> None:
    """R23, cases 31 and 32: 48:49 and twenty make 68:49, over; 40:40 and a draw go on."""
    assert add_points(totals, points, 50) == (after, winner)


def test_resigning_loses_with_points_in_spite_and_malice() -> None:
    """R24, R22: out of turn as well."""
    start = position("spite-and-malice", payoffs=[3, 7])
    given(start).resigns(0).then(SeatResigned, GameEnded).leaves(winners=[1], reason="resigned", points=[0, 3])
    given(start).resigns(1).then(SeatResigned, GameEnded).leaves(winners=[0], reason="resigned", points=[7, 0])


@pytest.mark.parametrize("preset", ["gatto-e-topo", "gato-e-rato"])
def test_resigning_loses_without_points_elsewhere(preset: str) -> None:
    """R24."""
    given(position(preset)).resigns(0).leaves(result="won", winners=[1], reason="resigned", points=None)


def test_with_more_seats_the_resigned_seat_is_skipped_and_its_cards_stay() -> None:
    """R24: its turn passes to the next seat, which draws; the last seat left wins."""
    table = given(position("gatto-e-topo", seats=3, hands=[4, 3, 5], sides=[["2h"]])).resigns(0)
    table.then(SeatResigned, TurnStarted, CardsDrawn)
    table.leaves(hands=[4, 5, 5], sides=["2h", "", "", ""], payoff_left=[3, 3, 3], turn=1, resigned=[0])
    table.resigns(0).refused(Reason.RESIGNED)
    table.when(1, f"{table.game.players[1].hand[0]}>s0").leaves(turn=2)
    table.when(2, f"{table.game.players[2].hand[0]}>s0").leaves(turn=1)
    table.resigns(2).then(SeatResigned, GameEnded).leaves(winners=[1], resigned=[0, 2])


def test_a_seat_that_is_not_to_move_leaves_and_nothing_else_happens() -> None:
    """R24."""
    given(position("gatto-e-topo", seats=3)).resigns(2).then(SeatResigned).leaves(turn=0, turn_number=9, result=None)


def test_a_run_out_clock_and_a_failed_bot_lose_as_by_resigning() -> None:
    """R24: the clock and the bot of the seat to move, of no other."""
    start = position("spite-and-malice", payoffs=[3, 7])
    given(start).runs_out_of_time(0).then(ClockExpired, GameEnded).leaves(winners=[1], reason="clock", points=[0, 3])
    given(start).forfeits(0).then(SeatForfeited, GameEnded).leaves(winners=[1], reason="forfeit", points=[0, 3])
    given(start).runs_out_of_time(1).refused(Reason.NOT_YOUR_TURN).forfeits(1).refused(Reason.NOT_YOUR_TURN)


def test_an_abandoned_game_has_no_winner_and_no_points() -> None:
    """R22, contract section 2."""
    table: Table = given(position("spite-and-malice")).is_abandoned().then(GameEnded)
    table.leaves(result="aborted", winners=[], reason="abandoned", points=[0, 0])
