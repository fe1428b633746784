"""Perft: the numbers of ways to go on from fixed tables, counted twice and held against `tests/game/perft/*.json`.

By the list of legal moves, and by asking the rulebook about every move that can be written. `MALICE_FULL=1` counts
every row; without it the last two of each table are left out.
"""

from typing import Any, Final

import pytest

from tests.game.perft import COLUMNS, FAST, FILES, NUMBERS, PLAIN, counted, read
from tests.game.perft.__main__ import written
from tests.walks import FULL

TABLES: Final[list[tuple[str, Any, Any]]] = [
    (f"{path.stem}: {table['about']}", held["rules"], table)
    for path in FILES
    for held in (read(path),)
    for table in held["tables"]
]
every_table = pytest.mark.parametrize(("rules", "table"), [pytest.param(*rest, id=name) for name, *rest in TABLES])
PLAIN_NODES: Final = 60 if FULL else 8
"""Positions in which every move that can be written is tried: 1,271 texts each."""


def plain_depth(counts: list[dict[str, int]]) -> int:
    """How deep the slow way goes: at least one move, and on while it stays within `PLAIN_NODES`."""
    depth, nodes = 1, 1 + counts[0]["moves"]
    while depth < len(counts) and nodes <= PLAIN_NODES:
        nodes += counts[depth].get("moves", 0)
        depth += 1
    return depth


@every_table
def test_as_many_ways_to_go_on_as_were_counted(rules: Any, table: Any) -> None:
    """R7 to R21: plays, discards, passes, piles completed, shuffles, draws and ends, at all depths but the last two."""
    depth = max(len(table["counts"]) - 2 * (not FULL), 1)
    assert counted(FAST, rules, table, depth) == table["counts"][:depth]


@every_table
def test_the_table_in_numbers_makes_the_same_numbers(rules: Any, table: Any) -> None:
    """R7 to R21, at every depth but the last two (in the full run all)."""
    depth = max(len(table["counts"]) - 2 * (not FULL), 1)
    assert counted(NUMBERS, rules, table, depth) == table["counts"][:depth]


@every_table
def test_what_is_not_refused_makes_the_same_numbers(rules: Any, table: Any) -> None:
    """R7 to R21: nothing is legal that the list leaves out, and nothing on it is refused."""
    depth = plain_depth(table["counts"])
    assert counted(PLAIN, rules, table, depth) == table["counts"][:depth]


def test_the_tables_reach_every_column() -> None:
    """Each column is counted somewhere, even without the rows of the full run."""
    rows = [row for _, _, table in TABLES for row in table["counts"][:-1]]
    assert {name for row in rows for name in row} == set(COLUMNS)


def test_every_sequence_is_a_play_a_discard_or_a_pass() -> None:
    """R7, R14, R16: the columns of what a move can be add up to the moves."""
    kinds = ("hand", "payoff", "partner", "side", "discards", "passes")
    for _, _, table in TABLES:
        for row in table["counts"]:
            assert sum(row.get(kind, 0) for kind in kinds) == row.get("moves", 0)


def test_the_files_are_as_they_would_be_written() -> None:
    """So that counting anew changes no line but those of changed counts."""
    for path in FILES:
        assert path.read_text(encoding="utf-8") == written(read(path))
