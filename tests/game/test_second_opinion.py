"""Do two programs written from the same text play the same game? `events.game` held against `tests.game.plain_game`.

Games over all presets and rules by lot: at every version the same legal moves and the same table, for every command the
same events, for every move that cannot be done the same code. `MALICE_FULL=1` plays a thousand and more of them.
"""

from typing import Any, Final

import msgspec
import pytest

from events.errors import BadPosition, Malformed, Reason, Rejected
from events.game.commands import Abandon, Command, Create, ExpireClock, Forfeit, MakeMove, Resign, Sit
from events.game.decide import decide
from events.game.events import Events
from events.game.evolve import fold
from events.game.legality import legal_moves
from events.game.moves import move_text, parse_move
from events.game.presets import PRESETS as PRESETS_HERE
from events.game.state import Game
from events.game.views import bare_view
from tests.game.plain_game import PRESETS, PlainGame, Refused
from tests.game.plain_log import plain_json
from tests.game.plain_play import Asked, Lot, do, drawn_position, drawn_seats
from tests.walks import FULL, drawn_rules, position_of

GAMES: Final = 1_200 if FULL else 32
TABLES: Final = 4_000 if FULL else 64
CHUNKS: Final = 40 if FULL else 8
OWN_CODE: Final = {Reason.GAME_OVER, Reason.NOT_STARTED, Reason.NOT_YOUR_TURN, Reason.SEAT_TAKEN}
"""Reasons that are codes of their own in section 5; the others are an `illegal_move`."""


def rules_for(number: int) -> dict[str, Any]:
    """The presets, with the changes that their texts allow, for one game in three; else rules by lot."""
    if number % 3:
        return msgspec.to_builtins(drawn_rules(number))
    seats = 2 + number // 9 % 7
    changes: dict[str, dict[str, Any]] = {
        "gatto-e-topo": {
            "seats": seats,
            "decks": seats,
            "must_play": ("always", "never")[number // 3 % 2],
            "teams": seats in (4, 6, 8),
            "team_win": ("all", "first")[number % 2] if seats in (4, 6, 8) else None,
        },
        "gato-e-rato": {"payoff": 5 + number % 16},
        "spite-and-malice": {},
    }
    name = tuple(changes)[number // 3 % 3]
    return PRESETS[name] | changes[name]


class Both:
    """One game in both programs, held together after every command."""

    def __init__(self, plain: PlainGame, lot: Lot, origin: int) -> None:
        self.plain = plain
        self.lot = lot
        self.origin = origin
        self.commits = 0
        self.refused = 0
        created, *rest = plain.commits[0][1]
        position = {name: value for event in rest for name, value in event.items() if event["type"] == "PositionSet"}
        position.pop("type", None)
        create = msgspec.convert(
            {"game": "plain", "rules": plain.rules, "seats": created["seats"], "forked_from": created["forked_from"]}
            | ({"position": position} if position else {}),
            Create,
        )
        self.game: Game = self.agree(plain.commits[0][1], decide(create, None, lot.seed), None)

    def to_the_end(self, forks: int = 0) -> "Both":
        """Every legal command is done in both, some nonsense refused by both, some tables played on as a fork."""
        while not self.plain.over:
            if self.lot.rng.random() < 0.3:
                self.refuse(self.lot.nonsense(self.plain))
            asked = self.lot.command(self.plain)
            ours = decide(self.command(asked), self.game, self.lot.seed)
            self.game = self.agree(do(self.plain, asked), ours, asked)
            if forks and not self.plain.over and self.plain.started and self.lot.rng.random() < 0.03:
                forks -= 1
                self.fork()
        for asked in (("move", 0, "p>c0"), ("resign", 0), ("clock",), ("abandon",), ("sit", 0, "late", "")):
            self.refuse(asked)
        return self

    def fork(self) -> None:
        """The table as it stands becomes another game, which is played on."""
        lot = Lot(self.lot.rng.randrange(10**9))
        origin = {"game": "plain", "version": self.commits}
        seats = [seat | {"entropy": ""} for seat in self.plain.table]
        plain = PlainGame(self.plain.rules, seats, lot.seed, self.plain.position(), forked_from=origin)
        forked = Both(plain, lot, self.origin).to_the_end()
        self.commits += forked.commits
        self.refused += forked.refused

    def agree(self, theirs: list[dict[str, Any]], ours: Events, asked: Asked | None) -> Game:
        """The game after these events, which are the same, as are the table that they leave and its legal moves."""
        self.commits += 1
        game = fold(ours, None if asked is None else self.game)
        where = f"game {self.origin}, commit {self.commits}, {asked}, {self.plain.rules}"
        assert text(ours) == plain_json(theirs), where
        if game.result is None and game.turn is not None:
            legal = [move_text(move) for move in legal_moves(bare_view(game, game.turn.seat, name=None, version=0))]
            assert sorted(legal) == sorted(self.plain.legal()), where
            assert legal, where
            assert text(position_of(game)) == plain_json(self.plain.position()), where
        return game

    def refuse(self, asked: Asked) -> None:
        """Nothing, or a command that neither does, and for the same reason; what would be done is left alone."""
        if (
            self.plain.started
            and not self.plain.over
            and asked[1] == self.plain.seat
            and asked[2] in self.plain.legal()
        ):
            return
        before = plain_json(self.plain.__dict__ | {"seed": ""})
        with pytest.raises(Refused) as theirs:
            do(self.plain, asked)
        with pytest.raises((Malformed, Rejected)) as ours:
            decide(self.command(asked), self.game, self.lot.seed)
        assert code(ours.value) == str(theirs.value), f"game {self.origin}, {asked}"
        assert plain_json(self.plain.__dict__ | {"seed": ""}) == before
        self.refused += 1

    def command(self, asked: Asked) -> Command:
        """The command in the words of `events.game`. Raises `Malformed`."""
        match asked:
            case ("move", seat, written):
                return MakeMove(seat, parse_move(written))
            case ("sit", seat, name, entropy):
                return Sit(name, entropy, seat)
            case ("resign", seat):
                return Resign(seat)
            case ("clock",):
                return ExpireClock(self.plain.seat)
            case ("forfeit", cause):
                return Forfeit(self.plain.seat, cause)
            case _:
                return Abandon()


def text(value: object) -> str:
    """A value of `events.game` as JSON in the plain form."""
    return plain_json(msgspec.json.decode(msgspec.json.encode(value)))


def code(error: Exception) -> str:
    """The word of section 5 for a refusal."""
    if isinstance(error, Rejected):
        return error.reason.value if error.reason in OWN_CODE else "illegal_move"
    return "malformed"


def test_the_presets_are_the_same_in_both() -> None:
    """The table of knobs, read twice."""
    assert {name: msgspec.to_builtins(preset.rules) for name, preset in PRESETS_HERE.items()} == PRESETS


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_two_programs_written_from_one_text_play_the_same_game(chunk: int) -> None:
    """Given rules and a lot, when both play by it, then events, tables, legal moves and refusals are the same."""
    for number in range(chunk, GAMES, CHUNKS):
        lot = Lot(number)
        both = Both(lot.create(rules_for(number)), lot, number).to_the_end(forks=number % 2)
        assert both.commits > 1
        assert both.refused >= 5


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_they_go_on_in_the_same_way_from_any_table(chunk: int) -> None:
    """Given a table by lot, then both play it on alike; where it leaves no legal move, no game begins with it."""
    begun = 0
    for number in range(chunk, TABLES, CHUNKS):
        lot = Lot(number)
        rules = rules_for(number)
        seats = drawn_seats(lot.rng, rules["seats"], may_be_open=False)
        plain = PlainGame(rules, seats, lot.seed, drawn_position(lot.rng, rules))
        if plain.legal():
            begun += Both(plain, lot, number).to_the_end().commits > 1
        else:
            with pytest.raises(BadPosition):
                Both(plain, lot, number)
    assert begun >= 6
