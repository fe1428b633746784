"""How commands begin and end: help, version, exit codes, interruptions."""

import subprocess
import sys
import time
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from events import errors
from events.errors import MaliceError, Reason
from services.bot_check.player import BadTarget, NotStarted
from services.cli.errors import Door, Misused, exit_code
from services.cli.serve import CannotServe
from services.client import Refused, Unreachable
from services.embedded import DataInUse, NoServer, StoreFailed
from services.settings import BadSetting
from tests.services.cli.conftest import Malice
from workers.bots.registry import UnknownBot

MALICE = [sys.executable, "-m", "services.cli"]
ROOT = Path(__file__).parents[3]
CODES = [
    (errors.UnknownGame("x"), 1),
    (errors.UnknownMatch("x"), 1),
    (errors.UnknownVersion(9, 8), 1),
    (errors.Unreadable(3, "why"), 1),
    (errors.BadLog(3, "why"), 1),
    (errors.Rejected(Reason.GAME_OVER, "The game is over."), 1),
    (errors.Conflict("x", 1, 2), 1),
    (errors.KeyReused("k"), 1),
    (Refused(403, "forbidden", "no"), 1),
    (errors.Malformed("x"), 2),
    (errors.BadRules("x"), 2),
    (errors.BadPosition("x"), 2),
    (Misused("x"), 2),
    (BadSetting("x"), 2),
    (CannotServe("x"), 2),
    (UnknownBot("x", ("y",)), 2),
    (BadTarget("x"), 2),
    (Refused(422, "bad_rules", "no"), 2),
    (errors.StoreUnavailable("x"), 3),
    (Unreachable("x"), 3),
    (Refused(500, "internal", "no"), 3),
    (NoServer("x"), 3),
    (DataInUse("x"), 3),
    (StoreFailed("x"), 3),
    (NotStarted("x"), 3),
]


def raising(error: BaseException) -> typer.Typer:
    """A program of one command that raises this."""
    app = typer.Typer(cls=Door, add_completion=False, rich_markup_mode=None)

    @app.callback()
    def entrance() -> None:
        """Groups commands."""

    @app.command()
    def fail() -> None:
        raise error

    return app


@pytest.mark.parametrize(("error", "code"), CODES)
def test_an_error_is_one_line_on_standard_error_and_its_exit_code(error: MaliceError, code: int):
    result = CliRunner().invoke(raising(error), ["fail"])
    assert (result.exit_code, result.stdout, result.stderr) == (code, "", f"malice: {error}\n")


def test_every_error_of_the_tree_has_been_given_its_code():
    tree = {kind for kind in MaliceError.__subclasses__() if kind.__module__ == "events.errors"}
    assert tree <= {type(error) for error, _ in CODES}
    assert exit_code(MaliceError("some other")) == 1


def test_an_interrupted_command_leaves_quietly_with_130():
    result = CliRunner().invoke(raising(KeyboardInterrupt()), ["fail"])
    assert (result.exit_code, result.output) == (130, "")


def test_what_a_command_returns_is_its_exit_code(malice: Malice, tmp_path: Path):
    (tmp_path / "empty.log").touch()
    assert malice("verify", "empty.log").exit_code == 1


def test_control_characters_of_others_do_not_reach_the_terminal():
    result = CliRunner().invoke(raising(errors.BadRules("\x1b[2Jgone\nsecond line")), ["fail"])
    assert result.stderr == "malice: ·[2Jgone\n        second line\n"


def test_help_names_every_command(malice: Malice):
    text = malice("--help").stdout
    for command in ("up", "api", "worker", "beat", "arena", "replay", "export", "verify", "rules", "bots"):
        assert f"\n  {command} " in text
    assert malice().stdout == text
    assert malice("verify", "-h").stdout.startswith("Usage: ")


def test_the_version_is_that_of_the_distribution(malice: Malice):
    from importlib.metadata import version

    assert malice("--version").stdout == f"malice {version('spite-and-malice')}\n"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["verifi"], "malice: No such command 'verifi'. Did you mean 'verify'? (see `malice --help`)\n"),
        (["--fast"], "malice: No such option: --fast. (see `malice --help`)\n"),
        (["verify"], "malice: Missing argument 'FILE|GAME|MATCH...'. (see `malice verify --help`)\n"),
        (["export", "a", "b"], "malice: Got unexpected extra argument(s) (b). (see `malice export --help`)\n"),
    ],
)
def test_wrong_usage_is_one_line_that_shows_the_way_to_help(malice: Malice, words: list[str], complaint: str):
    result = malice(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == complaint


def test_an_unknown_setting_is_named_before_anything_is_asked(malice: Malice):
    result = malice("export", "00book", MALICE_ADMINKEY="x")
    assert (result.exit_code, result.stderr) == (
        2,
        "malice: MALICE_ADMINKEY is not a setting; did you mean MALICE_ADMIN_KEY?\n",
    )


def test_a_reader_that_goes_away_is_no_error_worth_a_word(ended: Path):
    command = [*MALICE, "replay", str(ended), "--step"]
    keys = "\n" * 60
    program = subprocess.Popen(command, stdin=-1, stdout=-1, stderr=-1, text=True, cwd=ROOT)
    assert program.stdin
    assert program.stdout
    assert program.stderr
    with program:
        program.stdout.close()
        program.stdin.write(keys)
        program.stdin.close()
        assert program.stderr.read() == ""
    assert program.returncode == 141


def test_a_full_disk_is_one_line(ended: Path):
    with open("/dev/full", "w") as full:
        done = subprocess.run([*MALICE, "verify", str(ended)], stdout=full, stderr=-1, text=True, cwd=ROOT, check=False)
    assert (done.returncode, done.stderr.count("\n"), done.stderr[:8]) == (1, 1, "malice: ")


def test_rules_start_without_redis_celery_http_or_rich():
    wanted = (
        "import sys; from services.cli import main; sys.argv[1:] = ['rules']\ntry: main()\nexcept SystemExit: pass\n"
    )
    shown = "print(sorted({name.partition('.')[0] for name in sys.modules}))"
    began = time.monotonic()
    done = subprocess.run([sys.executable, "-c", wanted + shown], stdout=-1, text=True, cwd=ROOT, check=True)
    assert time.monotonic() - began < 3  # on a busy machine; 0.16 s on a quiet one
    loaded = done.stdout.splitlines()[-1]
    for package in ("redis", "celery", "fastapi", "httpx2", "rich", "structlog"):
        assert f"'{package}'" not in loaded
