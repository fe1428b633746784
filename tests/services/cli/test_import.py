"""`malice import`: logs into a service, and what it says where one is not taken. And `malice verify` of these."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from services.api.importing import LOG_LIMIT
from tests.live import Live
from tests.log.arrivals import headed
from tests.log.damages import DAMAGES
from tests.log.games import SHORT, Book
from tests.services.cli.conftest import Malice, Stub

PATH = "/v1/games/import"


@pytest.fixture
def taking(service: Stub) -> Stub:
    """A service that takes every log, as game `00book`."""
    service.answers[PATH] = 201, b'{"game":"00book"}'
    return service


@pytest.fixture(scope="session")
def damaged(tmp_path_factory: pytest.TempPathFactory) -> dict[str, int]:
    """The paths of all damaged logs there are, and the version that each must be refused at."""
    folder = tmp_path_factory.mktemp("damaged")
    versions: dict[str, int] = {}
    for name, damage in DAMAGES.items():
        file, version = damage()
        (folder / name).write_bytes(file)
        versions[str(folder / name)] = version
    return versions


def test_the_id_of_the_game_is_printed_and_nothing_else(malice: Malice, taking: Stub, ended: Path):
    result = malice("import", ended, MALICE_URL=taking.url)
    assert (result.exit_code, result.stdout, result.stderr) == (0, "00book\n", "")
    assert taking.sent == [ended.read_bytes()]
    assert malice("import", "-", stdin=ended.read_bytes(), MALICE_URL=taking.url).stdout == "00book\n"
    assert taking.sent == [ended.read_bytes()] * 2


def test_a_renamed_game_is_said_to_be_one(malice: Malice, taking: Stub, tmp_path: Path):
    (tmp_path / "one.log").write_bytes(headed(Book(SHORT, 1).moves().file(), "match-7/game\n3"))
    result = malice("import", "one.log", MALICE_URL=taking.url)
    assert (result.exit_code, result.stdout) == (0, "00book\n")
    assert (
        result.stderr == "malice: one.log: its own id, 'match-7/game\\n3', is taken there or is none of that service.\n"
    )


def test_as_json_one_document(malice: Malice, taking: Stub, ended: Path):
    told = {"game": "00book", "was": "00book", "renamed": False}
    one = malice("import", "--json", ended, MALICE_URL=taking.url)
    assert (json.loads(one.stdout), one.stderr) == (told, "")
    several = malice("import", "--json", ended, ended, MALICE_URL=taking.url)
    assert json.loads(several.stdout) == [{"source": str(ended), **told}] * 2


def test_several_logs_are_each_sent_and_the_worst_gives_the_exit_code(malice: Malice, taking: Stub, ended: Path):
    result = malice("import", ended, "missing.log", ended, MALICE_URL=taking.url)
    assert (result.exit_code, result.stdout) == (2, f"{ended}: 00book\n" * 2)
    assert result.stderr == "malice: missing.log cannot be read: no such file or directory.\n"


@pytest.mark.parametrize("words", [(), ("missing.log",), (".",), ("-", "-"), ("00book",), ("null\0byte",)])
def test_what_cannot_be_read_is_a_usage_error_and_nothing_is_sent(malice: Malice, taking: Stub, words: tuple[str, ...]):
    """A game's id is none of the things that can be imported: it is there already."""
    result = malice("import", *words, MALICE_URL=taking.url)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("malice: ")
    assert taking.sent == []


def test_the_service_says_no(malice: Malice, service: Stub, ended: Path):
    for status, code, expected in (
        (422, "bad_log", 1),
        (413, "too_large", 1),
        (401, "bad_token", 1),
        (503, "unavailable", 3),
        (429, "rate_limited", 3),
    ):
        service.refuses(PATH, status, code)
        result = malice("import", ended, MALICE_URL=service.url)
        assert (result.exit_code, result.stdout) == (expected, "")
        assert result.stderr == f"malice: the service says {code}\n"


@pytest.mark.parametrize("answer", [(200, b"<html>"), (200, b"[1]"), (201, b"{}"), (404, b"nothing here"), (405, b"")])
def test_another_program_at_that_address_is_not_taken_for_the_service(
    malice: Malice, service: Stub, ended: Path, answer: tuple[int, bytes]
):
    service.answers[PATH] = answer
    result = malice("import", ended, MALICE_URL=service.url)
    assert (result.exit_code, result.stdout) == (3, "")
    assert "is no service of this game" in result.stderr


def test_without_a_service_the_exit_code_is_3(malice: Malice, nowhere: str, ended: Path):
    result = malice("import", ended)
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr.startswith(f"malice: No service answers at {nowhere}: ")


def program(*words: object, url: str = "http://127.0.0.1:1") -> "subprocess.CompletedProcess[bytes]":
    """The real program, talking to this service."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("MALICE_")}
    command = [sys.executable, "-m", "services.cli", *map(str, words)]
    return subprocess.run(command, env=clean | {"MALICE_URL": url}, capture_output=True, timeout=120, check=False)


def test_a_log_goes_into_a_running_service_and_comes_out_the_same(live: Live, ended: Path):
    """Section 3, with the real command and the real service."""
    assert program("import", ended, url=live.url).stdout == b"00book\n"
    assert program("export", "00book", url=live.url).stdout == ended.read_bytes()
    assert program("verify", "00book", url=live.url).returncode == 0


def test_no_damaged_log_goes_in(live: Live, damaged: dict[str, int]):
    """Acceptance 5: exit code 1, and the version that the service names."""
    result = program("import", *damaged, url=live.url)
    assert (result.returncode, result.stdout) == (1, b"")
    said = [line for line in result.stderr.decode().splitlines() if line.startswith("malice: ")]
    assert len(said) == len(damaged)
    for line, (path, version) in zip(said, damaged.items(), strict=True):
        where = f"version {version}" if version else "its head"
        assert line.startswith(f"malice: {path}: The log is not taken: {where}: ")


def test_a_file_beyond_the_limit_is_refused_by_its_size(live: Live, tmp_path: Path):
    (tmp_path / "big.log").write_bytes(b" " * (LOG_LIMIT + 1))
    result = program("import", tmp_path / "big.log", url=live.url)
    assert result.returncode == 1, result.stderr
    assert b"The body has" in result.stderr


def test_malice_verify_names_the_version_of_every_damage(damaged: dict[str, int]):
    """Acceptance 5, by the program itself: one run over all damaged logs."""
    run = program("verify", "--json", *damaged)
    assert (run.returncode, run.stderr) == (1, b"")
    judged = {one["source"]: one for one in json.loads(run.stdout)}
    assert {path: one["version"] for path, one in judged.items()} == damaged
    assert not any(one["ok"] for one in judged.values())
    assert len(damaged) >= 30
