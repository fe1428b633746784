"""A service may say more than this client knows: what is known is understood, the rest does no harm."""

from typing import Any

import msgspec
import pytest

from events.game import events, views
from events.game.events import GameCreated
from events.game.views import SawDeal, SawDraw, SawPayoffs, SawPosition, SawShuffle, View
from services.api import examples
from services.api.schemas import FULL_EVENTS, GameList, MatchState, Moved, RuleSets, SeenCommit
from services.client.reading import NotUnderstood, read, read_commit, read_events
from workers.arena.report import Report

ANSWERS = [
    (View, examples.view_of_a_seat),
    (Moved, examples.moved),
    (GameList, examples.game_list),
    (MatchState, examples.match_state),
    (RuleSets, examples.rule_sets),
    (Report, examples.arena_report),
]


def grown(value: Any) -> Any:
    """The same JSON of a later service: every object has a field more, but where names are values."""
    match value:
        case dict():
            return {name: _grown_field(name, part) for name, part in value.items()} | {"later": [1]}
        case list():
            return [grown(part) for part in value]
        case _:
            return value


def _grown_field(name: str, value: Any) -> Any:
    """Some fields are maps, from knobs, reasons or seats: whatever is in them is known."""
    if name in ("changes", "reasons", "losses_by"):
        return value
    if name == "payoffs" and isinstance(value, dict):
        return {seat: grown(part) for seat, part in value.items()}
    return grown(value)


def understood(body: bytes, kind: type[Any]) -> Any:
    """The answer, with its events if it has some."""
    told = read(body, kind)
    return msgspec.structs.replace(told, events=read_events(told.events)) if kind is Moved else told


@pytest.mark.parametrize(("kind", "example"), ANSWERS)
def test_an_answer_with_a_further_field_in_every_object_is_read_as_without(kind: type[Any], example: Any) -> None:
    told = msgspec.json.encode(example())
    later = msgspec.json.encode(grown(msgspec.json.decode(told)))
    assert understood(later, kind) == understood(told, kind)


@pytest.mark.parametrize(
    ("told", "kind"),
    [
        ({"type": "CardsDrawn", "seat": 0, "cards": ["7h"]}, events.CardsDrawn),
        ({"type": "CardsDrawn", "seat": 0, "count": 1}, SawDraw),
        ({"type": "StockShuffled", "stock": ["7h"], "returned": 1}, events.StockShuffled),
        ({"type": "StockShuffled", "count": 4, "returned": 1}, SawShuffle),
        ({"type": "PayoffsReshuffled", "payoffs": {"0": ["7h"]}}, events.PayoffsReshuffled),
        ({"type": "PayoffsReshuffled", "payoffs": {"0": {"top": "7h", "left": 3}}}, SawPayoffs),
        ({"type": "CardsDealt", "payoffs": [["7h"]], "hands": [["8h"]], "stock": []}, events.CardsDealt),
        (
            {"type": "CardsDealt", "payoffs": [{"top": None, "left": 0}], "hands": [["8h"]], "stock": {"count": 0}},
            SawDeal,
        ),
        ({"type": "TurnPassed", "seat": 1}, events.TurnPassed),
    ],
)
def test_an_event_is_of_its_form_as_it_is_or_with_counts_for_what_is_hidden(told: Any, kind: type[Any]) -> None:
    for one in (told, grown(told)):
        (event,) = read_events([one])
        assert type(event) is kind
        assert msgspec.json.decode(msgspec.json.encode(event)) == told


def test_a_position_is_read_with_open_cards_and_with_hidden_ones() -> None:
    position = events.PositionSet(
        payoffs=(("7h",),),
        hands=(("8h",),),
        sides=((("9h",),),),
        piles=(),
        stock=("Ah",),
        aside=(),
        seat=0,
        turn=1,
        passes=0,
        resigned=(),
    )
    for form, kind in ((position, events.PositionSet), (views.seen_by(position, 0), SawPosition)):
        (event,) = read_events([grown(msgspec.to_builtins(form))])
        assert type(event) is kind
        assert event == form


@pytest.mark.parametrize(
    "told", [{"type": "TableDusted"}, {"type": 7}, {}, {"type": "TurnPassed"}, {"type": "TurnPassed", "seat": "x"}, 3]
)
def test_an_event_that_is_not_known_stays_as_it_came(told: Any) -> None:
    assert read_events([told]) == (told,)


def test_every_event_of_an_example_game_is_known() -> None:
    for line in examples.commit_lines().splitlines():
        commit = read_commit(line)
        assert isinstance(commit, SeenCommit)
        assert all(type(event) in FULL_EVENTS or hasattr(event, "__struct_fields__") for event in commit.events)
    first = read_commit(examples.commit_lines().splitlines()[0])
    assert isinstance(first.events[0], GameCreated)


@pytest.mark.parametrize("body", [b"", b"{", b'{"version": "x"}', b"[]", b'"\xff"', b'{"version": 1}'])
def test_what_is_something_else_is_not_understood(body: bytes) -> None:
    with pytest.raises(NotUnderstood):
        read_commit(body)
