"""R3 and contract, section 2: nobody learns a hidden card, from views, events, legal moves or refusals."""

import random
from collections.abc import Iterator
from types import UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
import pytest

from events.game.cards import ALL_CARDS, Cards
from events.game.decide import MakeMove, Resign, decide
from events.game.events import CardsDealt, CardsDrawn, Event, Events, PayoffsReshuffled, PositionSet, StockShuffled
from events.game.evolve import fold
from events.game.legality import view
from events.game.position import position_of
from events.game.rules import Rules, Seat
from events.game.state import Game
from events.game.views import SeenEvent, View, Viewer, seen_by
from tests.game.worlds import Look, answers, honest, other_world, resigning, same_in_both
from tests.spec import ALL_PRESETS, rules_of
from tests.walks import FULL, Walk, drawn_rules, eager, uniform

MAY_HOLD_CARDS: Final = {
    "View.hand": "one's own",
    "View.seats[].payoff.top": "turned up",
    "View.seats[].sides[]": "open stacks",
    "View.piles[]": "on the table",
    "CardPlayed.card": "everybody saw it",
    "CardPlayed.turned": "turned up",
    "PileCompleted.cards": "on the table",
    "CardDiscarded.card": "everybody saw it",
    "CardsDrawn.cards": "one's own",
    "SawPosition.payoffs[].top": "turned up",
    "SawPosition.hands[]": "one's own",
    "SawPosition.sides[][]": "open stacks",
    "SawPosition.piles[]": "on the table",
    "SawDeal.payoffs[].top": "turned up",
    "SawDeal.hands[]": "one's own",
    "SawPayoffs.payoffs{}.top": "turned up",
}
"""Every field of a view or a seen event that may hold a card. One more, and somebody has to say here why."""
STRANGERS: Final = {"Game", "Player", "CardsDealt", "PayoffsReshuffled", "StockShuffled", "PositionSet", "Position"}
"""Types that hold hidden cards: no view and no seen event may reach them."""


def card_fields(kind: Any, path: str) -> Iterator[str]:
    """Where in this type cards can lie: `View.seats[].payoff.top`."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Literal:
        if set(inner) & set(ALL_CARDS):
            yield path
    elif origin in (Union, UnionType):
        for one in inner:
            yield from card_fields(one, path)
    elif kind == Cards:
        yield path
    elif origin is tuple or origin is list:
        for one in inner:
            if one is not Ellipsis:
                yield from card_fields(one, f"{path}[]")
    elif origin is dict:
        yield from card_fields(inner[1], f"{path}{{}}")
    elif isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        if kind.__name__ in STRANGERS:
            yield f"{path}: {kind.__name__}"
        for name, field in get_type_hints(kind).items():
            yield from card_fields(field, f"{path}.{name}")
    elif kind not in (str, int, bool, float, type(None)):
        yield f"{path}: {kind!r} may be anything"


def shown_types() -> tuple[type, ...]:
    return (View, *get_args(SeenEvent))


def test_cards_have_no_other_place_in_what_is_shown() -> None:
    """R3: the types of `View` and of every seen event, field by field."""
    found = {path for kind in shown_types() for path in card_fields(kind, kind.__name__)}
    assert found == set(MAY_HOLD_CARDS)


def test_every_event_has_a_seen_form_and_only_harmless_ones_are_shown_as_they_are() -> None:
    """Contract section 2: the four with hidden cards have counts instead."""
    hidden = {"CardsDealt", "PayoffsReshuffled", "StockShuffled", "PositionSet"}
    shown = {kind.__name__ for kind in get_args(SeenEvent)}
    assert {kind.__name__ for kind in get_args(Event)} - shown == hidden


def test_the_walk_over_the_types_finds_a_leak() -> None:
    """A field that holds a whole hand, a game, or just anything would be found."""

    class Leaky(View, frozen=True, kw_only=True):
        others: dict[str, tuple[Cards, ...]]
        game_itself: Game
        extra: Any

    found = set(card_fields(Leaky, "View")) - set(MAY_HOLD_CARDS)
    assert {"View.others{}[]", "View.game_itself: Game", "View.extra: typing.Any may be anything"} <= found


def walks() -> list[tuple[str, Rules]]:
    some = [(preset, rules_of(preset)) for preset in ALL_PRESETS]
    some += [("four with partners", rules_of("gatto-e-topo", seats=4, teams=True, payoff=12))]
    some += [(f"rules {number}", drawn_rules(number)) for number in range(40 if FULL else 12)]
    return some


def moments(rules: Rules, number: int) -> Iterator[tuple[Walk, Game, Events]]:
    """A walk's games before a commit, with that commit, at random moments."""
    walk = Walk(rules, number, uniform if number % 2 else eager)
    looks = 0
    while walk.game.result is None and looks < 12 and len(walk.commits) < 400:
        before = walk.game
        walk.step()
        if not looks or walk.rng.random() < 0.15:
            looks += 1
            yield walk, before, walk.commits[-1]


@pytest.mark.parametrize(("name", "rules"), [pytest.param(*pair, id=pair[0]) for pair in walks()])
def test_views_and_moves_and_refusals_hang_on_no_hidden_card(name: str, rules: Rules) -> None:
    """R3, R7: in another world that looks the same, all that a seat or a spectator is told is the same to the byte."""
    rng = random.Random(name)
    looked = asked = 0
    for walk, game, _ in moments(rules, 7):
        for viewer in (*range(rules.seats), None):
            other = other_world(game, viewer, rng)
            same_in_both(game, other, viewer)
            looked += other != game
        if not asked or rng.random() < 0.15:
            asked += 1
            assert game.turn is not None
            for seat in {game.turn.seat, rng.randrange(rules.seats)}:
                told = answers(game, seat, walk.seed)
                assert told == answers(other_world(game, seat, rng), seat, walk.seed)
                assert sum(answer == "done" for _, answer in told) == len(view(game, seat, name=None, version=0).legal)
    assert looked


@pytest.mark.parametrize(("name", "rules"), [pytest.param(*pair, id=pair[0]) for pair in walks()])
def test_what_others_see_of_a_move_hangs_on_no_hidden_card(name: str, rules: Rules) -> None:
    """Contract section 2: the same move in two worlds, seen by those who draw nothing by it, and the table afterwards.

    The worlds share the mover's hand and the card that a payoff play turns up: the move itself makes those public.
    """
    rng = random.Random(name)
    compared = 0
    for walk, game, events in moments(rules, 8):
        move = walk.last
        assert isinstance(move, MakeMove)
        for viewer in (*range(rules.seats), None):
            if viewer in drawing(events):
                continue
            other = other_world(game, viewer, rng, known=(move.seat,), under=1)
            there = decide(move, other, walk.seed)
            assert seen(events, viewer) == seen(there, viewer)
            same_in_both(fold(events, game), fold(there, other), viewer)
            compared += 1
            leaver = rng.randrange(rules.seats)
            if viewer not in drawing(decide(Resign(leaver), game, walk.seed)):
                assert resigning(game, leaver, viewer, walk.seed) == resigning(other, leaver, viewer, walk.seed)
    assert compared


def drawing(events: Events) -> set[Seat]:
    """Who draws a card in this commit."""
    return {event.seat for event in events if isinstance(event, CardsDrawn)}


def seen(events: Events, viewer: Viewer) -> bytes:
    return msgspec.json.encode([seen_by(event, viewer) for event in events])


def reshuffled(event: Event, viewer: Viewer, rng: random.Random) -> Event:
    """The event of another world: everything hidden in it lies differently."""
    match event:
        case CardsDealt() | PositionSet():
            hidden = [card for payoff in event.payoffs for card in payoff[:-1]] + list(event.stock)
            hidden += [card for seat, hand in enumerate(event.hands) if seat != viewer for card in hand]
            rng.shuffle(hidden)
            payoffs = tuple(tuple(hidden.pop() for _ in payoff[:-1]) + payoff[-1:] for payoff in event.payoffs)
            hands = tuple(
                hand if seat == viewer else tuple(hidden.pop() for _ in hand) for seat, hand in enumerate(event.hands)
            )
            return msgspec.structs.replace(event, payoffs=payoffs, hands=hands, stock=tuple(hidden))
        case PayoffsReshuffled(payoffs):
            return PayoffsReshuffled(
                {seat: (*rng.sample(payoff[:-1], len(payoff) - 1), payoff[-1]) for seat, payoff in payoffs.items()}
            )
        case StockShuffled(stock, returned):
            return StockShuffled(tuple(rng.sample(stock, len(stock))), returned)
        case CardsDrawn(seat, cards) if seat != viewer:
            return CardsDrawn(seat, tuple(rng.sample(ALL_CARDS, len(cards))))
        case _:
            return event


def test_events_that_hide_cards_look_the_same_whatever_they_hide() -> None:
    """R3, R4, contract section 2: deal, tie, position, shuffle and another's draw, for every seat and a spectator."""
    rng = random.Random("events")
    changed = set[str]()
    for number in range(16):
        walk = Walk(rules_of("gatto-e-topo", seats=3, completed="stock"), number, eager)
        for _ in range(90):
            walk.step()
        events = [event for commit in walk.commits for event in commit]
        events.append(PositionSet(**msgspec.structs.asdict(position_of(walk.game))))
        for event in events:
            for viewer in (0, 1, 2, None):
                other = reshuffled(event, viewer, rng)
                assert seen((event,), viewer) == seen((other,), viewer)
                if other != event:
                    changed.add(type(event).__name__)
    assert changed == {"CardsDealt", "PayoffsReshuffled", "PositionSet", "StockShuffled", "CardsDrawn"}


def test_a_seat_sees_its_own_draw_and_others_a_count() -> None:
    """R6, contract section 2: counts, never placeholders."""
    drawn = CardsDrawn(1, ("9h", "2c"))
    assert msgspec.json.decode(seen((drawn,), 1)) == [{"type": "CardsDrawn", "seat": 1, "cards": ["9h", "2c"]}]
    for viewer in (0, None):
        assert msgspec.json.decode(seen((drawn,), viewer)) == [{"type": "CardsDrawn", "seat": 1, "count": 2}]


def hand_of_the_next(game: Game, viewer: Viewer) -> bytes:
    """A view that leaks: the next seat's hand among one's own legal moves."""
    shown = view(game, viewer, name="g", version=7)
    following = ((-1 if viewer is None else viewer) + 1) % len(game.players)
    leak = tuple(f"{card}>c0" for card in game.players[following].hand)
    return msgspec.json.encode(msgspec.structs.replace(shown, legal=shown.legal + leak))


def next_payoff_card(game: Game, viewer: Viewer) -> bytes:
    """A view that leaks one card: what lies under the payoff top of seat 0."""
    return honest(game, viewer) + game.players[0].payoff[-2].encode()


def whether_the_next_draw_is_an_ace(game: Game, viewer: Viewer) -> bytes:
    """A view that leaks one bit of the stock."""
    return honest(game, viewer) + (b"!" if game.stock[-1][0] == "A" else b"")


def same_in_all(game: Game, others: list[Game], viewer: Viewer, look: Look) -> None:
    for other in others:
        same_in_both(game, other, viewer, look)


@pytest.mark.parametrize("leaky", [hand_of_the_next, next_payoff_card, whether_the_next_draw_is_an_ace])
def test_two_worlds_catch_a_view_that_leaks(leaky: Look) -> None:
    """The comparison can fail, for a seat and for a spectator."""
    rng = random.Random("leak")
    game = Walk(rules_of("gato-e-rato"), 7, eager).game
    for viewer in (0, 1, None):
        others = [other_world(game, viewer, rng) for _ in range(200)]
        with pytest.raises(AssertionError, match="can tell two worlds apart"):
            same_in_all(game, others, viewer, leaky)
        same_in_all(game, others, viewer, honest)
