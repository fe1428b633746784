"""The cases of `tests/cases` on the pure game: positions, moves and what must come of them, as data (its README)."""

from typing import Any

import pytest

from events.game.events import Event
from events.game.match import add_points
from tests.cases import CASES, GAMES, Case, check, play, seen
from tests.cases.core import Core


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in GAMES])
def test_a_case(case: Case) -> None:
    """Section `cases` of the rulebook, one by one."""
    core = Core()
    check(case, play(case, core), core)


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES if "match" in case])
def test_a_match(case: Case) -> None:
    """R23: totals before the game and its points."""
    match = case["match"]
    totals, winner = add_points(tuple(match["totals"]), tuple(match["points"]), match["target"])
    assert {"totals": list(totals), "winner": winner} == case["expect"]


def test_every_case_has_a_name_of_its_own() -> None:
    """And there are as many as were written."""
    names = [case["id"] for case in CASES]
    assert len(names) == len(set(names)) >= 164


def test_an_unknown_expectation_fails() -> None:
    """Else a misspelt one would be green for ever."""
    core = Core()
    outcome = play({"rules": {"preset": "gato-e-rato"}, "expect": {}}, core)
    with pytest.raises(AssertionError, match="stokc"):
        seen(outcome, core, "stokc", 54)


@pytest.mark.parametrize(
    "wrong",
    [
        {"stock": 55},
        {"accepted": False},
        {"code": "bad_rules"},
        {"events": ["GameCreated"]},
        {"first": {"type": "CardsDealt"}},
        {"result": {"result": "won"}},
        {"legal_has": ["pass"]},
    ],
    ids=str,
)
def test_the_runner_sees_what_is_wrong(wrong: dict[str, Any]) -> None:
    """A case with one false expectation fails."""
    case = {"id": "x", "rule": "R2", "about": "", "rules": {"preset": "gato-e-rato"}, "expect": wrong}
    with pytest.raises(AssertionError):
        test_a_case(case)


def test_every_event_type_is_a_first_or_a_later_event_somewhere_or_is_none_of_the_cases() -> None:
    """The cases name events by their types; a misspelt type would be found here."""
    known = {kind.__name__ for kind in Event.__args__}
    named = {name for case in CASES for name in case["expect"].get("events", [])}
    assert named <= known
