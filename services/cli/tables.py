"""How does an arena's report look in a terminal?"""

from typing import Any

from rich.console import Console
from rich.table import Table


def print_report(console: Console, report: dict[str, Any]) -> None:
    """The standings, the pairs when there are more than two bots, and a line about the run."""
    console.print(_standings(report))
    if len(report["bots"]) > 2:
        console.print(_pairs(report))
    reasons = ", ".join(f"{count} {reason}" for reason, count in report["reasons"].items()) or "none"
    console.print(f"{report['done']} of {report['games']} games, seed {report['seed']}; ended by: {reasons}")
    console.print(
        f"{report['moves']:,} moves in {report['seconds']:.1f} s: "
        f"{report['games_per_second']:,.1f} games/s, {report['moves_per_second']:,.0f} moves/s"
    )


def _standings(report: dict[str, Any]) -> Table:
    table = Table("bot", "games", "wins", "draws", "losses", "score", "95 %", "Elo")
    _right(table)
    for row in report["bots"]:
        table.add_row(
            row["bot"],
            *(f"{row[name]:,}" for name in ("games", "wins", "draws", "losses")),
            f"{100 * row['score']:.1f} %",
            _interval(row["ci95"]),
            f"{row['rating']:+.0f}",
        )
    return table


def _pairs(report: dict[str, Any]) -> Table:
    table = Table("pair", "games", "wins", "draws", "losses", "score", "95 %")
    _right(table)
    for row in report["pairs"]:
        table.add_row(
            " v ".join(row["bots"]),
            *(f"{row[name]:,}" for name in ("games", "wins", "draws", "losses")),
            f"{100 * row['score']:.1f} %",
            _interval(row["ci95"]),
        )
    return table


def _right(table: Table) -> None:
    for column in table.columns[1:]:
        column.justify = "right"


def _interval(bounds: list[float] | None) -> str:
    return "–" if bounds is None else f"{100 * bounds[0]:.1f} – {100 * bounds[1]:.1f}"
