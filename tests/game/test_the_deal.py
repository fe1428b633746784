"""R1 to R5: what is dealt, who starts, and in which order play goes round."""

import hashlib
from collections import Counter
from collections.abc import Iterator

import msgspec
import pytest

from events.errors import BadRules, Reason
from events.game.cards import RANK, Cards, pack
from events.game.decide import Create, decide
from events.game.events import (
    CardDiscarded,
    CardsDealt,
    CardsDrawn,
    GameCreated,
    Origin,
    PayoffsReshuffled,
    PositionSet,
    TurnStarted,
)
from events.game.events import SeatInfo as Info
from events.game.presets import PRESETS, resolve
from events.game.views import Count, PayoffView, SawDeal, bare_view, seen_by
from tests.spec import ALL_PRESETS, SEED, WILD_PRESETS, Table, create, deal, given, position


def deals(rules: str, **knobs: object) -> Iterator[Table]:
    """Ever more deals of these rules."""
    number = 0
    while True:
        yield given(deal(rules, seed=hashlib.sha512(f"{number}".encode()).digest(), **knobs))
        number += 1


def dealt(table: Table) -> CardsDealt:
    return next(event for event in table.commits[0] if isinstance(event, CardsDealt))


def tops(payoffs: tuple[Cards, ...]) -> list[int]:
    return [RANK[payoff[-1]] for payoff in payoffs]


@pytest.mark.parametrize("seats", range(2, 9))
def test_there_is_a_pack_for_every_seat(seats: int) -> None:
    """R1: two packs for two seats, one more for each further seat."""
    rules = resolve({"preset": "gatto-e-topo", "seats": seats})
    assert rules.decks == seats
    assert given(deal(rules)).pack.total() == 52 * seats


@pytest.mark.parametrize("preset", ALL_PRESETS)
def test_no_preset_has_jokers(preset: str) -> None:
    """R1: two packs of 52, every card twice, no joker."""
    assert given(deal(preset)).pack == Counter(pack(2, 0))
    assert set(Counter(pack(2, 0)).values()) == {2}
    assert "**" not in pack(2, 0)


@pytest.mark.parametrize("preset", ALL_PRESETS)
def test_each_seat_gets_its_payoff_and_five_cards_and_the_rest_is_stock(preset: str) -> None:
    """R2: 20 and 5 for each of two seats leave 54 of 104 cards."""
    given(deal(preset)).leaves(payoff_left=[20, 20], hands=[5, 5], stock=54, aside=0, needs=[1, 1, 1], turn_number=1)


def test_more_seats_have_payoffs_of_twenty_too() -> None:
    """R2: 156 cards, 75 dealt."""
    given(deal("gatto-e-topo", seats=3)).leaves(payoff_left=[20] * 3, hands=[5] * 3, stock=81)


@pytest.mark.parametrize("payoff", [5, 20])
def test_gato_e_rato_takes_a_payoff_of_five_to_twenty(payoff: int) -> None:
    """R2, case 30."""
    table = given(deal(resolve({"preset": "gato-e-rato", "payoff": payoff})))
    table.leaves(payoff_left=[payoff, payoff], stock=94 - 2 * payoff)


@pytest.mark.parametrize("payoff", [4, 21, 0, -1, 5.5, True, "7", None])
@pytest.mark.parametrize("preset", ALL_PRESETS)
def test_no_other_payoff_is_taken(preset: str, payoff: object) -> None:
    """R2, case 30: the refusal names preset and value."""
    with pytest.raises(BadRules, match=f"{preset}.*payoff"):
        resolve({"preset": preset, "payoff": payoff})


@pytest.mark.parametrize("preset", ["gatto-e-topo", "spite-and-malice"])
def test_the_payoff_of_the_other_presets_is_not_by_agreement(preset: str) -> None:
    """R2, case 30: twenty, and not to be changed to anything."""
    assert PRESETS[preset].rules.payoff == 20
    with pytest.raises(BadRules, match="payoff"):
        resolve({"preset": preset, "payoff": 10})


def test_nobody_knows_the_payoff_below_its_top_not_even_its_owner() -> None:
    """R3: of its own payoff a seat sees the top and a number."""
    table = given(deal("gato-e-rato"))
    facts = dealt(table)
    seen = seen_by(facts, 0)
    assert isinstance(seen, SawDeal)
    assert seen.payoffs == tuple(PayoffView(payoff[-1], 20) for payoff in facts.payoffs)
    assert seen.hands == (facts.hands[0], Count(5))
    assert bare_view(table.game, 0, name="g", version=1).me.payoff == PayoffView(facts.payoffs[0][-1], 20)


@pytest.mark.parametrize("preset", ALL_PRESETS)
def test_the_highest_payoff_top_starts(preset: str) -> None:
    """R4: in every one of fifty deals without a tie."""
    counted = 0
    for table in deals(preset):
        first, second = tops(dealt(table).payoffs)
        if first != second:
            table.then(GameCreated, CardsDealt, TurnStarted).leaves(turn=0 if first > second else 1)
            counted += 1
        if counted == 50:
            break


@pytest.mark.parametrize("preset", ALL_PRESETS)
def test_a_king_outranks_a_queen_at_the_deal(preset: str) -> None:
    """R4, case 21: the king counts 13, wild or not."""
    table = next(table for table in deals(preset) if sorted(tops(dealt(table).payoffs)) == [12, 13])
    table.leaves(turn=tops(dealt(table).payoffs).index(13))


def test_tied_seats_shuffle_their_payoffs_until_one_top_is_highest() -> None:
    """R4: the same cards in each payoff, new tops, and the higher one starts."""
    table = next(table for table in deals("gato-e-rato") if len(set(tops(dealt(table).payoffs))) == 1)
    table.then(GameCreated, CardsDealt, PayoffsReshuffled, TurnStarted)
    event = table.commits[0][2]
    assert isinstance(event, PayoffsReshuffled)
    assert list(event.payoffs) == ["0", "1"]
    for seat, payoff in event.payoffs.items():
        assert Counter(payoff) == Counter(dealt(table).payoffs[int(seat)])
        assert table.game.players[int(seat)].payoff == payoff
    table.leaves(turn=max((0, 1), key=lambda seat: RANK[event.payoffs[str(seat)][-1]]))


def test_only_the_tied_seats_shuffle_again() -> None:
    """R4, case 22: two of three are highest; the third keeps its payoff and cannot start, whatever comes up."""
    beaten = 0
    for table in deals("gatto-e-topo", seats=3):
        first = tops(dealt(table).payoffs)
        tied = [seat for seat in range(3) if first[seat] == max(first)]
        if len(tied) != 2:
            continue
        rounds = [event for event in table.commits[0] if isinstance(event, PayoffsReshuffled)]
        assert rounds
        assert all(list(event.payoffs) == [str(seat) for seat in tied] for event in rounds)
        out = next(seat for seat in range(3) if seat not in tied)
        assert table.game.players[out].payoff == dealt(table).payoffs[out]
        assert table.turn.seat in tied
        beaten += max(RANK[table.game.players[seat].payoff[-1]] for seat in tied) < first[out]
        if beaten:
            break


def test_after_sixteen_rounds_the_lowest_tied_seat_starts() -> None:
    """R4: payoffs of one card stay tied for ever."""
    table = next(
        table
        for table in deals("gatto-e-topo", seats=3, payoff=1)
        if tops(dealt(table).payoffs)[1] == tops(dealt(table).payoffs)[2] > tops(dealt(table).payoffs)[0]
    )
    table.then(GameCreated, CardsDealt, *[PayoffsReshuffled] * 16, TurnStarted).leaves(turn=1)


def test_about_seven_deals_of_a_hundred_tie() -> None:
    """R4: 7 of 103 cards have the rank of a given one, about 7 %."""
    some = deals("gato-e-rato")
    ties = sum(len(set(tops(dealt(next(some)).payoffs))) == 1 for _ in range(300))
    assert 9 <= ties <= 36


def test_play_goes_round_by_seat_number() -> None:
    """R5, case 29: seat 1 starts: 1, 2, 0, 1."""
    table = given(position("gatto-e-topo", seats=3, seat=1, turn=1, stock=60))
    for number, (seat, following) in enumerate([(1, 2), (2, 0), (0, 1)], start=2):
        card = table.game.players[seat].hand[0]
        table.when(seat, f"{card}>s0")
        table.leaves(turn=following, turn_number=number)


@pytest.mark.parametrize("preset", WILD_PRESETS)
def test_the_other_presets_are_for_two(preset: str) -> None:
    """R1, case 29: seats refused."""
    with pytest.raises(BadRules, match="seats"):
        resolve({"preset": preset, "seats": 3})


def test_a_game_is_created_for_as_many_as_its_rules_seat() -> None:
    """R1, case 29: three who ask for rules of two are refused."""
    seats = tuple(Info(f"seat {seat}", "human", None, "") for seat in range(3))
    with pytest.raises(BadRules, match="seat"):
        decide(Create(game="g", rules=PRESETS["gato-e-rato"].rules, seats=seats), None, SEED)


def test_a_game_with_an_open_seat_is_dealt_when_the_last_one_sits() -> None:
    """R2: before that there is no turn, no card, no move."""
    seats = (Info("Ada", "human", None, ""), Info(None, "open", None, ""))
    table = Table(decide(Create(game="g", rules=PRESETS["gato-e-rato"].rules, seats=seats), None, SEED), SEED)
    table.then(GameCreated).leaves(turn=None, stock=0, hands=[0, 0])
    table.when(0, "pass").refused(Reason.NOT_STARTED)
    table.resigns(0).refused(Reason.NOT_STARTED)
    table.sits("Bo", "salt").recording(seat=1, name="Bo", entropy="salt").leaves(hands=[5, 5], turn_number=1)
    table.sits("Cy").refused(Reason.SEAT_TAKEN)


def test_a_game_may_go_on_from_another_ones_position() -> None:
    """Contract section 2: a fork says where it comes from, and its start is neither a deal nor a mere position."""
    setup = position("gato-e-rato")
    table = given(setup).then(GameCreated, PositionSet)
    assert bare_view(table.game, 0, name="g", version=1).start == "position"
    command = msgspec.structs.replace(create(setup), forked_from=Origin("other", 17))
    fork = (
        Table(decide(command, None, SEED), SEED)
        .then(GameCreated, PositionSet)
        .recording(forked_from=Origin("other", 17))
    )
    assert bare_view(fork.game, 0, name="g", version=1).start == "fork"
    assert bare_view(given(deal("gato-e-rato")).game, 0, name="g", version=1).start == "dealt"


def test_the_first_turn_draws_nothing() -> None:
    """R2, R6: the deal filled the hand."""
    table = given(deal("gato-e-rato")).leaves(hands=[5, 5])
    assert not any(isinstance(event, CardsDrawn) for event in table.commits[0])
    seat = table.seat
    table.when(seat, f"{table.game.players[seat].hand[0]}>s0").then(CardDiscarded, TurnStarted)
