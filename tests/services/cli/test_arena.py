"""A league in the terminal: the table, the document, the test that ends it, and the guide's own commands."""

import json
import re
import shlex
from io import StringIO
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
import typer.main
from rich.console import Console
from typer.core import TyperGroup

from services.api.arenas import NewArena
from services.cli import app
from services.cli.tables import print_report
from tests.services.cli.conftest import Malice

GUIDE = (Path(__file__).parents[3] / "docs" / "arenas.md").read_text()
SHORT = '{"preset": "gato-e-rato", "payoff": 5}'
LEAGUE = ("arena", "greedy", "uniform", "--local", "--rules", SHORT, "--seed", "x")


def test_the_table_fits_eighty_columns_and_says_it_all(malice: Malice):
    result = malice("arena", "greedy", "uniform", "--local", "--rules", "spite-and-malice", "--games", 4)
    assert result.exit_code == 0, result.stderr
    lines = result.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[1].split() == [
        "bot",
        "games",
        "wins",
        "draws",
        "losses",
        "score",
        "95",
        "%",
        "Elo",
        "95",
        "%",
        "points",
    ]
    for word in ("ended by:", "moves", "turns", "score by seat:", "drawn"):
        assert word in result.stdout


def test_the_document_has_the_fields_of_the_contract(malice: Malice):
    told = json.loads(malice(*LEAGUE, "--games", 4, "--json").stdout)
    assert {"arena", "rules", "games", "seed", "bots", "pairs", "moves", "seconds"} <= set(told)
    assert {"games_per_second", "moves_per_second"} <= set(told)
    fields = {"bot", "games", "wins", "draws", "losses", "score", "ci95", "rating", "rating_ci95"}
    assert all(fields <= set(row) for row in told["bots"])
    assert told["sprt"] is None


def test_a_league_stops_as_soon_as_it_is_known_who_is_better(malice: Malice):
    told = json.loads(malice(*LEAGUE, "--sprt", 0, 200, "--json").stdout)
    assert (told["status"], told["sprt"]["verdict"], told["games"]) == ("ended", "better", 20_000)
    assert told["done"] == 2 * told["sprt"]["pairs"] < 100
    text = " ".join(malice(*LEAGUE, "--sprt", 0, 200).stdout.split())
    assert "SPRT 0 to 200 Elo: greedy is better than uniform (LLR +" in text


def test_two_of_the_same_end_as_no_difference(malice: Malice):
    result = malice("arena", "greedy", "greedy", "--local", "--rules", SHORT, "--sprt", 0, 200, "--seed", "x")
    assert "no difference: greedy is not better than greedy#2" in " ".join(result.stdout.split())


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--sprt", 20, 0), "elo0 is 20 and elo1 0"),
        (("--sprt", 0), "requires 2 arguments"),
        (("--sprt", 0, "x"), "'--sprt'"),
        (("--sprt", 0, 5000), "elo1 is 5000"),
        (("--sprt", 0, 20, "--rules", '{"preset": "gatto-e-topo", "seats": 3}'), "two seats or two teams"),
    ],
)
def test_a_test_that_cannot_be_is_misuse(malice: Malice, words: tuple[Any, ...], complaint: str):
    result = malice(*LEAGUE, *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert complaint in result.stderr


def test_a_league_of_very_many_bots_shows_no_table_of_pairs_and_long_names_are_folded():
    console = Console(width=80, record=True, file=StringIO())
    name = "mypackage.a_long_module_name:choose"
    row: dict[str, Any] = {
        "bot": name, "games": 10_000, "wins": 5_000, "draws": 0, "losses": 5_000, "score": 0.5, "ci95": [0.4, 0.6],
        "rating": 0.0, "rating_ci95": [-9.0, 9.0], "points": 10.25, "losses_by": {"forfeit": 7},
    }  # fmt: skip
    report: dict[str, Any] = {
        "bots": [row] * 64, "pairs": [row | {"bots": [name, name]}] * 2016, "sprt": None, "done": 0, "games": 5,
        "draws": 0, "seed": None, "reasons": {}, "length": None, "margin": None, "moves": 0, "seconds": 0.0,
        "games_per_second": 0.0, "moves_per_second": 0.0,
    }  # fmt: skip
    print_report(console, report)
    lines = console.export_text().splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) < 500
    assert f"{name} forfeited 7 games" in lines


def commands() -> list[list[str]]:
    """The arenas that the guide starts, as words."""
    found = re.findall(r"^python3 dev\.py (arena .*)$", GUIDE, flags=re.MULTILINE)
    return [shlex.split(line, comments=True) for line in found]


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_the_commands_of_the_guide_do_what_it_says(malice: Malice, words: list[str]):
    """Those that need no service are run; of the others it is looked whether there is such a command."""
    if "--local" in words:
        assert malice(*words).exit_code == 0
    else:
        command = cast(TyperGroup, typer.main.get_command(app)).commands[words[0]]
        assert command.make_context(words[0], words[1:]).params["bots"] == ["greedy", "uniform"]


def test_the_bodies_of_the_guide_are_taken():
    (told,) = re.findall(r"^```json\n(.*?)^```", GUIDE, flags=re.MULTILINE | re.DOTALL)
    (posted,) = re.findall(r"-d '(.*?)'", GUIDE)
    for body in (told, posted):
        assert msgspec.json.decode(body, type=NewArena).bots == ["greedy", "uniform"]
