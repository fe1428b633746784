"""The log of a match: a true one verifies with the logs of its games, of a false one the lowest version is named."""

import copy
import random
from collections.abc import Callable
from typing import Final, TypeAlias

import msgspec
import pytest

from events.errors import Unreadable
from events.game.events import SeatInfo
from events.log.match_record import is_of_match, scored_games
from events.log.verify_match import verify_match
from tests.log import recipes
from tests.log.games import SHORT, Book, Json, chained, log_file, read_file
from tests.log.match_books import (
    ADA,
    BEN,
    END,
    GOLDEN,
    GUEST,
    MATCH,
    OPEN,
    SHORT_MATCH,
    MatchBook,
    commits_of,
    golden,
    match_file,
    played,
)

Games: TypeAlias = dict[str, bytes]
Harm: TypeAlias = Callable[[list[Json], Games], int]
"""Changes the match's commits, or its games' logs; returns the lowest version that is then wrong."""
DAMAGES: Final[dict[str, Harm]] = {}


def damage(harm: Harm) -> Harm:
    DAMAGES[harm.__name__] = harm
    return harm


def test_a_match_played_to_its_end_verifies() -> None:
    """Section 5: it verifies when its games do and these fold to the totals."""
    book = played()
    verdict = verify_match(book.file(), book.games.get)
    assert (verdict.ok, verdict.version, verdict.why, verdict.game) == (True, None, None, None)
    assert (verdict.match, verdict.complete, verdict.versions) == (MATCH, True, len(book.bodies))
    assert verdict.games == tuple(book.games)
    assert verdict.totals == tuple(book.totals)
    assert verdict.winner == book.totals.index(max(book.totals))
    results = {event["result"] for commit in book.bodies[1:] for event in commit["events"] if event["type"] != END}
    assert results == {"won", "drawn"}, "else this test would show less than it says"


def test_the_golden_match_of_the_first_schema_verifies_for_ever() -> None:
    """Section 2: names and fields are the storage format; the file of schema 1 stays, and is what is written today."""
    files = golden()
    assert sorted(files) == sorted(GOLDEN.iterdir())
    assert all(path.read_bytes() == written for path, written in files.items())

    def log_of(game: str) -> bytes:
        return (GOLDEN / f"{game}.1.ndjson").read_bytes()

    verdict = verify_match(log_of("match"), log_of)
    assert (verdict.ok, verdict.complete, verdict.totals, verdict.winner) == (True, True, (0, 5), 1)


def test_a_match_that_goes_on_verifies_as_far_as_it_has_come() -> None:
    """It holds no hidden card, so it can be read and judged while it runs."""
    book = MatchBook()
    for games in range(3):
        verdict = verify_match(book.file(), book.games.get)
        assert (verdict.ok, verdict.complete, verdict.versions, len(verdict.games)) == (True, False, games + 1, games)
        assert verdict.winner is None
        book.play(games)


def test_a_match_given_up_verifies_without_a_winner() -> None:
    """An abandoned game ends it."""
    book = MatchBook().play(1).abandon(2)
    verdict = verify_match(book.file(), book.games.get)
    assert (verdict.ok, verdict.complete, verdict.winner) == (True, True, None)


def test_a_match_of_bots_verifies() -> None:
    """Their moves are by `bot:N`, and they add no entropy."""
    bots = tuple(SeatInfo(name, "bot", name, "") for name in ("greedy", "uniform"))
    book = MatchBook(bots).play(1).play(2)
    assert verify_match(book.file(), book.games.get).ok


def test_the_games_of_a_file_are_named_in_order() -> None:
    """What a match's log scores can be told without judging it."""
    book = played()
    assert is_of_match(book.file())
    assert scored_games(book.file()) == list(book.games)
    assert not is_of_match(book.games["00game0"])
    assert not is_of_match(b"")


# ------------------------------------------------------------------------------- what the match's own log says wrongly


def event(commits: list[Json], version: int, number: int = 0) -> Json:
    """An event of this version."""
    return commits[version - 1]["events"][number]


@damage
def totals_that_are_no_sums(commits: list[Json], _: Games) -> int:
    event(commits, 4)["totals"][0] += 1
    return 4


@damage
def a_game_left_out(commits: list[Json], _: Games) -> int:
    del commits[3]
    for version, commit in enumerate(commits, start=1):
        commit["version"] = version
    scored = (event(commits, version) for version in range(4, len(commits) + 1))
    return next(version for version, one in enumerate(scored, start=4) if one["totals"] != one["points"])


@damage
def a_version_left_out(commits: list[Json], _: Games) -> int:
    del commits[3]
    return 4


@damage
def two_versions_exchanged(commits: list[Json], _: Games) -> int:
    commits[2], commits[3] = commits[3], commits[2]
    return 3


@damage
def the_start_left_out(commits: list[Json], _: Games) -> int:
    del commits[0]
    return 1


@damage
def a_second_start(commits: list[Json], _: Games) -> int:
    commits[2]["events"] = copy.deepcopy(commits[0]["events"])
    return 3


@damage
def no_event_at_all(commits: list[Json], _: Games) -> int:
    commits[2]["events"] = []
    return 3


@damage
def two_games_in_one_commit(commits: list[Json], _: Games) -> int:
    commits[2]["events"] += commits[3]["events"]
    return 3


@damage
def the_end_left_out(commits: list[Json], _: Games) -> int:
    del commits[-1]["events"][1]
    return len(commits)


@damage
def the_end_too_soon(commits: list[Json], _: Games) -> int:
    commits[2]["events"].append({"type": END, "winner": None, "totals": event(commits, 3)["totals"]})
    return 3


@damage
def another_winner(commits: list[Json], _: Games) -> int:
    event(commits, len(commits), 1)["winner"] = 0
    return len(commits)


@damage
def other_totals_at_the_end(commits: list[Json], _: Games) -> int:
    event(commits, len(commits), 1)["totals"][0] += 1
    return len(commits)


@damage
def something_after_the_end(commits: list[Json], _: Games) -> int:
    last = copy.deepcopy(commits[-1])
    commits.append({**last, "version": last["version"] + 1, "events": [event(commits, 2)]})
    return len(commits)


@damage
def the_last_version_missing(commits: list[Json], _: Games) -> int:
    del commits[-1]
    return len(commits) + 1


@damage
def a_target_that_is_not_the_rules(commits: list[Json], _: Games) -> int:
    event(commits, 1)["target"] += 100
    del commits[-1]["events"][1]
    return 2


@damage
def a_target_of_nothing(commits: list[Json], _: Games) -> int:
    event(commits, 1)["target"] = 0
    return 1


@damage
def other_seats(commits: list[Json], _: Games) -> int:
    event(commits, 1)["seats"][0]["name"] = "Eve"
    return 2


@damage
def a_seat_more(commits: list[Json], _: Games) -> int:
    event(commits, 1)["seats"] += event(commits, 1)["seats"][:1]
    return 2


@damage
def somebody_elses_work(commits: list[Json], _: Games) -> int:
    commits[2]["by"] = "seat:0"
    return 3


@damage
def a_key_that_shows_who_asked(commits: list[Json], _: Games) -> int:
    commits[0]["key"] = "a key"
    return 1


@damage
def no_time(commits: list[Json], _: Games) -> int:
    commits[2]["at"] = "yesterday"
    return 3


@damage
def of_another_match(commits: list[Json], _: Games) -> int:
    event(commits, 1)["match"] = "00other"
    return 0


# ------------------------------------------------------------------------------------- where its games say it otherwise


def points_of(commits: list[Json]) -> int:
    """The first version that scores points."""
    return next(version for version in range(2, len(commits)) if any(event(commits, version)["points"]))


@damage
def a_result_that_its_game_does_not_have(commits: list[Json], _: Games) -> int:
    version = next(version for version in range(2, len(commits)) if event(commits, version)["result"] == "drawn")
    event(commits, version).update(result="won", winners=[0])
    return version


@damage
def winners_exchanged(commits: list[Json], _: Games) -> int:
    version = points_of(commits)
    event(commits, version)["winners"] = [1 - seat for seat in event(commits, version)["winners"]]
    return version


@damage
def points_exchanged(commits: list[Json], _: Games) -> int:
    version = points_of(commits)
    for one in range(version, len(commits) + 1):
        scored = event(commits, one)
        before = event(commits, one - 1)["totals"] if one > 2 else [0, 0]
        scored["points"] = scored["points"][::-1] if one == version else scored["points"]
        scored["totals"] = [total + more for total, more in zip(before, scored["points"], strict=True)]
    return version


@damage
def a_game_that_is_not_there(_: list[Json], games: Games) -> int:
    del games["00game2"]
    return 4


@damage
def a_game_that_does_not_verify(_: list[Json], games: Games) -> int:
    games["00game1"] = games["00game1"].replace(b'"key 7"', b'"key 8"')
    return 3


@damage
def a_game_that_has_not_ended(_: list[Json], games: Games) -> int:
    head, commits = read_file(games["00game1"])
    games["00game1"] = log_file(head["game"], False, commits[:-1])
    return 3


@damage
def a_game_of_another_match(_: list[Json], games: Games) -> int:
    games["00game0"] = (
        Book(SHORT_MATCH, 1, game="00game0", seats=(ADA, OPEN), match="00other").sit(1, "mine").moves().file()
    )
    return 2


@damage
def a_game_of_no_match(_: list[Json], games: Games) -> int:
    games["00game0"] = Book(SHORT_MATCH, 1, game="00game0", seats=(ADA, OPEN)).sit(1, "mine").moves().file()
    return 2


@damage
def another_game_in_its_place(_: list[Json], games: Games) -> int:
    games["00game1"] = Book(SHORT_MATCH, 2, game="00other", seats=(ADA, GUEST), match=MATCH).moves().file()
    return 3


@damage
def under_other_rules(_: list[Json], games: Games) -> int:
    rules = msgspec.structs.replace(SHORT_MATCH, side_stacks=5)
    games["00game1"] = replayed(rules, (ADA, GUEST))
    return 3


@damage
def between_others(_: list[Json], games: Games) -> int:
    games["00game1"] = replayed(SHORT_MATCH, (ADA, BEN))
    return 3


@damage
def with_a_seat_open_again(_: list[Json], games: Games) -> int:
    book = Book(SHORT_MATCH, 2, game="00game1", seats=(ADA, OPEN), match=MATCH)
    games["00game1"] = book.sit(1, "mine").moves().file()
    return 3


@damage
def a_deal_played_twice(commits: list[Json], games: Games) -> int:
    book = Book(SHORT_MATCH, 1, game="00game1", seats=(ADA, GUEST), match=MATCH).moves()
    return rescored(commits, games, book)


@damage
def a_game_scored_twice(commits: list[Json], games: Games) -> int:
    book = Book(SHORT_MATCH, 1, game="00game0", seats=(ADA, OPEN), match=MATCH).sit(1, "mine").moves()
    return rescored(commits, games, book)


def replayed(rules: object, seats: tuple[SeatInfo, ...]) -> bytes:
    """A game in the second one's place that ended as it did, whatever the deal."""
    (wanted,) = (body["events"][0] for body in played().bodies if body["events"][0].get("game") == "00game1")
    assert isinstance(rules, type(SHORT_MATCH))
    for number in range(20, 400):
        book = Book(rules, number, game="00game1", seats=seats, match=MATCH).moves()
        end = book.bodies[-1]["events"][-1]
        if all(end[name] == wanted[name] for name in ("result", "winners", "points")):
            return book.file()
    raise AssertionError("no such game was found")


def rescored(commits: list[Json], games: Games, book: Book) -> int:
    """The match up to its second game, which is this one."""
    games[book.name] = book.file()
    end = book.bodies[-1]["events"][-1]
    before = event(commits, 2)["totals"]
    del commits[3:]
    event(commits, 3).update({name: end[name] for name in ("result", "winners", "points")}, game=book.name)
    event(commits, 3)["totals"] = [total + more for total, more in zip(before, end["points"], strict=True)]
    return 3


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damage_is_found_at_its_version_though_the_chain_was_built_anew(name: str) -> None:
    """Section 5, section 6: the lowest version that is missing or wrong; 0 is the head."""
    book = played()
    commits, games = commits_of(book.file()), dict(book.games)
    before = copy.deepcopy((commits, games))
    version = DAMAGES[name](commits, games)
    assert (commits, games) != before, "the damage has changed nothing"
    complete = commits[-1]["events"][-1:] != [] and (
        commits[-1]["events"][-1]["type"] == END or name in ("the_last_version_missing", "the_end_left_out")
    )
    verdict = verify_match(match_file(complete, chained(commits)), games.get)
    assert (verdict.ok, verdict.version) == (False, version), verdict
    assert verdict.why
    assert verdict.versions == max(version - 1, 0)


@pytest.mark.parametrize("name", ["totals_that_are_no_sums", "other_seats", "another_winner", "a_version_left_out"])
def test_a_change_breaks_the_chain(name: str) -> None:
    """Section 3: as it is, without a chain built anew, at the same version or before."""
    book = played()
    commits = commits_of(book.file())
    version = DAMAGES[name](commits, dict(book.games))
    verdict = verify_match(match_file(True, commits), book.games.get)
    assert not verdict.ok
    assert verdict.version is not None
    assert verdict.version <= version


def test_where_a_games_own_log_is_wrong_the_verdict_names_the_game_and_its_version() -> None:
    """Section 5: the match's version, the game, and the version of the game's log."""
    book = played()
    bad = book.games["00game1"].replace(b'"key 7"', b'"key 8"')
    verdict = verify_match(book.file(), (book.games | {"00game1": bad}).get)
    assert (verdict.version, verdict.game, verdict.game_version) == (3, "00game1", 8)
    assert verdict.why is not None
    assert verdict.why.startswith("game 00game1: version 8: ")
    assert verdict.games == ("00game0",)


def test_a_game_that_its_store_cannot_read_is_named_too() -> None:
    """Section 5: a damaged game is a verdict, not a failure to give one."""
    book = played()

    def log_of(game: str) -> bytes | None:
        if game == "00game2":
            raise Unreadable(5, "its hash is not that of its content")
        return book.games[game]

    verdict = verify_match(book.file(), log_of)
    assert (verdict.version, verdict.game, verdict.game_version) == (4, "00game2", 5)


def test_a_game_that_is_no_match_game_by_its_rules_is_wrong() -> None:
    """R23: rules without a target are not those of a match."""
    book = MatchBook()
    other = Book(SHORT, 1, game="00game0", seats=(ADA, BEN), match=MATCH).moves()
    book.games["00game0"] = other.file()
    result = other.bodies[-1]["events"][-1]
    told = {"result": result["result"], "winners": result["winners"], "points": [1, 0], "totals": [1, 0]}
    book.write({"type": "GameScored", "game": "00game0", **told})
    assert verify_match(book.file(), book.games.get).version == 2


def test_a_game_from_a_position_is_no_new_deal() -> None:
    """R23: each is a new deal with its own starter."""
    file = recipes.golden("from-a-position").read_bytes()
    commits = commits_of(file)
    book = MatchBook()
    book.games["00game0"] = file
    end = commits[-1]["events"][-1]
    book.write({"type": "GameScored", "game": "00game0", "result": end["result"], "winners": end["winners"],
                "points": [0, 0], "totals": [0, 0]})  # fmt: skip
    verdict = verify_match(book.file(), book.games.get)
    assert (verdict.version, verdict.game) == (2, "00game0")
    assert "position" in (verdict.why or "")


@pytest.mark.parametrize(
    ("line", "old", "new", "version"),
    [
        (0, b"malice-match/1", b"malice-match/2", 0),
        (0, b"malice-match/1", b"malice-log/1", 0),
        (0, b'"complete":true', b'"complete": true', 0),
        (0, b'"complete":true', b'"complete":false', 0),
        (0, b'"match":"00match"', b'"match":"00other"', 0),
        (0, b'"match":"00match"', b'"more":1,"match":"00match"', 0),
        (2, b'"key":null', b'"key": null', 2),
        (2, b'"version":2', b'"version":3', 2),
        (2, b'"GameScored"', b'"GamePlayed"', 2),
        (2, b'"points":', b'"marks":', 2),
        (2, b'"totals":[', b'"totals":["', 2),
    ],
)
def test_a_file_in_another_form_does_not_verify(line: int, old: bytes, new: bytes, version: int) -> None:
    """Section 3: the header too; a line in another form does not verify."""
    book = played()
    lines = book.file().splitlines()
    assert old in lines[line]
    lines[line] = lines[line].replace(old, new, 1)
    verdict = verify_match(b"".join(one + b"\n" for one in lines), book.games.get)
    assert (verdict.ok, verdict.version) == (False, version)


def test_verifying_never_raises() -> None:
    """Section 6: no traceback for a file that is no log, nor for one whose games are none."""
    lot = random.Random("junk")
    book = played()
    lines = book.file().splitlines(keepends=True)
    for _ in range(200):
        junk = [lot.choice([lambda: lot.choice(lines), lambda: lot.randbytes(40) + b"\n"])() for _ in range(4)]
        assert not verify_match(b"".join(junk), book.games.get).ok
        assert not verify_match(b"".join([*lines[: lot.randrange(1, 5)], *junk]), book.games.get).ok
        assert not verify_match(book.file(), lambda _, junk=junk: b"".join(junk)).ok
    assert not verify_match(b"", book.games.get).ok


@pytest.mark.parametrize("value", [None, -1, 10**30, True, 0.5, "0", [], {}])
def test_no_value_of_any_field_makes_verifying_raise(value: object) -> None:
    """Section 6: whatever stands in a field, the answer is a verdict; the chain is built anew."""
    book = played()
    commits = commits_of(book.file())
    for commit in (commits[0], commits[1], commits[-1]):
        for one in commit["events"]:
            for field, old in list(one.items()):
                if old == value and type(old) is type(value):
                    continue
                one[field] = value
                verdict = verify_match(match_file(True, chained(commits)), book.games.get)
                one[field] = old
                assert not verdict.ok, field
                assert verdict.version is not None


def test_no_byte_of_a_match_can_be_changed() -> None:
    """Section 3: whichever byte it is, the file does not verify any more."""
    book = MatchBook().play(1).play(2)
    good = book.file()
    for place, byte in enumerate(good[:-1]):
        changed = good[:place] + bytes([byte ^ 1]) + good[place + 1 :]
        assert not verify_match(changed, book.games.get).ok, f"byte {place}"
