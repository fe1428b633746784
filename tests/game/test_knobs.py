"""Every knob of `Rules`, where custom rules turn it away from what the presets have."""

from typing import Any

import msgspec
import pytest

from events.errors import BadPosition, BadRules, Reason
from events.game.cards import RANK
from events.game.events import CardDiscarded, CardPlayed, CardsDrawn, GameEnded, PayoffsReshuffled, TurnPassed
from events.game.presets import PRESETS, resolve
from events.game.rules import Rules
from events.game.shuffle import game_key
from tests.game.plain_shuffle import plain_shuffle
from tests.spec import SEED, deal, given, position, rules_of


def seed_of(number: int) -> bytes:
    return number.to_bytes(64, "big")


def test_the_lowest_top_starts_where_the_rules_say_so() -> None:
    """R4: knob `starter`."""
    for number in range(20):
        table = given(deal("gato-e-rato", starter="lowest", seed=seed_of(number)))
        if not any(isinstance(event, PayoffsReshuffled) for event in table.commits[0]):
            first, second = (RANK[player.payoff[-1]] for player in table.game.players)
            table.leaves(turn=0 if first < second else 1)


def test_seat_0_starts_where_the_rules_say_first() -> None:
    """R4: whatever the tops are, and no tie is broken."""
    for number in range(20):
        table = given(deal("gato-e-rato", starter="first", seed=seed_of(number))).leaves(turn=0)
        assert len(table.commits[0]) == 3


def test_a_starter_by_lot_is_the_last_of_shuffle_1() -> None:
    """R4, contract section 4: of the shuffled seat numbers the top one starts."""
    starters = set[int]()
    for number in range(30):
        seed = seed_of(number)
        table = given(deal("gatto-e-topo", seats=3, starter="random", payoff=1, seed=seed))
        key = game_key(seed, ["", "", ""])
        assert table.seat == plain_shuffle(key, 1, [0, 1, 2])[-1]
        starters.add(table.seat)
    assert starters == {0, 1, 2}


def test_jokers_are_wild_beside_ordinary_kings() -> None:
    """R9: knob `jokers` with top K: a joker completes as the king."""
    rules = rules_of("gatto-e-topo", jokers=2, wild_may_start=True, wild_on_wild=True)
    given(position(rules, hands=["** 9h"], piles=["A-Q"])).when(0, "**>c0").recording(rank=13).leaves(aside=13)
    given(position(rules, hands=["** Kh 9h"])).when(0, "Kh>c0").refused(Reason.DOES_NOT_FIT).when(0, "**>c0").leaves(
        needs=[2, 1, 1]
    )


def test_a_wild_may_not_start_where_the_rules_forbid_it() -> None:
    """R9: knob `wild_may_start`."""
    start = position("gato-e-rato", wild_may_start=False, hands=["Kh 9h"], piles=["Ac"])
    given(start).when(0, "Kh>c1").refused(Reason.WILD_MAY_NOT_START).when(0, "Kh>c0").recording(rank=2)


def test_a_wild_may_not_lie_on_a_wild_where_the_rules_forbid_it() -> None:
    """R9: knob `wild_on_wild`; a wild deeper in the pile does not matter."""
    start = position("gato-e-rato", wild_on_wild=False, hands=["Kh 9h"], piles=["A-4 Ks", "A-3d Kc 5d"])
    given(start).when(0, "Kh>c0").refused(Reason.WILD_ON_WILD).when(0, "Kh>c1").recording(rank=6)


@pytest.mark.parametrize("preset", PRESETS)
def test_without_refill_an_emptied_hand_stays_empty(preset: str) -> None:
    """R13, R16: knob `refill`; then one passes whatever the stock."""
    start = position(preset, refill=False, hands=["Ah", 5])
    given(start).when(0, "Ah>c0").then(CardPlayed).leaves(hand=0, stock=30).when(0, "pass").leaves(turn=1)


def test_of_aces_only_aces_compel() -> None:
    """R7: knob `must_play` aces: from the hand, the payoff and the side stacks."""
    rules = rules_of("gato-e-rato", must_play="aces")
    given(position(rules, hands=["Ah 9h"])).when(0, "9h>s0").refused(Reason.MUST_PLAY)
    given(position(rules, hands=["9h"], payoffs=["8s Ah"])).when(0, "9h>s0").refused(Reason.MUST_PLAY)
    given(position(rules, hands=["9h"], sides=[["Ah"]])).when(0, "9h>s1").refused(Reason.MUST_PLAY)
    given(position(rules, hands=["2h 5h Kh 9h"], piles=["A-4", "Ac"])).when(0, "9h>s0").then_is_done()


def test_of_aces_and_twos_twos_compel_too_and_a_wild_never() -> None:
    """R7: knob `must_play` aces_and_twos."""
    rules = rules_of("gato-e-rato", must_play="aces_and_twos")
    given(position(rules, hands=["2h 9h"], piles=["Ac"])).when(0, "9h>s0").refused(Reason.MUST_PLAY)
    given(position(rules, hands=["2h 9h 3h Kh"], piles=["A-2"])).when(0, "9h>s0").then_is_done()


def test_an_ace_compels_only_while_it_has_a_place() -> None:
    """R7: three piles stand, so the ace may be discarded."""
    start = position("gato-e-rato", must_play="aces", hands=["Ah 9h"], piles=["A-3", "A-3d", "A-3h"])
    given(start).when(0, "Ah>s0").then_is_done()


def test_under_always_a_wild_compels() -> None:
    """R7: knob `must_play` always."""
    given(position("gato-e-rato", must_play="always", hands=["Kh 9h"])).when(0, "9h>s0").refused(Reason.MUST_PLAY)


def test_under_compulsory_aces_nobody_passes_before_an_ace() -> None:
    """R16, R7: the ace lies on a side stack."""
    start = position("gatto-e-topo", must_play="aces", hands=[0], sides=[["Ah"]], stock=0)
    given(start).when(0, "pass").refused(Reason.MUST_PLAY).when(0, "s0>c0").when(0, "pass").then_is_done()


def test_aces_are_kept_unless_the_hand_holds_nothing_else() -> None:
    """R14: knob `discard` no_aces."""
    rules = rules_of("gato-e-rato", discard="no_aces")
    given(position(rules, hands=["Ah 9h"])).when(0, "Ah>s0").refused(Reason.KEEP_ACES).when(0, "9h>s0").then_is_done()
    given(position(rules, hands=["Ah Ad"])).when(0, "Ah>s0").then_is_done()


def test_wilds_are_kept_unless_the_hand_holds_nothing_else() -> None:
    """R14: knob `discard` no_wilds; kings and jokers are both wild."""
    rules = rules_of("gato-e-rato", discard="no_wilds", jokers=1)
    table = given(position(rules, hands=["Kh ** 9h"])).when(0, "Kh>s0").refused(Reason.KEEP_WILDS)
    table.when(0, "**>s0").refused(Reason.KEEP_WILDS).when(0, "9h>s0").then_is_done()
    given(position(rules, hands=["Kh **"])).when(0, "**>s0").then_is_done()


def test_exhausted_when_short_goes_on_at_zero_and_ends_when_a_draw_falls_short() -> None:
    """R18: knob `exhaustion_at` short."""
    rules = rules_of("gato-e-rato", exhaustion_at="short")
    given(position(rules, hands=["9h", 3], stock=2)).when(0, "9h>s0").leaves(stock=0, result=None)
    given(position(rules, hands=["9h", 5], stock=0)).when(0, "9h>s0").leaves(stock=0, result=None)
    given(position(rules, hands=["9h", 3], payoffs=[3, 4], stock=1)).when(0, "9h>s0").leaves(
        stock=0, reason="exhausted", winners=[0], hands=[0, 4]
    )


def test_where_cards_are_set_aside_they_count_against_exhaustion() -> None:
    """R18: zero left means the cards aside too."""
    rules = rules_of("gato-e-rato", completed="aside")
    given(position(rules, hands=["9h", 3], stock=2, aside=4)).when(0, "9h>s0").leaves(stock=0, aside=4, result=None)
    given(position(rules, hands=["9h", 1], stock=2, aside=2)).when(0, "9h>s0").leaves(
        stock=0, aside=0, reason="exhausted", hands=[0, 5]
    )


def test_blocked_rules_with_wild_kings_play_on_at_an_empty_stock() -> None:
    """R18, R19: knob `exhaustion` blocked."""
    rules = rules_of("gato-e-rato", exhaustion="blocked", exhaustion_at=None)
    table = given(position(rules, hands=["9h", 0], stock=0, payoffs=[3, 4])).when(0, "9h>s0")
    table.leaves(result=None).when(1, "pass").when(0, "pass").then(TurnPassed, GameEnded).leaves(winners=[0])


def test_a_hand_of_ten_eight_piles_eight_stacks() -> None:
    """R6, R8, R14: knobs `hand`, `centre_piles`, `side_stacks`."""
    rules = rules_of("gato-e-rato", hand=10, centre_piles=8, side_stacks=8, decks=4)
    given(deal(rules)).leaves(hands=[10, 10], needs=[1] * 8)
    table = given(position(rules, hands=["Ah", 7], piles=["", "Ac", "Ac", "Ac", "Ac"])).when(0, "Ah>c7")
    table.then(CardPlayed, CardsDrawn).leaves(hand=10, needs=[1, 2, 2, 2, 2, 1, 1, 2])
    given(position(rules, hands=["9h", 7])).when(0, "9h>s7").leaves(hands=[0, 10])


def test_a_turn_limit_of_ten_ends_the_game_at_turn_ten() -> None:
    """R19: knob `turn_limit`."""
    table = given(deal("gato-e-rato", turn_limit=10))
    for _ in range(10):
        seat = table.turn.seat
        table.when(seat, f"{table.game.players[seat].hand[0]}>s0")
    table.then(CardDiscarded, GameEnded).leaves(reason="turn_limit", result="drawn", turn_number=10)


def test_a_turn_limit_of_ten_thousand_ends_the_game_at_turn_ten_thousand() -> None:
    """R19: knob `turn_limit`; nobody plays so long, so the game starts from a position."""
    start = position("gato-e-rato", turn_limit=10_000, turn=9999, hands=["9h", "8h"], payoffs=[3, 4])
    table = given(start).when(0, "9h>s0").leaves(result=None, turn_number=10_000)
    table.when(1, "8h>s0").then(CardDiscarded, GameEnded).leaves(reason="turn_limit", winners=[0])


@pytest.mark.parametrize(
    ("preset", "knobs", "named"),
    [
        ("gato-e-rato", {"top": "K"}, "wild K with top K"),
        ("gatto-e-topo", {"top": "Q"}, "wild null with top Q"),
        ("gatto-e-topo", {"wild_may_start": True}, "wild_may_start is true"),
        ("gatto-e-topo", {"jokers": 1}, "wild_may_start is null"),
        ("gato-e-rato", {"wild_on_wild": None}, "wild_on_wild is null"),
        ("gato-e-rato", {"seats": 9}, "seats is 9"),
        ("gato-e-rato", {"seats": 1}, "seats is 1"),
        ("gato-e-rato", {"decks": 9}, "decks is 9"),
        ("gato-e-rato", {"jokers": 17}, "jokers is 17"),
        ("gato-e-rato", {"payoff": 41}, "payoff is 41"),
        ("gato-e-rato", {"hand": 11}, "hand is 11"),
        ("gato-e-rato", {"centre_piles": 0}, "centre_piles is 0"),
        ("gato-e-rato", {"side_stacks": 9}, "side_stacks is 9"),
        ("gato-e-rato", {"turn_limit": 9}, "turn_limit is 9"),
        ("gato-e-rato", {"turn_limit": 10_001}, "turn_limit is 10001"),
        ("gatto-e-topo", {"exhaustion_at": "zero"}, "exhaustion blocked with exhaustion_at zero"),
        ("gato-e-rato", {"exhaustion_at": None}, "exhaustion fewest with exhaustion_at null"),
        ("gatto-e-topo", {"team_win": "all"}, "team_win is all with teams false"),
        ("gatto-e-topo", {"seats": 4, "teams": True, "points": "left"}, "points left with teams"),
        ("gato-e-rato", {"match": 50}, "match 50 without points"),
        ("spite-and-malice", {"match": 0}, "match is 0"),
        ("spite-and-malice", {"match": 2**53}, "match is 9007199254740992"),
        ("gato-e-rato", {"decks": 1, "payoff": 21}, "take 52 cards"),
    ],
)
def test_rules_that_make_no_sense_together_are_refused_with_the_values(
    preset: str, knobs: dict[str, Any], named: str
) -> None:
    """R1, R2, R9, R18, R21 to R23: the table of knobs."""
    with pytest.raises(BadRules, match=named):
        rules_of(preset, **knobs)


def test_one_card_of_stock_is_enough_to_deal() -> None:
    """R2: 2 × (20 + 5) of 52 leave two; with hands of six and payoffs of 20 none."""
    given(deal("gatto-e-topo", decks=1)).leaves(stock=2)
    with pytest.raises(BadRules, match="hands of 6"):
        rules_of("gatto-e-topo", decks=1, hand=6)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_takes_only_the_changes_its_text_allows(preset: str) -> None:
    """R1, R2, R7, R21: every other knob is refused, even with the value that it has."""
    allowed = {
        "gatto-e-topo": {"seats", "teams", "team_win", "must_play"},
        "gato-e-rato": {"payoff"},
        "spite-and-malice": set[str](),
    }
    whole = msgspec.to_builtins(PRESETS[preset].rules)
    for knob in {*whole, "speed"} - allowed[preset]:
        with pytest.raises(BadRules, match=knob):
            resolve({"preset": preset, knob: whole.get(knob)})
    for knob in allowed[preset]:
        assert isinstance(resolve({"preset": preset, knob: whole[knob]}), Rules)


def test_a_position_that_cannot_be_gone_on_from_is_refused() -> None:
    """R17, R24, contract section 2: won already, blocked already, the seat to move has left."""
    positions: list[dict[str, Any]] = [
        {"payoffs": [""]},
        {"passes": 2, "hands": [0, 0], "stock": 0},
        {"resigned": (1,)},
        {"seats": 3, "resigned": (0,)},
        {"seats": 3, "resigned": (1, 1)},
        {"seats": 4, "teams": True, "payoffs": ["", 3, ""]},
        {"seats": 4, "teams": True, "team_win": "first", "payoffs": [3, 3, ""]},
        {"hands": ["9h"], "piles": ["A-4", "A-3 5d"]},
        {"hands": ["9h 9h 9h"]},
        {"seat": 2},
        {"turn": 0},
        {"turn": 2001},
    ]
    for facts in positions:
        with pytest.raises(BadPosition):
            given(position("gatto-e-topo", **facts))


def test_a_position_is_not_set_while_a_seat_is_open() -> None:
    """R2, contract section 2: not together with open seats."""
    from events.game.decide import Create, decide
    from events.game.events import SeatInfo

    setup = position("gato-e-rato")
    seats = (SeatInfo("Ada", "human", None, ""), SeatInfo(None, "open", None, ""))
    with pytest.raises(BadPosition, match="open"):
        decide(Create(game="g", rules=setup.rules, seats=seats, position=setup.position), None, SEED)


@pytest.mark.parametrize(
    ("knob", "value", "said"),
    [
        ("top", "J", 'top is "J"; it can be Q or K.'),
        ("wild", "Q", 'wild is "Q"; it can be K or null.'),
        ("payoff", 5.5, "payoff is 5.5; it can be 1 to 40."),
        ("payoff", None, "payoff is null; it can be 1 to 40."),
        ("refill", 1, "refill is 1; it can be true or false."),
        ("wild_on_wild", "yes", 'wild_on_wild is "yes"; it can be true, false or null.'),
        ("must_play", "twos", 'must_play is "twos"; it can be never, aces, aces_and_twos or always.'),
        ("match", "50", 'match is "50"; it can be a whole number or null.'),
        ("colour", "red", "There is no knob 'colour'; there are seats, decks, jokers,"),
    ],
)
def test_a_value_that_no_knob_can_have_is_named_with_those_that_it_can(knob: str, value: object, said: str) -> None:
    """Each knob says itself what it can be."""
    whole = msgspec.to_builtins(PRESETS["gato-e-rato"].rules) | {knob: value}
    with pytest.raises(BadRules) as refused:
        resolve(whole)
    assert str(refused.value).startswith(said)


def test_rules_without_a_knob_name_the_one_that_is_missing() -> None:
    """Custom rules are a whole value: nothing is filled in."""
    whole = msgspec.to_builtins(PRESETS["gato-e-rato"].rules)
    del whole["hand"]
    with pytest.raises(BadRules, match="hand is missing"):
        resolve(whole)
