"""How are the cases of this folder played, and what must be seen of them? Their README, as code.

A `Driver` plays them somewhere: on the pure game (`tests.cases.core`), or over HTTP (`tests.cases.http`).
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

from events.game.rules import Seat

Case: TypeAlias = dict[str, Any]
FOLDER: Final = Path(__file__).parent
FIELDS: Final = {"id", "rule", "about", "rules", "seats", "position", "seat", "move", "moves", "match", "expect"}
NAMES: Final = {"piles_need": "needs", "turn_seat": "turn"}
"""Facts that the cases call by another name than `tests.spec.facts`."""
ASKED: Final = {"hand", "holds", "sides", "hands", "payoff_left", "payoff_tops", "stock", "aside", "piles"} | {
    "turn_number", "resigned", "legal", *NAMES,
}  # fmt: skip
"""What may be asked of a table by its name."""


def read() -> list[Case]:
    """All cases, those of matches too."""
    files = sorted(path for path in FOLDER.glob("*.json") if path.stem != "shuffle-vectors")
    return [case for path in files for case in json.loads(path.read_text(encoding="utf-8"))]


CASES: Final = read()
GAMES: Final = [case for case in CASES if "match" not in case]
"""The cases that are played."""


class Refusal(Exception):
    """What a command came to that was not done; `reason` and `legal` only where it was an illegal move."""

    def __init__(self, code: str, sentence: str, reason: str | None = None, legal: tuple[str, ...] = ()) -> None:
        super().__init__(sentence)
        self.code = code
        self.reason = reason
        self.legal = legal

    def told(self) -> tuple[str, str | None, tuple[str, ...]]:
        """What the refusal of an illegal move says."""
        return str(self), self.reason, self.legal


class Driver(Protocol):
    """Plays one case. What is not done is raised as `Refusal`."""

    def create(self, case: Case, seats: int) -> list[Any]:
        """Create the game; the events, as JSON, as the seat to move may know them."""
        ...

    def move(self, seat: Seat, move: Any) -> list[Any]:
        """This seat asks for this move, which need not be a text; the events, as it may know them."""
        ...

    def resign(self, seat: Seat) -> list[Any]:
        """This seat leaves; the events, as it may know them."""
        ...

    def to_move(self) -> Seat:
        """Whose turn it is."""
        ...

    def state(self) -> object:
        """Whatever a refusal must leave as it was: the version and all that anybody sees."""
        ...

    def facts(self, seat: Seat) -> dict[str, Any]:
        """The table by the names of `tests.spec.facts`; `hand`, `holds` and `sides` are of this seat."""
        ...


class Act(NamedTuple):
    """A step of a case: by `seat`, or by whoever is to move."""

    seat: Seat | None
    move: Any
    resigns: bool = False


def acts(case: Case) -> Iterator[Act]:
    """The steps after the creation, in any of the forms of the README."""
    if "move" in case:
        yield Act(case.get("seat"), case["move"])
    for step in case.get("moves", []):
        if isinstance(step, dict):
            yield Act(step.get("seat"), step.get("move"), step.get("resign", False))
        else:
            yield Act(None, step)


class Outcome(NamedTuple):
    """What the last step of a case came to."""

    refusal: Refusal | None
    unchanged: bool
    """Nobody can see that the last step was tried."""
    events: list[Any]
    seat: Seat
    """Whose hand is asked for: the case's seat, else who sent the last move, else the seat to move."""


def play(case: Case, driver: Driver) -> Outcome:
    """Everything but the last step must be accepted; the last may be refused."""
    steps = list(acts(case))
    asked = case.get("seats") or _seats(case)
    before, events, seat = driver.state(), list[Any](), case.get("seat", 0)
    try:
        events = driver.create(case, asked)
        seat = case.get("seat", driver.to_move())
        for number, act in enumerate(steps, start=1):
            before, who = driver.state(), driver.to_move() if act.seat is None else act.seat
            seat = case.get("seat", who)
            try:
                events = driver.resign(who) if act.resigns else driver.move(who, act.move)
            except Refusal:
                assert number == len(steps), f"step {number} of {len(steps)} is refused"
                raise
    except Refusal as refusal:
        assert steps == [] or events, "the creation is refused, and moves follow"
        return Outcome(refusal, before == driver.state(), events, seat)
    return Outcome(None, before == driver.state(), events, seat)


def _seats(case: Case) -> int:
    """As many as the position or the rules have, else 2."""
    rules = case["rules"]
    if "position" in case:
        return len(case["position"]["payoffs"])
    return rules.get("seats", 2) if isinstance(rules, dict) else 2


def check(case: Case, outcome: Outcome, driver: Driver) -> None:
    """Raises AssertionError when anything is seen that the case does not expect."""
    assert case.keys() <= FIELDS, "the README knows no such field"
    assert (outcome.refusal is None) != outcome.unchanged, "a refusal changes nothing, and all else does something"
    assert outcome.refusal is None or str(outcome.refusal), "a refusal says why"
    expected: dict[str, Any] = case["expect"]
    wanted = {name: sorted(value) if name in ("holds", "legal") else value for name, value in expected.items()}
    assert {name: seen(outcome, driver, name, value) for name, value in wanted.items()} == wanted


def seen(outcome: Outcome, driver: Driver, field: str, expected: Any) -> Any:
    """What there is to see of an expected field, in the form that it is expected in."""
    code = outcome.refusal.code if outcome.refusal else None
    if field == "accepted":
        return outcome.refusal is None
    if field == "code":
        return expected if code in ([expected] if isinstance(expected, str) else expected) else code
    if field == "events":
        return [event["type"] for event in outcome.events]
    if field == "first":
        return {name: outcome.events[0].get(name, "no such field") for name in expected}
    known = driver.facts(outcome.seat)
    if field == "result":
        return known["result"] and {name: known[name] for name in ("result", "winners", "reason", "points")}
    if field == "legal_has":
        return [move for move in expected if move in known["legal"]]
    if field == "legal_lacks":
        return [move for move in expected if move not in known["legal"]]
    if field in ASKED:
        return known[NAMES.get(field, field)]
    raise AssertionError(f"the README knows no expectation {field!r}")
