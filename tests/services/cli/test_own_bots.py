"""A bot of one's own on the command line and in a deployment: by import path, by MALICE_BOTS, and never over HTTP."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.live import eventually, running_service
from tests.services.cli.conftest import Malice, Stub

GUIDE = (Path(__file__).parents[3] / "docs" / "bots.md").read_text()
BAD = """
def raises(view, rng):
    '''Never plays.'''
    return view.legal[99]
"""
SHORT = '{"preset": "gato-e-rato", "payoff": 5}'


@pytest.fixture
def mybot(tmp_path: Path) -> Path:
    """The guide's bot, and a bad one, where the command is given."""
    (code,) = re.findall(r"^```python\n(.*?)^```", GUIDE, flags=re.MULTILINE | re.DOTALL)
    (tmp_path / "mybot.py").write_text(code)
    (tmp_path / "bad.py").write_text(BAD)
    return tmp_path


def test_the_guides_bot_has_twenty_lines_and_beats_chance(malice: Malice, mybot: Path) -> None:
    lines = [line for line in (mybot / "mybot.py").read_text().splitlines() if line and '"""' not in line]
    assert len(lines) <= 20
    told = malice("arena", "mybot:choose", "uniform", "--local", "--games", 40, "--seed", "guide", "--json")
    first = json.loads(told.stdout)["bots"][0]
    assert first["bot"] == "mybot:choose"
    assert first["score"] > 0.7
    assert "forfeit" not in first["reasons"]


def test_a_local_arena_says_why_a_bot_forfeits(malice: Malice, mybot: Path) -> None:
    told = malice("arena", "bad:raises", "mybot:choose", "--local", "--games", 4, "--json")
    (forfeit,) = " ".join(told.stderr.split()).split("bad:raises forfeits ")[1:]
    assert re.match(r"\(error\): IndexError: tuple index out of range \(.*bad\.py, line 4\)$", forfeit)
    assert json.loads(told.stdout)["reasons"] == {"forfeit": 4}


@pytest.mark.parametrize(
    ("bot", "sentence"),
    [
        ("nobot:choose", "The bot 'nobot:choose' cannot be loaded: ModuleNotFoundError: No module named 'nobot'"),
        ("mybot:play", "The bot 'mybot:play' cannot be loaded: AttributeError: module 'mybot' has no attribute 'play'"),
        ("my-bot.py:choose", "'my-bot.py:choose' is not an import path such as mypackage.mybot:choose."),
        ("mybot", "There is no bot 'mybot'; there are uniform, eager, greedy, planner."),
    ],
)
def test_what_is_no_bot_is_refused_before_any_game(malice: Malice, mybot: Path, bot: str, sentence: str) -> None:
    result = malice("arena", bot, "greedy", "--games", 4)
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"malice: {sentence}\n")


def test_bots_are_listed_with_those_of_the_setting(malice: Malice, mybot: Path) -> None:
    bots = "zed=bad:raises, mybot:choose, nobot:choose"
    listed = {
        bot["name"]: bot["about"] for bot in json.loads(malice("bots", "--json", MALICE_BOTS=bots).stdout)["bots"]
    }
    assert listed["zed"] == "Never plays."
    assert listed["mybot:choose"] == "The legal move that is worth most; among equals one by chance."
    assert "No module named 'nobot'" in listed["nobot:choose"]
    assert "zed           Never plays.\n" in malice("bots", MALICE_BOTS=bots).stdout


def test_no_setting_replaces_a_bot_of_this_program(malice: Malice, mybot: Path) -> None:
    result = malice("bots", MALICE_BOTS="greedy=mybot:choose")
    assert result.exit_code == 2
    assert result.stderr == (
        "malice: The bot mybot:choose has the name 'greedy', which one of this program's own has already.\n"
    )


def test_a_worker_that_cannot_load_a_bot_of_the_setting_does_not_start(malice: Malice, mybot: Path) -> None:
    result = malice("worker", MALICE_BOTS="nobot:choose", MALICE_REDIS_URL="redis://127.0.0.1:1/0")
    assert result.exit_code == 2
    assert result.stderr.startswith("malice: The bot 'nobot:choose' cannot be loaded: ModuleNotFoundError")


def test_a_deployment_plays_its_own_bots_and_an_arena_brings_one_more(
    malice: Malice, mybot: Path, tmp_path: Path
) -> None:
    """Registered names over HTTP, import paths in workers of the command's own, and the same games everywhere."""
    arena = ("arena", "mybot:choose", "greedy", "--games", 6, "--seed", "s", "--rules", SHORT, "--json")
    with running_service(tmp_path / "data", MALICE_BOTS="bruno=mybot:choose", MALICE_BOT_SECONDS="5") as live:
        bots = live.http.get("/v1/bots").json()["bots"]
        assert bots[-1] == {"name": "bruno", "about": "The legal move that is worth most; among equals one by chance."}
        game = {"rules": json.loads(SHORT), "seats": [{"name": "Ada"}, {"bot": "bruno"}]}
        body = {"games": 6, "rules": json.loads(SHORT), "seed": "s"}
        refused = live.http.post("/v1/arenas", json={"bots": ["mybot:choose", "greedy"], **body})
        assert (refused.status_code, refused.json()["code"]) == (422, "bad_rules")
        started = live.http.post("/v1/arenas", json={"bots": ["bruno", "greedy"], **body}).json()
        made = live.http.post("/v1/games", json=game).json()

        def human_turn() -> bool:
            return live.http.get(f"/v1/games/{made['game']}").json()["turn"]["seat"] == 0

        eventually(human_turn)
        private = malice(*arena, MALICE_URL=live.url, MALICE_DATA=str(tmp_path / "data"))
        assert private.exit_code == 0, private.stderr
        report = json.loads(private.stdout)
        results = f"/v1/arenas/{report['arena']}/results"
        eventually(lambda: live.http.get(f"/v1/arenas/{started['arena']}").json()["status"] == "ended")
        rows = {
            name: [json.loads(line) for line in live.http.get(path).text.splitlines()]
            for name, path in (("mybot:choose", results), ("bruno", f"/v1/arenas/{started['arena']}/results"))
        }
    local = json.loads(malice(*arena, "--local").stdout)
    for told in (report, local):
        assert {bot["bot"] for bot in told["bots"]} == {"mybot:choose", "greedy"}
    assert [bot["wins"] for bot in report["bots"]] == [bot["wins"] for bot in local["bots"]]
    assert report["moves"] == local["moves"]
    outcomes = [[(row["winners"], row["moves"], row["turns"]) for row in rows[name]] for name in rows]
    assert outcomes[0] == outcomes[1]


def test_an_arena_beside_a_service_whose_store_is_not_named_is_refused(
    malice: Malice, mybot: Path, service: Stub
) -> None:
    service.answers["/healthz"] = 200, b'{"status": "ok"}'
    service.answers["/v1/bots"] = 200, b'{"bots": []}'
    result = malice("arena", "mybot:choose", "greedy", MALICE_URL=service.url, MALICE_DATA=str(mybot / "none"))
    assert result.exit_code == 2
    assert "they need the service's store: name it in MALICE_REDIS_URL" in result.stderr
    assert f"There is no store in {mybot / 'none'}" in result.stderr


@pytest.mark.skipif(not os.environ.get("MALICE_FULL"), reason="starts a whole service: MALICE_FULL=1")
def test_an_arena_without_a_service_starts_one_that_knows_the_bot(mybot: Path, nowhere: str) -> None:
    words = [sys.executable, "-m", "services.cli", "arena", "mybot:choose", "greedy", "--games", "2", "--json"]
    env = {"MALICE_URL": nowhere, "MALICE_DATA": str(mybot / "data"), "PYTHONPATH": str(Path(__file__).parents[3])}
    told = subprocess.run([*words, "--rules", SHORT], cwd=mybot, env=env, capture_output=True, text=True, check=True)
    assert json.loads(told.stdout)["done"] == 2
