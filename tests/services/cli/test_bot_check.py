"""`malice bot-check`: what it prints, and how it ends."""

import json
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from tests.services.cli.conftest import Malice

BOTS = Path(__file__).parents[1] / "bot_check"


@pytest.fixture(autouse=True)
def logging_as_before() -> Iterator[None]:
    """The command is the last that its process does, and silences the logs."""
    yield
    structlog.reset_defaults()


def command(name: str, *words: str) -> str:
    return shlex.join([sys.executable, str(BOTS / name), *words])


def test_given_a_good_bot_then_nothing_is_found_and_the_exit_code_is_0(malice: Malice) -> None:
    done = malice("bot-check", command("good_bot.py"), "--scenario", "expired", "--scenario", "over")
    assert done.exit_code == 0
    assert "expired" in done.stdout
    assert "nothing" in done.stdout
    assert done.stdout.splitlines()[-1] == "2 scenarios, no findings"


def test_given_a_bad_bot_then_each_finding_says_what_was_seen_and_what_would_be_right(malice: Malice) -> None:
    done = malice("bot-check", command("bad_bot.py", "exit_code"), "--scenario", "over")
    assert done.exit_code == 1
    told = " ".join(done.stdout.split())
    assert "wrong: exit_code in over when: The game has ended before the bot comes. seen: The game was over" in told
    assert "it ended with exit code 1. It said: I lost, and am cross right: End with exit code 0 when" in told
    assert told.endswith("1 scenario, 1 finding")


def test_a_hint_alone_is_no_failure(malice: Malice) -> None:
    done = malice("bot-check", command("bad_bot.py", "no_if_match"), "--scenario", "expired")
    assert done.exit_code == 0
    assert "hint: no_if_match in expired" in done.stdout


def test_json_is_one_document_and_nothing_else(malice: Malice) -> None:
    done = malice("bot-check", command("bad_bot.py", "no_key"), "--scenario", "expired", "--json", "--rules", SHORT)
    assert done.exit_code == 1
    told = json.loads(done.stdout)
    assert told["clean"] is False
    assert told["rules"] == json.loads(SHORT)
    (scenario,) = told["scenarios"]
    assert scenario["scenario"] == "expired"
    (finding,) = scenario["findings"]
    assert finding["finding"] == "no_key"
    assert finding["hint"] is False
    assert finding["seen"].startswith("POST /v1/games/…/moves ")
    assert finding["right"]
    assert finding["times"] >= 1


def test_what_cannot_be_checked_is_a_usage_error_and_a_bot_that_does_not_start_is_3(malice: Malice) -> None:
    for words, code, why in (
        (["/nowhere/bot"], 3, "malice: /nowhere/bot cannot be started: No such file or directory.\n"),
        (["bot", "--scenario", "plian"], 2, "malice: There is no scenario 'plian'; there are plain,"),
        (["bot", "--rules", "poker"], 2, "malice: There is no preset 'poker'"),
        (["bot", "--rules", "{"], 2, "malice: --rules '{' is not JSON"),
        (["'"], 2, 'malice: The command "\'" cannot be read: No closing quotation.\n'),
        ([], 2, "malice: Missing argument"),
    ):
        done = malice("bot-check", *words)
        assert (done.exit_code, done.stdout) == (code, ""), words
        assert done.stderr.startswith(why)


SHORT = '{"preset": "spite-and-malice"}'
