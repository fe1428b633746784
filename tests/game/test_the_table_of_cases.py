"""The table of cases in docs/rules.md: a test for every row, run in each of its three columns.

`row` repeats the row as the document words it, and `result` is the cell of the preset at hand. Where a cell says `–` or
`cannot arise`, the test shows what keeps the position from coming about under that preset.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from events.errors import BadPosition, BadRules, Malformed, Reason
from events.game.cards import RANK
from events.game.events import (
    CardDiscarded,
    CardPlayed,
    CardsDealt,
    CardsDrawn,
    GameEnded,
    PayoffsReshuffled,
    PileCompleted,
    StockShuffled,
    TurnPassed,
    TurnStarted,
)
from events.game.match import add_points
from events.game.presets import resolve
from tests.spec import ALL_PRESETS, Setup, Table, deal, given, position, rules_of

RULES: Final = Path(__file__).parents[2] / "docs" / "rules.md"
ROWS: Final[dict[str, list[str]]] = {}
"""The rows tested here, by number: position and move, then the cells of the three presets."""


class Columns(NamedTuple):
    """A decorator: the test runs once for each preset, with the preset and its cell."""

    cells: tuple[str, ...]

    def __call__(self, test: Callable[..., None]) -> Callable[..., None]:
        number = re.fullmatch(r"test_case_(\d+[ab]?)_\w+", test.__name__)
        assert number is not None, test.__name__
        assert number[1] not in ROWS, f"case {number[1]} has a test already"
        ROWS[number[1]] = list(self.cells)
        columns, said = list[tuple[str, str]](), ""
        for preset, cell in zip(ALL_PRESETS, self.cells[1:], strict=True):
            said = said if cell in ("the same", "") else cell
            columns.append((preset, said))
        return pytest.mark.parametrize(("preset", "result"), columns, ids=ALL_PRESETS)(test)


def row(position_and_move: str, gatto: str, rato: str, spite: str) -> Columns:
    """A row of the table, word by word. `the same` and an empty cell repeat the one before."""
    return Columns((position_and_move, gatto, rato, spite))


def written() -> dict[str, list[str]]:
    """The rows of the document."""
    section = RULES.read_text(encoding="utf-8").partition("\n## Cases\n")[2]
    lines = [line.strip("|").split("|") for line in section.splitlines() if re.match(r"\| *\d", line)]
    return {number.strip(): [cell.strip() for cell in cells] for number, *cells in lines}


def test_every_row_of_the_document_has_its_test_and_says_the_same() -> None:
    """Rows 1 to 32 with 27a and 27b: a new row, or a changed cell, fails until its test is looked at again."""
    rows = written()
    assert len(rows) == 34
    assert rows == ROWS


def dealt_with(tops: str, preset: str, **knobs: Any) -> Table:
    """The first deal, by the number of its seed, in which the payoff tops have these ranks, in this order."""
    for number in range(100_000):
        table = given(deal(preset, seed=number.to_bytes(64, "big"), **knobs))
        payoffs = payoffs_of(table)
        if "".join(payoff[-1][0] for payoff in payoffs) == tops:
            return table
    raise AssertionError(f"no deal turns up {tops}")


def payoffs_of(table: Table) -> tuple[tuple[str, ...], ...]:
    """As they were dealt, before any tie was broken."""
    return next(event.payoffs for event in table.commits[0] if isinstance(event, CardsDealt))


def has_no_partners(preset: str) -> None:
    """The preset knows no teams, and another seat's payoff is out of reach."""
    with pytest.raises(BadRules, match="teams"):
        resolve({"preset": preset, "teams": True})
    start = position(preset, payoffs=[None, "8s 5h"], piles=["A-4"])
    given(start).when(0, "p@1>c0").refused(Reason.NOT_A_PARTNER, "p@1>c0")


@row("C needs A, play K", "no", "yes, as A", "yes, as A")
def test_case_1_a_king_where_an_ace_is_needed(preset: str, result: str) -> None:
    """R8, R9."""
    table = given(position(preset, hands=["Kh 9h"])).when(0, "Kh>c0")
    if result == "no":
        table.refused(Reason.DOES_NOT_FIT, "Kh does not fit", "centre pile 0 needs A")
    else:
        table.then(CardPlayed).recording(card="Kh", pile=0, rank=1).leaves(needs=[2, 1, 1], turn=0)


@row("after 1, play A / play 2", "–", "no / yes", "no / yes")
def test_case_2_an_ace_or_a_two_on_a_king_that_is_an_ace(preset: str, result: str) -> None:
    """R8, R9."""
    table = given(position(preset, hands=["Kh Ad 2d 9h"])).when(0, "Kh>c0")
    if result == "–":
        table.refused(Reason.DOES_NOT_FIT, "Kh")
        return
    table.when(0, "Ad>c0").refused(Reason.DOES_NOT_FIT, "Ad does not fit", "centre pile 0 needs 2")
    table.when(0, "2d>c0").then(CardPlayed).recording(rank=2).leaves(needs=[3, 1, 1])


@row("C needs 6 with a K (as 5) on top, play K", "–", "yes, as 6", "yes, as 6")
def test_case_3_a_king_on_a_king(preset: str, result: str) -> None:
    """R9."""
    start = position(preset, hands=["Kh 9h"], piles=["A-4 Ks"])
    if result == "–":
        with pytest.raises(BadPosition, match="Ks cannot lie at index 4 of centre pile 0"):
            given(start)
    else:
        given(start).when(0, "Kh>c0").then(CardPlayed).recording(rank=6).leaves(needs=[7, 1, 1])


@row("C needs J, play K", "no", "as J, not complete", "as J, not complete")
def test_case_4_a_king_on_a_ten(preset: str, result: str) -> None:
    """R9, R11."""
    table = given(position(preset, hands=["Kh 9h"], piles=["A-T"])).when(0, "Kh>c0")
    if result == "no":
        table.refused(Reason.DOES_NOT_FIT, "Kh does not fit", "centre pile 0 needs J")
    else:
        table.then(CardPlayed).recording(rank=11).leaves(needs=[12, 1, 1], piles=["A-T Kh", "", ""])


@row("C needs Q, play K", "no", "completes", "completes")
def test_case_5_a_king_where_a_queen_is_needed(preset: str, result: str) -> None:
    """R9, R11."""
    table = given(position(preset, hands=["Kh 9h"], piles=["A-J"])).when(0, "Kh>c0")
    if result == "no":
        table.refused(Reason.DOES_NOT_FIT, "Kh does not fit", "centre pile 0 needs Q")
    else:
        table.then(CardPlayed, PileCompleted, StockShuffled).recording(rank=12).leaves(needs=[1, 1, 1], stock=42)


@row("C needs K (Q on top), play K", "completes, 13 cards aside", "cannot arise", "cannot arise")
def test_case_6_a_king_on_a_queen(preset: str, result: str) -> None:
    """R11, R12: where the queen completes, no pile with a queen on top is ever seen."""
    if result == "cannot arise":
        with pytest.raises(BadPosition, match="Centre pile 0 is complete"):
            given(position(preset, hands=["Kh 9h"], piles=["A-Q"]))
        given(position(preset, hands=["Qh Kh"], piles=["A-J"])).when(0, "Qh>c0").leaves(needs=[1, 1, 1])
        return
    table = given(position(preset, hands=["Kh 9h"], piles=["A-Q"])).when(0, "Kh>c0")
    table.then(CardPlayed, PileCompleted).leaves(aside=13, stock=30, needs=[1, 1, 1])


@row("C needs Q, play Q", "pile now needs K", "completes, 12 cards to stock", "the same")
def test_case_7_a_queen_on_a_jack(preset: str, result: str) -> None:
    """R11, R12."""
    table = given(position(preset, hands=["Qh 9h"], piles=["A-J"])).when(0, "Qh>c0")
    if result == "pile now needs K":
        table.then(CardPlayed).leaves(needs=[13, 1, 1], stock=30, aside=0)
    else:
        table.then(CardPlayed, PileCompleted, StockShuffled).leaves(needs=[1, 1, 1], stock=42, aside=0)


@row("H=[A], St=30, play A", "draws 5, same turn", "the same", "the same")
def test_case_8_a_hand_emptied_by_a_play(preset: str, result: str) -> None:
    """R13."""
    assert result == "draws 5, same turn"
    table = given(position(preset, hands=["Ah"], stock=30)).when(0, "Ah>c0").then(CardPlayed, CardsDrawn)
    table.leaves(hand=5, stock=25, turn=0, turn_number=9, result=None)


@row("H=[A], St=3, nothing aside, play A", "draws 3, plays on", "draws 3, ends: fewest", "draws 3, ends: draw")
@pytest.mark.parametrize(("payoffs", "fewest"), [((4, 3), [1]), ((3, 4), [0]), ((4, 4), [])])
def test_case_9_a_refill_that_falls_short(
    preset: str, result: str, payoffs: tuple[int, ...], fewest: list[int]
) -> None:
    """R13, R18."""
    table = given(position(preset, hands=["Ah"], payoffs=payoffs, stock=3)).when(0, "Ah>c0")
    if result == "draws 3, plays on":
        table.then(CardPlayed, CardsDrawn).leaves(hand=3, stock=0, turn=0, result=None)
        return
    winners = fewest if result == "draws 3, ends: fewest" else []
    table.then(CardPlayed, CardsDrawn, GameEnded).leaves(hand=3, stock=0, reason="exhausted", winners=winners)
    table.leaves(result="won" if winners else "drawn")


@row("H=[A], St=3, 26 aside, play A", "draws 3, shuffles 26 in, draws 2: St=24", "–", "–")
def test_case_10_a_refill_that_goes_on_with_the_cards_aside(preset: str, result: str) -> None:
    """R12, R13: where completed piles go to the stock, nothing is ever aside."""
    if result == "–":
        assert rules_of(preset).completed == "stock"
        given(position(preset, hands=["Qh 9h"], piles=["A-J"])).when(0, "Qh>c0").leaves(aside=0)
        return
    table = given(position(preset, hands=["Ah"], stock=3, aside=26)).when(0, "Ah>c0")
    table.then(CardPlayed, CardsDrawn, StockShuffled, CardsDrawn).leaves(hand=5, stock=24, aside=0, turn=0)
    _, first, shuffled, second = table.commits[-1]
    assert isinstance(first, CardsDrawn)
    assert isinstance(shuffled, StockShuffled)
    assert isinstance(second, CardsDrawn)
    assert (len(first.cards), shuffled.returned, len(second.cards)) == (3, 26, 2)


@row("H=[Q] completing, St=2", "–", "St 14, draws 5, St=9, no end", "the same")
def test_case_11_a_hand_emptied_by_completing_a_pile(preset: str, result: str) -> None:
    """R13, R18, R20: the pile goes back before the refill, and the refill comes before the look at the stock."""
    table = given(position(preset, hands=["Qh"], piles=["A-J"], stock=2)).when(0, "Qh>c0")
    if result == "–":
        table.then(CardPlayed, CardsDrawn).leaves(needs=[13, 1, 1], hand=2, stock=0)
        return
    table.then(CardPlayed, PileCompleted, StockShuffled, CardsDrawn).leaves(hand=5, stock=9, turn=0, result=None)
    shuffled = table.commits[-1][2]
    assert isinstance(shuffled, StockShuffled)
    assert len(shuffled.stock) == 14


@row("H=[K] completing, St=0, nothing else aside", "13 aside, recycled at once, draws 5: St=8", "–", "–")
def test_case_12_a_completed_pile_that_the_refill_needs_at_once(preset: str, result: str) -> None:
    """R12, R13, R20: elsewhere a king completes as the queen, and the pile is never aside."""
    if result == "–":
        table = given(position(preset, hands=["Kh"], piles=["A-J"], stock=0)).when(0, "Kh>c0")
        assert isinstance(table.commits[-1][1], PileCompleted)
        assert table.commits[-1][1].to == "stock"
        table.leaves(hand=5, stock=7, aside=0)
        return
    table = given(position(preset, hands=["Kh"], piles=["A-Q"], stock=0)).when(0, "Kh>c0")
    table.then(CardPlayed, PileCompleted, StockShuffled, CardsDrawn).leaves(hand=5, stock=8, aside=0, turn=0)
    completed = table.commits[-1][1]
    assert isinstance(completed, PileCompleted)
    assert (completed.to, len(completed.cards)) == ("aside", 13)


@row("H=[9], discard it", "turn over, no draw", "the same", "the same")
def test_case_13_a_hand_emptied_by_the_discard(preset: str, result: str) -> None:
    """R13, R14."""
    assert result == "turn over, no draw"
    table = given(position(preset, hands=["9h", 5])).when(0, "9h>s0").then(CardDiscarded, TurnStarted)
    table.leaves(hand=0, stock=30, turn=1, turn_number=10)


@row("hand of 3 at turn start, St=2", "draws 2, plays on", "draws 2, ends before playing", "the same, draw")
@pytest.mark.parametrize(("payoffs", "fewest"), [((4, 3), [1]), ((3, 4), [0]), ((4, 4), [])])
def test_case_14_a_turns_draw_that_falls_short(
    preset: str, result: str, payoffs: tuple[int, ...], fewest: list[int]
) -> None:
    """R6, R18."""
    table = given(position(preset, hands=["9h", 3], payoffs=payoffs, stock=2)).when(0, "9h>s0")
    if result == "draws 2, plays on":
        table.then(CardDiscarded, TurnStarted, CardsDrawn).leaves(hands=[0, 5], stock=0, turn=1, result=None)
        return
    winners = [] if result == "the same, draw" else fewest
    table.then(CardDiscarded, TurnStarted, CardsDrawn, GameEnded).leaves(hands=[0, 5], stock=0, reason="exhausted")
    table.leaves(winners=winners, result="won" if winners else "drawn")


@row("S=[5,9], play the 5", "no: not on top", "no", "no")
def test_case_15_a_buried_side_card(preset: str, result: str) -> None:
    """R7: the stack offers its top alone, and there is no other way to name the card."""
    assert result.startswith("no")
    table = given(position(preset, hands=["8h"], sides=[["5h 9h"]], piles=["A-4"]))
    table.when(0, "s0>c0").refused(Reason.DOES_NOT_FIT, "9h does not fit", "centre pile 0 needs 5")
    table.when(0, "5h>c0").refused(Reason.NOT_IN_HAND, "5h is not in the hand")


@row("the same 7 in hand, on a side stack and on the payoff", "source is named; three different moves", "", "")
@pytest.mark.parametrize(
    ("move", "source", "hand", "left", "side"),
    [("7h>c0", "hand", 1, 2, "7h"), ("s1>c0", "side", 2, 2, ""), ("p>c0", "payoff", 2, 1, "7h")],
)
def test_case_16_the_same_card_in_three_places(
    preset: str, result: str, move: str, source: str, hand: int, left: int, side: str
) -> None:
    """R7."""
    assert result == "source is named; three different moves"
    start = position(preset, hands=["7h 9h"], payoffs=["9s 7h"], sides=[["", "7h"]], piles=["A-6"], decks=3)
    given(start).leaves(legal_has=["7h>c0", "s1>c0", "p>c0"]).when(0, move).then(CardPlayed).recording(
        source=source, card="7h"
    ).leaves(hand=hand, payoff_left=[left, 3], sides=["", side, "", ""])


@row("two 7h in hand, play one", "one is left", "the same", "the same")
def test_case_17_two_equal_cards(preset: str, result: str) -> None:
    """R7."""
    assert result == "one is left"
    given(position(preset, hands=["7h 7h 9h"], piles=["A-6"])).when(0, "7h>c0").leaves(holds="7h 9h")


@row("P K(1), C needs Q", "no", "wins, pile not resolved", "the same, points")
def test_case_18_a_king_as_the_last_payoff_card(preset: str, result: str) -> None:
    """R9, R17, R22: neither is the hand refilled, nor the stock looked at."""
    table = given(position(preset, hands=[0], payoffs=["Kh", 7], piles=["A-J"], stock=0)).when(0, "p>c0")
    if result == "no":
        table.refused(Reason.DOES_NOT_FIT, "Kh does not fit", "centre pile 0 needs Q")
        return
    table.then(CardPlayed, GameEnded).leaves(result="won", winners=[0], reason="payoff", hand=0, stock=0)
    table.leaves(piles=["A-J Kh", "", ""], points=[7, 0] if result == "the same, points" else None)


@row("last payoff card while St=0", "wins", "wins", "wins, points")
def test_case_19_the_last_payoff_card_without_a_stock(preset: str, result: str) -> None:
    """R17, R22."""
    table = given(position(preset, hands=[0], payoffs=["5h", 7], piles=["A-4"], stock=0)).when(0, "p>c0")
    table.then(CardPlayed, GameEnded).leaves(result="won", winners=[0], reason="payoff")
    table.leaves(points=[7, 0] if result == "wins, points" else None)


@row("P 3(12) over 4, C needs 3: play both", "yes, two moves", "yes", "yes")
def test_case_20_the_next_payoff_card_at_once(preset: str, result: str) -> None:
    """R10."""
    assert result.startswith("yes")
    start = position(preset, payoffs=["9s 9d 8s 8d 7s 7d 6s 6d Js Ts 4h 3h"], piles=["A-2"])
    table = given(start).leaves(payoff_left=[12, 3]).when(0, "p>c0").then(CardPlayed).recording(turned="4h")
    table.when(0, "p>c0").then(CardPlayed).recording(turned="Ts").leaves(payoff_left=[10, 3], turn=0, turn_number=9)


@row("tops K and Q at the deal", "K starts", "K starts", "K starts")
@pytest.mark.parametrize(("tops", "starter"), [("KQ", 0), ("QK", 1)])
def test_case_21_a_king_and_a_queen_on_top(preset: str, result: str, tops: str, starter: int) -> None:
    """R4: wild or not, the king counts 13."""
    assert result == "K starts"
    dealt_with(tops, preset).leaves(turn=starter, turn_number=1)


@row("tops 9, 9, 4 with three seats", "only the 9s reshuffle", "–", "–")
def test_case_22_two_nines_and_a_four_on_top(preset: str, result: str) -> None:
    """R4."""
    if result == "–":
        with pytest.raises(BadRules, match=f"{preset} takes no other 'seats'"):
            resolve({"preset": preset, "seats": 3})
        return
    table = dealt_with("994", preset, seats=3)
    rounds = [event for event in table.commits[0] if isinstance(event, PayoffsReshuffled)]
    assert rounds
    assert all(reshuffled.payoffs.keys() == {"0", "1"} for reshuffled in rounds)
    first, second, third = (player.payoff for player in table.game.players)
    assert third == payoffs_of(table)[2]
    assert sorted(first) == sorted(payoffs_of(table)[0])
    assert RANK[first[-1]] != RANK[second[-1]]
    table.leaves(turn=0 if RANK[first[-1]] > RANK[second[-1]] else 1)


@row(
    "nobody ever plays to the centre, two seats, payoff 20 (`must_play` never)",
    "stock 0 after turn 56's draw; turns 65 and 66 pass; draw",
    "draw at turn 56",
    "draw at turn 56",
)
def test_case_23_nobody_ever_plays_to_the_centre(preset: str, result: str) -> None:
    """R16, R18, R19."""
    table = given(deal(preset, must_play="never"))
    emptied, passed = 0, list[int]()
    while table.game.result is None:
        seat, number = table.turn.seat, table.turn.number
        hand = table.game.players[seat].hand
        table.when(seat, f"{hand[0]}>s0" if hand else "pass").then_is_done()
        passed += [] if hand else [number]
        emptied = emptied or (0 if table.game.stock else table.turn.number)
    assert emptied == 56
    table.leaves(result="drawn", winners=[], payoff_left=[20, 20])
    if result == "draw at turn 56":
        assert passed == []
        table.leaves(reason="exhausted", turn_number=56)
    else:
        assert passed == [65, 66]
        table.then(TurnPassed, GameEnded).leaves(reason="blocked", turn_number=66)


def partners(preset: str, **facts: Any) -> Setup:
    """Four seats, 0 and 2 against 1 and 3."""
    return position(preset, seats=4, teams=True, **facts)


@row("partner's P 5(6), C needs 5, own turn", "yes; partner's next card turned; still own turn", "–", "–")
def test_case_24_a_partners_payoff_card(preset: str, result: str) -> None:
    """R21."""
    if result == "–":
        has_no_partners(preset)
        return
    start = partners(preset, payoffs=[None, None, "9s 8s 9d 8d Ts 5h"], piles=["A-4"])
    table = given(start).when(0, "p@2>c0").then(CardPlayed).recording(seat=0, owner=2, card="5h", turned="Ts")
    table.leaves(payoff_left=[3, 3, 5, 3], turn=0, turn_number=9)


@row("partner's last payoff card, own payoff not empty", "plays on", "–", "–")
def test_case_25_a_partners_last_payoff_card(preset: str, result: str) -> None:
    """R17, R21."""
    if result == "–":
        has_no_partners(preset)
        return
    table = given(partners(preset, payoffs=[3, 3, "5h", 3], piles=["A-4"])).when(0, "p@2>c0").then(CardPlayed)
    table.recording(turned=None).leaves(payoff_left=[3, 3, 0, 3], result=None, turn=0)


@row("play of another seat's side stack, hand, or an opponent's payoff", "no", "no", "no")
def test_case_26_cards_of_another_seat(preset: str, result: str) -> None:
    """R15: `s0` is always one's own, and another's stack cannot be written."""
    assert result == "no"
    start = position(preset, hands=["8h", "5d 9d"], payoffs=[None, "8s 5h"], sides=[[], ["5s"]], piles=["A-4"])
    table = given(start).when(0, "s0>c0").refused(Reason.NOTHING_THERE, "s0>c0")
    table.when(0, "5d>c0").refused(Reason.NOT_IN_HAND, "5d is not in the hand")
    table.when(0, "p@1>c0").refused(Reason.NOT_A_PARTNER, "p@1>c0", "partner")
    with pytest.raises(Malformed, match="'s@1>c0' is no move"):
        table.when(0, "s@1>c0")


@row("two discards in a turn; play after the discard", "no", "no", "no")
def test_case_27_what_comes_after_the_discard(preset: str, result: str) -> None:
    """R5, R14."""
    assert result == "no"
    table = given(position(preset, hands=["9h 8h 5h"], piles=["A-3"])).when(0, "9h>s0").leaves(turn=1)
    table.when(0, "8h>s0").refused(Reason.NOT_YOUR_TURN, "the turn of seat 1, not of seat 0")
    start = position(preset, hands=["9h 8h"], sides=[["", "5h"]], piles=["A-4"], must_play="never")
    table = given(start).when(0, "9h>s0").leaves(turn=1)
    table.when(0, "s1>c0").refused(Reason.NOT_YOUR_TURN, "the turn of seat 1, not of seat 0")


@row("H=[9,4], C needs 9: discard the 4 (or the 9)", "no, the 9 must be played", "yes", "yes")
@pytest.mark.parametrize("move", ["4c>s0", "9c>s0"])
def test_case_27a_a_discard_while_a_card_could_be_played(preset: str, result: str, move: str) -> None:
    """R7."""
    table = given(position(preset, hands=["9c 4c", 5], piles=["A-8"])).when(0, move)
    if result == "yes":
        table.then(CardDiscarded, TurnStarted).leaves(turn=1)
    else:
        table.refused(Reason.MUST_PLAY, "must be").when(0, "9c>c0").then(CardPlayed)
        table.when(0, "4c>s0").then(CardDiscarded, TurnStarted)


@row("H=[], nothing to draw, S top 7, C needs 7: pass", "no", "cannot arise", "cannot arise")
def test_case_27b_a_pass_while_a_card_could_be_played(preset: str, result: str) -> None:
    """R7, R16, R18: a seat whose draw or refill left nothing to draw has seen the game end by it."""
    if result == "no":
        table = given(position(preset, hands=[0], sides=[["7h"]], piles=["A-6"], stock=0)).when(0, "pass")
        table.refused(Reason.MUST_PLAY, "must be").when(0, "s0>c0").when(0, "pass").then(TurnPassed, TurnStarted)
        return
    start = position(preset, hands=["9h", 0], sides=[[], ["7h"]], piles=["A-6"], stock=0)
    given(start).when(0, "9h>s0").then(CardDiscarded, TurnStarted, GameEnded).leaves(reason="exhausted", hands=[0, 0])
    start = position(preset, hands=["6h"], sides=[["7h"]], piles=["A-5"], stock=0)
    given(start).when(0, "6h>c0").then(CardPlayed, GameEnded).leaves(reason="exhausted", hand=0)


@row('index -1, 3 of 3, 1.5, "NaN", null, a card not held', "no, each with a clear error", "", "")
def test_case_28_places_and_cards_that_are_not_there(preset: str, result: str) -> None:
    """R8, contract section 1. `null` and 1.5 as JSON have their cases in `tests/cases/notation.json`."""
    assert result == "no, each with a clear error"
    table = given(position(preset, hands=["5h 9h"], piles=["A-4"]))
    for place in ("-1", "1.5", "NaN", "null"):
        with pytest.raises(Malformed, match=re.escape(f"'5h>c{place}' is no move")):
            table.when(0, f"5h>c{place}")
    table.when(0, "5h>c3").refused(Reason.NO_SUCH_PLACE, "5h>c3 names a place that this game does not have")
    table.when(0, "5d>c0").refused(Reason.NOT_IN_HAND, "5d is not in the hand")


@row("three seats, seat 1 starts", "order 1, 2, 0, 1", "seats refused", "seats refused")
def test_case_29_the_order_of_three_seats(preset: str, result: str) -> None:
    """R1, R5."""
    if result == "seats refused":
        with pytest.raises(BadRules, match=f"{preset} takes no other 'seats'"):
            resolve({"preset": preset, "seats": 3})
        return
    order = list[int]()
    table = given(position(preset, seats=3, seat=1, turn=1, hands=["9c 9d", "9h", "9s"]))
    for card in ("9h", "9s", "9c"):
        order.append(table.turn.seat)
        table.when(table.turn.seat, f"{card}>s0").then_is_done()
    assert [*order, table.turn.seat] == [1, 2, 0, 1]


@row("payoff of 4, 21, 0, -1, 5.5", "refused", "4, 21 … refused; 5 and 20 taken", "refused")
def test_case_30_the_size_of_the_payoff(preset: str, result: str) -> None:
    """R2."""
    for payoff in (4, 21, 0, -1, 5.5):
        named = re.escape(str(payoff)) if "taken" in result else "'payoff'"
        with pytest.raises(BadRules, match=named):
            resolve({"preset": preset, "payoff": payoff})
    for payoff in (5, 20):
        if "taken" in result:
            assert resolve({"preset": preset, "payoff": payoff}).payoff == payoff
        else:
            with pytest.raises(BadRules, match="'payoff'"):
                resolve({"preset": preset, "payoff": payoff})


def plays_no_match(preset: str) -> None:
    """The preset knows neither points nor matches."""
    rules = rules_of(preset)
    assert (rules.points, rules.match) == (None, None)
    given(position(preset, payoffs=["5h", 20], piles=["A-4"])).when(0, "p>c0").leaves(result="won", points=None)


@row("match at 48:49, first seat wins with 20 left", "–", "–", "68:49, over")
def test_case_31_a_match_won(preset: str, result: str) -> None:
    """R22, R23."""
    if result == "–":
        plays_no_match(preset)
        return
    table = given(position(preset, payoffs=["5h", 20], piles=["A-4"])).when(0, "p>c0").leaves(points=[20, 0])
    assert after_a_match_game(table, (48, 49)) == ((68, 49), 0)


@row("match at 40:40, game drawn", "–", "–", "40:40, next game")
def test_case_32_a_match_goes_on(preset: str, result: str) -> None:
    """R22, R23."""
    if result == "–":
        plays_no_match(preset)
        return
    table = given(position(preset, hands=["9h", 3], stock=2)).when(0, "9h>s0").leaves(result="drawn", points=[0, 0])
    assert after_a_match_game(table, (40, 40)) == ((40, 40), None)


def after_a_match_game(table: Table, totals: tuple[int, ...]) -> tuple[tuple[int, ...], int | None]:
    """The totals with this game's points, and who has won the match by them."""
    ended, target = table.game.result, table.game.rules.match
    assert ended is not None
    assert ended.points is not None
    assert target == 50
    return add_points(totals, ended.points, target)
