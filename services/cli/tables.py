"""How does an arena's report look in a terminal? Eighty columns are enough for it."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

MOST_PAIRS: Final = 45
"""Those of ten bots; more are no table that anybody reads."""


def print_report(console: Console, report: dict[str, Any]) -> None:
    """The standings, the pairs when there are more than two bots, the sequential test, and how the games went."""
    console.print(_standings(report))
    if len(report["bots"]) > 2 and len(report["pairs"]) <= MOST_PAIRS:
        console.print(_pairs(report))
    for line in _lines(report):
        console.print(escape(line), highlight=False)


def _standings(report: dict[str, Any]) -> Table:
    scored = any(row["points"] is not None for row in report["bots"])
    table = _table("bot", "games", "wins", "draws", "losses", "score", "95 %", "Elo", "95 %")
    if scored:
        table.add_column("points", justify="right", no_wrap=True)
    for row in report["bots"]:
        bounds = row["rating_ci95"]
        cells = [
            *_counts(row),
            f"{row['rating']:+.0f}",
            "–" if bounds is None else f"± {bounds[1] - row['rating']:.0f}",
        ]
        if scored:
            cells.append("–" if row["points"] is None else f"{row['points']:.2f}")
        table.add_row(escape(row["bot"]), *cells)
    return table


def _pairs(report: dict[str, Any]) -> Table:
    table = _table("pair", "games", "wins", "draws", "losses", "score", "95 %")
    for row in report["pairs"]:
        table.add_row(escape(" v ".join(row["bots"])), *_counts(row))
    return table


def _counts(row: Mapping[str, Any]) -> list[str]:
    counts = [f"{row[name]:,}" for name in ("games", "wins", "draws", "losses")]
    return [*counts, f"{100 * row['score']:.1f} %", _interval(row["ci95"])]


def _lines(report: dict[str, Any]) -> Iterator[str]:
    if report["sprt"] is not None:
        yield _test(report)
    ended = f"{report['done']:,} of {report['games']:,} games, {report['draws']:,} drawn, seed {report['seed']}"
    yield f"{ended}; ended by: {_listed(report['reasons'])}"
    for row in report["bots"]:
        if row["losses_by"].get("forfeit"):
            yield f"{row['bot']} forfeited {row['losses_by']['forfeit']:,} games"
    if report["length"] is not None:
        yield f"a game: {_spread(report['length'])} moves, {_spread(report['turns'])} turns"
        yield "score by seat: " + ", ".join(f"{100 * score:.1f} %" for score in report["seats"])
    if report["margin"] is not None:
        yield f"the winner of a game gets {report['margin']:.1f} points"
    pace = f"{report['games_per_second']:,.1f} games/s, {report['moves_per_second']:,.0f} moves/s"
    yield f"{report['moves']:,} moves in {report['seconds']:.1f} s: {pace}"


def _test(report: dict[str, Any]) -> str:
    test = report["sprt"]
    one, other = report["pairs"][0]["bots"] if report["pairs"] else ("the first bot", "the other")
    said = {
        "better": f"{one} is better than {other}",
        "no_difference": f"no difference: {one} is not better than {other}",
        "undecided": "undecided",
    }[test["verdict"]]
    bounds = f"LLR {test['llr']:+.2f}, bounds {test['lower']:+.2f} and {test['upper']:+.2f}"
    pairs = f"{test['pairs']:,} pairs: {' '.join(map(str, test['outcomes']))}"
    return f"SPRT {test['elo0']:g} to {test['elo1']:g} Elo: {said} ({bounds}; {pairs})"


def _table(first: str, *others: str) -> Table:
    table = Table(box=SIMPLE_HEAD, collapse_padding=True, pad_edge=False)
    table.add_column(first, overflow="fold", min_width=8)
    for name in others:
        table.add_column(name, justify="right", no_wrap=True)
    return table


def _interval(bounds: list[float] | None) -> str:
    return "–" if bounds is None else f"{100 * bounds[0]:.1f} – {100 * bounds[1]:.1f}"


def _spread(spread: Mapping[str, Any]) -> str:
    return f"{spread['mean']:.0f} ± {spread['sd']:.0f} ({spread['least']}–{spread['most']})"


def _listed(reasons: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {reason}" for reason, count in reasons.items()) or "none"
