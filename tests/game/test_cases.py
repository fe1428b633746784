"""The cases of `tests/cases` on the pure game: positions, moves and what must come of them, as data (its README)."""

import json
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from events.errors import BadPosition, BadRules, Malformed, MaliceError, Reason, Rejected
from events.game.decide import Command, Create, MakeMove, Resign, decide
from events.game.events import Event, Events, Position, SeatInfo
from events.game.evolve import fold
from events.game.match import add_points
from events.game.moves import parse_move
from events.game.presets import resolve
from events.game.state import Game
from tests.spec import SEED, facts
from tests.walks import always_true, cards_on

FOLDER: Final = Path(__file__).parent.parent / "cases"
FILES: Final = sorted(path for path in FOLDER.glob("*.json") if path.stem != "shuffle-vectors")
CASES: Final = [case for path in FILES for case in json.loads(path.read_text(encoding="utf-8"))]
FIELDS: Final = {"id", "rule", "about", "rules", "seats", "position", "seat", "move", "moves", "match", "expect"}
NAMES: Final = {"piles_need": "needs", "turn_seat": "turn"}
"""Facts that the cases call by another name."""
TABLE: Final = (
    {
        name: name
        for name in ("hand", "holds", "sides", "hands", "payoff_left", "payoff_tops", "stock", "aside", "piles")
    }
    | {name: name for name in ("turn_number", "resigned", "legal")}
    | NAMES
)


def code_of(error: MaliceError | msgspec.ValidationError) -> str:
    """The `code` under which the service would answer this (contract, section 5)."""
    match error:
        case Malformed() | msgspec.ValidationError():
            return "malformed"
        case BadRules():
            return "bad_rules"
        case BadPosition():
            return "bad_position"
        case Rejected(reason=Reason.GAME_OVER | Reason.NOT_STARTED | Reason.NOT_YOUR_TURN | Reason.SEAT_TAKEN):
            return error.reason.value
        case Rejected():
            return "illegal_move"
        case _:
            raise error


class Run:
    """A case being played: the game so far, its last commit, and the refusal when there was one."""

    def __init__(self, case: dict[str, Any]) -> None:
        self.case = case
        self.game: Game | None = None
        self.last: Events = ()
        self.version = 0
        self.refused: str | None = None
        self.sentence = ""
        self.unchanged = False
        self.seat = 0
        """Whose hand is asked for: the case's seat, else who sent the last move, else the seat to move."""

    def create(self) -> None:
        rules = resolve(self.case["rules"])
        position = self.case.get("position")
        asked = self.case.get("seats", len(position["payoffs"]) if position else rules.seats)
        seats = tuple(SeatInfo(f"seat {seat}", "human", None, "") for seat in range(asked))
        placed = None if position is None else msgspec.convert(position, Position)
        self.commit(Create(game="case", rules=rules, seats=seats, position=placed))
        self.seat = self.case.get("seat", self.to_move())

    def move(self, step: Any) -> None:
        """One step of the case, in any of the forms of the README."""
        seat = self.to_move()
        resigns = False
        if isinstance(step, dict) and {"move", "resign"} & step.keys():
            seat = step.get("seat", seat)
            resigns = step.get("resign", False)
            step = step.get("move")
        elif "move" in self.case:
            seat = self.case.get("seat", seat)
        self.seat = self.case.get("seat", seat)
        if resigns:
            self.commit(Resign(seat))
            return
        if not isinstance(step, str):
            raise Malformed(f"{step!r} is no text.")
        self.commit(MakeMove(seat, parse_move(step)))

    def to_move(self) -> int:
        assert self.game is not None
        assert self.game.turn is not None
        return self.game.turn.seat

    def commit(self, command: Command) -> None:
        self.last = decide(command, self.game, SEED)
        self.game = fold(self.last, self.game)
        self.version += 1
        always_true(self.game, cards_on(self.game))

    def play(self) -> None:
        """Everything but the last step must be accepted; the last may be refused."""
        steps = [self.case["move"]] if "move" in self.case else self.case.get("moves", [])
        doing = [self.create, *[lambda step=step: self.move(step) for step in steps]]
        for act in doing[:-1]:
            act()
        before = (self.version, msgspec.json.encode(self.game))
        try:
            doing[-1]()
        except (MaliceError, msgspec.ValidationError) as error:
            self.refused = code_of(error)
            self.sentence = str(error)
            self.unchanged = before == (self.version, msgspec.json.encode(self.game))

    def seen(self, field: str, expected: Any) -> Any:
        """What the table says to an expected field, in the form that it is expected in."""
        if field == "accepted":
            return self.refused is None
        if field == "code":
            return expected if self.refused in ([expected] if isinstance(expected, str) else expected) else self.refused
        if field == "events":
            return [type(event).__name__ for event in self.last]
        if field == "first":
            first: dict[str, Any] = msgspec.to_builtins(self.last[0])
            return {name: first.get(name, "no such field") for name in expected}
        assert self.game is not None
        known = facts(self.game, self.seat)
        if field == "result":
            return known["result"] and {name: known[name] for name in ("result", "winners", "reason", "points")}
        if field == "legal_has":
            return [move for move in expected if move in known["legal"]]
        if field == "legal_lacks":
            return [move for move in expected if move not in known["legal"]]
        if field in TABLE:
            return known[TABLE[field]]
        raise AssertionError(f"the README knows no expectation {field!r}")


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES])
def test_a_case(case: dict[str, Any]) -> None:
    """Section `cases` of the rulebook, one by one."""
    assert case.keys() <= FIELDS, "the README knows no such field"
    expected: dict[str, Any] = case["expect"]
    if "match" in case:
        match = case["match"]
        totals, winner = add_points(tuple(match["totals"]), tuple(match["points"]), match["target"])
        assert {"totals": list(totals), "winner": winner} == expected
        return
    run = Run(case)
    run.play()
    assert (run.refused is None) != run.unchanged, "a refusal changes nothing"
    assert (run.refused is None) != bool(run.sentence), "a refusal says why"
    wanted = {name: sorted(value) if name in ("holds", "legal") else value for name, value in expected.items()}
    assert {name: run.seen(name, value) for name, value in wanted.items()} == wanted


def test_every_case_has_a_name_of_its_own() -> None:
    """And there are as many as were written."""
    names = [case["id"] for case in CASES]
    assert len(names) == len(set(names)) >= 164


def test_an_unknown_expectation_fails() -> None:
    """Else a misspelt one would be green for ever."""
    run = Run({"rules": {"preset": "gato-e-rato"}, "expect": {}})
    run.play()
    with pytest.raises(AssertionError, match="stokc"):
        run.seen("stokc", 54)


def test_the_runner_sees_what_is_wrong() -> None:
    """A case with one false number fails."""
    case = {"id": "x", "rule": "R2", "about": "", "rules": {"preset": "gato-e-rato"}, "expect": {"stock": 55}}
    with pytest.raises(AssertionError):
        test_a_case(case)


def test_every_event_type_is_a_first_or_a_later_event_somewhere_or_is_none_of_the_cases() -> None:
    """The cases name events by their types; a misspelt type would be found here."""
    known = {kind.__name__ for kind in Event.__args__}
    named = {name for case in CASES for name in case["expect"].get("events", [])}
    assert named <= known
