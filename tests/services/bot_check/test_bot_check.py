"""The kit for remote bots: a good bot passes, and each mistake is named, alone, by what the service saw of it."""

import asyncio
import shlex
import sys
from collections.abc import Sequence
from contextlib import aclosing
from pathlib import Path

import pytest

from events.game.presets import resolve
from services.bot_check import faults
from services.bot_check.exchange import Asked
from services.bot_check.judge import HINTS, RIGHT, Ending, Finding, judge
from services.bot_check.newer import newer, newer_stream
from services.bot_check.player import BadTarget, NotStarted, words_of
from services.bot_check.run import Limits, Outcome, check, chosen
from services.bot_check.scenarios import SCENARIOS, Scenario
from tests.live import free_port
from tests.services.bot_check.guest import hosting

HERE = Path(__file__).parent
RULES = {"preset": "gato-e-rato", "payoff": 5}
SOON = {"seconds": 1.0, "ending": 0.3}
SLOW = Scenario(
    name="slow", about="The others think, and events come twice.", turns=2, thinking=3, feeds={1: faults.rewind}
)
"""Long enough for a move to come while the others think, on a busy machine too."""


def command(name: str, *words: str) -> str:
    return shlex.join([sys.executable, str(HERE / name), *words])


def outcomes(target: str, *asked: str | Scenario, seconds: float = 20, ending: float = 5) -> list[Outcome]:
    """What comes of scenarios, by their names or made for a test."""
    scenarios = [one if isinstance(one, Scenario) else chosen([one])[0] for one in asked]

    async def play() -> list[Outcome]:
        async with aclosing(check(target, scenarios, resolve(RULES), Limits(seconds, ending))) as played:
            return [outcome async for outcome in played]

    return asyncio.run(play())


def findings(played: Sequence[Outcome]) -> list[Finding]:
    return [finding for outcome in played for finding in outcome.findings]


@pytest.mark.parametrize("scenario", [scenario.name for scenario in SCENARIOS])
def test_the_bot_of_the_guide_passes(scenario: str) -> None:
    (outcome,) = outcomes(command("good_bot.py"), scenario)
    assert outcome.findings == []
    assert outcome.moves > 0 or scenario == "over"


@pytest.mark.parametrize("scenario", ["dropped", "torn", "repeated", "newer"])
def test_a_bot_that_follows_the_stream_of_events_passes(scenario: str) -> None:
    (outcome,) = outcomes(command("stream_bot.py"), scenario)
    assert outcome.findings == []
    assert outcome.moves > 0


@pytest.mark.parametrize(
    ("mistake", "scenario", "finding"),
    [
        ("illegal_move", "expired", "illegal_move"),
        ("out_of_turn", SLOW, "out_of_turn"),
        ("counts_events", SLOW, "out_of_turn"),
        ("stale_version", "restarted", "stale_version"),
        ("bad_request", "expired", "bad_request"),
        ("no_token", "expired", "no_token"),
        ("token_in_url", "expired", "token_in_url"),
        ("no_key", "expired", "no_key"),
        ("new_key", "dropped", "new_key"),
        ("new_key", "torn", "new_key"),
        ("key_reused", "restarted", "key_reused"),
        ("retry_after", "busy", "retry_after"),
        ("hot_polling", "waiting", "hot_polling"),
        ("gave_up", "dropped", "gave_up"),
        ("trusting", "torn", "gave_up"),
        ("strict", "newer", "gave_up"),
        ("too_slow", "expired", "too_slow"),
        ("after_end", "over", "after_end"),
        ("does_not_end", "over", "does_not_end"),
        ("exit_code", "expired", "exit_code"),
        ("no_if_match", "expired", "no_if_match"),
    ],
)
def test_a_mistake_is_found_and_nothing_else(mistake: str, scenario: str | Scenario, finding: str) -> None:
    slow = mistake in ("too_slow", "does_not_end")  # the others leave by themselves
    (outcome,) = outcomes(command("bad_bot.py", mistake), scenario, **(SOON if slow else {}))
    assert [found.finding for found in outcome.findings] == [finding], outcome.findings
    assert outcome.clean == (finding in HINTS)
    assert outcome.findings[0].right == RIGHT[finding]


def test_given_a_server_of_bots_when_it_is_invited_twice_then_one_bot_plays_on() -> None:
    with hosting() as host:
        played = outcomes(host.url, "restarted", "lost")
        assert findings(played) == []
        assert host.exit_codes() == {0}
    assert all(outcome.moves > 0 for outcome in played)


def test_given_a_server_that_starts_a_second_bot_when_it_is_invited_again_then_they_are_seen_to_fight() -> None:
    with hosting(doubles=True) as host:
        found = {finding.finding for finding in findings(outcomes(host.url, "restarted"))}
    assert found & {"stale_version", "out_of_turn"}


def test_an_invitation_that_is_refused_is_a_finding() -> None:
    with hosting(answer=500) as host:
        (outcome,) = outcomes(host.url, "expired")
    assert [finding.finding for finding in outcome.findings] == ["invitation"]


def test_a_bot_that_cannot_be_started_is_no_finding_but_an_error() -> None:
    with pytest.raises(NotStarted, match=r"^/nowhere/bot cannot be started: No such file or directory\.$"):
        outcomes("/nowhere/bot", "plain")
    with pytest.raises(NotStarted, match=r"never asked for its game.*exit code 3.*It said: no licence"):
        outcomes(shlex.join([sys.executable, "-c", "print('no licence'); raise SystemExit(3)"]), "plain")
    with pytest.raises(NotStarted, match=r"^Nobody takes an invitation at http://127\.0\.0\.1:\d+/: "):
        outcomes(f"http://127.0.0.1:{free_port()}/", "plain")


def test_a_target_or_scenario_that_cannot_be_is_named() -> None:
    assert words_of("https://example.org/bot") is None
    assert words_of("python3 'my bot.py' -v") == ["python3", "my bot.py", "-v"]
    for target, why in (("", "empty"), ("python3 'my", "No closing quotation")):
        with pytest.raises(BadTarget, match=why):
            words_of(target)
    with pytest.raises(BadTarget, match=r"no scenario 'plian'; there are plain, dropped"):
        chosen(["plain", "plian"])
    assert [scenario.name for scenario in chosen(["over", "plain", "over"])] == ["over", "plain"]


def test_the_bot_is_told_its_seat_in_the_environment_and_none_of_the_services_keys(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MALICE_ADMIN_KEY", "boss")
    program = (
        "import os, sys; own = sorted(name for name in os.environ if name.startswith(('BOT_', 'MALICE_')));"
        "sys.exit(' '.join(own) + ' ' + os.environ['BOT_SEAT'] + ' ' + ' '.join(sys.argv[1:]))"
    )
    with pytest.raises(NotStarted, match=r"It said: BOT_GAME BOT_SEAT BOT_TOKEN BOT_URL 0 -v"):
        outcomes(shlex.join([sys.executable, "-c", program, "-v"]), "plain")


def test_a_later_version_adds_fields_and_events_and_takes_nothing_away() -> None:
    page = b'{"commits":[{"version":1,"events":[{"type":"PayoffsReshuffled","payoffs":{"0":{"left":5}}}]}]}'
    assert newer(page) == (
        b'{"commits":[{"version":1,"events":[{"type":"WeatherChanged","seat":0,"to":{"sky":"grey","wind":7}},'
        b'{"type":"PayoffsReshuffled","payoffs":{"0":{"left":5,"weather":"grey"}},"weather":"grey"}],'
        b'"weather":"grey"}],"weather":"grey"}'
    )
    assert newer(b'{"version":1}\n{"version":2}\n').count(b"weather") == 2
    assert newer(b"<html>") == b"<html>"
    told, kept = newer_stream(b'event: commit\nid: 7\ndata: {"version":7}\n\nevent: com', last=False)
    assert told.endswith(b'event: commit\nid: 7\ndata: {"version":7,"weather":"grey"}\n\n')
    assert told.startswith(b"event: weather\n")
    assert kept == b"event: com"
    assert newer_stream(kept, last=True) == (kept, b"")


PLAYED = Ending(over=True, running=False, exit_code=0, last_words=(), refused="", seconds=5, silent=0)


def asked(at: float, move: str = "pass", *, key: str = "k1", **more: object) -> Asked:
    headers = {"authorization": "Bearer abc", "idempotency-key": key, "if-match": '"7"'}
    told = {
        "life": 0,
        "method": "POST",
        "path": "/v1/games/g/moves",
        "query": "",
        "after_end": None,
        "headers": headers,
    }
    body = f'{{"move": "{move}"}}'.encode()
    # The fields come from three dicts, whose values no type tells apart.
    return Asked(**({"at": at, "body": body, "status": 200, "sent_at": at} | told | more))  # pyright: ignore[reportArgumentType]


def named(*requests: Asked) -> list[str]:
    return [finding.finding for finding in judge(requests, (), PLAYED)]


def test_a_repeat_is_the_same_request_under_the_same_key() -> None:
    lost = asked(1, status=None, sent_at=None)
    assert named(lost, asked(2)) == []
    assert named(lost, asked(2, "p>c0")) == ["key_reused"]
    assert named(lost, asked(2, key="k2")) == ["new_key"]
    assert named(lost, asked(2, "p>c0", key="k2")) == []
    look = asked(1.5, method="GET", path="/v1/games/g", body=b"")
    assert named(lost, look, asked(2, key="k2")) == []
    assert named(lost, asked(2, key="k2", life=1)) == []


def test_who_is_told_to_wait_may_do_other_things_meanwhile() -> None:
    away = asked(1, status=503, retry_after=1.0)
    assert named(away, asked(2)) == []
    assert named(away, asked(1.5)) == ["retry_after"]
    assert named(away, asked(1.5, method="GET", path="/v1/games/g", body=b"")) == []


def test_a_look_or_two_after_the_end_is_no_fault_and_a_move_may_cross_the_news() -> None:
    look = asked(1, method="GET", path="/v1/games/g", body=b"", after_end=1.0)
    assert named(*[look] * 5) == []
    assert named(*[look] * 6) == ["after_end"]
    assert named(asked(1, after_end=0.05)) == []
    assert named(asked(1, after_end=0.5)) == ["after_end"]


def test_what_others_have_moved_on_is_not_the_bots_fault() -> None:
    conflict = bytearray(b'{"code": "version_conflict", "detail": "moved on"}')
    assert named(asked(1, status=412, told=conflict)) == ["stale_version"]
    assert named(asked(1, status=412, told=conflict, overtaken=True)) == []
