"""What is there to choose from? `malice rules`: presets with every knob. `malice bots`: names with a line each."""

import textwrap
from collections.abc import Container
from shutil import get_terminal_size
from typing import Annotated, Any, Final

import typer

from services.cli.errors import printable

KNOBS: Final[dict[str, tuple[str, str]]] = {
    "seats": ("how many play", "2 to 8"),
    "decks": ("52-card packs", "1 to 8"),
    "jokers": ("jokers in all, always wild", "0 to 16"),
    "payoff": ("cards of each payoff; who empties theirs first wins", "1 to 40"),
    "hand": ("cards that a hand is filled up to", "1 to 10"),
    "centre_piles": ("shared places in the middle", "1 to 8"),
    "side_stacks": ("open stacks of each seat", "1 to 8"),
    "top": ("the rank that completes a centre pile", "Q, K"),
    "wild": ("the rank that stands for whatever a pile needs", "none with top K, K with top Q"),
    "wild_may_start": ("may a wild be the ace of an empty place?", "yes, no; none where nothing is wild"),
    "wild_on_wild": ("may a wild lie on a wild?", "yes, no; none where nothing is wild"),
    "completed": ("where a completed pile goes", "stock, aside"),
    "starter": ("who starts: by payoff tops, by lot, or seat 0", "highest, lowest, random, first"),
    "refill": ("is a hand emptied by a play refilled at once?", "yes, no"),
    "must_play": ("plays that forbid to end the turn", "never, aces, aces_and_twos, always"),
    "discard": ("what may be discarded while there is other", "any, no_aces, no_wilds"),
    "exhaustion": ("when the stock is used up: play on, fewest payoff cards win, or a draw", "blocked, fewest, draw"),
    "exhaustion_at": ("used up: no card left, or a draw falls short", "zero, short; none with blocked"),
    "teams": ("are seats of equal parity partners?", "yes, no; yes from 4 seats, even"),
    "team_win": ("a team wins when all its payoffs are empty, or the first", "all, first; none without teams"),
    "points": ("the winner scores the payoff cards left to others", "none, left; none with teams"),
    "match": ("points that end a match", "none, or from 1; needs points"),
    "turn_limit": ("turns after which the game ends as if blocked", "10 to 10000"),
}
"""Every knob of `Rules`: a line about it, and what rules of one's own may choose."""


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(rules)
    app.command()(bots)


def rules(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="A preset.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")] = False,
) -> None:
    """Show the written rule sets, or one with a line on each knob."""
    import msgspec

    from events.game.presets import PRESETS, resolve

    if name is not None:
        resolve(name)
    chosen = {name: PRESETS[name]} if name is not None else PRESETS
    if as_json:
        from services.api.schemas import RuleSets, rule_set

        sets = tuple(map(rule_set, chosen))
        typer.echo(msgspec.json.encode(RuleSets(sets) if name is None else sets[0]))
        return
    for one, preset in chosen.items():
        _print_wrapped(f"{one}: ", preset.about)
    typer.echo("")
    cells = {one: _cells(msgspec.to_builtins(preset.rules), preset.changes) for one, preset in chosen.items()}
    if name is None:
        _print_table([("", *chosen), *((knob, *(cells[one][knob] for one in chosen)) for knob in KNOBS)])
        typer.echo("\nIn brackets: changes that the preset allows. `malice rules NAME` explains knobs.")
    else:
        widths = [max(map(len, column)) for column in zip(*cells[name].items(), strict=True)]
        for knob, (line, own) in KNOBS.items():
            _print_wrapped(f"{knob:<{widths[0]}}  {cells[name][knob]:<{widths[1]}}  ", f"{line} [{own}]")
        typer.echo("\n(Changes that the preset allows.) [What rules of your own may choose.]")


def bots(
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")] = False,
) -> None:
    """Show the bots that can be seated or sent to an arena: this program's, MALICE_BOTS, and installed packages'."""
    from services.cli.serve import settings_here
    from services.own_bots import roster_of

    with roster_of(settings_here()) as roster:
        lines = roster.lines(reasons=True)
    if as_json:
        import msgspec

        from services.api.schemas import BotLine, BotList

        typer.echo(msgspec.json.encode(BotList(tuple(BotLine(name, about) for name, about in lines.items()))))
        return
    for name, about in lines.items():
        _print_wrapped(f"{printable(name):<{max(map(len, lines))}}  ", printable(about))


def _cells(knobs: dict[str, object], changes: dict[str, Container[Any]]) -> dict[str, str]:
    """Every knob's value, and in brackets what it may be changed to."""
    return {
        knob: _word(value) + (f" ({_choices(changes[knob], value)})" if knob in changes else "")
        for knob, value in knobs.items()
    }


def _print_table(rows: list[tuple[str, ...]]) -> None:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)]
        line = "  ".join(cells).rstrip()
        typer.echo(typer.style(line, bold=True) if row is rows[0] else line)


def _print_wrapped(start: str, text: str) -> None:
    """The text after `start`, its further lines below its first."""
    width = max(get_terminal_size().columns, len(start) + 30)
    typer.echo(textwrap.fill(text, width, initial_indent=start, subsequent_indent=" " * len(start)))


def _choices(allowed: Container[Any], but: object) -> str:
    if isinstance(allowed, range):
        return f"{allowed.start} to {allowed.stop - 1}"
    return ", ".join(_word(value) for value in allowed if value != but) if isinstance(allowed, tuple) else ""


def _word(value: object) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case _:
            return str(value)
