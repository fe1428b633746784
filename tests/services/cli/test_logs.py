"""`malice verify` and `malice export`: logs from files, from standard input and from a service."""

import json
from pathlib import Path

import pytest

from events.game.events import SeatInfo
from tests.log.games import SHORT, Book, chained, log_file, read_file
from tests.services.cli.conftest import Malice, Stub

PATH = "/v1/games/00book/log"


def forged(file: bytes, version: int) -> bytes:
    """The log with another card played at this version, and a chain of hashes that fits again."""
    head, commits = read_file(file)
    event = commits[version - 1]["events"][0]
    event["card"] = "Qs" if event["card"] != "Qs" else "Qc"
    return log_file(head["game"], head["complete"], chained(commits))


def test_a_true_log_is_ok_and_what_the_proof_does_not_show_is_said(malice: Malice, ended: Path):
    result = malice("verify", ended)
    assert result.exit_code == 0
    assert result.stdout == (
        "ok: 00book, 52 versions, complete, shuffles checked against the seed\n"
        "(Nothing shows that the deal was not chosen: no seat added to the seed later.)\n"
    )


def test_where_a_seat_joined_with_entropy_the_deal_was_not_chosen(malice: Malice, tmp_path: Path):
    seats = (SeatInfo("Ada", "human", None, "dice"), SeatInfo(None, "open", None, ""))
    (tmp_path / "joined.log").write_bytes(Book(SHORT, 2, seats=seats).sit(1, "my own dice").moves().file())
    last = malice("verify", "joined.log").stdout.splitlines()[-1]
    assert last == "(The deal was not chosen: seat 1 added to the seed after it was promised.)"


def test_of_a_game_that_goes_on_the_shuffles_are_not_checked_yet(malice: Malice, running: Path):
    assert malice("verify", running).stdout == (
        "ok: 00book, 31 versions, not ended yet, shuffles not checked: the seed is not shown yet\n"
    )


def test_a_forged_move_is_named_by_its_version_and_exits_1(malice: Malice, ended: Path):
    result = malice("verify", "-", stdin=forged(ended.read_bytes(), 17))
    assert result.exit_code == 1
    assert result.stdout.startswith("NOT ok: version 17: ")


def test_verify_as_json_prints_the_verification_alone(malice: Malice, ended: Path):
    result = malice("verify", "--json", ended)
    assert json.loads(result.stdout) == {
        "ok": True, "game": "00book", "versions": 52, "complete": True, "shuffles": True,
        "joined": [], "version": None, "why": None,
    }  # fmt: skip
    broken = malice("verify", "--json", "-", stdin=forged(ended.read_bytes(), 17))
    assert (broken.exit_code, json.loads(broken.stdout)["version"]) == (1, 17)


def test_several_logs_are_each_judged_and_the_worst_gives_the_exit_code(malice: Malice, ended: Path, running: Path):
    result = malice("verify", ended, "missing.log", running)
    assert result.exit_code == 2
    assert [line.partition(": ")[0] for line in result.stdout.splitlines() if "ok:" in line] == [
        str(ended),
        str(running),
    ]
    assert result.stderr == "malice: missing.log cannot be read: no such file or directory.\n"
    judged = json.loads(malice("verify", "--json", ended, running).stdout)
    assert [(one["source"], one["versions"]) for one in judged] == [(str(ended), 52), (str(running), 31)]


@pytest.mark.parametrize("content", [b"", b"\n", b"\x00\xff" * 500, b"hello\n", b"[" * 100_000, b'{"format": 1}'])
def test_what_is_no_log_does_not_verify(malice: Malice, tmp_path: Path, content: bytes):
    (tmp_path / "no.log").write_bytes(content)
    result = malice("verify", "no.log")
    assert (result.exit_code, result.stdout[:8]) == (1, "NOT ok: ")
    assert malice("replay", "no.log").exit_code == 1


@pytest.mark.parametrize("name", ["missing.log", ".", "no/such/file", "null\0byte"])
@pytest.mark.parametrize("command", ["verify", "replay"])
def test_a_file_that_cannot_be_read_is_a_usage_error(malice: Malice, command: str, name: str):
    result = malice(command, name)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("malice: ")
    assert "cannot be read" in result.stderr


def test_a_name_that_is_no_file_is_a_game_of_the_service(malice: Malice, service: Stub, ended: Path):
    service.answers[PATH] = 200, ended.read_bytes()
    result = malice("verify", "00book", MALICE_URL=service.url)
    assert result.stdout.startswith("ok: 00book, 52 versions")
    assert service.asked == [(PATH, None)]


def test_a_file_goes_before_a_game_of_the_same_name(malice: Malice, service: Stub, tmp_path: Path, running: Path):
    (tmp_path / "00book").write_bytes(running.read_bytes())
    assert "31 versions" in malice("verify", "00book", MALICE_URL=service.url).stdout
    assert service.asked == []


def test_the_admin_key_is_sent_where_it_is_set(malice: Malice, service: Stub, running: Path):
    service.answers[PATH] = 200, running.read_bytes()
    malice("export", "00book", MALICE_URL=service.url, MALICE_ADMIN_KEY="open-sesame")
    assert service.asked == [(PATH, "Bearer open-sesame")]


@pytest.mark.parametrize("command", ["verify", "replay", "export"])
def test_the_service_says_no(malice: Malice, service: Stub, command: str):
    def complaint(expected: int) -> str:
        result = malice(command, "00book", MALICE_URL=service.url)
        assert (result.exit_code, result.stdout) == (expected, "")
        return result.stderr

    assert complaint(1) == "malice: There is no game '00book'.\n"
    service.refuses(PATH, 403, "forbidden")
    assert complaint(1) == (
        "malice: The log of game 00book is not open yet: it, or the game that it was forked from, is still running. "
        "MALICE_ADMIN_KEY opens it.\n"
    )
    service.refuses(PATH, 401, "bad_token")
    assert complaint(1) == f"malice: The service at {service.url} does not know this MALICE_ADMIN_KEY.\n"
    service.refuses(PATH, 503, "unavailable")
    assert complaint(3) == "malice: the service says unavailable\n"
    service.refuses(PATH, 429, "rate_limited")
    assert complaint(3) == "malice: the service says rate_limited\n"


@pytest.mark.parametrize("answer", [(200, b"<html>"), (404, b"nothing here"), (302, b""), (500, b"oops")])
def test_another_program_at_that_address_is_not_taken_for_the_service(
    malice: Malice, service: Stub, answer: tuple[int, bytes]
):
    service.answers[PATH] = answer
    result = malice("export", "00book", MALICE_URL=service.url)
    assert (result.exit_code, result.stdout) == (3, "")
    assert "is no service of this game" in result.stderr


@pytest.mark.parametrize("command", ["verify", "replay", "export"])
def test_without_a_service_the_exit_code_is_3(malice: Malice, nowhere: str, command: str):
    result = malice(command, "00book")
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr.startswith(f"malice: No service answers at {nowhere}: ")


def test_export_writes_the_very_bytes(malice: Malice, service: Stub, ended: Path, tmp_path: Path):
    service.answers[PATH] = 200, ended.read_bytes()
    assert malice("export", "00book", MALICE_URL=service.url).stdout_bytes == ended.read_bytes()
    assert malice("export", "00book", "-o", "out.log", MALICE_URL=service.url).stdout == ""
    assert (tmp_path / "out.log").read_bytes() == ended.read_bytes()


def test_export_overwrites_only_by_force(malice: Malice, service: Stub, ended: Path, tmp_path: Path):
    service.answers[PATH] = 200, ended.read_bytes()
    (tmp_path / "out.log").write_text("mine")
    result = malice("export", "00book", "-o", "out.log", MALICE_URL=service.url)
    assert (result.exit_code, result.stderr) == (2, "malice: out.log exists: take another name, or --force.\n")
    assert (tmp_path / "out.log").read_text() == "mine"
    assert service.asked == []
    assert malice("export", "00book", "-o", "out.log", "--force", MALICE_URL=service.url).exit_code == 0
    assert (tmp_path / "out.log").read_bytes() == ended.read_bytes()


def test_export_into_a_directory_that_is_not_there_is_a_usage_error(malice: Malice, service: Stub, ended: Path):
    service.answers[PATH] = 200, ended.read_bytes()
    result = malice("export", "00book", "-o", "no/out.log", MALICE_URL=service.url)
    assert (result.exit_code, result.stderr) == (
        2,
        "malice: no/out.log cannot be written: no such file or directory.\n",
    )
