"""How many ways can a game go on? Counted to the last one, as chess programs are tested: a perft.

Each JSON file beside this one holds `rules`, as `POST /v1/games` takes them, and `tables`. A table is dealt from `seed`
(the number as 64 bytes, big-endian; seats without entropy), or starts from its `position`, goes on by `after` moves of
`walked`, and has `counts`: row d says of all sequences of d moves how many there are (`moves`) and what their last
moves did. What a row does not name is 0. A move is one command with all its consequences; an ended game goes no
further.

    hand, payoff, partner, side     plays, by where the card came from
    discards, passes                what else a move can be
    completed, shuffled, drawn      piles completed, stocks shuffled, cards drawn
    won, drawn_games                games that ended, by their result

`python -m tests.game.perft` counts anew, as deep as before, and rewrites the files.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final, Generic, NamedTuple, TypeAlias, TypeVar

import msgspec

from events.errors import Rejected
from events.game.decide import Create, MakeMove, decide, decide_by
from events.game.events import (
    CardDiscarded,
    CardPlayed,
    CardsDrawn,
    Event,
    Events,
    GameEnded,
    PileCompleted,
    Position,
    SeatInfo,
    StockShuffled,
    TurnPassed,
)
from events.game.evolve import fold
from events.game.fast.bridge import game_of, table_of
from events.game.fast.codes import MOVE_CODES, MOVE_TEXTS
from events.game.fast.dice import Dice, SeededDice
from events.game.fast.facts import events_of
from events.game.fast.sight import legal
from events.game.legality import legal_moves
from events.game.moves import MOVES, move_text
from events.game.presets import resolve
from events.game.rules import Seat
from events.game.shuffle import SeededDice as RulebookDice
from events.game.state import Game
from events.game.views import bare_view

S = TypeVar("S")
Row: TypeAlias = Counter[str]
COLUMNS: Final = (
    *("moves", "hand", "payoff", "partner", "side", "discards", "passes"),
    *("completed", "shuffled", "drawn", "won", "drawn_games"),
)
FILES: Final = sorted(Path(__file__).parent.glob("*.json"))


class Engine(NamedTuple, Generic[S]):
    """A way to play: whatever a state is to it."""

    legal: Callable[[S], Iterable[str]]
    """The moves of the seat to move; none after the end."""
    apply: Callable[[S, str], tuple[S, Row]]
    """The state after a move, and what the move did."""


def perft(engine: Engine[S], state: S, depth: int) -> list[Row]:
    """Row d - 1 counts the sequences of d moves, by what their last moves did."""
    rows: list[Row] = [Counter() for _ in range(depth)]
    _count(engine, state, rows, 0)
    return rows


def _count(engine: Engine[S], state: S, rows: list[Row], depth: int) -> None:
    row = rows[depth]
    for text in engine.legal(state):
        after, did = engine.apply(state, text)
        row["moves"] += 1
        for name, times in did.items():
            row[name] += times
        if depth + 1 < len(rows):
            _count(engine, after, rows, depth + 1)


def walked(engine: Engine[S], state: S, moves: int) -> S:
    """The state after so many moves, each chosen by the legal texts alone.

    A payoff card, one's own before a partner's; else any other play; else the highest discard, on the stack of its rank
    (modulo the stacks); of equals the first in the order of texts. Else pass.
    """
    for _ in range(moves):
        texts = sorted(engine.legal(state))
        plays = [text for text in texts if ">c" in text]
        payoff = sorted((text for text in plays if text[0] == "p"), key=len)
        state, _ = engine.apply(state, (payoff or plays or [_discard(texts)])[0])
    return state


def _discard(texts: list[str]) -> str:
    rank = max("A23456789TJQK*".find(text[0]) for text in texts)
    highest = [text for text in texts if "A23456789TJQK*".find(text[0]) == rank]
    stacks = {text[-1] for text in highest}
    return next(text for text in highest if rank < 0 or text[-1] == str(rank % len(stacks)))


class Start(NamedTuple):
    """A game, and the seed of its shuffles."""

    game: Game
    seed: bytes


def started(rules: Any, table: Any) -> Start:
    """The game of this table before its walk, every seat without entropy."""
    resolved = resolve(rules)
    seats = tuple(SeatInfo(f"seat {seat}", "human", None, "") for seat in range(resolved.seats))
    position = msgspec.convert(table["position"], Position) if "position" in table else None
    seed = table["seed"].to_bytes(64, "big")
    return Start(fold(decide(Create(game="perft", rules=resolved, seats=seats, position=position), None, seed)), seed)


def counted(engine: Engine[Start], rules: Any, table: Any, depth: int) -> list[dict[str, int]]:
    """What the first rows of this table's `counts` ought to be, counted by this engine."""
    rows = perft(engine, walked(FAST, started(rules, table), table["after"]), depth)
    return [{name: row[name] for name in COLUMNS if row[name]} for row in rows]


def _legal(start: Start) -> list[str]:
    game = start.game
    return [move_text(move) for move in legal_moves(bare_view(game, _to_move(game), name=None, version=0))]


def _apply(start: Start, text: str) -> tuple[Start, Row]:
    game, seed = start
    draft = decide_by(MakeMove(_to_move(game), MOVES[text]), game, RulebookDice(seed))
    return Start(draft.game, seed), _did(draft.events)


FAST: Final = Engine(_legal, _apply)
"""What the service does: the list of legal moves, and the game that `decide_by` leaves."""


def _not_refused(start: Start) -> list[str]:
    """Every text of the notation, tried one by one."""
    return [text for text in MOVES if _tried(start, text) is not None]


def _tried(start: Start, text: str) -> Events | None:
    try:
        return decide(MakeMove(_to_move(start.game), MOVES[text]), start.game, start.seed)
    except Rejected:
        return None


def _folded(start: Start, text: str) -> tuple[Start, Row]:
    events = decide(MakeMove(_to_move(start.game), MOVES[text]), start.game, start.seed)
    return Start(fold(events, start.game), start.seed), _did(events)


PLAIN: Final = Engine(_not_refused, _folded)
"""The rulebook asked about every move that can be written, and the events folded: slow."""


def _legal_in_numbers(start: Start) -> list[str]:
    if start.game.result is not None:
        return []
    table = table_of(start.game, Dice())
    return [MOVE_TEXTS[move] for move in legal(table.sights[table.board.seat])]


def _played_in_numbers(start: Start, text: str) -> tuple[Start, Row]:
    table = table_of(start.game, SeededDice(start.seed, [player.entropy for player in start.game.players]))
    events = events_of(table.play(MOVE_CODES[text]))
    after = game_of(table, start.game)
    return Start(fold(events[-1:], after) if table.board.over else after, start.seed), _did(events)


NUMBERS: Final = Engine(_legal_in_numbers, _played_in_numbers)
"""The table in numbers."""


def _to_move(game: Game) -> Seat:
    return game.turn.seat if game.turn is not None else 0


def _did(events: Iterable[Event]) -> Row:
    row: Row = Counter()
    for event in events:
        match event:
            case CardPlayed(seat, source, owner):
                row["partner" if source == "payoff" and owner != seat else source] += 1
            case CardDiscarded():
                row["discards"] += 1
            case TurnPassed():
                row["passes"] += 1
            case PileCompleted():
                row["completed"] += 1
            case StockShuffled():
                row["shuffled"] += 1
            case CardsDrawn(_, cards):
                row["drawn"] += len(cards)
            case GameEnded(result):
                row["won" if result == "won" else "drawn_games"] += 1
            case _:
                pass
    return row


def read(path: Path) -> dict[str, Any]:
    """A file's rules and tables."""
    return json.loads(path.read_text(encoding="utf-8"))
