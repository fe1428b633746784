"""Does the table in numbers go the way of the rulebook? A walk's game played beside it, and all of it compared."""

from typing import Any

import msgspec

from events.game.commands import MakeMove
from events.game.fast.bridge import game_of, table_of
from events.game.fast.codes import MOVE_CODES, MOVE_TEXTS, NONE
from events.game.fast.dice import Dice, RecordedDice, SeededDice
from events.game.fast.facts import events_of, packed
from events.game.fast.follow import follow
from events.game.fast.sight import Sight, legal, sight_of
from events.game.fast.table import Table, move_of
from events.game.fast.telling import told
from events.game.legality import legal_moves
from events.game.moves import move_text
from events.game.views import bare_view
from tests.walks import Walk

ALL_MOVES = list(MOVE_TEXTS)
CANONICAL = msgspec.json.Encoder(order="sorted")


class InNumbers:
    """Three tables that go along with a walk: one plays its moves, one records its facts, one checks them."""

    def __init__(self, walk: Walk) -> None:
        self.dice = SeededDice(walk.seed, [player.entropy for player in walk.game.players])
        self.recorded = RecordedDice()
        self.tables: tuple[Table, Table, Table]
        self.look(walk)

    def look(self, walk: Walk) -> None:
        """The walk has made a commit. Raises AssertionError where numbers and rulebook differ."""
        events, last = walk.commits[-1], walk.last
        facts = self.recorded.facts = packed(events)
        assert events_of(facts) == events
        assert f"[{told(facts)}]".encode() == CANONICAL.encode(events)
        if isinstance(last, MakeMove):
            move = MOVE_CODES[move_text(last.move)]
            assert move_of(facts) == move
            played, followed, checked = self.tables
            assert played.play(move) == facts
            assert follow(followed, facts) == (walk.game.result is not None)
            assert walk.game.result is not None or checked.checked(facts)
        elif walk.game.result is None:
            assert move_of(facts) == NONE
            recorded = table_of(walk.game, self.recorded)
            self.tables = (table_of(walk.game, self.dice), table_of(walk.game, Dice()), recorded)
        if walk.game.result is None:
            for table in self.tables:
                assert game_of(table, walk.game) == walk.game
            self.look_at_what_is_seen(walk)

    def look_at_what_is_seen(self, walk: Walk) -> None:
        """Each seat's sight is what its view tells, and the legal moves stand in the same order."""
        table = self.tables[0]
        for seat in range(walk.rules.seats):
            view = bare_view(walk.game, seat, name=None, version=0)
            assert parts(table.sights[seat]) == parts(sight_of(view))
            codes = legal(table.sights[seat])
            assert [MOVE_TEXTS[code] for code in codes] == [move_text(move) for move in legal_moves(view)]
            if seat == walk.turn.seat:
                some = ALL_MOVES[len(walk.commits) % 16 :: 16]
                assert all(table.allows(code) == (code in codes) for code in some)


def parts(sight: Sight) -> dict[str, Any]:
    """All that a sight holds, as plain values."""
    names = ("tops", "lefts", "hands", "sides", "resigned", "piles", "needs", "stock", "aside", "seat", "turn", "over")
    return {"seat": sight.seat, "hand": sight.hand} | {name: getattr(sight.board, name) for name in names}
