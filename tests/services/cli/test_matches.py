"""`malice verify`, `export` and `replay` where a match is named: from files, and from a service."""

import json
from pathlib import Path

import pytest

from tests.log.match_books import MATCH, MatchBook, played
from tests.services.cli.conftest import Malice, Stub

PATH = f"/v1/matches/{MATCH}/log"


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """The match's file and those of its games, in the directory that `malice` is called in."""
    book = played()
    (tmp_path / "match.ndjson").write_bytes(book.file())
    for game, file in book.games.items():
        (tmp_path / f"{game}.ndjson").write_bytes(file)
    return [tmp_path / "match.ndjson", *(tmp_path / f"{game}.ndjson" for game in book.games)]


@pytest.fixture
def match(service: Stub) -> Stub:
    """A service that has the match and its games."""
    book = played()
    service.answers[PATH] = 200, book.file()
    service.answers |= {f"/v1/games/{game}/log": (200, file) for game, file in book.games.items()}
    return service


def verdict() -> str:
    book = played()
    seat = book.totals.index(max(book.totals))
    totals = ":".join(map(str, book.totals))
    return (
        f"ok: match {MATCH}, {len(book.bodies)} versions, complete, {len(book.games)} games verified, "
        f"totals {totals}, seat {seat} has won"
    )


def test_a_match_is_verified_with_the_files_of_its_games_beside_it(malice: Malice, files: list[Path]):
    result = malice("verify", *files)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == f"{files[0]}: {verdict()}"
    assert sum(" ok: 00game" in line for line in lines) == len(files) - 1
    judged = json.loads(malice("verify", "--json", *reversed(files)).stdout)
    assert [one["ok"] for one in judged] == [True] * len(files)
    assert judged[-1]["match"] == MATCH


def test_a_game_that_is_not_among_the_files_is_missed(malice: Malice, files: list[Path]):
    result = malice("verify", *(file for file in files if file.name != "00game2.ndjson"))
    assert result.exit_code == 1
    assert f"{files[0]}: NOT ok: version 4: game 00game2: its log is not there\n" in result.stdout


def test_a_file_of_a_match_alone_asks_no_service(malice: Malice, match: Stub, files: list[Path]):
    result = malice("verify", files[0], MALICE_URL=match.url)
    assert (result.exit_code, result.stdout) == (1, "NOT ok: version 2: game 00game0: its log is not there\n")
    assert match.asked == []


def test_a_false_game_makes_the_match_false(malice: Malice, files: list[Path]):
    files[2].write_bytes(files[2].read_bytes().replace(b'"key 7"', b'"key 8"'))
    result = malice("verify", *files)
    assert result.exit_code == 1
    assert f"{files[0]}: NOT ok: version 3: game 00game1: version 8: " in result.stdout
    assert f"{files[2]}: NOT ok: version 8: " in result.stdout


def test_by_its_id_a_match_and_its_games_are_fetched_and_judged_here(malice: Malice, match: Stub):
    result = malice("verify", MATCH, MALICE_URL=match.url)
    assert (result.exit_code, result.stdout) == (0, verdict() + "\n")
    games = [f"/v1/games/{game}/log" for game in played().games]
    assert [path for path, _ in match.asked] == [f"/v1/games/{MATCH}/log", PATH, *games]


def test_a_game_that_the_service_does_not_have_is_missed(malice: Malice, match: Stub):
    del match.answers["/v1/games/00game1/log"]
    result = malice("verify", MATCH, MALICE_URL=match.url)
    assert (result.exit_code, result.stdout) == (1, "NOT ok: version 3: game 00game1: its log is not there\n")


def test_of_a_match_that_runs_the_standing_is_told(malice: Malice, tmp_path: Path):
    book = MatchBook().play(1)
    (tmp_path / "match").write_bytes(book.file())
    (tmp_path / "game").write_bytes(book.games["00game0"])
    told = malice("verify", "match", "game").stdout.splitlines()[0]
    totals = ":".join(map(str, book.totals))
    assert told == f"match: ok: match {MATCH}, 2 versions, not ended yet, 1 game verified, totals {totals}"


def test_a_match_given_up_has_no_winner(malice: Malice, tmp_path: Path):
    book = MatchBook().abandon(1)
    (tmp_path / "match").write_bytes(book.file())
    (tmp_path / "game").write_bytes(book.games["00game0"])
    assert ", complete, 1 game verified, totals 0:0, nobody has won\n" in malice("verify", "match", "game").stdout


def test_verify_as_json_prints_the_verdict_alone(malice: Malice, match: Stub):
    told = json.loads(malice("verify", "--json", MATCH, MALICE_URL=match.url).stdout)
    book = played()
    assert told == {
        "ok": True, "match": MATCH, "versions": len(book.bodies), "complete": True, "games": list(book.games),
        "totals": book.totals, "winner": book.totals.index(max(book.totals)),
        "version": None, "why": None, "game": None, "game_version": None,
    }  # fmt: skip


def test_export_writes_the_very_bytes(malice: Malice, match: Stub, tmp_path: Path):
    assert malice("export", MATCH, MALICE_URL=match.url).stdout_bytes == played().file()
    malice("export", MATCH, "-o", "out.ndjson", MALICE_URL=match.url)
    assert (tmp_path / "out.ndjson").read_bytes() == played().file()


def test_what_is_neither_a_game_nor_a_match_is_unknown(malice: Malice, match: Stub):
    result = malice("export", "00nothere", MALICE_URL=match.url)
    assert (result.exit_code, result.stderr) == (1, "malice: There is no game '00nothere'.\n")


def test_only_a_game_can_be_replayed_and_those_of_the_match_are_named(malice: Malice, match: Stub, files: list[Path]):
    for named in (MATCH, files[0]):
        result = malice("replay", named, MALICE_URL=match.url)
        assert (result.exit_code, result.stdout) == (2, "")
        assert "only a game can be replayed" in result.stderr
        assert "00game0, 00game1" in result.stderr
    (files[0].parent / "new").write_bytes(MatchBook().file())
    assert "none has ended yet" in malice("replay", "new").stderr
