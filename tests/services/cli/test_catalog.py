"""`malice rules` and `malice bots`."""

import json

import msgspec

from events.game.presets import PRESETS
from events.game.rules import Rules
from services.cli.catalog import KNOBS
from tests.services.cli.conftest import Malice
from workers.bots.registry import BOTS


def test_every_knob_has_its_line_in_the_order_of_the_rules():
    assert list(KNOBS) == list(Rules.__struct_fields__)


def test_all_presets_stand_in_one_table_that_fits_the_terminal(malice: Malice):
    lines = malice("rules").stdout.splitlines()
    assert "                gatto-e-topo       gato-e-rato   spite-and-malice" in lines
    assert "payoff          20                 20 (5 to 20)  20" in lines
    assert "must_play       always (never)     never         never" in lines
    assert "wild            none               K             K" in lines
    assert {line.split()[0] for line in lines if line} >= set(KNOBS)
    assert max(map(len, lines)) <= 80


def test_one_preset_has_a_line_on_each_knob(malice: Malice):
    text = malice("rules", "gato-e-rato").stdout
    assert "\nside_stacks     4             open stacks of each seat [1 to 8]\n" in text
    assert max(map(len, text.splitlines())) <= 80


def test_rules_as_json_have_every_knob_and_every_allowed_value(malice: Malice):
    presets = json.loads(malice("rules", "--json").stdout)["presets"]
    assert [preset["name"] for preset in presets] == list(PRESETS)
    for preset in presets:
        assert preset["rules"] == msgspec.to_builtins(PRESETS[preset["name"]].rules)
    assert presets[0]["changes"]["seats"] == [2, 3, 4, 5, 6, 7, 8]
    assert json.loads(malice("rules", "--json", "gato-e-rato").stdout) == presets[1]


def test_a_preset_that_is_not_there_is_a_usage_error(malice: Malice):
    result = malice("rules", "poker")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        "malice: There is no preset 'poker'; there are gatto-e-topo, gato-e-rato, spite-and-malice.\n"
    )


def test_bots_are_listed_with_a_line_each(malice: Malice):
    assert "uniform  Any legal move, each as likely as the next.\n" in malice("bots").stdout
    bots = json.loads(malice("bots", "--json").stdout)["bots"]
    assert bots == [{"name": bot.name, "about": bot.about} for bot in BOTS.values()]
