"""How is somebody's bot put to the test from the terminal? `malice bot-check`: scenarios, then what it does wrong.

Law kept: exit 0 when nothing is wrong, 1 for findings, 2 for a command line that cannot be, 3 for a bot that cannot be
started.
"""

import asyncio
import sys
from collections.abc import Sequence
from contextlib import aclosing
from typing import Annotated, Any

import msgspec
import typer

DEFAULT_RULES = '{"preset": "gato-e-rato", "payoff": 5}'
ENDING_SECONDS = 5.0


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(bot_check)


def bot_check(
    bot: Annotated[str, typer.Argument(help="A command that plays one game, or the URL that takes invitations.")],
    scenario: Annotated[list[str] | None, typer.Option(help="This scenario only; may be given again.")] = None,
    seconds: Annotated[float, typer.Option(min=1, max=600, help="Longest time of a scenario.")] = 20,
    rules: Annotated[str, typer.Option(help="A preset's name, or rules as JSON.")] = DEFAULT_RULES,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")] = False,
) -> None:
    """Play games with a bot that speaks HTTP while everything goes wrong, and say what it does wrong.

    Lost connections, answers and events, refusals, restarts: docs/remote-bots.md explains them and every finding.
    """
    import structlog
    from rich.console import Console

    from events.game.presets import resolve
    from services.bot_check.run import Limits, chosen
    from services.cli.arena import asked_rules

    asked = asked_rules(rules)
    limits = Limits(seconds, min(ENDING_SECONDS, seconds))
    scenarios = chosen(scenario or ())
    # Whoever still reads the feed when the store is stopped has lost nothing, and no line of the output to say so in.
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger("critical"))
    outcomes = asyncio.run(_played(Console(stderr=True), bot, scenarios, resolve(asked), limits))
    clean = all(outcome.clean for outcome in outcomes)
    if as_json:
        told = {"bot": bot, "rules": asked, "clean": clean, "scenarios": outcomes}
        sys.stdout.write(msgspec.json.encode(told).decode() + "\n")
    else:
        _print(Console(), outcomes)
    if not clean:
        raise typer.Exit(1)


async def _played(errors: Any, bot: str, scenarios: Sequence[Any], rules: Any, limits: Any) -> list[Any]:
    from services.bot_check.run import check

    outcomes: list[Any] = []
    with errors.status("starting") as status:
        async with aclosing(check(bot, scenarios, rules, limits)) as played:
            status.update(scenarios[0].name)
            async for outcome in played:
                outcomes.append(outcome)
                status.update(scenarios[len(outcomes)].name if len(outcomes) < len(scenarios) else "stopping")
    return outcomes


def _print(console: Any, outcomes: Sequence[Any]) -> None:
    from rich.markup import escape
    from rich.table import Table

    from services.cli.errors import printable

    table = Table("scenario", "moves", "requests", "seconds", "found")
    for column in table.columns[1:4]:
        column.justify = "right"
    for one in outcomes:
        found = ", ".join(finding.finding for finding in one.findings) or "nothing"
        table.add_row(one.scenario, str(one.moves), str(one.requests), f"{one.seconds:.1f}", found)
    console.print(table)
    for one in outcomes:
        for finding in one.findings:
            kind = "hint" if finding.hint else "wrong"
            times = f", {finding.times} times" if finding.times > 1 else ""
            lines = (
                f"{kind}: [bold]{finding.finding}[/bold] in {one.scenario}{times}",
                f"  when:  {escape(one.about)}",
                f"  seen:  {escape(printable(finding.seen))}",
                f"  right: {escape(finding.right)}",
            )
            console.print("\n".join(lines), highlight=False, soft_wrap=True)
    wrong = sum(not finding.hint for one in outcomes for finding in one.findings)
    console.print(f"{len(outcomes)} scenario{'s' * (len(outcomes) > 1)}, {wrong or 'no'} finding{'s' * (wrong != 1)}")
