"""How does a rule read as a test? `given(position(…)).when(0, "7h>c2").then(CardPlayed).leaves(hand=4)`.

A position names only what the rule is about; the rest of the table is filled with cards that can do nothing. Every
commit on the way is held against what is always true (`tests.walks`).
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple, Self

import msgspec

from events.errors import Reason, Rejected
from events.game.cards import Card, Cards, pack
from events.game.decide import Abandon, Command, Create, ExpireClock, Forfeit, MakeMove, Resign, Sit, decide
from events.game.events import Event, Events, Position, SeatInfo
from events.game.evolve import fold
from events.game.legality import view
from events.game.moves import parse_move
from events.game.presets import PRESETS
from events.game.rules import Rules, Seat, check
from events.game.state import Game, Turn
from tests.game.box import Box, Pile, cards
from tests.walks import always_true, cards_on

SEED: Final = bytes(range(64))
ALL_PRESETS: Final = tuple(PRESETS)
WILD_PRESETS: Final = ("gato-e-rato", "spite-and-malice")


class Setup(NamedTuple):
    """Rules, and a position to start from (None: the game is dealt)."""

    rules: Rules
    position: Position | None
    seed: bytes = SEED


def rules_of(rules: str | Rules, **knobs: Any) -> Rules:
    """A preset's rules, or custom ones, with these knobs changed; packs and `team_win` follow the seats and teams."""
    if isinstance(rules, str):
        rules = PRESETS[rules].rules
    if "seats" in knobs:
        knobs.setdefault("decks", knobs["seats"])
    if knobs.get("teams"):
        knobs.setdefault("team_win", "all")
    return check(msgspec.structs.replace(rules, **knobs))


def position(
    rules: str | Rules = "gato-e-rato",
    *,
    payoffs: Sequence[Pile | int | None] = (),
    hands: Sequence[Pile | int | None] = (),
    sides: Sequence[Sequence[Pile]] = (),
    piles: Sequence[Pile] = (),
    stock: Pile | int = 30,
    aside: Pile | int = 0,
    seat: Seat = 0,
    turn: int = 9,
    passes: int = 0,
    resigned: tuple[Seat, ...] = (),
    **knobs: Any,
) -> Setup:
    """A table. A number instead of cards is so many that can do nothing; payoffs not named are 3, hands 5."""
    ruled = rules_of(rules, **knobs)
    centre = _padded([cards(pile) for pile in piles], ruled.centre_piles, ())
    stacks = [_padded([cards(pile) for pile in own], ruled.side_stacks, ()) for own in sides]
    stacks = _padded(stacks, ruled.seats, ((),) * ruled.side_stacks)
    wanted = [
        *(3 if pile is None else pile for pile in _padded(payoffs, ruled.seats, None)),
        *(5 if hand is None else hand for hand in _padded(hands, ruled.seats, None)),
        *(stock, aside),
    ]
    named: list[Card] = [card for pile in wanted if not isinstance(pile, int) for card in cards(pile)]
    named += [card for pile in (*centre, *(pile for own in stacks for pile in own)) for card in pile]
    box = Box(ruled, named, centre)
    filled = [box.take(pile) if isinstance(pile, int) else cards(pile) for pile in wanted]
    return Setup(
        ruled,
        Position(
            payoffs=tuple(filled[: ruled.seats]),
            hands=tuple(filled[ruled.seats : -2]),
            sides=tuple(stacks),
            piles=centre,
            stock=filled[-2],
            aside=filled[-1],
            seat=seat,
            turn=turn,
            passes=passes,
            resigned=resigned,
        ),
    )


def deal(rules: str | Rules, *, seed: bytes = SEED, **knobs: Any) -> Setup:
    """A game that is dealt."""
    return Setup(rules_of(rules, **knobs), None, seed)


def _padded(values: Sequence[Any], length: int, filler: Any) -> tuple[Any, ...]:
    return (*values, *[filler] * (length - len(values)))


def create(setup: Setup) -> Create:
    """The command that makes this game, people at every seat."""
    seats = tuple(SeatInfo(f"seat {seat}", "human", None, "") for seat in range(setup.rules.seats))
    return Create(game="g", rules=setup.rules, seats=seats, position=setup.position)


def given(setup: Setup) -> "Table":
    """The game of this position or deal, created."""
    return Table(decide(create(setup), None, setup.seed), setup.seed)


def facts(game: Game, seat: Seat) -> dict[str, Any]:
    """What may be said of a table: `hand`, `holds` and `sides` of this seat, `legal` of the seat to move."""
    players, result = game.players, game.result
    legal = sorted(view(game, game.turn.seat, name=None, version=0).legal) if game.turn else []
    return {
        "hand": len(players[seat].hand),
        "holds": sorted(players[seat].hand),
        "sides": _lists(players[seat].sides),
        "hands": [len(player.hand) for player in players],
        "payoff_left": [len(player.payoff) for player in players],
        "payoff_tops": [player.payoff_top for player in players],
        "stock": len(game.stock),
        "aside": len(game.aside),
        "piles": _lists(game.piles),
        "needs": [len(pile) + 1 if len(pile) < game.rules.top_rank else None for pile in game.piles],
        "turn": game.turn.seat if game.turn else None,
        "turn_number": game.turn.number if game.turn else None,
        "passes": game.passes,
        "resigned": [who for who, player in enumerate(players) if player.resigned],
        "legal": legal,
        "result": result.result if result else None,
        "winners": list(result.winners) if result else None,
        "reason": result.reason if result else None,
        "points": list(result.points) if result and result.points is not None else None,
    }


def _lists(piles: Iterable[Cards]) -> list[list[Card]]:
    return [list(pile) for pile in piles]


def _plain(name: str, value: Any) -> Any:
    """An expected value in the form of `facts`: texts of cards written out, order dropped where it means nothing."""
    if name == "holds":
        return sorted(cards(value))
    if name in ("piles", "sides"):
        return _lists(cards(pile) for pile in value)
    if name == "legal":
        return sorted(value)
    return list(value) if isinstance(value, tuple) else value


class Table:
    """A game under test: its commits so far, and what the last command came to."""

    def __init__(self, events: Events, seed: bytes) -> None:
        self.seed = seed
        self.commits = [events]
        self.game = fold(events)
        self.seat: Seat = self.game.turn.seat if self.game.turn else 0
        self.doing = "creating the game"
        self.refusal: Rejected | None = None
        self.pack = cards_on(self.game)
        always_true(self.game, self.pack)

    @property
    def turn(self) -> Turn:
        """Whose turn it is. Raises AssertionError when the game has not begun."""
        if self.game.turn is None:
            raise AssertionError("the game has not begun")
        return self.game.turn

    def when(self, seat: Seat, move: str) -> Self:
        """This seat asks for this move."""
        return self._do(MakeMove(seat, parse_move(move)), f"seat {seat}: {move}")

    def resigns(self, seat: Seat) -> Self:
        """This seat leaves."""
        return self._do(Resign(seat), f"seat {seat} resigns")

    def runs_out_of_time(self, seat: Seat) -> Self:
        """The clock of this seat expires."""
        return self._do(ExpireClock(seat), f"the clock of seat {seat}")

    def forfeits(self, seat: Seat) -> Self:
        """The bot at this seat fails."""
        return self._do(Forfeit(seat, "error"), f"the bot at seat {seat} fails")

    def sits(self, name: str, entropy: str = "") -> Self:
        """Somebody takes the first open seat."""
        return self._do(Sit(name, entropy), f"{name} sits down")

    def is_abandoned(self) -> Self:
        """Nobody plays any more."""
        return self._do(Abandon(), "abandoning")

    def then(self, *types: type[Event]) -> Self:
        """The last command was done, and its events are of these types, in this order."""
        self._not_refused()
        self._same("events", [kind.__name__ for kind in types], self._last())
        return self

    def then_is_done(self) -> Self:
        """The last command was done, whatever followed from it."""
        self._not_refused()
        return self

    def recording(self, **fields: Any) -> Self:
        """The first event of the last commit holds these values."""
        self._not_refused()
        for name, value in fields.items():
            self._same(name, value, getattr(self.commits[-1][0], name))
        return self

    def leaves(self, **expected: Any) -> Self:
        """The table afterwards: the names are those of `facts`; `legal_has` and `legal_lacks` list some moves."""
        self._not_refused()
        seen = facts(self.game, self.seat)
        for name, value in expected.items():
            if name in ("legal_has", "legal_lacks"):
                wanted = name == "legal_has"
                self._same(name, [], [move for move in value if (move in seen["legal"]) != wanted])
            elif name in seen:
                self._same(name, _plain(name, value), seen[name])
            else:
                raise AssertionError(f"nothing is known of {name!r}; there are {', '.join(seen)}")
        return self

    def refused(self, reason: Reason, *named: str) -> Self:
        """The last command was refused for this reason, with a sentence that names these; nothing has changed."""
        if self.refusal is None:
            raise AssertionError(f"{self.doing}: expected the refusal {reason.value}, but it was done: {self._last()}")
        self._same("refusal", reason, self.refusal.reason)
        if not str(self.refusal).endswith("."):
            raise AssertionError(f"{self.doing}: {self.refusal} is no sentence")
        self._same("not named", [], [value for value in named if value not in str(self.refusal)])
        self.refusal = None
        return self

    def _do(self, command: Command, doing: str) -> Self:
        self._not_refused()
        seat: Seat | None = getattr(command, "seat", None)  # whoever takes the first open seat names none
        self.doing, self.seat = doing, self.seat if seat is None else seat
        before = msgspec.json.encode(self.game)
        try:
            events = decide(command, self.game, self.seed)
        except Rejected as refusal:
            self.refusal = refusal
            if isinstance(command, MakeMove):
                to_move = self.game.turn is not None and self.turn.seat == command.seat
                legal = facts(self.game, command.seat)["legal"] if to_move else []
                self._same("the legal moves told with a refusal", legal, sorted(refusal.legal))
            self._same("the game after a refusal", before, msgspec.json.encode(self.game))
            return self
        self._same("the command decided again", events, decide(command, self.game, self.seed))
        self.game = fold(events, self.game)
        self.commits.append(events)
        if cards_on(self.game) and not self.pack:
            self.pack = Counter(pack(self.game.rules.decks, self.game.rules.jokers))
        always_true(self.game, self.pack)
        return self

    def _last(self) -> list[str]:
        return [type(event).__name__ for event in self.commits[-1]]

    def _not_refused(self) -> None:
        if self.refusal is not None:
            raise AssertionError(f"{self.doing}: refused as {self.refusal.reason.value}: {self.refusal}")

    def _same(self, what: str, expected: object, seen: object) -> None:
        if expected != seen:
            raise AssertionError(f"{self.doing}: {what}\n  expected {expected!r}\n  seen     {seen!r}")
