"""Which logs verify? Those that are true to the byte and by the rules, and no others."""

import random
from collections import Counter
from typing import Any

import pytest

from events.errors import Unreadable
from events.game.commands import Abandon
from events.log.record import read_log
from events.log.verdicts import Verification
from events.log.verify import verify
from tests.log.damage import BROKEN, FORGED, MISPRINTED, source
from tests.log.damages import DAMAGES, TABLES
from tests.log.games import Book, chained, log_file, read_file
from tests.log.recipes import RECIPES, golden
from tests.walks import FULL, drawn_rules

SOURCES = ("short", "running", "by lot", "bots", "open")
PLACES = 13_000 if FULL else 120
FREE = {("GameCreated", "game"), ("GameCreated", "match"), ("SeatTaken", "name"), ("SeatTaken", "entropy")}
"""What any text may stand in, as far as anybody can tell while the game runs; only the chain protects it."""


def assert_blamed(verdict: Verification, version: int) -> None:
    """The log is refused, for this version, and everything before it stands."""
    assert not verdict.ok
    assert verdict.version == version, verdict.why
    assert verdict.why
    if version:
        assert verdict.versions == version - 1


@pytest.mark.parametrize("name", [*RECIPES, *SOURCES])
def test_a_good_log_verifies(name: str) -> None:
    """Section 6: legality, consequences, shuffles, chain and card counts; `complete` is the head's word."""
    file = source(name)
    head, commits = read_file(file)
    ended = commits[-1]["events"][-1]["type"] == "GameEnded"
    joined = tuple(
        event["seat"]
        for commit in commits
        for event in commit["events"]
        if event["type"] == "SeatTaken" and event["entropy"]
    )
    assert verify(file) == Verification(True, head["game"], len(commits), ended, ended, joined, None, None)


@pytest.mark.parametrize("number", range(60 if FULL else 10))
def test_every_beginning_of_a_log_is_a_running_game_that_verifies(number: int) -> None:
    """Section 3: a running log is good as far as it goes; its shuffles nobody can repeat yet."""
    book = Book(drawn_rules(number), number).moves(25)
    commits = chained(book.bodies)
    for length in range(1, len(commits)):
        verdict = verify(log_file("00other", False, commits[:length]))
        assert verdict == Verification(True, "00other", length, False, False, (), None, None)


def test_an_abandoned_game_is_complete() -> None:
    """Section 2: `GameEnded` alone, by `system`; the seed is revealed all the same."""
    for moves in (0, 7):
        verdict = verify(Book("spite-and-malice").moves(moves).do(Abandon(), "system").file())
        assert (verdict.ok, verdict.complete, verdict.shuffles) == (True, True, True)


def test_a_move_of_the_clock_is_made_by_the_system() -> None:
    """Section 6: `on_expiry` auto plays to the end of the turn, `by` system."""
    book = Book("spite-and-malice").moves(7)
    book.bodies[-1]["by"] = "system"
    assert verify(book.file()).ok


def test_the_head_may_name_another_game() -> None:
    """Section 3: the header's game id aside, where an import had to rename."""
    head, commits = read_file(source("short"))
    verdict = verify(log_file("0fanother", True, commits))
    assert (verdict.ok, verdict.game) == (True, "0fanother")
    assert head["game"] != "0fanother"


def test_there_are_damages_enough() -> None:
    """Each of the tables was filled, and no name stands in two of them."""
    names = Counter([*FORGED, *BROKEN, *MISPRINTED])
    assert all(len(vars(table)) > 10 for table in TABLES)
    assert max(names.values()) == 1
    assert len(names) == len(DAMAGES) > 120


@pytest.mark.parametrize("name", FORGED)
def test_a_forgery_is_found_by_the_rules(name: str) -> None:
    """Section 6, with a hash chain that was built anew over the whole log."""
    file, version = FORGED[name].done(rehashed=True)
    if version > 0:
        assert_chain_holds(file)
    assert_blamed(verify(file), version)


def assert_chain_holds(file: bytes) -> None:
    """What is tested is the rules: nothing but them speaks against this file."""
    head, commits = read_file(file)
    assert file == log_file(head["game"], head["complete"], chained(commits))


@pytest.mark.parametrize("name", BROKEN)
def test_a_change_breaks_the_chain(name: str) -> None:
    """Section 3: each hash covers its commit and the hash before it."""
    file, version = BROKEN[name].done(rehashed=False)
    assert_blamed(verify(file), version)


@pytest.mark.parametrize("name", MISPRINTED)
def test_a_file_in_another_form_does_not_verify(name: str) -> None:
    """Section 3: the header too; a line in another form does not verify."""
    good = source("short")
    file, version = MISPRINTED[name](good)
    assert file != good
    assert_blamed(verify(file), version)


@pytest.mark.parametrize("name", MISPRINTED)
def test_what_does_not_verify_for_its_form_cannot_be_read(name: str) -> None:
    """Reading judges the form alone: it refuses with the same version, or what it read is only incomplete."""
    file, version = MISPRINTED[name](source("short"))
    try:
        log = read_log(file)
    except Unreadable as refused:
        unreadable = refused
    else:
        assert version in (0, len(log.commits) + 1) or log.commits[version - 1].version != version
        return
    assert unreadable.version == version


def game_id(file: bytes) -> range:
    """Where the head names the game: the one thing that may change (section 3)."""
    start = file.index(b'"game":"') + len(b'"game":"')
    return range(start, file.index(b'"', start))


@pytest.mark.parametrize("how", ["another", "one bit", "dropped", "doubled", "inserted"])
@pytest.mark.parametrize("name", ["short", "running"])
def test_no_byte_of_a_log_can_be_changed(name: str, how: str) -> None:
    """Section 3: whichever byte it is, the file does not verify any more."""
    good = source(name)
    lot = random.Random(f"{name} {how}")
    places = [*range(120), *range(len(good) - 60, len(good)), *lot.sample(range(len(good)), min(PLACES, len(good)))]
    for place in places:
        byte = good[place]
        if place in game_id(good) or (how == "inserted" and place == game_id(good).stop):
            continue
        instead = {
            "another": lambda byte=byte: bytes([(byte + lot.randrange(1, 256)) % 256]),
            "one bit": lambda byte=byte: bytes([byte ^ (1 << lot.randrange(8))]),
            "dropped": lambda: b"",
            "doubled": lambda byte=byte: bytes([byte, byte]),
            "inserted": lambda byte=byte: bytes([lot.randrange(256), byte]),
        }[how]()
        changed = good[:place] + instead + good[place + 1 :]
        if how == "dropped" and place == len(good) - 1:
            continue  # the last line counts without its line feed too
        verdict = verify(changed)
        assert not verdict.ok, f"byte {place} {byte!r} became {instead!r}"
        assert verdict.version is not None
        assert verdict.version <= good[:place].count(b"\n") + (instead == b"\n") + 1


def test_verifying_never_raises() -> None:
    """Section 6: no traceback for a file that is no log."""
    lot = random.Random("junk")
    lines = golden("sitting-and-leaving").read_bytes().splitlines(keepends=True)
    for _ in range(2000 if FULL else 200):
        junk = [lot.choice([lambda: lot.choice(lines), lambda: lot.randbytes(40) + b"\n"])() for _ in range(4)]
        assert not verify(b"".join(junk)).ok
        assert not verify(b"".join([*lines[: lot.randrange(1, 9)], *junk])).ok


@pytest.mark.parametrize("value", [None, -1, 10**18, True, 0.5, "0", [], {}])
def test_no_value_of_any_field_makes_verifying_raise(value: Any) -> None:
    """Section 6: whatever stands in a field, the answer is a verdict; the chain is built anew."""
    for name in ("open", "from-a-position", "sitting-and-leaving"):
        head, commits = read_file(source(name))
        seen = set()
        for commit in commits:
            for event in commit["events"]:
                for field, old in event.items():
                    if (event["type"], field) in seen or (type(old) is type(value) and old == value):
                        continue
                    seen.add((event["type"], field))
                    event[field] = value
                    whole = name == "from-a-position"
                    kept = commits if whole else commits[: commit["version"]]
                    verdict = verify(log_file(head["game"], whole, chained(kept)))
                    event[field] = old
                    if verdict.ok:
                        assert (event["type"], field) in FREE
                    else:
                        assert verdict.version is not None
                        assert verdict.version >= commit["version"] or commit is commits[-1]
